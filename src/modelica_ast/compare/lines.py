"""Changes as lines for people, grouped by class. Each piece of a line has a style; colour is the caller's business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from modelica_ast.compare.changes import Change
from modelica_ast.record import Record

_SHOWN: Final = 72  # characters of a text in a line
_MARKS: Final = {"added": "+", "removed": "-", "changed": "~", "moved": ">", "renamed": ">", "reordered": "%"}


class Styled(Record):
    """A piece of a line: style is heading, added, removed, changed, moved, renamed, reordered or plain."""

    text: str
    style: str = "plain"


Line = tuple[Styled, ...]


def lines_of(changes: Iterable[Change]) -> Iterator[Line]:
    """A heading for each class, and a line for each change in it."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(_group(change), []).append(change)
    for name, members in groups.items():
        yield (Styled(name or "(file)", "heading"),)
        for change in members:
            yield (Styled("  "), Styled(_MARKS[change.kind], change.kind), Styled(" "), Styled(sentence(change)))


def text_of(changes: Iterable[Change]) -> str:
    """The lines as plain text."""
    return "".join("".join(piece.text for piece in line) + "\n" for line in lines_of(changes))


def _group(change: Change) -> str:
    """A class that came or went is listed with the class around it."""
    if change.what == "class" and change.kind in ("added", "removed", "moved", "renamed"):
        return change.class_path.rpartition(".")[0]
    return change.class_path


def sentence(change: Change) -> str:
    """What happened, in a few words."""
    old, new = shortened(change.old), shortened(change.new)
    subject = f"{change.what} {change.name}" if change.name and change.what != "class" else change.what
    if change.what == "class":
        subject = f"class {change.path[-1]}"
    elif change.what in ("component", "connection", "equation", "statement", "extends", "import", "external"):
        subject = change.what
    match change.kind:
        case "added" | "removed":
            text = new if change.kind == "added" else old
            return subject if change.what == "class" else f"{subject}: {text}"
        case "moved" | "renamed":
            return f"{change.what} {change.path[-1]}: {change.kind} from {old}"
        case "reordered":
            return f"order: {new}"
        case _:
            where = f"{change.what} {change.name}".strip() if change.name else change.what
            return f"{where}: {old} -> {new}"


def shortened(text: str | None) -> str:
    """A text on one line, not too long."""
    line = " ".join((text or "").split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
