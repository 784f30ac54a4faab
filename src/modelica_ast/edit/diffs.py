"""Unified diffs, in the form that `git apply` and `patch` read."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import Match, SequenceMatcher
from itertools import pairwise
from typing import Final

_NOTHING: Final = "/dev/null"  # what such a diff calls a file that is not there
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LETTERS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_Block = tuple[int, int, int]  # equal lines: where in the old text, where in the new one, how many


def unified_diff(old: str | None, new: str | None, name: str) -> str:
    """What differs between two texts of a file; None is a file that is not there."""
    before, after = _lines(old or ""), _lines(new or "")
    matcher = SequenceMatcher(None, before, after)
    # What it would find out itself, if nobody had told it. (Typeshed has the attribute with another type.)
    matcher.matching_blocks = [Match(*block) for block in _blocks(before, after)]  # type: ignore[attr-defined]
    lines: list[str] = []
    for group in matcher.get_grouped_opcodes():
        if not lines:
            lines += [f"--- {_NOTHING if old is None else quoted_name(f'a/{name}')}\n"]
            lines += [f"+++ {_NOTHING if new is None else quoted_name(f'b/{name}')}\n"]
        first, last = group[0], group[-1]
        lines.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n")
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                lines += [f" {line}" for line in before[start:end]]
                continue
            lines += [f"-{line}" for line in before[start:end]]
            lines += [f"+{line}" for line in after[new_start:new_end]]
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def quoted_name(name: str) -> str:
    """A file's name as git writes it in a diff: one with control characters is in quotes, and has none then."""
    if not _CONTROL.search(name):
        return name
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _CONTROL.sub(lambda found: _LETTERS.get(found[0]) or _octal(found[0]), text) + '"'


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode())


def _range(start: int, end: int) -> str:
    """Lines as the head of a hunk counts them: from 1, and one line has no number; an empty range is where it was."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _lines(text: str) -> list[str]:
    # Not `splitlines`: a form feed ends a line for Python, but not for any tool that reads diffs.
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _blocks(old: list[str], new: list[str]) -> Iterator[_Block]:
    """Equal lines of two texts, in order.

    Python's own search goes through what is left of the text for each change: a rename in 3,000 classes takes ten
    seconds. Lines that are there once in both texts tell at once what belongs together; it has the rest between them.
    """
    start = length = shift = 0
    anchors = [(-1, -1), *_anchors(old, new), (len(old), len(new))]
    for (old_before, new_before), (old_at, new_at) in pairwise(anchors):
        between = _between(old, new, (old_before + 1, old_at), (new_before + 1, new_at))
        for found, other, count in (*between, (old_at, new_at, int(old_at < len(old)))):
            if found == start + length and other - found == shift:
                length += count
            elif count:
                if length:
                    yield start, start + shift, length
                start, length, shift = found, count, other - found
    if length:
        yield start, start + shift, length
    yield len(old), len(new), 0


def _between(old: list[str], new: list[str], mine: tuple[int, int], its: tuple[int, int]) -> Iterator[_Block]:
    """The equal lines of two stretches: those at both ends, and what a search finds in the middle."""
    (start, end), (other, other_end) = mine, its
    length = min(end - start, other_end - other)
    head = next((at for at in range(length) if old[start + at] != new[other + at]), length)
    tail = next((at for at in range(length - head) if old[end - 1 - at] != new[other_end - 1 - at]), length - head)
    yield start, other, head
    middle = old[start + head : end - tail], new[other + head : other_end - tail]
    if all(middle):
        for found in SequenceMatcher(None, *middle).get_matching_blocks()[:-1]:
            yield found.a + start + head, found.b + other + head, found.size
    yield end - tail, other_end - tail, tail


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Lines that are there once in both texts: as many as possible that stand in the same order (patience diff)."""
    once = {line for line, count in Counter(old).items() if count == 1}
    once &= {line for line, count in Counter(new).items() if count == 1}
    place = {line: at for at, line in enumerate(new) if line in once}
    ends: list[int] = []  # by the length of a row: the smallest place in the new text that such a row ends at
    rows: list[tuple[int, int, object]] = []
    for at, line in enumerate(old):
        if line in once:
            longest = bisect_left(ends, place[line])
            row = (at, place[line], rows[longest - 1] if longest else None)
            ends[longest : longest + 1] = [place[line]]
            rows[longest : longest + 1] = [row]
    found: list[tuple[int, int]] = []
    row_: object = rows[-1] if rows else None
    while isinstance(row_, tuple):
        found.append((row_[0], row_[1]))
        row_ = row_[2]
    return found[::-1]
