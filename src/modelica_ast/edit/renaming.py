"""Rename a component or a class with all its uses in the document, or not at all."""

from __future__ import annotations

import re
from typing import Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.occurrences import Opened, leaf_paths, occurrences, text_around
from modelica_ast.edit.placing import class_of
from modelica_ast.edit.surgery import Path, at, node_at, node_of, prefix_of, replaced
from modelica_ast.edit.values import identifier
from modelica_ast.edit.working import body_of
from modelica_ast.green import Green, Node, child_at, child_leaf, iter_leaves, symbol
from modelica_ast.lexer import token_text
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lone import lookup_in_root
from modelica_ast.semantics.lookup import is_called_by_language
from modelica_ast.semantics.occurrences import LOCAL, Occurrence
from modelica_ast.views.base import Token, View
from modelica_ast.views.classes import ClassDefinition, Composition
from modelica_ast.views.components import Component
from modelica_ast.views.files import StoredDefinition

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
        raise EditError(f"'{name}' is declared in '{owner.name_in_file}' already")
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
    """Is what stands at a path the first part of a name that has others?"""
    *around, place = path
    parent = node_at(root, tuple(around))
    is_first = place == 1 or (place == 2 and symbol(child_at(parent, 1)) in ("DOT", "IMPORT"))  # noqa: PLR2004
    following = child_at(parent, place + 1) if place + 1 < len(parent) else ""
    return symbol(parent) in _DOTTED and is_first and isinstance(following, str) and token_text(following) == "."


def _refuse_unparsed(root: Node, old: str) -> None:
    """What does not parse may use the name, and stays as it is."""
    for path, leaf in leaf_paths(root):
        if symbol(node_at(root, path[:-1])) == "unparsed" and old in _WORD.findall(leaf):
            raise EditError(f"'{old}' is written in a part of the file that does not parse")


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
