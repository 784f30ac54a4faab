"""What a recipe is applied to: a library, a folder of files, or one file; changed as one, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import ClassHandle, Document, Workspace
from modelica_ast.files import exists, files_below, is_file
from modelica_ast.foundation import EditError, Source
from modelica_ast.library import Libraries
from modelica_ast.patterns import Pattern, RegularExpression
from modelica_ast.refactor import used_version

_PACKAGE = "package.mo"


class RecipeError(EditError):
    """A recipe that is not one, or that could not be carried out; no file has changed."""


@frozen(eq=False)
class TargetFile:
    """One Modelica file: its name as selectors and messages have it, and its place."""

    name: str
    path: Path


class Target:
    """Modelica files that are edited together. A folder with a package.mo, or with libraries alone, is libraries."""

    def __init__(self, place: str | os.PathLike[str], *, read_only: Iterable[str | os.PathLike[str]] = ()) -> None:
        self._place = Path(place)
        if not exists(self._place):
            raise RecipeError(f"{place}: no such file or folder")
        self._folder = self._place if self._place.is_dir() else self._place.parent
        found = self._libraries_there()
        self.libraries = Libraries(found, read_only=read_only) if found else None
        self._others = Libraries([], read_only=read_only) if not found and read_only else None
        workspace = self.libraries.workspace if self.libraries is not None else None
        self.workspace = workspace or Workspace(self._folder)
        self._texts: dict[Path, str] = {}

    def _libraries_there(self) -> list[Path]:
        if not self._place.is_dir():
            return []
        if is_file(self._place / _PACKAGE):
            return [self._place]
        found = (path for path in self._place.iterdir() if is_file(path / _PACKAGE))
        folders = sorted(path for path in found if not path.is_symlink())  # a link leads out of what was named
        files = [path for path in _files_below(self._place) if not any(path.is_relative_to(f) for f in folders)]
        return folders if not files else []

    @property
    def lookup(self) -> Libraries | None:
        """Where types are looked up."""
        return self.libraries or self._others

    def files(self) -> list[TargetFile]:
        """The files as they are now, in the order of their names."""
        if self.libraries is not None:
            paths = [entry.path for library, entry in self.libraries.files() if not library.read_only]
        elif self._place.is_dir():
            paths = [path for path in _files_below(self._place) if path not in self.left_alone]
        else:
            paths = [self._place]
        folder = self._folder.resolve()
        names = [TargetFile(Path(os.path.relpath(path.resolve(), folder)).as_posix(), path) for path in paths]
        return sorted(names, key=lambda file: file.name)

    @cached_property
    def left_alone(self) -> list[Path]:
        """Links to files that lead out of a folder that is not a library: they are not read, and not changed."""
        if self.libraries is not None or not self._place.is_dir():
            return []
        folder = self._folder.resolve()
        return [path for path in _files_below(self._place) if not path.resolve().is_relative_to(folder)]

    def document(self, file: TargetFile) -> Document:
        """The document of a file; the same one each time."""
        return self.workspace.open(file.path.resolve())

    def text_of(self, file: TargetFile) -> str:
        """The text of a file as it is now; one that nobody has opened is not parsed for it."""
        opened = self.workspace.opened(file.path.resolve())
        if opened is not None:
            return opened.text
        if file.path not in self._texts:
            self._texts[file.path] = Source.read(file.path).text
        return self._texts[file.path]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All edits as one step: all of them, or none if one is refused."""
        with self.libraries.transaction() if self.libraries is not None else self.workspace.transaction():
            yield

    def diff(self) -> str:
        """What has changed since the files were read."""
        return self.workspace.diff()

    def save(self, *, force: bool = False) -> None:
        """Write all that has changed: every file, or none."""
        if self.libraries is not None:
            self.libraries.save(force=force)
        else:
            self.workspace.save(force=force)


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in files_below(folder) if path.suffix == ".mo")


# ---------------------------------------------------------------- selecting
# Which files and classes a step is about, and whether a condition holds there.

CLASS_KEYS: Final = ("name", "regex", "kind", "extends", "component", "pattern")
CONDITION_KEYS: Final = ("class", "component", "pattern", "uses")


