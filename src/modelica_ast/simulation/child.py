"""A child process that is asked line by line, with a time limit; it may die, hang or be interrupted."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Final

from modelica_ast.simulation.errors import SimulationTimeoutError

Progress = Callable[[str, float], None]

_EVERY: Final = 0.2  # seconds between two calls of a progress function
_SHOWN_OF_LOG: Final = 2000  # characters


class DeadError(Exception):
    """The process has ended without an answer; the sentence says how."""


class Child:
    """One process of a script. It is started when first asked, and once more after it has died."""

    def __init__(self, script: Path, environment: Mapping[str, str] | None = None) -> None:
        self._script = script
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.greeting: dict[str, Any] = {}
        self.starts = 0

    @property
    def is_running(self) -> bool:
        """Is there a process that remembers what it was asked?"""
        return self._process is not None and self._process.poll() is None

    def start(self, timeout: float | None = None) -> None:
        """Start the process, if there is none."""
        if self._process is not None:
            return
        self.starts += 1
        self._log.seek(0)
        self._log.truncate()
        self._process = subprocess.Popen(  # noqa: S603  (our own script)
            [sys.executable, "-P", str(self._script)],  # it must not import its neighbours for modules of Python
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, **self._environment},
        )
        # A thread reads, for not every system can wait for a pipe with a time limit.
        self._lines = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_read_lines, args=(self._process.stdout, self._lines), daemon=True).start()
        self.greeting = self._answer("starting", timeout, None)

    def ask(
        self, request: Mapping[str, Any], label: str, timeout: float | None = None, progress: Progress | None = None
    ) -> dict[str, Any]:
        """The answer. DeadError if the process dies, SimulationTimeoutError if it is too slow; it is ended then."""
        self.start(timeout)
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            raise DeadError(self._end_of()) from None
        return self._answer(label, timeout, progress)

    def _answer(self, label: str, timeout: float | None, progress: Progress | None) -> dict[str, Any]:
        try:
            line = self._wait_for_line(label, timeout, progress)
            if not line:
                raise DeadError(self._end_of())  # noqa: TRY301  (what is below is right for it too)
        except BaseException:  # an interrupt too: what is under way has nobody to answer to
            self.stop()
            raise
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _wait_for_line(self, label: str, timeout: float | None, progress: Progress | None) -> bytes:
        """The next line; an empty one if there are no more."""
        began = time.monotonic()
        while True:
            spent = time.monotonic() - began
            if timeout is not None and spent > timeout:
                raise SimulationTimeoutError(f"{label}: not finished after {timeout:g} s; --timeout allows more")
            if progress is not None:
                progress(label, spent)
            try:
                return self._lines.get(timeout=_EVERY if timeout is None else min(_EVERY, timeout))
            except queue.Empty:
                continue

    def _end_of(self) -> str:
        """How the process has ended, in words, with the end of what it has said."""
        assert self._process is not None
        code = self._process.wait()
        how = f"by signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        if how.endswith("SIGKILL"):
            how += ", as when memory runs out"
        said = self.log()
        self.stop()
        return f"the process has ended {how}" + (f"; it said: {said}" if said else "")

    def log(self) -> str:
        """The end of what the process has said beside its answers."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-_SHOWN_OF_LOG:].strip()

    def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:  # what was not sent yet has no reader
                continue
        process.wait()

    def close(self) -> None:
        """End the process for good."""
        self.stop()
        self._log.close()


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Hand on each line, and an empty one at the end."""
    try:
        for line in stream:
            lines.put(line)
    except ValueError:  # closed by the other thread, which has ended the process
        pass
    lines.put(b"")
