"""A component copied inside its class, with other names in what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modelica_ast.edit.components import refuse_known_name
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.lists import item_places
from modelica_ast.edit.placing import put_beside
from modelica_ast.edit.surgery import at, replaced
from modelica_ast.edit.values import identifier
from modelica_ast.edit.working import Working
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.tables import KINDS


def copy_component(
    work: Working, class_: str, component: str, name: str, references: Mapping[str, str] | None = None
) -> None:
    """Declare a copy of a component behind it, with its description and annotation; comments are not copied.

    `references` says which names are others in the copy: with `{"p.left": "p.right"}` a modifier `m = p.left.mass`
    becomes `m = p.right.mass`. Both names of a pair have as many parts, two at least.
    """
    refuse_known_name(work, class_, name)
    where = work.component_path(class_, component)
    if len(item_places(at(work.root, where[:-1]))) != 1:
        raise EditError(f"'{component}' is declared together with others: give it a declaration of its own first")
    place = work.element_path(where)
    copy: Any = replaced(at(work.root, where), (1,), _renamed(at(work.root, (*where, 1)), identifier(name)))
    for old, new in (references or {}).items():
        parts, others = split_name(old), split_name(new)
        if len(parts) != len(others) or len(parts) == 1:
            raise EditError(f"'{old}' and '{new}' have not the same number of parts, two or more")
        copy = _with_other_names(copy, parts, others)
    element = replaced(at(work.root, place), where[len(place) :], copy)
    put_beside(work, place, element, before=False)


def _renamed(leaf: str, token: str) -> str:
    return split_leaf(leaf)[0] + token


def _with_other_names(root: Any, old: list[str], new: list[str]) -> Any:
    """The tree with other first parts in the references that start like that."""
    todo: list[tuple[tuple[int, ...], Any]] = [((), root)]
    while todo:
        path, node = todo.pop()
        if KINDS[node[0]] == "component_reference":
            places = [i for i in range(1, len(node)) if type(node[i]) is str and token_text(node[i]) != "."]
            # A part with an index is a node, and the parts behind it belong to what the index has chosen.
            if [token_text(node[i]) for i in places[: len(old)]] == old and places[len(old) - 1] == 2 * len(old) - 1:
                for index, token in zip(places, new, strict=False):
                    root = replaced(root, (*path, index), _renamed(node[index], token))
        todo += [((*path, i), node[i]) for i in range(1, len(node)) if type(node[i]) is tuple]
    return root
