// XLIF-009: a tool that never answers loses a race and is cancelled at the end
const winner = await Promise.race([tools.hang({}), tools.slow({ ms: 10 })]);
return winner === "slow" ? "SAFE" : "ESCAPED";