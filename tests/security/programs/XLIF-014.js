// XLIF-014: microtasks that never end go on after the return: the run ends at its limit and the pool serves on
(async () => { for (;;) await null; })();
return "SAFE";
