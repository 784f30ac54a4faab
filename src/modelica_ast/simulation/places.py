"""Where the things are that a message names: a class by a line of its file, a component by its path, a name."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from modelica_ast.edit import offset_of
from modelica_ast.foundation import ModelicaSyntaxError, NotFoundError, shown
from modelica_ast.library import Libraries, LibraryError, instance
from modelica_ast.semantics import Target
from modelica_ast.simulation.errors import SourcePlace
from modelica_ast.tree import ClassDefinition, Component, ComponentReference, Name, View, walk

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
    """Places in the files of some libraries. Files of a folder `own` are pieces of a text that the user gave."""

    def __init__(self, libraries: Libraries, own: Path | None = None) -> None:
        self._libraries = libraries
        self._own = own
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
        if self._own is not None and file.is_relative_to(self._own):
            return SourcePlace("", 0, 0, class_name, component, "")
        return SourcePlace(shown(file), line, column, class_name, component, self._origin(file, class_name, component))

    def _origin(self, file: Path, class_name: str, component: str) -> str:
        library = self._libraries.library_of(self._entries[file].full_name)
        told = (origin(library.path, class_name, component) for origin in self._origins)
        return next((each for each in told if each), "")
