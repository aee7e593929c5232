"""A script on the blocking pool whose program never ends; says who lives, and waits.

Argument: `interrupted` for a script that goes on after the interrupt, `plain` for one that
does not.
"""

from __future__ import annotations

import json
import signal
import sys

import psutil

from pool import BlockingPool, Tool


def say(argument: object) -> None:
    processes = psutil.Process().children(recursive=True)
    sys.stdout.write(json.dumps([process.pid for process in processes]) + "\n")
    sys.stdout.flush()


def main(mode: str) -> None:
    # A shell that starts the tests in the background has its children ignore the interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    source = "await tools.say(); while (true) {}"
    with BlockingPool(size=1, spares=1) as pool:
        try:
            pool.run(source, tools=[Tool(name="say", handler=say)])
        except KeyboardInterrupt:
            if mode == "plain":
                raise
            sys.stdout.write(json.dumps(pool.run("return 'after'").value) + "\n")
            sys.stdout.flush()


main(sys.argv[1])
