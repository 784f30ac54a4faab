"""The text of a merge before conflicts are decided: pieces, and choices between pieces.

A plan is a list of texts, plans and choices, so it can be written for either side, or with markers. Plans that are
`units` are whole elements, equations or heads of classes: markers stand around the smallest unit with a choice in it
that starts and ends with its lines. Inside such a unit each side is complete, so either is Modelica.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from modelica_ast.lexer import lex, split_leaf
from modelica_ast.merge.layout import Shift
from modelica_ast.merge.result import Labels, Side
from modelica_ast.record import Record

_WORD_END: Final = frozenset("_'\"")
_WORD_START: Final = frozenset("_'\".")
_LINE_STARTS: Final = ("\n", "\r\n")
_MARKER: Final = 7  # characters, as git has it


class Tail(str):
    """Blanks and comments at the end of a line: what follows must start a new one if a `//` is in it."""

    __slots__ = ()


class Joint(Record):
    """Blanks to put between two pieces if they would else grow together."""

    blanks: str = " "


class LineBreak(Record):
    """The place for a line end before what used to be the first in its file."""


class Choice:
    """A piece that each side has otherwise."""

    __slots__ = ("ours", "theirs")

    def __init__(self, ours: Plan, theirs: Plan) -> None:
        self.ours = ours
        self.theirs = theirs


class Plan:
    """Pieces of text in order."""

    __slots__ = ("base", "is_unit", "parts", "shift")

    def __init__(self, *parts: Part, base: str | None = None) -> None:
        self.parts: list[Part] = list(parts)
        self.is_unit = base is not None
        self.base = base or ""
        self.shift = Shift()  # what has come from elsewhere is indented when it is written


Part = str | Plan | Choice | Joint | LineBreak


def written(plan: Plan, side: Side, line_end: str) -> str:
    """The text of a plan as one side wants it."""
    out = _Output(line_end)
    for piece in _pieces(plan, side, line_end):
        out.put(piece)
    return out.text


def _pieces(plan: Plan, side: Side, line_end: str) -> Iterator[str | Joint | LineBreak]:
    stack = [iter(plan.parts)]
    while stack:
        for part in stack[-1]:
            if isinstance(part, Plan) and part.shift:
                inner = Plan(*part.parts)
                yield part.shift.shifted(written(inner, side, line_end))
                continue
            if isinstance(part, Plan | Choice):
                stack.append(iter(part.parts if isinstance(part, Plan) else getattr(part, side).parts))
                break
            yield part
        else:
            stack.pop()


class _Output:
    """Text as it grows, with the blanks that pieces from different files need between them."""

    def __init__(self, line_end: str) -> None:
        self._parts: list[str] = []
        self._line_end = line_end
        self._joint: Joint | None = None
        self._last = ""
        self._line_is_comment = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def is_empty(self) -> bool:
        return not self._last or self._parts == ["\ufeff"]

    def put(self, piece: str | Joint | LineBreak) -> None:
        if isinstance(piece, Joint):
            self._joint = piece
            return
        if isinstance(piece, LineBreak):
            piece = self._line_end
        if not piece:
            return
        if self._line_is_comment and not piece.startswith(_LINE_STARTS):
            self._write(self._line_end)
        elif self._joint is not None and _grow_together(self._last, piece):
            self._write(self._joint.blanks)
        self._joint = None
        self._write(piece)
        self._line_is_comment = isinstance(piece, Tail) and "//" in piece.rpartition("\n")[2]

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._last = text[-1]


def _grow_together(last: str, piece: str) -> bool:
    return (last.isalnum() or last in _WORD_END) and (piece[0].isalnum() or piece[0] in _WORD_START)


# ---------------------------------------------------------------- markers


def marked(plan: Plan, labels: Labels, line_end: str, names: Mapping[str, str]) -> str:
    """The text with markers around what is not decided; `names` are those that the base had, by those it was given."""
    not_lines: set[int] = set()
    while True:
        holders = _holders(plan, not_lines)
        writer = _MarkedText(holders, labels, line_end, names)
        failed = writer.write(plan)
        if not failed:
            return writer.out.text
        # These share a line with something else: the unit around them gets the markers.
        not_lines |= failed


def _holders(plan: Plan, not_lines: set[int]) -> set[int]:
    """The smallest units with a choice in them, by identity; the plan itself for choices in no unit."""
    found: set[int] = set()
    stack: list[tuple[Plan, Plan]] = [(plan, plan)]
    while stack:
        current, unit = stack.pop()
        for part in current.parts:
            if isinstance(part, Choice):
                found.add(id(unit))
            elif isinstance(part, Plan):
                # What is indented when it is written is written as a whole.
                inside = unit if current.shift else part
                stack.append((part, inside if part.is_unit and id(part) not in not_lines else unit))
    return found


class _MarkedText:
    def __init__(self, holders: set[int], labels: Labels, line_end: str, names: Mapping[str, str]) -> None:
        self.out = _Output(line_end)
        self._holders = holders
        self._labels = labels
        self._end = line_end
        self._names = names
        self._open: Plan | None = None  # the unit that has just been marked: a line must start behind it

    def write(self, plan: Plan) -> set[int]:
        """Write all; the units that turn out not to be whole lines."""
        failed: set[int] = set()
        todo: list[Part] = [plan]
        while todo:
            part = todo.pop()
            if isinstance(part, Plan):
                if id(part) in self._holders:
                    self._check(_first_text(part), failed)
                    if not self._write_unit(part, is_whole=part is plan):
                        failed.add(id(part))
                elif part.shift:
                    todo.append(written(Plan(part), "ours", self._end))
                else:
                    todo += reversed(part.parts)
                continue
            assert not isinstance(part, Choice), "a choice stands in no unit"
            if isinstance(part, str) and part:
                self._check(part, failed)
            self.out.put(part)
        return failed

    def _check(self, following: str, failed: set[int]) -> None:
        if self._open is not None and following:
            if not following.startswith(_LINE_STARTS):
                failed.add(id(self._open))
            self._open = None

    def _write_unit(self, unit: Plan, *, is_whole: bool) -> bool:
        ours, theirs = (written(unit, side, self._end) for side in ("ours", "theirs"))
        texts = [ours, _with_names(unit.base, self._names), theirs]
        starts_file = self.out.is_empty
        if ours and not ours.startswith(_LINE_STARTS) and not starts_file:
            return is_whole
        gap = _common_gap(texts, self._end)
        texts = [self._on_lines(text.removeprefix(gap)) for text in texts]
        label = self._labels
        heads = [f"{'<' * _MARKER} {label.ours}", f"{'|' * _MARKER} {label.base}", "=" * _MARKER]
        parts = [gap]
        for head, text in zip(heads, texts, strict=True):
            parts += [self._end, head, text]
        parts += [self._end, f"{'>' * _MARKER} {label.theirs}"]
        block = "".join(parts)
        self.out.put(block.removeprefix(self._end) if starts_file else block)
        self._open = unit
        if is_whole:
            self.out.put(self._end)
        return True

    def _on_lines(self, text: str) -> str:
        text = text.rstrip("\r\n") if text.strip() else ""
        return text if not text or text.startswith(_LINE_STARTS) else self._end + text


def _with_names(text: str, names: Mapping[str, str]) -> str:
    if not any(name in text for name in names):
        return text
    leaves = (split_leaf(leaf) for leaf, _ in lex(text, lazy=False))
    return "".join(trivia + names.get(token, token) for trivia, token in leaves)


def _first_text(plan: Plan) -> str:
    return next((piece for piece in _pieces(plan, "ours", "\n") if isinstance(piece, str) and piece), "")


def _common_gap(texts: list[str], line_end: str) -> str:
    """Blank lines that all texts start with: they stay outside of the markers."""
    gap = ""
    while any(texts) and all(not text or text.startswith(gap + line_end * 2) for text in texts):
        gap += line_end
    return gap
