"""Rename a class or a component with all its uses, in every file of the libraries, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modelica_ast.edit import ExactEditor, identifier, leaf_at, node_at, replaced, text_around, with_macros
from modelica_ast.foundation import EditError, folded, split_name
from modelica_ast.library import (
    FileEntry,
    Libraries,
    LibraryError,
    Meanings,
    Moves,
    Progress,
    Tally,
    Uses,
    declared_as,
    derived_classes,
    fault_in_folder,
    lookup_of,
    target_of,
)
from modelica_ast.refactor.structure import follow_move, move_files, put_inside_renamed
from modelica_ast.semantics import LOCAL, Environment, Member, Occurrence, Target, is_called_by_language
from modelica_ast.syntax import KINDS, Node, split_leaf


def rename(libraries: Libraries, name: str, new: str, *, progress: Progress | None = None) -> None:
    """Rename the class, component or literal of a full name, with all its uses, its files, links and scripts."""
    target = target_of(libraries, name)
    library = libraries.library_of(name)
    if library.read_only:
        raise LibraryError(f"'{library.name}' is read-only: '{name}' can't be renamed")
    old, written = split_name(name)[-1], identifier(new)
    if written == old:
        return
    is_class = lookup_of(libraries).kind(target) == "class_definition"
    parent = ".".join(split_name(name)[:-1])
    if not parent:
        # Tools find a library by the name of its folder, which is not ours to rename: it may be a checkout.
        raise LibraryError(f"'{name}' is a library: its folder or file has its name, and would no longer be found")
    _refuse_known(libraries, parent, written)
    if is_called_by_language(declared_as(libraries, name)):
        raise LibraryError(f"'{name}' can't be renamed: the language calls it by this name")
    tally = Tally(progress)
    with libraries.transaction():
        moves = Moves(libraries, name, f"{parent}.{written}") if is_class else None
        _rename_uses(libraries, target, written, name, tally)
        if moves is not None:
            entry = library.file_of(name)
            if entry is not None:
                _move_files(libraries, entry, entry.named(written, parent))
            else:
                _rename_in_order(libraries, parent, old, written)
            follow_move(libraries, moves, tally)


def _move_files(libraries: Libraries, old: FileEntry, new: FileEntry) -> None:
    """Let the files of a class have its new name; if they can't, the class goes into the file of its package."""
    around = libraries.library_of(old.full_name).file_of(old.parent_name)
    assert around is not None
    assert around.folder is not None
    siblings = around.children.keys() - {old.name}
    is_same = folded(old.name) == folded(new.name)  # then its own folder is in the way
    as_folder = old.folder is not None and not is_same
    fault = fault_in_folder(libraries.disk, around.folder, siblings, new.name, as_folder=as_folder)
    if fault is None:
        move_files(libraries, old, new)
    else:
        put_inside_renamed(libraries, old, new, fault)


def _refuse_known(libraries: Libraries, parent: str, name: str) -> None:
    if lookup_of(libraries).inside(declared_as(libraries, parent), name) is not None:
        raise LibraryError(f"there is a '{name}' in '{parent}' already")


def _refuse_in_derived(libraries: Libraries, name: str, old: str, new: str) -> None:
    """A class that inherits it may have something of the new name."""
    parent = declared_as(libraries, ".".join(split_name(name)[:-1]))
    around = parent.environment if isinstance(parent, Member) else parent
    if not isinstance(around, Environment) or around.written is None:
        return
    for derived in derived_classes(libraries, around.written):
        if derived.member(new) is not None and derived.member(old) is not None:
            raise LibraryError(
                f"'{derived.full_name}' inherits '{old}' from '{around.full_name}' and has a '{new}' already"
            )


def _rename_in_order(libraries: Libraries, parent: str, old: str, new: str) -> None:
    """A class that is in package.mo itself may be named in package.order."""
    entry = libraries.library_of(parent).file_of(parent)
    if entry is not None and entry.order is not None and old in entry.order:
        libraries.set_order(entry, [new if name == old else name for name in entry.order])


def _rename_uses(libraries: Libraries, target: Target, new: str, name: str, tally: Tally) -> None:
    old = split_name(name)[-1]
    uses = Uses(libraries, [old, new], tally)
    roots: dict[Path, Node] = uses.roots()
    lookup = lookup_of(libraries)
    before = uses.meanings(roots)
    changed: dict[Path, Any] = dict(roots)
    declared = _declared(before)
    if any(lookup.name_at(meant) == new for meant in declared):
        _refuse_in_derived(libraries, name, old, new)
    targets = lookup.bound_with(target, declared)
    for file, places in before.items():
        for path, meant in places.items():
            if meant in targets and not Occurrence(lookup, roots[file], Target(file, path)).is_alias():
                _refuse_read_only(libraries, uses, file, name)
                prefix, _ = split_leaf(leaf_at(changed[file], path))
                changed[file] = replaced(changed[file], path, prefix + new)
    library = libraries.library_of(name)
    entry = library.file_of(name)
    was = library.state
    if entry is not None:  # the files are called as before while we look whether all names mean the same
        library.restore(library.root.replaced(split_name(name)[1:], entry.named(new, entry.parent_name)))
    try:
        different = {file: root for file, root in changed.items() if root is not roots[file]}
        _compare(before, uses.meanings(changed, lookup_of(libraries, different)), roots, new)
    finally:
        library.restore(was)
    if KINDS[node_at(changed[target.tree], target.path)[0]] == "component_declaration":  # type: ignore[index]
        around = lookup.classes_around(target)[-1]
        changed[target.tree] = with_macros(changed[target.tree], around.path, old, new)  # type: ignore[index]
    for file, root in changed.items():
        if root is not roots[file]:
            libraries.document_at(file).edit(ExactEditor.take, uses.opened[file].closed(root))


def _declared(found: Meanings) -> list[Target]:
    """What some names stand for, each once: classes, components and literals."""
    every = dict.fromkeys(meant for places in found.values() for meant in places.values())
    return [meant for meant in every if meant is not None and meant != LOCAL]


def _refuse_read_only(libraries: Libraries, uses: Uses, file: Path, name: str) -> None:
    library = libraries.library_of(uses.entry(file).full_name)
    if library.read_only:
        raise LibraryError(f"'{name}' is used in the read-only library '{library.name}': {file}")


def _compare(before: Meanings, after: Meanings, roots: dict[Path, Node], new: str) -> None:
    for file, places in before.items():
        for path, meant in places.items():
            if after[file].get(path) != meant:
                raise EditError(
                    f"as '{new}' the name would mean something else in {file}: '{text_around(roots[file], path)}'"
                )
