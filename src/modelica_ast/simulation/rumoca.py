"""rumoca, the compiler that is embedded, in a process of its own: it may panic, abort, or take much memory."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from modelica_ast.foundation import ModelicaSyntaxError, NotFoundError
from modelica_ast.library import Libraries, LibraryError, class_names, instance
from modelica_ast.semantics import Node
from modelica_ast.simulation.archive import digest_of, digest_of_texts
from modelica_ast.simulation.child import Child, DeadError, Progress
from modelica_ast.simulation.closure import Stage, parts_of, reduced, stage, stage_whole
from modelica_ast.simulation.complaints import Places, Singularity, singularity_of
from modelica_ast.simulation.errors import (
    CompileError,
    CompilerCrashError,
    DivergedError,
    MissingBackendError,
    SimulationError,
    SimulationTimeoutError,
    SourcePlace,
    UnbalancedModelError,
    near,
)
from modelica_ast.simulation.result import Result, read_columns
from modelica_ast.simulation.task import WRAPPER, Description, Settings, Task

# ---------------------------------------------------------------- messages
# What rumoca says, without what means nothing to a user, with the places in the files that it is about.

_AT: Final = re.compile(r" ?\[(?P<file>[^\[\]]+\.mo):(?P<line>\d+):(?P<column>\d+)\]")
_TEXT_FILE: Final = "input.mo"  # rumoca's name for a text
_RELATED: Final = re.compile(r"\nRelated failures \(showing \d+\):\n(?:- .*\n?)*")
_PHASES: Final = re.compile(r"^(?:\w+ failed: )?\S+ (?:failed in \w+|could not be compiled): ")
_NAMED: Final = re.compile(r"['`](?P<name>[A-Za-z_][\w.\[\],]*)['`]")
_MISSING: Final = re.compile(r"unresolved|unknown modifier|resolve/parse failed|not found|undefined", re.IGNORECASE)
_ASSERTION: Final = re.compile(r"assert(?:ion)? failed at t=(?P<time>[-+.\deE]+): (?P<message>.*)", re.DOTALL)
_SHOWN: Final = 5  # of many messages or places


class Explainer:
    """The messages about one model."""

    def __init__(self, task: Task, stage: Stage) -> None:
        self._task = task
        self._stage = stage

    # ------------------------------------------------------------ parts of libraries

    def is_about_missing_parts(self, message: str) -> bool:
        """May it come from a name that is in the libraries, but not in the parts that were given?

        Reading whole libraries takes long, so a name that leads nowhere anyway is not a reason.
        """
        if not _MISSING.search(message):
            return False
        named = _NAMED.search(message)  # what is said after it, "… of type …", was found
        if named is None:
            return True
        name = named["name"]
        if name in self._task.closure.unresolved:
            return False
        return any(_leads_to(name, left_out) for left_out in self._left_out())

    def _left_out(self) -> Iterator[str]:
        """The full names of all classes that were not given: those of whole files, and those inside others."""
        given = {entry.path: (root, paths) for entry, root, paths in self._task.closure.files()}
        for _, entry in self._task.libraries.files():
            prefix = f"{entry.parent_name}." if entry.parent_name else ""
            inside = class_names(self._task.libraries.text_of(entry))
            if entry.path in given:
                kept = set(class_names(reduced(*given[entry.path])))
                inside = [name for name in inside if name not in kept]
            yield from (prefix + name for name in inside)

    # ------------------------------------------------------------ places

    def explained(self, message: str) -> tuple[str, list[SourcePlace]]:
        """The message, and its places as far as they can be told."""
        message = _RELATED.sub("", message).strip()
        places = self._task.places
        found = list(dict.fromkeys([*self._by_lines(message, places), *self._by_names(message, places)]))
        text = _PHASES.sub("", _AT.sub("", message)).replace(WRAPPER, self._task.name)
        pieces = list(dict.fromkeys(text.split("; ")))
        if len(pieces) > _SHOWN:
            pieces = [*pieces[:_SHOWN], f"and {len(pieces) - _SHOWN} more"]
        return f"{self._task.name}: {'; '.join(pieces)}", found[:_SHOWN]

    def singular(self, found: Singularity) -> CompileError:
        """The error for a system that can't be solved, with the places of its unknowns and equations."""
        places = self._task.places
        told = [places.of_component(self._task.name, name) for name in found.undetermined[:_SHOWN]]
        told += [self._at_line(places, *place) for place in found.places]
        return CompileError(
            f"{self._task.name}: {found}", list(dict.fromkeys(each for each in told if each is not None))
        )

    def _at_line(self, places: Places, file: str, line: int, column: int) -> SourcePlace | None:
        if file == _TEXT_FILE:
            return places.in_text(line, column) if self._task.is_text else None
        return places.at_line(self._stage.original(Path(file).resolve()), line, column)

    def _by_lines(self, message: str, places: Places) -> Iterator[SourcePlace]:
        for found in _AT.finditer(message):
            line, column = int(found["line"]), int(found["column"])
            place = self._at_line(places, found["file"], line, column)
            if place is not None:
                yield place

    def _by_names(self, message: str, places: Places) -> Iterator[SourcePlace]:
        has_line = _AT.search(message) is not None
        for found in _NAMED.finditer(message):
            name = found["name"]
            where = self._task.closure.unresolved.get(name)
            place = places.of_name(where, name) if where is not None and not has_line else None
            if place is None and not has_line:
                place = places.of_component(self._task.name, name)
            if place is not None:
                yield place


