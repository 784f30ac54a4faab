"""The files that arguments name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError


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
        elif path.exists():
            files[path] = None
        else:
            complaints.append(f"{name}: no such file or folder")
    return list(files), complaints


def _files_below(folder: Path, complaints: list[str]) -> Iterable[Path]:
    def cannot_list(error: OSError) -> None:
        complaints.append(f"{error.filename}: {error.strerror or error}")

    for around, folders, names in os.walk(folder, onerror=cannot_list):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(around, name)
            if name.endswith(".mo") and path.is_file():
                yield path


def some_modelica_files(names: Iterable[str]) -> list[Path]:
    """The files that the arguments name; CommandError if one of them is not there."""
    files, complaints = modelica_files(names)
    if complaints:
        raise CommandError("\n".join(complaints), EXIT_UNREADABLE)
    return files
