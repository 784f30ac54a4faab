"""Members that one side removed and the other uses from outside: `arm.length`, `Arm arm(length=2)`.

Which declaration a name behind a dot leads to is found by lookup, in the version that uses it. What the lookup does not
find in the file is nobody's loss here: no side has removed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modelica_ast.compare.grouping import lists_of, names_of
from modelica_ast.compare.moving import classes_of, find_moved_classes
from modelica_ast.compare.things import Thing
from modelica_ast.edit.index import class_name
from modelica_ast.edit.occurrences import Opened, occurrences
from modelica_ast.edit.surgery import Path
from modelica_ast.green import Node
from modelica_ast.lexer import token_text
from modelica_ast.semantics.lone import lookup_in_root
from modelica_ast.semantics.occurrences import LOCAL
from modelica_ast.tables import KINDS

Names = tuple[str, ...]


def members_missed(base: Thing, side: Thing, other: Node) -> frozenset[str]:
    """The names of what a side removed since base, as far as the other version has a name that leads there."""
    gone = set(_gone(base, side))
    if not gone:
        return frozenset()
    opened = Opened(other, frozenset(path[-1] for path in gone), None)
    found = occurrences(lookup_in_root(other), opened.root, None, opened.places)
    targets = {target.path for target in found.values() if target is not None and target != LOCAL}
    used = {_names_along(opened.root, path) for path in targets}
    return frozenset(path[-1] for path in used & gone)


def _gone(base: Thing, side: Thing) -> Iterator[Names]:
    """The paths of components and classes that a side does not declare there any more, in the base's names."""
    moved = find_moved_classes(base, side).new_of
    todo: list[tuple[Names, Thing, Thing | None]] = [((), base, side)]
    while todo:
        path, old, new = todo.pop()
        if new is not None and old.core == new.core:
            continue
        classes = {each.name: each for each in classes_of(new)} if new is not None else {}
        components = set(_components(new)) if new is not None else set()
        yield from ((*path, name) for name in _components(old) if name not in components)
        for each in classes_of(old):
            same = classes.get(each.name)
            if same is None:
                yield (*path, each.name)
            todo.append(((*path, each.name), each, moved.get(id(each), same)))


def _components(version: Thing) -> Iterator[str]:
    for inside in lists_of(version):
        for item in inside.children:
            if item.shape == "clause":
                yield from names_of(item)


def _names_along(root: Node, path: Path) -> Names:
    """The names of the classes around a place of a tree, and of what stands there."""
    names: list[str] = []
    node: Any = root
    for index in path:
        node = node[index]
        kind = KINDS[node[0]] if isinstance(node, tuple) else ""
        if kind == "class_definition":
            names.append(class_name(node))
        elif kind == "component_declaration":
            names.append(token_text(node[1]))
    return tuple(names)
