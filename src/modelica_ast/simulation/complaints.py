"""What a compiler complains about: where the things are that it names, and why a system can't be solved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import offset_of
from modelica_ast.foundation import ModelicaSyntaxError, NotFoundError, Record, shown
from modelica_ast.library import Libraries, LibraryError, instance
from modelica_ast.semantics import Target
from modelica_ast.simulation.errors import SourcePlace
from modelica_ast.tree import ClassDefinition, Component, ComponentReference, Name, View, walk

# ---------------------------------------------------------------- places
# Where the things are that a message names: a class by a line of its file, a component by its path, a name.


# ---------------------------------------------------------------- origins
# What generated classes were made from, in the words of the packages that made them.
#
# The entry point `modelica_ast.origins` names a function that is given the folder of a library, the full name of a
# class in it and perhaps a component, and returns what that was made from, or None.

Origin = Callable[[Path, str, str], str | None]


def origins() -> list[Origin]:
    """The functions of all installed packages."""
    return [entry.load() for entry in entry_points(group="modelica_ast.origins")]


# ---------------------------------------------------------------- places

TEXT = "<text>"


class Places:
    """Places in the files of some libraries.

    Files of a folder `own` are the classes of a text that the user gave, each where it is in the text; `text` is what
    that is called.
    """

    def __init__(self, libraries: Libraries, own: Path | None = None, text: str = TEXT) -> None:
        self._libraries = libraries
        self._own = own
        self._text = text
        self._entries = {entry.path: entry for _, entry in libraries.files()}
        self._origins = origins()

    def at_line(self, file: Path, line: int, column: int) -> SourcePlace:
        """The class and the component that are at a line and column of a file."""
        entry = self._entries.get(file)
        if entry is None:
            return SourcePlace(str(file), line, column, "", "", "")
        tree = self._libraries.document(entry).tree
        starts = [0]
        for each in tree.source.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(each))
        offset = starts[min(line, len(starts)) - 1] + column - 1
        around: list[View] = [
            view for view in walk(tree, annotations=False) if view.span.start.offset <= offset < view.span.end.offset
        ]
        return self._place(file, line, column, around)

    def in_text(self, line: int, column: int) -> SourcePlace | None:
        """The class and the component that are at a line and column of the text, None behind its end."""
        found = (self.at_line(file, line, column) for file in self._entries if self._is_own(file))
        return next((each for each in found if each.class_name), None)

    def _is_own(self, file: Path) -> bool:
        return self._own is not None and file.is_relative_to(self._own)

    def of_component(self, model: str, path: str) -> SourcePlace | None:
        """The declaration of a component of a model, or of the longest part of its path that is one."""
        try:
            found = instance(self._libraries, model)
        except (LibraryError, NotFoundError, ModelicaSyntaxError):
            return None
        parts = [part.partition("[")[0] for part in path.split(".")]
        for length in range(len(parts), 0, -1):
            component = found.get(".".join(parts[:length]))
            if component is not None:
                return self._of_target(component.declaration)
        return None

    def of_name(self, target: Target, name: str) -> SourcePlace | None:
        """The first place in a class where a dotted name is written."""
        assert isinstance(target.tree, Path)
        tree = self._libraries.document(self._entries[target.tree]).tree
        parts = tuple(name.split("."))
        for view in walk(tree, annotations=False):
            if not isinstance(view, Name | ComponentReference) or view.parts[: len(parts)] != parts:
                continue
            if view.path[: len(target.path)] == target.path:
                position = view.position
                return self._place(target.tree, position.line, position.column, [*reversed(list(view.ancestors)), view])
        return None

    def of_class(self, name: str) -> SourcePlace | None:
        """The definition of a class."""
        try:
            handle = self._libraries.find_class(name)
        except (LibraryError, NotFoundError, ModelicaSyntaxError, OSError):
            return None
        _, entry, _ = self._libraries.entry_of(name)
        position = handle.view.position
        return self._place(entry.path, position.line, position.column, [handle.view])

    def _of_target(self, target: Target) -> SourcePlace:
        assert isinstance(target.tree, Path)
        document = self._libraries.document(self._entries[target.tree])
        node: Any = document.work.root
        path = target.path
        for index in path:
            node = node[index]
        while type(node) is tuple:
            path, node = (*path, 1), node[1]
        position = document.tree.source.position(offset_of(document.work.root, path))
        return self.at_line(target.tree, position.line, position.column)

    def _place(self, file: Path, line: int, column: int, around: list[View]) -> SourcePlace:
        classes = [view for view in around if isinstance(view, ClassDefinition)]
        components = [view for view in around if isinstance(view, Component)]
        entry = self._entries[file]
        inside = ".".join(view.name for view in classes)
        class_name = f"{entry.parent_name}.{inside}" if entry.parent_name else inside
        component = components[-1].name if components else ""
        if self._is_own(file):
            return SourcePlace(self._text, line, column, class_name, component, "")
        return SourcePlace(shown(file), line, column, class_name, component, self._origin(file, class_name, component))

    def _origin(self, file: Path, class_name: str, component: str) -> str:
        library = self._libraries.library_of(self._entries[file].full_name)
        told = (origin(library.path, class_name, component) for origin in self._origins)
        return next((each for each in told if each), "")


# ---------------------------------------------------------------- singular systems
# Why a system of equations can't be solved: what nothing determines, and what is determined twice.
#
# Each equation is assigned to an unknown that is in it. Where that leaves unknowns over, the system is singular,
# whoever solves it: the unknowns without an equation are told, and the equations among which there is one too many.
# Where every equation finds its unknown as soon as derivatives count as what they are derivatives of, nothing is wrong
# with the system: some equations have to be differentiated, and these are told.


_MANY: Final = 5  # names or places that are told


class Equation(Record):
    """A scalar equation: its unknowns by their numbers, the states in it, and where it is written."""

    unknowns: tuple[int, ...]  # derivatives of states among them
    states: tuple[int, ...]  # the numbers that their derivatives have
    place: tuple[str, int, int]  # file, line, column
    is_generated: bool  # of a connection


class Singularity(Record):
    """What is wrong with a system."""

    undetermined: tuple[str, ...]  # unknowns for which no equation is left
    equations: tuple[Equation, ...]  # among which is one too many, or which have to be differentiated
    needs_derivatives: bool  # then all is well but for the compiler

    @property
    def places(self) -> list[tuple[str, int, int]]:
        """The places of the equations, those that somebody has written first."""
        ordered = sorted(self.equations, key=lambda each: each.is_generated)
        return list(dict.fromkeys(each.place for each in ordered if each.place[0]))[:_MANY]

    def __str__(self) -> str:
        if self.needs_derivatives:
            return (
                "rumoca can't run it: it would have to differentiate some of these equations, and does not know how; "
                "OpenModelica does: --backend omc"
            )
        names = [f"'{name}'" for name in self.undetermined[:_MANY]]
        more = len(self.undetermined) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more else "")
        return f"the system is singular: no equation is left for {listed}, and these have one too many"


def singularity_of(answer: Mapping[str, Any]) -> Singularity | None:
    """What the structure says that the compiler's process has sent; None if it says nothing."""
    names: Sequence[str] = answer["unknowns"]
    equations = [
        Equation(tuple(each["unknowns"]), tuple(each["states"]), tuple(each["place"]), bool(each["generated"]))
        for each in answer["equations"]
    ]
    loose = _matched([{*each.unknowns, *each.states} for each in equations])
    if len(loose) < len(names):
        left = [name for number, name in enumerate(names) if number not in loose]
        rows = [{*each.unknowns, *each.states} for each in equations]
        return Singularity(tuple(left), _too_many(equations, rows, loose), needs_derivatives=False)
    rows = [set(each.unknowns) for each in equations]
    strict = _matched(rows)
    if len(strict) < len(names):
        return Singularity((), _too_many(equations, rows, strict), needs_derivatives=True)
    return None


