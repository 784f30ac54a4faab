"""Texts merged by lines: long strings, comments, and what cannot be told apart as things.

A line that only one side changed is that side's. Lines that both changed are a conflict, unless both added whole items
to a list of a page: list items, rows, and what else a list of revisions is made of. Then both stay, by their dates if
they have any.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final

from modelica_ast.edit import equal_lines
from modelica_ast.foundation import Record

_LINE_START: Final = re.compile(r"(?=\r?\n)")
ITEMS: Final = frozenset({"li", "tr", "dt", "dd"})
# What else is an entry in a list of revisions.
REVISIONS: Final = ITEMS | {"p", "ul", "ol", "dl", "table", "div", "h1", "h2", "h3", "h4", "h5", "h6"}
_TOGETHER: Final = 4  # equal lines that part two conflicts
_FARTHEST: Final = 100  # lines from a place to what may tell of it
_SAME_LINE: Final = 0.6  # of its characters a line shares with what has become of it
_Lines = Sequence[str]


class Hunk(Record):
    """A stretch of lines, each with the line end before it; the same for both sides where it is decided."""

    base: str
    ours: str
    theirs: str

    @property
    def is_decided(self) -> bool:
        """Is there nothing left to choose?"""
        return self.ours == self.theirs


def merged_lines(base: str | None, ours: str, theirs: str, items: Collection[str] = ITEMS) -> list[Hunk]:
    """Three versions of a text as one, in stretches; `items` are the elements of which both sides may add some.

    Without a base all that differs is a conflict.
    """
    if base is None:
        return _of_two(*(_LINE_START.split(text) for text in (ours, theirs)))
    lines = [_LINE_START.split(text) for text in (base, ours, theirs)]
    found: list[Hunk] = []
    same: _Lines = ()  # what all have before the place that is looked at
    at = (0, 0, 0)
    for start, length in _in_all(*lines):
        old, mine, its = (each[a:b] for each, a, b in zip(lines, at, start, strict=True))
        both = None if old or not mine or not its else _with_both(same, mine, its, lines[0][start[0] :], items)
        if both is not None:
            found[-1] = _decided(same[: len(same) - both.shift])
            found.append(_decided([*both.added, *same[len(same) - both.shift :]]))
        elif its in (mine, old):
            found.append(_decided(mine))
        elif mine == old:
            found.append(_decided(its))
        else:
            found += _conflict(old, mine, its)
        at = (start[0] + length, start[1] + length, start[2] + length)
        same = lines[0][start[0] : at[0]]
        found.append(_decided(same))
    return [hunk for hunk in found if hunk.base or hunk.ours or hunk.theirs]


def narrowed(ours: str, base: str, theirs: str) -> list[Hunk]:
    """Two texts to choose from, in stretches: what is the same in both is decided, whatever the base has there.

    A few equal lines between others are no reason to part them.
    """
    lines = [_LINE_START.split(text) for text in (base, ours, theirs)]
    before = {}
    for start, mine, length in equal_lines(lines[0], lines[1]):
        before.update({mine + at: start + at for at in range(length)})
    found: list[Hunk] = []
    at = (0, 0, 0)
    for mine, its, length in [*equal_lines(lines[1], lines[2])]:
        is_end = mine + length == len(lines[1]) or mine == 0
        if length and length < _TOGETHER and not is_end:
            continue
        if (mine, its) != (at[1], at[2]):
            stop = next((before[place] for place in range(mine, len(lines[1])) if place in before), len(lines[0]))
            texts = ("".join(each[a:b]) for each, a, b in zip(lines, at, (stop, mine, its), strict=True))
            found.append(Hunk(*texts))
            at = (max(stop, at[0]), mine, its)
        found.append(_decided(lines[1][mine : mine + length]))
        last = next((before[place] + 1 for place in range(mine + length - 1, -1, -1) if place in before), 0)
        at = (max(last, at[0]), mine + length, its + length)
    return [hunk for hunk in found if hunk.ours or hunk.theirs]


def _in_all(base: _Lines, ours: _Lines, theirs: _Lines) -> Iterator[tuple[tuple[int, int, int], int]]:
    """(where in each, how many) of stretches that all have; the last one is empty, at the ends."""
    here, there = (equal_lines(list(base), list(side)) for side in (ours, theirs))
    mine, its = next(here), next(there)
    while True:
        start, stop = max(mine[0], its[0]), min(mine[0] + mine[2], its[0] + its[2])
        if start < stop:
            yield (start, mine[1] + start - mine[0], its[1] + start - its[0]), stop - start
        if mine[0] == its[0] == len(base):
            break
        if mine[0] + mine[2] <= its[0] + its[2] and mine[0] < len(base):
            mine = next(here)
        else:
            its = next(there)
    yield (len(base), len(ours), len(theirs)), 0


def _of_two(ours: _Lines, theirs: _Lines) -> list[Hunk]:
    found: list[Hunk] = []
    at = (0, 0)
    for mine, its, length in equal_lines(list(ours), list(theirs)):
        if (at[0], at[1]) != (mine, its):
            found.append(Hunk("", "".join(ours[at[0] : mine]), "".join(theirs[at[1] : its])))
        at = (mine + length, its + length)
        if length:
            found.append(_decided(ours[mine : at[0]]))
    return found


def _decided(lines: _Lines) -> Hunk:
    text = "".join(lines)
    return Hunk(text, text, text)


def _conflict(old: _Lines, mine: _Lines, its: _Lines) -> Iterator[Hunk]:
    """What both changed: what both sides have at the start and at the end of it is none."""
    if len(old) == len(mine) == len(its) and all(map(_is_edited, [*old, *old], [*mine, *its])):
        yield from _line_by_line(old, mine, its)
        return
    most = min(len(mine), len(its))
    head = next((at for at in range(most) if mine[at] != its[at]), most)
    tail = next((at for at in range(most - head) if mine[-1 - at] != its[-1 - at]), most - head)
    yield _decided(mine[:head])
    rest = ["".join(each[head : len(each) - tail]) for each in (mine, its)]
    # Both put something in, and one of them more.
    yield Hunk("".join(old), *(rest if old or all(rest) else ["".join(rest)] * 2))
    yield _decided(mine[len(mine) - tail :])


def _is_edited(old: str, new: str) -> bool:
    """Is it the same line with some other words, and not another line?"""
    return old == new or SequenceMatcher(None, old.strip(), new.strip()).quick_ratio() >= _SAME_LINE


def _line_by_line(old: _Lines, mine: _Lines, its: _Lines) -> Iterator[Hunk]:
    """Lines that nobody added or removed, so neighbours say nothing of each other."""
    for is_open, lines in groupby(zip(old, mine, its, strict=True), lambda each: len(set(each)) == len(each)):
        if is_open:
            yield Hunk(*map("".join, zip(*lines, strict=True)))
        else:
            yield _decided([there if here == before else here for before, here, there in lines])


# ---------------------------------------------------------------- items
# Both sides added items to a list of a page, at one place.

_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)[^<>]*?(/?)>")
_VOID: Final = frozenset({"br", "hr", "img", "input", "wbr", "col"})


class Both(Record):
    """The items of both sides, which start so many lines before the place where they were found."""

    shift: int
    added: _Lines


def _with_both(same: _Lines, mine: _Lines, its: _Lines, following: _Lines, items: Collection[str]) -> Both | None:
    """What both sides added, as one list, if these are whole items.

    The same lines start and end each item of a list, so an item that was put in can be found as the end of the one
    before it and the start of its own.
    """
    for shift in range(min(len(same), len(mine), len(its), _FARTHEST) + 1):
        if shift and not same[-shift] == mine[-shift] == its[-shift]:
            return None
        kept, lead = same[: len(same) - shift], same[len(same) - shift :]
        here, there = (_items([*lead, *each[: len(each) - shift]], items) for each in (mine, its))
        if here and there:
            new = [*here, *(item for item in there if item not in here)]
            return Both(shift, [line for item in _by_date(new, kept, [*lead, *following]) for line in item])
    return None


def _items(lines: _Lines, allowed: Collection[str]) -> list[_Lines]:
    """Lines as whole elements of a page, each with the lines that it is in; none if there is anything else."""
    found: list[_Lines] = []
    start = 0
    around: list[str] = []
    for number, line in enumerate(lines):
        at = 0
        for tag in _TAG.finditer(line):
            name = tag[2].lower()
            if not around and (line[at : tag.start()].strip() or tag[1] or name not in allowed):
                return []
            at = tag.end()
            if tag[1]:
                if around.pop() != name:
                    return []
            elif not tag[3] and name not in _VOID:
                around.append(name)
        if not around and line[at:].strip():
            return []
        if not around and "".join(lines[start : number + 1]).strip():
            found.append(tuple(lines[start : number + 1]))
            start = number + 1
    if around:
        return []
    return [*found[:-1], (*found[-1], *lines[start:])] if found else []


# ---------------------------------------------------------------- dates

_MONTHS: Final = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_MONTH: Final = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_DATE: Final = re.compile(
    rf"(\d{{4}})[-/](\d{{1,2}})[-/](\d{{1,2}})|(\d{{1,2}})\.(\d{{1,2}})\.(\d{{4}})"
    rf"|\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})|(\d{{1,2}})(?:\.|st|nd|rd|th)?\s+{_MONTH},?\s+(\d{{4}})",
    re.IGNORECASE,
)


def _by_date(new: list[_Lines], before: _Lines, after: _Lines) -> list[_Lines]:
    """Items in the order of the list that they are put into, if all have dates; else ours come first."""
    dated = [(_date("".join(item)), item) for item in new]
    known = [day for day, _ in dated if day is not None]
    if len(known) < len(dated):
        return new
    last, following = (
        next((day for day in map(_date, lines) if day is not None), None)
        for lines in (before[: -_FARTHEST - 1 : -1], after[:_FARTHEST])
    )
    falls = (last is not None and last > min(known)) or (following is not None and following < max(known))
    rises = (last is not None and last < max(known)) or (following is not None and following > min(known))
    if falls == rises:
        return new
    return [item for _, item in sorted(dated, key=lambda each: each[0] or date.min, reverse=falls)]


def _date(text: str) -> date | None:
    """The first date in a text."""
    for found in _DATE.finditer(text):
        parts = [part for part in found.groups() if part is not None]
        numbers = [_MONTHS.get(part[:3].lower()) or int(part) for part in parts]
        year = next(number for number, part in zip(numbers, parts, strict=True) if len(part) == 4)  # noqa: PLR2004
        first, second = (number for number in numbers if number != year)
        is_month_first = not parts[0].isdigit() or len(parts[0]) == 4  # noqa: PLR2004
        try:
            return date(year, *((first, second) if is_month_first else (second, first)))
        except ValueError:
            continue
    return None
