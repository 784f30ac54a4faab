"""Move, copy, add and remove classes, with all references to them, in every file of the libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modelica_ast.edit.document import Document
from modelica_ast.edit.occurrences import Meaning
from modelica_ast.edit.scopes import Scopes, Target
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, replaced
from modelica_ast.edit.values import identifier
from modelica_ast.edit.working import Working, split_name
from modelica_ast.green import Node
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.links import rename_links
from modelica_ast.library.references import Uses, references, target_of
from modelica_ast.library.relinking import (
    Looker,
    Name,
    foreign_names,
    names_in,
    opened_fully,
    with_first_parts,
    with_import,
)
from modelica_ast.library.structure import Piece, piece_of, put_in, take_out
from modelica_ast.library.trees import LibraryTrees
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS

_USERS_SHOWN = 3


def move_class(libraries: Libraries, name: str, package: str) -> None:
    """Move a class into another package: its files, all references to it, its own references, links and scripts."""
    own = split_name(name)[-1]
    new = f"{package}.{own}"
    if package == ".".join(split_name(name)[:-1]):
        return
    _refuse_move(libraries, name, package, new)
    with libraries.transaction():
        foreign = _foreign(libraries, name)
        _write_full_names(libraries, name, new)
        piece = piece_of(libraries, name)
        take_out(libraries, name)
        put_in(libraries, package, piece)
        _mend(libraries, foreign, lambda full: _renamed(full, name, new))
        _shorten(libraries, new)
        rename_links(libraries, name, new)


def copy_class(libraries: Libraries, name: str, package: str, new_name: str | None = None) -> None:
    """Copy a class into a package, under a name of its own; its references keep their meaning."""
    own = identifier(new_name) if new_name is not None else split_name(name)[-1]
    new = f"{package}.{own}"
    _refuse_new(libraries, package, own)
    with libraries.transaction():
        foreign = _foreign(libraries, name)
        piece = piece_of(libraries, name)
        put_in(libraries, package, _called(piece, own))
        _mend(libraries, foreign, lambda full: _renamed(full, name, new))


def add_class(
    libraries: Libraries, package: str, name: str, kind: str = "model", description: str | None = None
) -> None:
    """Add an empty class to a package: as a file if the package is a folder, and at the end of package.order."""
    own = identifier(name)
    _refuse_new(libraries, package, own)
    document = Document("")
    document.add_class(name, kind, description=description)
    with libraries.transaction():
        put_in(libraries, package, Piece(own, document.text.strip(), ""))


def remove_class(libraries: Libraries, name: str) -> None:
    """Remove a class with its files; refused while something else uses it."""
    _refuse_read_only(libraries, name)
    target = target_of(libraries, name)
    entry = libraries.library_of(name).file_of(name)
    inside = {file.path for file in entry.walk()} if entry is not None else set()
    users = [
        use
        for use in references(libraries, name)
        if use.file not in inside and not (use.file == target.tree and use.path[: len(target.path)] == target.path)
    ]
    if users:
        shown = "; ".join(f"{use.file}:{use.line}: {use.around}" for use in users[:_USERS_SHOWN])
        more = f" and {len(users) - _USERS_SHOWN} more" if len(users) > _USERS_SHOWN else ""
        raise LibraryError(f"'{name}' is in use: {shown}{more}")
    with libraries.transaction():
        take_out(libraries, name)


# ---------------------------------------------------------------- refusals


def _refuse_read_only(libraries: Libraries, name: str) -> None:
    library = libraries.library_of(name)
    if library.read_only:
        raise LibraryError(f"the library '{library.name}' is read-only")


def _refuse_new(libraries: Libraries, package: str, own: str) -> None:
    _refuse_read_only(libraries, package)
    scopes = Scopes(LibraryTrees(libraries))
    target = target_of(libraries, package)
    node = scopes.node(target)
    if KINDS[node[0]] != "class_definition":
        raise LibraryError(f"'{package}' is no package")
    if scopes.member_of(target, own) is not None:
        raise LibraryError(f"there is a '{own}' in '{package}' already")


def _refuse_move(libraries: Libraries, name: str, package: str, new: str) -> None:
    _refuse_read_only(libraries, name)
    target = target_of(libraries, name)
    if KINDS[Scopes(LibraryTrees(libraries)).node(target)[0]] != "class_definition":
        raise LibraryError(f"'{name}' is a component: only a class can be moved to another package")
    if not split_name(name)[1:]:
        raise LibraryError(f"'{name}' is a library; it can't be moved into another")
    if f"{package}.".startswith(f"{name}."):
        raise LibraryError(f"'{name}' can't be moved into itself")
    _refuse_new(libraries, package, split_name(new)[-1])


# ---------------------------------------------------------------- references to the class


def _write_full_names(libraries: Libraries, name: str, new: str) -> None:
    """Write the new full name wherever the class is named, with a dot before it where it may be shortened later."""
    target = target_of(libraries, name)
    uses = Uses(libraries, [split_name(name)[-1]])
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
            libraries.document_at(file).edit(_take, uses.opened[file].closed(root))


def _with_full_name(looker: Looker, root: Any, place: Target, target: Target, parts: list[str]) -> Any:
    path = place.path
    is_inside = place.tree == target.tree and path[: len(target.path)] == target.path
    parent = at(root, path[:-1])
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
        first = looker.scopes.lookup(looker.scopes.classes_around(place), named[0]) if named else None
        is_full = first is not None and first == looker.trees.top_level(named[0])
        new = with_first_parts(parent, kind, count, parts)
        return replaced(root, path[:-1], new if is_full else _with_dot(new, kind))
    rule = Meaning.rule(parent, path[-1])
    if rule in ("type_specifier", "component_reference") and not is_inside:
        return replaced(root, path, _with_dot(with_first_parts(at(root, path), rule, 1, parts), rule))
    return root


def _with_dot(node: Any, kind: str) -> Any:
    """A name with a dot before it: looked up from the top."""
    children = [node] if type(node) is str else list(node[1:])
    prefix, text = split_leaf(children[0])
    return make_node(kind, prefix + ".", text, *children[1:])


def _shorten(libraries: Libraries, new: str) -> None:
    """Names with a dot before them that lead to the class: the shortest form that means the same."""
    parts = split_name(new)
    uses = Uses(libraries, [parts[-1]])
    roots = uses.roots()
    for file in roots:
        root: Any = roots[file]
        places = [
            (path, kind)
            for path, kind, inner in names_in(root, ())
            if kind in ("type_specifier", "component_reference") and _starts_with(root, path, inner, parts)
        ]
        for path, kind in reversed(places):
            looker = Looker(libraries, {**roots, file: root})
            short = looker.shortest(file, path, new)
            root = replaced(root, path, with_first_parts(at(root, path), kind, len(parts), short))
        if root is not roots[file]:
            libraries.document_at(file).edit(_take, uses.opened[file].closed(root))


def _starts_with(root: Any, path: TreePath, inner: list[TreePath], parts: list[str]) -> bool:
    node = at(root, path)
    if type(node) is str or token_text(node[1]) != ".":
        return False
    return [token_text(at(root, p)) for p in inner[: len(parts)]] == parts


# ---------------------------------------------------------------- references inside the class


def _foreign(libraries: Libraries, name: str) -> dict[str, list[Name]]:
    """For the class and each class inside it with a file of its own: the names in it that lead out of it."""
    library, entry, rest = libraries.entry_of(name)
    del library
    files = list(entry.walk()) if not rest else [entry]
    found: dict[str, list[Name]] = {}
    for file in files:
        document = libraries.document(file)
        inner = ".".join([file.name, *(rest if file is entry else [])])
        definition = document.work.class_path(inner)
        opened = opened_fully(document.work.root, definition)
        looker = Looker(libraries, {file.path: opened.root})
        full = ".".join([*split_name(file.full_name), *(rest if file is entry else [])])
        found[full] = [
            item
            for item in foreign_names(looker, file.path, opened.root, definition)
            if not f"{item.stands_for}.".startswith(f"{name}.") or item.stands_for == name
        ]
    return found


def _renamed(full: str, old: str, new: str) -> str:
    return new + full[len(old) :] if full == old or full.startswith(f"{old}.") else full


def _mend(libraries: Libraries, foreign: dict[str, list[Name]], renamed: Callable[[str], str]) -> None:
    """Look up each of the names where it stands now; write those anew that mean something else."""
    for clauses_first in (True, False):
        for old_full, names in foreign.items():
            _mend_class(libraries, renamed(old_full), names, renamed, extends_only=clauses_first)


def _mend_class(
    libraries: Libraries, full: str, names: list[Name], renamed: Callable[[str], str], *, extends_only: bool
) -> None:
    _, entry, rest = libraries.entry_of(full)
    document = libraries.document(entry)
    definition = document.work.class_path(".".join([entry.name, *rest]))
    opened = opened_fully(document.work.root, definition)
    root: Any = opened.root
    looker = Looker(libraries, {entry.path: root})
    for name in names:
        path = (*definition, *name.path)
        in_extends = any(
            KINDS[at(root, path[:depth])[0]] == "extends_clause" for depth in range(len(definition), len(path))
        )
        if extends_only and not in_extends:
            continue
        node = at(root, path)
        first = token_text(node) if type(node) is str else next(t for p in node[1:] if (t := token_text(p)) != ".")
        wanted = renamed(name.stands_for)
        if not looker.resolves(entry.path, path, [first], wanted):
            root = replaced(root, path, with_first_parts(node, name.kind, 1, looker.shortest(entry.path, path, wanted)))
    if root is not opened.root:
        document.edit(_take, opened.closed(root))


def _take(work: Working, root: Node) -> None:
    work.changed(root, ())


def _called(piece: Piece, name: str) -> Piece:
    """A class under another name: in its first line, behind its `end`, and where it names itself."""
    if piece.name == name:
        return piece
    document = Document(piece.text)
    document.find_class(piece.name).rename(name)
    file = None
    if piece.file is not None:
        whole = Document(piece.file)
        whole.find_class(piece.name).rename(name)
        file = whole.text
    return Piece(name, document.text, piece.above, file, piece.folder, piece.others, piece.order, piece.children)
