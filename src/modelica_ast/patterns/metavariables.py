"""Metavariables become identifiers that the pattern does not contain, so that Modelica's own parser reads it.

Strings, comments and quoted identifiers are tokens like others here: a dollar inside them is a dollar. Where
whole equations, statements or elements stand, an identifier alone is no Modelica; there a metavariable becomes a
call, `m1();`, or an extends clause, `extends m1;`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from attrs import frozen

from modelica_ast.lexer import TOKEN, TRIVIA
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.item_places import EQUATIONS, Word, item_places

ANONYMOUS: Final = "_"
_METAVARIABLE = r"\$\$?[A-Za-z_][A-Za-z_0-9]*+"
_LEAF: Final = re.compile(rf"({TRIVIA})(?:({_METAVARIABLE})|({TOKEN})|\Z)")


@frozen
class Metavariable:
    """One place where a metavariable is written."""

    name: str
    is_list: bool
    is_item: bool  # it stands for whole equations, statements or elements

    @property
    def text(self) -> str:
        """As its author wrote it."""
        return ("$$" if self.is_list else "$") + self.name


@frozen
class Expanded:
    """A pattern that the parser can read, and the way back to what was written."""

    written: str
    text: str
    stem: str
    metavariables: dict[str, Metavariable]  # by the identifiers that stand for them
    _starts: list[int]  # where pieces of the text start …
    _written_starts: list[int]  # … and where these are in what was written

    def written_offset(self, offset: int) -> int:
        """The place in the pattern as it was written."""
        piece = max(bisect_right(self._starts, offset) - 1, 0)
        end = self._written_starts[piece + 1] if piece + 1 < len(self._written_starts) else len(self.written)
        return min(self._written_starts[piece] + max(offset - self._starts[piece], 0), end)

    def in_words_of_author(self, message: str) -> str:
        """A message with the metavariables as they were written."""
        return re.sub(
            rf"{self.stem}\d+(?:\(\))?",
            lambda found: self.metavariables[found[0].removesuffix("()")].text,
            message,
        )


def words_of(text: str) -> list[Word]:
    """The tokens of a pattern, metavariables among them; what is no token is left to the parser, as one word."""
    words: list[Word] = []
    at = 0
    while at < len(text):
        found = _LEAF.match(text, at)
        if found is None or found.end() == at:
            trivia = re.compile(TRIVIA).match(text, at)
            start = trivia.end() if trivia else at
            if text[start : start + 1] == "$":
                raise PatternError(
                    f"{_place(text, start)}: '$' needs a name behind it: $x for one thing, $$xs for any number, $_"
                )
            words.append(Word(at, start, len(text), text[start:], is_metavariable=False))
            break
        start = found.end(1)
        words.append(Word(at, start, found.end(), text[start : found.end()], is_metavariable=found[2] is not None))
        at = found.end()
    return words


def expanded(text: str, top: str | None) -> Expanded:
    """The pattern as Modelica; `top` says what it is a list of: equations, elements, or (None) none of these."""
    words = words_of(text)
    stem = "m_"
    while stem in text:
        stem += "_"
    items = item_places(words, top)
    placeholders: dict[Metavariable, str] = {}
    parts: list[str] = []
    starts, written_starts = [0], [0]
    length = 0
    for number, word in enumerate(words):
        if not word.is_metavariable:
            new = text[word.before : word.end]
        else:
            metavariable = Metavariable(word.text.lstrip("$"), word.text.startswith("$$"), number in items)
            # One identifier for each: a class is closed by the name that it opens with.
            new = placeholders.setdefault(metavariable, f"{stem}{len(placeholders)}")
            if number in items:
                follows = words[number + 1].text if number + 1 < len(words) else ""
                new = f"{new}()" if items[number] == EQUATIONS else f"extends {new}"
                new += "" if follows == ";" else ";"
            new = text[word.before : word.start] + new
            starts += [length + word.start - word.before, length + len(new)]
            written_starts += [word.start, word.end]
        parts.append(new)
        length += len(new)
    metavariables = {placeholder: metavariable for metavariable, placeholder in placeholders.items()}
    return Expanded(text, "".join(parts), stem, metavariables, starts, written_starts)


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return f"line {line}, column {column} of the pattern"
