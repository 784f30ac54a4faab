"""The outermost views, from a text and back to it. A parse makes one of these: they are imported before all others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, cast

from modelica_ast.foundation import Source
from modelica_ast.syntax import FRAGMENTS, Green, Node, Reading, read, render as render_green
from modelica_ast.tree.base import Argument, Equation, Expression, Items, Root, Statement, View, child_view

if TYPE_CHECKING:
    from modelica_ast.tree.classes import ClassDefinition, StoredClass, WithinClause
    from modelica_ast.tree.components import Element, Unparsed
    from modelica_ast.tree.modifications import Annotation, ComponentReference, Modification, Name


class StoredDefinition(Root):
    """A file: `within`, classes, and the blanks and comments at its end."""

    __slots__ = ()
    kinds = ("stored_definition",)
    stored_classes: Items[StoredClass | Unparsed] = Items("_stored_class", default=())
    within_clauses: Items[WithinClause] = Items("within_clause", default=())

    @property
    def within_clause(self) -> WithinClause | None:
        """The first within clause."""
        return next(iter(self.within_clauses), None)

    @property
    def within(self) -> str | None:
        """The package that the file says it is in; '' for `within;`, None without a within clause."""
        clauses = self.within_clauses
        return None if not clauses else str(clauses[0].name or "")

    @property
    def classes(self) -> list[ClassDefinition]:
        """The classes that the file defines."""
        return [cast("StoredClass", s).definition for s in self.stored_classes if s.kind == "stored_class"]


class Fragment(Root):
    """Something that was parsed on its own, with the blanks and comments after it."""

    __slots__ = ()
    kinds = ("fragment",)


# ---------------------------------------------------------------- parse
# The public ways from text to a tree.

_R = TypeVar("_R", bound=Root)


def parse(
    text: str, *, path: str | os.PathLike[str] | None = None, strict: bool = False, recover: bool = False
) -> StoredDefinition:
    """Parse the text of a Modelica file.

    `path` is for messages. Annotations are kept unread until somebody looks inside; `strict` reads all of them at
    once, and so finds an error in any. With `recover` nothing is raised: what does not parse is an `Unparsed`
    node, and `tree.errors` lists all that is wrong, annotations included.
    """
    return parse_source(Source.of_text(text, path), strict=strict, recover=recover)


def parse_file(path: str | os.PathLike[str], *, strict: bool = False, recover: bool = False) -> StoredDefinition:
    """Parse a file. UTF-8, with or without BOM, or Latin-1 for old files; line ends stay as they are."""
    return parse_source(Source.read(path), strict=strict, recover=recover)


def parse_source(source: Source, *, strict: bool = False, recover: bool = False) -> StoredDefinition:
    """Parse a text that knows where it came from."""
    return _root(StoredDefinition, read(source, lazy=not (strict or recover), recover=recover), source)


def parse_whole(source: Source) -> StoredDefinition:
    """Parse what parses of a text, and keep the rest as it is; annotations stay unread."""
    return _root(StoredDefinition, read(source, recover=True), source)


def parse_class(text: str) -> ClassDefinition:
    """Parse one class with its semicolon: `model M … end M;`."""
    return cast("StoredClass", _fragment(text, "stored_class")).definition


def parse_element(text: str) -> Element:
    """Parse one element of a class with its semicolon: `parameter Real m = 1;`, `extends A;`."""
    return cast("Element", _fragment(text, "_element"))


def parse_equation(text: str) -> Equation:
    """Parse one equation with its semicolon: `connect(a, b);`."""
    return cast("Equation", _fragment(text, "_equation"))


def parse_statement(text: str) -> Statement:
    """Parse one statement with its semicolon: `x := 1;`."""
    return cast("Statement", _fragment(text, "_statement"))


def parse_modification(text: str) -> Modification:
    """Parse what can follow a declared name: `(start=1) = 2`."""
    return cast("Modification", _fragment(text, "modification"))


def parse_argument(text: str) -> Argument:
    """Parse one argument of a modification: `final start = 1`, `redeclare model M = N`."""
    return cast("Argument", _fragment(text, "_argument"))


def parse_expression(text: str) -> Expression:
    """Parse an expression: `a + 2*b[1]`."""
    return cast("Expression", _fragment(text, "expression"))


def parse_annotation(text: str) -> Annotation:
    """Parse an annotation: `annotation(Icon(graphics={}))`."""
    return cast("Annotation", _fragment(text, "annotation_clause"))


def parse_name(text: str) -> Name:
    """Parse a name of a class: `Modelica.Units.SI.Mass`, `.Modelica`."""
    return cast("Name", _fragment(text, "type_specifier"))


def parse_reference(text: str) -> ComponentReference:
    """Parse a reference to a component: `a.b[2].c`."""
    return cast("ComponentReference", _fragment(text, "component_reference"))


def _fragment(text: str, start: str) -> View:
    """The view of a fragment; its root keeps the blanks and comments after it."""
    source = Source(text)
    # Not lazily: a fragment is short, and its author wants to know at once.
    reading = read(source, start=start, lazy=False)
    return child_view(_root(Fragment, reading, source), reading.green, 1)


def view_of_fragment(green: Green, start: str) -> View:
    """The view of a green subtree that was made, not parsed, as if it had been parsed on its own."""
    whole: Node = (FRAGMENTS[start], green, "")
    return child_view(_root(Fragment, Reading(whole), Source(render_green(whole))), whole, 1)


def _root(cls: type[_R], reading: Reading, source: Source) -> _R:
    return cls.over(reading.green, file=source.path, encoding=source.encoding, errors=reading.errors)


# ---------------------------------------------------------------- trees back to text


def render(tree: View) -> str:
    """The text of a tree or of a part of it, exactly: what came before its first token included."""
    return render_green(tree.green)


def render_bytes(tree: Root) -> bytes:
    """The text of a file in the encoding that it was read in."""
    return render_green(tree.green).encode(tree.encoding)
