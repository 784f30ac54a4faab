"""Class-level recovery: the good classes of a file with a broken one.

Where the loop stops, the smallest class around the place becomes one opaque token, and the loop goes on behind
it with its stacks cut back to where that class began. A class that holds other classes loses only the stretch
between two of them. A region is run once more at most, for its message, so the time stays linear in the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, Final

import attrs

from modelica_ast.checks import UNDECIDED
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.expected import accepts
from modelica_ast.green import Green, width
from modelica_ast.lalr import Complaint, Machine, Refused, run
from modelica_ast.lexer import lex_on, trivia_length
from modelica_ast.outline import ClassSpan, outline
from modelica_ast.source import Source
from modelica_ast.tables import EOF, KINDS, NUMBER

_SEMICOLON: Final = NUMBER["SEMICOLON"]
_UNPARSED: Final = NUMBER["UNPARSED"]

Lexed = tuple[list[str], list[int]]


@attrs.frozen
class Tools:
    """What recovery borrows from `reading`, which stands above it."""

    new_machine: Callable[[str, list[str], list[int]], Machine]
    # (source, machine before or at the refused leaf, number of that leaf, offset of its text) -> the error
    explain: Callable[[Source, Machine, int, int], ModelicaSyntaxError]
    complaint_errors: Callable[[Source, Machine, list[Complaint]], list[ModelicaSyntaxError]]


def recover(source: Source, tools: Tools, *, lazy: bool) -> tuple[Machine, Green, list[ModelicaSyntaxError]]:
    """Parse what can be parsed: the machine at its end, the tree, and the errors."""
    (leaves, kinds), errors = _without_unclosed_classes(source, lex_on(source.text, lazy=lazy), tools)
    machine = tools.new_machine("stored_definition", leaves, kinds)
    skipper = _Skipper.of(source, machine, tools)
    while True:
        try:
            return machine, run(machine), errors
        except Refused:
            errors += skipper.skip()


def _without_unclosed_classes(source: Source, lexed: Lexed, tools: Tools) -> tuple[Lexed, list[ModelicaSyntaxError]]:
    """Classes whose `end` is missing become opaque first: their end would be found nowhere."""
    leaves, kinds = lexed
    errors: list[ModelicaSyntaxError] = []
    kept_leaves: list[str] = []
    kept_kinds: list[int] = []
    done = offset = 0
    for span in outline(leaves, kinds):
        if span.closed or span.start < done:
            continue
        offset += sum(map(len, leaves[done : span.start]))
        errors.append(_error_in_unclosed(source, span, offset, lexed, tools))
        kept_leaves += leaves[done : span.start]
        kept_kinds += kinds[done : span.start]
        kept_leaves.append("".join(leaves[span.start : span.end]))
        kept_kinds.append(_UNPARSED)
        offset += len(kept_leaves[-1])
        done = span.end
    return (kept_leaves + leaves[done:], kept_kinds + kinds[done:]), errors


def _error_in_unclosed(source: Source, span: ClassSpan, offset: int, lexed: Lexed, tools: Tools) -> ModelicaSyntaxError:
    """What is wrong inside a class whose end is missing, or just that."""
    leaves, kinds = ([*part[span.start : span.end]] for part in lexed)
    machine = tools.new_machine("stored_class", [*leaves, ""], [*kinds, EOF])
    try:
        run(machine)
    except Refused:
        if machine.at < len(leaves):
            inner = Source("".join(leaves), around=source, starts_at=offset)
            first = attrs.evolve(machine, stack=machine.stack[:1], values=[], at=0, complaints=[])
            return tools.explain(inner, first, machine.at, sum(map(len, leaves[: machine.at])))
    place = offset + trivia_length(leaves[0])
    return ModelicaSyntaxError(f"class '{span.name}' is never closed", source, place, hint=f"add 'end {span.name};'")


@attrs.define
class _Skipper:
    """Makes the region around a refused token opaque, and sets the machine to go on behind it."""

    source: Source
    machine: Machine
    tools: Tools
    classes: list[ClassSpan]
    class_starts: list[int]
    offsets: list[int]  # of every leaf in the text; those in an opaque region have the region's
    last_refused: int = -1
    opaque_up_to: int = 0
    depth_limit: int = 0

    @classmethod
    def of(cls, source: Source, machine: Machine, tools: Tools) -> _Skipper:
        classes = outline(machine.leaves, machine.kinds)
        offsets = list(accumulate(map(len, machine.leaves), initial=0))
        return cls(source, machine, tools, classes, [c.start for c in classes], offsets)

    def skip(self) -> list[ModelicaSyntaxError]:
        """Make the region around the refused token opaque; why the token was refused, and what else was wrong there."""
        machine, at = self.machine, self.machine.at
        # The end of the file can't be skipped: where it is refused again, more of what is before it must go.
        self.depth_limit = self.depth_limit - 1 if at == self.last_refused else len(machine.values)
        self.last_refused = at
        depth, start, end = self._region(at)
        errors = [self.tools.explain(self.source, self._again(depth, start), at, self.offsets[at])]
        inside = [c for c in machine.complaints if c.before > start and KINDS[c.node[0]] not in UNDECIDED]
        errors += self.tools.complaint_errors(self.source, machine, inside)
        del machine.values[depth:]
        del machine.stack[depth + 1 :]
        text = "".join(machine.leaves[start:end])
        for index in range(start, end):
            machine.leaves[index] = ""
            self.offsets[index] = self.offsets[start]
        machine.leaves[end - 1] = text
        machine.kinds[end - 1] = _UNPARSED
        machine.at = end - 1
        machine.complaints = [complaint for complaint in machine.complaints if complaint.before <= start]
        self.depth_limit = depth
        self.opaque_up_to = end
        return errors

    def _again(self, depth: int, start: int) -> Machine:
        """A machine that stands before the region, to run once more for the sake of the message."""
        machine = self.machine
        if start < self.opaque_up_to or start > machine.at:
            return machine  # an opaque region inside it can't be run again
        values = [list(value) if type(value) is list else value for value in machine.values[:depth]]
        return attrs.evolve(machine, stack=machine.stack[: depth + 1], values=values, at=start, complaints=[])

    def _region(self, at: int) -> tuple[int, int, int]:
        """(depth of the stacks to keep, first leaf, leaf behind) of what becomes opaque."""
        for number in self._classes_around(at):
            span = self.classes[number]
            inner = self.classes[number + 1].start if number + 1 < len(self.classes) else span.end
            if inner < span.end:
                between = self._between_classes(span, at)
                if between:
                    return between
            depth = self._depth_at(self.offsets[span.start])
            if depth is not None and self._takes_opaque(depth):
                return depth, span.start, span.end
        return self._at_top_level(at)

    def _classes_around(self, at: int) -> Iterator[int]:
        """Numbers of the classes around a leaf, the innermost first."""
        number: int | None = bisect_left(self.class_starts, at) - 1
        while number is not None and number >= 0:
            span = self.classes[number]
            # A class without its semicolon is to blame for what follows it.
            lacks_semicolon = at == span.end and self.machine.kinds[at - 1] != _SEMICOLON
            if at < span.end or lacks_semicolon:
                yield number
            number = span.parent

    def _between_classes(self, span: ClassSpan, at: int) -> tuple[int, int, int] | None:
        """In a class with classes inside: from the last good element to the next class, or to its `end`."""
        end = min(self._next_class(at), span.end_keyword)
        if end <= at:
            return None
        found = self._last_opaque_place()
        if found is None or found[1] <= span.start:
            return None
        return found[0], found[1], end

    def _at_top_level(self, at: int) -> tuple[int, int, int]:
        depth, start = self._last_opaque_place() or (0, 0)
        return depth, start, self._next_class(at)

    def _next_class(self, at: int) -> int:
        """Where the next class behind a leaf starts, or the end of the text."""
        later = bisect_right(self.class_starts, at)
        return self.class_starts[later] if later < len(self.class_starts) else len(self.machine.kinds) - 1

    def _last_opaque_place(self) -> tuple[int, int] | None:
        """The highest place on the stacks that takes an opaque token: its depth, its first leaf."""
        machine = self.machine
        offset = self.offsets[machine.at]
        for depth in range(len(machine.values), -1, -1):
            if self._takes_opaque(depth):
                return depth, bisect_left(self.offsets, offset)
            if depth:
                offset -= _width(machine.values[depth - 1])
        return None

    def _depth_at(self, offset: int) -> int | None:
        """How many values stand before an offset of the text; None if it is inside one of them."""
        machine = self.machine
        behind = self.offsets[machine.at]
        depth = len(machine.values)
        while depth and behind > offset:
            depth -= 1
            behind -= _width(machine.values[depth])
        return depth if behind == offset else None

    def _takes_opaque(self, depth: int) -> bool:
        return depth <= self.depth_limit and accepts(self.machine.stack[: depth + 1], _UNPARSED, self.machine.end_state)


def _width(value: Any) -> int:
    return sum(map(width, value)) if type(value) is list else width(value)
