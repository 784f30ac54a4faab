"""OpenModelica, by scripts that its compiler `omc` runs."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from modelica_ast.files import write_file
from modelica_ast.foundation import Record, read_regular
from modelica_ast.simulation.archive import digest_of, digest_of_libraries
from modelica_ast.simulation.child import Progress
from modelica_ast.simulation.closure import stage
from modelica_ast.simulation.errors import (
    CompileError,
    CompilerCrashError,
    DivergedError,
    MissingBackendError,
    SimulationError,
    SimulationTimeoutError,
    SourcePlace,
    UnbalancedModelError,
)
from modelica_ast.simulation.result import Result, read_mat
from modelica_ast.simulation.task import WRAPPER, Description, Settings, Task

# ---------------------------------------------------------------- omc messages
# What OpenModelica's compiler prints, read back.

MARK: Final = "@@modelica-patch"  # a line of its own before the answer of each step of a script

_ERROR: Final = re.compile(
    r"^\"?(?:\[(?P<file>[^\]\n]*?):(?P<line>\d+):(?P<column>\d+)-\d+:\d+:\w+\] )?Error: (?P<message>.*?)"
    r"(?=^\"?(?:\[[^\]\n]*\] )?(?:Error|Warning|Notification): |\Z)",
    re.MULTILINE | re.DOTALL,
)
_COUNTS: Final = re.compile(r"has (?P<equations>\d+) equation\(s\) and (?P<variables>\d+) variable\(s\)")
_STRING: Final = r'"(?P<text>(?:[^"\\]|\\.)*)"'
# A line of a run, `LOG_ASSERT | error | …`; those that follow have bars in place of the first two words.
_LOGGED: Final = re.compile(
    r"^(?:(?:LOG_)?(?P<stream>\w+)\s*\|\s*(?P<level>\w+)\s*|\|[\s|]*)\|\s?(?P<text>.*)$", re.MULTILINE
)
_TIME: Final = re.compile(r"\bat time (?P<time>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_ASSERTED: Final = re.compile(r'-->\s*"(?P<text>.*)"\s*$', re.DOTALL)
_AT: Final = re.compile(r"^\[(?P<file>[^\]\n]*?):(?P<line>\d+):(?P<column>\d+)-\d+:\d+:\w+\]")
_TERMINATED: Final = re.compile(r"terminate\(\) at time .*\n.*?Message\s*:\s*(?P<text>.*)")
_FOLLOWING: Final = "Error occurred while flattening model"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


class Told(Record):
    """The answers of a script, by the names of its steps."""

    steps: dict[str, str]

    def counts(self) -> tuple[int, int] | None:
        """Equations and variables that `checkModel` has counted."""
        found = _COUNTS.search(self.steps.get("check", ""))
        return None if found is None else (int(found["equations"]), int(found["variables"]))

    def string(self, step: str) -> str:
        """The string that a step has answered."""
        found = re.search(_STRING, self.steps.get(step, ""), re.DOTALL)
        return "" if found is None else unescaped(found["text"])

    @property
    def text(self) -> str:
        """All that was said, strings without their escapes."""
        return unescaped("\n".join(self.steps.values()))


def read_answers(output: str) -> Told:
    """The output of a script, cut at its marks."""
    steps: dict[str, str] = {}
    for piece in output.split(f"{MARK} ")[1:]:
        name, _, text = piece.partition("\n")
        steps[name.strip()] = text
    return Told(steps)


def unescaped(text: str) -> str:
    """The text of a Modelica string."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)


