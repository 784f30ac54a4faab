"""Move, copy, add and remove classes, with all references to them, in every file of the libraries."""

from __future__ import annotations

from modelica_ast.edit.document import Document
from modelica_ast.edit.index import word_of
from modelica_ast.edit.occurrences import Opened, offset_of, text_around
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.values import identifier
from modelica_ast.green import render
from modelica_ast.identifiers import split_name
from modelica_ast.library.class_files import lookup_of
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.following import follow_copy, follow_move, remove_resources, resources_of
from modelica_ast.library.full_names import shorten_names, write_full_names
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.mending import mend_names, names_leading_out
from modelica_ast.library.move_proof import meanings_around, refuse_bound, refuse_inherited_uses, refuse_other_meanings
from modelica_ast.library.moves import Moves
from modelica_ast.library.ordering import Position, reorder
from modelica_ast.library.progress import Progress, Tally
from modelica_ast.library.references import declared_as, references, target_of
from modelica_ast.library.structure import Piece, piece_of, put_in, take_out
from modelica_ast.library.unlisting import take_out_of_lists
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.occurrences import Occurrence

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
        raise LibraryError(f"'{package}' is no package")
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
