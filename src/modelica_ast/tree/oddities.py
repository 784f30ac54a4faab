"""What a file contains that parses but that today's specification does not allow: old and vendors' syntax.

Such files exist and must be read; a tool that checks them can say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from modelica_ast.foundation import Position, Record
from modelica_ast.syntax import (
    KINDS,
    NUMBER,
    TOKEN_TEXTS,
    Node,
    child_at,
    kind_of,
    open_annotation,
    place_of,
    productions_of,
    unknown_escapes,
)
from modelica_ast.tree.base import Token, View
from modelica_ast.tree.classes import ClassAnnotation, LongClassSpecifier, ShortClassDefinition
from modelica_ast.tree.components import ConstrainingClause, ExtendsClause, ImportAlias
from modelica_ast.tree.expressions import CallMember, StringLiteral
from modelica_ast.tree.modifications import Description, Modification
from modelica_ast.tree.traverse import view_at

_Judge = Callable[[Node, int, Node], bool]

_UNREAD: Final = NUMBER["LAZY_ANNOTATION"]
_SHORTEST_UNREAD: Final = len("annotation()")  # an annotation that is one leaf


class Note(Record):
    """A place and a sentence."""

    position: Position
    message: str


def notes(tree: View) -> list[Note]:
    """All notes on a tree, in source order. Annotations are read for it."""
    return [Note(view.position, message) for view in _odd_views(tree) for message in _about(view)]


def _odd_views(tree: View) -> Iterator[View]:
    """The views that there may be something to say about, in source order.

    PERF: the walk is one over green nodes, and a view is made where the green node looks odd. Views of all nodes of
    all annotations took a sixth of a check.
    """
    yield tree
    nodes = [tree.node] if type(tree.node) is tuple else []
    path: list[int] = []  # of the innermost of these
    children = [_numbered(node) for node in nodes]
    while nodes:
        around = nodes[-1]
        for at, child in children[-1]:
            if type(child) is str:
                if len(child) >= _SHORTEST_UNREAD and child[-1] == ")" and kind_of(child) == _UNREAD:
                    child = _opened(child, tree, path, at)  # noqa: PLW2901  (the same, as a node)
                else:
                    if "\\" in child and unknown_escapes(TOKEN_TEXTS[child]):
                        yield view_at(tree, (*path, at))
                    continue
            looks_odd = _LOOKS_ODD.get(child[0])
            if looks_odd is not None and looks_odd(child, at, around):
                yield view_at(tree, (*path, at))
            path.append(at)
            nodes.append(child)
            children.append(_numbered(child))
            break
        else:
            nodes.pop()
            children.pop()
            del path[-1:]


def _opened(leaf: str, tree: View, path: list[int], at: int) -> Node:
    """The node of an unread annotation; ModelicaSyntaxError with its place if it is not Modelica."""
    root = tree.root
    return open_annotation(leaf, lambda: (root.source, root.offset_of(view_at(tree, (*path, at)))))


def _numbered(node: Node) -> Iterator[tuple[int, Any]]:
    """(index, child) of the children of a node."""
    found = enumerate(node)
    next(found)  # the production number
    return found


def _starts_with(word: str) -> _Judge:
    return lambda node, _, __: isinstance(first := child_at(node, 1), str) and TOKEN_TEXTS[first] == word


def _has_long_class(node: Node, _: int, __: Node) -> bool:
    return any(type(child) is tuple and KINDS[child[0]] == "long_class_specifier" for child in node)


def _is_odd_annotation(node: Node, index: int, around: Node) -> bool:
    """Is there more in it than an annotation and a semicolon, or something after it?"""
    return len(node) > 3 or index != len(around) - 1  # noqa: PLR2004


def _always(*_: object) -> bool:
    return True


_LOOKS_ODD: Final[dict[int, _Judge]] = {
    number: looks_odd
    for kind, looks_odd in {
        "class_annotation": _is_odd_annotation,
        "constraining_clause": _starts_with("extends"),
        "short_class_definition": _has_long_class,
        "call_member": _always,
        "import_alias": _always,
        "modification": _starts_with(":="),
        "extends_clause": _always,
        "description_string": _always,
    }.items()
    for number in productions_of(kind)
    if kind != "extends_clause" or place_of(number, "description_string", 0) is not None
}


def _about(view: View) -> Iterator[str]:
    match view:
        case ClassAnnotation() if view.equations or view.statements:
            yield "equations after the class annotation: the annotation should come last"
        case ClassAnnotation() if view.elements:
            yield "declarations after the class annotation, as up to Modelica 3.0: the annotation should come last"
        case ClassAnnotation() if not _is_last(view):
            yield "the class annotation should come last, before 'end'"
        case ConstrainingClause() if view.children[0].text == "extends":
            yield "'extends' as a constraint is Modelica 2: write 'constrainedby'"
        case ShortClassDefinition() if isinstance(view.specifier, LongClassSpecifier):
            yield "a class with a body inside a modification is not in the specification"
        case CallMember():
            yield "a member of a call, f(x).y, is not in the specification: write (f(x)).y"
        case ImportAlias():
            yield "a renaming import in a list is not in the specification: write it as an import of its own"
        case Modification() if isinstance(view.children[0], Token) and view.children[0].text == ":=":
            yield "':=' in a modification is deprecated: write '='"
        case ExtendsClause() if view.description is not None:
            yield "an extends clause has no description in the specification"
        case StringLiteral() | Description():
            for literal in [view] if not view.children else [c for c in view.children if c.kind == "STRING"]:
                for offset in unknown_escapes(literal.text):
                    escape = literal.text[offset + 1]
                    shown = f"\\{escape}" if escape.isprintable() else f"\\ before U+{ord(escape):04X}"
                    yield f"the escape {shown} is not in the specification"
        case _:
            return


def _is_last(view: ClassAnnotation) -> bool:
    return view.parent is not None and view.index == len(view.parent.node) - 1
