"""Text to leaves: one regular expression, built from the grammar's terminals.

A leaf is the blanks and comments before a token and the token, as one string, so nothing is lost and
`"".join(leaves)` is the text. Every quantifier is possessive: the time is linear whatever the input.
"""

from __future__ import annotations

import re
from typing import Final

from modelica_ast.tables import EOF, LITERALS, NUMBER, PATTERNS

ILLEGAL: Final = -1  # the kind of the part of a text that is no token: from its first character to the end

# Blanks, comments, quoted identifiers and strings are spelled anew, without backtracking; tests hold them
# against the grammar's own patterns.
BLANK_CHARACTERS: Final = " \t\r\n\f\v\u00a0"
_BLANKS = r"[ \t\r\n\f\v\u00a0]*+"
_LINE_COMMENT = r"//[^\n]*+"
_BLOCK_COMMENT = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
_QUOTED = r"'(?:[^'\\\r\n]++|\\.)++'"
_STRING = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"'
_WORD = r"[A-Za-z_][A-Za-z_0-9]*+"
TRIVIA: Final = rf"{_BLANKS}(?:(?:{_LINE_COMMENT}|{_BLOCK_COMMENT}){_BLANKS})*+"

# An annotation whose parentheses nest deeper than this is parsed at once: a regular expression can't count.
LAZY_DEPTH: Final = 6
# PERF: leaves up to this length are kept once each; longer ones are mostly comments and repeat rarely.
_INTERNED_LENGTH = 60
_INTERNED_LEAVES = 1 << 19
_ILLEGAL_CHARACTERS = 100


def _token_pattern() -> str:
    operators = [text for text in LITERALS if not text.isalpha() and text != "\ufeff"]
    starts_longer = {o for o in operators for longer in operators if o != longer and longer.startswith(o)}
    # A slash that opens a comment which never closes is no operator, hence its look-ahead.
    alone = [o for o in operators if len(o) == 1 and o not in starts_longer and o != "/"]
    others = sorted(starts_longer | {o for o in operators if len(o) > 1}, key=lambda o: (-len(o), o))
    # PERF: words first, then brackets and separators, for that is what most tokens are. Numbers before `.`.
    return "|".join(
        [
            _WORD,
            "[" + "".join(map(re.escape, alone)) + "]",
            PATTERNS["UNSIGNED_NUMBER"],
            _STRING,
            *map(re.escape, others),
            "/(?![/*])",
            _QUOTED,
            "\ufeff",
        ]
    )


def _balanced_parentheses(depth: int) -> str:
    plain = r"""[^()"/']*+"""
    atom = rf"{_STRING}|{_LINE_COMMENT}|{_BLOCK_COMMENT}|/(?![/*])|{_QUOTED}"
    pattern = rf"\({plain}(?:(?:{atom}){plain})*+\)"
    for _ in range(depth - 1):
        pattern = rf"\({plain}(?:(?:{atom}|{pattern}){plain})*+\)"
    return pattern


TOKEN: Final = _token_pattern()
_LAZY_ANNOTATION = rf"annotation{TRIVIA}{_balanced_parentheses(LAZY_DEPTH)}"
# What is no token takes all that follows it: one scan, however many quotes are left open.
_LAZY_LEAVES = re.compile(rf"{TRIVIA}(?:{_LAZY_ANNOTATION}|{TOKEN}|\Z|[\s\S]++)")
_ALL_LEAVES = re.compile(rf"{TRIVIA}(?:{TOKEN}|\Z|[\s\S]++)")
_TRIVIA = re.compile(TRIVIA)
_ONE_TOKEN = re.compile(TOKEN)

_STRING_KIND = NUMBER["STRING"]
_IDENT_KIND = NUMBER["IDENT"]
_NUMBER_KIND = NUMBER["UNSIGNED_NUMBER"]
_LAZY_KIND = NUMBER["LAZY_ANNOTATION"]
_SECTION_KEYWORDS = frozenset({NUMBER["EQUATION"], NUMBER["ALGORITHM"]})
_CLOSED_BY_END = frozenset({NUMBER[name] for name in ("IDENT", "IF", "FOR", "WHEN", "WHILE")})


def split_leaf(leaf: str) -> tuple[str, str]:
    """(blanks and comments, token) of a leaf."""
    end = trivia_length(leaf)
    return leaf[:end], leaf[end:]


def trivia_length(leaf: str) -> int:
    """How many characters of blanks and comments a leaf, or any text, starts with."""
    return _TRIVIA.match(leaf).end()  # type: ignore[union-attr]  # it matches the empty text too


def token_text(leaf: str) -> str:
    """The token of a leaf, without what stands before it."""
    return leaf[_TRIVIA.match(leaf).end() :]  # type: ignore[union-attr]


