// XRLM-008: a thrown host error at the stack limit while results are converted: own-realm or none
let foreign = 0, tried = 0;
const check = (thrown) => { tried++; if (typeof thrown === "object" && thrown !== null && !(thrown instanceof Object)) foreign++; };
const acts = [() => text({ a: [1, { b: 2 }] }), () => load("k"), () => console.log({ a: 1 }), () => image("data:image/png;base64,AAAA"), () => store("k", { a: ["x"] }), () => void new Error("e").stack, () => `${tools}`, () => tools.echo({ a: 1 }).catch(check), () => searchTools("x").catch(check)];
store("k", { a: 1 });
for (const act of acts) {
  let done = 0;
  const dive = (pad) => { try { dive(pad); } catch (thrown) { check(thrown); } if (done < 3) { try { act(); done++; } catch (thrown) { check(thrown); } } };
  try { dive(1); } catch (thrown) { check(thrown); }
}
return foreign ? "ESCAPED " + foreign + " foreign errors" : "SAFE " + (tried > 0);