"""A document: a file or a text that is edited. Every verb is one step that can be undone."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from modelica_ast.edit import annotation, components, connections, equations, inheritance, patch
from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.index import Index
from modelica_ast.edit.working import Working
from modelica_ast.errors import ModelicaError
from modelica_ast.green import Green, Node, render
from modelica_ast.parse import parse_source, view_of_fragment
from modelica_ast.source import Source
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassDefinition, StoredDefinition
from modelica_ast.views.components import Component


class Document:
    """Modelica source that is edited.

    Handles (`document.find_class("Robot.Arm")`) name a place by its Modelica names, so they stay right whatever else
    is edited, and what a verb wrote can be read at once. A verb that is refused changes nothing.
    """

    def __init__(self, text: str, *, path: str | os.PathLike[str] | None = None) -> None:
        self._start(Source(text, None if path is None else Path(path)))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Document:
        """Read a file."""
        document = cls.__new__(cls)
        document._start(Source.read(path))  # noqa: SLF001  (its own)
        return document

    def _start(self, source: Source) -> None:
        self._source = source
        root: Any = parse_source(source).green
        self._work = Working(root, Index())
        self._saved = source.text
        self._undo: list[Node] = []
        self._redo: list[Node] = []
        self._depth = 0

    # ------------------------------------------------------------ reading

    @property
    def path(self) -> Path | None:
        """Where it was read from, or saved to last."""
        return self._source.path

    @property
    def text(self) -> str:
        """The text as it is now."""
        return render(self._work.root)

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now. It does not change: later edits make other trees."""
        root = StoredDefinition(self._work.root)
        root.file = self._source.path
        root.encoding = self._source.encoding
        root.errors = ()
        return root

    @property
    def is_changed(self) -> bool:
        """Does the text differ from what was read or saved last?"""
        return self.text != self._saved

    def diff(self) -> str:
        """What has changed since the file was read or saved, as a unified diff."""
        name = self._source.name
        lines = difflib.unified_diff(
            self._saved.splitlines(keepends=True), self.text.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)

    # ------------------------------------------------------------ steps

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Several edits as one step: all of them, or none if one is refused."""
        before = self._work.root
        self._depth += 1
        try:
            yield
        except BaseException:
            self._work.root = before
            raise
        finally:
            self._depth -= 1
        if self._depth == 0 and self._work.root is not before:
            self._undo.append(before)
            self._redo.clear()

    def apply(self, operations: Iterable[Mapping[str, Any]]) -> None:
        """Carry out a patch, a list of operations as data, as one step; see `modelica_ast.edit.patch`."""
        with self.transaction():
            for operation in operations:
                self._edit(patch.run, operation)

    def undo(self) -> None:
        """Take the last step back."""
        self._step(self._undo, self._redo, "undo")

    def redo(self) -> None:
        """Do again what was undone last."""
        self._step(self._redo, self._undo, "redo")

    def _step(self, source: list[Node], target: list[Node], what: str) -> None:
        if not source:
            raise EditError(f"there is nothing to {what}")
        target.append(self._work.root)
        self._work.root = source.pop()

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write the text in the file's encoding; the file is replaced as a whole or not at all."""
        target = Path(path) if path is not None else self.path
        if target is None:
            raise EditError("the document has no path: save(path) names one")
        text = self.text
        try:
            data = self._source.encode(text)
        except UnicodeEncodeError as error:
            raise EditError(
                f"{target}: the file is {self._source.encoding}, which has no character {text[error.start]!r}"
            ) from None
        write_atomically(target, data)
        self._source = Source(text, target, self._source.encoding)
        self._saved = text

    # ------------------------------------------------------------ handles

    def find_class(self, name: str) -> ClassHandle:
        """The class of a dotted name, with or without the file's `within`; NotFoundError names the nearest."""
        self._work.class_path(name)
        return ClassHandle(self, name)

    def get_class(self, name: str) -> ClassHandle | None:
        """The class of a dotted name, or None."""
        try:
            return self.find_class(name)
        except NotFoundError:
            return None

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes that the file defines."""
        return [ClassHandle(self, definition.name) for definition in self.tree.classes]

    def _edit(self, verb: Any, *arguments: Any, **options: Any) -> None:
        with self.transaction():
            try:
                verb(self._work, *arguments, **options)
            except EditError:
                raise
            except ModelicaError as error:
                raise EditError(str(error)) from None


class ClassHandle:
    """A class of a document, by its name."""

    def __init__(self, document: Document, name: str) -> None:
        self.document = document
        self.name = name

    def __repr__(self) -> str:
        return f"<ClassHandle {self.name}>"

    @property
    def view(self) -> ClassDefinition:
        """The class as it is now."""
        found: Any = self.document.tree
        for index in self.document._work.class_path(self.name):  # noqa: SLF001  (one module, one idea)
            found = found.children[index - 1]
        assert isinstance(found, ClassDefinition)
        return found

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes inside."""
        return [ClassHandle(self.document, f"{self.name}.{inner.name}") for inner in self.view.classes]

    @property
    def components(self) -> list[ComponentHandle]:
        """The components declared in it."""
        return [ComponentHandle(self, component.name) for component in self.view.components]

    def find_component(self, name: str) -> ComponentHandle:
        """The component of this name; NotFoundError names the nearest."""
        self.document._work.component_path(self.name, name)  # noqa: SLF001
        return ComponentHandle(self, name)

    def get_component(self, name: str) -> ComponentHandle | None:
        """The component of this name, or None."""
        try:
            return self.find_component(name)
        except NotFoundError:
            return None

    def add_component(
        self,
        type: str,  # noqa: A002  (its name in Modelica)
        name: str,
        modifiers: Mapping[str, Any] | None = None,
        *,
        description: str | None = None,
        before: str | None = None,
        after: str | None = None,
    ) -> ComponentHandle:
        """Declare a component: `add_component("Modelica…Body", "link1", {"m": 1.5}, after="link0")`."""
        self.document._edit(  # noqa: SLF001
            components.add_component,
            self.name,
            type,
            name,
            modifiers,
            description=description,
            before=before,
            after=after,
        )
        return ComponentHandle(self, name)

    def get_annotation(self, path: str, *, connection: tuple[str, str] | None = None) -> Expression | None:
        """A value of the class's annotation by its path (`experiment.StopTime`), or of a connection's; or None."""
        work = self.document._work  # noqa: SLF001
        return _expression(annotation.get_annotation(work, self.name, path, connection=_ends(connection)))

    def set_annotation(self, path: str, value: Any, *, connection: tuple[str, str] | None = None) -> None:
        """Set a value in the annotation of the class, or of a connection."""
        edit = self.document._edit  # noqa: SLF001
        edit(annotation.set_annotation, self.name, path, value, connection=_ends(connection))

    def remove_annotation(self, path: str = "", *, connection: tuple[str, str] | None = None) -> None:
        """Remove a value from an annotation, or the whole annotation."""
        edit = self.document._edit  # noqa: SLF001
        edit(annotation.remove_annotation, self.name, path, connection=_ends(connection))

    @property
    def connections(self) -> list[tuple[str, str]]:
        """The ends of every connect equation, also inside `for` and `if`."""
        found = connections.connections(self.document._work, self.name)  # noqa: SLF001
        return [(left, right) for left, right, _ in found]

    def add_extends(self, base: str, modifiers: Mapping[str, Any] | None = None) -> None:
        """Add an extends clause, behind the last one or as the first element."""
        self.document._edit(inheritance.add_extends, self.name, base, modifiers)  # noqa: SLF001

    def remove_extends(self, base: str) -> None:
        """Remove the extends clause of a base class, named as it is written."""
        self.document._edit(inheritance.remove_extends, self.name, base)  # noqa: SLF001

    def set_extends_modifier(self, base: str, path: str, value: Any) -> None:
        """Set a modifier of an extends clause."""
        self.document._edit(inheritance.set_extends_modifier, self.name, base, path, value)  # noqa: SLF001

    def remove_extends_modifier(self, base: str, path: str) -> None:
        """Remove a modifier of an extends clause."""
        self.document._edit(inheritance.remove_extends_modifier, self.name, base, path)  # noqa: SLF001

    def add_import(
        self, name: str, *, alias: str | None = None, members: list[str] | None = None, wildcard: bool = False
    ) -> None:
        """Add an import: `A.B`; with an alias `C = A.B`; with members `A.B.{C, D}`; as a wildcard `A.B.*`."""
        options = {"alias": alias, "members": members, "wildcard": wildcard}
        self.document._edit(inheritance.add_import, self.name, name, **options)  # noqa: SLF001

    def remove_import(
        self, name: str, *, alias: str | None = None, members: list[str] | None = None, wildcard: bool = False
    ) -> None:
        """Remove an import, named as for `add_import`."""
        options = {"alias": alias, "members": members, "wildcard": wildcard}
        self.document._edit(inheritance.remove_import, self.name, name, **options)  # noqa: SLF001

    def add_equation(self, equation: str) -> None:
        """Add an equation, given as Modelica: `x = 2*y`."""
        self.document._edit(equations.add_equation, self.name, equation)  # noqa: SLF001

    def remove_equation(self, equation: str) -> None:
        """Remove an equation, given as Modelica; blanks and comments don't matter."""
        self.document._edit(equations.remove_equation, self.name, equation)  # noqa: SLF001

    def connect(self, one: str, other: str) -> None:
        """Add a connect equation."""
        self.document._edit(connections.add_connection, self.name, one, other)  # noqa: SLF001

    def disconnect(self, one: str, other: str) -> None:
        """Remove the connect equation between two ends, given in either order."""
        self.document._edit(connections.remove_connection, self.name, one, other)  # noqa: SLF001


