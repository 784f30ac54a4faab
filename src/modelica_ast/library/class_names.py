"""The names of all classes in a text, by a scan over its tokens: nothing is parsed."""

from __future__ import annotations

from typing import Final

from modelica_ast.lexer import lex, token_text
from modelica_ast.tables import NUMBER

_CLASS_WORDS: Final = frozenset(
    NUMBER[name] for name in "CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR".split()
)
_IDENT, _END, _EXTENDS, _EQUALS, _LPAR, _RPAR = (
    NUMBER[name] for name in ("IDENT", "END", "EXTENDS", "EQUALS", "LPAR", "RPAR")
)
_NOTABLE: Final = _CLASS_WORDS | {_END, _LPAR, _RPAR}


def class_names(text: str) -> list[str]:
    """The dotted names of all classes of a file, without its `within`, in source order."""
    tokens = lex(text, lazy=True, phrases=True)
    found: list[str] = []
    around: list[str] = []
    depth = 0
    # PERF: a library has a million tokens; few of them are of interest.
    for at in [at for at, (_, kind) in enumerate(tokens) if kind in _NOTABLE]:
        kind = tokens[at][1]
        if kind == _LPAR:
            depth += 1
        elif kind == _RPAR:
            depth -= 1
        elif depth > 0:  # `redeclare package Medium = Water` in a modifier
            continue
        elif kind == _END:
            if around and tokens[at + 1][1] == _IDENT and token_text(tokens[at + 1][0]) == around[-1]:
                around.pop()
        else:
            place = at + 2 if tokens[at + 1][1] == _EXTENDS else at + 1
            if tokens[place][1] != _IDENT:
                continue
            name = token_text(tokens[place][0])
            found.append(".".join([*around, name]))
            if tokens[place + 1][1] != _EQUALS:
                around.append(name)
    return found
