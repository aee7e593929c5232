// XSYN-011: a fence with prose around it, holding a fence of its own in a template
Here is the program:
```js
const inner = `~~~`; return inner.length + 4;
```
It returns seven.