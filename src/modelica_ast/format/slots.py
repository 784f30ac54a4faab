"""The tokens of a tree in a row, each with what its place in the grammar says about its layout.

The walk keeps its own stack and sees every node once: depth costs no stack, and the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from modelica_ast.syntax import KINDS, Blanks, Green, Node, blanks_around, first_leaf, split_leaf, symbol

# ---------------------------------------------------------------- outermost
# Classes of a file's outermost package that are as far left as the package itself.
#
# The Standard Library has many of them: a file with one large package does not indent all of its lines for it. It
# stays that way where the class is indented inside; a file without any indentation gets all of it.


def stands_left(element: Node) -> bool:
    """Is it a class that starts and ends at the left margin, with a body that is indented?"""
    if not _is_at_margin(element):
        return False
    specifier: Any = element
    for kind in ("class_definition", "long_class_specifier"):
        specifier = next((c for c in specifier[1:] if isinstance(c, tuple) and KINDS[c[0]] == kind), None)
        if specifier is None:
            return False
    *_, body, end, _ = specifier
    return _is_at_margin(end) and bool(first_leaf(body)) and not _is_at_margin(body)


def _is_at_margin(green: Green) -> bool:
    return split_leaf(first_leaf(green))[0].endswith("\n")


# ---------------------------------------------------------------- slots

OPENING: Final = frozenset({"LPAR", "LSQB", "LBRACE"})
CLOSING: Final = frozenset({"RPAR", "RSQB", "RBRACE"})

_SECTIONS = frozenset({"public_section", "protected_section", "equation_section", "algorithm_section"})
_EQUATIONS = frozenset(f"{name}_equation" for name in ("simple", "call", "if", "for", "connect", "when"))
_STATEMENTS = frozenset(
    {"assignment", "der_assignment", "multiple_assignment"}
    | {f"{name}_statement" for name in ("call", "break", "return", "if", "for", "while", "when")}
)
_BLOCKS = frozenset(
    {f"{name}_equation" for name in ("if", "for", "when")}
    | {f"{name}_statement" for name in ("if", "for", "while", "when")}
)
# What is on lines of its own, one level further in than what holds it.
_CONTENT = _EQUATIONS | _STATEMENTS | {"element", "unparsed", "external_clause", "class_annotation"}
_BRANCHES = frozenset(f"{word}_{what}" for word in ("elseif", "else", "elsewhen") for what in ("equation", "statement"))
_CLOSED_BY_END = _BLOCKS | {"long_class_specifier"}
_CLASSES = frozenset({"class_definition", "short_class_definition"})
_OPERATIONS = frozenset({"binary", "function_call", "if_expression", "call_member", "parenthesized"})
# Where the first token has blanks of its own: the dot of `.Modelica`, the `=` of a modification that is nothing else.
_HAVE_FIRST_TOKENS = frozenset({"component_reference", "modification", "type_specifier"})
# Where the author says whether `n-1` or `n - 1` reads better: an index is short.
_TIGHT = frozenset({"array_subscripts", "range"})


@attrs.define
class Slot:
    """A token and the place that it is in."""

    prefix: str  # the blanks and comments before it
    token: str
    symbol: str
    kind: str  # the node around it
    level: int  # of the element or equation around it
    depth: int  # brackets that are open, counted from that element
    starts_line: bool  # must it?
    closes_block: bool  # `end`, `else`, `equation`: comments above may be about what comes before
    before: Blanks | None
    after: Blanks | None
    is_formatted: bool = True  # or does all before it stay as it is?

    @property
    def indentation(self) -> int:
        """In levels, if it starts a line."""
        if self.starts_line or self.symbol in CLOSING:
            return self.level + self.depth
        return self.level + max(self.depth, 1)


@attrs.frozen
class _Place:
    """What a child has to know of what is around it."""

    level: int
    depth: int = 0
    starts_line: bool = False
    closes_block: bool = False
    is_tight: bool = False
    is_first: bool = False
    classes: int = 0  # around it
    around: str = ""  # the kind of the node around the parent


def slots_of(root: Node, chosen: Node | None = None) -> list[Slot]:
    """All tokens in source order; the last one is the empty token at the end of the file.

    With `chosen`, a node of the tree, only what is inside is formatted.
    """
    found: list[Slot] = []
    stack: list[tuple[Any, str, _Place, bool]] = [(root, "", _Place(0), chosen is None)]
    while stack:
        green, kind, place, is_formatted = stack.pop()
        if isinstance(green, str):
            if green or not stack:  # the loop's virtual tokens have no text
                found.append(_slot(green, kind, place, is_formatted=is_formatted))
            continue
        inside = is_formatted or green is chosen
        own_kind = KINDS[green[0]]
        places = _places(green, own_kind, kind, place)
        stack += [
            (child, own_kind, at, inside) for child, at in zip(reversed(green[1:]), reversed(places), strict=True)
        ]
    return found


def _slot(leaf: str, kind: str, place: _Place, *, is_formatted: bool) -> Slot:
    prefix, token = split_leaf(leaf)
    name = symbol(leaf)
    before, after = blanks_around(name, kind, place.around, is_tight=place.is_tight, is_first=place.is_first)
    return Slot(
        prefix,
        token,
        name,
        kind,
        place.level,
        place.depth,
        place.starts_line,
        place.closes_block,
        before,
        after,
        is_formatted,
    )


def _places(node: Node, kind: str, around: str, place: _Place) -> list[_Place]:
    """The places of a node's children."""
    level, depth = place.level, place.depth
    if kind in _CLASSES:
        level, depth = level + depth, 0  # a class in a modifier has its body further in than the modifier
    tight = place.is_tight or kind in _TIGHT
    if kind == "array" and not any(_is_operation(child) for child in node[1:]):
        around = "plain"
    classes = place.classes + (kind in _CLASSES)
    inner = _Place(level, depth, is_tight=tight, classes=classes, around=around)
    found: list[_Place] = []
    for index, child in enumerate(node[1:]):
        if isinstance(child, str):
            name = symbol(child)
            if name in CLOSING:
                inner = attrs.evolve(inner, depth=inner.depth - 1)
            at = _leaf_place(name, kind, inner)
            if name in OPENING:
                inner = attrs.evolve(inner, depth=inner.depth + 1)
        else:
            at = _node_place(child, kind, inner)
        if index == 0 and (place.starts_line or kind in _HAVE_FIRST_TOKENS):
            starts_line = at.starts_line or place.starts_line
            at = attrs.evolve(at, is_first=True, starts_line=starts_line, closes_block=place.closes_block)
        found.append(at)
    return found


