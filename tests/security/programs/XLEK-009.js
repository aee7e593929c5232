// XLEK-009: writer: marks the registries that are shared by all realms of an engine
globalThis[Symbol.for("mark")] = "FROM RUN 1"; /(FROM RUN 1)/.exec("FROM RUN 1"); Reflect.defineProperty(Symbol.for("x").constructor, "mark", { value: "FROM RUN 1" }); const template = (strings) => strings; globalThis.strings = template`FROM RUN 1`;
return "SAFE written";