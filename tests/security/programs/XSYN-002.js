// XSYN-002: a comment closed for the wrapper, then a block of its own
*/ } text("ESCAPED"); { /*