def compile_error(told: Told, task: Task) -> SimulationError | None:
    """What the compiler complains about, or None: equations are counted here, for it calls an unbalanced model good."""
    errors = [error for text in told.steps.values() for error in _errors(unescaped(text))]
    # That flattening has failed is said after the reason for it.
    errors = [each for each in errors if not each[0].startswith(_FOLLOWING)] or errors
    counts = told.counts()
    if counts is not None and counts[0] != counts[1]:
        equations, unknowns = counts
        few = "too few equations" if equations < unknowns else "too many equations"
        text = f"{task.name} is not balanced: {equations} equations, {unknowns} unknowns ({few})"
        return UnbalancedModelError(text, equations, unknowns)
    if not errors and counts is not None:
        return None
    if not errors:
        said = told.text.strip().replace(WRAPPER, task.name)
        return CompileError(f"{task.name}: OpenModelica can't check it: {said or 'it gives no reason'}")
    found = list(dict.fromkeys(place for _, at in errors for place in _placed(at, task)))
    messages = list(dict.fromkeys(" ".join(message.split()) for message, _ in errors))
    return CompileError(f"{task.name}: {'; '.join(messages).replace(WRAPPER, task.name)}", found)


def run_error(output: str, task: Task) -> SimulationError:
    """Why a run has no result, from what its program has printed."""
    entries = _entries(output)
    texts = [text for _, text in entries]
    for text in texts:
        asserted, at = _ASSERTED.search(text), _TIME.search(text)
        if asserted is None or at is None:
            continue
        place = _AT.search(text)
        where = None if place is None else (place["file"], int(place["line"]), int(place["column"]))
        return DivergedError(
            f"{task.name}: an assertion failed at {float(at['time']):g} s: {asserted['text']}",
            float(at["time"]),
            _placed(where, task),
        )
    said = "; ".join(dict.fromkeys(" ".join(text.split()) for text in texts)) or output.strip()[-500:]
    at = _TIME.search(said)
    return DivergedError(
        f"{task.name}: {said or 'the simulation failed without a message'}", None if at is None else float(at["time"])
    )


def terminated(output: str) -> str:
    """The message of `terminate(…)` that has ended a run, or nothing."""
    found = _TERMINATED.search(output)
    return "" if found is None else found["text"].strip()


def _entries(output: str) -> list[tuple[str, str]]:
    """(stream, text) of all that a run has logged, but that it goes well; lines that belong together are one text."""
    entries: list[tuple[str, str]] = []
    for found in _LOGGED.finditer(output):
        if found["stream"] is None and entries:
            stream, text = entries[-1]
            entries[-1] = stream, f"{text}\n{found['text']}"
        else:
            entries.append(((found["stream"] or "").lower(), found["text"]))
    return [(stream, text) for stream, text in entries if stream != "success" and text.strip()]


def _errors(text: str) -> Iterator[tuple[str, tuple[str, int, int] | None]]:
    for found in _ERROR.finditer(text):
        at = (found["file"], int(found["line"]), int(found["column"])) if found["file"] else None
        yield found["message"].strip().strip('"').strip(), at


def _placed(at: tuple[str, int, int] | None, task: Task) -> Sequence[SourcePlace]:
    if at is None:
        return []
    file, line, column = at
    path = Path(file).resolve()
    is_text = path.name == f"{WRAPPER}.mo"
    if is_text and not task.is_text:
        return []
    found = task.places.in_text(line, column) if is_text else task.places.at_line(path, line, column)
    return (
        [found] if found is not None and found.class_name else []
    )  # an internal error is at a place of omc's own sources


# ---------------------------------------------------------------- omc setup
# The setup file of a model that OpenModelica has compiled: what it has, and how its next run is done.
#
# A run reads it again. So parameters, times and tolerance are set by writing another one, which works with all
# versions: what can be given on the command line differs between them.

# Of parameters. What a run computes once may be a variable as well: a constant one counts as a parameter there.
_GIVEN, _COMPUTED = "parameter", "calculatedParameter"
_STATE: Final = "rSta"


