// XOUT-003: exactly the limit, shared between text and console, completes
text("a".repeat(500)); console.log("🙂".repeat(250));