def _matched(rows: Sequence[Collection[int]]) -> dict[int, int]:
    """Unknown -> equation, as many as there can be."""
    row_of: dict[int, int] = {}
    for start in range(len(rows)):
        came_from: dict[int, int] = {}  # unknown -> the equation from which it was reached
        todo = [start]
        end: int | None = None
        while todo and end is None:
            row = todo.pop()
            for column in rows[row]:
                if column in came_from:
                    continue
                came_from[column] = row
                if column not in row_of:
                    end = column
                    break
                todo.append(row_of[column])
        while end is not None:
            row = came_from[end]
            before = next((column for column, other in row_of.items() if other == row), None) if row != start else None
            row_of[end] = row
            end = before
    return row_of


def _too_many(
    equations: Sequence[Equation], rows: Sequence[Collection[int]], row_of: Mapping[int, int]
) -> tuple[Equation, ...]:
    """The equations that compete with one that has found no unknown."""
    matched = set(row_of.values())
    todo = [number for number in range(len(rows)) if number not in matched]
    found = dict.fromkeys(todo)
    while todo:
        for column in rows[todo.pop()]:
            other = row_of.get(column)
            if other is not None and other not in found:
                found[other] = None
                todo.append(other)
    return tuple(equations[number] for number in sorted(found))
