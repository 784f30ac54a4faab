"""Which files of a library's Resources belong to a class, by their names.

`Resources/Images/Parts/Body.png` is of the class `Parts.Body`, and so are `Body_2.png` beside it and what is in a
folder `Body`; `Resources/ReferenceResults/Tool/Lib_Parts_Body.txt` is too. A file that can be read as belonging to
two classes belongs to none: nobody moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from modelica_ast.identifiers import split_name
from modelica_ast.library.class_names import class_names
from modelica_ast.library.layout import FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library

RESOURCES: Final = "Resources"
# Folders of Resources whose files are named after classes. What is in `Include` and `Library` is named by compilers.
_NAMED_BY_CLASS: Final = ("Images", "Data", "Documentation", "Scripts", "ReferenceResults")
_WITH_TOOLS: Final = ("Scripts", "ReferenceResults")  # there each tool may have a folder of its own
_HISTORY: Final = ("Scripts", "Conversion")
_BEHIND_A_NAME: Final = "._-"


class Claim(NamedTuple):
    """How a file is named by a class."""

    owner: tuple[str, ...]  # the class in its parts, the library first
    root: tuple[str, ...]  # the folders before the name of the class
    separator: str  # between the parts of the class's name: '/', or what stands there in the name of one file
    has_library: bool  # is the library's name written too?
    rest: str  # what stands behind the name of the class

    def path_for(self, owner: Sequence[str]) -> PurePosixPath:
        """Where the file is, from the Resources folder, if it belongs to another class in the same way."""
        written = owner if self.has_library else owner[1:]
        return PurePosixPath(*self.root, self.separator.join(written) + self.rest)


class Resources:
    """The Resources of one library, as they shall be after the next save, and the classes that are there now."""

    def __init__(self, libraries: Libraries, library: Library) -> None:
        self._libraries = libraries
        self._library = library
        self._names: dict[Path, dict[tuple[str, ...], set[str]]] = {}

    def of(self, name: str) -> list[tuple[Path, Claim]]:
        """The files that belong to a class or to a class inside it, and to no other."""
        folder = self._library.root.folder
        wanted = tuple(split_name(name))
        if folder is None or self._library.read_only:
            return []
        found = []
        for path in self._libraries.others.below(folder / RESOURCES):
            relative = path.relative_to(folder / RESOURCES)
            # PERF: few files are named by the class at all; for the others nobody has to know what classes there are.
            if all(part in str(relative) for part in wanted[1:]):
                claims = list(self.claims(relative))
                if claims and all(claim.owner[: len(wanted)] == wanted for claim in claims):
                    found.append((path, claims[0]))
        return found

    def claims(self, relative: Path) -> Iterator[Claim]:
        """Every way in which a file, given from the Resources folder, is named by a class; the innermost class each."""
        parts = relative.parts
        if parts[:1] not in [(folder,) for folder in _NAMED_BY_CLASS] or parts[:2] == _HISTORY:
            return
        for length in (1, 2) if parts[0] in _WITH_TOOLS else (1,):
            root, rest = parts[:length], parts[length:]
            if not rest:
                continue
            library = (self._library.name,)
            for before in ((), library):
                if rest[: len(before)] == before and len(rest) > len(before):
                    yield from self._by_folders(root, rest[len(before) :], has_library=bool(before))
            if len(rest) == 1:
                for separator in "._":
                    yield from self._by_one_name(root, rest[0], separator)

    def _by_folders(self, root: tuple[str, ...], rest: tuple[str, ...], *, has_library: bool) -> Iterator[Claim]:
        """`Parts/Body.png`."""
        owner: tuple[str, ...] = (self._library.name,)
        depth = 0
        while depth < len(rest) - 1 and rest[depth] in self._classes_in(owner):
            owner = (*owner, rest[depth])
            depth += 1
        behind = "/" + "/".join(rest[depth:])
        if depth == len(rest) - 1:
            names = [name for name in self._classes_in(owner) if _starts_with_name(rest[-1], name)]
            if names:
                longest = max(names, key=len)
                owner, behind = (*owner, longest), rest[-1][len(longest) :]
        if len(owner) > 1:
            yield Claim(owner, root, "/", has_library, behind)

    def _by_one_name(self, root: tuple[str, ...], name: str, separator: str) -> Iterator[Claim]:
        """`Lib_Parts_Body.txt`."""
        library = self._library.name
        found: list[Claim] = []
        todo: list[tuple[tuple[str, ...], str]] = []
        if _starts_with_name(name, library):
            todo.append(((library,), name.removeprefix(library)))
        while todo:
            owner, rest = todo.pop()
            inner = [part for part in self._classes_in(owner) if _starts_with_name(rest[1:], part)]
            todo += [((*owner, part), rest[1 + len(part) :]) for part in inner if rest[0] == separator]
            if len(owner) > 1:
                found.append(Claim(owner, root, separator, has_library=True, rest=rest))
        longest = min((len(claim.rest) for claim in found), default=0)
        yield from (claim for claim in found if len(claim.rest) == longest)

    # ------------------------------------------------------------ classes

    def _classes_in(self, owner: tuple[str, ...]) -> set[str]:
        """The names of the classes inside a class; files are scanned for it, not parsed."""
        entry, rest = self._library.entry_of(".".join(owner))
        own = self._names_in(entry).get((entry.name, *rest), set())
        return own if rest else own | set(entry.children)

    def _names_in(self, entry: FileEntry) -> dict[tuple[str, ...], set[str]]:
        if entry.path not in self._names:
            names: dict[tuple[str, ...], set[str]] = {}
            for name in class_names(self._libraries.text_of(entry)):
                *around, own = split_name(name)
                names.setdefault(tuple(around), set()).add(own)
            self._names[entry.path] = names
        return self._names[entry.path]


def _starts_with_name(text: str, name: str) -> bool:
    """Is a text a class's name, or such a name with an ending?"""
    return text.startswith(name) and (len(text) == len(name) or text[len(name)] in _BEHIND_A_NAME)
