"""Where a shell is kept: in a file of its own, in a library, or in the user's model itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast.edit import Document
from modelica_ast.foundation import EditError, ModelicaSyntaxError
from modelica_ast.library import Libraries, library_around
from urdf_frontend.fmi.interface import OpenModel, with_libraries
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.shells.request import ShellRequest
from urdf_frontend.fmi.shells.shell import (
    TEMPLATES,
    Shell,
    complete_model,
    make_shell,
    make_shell_in_library,
    update_shell,
)

_PACKAGE_FILE: Final = "package.mo"
_KINDS: Final = ("model", "block", "class")
_NAME: Final = re.compile("[A-Za-z_][A-Za-z_0-9]*")


@frozen
class ShellFile:
    """A shell with what saving it changes."""

    shell: Shell
    path: Path | None
    diff: str
    is_new: bool
    save: Callable[[], None]

    @property
    def is_changed(self) -> bool:
        """Is there something to save?"""
        return bool(self.diff)


def shell_in_file(opened: OpenModel, request: ShellRequest, path: Path, name: str | None) -> ShellFile:
    """A shell in a file: a new one, or the one that is there, brought up to date."""
    if path.is_dir():
        raise FmiError(f"{path} is a folder: a shell is one file")
    if path.name == _PACKAGE_FILE:
        raise FmiError(f"{path} is the file of a package: give the shell a file of its own")
    if path.exists():
        return _updated(opened, request, path, name)
    own = path.stem if name is None else name
    if not (path.parent / _PACKAGE_FILE).is_file():
        return _alone(opened, request, path, own)
    if own != path.stem:
        raise FmiError(f"{path}: in a library the file of a class has its name, {own}.mo")
    libraries = _libraries_for(opened, path)
    if libraries.get(TEMPLATES.name) is None:
        libraries = with_libraries(libraries, [TEMPLATES])
    shell = make_shell_in_library(libraries, request, _package_of(path), own)
    kept_in = shell.document.path
    if kept_in is None or kept_in.resolve() != path.resolve():  # a library has its own mind about names of files
        raise FmiError(f"{path}: no file of a library can have that name: give the shell another one")
    return ShellFile(shell, path, libraries.diff(), is_new=True, save=libraries.save)


def own_shell(opened: OpenModel, request: ShellRequest) -> ShellFile:
    """The user's own model with what it lacks."""
    shell = complete_model(opened.libraries, request)
    path = shell.document.path
    return ShellFile(shell, path, opened.libraries.diff(), is_new=False, save=opened.libraries.save)


def new_shell(opened: OpenModel, request: ShellRequest, name: str) -> Shell:
    """A shell that is in no file yet; FmiError if it can't be called so."""
    if not _NAME.fullmatch(name):
        raise FmiError(f"'{name}' can't be the name of a model: give the shell another one with --name")
    try:
        return make_shell(opened.libraries, request, name)
    except EditError as wrong:
        raise FmiError(f"{wrong}: give the shell another name with --name") from None


def _alone(opened: OpenModel, request: ShellRequest, path: Path, name: str) -> ShellFile:
    shell = new_shell(opened, request, name)
    document = shell.document

    def save() -> None:
        document.save(path)

    return ShellFile(shell, path, document.text, is_new=True, save=save)


def _updated(opened: OpenModel, request: ShellRequest, path: Path, name: str | None) -> ShellFile:
    try:
        document = Document.open(path)
    except ModelicaSyntaxError:
        raise
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {wrong.strerror or wrong}") from None
    names = [each.name for each in document.classes]
    own = path.stem if name is None else name
    if own not in names:
        raise FmiError(
            f"{path} exists, and has no class '{own}', but {', '.join(names) or 'none'}: name another file, or the "
            "class with --name"
        )
    full = f"{document.within}.{own}" if document.within else own
    if f"{request.model}.".startswith(f"{full}."):
        raise FmiError(f"{path} is the file of the model itself: take --own, or another file")
    kind = document.find_class(own).kind
    if kind not in _KINDS:
        raise FmiError(f"{path}: '{own}' is a {kind}, not a model that can be a shell: name another file")
    libraries = _libraries_for(opened, path)
    shell = update_shell(libraries, request, full)
    return ShellFile(shell, path, libraries.diff(), is_new=False, save=libraries.save)


def _libraries_for(opened: OpenModel, path: Path) -> Libraries:
    """The libraries with the one of a file open for writing, and that of the model to look names up in."""
    root = library_around(path) or path.resolve()
    if any(library.path == root and not library.read_only for library in opened.libraries):
        return opened.libraries
    return Libraries([root], read_only=[library.path for library in opened.libraries if library.path != root])


def _package_of(path: Path) -> str:
    """The full name of the package that a folder is."""
    document = Document.open(path.parent / _PACKAGE_FILE)
    (package,) = document.classes
    return f"{document.within}.{package.name}" if document.within else package.name
