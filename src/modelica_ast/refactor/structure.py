"""Where classes are: taken out of a library and put into it, and the files that follow them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from modelica_ast.edit import Comments, Document, ExactEditor, Insertion, owned_by, put_class
from modelica_ast.foundation import Record, split_name
from modelica_ast.library import (
    ORDER_FILE,
    RESOURCES,
    FileEntry,
    Libraries,
    LibraryError,
    LinkFollower,
    Moves,
    Position,
    Resources,
    Tally,
    copy_resources,
    fault_in_folder,
    follow_in_files,
    follow_in_tree,
    linked_files,
    move_resources,
    other_files,
    put_in_order,
)
from modelica_ast.syntax import lex, render, split_leaf, with_prefix
from modelica_ast.tree import indentation_of, relined


class Piece(Record):
    """A class out of a library: its text without indentation, with the comments that are about it."""

    name: str
    text: str  # of a class that had a file: with all comments that are around it there
    file: Document | None = None  # its whole file, if it had one
    path: Path | None = None  # that file
    folder: Path | None = None  # its folder, if it had one
    others: tuple[tuple[str, bytes], ...] = ()  # what else was in its folder
    order: tuple[str, ...] | None = None  # its package.order
    children: tuple[Piece, ...] = ()  # those that had files of their own
    was: str | None = None  # what it is still called in its text and its file, if that is another name

    def called(self, name: str) -> Piece:
        """The class under another name."""
        same = self.text, self.file, self.path, self.folder, self.others, self.order, self.children
        return Piece(name, *same, was=self.was or self.name)


def piece_of(libraries: Libraries, name: str) -> Piece:
    """A class with all that is inside it; the library stays as it is."""
    _, entry, rest = libraries.entry_of(name)
    document = libraries.document(entry)
    holder = document.work.find_class(".".join([entry.name, *rest])).parent
    assert holder is not None
    own = split_name(name)[-1]
    text = render(relined(with_prefix(holder.green, ""), indentation_of(holder), "\n"))
    if rest:
        owned = owned_by(holder)
        lines = [each for each in (*owned.above, owned.before) if each]
        return Piece(own, "\n".join([*lines, text]) + (f" {owned.behind}" if owned.behind else ""))
    children = tuple(piece_of(libraries, child.full_name) for child in entry.in_order())
    order = None if entry.order is None else tuple(entry.order)
    others = _others_of(libraries, entry)
    text = _comments_around(document.text, render(holder.green)) + text
    return Piece(own, text, document.copy(), entry.path, entry.folder, others, order, children)


def _comments_around(file: str, class_: str) -> str:
    """The comments of a file before and after its class, as lines; the licence may be among them."""
    before, _, after = file.partition(class_)
    leaves = [*lex(before, lazy=True), *lex(class_, lazy=True)[:1], *lex(after, lazy=True)]
    found = (split_leaf(leaf)[0].replace("\ufeff", "").strip() for leaf, _ in leaves)
    return "".join(f"{comment}\n" for comment in found if comment).replace("\r\n", "\n")


def _others_of(libraries: Libraries, entry: FileEntry) -> tuple[tuple[str, bytes], ...]:
    found = [(path, libraries.others.read(path)) for path in other_files(libraries, entry)]
    folder = entry.folder
    return tuple((str(path.relative_to(folder)), data) for path, data in found if data is not None and folder)


# ---------------------------------------------------------------- taking out


def take_out(libraries: Libraries, name: str, comments: Comments = "drop") -> None:
    """Remove a class with its files, and from package.order; inside a transaction. A file takes all comments along."""
    library, entry, rest = libraries.entry_of(name)
    own, parent = split_name(name)[-1], ".".join(split_name(name)[:-1])
    if rest:
        document = libraries.document(entry)
        document.edit(_remove_class, ".".join([entry.name, *rest]), comments)
    else:
        _delete_files(libraries, entry)
        library.restore(library.root.replaced(split_name(name)[1:], None))
    holder = library.file_of(parent)
    if holder is not None and holder.order is not None and own in holder.order:
        libraries.set_order(holder, [item for item in holder.order if item != own])


def _remove_class(edit: ExactEditor, name: str, comments: Comments) -> None:
    edit.remove(edit.find_class(name), comments=comments)


def _delete_files(libraries: Libraries, entry: FileEntry) -> None:
    workspace = libraries.workspace
    assert workspace is not None
    link = entry.path if entry.folder is None else entry.folder
    if link.is_symlink():  # what it leads to is not ours
        workspace.unlink(link)
        return
    for child in entry.children.values():
        _delete_files(libraries, child)
    workspace.delete(entry.path)
    if entry.folder is not None:
        for path in (*other_files(libraries, entry), entry.folder / ORDER_FILE):
            workspace.others.write(path, None)


# ---------------------------------------------------------------- putting in


def put_in(libraries: Libraries, parent: str, piece: Piece, position: Position) -> None:
    """Put a class into a package: into its folder if it has one, else into its file; inside a transaction.

    A class whose name no file can have goes into the file of the package, too.
    """
    library, entry, rest = libraries.entry_of(parent)
    if rest or entry.folder is None:
        libraries.document(entry).edit(_insert, ".".join([entry.name, *rest]), piece, position)
        return
    siblings = entry.children.keys() - {piece.name}
    fault = fault_in_folder(libraries.disk, entry.folder, siblings, piece.name, as_folder=piece.folder is not None)
    if fault is not None:
        _put_inside(libraries, entry, piece, position, fault)
        return
    if piece.file is None:  # a new file is written like that of its package
        end = "\r\n" if "\r\n" in libraries.text_of(entry) else "\n"
        piece = Piece(piece.name, piece.text, Document(f"{piece.text}\n".replace("\n", end)), was=piece.was)
    placed = _put_files(libraries, entry.full_name, entry.folder, piece)
    root = library.root.replaced([*split_name(entry.full_name)[1:], piece.name], placed)
    library.restore(root)
    holder = library.file_of(parent)
    assert holder is not None
    put_in_order(libraries, holder, piece.name, position)


def _put_inside(libraries: Libraries, holder: FileEntry, piece: Piece, position: Position, fault: str) -> None:
    """Put a class into the package.mo of a package that is a folder, because of a fault in its name."""
    if piece.others:
        raise LibraryError(
            f"no folder can be called {piece.name}: {fault}; and {holder.path}, which could hold the class, has no "
            f"place for the other files of its folder, as {piece.others[0][0]}: move them elsewhere first"
        )
    in_text = position if holder.order is None else Position()
    libraries.document(holder).edit(_insert, holder.name, piece, in_text)
    if holder.order is not None:
        put_in_order(libraries, holder, piece.name, position)


def put_inside_renamed(libraries: Libraries, old: FileEntry, new: FileEntry, fault: str) -> None:
    """Put a class that had files into the file of its package; it is called otherwise already, as `new` says."""
    library = libraries.library_of(old.full_name)
    library.restore(library.root.replaced(split_name(old.full_name)[1:], new))
    piece = piece_of(libraries, new.full_name)
    take_out(libraries, new.full_name)
    holder = library.file_of(old.parent_name)
    assert holder is not None
    neighbour = Position(before=old.name if holder.order is not None and old.name in holder.order else None)
    _put_inside(libraries, holder, piece, neighbour, fault)
    holder = library.file_of(old.parent_name)
    if holder is not None and holder.order is not None:
        libraries.set_order(holder, [name for name in holder.order if name != old.name])


def _insert(edit: ExactEditor, name: str, piece: Piece, position: Position) -> None:
    """Put a class into another one, with its comments; whoever moves or copies it looks after the names."""
    text = "\n" + _merged(piece)  # its first line is not indented, wherever its `end` is
    put_class(edit, edit.find_class(name), text, Insertion(position.before, position.after))


def _merged(piece: Piece) -> str:
    """The text of a class with the classes inside that had files of their own."""
    if piece.others:
        raise LibraryError(
            f"the folder of '{piece.name}' has other files, as {piece.others[0][0]}: in a package that is one file "
            "there is no place for them"
        )
    if piece.file is not None and len(piece.file.classes) > 1:
        raise LibraryError(f"the file of '{piece.name}' has a second class, which has nowhere to go: remove it first")
    if not piece.children and piece.was is None:
        return piece.text
    document = Document(piece.text)
    _rename(document, piece)
    for child in piece.children:
        document.edit(_insert, piece.name, child, Position())
    return document.text


def _put_files(libraries: Libraries, parent: str, folder: Path, piece: Piece) -> FileEntry:
    workspace = libraries.workspace
    assert workspace is not None
    own = folder / piece.name
    path = own / "package.mo" if piece.folder is not None else folder / f"{piece.name}.mo"
    is_taken = libraries.disk.exists(path) or libraries.disk.is_folder(own)
    if is_taken and workspace.opened(path) is None and not _is_deleted(libraries, path):
        raise LibraryError(f"{path} already exists")
    full_name = f"{parent}.{piece.name}"
    workspace.create(path, _file_of(piece, parent), like=piece.path)
    children = {child.name: _put_files(libraries, full_name, own, child) for child in piece.children}
    if piece.folder is not None:
        for other, data in piece.others:
            workspace.others.write(own / other, data, like=piece.folder / other)
    if piece.order is not None:
        like = None if piece.folder is None else piece.folder / ORDER_FILE
        order = "".join(f"{name}\n" for name in piece.order)
        workspace.others.write(own / ORDER_FILE, order.encode(), like=like)
    return FileEntry(piece.name, full_name, path, own if piece.folder is not None else None, children, piece.order)


def _file_of(piece: Piece, parent: str) -> Document:
    """The file of a class in another package: all of it stays but its name and its `within`."""
    assert piece.file is not None
    document = piece.file.copy()
    _rename(document, piece)
    document.set_within(parent)
    return document


def _rename(document: Document, piece: Piece) -> None:
    """Let a class have its new name: in its first line, after its `end`, and where it names itself."""
    if piece.was is not None:
        document.find_class(piece.was).rename(piece.name)


def _is_deleted(libraries: Libraries, path: Path) -> bool:
    workspace = libraries.workspace
    return workspace is not None and path.resolve() in workspace.deleted


# ---------------------------------------------------------------- files that follow
# Files that follow their classes: renamed, moved, and named in package.order.


def move_files(libraries: Libraries, old: FileEntry, new: FileEntry) -> None:
    """Give a class and all inside it the files that go with its name; `new` is the entry under that name.

    The class itself is renamed already; it stays in its package.
    """
    library = libraries.library_of(old.full_name)
    placed = new.moved(old.path.parent if old.folder is None else old.folder.parent)
    move_tree(libraries, old, placed)
    library.restore(library.root.replaced(split_name(old.full_name)[1:], placed))
    parent = library.file_of(old.parent_name)
    if parent is not None and parent.order is not None and old.name in parent.order:
        libraries.set_order(parent, [new.name if name == old.name else name for name in parent.order])


def move_tree(libraries: Libraries, old: FileEntry, new: FileEntry) -> None:
    """Move the files of a class and of all classes inside it."""
    if old.path == new.path:
        return
    link = old.path if old.folder is None else old.folder
    if link.is_symlink():
        raise LibraryError(f"{link} is a link, and what it leads to is not moved: remove it and make a new link")
    workspace = libraries.workspace
    assert workspace is not None
    for child in old.children.values():
        move_tree(libraries, child, new.children[child.name])
    is_taken = libraries.disk.exists(new.path) and not libraries.disk.is_same_file(old.path, new.path)
    if is_taken and new.path.resolve() not in workspace.deleted:
        raise LibraryError(f"{new.path} already exists")
    content = workspace.open(old.path).copy()
    workspace.delete(old.path)
    workspace.create(new.path, content, like=old.path)
    if old.folder is not None and new.folder is not None:
        order = old.folder / ORDER_FILE
        for path in (*other_files(libraries, old), *([order] if workspace.others.is_there(order) else [])):
            data = workspace.others.read(path)
            workspace.others.write(path, None)
            workspace.others.write(new.folder / path.relative_to(old.folder), data, like=path)


# ---------------------------------------------------------------- text files
# Scripts and pages in a library's Resources: they name classes and files as text, and follow these.

_SCRIPT: Final = ".mos"
_PAGES: Final = frozenset({".html", ".htm"})
# Scripts that lead old names to new ones: there a name is history.
_CONVERSION: Final = re.compile(r"\bconvert(?:Class|ClassIf|Element|Modifiers)\s*\(")
_REFERENCE: Final = re.compile(r"(?P<before>\b(?:src|href)\s*=\s*[\"'])(?P<file>[^\"'#?:]+)", re.IGNORECASE)
_RESULTS: Final = r"\.(?:mat|csv|txt|log|png|svg|eps|pdf)"


def text_files(libraries: Libraries) -> Iterator[tuple[Path, str, str]]:
    """(path, text, encoding) of the scripts and pages of the libraries that may be written."""
    others = libraries.others
    for library in libraries:
        folder = library.root.folder
        for path in others.below(folder / RESOURCES) if folder is not None and not library.read_only else []:
            data = others.read(path) if path.suffix.lower() in (_SCRIPT, *_PAGES) else None
            if data is not None:
                yield path, *_decoded(data)


def _decoded(data: bytes) -> tuple[str, str]:
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"  # which takes all bytes, and gives them back


def follow_in_text_files(libraries: Libraries, follower: LinkFollower, moves: Moves) -> None:
    """Let links, names of classes and names of files follow in all scripts and pages."""
    for path, text, encoding in text_files(libraries):
        if path.suffix.lower() in _PAGES or not _CONVERSION.search(text):
            new = _followed(path, text, follower, moves)
            libraries.others.write(path, new.encode(encoding))


def follow_in_copies(libraries: Libraries, follower: LinkFollower, moves: Moves) -> None:
    """The same for the copies alone: the class that they are copied from is there still."""
    copies = set(moves.files.values())
    for path, text, encoding in text_files(libraries):
        if path in copies:
            libraries.others.write(path, _followed(path, text, follower, moves).encode(encoding))


def _followed(path: Path, text: str, follower: LinkFollower, moves: Moves) -> str:
    text = _with_file_names(follower.followed(text), moves)
    if path.suffix.lower() in _PAGES:
        return _with_references(path, text, moves)
    name = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(moves.old)}(?![A-Za-z0-9_])")
    text = name.sub(lambda _: moves.new, text)
    return _with_results(text, moves) if path in moves.named else text


def _with_file_names(text: str, moves: Moves) -> str:
    """`Resources/Scripts/Parts/Body.mos`, as it is written in the scripts that run others."""
    names = {_from_resources(old): _from_resources(new) for old, new in moves.files.items()}
    return _replaced_words(text, names)


def _from_resources(path: Path) -> str:
    place = max(index for index, part in enumerate(path.parts) if part == RESOURCES)
    return "/".join(path.parts[place:])


def _replaced_words(text: str, names: Mapping[str, str]) -> str:
    if not names or not any(name in text for name in names):
        return text
    one_of = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<![A-Za-z0-9_])(?:{one_of})(?![A-Za-z0-9_])", lambda found: names[found[0]], text)


def _with_results(text: str, moves: Moves) -> str:
    """In a class's own script: what it calls its results, `resultFile="Body"` and `"Body.mat"`."""
    old, new = split_name(moves.old)[-1], split_name(moves.new)[-1]
    ending = rf"(?<=[\"/]){re.escape(old)}(?=(?:[_-][A-Za-z0-9_-]*)?{_RESULTS}\")"
    argument = rf"(?i:(?P<before>\b(?:resultFile|fileName|fileNamePrefix)\s*=\s*)\"){re.escape(old)}(?=\")"
    text = re.sub(ending, lambda _: new, text)
    return re.sub(argument, lambda found: f'{found["before"]}"{new}', text)


