// XSYN-010: a function body that strict mode would take and this one ends early: with, octals and a delete of a name
"use strict"; with (tools) { text("ESCAPED"); } delete globalThis; return 010;