// XOUT-002: text, console and value together pass the limit, none of them alone
text("a".repeat(400)); console.log("b".repeat(400)); return "c".repeat(400);