def _leads_to(name: str, full_name: str) -> bool:
    """May the name be that of the class, or of something in it?"""
    return f".{full_name}".endswith(f".{name}") or name.startswith(f"{full_name}.")


def run_error(answer: dict[str, Any], explainer: Explainer) -> SimulationError:
    """Why a run has failed."""
    message = answer["message"]
    if answer["error"] == "NoVariable":
        return SimulationError(f"there is no variable '{message}'{near(message, answer['names'])}")
    if answer["error"] == "KeyError":
        return SimulationError(message)
    singularity = singularity_of(answer["structure"]) if "structure" in answer else None
    if singularity is not None:
        return explainer.singular(singularity)
    text, places = explainer.explained(message)
    if "structurally singular" in message:
        return CompileError(f"{text}; OpenModelica may know how to solve it: --backend omc", places)
    failed = _ASSERTION.search(message)
    if failed is not None:
        name = text.partition(": ")[0]
        time = float(failed["time"])
        return DivergedError(f"{name}: an assertion failed at {time:g} s: {failed['message']}", time, places)
    return DivergedError(text, None, places)


# ---------------------------------------------------------------- guilt
# Which part of an unbalanced model looks guilty.
#
# A component that is balanced in itself leaves the balance of what is around it alone. So the classes of the
# components are compiled one by one, those of the user's own libraries only, and the innermost one that is not
# balanced is told.

_SECONDS: Final = 10.0  # what finding it may take

Counts = tuple[int, int]


def guilty_parts(
    libraries: Libraries, own: frozenset[str], model: str, balance_of: Callable[[str], Counts | None]
) -> list[tuple[str, str, Counts]]:
    """(component, its class, its equations and unknowns) of parts that are not balanced, the innermost ones.

    `balance_of` compiles a class and counts; None if it is balanced or can't be compiled alone.
    """
    end = time.monotonic() + _SECONDS
    known: dict[str, Counts | None] = {}
    found: list[tuple[str, str, Counts]] = []
    try:
        todo: list[tuple[str, Node]] = [("", instance(libraries, model))]
        while todo and time.monotonic() < end:
            path, node = todo.pop()
            guilty = False
            for name, component in node.components.items():
                kind = component.type_name
                if kind is None or kind.partition(".")[0] not in own or component.is_outer:
                    continue
                if kind not in known and time.monotonic() < end:
                    has_equations = libraries.find_class(kind).kind.endswith(("model", "block"))
                    known[kind] = balance_of(kind) if has_equations else None
                counts = known.get(kind)
                if counts is not None:
                    guilty = True
                    todo.append((f"{path}.{name}" if path else name, component))
                    found.append((f"{path}.{name}" if path else name, kind, counts))
            if guilty and path:  # something inside it is the reason
                found = [each for each in found if each[0] != path]
    except (LibraryError, NotFoundError, ModelicaSyntaxError):
        return found
    return found


# ---------------------------------------------------------------- crash
# A folder with all that shows a crash of the compiler, for a report to its authors.

_SCRIPT: Final = '''\
"""Shows a crash of rumoca (`pip install rumoca==0.10.2`). Without the crash it says nothing."""

import json
from pathlib import Path

import rumoca

here = Path(__file__).resolve().parent
request = json.loads((here / "request.json").read_text(encoding="utf-8"))
session = rumoca.Session(roots=[str(folder) for folder in sorted((here / "libraries").iterdir())])
model = session.loads((here / "model.mo").read_text(encoding="utf-8"), model=request["model"])
if request["what"] == "run":
    config = rumoca.SimConfig(solver=request["solver"], rtol=request["tolerance"], atol=request["tolerance"])
    times = (request["start"], request["stop"])
    model.simulate(t=times, dt=request["step"], config=config, params=request["parameters"])
'''


