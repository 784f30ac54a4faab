"""Move, copy, add and remove classes, with all references to them, in every file of the libraries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from modelica_ast.edit import (
    Comments,
    Document,
    Opened,
    Path as TreePath,
    identifier,
    node_at,
    offset_of,
    text_around,
    word_of,
)
from modelica_ast.foundation import split_name
from modelica_ast.library import (
    Libraries,
    LibraryError,
    Moves,
    Position,
    Progress,
    Tally,
    Uses,
    classes_of,
    declared_as,
    derived_classes,
    lookup_of,
    references,
    reorder,
    target_of,
)
from modelica_ast.refactor.imports import take_out_of_lists
from modelica_ast.refactor.relinks import (
    Looker,
    Name,
    full_name,
    mend_names,
    names_in,
    names_leading_out,
    opened_fully,
    shorten_names,
    write_full_names,
)
from modelica_ast.refactor.structure import (
    Piece,
    follow_copy,
    follow_move,
    piece_of,
    put_in,
    remove_resources,
    resources_of,
    take_out,
)
from modelica_ast.semantics import (
    LOCAL,
    Environment,
    Found,
    Member,
    Occurrence,
    Target,
    is_called_by_language,
    is_replaceable,
    with_inner,
)
from modelica_ast.syntax import KINDS, render, token_text

# ---------------------------------------------------------------- move proof
# Whether a class can be moved: what is bound to its place stays there, and every name means the same afterwards.

_BINDING: Final = ("redeclare", "replaceable", "inner", "outer")
_NOWHERE: Final = ""


def refuse_bound(libraries: Libraries, name: str, package: str) -> None:
    """Refuse a class that others redeclare or repeat where it is, or that inherits from the package it should go to."""
    class_ = _class(declared_as(libraries, name))
    written = class_.written
    assert written is not None
    if is_called_by_language(declared_as(libraries, name)):
        raise LibraryError(f"'{name}' can't be moved: the language expects it where it is")
    words = [word for word in _BINDING if word in written.prefixes]
    if words or written.is_class_extends:
        how = f"it is declared '{words[0]}'" if words else "it extends the class that is inherited under its name"
        raise LibraryError(f"'{name}' can't be moved: {how}, which has a meaning only where it is")
    around = class_.around
    for derived in derived_classes(libraries, around.written) if around is not None and around.written else ():
        if derived.written is not None and written.name in derived.written.classes:
            raise LibraryError(f"'{name}' can't be moved: '{derived.full_name}', which inherits it, declares it again")
    target: Environment | None = _class(declared_as(libraries, package))
    holders = set()
    while target is not None:
        holders.add(target.written)
        target = target.around
    for inner in with_inner([written]):
        for part in classes_of(libraries).as_written(inner).ancestry():
            if part.written is not None and part.written in holders:
                raise LibraryError(f"'{name}' can't be moved into '{package}': it inherits from '{part.full_name}'")


def refuse_inherited_uses(libraries: Libraries, name: str, foreign: dict[str, list[Name]]) -> None:
    """Refuse a class that uses what classes that inherit it may change: constants, and what is replaceable."""
    parent = ".".join(split_name(name)[:-1])
    around = _class(declared_as(libraries, parent))
    if around.written is None:
        return
    used = {item.stands_for for names in foreign.values() for item in names}
    changeable = [each for each in sorted(used) if _is_changeable(libraries, around, each)]
    derived = derived_classes(libraries, around.written) if changeable else []
    if derived:
        raise LibraryError(
            f"'{name}' can't be moved: it uses '{changeable[0]}', and '{derived[0].full_name}', which inherits both, "
            "may have another one"
        )


def _is_changeable(libraries: Libraries, around: Environment, name: str) -> bool:
    """Is something an element that the class around has, and may it be another one in classes that inherit it?"""
    found = declared_as(libraries, name)
    if not isinstance(found, Member) or around.member(found.name) is None:
        return False
    return around.member(found.name) is found and (not found.is_class or is_replaceable(found))


class Meanings(NamedTuple):
    """How often names stand for what, by full names; '' is not found."""

    named: Counter[str]  # everywhere, those that are called like the class and stand for something else
    inside: Counter[str]  # all dotted names in the class itself

    def renamed(self, rename: Callable[[str], str]) -> Meanings:
        """The same after something has got other names."""
        return Meanings(*(Counter({rename(name): count for name, count in each.items()}) for each in self))


def meanings_around(libraries: Libraries, name: str, tally: Tally) -> Meanings:
    """What the names in a class stand for, and everywhere those that are called like it."""
    lookup = lookup_of(libraries)
    named: Counter[str] = Counter()
    uses = Uses(libraries, [split_name(name)[-1]], tally)
    for place, written in uses.opened.items():
        for path in {_last_part(written.root, each) for each in written.places}:
            target = Occurrence(lookup, written.root, Target(place, path)).target()
            if target != LOCAL:
                named[_NOWHERE if target is None else full_name(lookup, target)] += 1
    del named[name]  # a file may say less often where it is
    inside: Counter[str] = Counter()
    _, entry, rest = libraries.entry_of(name)
    for file in list(entry.walk()) if not rest else [entry]:
        document = libraries.document(file)
        definition = document.work.find_class(".".join([file.name, *(rest if file is entry else [])])).path
        opened = opened_fully(document, definition)
        looker = Looker(libraries, {file.path: opened.root})
        for _, kind, parts in names_in(opened.root, definition):
            if kind != "name":
                target = looker.target(file.path, parts[-1])
                inside[_NOWHERE if target is None else full_name(looker.lookup, target)] += 1
    return Meanings(named, inside)


def _last_part(root: Any, path: TreePath) -> TreePath:
    """The last part of the dotted name that an identifier is in: what the name as a whole stands for."""
    parent = node_at(root, path[:-1])
    if KINDS[parent[0]] not in ("name", "type_specifier", "component_reference"):
        return path
    return (*path[:-1], max(i for i, part in enumerate(parent) if type(part) is str and token_text(part) != "."))


def refuse_other_meanings(name: str, new: str, before: Meanings, after: Meanings) -> None:
    """Refuse a move after which a name means something else: it has been made, and is taken back."""
    for one, other in zip(before, after, strict=True):
        if one != other:
            gone = [each or "nothing" for each in one - other] or [new]
            come = [each or "nothing" for each in other - one] or [new]
            raise LibraryError(
                f"'{name}' can't be moved there: a name that stands for {gone[0]} would stand for {come[0]}"
            )


def _class(found: Found) -> Environment:
    class_ = found.environment if isinstance(found, Member) else found
    assert isinstance(class_, Environment)
    return class_


# ---------------------------------------------------------------- moving

_USERS_SHOWN = 3


def move_class(
    libraries: Libraries,
    name: str,
    package: str,
    *,
    before: str | None = None,
    after: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Move a class into another package: its files, all references to it, its own references, links and scripts.

    It goes to the end of the package, or before or after another of its elements; in the package that it is in
    already it only gets that place.
    """
    own = split_name(name)[-1]
    new = f"{package}.{own}"
    position = Position(before, after)
    position.refuse_both()
    if package == ".".join(split_name(name)[:-1]):
        _refuse_read_only(libraries, name)
        libraries.find_class(name)
        with libraries.transaction():
            reorder(libraries, name, position)
        return
    _refuse_move(libraries, name, package, new)
    tally = Tally(progress)
    with libraries.transaction():
        moves = Moves(libraries, name, new)
        take_out_of_lists(libraries, name, tally)
        foreign = names_leading_out(libraries, name, tally)
        refuse_inherited_uses(libraries, name, foreign)
        meanings = meanings_around(libraries, name, tally)
        write_full_names(libraries, name, new, tally)
        piece = piece_of(libraries, name)
        take_out(libraries, name)
        put_in(libraries, package, piece, position)
        mend_names(libraries, foreign, moves.renamed, tally)
        shorten_names(libraries, new, tally)
        refuse_other_meanings(name, new, meanings.renamed(moves.renamed), meanings_around(libraries, new, tally))
        follow_move(libraries, moves, tally)


