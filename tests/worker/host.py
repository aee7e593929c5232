"""A host that is about to be killed: starts workers, says who lives, and waits.

Arguments: `fork` or `alone`, then the command of the workers. With `fork` it first leaves a copy
of all its descriptors, the spawner's socket among them, in a child of its own.
"""

from __future__ import annotations

import json
import os
import signal
import sys

import anyio

from pool.worker.launch import Launch
from pool.worker.spawner_link import open_spawner

WORKERS = 3


async def main(mode: str, argv: list[str]) -> None:
    async with anyio.create_task_group() as tasks, open_spawner(tasks) as link:
        keeper = os.fork() if mode == "fork" else 0
        if mode == "fork" and keeper == 0:
            signal.pause()
        launch = Launch(argv=tuple(argv), env={}, cwd="/", rlimits={})
        children = [await link.spawn(launch) for _ in range(WORKERS)]
        pids = [link.pid, *(child.pid for child in children)]
        sys.stdout.write(json.dumps({"pids": pids, "keeper": keeper}) + "\n")
        sys.stdout.flush()
        await anyio.sleep_forever()


anyio.run(main, sys.argv[1], sys.argv[2:])
