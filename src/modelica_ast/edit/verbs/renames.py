"""Rename a component or a class with all its uses in the document, or not at all."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Final

from modelica_ast.edit.draft import body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.placement import class_of
from modelica_ast.edit.surgery import Path, at, node_at, node_of, prefix_of, replaced, word_of
from modelica_ast.edit.values import identifier
from modelica_ast.foundation import EditError, Source
from modelica_ast.semantics import LOCAL, Lookup, Occurrence, Target, is_called_by_language, lookup_in, lookup_in_root
from modelica_ast.syntax import (
    Green,
    Node,
    child_at,
    child_leaf,
    children_of,
    iter_leaves,
    open_annotation,
    read,
    render,
    symbol,
    token_text,
    trivia_length,
    width,
)
from modelica_ast.tree import ClassDefinition, Component, Composition, StoredDefinition, Token, View

# ---------------------------------------------------------------- occurrences
# Where a name is written in a document, and what it stands for in each place.

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
    """How much text comes before the token at a path."""
    offset = 0
    green: Green = root
    for index in path:
        assert isinstance(green, tuple)
        offset += sum(map(width, children_of(green, 1, index)))
        green = child_at(green, index)
    assert isinstance(green, str)
    return offset + trivia_length(green)


# ---------------------------------------------------------------- renaming

_DOTTED: Final = frozenset({"type_specifier", "component_reference", "name", "import_clause"})
_WORD: Final = re.compile(r"\w+")
# `%name` in a text of an icon shows the value of a parameter.
_MACRO: Final = re.compile(r"%(\{?)([A-Za-z_][A-Za-z_0-9]*)")


def rename_component(edit: ExactEditor, component: Component, name: str) -> str:
    """Rename a component and all its uses in the document; refused where the meaning of a name would change."""
    component = edit.now(component)
    owner, old, new = class_of(component), component.name, identifier(name)
    scope = edit.scope(body_of(owner))
    if new == old:
        return name
    if new in scope.components or new in scope.classes:
        raise EditError(f"'{name}' is already declared in '{owner.name_in_file}'")
    rename_thing(edit, component, old, new, macros_in=owner.path)
    return name


def rename_class(edit: ExactEditor, owner: ClassDefinition, name: str) -> str:
    """Rename a class and all its uses in the document; refused where the meaning of a name would change."""
    owner = edit.now(owner)
    root, old, new = node_of(edit.tree), owner.name, identifier(name)
    if new == old:
        return name
    scope = edit.scope(next(each for each in owner.ancestors if isinstance(each, Composition | StoredDefinition)))
    if new in scope.components or new in scope.classes:
        raise EditError(f"'{name}' is declared there already")
    own = [each for each in owner.specifier.children if isinstance(each, Token) and each.text == old]
    near = [leaf for leaf in iter_leaves(root) if old in leaf or new in leaf]
    written = [leaf for leaf in near if not {old, new}.isdisjoint(_WORD.findall(leaf))]
    if len(written) == len(own) and old.isidentifier() and new.isidentifier():
        # PERF: neither name is written anywhere else, so there is nothing to look up; and an identifier in the place
        # of another reads back.
        for each in own:
            root = _with_token(root, each.path, new)
        edit.take(root, owner, is_proved=True)
        return name
    _refuse_library_root(root, new)
    if is_called_by_language(lookup_in_root(root).declared_at(Target(None, owner.path))):
        raise EditError(f"'{owner.name_in_file}' can't be renamed: the language calls it by this name")
    rename_thing(edit, owner, old, new)
    return name


def _refuse_library_root(root: Node, new: str) -> None:
    """A class named like a library in use would hide it."""
    for path, leaf in leaf_paths(root):
        if token_text(leaf) == new and _starts_dotted_name(root, path):
            raise EditError(f"'{new}' is a package that the file uses: a class of this name would hide it")


def _starts_dotted_name(root: Node, path: Path) -> bool:
    """Is what is at a path the first part of a name that has others?"""
    *around, place = path
    parent = node_at(root, tuple(around))
    is_first = place == 1 or (place == 2 and symbol(child_at(parent, 1)) in ("DOT", "IMPORT"))  # noqa: PLR2004
    following = child_at(parent, place + 1) if place + 1 < len(parent) else ""
    return symbol(parent) in _DOTTED and is_first and isinstance(following, str) and token_text(following) == "."


def _refuse_unparsed(root: Node, old: str) -> None:
    """What does not parse may use the name, and stays as it is."""
    for path, leaf in leaf_paths(root):
        if symbol(node_at(root, path[:-1])) == "unparsed" and old in _WORD.findall(leaf):
            raise EditError(f"'{old}' is used in a part of the file that does not parse")


def rename_thing(edit: ExactEditor, thing: View, old: str, new: str, *, macros_in: Path | None = None) -> None:
    """Rename what a view declares, and all its uses in the document."""
    if edit.is_broken:
        _refuse_unparsed(node_of(edit.tree), old)
    opened = Opened(node_of(edit.tree), frozenset({old, new}), edit.tree.file)
    lookup = lookup_in_root(node_of(edit.tree))
    before = occurrences(lookup, opened.root, None, opened.places)
    root, own = opened.root, Target(None, thing.path)
    target = lookup.place(lookup.declared_at(own)) or own
    declared = dict.fromkeys(meant for meant in before.values() if meant is not None and meant != LOCAL)
    targets = lookup.bound_with(target, declared)
    for path, meant in before.items():
        if meant in targets and not Occurrence(lookup, opened.root, Target(None, path)).is_alias():
            root = _with_token(root, path, new)
    after = occurrences(lookup_in_root(root), root, None, opened.places)
    changed = sorted(path for path in before if before[path] != after.get(path))
    if changed:
        line = text_around(opened.root, changed[0])
        raise EditError(f"as '{new}' the name would mean something else in '{line}'")
    if macros_in is not None:
        root = with_macros(root, macros_in, old, new)
    edit.take(opened.closed(root))


def _with_token(root: Node, path: Path, token: str) -> Node:
    return replaced(root, path, prefix_of(at(root, path)) + token)


def with_macros(root: Node, definition: Path, old: str, new: str) -> Node:
    """`%m` in the texts of a class's icon follows the name, if the name can be written there."""
    for inner, leaf in list(leaf_paths(node_at(root, definition))):
        if '"' in leaf and "%" in leaf and old in leaf and token_text(leaf)[:1] == '"':
            nodes: list[Green] = [root]
            for index in (*definition, *inner):
                around = nodes[-1]
                assert isinstance(around, tuple)
                nodes.append(child_at(around, index))
            if not any(type(n) is tuple and symbol(n) == "annotation_clause" for n in nodes):
                continue
            argument = next((n for n in reversed(nodes) if type(n) is tuple and symbol(n) == "named_argument"), None)
            if argument is None or token_text(child_leaf(argument, 1)) not in ("textString", "string"):
                continue
            text = _MACRO.sub(lambda m: f"%{m[1]}{new}" if m[2] == old else m[0], leaf)
            root = replaced(root, (*definition, *inner), text)
    return root
