"""`modelica://` links, and how they follow classes and files to other names."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from modelica_ast.edit import ExactEditor, Path as TreePath, leaf_paths, node_at, node_of, replaced
from modelica_ast.foundation import split_name
from modelica_ast.library.errors import Tally
from modelica_ast.library.file_moves import Moves
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.syntax import split_leaf

_IDENT: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*|'[^'\"<>\s]+')"
# Between quotes the name of a file may have blanks; in a sentence it ends at the first one.
_FILE: Final = r"/(?(double)[^\"<>\\#?\n]*|(?(single)[^'\"<>\\#?\n]*|[^\s\"<>\\#?]*))"
LINK: Final = re.compile(
    rf"(?P<double>(?<=\"))?(?P<single>(?<='))?(?P<scheme>modelica://)(?P<name>{_IDENT}(?:\.{_IDENT})*)(?P<file>{_FILE})?",
    re.IGNORECASE,
)
# What a link can't hold as it is: it would end there, or the string would that the link is in.
_ENCODED: Final = re.compile(r"[\s\x00-\x1f\x7f\"<>\\#?%]")
_ENCODED_IN_CLASS: Final = re.compile(r"[\s\x00-\x1f\x7f\"<>\\#?%/']")  # the name of the class ends at a slash
# Where HTML is shown as text, it goes on after the link.
_END_OF_FILE: Final = re.compile(r"&(?:quot|lt|gt|apos|#\d+);")


def links_in(text: str) -> Iterator[re.Match[str]]:
    """Every link in a text. PERF: the expression would be tried at every character, since it minds no case."""
    at, end = text.find("://"), 0
    while at >= 0:
        start = at - len("modelica")
        if start >= end and text[start:at].lower() == "modelica":
            found = LINK.match(text, start)
            if found is not None:
                yield found
                end = found.end()
        at = text.find("://", at + 1)


def class_of(link: re.Match[str]) -> str:
    """The full name of the class that a link names."""
    return unquote(link["name"])


def written_class(name: str) -> str:
    """A full name as a link has it: in quoted names some characters are encoded."""
    parts = (
        f"'{_ENCODED_IN_CLASS.sub(_percent, part[1:-1])}'" if part[0] == "'" else part for part in split_name(name)
    )
    return ".".join(parts)


def _percent(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


def folder_of(root: FileEntry, parts: list[str]) -> Path:
    """The folder that a link's file is looked for in: that of the innermost package that has one."""
    entry = root
    for part in parts[1:]:
        inside = entry.children.get(part)
        if inside is None or inside.folder is None:
            break
        entry = inside
    return entry.folder if entry.folder is not None else entry.path.parent


def linked_files(libraries: Libraries, text: str) -> Iterator[Path]:
    """The files that the links of a text lead to, whether they are there or not."""
    for found in links_in(text):
        parts = split_name(class_of(found))
        library = libraries.get(parts[0])
        if found["file"] and library is not None:
            folder = folder_of(library.root, parts)
            places = [_normal(folder / decoded(written)) for written, _ in readings(found["file"])]
            yield next((place for place in places if is_there(libraries, place)), places[-1])


def is_there(libraries: Libraries, path: Path) -> bool:
    """Is there such a file or folder, or should there be one after the next save?"""
    if libraries.workspace is None:
        return libraries.disk.exists(path)
    return libraries.others.is_there(path) or libraries.others.shall_hold(path) or libraries.disk.is_folder(path)