class OmcSetup:
    """A setup file that was read."""

    def __init__(self, path: Path) -> None:
        try:
            self._tree = ET.parse(path)  # noqa: S314  (omc has written it a moment ago)
        except (OSError, ET.ParseError) as error:
            raise SimulationError(f"what OpenModelica wrote can't be read: {path.name}: {error}") from None
        self._variables = {each.get("name", ""): each for each in self._tree.iter("ScalarVariable")}

    def description(self, equations: int, unknowns: int) -> Description:
        """All that it says of the model."""
        parameters: dict[str, Any] = {}
        settable: set[str] = set()
        variables: list[str] = []
        units: dict[str, str] = {}
        states: list[str] = []
        for name, variable in self._variables.items():
            value = _value(variable) if variable.get("causality") in {_GIVEN, _COMPUTED} else None
            if value is not None:
                parameters[name] = value
                if variable.get("isValueChangeable") == "true" and not isinstance(value, str):
                    settable.add(name)
                continue
            variables.append(name)
            unit = variable[0].get("unit") if len(variable) else None
            if unit:
                units[name] = unit
            if variable.get("classType") == _STATE:
                states.append(name)
        return Description(
            equations,
            unknowns,
            len(states),
            equations == unknowns,
            parameters,
            None,
            frozenset(settable),
            variables,
            units,
            states,
        )

    def is_protected(self, name: str) -> bool:
        """Is a variable protected? Then it is in no result unless somebody asks for it."""
        variable = self._variables.get(name)
        return variable is not None and variable.get("isProtected") == "true"

    def write(self, path: Path, settings: Settings) -> None:
        """Write one for a run. Parameters of earlier ones are as they were."""
        before: list[tuple[ET.Element, str]] = []
        for name, number in settings.parameters.items():
            element = self._variables[name][0]
            before.append((element, element.get("start", "")))
            element.set("start", _text(element.tag, number))
        experiment = self._tree.find("DefaultExperiment")
        if experiment is None:
            raise SimulationError("what OpenModelica wrote has no <DefaultExperiment>")
        experiment.attrib.update(
            startTime=repr(settings.start),
            stopTime=repr(settings.stop),
            stepSize=repr(settings.step),
            tolerance=repr(settings.tolerance),
            solver=settings.solver,
            outputFormat="mat",
        )
        self._tree.write(path, encoding="utf-8", xml_declaration=True)
        for element, text in before:
            element.set("start", text)


def _value(variable: ET.Element) -> Any:
    """The value of a parameter; None if a run computes it."""
    if not len(variable) or (text := variable[0].get("start")) is None:
        return None
    kind = variable[0].tag
    if kind == "Boolean":
        return text == "true"
    if kind == "String":
        return text
    return float(text) if kind == "Real" else int(float(text))


def _text(kind: str, number: float) -> str:
    if kind == "Boolean":
        return "true" if number else "false"
    return repr(float(number)) if kind == "Real" else str(int(number))


# ---------------------------------------------------------------- omc backend

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

    @cached_property
    def version(self) -> str:
        """Which compiler it is: what omc says, and the stamp of its file, for builds of a day say the same."""
        try:
            asked = subprocess.run(  # noqa: S603  (the omc of the PATH)
                [self._omc, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MissingBackendError(f"{self._omc} does not tell its version: {error}") from None
        status = Path(self._omc).stat()
        return f"omc {asked.stdout.decode(errors='replace')} {self._omc} {status.st_size} {status.st_mtime_ns}"

    def digest(self, task: Task) -> str:
        """What decides about a compilation.

        The omc, the text, and all files of the libraries, because it reads them.
        """
        folders = [library.path for library in task.libraries if _is_given(task, library.name)]
        return digest_of([self.version, task.model, task.source, task.name, digest_of_libraries(folders)])

    def is_of_digest(self, model: OmcModel) -> bool:
        """Was the model made of what the digest is about, and of nothing else?"""
        del model  # a library is in the digest as a whole
        return True

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
            raise _nothing_made(told, "build", f"{task.name}: OpenModelica did not compile it")
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
            raise compile_error(told, task) or _nothing_made(
                told, "fmu", f"{task.name}: OpenModelica did not make an FMU"
            )
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
            raise SimulationError(f"omc did not run the script (exit code {code}): {output.strip()[-500:]}")
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
                            f"{label}: not finished after {self._timeout:g} s; --timeout allows more"
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
        staged = stage(task.libraries, task.closure, folder)
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
