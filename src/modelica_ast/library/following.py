"""Files, links and scripts that follow a class: when it is renamed, moved, copied or removed.

`Moves` is made before the class changes its place, for then its resources are still known by its name; what is here
comes after, in the same transaction.
"""

from __future__ import annotations

from pathlib import Path

from modelica_ast.library.libraries import Libraries
from modelica_ast.library.links import LinkFollower, follow_in_files, follow_in_tree, linked_files
from modelica_ast.library.moves import Moves, copy_resources, move_resources
from modelica_ast.library.progress import Tally
from modelica_ast.library.resources import RESOURCES, Resources
from modelica_ast.library.text_files import follow_in_copies, follow_in_text_files, referenced_files, text_files


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
