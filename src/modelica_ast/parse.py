"""The public ways from text to a tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, cast

from modelica_ast.green import Green, Node, render
from modelica_ast.reading import Reading, read
from modelica_ast.source import Source
from modelica_ast.tables import FRAGMENTS
from modelica_ast.views.base import Argument, Equation, Expression, Root, Statement, View, child_view
from modelica_ast.views.files import Fragment, StoredDefinition

if TYPE_CHECKING:  # start-up time: a parse needs no view but the root's
    from modelica_ast.views.classes import ClassDefinition, StoredClass
    from modelica_ast.views.components import Element
    from modelica_ast.views.modifications import Annotation, Modification
    from modelica_ast.views.names import ComponentReference, Name

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
    """Parse what can stand behind a declared name: `(start=1) = 2`."""
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
    """The view of a fragment; its root keeps the blanks and comments behind it."""
    source = Source(text)
    # Not lazily: a fragment is short, and its author wants to know at once.
    reading = read(source, start=start, lazy=False)
    return child_view(_root(Fragment, reading, source), reading.green, 1)


def view_of_fragment(green: Green, start: str) -> View:
    """The view of a green subtree that was made, not parsed, as if it had been parsed by itself."""
    whole: Node = (FRAGMENTS[start], green, "")
    return child_view(_root(Fragment, Reading(whole), Source(render(whole))), whole, 1)


def _root(cls: type[_R], reading: Reading, source: Source) -> _R:
    return cls.over(reading.green, file=source.path, encoding=source.encoding, errors=reading.errors)
