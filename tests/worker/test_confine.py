"""Deno with all its own permissions, held by the kernel alone.

Every refusal has its control: the same attempt works in the same Deno without the layer.
"""

from __future__ import annotations

import fcntl
import os
import platform
import resource
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from confined import (
    SCOPES_ABI,
    filter_of_this_machine,
    landlock_abi,
    needs_landlock,
    run_deno,
)

from pool.worker.confine import UNCONFINED, Confinement
from pool.worker.launch import Launch, plan
from pool.worker.layers import WORKER_UID
from pool.worker.libraries import linked_with
from pool.worker.lockdown import plan_rules
from pool.worker.seccomp import architecture
from pool.worker.syscalls import CONDITIONAL, DENIED, IF_SCOPED, SELECTED

pytestmark = needs_landlock

# Deno starts a thread for signals half a second after its loop begins to turn, which needs
# calls that nothing needed before.
LIVES_MS = 2_500

WORKED = "worked"

TCP_ABI = 4

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Deno:
    """A Deno that may do everything, and the layers that hold it."""

    launch: Launch
    layers: Confinement

    def attempt(self, *words: object, held_by: Confinement) -> str:
        argv = (*self.launch.argv, *map(str, words))
        ended = run_deno(replace(self.launch, argv=argv), held_by)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    def confined(self, *words: object) -> str:
        return self.attempt(*words, held_by=self.layers)

    def free(self, *words: object) -> str:
        return self.attempt(*words, held_by=UNCONFINED)


@pytest.fixture(scope="module")
def site(deno_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deno]:
    """Everything a worker needs, readable for everyone below a directory that all can enter."""
    base = Path("/tmp") / tmp_path_factory.mktemp("site").name
    runtime, cache = base / "runtime", base / "cache"
    cache.mkdir(parents=True)
    runtime.mkdir()
    shutil.copy(Path(__file__).with_name("attempts.js"), runtime / "main.js")
    real = plan(
        deno=os.path.realpath(deno_path),
        runtime_dir=str(runtime),
        cache_dir=str(cache),
        memory_mib=256,
        timeout_s=600,
    )
    program, verb, *rest = real.argv
    launch = replace(real, argv=(program, verb, "--allow-all", "--unstable-net", *rest))
    rules = plan_rules(
        landlock_abi(),
        deno=program,
        linked=linked_with(program),
        runtime_dir=str(runtime),
        cache_dir=str(cache),
    )
    uid = WORKER_UID if os.geteuid() == 0 else None
    try:
        yield Deno(launch, Confinement(uid, rules, filter_of_this_machine()))
    finally:
        shutil.rmtree(base)


@pytest.fixture
def open_dir(tmp_path: Path) -> Iterator[Path]:
    """A directory in which every user may do everything."""
    base = Path("/tmp") / f"open-{os.getpid()}-{tmp_path.name}"
    base.mkdir()
    base.chmod(0o777)
    yield base
    shutil.rmtree(base)


@contextmanager
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@contextmanager
def another_process() -> Iterator[int]:
    """A process of the same user, which SIGCONT does not disturb."""
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as other:
        yield other.pid
        other.communicate()


def number_of(name: str) -> int:
    target = architecture(platform.machine())
    calls = {name: numbers for group in DENIED.values() for name, numbers in group.items()}
    for group in (CONDITIONAL, IF_SCOPED, SELECTED):
        calls |= {name: numbers for name, (numbers, _) in group.items()}
    assert target is not None
    number = calls[name][target.column]
    assert number is not None
    return number


def test_it_boots_and_lives_longer_than_its_late_threads_need(site: Deno) -> None:
    assert site.confined("live", LIVES_MS) == WORKED


@pytest.mark.parametrize(
    ("attempt", "path"),
    [("read", "/etc/passwd"), ("read", "/proc/self/environ"), ("list", "/"), ("list", "/proc")],
)
def test_it_cannot_read(site: Deno, attempt: str, path: str) -> None:
    assert site.free(attempt, path) == WORKED

    assert "denied" in site.confined(attempt, path)


@pytest.mark.parametrize(
    "attempt",
    ["append", "remove", "rename", "chmod", "touch", "truncate", "watch", "read"],
)
def test_it_cannot_use_a_file_even_of_its_own(site: Deno, open_dir: Path, attempt: str) -> None:
    def target() -> Path:
        path = open_dir / "target"
        path.touch()
        if os.geteuid() == 0:
            os.chown(path, WORKER_UID, WORKER_UID)
        return path

    assert site.free(attempt, target()) == WORKED

    assert site.confined(attempt, target()) != WORKED


@pytest.mark.parametrize("attempt", ["write", "make_directory", "link", "unix_listen"])
def test_it_cannot_make_anything(site: Deno, open_dir: Path, attempt: str) -> None:
    assert site.free(attempt, open_dir / "free") == WORKED

    assert site.confined(attempt, open_dir / "held") != WORKED
    assert not (open_dir / "held").exists()


@pytest.mark.parametrize("attempt", ["tcp_connect", "tcp_listen", "udp"])
def test_it_has_no_network(site: Deno, attempt: str) -> None:
    with listening() as port:
        assert site.free(attempt, port) == WORKED

        assert site.confined(attempt, port) != WORKED


