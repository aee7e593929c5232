"""One client of the server: its tenant key, what it is offered, and what its programs stored."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from pool.mcp_server.offer import Offer
from pool.program.outcome import StoreChanges

_TENANT_BYTES = 16


def _new_tenant() -> str:
    """A key that no other client has, and none can guess."""
    return secrets.token_hex(_TENANT_BYTES)


@dataclass(slots=True)
class Client:
    """What lives as long as a connection does.

    Attributes:
        offer: Grows as `tool_search` loads tools.
        store: Committed values; of two programs at once, the last to complete wins.
    """

    offer: Offer
    tenant: str = field(default_factory=_new_tenant)
    store: dict[str, Any] = field(default_factory=dict)

    def commit(self, changes: StoreChanges) -> None:
        """Take over the writes of a program that completed."""
        for key in changes.delete:
            self.store.pop(key, None)
        self.store.update(changes.set)
