"""Strings that were left open, found by the classes that they swallow.

Where a quote is missing, all that follows is turned inside out: strings are code, and code is a string, up to the end
of the file. But lines go on to say where classes start and end. A string that holds `end A;` while A is open, or one
end of a class whose start is in another string, was not meant to be that long. It is cut before the first such line,
and what follows is read anew. Documentation may show whole classes: those start and end in one string.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from modelica_ast.lalr import Token
from modelica_ast.lexer import BLOCK_COMMENT, ILLEGAL, LINE_COMMENT, QUOTED, STRING, lex_on
from modelica_ast.outline import CLASS_WORDS
from modelica_ast.record import Record
from modelica_ast.tables import EOF, NUMBER

_IDENT: Final = NUMBER["IDENT"]
_CLASS_WORDS: Final = CLASS_WORDS | {NUMBER["END"]}
_CLASS: Final = (
    r"(?:(?:partial|encapsulated|redeclare|final|inner|outer|replaceable|expandable|pure|impure)[ \t]++)*+"
    r"(?:(?:operator[ \t]++)?(?:class|model|record|block|connector|type|package|function)|operator)[ \t]++"
    r"(?:extends[ \t]++)?"
)
_NAME: Final = r"([A-Za-z_][A-Za-z_0-9]*+|'(?:[^'\\\r\n]++|\\.)++')"
# With its line end before it. What has a body goes on with a description, a comment, an element, or the next line.
_BOUNDARY: Final = re.compile(
    rf"(?:\A|\r?\n)[ \t]*+(?:(?P<end>end[ \t]++){_NAME}[ \t]*+;"
    rf"|{_CLASS}{_NAME}(?=[ \t]*+(?:\"|//|/\*|[\r\nA-Za-z]|\Z)))"
)
# What hides boundaries: a string, closed or not, or a comment. A quoted identifier may have quotes in it.
_HIDING: Final = re.compile(rf'({STRING})|{LINE_COMMENT}|{BLOCK_COMMENT}|{QUOTED}|("|/\*)')
# So many times the length of the text may be read again; it never is, unless somebody tries.
_MOST_READ_AGAIN: Final = 8


class Cut(Record):
    """A string that ends too late."""

    doubtful_from: int  # behind the last line that starts or ends a class in code: what follows may be inside out
    quote: int
    end: int  # the line end before the first class boundary in the string


class _Boundary(Record):
    """A line that starts or ends a class."""

    start: int  # of its line end before
    behind: int
    name: str
    is_end: bool


def lex_apart(text: str, *, lazy: bool) -> list[Token]:
    """Like `lex_on`, with strings cut that swallow classes: what is left of one is a leaf that is no token."""
    tokens: list[Token] = []
    at = 0
    for cut in cuts_of(text):
        _add(tokens, lex_on(text[at : cut.doubtful_from], lazy=lazy))
        first, *others = lex_on(text[cut.doubtful_from : cut.quote], lazy=lazy)
        _add(tokens, [first if cut.doubtful_from == 0 else _as_name(first), *map(_as_name, others)])
        _add(tokens, [(text[cut.quote : cut.end], ILLEGAL), ("", EOF)])
        at = cut.end
    _add(tokens, lex_on(text[at:], lazy=lazy))
    return tokens


def _add(tokens: list[Token], more: list[Token]) -> None:
    """Put the leaves of the next piece behind those of the last, in place of its end."""
    blanks = tokens.pop()[0] if tokens else ""
    tokens += [(blanks + more[0][0], more[0][1]), *more[1:]]


def _as_name(token: Token) -> Token:
    """What was in a string says "the model of a car" and "at the end of it", and no class starts or ends there.

    At the start of a line such a word may still be meant.
    """
    leaf, kind = token
    return (leaf, _IDENT) if kind in _CLASS_WORDS and "\n" not in leaf else token


def cuts_of(text: str) -> list[Cut]:
    """Where to cut the strings that swallow classes, in the order of the text."""
    boundaries = [_Boundary(*m.span(), m[2] or m[3], m["end"] is not None) for m in _BOUNDARY.finditer(text)]
    return _Scan(text, boundaries).run() if boundaries else []


class _Names:
    """The names of open classes, the innermost last."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return bool(self._counts[name])

    def add(self, name: str) -> None:
        self.names.append(name)
        self._counts[name] += 1

    def close(self, name: str) -> None:
        """Close a class, and those in it that were never closed."""
        while True:
            last = self.names.pop()
            self._counts[last] -= 1
            if last == name:
                break


class _Scan:
    """One pass over a text, which goes back to where it cuts."""

    def __init__(self, text: str, boundaries: list[_Boundary]) -> None:
        self.text = text
        self.boundaries = boundaries
        self.next = 0  # number of the first boundary that was not passed yet
        self.open = _Names()
        self.trusted = 0
        # Classes that start in a string and do not end there, and where to cut if they end in another one.
        self.half: set[str] = set()
        self.suspect: tuple[int, int, int] | None = None  # quote, end of the cut, number of its boundary

    def run(self) -> list[Cut]:
        cuts: list[Cut] = []
        at = 0
        allowance = _MOST_READ_AGAIN * len(self.text)
        while (hiding := _HIDING.search(self.text, at)) is not None:
            start, end = hiding.span()
            if hiding[2]:
                end = len(self.text)
            self._pass_code(start)
            first = self.next
            while self.next < len(self.boundaries) and self.boundaries[self.next].start < end:
                self.next += 1
            at = end
            is_string = self.text[start] == '"'
            if first < self.next and is_string and self._is_too_long(start, first, is_closed=hiding[2] is None):
                assert self.suspect is not None
                quote, cut, self.next = self.suspect
                allowance -= end - cut
                if allowance < 0:
                    break
                cuts.append(Cut(self.trusted, quote, cut))
                at = self.trusted = cut
                self._forget()
        return cuts

    def _forget(self) -> None:
        self.half = set()
        self.suspect = None

    def _pass_code(self, end: int) -> None:
        """Take the boundaries that stand in code up to a place; after one of them nothing before it is in doubt."""
        while self.next < len(self.boundaries) and self.boundaries[self.next].start < end:
            boundary = self.boundaries[self.next]
            self.next += 1
            self.trusted = boundary.behind
            self._forget()
            if not boundary.is_end:
                self.open.add(boundary.name)
            elif boundary.name in self.open:
                self.open.close(boundary.name)

    def _is_too_long(self, quote: int, first: int, *, is_closed: bool) -> bool:
        """Does a string with boundaries in it end too late? If that is not sure yet, it is kept in mind."""
        inside = _Names()
        is_too_long = not is_closed
        for boundary in self.boundaries[first : self.next]:
            if not boundary.is_end:
                inside.add(boundary.name)
            elif boundary.name in inside:
                inside.close(boundary.name)
            elif boundary.name in self.half or boundary.name in self.open:
                is_too_long = True
                break
        if (inside.names or is_too_long) and self.suspect is None:
            self.suspect = (quote, self.boundaries[first].start, first)
        self.half.update(inside.names)
        return is_too_long
