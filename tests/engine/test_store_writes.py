"""`store` and `load` in one run, and what of it reaches the caller: spec B-1 to B-3."""

from __future__ import annotations

import copy

import pytest

from pool import Limits, Reason, StoreChanges, UsageError

VALUE_CHARS = 262_144
TOTAL_CHARS = 1_048_576


def test_b1_a_program_sees_the_branchs_values_and_its_own_writes(run):
    source = """
    const before = [load("kept"), load("gone"), load("nothing") === undefined];
    store("kept", [...load("kept"), 3]);
    store("gone", undefined);
    store("new", null);
    return [before, load("kept"), load("gone") === undefined, load("new")];
    """

    outcome = run(source, store={"kept": [1, 2], "gone": "x", "other": 1})

    assert outcome.value == [[[1, 2], "x", True], [1, 2, 3], True, None]
    assert outcome.store == StoreChanges(set={"kept": [1, 2, 3], "new": None}, delete=("gone",))


def test_b1_load_gives_a_copy(evaluate):
    source = """
    const own = { n: 1 };
    store("k", own);
    own.n = 2;
    load("k").n = 3;
    load("given").n = 3;
    return [load("k").n, load("given").n];
    """

    assert evaluate(source, store={"given": {"n": 1}}) == [1, 1]


@pytest.mark.parametrize(
    "value",
    [
        *(
            "1n",
            "NaN",
            "[Infinity]",
            "() => 1",
            "Symbol()",
            "new Uint8Array(2)",
            "Promise.resolve()",
        ),
        *("(() => { const a = []; a[0] = a; return a })()", "{ get x() { throw 1 } }"),
    ],
)
def test_b1_what_cannot_be_stored_throws_and_leaves_the_old_value(evaluate, value):
    source = f"""
    store("k", "old");
    try {{ store("k", {value}) }} catch (e) {{ return [e.name, load("k")] }}
    """

    assert evaluate(source) == ["TypeError", "old"]


@pytest.mark.parametrize("key", ["1", "{}", "null", "undefined", "Symbol()", "['k']"])
def test_b1_a_key_is_a_string(run, key):
    assert run(f"store({key}, 1)").error.name == "TypeError"
    assert run(f"load({key})").error.name == "TypeError"


@pytest.mark.parametrize("key", ["__proto__", "constructor", "then", "toJSON", "", "k" * 1_000])
def test_b1_any_string_is_a_key_like_any_other(run, key):
    outcome = run(
        f"const key = {key!r}; store(key, load(key) + 1); return load(key)", store={key: 1}
    )

    assert outcome.value == 2
    assert outcome.store.set == {key: 2}


def test_b2_a_value_has_at_most_its_characters_of_json(evaluate):
    source = """
    store("k", "x".repeat(262_142));
    try { store("k", "y".repeat(262_143)) } catch (e) { return [e.name, load("k").length] }
    """

    assert evaluate(source) == ["RangeError", 262_142]


def test_b2_keys_and_values_together_have_a_limit_too(evaluate):
    value = "x" * (VALUE_CHARS - 2)
    committed = {f"{n}": value for n in range(4)}  # four bytes of keys too many
    source = """
    const errors = [];
    try { store("4", 1) } catch (e) { errors.push(e.name) }
    store("0", undefined);
    store("4", 1);
    return errors;
    """

    assert evaluate(source, store=committed) == ["RangeError"]


def test_b3_the_writes_of_a_completed_run_are_handed_to_the_caller(run):
    assert run("store('k', {a: [1]}); exit()").store.set == {"k": {"a": [1]}}


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ("throw new Error('x')", Reason.ERROR),
        ("await new Promise(() => {})", Reason.ERROR),
        ("while (true) {}", Reason.TIMEOUT),
        ("for (;;) text('x'.repeat(1000))", Reason.OUTPUT_TOO_LARGE),
    ],
)
def test_b3_the_writes_of_a_failed_run_are_dropped(run, evaluate, ending, reason):
    evaluate("return 'a worker is there'")

    outcome = run(f"store('k', 1); {ending}", limits=Limits(timeout_ms=1_000, output_chars=10_000))

    assert outcome.reason is reason
    assert outcome.store == StoreChanges()


def test_a_run_never_changes_the_mapping_it_was_given(run):
    given = {"list": [1], "dict": {"a": {"b": 1}}}
    before = copy.deepcopy(given)

    run(
        "const l = load('list'); l.push(2); store('list', l); store('dict', undefined)", store=given
    )

    assert given == before


@pytest.mark.parametrize(
    "store", [{"k": object()}, {"k": b"x"}, {1: 1}, {"k": float("nan")}, {"k": {1}}]
)
def test_a_store_that_is_no_json_is_refused_before_anything_starts(run, shared_pool, store):
    runs_before = shared_pool.stats().runs

    with pytest.raises(UsageError, match="store"):
        run("return 1", store=store)
    assert shared_pool.stats().runs == runs_before
