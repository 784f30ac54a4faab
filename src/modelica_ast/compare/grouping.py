"""`Real a, b;` in one version and `Real a; Real b;` in another: then each component gets a clause of its own.

Components are known by their names, however they are grouped. Clauses that have components in common are one thing in
all versions, if each version has one of them. Where they don't, they are taken apart in all versions.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.compare.things import Thing
from modelica_ast.trivia import Prefix, is_blank


def agree_on_clauses(versions: list[Thing]) -> None:
    """Let versions of a class have the same clauses for the same components, and give those the same keys."""
    clauses = [[*_clauses(version)] for version in versions]
    groups = _Groups()
    for found in clauses:
        for clause in found:
            groups.join(names_of(clause))
    for found in clauses:
        seen: dict[str, Thing] = {}
        for clause in found:
            group = groups.of(names_of(clause)[0])
            if group in seen:
                groups.to_split.add(group)
            seen[group] = clause
    for version in versions:
        for inside in lists_of(version):
            _agree(inside, groups)


class _Groups:
    """Names that stand in a clause together, in any version."""

    def __init__(self) -> None:
        self._around: dict[str, str] = {}
        self.to_split: set[str] = set()

    def of(self, name: str) -> str:
        """The name that stands for the group."""
        while self._around.setdefault(name, name) != name:
            above = self._around[name]
            self._around[name] = self._around[above]
            name = above
        return name

    def join(self, names: tuple[str, ...]) -> None:
        """Let these be in one group."""
        first = self.of(names[0])
        for name in names[1:]:
            self._around[self.of(name)] = first


def names_of(clause: Thing) -> tuple[str, ...]:
    """The components of a clause."""
    return clause.declares or (clause.name,)


def lists_of(version: Thing) -> Iterator[Thing]:
    """The lists of elements of a class: before its sections, and in those."""
    if version.what != "class":
        return
    elements, sections = version.slot("elements"), version.slot("sections")
    if elements is None or sections is None:
        return
    yield elements
    for section in sections.children:
        inside = section.slot("items") if section.what == "section" else None
        if inside is not None:
            yield inside


def _clauses(version: Thing) -> Iterator[Thing]:
    for inside in lists_of(version):
        yield from (item for item in inside.children if item.shape == "clause")


def _agree(inside: Thing, groups: _Groups) -> None:
    """Take apart the clauses of a list that must be, and give keys to the others."""
    children: list[Thing] = []
    for item in inside.children:
        group = groups.of(names_of(item)[0]) if item.shape == "clause" else ""
        if group in groups.to_split:
            children += _singles(item)
            continue
        if group:
            item.key = ("component", group)
        children.append(item)
    if len(children) != len(inside.children):
        inside.put_children(children)


def _singles(clause: Thing) -> list[Thing]:
    """A clause for each component of one."""
    inside = clause.slot("components")
    if inside is None or len(inside.children) < 2:  # noqa: PLR2004
        return [clause]
    singles = [_single(clause, component, at) for at, component in enumerate(inside.children)]
    singles[-1].tail += clause.tail
    return singles


def _single(clause: Thing, component: Thing, number: int) -> Thing:
    new = Thing("component", component.key, "clause", (), name=component.name)
    line_start = Prefix.of(clause.pre).line_start or " "
    new.pre = clause.pre if number == 0 else line_start
    new.start = clause.start if number == 0 else component.start
    children = []
    for slot in clause.children:
        if slot.key != "components":
            children.append(copy_of(slot))
            continue
        own = copy_of(component)
        own.comma, own.after = False, ""
        own.pre = own.pre if own.pre and not is_blank(own.pre) else " "
        only = Thing("list", "components", slot.shape, ())
        only.kind = slot.kind
        only.put_children([own])
        children.append(only)
    new.tail = component.after
    new.put_children(children)
    return new


def copy_of(thing: Thing) -> Thing:
    """The same thing once more, to stand elsewhere."""
    new = Thing(thing.what, thing.key, thing.shape, thing.greens, name=thing.name)
    for field in (
        "weak_key",
        "declares",
        "memo",
        "kind",
        "pre",
        "tail",
        "after",
        "comma",
        "is_ordered",
        "start",
        "expand",
    ):
        setattr(new, field, getattr(thing, field))
    return new
