"""Where a name is written in a document, and what it stands for in each place."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.index import word_of
from modelica_ast.edit.surgery import Path, at, node_at, node_of, prefix_of, replaced
from modelica_ast.edit.working import body_of
from modelica_ast.green import Green, Node, child_at, children_of, render, symbol, width
from modelica_ast.lexer import token_text, trivia_length
from modelica_ast.reading import open_annotation, read
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lone import lookup_in
from modelica_ast.semantics.lookup import Lookup
from modelica_ast.semantics.occurrences import Occurrence
from modelica_ast.source import Source
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.components import Component
from modelica_ast.views.files import StoredDefinition

_Link = tuple["_Link", int] | None  # the way to a node: to the one around it, and the place there


class Opened:
    """A tree in which the annotations that matter are read: paths lead into them.

    `places` has every path at which one of the names is written as an identifier; `file` is for messages.
    """

    def __init__(self, root: Node, names: frozenset[str], file: FilePath | None) -> None:
        self.annotations: list[Path] = []
        self.places: list[Path] = []
        self.root = self._open(root, names, file)

    def _open(self, root: Node, names: frozenset[str], file: FilePath | None) -> Node:
        word = word_of(names)
        for path, leaf in _leaves_with(root, names):
            if token_text(leaf) in names:
                self.places.append(path)
            elif token_text(leaf) and word.search(leaf):  # not a comment at the end of the file
                inside = opened_at(root, path, file)
                root = replaced(root, path, inside)
                self.annotations.append(path)
                inner = _leaves_with(inside, names)
                self.places += [(*path, *place) for place, found in inner if token_text(found) in names]
        return root

    def closed(self, root: Node) -> Node:
        """A tree of the same shape with these annotations in the form that a parse gives."""
        for path in self.annotations:
            root = replaced(
                root, path, child_at(read(Source(render(at(root, path))), start="annotation_clause").green, 1)
            )
        return root


def opened_at(root: Node, path: Path, file: FilePath | None) -> Node:
    """The node of an unread annotation; ModelicaSyntaxError with its place in the file if it is not Modelica."""
    leaf = at(root, path)
    assert isinstance(leaf, str)
    return open_annotation(leaf, lambda: (Source(render(root), file), offset_of(root, path) - trivia_length(leaf)))


def _leaves_with(root: Node, names: frozenset[str]) -> Iterator[tuple[Path, str]]:
    """Every leaf that may be one of the names, and every annotation that is not read, with its path.

    PERF: a path is made for these leaves alone.
    """
    endings = tuple(names)
    stack: list[tuple[Node, _Link]] = [(root, None)]
    while stack:
        node, link = stack.pop()
        for index in range(len(node) - 1, 0, -1):
            part = node[index]
            if type(part) is tuple:
                stack.append((part, (link, index)))
            elif type(part) is str and (part.endswith(endings) or (part.endswith(")") and "annotation" in part)):
                yield _path(link, index), part


def _path(link: _Link, last: int) -> Path:
    path = [last]
    while link is not None:
        link, index = link
        path.append(index)
    return tuple(reversed(path))


def leaf_paths(root: Node) -> Iterator[tuple[Path, str]]:
    """Every leaf with its path."""
    stack: list[tuple[Path, Node]] = [((), root)]
    while stack:
        path, node = stack.pop()
        for index in range(len(node) - 1, 0, -1):
            part = node[index]
            if type(part) is tuple:
                stack.append(((*path, index), part))
            elif type(part) is str:
                yield (*path, index), part


def occurrences(lookup: Lookup, root: Node, tree: Hashable, places: Iterable[Path]) -> dict[Path, Target | None]:
    """What the identifiers at some places of a tree stand for."""
    return {path: Occurrence(lookup, root, Target(tree, path)).target() for path in places}


_SHOWN: Final = 80


def uses_of(file: StoredDefinition, thing: ClassDefinition | Component) -> tuple[Node, list[Path]]:
    """Where something else in a document names a class or a component; and the tree that these places are in."""
    own, lookup = Target(file.file, thing.path), lookup_in(file)
    opened = Opened(node_of(file), frozenset({thing.name}), file.file)
    found = occurrences(lookup, opened.root, file.file, opened.places)
    meant = lookup.place(lookup.declared_at(own)) or own
    return opened.root, [p for p, target in found.items() if target == meant and p[: len(own.path)] != own.path]


def refuse_captures(edit: ExactEditor, owner: ClassDefinition, names: Mapping[str, Sequence[str]]) -> None:
    """EditError if a class uses one of some new names for something else, which would be hidden then.

    With each name goes the full name of what it imports; none is a declaration.
    """
    owner = edit.now(owner)
    body = body_of(owner)
    # PERF: most new names are written nowhere in the class, and then nothing is looked up.
    root, places = node_of(edit.tree), []
    for inner, item in edit.items_with(body, names):
        path, opened = (*body.path, *inner), Opened(item, frozenset(names), None)
        root = replaced(root, path, opened.root)
        places += [(*path, *place) for place in opened.places]
    if not places:
        return
    own, lookup = Target(edit.tree.file, owner.path), edit.lookup()
    for place in sorted(places):
        use = Occurrence(lookup, root, Target(own.tree, place))
        if use.is_captured_in(own, names[use.name]):
            line = render(root).count("\n", 0, offset_of(root, place)) + 1
            raise EditError(
                f"a new '{use.name}' in '{owner.name_in_file}' would change what that name means in line {line}, "
                f"'{text_around(root, place)}': take another name"
            )


def text_around(root: Node, path: Path) -> str:
    """The text around a place, short: the smallest element, equation or statement; of a long one, the line."""
    around = path[:-1]
    for length in range(len(path) - 1, -1, -1):
        if symbol(at(root, path[:length])).endswith(("element", "equation", "statement", "assignment", "clause")):
            around = path[:length]
            break
    node = node_at(root, around)
    text, place = render(node), offset_of(node, path[len(around) :])
    first = len(prefix_of(node))  # comments before it are about it, and do not use anything
    whole = " ".join(text[first:].split())
    if len(whole) > _SHOWN and len(" ".join(text[first : place + 1].split())) >= _SHOWN:
        line = max(text.rfind("\n", 0, place) + 1, first)
        whole = "… " + " ".join(text[line if place - line < _SHOWN else place :].split())
    return whole if len(whole) <= _SHOWN else whole[: _SHOWN - 1] + "…"


def offset_of(root: Node, path: Path) -> int:
    """How much text stands before the token at a path."""
    offset = 0
    green: Green = root
    for index in path:
        assert isinstance(green, tuple)
        offset += sum(map(width, children_of(green, 1, index)))
        green = child_at(green, index)
    assert isinstance(green, str)
    return offset + trivia_length(green)
