"""Models of an older Standard Library brought to a newer one, by the conversion scripts that it ships."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast.library import Libraries, Library, LibraryError, find_library
from modelica_ast.refactor import Report, Rule, Rules, convert, read_script, upgrade
from modelica_ast.tree import LiteralError, evaluate
from urdf_frontend.fmi.profiles import FmiError

STANDARD_LIBRARY: Final = "Modelica"
_SCRIPTS: Final = Path("Resources", "Scripts", "Conversion")
_VERSION: Final = re.compile(r"\d+(?:\.\d+)*")


@frozen
class Migration:
    """A version of the Standard Library, and how to get there: its own annotation, or scripts of a newer one."""

    version: str | None  # None for that of the library
    library: Path
    scripts: tuple[Path, ...] = ()

    def migrate(self, libraries: Libraries) -> Report:
        """Convert the libraries that may be written; what a person has to look at is in the report."""
        if self.version is None or not self.scripts:
            return upgrade(libraries, STANDARD_LIBRARY)
        for library in libraries:
            self._refuse_newer(libraries, library)
        rules: list[Rule] = []
        for script in self.scripts:
            rules += read_script(script).all
        return convert(libraries, Rules(rules), STANDARD_LIBRARY, self.version)

    def _refuse_newer(self, libraries: Libraries, library: Library) -> None:
        used = None if library.read_only else _used_version(libraries, library)
        assert self.version is not None
        if used is not None and _numbers(used) > _numbers(self.version):
            what = f"'{library.name}' uses {STANDARD_LIBRARY} {used} already"
            raise FmiError(f"{what}, which is newer than {self.version}")


def migration_to(version: str | None, *, named: Sequence[str] = ()) -> Migration:
    """How to get to a version, or to the newest that is named or installed; FmiError if the scripts are not there."""
    if version is not None and not _VERSION.fullmatch(version):
        raise FmiError(f"'{version}' is no version of the Standard Library, such as 4.0.0")
    try:
        return Migration(version, find_library(STANDARD_LIBRARY, version, named=named))
    except LibraryError as wrong:
        reason = wrong
    if version is not None:
        try:
            newest = find_library(STANDARD_LIBRARY, named=named)
        except LibraryError as wrong:
            reason = wrong
        else:
            # A newer version still ships the scripts of the steps before it.
            scripts = tuple(sorted((newest / _SCRIPTS).glob(f"Convert{STANDARD_LIBRARY}_from_*_to_{version}.mos")))
            if scripts:
                return Migration(version, newest, scripts)
    raise FmiError(f"{reason}; the conversion scripts come with the Standard Library") from None


def _used_version(libraries: Libraries, library: Library) -> str | None:
    found = libraries.find_class(library.name).get_annotation(f"uses.{STANDARD_LIBRARY}.version")
    if found is None:
        return None
    try:
        value = evaluate(found)
    except LiteralError:
        return None
    return value if isinstance(value, str) else None


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(map(int, found[0].split("."))) if found else ()
