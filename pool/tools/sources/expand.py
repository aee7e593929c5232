"""Variables of the environment in a text of a configuration file.

`${NAME}` stands for the variable, `${NAME:-default}` for the default where the variable is unset or
empty, as in a shell. One pass: what came from a variable or a default is not looked at again.
Everything else stays as it is, `$NAME` and `${not a name}` too; `${DOLLAR:-$}{NAME}` spells a
literal `${NAME}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_REFERENCE: Final = re.compile(
    r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}", re.ASCII
)


def expanded(text: str, environment: Mapping[str, str]) -> str:
    """`text` with its references to variables replaced.

    Args:
        text: As a person wrote it, any length; the work is linear in it.
        environment: Values by name, usually `os.environ`.

    Raises:
        ValueError: A variable without default is not set. The message names the variable and holds
            nothing else of `text` or of the environment: either may hold secrets.
    """

    def value(reference: re.Match[str]) -> str:
        name, default = reference["name"], reference["default"]
        if default is not None:
            return environment.get(name) or default
        if name not in environment:
            raise ValueError(f"the environment variable {name} is not set")
        return environment[name]

    return _REFERENCE.sub(value, text)
