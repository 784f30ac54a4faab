"""What all tests share: where inputs are, what is compared with what happens, how processes start."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import HealthCheck, settings

import served_command

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
MODELICA_FIXTURES = sorted((FIXTURES / "modelica").glob("*.mo"))

# The same examples on every machine: a failure in CI is a failure here. No deadline: other work shares the cores.
_common = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("slow", _common, max_examples=100)
settings.register_profile("quick", _common, max_examples=20)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
settings.load_profile(PROFILE)


def examples(number: int) -> int:
    """How many examples a random test has: this many in `make test-slow`, a fifth of them in `make test`."""
    return number if PROFILE == "slow" else max(3, number // 5)


# Processes inherit which signals are ignored or blocked: a shell ignores SIGINT and SIGQUIT for what it runs with `&`,
# and some runners of CI do so for all. Tests send signals and wait for children. SIGHUP stays as `nohup` has set it.
for _signal in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGCHLD):
    if signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, signal.default_int_handler if _signal == signal.SIGINT else signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "write what happens now into the files that tests compare with, instead of comparing: read it, then keep it"
    parser.addoption("--update-expected", action="store_true", help=about)


def pytest_configure(config: pytest.Config) -> None:
    # What an earlier session has kept must not answer for this one. Workers of pytest-xdist share one folder.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="modelica-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name
    if config.getoption("--update-expected") and config.getoption("numprocesses", None):
        raise pytest.UsageError("--update-expected can't be used with -n: some tests write parts of the same file")


def mostly_slow(cases: Iterable[object], *quick: object) -> list[ParameterSet]:
    """The cases of a parametrized test: these few are in every run, the others in `make test-slow`."""
    marks = [(case, () if case in quick else pytest.mark.slow) for case in cases]
    assert sum(not mark for _, mark in marks) == len(quick), "one of the quick cases is not a case"
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=mark) for case, mark in marks]


def crossed(*axes: Iterable[object]) -> list[ParameterSet]:
    """All combinations of cases: as many as show each case at least once are in every run, the others are slow."""
    lists = [list(axis) for axis in axes]
    quick = {tuple(n % len(each) for each in lists) for n in range(max(map(len, lists)))}
    return [
        pytest.param(
            *(each[n] for each, n in zip(lists, place, strict=True)), marks=() if place in quick else pytest.mark.slow
        )
        for place in itertools.product(*(range(len(each)) for each in lists))
    ]


LEFT_OUT: Final = pytest.StashKey["Counter[str]"]()
PROCESSOR: Final = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    before = list(items)
    yield
    kept = set(items)
    names = ("corpus", "slow")
    left_out = (
        next((name for name in names if item.get_closest_marker(name)), "") for item in before if item not in kept
    )
    counted: Counter[str] = Counter(left_out)
    config.stash[LEFT_OUT] = counted


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist tells the process that has started it what the summary needs."""
    served_command.end()
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        left_out: Counter[str] = session.config.stash[LEFT_OUT]
        told["left_out"] = dict(left_out)
        told["seconds"] = sum(os.times()[:4])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    told = getattr(node, "workeroutput", {})
    stash = node.config.stash
    stash[LEFT_OUT] = Counter(told.get("left_out", {}))
    stash[PROCESSOR] = stash.get(PROCESSOR, 0.0) + told.get("seconds", 0.0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was run, what it has cost, and what runs the rest."""
    nothing: Counter[str] = Counter()
    left_out = config.stash.get(LEFT_OUT, nothing)
    # Workers that have ended are children, and have told their time.
    seconds = config.stash.get(PROCESSOR, 0.0) + sum(os.times()[: 2 if PROCESSOR in config.stash else 4])
    rest = [f"{left_out[name]} of `make test-{name}`" for name in ("slow", "corpus") if left_out[name]]
    line = f"{PROFILE} run, {seconds:.0f} s of processors" + (f"; not run: {', '.join(rest)}" if rest else "")
    terminalreporter.write_line(line)


class Expected:
    """The files that tests compare with what happens; with `--update-expected`, they become what happens."""

    def __init__(self, *, is_written: bool) -> None:
        self.is_written = is_written

    def file(self, path: Path, now: str | bytes) -> None:
        """The file has this text, byte for byte."""
        if self.is_written:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(now.encode() if isinstance(now, str) else now)
        # A text is compared as a text: pytest shows which lines differ.
        assert now == (path.read_bytes().decode() if isinstance(now, str) else path.read_bytes()), path

    def folder(self, folder: Path, now: Mapping[Path, bytes]) -> None:
        """The folder has these files, by their paths in it, and no others."""
        if self.is_written:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            there = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
            assert sorted(now) == sorted(there)
        for path, data in now.items():
            self.file(folder / path, data)


@pytest.fixture(scope="session")
def expected(request: pytest.FixtureRequest) -> Expected:
    return Expected(is_written=request.config.getoption("--update-expected"))


def needs(command: str) -> str:
    """Where a command of the machine is. A test skips without it, and fails in CI, where `make machine` has run."""
    found = shutil.which(command)
    if found is None:
        message = f"{command} is not on the PATH: 'make machine' installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    return found


def library_folders() -> Iterator[Path]:
    """Where Modelica tools look for libraries."""
    for folder in os.environ.get("MODELICAPATH", "").split(os.pathsep):
        if folder:
            yield Path(folder)
    yield Path.home() / ".openmodelica" / "libraries"


def standard_library() -> Path | None:
    """The folder of the Modelica Standard Library 4.1.0, if it is installed."""
    for folder in library_folders():
        for name in ("Modelica 4.1.0", "Modelica"):
            if (folder / name / "package.mo").is_file():
                return folder / name
    return None


@pytest.fixture(scope="session")
def msl() -> Path:
    found = standard_library()
    if found is None:
        pytest.skip("Modelica Standard Library 4.1.0 not found in MODELICAPATH or ~/.openmodelica/libraries")
    return found
