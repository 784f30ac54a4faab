"""Cut and graft on green trees: every edit is one of these, and shares all that it does not touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, cast

from modelica_ast.foundation import EditError, Record
from modelica_ast.syntax import (
    KINDS,
    Green,
    Node,
    Prefix,
    after_removal,
    around_insertion_after,
    around_insertion_before,
    child,
    child_at,
    child_leaf,
    child_node,
    children_of,
    find_production,
    first_leaf,
    make_node,
    place_of,
    render,
    split_leaf,
    symbol,
    token_text,
    trivia_length,
    with_prefix,
)
from modelica_ast.tree import View

Path = tuple[int, ...]
_PUNCTUATION: Final = re.compile(r"[^\w'\".]|\Z")


def node_of(view: View) -> Node:
    """The node that a view shows, an unread annotation opened; not for what is one token."""
    node = view.node
    assert isinstance(node, tuple), "it is one token"
    return node


def at(root: Green, path: Path) -> Green:
    """The subtree at a path."""
    for index in path:
        root = cast("Green", root[index])  # a path leads through nodes, never to a number
    return root


def node_at(root: Green, path: Path) -> Node:
    """The subtree at a path that does not lead to a token."""
    return cast("Node", at(root, path))


def leaf_at(root: Green, path: Path) -> str:
    """The token at a path, with the blanks and comments before it."""
    return cast("str", at(root, path))


def replaced(root: Node, path: Path, new: Green) -> Node:
    """The tree with another subtree at a path; only the nodes on the way are new.

    The subtree must be one that the grammar allows in place of the old one; without a path it is the new tree.
    """
    spine = [root]
    for index in path[:-1]:
        spine.append(child_node(spine[-1], index))
    for node, index in zip(reversed(spine), reversed(path), strict=True) if path else ():
        new = cast("Node", (*node[:index], new, *node[index + 1 :]))
    return cast("Node", new)


def all_replaced(root: Node, new: Mapping[Path, Green]) -> Node:
    """The tree with other subtrees at many paths, none of which leads into another; nodes on the way are made once."""
    spines: dict[Path, list[int | Green]] = {}
    for path, green in new.items():
        if not path:
            return cast("Node", green)
        for depth in range(len(path)):
            if path[:depth] not in spines:
                spines[path[:depth]] = list(node_at(root, path[:depth]))
        spines[path[:-1]][path[-1]] = green
    for path in sorted(spines, key=len, reverse=True):
        node = cast("Node", tuple(spines[path]))
        if not path:
            return node
        spines[path[:-1]][path[-1]] = node
    return root


def remade(node: Node, children: list[Green]) -> Node:
    """A node of the same kind with other children; the grammar chooses the production."""
    return make_node(symbol(node), *children)


def prefix_of(green: Green) -> str:
    """The blanks and comments before the first token."""
    leaf = first_leaf(green)
    return leaf[: trivia_length(leaf)]


def first_leaf_path(green: Green) -> Path | None:
    """Where the first leaf is; None in a node without any (an empty composition)."""
    stack: list[tuple[Path, Green]] = [((), green)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, str):
            return path
        stack += [((*path, index), child_at(node, index)) for index in range(len(node) - 1, 0, -1)]
    return None


def next_leaf_path(root: Green, path: Path) -> Path | None:
    """Where the first leaf after a subtree is; None at the end of a fragment."""
    for depth in range(len(path) - 1, -1, -1):
        node = node_at(root, path[:depth])
        for index in range(path[depth] + 1, len(node)):
            inner = first_leaf_path(child_at(node, index))
            if inner is not None:
                return (*path[:depth], index, *inner)
    return None


def prefix_at(root: Green, path: Path | None) -> str:
    """The blanks and comments before what is at a path; '' at the end of a fragment."""
    return "" if path is None else prefix_of(at(root, path))


def change_prefix(root: Node, path: Path | None, change: Callable[[str], str]) -> Node:
    """The tree with the prefix of one leaf changed; the same tree if it stays as it is."""
    if path is None:
        return root
    prefix, token = split_leaf(leaf_at(root, path))
    new = change(prefix)
    return root if new == prefix else replaced(root, path, new + token)


def insert_after(root: Node, path: Path, new: Green, line_start: str) -> Node:
    """Put a sibling after the node at `path`; a comment on that node's line stays there."""
    following = next_leaf_path(root, path)
    own, rest = around_insertion_after(prefix_at(root, following), line_start)
    if not rest and following is not None and symbol(new).endswith("_section"):
        rest = " "  # an empty section ends with a word
    root = change_prefix(root, following, lambda _: rest)
    parent, place = node_at(root, path[:-1]), path[-1] + 1
    children = [*children_of(parent, 1, place), with_prefix(new, own), *children_of(parent, place)]
    return replaced(root, path[:-1], remade(parent, children))


def insert_before(root: Node, path: Path, new: Green, line_start: str) -> Node:
    """Put a sibling before the node at `path`; the comments directly above that node stay with it."""
    node, parent, place = at(root, path), node_at(root, path[:-1]), path[-1]
    own, rest = around_insertion_before(prefix_of(node), line_start)
    both = [with_prefix(new, own), with_prefix(node, rest)]
    children = [*children_of(parent, 1, place), *both, *children_of(parent, place + 1)]
    return replaced(root, path[:-1], remade(parent, children))


