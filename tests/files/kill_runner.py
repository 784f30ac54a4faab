"""A process that has imported everything, and forks for each command: the forked process can be told when to die.

It reads jobs and writes answers, a line of JSON each (see `kills.py`, which starts it). A job says at which of the
calls that change files below its folder the process dies, as by `kill -9`: nothing is cleaned up, nothing is flushed.
A write is two such moments: before its first byte, and with half of its bytes written. What a call leaves behind when
it is done is what is there before the next one, and the last moment is the end of the command.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import main

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events of sys.addaudithook: where the path is among their arguments, and the folder that it is relative to.
_EVENTS: Final = {
    "os.chmod": (0, 2),
    "os.chown": (0, 3),
    "os.link": (1, 3),
    "os.mkdir": (0, 2),
    "os.remove": (0, 1),
    "os.rename": (1, 3),
    "os.rmdir": (0, 1),
    "os.setxattr": (0, None),
    "os.symlink": (1, 2),
    "os.truncate": (0, None),
    "os.utime": (0, 3),
}


class Calls:
    """Counts the calls that change files below a folder, tells them to a log, and dies at one of them."""

    def __init__(self, folder: str, *, die_at: int | None, log: int) -> None:
        self.folder = os.path.realpath(folder)
        self.die_at = die_at
        self.count = 0
        self._log = log
        self._write = os.write  # the real one: `watch` replaces it
        self._opened_in: int | None = None  # the dir_fd of os.open, which its event does not tell

    def is_here(self, path: Any, folder: int | None = None) -> bool:
        return (self._absolute(path, folder) + os.sep).startswith(self.folder + os.sep)

    def _absolute(self, path: Any, folder: int | None) -> str:
        if isinstance(path, int):
            try:
                return _place_of(path)
            except OSError:  # of a thing that has been closed
                return ""
        base = os.getcwd() if folder is None or folder < 0 else _place_of(folder)  # noqa: PTH109  (often called)
        return os.path.normpath(os.path.join(base, os.fsdecode(path)))  # noqa: PTH118  (likewise)

    def passed(self, what: str, path: Any, folder: int | None = None) -> None:
        """One more call: this is the moment before it."""
        self.note(what, path, folder)
        if self.count == self.die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def half_done(self, path: Any, write_half: Callable[[], object]) -> None:
        """The moment in the middle of a call."""
        self.note("half", path)
        if self.count == self.die_at:
            write_half()
            os.kill(os.getpid(), signal.SIGKILL)

    def note(self, what: str, path: Any, folder: int | None = None) -> None:
        self.count += 1
        name = os.path.relpath(self._absolute(path, folder), self.folder)
        self._write(self._log, (json.dumps([what, name]) + "\n").encode())

    # ------------------------------------------------------------ where the calls come from

    def watch(self) -> None:
        """From now on, in this process, for ever."""
        sys.addaudithook(self._hear)
        self._watch_open()
        self._watch_descriptors()

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            is_writing = isinstance(path, str | bytes) and flags & _WRITING
            if is_writing and self.is_here(path, self._opened_in):
                self.passed("open", path, self._opened_in)
        elif event in _EVENTS:
            which, where = _EVENTS[event]
            folder = None if where is None else arguments[where]
            if self.is_here(arguments[which], folder):
                self.passed(event.removeprefix("os."), arguments[which], folder)

    def _watch_open(self) -> None:
        calls, real_open, real_os_open = self, io.open, os.open

        class WatchedFile(io.FileIO):
            """What `open` makes, with a write that is seen."""

            def write(self, data: Any, /) -> int:
                view = memoryview(data).cast("B")
                calls.passed("write", self.fileno())
                calls.half_done(self.fileno(), lambda: io.FileIO.write(self, view[: len(view) // 2]))
                return super().write(data) or 0

        def watched_open(
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: str | None = None,
            errors: str | None = None,
            newline: str | None = None,
            closefd: bool = True,  # noqa: FBT001, FBT002
            opener: Any = None,
        ) -> Any:
            if not set(mode) & set("wax+") or not self.is_here(file):
                return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
            raw = WatchedFile(file, mode.replace("t", "").replace("b", ""), closefd, opener)
            if buffering == 0:
                return raw
            binary = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return binary if "b" in mode else io.TextIOWrapper(binary, encoding, errors, newline)

        def watched_os_open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            self._opened_in = dir_fd
            try:
                return real_os_open(path, flags, mode, dir_fd=dir_fd)
            finally:
                self._opened_in = None

        for module, name, call in (
            (io, "open", watched_open),
            (builtins, "open", watched_open),
            (os, "open", watched_os_open),
        ):
            setattr(module, name, call)

    def _watch_descriptors(self) -> None:
        """Calls that take descriptors, of which Python tells no events."""

        def synced(handle: Any) -> None:
            # A killed process loses nothing that it has written: what reaches the disk is for power cuts.
            number = handle if isinstance(handle, int) else handle.fileno()
            if self.is_here(number):
                self.passed("fsync", number)

        def watched(name: str, target: int, half: Callable[[Callable[..., Any], tuple[Any, ...]], object]) -> None:
            real = getattr(os, name, None)
            if real is None:
                return

            def call(*arguments: Any, **options: Any) -> Any:
                if self.is_here(arguments[target]):
                    self.passed("write", arguments[target])
                    self.half_done(arguments[target], lambda: half(real, arguments))
                return real(*arguments, **options)

            setattr(os, name, call)

        for name in ("fsync", "fdatasync"):
            setattr(os, name, synced)
        watched("write", 0, lambda real, given: real(given[0], bytes(given[1])[: len(given[1]) // 2]))
        watched("pwrite", 0, lambda real, given: real(given[0], bytes(given[1])[: len(given[1]) // 2], given[2]))
        watched("writev", 0, lambda real, given: real(given[0], given[1][: len(given[1]) // 2]))
        watched("sendfile", 0, lambda real, given: real(*given[:3], given[3] // 2))
        watched("copy_file_range", 1, lambda real, given: real(*given[:2], given[2] // 2))


def _place_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115  (called thousands of times)


def run_command(arguments: list[str]) -> int:
    """As the interpreter does it with the script `modelica-patch`: the exit code."""
    try:
        code: Any = main(arguments)
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001  (nothing may leave a forked process)
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code if isinstance(code, int) else 0 if code is None else 1


def child(job: dict[str, Any], files: list[int]) -> int:
    """The forked process."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate([nothing, *files[:2]]):
        os.dup2(file, number)
    os.chdir(job["folder"])
    signal.alarm(job["seconds"])  # longer, and it hangs
    calls = Calls(job["folder"], die_at=job["die_at"], log=files[2])
    calls.watch()
    code = run_command(job["arguments"])
    calls.passed("end", job["folder"])
    return code


def carry_out(job: dict[str, Any]) -> dict[str, Any]:
    """Run a command in a process of its own, which may die."""
    assert threading.active_count() == 1, "a process with threads must not fork"
    gc.freeze()  # or else the first collection in each child copies all of this process's memory
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as log:
        files = [out, err, log]
        number = os.fork()
        if number == 0:
            try:
                os._exit(child(job, [file.fileno() for file in files]))
            finally:
                os._exit(120)
        status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
        for file in files:
            file.seek(0)
        return {
            "code": status,
            "out": out.read().decode(errors="replace"),
            "err": err.read().decode(errors="replace"),
            "calls": [json.loads(line) for line in log.read().splitlines()],
        }


def warm_up(job: dict[str, Any]) -> dict[str, Any]:
    """Run a command in this process, so that those that are forked later have all modules and tables."""
    before = Path.cwd()
    os.chdir(job["folder"])
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            code = run_command(job["arguments"])
        return {"code": code, "out": "", "err": said.getvalue(), "calls": []}
    finally:
        os.chdir(before)


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a warming command says is nobody's concern
    for line in sys.stdin:
        job = json.loads(line)
        answer = warm_up(job) if job["warm_up"] else carry_out(job)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
