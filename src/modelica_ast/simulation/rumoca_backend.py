"""rumoca, the compiler that is embedded, in a process of its own: it may panic, abort, or take much memory."""

from __future__ import annotations

import importlib.util
import itertools
import re
import tempfile
from pathlib import Path
from typing import Any, Final

from modelica_ast.simulation.child import Child, DeadError, Progress
from modelica_ast.simulation.crash import write_reproducer
from modelica_ast.simulation.description import Description, Settings
from modelica_ast.simulation.errors import (
    CompileError,
    CompilerCrashError,
    MissingBackendError,
    SimulationError,
    SimulationTimeoutError,
    SourcePlace,
    UnbalancedModelError,
)
from modelica_ast.simulation.guilt import guilty_parts
from modelica_ast.simulation.messages import Explainer, run_error
from modelica_ast.simulation.places import Places
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.staging import Stage, cache_folder, stage, stage_whole
from modelica_ast.simulation.task import Task
from modelica_ast.simulation.transfer import read_columns

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


class RumocaBackend:
    """One process for all models. Each of them is given the parts of libraries that it needs."""

    default_solver: Final = "rk-like"
    stiff_solver: Final = "bdf"

    def __init__(self, *, cache: bool, timeout: float | None, progress: Progress | None) -> None:
        if importlib.util.find_spec("rumoca") is None:
            raise MissingBackendError(
                "rumoca is not installed: pip install 'modelica-ast[sim]'; or use OpenModelica with --backend omc"
            )
        self._folder = tempfile.TemporaryDirectory(prefix="modelica-simulation-")
        self.notes: list[str] = []
        self._cache = self._usable(cache_folder()) if cache else None
        # Without a cache of ours the compiler has none either.
        # PERF: it is given what it needs. With the folders of MODELICAPATH it reads whole libraries, for 20 s and more.
        environment = {"MODELICAPATH": ""}
        if not cache:
            environment["XDG_CACHE_HOME"] = str(Path(self._folder.name, "cache"))
        self._child = Child(_WORKER, environment)
        self._numbers = itertools.count(1)
        self._timeout = timeout
        self._progress = progress

    def _usable(self, cache: Path) -> Path | None:
        """The cache, or None if it can't be written: it only saves time."""
        try:
            cache.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.notes.append(f"nothing is kept for the next time: {cache}: {error.strerror}")
            return None
        return cache

    @property
    def folder(self) -> Path:
        """A folder that lasts as long as this backend."""
        return Path(self._folder.name)

    def close(self) -> None:
        """End the process and forget its files."""
        self._child.close()
        self._folder.cleanup()

    # ------------------------------------------------------------ models

    def compile(self, task: Task) -> tuple[RumocaModel, Description]:
        """Compile a model. What it needs of libraries is tried first, whole libraries if a name is missing there."""
        staged = stage(task.libraries, task.closure, task.kept, self.folder / "parts", self._cache)
        model = RumocaModel(task, staged)
        answer = self._compiled(model)
        if "error" in answer and Explainer(task, staged).is_about_missing_parts(answer["message"]):
            self.notes.append(
                "a name was not found in the parts of the libraries that are needed: all of them are read"
            )
            whole = Path(tempfile.mkdtemp(prefix="whole-", dir=self.folder))
            model.stage = stage_whole(task.libraries, task.folder, whole)
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
            f"{model.task.name}: rumoca has crashed while {'it compiled' if request['what'] == 'compile' else 'it ran'}"
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
        own = frozenset(library.name for library in task.libraries) - task.kept
        parts = guilty_parts(task.libraries, own, task.name, lambda name: self._counts(model, name))
        places = Places(task.libraries, task.folder)
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
