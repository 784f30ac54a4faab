"""Who owns the blanks and comments between two tokens.

They are in the leaf of the token that follows, as its prefix. Up to its first line end a prefix belongs to what
comes before it (`Real x; // about x`). The comment lines directly above a token belong to that token. What a blank
line sets off belongs to nobody, and stays. Without a line end, all of it belongs to the token that follows.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final

from modelica_ast.foundation import Record
from modelica_ast.syntax.lexer import BLANK_CHARACTERS, TOKEN

# A line end inside a comment does not count; `//` leaves the `\r` of its line end alone.
_PIECE: Final = re.compile(r"//[^\n]*?(?=\r?\n|\Z)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|(\r?\n)|[\s\S]")


class Prefix(Record):
    """A prefix in its parts: `head` on the line before, then lines that each start with their line end."""

    head: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Prefix:
        """Take a prefix apart."""
        # Slices, not sums of pieces: a line of 200,000 comments would be copied for each of them.
        starts = [match.start() for match in _PIECE.finditer(text) if match[1]]
        if not starts:
            return cls(text, ())
        lines = (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))
        return cls(text[: starts[0]], tuple(lines))

    def __str__(self) -> str:
        return self.head + "".join(self.lines)

    @property
    def starts_line(self) -> bool:
        """Does its token start a line?"""
        return bool(self.lines)

    @property
    def below(self) -> str:
        """All from the first line end on."""
        return "".join(self.lines)

    @property
    def own_from(self) -> int:
        """The first of the lines that belong to the token: comments directly above it, and its own line."""
        first = len(self.lines) - 1
        while first > 0 and not is_blank(self.lines[first - 1]):
            first -= 1
        return max(first, 0)

    @property
    def kept(self) -> str:
        """The lines that stay when the token goes."""
        return "".join(self.lines[: self.own_from])

    @property
    def owned(self) -> str:
        """The lines that go with the token."""
        return "".join(self.lines[self.own_from :])

    @property
    def line_start(self) -> str:
        """Line end and indentation of the token's own line, without a comment that is there."""
        last = self.lines[-1] if self.lines else ""
        return last[: len(last) - len(last.lstrip(BLANK_CHARACTERS))]

    @property
    def has_blank_line(self) -> bool:
        """Is there an empty line right below the line end?"""
        return len(self.lines) > 1 and is_blank(self.lines[0])


class Owned(Record):
    """The comments that belong to something: the lines above it, one before it on its line, one at the end of that."""

    above: tuple[str, ...] = ()
    before: str = ""
    behind: str = ""

    @classmethod
    def of(cls, prefix: str, following: str, *, is_first: bool = False) -> Owned:
        """Those of a thing with this prefix, before one with another; `is_first` is for the first thing of a text."""
        own, after = Prefix.of(prefix), Prefix.of(following)
        # What shares its line with something before it does not own the comment at the end of the line.
        behind = after.head.strip() if after.starts_line and (own.starts_line or is_first) else ""
        if not own.starts_line:
            return cls((), own.head.strip(), behind)
        lines = tuple(line.strip() for line in own.lines[own.own_from :])
        return cls(lines[:-1], lines[-1], behind)

    def __bool__(self) -> bool:
        return bool(self.above or self.before or self.behind)

    def prefix(self, start: str) -> str:
        """The prefix of their owner on a line that starts like this, or ('') in the middle of one."""
        if not start:
            text = " ".join([*self.above, *([self.before] if self.before else [])])
            return text + " " if text else ""
        return "".join(start + line for line in self.above) + start + (self.before + " " if self.before else "")


def ends_line(comment: str) -> bool:
    """Does a comment, or the last of some, go to the end of its line?"""
    found = comments_in(comment)
    return bool(found) and found[-1].startswith("//")


def is_blank(text: str) -> bool:
    """Nothing but blanks and line ends?"""
    return not text.strip(BLANK_CHARACTERS)


def comments_in(prefix: str) -> list[str]:
    """The comments of a prefix, in order."""
    return [match[0] for match in _PIECE.finditer(prefix) if match[0].startswith(("//", "/*"))]


def with_comments(prefix: str, comments: list[tuple[str, str]], gone: str) -> str:
    """The prefix of what follows something that is gone, with comments that stay though they were about that.

    Each has the start of the line after it, which it ends if it goes to the end of its line.
    """
    new, old = Prefix.of(prefix), Prefix.of(gone)
    if not old.starts_line:
        blank = "" if gone[:1] in ("", "/") else " "
        text = blank + " ".join(text for text, _ in comments)
        if comments[-1][0].startswith("//") and not new.starts_line:
            return text + comments[-1][1] + prefix.lstrip(BLANK_CHARACTERS)
        return text + prefix
    above = 0  # lines that have stayed
    while above < min(old.own_from, len(new.lines)) and new.lines[above] == old.lines[above]:
        above += 1
    own = "".join(old.line_start + text for text, _ in comments)
    rest = "".join(new.lines[above:]) or old.line_start
    return new.head + "".join(new.lines[:above]) + own + rest


def ended_like(line: str, other: str) -> str:
    """A line that starts with a line end, with the line end that another one starts with, if that does."""
    ends = ("\n", "\r\n")
    if not (line.startswith(ends) and other.startswith(ends)):
        return line
    return other[: other.index("\n") + 1] + line[line.index("\n") + 1 :]


