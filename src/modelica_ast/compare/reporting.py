"""Whom a change is about, and which text of it people should see."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.compare.moving import Moved
from modelica_ast.compare.things import LIST, Thing


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
    """The kind of section that an element stands in."""
    section = next((each for each in thing.around if each.what == "section"), None)
    return str(section.key[0]) if section is not None and isinstance(section.key, tuple) else "public"


def owners(old: Thing, new: Thing) -> Iterator[tuple[Thing, Thing]]:
    """Whom a change is about: what stands before `a, b` is about each of them."""
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
