"""Codepool: run a model's JavaScript program in a locked-down process that can call your tools.

    async with Pool() as pool:
        outcome = await pool.run("return await tools.add({a: 1, b: 2})", tools=[add])

What is named here is the public surface; everything else may change.
"""

from pool.blocking import BlockingPool
from pool.engine import Pool
from pool.errors import (
    BootFailed,
    CodepoolError,
    ConfinementUnavailable,
    DenoUnsupported,
    LimitError,
    PoolClosed,
    ToolDefinitionError,
    ToolError,
    Unavailable,
    UsageError,
    ValueRefused,
)
from pool.limits import Limits
from pool.program.outcome import (
    ABSENT,
    CallRecord,
    CallStatus,
    ConsoleLine,
    ImageItem,
    Outcome,
    ProgramError,
    Reason,
    Status,
    StoreChanges,
    TextItem,
    Timings,
)
from pool.run import CallStarted, Event, Run
from pool.supervisor.stats import Stats
from pool.tools.context import CallIdentity, CallProgress, ToolContext
from pool.tools.exposure import Exposure
from pool.tools.gate import Gate, Replaced
from pool.tools.namespace import Namespace
from pool.tools.sources.python import tool
from pool.tools.tool import Effect, Tool
from pool.tools.view import View

__all__ = [
    "ABSENT",
    "BlockingPool",
    "BootFailed",
    "CallIdentity",
    "CallProgress",
    "CallRecord",
    "CallStarted",
    "CallStatus",
    "CodepoolError",
    "ConfinementUnavailable",
    "ConsoleLine",
    "DenoUnsupported",
    "Effect",
    "Event",
    "Exposure",
    "Gate",
    "ImageItem",
    "LimitError",
    "Limits",
    "Namespace",
    "Outcome",
    "Pool",
    "PoolClosed",
    "ProgramError",
    "Reason",
    "Replaced",
    "Run",
    "Stats",
    "Status",
    "StoreChanges",
    "TextItem",
    "Timings",
    "Tool",
    "ToolContext",
    "ToolDefinitionError",
    "ToolError",
    "Unavailable",
    "UsageError",
    "ValueRefused",
    "View",
    "tool",
]
