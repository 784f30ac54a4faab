"""OpenModelica, by scripts that its compiler `omc` runs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from modelica_ast.files import read_regular, write_file
from modelica_ast.record import Record
from modelica_ast.simulation.child import Progress
from modelica_ast.simulation.description import Description, Settings
from modelica_ast.simulation.errors import (
    CompileError,
    CompilerCrashError,
    MissingBackendError,
    SimulationError,
    SimulationTimeoutError,
)
from modelica_ast.simulation.mat_files import read_mat
from modelica_ast.simulation.omc_messages import MARK, Told, compile_error, read_answers, run_error, terminated
from modelica_ast.simulation.omc_setup import OmcSetup
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.staging import stage
from modelica_ast.simulation.task import WRAPPER, Task

_EVERY: Final = 0.2  # seconds between two calls of the progress function
_PREFIX: Final = "run"  # of all files of a model
_GIVEN_UP: Final = 127  # an exit code above it is a signal that a shell has told


class OmcModel(Record):
    """A model that was compiled: the folder of its files, its program, and the setup of that."""

    task: Task
    folder: Path
    program: Path
    setup: OmcSetup


class OmcBackend:
    """One process of `omc` for each compilation; what it has compiled is a program that is started for each run."""

    default_solver: Final = "dassl"
    stiff_solver: Final = "dassl"

    def __init__(self, *, timeout: float | None, progress: Progress | None) -> None:
        found = shutil.which("omc")
        if found is None:
            raise MissingBackendError(
                "OpenModelica's compiler 'omc' is not on the PATH: install it from https://openmodelica.org"
            )
        self._omc = found
        self._folder = tempfile.TemporaryDirectory(prefix="modelica-simulation-")
        self._timeout = timeout
        self._progress = progress
        self.notes: list[str] = []

    @property
    def folder(self) -> Path:
        """A folder that lasts as long as this backend."""
        return Path(self._folder.name)

    def close(self) -> None:
        """Forget all files."""
        self._folder.cleanup()

    # ------------------------------------------------------------ steps

    def compile(self, task: Task) -> tuple[OmcModel, Description]:
        """Check a model, for its equations are counted then, and compile it."""
        folder = self._new_folder()
        steps = [
            ("check", f"checkModel({task.model})"),
            ("build", f'buildModel({task.model}, fileNamePrefix="{_PREFIX}", outputFormat="mat")'),
        ]
        told = self._run_script(task, folder, "compile", steps, "compiling")
        error = compile_error(told, task)
        if error is not None:
            raise error
        counts = told.counts()
        assert counts is not None, "without counts there is an error"
        program = folder / told.string("build")
        if not told.string("build") or not program.is_file():
            raise _nothing_made(told, "build", f"{task.name}: OpenModelica has not compiled it")
        setup = OmcSetup(folder / f"{_PREFIX}_init.xml")
        return OmcModel(task, folder, program, setup), setup.description(*counts)

    def run(self, model: OmcModel, settings: Settings) -> Result:
        """Run a model that was compiled."""
        setup, output = model.folder / "setup.xml", model.folder / "result.mat"
        output.unlink(missing_ok=True)
        model.setup.write(setup, settings)
        command = [str(model.program), f"-f={setup.name}", f"-r={output.name}"]
        if any(map(model.setup.is_protected, settings.variables or ())):
            command.append("-emit_protected")
        code, said = self._execute(command, model.folder, f"simulating {model.task.name}")
        if code < 0:
            raise self._crash(model.task, [("simulate", f"simulate({model.task.model})")], code, said, "its program")
        if code or not output.is_file():
            raise run_error(said, model.task)
        wanted = None if settings.variables is None else list(settings.variables)
        result = read_mat(output, wanted)
        result.model, result.ended = model.task.name, terminated(said)
        return result.without_repeated_end()

    def export_fmu(self, task: Task, path: Path) -> None:
        """Write a model as an FMU 2.0, for model exchange and co-simulation."""
        prefix = task.name.rpartition(".")[2]
        plain = all(character.isalnum() or character == "_" for character in prefix)
        prefix = prefix if plain else "model"
        # The class itself, so that the FMU has its name; a model with modifiers has another.
        name = task.name if task.is_unmodified else task.model
        steps = [
            ("check", f"checkModel({task.model})"),
            # Without it an FMU for co-simulation takes one step of Euler's method for each step of its master.
            ("solver", 'setCommandLineOptions("--fmiFlags=s:cvode")'),
            ("fmu", f'buildModelFMU({name}, version="2.0", fmuType="me_cs", fileNamePrefix="{prefix}")'),
        ]
        folder = self._new_folder()
        told = self._run_script(task, folder, "fmu", steps, "exporting")
        made = folder / (told.string("fmu") or f"{prefix}.fmu")
        if not made.is_file():
            raise compile_error(told, task) or _nothing_made(told, "fmu", f"{task.name}: OpenModelica has made no FMU")
        write_file(path, read_regular(made, limit=made.stat().st_size))

    def _new_folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="omc-", dir=self.folder))

    # ------------------------------------------------------------ scripts

    def _run_script(self, task: Task, folder: Path, name: str, steps: Sequence[tuple[str, str]], doing: str) -> Told:
        """Run a script that loads all that is needed and then does the steps."""
        script = folder / f"{name}.mos"
        files = [library.root.path for library in reversed(list(task.libraries)) if _is_given(task, library.name)]
        self._write_script(script, task, files, steps)
        code, output = self._execute([self._omc, script.name], folder, f"{doing} {task.name}")
        told = read_answers(output)
        if code < 0 or code > _GIVEN_UP:
            raise self._crash(task, steps, code, output)
        if not told.steps:
            raise SimulationError(f"omc has not run the script (exit code {code}): {output.strip()[-500:]}")
        return told

    @staticmethod
    def _write_script(script: Path, task: Task, files: Sequence[Path], steps: Sequence[tuple[str, str]]) -> None:
        (script.parent / f"{WRAPPER}.mo").write_text(task.source, encoding="utf-8")
        lines = []
        for number, file in enumerate([*files, Path(f"{WRAPPER}.mo")]):
            lines += [_marked(f"load{number}"), _statement("loadFile", _quoted(str(file)), "uses=false")]
            lines.append(_statement("getErrorString"))
        for step, call in steps:
            lines += [_marked(step), f"{call};", _marked(f"{step}-errors"), _statement("getErrorString")]
        script.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _execute(self, command: Sequence[str], folder: Path, label: str) -> tuple[int, str]:
        """Run a program with all that it starts; it is ended with all of these when its time is over."""
        began = time.monotonic()
        with (folder / "output.txt").open("w+b") as output:
            process = subprocess.Popen(  # noqa: S603  (the omc of the PATH, our script)
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
            try:
                while True:
                    with suppress(subprocess.TimeoutExpired):
                        code = process.wait(_EVERY)
                        break
                    spent = time.monotonic() - began
                    if self._progress is not None:
                        self._progress(label, spent)
                    if self._timeout is not None and spent > self._timeout:
                        raise SimulationTimeoutError(
                            f"{label}: not done in {self._timeout:g} s; --timeout gives it more"
                        )
            finally:
                if process.poll() is None:
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            output.seek(0)
            return code, output.read().decode(errors="replace")

    def _crash(
        self, task: Task, steps: Sequence[tuple[str, str]], code: int, output: str, who: str = "omc"
    ) -> CompilerCrashError:
        """The script with its own copies of what it loads."""
        folder = Path(tempfile.mkdtemp(prefix="omc-crash-"))
        staged = stage(task.libraries, task.closure, (), folder, None)
        copies = [file for root in staged.roots for file in (*root.glob("*.mo"), *root.glob("*/package.mo"))]
        files = [copy.relative_to(folder) for copy in copies]
        self._write_script(folder / "reproduce.mos", task, files, steps)
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
        said = output.strip()[-500:]
        return CompilerCrashError(
            f"{task.name}: {who} has crashed ({how}){': ' + said if said else ''}\n"
            f"  reproduce it: cd {folder} && omc reproduce.mos",
            folder,
        )


def _nothing_made(told: Told, step: str, words: str) -> CompileError:
    """No error is named, but what a step should have made is not there."""
    return CompileError(f"{words}: {told.string(f'{step}-errors').strip() or 'it gives no reason'}")


def _is_given(task: Task, name: str) -> bool:
    """Is a library loaded by itself? The classes of a text are in the source."""
    return task.folder is None or not task.libraries[name].path.is_relative_to(task.folder)


def _marked(step: str) -> str:
    return _statement("print", f'"\\n{MARK} {step}\\n"')


def _statement(function: str, *arguments: str) -> str:
    """A line of a script."""
    return f"{function}({', '.join(arguments)});"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
