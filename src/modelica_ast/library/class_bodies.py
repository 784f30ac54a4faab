"""The classes of all files as views, and what each of them declares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from modelica_ast.edit.scopes import Target
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.errors import Problem
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, ShortClassDefinition
from modelica_ast.views.components import Component, ExtendsClause, ImportClause

Definition = ClassDefinition | ShortClassDefinition


class Body:
    """What a class declares itself, in source order and by name."""

    __slots__ = ("classes", "components", "imports", "parts")

    def __init__(self, definition: Definition) -> None:
        self.parts: list[Component | ExtendsClause | ClassDefinition] = []
        self.components: dict[str, Component] = {}
        self.classes: dict[str, ClassDefinition] = {}
        self.imports: list[ImportClause] = []
        for element in definition.elements if isinstance(definition, ClassDefinition) else []:
            if (clause := element.component_clause) is not None:
                for component in clause.declarations:
                    self.components.setdefault(component.name, component)
                    self.parts.append(component)
            elif (inner := element.class_definition) is not None:
                self.classes.setdefault(inner.name, inner)
                self.parts.append(inner)
            elif (extends := element.extends_clause) is not None:
                self.parts.append(extends)
            elif (imported := element.import_clause) is not None:
                self.imports.append(imported)


class ClassFiles:
    """The files of some libraries as they are now, parsed when a name leads there.

    A file that does not parse has no classes; `problems` says so.
    """

    def __init__(self, libraries: Libraries) -> None:
        self.libraries = libraries
        self.problems: list[Problem] = []
        self._entries = {entry.path: entry for _, entry in libraries.files()}
        self._tops: dict[Path, ClassDefinition | None] = {}
        self._bodies: dict[Target, Body] = {}

    def top(self, entry: FileEntry) -> ClassDefinition | None:
        """The class that a file is named after, or None."""
        if entry.path not in self._tops:
            self._tops[entry.path] = self._read(entry)
        return self._tops[entry.path]

    def _read(self, entry: FileEntry) -> ClassDefinition | None:
        try:
            tree = self.libraries.document(entry).tree
        except ModelicaSyntaxError as error:
            self.problems.append(Problem(entry.path, error.line, error.message))
            return None
        except OSError as error:
            self.problems.append(Problem(entry.path, 0, f"it can't be read: {error.strerror or error}"))
            return None
        return next((found for found in tree.classes if found.name == entry.name), None)

    def body(self, definition: Definition) -> Body:
        """What a class declares, without the classes that have files of their own."""
        place = place_of(definition)
        found = self._bodies.get(place)
        if found is None:
            self._bodies[place] = found = Body(definition)
        return found

    def files_in(self, definition: Definition) -> Mapping[str, FileEntry]:
        """The classes of a package that have files of their own."""
        entry = self._entry(definition)
        is_top = entry.folder is not None and definition == self._tops.get(entry.path)
        return entry.children if is_top else {}

    def full_name(self, definition: Definition) -> str:
        """The name of a class with all that is around it, by the place of its file."""
        around = [view.name for view in definition.ancestors if isinstance(view, ClassDefinition)]
        parent = self._entry(definition).parent_name
        return ".".join([*([parent] if parent else []), *reversed(around), definition.name])

    def _entry(self, view: View) -> FileEntry:
        return self._entries[file_of(view)]


def file_of(view: View) -> Path:
    """The file that a view is of."""
    file = view.root.file
    assert file is not None
    return file


def place_of(view: View) -> Target:
    """A view as the path to it in the tree of its file."""
    return Target(file_of(view), view.path)
