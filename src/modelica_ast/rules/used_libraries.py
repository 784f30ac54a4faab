"""The libraries that others use, found where libraries are and opened beside them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.conversion.versions import conversions_of, version_of
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.folders import Found, brought_folders, libraries_in, library_folders, version_key
from modelica_ast.library.libraries import Libraries
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.files import StoredDefinition
from modelica_ast.views.modifications import ElementModification


def uses_of(tree: StoredDefinition) -> dict[str, str]:
    """Library -> version of all that the classes of a file say they use; '' if no version is named."""
    found: dict[str, str] = {}
    for definition in tree.classes:
        for item in _uses_items(definition):
            version = item.arguments.get("version") if item.arguments is not None else None
            found[str(item.name)] = _text(version)
    return found


def _uses_items(definition: ClassDefinition) -> Iterator[ElementModification]:
    try:
        annotation = definition.annotation
        uses = annotation.arguments.get("uses") if annotation is not None else None
        items = uses.arguments.items if uses is not None and uses.arguments is not None else []
    except ModelicaSyntaxError:
        return  # the annotation does not parse, which the check of its file says
    yield from (item for item in items if isinstance(item, ElementModification))


def _text(item: ElementModification | None) -> str:
    if item is None or not isinstance(item.value, Expression):
        return ""
    try:
        return str(evaluate(item.value))
    except LiteralError:
        return ""


def open_with_uses(
    paths: Iterable[str | os.PathLike[str]],
    *,
    also: Iterable[str | os.PathLike[str]] = (),
    search: bool = True,
    uses: StoredDefinition | None = None,
) -> Libraries:
    """Open libraries, and read-only those that they use, directly or not.

    They are looked for beside the given ones, in MODELICAPATH, where OpenModelica has them, and among those that
    installed Python packages bring. One counts if it is of
    the version that is used, or says that nothing changed since that one. `also` are more libraries to look into,
    `uses` is the tree of a file whose libraries are wanted. With `search=False` nothing is looked for.
    """
    own = [Path(path) for path in paths]
    more = [Path(path) for path in also]
    libraries = Libraries(own, read_only=more)
    if not search:
        return libraries
    at_hand = list(_at_hand(own))
    known = {library.name for library in libraries}
    todo = [uses for library in libraries for uses in _uses_in(libraries, library.name)]
    todo += uses_of(uses).items() if uses is not None else []
    while todo:
        name, version = todo.pop()
        if name in known:
            continue
        known.add(name)
        path = fitting_library(name, version, at_hand)
        if path is not None:
            more.append(path)
            todo += _uses_in(Libraries([], read_only=[path]), name)
    return Libraries(own, read_only=more)


def _at_hand(own: list[Path]) -> Iterator[Found]:
    """What is found first counts: beside the libraries themselves, then in the folders of the machine."""
    folders = [path.resolve().parent for path in own]
    for folder in dict.fromkeys([*folders, *library_folders(), *brought_folders()]):
        try:
            yield from libraries_in(folder)
        except OSError:  # a folder that can't be listed has nothing to offer
            continue


def _uses_in(libraries: Libraries, name: str) -> list[tuple[str, str]]:
    try:
        tree = libraries.document(libraries[name].root).tree
    except (ModelicaSyntaxError, OSError, LookupError):
        return []  # the check of that file says what is wrong with it
    return list(uses_of(tree).items())


def fitting_library(name: str, version: str, at_hand: Sequence[Found]) -> Path | None:
    """The library of a name that fits a used version ('' is any): of that version, or unchanged since it."""
    found = [each for each in at_hand if each.name == name]
    found.sort(key=lambda each: version_key(each.version), reverse=True)
    exact = [each for each in found if each.version == version or not version]
    others = (each for each in found if each not in exact and _is_compatible(each, version))
    chosen = exact[0] if exact else next(others, None)
    return None if chosen is None else chosen.path


def _is_compatible(found: Found, version: str) -> bool:
    """Is it of this version, by its annotation, or unchanged since that one?"""
    try:
        libraries = Libraries([], read_only=[found.path])
        library = libraries[found.name]
        return version in (version_of(libraries, library), *conversions_of(libraries, library).unchanged_from)
    except (LibraryError, ModelicaSyntaxError, LookupError, OSError):
        return False
