"""Commands that are killed in the middle of their work, and what is on the disk then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from conftest import needs

MARK: Final = ".modelica-save"
PLAN: Final = f"{MARK}.plan"
JOURNAL: Final = f"{MARK}.journal"
KILLED: Final = -signal.SIGKILL

_RUNNER: Final = Path(__file__).with_name("kill_runner.py")
_COMMAND: Final = "import sys; from modelica_ast.cli import main; sys.exit(main())"


class Call(NamedTuple):
    """A moment: what happens next, and to which file below the folder."""

    what: str
    path: str


class Ran(NamedTuple):
    """How a command ended, and which calls it made that change files."""

    code: int
    out: str
    err: str
    calls: tuple[Call, ...]

    @property
    def is_clean(self) -> bool:
        """Is what it says for people: no traceback, no warning of Python?"""
        return "Traceback" not in self.err and "Warning" not in self.err

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.out}{self.err}"


class Runner:
    """Runs commands of modelica-patch in forks of one process that has everything imported."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(
        self,
        folder: Path,
        arguments: Sequence[str],
        *,
        die_at: int | None = None,
        warm_up: bool = False,
        seconds: int = 120,
    ) -> Ran:
        """Run a command in a folder; it dies at the n-th moment, if that is given and comes.

        With `warm_up` it runs in the process that forks, which then knows all it has imported. After so many seconds a
        command hangs, and ends by SIGALRM.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = {
            "folder": str(folder),
            "arguments": list(arguments),
            "die_at": die_at,
            "warm_up": warm_up,
            "seconds": seconds,
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the runner has ended"
        data = json.loads(answer)
        return Ran(data["code"], data["out"], data["err"], tuple(Call(*call) for call in data["calls"]))


@contextmanager
def runner() -> Iterator[Runner]:
    """A process that runs commands, as long as this lasts."""
    command = [sys.executable, str(_RUNNER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Runner(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=300)


# ---------------------------------------------------------------- which moments


def decision(calls: Sequence[Call]) -> int | None:
    """The moment, counted from 1, just before which a save of several files can still be taken back."""
    for number, call in enumerate(calls, start=1):
        if call.what == "rename" and Path(call.path).name == JOURNAL:
            return number
    return None


def some_moments(calls: Sequence[Call], count: int) -> list[int]:
    """Those around the decision, with files half in place, in the middle of a write, the first and the last, …"""
    last = len(calls)
    wanted = [1, last]
    decided = decision(calls)
    if decided is not None:
        renames = [number for number, call in enumerate(calls, start=1) if call.what == "rename"]
        halves = [number for number, call in enumerate(calls, start=1) if call.what == "half"]
        wanted = [decided, renames[-1], (renames[-1] + last) // 2, decided + 1, last, halves[-1], 1]
    wanted += [1 + last * step // 7 for step in (2, 5, 3, 1, 4, 6)]
    chosen = list(dict.fromkeys(number for number in wanted if 1 <= number <= last))
    return sorted(chosen[:count])


# ---------------------------------------------------------------- what is on the disk


def tree(folder: Path) -> dict[str, bytes | str | None]:
    """Every file with its bytes, every link with its target, every folder."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
        else:  # a folder, or nothing that can be read
            found[name] = None
    return found


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that a look must not change: names, bytes, kinds, permissions, owners, times; of the folder itself, too."""
    contents = tree(folder)
    found: dict[str, tuple[object, ...]] = {}
    for name in [".", *contents]:
        status = (folder / name).lstat()
        what = (status.st_ino, status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns)
        found[name] = (*what, contents.get(name))
    return found


def differences(found: Mapping[str, object], expected: Mapping[str, object]) -> list[str]:
    """Which names differ, for a message."""
    names = sorted(found.keys() | expected.keys())
    return [
        f"{name} is {'new' if name not in expected else 'missing' if name not in found else 'different'}"
        for name in names
        if name not in expected or name not in found or found[name] != expected[name]
    ]


def leftovers(folder: Path) -> list[str]:
    """What a save has put somewhere and not taken away."""
    return [name for name in tree(folder) if MARK in name]


# ---------------------------------------------------------------- the same from outside


def run_command(
    folder: Path, arguments: Iterable[str], *, before: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command in an interpreter of its own, after what `before` says."""
    # Nothing else should be written by it: no byte code, no cache of trees.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": os.devnull}
    return subprocess.run(
        [*before, sys.executable, "-c", _COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environment,
        timeout=120,
    )


def killed_by_strace(folder: Path, arguments: Iterable[str], call: str, number: int) -> bool:
    """Run a command that is killed at the n-th of a system call (`rename`, `fsync`, …); was there such a call?

    A name with a question mark is of a call that not every architecture has.
    """
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
    ran = run_command(folder, arguments, before=[needs("strace"), "-f", "-qq", "-o", os.devnull, *inject])
    assert ran.returncode in {0, KILLED, 128 + signal.SIGKILL}, ran.stderr
    return ran.returncode != 0
