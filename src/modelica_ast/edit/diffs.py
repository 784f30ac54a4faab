"""Unified diffs, in the form that `git apply` and `patch` read."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

from modelica_ast.foundation import EditError, Record
from modelica_ast.syntax import Green, children_of, equal, leaves, width

_NOTHING: Final = "/dev/null"  # what such a diff calls a file that is not there
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LETTERS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_Block = tuple[int, int, int]  # equal lines: where in the old text, where in the new one, how many


def unified_diff(old: str | None, new: str | None, name: str) -> str:
    """What differs between two texts of a file; None is a file that is not there."""
    before, after = _lines(old or ""), _lines(new or "")
    matcher = SequenceMatcher(None, before, after)
    # What it would find out itself, if nobody had told it. (Typeshed has the attribute with another type.)
    matcher.matching_blocks = [Match(*block) for block in equal_lines(before, after)]  # type: ignore[attr-defined]
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


def equal_lines(old: list[str], new: list[str]) -> Iterator[_Block]:
    """Equal lines of two texts, in order.

    Python's own search goes through what is left of the text for each change: a rename in 3,000 classes takes ten
    seconds. Lines that are there once in both texts tell at once what belongs together (patience diff); it has the rest
    between them. The last block is empty, at the ends.
    """
    start = length = shift = 0
    anchors = [(-1, -1), *in_order(old, new), (len(old), len(new))]
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


# ---------------------------------------------------------------- text edits
# What changed between two trees, as a short list of replaced pieces of text.
#
# The trees share what no edit touched, so the pieces are found by walking both in step and skipping what is the same
# object. Any pairing of siblings gives a right answer, a good one gives a short list: siblings are paired by identity
# first, then by what is in them, then by their place; where one side has more of them, leaves are paired.

_Run = Sequence[Green]  # neighbouring siblings
_Key = Callable[[Green], Hashable]
_Chain = tuple[int, int, "_Chain | None"]  # places in two lists, and the chain before them


class _Pair(NamedTuple):
    """Runs that stand for each other; alike if they have the same key, which is a guess that they are equal."""

    olds: _Run
    news: _Run
    alike: bool = False


class TextEdit(Record):
    """The characters from `start` to before `end` of the old text become `text`."""

    start: int
    end: int
    text: str


def text_edits(old: Green, new: Green) -> list[TextEdit]:
    """The edits that make the text of `new` from the text of `old`, in order; no two of them touch."""
    edits: list[TextEdit] = []
    fingerprint = _Fingerprints()
    offset = 0
    todo = [_Pair([old], [new])]
    while todo:
        pair = todo.pop()
        one, other = (pair.olds[0], pair.news[0]) if len(pair.olds) == len(pair.news) == 1 else (None, None)
        if one is not None and other is not None and (one is other or (pair.alike and equal(one, other))):
            offset += width(one)
        elif isinstance(one, tuple) and isinstance(other, tuple):
            todo += reversed(_paired(children_of(one), children_of(other), fingerprint))
        else:
            offset = _replace(edits, offset, _text(pair.olds), _text(pair.news))
    return edits


def apply_text_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after edits that are in order and don't overlap; EditError if they are not."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        if not at <= edit.start <= edit.end <= len(text):
            raise EditError(f"the text edit from {edit.start} to {edit.end} is out of order or outside the text")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def _text(run: _Run) -> str:
    return "".join(_leaves(run))


def _leaves(run: _Run) -> list[str]:
    return [leaf for green in run for leaf in leaves(green)]


def _replace(edits: list[TextEdit], offset: int, old: str, new: str) -> int:
    """Note what differs between two pieces, as one with the edit before it if they touch; the offset after."""
    end = offset + len(old)
    if old == new:
        return end
    head = common_length(old, new)
    tail = common_length(old[head:][::-1], new[head:][::-1])
    start, stop, text = offset + head, end - tail, new[head : len(new) - tail]
    if edits and edits[-1].end == start:
        last = edits.pop()
        start, text = last.start, last.text + text
    edits.append(TextEdit(start, stop, text))
    return end


def common_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their start. PERF: halves are compared, not characters."""
    same, most = 0, min(len(one), len(other))
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


