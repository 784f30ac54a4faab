"""What was found in a URDF file, as a list: reading and checking never raise."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import define, field, frozen

from urdf_frontend.codes import CODES, Severity
from urdf_frontend.model.places import Place


@frozen
class Diagnostic:
    """One finding. `str()` is `file:line:column: severity: message [code]`, and the hint on a line of its own."""

    severity: Severity
    code: str
    file: str
    line: int
    column: int
    xpath: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        path = f"{self.xpath}: " if self.xpath else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{where}: {self.severity.value}: {path}{self.message} [{self.code}]{hint}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "xpath": self.xpath,
            "message": self.message,
            "hint": self.hint,
        }


@define
class Findings:
    """Collects the diagnostics of one file."""

    file: str
    diagnostics: list[Diagnostic] = field(factory=list)
    _mentioned: set[str] = field(factory=set)

    def report(self, code: str, place: Place, message: str, hint: str = "") -> None:
        """Add one; the code says how bad it is."""
        where = (place.line, place.column, place.xpath)
        self.diagnostics.append(Diagnostic(CODES[code].severity, code, self.file, *where, message, hint))
        self._mentioned.add(place.xpath)

    def mentions(self, place: Place, attribute: str) -> bool:
        """Is something wrong with this attribute of the element there? Then it is not absent."""
        return f"{place.xpath}/@{attribute}" in self._mentioned


class UrdfError(Exception):
    """A URDF file that nothing can be built from: all its errors, not only the first."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    def __reduce__(self) -> tuple[type[UrdfError], tuple[tuple[Diagnostic, ...]]]:
        """For pickle: a worker's errors reach the process that asked."""
        return UrdfError, (self.diagnostics,)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By line and column, those of one place in the order in which they were found, each once."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=lambda found: (found.line, found.column)))


def reason_of(error: OSError | ValueError) -> str:
    """Why a file can't be read, as words after a colon: 'permission denied', 'it is a pipe, not a file'."""
    words = (isinstance(error, OSError) and error.strerror) or str(error)
    words = words[:1].lower() + words[1:]
    return f"it {words}" if words.startswith(("is ", "has ")) else words


def quoted(name: str) -> str:
    """A name from a file as it may stand in a message: on one line, and not too long."""
    shown = json.dumps(name, ensure_ascii=False)[1:-1].replace('\\"', '"')
    longest = 80
    return f"'{shown[:longest]}…'" if len(shown) > longest else f"'{shown}'"
