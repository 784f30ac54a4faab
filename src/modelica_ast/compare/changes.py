"""What differs between two versions, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from modelica_ast.compare.alignment import Moved
from modelica_ast.compare.things import LIST, Thing
from modelica_ast.edit import equal_lines
from modelica_ast.foundation import Record, Span

_NOISE: Final = frozenset({"layout", "writing"})


class LineChange(Record):
    """A line of a long text that is not in both versions: `kind` is added or removed, `line` its place in its file."""

    kind: str
    line: int
    text: str


class Change(Record):
    """One difference between an old and a new version.

    `kind` is added, removed, changed, moved, renamed or reordered. `what` says what it is about: class, component,
    modifier, value, connection, equation, statement, branch, annotation, import, extends, description, comment, prefix,
    type, dimensions, condition, kind, constraint, literal, section, external, within, order; of noise layout, writing,
    order.
    `path` leads to it by names, from the outermost class. `class_name` is the part of it that names classes.
    `old` and `new` are the texts of it, None where it is not there; the spans say where these are.
    """

    kind: str
    what: str
    path: tuple[str, ...]
    class_name: str
    old: str | None = None
    new: str | None = None
    old_span: Span | None = None
    new_span: Span | None = None

    @property
    def name(self) -> str:
        """The path after the class: `body.inertial.mass`; the last name of the class for the class itself."""
        depth = self.class_name.count("\0") + 1 if self.class_name else 0
        return ".".join(self.path[depth:]) or (self.path[-1] if self.path else "")

    @property
    def class_path(self) -> str:
        """The class by its dotted name, '' for the file."""
        return self.class_name.replace("\0", ".")

    @property
    def lines(self) -> tuple[LineChange, ...]:
        """The lines that differ, if it is about a text of several lines that is there in both versions; else none."""
        is_text = self.kind == "changed" and self.what not in _NOISE and self.old is not None and self.new is not None
        if not is_text or "\n" not in f"{self.old}{self.new}":
            return ()
        return tuple(_changed_lines(self))

    def as_json(self) -> dict[str, Any]:
        """The change in plain values, as `docs/diff-and-merge.md` describes them."""
        return {
            "kind": self.kind,
            "what": self.what,
            "class": self.class_path,
            "path": list(self.path),
            "old": self.old,
            "new": self.new,
            "lines": [{"kind": each.kind, "line": each.line, "text": each.text} for each in self.lines],
            "old_span": span_json(self.old_span),
            "new_span": span_json(self.new_span),
        }


def _changed_lines(change: Change) -> Iterator[LineChange]:
    old, new = ((text or "").replace("\r\n", "\n").split("\n") for text in (change.old, change.new))
    first = [span.start.line if span is not None else 1 for span in (change.old_span, change.new_span)]
    at = (0, 0)
    for before, after, length in equal_lines(old, new):
        yield from (LineChange("removed", first[0] + i, old[i]) for i in range(at[0], before))
        yield from (LineChange("added", first[1] + i, new[i]) for i in range(at[1], after))
        at = (before + length, after + length)


def span_json(span: Span | None) -> dict[str, Any] | None:
    """A span in plain values; lines and columns count from 1."""
    if span is None:
        return None
    return {
        side: {"line": place.line, "column": place.column, "offset": place.offset}
        for side, place in (("start", span.start), ("end", span.end))
    }


class Changes(Record):
    """All that differs between two versions: what means something, and apart from it the noise."""

    changes: tuple[Change, ...] = ()
    noise: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def as_json(self) -> dict[str, Any]:
        """The changes in plain values."""
        return {
            "version": 1,
            "changes": [change.as_json() for change in self.changes],
            "noise": [change.as_json() for change in self.noise],
        }


# ---------------------------------------------------------------- reporting
# Whom a change is about, and which text of it people should see.


def shown(thing: Thing | None) -> str | None:
    """The text of a thing; of a binding its value, of a comment the comment."""
    if thing is None:
        return None
    value = thing.slot("value") if thing.key == "binding" else None
    text = (value or thing).core.strip()
    return text or thing.pre.strip()


def comment_text(thing: Thing) -> str:
    """The comments of a thing, one in a line."""
    return "\n".join(thing.comments)


def section_name(thing: Thing) -> str:
    """The kind of section that an element is in."""
    section = next((each for each in thing.around if each.what == "section"), None)
    return str(section.key[0]) if section is not None and isinstance(section.key, tuple) else "public"


def owners(old: Thing, new: Thing) -> Iterator[tuple[Thing, Thing]]:
    """Whom a change is about: what comes before `a, b` is about each of them."""
    clauses = [each.parent for each in (old, new)]
    lists = [each.slot("components") if each is not None and each.shape == "clause" else None for each in clauses]
    if lists[0] is None or lists[1] is None:
        yield old, new
        return
    before = {item.key: item for item in lists[0].children}
    shared = [(before[item.key], item) for item in lists[1].children if item.key in before]
    yield from shared or [(old, new)]


def reported(thing: Thing, moved: Moved) -> Iterator[Thing]:
    """What is reported if a whole thing comes or goes: of containers the things in them."""
    todo = [thing]
    while todo:
        current = todo.pop()
        if id(current) in moved.old_of or id(current) in moved.new_of:
            yield current
            continue
        if not current.digest:
            continue
        inside: list[Thing] = []
        if current.what == "section" or current.shape in ("arguments", "clause"):
            inside = [item for slot in current.children if slot.shape == LIST for item in slot.children]
            if current.what == "section":
                inside = inside or [slot for slot in current.children if slot.what in ("annotation", "external")]
        if current.shape == "clause" and len(inside) == 1:
            inside = []
        if not inside:
            yield current
            continue
        todo += reversed(inside)
