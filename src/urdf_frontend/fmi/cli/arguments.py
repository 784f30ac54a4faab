"""The model that a call is about, by its address, with the libraries that it uses."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli import (
    EXIT_UNREADABLE,
    CommandError,
    Session,
    add_library_option,
    cannot_read,
    refuse_old_spelling,
    write_result,
)
from modelica_ast.foundation import read_regular

if TYPE_CHECKING:
    from urdf_frontend.fmi.interface import OpenModel


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ADDRESS and --library."""
    parser.add_argument(
        "address", metavar="ADDRESS", help="a class: FILE.mo, FILE.mo::Class, FOLDER::Name, or its full name"
    )
    parser.add_argument("--model", dest="old_model", help=argparse.SUPPRESS)
    add_library_option(parser)


def given_model(options: argparse.Namespace) -> OpenModel:
    """The model that the arguments name."""
    from urdf_frontend.fmi.interface import STANDARD_LIBRARY, OpenModel  # noqa: PLC0415  (PERF: help does without)

    if options.old_model is not None:
        refuse_old_spelling(f"{options.address} --model {options.old_model}", options.address, options.old_model)
    session = Session(libraries=options.library)
    quiet = getattr(options, "quiet", False)
    libraries, name = session.open_class(options.address, names=[STANDARD_LIBRARY], quiet=quiet)
    if getattr(options, "in_place", False):
        session.refuse_installed()
    return OpenModel(libraries, name)


# ---------------------------------------------------------------- text files
# Files that are not Modelica: read with their line ends as they are, written as they were made.


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
        raise CommandError(f"{path}: it is not UTF-8 text", EXIT_UNREADABLE) from None


def write(path: Path, data: bytes) -> None:
    """Write a file; CommandError if it can't be written."""
    write_result(path, data)


# ---------------------------------------------------------------- words
# What several commands of `fmi` make of the words that they are given.


def pairs_of(words: Iterable[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` words by their names; CommandError for other words, and for a name that is given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise CommandError(f"{option} takes NAME=VALUE, not '{word}'")
        if found.setdefault(name, value) != value:
            raise CommandError(f"{option} names '{name}' twice")
    return found
