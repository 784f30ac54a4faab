"""The files that arguments name: by their paths, by folders, by the addresses of classes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from modelica_ast.cli.address import parse_address
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.session import Session
from modelica_ast.cli.terminal import printable, tell
from modelica_ast.files import exists, files_below
from modelica_ast.foundation import Record

FILES_HELP: Final = "files, folders, or addresses of classes (FILE.mo::Class); - is standard input"


class Part(Record):
    """A file, or one class of it by its name in the file; '' is the whole file."""

    path: Path
    class_: str = ""


def modelica_parts(names: Iterable[str], session: Session) -> tuple[list[Part], list[str]]:
    """Like `modelica_files`; a name may be the address of a class: its files, or what of its file is the class."""
    parts: dict[Part, None] = {}
    complaints: list[str] = []
    for name in names:
        try:
            if parse_address(name).name:
                parts |= dict.fromkeys(Part(path, class_) for path, class_ in session.files_of_class(name))
                continue
        except CommandError as error:
            complaints.append(str(error))
            continue
        files, more = modelica_files([parse_address(name).place or name])
        complaints += more
        parts |= dict.fromkeys(map(Part, files))
    whole = {part.path for part in parts if not part.class_}
    return [part for part in parts if not part.class_ or part.path not in whole], complaints


def modelica_files(names: Iterable[str]) -> tuple[list[Path], list[str]]:
    """The files that the arguments name, folders searched, and a complaint for each that is not there.

    A folder's files come in the order of their names. Links to folders are not followed, so no loop is entered.
    """
    files: dict[Path, None] = {}
    complaints: list[str] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = list(_files_below(path, complaints))
            if not inside:
                complaints.append(f"{name}: no .mo file in this folder")
            files.update(dict.fromkeys(inside))
        elif exists(path):
            files[path] = None
        else:
            complaints.append(f"{name}: no such file or folder")
    return list(files), complaints


def _files_below(folder: Path, complaints: list[str]) -> Iterable[Path]:
    def cannot_list(error: OSError) -> None:
        complaints.append(f"{error.filename}: {error.strerror or error}")

    return (path for path in files_below(folder, onerror=cannot_list) if path.suffix == ".mo")


def some_modelica_parts(names: Iterable[str], session: Session, *, for_writing: bool = False) -> list[Part]:
    """The files and classes that the arguments name; CommandError if one of them is not there.

    A link in a folder that leads out of it is only read: it is left out, and told of, if all of them are to be written.
    """
    wanted = list(names)
    parts, complaints = modelica_parts(wanted, session)
    if complaints:
        raise CommandError("\n".join(map(printable, complaints)), EXIT_UNREADABLE)
    if not for_writing:
        return parts
    named = {Path(name) for name in wanted}
    folders = [path.resolve() for path in named if path.is_dir()]
    kept = []
    for part in parts:
        real = part.path.resolve()
        is_named = part.path in named or part.class_
        if is_named or any(real.is_relative_to(folder) for folder in (*folders, part.path.parent.resolve())):
            kept.append(part)
        else:
            told = printable(str(part.path))
            tell(f"{told} is a link that leads out of its folder; it is left alone", quiet=False)
    return kept