def _is_operation(item: Any) -> bool:
    """Is an item of an array more than a number, a name or an array of these?"""
    return isinstance(item, tuple) and KINDS[item[0]] in _OPERATIONS


def _leaf_place(name: str, kind: str, inner: _Place) -> _Place:
    if kind == "stored_definition":
        return attrs.evolve(inner, starts_line=True)
    if name == "END" and kind in _CLOSED_BY_END:  # elsewhere it is an index
        return attrs.evolve(inner, starts_line=True, closes_block=True)
    return inner


def _node_place(node: Node, kind: str, inner: _Place) -> _Place:
    child = KINDS[node[0]]
    if kind == "stored_definition":
        return attrs.evolve(inner, starts_line=True)
    if child in _SECTIONS or child in _BRANCHES:
        return attrs.evolve(inner, starts_line=True, closes_block=True)
    if child in _CONTENT:
        # What goes on after a class annotation is as far in as that.
        is_left = kind == "class_annotation" or (inner.classes == 1 and stands_left(node))
        return attrs.evolve(inner, level=inner.level + (not is_left), starts_line=True)
    return inner


# ---------------------------------------------------------------- gaps
# What is between two tokens, taken apart: comments, line ends, blanks.

# Without backtracking. The `\r` of its line end is not part of a comment; elsewhere a lone `\r` ends a line too.
_PIECE: Final = re.compile(
    r"(?P<comment>//[^\r\n]*+(?:\r++[^\r\n]++)*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)|(?P<line_end>\r\n|\r|\n)|[^\r\n/]++"
)
_SWITCH: Final = re.compile(r"//[ \t]*formatting:[ \t]*(on|off)[ \t]*")