def copy_class(
    libraries: Libraries,
    name: str,
    package: str,
    new_name: str | None = None,
    *,
    before: str | None = None,
    after: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Copy a class into a package, under a name of its own; its references keep their meaning.

    Resources that are named by the class are copied too, and the links in the copy lead to the copies.
    """
    own = identifier(new_name) if new_name is not None else split_name(name)[-1]
    new = f"{package}.{own}"
    position = Position(before, after)
    position.refuse_both()
    _refuse_new(libraries, package, own)
    tally = Tally(progress)
    with libraries.transaction():
        moves = Moves(libraries, name, new)
        foreign = names_leading_out(libraries, name, tally)
        piece = piece_of(libraries, name)
        put_in(libraries, package, piece if piece.name == own else piece.called(own), position)
        mend_names(libraries, foreign, moves.renamed, tally)
        follow_copy(libraries, moves)


def add_class(
    libraries: Libraries,
    package: str,
    name: str,
    kind: str = "model",
    description: str | None = None,
    *,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add an empty class to a package: as a file if the package is a folder, and to package.order.

    It goes to the end of the package, or before or after another of its elements. A class whose name no file can have,
    as `'a/b'`, goes into the file of the package.
    """
    document = Document("")
    document.add_class(name, kind, description=description)
    _put_new(libraries, package, document, Position(before, after))


def insert_class(
    libraries: Libraries, package: str, definition: str, *, before: str | None = None, after: str | None = None
) -> str:
    """Add a class, given as Modelica, to a package; where it goes is as for `add_class`. Its name comes back."""
    document = Document("")
    document.insert_class(definition)
    return _put_new(libraries, package, document, Position(before, after))


def _put_new(libraries: Libraries, package: str, document: Document, position: Position) -> str:
    """Put the one class of a document into a package."""
    position.refuse_both()
    own = document.classes[0].name
    _refuse_new(libraries, package, own)
    _refuse_captures(libraries, package, own)
    with libraries.transaction():
        put_in(libraries, package, Piece(own, document.text.strip()), position)
    return own


def remove_class(
    libraries: Libraries, name: str, *, comments: Comments = "drop", progress: Progress | None = None
) -> None:
    """Remove a class with its files; refused while something else uses it.

    Resources that are named by the class go too, unless something else links to them.
    """
    _refuse_read_only(libraries, name)
    target = target_of(libraries, name)
    entry = libraries.library_of(name).file_of(name)
    inside = {file.path for file in entry.walk()} if entry is not None else set()
    users = [
        use
        for use in references(libraries, name, progress=progress)
        if use.file not in inside and not (use.file == target.tree and use.path[: len(target.path)] == target.path)
    ]
    if users:
        shown = "; ".join(f"{use.file}:{use.line}: {use.around}" for use in users[:_USERS_SHOWN])
        more = f" and {len(users) - _USERS_SHOWN} more" if len(users) > _USERS_SHOWN else ""
        raise LibraryError(f"'{name}' is in use: {shown}{more}")
    with libraries.transaction():
        resources = resources_of(libraries, name)
        take_out(libraries, name, comments)
        remove_resources(libraries, resources)


# ---------------------------------------------------------------- refusals


def _refuse_read_only(libraries: Libraries, name: str) -> None:
    library = libraries.library_of(name)
    if library.read_only:
        raise LibraryError(f"the library '{library.name}' is read-only")


def _refuse_new(libraries: Libraries, package: str, own: str) -> None:
    _refuse_read_only(libraries, package)
    found = declared_as(libraries, package)
    if not isinstance(found, Environment) and not (isinstance(found, Member) and found.is_class):
        raise LibraryError(f"'{package}' is not a package")
    if lookup_of(libraries).member(found, own) is not None:
        raise LibraryError(f"there is a '{own}' in '{package}' already")


def _refuse_captures(libraries: Libraries, package: str, own: str) -> None:
    """LibraryError if something in a package uses the name of a new class for something else, which that would hide."""
    _, holder, rest = libraries.entry_of(package)
    word, place, lookup = word_of([own]), target_of(libraries, package), lookup_of(libraries)
    for entry in [holder] if rest else holder.walk():
        if not word.search(libraries.text_of(entry)):
            continue
        opened = Opened(libraries.document(entry).work.root, frozenset({own}), entry.path)
        for path in opened.places:
            if Occurrence(lookup, opened.root, Target(entry.path, path)).is_captured_in(place):
                line = render(opened.root).count("\n", 0, offset_of(opened.root, path)) + 1
                raise LibraryError(
                    f"a new '{own}' in '{package}' would change what that name means in {entry.path}:{line}, "
                    f"'{text_around(opened.root, path)}': take another name"
                )


def _refuse_move(libraries: Libraries, name: str, package: str, new: str) -> None:
    _refuse_read_only(libraries, name)
    target = target_of(libraries, name)
    if lookup_of(libraries).kind(target) != "class_definition":
        raise LibraryError(f"'{name}' is a component: only a class can be moved to another package")
    if not split_name(name)[1:]:
        raise LibraryError(f"'{name}' is a library; it can't be moved into another")
    if f"{package}.".startswith(f"{name}."):
        raise LibraryError(f"'{name}' can't be moved into itself")
    _refuse_new(libraries, package, split_name(new)[-1])
    refuse_bound(libraries, name, package)
