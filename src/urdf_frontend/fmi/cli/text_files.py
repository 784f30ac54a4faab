"""Files that are no Modelica: read with their line ends as they are, written as they were made."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError, cannot_read, write_result
from modelica_ast.files import read_regular


def bytes_of(path: Path) -> bytes:
    """What is in a file; CommandError if it can't be read."""
    try:
        return read_regular(path)
    except OSError as error:
        raise cannot_read(path, error) from None


def text_of(path: Path) -> str:
    """A text in UTF-8; CommandError if it can't be read."""
    try:
        return bytes_of(path).decode("utf-8")
    except UnicodeDecodeError:
        raise CommandError(f"{path}: it is no text in UTF-8", EXIT_UNREADABLE) from None


def write(path: Path, data: bytes) -> None:
    """Write a file; CommandError if it can't be written."""
    write_result(path, data)
