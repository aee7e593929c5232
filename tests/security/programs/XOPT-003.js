// XOPT-003: text that looks like options inside a string, a template and a block comment has no effect
const s = "\n// @options: {}"; const t = `
// @options: {"timeout_ms": 1, "nope": 2}
`; /*
// @options: {"nope": 1}
*/ return s.length > 0 && t.length > 0 ? 1 : 0;