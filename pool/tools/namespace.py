"""A named group of tools, as a server or a document brings them. It groups, and grants nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Namespace:
    """What is known about a group beside its tools.

    Attributes:
        name: What `Tool.namespace` refers to.
        description: What the group is for; searched, and shown to the model.
        instructions: How to use its tools, as an MCP server states it.
        is_dynamic: Its tools come and go while programs run, as those of a server that is connected
            then. The declaration of `codemode` names the group and none of its tools (spec M-3).
    """

    name: str
    description: str = ""
    instructions: str = ""
    is_dynamic: bool = False
