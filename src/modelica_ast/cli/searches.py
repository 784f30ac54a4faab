"""Libraries beside those of the call: what `--library` names, and what a search finds, which nobody has looked at yet.

Only where a save was interrupted is something to do. A library that is merely used is not locked otherwise: all who use
the Standard Library would wait for each other.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.places import prepare
from modelica_ast.files.interrupted import folders_with_journals

if TYPE_CHECKING:
    from modelica_ast.library import Libraries


def add_library_option(parser: argparse.ArgumentParser, *old_names: str) -> None:
    """Add --library; old names of it are taken and not shown."""
    text = "a library, or a folder of libraries, that goes before all others; repeatable"
    parser.add_argument("--library", action="append", default=[], metavar="DIR", help=text)
    for name in old_names:
        parser.add_argument(name, dest="library", action="append", help=argparse.SUPPRESS)


def settle(places: Iterable[Path]) -> bool:
    """Put in order what is about to be read, or see it as it will be; True if a save was interrupted there."""
    found = [place.resolve() for place in places]
    if not folders_with_journals(found):
        return False
    prepare(found)
    return True


def opened(search: Callable[[], Libraries]) -> Libraries:
    """The libraries that a search opens, each in order; which ones it finds is only known when they are open."""
    libraries = search()
    return search() if settle(library.path for library in libraries) else libraries
