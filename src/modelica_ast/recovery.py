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
from modelica_ast.lalr import Complaint, Machine, Refused, Token, run
from modelica_ast.lexer import trivia_length
from modelica_ast.open_strings import lex_apart
from modelica_ast.outline import ClassSpan, outline
from modelica_ast.record import Record
from modelica_ast.source import Source
from modelica_ast.tables import EOF, KINDS, NUMBER

_SEMICOLON: Final = NUMBER["SEMICOLON"]
_UNPARSED: Final = NUMBER["UNPARSED"]


class Tools(Record):
    """What recovery borrows from `reading`, which stands above it."""

    new_machine: Callable[[str, list[Token]], Machine]
    # (source, machine before or at the refused leaf, number of that leaf, offset of its text) -> the error
    explain: Callable[[Source, Machine, int, int], ModelicaSyntaxError]
    # (source, offset of every leaf, complaints) -> the errors
    complaint_errors: Callable[[Source, list[int], list[Complaint]], list[ModelicaSyntaxError]]


def recover(source: Source, tools: Tools, *, lazy: bool) -> tuple[Machine, Green, list[ModelicaSyntaxError]]:
    """Parse what can be parsed: the machine at its end, the tree, and the errors."""
    tokens, errors = _without_unclosed_classes(source, lex_apart(source.text, lazy=lazy), tools)
    machine = tools.new_machine("stored_definition", tokens)
    skipper = _Skipper.of(source, machine, tools)
    while True:
        try:
            return machine, run(machine), errors
        except Refused:
            errors += skipper.skip()


def _without_unclosed_classes(
    source: Source, tokens: list[Token], tools: Tools
) -> tuple[list[Token], list[ModelicaSyntaxError]]:
    """Classes whose `end` is missing become opaque first: their end would be found nowhere."""
    errors: list[ModelicaSyntaxError] = []
    kept: list[Token] = []
    done = offset = 0
    for span in outline(tokens):
        if span.closed or span.start < done:
            continue
        offset += len(_text(tokens[done : span.start]))
        errors.append(_error_in_unclosed(source, span, offset, tokens, tools))
        opaque = _text(tokens[span.start : span.end])
        kept += [*tokens[done : span.start], (opaque, _UNPARSED)]
        offset += len(opaque)
        done = span.end
    return kept + tokens[done:], errors


def _text(tokens: list[Token]) -> str:
    return "".join(leaf for leaf, _ in tokens)


def _error_in_unclosed(
    source: Source, span: ClassSpan, offset: int, tokens: list[Token], tools: Tools
) -> ModelicaSyntaxError:
    """What is wrong inside a class whose end is missing, or just that."""
    inside = tokens[span.start : span.end]
    machine = tools.new_machine("stored_class", [*inside, ("", EOF)])
    try:
        run(machine)
    except Refused:
        if machine.at < len(inside):
            inner = Source(_text(inside), around=source, starts_at=offset)
            return tools.explain(inner, machine.at_start(), machine.at, len(_text(inside[: machine.at])))
    place = offset + trivia_length(inside[0][0])
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
        classes = outline(machine.tokens)
        offsets = list(accumulate((len(leaf) for leaf, _ in machine.tokens), initial=0))
        return cls(source, machine, tools, classes, [c.start for c in classes], offsets)

    def skip(self) -> list[ModelicaSyntaxError]:
        """Make the region around the refused token opaque; why the token was refused, and what else was wrong there."""
        machine, at = self.machine, self.machine.at
        # The end of the file can't be skipped: where it is refused again, more of what is before it must go.
        self.depth_limit = self.depth_limit - 1 if at == self.last_refused else machine.top
        self.last_refused = at
        depth, start, end = self._region(at)
        inside = self._complaints_behind(start)
        self._step_back(depth, start)
        errors = [self.tools.explain(self.source, machine, at, self.offsets[at])]
        errors += self.tools.complaint_errors(self.source, self.offsets, inside)
        self._complaints_behind(start)  # those of the second run
        text = _text(machine.tokens[start:end])
        for index in range(start, end):
            machine.tokens[index] = ("", machine.tokens[index][1])
            self.offsets[index] = self.offsets[start]
        machine.tokens[end - 1] = (text, _UNPARSED)
        machine.at = end - 1
        machine.top = depth
        self.depth_limit = depth
        self.opaque_up_to = end
        return errors

    def _complaints_behind(self, start: int) -> list[Complaint]:
        """Take away the complaints about what stands behind a leaf; those that count."""
        complaints = self.machine.complaints
        kept = len(complaints)
        while kept and complaints[kept - 1].before > start:  # they come in the order of the text
            kept -= 1
        taken = complaints[kept:]
        del complaints[kept:]
        return [complaint for complaint in taken if KINDS[complaint.node[0]] not in UNDECIDED]

    def _step_back(self, depth: int, start: int) -> None:
        """Set the machine before the region, to run once more for the sake of the message.

        The second run does what the first one did, so it changes nothing below the region, where it began.
        """
        if self.opaque_up_to <= start <= self.machine.at:  # an opaque region inside it can't be run again
            self.machine.top, self.machine.at = depth, start

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
            lacks_semicolon = at == span.end and self.machine.tokens[at - 1][1] != _SEMICOLON
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
        return self.class_starts[later] if later < len(self.class_starts) else len(self.machine.tokens) - 1

    def _last_opaque_place(self) -> tuple[int, int] | None:
        """The highest place on the stacks that takes an opaque token: its depth, its first leaf."""
        machine = self.machine
        offset = self.offsets[machine.at]
        for depth in range(machine.top, -1, -1):
            if self._takes_opaque(depth):
                return depth, bisect_left(self.offsets, offset)
            if depth:
                offset -= _width(machine.values[depth])
        return None

    def _depth_at(self, offset: int) -> int | None:
        """How many values stand before an offset of the text; None if it is inside one of them."""
        machine = self.machine
        behind = self.offsets[machine.at]
        depth = machine.top
        while depth and behind > offset:
            behind -= _width(machine.values[depth])
            depth -= 1
        return depth if behind == offset else None

    def _takes_opaque(self, depth: int) -> bool:
        return depth <= self.depth_limit and accepts(self.machine, depth, _UNPARSED)


def _width(value: Any) -> int:
    return sum(map(width, value)) if type(value) is list else width(value)
