"""What a file contains that parses but that today's specification does not allow: old and vendors' syntax.

Such files exist and must be read; a tool that checks them can say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.record import Record
from modelica_ast.source import Position
from modelica_ast.strings import unknown_escapes
from modelica_ast.traverse import walk
from modelica_ast.views.base import Token, View
from modelica_ast.views.classes import ClassAnnotation, LongClassSpecifier, ShortClassDefinition
from modelica_ast.views.components import ConstrainingClause, ExtendsClause, ImportAlias
from modelica_ast.views.expressions import CallMember, StringLiteral
from modelica_ast.views.modifications import Description, Modification


class Note(Record):
    """A place and a sentence."""

    position: Position
    message: str


def notes(tree: View) -> list[Note]:
    """All notes on a tree, in source order. Annotations are read for it."""
    return [Note(view.position, message) for view in walk(tree) for message in _about(view)]


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
