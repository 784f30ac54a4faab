"""What all commands share: exit codes, colour, progress, and files that can't be read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final, TextIO

EXIT_OK: Final = 0
EXIT_PROBLEMS: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130

_STYLES: Final = {"error": "31;1", "warning": "33", "name": "1", "dim": "2"}
_PROGRESS_EVERY: Final = 50  # files


def version() -> str:
    """The installed version."""
    return metadata.version("modelica-ast")


def styled(text: str, style: str, stream: TextIO) -> str:
    """Text in colour on a terminal, plain everywhere else; NO_COLOR turns it off."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def complain(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"modelica-patch: {message}\n")


def modelica_files(paths: Iterable[str]) -> tuple[list[Path], list[str]]:
    """The files that the arguments name, folders searched, and a complaint for each that is not there."""
    files: list[Path] = []
    complaints: list[str] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.mo") if p.is_file())
            if not inside:
                complaints.append(f"{name}: no .mo file in this folder")
            files += inside
        elif path.exists():
            files.append(path)
        else:
            complaints.append(f"{name}: no such file or folder")
    return files, complaints


def with_progress(files: list[Path], verb: str) -> Iterator[Path]:
    """The files one by one, with a counter on standard error if that is a terminal and the work is long."""
    shown = sys.stderr.isatty() and len(files) > _PROGRESS_EVERY
    for number, path in enumerate(files):
        if shown and number % _PROGRESS_EVERY == 0:
            sys.stderr.write(f"\r{verb} {number}/{len(files)}")
        yield path
    if shown:
        sys.stderr.write("\r\x1b[K")