def referenced_files(path: Path, text: str) -> Iterator[Path]:
    """The files that a page names from where it is."""
    if path.suffix.lower() in _PAGES:
        for found in _REFERENCE.finditer(text):
            yield Path(os.path.normpath(path.parent / unquote(found["file"])))


def _with_references(path: Path, text: str, moves: Moves) -> str:
    """`src="../Images/Body.png"` in a page."""
    was = moves.old_place(path)

    def new(found: re.Match[str]) -> str:
        old = Path(os.path.normpath(was.parent / unquote(found["file"])))
        place = moves.place(old)
        if place == old and (was == path or not moves.disk.exists(old)):
            return found[0]
        relative = Path(os.path.relpath(place, path.parent)).as_posix()
        return found["before"] + (quote(relative) if "%" in found["file"] else relative)

    return _REFERENCE.sub(new, text)


# ---------------------------------------------------------------- following
# Files, links and scripts that follow a class: when it is renamed, moved, copied or removed.
#
# `Moves` is made before the class changes its place, for then its resources are still known by its name; what is here
# comes after, in the same transaction.


def follow_move(libraries: Libraries, moves: Moves, tally: Tally) -> None:
    """Let the resources of a class go with it, and every link and every script."""
    moves.note_folder(libraries)
    move_resources(libraries, moves.files)
    follower = LinkFollower(libraries, moves)
    follow_in_files(libraries, follower, tally)
    follow_in_text_files(libraries, follower, moves)


