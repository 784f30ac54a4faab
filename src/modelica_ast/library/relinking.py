"""References that keep their meaning when a class moves.

Before the move, `Links` notes what every name in the class stands for, and where the class itself is named. After it,
each of these names is looked up where it stands now; what means something else is written anew, in the shortest form
that means the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.occurrences import Opened, leaf_paths, text_around
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, leaf_at, node_at, replaced
from modelica_ast.green import Node, child_at, child_leaf, children_of, tokens
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.library.class_files import lookup_of
from modelica_ast.library.libraries import Libraries
from modelica_ast.record import Record
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.semantics.occurrences import LOCAL, Occurrence
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS

_DOTTED: Final = frozenset({"name", "type_specifier", "component_reference"})


class Name(Record):
    """A dotted name in a tree: where its node is, how many of its parts matter, and what those stand for."""

    path: TreePath
    kind: str  # name, type_specifier, component_reference or import_clause
    parts: int
    stands_for: str  # a full name
    is_full: bool  # as it is written


def full_name(lookup: Lookup, target: Target) -> str:
    """The full name of a class or component."""
    definition = lookup.definition_at(target)
    assert definition is not None
    name = lookup.classes.full_name(definition)
    return name if definition.place == target else f"{name}.{token_text(lookup.node(target)[1])}"


def names_in(root: Node, within: TreePath) -> Iterator[tuple[TreePath, str, list[TreePath]]]:
    """(path of its node, kind, paths of its parts) of every dotted or simple name below a place."""
    seen: set[TreePath] = set()
    for inner, leaf in leaf_paths(node_at(root, within)):
        path = (*within, *inner)
        parent = node_at(root, path[:-1])
        kind = KINDS[parent[0]]
        if kind in _DOTTED:
            if path[:-1] not in seen and token_text(leaf) != ".":
                seen.add(path[:-1])
                parts = [(*path[:-1], i) for i in range(1, len(parent)) if _is_name(parent[i])]
                yield path[:-1], kind, parts
        elif _is_name(leaf):
            rule = Occurrence.rule(parent, path[-1])
            if rule in _DOTTED:
                yield path, rule, [path]


def _is_name(part: Any) -> bool:
    if type(part) is not str:
        return False
    text = token_text(part)
    return text[:1].isalpha() or text[:1] in "_'"


class Looker:
    """Looks up names in trees whose annotations are read where they matter."""

    def __init__(self, libraries: Libraries, roots: dict[Path, Node]) -> None:
        self._roots = roots
        self.lookup = lookup_of(libraries, roots)

    def target(self, file: Path, path: TreePath) -> Target | None:
        """Where what an identifier stands for is declared; None for the index of a loop too."""
        found = Occurrence(self.lookup, self._roots[file], Target(file, path)).target()
        return None if found == LOCAL else found

    def resolves(
        self, file: Path, where: TreePath, parts: Sequence[str], wanted: str, *, is_global: bool = False
    ) -> bool:
        """Does a name, written at a place, lead to this?"""
        around = self.lookup.classes_around(Target(file, where))
        found = self.lookup.resolve_places(around, list(parts), is_global=is_global)[-1]
        return found is not None and full_name(self.lookup, found) == wanted

    def is_top(self, place: Target, name: str) -> bool:
        """Does a simple name, written at a place, stand for a library?"""
        first = self.lookup.resolve_places(self.lookup.classes_around(place), [name])[0]
        return first is not None and first == self.lookup.resolve_places((), [name], is_global=True)[0]

    def shortest(self, file: Path, where: TreePath, wanted: str) -> list[str]:
        """The shortest end of a full name that leads there from this place.

        If only a dot before the full name does, as in a class that is encapsulated, the first part is empty.
        """
        parts = split_name(wanted)
        for start in range(len(parts) - 1, -1, -1):
            if self.resolves(file, where, parts[start:], wanted):
                return parts[start:]
        if self.resolves(file, where, parts, wanted, is_global=True):
            return ["", *parts]
        raise EditError(f"no name leads to '{wanted}' from '{text_around(self._roots[file], where)}' in {file}")


def foreign_names(looker: Looker, file: Path, root: Node, definition: TreePath) -> list[Name]:
    """The names inside a class that lead out of it through the classes around it; paths are from the class."""
    found = []
    for path, kind, parts in names_in(root, definition):
        first = looker.target(file, parts[0])
        if first is None:
            continue
        if first.tree == file and first.path[: len(definition)] == definition and first.path != definition:
            continue
        holder = KINDS[node_at(root, path[:-1])[0]]
        if kind == "name" and holder in ("element_modification", "within_clause", "import_clause"):
            continue  # a member of what is modified; full names anyway
        text = token_text(leaf_at(root, parts[0]))
        target = full_name(looker.lookup, first)
        found.append(Name(path[len(definition) :], kind, 1, target, is_full=target == text))
    return found


def with_first_parts(node: Any, kind: str, count: int, names: Sequence[str]) -> Any:
    """A dotted name with other names in the place of its first ones; an empty one makes it start with a dot."""
    children = [node] if type(node) is str else list(node[1:])
    prefix = split_leaf(children[0])[0]
    if token_text(children[0]) == ".":
        children = children[1:]
    place = seen = 0
    while seen < count:
        seen += _is_name(children[place])
        place += 1
    rest = children[place:]
    new: list[Any] = []
    for name in names:
        new += ["."] * bool(new) + [name]
    if not names[0]:
        del new[0]
    new[0] = prefix + new[0]
    if not rest and len(new) == 1:
        return new[0]
    return make_node(kind, *new, *rest)


def with_import(clause: Node, count: int, names: Sequence[str]) -> Node:
    """An import clause with other names in the place of its first ones."""
    renamed = child(clause, "name")
    if renamed is not None:
        new = with_first_parts(renamed[1], "name", count, names)
        return replaced(clause, (renamed[0],), new)
    place = 2
    seen = 0
    while seen < count:
        seen += _is_name(clause[place])
        place += 1
    prefix = split_leaf(child_leaf(clause, 2))[0]
    new_leaves: list[Any] = []
    for name in names:
        new_leaves += ["."] * bool(new_leaves) + [name]
    new_leaves[0] = prefix + new_leaves[0]
    return make_node("import_clause", child_at(clause, 1), *new_leaves, *children_of(clause, place))


def opened_fully(document: Document, definition: TreePath) -> Opened:
    """The tree of a document in which all annotations of a class are read."""
    root = document.work.root
    words = {token for token in tokens(at(root, definition)) if token.isidentifier()}
    return Opened(root, frozenset(words) | {"annotation"}, document.path)
