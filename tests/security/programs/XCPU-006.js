// XCPU-006: an iterator without end in a constructor, a spread and a destructuring rest
const endless = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }), return() { for (;;); } }) };
const [first] = endless; return "ESCAPED " + first;