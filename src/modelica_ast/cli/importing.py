"""Imports as they are written: `A.B`, `C=A.B`, `A.B.*`, `A.B.{C,D}`."""

from __future__ import annotations

from typing import TypedDict

from modelica_ast.cli.exits import CommandError


class Import(TypedDict):
    """What `add_import` takes."""

    name: str
    alias: str | None
    members: list[str] | None
    wildcard: bool


def member_of(text: str) -> tuple[str, str]:
    """`A.B.c`, one name of the list of an import, as the package and the name in it."""
    package, dot, member = text.strip().rpartition(".")
    if not dot:
        raise CommandError(f"'{text}' names no package: write A.B.c for one name of 'import A.B.{{c, d}}'")
    return package, member


def import_of(text: str) -> Import:
    """An import in its parts."""
    alias, equals, name = text.partition("=")
    if not equals:
        alias, name = "", text
    name = name.strip()
    members = None
    if name.endswith("}") and ".{" in name:
        name, _, listed = name[:-1].partition(".{")
        members = [member.strip() for member in listed.split(",")]
    wildcard = name.endswith(".*")
    return Import(
        name=name.removesuffix(".*"),
        alias=alias.strip() or None,
        members=members,
        wildcard=wildcard and members is None,
    )
