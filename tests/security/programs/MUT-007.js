// MUT-007; lifecycle; the first end wins, also where it could not be sent at once
let over = false;
const dive = () => { try { dive(); } catch {} if (!over) { try { exit(); } catch (e) { over = e.message === "exit() has ended the program"; } } };
dive(); throw new Error("ESCAPED: a second end");
