"""What a conversion did, and what it leaves to a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from modelica_ast.record import Record


class Change(Record):
    """A place that was converted. The line is that of the text before."""

    file: Path
    line: int
    rule: str
    rule_line: int  # in the script; 0 for a rule of an annotation, or for what no rule says
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"


class Note(Record):
    """A place that a person has to look at."""

    file: Path
    line: int
    rule: str  # '' if no rule is behind it
    class_name: str  # the class of the old library that it is about, or ''
    text: str

    def __str__(self) -> str:
        about = f"{self.class_name}: " if self.class_name else ""
        return f"{self.file}:{self.line}: {about}{self.text}"


class Report(Record):
    """All changes and all notes of a conversion, in the order of files and lines."""

    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: Report) -> Report:
        return Report(self.changes + other.changes, self.notes + other.notes)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as JSON has it."""
        found: dict[str, Any] = {
            "changes": [_plain(change) for change in self.changes],
            "notes": [_plain(note) for note in self.notes],
        }
        return found

    def json_text(self) -> str:
        """The same as text."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"

    def __str__(self) -> str:
        lines = [f"{len(self.changes)} converted", *(f"  {change}" for change in self.changes)]
        if self.notes:
            lines += [f"{len(self.notes)} for a person", *(f"  {note}" for note in self.notes)]
        return "\n".join(lines) + "\n"


def _plain(record: Record) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in vars(record).items()}
