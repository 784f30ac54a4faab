"""Compile and run models of libraries and of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from modelica_ast.files import Kept
from modelica_ast.library import LibraryError, ParseCache, Shelf
from modelica_ast.simulation.archive import Archive
from modelica_ast.simulation.child import Progress
from modelica_ast.simulation.closure import units_of
from modelica_ast.simulation.errors import MissingLibraryError, SimulationError, near
from modelica_ast.simulation.omc import OmcBackend
from modelica_ast.simulation.result import Result
from modelica_ast.simulation.rumoca import RumocaBackend
from modelica_ast.simulation.task import (
    Description,
    Experiment,
    Settings,
    Task,
    check_finite,
    checked_step,
    experiment_of,
    task_of_class,
    task_of_text,
)

# ---------------------------------------------------------------- backend
# What a compiler must do for a simulator.


class Backend(Protocol):
    """A compiler. What `compile` gives first is its own idea of the model, for `run`."""

    notes: list[str]

    @property
    def default_solver(self) -> str:
        """The solver, if nobody says which."""

    @property
    def stiff_solver(self) -> str:
        """The solver for stiff models."""

    @property
    def folder(self) -> Path:
        """A folder that lasts as long as this backend."""

    @property
    def version(self) -> str:
        """Which compiler it is."""

    def digest(self, task: Task) -> str:
        """What decides about a compilation and its runs: the compiler, the model, and all that is read for it."""

    def is_of_digest(self, model: Any) -> bool:
        """Was a compiled model made of what the digest is about, and of nothing else?"""

    def compile(self, task: Task) -> tuple[Any, Description]:
        """Compile a model."""

    def run(self, model: Any, settings: Settings) -> Result:
        """Run a model that was compiled."""

    def close(self) -> None:
        """End what is running and forget all files."""


# ---------------------------------------------------------------- simulator

BACKENDS: Final = ("rumoca", "omc")
DEFAULT_TOLERANCE: Final = 1e-8
_ATTRIBUTES: Final = frozenset({"start", "fixed", "min", "max", "nominal", "stateSelect"})


class Simulator:
    """Compiles and runs models in one process of its own, which is ended with it.

    Libraries are looked for in the folders first (a folder with libraries, a library, or a file), then beside the files
    and folders `around`, in MODELICAPATH, in ~/.openmodelica/libraries, and among those that installed packages bring.
    `timeout` is in seconds, for each compilation and each run; `progress` is called with what is done and the seconds
    that it has taken so far. `notes` has what is good to know.

    Results, and what compilers say of models, are kept by all that they were made from, so the same run is not done
    twice. With `cache=False` nothing is taken from earlier and nothing is kept for the next time. With `count=False`
    equations and unknowns may stay uncounted, which halves the time of a compilation by rumoca.
    """

    def __init__(
        self,
        folders: Sequence[Path] = (),
        *,
        around: Sequence[Path] = (),
        backend: str = "rumoca",
        progress: Progress | None = None,
        timeout: float | None = None,
        cache: bool = True,
        count: bool = True,
    ) -> None:
        if backend not in BACKENDS:
            raise SimulationError(f"there is no backend '{backend}'; there is {', '.join(BACKENDS)}")
        try:
            self.shelf = Shelf(folders, around=around, cache=ParseCache() if cache else None)
            self._archive = Archive(Kept()) if cache else None
        except LibraryError as error:
            raise MissingLibraryError(str(error)) from None
        self._count = count
        self.backend: RumocaBackend | OmcBackend
        if backend == "omc":
            self.backend = OmcBackend(timeout=timeout, progress=progress)
        else:
            self.backend = RumocaBackend(timeout=timeout, progress=progress, count=count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self.backend.close()

    @property
    def notes(self) -> list[str]:
        """What is good to know about what was done."""
        return [*self.shelf.notes, *self.backend.notes]

    def compile(self, name: str, modifiers: Mapping[str, Any] | None = None) -> CompiledModel:
        """A class of the libraries, perhaps with modifiers by their paths."""
        return self._compiled(task_of_class(name, self.shelf), modifiers or {})

    def compile_text(
        self, source: str, model: str, modifiers: Mapping[str, Any] | None = None, *, path: Path | None = None
    ) -> CompiledModel:
        """A model of a text, which may name classes of the libraries; messages name the file that it is of."""
        task = task_of_text(source, model, self.shelf, self.backend.folder, path)
        return self._compiled(task, modifiers or {})

    def _compiled(self, task: Task, modifiers: Mapping[str, Any]) -> CompiledModel:
        return CompiledModel(self.backend, task, modifiers, self._archive, count=self._count)

    def export_fmu(self, name: str, path: Path, modifiers: Mapping[str, Any] | None = None) -> None:
        """Write a class of the libraries as an FMU, which OpenModelica can do."""
        if not isinstance(self.backend, OmcBackend):
            raise SimulationError("rumoca does not write FMUs: use OpenModelica, backend 'omc'")
        task = task_of_class(name, self.shelf)
        self.backend.export_fmu(task.with_modifiers(modifiers or {}), path)


class CompiledModel:
    """A model that can be run, again and again with other parameters.

    One that an earlier call has compiled is compiled again only for a run that was not done before.
    """

    def __init__(
        self, backend: Backend, task: Task, modifiers: Mapping[str, Any], archive: Archive | None, *, count: bool = True
    ) -> None:
        self._backend = backend
        self._task = task
        self._archive = archive
        self._count = count
        self.modifiers = dict(modifiers)
        self._modified = task.with_modifiers(self.modifiers)
        self._key = "" if archive is None else backend.digest(self._modified)
        self._model: Any = None
        found = None if archive is None else archive.description(self._key)
        self._description = self._compile() if found is None or (found.equations is None and count) else found
        self._variant: CompiledModel | None = None  # the last one with other modifiers

    def _compile(self) -> Description:
        self._model, description = self._backend.compile(self._modified)
        if not self._backend.is_of_digest(self._model):
            self._archive = None
        if self._archive is not None:
            self._archive.keep_description(self._key, description)
        return description

    def __repr__(self) -> str:
        return f"<CompiledModel {self.name}: {self._description.equations or '?'} equations, {self.states} states>"

    @property
    def name(self) -> str:
        """The class, or the model of the text."""
        return self._task.name

    @property
    def description(self) -> Description:
        """All that the compiler says of it."""
        return self._description

    @property
    def stiff_solver(self) -> str:
        """The solver of this compiler for stiff models."""
        return self._backend.stiff_solver

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters that have a value without a run, by their paths."""
        return self._description.parameters

    @property
    def variables(self) -> Sequence[str]:
        """The variables that a run computes, elements of arrays one by one."""
        return self._description.variables

    @property
    def equations(self) -> int:
        """How many equations there are."""
        return self._counted(self._description.equations)

    @property
    def unknowns(self) -> int:
        """How many unknowns there are."""
        return self._counted(self._description.unknowns)

    @staticmethod
    def _counted(number: int | None) -> int:
        if number is None:
            raise SimulationError("equations and unknowns were not counted: this Simulator was made with count=False")
        return number

    @property
    def states(self) -> int:
        """How many states there are."""
        return self._description.states

    @property
    def state_names(self) -> list[str]:
        """The states, elements of arrays one by one."""
        return list(self._description.state_names)

    def units(self, names: Sequence[str]) -> dict[str, str]:
        """The units of variables, as their declarations have them."""
        return units_of(self._task.libraries, self.name, names)

    @property
    def experiment(self) -> Experiment:
        """What its class says about its run."""
        return experiment_of(self._task.libraries.find_class(self.name))

    @property
    def is_balanced(self) -> bool:
        """Are there as many equations as unknowns?"""
        return self._description.is_balanced

    def run(
        self,
        stop: float = 1.0,
        start: float = 0.0,
        step: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        tolerance: float = DEFAULT_TOLERANCE,
        variables: Sequence[str] | None = None,
        solver: str | None = None,
    ) -> Result:
        """Run it from `start` to `stop`, with values every `step` seconds (a 500th of the time without).

        `parameters` are values by their paths. What a run can't set, a size or the elements of an array, is set by
        compiling the model once more. Only `variables` are kept, all without.
        """
        step = checked_step(start, stop, step, tolerance)
        quick, modifiers = self._split(parameters or {})
        if modifiers:
            return self._with(modifiers).run(stop, start, step, quick, tolerance, variables, solver)
        settings = Settings(start, stop, step, tolerance, solver or self._backend.default_solver, quick, variables)
        result = self._run(settings)
        result.units.update({name: unit for name, unit in self._description.units.items() if name in result})
        check_finite(result)
        return result

    def _run(self, settings: Settings) -> Result:
        earlier = None if self._archive is None else self._archive.result(self._key, settings)
        if earlier is not None:
            earlier.is_earlier = True
            return earlier
        if self._model is None:
            self._compile()
        if self._archive is None:
            return self._backend.run(self._model, settings)
        wanted = settings.variables
        if wanted is not None:
            kept = self._archive.variables(self._key, settings)
            settings = settings.with_variables(list(dict.fromkeys([*wanted, *kept])))
        result = self._backend.run(self._model, settings)
        self._archive.keep_result(self._key, settings, result)
        return result if wanted is None else result.only(wanted)

    def _with(self, modifiers: Mapping[str, Any]) -> CompiledModel:
        every = {**self.modifiers, **modifiers}
        if self._variant is None or self._variant.modifiers != every:
            self._variant = CompiledModel(self._backend, self._task, every, self._archive, count=self._count)
        return self._variant

    def _split(self, parameters: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, Any]]:
        """What a run can set, and what needs another compilation."""
        quick: dict[str, float] = {}
        modifiers: dict[str, Any] = {}
        for path, value in parameters.items():
            if path in self._description.settable and isinstance(value, bool | int | float):
                quick[path] = float(value)
            else:
                self._check_settable(path)
                modifiers[path] = value
        return quick, {path: value for path, value in modifiers.items() if self.modifiers.get(path) != value}

    def _check_settable(self, path: str) -> None:
        names, variables = self._description.names, self._description.variables
        if path.endswith("]"):
            name = path.rpartition("[")[0]
            raise SimulationError(f"one element of '{name}' can't be set: set all of it, '{name}={{…}}'")
        owner, _, last = path.rpartition(".")
        if names is None or path in names or (last in _ATTRIBUTES and (owner in names or owner in variables)):
            return
        raise SimulationError(f"{self.name} has no parameter '{path}'{near(path, names)}")
