"""What a session adds to the tools of a run: what may be called now, what was shown before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pool.wire.messages import CatalogEntry


@dataclass(frozen=True, slots=True)
class View:
    """A session's look at its tools. Made for each run, or kept as long as nothing is shown anew.

    Attributes:
        callable_now: Canonical names that may be called at this moment; quick, does not wait. It
            is asked when the run starts, at each call and at each question, so that a tool which
            goes while the run is under way is gone at once. A tool that comes is in the next run.
            What it raises fails the call. None: all tools, as their exposure says.
        shown: Identifiers by canonical name that the session was told before, also those of tools
            that are gone (spec T-2).
    """

    callable_now: Callable[[], frozenset[str]] | None = None
    shown: Mapping[str, str] = field(default_factory=dict)

    def allows(self, name: str) -> bool:
        """Whether the tool of this canonical name may be called now."""
        return self.callable_now is None or name in self.callable_now()

    def now(self) -> Callable[[str], bool]:
        """`allows` for many names at one moment."""
        return self.allows if self.callable_now is None else self.callable_now().__contains__


def unsuggested(message: str, gone: frozenset[str]) -> str:
    """The message of an error without the suggestion of tools that are gone.

    The worker ends a message in `Did you mean tools.a, text?` from the names of the run's start.

    Args:
        gone: Identifiers.
    """
    head, question, tail = message.rpartition(" Did you mean ")
    meant = tail.removesuffix("?").split(", ")
    kept = [
        name for name in meant if name.removeprefix("tools.") not in gone or name[:6] != "tools."
    ]
    if not question or len(kept) == len(meant):
        return message
    return f"{head}{question}{', '.join(kept)}?" if kept else head


def gone(view: View, entries: tuple[CatalogEntry, ...]) -> frozenset[str]:
    """Identifiers of the tools that a run was given and may not call any more."""
    if view.callable_now is None:
        return frozenset()
    now = view.callable_now()
    return frozenset(entry.identifier for entry in entries if entry.name not in now)
