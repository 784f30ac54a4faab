"""The libraries that a model needs: its own, and those that these say they use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.library.cache import ParseCache
from modelica_ast.library.folders import Found, brought_folders, libraries_in, library_folders
from modelica_ast.library.layout import PACKAGE_FILE
from modelica_ast.library.libraries import Libraries
from modelica_ast.parse import parse_source
from modelica_ast.rules.used_libraries import fitting_library, uses_of
from modelica_ast.simulation.errors import MissingLibraryError
from modelica_ast.source import Source

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_STANDARD: Final = frozenset({"Modelica", "ModelicaServices", "Complex"})
_HOW_TO_GET_IT: Final = (
    "unpack the Modelica Standard Library (https://github.com/modelica/ModelicaStandardLibrary/releases) into"
    " ~/.openmodelica/libraries or a folder of MODELICAPATH"
)


class Shelf:
    """The libraries at hand. Those of the given folders come first, then those of packages and of the machine."""

    def __init__(self, folders: Sequence[Path], *, cache: bool = True) -> None:
        self._own = list(_at_hand(folders))
        self._others = list(_at_hand([*brought_folders(), *library_folders()]))
        self.folders = [*folders, *library_folders()]
        self._cache = ParseCache() if cache else None
        self._known_uses: dict[Path, dict[str, str]] = {}

    def __contains__(self, name: str) -> bool:
        return any(found.name == name for found in (*self._own, *self._others))

    def is_own(self, path: Path) -> bool:
        """Is it a library of the folders that were given?"""
        return any(found.path.resolve() == path for found in self._own)

    def mentioned_in(self, text: str) -> list[str]:
        """The libraries whose names stand in a text, as words."""
        words = set(_WORD.findall(text))
        return sorted(words.intersection(found.name for found in (*self._own, *self._others)))

    def open(self, names: Iterable[str], *, also: Iterable[Path] = ()) -> Libraries:
        """The libraries of these names and all that they use, and the files `also`.

        MissingLibraryError if one is not there. One that is used and not there is missed when a name leads into it.
        """
        files = list(also)
        own = (library.name for library in Libraries([], read_only=files))
        return Libraries([], read_only=[*files, *self.places(names, known=own)], cache=self._cache)

    def places(self, names: Iterable[str], *, known: Iterable[str] = ()) -> list[Path]:
        """Where the libraries of these names are, and all that they use; those that are known are left out."""
        paths: list[Path] = []
        known = set(known)
        todo = [(name, "") for name in names]
        while todo:
            name, version = todo.pop(0)
            if name in known:
                continue
            known.add(name)
            path = self._path(name, version)
            if path is not None:
                paths.append(path)
                todo += self._uses(path).items()
        return paths

    def _uses(self, path: Path) -> dict[str, str]:
        if path not in self._known_uses:
            # PERF: one file is read, not the folders of the whole library.
            source = path / PACKAGE_FILE if path.is_dir() else path
            try:
                read = parse_source if self._cache is None else self._cache.parse_source
                found = uses_of(read(Source.read(source)))
            except (ModelicaSyntaxError, OSError):
                found = {}  # whoever reads the file next says what is wrong with it
            self._known_uses[path] = found
        return self._known_uses[path]

    def used_versions(self, libraries: Libraries) -> dict[str, str]:
        """Library -> version of all that some libraries say they use."""
        found: dict[str, str] = {}
        for library in libraries:
            found |= self._uses(library.path)
        return found

    def _path(self, name: str, version: str) -> Path | None:
        for found in (self._own, self._others):
            path = fitting_library(name, version, found)
            if path is not None:
                return path
        return None

    def missing(self, name: str, version: str) -> MissingLibraryError:
        """A library that is used and is not here, as an error that says what to do."""
        there = [found for found in (*self._own, *self._others) if found.name == name]
        where = ", ".join(map(str, dict.fromkeys(self.folders))) or "no folder"
        wanted = f"{name} {version}".strip()
        if there:
            versions = ", ".join(found.version or "one without a version" for found in there)
            return MissingLibraryError(
                f"the library {wanted} is missing in {where}; there is {versions}, which does not say that it fits:"
                f" install {wanted}, or bring the package to the other version ('modelica-patch convert')"
            )
        advice = _HOW_TO_GET_IT if name in _STANDARD else "put its folder into MODELICAPATH, or name it with --path"
        return MissingLibraryError(f"the library {wanted} is missing; it was looked for in {where}; {advice}")


def _at_hand(folders: Iterable[Path]) -> Iterator[Found]:
    """The libraries in folders. A folder may be a library itself, and so may a file."""
    for folder in folders:
        path = folder.resolve()
        if path.is_file() or (path / PACKAGE_FILE).is_file():
            yield from (found for found in libraries_in(path.parent) if found.path == path)
        elif path.is_dir():
            yield from libraries_in(path)
        else:
            raise MissingLibraryError(f"{folder}: no such file or folder")
