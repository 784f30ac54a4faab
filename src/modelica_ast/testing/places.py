"""Parts of a text, given as people give them: lines, classes, spans."""

from __future__ import annotations

from collections.abc import Iterable

from modelica_ast.edit.document import Document
from modelica_ast.source import Span

# A line from 1, several of them, the name of a class, a view's span, or two offsets.
Place = int | range | str | Span | tuple[int, int]


def offsets(text: str, places: Iterable[Place]) -> list[tuple[int, int]]:
    """(start, stop) of every place in a text, in order, those that meet as one.

    A line includes its line end. A class is all from its first token to its last; NotFoundError if there is none.
    """
    starts = [0]
    for line in text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    starts.append(len(text))
    found: list[tuple[int, int]] = []
    for place in places:
        match place:
            case int():
                found.append(_lines(starts, place, place))
            case range():
                found += [_lines(starts, line, line) for line in place]
            case str():
                span = Document(text).find_class(place).view.span
                found.append((span.start.offset, span.end.offset))
            case Span():
                found.append((place.start.offset, place.end.offset))
            case (int(start), int(stop)):
                found.append((start, stop))
    return _merged(found)


def _lines(starts: list[int], first: int, last: int) -> tuple[int, int]:
    if not 1 <= first <= last < len(starts):
        raise ValueError(f"there is no line {first}: the text has {len(starts) - 1}")
    return starts[first - 1], starts[last]


def _merged(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def differs_elsewhere(old: str, new: str, spans: list[tuple[int, int]]) -> bool:
    """Is there a difference that these spans of the old text don't account for?

    What stands between the spans must be found in the new text, all of it and in its order.
    """
    bounds = [0, *(offset for span in spans for offset in span), len(old)]
    kept = [old[bounds[i] : bounds[i + 1]] for i in range(0, len(bounds), 2)]
    if len(kept) == 1:
        return old != new
    first, *middle, last = kept
    if not new.startswith(first) or not new.endswith(last) or len(new) < len(first) + len(last):
        return True
    at, stop = len(first), len(new) - len(last)
    for piece in middle:
        at = new.find(piece, at, stop)
        if at < 0:
            return True
        at += len(piece)
    return False
