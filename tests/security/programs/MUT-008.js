// MUT-008; realm-escape; nothing can be put on tools
try { tools.secret = () => 1; } catch {} try { tools.add = tools.echo; } catch {} try { delete tools.echo; } catch {}
return "secret" in tools || tools.add === tools.echo || !("echo" in tools) ? "ESCAPED tools changed" : "SAFE";
