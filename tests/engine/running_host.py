"""A host that is about to be killed: its program never ends; says who lives, and waits."""

from __future__ import annotations

import json
import sys

import anyio
import psutil

from pool import Pool, Tool


async def say(argument: object) -> None:
    processes = psutil.Process().children(recursive=True)
    names = {process.pid: process.name() for process in processes}
    sys.stdout.write(json.dumps(names) + "\n")
    sys.stdout.flush()


async def main() -> None:
    async with Pool(size=2, spares=1) as pool:
        await pool.run("await tools.say(); while (true) {}", tools=[Tool(name="say", handler=say)])


anyio.run(main, backend=sys.argv[1])
