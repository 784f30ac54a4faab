"""Imports as they are written: `A.B`, `C=A.B`, `A.B.*`, `A.B.{C,D}`."""

from __future__ import annotations

from typing import TypedDict


class Import(TypedDict):
    """What `add_import` takes."""

    name: str
    alias: str | None
    members: list[str] | None
    wildcard: bool


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
