"""Libraries that a search has found: no word of the command line names them, so nobody has looked at them yet.

Only where a save was interrupted is something to do. A library that is merely used is not locked otherwise: all who use
the Standard Library would wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.places import prepare
from modelica_ast.files.interrupted import folders_with_journals

if TYPE_CHECKING:
    from modelica_ast.library import Libraries


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
