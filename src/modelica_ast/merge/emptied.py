"""Lists and sections that a merge may leave empty."""

from __future__ import annotations

from typing import Final

from modelica_ast.compare.things import Thing
from modelica_ast.merge.lists import Decision
from modelica_ast.merge.plans import Choice, Plan
from modelica_ast.merge.result import SIDES

_BRACKETED: Final = frozenset({"constructor", "annotation"})


def loses_brackets(*versions: Thing) -> bool:
    """A list of modifiers that empties loses its brackets; a constructor and an annotation keep them."""
    for items in versions:
        arguments = items.parent
        around = arguments.parent if arguments is not None else None
        if arguments is None or arguments.shape != "arguments" or (around is not None and around.shape in _BRACKETED):
            return False
    return True


def leave_out_brackets(arguments: Plan, found: list[Decision]) -> None:
    """Empty the plan of arguments for the sides that have none left."""
    has = [any(decision.only in (None, side) for decision in found) for side in SIDES]
    if not any(has):
        arguments.parts.clear()
    elif not all(has):
        whole = Plan(*arguments.parts)
        arguments.parts[:] = [Choice(*(whole if is_there else Plan() for is_there in has))]


def has_new_items(section: Thing, base: Thing) -> bool:
    """Are there items in a section that its base does not have?"""
    known = {item.key or item.digest for item in _items(base)}
    return any((item.key or item.digest) not in known for item in _items(section))


def _items(section: Thing) -> list[Thing]:
    inside = section.slot("items")
    return inside.children if inside is not None else []
