"""The tools that the description of `codemode` shows, within a budget (spec M-3).

Namespaces take turns, tools without one first, the cheapest of each first. A tool that no longer
fits in full is shown as a signature, then by its name; what is left is counted by namespace. The
text depends on the tools and the namespaces alone, not on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final

from pool.tools.declarations import member, signature
from pool.tools.namespace import Namespace

# An estimate that needs no model: most count three to four and a half characters of code.
CHARS_PER_TOKEN: Final = 4

# Of the description of a namespace; servers describe themselves at length.
MAX_NAMESPACE_CHARS: Final = 200

# Texts of tools that are kept; a host shows the same ones again and again.
_KEPT: Final = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Inlined:
    """A tool to show. Two are equal only when they are the same object: its texts are kept."""

    identifier: str
    namespace: str | None
    description: str
    input_schema: Mapping[str, Any] | None
    output_schema: Mapping[str, Any] | None


@dataclass(slots=True)
class _Shown:
    """What has found its place, and how many characters are left."""

    left: int
    types: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    left_out: defaultdict[str | None, int] = field(default_factory=lambda: defaultdict(int))

    def take(self, tool: Inlined) -> None:
        types, text = _full(tool)
        if self._fits(*types, text):
            self.types += types
            self.members.append(text)
        elif self._fits(_brief(tool)):
            self.members.append(_brief(tool))
        elif self._fits(tool.identifier, ""):
            self.names.append(tool.identifier)
        else:
            self.left_out[tool.namespace] += 1

    def _fits(self, *texts: str) -> bool:
        cost = _cost(*texts)
        if cost > self.left:
            return False
        self.left -= cost
        return True


def inline(
    tools: Sequence[Inlined], *, budget_tokens: int, namespaces: Sequence[Namespace] = ()
) -> str:
    """What a model is told of the tools that programs may call.

    Args:
        budget_tokens: For the tools themselves, at four characters each. What stands around them
            is not counted: the sentences, the namespaces, and how many tools of each are left out.
        namespaces: Their descriptions; one that is dynamic is named and its tools are not.
    """
    dynamic = {namespace.name for namespace in namespaces if namespace.is_dynamic}
    static = [tool for tool in tools if tool.namespace not in dynamic]
    shown = _Shown(left=max(budget_tokens, 0) * CHARS_PER_TOKEN)
    for tool in _in_turn(static):
        shown.take(tool)
    parts = [
        _promise(shown, has_tools=bool(static), is_open=bool(dynamic)),
        "\n".join(shown.types),
        _block(shown.members),
        f"By name alone: {', '.join(shown.names)}." if shown.names else "",
        _groups(static, namespaces, shown.left_out),
    ]
    return "\n\n".join(filter(None, parts))


def _in_turn(tools: Iterable[Inlined]) -> Iterator[Inlined]:
    groups: defaultdict[str, list[Inlined]] = defaultdict(list)
    for tool in tools:
        groups[tool.namespace or ""].append(tool)
    queues = [sorted(groups[name], key=_price) for name in sorted(groups)]
    for turn in zip_longest(*queues):
        yield from (tool for tool in turn if tool is not None)


def _price(tool: Inlined) -> tuple[int, str]:
    types, text = _full(tool)
    return _cost(*types, text), tool.identifier


def _cost(*texts: str) -> int:
    """Characters with the line break, or the comma and space, behind each."""
    return sum(map(len, texts)) + len(texts)


@lru_cache(maxsize=_KEPT)
def _full(tool: Inlined) -> tuple[tuple[str, ...], str]:
    scope = "".join(word[:1].upper() + word[1:] for word in tool.identifier.split("_"))
    types, text = member(
        tool.identifier,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        scope=scope,
    )
    return tuple(types), text


@lru_cache(maxsize=_KEPT)
def _brief(tool: Inlined) -> str:
    kind = signature(input_schema=tool.input_schema, output_schema=tool.output_schema)
    return f"  {tool.identifier}: {kind};"


def _promise(shown: _Shown, *, has_tools: bool, is_open: bool) -> str:
    if not has_tools and not is_open:
        return "There are no tools."
    if not shown.left_out and not is_open:
        return "This is the complete list of tools."
    return (
        "This list of tools is not complete: searchTools(query) finds others, and "
        "describeTool(name) tells how one is called."
    )


def _block(members: Sequence[str]) -> str:
    return "declare const tools: {\n" + "\n".join(members) + "\n};" if members else ""


def _groups(
    tools: Iterable[Inlined],
    namespaces: Sequence[Namespace],
    left_out: Mapping[str | None, int],
) -> str:
    told = {namespace.name: namespace for namespace in namespaces}
    names = {tool.namespace for tool in tools if tool.namespace} | {
        namespace.name for namespace in namespaces if namespace.is_dynamic
    }
    lines = [
        f"- {name}{_described(told.get(name))}{_counted(left_out.get(name, 0))}"
        for name in sorted(names)
    ]
    if left_out.get(None):
        lines.append(f"- without a namespace{_counted(left_out[None])}")
    return "\n".join(["Namespaces (describeNamespace(name) lists one):", *lines]) if lines else ""


def _described(namespace: Namespace | None) -> str:
    text = " ".join(namespace.description.split()) if namespace else ""
    if not text:
        return ""
    return f": {text if len(text) <= MAX_NAMESPACE_CHARS else text[:MAX_NAMESPACE_CHARS] + '…'}"


def _counted(left_out: int) -> str:
    return f" ({left_out} not shown)" if left_out else ""