@attrs.frozen
class Comment:
    """A comment and what comes before it."""

    text: str
    line_ends: int  # before it, counted from the token or comment before
    blanks: str  # between the last of these, or what comes before, and the comment
    end: int  # its end in the text of the gap

    @property
    def is_line(self) -> bool:
        """Does it take the rest of its line?"""
        return self.text.startswith("//")

    @property
    def switch(self) -> str | None:
        """`on` or `off` for a comment that switches formatting."""
        found = _SWITCH.fullmatch(self.text)
        return found[1] if found else None


@attrs.frozen
class Gap:
    """The comments between two tokens, and what follows the last of them."""

    comments: tuple[Comment, ...]
    line_ends: int
    blanks: str

    @property
    def has_line_end(self) -> bool:
        """Does a line end here, outside of comments?"""
        return self.line_ends > 0 or any(comment.line_ends for comment in self.comments)


_PLAIN: Final = {text: Gap((), 0, text) for text in ("", " ")}


def gap_of(text: str) -> Gap:
    """Take a gap apart."""
    if text in _PLAIN:  # PERF: nearly all of them
        return _PLAIN[text]
    comments = []
    line_ends, blanks = 0, ""
    for match in _PIECE.finditer(text):
        if match.lastgroup == "comment":
            comments.append(Comment(match[0], line_ends, blanks, match.end()))
            line_ends, blanks = 0, ""
        elif match.lastgroup == "line_end":
            line_ends += 1
            blanks = ""
        else:
            blanks = match[0]
    return Gap(tuple(comments), line_ends, blanks)


def count_line_ends(text: str) -> tuple[int, int]:
    r"""How many lines of a gap end in `\r\n`, and how many in something else; those inside comments do not count."""
    ends = [match[0] for match in _PIECE.finditer(text) if match.lastgroup == "line_end"]
    windows = ends.count("\r\n")
    return windows, len(ends) - windows


# ---------------------------------------------------------------- comments
# Block comments that move as a whole.

_BLANKS: Final = " \t"


def width_of_blanks(blanks: str, indent: int) -> int:
    """How wide blanks are; a tab is one level, as it is in files that are indented with tabs."""
    return len(blanks.expandtabs(indent)) if "\t" in blanks else len(blanks)


def moved(text: str, shift: int, indent: int) -> str:
    """A comment whose first line has moved to the right, with its other lines moved as far.

    None of them moves out of the page, and they stay as they are among each other.
    """
    if not shift or "\n" not in text:
        return text
    first, *others = text.split("\n")
    widths = [width_of_blanks(line[: _indentation(line)], indent) for line in others]
    written = [width for line, width in zip(others, widths, strict=True) if line.strip()]
    shift = max(shift, -min(written, default=0))
    lines = [
        " " * (width + shift) + line[_indentation(line) :] if line.strip() else line
        for line, width in zip(others, widths, strict=True)
    ]
    return "\n".join([first, *lines])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(_BLANKS))


# ---------------------------------------------------------------- regions
# Gaps in pieces: what is formatted, and what `// formatting: off` leaves alone.


@attrs.frozen
class Piece:
    """A part of a gap that is formatted, or one that stays as it is."""

    text: str
    is_formatted: bool


def pieces_of(slots: list[Slot]) -> Iterator[tuple[Piece, ...]]:
    """For each token the pieces of the gap before it.

    A piece ends after the comment that switches, so that both comments stay where the author can see them.
    """
    is_on = True
    for slot in slots:
        found = []
        start = 0
        if "formatting:" in slot.prefix:
            for comment in gap_of(slot.prefix).comments:
                if comment.switch is not None and (comment.switch == "on") != is_on:
                    found.append(Piece(slot.prefix[start : comment.end], is_on and slot.is_formatted))
                    start = comment.end
                    is_on = not is_on
        yield (*found, Piece(slot.prefix[start:], is_on and slot.is_formatted))


def line_end_of(text: str, gaps: list[tuple[Piece, ...]]) -> str:
    r"""The line end that most formatted lines have; `\n` where there are as many of both.

    Only what is formatted counts, for these line ends become one, and the next run must not think otherwise.
    """
    windows = others = 0
    for pieces in gaps:
        for piece in pieces:
            if piece.is_formatted:
                more_windows, more_others = count_line_ends(piece.text)
                windows += more_windows
                others += more_others
    if not windows and not others:
        windows = text.count("\r\n")
        others = text.count("\n") - windows
    return "\r\n" if windows > others else "\n"
