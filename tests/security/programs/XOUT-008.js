// XOUT-008: indentation of nested console groups cannot multiply past the limit
for (let i = 0; i < 5000; i++) console.group("g");
for (let i = 0; i < 5000; i++) console.log("a\nb\nc");
return "ESCAPED";