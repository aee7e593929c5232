// MUT-007; lifecycle; the first end wins, also where it could not be sent at once
let over = false;
const dive = () => { try { dive(); } catch {} if (over) return; try { load("k"); } catch (e) { over = !(e instanceof RangeError); return; } try { exit(); } catch {} };
dive(); throw new Error("ESCAPED: a second end");
