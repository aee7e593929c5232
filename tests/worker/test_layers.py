"""Which layers a machine gives, and what each profile makes of a missing one."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from pool.errors import ConfinementUnavailable
from pool.worker.layers import Layer, Machine, Profile, active, assess, check

BEST = Machine(
    system="Linux",
    processor="x86_64",
    kernel="6.18.0",
    landlock_abi=7,
    landlock_errno=0,
    has_seccomp=True,
    is_root=True,
    change_user_obstacle="",
)


def gets(machine: Machine, profile: Profile = Profile.REQUIRE) -> frozenset[Layer]:
    return active(assess(machine, profile))


def test_the_best_machine_gives_every_layer() -> None:
    states = assess(BEST, Profile.REQUIRE)

    check(states, Profile.REQUIRE)
    assert gets(BEST) == frozenset(Layer)
    assert all(not state.why_not and state.protects for state in states)


@pytest.mark.parametrize(
    ("abi", "missing"),
    [
        (0, {Layer.FILES, Layer.TCP, Layer.SCOPES}),
        (1, {Layer.TCP, Layer.SCOPES}),
        (3, {Layer.TCP, Layer.SCOPES}),
        (4, {Layer.SCOPES}),
        (5, {Layer.SCOPES}),
        (6, set()),
    ],
)
def test_an_older_landlock_gives_fewer_layers(abi: int, missing: set[Layer]) -> None:
    assert frozenset(Layer) - gets(replace(BEST, landlock_abi=abi)) == missing


def test_what_landlock_adds_a_second_time_is_not_required() -> None:
    check(assess(replace(BEST, landlock_abi=1), Profile.REQUIRE), Profile.REQUIRE)


def test_a_host_that_is_not_root_needs_no_other_user() -> None:
    states = assess(replace(BEST, is_root=False), Profile.REQUIRE)

    check(states, Profile.REQUIRE)
    user = next(state for state in states if state.layer is Layer.USER)
    assert (user.is_wanted, user.is_active) == (False, False)
    assert "not root" in user.why_not


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        (replace(BEST, landlock_abi=0, landlock_errno=errno.ENOSYS), "CONFIG_SECURITY_LANDLOCK"),
        (replace(BEST, landlock_abi=0, landlock_errno=errno.EOPNOTSUPP), "lsm=landlock"),
        (replace(BEST, landlock_abi=0, landlock_errno=errno.EPERM), "container forbids"),
        (replace(BEST, has_seccomp=False), "CONFIG_SECCOMP_FILTER"),
        (replace(BEST, processor="riscv64"), "riscv64"),
        (replace(BEST, change_user_obstacle="no SETUID"), "no SETUID"),
        (replace(BEST, system="Darwin", is_root=False), "run on Linux"),
    ],
)
def test_require_refuses_and_says_how_to_get_the_layer(machine: Machine, said: str) -> None:
    with pytest.raises(ConfinementUnavailable, match=said):
        check(assess(machine, Profile.REQUIRE), Profile.REQUIRE)

    check(assess(machine, Profile.AUTO), Profile.AUTO)


def test_require_names_everything_that_is_missing_at_once() -> None:
    machine = replace(BEST, landlock_abi=0, has_seccomp=False)

    with pytest.raises(ConfinementUnavailable) as refusal:
        check(assess(machine, Profile.REQUIRE), Profile.REQUIRE)

    assert all(f"{layer}: " in str(refusal.value) for layer in (Layer.FILES, Layer.CALLS))


def test_auto_keeps_what_can_be_had() -> None:
    machine = replace(BEST, landlock_abi=0, landlock_errno=errno.ENOSYS)

    assert gets(machine, Profile.AUTO) == {Layer.USER, Layer.CALLS}


def test_off_wants_nothing_and_gets_nothing() -> None:
    states = assess(BEST, Profile.OFF)

    check(states, Profile.OFF)
    assert not any(state.is_wanted or state.is_active for state in states)
