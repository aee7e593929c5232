"""One tree of exceptions, each with a stable code.

    CodepoolError                     codepool
    ├── UsageError                    usage            the caller must change something
    │   ├── LimitError                limit            a limit is out of range or above the pool's
    │   ├── ToolDefinitionError       tool_definition  a tool cannot be offered as declared
    │   ├── ValueRefused              value            a host value cannot cross to the program
    │   ├── SourceRefused             source           a program is refused before it starts
    │   └── PoolClosed                pool_closed      the pool is not running
    ├── Unavailable                   unavailable      the operator must change something
    │   ├── DenoUnsupported           deno             no Deno, or a version outside the range
    │   ├── ConfinementUnavailable    confinement      a required layer cannot be had here
    │   ├── BootFailed                boot             workers do not come up
    │   ├── QueueFull                 queue_full       no room to wait
    │   └── NoWorker                  no_worker        no worker became free in time
    ├── ToolError                     tool             a tool failed; the text reaches the program
    └── WorkerFault                   worker           a worker broke; only its run fails
        ├── ProtocolFault             protocol         it said something it must not say
        └── WorkerGone                worker_gone      it ended while it was needed

A class says whose fault it is and what to do now. What a *program* does wrong is never an
exception of the host: it is an `Outcome` with `status == "failed"`.
"""

from __future__ import annotations

from typing import ClassVar


class CodepoolError(Exception):
    """Base of everything this package raises on purpose."""

    code: ClassVar[str] = "codepool"


class UsageError(CodepoolError):
    """The caller asked for something that cannot be done as asked."""

    code = "usage"


class LimitError(UsageError):
    """A limit is not a positive number, or is above what the pool allows."""

    code = "limit"


class ToolDefinitionError(UsageError):
    """A tool cannot be offered as it is declared."""

    code = "tool_definition"


class ValueRefused(UsageError):
    """A host value has no counterpart in a program.

    Attributes:
        path: Where in the value, as in `result.rows[3].when`; empty for the value itself.
    """

    code = "value"

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class SourceRefused(UsageError):
    """A program is refused on the host, before a worker is taken.

    Attributes:
        line: Line of the caller's source, from 1; None when no line is to blame.
        column: Column from 1, in UTF-16 units; None when unknown.
    """

    code = "source"

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class PoolClosed(UsageError):
    """The pool was not entered yet, or is closing."""

    code = "pool_closed"


class Unavailable(CodepoolError):
    """Nothing is wrong with the request, but it cannot be served here and now."""

    code = "unavailable"


class DenoUnsupported(Unavailable):
    """No usable Deno binary; the message names what was found and what is needed."""

    code = "deno"


class ConfinementUnavailable(Unavailable):
    """`confinement="require"` names a layer that this machine does not provide."""

    code = "confinement"


class BootFailed(Unavailable):
    """Workers do not reach READY; the message carries the last reason."""

    code = "boot"


class QueueFull(Unavailable):
    """As many runs wait as may wait."""

    code = "queue_full"


class NoWorker(Unavailable):
    """The run's time was over before a worker was free."""

    code = "no_worker"


class ToolError(CodepoolError):
    """A tool failed. Raised by tools on purpose: the text is what the program sees.

    Attributes:
        name: `name` of the Error in the program.
    """

    code = "tool"

    def __init__(self, message: str, *, name: str = "Error") -> None:
        super().__init__(message)
        self.name = name


class WorkerFault(CodepoolError):
    """A worker broke. The run it served fails; no other run is touched."""

    code = "worker"


class ProtocolFault(WorkerFault):
    """Bytes or messages that a healthy worker never sends."""

    code = "protocol"


class WorkerGone(WorkerFault):
    """The worker's output ended while a message was expected."""

    code = "worker_gone"
