"""Class-level recovery: the good classes of a file with a broken one.

Where the loop stops, the smallest class around the place becomes one opaque token, and the loop goes on after
it with its stacks cut back to where that class began. A class that holds other classes loses only the stretch
between two of them. A region is run once more at most, for its message, so the time stays linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, Final

import attrs

from modelica_ast.foundation import ModelicaSyntaxError, Record, Source
from modelica_ast.syntax.checks import UNDECIDED
from modelica_ast.syntax.green import width
from modelica_ast.syntax.lalr import Complaint, Green, Machine, Refused, Token, run
from modelica_ast.syntax.lexer import (
    BLOCK_COMMENT,
    ILLEGAL,
    LINE_COMMENT,
    QUOTED,
    STRING,
    lex_on,
    split_leaf,
    token_text,
    trivia_length,
)
from modelica_ast.syntax.messages import accepts
from modelica_ast.syntax.tables import EOF, KINDS, NUMBER

# ---------------------------------------------------------------- outline
# Where the classes of a text are, found by their `class Name` and `end Name` alone, however broken the rest is.

CLASS_WORDS: Final = frozenset(
    NUMBER[name] for name in "CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR".split()
)
_PREFIXES: Final = frozenset(
    NUMBER[name]
    for name in "PARTIAL OPERATOR EXPANDABLE PURE IMPURE ENCAPSULATED REDECLARE FINAL INNER OUTER REPLACEABLE".split()
)
_IDENT, _END, _EXTENDS, _SEMICOLON = (NUMBER[name] for name in ("IDENT", "END", "EXTENDS", "SEMICOLON"))
# After the name of a class with a body none of these can be: `type T = …`, `function f(…)` as an argument.
_NO_BODY: Final = frozenset(NUMBER[name] for name in ("EQUALS", "LPAR", "DOT", "RPAR", "COMMA"))


@attrs.define
class ClassSpan:
    """A class with a body, by its leaves: from its first prefix to after its `end Name;`."""

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


# ---------------------------------------------------------------- open strings
# Strings that were left open, found by the classes that they swallow.
#
# Where a quote is missing, all that follows is turned inside out: strings are code, and code is a string, up to the
# end of the file. But lines go on to say where classes start and end. A string that holds `end A;` while A is open,
# or one end of a class whose start is in another string, was not meant to be that long. It is cut before the first
# such line, and what follows is read again. Documentation may show whole classes: those start and end in one string.

_OPEN_STRINGS_IDENT: Final = NUMBER["IDENT"]
_CLASS_WORDS: Final = CLASS_WORDS | {NUMBER["END"]}
_CLASS: Final = (
    r"(?:(?:partial|encapsulated|redeclare|final|inner|outer|replaceable|expandable|pure|impure)[ \t]++)*+"
    r"(?:(?:operator[ \t]++)?(?:class|model|record|block|connector|type|package|function)|operator)[ \t]++"
    r"(?:extends[ \t]++)?"
)
_NAME: Final = r"([A-Za-z_][A-Za-z_0-9]*+|'(?:[^'\\\r\n]++|\\.)++')"
# With its line end before it. What has a body goes on with a description, a comment, an element, or the next line.
_BOUNDARY: Final = re.compile(
    rf"(?:\A|\r?\n)[ \t]*+(?:(?P<end>end[ \t]++){_NAME}[ \t]*+;"
    rf"|{_CLASS}{_NAME}(?=[ \t]*+(?:\"|//|/\*|[\r\nA-Za-z]|\Z)))"
)
# What hides boundaries: a string, closed or not, or a comment. A quoted identifier may have quotes in it.
_HIDING: Final = re.compile(rf'({STRING})|{LINE_COMMENT}|{BLOCK_COMMENT}|{QUOTED}|("|/\*)')
# So many times the length of the text may be read again; it never is, unless somebody tries.
_MOST_READ_AGAIN: Final = 8


class Cut(Record):
    """A string that ends too late."""

    doubtful_from: int  # after the last line that starts or ends a class in code: what follows may be inside out
    quote: int
    end: int  # the line end before the first class boundary in the string


class _Boundary(Record):
    """A line that starts or ends a class."""

    start: int  # of its line end before
    behind: int
    name: str
    is_end: bool


def lex_apart(text: str, *, lazy: bool) -> list[Token]:
    """Like `lex_on`, with strings cut that swallow classes: what is left of one is a leaf that is not a token."""
    tokens: list[Token] = []
    at = 0
    for cut in cuts_of(text):
        _add(tokens, lex_on(text[at : cut.doubtful_from], lazy=lazy))
        first, *others = lex_on(text[cut.doubtful_from : cut.quote], lazy=lazy)
        _add(tokens, [first if cut.doubtful_from == 0 else _as_name(first), *map(_as_name, others)])
        _add(tokens, [(text[cut.quote : cut.end], ILLEGAL), ("", EOF)])
        at = cut.end
    _add(tokens, lex_on(text[at:], lazy=lazy))
    return tokens


def _add(tokens: list[Token], more: list[Token]) -> None:
    """Put the leaves of the next piece after those of the last, in place of its end."""
    blanks = tokens.pop()[0] if tokens else ""
    tokens += [(blanks + more[0][0], more[0][1]), *more[1:]]


def _as_name(token: Token) -> Token:
    """What was in a string says "the model of a car" and "at the end of it", and no class starts or ends there.

    At the start of a line such a word may still be meant.
    """
    leaf, kind = token
    return (leaf, _OPEN_STRINGS_IDENT) if kind in _CLASS_WORDS and "\n" not in leaf else token


def cuts_of(text: str) -> list[Cut]:
    """Where to cut the strings that swallow classes, in the order of the text."""
    boundaries = [_Boundary(*m.span(), m[2] or m[3], m["end"] is not None) for m in _BOUNDARY.finditer(text)]
    return _Scan(text, boundaries).run() if boundaries else []


class _Names:
    """The names of open classes, the innermost last."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return bool(self._counts[name])

    def add(self, name: str) -> None:
        self.names.append(name)
        self._counts[name] += 1

    def close(self, name: str) -> None:
        """Close a class, and those in it that were never closed."""
        while True:
            last = self.names.pop()
            self._counts[last] -= 1
            if last == name:
                break