class ComponentHandle:
    """A component of a class, by its name."""

    def __init__(self, owner: ClassHandle, name: str) -> None:
        self.owner = owner
        self.name = name

    def __repr__(self) -> str:
        return f"<ComponentHandle {self.owner.name}.{self.name}>"

    @property
    def view(self) -> Component:
        """The component as it is now."""
        found: Any = self.owner.document.tree
        for index in self.owner.document._work.component_path(self.owner.name, self.name):  # noqa: SLF001
            found = found.children[index - 1]
        assert isinstance(found, Component)
        return found

    @property
    def type(self) -> str:
        """The name of its type."""
        return str(self.view.type)

    def get(self, path: str = "") -> Expression | None:
        """The value of a modifier by its path (`frame_a.r_0.start`), of the component itself for ''; or None."""
        work = self.owner.document._work  # noqa: SLF001
        return _expression(components.get_modifier(work, self.owner.name, self.name, path))

    def set(self, path: str, value: Any) -> None:
        """Set a modifier; '' is the value of the component itself. A text is a string: for an expression, parse it."""
        self._edit(components.set_modifier, path, value)

    def remove_modifier(self, path: str) -> None:
        """Remove a modifier; parentheses that become empty go too."""
        self._edit(components.remove_modifier, path)

    def get_annotation(self, path: str) -> Expression | None:
        """A value of its annotation by its path (`Placement.transformation.extent`), or None."""
        work = self.owner.document._work  # noqa: SLF001
        return _expression(annotation.get_annotation(work, self.owner.name, path, component=self.name))

    def set_annotation(self, path: str, value: Any) -> None:
        """Set a value in its annotation."""
        edit = self.owner.document._edit  # noqa: SLF001
        edit(annotation.set_annotation, self.owner.name, path, value, component=self.name)

    def remove_annotation(self, path: str = "") -> None:
        """Remove a value from its annotation, or the whole annotation."""
        edit = self.owner.document._edit  # noqa: SLF001
        edit(annotation.remove_annotation, self.owner.name, path, component=self.name)

    def set_description(self, text: str | None) -> None:
        """Set the description, or remove it."""
        self._edit(components.set_description, text)

    def set_type(self, type: str) -> None:  # noqa: A002  (its name in Modelica)
        """Give it another type; refused where it shares its clause with other components."""
        self._edit(components.set_type, type)

    def remove(self) -> None:
        """Remove it, with the comments that belong to it. Its uses elsewhere stay."""
        self._edit(components.remove_component)

    def _edit(self, verb: Any, *arguments: Any) -> None:
        self.owner.document._edit(verb, self.owner.name, self.name, *arguments)  # noqa: SLF001


def _expression(green: Green | None) -> Expression | None:
    """The view of a value; None for no value, and for `break`."""
    view = None if green is None else view_of_fragment(green, "expression")
    return view if isinstance(view, Expression) else None


def _ends(connection: tuple[str, str] | None) -> list[str] | None:
    return None if connection is None else list(connection)


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file by another with the same permissions; at no moment is it half written."""
    mode = path.stat().st_mode & 0o7777 if path.exists() else None
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
