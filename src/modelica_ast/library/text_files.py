"""Scripts and pages in a library's Resources: they name classes and files as text, and follow these."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from modelica_ast.identifiers import split_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.links import LinkFollower
from modelica_ast.library.moves import Moves
from modelica_ast.library.resources import RESOURCES

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
