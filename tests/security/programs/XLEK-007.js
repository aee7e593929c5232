// XLEK-007: writer: stages values, then fails by its output
store("ghost", "FROM RUN 1"); store("other", 1); try { text("x".repeat(5000)); } catch { /* over */ } return "ESCAPED";