def after_removal(removed: str, following: str, *, is_last: bool = False, is_end: bool = False) -> str:
    """The prefix of what follows, when the thing with the prefix `removed` is gone with what it owns.

    Blank lines that set off the last one of several go with it. The line before it keeps its line end.
    """
    gone, after = Prefix.of(removed), Prefix.of(following)
    if not gone.starts_line:
        # It shared its line with something before it, which a comment at the end of the line may be about.
        return following
    if after.starts_line or (is_end and not following):  # the end of a file may be that of its last line
        kept = gone.own_from
        while kept and (after.has_blank_line or is_last) and is_blank(gone.lines[kept - 1]):
            kept -= 1
        return gone.head + "".join(gone.lines[:kept]) + ended_like(after.below, gone.lines[kept])
    # What follows was on the same line: it takes the place.
    return gone.head + gone.kept + gone.line_start + following.lstrip(" \t")


def around_insertion_after(following: str, line_start: str) -> tuple[str, str]:
    """(prefix of a new thing, new prefix of what follows) for a thing put after another.

    `line_start` is how its neighbours start their lines. Where what follows shares the line, so does the new thing.
    """
    after = Prefix.of(following)
    if after.starts_line:
        return after.head + ended_like(line_start or after.line_start, after.below), after.below
    return " ", following


def around_insertion_before(following: str, line_start: str) -> tuple[str, str]:
    """(prefix of a new thing, new prefix of what follows) for a thing put before another."""
    after = Prefix.of(following)
    if not after.starts_line:
        return following, line_start or " "
    return after.head + after.kept + ended_like(line_start or after.line_start, after.owned), after.owned


# ---------------------------------------------------------------- spacing
# How many blanks there are between two tokens on one line.
#
# The counts behind the choices are in docs/formatting.md: what the Standard Library does most is the style.


class Blanks(Enum):
    """What a token wants on one of its sides."""

    NONE = 0
    ONE = 1
    BOTH_OR_NONE = 2  # as the author has it, but the same on both sides
    KEPT = 3  # as the author has it: columns of a table


_Sides = tuple[Blanks | None, Blanks | None]

_NONE: Final = (Blanks.NONE, Blanks.NONE)
_ONE: Final = (Blanks.ONE, Blanks.ONE)
_CHOICE: Final = (Blanks.BOTH_OR_NONE, Blanks.BOTH_OR_NONE)
_ANY: Final = (None, None)

_BY_SYMBOL: Final[dict[str, _Sides]] = {
    "BOM": (None, Blanks.NONE),
    "RPAR": (Blanks.NONE, None),
    "RSQB": (Blanks.NONE, None),
    "RBRACE": (Blanks.NONE, None),
    "LBRACE": (None, Blanks.NONE),
    "LSQB": (Blanks.NONE, Blanks.NONE),
    "LPAR": (Blanks.NONE, Blanks.NONE),
    "SEMICOLON": (Blanks.NONE, None),
    "COMMA": (Blanks.NONE, Blanks.ONE),
    "DOT": _NONE,
}
_BY_PLACE: Final[dict[tuple[str, str], _Sides]] = {
    ("LPAR", "parenthesized"): (None, Blanks.NONE),
    ("LPAR", "multiple_assignment"): (None, Blanks.NONE),
    ("LSQB", "matrix"): (None, Blanks.NONE),
    ("SEMICOLON", "matrix"): (Blanks.NONE, Blanks.KEPT),
    ("COMMA", "output_expression_list"): _NONE,
    ("EQUALS", "modification"): _NONE,
    ("EQUALS", "named_argument"): _NONE,
    ("COLON", "range"): _NONE,
    ("MINUS", "unary"): (None, Blanks.NONE),
    ("PLUS", "unary"): (None, Blanks.NONE),
    ("DOT_MINUS", "unary"): (None, Blanks.NONE),
    ("DOT_PLUS", "unary"): (None, Blanks.NONE),
    ("DOT_STAR", "import_clause"): _NONE,
    ("STAR", "import_clause"): _NONE,
}
# Not those with a dot: `2.*x` is a number and a product.
_TIGHT_OPERATORS: Final = frozenset({"STAR", "SLASH", "POWER"})
_SUMS: Final = frozenset({"PLUS", "MINUS", "DOT_PLUS", "DOT_MINUS"})


def blanks_around(symbol: str, kind: str, around: str, *, is_tight: bool, is_first: bool) -> _Sides:
    """What a token wants before and after it; None leaves it to its neighbour.

    `kind` is the node that it is in and `around` the node around that. In a tight place, an index or a range,
    sums have blanks where the author likes them. The first token of its node may be the dot of `.Modelica`.
    """
    if symbol == "DOT" and is_first:
        return (None, Blanks.NONE)
    if kind == "binary":
        if symbol in _TIGHT_OPERATORS:
            return _NONE
        if symbol in _SUMS and is_tight:
            return _CHOICE
    elif symbol == "COMMA" and kind == "expression_list" and around == "matrix":
        return (Blanks.NONE, Blanks.KEPT)
    elif symbol == "COMMA" and kind == "array" and around == "plain":
        return _NONE
    elif symbol == "EQUALS" and kind == "modification" and not is_first:
        return _ONE  # `x(start=1) = 2`
    found = _BY_PLACE.get((symbol, kind))
    return _BY_SYMBOL.get(symbol, _ANY) if found is None else found


_ONE_TOKEN: Final = re.compile(TOKEN)
_QUOTES: Final = ('"', "'")  # nothing runs into a string or a quoted name


@lru_cache(maxsize=4096)
def run_together(before: str, token: str) -> bool:
    """Would two tokens without a blank between them read as something else?"""
    if before[-1:] in _QUOTES or token[:1] in _QUOTES:
        return False
    found = _ONE_TOKEN.match(before + token)
    return found is None or found[0] != before
