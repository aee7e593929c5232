// XARG-001: the value table: each odd value arrives as the table says or is refused with its path
const table = [
  ["undefined", undefined, "absent"], ["hole", [, 1], "[null,1]"], ["minus zero", -0, "0"], ["safe bigint", 5n, "5"], ["bigint", 2n ** 64n, '"18446744073709551616"'], ["date", new Date(0), '"1970-01-01T00:00:00.000Z"'], ["bad date", new Date(NaN), "null"], ["set", new Set([1]), "[1]"], ["map", new Map([[1, 2]]), "[[1,2]]"], ["regexp", /x/g, '"/x/g"'], ["box", Object(1), "1"], ["class", new (class { a = 1; #b = 2; })(), '{"a":1}'], ["symbol key", { [Symbol("s")]: 1, b: 2 }, '{"b":2}'],
  ["NaN", NaN, "refused"], ["infinity", -Infinity, "refused"], ["function", () => 1, "refused"], ["symbol", Symbol("s"), "refused"], ["promise", Promise.resolve(1), "refused"], ["weak", new WeakMap(), "refused"],
];
const wrong = [];
for (const [name, value, wanted] of table) {
  let got; try { const back = await tools.echo({ v: value }); got = "v" in back ? JSON.stringify(back.v) : "absent"; } catch (error) { got = error instanceof TypeError && error.message.includes("argument.v") ? "refused" : "badly refused: " + error.message; }
  if (got !== wanted) wrong.push(name + " became " + got);
}
return wrong.length ? "ESCAPED " + wrong.join("; ") : "SAFE";