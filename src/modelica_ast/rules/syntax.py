"""What does not parse, and what parses only because old files are read too."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.oddities import notes
from modelica_ast.rules.findings import Finding
from modelica_ast.views.files import StoredDefinition


def syntax_findings(tree: StoredDefinition) -> Iterator[Finding]:
    """All errors of a tree that was parsed with `recover`."""
    for error in tree.errors:
        yield Finding(
            "syntax", tree.file, error.line, error.column, error.message, error.hint, error.offset, error.offset
        )


def obsolete_findings(tree: StoredDefinition) -> Iterator[Finding]:
    """Old and foreign syntax."""
    for note in notes(tree):
        at = note.position
        yield Finding("obsolete", tree.file, at.line, at.column, note.message, "", at.offset, at.offset)