def write_reproducer(stage: Stage, request: Mapping[str, Any]) -> Path:
    """Write the model, the parts of libraries that it needs and a script that compiles or runs it; the folder."""
    folder = Path(tempfile.mkdtemp(prefix="rumoca-crash-"))
    (folder / "libraries").mkdir()
    for number, root in enumerate(stage.roots):
        shutil.copytree(root, folder / "libraries" / str(number))
    (folder / "model.mo").write_text(request["source"], encoding="utf-8")
    kept = {name: value for name, value in request.items() if name not in ("source", "roots", "id", "output", "count")}
    (folder / "request.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    (folder / "reproduce.py").write_text(_SCRIPT, encoding="utf-8")
    return folder


# ---------------------------------------------------------------- rumoca backend

_WORKER: Final = Path(__file__).with_name("worker.py")
_PART: Final = "ModelicaPatchPart"
_UNBALANCED: Final = re.compile(r"unbalanced model: (\d+) equations, (\d+) unknowns")


class RumocaModel:
    """A model that the process knows by a number; it is compiled again if the process has died since."""

    def __init__(self, task: Task, stage: Stage) -> None:
        self.task = task
        self.stage = stage
        self.number = 0
        self.start = -1  # which start of the process knows it
        self.is_whole = False  # was it compiled with whole libraries?


class RumocaBackend:
    """One process for all models. Each of them is given the parts of libraries that it needs."""

    default_solver: Final = "rk-like"
    stiff_solver: Final = "bdf"

    def __init__(self, *, timeout: float | None, progress: Progress | None, count: bool = True) -> None:
        if importlib.util.find_spec("rumoca") is None:
            raise MissingBackendError(
                "rumoca is not installed: pip install 'modelica-ast[sim]'; or use OpenModelica with --backend omc"
            )
        self._folder = tempfile.TemporaryDirectory(prefix="modelica-simulation-")
        self.notes: list[str] = []
        # Folders have other names in every run, so what the compiler keeps of them is of no use to the next one.
        # PERF: it is given what it needs. With the folders of MODELICAPATH it reads whole libraries, for 20 s and more.
        environment = {"MODELICAPATH": "", "XDG_CACHE_HOME": str(Path(self._folder.name, "cache"))}
        self._child = Child(_WORKER, environment)
        self._numbers = itertools.count(1)
        self._timeout = timeout
        self._progress = progress
        self._count = count

    @property
    def folder(self) -> Path:
        """A folder that lasts as long as this backend."""
        return Path(self._folder.name)

    def close(self) -> None:
        """End the process and forget its files."""
        self._child.close()
        self._folder.cleanup()

    # ------------------------------------------------------------ models

    @cached_property
    def version(self) -> str:
        """Which compiler it is."""
        return f"rumoca {version('rumoca')}"

    def digest(self, task: Task) -> str:
        """What decides about a compilation: the version of rumoca, and all texts that it is given."""
        texts = {place: text for place, (_, text) in parts_of(task.libraries, task.closure).items()}
        about = [self.version, task.model, task.source + _mention(task), task.name]
        return digest_of([*about, digest_of_texts(texts)])

    def is_of_digest(self, model: RumocaModel) -> bool:
        """Was the model made of what the digest is about, and of nothing else?"""
        return not model.is_whole

    def compile(self, task: Task) -> tuple[RumocaModel, Description]:
        """Compile a model. What it needs of libraries is tried first, whole libraries if a name is missing there."""
        staged = stage(task.libraries, task.closure, self.folder / "parts")
        model = RumocaModel(task, staged)
        answer = self._compiled(model)
        if "error" in answer and Explainer(task, staged).is_about_missing_parts(answer["message"]):
            self.notes.append(
                "a name was not found in the parts of the libraries that are needed: all of them are read"
            )
            whole = Path(tempfile.mkdtemp(prefix="whole-", dir=self.folder))
            model.stage, model.is_whole = stage_whole(task.libraries, task.folder, whole), True
            answer = self._compiled(model)
        if "error" in answer:
            raise self._compile_error(model, answer["message"])
        return model, _description(answer)

    def _compiled(self, model: RumocaModel) -> dict[str, Any]:
        model.number = next(self._numbers)
        request = {
            "what": "compile",
            "id": model.number,
            "roots": [str(root) for root in model.stage.roots],
            "source": model.task.source + _mention(model.task),
            "model": model.task.model,
            "count": self._count,
        }
        answer = self._ask(model, request, "compiling")
        model.start = self._child.starts
        return answer

    def run(self, model: RumocaModel, settings: Settings) -> Result:
        """Run a model that was compiled."""
        if not self._child.is_running or model.start != self._child.starts:
            again = self._compiled(model)
            if "error" in again:
                raise self._compile_error(model, again["message"])
        output = self.folder / f"run-{model.number}.bin"
        request = {
            "what": "run",
            "id": model.number,
            "start": settings.start,
            "stop": settings.stop,
            "step": settings.step,
            "tolerance": settings.tolerance,
            "solver": settings.solver,
            "parameters": dict(settings.parameters),
            "variables": settings.variables,
            "output": str(output),
        }
        answer = self._ask(model, request, "simulating")
        if "error" in answer:
            raise run_error(answer, Explainer(model.task, model.stage))
        try:
            return read_columns(output, answer, model.task.name)
        finally:
            output.unlink()

    # ------------------------------------------------------------ errors

    def _ask(self, model: RumocaModel, request: dict[str, Any], doing: str) -> dict[str, Any]:
        try:
            self._child.start(self._timeout)
            if "error" in self._child.greeting:
                self._child.stop()
                raise MissingBackendError(f"rumoca can't be imported: {self._child.greeting['message']}")
            answer = self._child.ask(request, f"{doing} {model.task.name}", self._timeout, self._progress)
        except DeadError as error:
            raise self._crash(model, request, str(error)) from None
        if "crash" in answer:
            said = self._child.log()
            self._child.stop()
            raise self._crash(model, request, "; ".join(filter(None, [answer["crash"], said])))
        return answer

    def _crash(self, model: RumocaModel, request: dict[str, Any], how: str) -> CompilerCrashError:
        compiled = {"source": model.task.source + _mention(model.task), "model": model.task.model}
        folder = write_reproducer(model.stage, {**compiled, **request})
        return CompilerCrashError(
            f"{model.task.name}: rumoca has crashed while "
            f"{'it was compiling' if request['what'] == 'compile' else 'it was running'}"
            f" the model: {how}\n  reproduce it: python {folder / 'reproduce.py'}",
            folder,
        )

    def _compile_error(self, model: RumocaModel, message: str) -> SimulationError:
        explainer = Explainer(model.task, model.stage)
        unbalanced = _UNBALANCED.search(message)
        if unbalanced is None:
            return CompileError(*explainer.explained(message))
        equations, unknowns = int(unbalanced[1]), int(unbalanced[2])
        few = "too few equations" if equations < unknowns else "too many equations"
        text = (
            f"{model.task.name} is not balanced: {_many(equations, 'equation')}, {_many(unknowns, 'unknown')} ({few})"
        )
        return UnbalancedModelError(*self._with_guilty(model, text, equations, unknowns))

    def _with_guilty(
        self, model: RumocaModel, text: str, equations: int, unknowns: int
    ) -> tuple[str, int, int, list[SourcePlace]]:
        """The sentence, with the parts that are not balanced in themselves."""
        task = model.task
        own = frozenset(library.name for library in task.libraries) - task.installed
        parts = guilty_parts(task.libraries, own, task.name, lambda name: self._counts(model, name))
        places = task.places
        found = [places.of_component(task.name, path) for path, _, _ in parts]
        told = [
            f"'{path}' of {kind} has {_many(mine, 'equation')} for {_many(its, 'unknown')}"
            for path, kind, (mine, its) in parts
        ]
        words = f"{text}; {'; '.join(told)}" if told else text
        return words, equations, unknowns, [place for place in found if place is not None]

    def _counts(self, model: RumocaModel, name: str) -> tuple[int, int] | None:
        """Equations and unknowns of a class alone; None if they are the same, or if it can't be compiled alone."""
        request = {
            "what": "compile",
            "id": next(self._numbers),
            "roots": [str(root) for root in model.stage.roots],
            "source": (model.task.source if model.task.is_text else "")
            + f"model {_PART} extends .{name}; end {_PART};"
            + _mention(model.task),
            "model": _PART,
            "count": False,
        }
        try:
            answer = self._child.ask(request, f"looking into {model.task.name}", self._timeout, self._progress)
        except (DeadError, SimulationTimeoutError):  # what is to be told is that the whole is not balanced
            return None
        if "crash" in answer:
            self._child.stop()
            return None
        found = _UNBALANCED.search(answer.get("message", ""))
        return None if found is None else (int(found[1]), int(found[2]))


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _mention(task: Task) -> str:
    """A text that names every library: rumoca reads those that are named."""
    names = sorted({entry.full_name.partition(".")[0] for entry, _, _ in task.closure.files()})
    imports = "".join(f" import {name};" for name in names)
    return f"\npackage ModelicaPatchNames{imports} end ModelicaPatchNames;\n" if names else ""


def _description(answer: dict[str, Any]) -> Description:
    return Description(
        answer["equations"],
        answer["unknowns"],
        answer["states"],
        answer["is_balanced"],
        answer["parameters"],
        answer["names"],
        frozenset(answer["settable"]),
        answer["variables"],
        answer["units"],
        answer["state_names"],
        answer["inputs"],
        answer["outputs"],
    )
