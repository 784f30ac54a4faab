"""Where in a pattern a metavariable stands for whole equations, statements or elements.

`then $$body;` is a list of equations, `then $a else` an expression: what tells them apart is whether the `if` around is
closed by `end if`. A scan over the tokens knows enough; the parser decides afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field, frozen

EQUATIONS: Final = "equations"  # and statements: a call can be both
ELEMENTS: Final = "elements"

_CLASS_WORDS: Final = frozenset("class model record block connector type package function operator".split())
_BLOCK_WORDS: Final = frozenset({"if", "when", "for", "while"})
_BEFORE_CLASS: Final = frozenset(
    "partial encapsulated replaceable redeclare final inner outer expandable pure impure operator".split()
)
# What can stand behind an item that has no semicolon.
_BEHIND_ITEM: Final = frozenset(
    "; end else elseif elsewhen equation algorithm initial public protected annotation external".split()
)


@frozen
class Word:
    """One token of a pattern: where the blanks before it start, where it starts and ends."""

    before: int
    start: int
    end: int
    text: str
    is_metavariable: bool


def item_places(words: Sequence[Word], top: str | None) -> dict[int, str]:
    """The numbers of the words that are items, each with what it is an item of."""
    scan = _Scan(words, [top])
    while scan.at < len(words):
        scan.step()
    return scan.found


@define
class _Scan:
    words: Sequence[Word]
    around: list[str | None]  # what the innermost class, block or pattern is a list of
    found: dict[int, str] = field(factory=dict)
    at: int = 0
    starts: bool = True  # can an item start here?
    depth: int = 0  # of brackets
    conditional: int = 0  # `if` expressions whose `else` is to come

    def text(self, number: int) -> str:
        return self.words[number].text if 0 <= number < len(self.words) else ""

    def step(self) -> None:
        word = self.words[self.at]
        text = word.text
        self.at += 1
        if text in ("(", "[", "{"):
            self.depth += 1
        elif text in (")", "]", "}"):
            self.depth -= 1
        if self.depth or text in (")", "]", "}"):
            self.starts = False
        elif word.is_metavariable:
            self._metavariable(text)
        else:
            self._word(text)

    def _metavariable(self, text: str) -> None:
        context = self.around[-1]
        follows = self.text(self.at)
        is_last = len(self.around) == 1 and not follows
        is_item = follows in _BEHIND_ITEM or (text.startswith("$$") and (is_last or context == ELEMENTS))
        if self.starts and context is not None and is_item:
            self.found[self.at - 1] = context
        else:
            self.starts = False

    def _word(self, text: str) -> None:
        if text == ";":
            self.starts, self.conditional = True, 0
        elif text in ("equation", "algorithm", "public", "protected"):
            self.around[-1] = EQUATIONS if text in ("equation", "algorithm") else ELEMENTS
            self.starts = True
        elif text in _BLOCK_WORDS:
            self._block(text)
        elif text in ("then", "else", "loop"):
            self.starts = not self.conditional
            if text == "else" and self.conditional:
                self.conditional -= 1
        elif text == "end":
            if len(self.around) > 1:
                self.around.pop()
            self.at += 1
            self.starts = False
        elif text in _CLASS_WORDS and (self.starts or self.text(self.at - 2) in _BEFORE_CLASS):
            self._class()
        else:
            self.starts = self.starts and text in _BEFORE_CLASS

    def _block(self, word: str) -> None:
        pairs = zip(self.words[self.at :], self.words[self.at + 1 :], strict=False)
        is_closed = any(one.text == "end" and other.text == word for one, other in pairs)
        if self.starts and is_closed:
            self.around.append(EQUATIONS)
        elif word == "if":
            self.conditional += 1
        self.starts = False

    def _class(self) -> None:
        """Go behind the head of a class; one with a body is a list of elements first."""
        if self.text(self.at) in _CLASS_WORDS:
            return  # `operator function`: the head goes on
        self.at += 2 if self.text(self.at) == "extends" else 1
        if self.text(self.at) == "=":
            self.starts = False
            return
        while self.text(self.at)[:1] in ('"', "+") and self.text(self.at):
            self.at += 1
        self.around.append(ELEMENTS)
        self.starts = True