class _Scan:
    """One pass over a text, which goes back to where it cuts."""

    def __init__(self, text: str, boundaries: list[_Boundary]) -> None:
        self.text = text
        self.boundaries = boundaries
        self.next = 0  # number of the first boundary that was not passed yet
        self.open = _Names()
        self.trusted = 0
        # Classes that start in a string and do not end there, and where to cut if they end in another one.
        self.half: set[str] = set()
        self.suspect: tuple[int, int, int] | None = None  # quote, end of the cut, number of its boundary

    def run(self) -> list[Cut]:
        cuts: list[Cut] = []
        at = 0
        allowance = _MOST_READ_AGAIN * len(self.text)
        while (hiding := _HIDING.search(self.text, at)) is not None:
            start, end = hiding.span()
            if hiding[2]:
                end = len(self.text)
            self._pass_code(start)
            first = self.next
            while self.next < len(self.boundaries) and self.boundaries[self.next].start < end:
                self.next += 1
            at = end
            is_string = self.text[start] == '"'
            if first < self.next and is_string and self._is_too_long(start, first, is_closed=hiding[2] is None):
                assert self.suspect is not None
                quote, cut, self.next = self.suspect
                allowance -= end - cut
                if allowance < 0:
                    break
                cuts.append(Cut(self.trusted, quote, cut))
                at = self.trusted = cut
                self._forget()
        return cuts

    def _forget(self) -> None:
        self.half = set()
        self.suspect = None

    def _pass_code(self, end: int) -> None:
        """Take the boundaries that are in code up to a place; after one of them nothing before it is in doubt."""
        while self.next < len(self.boundaries) and self.boundaries[self.next].start < end:
            boundary = self.boundaries[self.next]
            self.next += 1
            self.trusted = boundary.behind
            self._forget()
            if not boundary.is_end:
                self.open.add(boundary.name)
            elif boundary.name in self.open:
                self.open.close(boundary.name)

    def _is_too_long(self, quote: int, first: int, *, is_closed: bool) -> bool:
        """Does a string with boundaries in it end too late? If that is not sure yet, it is kept in mind."""
        inside = _Names()
        is_too_long = not is_closed
        for boundary in self.boundaries[first : self.next]:
            if not boundary.is_end:
                inside.add(boundary.name)
            elif boundary.name in inside:
                inside.close(boundary.name)
            elif boundary.name in self.half or boundary.name in self.open:
                is_too_long = True
                break
        if (inside.names or is_too_long) and self.suspect is None:
            self.suspect = (quote, self.boundaries[first].start, first)
        self.half.update(inside.names)
        return is_too_long


# ---------------------------------------------------------------- recovery

_RECOVERY_SEMICOLON: Final = NUMBER["SEMICOLON"]
_UNPARSED: Final = NUMBER["UNPARSED"]


class Tools(Record):
    """What recovery borrows from `reader`, which is above it."""

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
    """Makes the region around a refused token opaque, and sets the machine to go on after it."""

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
        """Take away the complaints about what follows a leaf; those that count."""
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
        """(depth of the stacks to keep, first leaf, leaf after) of what becomes opaque."""
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
            lacks_semicolon = at == span.end and self.machine.tokens[at - 1][1] != _RECOVERY_SEMICOLON
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
        """Where the next class after a leaf starts, or the end of the text."""
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
        """How many values come before an offset of the text; None if it is inside one of them."""
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
