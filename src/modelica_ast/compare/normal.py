"""What a text means, apart from what tools do to it: blanks, line ends, how a number is written.

The normal form of a piece of Modelica is a tuple of texts, one for each token and comment. Two pieces with the same
normal form differ in noise alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from modelica_ast.green import Green, leaves
from modelica_ast.lexer import lex, split_leaf

Normal = tuple[str, ...]

_COMMENT: Final = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_NUMBER: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
_LONGEST_EXPONENT: Final = 20  # digits; Python refuses to read numbers of thousands of digits


def comments_of(trivia: str) -> Normal:
    """The comments in a stretch of blanks and comments; how their lines are indented does not count."""
    if "/" not in trivia:
        return ()
    return tuple("\n".join(line.strip() for line in each.splitlines()) for each in _COMMENT.findall(trivia))


def normal_of(greens: Iterable[Green]) -> Normal:
    """The normal form of subtrees that stand side by side; comments count, but not those before the first token."""
    found: list[str] = []
    is_first = True
    for green in greens:
        for leaf in leaves(green):
            trivia, token = split_leaf(leaf)
            if not is_first and trivia:
                found += comments_of(trivia)
            if token:
                found += _normal_token(token)
            is_first = False
    return tuple(found)


def _normal_token(token: str) -> Normal:
    first = token[0]
    if first in "0123456789" or (first == "." and len(token) > 1 and token[1] in "0123456789"):
        return (normal_number(token),)
    if first == "a" and token[-1] == ")":  # an annotation that nobody has read
        return _normal_annotation(token)
    return (token.replace("\r\n", "\n"),) if first == '"' else (token,)


@lru_cache(maxsize=256)
def _normal_annotation(token: str) -> Normal:
    return normal_of(leaf for leaf, _ in lex(token, lazy=False))


@lru_cache(maxsize=4096)
def normal_number(text: str) -> str:
    """One text for all ways to write a number: `1.50`, `1.5` and `15e-1` are one; so are `1` and `1.0`."""
    match = _NUMBER.fullmatch(text)
    if match is None or len(match[3] or "") > _LONGEST_EXPONENT:
        return text
    fraction = match[2] or ""
    digits = (match[1] + fraction).lstrip("0")
    exponent = int(match[3] or "0") - len(fraction)
    stripped = digits.rstrip("0")
    if not stripped:
        return "0"
    return f"{stripped}e{exponent + len(digits) - len(stripped)}"
