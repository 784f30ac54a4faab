"""References that keep their meaning when a class moves.

Before the move, `Links` notes what every name in the class stands for, and where the class itself is named. After it,
each of these names is looked up where it is now; what means something else is rewritten, in the shortest form
that means the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import (
    Document,
    ExactEditor,
    Opened,
    Path as TreePath,
    at,
    leaf_at,
    leaf_paths,
    node_at,
    replaced,
    text_around,
)
from modelica_ast.foundation import EditError, Record, split_name
from modelica_ast.library import Libraries, LibraryError, Tally, Uses, lookup_of, target_of
from modelica_ast.semantics import LOCAL, Lookup, Occurrence, Target
from modelica_ast.syntax import (
    KINDS,
    Node,
    child,
    child_at,
    child_leaf,
    children_of,
    make_node,
    split_leaf,
    token_text,
    tokens,
)

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
    """A dotted name with other names in place of its first ones; an empty one makes it start with a dot."""
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
    """An import clause with other names in place of its first ones."""
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


# ---------------------------------------------------------------- mending
# References inside a class that moves or is copied: each keeps its meaning, written again where it must be.


def names_leading_out(libraries: Libraries, name: str, tally: Tally) -> dict[str, list[Name]]:
    """For the class and each class inside it with a file of its own: the names in it that lead out of it."""
    library, entry, rest = libraries.entry_of(name)
    del library
    files = list(entry.walk()) if not rest else [entry]
    found: dict[str, list[Name]] = {}
    tally.expect(len(files))
    for file in files:
        document = libraries.document(file)
        inner = ".".join([file.name, *(rest if file is entry else [])])
        definition = document.work.find_class(inner).path
        opened = opened_fully(document, definition)
        looker = Looker(libraries, {file.path: opened.root})
        full = ".".join([*split_name(file.full_name), *(rest if file is entry else [])])
        found[full] = [
            item
            for item in foreign_names(looker, file.path, opened.root, definition)
            if not f"{item.stands_for}.".startswith(f"{name}.") or item.stands_for == name
        ]
        tally.done(file.path)
    return found


def mend_names(
    libraries: Libraries, foreign: dict[str, list[Name]], renamed: Callable[[str], str], tally: Tally
) -> None:
    """Look up each of the names where it is now; rewrite those that mean something else."""
    tally.expect(2 * len(foreign))
    for clauses_first in (True, False):
        for old_full, names in foreign.items():
            tally.done(_mend_class(libraries, renamed(old_full), names, renamed, extends_only=clauses_first))


def _mend_class(
    libraries: Libraries, full: str, names: list[Name], renamed: Callable[[str], str], *, extends_only: bool
) -> Path:
    """The file that was looked through."""
    _, entry, rest = libraries.entry_of(full)
    document = libraries.document(entry)
    definition = document.work.find_class(".".join([entry.name, *rest])).path
    opened = opened_fully(document, definition)
    root: Any = opened.root
    looker = Looker(libraries, {entry.path: root})
    for name in names:
        path = (*definition, *name.path)
        in_extends = any(
            KINDS[node_at(root, path[:depth])[0]] == "extends_clause" for depth in range(len(definition), len(path))
        )
        if in_extends is not extends_only:  # written again in its own round, and once
            continue
        node = at(root, path)
        first = next(text for text in tokens(node) if text != ".")
        wanted = renamed(name.stands_for)
        is_global = tokens(node)[0] == "."
        if not looker.resolves(entry.path, path, [first], wanted, is_global=is_global):
            root = replaced(root, path, with_first_parts(node, name.kind, 1, looker.shortest(entry.path, path, wanted)))
    if root is not opened.root:
        document.edit(ExactEditor.take, opened.closed(root))
    return entry.path


# ---------------------------------------------------------------- full names
# References to a class that moves: written in full before the move, and as short as they can be after it.


def write_full_names(libraries: Libraries, name: str, new: str, tally: Tally) -> None:
    """Write the new full name wherever the class is named, with a dot before it where it may be shortened later."""
    target = target_of(libraries, name)
    uses = Uses(libraries, [split_name(name)[-1]], tally)
    roots = uses.roots()
    looker = Looker(libraries, roots)
    parts = split_name(new)
    for file, places in uses.meanings(roots).items():
        found = [path for path, meant in places.items() if meant == target]
        root: Any = roots[file]
        # From the back, so that the paths before stay right.
        for path in sorted(found, reverse=True):
            root = _with_full_name(looker, root, Target(file, path), target, parts)
        if root is not roots[file]:
            if libraries.library_of(uses.entry(file).full_name).read_only:
                raise LibraryError(f"'{name}' is used in a read-only library: {file}")
            libraries.document_at(file).edit(ExactEditor.take, uses.opened[file].closed(root))


def _with_full_name(looker: Looker, root: Any, place: Target, target: Target, parts: list[str]) -> Any:
    path = place.path
    is_inside = place.tree == target.tree and path[: len(target.path)] == target.path
    parent = node_at(root, path[:-1])
    kind = KINDS[parent[0]]
    if kind == "import_clause":
        count = sum(1 for part in parent[2 : path[-1] + 1] if type(part) is str and token_text(part) not in (".", "="))
        return replaced(root, path[:-1], with_import(parent, count, parts))
    if kind in ("name", "type_specifier", "component_reference"):
        before = [token_text(part) for part in parent[1 : path[-1]] if type(part) is str]
        named = [text for text in before if text != "."]
        count = len(named) + 1
        if kind == "name":
            return replaced(root, path[:-1], with_first_parts(parent, "name", count, parts))
        if is_inside and count == 1:
            return root
        is_full = bool(named) and looker.is_top(place, named[0])
        new = with_first_parts(parent, kind, count, parts)
        return replaced(root, path[:-1], new if is_full else _with_dot(new, kind))
    rule = Occurrence.rule(parent, path[-1])
    if rule in ("type_specifier", "component_reference") and not is_inside:
        return replaced(root, path, _with_dot(with_first_parts(at(root, path), rule, 1, parts), rule))
    return root


def _with_dot(node: Any, kind: str) -> Any:
    """A name with a dot before it: looked up from the top."""
    children = [node] if type(node) is str else list(node[1:])
    prefix, text = split_leaf(children[0])
    return make_node(kind, prefix + ".", text, *children[1:])


def shorten_names(libraries: Libraries, new: str, tally: Tally) -> None:
    """Names with a dot before them that lead to the class: the shortest form that means the same."""
    parts = split_name(new)
    uses = Uses(libraries, [parts[-1]], tally)
    roots = uses.roots()
    looker = Looker(libraries, roots)
    for file in roots:
        root: Any = roots[file]
        places = [
            (path, kind)
            for path, kind, inner in names_in(root, ())
            if kind in ("type_specifier", "component_reference") and _starts_with(root, path, inner, parts)
        ]
        # From the back, so that the paths before stay right. The names mean the same before and after, so all of them
        # are looked up in the trees as they were.
        for path, kind in reversed(places):
            short = looker.shortest(file, path, new)
            root = replaced(root, path, with_first_parts(at(root, path), kind, len(parts), short))
        if root is not roots[file]:
            libraries.document_at(file).edit(ExactEditor.take, uses.opened[file].closed(root))


def _starts_with(root: Any, path: TreePath, inner: list[TreePath], parts: list[str]) -> bool:
    node = at(root, path)
    if tokens(node)[0] != ".":
        return False
    return [token_text(leaf_at(root, p)) for p in inner[: len(parts)]] == parts
