// XCPU-009: one long call of the engine: normalize, toLocaleUpperCase and localeCompare of megabytes
const s = "ﷺ".repeat(1 << 17); for (;;) { s.normalize("NFKD").normalize("NFC").localeCompare(s); }