@frozen(eq=False)
class Selected:
    """A class that a step is about."""

    file: TargetFile
    document: Document
    name: str  # in the file
    full_name: str


def selected_files(target: Target, globs: str | list[str] | None) -> list[TargetFile]:
    """The files whose names fit one of the globs; all without any."""
    wanted = [globs] if isinstance(globs, str) else globs
    files = target.files()
    if wanted is None:
        return files
    return [file for file in files if any(fnmatchcase(file.name, glob) for glob in wanted)]


def selected_classes(target: Target, files: list[TargetFile], wanted: str | Mapping[str, Any]) -> list[Selected]:
    """The classes of some files that a selector fits; a text is a glob for the full name."""
    selector: Mapping[str, Any] = {"name": wanted} if isinstance(wanted, str) else wanted
    pattern = Pattern.compile(selector["pattern"]) if "pattern" in selector else None
    expression = _expression(selector["regex"]) if "regex" in selector else None
    found = []
    for file in files:
        if pattern is not None and not pattern.may_match(target.text_of(file)):
            continue
        document = target.document(file)
        inside = {match.path for match in pattern.find(document)} if pattern is not None else None
        found += [
            one
            for one in classes_of(file, document)
            if _fits(one, selector)
            and (expression is None or expression.finds(one.full_name))
            and (inside is None or one.full_name in inside)
        ]
    return found


def _expression(text: str) -> RegularExpression:
    try:
        return RegularExpression(text)
    except re.error as error:  # it was written with a parameter, so nobody has looked at it before
        raise RecipeError(f"'{text}' is not a regular expression: {error}") from None


def classes_of(file: TargetFile, document: Document) -> Iterator[Selected]:
    """Every class of a file, each before those inside it."""
    within = document.within
    prefix = f"{within}." if within else ""
    todo: list[tuple[ClassHandle, str]] = [(handle, handle.view.name) for handle in reversed(document.classes)]
    while todo:
        handle, name = todo.pop()
        yield Selected(file, document, name, prefix + name)
        todo += [(inner, f"{name}.{inner.view.name}") for inner in reversed(handle.classes)]


def _fits(one: Selected, selector: Mapping[str, Any]) -> bool:
    handle = one.document.find_class(one.name)
    if "name" in selector and not fnmatchcase(one.full_name, selector["name"]):
        return False
    if "kind" in selector and handle.kind != selector["kind"]:
        return False
    if "extends" in selector and not any(fnmatchcase(base, selector["extends"]) for base in handle.extends):
        return False
    if "component" in selector:
        return any(fnmatchcase(component.name, selector["component"]) for component in handle.components)
    return True


def holds(target: Target, condition: Mapping[str, Any], selected: Selected | None) -> bool:
    """Does a condition hold: in the selected class, or without one in any file?"""
    if "uses" in condition:
        return all(_uses(target, name, version) for name, version in condition["uses"].items())
    if "class" in condition:
        every = (one.full_name for file in target.files() for one in classes_of(file, target.document(file)))
        return any(fnmatchcase(name, condition["class"]) for name in every)
    if selected is not None:
        return _holds_in(condition, selected)
    if "pattern" in condition:
        pattern = Pattern.compile(condition["pattern"])
        files = [file for file in target.files() if pattern.may_match(target.text_of(file))]
        return any(pattern.find(target.document(file)) for file in files)
    every_class = [one for file in target.files() for one in classes_of(file, target.document(file))]
    return any(_holds_in(condition, one) for one in every_class)


def _holds_in(condition: Mapping[str, Any], selected: Selected) -> bool:
    if "component" in condition:
        return _fits(selected, {"component": condition["component"]})
    inside = selected.full_name
    matches = Pattern.compile(condition["pattern"]).find(selected.document)
    return any(match.path == inside for match in matches)  # what lies in a class inside it is another's


def _uses(target: Target, name: str, version: str) -> bool:
    if target.libraries is None:
        raise RecipeError("'uses' asks for a library, and this is not one: there is no package.mo")
    found = [used_version(target.libraries, library, name) for library in target.libraries if not library.read_only]
    return any(one is not None and fnmatchcase(one, version) for one in found)
