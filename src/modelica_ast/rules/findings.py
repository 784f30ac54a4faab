"""What a check finds: a rule, a place and a sentence."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.record import Record
from modelica_ast.rules.table import RULES


class Place(Record):
    """A line of a file; None for a text that came from no file."""

    path: Path | None
    line: int


class Finding(Record):
    """One place where a rule is broken. Lines and columns count from 1; 0 is the file as a whole."""

    code: str
    path: Path | None  # None for a text that came from no file
    line: int
    column: int
    message: str
    hint: str = ""
    offset: int = 0  # in characters, from the start of the text
    end: int = 0  # behind the last character
    about: Place | None = None  # the declaration that settles it: of the class that lacks what is named, say
    near: Place | None = None  # the declaration of the name that the hint proposes

    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""
        return RULES[self.code].severity

    def __str__(self) -> str:
        place = f"{'<text>' if self.path is None else self.path}:{self.line}:{self.column}"
        return f"{place}: {self.severity}: {self.message} [{self.code}]"
