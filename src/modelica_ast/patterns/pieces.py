"""Pieces of a replacement: trees whose leaves remember where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast.edit.surgery import with_prefix
from modelica_ast.green import Green, leaves, symbol, tokens
from modelica_ast.lexer import split_leaf
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.precedence import in_parentheses, level, needed_level
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.shape import find_production, make_node
from modelica_ast.tables import KINDS

NAME_KINDS: Final = ("type_specifier", "name", "component_reference")


@frozen
class LeafSource:
    """Where a leaf of the new text comes from."""

    origin: int | None  # its number among the leaves of the match; None for the replacement's own leaves
    layout: str | None  # blanks and comments that the replacement has before it; None: as it was
    group: int | None = None  # leaves of one capture move together


@frozen(eq=False)
class Piece:
    """A subtree and the sources of its leaves, in order."""

    green: Any
    sources: tuple[LeafSource, ...]
    is_capture: bool = False

    @property
    def symbol(self) -> str:
        """The grammar's name for it."""
        return symbol(self.green)

    def with_layout(self, layout: str) -> Piece:
        """The same with other blanks of the replacement before it."""
        if not self.sources:
            return self
        return evolve(self, sources=(evolve(self.sources[0], layout=layout), *self.sources[1:]))

    @property
    def layout(self) -> str:
        """The blanks of the replacement before it."""
        return (self.sources[0].layout or "") if self.sources else ""


def own_piece(green: Green) -> Piece:
    """A subtree of the replacement."""
    return Piece(green, tuple(LeafSource(None, split_leaf(leaf)[0]) for leaf in leaves(green)))


def taken_piece(match: Stretch, place: Stretch, group: int | None = None) -> Piece:
    """A subtree of a match, as it is."""
    first = match.leaf_number(place.start)
    numbers = range(first, first + len(leaves(place.green)))
    return Piece(place.green, tuple(LeafSource(number, None, group) for number in numbers), is_capture=True)


def assembled(kind: str, pieces: Sequence[Piece]) -> Piece:
    """A node of pieces. Names take the form of their place, and operands the parentheses that they need."""
    fitted = [_as_operand(kind, pieces, index) for index in range(len(pieces))]
    sources = tuple(chain.from_iterable(piece.sources for piece in fitted))
    for form in (None, *NAME_KINDS, ""):
        greens: list[Green] = []
        for piece in fitted:
            if not piece.is_capture or piece.symbol not in NAME_KINDS or form is None:
                greens.append(piece.green)
            elif form:
                greens.append(make_node(form, *piece.green[1:]) if _can_be(form, piece.green) else piece.green)
            else:  # its parts are parts of this node
                greens += piece.green[1:]
        number = find_production(kind, tuple(symbol(green) for green in greens))
        if number is not None:
            return Piece((number, *greens), sources)
    texts = " ".join(word for piece in pieces for word in tokens(piece.green))
    raise PatternError(f"'{texts}' would be no {kind.replace('_', ' ')}")


def _can_be(kind: str, green: Any) -> bool:
    return find_production(kind, tuple(symbol(part) for part in green[1:])) is not None


def _as_operand(kind: str, pieces: Sequence[Piece], index: int) -> Piece:
    piece = pieces[index]
    if not piece.is_capture:
        return piece
    return in_place(piece, needed_level(kind, [one.green for one in pieces], index))


def in_place(piece: Piece, needed: int) -> Piece:
    """The piece, in parentheses if its place wants something that binds more tightly."""
    if type(piece.green) is str or level(piece.green) >= needed:
        return piece
    green = in_parentheses(with_prefix(piece.green, ""))
    inner = (evolve(piece.sources[0], layout=""), *piece.sources[1:])
    return Piece(green, (LeafSource(None, piece.layout), *inner, LeafSource(None, "")), is_capture=True)


def spliced(piece: Piece) -> list[Piece]:
    """The parts of a captured name, each as a piece."""
    if type(piece.green) is str:
        return [piece]
    found = []
    at = 0
    for part in piece.green[1:]:
        count = len(leaves(part))
        found.append(Piece(part, piece.sources[at : at + count]))
        at += count
    return found


def kind_of_piece(piece: Piece) -> str:
    """The kind of a node, '' for a leaf."""
    return KINDS[piece.green[0]] if type(piece.green) is tuple else ""
