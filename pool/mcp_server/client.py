"""One client of the server: its tenant key, what it is offered, and what its programs stored."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from mcp.server.session import ServerSession

from pool.mcp_server.offer import Offer, Settings, Shown
from pool.program.outcome import StoreChanges
from pool.tools.selection import Selection

_TENANT_BYTES = 16


def _new_tenant() -> str:
    """A key that no other client has, and none can guess."""
    return secrets.token_hex(_TENANT_BYTES)


@dataclass(slots=True, eq=False, weakref_slot=True)
class Client:
    """What lives as long as a connection does.

    Attributes:
        store: Committed values; of two programs at once, the last to complete wins.
        listed: What the client was told last of its tools; None before it has asked.
        session: Where it hears that those have changed.
    """

    settings: Settings
    tenant: str = field(default_factory=_new_tenant)
    store: dict[str, Any] = field(default_factory=dict)
    listed: tuple[Shown, ...] | None = None
    session: ServerSession | None = None
    _offer: Offer | None = None
    _version: int = -1

    @property
    def offer(self) -> Offer:
        """What the client is offered at this moment, with what its searches have loaded."""
        version = self.settings.sources.version
        if self._offer is None or self._version != version:
            loaded = self._offer.selection.loaded if self._offer else ()
            self._offer, self._version = self.settings.offer(loaded), version
        return self._offer

    def callable_names(self) -> frozenset[str]:
        """What programs of this client can call now."""
        return frozenset(tool.name for tool in self.offer.selection.callable)

    def load(self, selection: Selection) -> None:
        """Offer what a search has loaded, too."""
        self._offer = self.offer.with_selection(selection)

    def commit(self, changes: StoreChanges) -> None:
        """Take over the writes of a program that completed."""
        for key in changes.delete:
            self.store.pop(key, None)
        self.store.update(changes.set)
