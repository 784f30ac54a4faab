"""Files that follow their classes: renamed, moved, and named in package.order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from modelica_ast.foundation import split_name
from modelica_ast.library import (
    ORDER_FILE,
    RESOURCES,
    FileEntry,
    Libraries,
    LibraryError,
    LinkFollower,
    Moves,
    Resources,
    Tally,
    copy_resources,
    follow_in_files,
    follow_in_tree,
    linked_files,
    move_resources,
    other_files,
)


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
        raise LibraryError(f"{link} is a link, and what it leads to is not moved: remove it and link it anew")
    workspace = libraries.workspace
    assert workspace is not None
    for child in old.children.values():
        move_tree(libraries, child, new.children[child.name])
    is_taken = libraries.disk.exists(new.path) and not libraries.disk.is_same_file(old.path, new.path)
    if is_taken and new.path.resolve() not in workspace.deleted:
        raise LibraryError(f"{new.path} is there already")
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
