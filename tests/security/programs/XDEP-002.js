// XDEP-002: a returned value one level too deep is an error naming the limit, not a protocol error
let value = 7; for (let i = 0; i < 201; i++) value = i % 2 ? [value] : { k: value };
return value;