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
from typing import Any

from modelica_ast.cli.exits import EXIT_UNREADABLE, CommandError
from modelica_ast.cli.terminal import tell
from modelica_ast.files.errors import FilesError
from modelica_ast.files.lock import is_held, locked
from modelica_ast.files.pending import is_looking, look_at, looking


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
    return message.replace(f"{Path.cwd()}{os.sep}", "")


def _writes(module: ModuleType, options: argparse.Namespace) -> bool:
    """Does this call write Modelica files? A command that has no `--in-place` tells by a function `writes`."""
    if hasattr(module, "writes"):
        return bool(module.writes(options))
    return bool(getattr(options, "in_place", False) and not getattr(options, "dry_run", False))


def _places(options: argparse.Namespace) -> list[Path]:
    """The Modelica files and folders that words of the command line name: `Lib::Lib.A`, `Robots.Arm`, `--into .`."""
    found: dict[Path, None] = {}
    for word in _words(vars(options).values()):
        place = word.partition("::")[0]
        for path in (Path(place), Path(*place.split("."))):
            try:
                if path.is_dir() or (path.suffix == ".mo" and path.exists()):
                    found[path] = None
                    break
            except (OSError, ValueError):  # words are not paths as a rule: too long, or with a NUL
                continue
    return list(found)


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and value:
            yield value
        elif isinstance(value, list):
            yield from _words(value)


def _tell_of_waiting(folder: Path, holder: str) -> None:
    tell(shortened(f"waiting for {holder}, which is saving in {folder}"), quiet=False)
