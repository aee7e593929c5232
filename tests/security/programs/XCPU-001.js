// XCPU-001: a microtask loop that never lets a turn end
const again = () => { Promise.resolve().then(again); }; again(); await new Promise(() => {});