def remove(root: Node, path: Path, *, is_last: bool = False) -> Node:
    """Take out the node at `path` with the comments that it owns; the last of several with the blank lines above it."""
    gone, following = prefix_at(root, path), next_leaf_path(root, path)
    token = "" if following is None else token_text(leaf_at(root, following))
    blank = " " if gone and not _PUNCTUATION.match(token) else ""  # it must not run together with what comes before

    def left(prefix: str) -> str:
        return after_removal(gone, prefix, is_last=is_last, is_end=is_last and not token) or blank

    if path == (1,) and not gone:  # the first line of a file
        root = change_prefix(root, following, lambda prefix: Prefix.of(prefix).below.lstrip("\r\n"))
    else:
        root = change_prefix(root, following, left)
    parent, place = node_at(root, path[:-1]), path[-1]
    children = [*children_of(parent, 1, place), *children_of(parent, place + 1)]
    return replaced(root, path[:-1], remade(parent, children))


def with_child(node: Node, name: str, new: Green | None) -> Node:
    """The node with an optional child set, replaced or (None) left out; its place is where the grammar has it."""
    found = child(node, name)
    kind = symbol(node)
    if found is not None:
        index = found[0]
        return make_node(
            kind, *children_of(node, 1, index), *([] if new is None else [new]), *children_of(node, index + 1)
        )
    if new is None:
        return node
    symbols = [symbol(c) for c in node[1:]]
    for index in range(len(symbols) + 1):
        number = find_production(kind, (*symbols[:index], symbol(new), *symbols[index:]))
        if number is not None and place_of(number, name, 0) is not None:
            children = [*children_of(node, 1, index + 1), new, *children_of(node, index + 1)]
            return (number, *children)
    raise EditError(f"a {kind.replace('_', ' ')} has no place for '{render(new).strip()}'")


# ---------------------------------------------------------------- index
# Where classes and components are in a green tree, by their Modelica names.
#
# PERF: on green nodes, not on views, and remembered by identity: after an edit only the classes on the way to it are
# looked at again.

_REMEMBERED: Final = 4096
# Nodes between a composition (or a file) and what it declares.
_ON_THE_WAY: Final = frozenset(
    {
        "stored_definition",
        "stored_class",
        "composition",
        "public_section",
        "protected_section",
        "class_annotation",
        "element",
        "component_clause",
    }
)


def word_of(names: Iterable[str]) -> re.Pattern[str]:
    """One of some names as a word of a text."""
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, sorted(names)))})(?![A-Za-z0-9_])")


class Scope(Record):
    """What a composition or a file declares: name -> paths from there, more than one if it is declared twice."""

    classes: dict[str, list[Path]]
    components: dict[str, list[Path]]


class Index:
    """Scopes of one document, remembered as long as their nodes are in use."""

    def __init__(self) -> None:
        # Keyed by identity, and the node is kept: a tuple as a key would be hashed with all that is in it.
        self._scopes: dict[int, tuple[Node, Scope]] = {}
        self._texts: dict[int, tuple[Node, str]] = {}

    def scope(self, node: Node) -> Scope:
        """The scope of a composition or a file."""
        known = self._scopes.get(id(node))
        if known is not None:
            return known[1]
        if len(self._scopes) >= _REMEMBERED:
            self._scopes.clear()
        scope = _scan(node)
        self._scopes[id(node)] = (node, scope)
        return scope

    def items_with(self, body: Node, names: Collection[str]) -> Iterator[tuple[Path, Node]]:
        """The elements, equations and statements of a composition in which a name is a word, be it in a comment."""
        if len(self._texts) >= 16 * _REMEMBERED:  # before a class is looked through, which may have many
            self._texts.clear()
        word: re.Pattern[str] | None = None
        todo: list[tuple[Node, Path]] = [(body, ())]
        while todo:
            node, path = todo.pop()
            for index, part in enumerate(node):
                if type(part) is not tuple:
                    continue
                if KINDS[part[0]].endswith("_section"):
                    todo.append((part, (*path, index)))
                    continue
                known = self._texts.get(id(part))
                if known is None:
                    self._texts[id(part)] = known = (part, render(part))
                if not any(name in known[1] for name in names):
                    continue
                word = word or word_of(names)  # PERF: few names are there at all
                if word.search(known[1]):
                    yield (*path, index), part


def _scan(node: Node) -> Scope:
    scope = Scope({}, {})
    todo: list[tuple[Node, Path]] = [(node, ())]
    while todo:
        current, path = todo.pop()
        kind = KINDS[current[0]]
        if kind == "component_declaration":
            scope.components.setdefault(token_text(child_leaf(current, 1)), []).append(path)
        elif kind == "class_definition":
            scope.classes.setdefault(class_name(current), []).append(path)
        elif kind in _ON_THE_WAY:
            inside = [(part, (*path, i)) for i, part in enumerate(current) if type(part) is tuple]
            todo += reversed(inside)
    return scope


def class_name(definition: Node) -> str:
    """The name of a class_definition (or short_class_definition) node."""
    specifier = child_node(definition, -1)
    name = token_text(child_leaf(specifier, 1))
    return token_text(child_leaf(specifier, 2)) if name == "extends" else name
