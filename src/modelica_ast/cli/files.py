"""The files that arguments name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.terminal import printable, tell
from modelica_ast.files.pending import exists, files_below


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


def some_modelica_files(names: Iterable[str], *, for_writing: bool = False) -> list[Path]:
    """The files that the arguments name; CommandError if one of them is not there.

    A link in a folder that leads out of it is only read: it is left out, and told of, if all of them are to be written.
    """
    wanted = list(names)
    files, complaints = modelica_files(wanted)
    if complaints:
        raise CommandError("\n".join(map(printable, complaints)), EXIT_UNREADABLE)
    if not for_writing:
        return files
    named = {Path(name) for name in wanted}
    folders = [path.resolve() for path in named if path.is_dir()]
    kept = []
    for path in files:
        if path in named or any(path.resolve().is_relative_to(folder) for folder in folders):
            kept.append(path)
        else:
            tell(f"{printable(str(path))} is a link that leads out of its folder, and is left alone", quiet=False)
    return kept
