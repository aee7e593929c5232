"""Canonical names become JavaScript identifiers.

The assignment depends on the set of names alone, never on their order, and gives every name its
own identifier (spec T-2); in a session it depends on what was shown before, too. Rights are bound
to the canonical name; an identifier is only spelling.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from itertools import count
from types import MappingProxyType
from typing import Final

# `await` looks at `then` and JSON at `toJSON`: as names of tools they would break `await tools`
# and `return tools`.
_RESERVED: Final = frozenset({"then", "toJSON"})

# Parts of identifiers in ECMAScript and not in Python: dollar sign, zero-width (non-)joiner.
_ECMASCRIPT_ONLY: Final = frozenset("$\u200c\u200d")

_SUFFIX_DIGITS: Final = 4


def identifier(name: str) -> str:
    """The identifier of a name that stands alone.

    Characters that no identifier has become `_`; a name that begins with a digit, or with
    something else that may not come first, gets `_` before it.
    """
    spelled = "".join(char if _may_continue(char) else "_" for char in name)
    if not spelled or not _may_start(spelled[0]):
        spelled = f"_{spelled}"
    return f"{spelled}_" if spelled in _RESERVED else spelled


def identifiers(
    names: Iterable[str], shown: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Each name's identifier within one set of names.

    Where several names are spelled alike, the one that is that identifier keeps it, and each other
    gets `_` and four hex digits of its own SHA-256; more digits while that is taken as well.

    Args:
        shown: Identifiers by canonical name that a session has shown, all different. They stay
            with their names, also with those that are not in the set now.
    """
    wanted = set(names)
    assigned = {name: shown[name] for name in wanted if name in shown}
    reserved = frozenset(shown.values())
    spelled = defaultdict(list)
    for name in sorted(wanted.difference(assigned)):
        spelled[identifier(name)].append(name)
    for plain, sharing in spelled.items():
        for name in sharing:
            if plain not in reserved and (len(sharing) == 1 or name == plain):
                assigned[name] = plain
    taken = set(spelled) | reserved
    for plain, sharing in sorted(spelled.items()):
        for name in sharing:
            if name not in assigned:
                assigned[name] = _suffixed(plain, name, taken)
                taken.add(assigned[name])
    return assigned


def _suffixed(plain: str, name: str, taken: Set[str]) -> str:
    digest = hashlib.sha256(name.encode()).hexdigest()
    # Padding goes on where the digest ends, so that an answer exists whatever else is taken.
    spellings = (f"{plain}_{digest[:n].ljust(n, '_')}" for n in count(_SUFFIX_DIGITS))
    return next(spelling for spelling in spellings if spelling not in taken)


def _may_start(char: str) -> bool:
    # Python's identifiers are XID_Start and XID_Continue: all of them are identifiers of
    # ECMAScript, which knows a handful more that are spelled `_` here.
    return char == "$" or char.isidentifier()


def _may_continue(char: str) -> bool:
    return char in _ECMASCRIPT_ONLY or f"a{char}".isidentifier()
