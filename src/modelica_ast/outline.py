"""Where the classes of a text are, found by their `class Name` and `end Name` alone, however broken the rest is."""

from __future__ import annotations

from collections import Counter
from typing import Final

import attrs

from modelica_ast.lalr import Token
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.tables import NUMBER

CLASS_WORDS: Final = frozenset(
    NUMBER[name] for name in "CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR".split()
)
_PREFIXES: Final = frozenset(
    NUMBER[name]
    for name in "PARTIAL OPERATOR EXPANDABLE PURE IMPURE ENCAPSULATED REDECLARE FINAL INNER OUTER REPLACEABLE".split()
)
_IDENT, _END, _EXTENDS, _SEMICOLON = (NUMBER[name] for name in ("IDENT", "END", "EXTENDS", "SEMICOLON"))
# Behind the name of a class with a body none of these can stand: `type T = …`, `function f(…)` as an argument.
_NO_BODY: Final = frozenset(NUMBER[name] for name in ("EQUALS", "LPAR", "DOT", "RPAR", "COMMA"))


@attrs.define
class ClassSpan:
    """A class with a body, by its leaves: from its first prefix to behind its `end Name;`."""

    name: str
    start: int
    indent: int
    parent: int | None
    end: int = -1
    end_keyword: int = -1
    closed: bool = False


def outline(tokens: list[Token]) -> list[ClassSpan]:
    """All classes with a body, in source order."""
    leaves = [leaf for leaf, _ in tokens]
    kinds = [kind for _, kind in tokens]
    found: list[ClassSpan] = []
    around: list[int] = []
    open_names: Counter[str] = Counter()
    indent = 0
    last = len(kinds) - 1
    for at, kind in enumerate(kinds):
        if at == 0 or "\n" in leaves[at]:
            blanks = split_leaf(leaves[at])[0]
            if at == 0 or "\n" in blanks:
                indent = len(blanks) - blanks.rfind("\n") - 1
        if kind in CLASS_WORDS and at + 2 <= last and (name_at := _name_place(kinds, at)):
            start = at
            while start and kinds[start - 1] in _PREFIXES:
                start -= 1
            parent = around[-1] if around else None
            around.append(len(found))
            found.append(ClassSpan(token_text(leaves[name_at]), start, indent, parent))
            open_names[found[-1].name] += 1
        elif kind == _END and kinds[at + 1] == _IDENT and around:
            name = token_text(leaves[at + 1])
            if not open_names[name]:
                name = found[around[-1]].name  # no open class is called so: a misspelt end
            while True:
                span = found[around.pop()]
                open_names[span.name] -= 1
                span.end = at  # for those inside the class of that name: they were never closed
                if span.name == name:
                    span.end = at + 3 if kinds[at + 2] == _SEMICOLON else at + 2
                    span.end_keyword = at
                    span.closed = True
                    break
    for number in around:
        found[number].end = last
    _cut_unclosed(found)
    return found


def _name_place(kinds: list[int], at: int) -> int:
    """Where the name is if a class with a body starts with the keyword at `at`, else 0."""
    if kinds[at + 1] == _EXTENDS and kinds[at + 2] == _IDENT:
        return at + 2
    if kinds[at + 1] == _IDENT and kinds[at + 2] not in _NO_BODY:
        return at + 1
    return 0


def _cut_unclosed(found: list[ClassSpan]) -> None:
    """A class that is never closed ends, for us, where a class of its own indentation starts."""
    for number, span in enumerate(found):
        if not span.closed:
            for later in found[number + 1 :]:
                if later.start >= span.end:
                    break
                if later.indent <= span.indent:
                    span.end = later.start
                    break
