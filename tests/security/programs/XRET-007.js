// XRET-007: a thenable that keeps its resolvers and calls neither
return { then() {} };