class _Kinds(dict[str, int]):
    """leaf -> number of its terminal, remembered for short leaves; `canonical` keeps one object for each."""

    def __init__(self) -> None:
        super().__init__()
        self.canonical: dict[str, str] = {}
        self.literals = {text: NUMBER[name] for text, name in LITERALS.items()}
        # Which `end` it is depends on what follows; see `lex`.
        self.literals["end"] = NUMBER["END"]

    def __missing__(self, leaf: str) -> int:
        text = leaf.lstrip(BLANK_CHARACTERS)
        if text[:1] == '"':
            return _STRING_KIND  # PERF: strings hardly repeat, they are not remembered
        if text[:1] == "/":
            text = token_text(text)
        if not text:
            return EOF
        kind = self.literals.get(text)
        if kind is None:
            first = text[0]
            if first == '"':
                return _STRING_KIND
            if first == "a" and text[-1] == ")":
                return _LAZY_KIND
            kind = _NUMBER_KIND if first in "0123456789." else _IDENT_KIND
        if len(leaf) < _INTERNED_LENGTH:
            if len(self) > _INTERNED_LEAVES:
                self.clear()
                self.canonical.clear()
            self[leaf] = kind
            self.canonical[leaf] = leaf
        return kind


# A memo of pure facts about leaves, shared by all parses of a process: equal leaves of many files are one
# object. Concurrent threads can at worst compute a fact twice.
_KINDS: Final = _Kinds()


def kind_of(leaf: str) -> int:
    """The terminal of one leaf (`initial` and `end` as they are in most places)."""
    return _KINDS[leaf]


def lex(text: str, *, lazy: bool) -> tuple[list[str], list[int]]:
    """Leaves and their kinds; the last leaf is the end of the file and holds what stands before it."""
    leaves = (_LAZY_LEAVES if lazy else _ALL_LEAVES).findall(text)
    if len(leaves) > 1 and trivia_length(leaves[-2]) == len(leaves[-2]):
        leaves.pop()  # the expression matched blanks up to the end, and then the end once more
    illegal = len(leaves) > 1 and _is_illegal(leaves[-2])
    if illegal:
        bad = leaves[-2]
        leaves[-2:] = [bad[: trivia_length(bad)]]  # for the memo: an end of the file
    leaves = list(map(_KINDS.canonical.get, leaves, leaves))
    kinds = list(map(_KINDS.__getitem__, leaves))
    if illegal:
        leaves[-1:] = [bad, ""]
        kinds[-1:] = [ILLEGAL, EOF]
    _tell_apart(kinds)
    return leaves, kinds


def lex_on(text: str, *, lazy: bool) -> tuple[list[str], list[int]]:
    """Like `lex`, but a character that is no token is a leaf of its own and the text behind it counts.

    Where a string or comment is left open, nothing behind it can be trusted. Nor after a hundred such
    characters: that is no Modelica, and each costs a copy of the rest.
    """
    leaves: list[str] = []
    kinds: list[int] = []
    for _ in range(_ILLEGAL_CHARACTERS):
        more, more_kinds = lex(text, lazy=lazy)
        if len(more) < 2 or more_kinds[-2] != ILLEGAL:  # noqa: PLR2004
            break
        blanks, bad = split_leaf(more[-2])
        if bad[0] == '"' or bad.startswith("/*"):
            break
        leaves += [*more[:-2], blanks + bad[0]]
        kinds += [*more_kinds[:-2], ILLEGAL]
        text = bad[1:]
    else:
        more, more_kinds = lex(text, lazy=lazy)
    return leaves + more, kinds + more_kinds


def _is_illegal(leaf: str) -> bool:
    """Is this last leaf before the end no token? (A lazy annotation is one and more than a TOKEN.)"""
    text = token_text(leaf)
    token = _ONE_TOKEN.match(text)
    if token is None:
        return True
    return token.end() != len(text) and not (token[0] == "annotation" and text[-1] == ")")


def _tell_apart(kinds: list[int]) -> None:
    """`initial` before a section keyword is another terminal than the function; so is `end` as an index."""
    initial, end = NUMBER["INITIAL"], NUMBER["END"]
    at = -1
    try:
        while True:
            at = kinds.index(initial, at + 1)
            if kinds[at + 1] in _SECTION_KEYWORDS:
                kinds[at] = NUMBER["INITIAL_SECTION"]
    except ValueError:
        at = -1  # no further `initial`
    try:
        while True:
            at = kinds.index(end, at + 1)
            if kinds[at + 1] not in _CLOSED_BY_END:
                kinds[at] = NUMBER["END_SUBSCRIPT"]
    except ValueError:
        return  # no further `end`
