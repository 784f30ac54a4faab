"""Rename a component or a class with all its uses in the document, or not at all."""

from __future__ import annotations

import re
from typing import Any, Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.occurrences import Opened, leaf_paths, occurrences, text_around
from modelica_ast.edit.surgery import Path, at, replaced
from modelica_ast.edit.values import identifier
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, child_at, child_leaf, iter_leaves
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lone import lookup_in_root
from modelica_ast.semantics.lookup import is_called_by_language
from modelica_ast.semantics.occurrences import LOCAL, Occurrence
from modelica_ast.tables import KINDS

_WORD: Final = re.compile(r"\w+")
# `%name` in a text of an icon shows the value of a parameter.
_MACRO: Final = re.compile(r"%(\{?)([A-Za-z_][A-Za-z_0-9]*)")


def rename_component(work: Working, class_: str, component: str, name: str) -> None:
    """Rename a component and all its uses in the document; refused where the meaning of a name would change."""
    where = work.component_path(class_, component)
    new = identifier(name)
    scope = work.index.scope(at(work.root, work.body_path(class_)))
    if new == component:
        return
    if new in scope.components or new in scope.classes:
        raise EditError(f"'{name}' is declared in '{class_}' already")
    _rename(work, where, component, new, macros_in=work.class_path(class_))


def rename_class(work: Working, class_: str, name: str) -> None:
    """Rename a class and all its uses in the document; refused where the meaning of a name would change."""
    where = work.class_path(class_)
    old = split_name(class_)[-1]
    new = identifier(name)
    if new == old:
        return
    scope = work.scope_around(where)
    if new in scope.components or new in scope.classes:
        raise EditError(f"'{name}' is declared there already")
    own = _where_it_says_its_name(work.root, where, old)
    near = [leaf for leaf in iter_leaves(work.root) if old in leaf or new in leaf]
    written = [leaf for leaf in near if not {old, new}.isdisjoint(_WORD.findall(leaf))]
    if len(written) == len(own) and old.isidentifier() and new.isidentifier():
        # PERF: neither name is written anywhere else, so there is nothing to look up; and an identifier in the place
        # of another reads back.
        for path in own:
            work.root = _with_token(work.root, path, new)
        return
    _refuse_library_root(work, new)
    if is_called_by_language(lookup_in_root(work.root).declared_at(Target(None, where))):
        raise EditError(f"'{class_}' can't be renamed: the language calls it by this name")
    _rename(work, where, old, new)


def _where_it_says_its_name(root: Any, definition: Path, name: str) -> list[Path]:
    """The name of a class in its first line and behind its `end`."""
    place = len(at(root, definition)) - 1
    specifier = at(root, (*definition, place))
    parts = [i for i in range(1, len(specifier)) if type(specifier[i]) is str and token_text(specifier[i]) == name]
    return [(*definition, place, i) for i in parts]


def _refuse_library_root(work: Working, new: str) -> None:
    """A class named like a library in use would hide it."""
    for path, leaf in leaf_paths(work.root):
        if token_text(leaf) == new and len(path) > 1:
            parent = at(work.root, path[:-1])
            if KINDS[parent[0]] in ("type_specifier", "component_reference", "name", "import_clause") and path[-1] <= 2:  # noqa: PLR2004
                following = parent[path[-1] + 1] if path[-1] + 1 < len(parent) else ""
                if type(following) is str and token_text(following) == ".":
                    raise EditError(f"'{new}' is a package that the file uses: a class of this name would hide it")


def _refuse_unparsed(work: Working, old: str) -> None:
    """What does not parse may use the name, and stays as it is."""
    for path, leaf in leaf_paths(work.root) if work.is_broken else ():
        if KINDS[at(work.root, path[:-1])[0]] == "unparsed" and old in _WORD.findall(leaf):
            raise EditError(f"'{old}' is written in a part of the file that does not parse")


def _rename(work: Working, where: Path, old: str, new: str, *, macros_in: Path | None = None) -> None:
    _refuse_unparsed(work, old)
    names = frozenset({old, new})
    opened = Opened(work.root, names)
    lookup = lookup_in_root(work.root)
    before = occurrences(lookup, opened.root, None, opened.places)
    root: Any = opened.root
    target = lookup.place(lookup.declared_at(Target(None, where))) or Target(None, where)
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
    work.changed(opened.closed(root), ())


def _with_token(root: Any, path: Path, token: str) -> Any:
    prefix, _ = split_leaf(at(root, path))
    return replaced(root, path, prefix + token)


def with_macros(root: Any, definition: Path, old: str, new: str) -> Any:
    """`%m` in the texts of a class's icon follows the name, if the name can be written there."""
    for inner, leaf in list(leaf_paths(at(root, definition))):
        if '"' in leaf and "%" in leaf and old in leaf and token_text(leaf)[:1] == '"':
            nodes: list[Green] = [root]
            for index in (*definition, *inner):
                around = nodes[-1]
                assert isinstance(around, tuple)
                nodes.append(child_at(around, index))
            if not any(type(n) is tuple and KINDS[n[0]] == "annotation_clause" for n in nodes):
                continue
            argument = next((n for n in reversed(nodes) if type(n) is tuple and KINDS[n[0]] == "named_argument"), None)
            if argument is None or token_text(child_leaf(argument, 1)) not in ("textString", "string"):
                continue
            text = _MACRO.sub(lambda m: f"%{m[1]}{new}" if m[2] == old else m[0], leaf)
            root = replaced(root, (*definition, *inner), text)
    return root