class LinkFollower:
    """Rewrites the links that a move concerns; it is made after the move."""

    def __init__(self, libraries: Libraries, moves: Moves, *, is_copy: bool = False) -> None:
        self._libraries = libraries
        self._moves = moves
        self._is_copy = is_copy  # then the class that a link names is there still

    def followed(self, text: str) -> str:
        """A text with its links as they should be."""
        pieces: list[str] = []
        end = 0
        for link in links_in(text):
            pieces += [text[end : link.start()], self._new(link)]
            end = link.end()
        return "".join([*pieces, text[end:]]) if pieces else text

    def _new(self, link: re.Match[str]) -> str:
        old = class_of(link)
        name = old if self._is_copy else self._moves.renamed(old)
        return f"{link['scheme']}{self._with_file(link, name) if link['file'] else _class_like(link, name)}"

    def _with_file(self, link: re.Match[str], name: str) -> str:
        parts = split_name(class_of(link))
        before = self._moves.roots.get(parts[0])
        if before is None:
            return link["name"] + link["file"]
        folder = folder_of(before, parts)
        possible = [(_normal(folder / decoded(written)), written, rest) for written, rest in readings(link["file"])]
        place, exists = self._moves.place, self._libraries.disk.exists
        known = (each for each in possible if place(each[0]) != each[0] or exists(each[0]))
        old, written, rest = next(known, possible[-1])
        new = place(old)
        if new == old and name == class_of(link):
            return link["name"] + link["file"]
        return self._leading_to(new, name, written, rest)

    def _leading_to(self, file: Path, name: str, written: str, rest: str) -> str:
        """A link to a file, by a class if that is possible."""
        folder = folder_of(self._libraries.library_of(name).root, split_name(name))
        if folder / decoded(written) == file:
            return f"{written_class(name)}/{written}{rest}"
        if not file.is_relative_to(folder):
            around = self._package_around(file)
            if around is None:
                return f"{written_class(name)}/{written}{rest}"
            name, folder = around
        slash = "/" if written.endswith("/") else ""  # of a folder, to which a name is added
        return f"{written_class(name)}/{_encoded(file.relative_to(folder).as_posix(), written)}{slash}{rest}"

    def _package_around(self, path: Path) -> tuple[str, Path] | None:
        """The innermost package in whose folder a file is, by its full name, and this folder."""
        found = None
        for library in self._libraries:
            todo = [library.root]
            while todo:
                entry = todo.pop()
                if entry.folder is not None and path.is_relative_to(entry.folder):
                    found = entry.full_name, entry.folder
                    todo = list(entry.children.values())
        return found


def _class_like(link: re.Match[str], name: str) -> str:
    return link["name"] if name == class_of(link) else written_class(name)


def readings(file: str) -> list[tuple[str, str]]:
    """(a file as it is written, what belongs to the sentence around it) for what follows a link's class.

    What has blanks may be the name of a file, or a name and the rest of a sentence.
    """
    found = [_split(file[1:])]
    if " " in found[0][0]:
        first, blank, more = file[1:].partition(" ")
        written, rest = _split(first)
        found.append((written, rest + blank + more))
    return found


def _split(file: str) -> tuple[str, str]:
    end = _END_OF_FILE.search(file)
    written = file[: end.start()] if end else file
    while written and (
        written[-1] in ".,;:"
        or (written[-1] == ")" and written.count("(") < written.count(")"))
        or (written[-1] == "'" and written.count("'") % 2)
    ):
        written = written[:-1]
    return written, file[len(written) :]


def decoded(written: str) -> str:
    """The name of a file as it is on the disk, in the folder that its link leads to: `//Resources` is in there too."""
    return unquote(html.unescape(written)).lstrip("/")


def _encoded(path: str, like: str) -> str:
    """A path as an author has written another one."""
    if "%" in like or (_ENCODED.search(path) and not _ENCODED.search(like)):
        path = quote(path, safe="/!$&'()*+,;=:@~")
    return path.replace("&", "&amp;") if "&amp;" in like else path


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path))


# ---------------------------------------------------------------- in Modelica


def follow_in_files(libraries: Libraries, follower: LinkFollower, tally: Tally) -> None:
    """Let the links in all files follow, of the libraries that may be written."""
    files = [entry for library, entry in libraries.files() if not library.read_only]
    tally.expect(len(files))
    for entry in files:
        text = libraries.text_of(entry)
        # PERF: the text tells whether there is something to do; few files have to be parsed for it.
        if follower.followed(text) != text:
            libraries.document(entry).edit(follow_in_tree, follower)
        tally.done(entry.path)


def follow_in_tree(edit: ExactEditor, follower: LinkFollower, within: TreePath = ()) -> None:
    """Let the links below a place of a tree follow; those in comments do not count."""
    before = node_of(edit.tree)
    root = before
    for path, leaf in leaf_paths(node_at(before, within)):
        if "://" in leaf:
            prefix, token = split_leaf(leaf)
            text = follower.followed(token)
            if text != token:
                root = replaced(root, (*within, *path), prefix + text)
    if root is not before:
        edit.take(root)
