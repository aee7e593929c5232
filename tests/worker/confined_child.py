"""A process that confines itself the way a child of the spawner does, then does as it is told.

Arguments: the folder of the package, and as JSON what to apply (`uid`, `rules`, `filter`,
`sealed`) and what to do: execute `argv` with `env`, or `code` with `arguments`. A failing
attestation, or an error of any step, ends it with its text on standard error and code 70.
"""

import ctypes
import json
import os
import sys
import traceback

sys.path.append(sys.argv[1])
order = json.loads(sys.argv[2])

from worker import attest, confine, landlock  # noqa: E402 (found by the path above, as in the spawner)

PR_SET_NO_NEW_PRIVS = 38

try:
    if order["uid"] is not None:
        confine.change_user(order["uid"])
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if order["rules"] is not None:
        confine.restrict_files(landlock.Rules(**order["rules"]))
    if order["filter"] is not None:
        confine.filter_calls(bytes.fromhex(order["filter"]))
    if order["sealed"] is not None:
        attest.attest(
            files=order["expect_files"], calls=order["expect_calls"], sealed=order["sealed"]
        )
    if "argv" in order:
        os.execve(order["argv"][0], order["argv"], order["env"])
    sys.argv = ["-c", *order["arguments"]]
    exec(compile(order["code"], "<code>", "exec"), {"__name__": "__main__"})
except Exception:
    traceback.print_exc()
    sys.exit(70)
