// XRET-009: keys that a careless host would act on are data in the outcome
return JSON.parse('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"then":4}');