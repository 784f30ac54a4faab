"""References to a class that moves: written in full before the move, and as short as they can be after it."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, leaf_at, node_at, replaced
from modelica_ast.green import tokens
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Tally
from modelica_ast.library.references import Uses, target_of
from modelica_ast.library.relinking import Looker, names_in, with_first_parts, with_import
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.occurrences import Occurrence
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS


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
