"""The transcript of a worker: what it says, in which order, and what it does not put up with."""

from __future__ import annotations

import pytest
from driver import ANSWER, SETTLE, START, WARM, Worker, frame, start_frame, started

TAG = 0xDEADBEEFCAFEF00D


def test_a_worker_says_hello_and_ready(cache_dir: str) -> None:
    with started(cache_dir) as child:
        hello = child.expect("HELLO")
        ready = child.expect("READY")

    protocol, deno, v8, time_zone, locale = hello.fields
    assert protocol == 1
    assert deno.startswith("2.9.")
    assert v8
    assert (time_zone, locale) == ("UTC", "en-US")
    assert ready.fields == [0]
    assert hello.tag == ready.tag == 0


def test_a_program_without_calls_ends_with_no_idle_report(own_worker: Worker) -> None:
    own_worker.send(start_frame("return 1+1", tag=TAG))

    end = own_worker.expect("END")
    ready = own_worker.expect("READY")

    assert (end.tag, end.fields) == (TAG, ["completed", [2], None, [], 0, 0, []])
    assert (ready.tag, ready.fields) == (0, [1])


def test_output_made_before_an_endless_loop_has_arrived(own_worker: Worker) -> None:
    own_worker.send(start_frame('text("a"); while (true) {}', tag=TAG))

    assert own_worker.expect("TEXT").fields == ["a"]


def test_calls_leave_when_they_are_made_and_the_worker_reports_idle(own_worker: Worker) -> None:
    source = (
        "const [a, b] = await Promise.all([tools.echo({n: 1}), tools.echo({n: 2})]); return a + b"
    )
    own_worker.send(start_frame(source, tag=TAG, tools=["echo"]))

    assert own_worker.expect("CALL").fields == [0, "echo", {"n": 1}]
    assert own_worker.expect("CALL").fields == [1, "echo", {"n": 2}]
    assert own_worker.expect("IDLE").fields == [0]
    own_worker.send(frame(SETTLE, TAG, 1, True, 20))
    assert own_worker.expect("IDLE").fields == [1]
    own_worker.send(frame(SETTLE, TAG, 0, True, 1))
    assert own_worker.expect("END").fields == ["completed", [21], None, [], 0, 2, []]


def test_every_answer_gets_a_turn_of_its_own(own_worker: Worker) -> None:
    source = """
        const later = async () => {
            text(`got ${await tools.echo({})}`);
            await null;
            text("after");
        };
        await Promise.all([later(), later()]);
    """
    own_worker.send(start_frame(source, tag=TAG, tools=["echo"]))
    for _ in range(2):
        own_worker.expect("CALL")
    own_worker.expect("IDLE")
    # Both at once: the worker takes the second only after the first has had its turn.
    own_worker.send(frame(SETTLE, TAG, 0, True, "a") + frame(SETTLE, TAG, 1, True, "b"))

    seen = [own_worker.receive() for _ in range(5)]

    assert [(message.kind, message.fields) for message in seen] == [
        ("TEXT", ["got a"]),
        ("TEXT", ["after"]),
        ("IDLE", [1]),
        ("TEXT", ["got b"]),
        ("TEXT", ["after"]),
    ]


def test_calls_left_open_do_not_hold_up_the_end(own_worker: Worker) -> None:
    own_worker.send(start_frame("tools.echo(); return 'done'", tag=TAG, tools=["echo"]))

    own_worker.expect("CALL")
    assert own_worker.expect("END").fields == ["completed", ["done"], None, [], 0, 1, [[0, 1]]]


def test_a_warm_up_is_answered_by_ready_alone_and_leaves_nothing(own_worker: Worker) -> None:
    own_worker.send(frame(WARM, 0))

    assert own_worker.expect("READY").fields == [0]
    assert own_worker.run('return load("key") === undefined').value is True


def test_a_worker_leaves_when_its_input_ends(own_worker: Worker) -> None:
    assert own_worker.close_input() == 0
    assert own_worker.stderr() == ""


@pytest.mark.parametrize(
    "data",
    [
        frame(SETTLE, TAG, 0, True, None),
        frame(9, TAG),
        b"\x00\x00\x00\x05hello",
        b"\x7f\xff\xff\xff" + frame(WARM, 0)[4:],
        frame(START, TAG, "return 1")[:12],
        frame(START, TAG, "return 1"),
    ],
    ids=[
        "settle outside a run",
        "a kind of its own",
        "text",
        "a length",
        "half a frame",
        "no fields",
    ],
)
def test_a_worker_ends_itself_on_what_is_not_a_frame(own_worker: Worker, data: bytes) -> None:
    own_worker.send(data)

    assert own_worker.close_input() == 70
    assert own_worker.stderr().startswith("worker: ")


def test_an_answer_to_nothing_that_is_open_ends_the_worker(own_worker: Worker) -> None:
    own_worker.send(start_frame("await tools.echo()", tag=TAG, tools=["echo"]))
    own_worker.expect("CALL")
    own_worker.expect("IDLE")
    own_worker.send(frame(ANSWER, TAG, 0, True, None))

    assert own_worker.close_input() == 70


def test_the_tag_of_the_run_is_on_its_messages_and_nowhere_in_the_realm(own_worker: Worker) -> None:
    ended = own_worker.run("text('a'); console.log('b'); return await tools.echo()", {"echo": str})

    assert len({message.tag for message in ended.messages}) == 1
    assert own_worker.expect("READY").tag == 0


def test_large_values_cross_in_both_directions(own_worker: Worker) -> None:
    rows = [{"id": i, "name": f"row {i} é", "tags": ["a", None, 1.5]} for i in range(20_000)]

    ended = own_worker.run(
        "const rows = await tools.rows(); await tools.take(rows); return rows.length",
        {"rows": lambda _: rows, "take": lambda taken: taken == rows or 1 / 0},
    )

    assert ended.value == 20_000


@pytest.mark.parametrize(
    ("permission", "breach"),
    [
        ("--allow-read", "read a file"),
        ("--allow-env", "read the environment"),
        ("--allow-net", "open a port"),
        ("--allow-run", "start a process"),
    ],
)
def test_a_worker_with_a_permission_says_nothing_and_leaves(
    cache_dir: str, permission: str, breach: str
) -> None:
    with started(cache_dir, permission) as child:
        assert child.process.wait(10) == 70
        assert child.stderr() == f"worker: the process can {breach}\n"
        with pytest.raises(EOFError):
            child.receive()
