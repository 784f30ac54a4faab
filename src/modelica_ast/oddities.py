"""What a file contains that parses but that today's specification does not allow: old and vendors' syntax.

Such files exist and must be read; a tool that checks them can say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from modelica_ast.green import TOKEN_TEXTS, Node
from modelica_ast.lexer import kind_of
from modelica_ast.record import Record
from modelica_ast.shape import place_of, productions_of
from modelica_ast.source import Position
from modelica_ast.strings import unknown_escapes
from modelica_ast.tables import KINDS, NUMBER
from modelica_ast.traverse import Place, view_at
from modelica_ast.views.base import Token, View
from modelica_ast.views.classes import ClassAnnotation, LongClassSpecifier, ShortClassDefinition
from modelica_ast.views.components import ConstrainingClause, ExtendsClause, ImportAlias
from modelica_ast.views.expressions import CallMember, StringLiteral
from modelica_ast.views.modifications import Annotation, Description, Modification

_Judge = Callable[[Node, int, Place | None], bool]

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
    todo: list[Place] = [(tree.green, 0, None)]
    while todo:
        place = todo.pop()
        node, index, around = place
        if type(node) is str:
            found = view_at(tree, place)
            if not isinstance(found, Annotation):
                yield found
                continue
            node = found.node
            place = (node, index, around)
        assert type(node) is tuple
        looks_odd = _LOOKS_ODD.get(node[0])
        if looks_odd is not None and looks_odd(node, index, around):
            yield view_at(tree, place)
        for at in range(len(node) - 1, 0, -1):
            child = node[at]
            # PERF: few leaves get beyond the first two questions.
            if type(child) is tuple or (
                (len(child) >= _SHORTEST_UNREAD and child[-1] == ")" and kind_of(child) == _UNREAD)
                or ("\\" in child and unknown_escapes(TOKEN_TEXTS[child]))
            ):
                todo.append((child, at, place))


def _starts_with(word: str) -> _Judge:
    return lambda node, _, __: type(node[1]) is str and TOKEN_TEXTS[node[1]] == word


def _has_long_class(node: Node, _: int, __: Place | None) -> bool:
    return any(type(child) is tuple and KINDS[child[0]] == "long_class_specifier" for child in node)


def _is_odd_annotation(node: Node, index: int, around: Place | None) -> bool:
    """Is there more in it than an annotation and a semicolon, or something behind it?"""
    return len(node) > 3 or around is None or index != len(around[0]) - 1  # noqa: PLR2004


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
            yield "equations behind the class annotation: the annotation should stand last"
        case ClassAnnotation() if not _is_last(view):
            yield "the class annotation should stand last, before 'end'"
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