def follow_copy(libraries: Libraries, moves: Moves) -> None:
    """Let a copied class have resources of its own: its links lead to them, the original is as it was."""
    copy_resources(libraries, moves.files)
    follower = LinkFollower(libraries, moves, is_copy=True)
    _, entry, rest = libraries.entry_of(moves.new)
    for file in entry.walk() if not rest else [entry]:
        document = libraries.document(file)
        inner = ".".join([file.name, *(rest if file is entry else [])])
        document.edit(follow_in_tree, follower, document.work.find_class(inner).path)
    follow_in_copies(libraries, follower, moves)


def resources_of(libraries: Libraries, name: str) -> list[Path]:
    """The files in a library's Resources that are named by a class, or by a class inside it."""
    return [path for path, _ in Resources(libraries, libraries.library_of(name)).of(name)]


def remove_resources(libraries: Libraries, files: list[Path]) -> None:
    """Remove the resources of a class that is gone; what somebody else links to, stays."""
    if not files:
        return
    needed: set[Path] = set()
    for _, entry in libraries.files():
        needed.update(linked_files(libraries, libraries.text_of(entry)))
    texts = {path: text for path, text, _ in text_files(libraries) if path not in files}
    for path, text in texts.items():
        needed.update(linked_files(libraries, text))
        needed.update(referenced_files(path, text))
    for path in files:
        # A link to a folder may stand for any file in it.
        tail = f"{RESOURCES}/{path.as_posix().rpartition(f'/{RESOURCES}/')[2]}"
        around = {folder for folder in path.parents if f"/{RESOURCES}/" in folder.as_posix()}
        if not needed & {path, *around} and not any(tail in text for text in texts.values()):
            libraries.others.write(path, None)
