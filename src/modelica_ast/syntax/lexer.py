"""Text to leaves: one regular expression, built from the grammar's terminals.

A leaf is the blanks and comments before a token and the token, as one string, so nothing is lost and
`"".join(leaves)` is the text. Every quantifier is possessive: the time is linear whatever the input.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from modelica_ast.syntax.lalr import Green, Leaf, Node, Token
from modelica_ast.syntax.tables import (
    DOTTED_NAME,
    EOF,
    INITIAL_WORD,
    LITERALS,
    NUMBER,
    NUMBER_ARRAY,
    PATTERNS,
    expression_production,
)

ILLEGAL: Final = -1  # the kind of the part of a text that is not a token: from its first character to the end

# Blanks, comments, quoted identifiers and strings are spelled again, without backtracking; tests hold them
# against the grammar's own patterns.
BLANK_CHARACTERS: Final = " \t\r\n\f\v\u00a0"
_BLANKS = r"[ \t\r\n\f\v\u00a0]*+"
LINE_COMMENT: Final = r"//[^\n]*+"
BLOCK_COMMENT: Final = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
QUOTED: Final = r"'(?:[^'\\\r\n]++|\\.)++'"
STRING: Final = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"'
_WORD = r"[A-Za-z_][A-Za-z_0-9]*+"
_NUMBER = r"[0-9]++(?:\.[0-9]*+)?+(?:[eE][+-]?+[0-9]++)?+"  # all but those that begin with a dot
TRIVIA: Final = rf"{_BLANKS}(?:(?:{LINE_COMMENT}|{BLOCK_COMMENT}){_BLANKS})*+"

# An annotation whose parentheses nest deeper than this is parsed at once: a regular expression can't count.
LAZY_DEPTH: Final = 6
# PERF: leaves up to this length are kept once each; longer ones are mostly comments and repeat rarely.
_INTERNED_LENGTH = 60
_INTERNED_LEAVES = 1 << 19
_ILLEGAL_CHARACTERS = 100


def _token_patterns() -> list[str]:
    """The alternatives of a token: brackets and separators first, then words, then all others."""
    operators = [text for text in LITERALS if not text.isalpha() and text != "\ufeff"]
    starts_longer = {o for o in operators for longer in operators if o != longer and longer.startswith(o)}
    # A slash that opens a comment which never closes is not an operator, hence its look-ahead.
    alone = [o for o in operators if len(o) == 1 and o not in starts_longer and o != "/"]
    others = sorted(starts_longer | {o for o in operators if len(o) > 1}, key=lambda o: (-len(o), o))
    # PERF: in the order of how many there are. Numbers before `.`.
    return [
        "[" + "".join(map(re.escape, alone)) + "]",
        _WORD,
        PATTERNS["UNSIGNED_NUMBER"],
        STRING,
        *map(re.escape, others),
        "/(?![/*])",
        QUOTED,
        "\ufeff",
    ]


def _balanced_parentheses(depth: int) -> str:
    plain = r"""[^()"/']*+"""
    atom = rf"{STRING}|{LINE_COMMENT}|{BLOCK_COMMENT}|/(?![/*])|{QUOTED}"
    pattern = rf"\({plain}(?:(?:{atom}){plain})*+\)"
    for _ in range(depth - 1):
        pattern = rf"\({plain}(?:(?:{atom}|{pattern}){plain})*+\)"
    return pattern


_BRACKETS, _, *_OTHERS = _token_patterns()
TOKEN: Final = "|".join([_BRACKETS, _WORD, *_OTHERS])
_LAZY_ANNOTATION = rf"annotation{TRIVIA}{_balanced_parentheses(LAZY_DEPTH)}"
# PERF: `A.B.c` as one leaf, where it is a name and nothing more belongs to it.
_NAME = rf"(?<=\.){_WORD}|{_WORD}(?:(?:\.{_WORD})++(?![\[.]))?+"
# PERF: so is `{{-10,-10},{10,10}}`: 41 % of all tokens of the Standard Library are in arrays of numbers. Of any other
# array only the brace is a leaf. No more than two levels are tried, so no text is scanned more than three times.
_ITEM = rf"{_BLANKS}-?+{_NUMBER}"
_ITEMS = rf"{_ITEM}(?:,{_ITEM})*+\}}"
_ROW = rf"{_BLANKS}\{{{_ITEMS}"
_ARRAY = rf"\{{(?:{_ITEMS}|{_ROW}(?:,{_ROW})*+\}})?+"
_TRIVIA = re.compile(TRIVIA)
_ONE_TOKEN = re.compile(TOKEN)


@cache
def _leaves(*, lazy: bool, phrases: bool) -> re.Pattern[str]:
    """Splits a text into leaves; compiled when first used, for few programs need all four."""
    annotation = [_LAZY_ANNOTATION] if lazy else []
    token = first = "|".join([_BRACKETS, *annotation, _NAME if phrases else _WORD, *_OTHERS])
    if phrases:
        # PERF: after the names, of which there are more, and not after comments, where arrays are rare: each copy of
        # this pattern takes 0.5 ms to compile.
        first = "|".join([_BRACKETS.replace(r"\{", ""), *annotation, _NAME, _ARRAY, *_OTHERS])
    comments = rf"(?:(?:{LINE_COMMENT}|{BLOCK_COMMENT}){_BLANKS})++"
    # What is not a token takes all that follows it: one scan, however many quotes are left open.
    rest = r"\Z|[\s\S]++"
    # PERF: comments are rare, so they are tried when nothing else fits.
    return re.compile(rf"{_BLANKS}(?:{first}|{comments}(?:{token}|{rest})|{rest})")


_STRING_KIND = NUMBER["STRING"]
_IDENT_KIND = NUMBER["IDENT"]
_NUMBER_KIND = NUMBER["UNSIGNED_NUMBER"]
_LAZY_KIND = NUMBER["LAZY_ANNOTATION"]
_END = NUMBER["END"]
_CLOSED_BY_END = frozenset({NUMBER[name] for name in ("IDENT", "IF", "FOR", "WHEN", "WHILE")})


def split_leaf(leaf: str) -> tuple[str, str]:
    """(blanks and comments, token) of a leaf."""
    end = trivia_length(leaf)
    return leaf[:end], leaf[end:]


def trivia_length(leaf: str) -> int:
    """How many characters of blanks and comments a leaf, or any text, starts with."""
    return _TRIVIA.match(leaf).end()  # type: ignore[union-attr]  # it matches the empty text too


def token_text(leaf: str) -> str:
    """The token of a leaf, without what comes before it."""
    return leaf[_TRIVIA.match(leaf).end() :]  # type: ignore[union-attr]


class _Tokens(dict[str, Token]):
    """leaf -> token, remembered for short leaves, so that equal leaves are one object."""

    def __init__(self) -> None:
        super().__init__()
        self.literals = {text: NUMBER[name] for text, name in LITERALS.items()}
        # What these two are depends on what is around them: the loop finds out.
        self.literals |= {"end": _END, "initial": INITIAL_WORD}

    def __missing__(self, leaf: str) -> Token:
        # PERF: strings and annotations hardly repeat, they are not remembered.
        if leaf[-1:] == '"' and "//" not in leaf and "/*" not in leaf:  # no other token ends so; a comment may
            return leaf, _STRING_KIND
        text = leaf.lstrip(BLANK_CHARACTERS)
        if text[:1] == "/":
            text = token_text(text)
        first = text[:1]
        if first == '"':
            return leaf, _STRING_KIND
        if first == "a" and text[-1] == ")":
            return leaf, _LAZY_KIND
        if not first:
            return leaf, EOF
        kind = self.literals.get(text)
        if kind is None:
            kind = _NUMBER_KIND if first in "0123456789." else self._kind_of_phrase(text)
        token = (leaf, kind)
        if len(leaf) < _INTERNED_LENGTH:
            if len(self) > _INTERNED_LEAVES:
                self.clear()
            self[leaf] = token
        return token

    def _kind_of_phrase(self, text: str) -> int:
        if text[0] == "{":
            return NUMBER_ARRAY
        if "." not in text or text[0] == "'":
            return _IDENT_KIND
        return ILLEGAL if any(part in self.literals for part in text.split(".")) else DOTTED_NAME


# A memo of pure facts about leaves, shared by all parses of a process: equal leaves of many files are one
# object. Concurrent threads can at worst compute a fact twice.
_TOKENS: Final = _Tokens()


def kind_of(leaf: str) -> int:
    """The terminal of one leaf (`initial` and `end` as they are in most places)."""
    kind = _TOKENS[leaf][1]
    return kind if kind != INITIAL_WORD else NUMBER["INITIAL"]


def lex(text: str, *, lazy: bool, phrases: bool = False) -> list[Token]:
    """Leaves and their kinds; the last leaf is the end of the file and holds what comes before it.

    With `phrases` a dotted name is one leaf of a kind of its own, and so is an array of numbers. That is for the loop's
    fast way, which may refuse what the grammar takes.
    """
    leaves = _leaves(lazy=lazy, phrases=phrases).findall(text)
    if len(leaves) > 1 and trivia_length(leaves[-2]) == len(leaves[-2]):
        leaves.pop()  # the expression matched blanks up to the end, and then the end once more
    if len(leaves) > 1 and _is_illegal(leaves[-2]):
        bad = leaves[-2]
        del leaves[-2:]
        tokens = [*map(_TOKENS.__getitem__, leaves), (bad, ILLEGAL), ("", EOF)]
    else:
        tokens = list(map(_TOKENS.__getitem__, leaves))
    if not phrases:
        _tell_ends_apart(tokens)
    return tokens


def _tell_ends_apart(tokens: list[Token]) -> None:
    """`end` without a name is an index; that it closes nothing is then said at `end`, not at what follows it."""
    for at, (leaf, kind) in enumerate(tokens):
        if kind == _END and tokens[at + 1][1] not in _CLOSED_BY_END:
            tokens[at] = (leaf, NUMBER["END_SUBSCRIPT"])


def remembered(leaf: str) -> str:
    """A leaf as the one object that is kept for all equal ones."""
    return _TOKENS[leaf][0]


def lex_on(text: str, *, lazy: bool) -> list[Token]:
    """Like `lex`, but a character that is not a token is a leaf of its own and the text after it counts.

    Where a string or comment is left open, nothing after it can be trusted. Nor after a hundred such
    characters: that is not Modelica, and each costs a copy of the rest.
    """
    tokens: list[Token] = []
    for _ in range(_ILLEGAL_CHARACTERS):
        more = lex(text, lazy=lazy)
        if len(more) < 2 or more[-2][1] != ILLEGAL:  # noqa: PLR2004
            break
        blanks, bad = split_leaf(more[-2][0])
        if bad[0] == '"' or bad.startswith("/*"):
            break
        tokens += [*more[:-2], (blanks + bad[0], ILLEGAL)]
        text = bad[1:]
    else:
        more = lex(text, lazy=lazy)
    return tokens + more


def _is_illegal(leaf: str) -> bool:
    """Is this last leaf before the end not a token? (A lazy annotation or a phrase begins with one.)"""
    return _ONE_TOKEN.match(token_text(leaf)) is None


# ---------------------------------------------------------------- phrases
# Several tokens that the lexer left in one leaf, as the nodes that the loop would make of them one by one.
#
# The loop remembers these nodes by their text, and an array of numbers remembers its rows: names and coordinates
# repeat. So equal rows of all files are one object, as equal names are. Concurrent threads can at worst make one
# twice.

_REMEMBERED_ROWS: Final = 1 << 16
_REMEMBERED_LENGTH: Final = 60

# What follows the opening brace of an array that the lexer has taken for one: items or rows, commas, and a brace.
_ITEM_PIECES: Final = re.compile(r"[^,}]++|[,}]")
_ROW_PIECES: Final = re.compile(r"[^{,}]*+\{[^}]++\}|[,}]")
_PIECES_OF_ONE: Final = 2  # an item or row, and the brace
_UNSIGNED: Final = "0123456789,}"  # what a piece of a row starts with that has neither a sign nor blanks before one


def _name(production: int, leaf: Leaf) -> Node | list[Leaf]:
    """The node of a dotted name, or its leaves where it begins a list."""
    blanks, name = split_leaf(leaf)
    first, *others = name.split(".")
    parts = [blanks + first]
    for part in others:
        parts += (".", part)
    leaves = map(remembered, parts)
    return (production, *leaves) if production >= 0 else list(leaves)


@cache
def _productions() -> tuple[int, int, int]:
    """Those of an array of one, of an array of several, and of a number with a sign, as the table has them."""
    number = "UNSIGNED_NUMBER"
    terminals = (f"LBRACE {number} RBRACE", f"LBRACE {number} COMMA {number} RBRACE", f"MINUS {number}")
    one, several, signed = map(expression_production, terminals)
    return one, several, signed


class _Rows(dict[str, Green]):
    """A row of an array with the blanks before it, or what is between rows -> its green tree."""

    def __missing__(self, piece: str) -> Green:
        text = piece.lstrip(BLANK_CHARACTERS)
        found = _with_trivia(piece[: -len(text)], _row(text)) if text[0] == "{" else piece
        if len(piece) < _REMEMBERED_LENGTH:
            if len(self) > _REMEMBERED_ROWS:
                self.clear()
            self[piece] = found
        return found


_ROWS: Final = _Rows()


def _array(_: int, leaf: Leaf) -> Node:
    """The node of an array of numbers; how many it has decides on its production."""
    trivia, text = ("", leaf) if leaf[0] == "{" else split_leaf(leaf)
    return _with_trivia(trivia, _row(text) if text.find("{", 1) < 0 else _nested(text))


def _nested(text: str) -> Node:
    """The node of `{{1,2},{3,4}}`."""
    pieces = _ROW_PIECES.findall(text, 1)
    one, several, _ = _productions()
    return (one if len(pieces) == _PIECES_OF_ONE else several, "{", *map(_ROWS.__getitem__, pieces))  # type: ignore[return-value]  # see `_row`


def _row(text: str) -> Node:
    """The node of `{1,-2}`.

    PERF: numbers are not remembered. Those of large tables hardly repeat, and a memo that takes them makes the first
    parse of a library 5 % slower and later ones no faster.
    """
    leaves: list[Leaf] = _ITEM_PIECES.findall(text, 1)
    one, several, signed = _productions()
    production = one if len(leaves) == _PIECES_OF_ONE else several
    if "-" not in text:
        return (production, "{", *leaves)  # type: ignore[return-value]  # mypy takes no leaf before the star
    found = [leaf if leaf[0] in _UNSIGNED else _number(leaf, signed) for leaf in leaves]
    return (production, "{", *found)  # type: ignore[return-value]  # the same


def _number(leaf: Leaf, signed: int) -> Green:
    """A number that may have a sign; the minus of an exponent is not one."""
    before, minus, digits = leaf.partition("-")
    return leaf if before.strip(BLANK_CHARACTERS) else (signed, before + minus, digits)


def _with_trivia(trivia: str, node: Node) -> Node:
    """The same node with blanks and comments before it."""
    if not trivia:
        return node
    production, first, *others = node  # type: ignore[misc]  # an array is not empty
    return (production, remembered(trivia + first), *others)


BUILDERS: Final[dict[int, Callable[[int, Leaf], Node | list[Leaf]]]] = {DOTTED_NAME: _name, NUMBER_ARRAY: _array}


# ---------------------------------------------------------------- string literals
# Modelica string literals to Python strings and back (section 2.4.3 of the specification).

_ESCAPES: Final = {
    "\\'": "'",
    '\\"': '"',
    "\\?": "?",
    "\\\\": "\\",
    "\\a": "\a",
    "\\b": "\b",
    "\\f": "\f",
    "\\n": "\n",
    "\\r": "\r",
    "\\t": "\t",
    "\\v": "\v",
}
_ESCAPE: Final = re.compile(r"\\[\s\S]")
# What must be escaped in a literal. Line ends and tabs may be as they are, and documentation looks better so.
_MUST_ESCAPE: Final = {"\\": "\\\\", '"': '\\"', "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
_TO_ESCAPE: Final = re.compile("[" + "".join(map(re.escape, _MUST_ESCAPE)) + "]")


def unquote(literal: str) -> str:
    r"""`"a\nb"` with its quotes -> the text. An escape that the specification does not know stays as it is."""
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[0], match[0]), literal[1:-1])


def quote(text: str) -> str:
    """The text as a literal with its quotes; line ends stay real line ends."""
    return '"' + _TO_ESCAPE.sub(lambda match: _MUST_ESCAPE[match[0]], text) + '"'


def unknown_escapes(literal: str) -> list[int]:
    """Offsets of escapes that the specification does not know."""
    return [match.start() for match in _ESCAPE.finditer(literal) if match[0] not in _ESCAPES]
