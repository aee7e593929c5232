"""The layers around a worker: which are wanted here, which can be had, and what each is for.

Pure: `machine` says what this machine can do, `lockdown` builds what is decided here. A profile
decides what a missing layer means.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pool.errors import ConfinementUnavailable
from pool.worker.seccomp import architecture

# `nobody` on nearly every system; it owns no files.
WORKER_UID: Final = 65534

# First Landlock ABI with the layer.
_FILES_ABI: Final = 1
_TCP_ABI: Final = 4
_SCOPES_ABI: Final = 6


class Profile(StrEnum):
    """What to do when a layer cannot be had.

    REQUIRE: refuse to start. AUTO: go on with the others. OFF: want none of them.
    """

    REQUIRE = "require"
    AUTO = "auto"
    OFF = "off"


class Layer(StrEnum):
    """One measure that holds when the others do not. The value is its name for people."""

    USER = "another user"
    FILES = "files (Landlock)"
    CALLS = "system calls (seccomp)"
    TCP = "TCP (Landlock)"
    SCOPES = "scopes (Landlock)"


_PROTECTS: Final = {
    Layer.USER: "files and processes of root",
    Layer.FILES: "every file that Deno itself does not need; starting programs",
    Layer.CALLS: "network, other processes, the kernel",
    Layer.TCP: "network, a second time",
    Layer.SCOPES: "processes and abstract sockets outside, a second time",
}

# What Landlock adds here is refused by the filter already.
_SECOND_TIME: Final = frozenset({Layer.TCP, Layer.SCOPES})


@dataclass(frozen=True, slots=True)
class Machine:
    """What counts of a machine.

    Attributes:
        system: As `uname -s` gives it.
        processor: As `uname -m` gives it.
        kernel: As `uname -r` gives it.
        landlock_abi: 0 when there is no Landlock.
        landlock_errno: Why there is none.
        has_seccomp: Whether a filter may be installed.
        is_root: Whether the host's effective user is root.
        change_user_obstacle: Why root cannot become the worker's user; empty when it can.
    """

    system: str
    processor: str
    kernel: str
    landlock_abi: int
    landlock_errno: int
    has_seccomp: bool
    is_root: bool
    change_user_obstacle: str


@dataclass(frozen=True, slots=True)
class LayerState:
    """One row of the report.

    Attributes:
        is_wanted: Whether profile and machine call for it.
        is_required: Whether its absence is fatal under REQUIRE.
        is_active: Whether workers get it.
        why_not: Why it is not active, and how to get it; empty when it is.
        protects: What it protects.
    """

    layer: Layer
    is_wanted: bool
    is_required: bool
    is_active: bool
    why_not: str
    protects: str


def assess(machine: Machine, profile: Profile) -> tuple[LayerState, ...]:
    """What workers on this machine get under a profile, one row for each layer."""
    return tuple(_assess(layer, machine, profile) for layer in Layer)


def _assess(layer: Layer, machine: Machine, profile: Profile) -> LayerState:
    is_called_for = layer is not Layer.USER or machine.is_root
    if profile is Profile.OFF:
        why_not = "switched off"
    elif is_called_for:
        why_not = obstacle(layer, machine)
    else:
        why_not = "the host is not root, its workers run as the same user"
    is_wanted = is_called_for and profile is not Profile.OFF
    return LayerState(
        layer=layer,
        is_wanted=is_wanted,
        is_required=is_wanted and layer not in _SECOND_TIME,
        is_active=not why_not,
        why_not=why_not,
        protects=_PROTECTS[layer],
    )


def check(states: tuple[LayerState, ...], profile: Profile) -> None:
    """Fail when the profile does not accept what is missing.

    Raises:
        ConfinementUnavailable: The message names every missing layer, the reason and the fix.
    """
    missing = [state for state in states if state.is_required and not state.is_active]
    if profile is Profile.REQUIRE and missing:
        reasons = "; ".join(f"{state.layer}: {state.why_not}" for state in missing)
        raise ConfinementUnavailable(
            f"workers cannot be confined as required. {reasons}. "
            f"the profile {Profile.AUTO} would go on without"
        )


def active(states: tuple[LayerState, ...]) -> frozenset[Layer]:
    """The layers that workers get."""
    return frozenset(state.layer for state in states if state.is_active)


def obstacle(layer: Layer, machine: Machine) -> str:
    """Why a machine cannot provide a layer, and what to do; empty when it can."""
    if machine.system != "Linux":
        return f"{machine.system} has no such layer; run on Linux"
    match layer:
        case Layer.USER:
            return machine.change_user_obstacle
        case Layer.FILES:
            return _landlock_obstacle(machine, _FILES_ABI)
        case Layer.TCP:
            return _landlock_obstacle(machine, _TCP_ABI)
        case Layer.SCOPES:
            return _landlock_obstacle(machine, _SCOPES_ABI)
        case Layer.CALLS:
            return _seccomp_obstacle(machine)


def _landlock_obstacle(machine: Machine, least_abi: int) -> str:
    if machine.landlock_abi >= least_abi:
        return ""
    if machine.landlock_abi:
        return (
            f"kernel {machine.kernel} has Landlock ABI {machine.landlock_abi}, "
            f"this needs {least_abi}; a newer kernel has it"
        )
    match machine.landlock_errno:
        case errno.EOPNOTSUPP:
            return "Landlock is not enabled; boot the kernel with lsm=landlock,… first in its list"
        case errno.EPERM:
            return "the container forbids Landlock; allow landlock_* in its seccomp profile"
        case _:
            return (
                f"kernel {machine.kernel} has no Landlock, or a container hides it; "
                "Linux 5.13 with CONFIG_SECURITY_LANDLOCK has it"
            )


def _seccomp_obstacle(machine: Machine) -> str:
    if architecture(machine.processor) is None:
        return f"there is no filter for {machine.processor}; x86_64 and aarch64 have one"
    if not machine.has_seccomp:
        return f"kernel {machine.kernel} takes no filters; CONFIG_SECCOMP_FILTER gives them"
    return ""
