"""What several commands of `fmi` make of the words that they are given."""

from __future__ import annotations

from collections.abc import Iterable

from modelica_ast.cli.exits import CommandError


def pairs_of(words: Iterable[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` words by their names; CommandError for what is none, and for a name that is given twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise CommandError(f"{option} takes NAME=VALUE, not '{word}'")
        if found.setdefault(name, value) != value:
            raise CommandError(f"{option} names '{name}' twice")
    return found
