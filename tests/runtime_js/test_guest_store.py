"""`store` and `load`: copies, deletions, limits, and that only success sends writes."""

from __future__ import annotations

import pytest
from driver import Ended, Worker

VALUE_CHARS = 262_144
TOTAL_CHARS = 1_048_576


def run(worker: Worker, source: str, store: dict[str, str] | None = None) -> Ended:
    ended = worker.run(source, {"echo": lambda _: None}, store=store)
    worker.expect("READY")
    return ended


def changes(ended: Ended) -> list[object]:
    return [message.fields for message in ended.of("STORE")]


def test_a_program_sees_committed_values_and_its_own_writes(shared: Worker) -> None:
    source = """
        const before = load("a");
        store("a", { n: 2 }); store("b", [1]); store("c");
        return [before, load("a"), load("b"), load("c") === undefined, load("d") === undefined];
    """
    ended = run(shared, source, {"a": '{"n":1}', "c": "3"})

    assert ended.value == [{"n": 1}, {"n": 2}, [1], True, True]
    assert changes(ended) == [[{"a": '{"n":2}', "b": "[1]"}, ["c"]]]
    assert ended.kinds == ["STORE", "END"]


def test_every_load_is_a_copy(shared: Worker) -> None:
    source = """
        const value = { list: [] };
        store("a", value); value.list.push(1); load("a").list.push(2);
        return load("a");
    """
    assert run(shared, source).value == {"list": []}


@pytest.mark.parametrize(
    "source", ["throw 1", "await new Promise(() => {})", "text('x'.repeat(99))"]
)
def test_a_program_that_fails_sends_no_writes(shared: Worker, source: str) -> None:
    ended = shared.run(f"store('a', 1); {source}", output_chars=50)
    shared.expect("READY")

    assert ended.kinds == ["END"]


def test_a_program_that_exits_keeps_its_writes(shared: Worker) -> None:
    ended = run(shared, "store('a', 1); exit()")

    assert changes(ended) == [[{"a": "1"}, []]]
    assert ended.how == "exited"


def test_deleting_what_was_never_there_is_no_change(shared: Worker) -> None:
    assert run(shared, "store('a'); store('b', 1); store('b', undefined)").kinds == ["END"]


@pytest.mark.parametrize("call", ["store(1, 2)", "store({}, 2)", "store(undefined, 1)", "load(1)"])
def test_a_key_is_a_text(shared: Worker, call: str) -> None:
    assert run(shared, call).error["name"] == "TypeError"


def test_names_of_prototypes_are_ordinary_keys(shared: Worker) -> None:
    source = """
        for (const key of ["__proto__", "constructor", "toString", ""]) store(key, { key });
        return [load("__proto__"), load("hasOwnProperty") === undefined, ({}).key === undefined];
    """
    ended = run(shared, source, {"__proto__": "1"})

    assert ended.value == [{"key": "__proto__"}, True, True]
    assert set(ended.of("STORE")[0][0]) == {"__proto__", "constructor", "toString", ""}


def test_a_value_that_cannot_be_stored_leaves_the_old_one(shared: Worker) -> None:
    source = """
        store("a", 1);
        const errors = [];
        for (const value of [() => 1, 1n, NaN, Symbol(), new Uint8Array(1), Promise.resolve()])
            try { store("a", value) } catch (error) { errors.push(error.name) }
        return [load("a"), errors];
    """
    assert run(shared, source).value == [1, ["TypeError"] * 6]


def test_a_value_has_a_limit_of_characters(shared: Worker) -> None:
    fits, exceeds = VALUE_CHARS - 2, VALUE_CHARS - 1

    assert run(shared, f"store('a', 'x'.repeat({fits}))").how == "completed"
    error = run(shared, f"store('a', 'x'.repeat({exceeds}))").error
    assert (error["name"], str(VALUE_CHARS) in error["message"]) == ("RangeError", True)


@pytest.mark.parametrize(
    "value",
    [
        "Array(2 ** 32 - 1)",
        "Array(40).fill().reduce((list) => [list, list], [])",
        "Array(40).fill().reduce((value) => ({ a: value, b: value }), {})",
    ],
)
def test_a_value_that_would_never_end_is_refused_at_the_limit(shared: Worker, value: str) -> None:
    source = f"try {{ store('a', {value}) }} catch (error) {{ return [error.name, error.message] }}"
    name, message = run(shared, source).value

    assert (name, str(VALUE_CHARS) in message) == ("RangeError", True)


def test_keys_and_values_together_have_a_limit_of_characters(shared: Worker) -> None:
    source = """
        const part = "x".repeat(262140);
        for (let i = 0; i < 3; i++) store(`k${i}`, part);
        store("k3", "y".repeat(%d));
        return 1;
    """
    room = TOTAL_CHARS - 3 * (262_142 + 2) - 4

    assert run(shared, source % room).how == "completed"
    error = run(shared, source % (room + 1)).error
    assert (error["name"], str(TOTAL_CHARS) in error["message"]) == ("RangeError", True)


def test_room_that_is_given_back_can_be_used_again(shared: Worker) -> None:
    source = """
        const part = "x".repeat(262140);
        for (let i = 0; i < 20; i++) { store("k", part); store(`n${i}`, part); store(`n${i}`) }
        return Object.keys(load("k")).length > 0;
    """
    assert run(shared, source).value is True