# ---------------------------------------------------------------- pairing siblings


def _paired(olds: _Run, news: _Run, fingerprint: _Key) -> list[_Pair]:
    """Two lists of siblings as pairs of runs, in order."""
    found: list[_Pair] = []
    for pair in _around_anchors(olds, news, id):
        if len(pair.olds) == len(pair.news) == 1:
            found.append(pair)
            continue
        for rest in _around_anchors(pair.olds, pair.news, fingerprint):
            if rest.alike:
                found.append(rest)
            elif len(rest.olds) == len(rest.news):
                found += [_Pair([one], [other]) for one, other in zip(rest.olds, rest.news, strict=True)]
            else:
                found += _around_anchors(_leaves(rest.olds), _leaves(rest.news), str)
    return found


def _around_anchors(olds: _Run, news: _Run, key: _Key) -> list[_Pair]:
    """Cut two lists at what they have in common: equal ends, and what occurs once in each, in the same order."""
    old_keys, new_keys = [*map(key, olds)], [*map(key, news)]
    head = 0
    while head < min(len(olds), len(news)) and old_keys[head] == new_keys[head]:
        head += 1
    tail = 0
    while tail < min(len(olds), len(news)) - head and old_keys[-1 - tail] == new_keys[-1 - tail]:
        tail += 1
    middle = in_order(old_keys[head : len(olds) - tail], new_keys[head : len(news) - tail])
    pairs = [(i, i) for i in range(head)]
    pairs += [(head + i, head + j) for i, j in middle]
    pairs += [(len(olds) - i, len(news) - i) for i in range(tail, 0, -1)]
    runs: list[_Pair] = []
    old_at = new_at = 0
    for old_index, new_index in [*pairs, (len(olds), len(news))]:
        if old_at < old_index or new_at < new_index:
            runs.append(_Pair(olds[old_at:old_index], news[new_at:new_index]))
        runs.append(_Pair(olds[old_index : old_index + 1], news[new_index : new_index + 1], alike=True))
        old_at, new_at = old_index + 1, new_index + 1
    return runs[:-1]


def in_order(old_keys: Sequence[Hashable], new_keys: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest list of pairs of equal keys that ascends on both sides, of keys that occur once on each side."""
    counts = Counter(old_keys), Counter(new_keys)
    places = {key: place for place, key in enumerate(old_keys) if counts[0][key] == counts[1][key] == 1}
    # Patience sorting: for each length the chain that ends lowest; a chain is (old, new, the chain before it).
    lowest: list[int] = []
    chains: list[_Chain] = []
    for new, key in enumerate(new_keys):
        old = places.get(key)
        if old is None:
            continue
        length = bisect_left(lowest, old)
        chain: _Chain = (old, new, chains[length - 1] if length else None)
        lowest[length : length + 1] = [old]
        chains[length : length + 1] = [chain]
    found: list[tuple[int, int]] = []
    last = chains[-1] if chains else None
    while last is not None:
        found.append((last[0], last[1]))
        last = last[2]
    return found[::-1]


class _Fingerprints:
    """Equal numbers for equal subtrees, each node looked at once: a guess of what belongs together, never a proof."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}  # by identity; the two trees keep their nodes alive

    def __call__(self, green: Green) -> int:
        """The fingerprint of a subtree."""
        todo: list[Green] = [green]
        known = self._known
        while todo:
            node = todo[-1]
            if isinstance(node, str) or id(node) in known:
                todo.pop()
                continue
            inner = [child for child in node[1:] if type(child) is tuple and id(child) not in known]
            if inner:
                todo += inner
                continue
            known[id(node)] = hash((node[0], *(hash(c) if type(c) is str else known[id(c)] for c in node[1:])))
        return hash(green) if type(green) is str else known[id(green)]
