// XSYN-013: a hashbang line does not hide what follows and runs nothing itself
#!/usr/bin/env -S deno run -A
return 2;