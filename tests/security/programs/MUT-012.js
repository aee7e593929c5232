// MUT-012; output-limits; a limit that was passed where the stack was too full to say so counts all the same
const long = ["ESCAPED".repeat(200)]; let passed = false;
const dive = () => { try { dive(); } catch {} if (passed) return; try { text(long); } catch (e) { passed = !/call stack/.test(e.message); } };
dive(); return "ESCAPED " + passed;
