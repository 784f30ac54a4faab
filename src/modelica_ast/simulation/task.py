"""What is to be compiled: a text that names a model, and the libraries that it needs."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import ModelicaError, NotFoundError, Record, shown
from modelica_ast.library import Libraries, Shelf
from modelica_ast.simulation.closure import Closure
from modelica_ast.simulation.complaints import TEXT, Places
from modelica_ast.simulation.errors import DivergedError, MissingLibraryError, SimulationError
from modelica_ast.simulation.result import Result
from modelica_ast.tree import ComponentReference, Expression, LiteralError, evaluate, find_all, parse

_STANDARD: Final = frozenset({"Modelica", "ModelicaServices", "Complex"})
_HOW_TO_GET_IT: Final = (
    "unpack the Modelica Standard Library (https://github.com/modelica/ModelicaStandardLibrary/releases) into"
    " ~/.openmodelica/libraries or a folder of MODELICAPATH"
)
_NO_BLANK: Final = re.compile(r"\S")
WRAPPER: Final = "ModelicaPatchRun"  # the model that is run, where that is not a class of the user itself


class Task(Record):
    """A model with all that it needs. `source` is a text of its own; `model` is in it."""

    name: str  # what people call the model
    source: str
    model: str
    is_text: bool  # did the user write the source?
    libraries: Libraries
    closure: Closure
    folder: Path | None  # where the classes of a text are laid out, for the lookup of names
    installed: frozenset[str]  # libraries that are not the user's own
    file: str = TEXT  # what the text is called
    is_unmodified: bool = True

    @property
    def places(self) -> Places:
        """Where the things are that a message about the model names."""
        return Places(self.libraries, self.folder, self.file)

    def with_modifiers(self, modifiers: Mapping[str, Any]) -> Task:
        """The same model, with modifiers by their paths."""
        if not modifiers:
            return self
        base = self.model if self.is_text else f".{self.name}"
        document = _wrapper(base)
        try:
            document.find_class(WRAPPER).set_extends_modifiers(base, dict(modifiers))
        except ModelicaError as error:
            raise SimulationError(f"it can't be set: {error}") from None
        for value in modifiers.values():
            for reference in find_all(value, ComponentReference) if isinstance(value, Expression) else ():
                self.closure.add_reference(reference.parts)
        source = f"{self.source}\n{document.text}" if self.is_text else document.text
        return Task(
            name=self.name,
            source=source,
            model=WRAPPER,
            is_text=self.is_text,
            libraries=self.libraries,
            closure=self.closure,
            folder=self.folder,
            installed=self.installed,
            file=self.file,
            is_unmodified=False,
        )


def _wrapper(base: str) -> Document:
    """A model that is nothing but another one."""
    document = Document("")
    document.add_class(WRAPPER, "model").add_extends(base)
    return document


def task_of_class(name: str, shelf: Shelf) -> Task:
    """A class of the libraries; NotFoundError names the nearest."""
    top = name.partition(".")[0]
    if top not in shelf:
        raise _missing(shelf, top, "")
    libraries, closure = _with_closure(shelf, [top], [name], ())
    _refuse_what_does_not_run(libraries, name)
    return Task(
        name=name,
        source=_wrapper(f".{name}").text,
        model=WRAPPER,
        is_text=False,
        libraries=libraries,
        closure=closure,
        folder=None,
        installed=_installed(libraries, shelf),
    )


def task_of_text(source: str, model: str, shelf: Shelf, folder: Path, path: Path | None = None) -> Task:
    """A model of a text; its classes are laid out in a folder, for the lookup of names, on the lines of the text."""
    tree = parse(source, path=path)
    if tree.within:
        raise SimulationError(f"the text says 'within {tree.within}'; a text on its own is not in a package")
    if model.partition(".")[0] not in {each.name for each in tree.classes}:
        known = ", ".join(each.name for each in tree.classes) or "no class"
        raise NotFoundError(f"there is no '{model}' in the text; there is {known}")
    place = Path(tempfile.mkdtemp(prefix="text-", dir=folder))
    files = []
    for each in tree.classes:
        files.append(place / f"{each.name}.mo")
        before = _NO_BLANK.sub(" ", source[: each.span.start.offset])
        files[-1].write_text(f"{before}{each.text};\n", encoding="utf-8")
    needs = [each.name for each in tree.classes]
    # The model itself too: what is in a package is not needed because the package is.
    libraries, closure = _with_closure(shelf, shelf.mentioned_in(source), [*needs, model], files)
    _refuse_what_does_not_run(libraries, model)
    own = frozenset(needs)
    closure.needed = {path: paths for path, paths in closure.needed.items() if closure.full_name_of(path) not in own}
    return Task(
        name=model,
        source=source,
        model=model,
        is_text=True,
        libraries=libraries,
        closure=closure,
        folder=place,
        installed=_installed(libraries, shelf) - own,
        file=TEXT if path is None else shown(path),
    )


def _refuse_what_does_not_run(libraries: Libraries, name: str) -> None:
    handle = libraries.find_class(name)
    if not handle.kind.endswith(("model", "block", "class")) or handle.view.is_partial:
        kind = f"partial {handle.kind}" if handle.view.is_partial else handle.kind
        raise SimulationError(f"{name} is a {kind}: only a model or a block that is not partial can be run")


def _installed(libraries: Libraries, shelf: Shelf) -> frozenset[str]:
    return frozenset(library.name for library in libraries if not shelf.is_own(library.path))


def _with_closure(
    shelf: Shelf, names: Sequence[str], needs: Sequence[str], files: Sequence[Path]
) -> tuple[Libraries, Closure]:
    """The libraries that are needed, and what of them. A library that nobody says is used counts if it is at hand."""
    names = list(names)
    while True:
        own = [library.name for library in Libraries([], read_only=files)]
        libraries = Libraries([], read_only=[*files, *shelf.places(names, known=own)], cache=shelf.cache)
        for need in needs:
            libraries.find_class(need)
        closure = Closure(libraries)
        for need in needs:
            closure.add(need)
        tops = [name.partition(".")[0] for name in closure.unresolved]
        absent = [top for top in dict.fromkeys(tops) if libraries.get(top) is None]
        used = {name: version for each in libraries for name, version in shelf.uses(each.path).items()}
        more = [top for top in absent if top in shelf and top not in names and top not in used]
        for top in absent:
            if top in used:
                raise _missing(shelf, top, used[top])
        if not more:
            return libraries, closure
        names += more


def _missing(shelf: Shelf, name: str, version: str) -> MissingLibraryError:
    """A library that is used and is not here, as an error that says what to do."""
    where = ", ".join(map(str, dict.fromkeys(shelf.folders))) or "no folder"
    wanted = f"{name} {version}".strip()
    advice = _HOW_TO_GET_IT if name in _STANDARD else "put its folder into MODELICAPATH, or name it with --library"
    return MissingLibraryError(f"the library {wanted} is missing; it was searched in {where}; {advice}")


# ---------------------------------------------------------------- description
# What a compiler says of a model, and what it is asked for a run.


class Description(Record):
    """A compiled model as seen from outside."""

    equations: int | None  # None if nobody has wanted them to be counted
    unknowns: int | None
    states: int
    is_balanced: bool
    parameters: Mapping[str, Any]  # those with a value, by name
    names: Sequence[str] | None  # of all parameters; None if the compiler does not tell
    settable: frozenset[str]  # parameters that a run can set without compiling again
    variables: Sequence[str]
    units: Mapping[str, str]
    state_names: Sequence[str]
    inputs: Sequence[str] = ()  # of the model itself, not of what is inside
    outputs: Sequence[str] = ()


class Settings(Record):
    """How a model is run."""

    start: float
    stop: float
    step: float
    tolerance: float
    solver: str
    parameters: Mapping[str, float]
    variables: Sequence[str] | None  # those that are kept, all without

    def with_variables(self, variables: Sequence[str]) -> Settings:
        """The same run, of which these are kept."""
        said = {name: getattr(self, name) for name in Settings.__annotations__}
        return Settings(**{**said, "variables": variables})


# ---------------------------------------------------------------- experiment
# What the `experiment` annotation of a class says about its run.

_FIELDS: Final = ("StartTime", "StopTime", "Interval", "Tolerance")


class Experiment(Record):
    """Start, stop, step and tolerance; None where nothing is said."""

    start: float | None = None
    stop: float | None = None
    step: float | None = None
    tolerance: float | None = None


def experiment_of(handle: ClassHandle) -> Experiment:
    """The annotation of the class itself: it is not inherited."""
    found: list[float | None] = []
    for field in _FIELDS:
        value = handle.get_annotation(f"experiment.{field}")
        try:
            number = None if value is None else evaluate(value)
        except LiteralError:  # an expression, which only a compiler could compute
            number = None
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        found.append(float(number) if is_number and number is not None else None)
    return Experiment(*found)


# ---------------------------------------------------------------- checking
# What is asked of the settings of a run, and of its values.

_INTERVALS: Final = 500  # of a run for which nobody has said a step, as in other tools


def checked_step(start: float, stop: float, step: float | None, tolerance: float) -> float:
    """The time between two values; SimulationError if times or tolerance make no sense."""
    if not (math.isfinite(start) and math.isfinite(stop)) or stop <= start:
        raise SimulationError(f"the stop time {stop:g} is not after the start time {start:g}")
    if not 0 < tolerance < math.inf:
        raise SimulationError(f"the tolerance must be a positive number, not {tolerance:g}")
    if step is None:
        return (stop - start) / _INTERVALS
    if not step > 0:
        raise SimulationError(f"the step must be a positive number, not {step:g}")
    return min(step, stop - start)


def check_finite(result: Result) -> None:
    """A value that is not a number ends a run, even if the solver did not notice."""
    first: tuple[int, str] | None = None
    for name in result.names:
        column = result[name]
        if all(map(math.isfinite, column)):
            continue
        place = next(index for index, value in enumerate(column) if not math.isfinite(value))
        if first is None or place < first[0]:
            first = place, name
    if first is not None:
        place, name = first
        time = result.times[place]
        raise DivergedError(f"{result.model}: '{name}' is {result[name][place]} at {time:g} s", time)
