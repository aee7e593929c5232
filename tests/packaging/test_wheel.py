"""The package as it is installed: what the wheel holds, and that it runs programs by itself."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(autouse=True)
def _only_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children find the package where it is installed, wherever these tests found it."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


WHERE = """
import json, pool
from pool.worker.deno import runtime_dir
print(json.dumps([pool.__file__, str(runtime_dir())]))
"""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bin` of a fresh environment with the wheel installed.

    Its dependencies are those of the running environment, taken from there by a path file, so that
    nothing is downloaded; an editable install of the checkout does not come along that way.
    """
    directory = tmp_path_factory.mktemp("fresh")
    venv.create(directory, with_pip=False, symlinks=True)
    bin_dir = directory / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(bin_dir / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-index", "--no-deps", str(wheel)], check=True, timeout=60)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    path_file = directory / "lib" / version / "site-packages" / "dependencies.pth"
    path_file.write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    (bin_dir / "deno").symlink_to(Path(sysconfig.get_path("scripts"), "deno"))
    return bin_dir


def test_the_wheel_holds_the_guest_runtime_and_the_mark_of_its_types(wheel: Path, root: Path):
    names = set(ZipFile(wheel).namelist())
    runtime = {
        f"pool/runtime_js/{path.relative_to(root / 'runtime_js')}"
        for path in (root / "runtime_js").rglob("*.js")
    }

    assert runtime
    assert runtime <= names
    assert "pool/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "runtime_js/"))]


def test_the_installed_package_runs_a_program_with_its_own_runtime(installed: Path, tmp_path: Path):
    where = subprocess.run(
        [installed / "python", "-c", WHERE], capture_output=True, check=True, cwd=tmp_path
    )
    done = subprocess.run(
        [installed / "codepool", "run", "-", "--json"],
        input=b"return 1 + 1",
        capture_output=True,
        cwd=tmp_path,
    )
    package, runtime = json.loads(where.stdout)

    assert done.stderr == b""
    assert json.loads(done.stdout)["value"] == 2
    assert Path(package).is_relative_to(installed.parent)
    assert Path(runtime).is_relative_to(installed.parent)


def test_the_checkout_runs_a_program_with_the_runtime_beside_it(root: Path):
    where = subprocess.run([sys.executable, "-c", WHERE], capture_output=True, check=True, cwd=root)
    done = subprocess.run(
        [sys.executable, "-m", "pool.cli", "run", "-", "--json"],
        input=b"return 1 + 1",
        capture_output=True,
        cwd=root,
    )

    assert json.loads(where.stdout) == [str(root / "pool/__init__.py"), str(root / "runtime_js")]
    assert json.loads(done.stdout)["value"] == 2
