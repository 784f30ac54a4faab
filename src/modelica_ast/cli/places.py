"""The files that a call is about: locked and put in order before a command reads what it will write, or only looked at.

A command that writes Modelica files holds the lock of what it names from before it reads until it has written, so no
change of somebody else is lost in between; and it begins with what a killed command has left there. A command that
writes none changes nothing: it sees such a save as it will be.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from modelica_ast.cli.address import place_of
from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.terminal import tell
from modelica_ast.files.errors import FilesError
from modelica_ast.files.lock import is_held, locked
from modelica_ast.files.pending import is_looking, look_at, looking

# What the options and arguments are called that name files, folders and addresses; another has its place before `::`.
_PLACES: Final = frozenset(
    "address addresses also base file files folder folders into names output ours package paths place places "
    "target theirs".split()
)


@contextmanager
def prepared(module: ModuleType, options: argparse.Namespace) -> Iterator[None]:
    """Run a command inside of this; what is wrong with files is told in the words of the command line."""
    try:
        if hasattr(module, "RECOVERS"):
            yield
            return
        with locked([], waiting=_tell_of_waiting) if _writes(module, options) else looking():
            prepare(_places(options))
            yield
    except FilesError as error:
        message, sign, rest = str(error).partition("; save(force=True)")
        if sign:
            message += f"; --force{rest}" if hasattr(options, "force") else "; nothing was written, start again"
        raise CommandError(shortened(message), EXIT_UNREADABLE) from None


def prepare(places: Iterable[Path]) -> None:
    """Lock and put in order what is about to be read, or see it as it will be; inside of `prepared`."""
    found = [place.resolve() for place in places]
    if is_looking():
        for sentence in look_at(found):
            tell(f"note: {shortened(sentence)}", quiet=False)
    elif is_held():
        from modelica_ast.files.journal import recover_around  # noqa: PLC0415  (PERF: only for what is written)

        with locked(found):
            for recovery in recover_around(found):
                tell(f"note: {shortened(str(recovery))}", quiet=False)


def shortened(message: str) -> str:
    """A message with paths as one would write them from here."""
    try:
        return message.replace(f"{Path.cwd()}{os.sep}", "")
    except OSError:  # the working folder has gone, perhaps by what is told of
        return message


def _writes(module: ModuleType, options: argparse.Namespace) -> bool:
    """Does this call write Modelica files? A command that has no `--in-place` tells by a function `writes`."""
    if hasattr(module, "writes"):
        return bool(module.writes(options))
    names_model = (getattr(options, "output", None) or "").endswith(".mo")
    return bool((getattr(options, "in_place", False) or names_model) and not getattr(options, "dry_run", False))


def _places(options: argparse.Namespace) -> list[Path]:
    """The Modelica files and folders that a call names: `Lib::Lib.A`, `--package Robots.Arm`, `--into .`."""
    found: dict[Path, None] = {}
    for name, value in vars(options).items():
        for word in _words([value]):
            place = place_of(word)
            if place is not None or name in _PLACES:  # another word may be a value, whatever there is of that name
                found.update(dict.fromkeys(_path(word if place is None else place)))
    return list(found)


def _path(place: str) -> Iterator[Path]:
    """The path of a place, by its name or as a dotted one; where there is nothing, the folder around it."""
    named = Path(place)
    try:
        if named.exists():
            if named.is_dir() or named.suffix == ".mo":
                yield named
            return
        dotted = Path(*place.split("."))
        yield from (path for path in (dotted if dotted.is_dir() else named.parent,) if path.is_dir())
    except (OSError, ValueError):  # too long, or with a NUL
        return


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and value:
            yield value
        elif isinstance(value, list):
            yield from _words(value)


def _tell_of_waiting(folder: Path, holder: str) -> None:
    tell(shortened(f"waiting for {holder}, which is saving in {folder}"), quiet=False)
