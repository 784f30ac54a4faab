"""The slots of a record in a plan, in order."""

from __future__ import annotations

from typing import Any

from modelica_ast.compare.things import LIST, Thing
from modelica_ast.merge.matching import Triple
from modelica_ast.merge.plans import Joint, Plan
from modelica_ast.trivia import is_blank


class Units:
    """The slots of a record in a plan; those on lines by themselves become units that markers can stand around."""

    def __init__(self, base: Thing | None, core: Plan, pre: Plan | None) -> None:
        self._base = base
        self._core = core
        self._pre = pre
        self._has_lines = pre is not None
        self._unit: Plan | None = None
        self._is_first = True
        if pre is not None:
            self._open().parts.append(pre)
            self._unit_base(base.pre if base is not None else "")

    def _open(self) -> Plan:
        if not self._has_lines:
            return self._core
        if self._unit is None:
            self._unit = Plan(base="")
            self._core.parts.append(self._unit)
        return self._unit

    def _unit_base(self, text: str) -> None:
        if self._unit is not None:
            self._unit.base += text

    def comes_first(self, slot: Thing) -> bool:
        """Would this be the first slot here, and is it not in its own version?"""
        return self._is_first and slot.parent is not None and slot.parent.children[0] is not slot

    def put(self, slots: Triple, plan: Plan) -> None:
        """The next slot."""
        is_first, self._is_first = self._is_first, False
        if self._has_lines and slots.any.shape == LIST:
            self._unit = None
            self._core.parts.append(plan)
            return
        blanks = slots.any.pre
        self._open().parts += [plan] if is_first else [Joint(blanks if blanks and is_blank(blanks) else " "), plan]
        if slots.base is not None:
            self._unit_base(slots.base.text)

    def close(self, tail: Plan | None) -> None:
        """The end of the record."""
        if tail is not None:
            self._open().parts.append(tail)
            self._unit_base(self._base.tail if self._base is not None else "")


def slots_in_order(base: Thing | None, ours: Thing, theirs: Thing) -> list[Triple]:
    """The slots of all versions: those of ours, and between them those that only theirs has."""
    sides: list[dict[Any, Thing]] = [
        {slot.key: slot for slot in each.children} if each is not None else {} for each in (base, ours, theirs)
    ]
    keys: list[Any] = [slot.key for slot in ours.children]
    place = 0
    for slot in theirs.children:
        if slot.key in sides[1]:
            place = keys.index(slot.key) + 1
        else:
            keys.insert(place, slot.key)
            place += 1
    return [Triple(*(side.get(key) for side in sides)) for key in keys]
