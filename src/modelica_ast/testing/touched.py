"""What an operation of a patch may touch: for `check_locality`, as small as the operation says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from modelica_ast.edit import Document
from modelica_ast.foundation import Span
from modelica_ast.tree import ClassDefinition, ConnectEquation, Equation, Section, Token, View, parse, walk

# ---------------------------------------------------------------- places
# Parts of a text, given as people give them: lines, classes, spans.

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

    What is between the spans must be found in the new text, all of it and in its order.
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


# ---------------------------------------------------------------- touched

# What takes a whole thing away takes its lines, with the comments that are about it.
_REMOVING: Final = frozenset({"remove_component", "remove_extends", "remove_class", "disconnect"})
# What is about a class and its name or place changes the class or the file around it.
_AROUND: Final = frozenset({"rename_class", "move_class"})
# What is about one element of a class and nothing else.
_ON_COMPONENT: Final = ("set_", "remove_", "redeclare")


def touched(operation: Mapping[str, Any]) -> Callable[[str], list[Place]]:
    """The places of a text that an operation may change, as a function of the text: `allowed=touched(operation)`.

    An operation on a component, an extends clause or a connection may change that alone; what removes one, its lines
    and the comments directly above it; most others their class; what moves or renames a class, all of the file.
    """

    def places(text: str) -> list[Place]:
        name = operation.get("class")
        if operation["op"] == "set_within":
            return [(0, _start_of_classes(text))]
        if not name or operation["op"] in _AROUND:
            return [(0, len(text))]
        definition = Document(text).find_class(str(name)).view
        if operation.get("connections"):
            return [definition.span]
        view = _target(definition, operation)
        return [own_lines(text, with_section(view))] if operation["op"] in _REMOVING else [view.span]

    return places


def with_section(view: View) -> View:
    """The section around something that is in it alone: it goes too."""
    section = view.parent
    if isinstance(section, Section) and sum(not isinstance(part, Token) for part in section.children) == 1:
        return section
    return view


def _start_of_classes(text: str) -> int:
    found = parse(text).classes
    return found[0].position.offset if found else len(text)


def _target(definition: ClassDefinition, operation: Mapping[str, Any]) -> View:
    """What the operation is about: something in the class, the class, or the element that holds the class."""
    found: View | None = None
    match operation:
        case {"op": "remove_class" | "set_class_prefixes"}:
            found = definition.parent
        case {"op": "add_prefix" | "remove_prefix"} if operation.get("component") is None:
            found = definition.parent
        case {"op": str(verb), "component": str(name)} if verb.startswith(_ON_COMPONENT):
            component = definition.get_component(name)
            found = component.element if component is not None else None
        case {"connection": [str(one), str(other)]} | {"one": str(one), "other": str(other)}:
            found = _connection(definition, {one, other})
        case {"op": str(verb), "base": str(base)} if verb.startswith(_ON_COMPONENT):
            found = next((each.element for each in definition.extends if str(each.type) == base), None)
        case {"op": "set_annotation"}:
            found = definition.annotation
        case _:
            pass
    return definition if found is None else found


def _connection(definition: ClassDefinition, ends: set[str]) -> Equation | None:
    for equation in definition.equations:
        for found in walk(equation, annotations=False):
            if isinstance(found, ConnectEquation) and {str(found.left), str(found.right)} == ends:
                return found
    return None


def own_lines(text: str, view: View) -> tuple[int, int]:
    """The lines of a thing: with the comments directly above it and after it, and the blank lines around.

    Of two blank lines that meet when it is gone, one may go too.
    """
    span, leading = view.span, view.leading
    lines = leading.split("\n")
    first = len(lines) - 1
    while first > 1 and lines[first - 1].strip():
        first -= 1
    while first > 1 and not lines[first - 1].strip():
        first -= 1
    if "/*" in leading:  # a blank line inside a comment sets nothing off
        first = min(first, 1)
    start = span.start.offset - len(leading) + len("\n".join(lines[:first]).removesuffix("\r"))
    return start, _end_of_lines(text, span.end.offset)


def _end_of_lines(text: str, stop: int) -> int:
    """After the line end that follows, and the blank lines after it."""
    stop = _line_end(text, stop)
    while stop < len(text) and not text[stop : _line_end(text, stop)].strip():
        stop = _line_end(text, stop)
    return stop


def _line_end(text: str, at: int) -> int:
    """After the next line end that is in no comment."""
    found = text.find("\n", at)
    if found < 0:
        return len(text)
    opened = text.rfind("/*", at, found)
    if opened >= 0 and text.find("*/", opened, found) < 0:
        return _line_end(text, text.index("*/", opened))
    return found + 1