def test_it_cannot_connect_to_a_unix_socket(site: Deno, open_dir: Path) -> None:
    path = str(open_dir / "socket")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        Path(path).chmod(0o777)

        assert site.free("unix_connect", path) == WORKED
        assert site.confined("unix_connect", path) != WORKED


def test_it_cannot_start_a_program(site: Deno) -> None:
    assert site.free("start", "/bin/true") == WORKED

    assert site.confined("start", "/bin/true") != WORKED


def test_it_cannot_start_even_itself(site: Deno) -> None:
    deno = site.launch.argv[0]
    assert site.free("start", deno) == WORKED

    assert site.confined("start", deno) != WORKED


class TestTheFilterAlone:
    @pytest.fixture
    def layer(self, site: Deno) -> Confinement:
        return Confinement(filter=site.layers.filter)

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [
            ("socket", (socket.AF_UNIX, socket.SOCK_DGRAM)),
            ("inotify_init1", ()),
            ("kill", (os.getpid(), 0)),
            ("pidfd_open", (os.getpid(),)),
            ("setpriority", ()),
            ("personality", (0xFFFFFFFF,)),
            ("unshare", ()),
            ("prlimit64", (os.getpid(), resource.RLIMIT_CPU)),
            ("fcntl", (1, fcntl.F_SETOWN, os.getpid())),
            ("fcntl", (1, fcntl.F_SETSIG, signal.SIGKILL)),
            ("prctl", (PR_SET_PDEATHSIG, 0)),
        ],
    )
    def test_refuses_calls_made_past_deno(
        self, site: Deno, layer: Confinement, name: str, arguments: tuple[int, ...]
    ) -> None:
        attempt = ("system_call", number_of(name), *arguments)
        assert site.attempt(*attempt, held_by=UNCONFINED) == WORKED

        assert "failed" in site.attempt(*attempt, held_by=layer)

    def test_allows_the_same_call_with_a_harmless_argument(
        self, site: Deno, layer: Confinement
    ) -> None:
        own_limit = ("system_call", number_of("prlimit64"), 0, resource.RLIMIT_CPU)

        assert site.attempt(*own_limit, held_by=layer) == WORKED

    @pytest.mark.parametrize("attempt", ["tcp_connect", "tcp_listen", "udp"])
    def test_leaves_no_network(self, site: Deno, layer: Confinement, attempt: str) -> None:
        with listening() as port:
            assert site.attempt(attempt, port, held_by=layer) != WORKED

    def test_starts_no_program(self, site: Deno, layer: Confinement) -> None:
        assert site.attempt("start", "/bin/true", held_by=layer) != WORKED

    def test_signals_no_process(self, site: Deno, layer: Confinement) -> None:
        with another_process() as pid:
            assert site.free("signal", pid) == WORKED
            assert site.attempt("signal", pid, held_by=layer) != WORKED


class TestLandlockAlone:
    @pytest.fixture
    def layer(self, site: Deno) -> Confinement:
        return Confinement(rules=site.layers.rules)

    def test_reads_and_makes_no_file(self, site: Deno, layer: Confinement, open_dir: Path) -> None:
        assert site.attempt("read", "/etc/passwd", held_by=layer) != WORKED
        assert site.attempt("write", open_dir / "new", held_by=layer) != WORKED

    def test_starts_no_program(self, site: Deno, layer: Confinement) -> None:
        assert site.attempt("start", "/bin/true", held_by=layer) != WORKED

    @pytest.mark.skipif(landlock_abi() < TCP_ABI, reason="needs Landlock ABI 4")
    @pytest.mark.parametrize("attempt", ["tcp_connect", "tcp_listen"])
    def test_leaves_no_tcp(self, site: Deno, layer: Confinement, attempt: str) -> None:
        with listening() as port:
            assert site.attempt(attempt, port, held_by=layer) != WORKED

    @pytest.mark.skipif(landlock_abi() < SCOPES_ABI, reason="needs Landlock ABI 6")
    def test_signals_no_process(self, site: Deno, layer: Confinement) -> None:
        with another_process() as pid:
            assert site.attempt("signal", pid, held_by=layer) != WORKED


@pytest.mark.skipif(landlock_abi() < SCOPES_ABI, reason="needs Landlock ABI 6")
class TestAbort:
    def test_ends_a_worker_by_its_own_signal(self, site: Deno) -> None:
        launch = replace(site.launch, argv=(*site.launch.argv, "abort"))

        assert run_deno(launch, site.layers).returncode == -signal.SIGABRT

    def test_does_not_reach_another_process(self, site: Deno) -> None:
        def attempt(pid: int) -> tuple[str | int, ...]:
            return ("system_call", number_of("tgkill"), pid, pid, signal.SIGABRT)

        with another_process() as spared:
            assert site.attempt(*attempt(spared), held_by=site.layers._replace(uid=None)) != WORKED
        with another_process() as aborted:
            assert site.free(*attempt(aborted)) == WORKED


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_another_user_alone_does_not_read_what_is_roots(site: Deno, open_dir: Path) -> None:
    secret = open_dir / "secret"
    secret.touch(mode=0o600)
    assert site.free("read", secret) == WORKED

    assert site.attempt("read", secret, held_by=Confinement(uid=WORKER_UID)) != WORKED
