"""What a short script pays before its first tree: CPU time of fresh processes."""

from __future__ import annotations

import compileall
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import attrs
from benchmarks.fingerprint import folder_of
from benchmarks.timing import Progress

RUNS = 15
AT_ONCE = 8
_NOTHING = "pass"
_IMPORT = "import modelica_ast"
_PARSE = "import modelica_ast; modelica_ast.parse('model M Real x; end M;')"
_IS_COPY = "import modelica_ast, os, sys; sys.exit(not modelica_ast.__file__.startswith(os.environ['PYTHONPATH']))"


@attrs.frozen
class StartUp:
    """CPU seconds, user and system, beyond those of `python -c pass`."""

    imported: float
    parsed: float


@attrs.frozen
class StartUps:
    """With and without compiled files of our package, and many processes at once."""

    bare_python: float
    compiled: StartUp
    not_compiled: StartUp
    succeeded_at_once: int


def measure(tell: Progress) -> StartUps:
    """Measure all of it on copies of the installed package."""
    with TemporaryDirectory() as name:
        compiled, not_compiled, shared = (Path(name, kind) for kind in ("compiled", "not_compiled", "shared"))
        for folder in (compiled, not_compiled, shared):
            _copy_package(folder)
        if not compileall.compile_dir(compiled, quiet=2):
            raise RuntimeError("the copy of the package does not compile")
        tell(f"start-up: {RUNS} fresh processes of each kind")
        bare, with_files = _measure_copy(compiled)
        _, without_files = _measure_copy(not_compiled)
        if any((not_compiled / "modelica_ast").rglob("*.pyc")):
            raise RuntimeError("the copy without compiled files has some now")
        tell(f"start-up: {AT_ONCE} processes at once")
        return StartUps(bare, with_files, without_files, _start_at_once(shared))


def _copy_package(folder: Path) -> None:
    """The package without compiled files, and what it imports with them, as pip leaves them."""
    for name in ("attr", "attrs"):
        shutil.copytree(folder_of(name), folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(folder, quiet=2)
    for name in ("modelica_ast", "modelica_ast._grammar"):
        target = folder.joinpath(*name.split("."))
        shutil.copytree(folder_of(name), target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)


def _measure_copy(folder: Path) -> tuple[float, StartUp]:
    """(a bare Python, start-up beyond it). The same interpreter, options and environment for all."""
    environment = _environment(folder) | {"PYTHONDONTWRITEBYTECODE": "1"}
    if _wait(_start(_IS_COPY, environment))[0]:
        raise RuntimeError("another modelica_ast than the copy was imported")
    seconds: dict[str, list[float]] = {_NOTHING: [], _IMPORT: [], _PARSE: []}
    for _ in range(RUNS):
        for command, times in seconds.items():
            status, used = _wait(_start(command, environment))
            if status:
                raise RuntimeError(f"{command} ended with code {status}")
            times.append(used)
    bare, imported, parsed = (median(times) for times in seconds.values())
    return bare, StartUp(imported - bare, parsed - bare)


def _start_at_once(folder: Path) -> int:
    """How many of the processes succeed while all of them want to write the same compiled files."""
    running = [_start(_PARSE, _environment(folder)) for _ in range(AT_ONCE)]
    return sum(_wait(process)[0] == 0 for process in running)


def _environment(folder: Path) -> dict[str, str]:
    # No PYTHON… variable of the caller may change what is measured.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return inherited | {"PYTHONPATH": str(folder)}


def _start(command: str, environment: Mapping[str, str]) -> int:
    return os.posix_spawn(sys.executable, [sys.executable, "-c", command], environment)


def _wait(process: int) -> tuple[int, float]:
    """(exit code, CPU seconds)."""
    _, status, usage = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
