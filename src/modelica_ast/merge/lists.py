"""Merged lists as plans: items on lines, and items between commas."""

from __future__ import annotations

from typing import Protocol

from modelica_ast.compare.things import Thing
from modelica_ast.merge.layout import Shift, shift_between
from modelica_ast.merge.matching import Triple
from modelica_ast.merge.plans import Choice, LineBreak, Plan, Tail
from modelica_ast.merge.result import SIDES, Side
from modelica_ast.merge.scopes import Scope
from modelica_ast.trivia import Prefix, is_blank


class Inside(Protocol):
    """What merges the inside of items."""

    def later(self, triple: Triple, scope: Scope, *, around: str = "all", holder: Plan | None = None) -> Plan:
        """A plan for something that both sides have."""

    def trivia(self, triple: Triple, field: str) -> Plan:
        """A plan for blanks and comments around something that both sides have."""


class Decision:
    """An item of a merged list: there for both sides, or only for one that wants it against the other."""

    __slots__ = ("only", "plan", "triple")

    def __init__(self, triple: Triple, only: Side | None) -> None:
        self.triple = triple
        self.only = only
        self.plan: Plan | None = None

    @property
    def in_both(self) -> bool:
        """Do both sides have it?"""
        return self.triple.ours is not None and self.triple.theirs is not None


class LineList:
    """Items that end with a semicolon. Each is a unit, so markers can stand around it.

    Where theirs has indented a list anew, and ours has not, what ours changed in it is indented like the rest.
    """

    def __init__(self, inside: Inside, base: Thing | None, ours: Thing, theirs: Thing, scope: Scope) -> None:
        self._inside = inside
        self._scope = scope
        self._shift = shift_between(ours, theirs)
        self._is_indented_anew = base is not None and not scope.shift and not shift_between(base, ours)
        self._firsts = {id(each.children[0]) for each in (ours, theirs) if each.children}

    def plan(self, decisions: list[Decision]) -> Plan:
        """The items, one after the other."""
        return Plan(*(self._item(decision, is_first=place == 0) for place, decision in enumerate(decisions)))

    def _item(self, decision: Decision, *, is_first: bool) -> Plan:
        if decision.plan is not None:
            return decision.plan
        triple = decision.triple
        item = self._whole(decision)
        if not is_first and id(triple.any) in self._firsts and not triple.any.pre and triple.any.start == 0:
            item = Plan(LineBreak(), item)
        unit = Plan(base=triple.base.text if triple.base is not None else "")
        if decision.only is None:
            unit.parts.append(item)
        else:
            sides = (item, Plan()) if decision.only == "ours" else (Plan(), item)
            unit.parts.append(Choice(*sides))
        decision.plan = unit
        return unit

    def _whole(self, decision: Decision) -> Plan:
        triple = decision.triple
        if decision.in_both and triple.came_to is not None:
            return self._moved(triple, triple.came_to)
        if decision.in_both and self._is_indented_anew and self._shift and not triple.is_left_alone_by_ours:
            return self._moved(triple, to="theirs")
        if decision.in_both:
            return self._inside.later(triple, self._scope)
        if triple.ours is not None:
            own = Plan(triple.ours.pre + triple.ours.core, Tail(triple.ours.tail))
            own.shift = self._shift.back() if self._is_indented_anew else own.shift
            return own
        there = triple.theirs
        assert there is not None
        text = there.pre + there.core
        return Plan(text if self._is_indented_anew else self._shift.shifted(text), Tail(there.tail))

    def _moved(self, triple: Triple, to: Side) -> Plan:
        """Something that a side has moved here: ours' lines count, at the depth of the new place."""
        assert triple.ours is not None
        assert triple.theirs is not None
        shift = Shift.between(triple.ours.pre, triple.theirs.pre)
        scope = self._scope.shifted_by(shift)
        plan = Plan(self._inside.later(triple, scope))
        if to == "theirs":
            plan.shift = shift.back()
        return plan


class CommaList:
    """Items with commas between them: each side gets its own list where one has what the other has not."""

    def __init__(self, inside: Inside, base: Thing | None, ours: Thing, theirs: Thing, scope: Scope) -> None:
        del base  # blanks between commas are ours
        self._inside = inside
        self._scope = scope
        self._shift = shift_between(ours, theirs)
        self._firsts = {id(each.children[0]) for each in (ours, theirs) if each.children}
        self._first_pre = next((item.pre for item in ours.children), "")
        self._between = self._style(ours) or self._style(theirs) or " "

    @staticmethod
    def _style(items: Thing) -> str:
        """The blanks behind a comma, as the last item has them."""
        last = items.children[-1].pre if len(items.children) > 1 else ""
        return Prefix.of(last).line_start or (last if is_blank(last) else "")

    def plan(self, decisions: list[Decision]) -> Plan:
        """The items with their commas."""
        for decision in decisions:
            if decision.plan is None:
                decision.plan = self._core(decision.triple)
        if all(decision.only is None for decision in decisions):
            return self._listed(decisions)
        sides = ([each for each in decisions if each.only in (None, side)] for side in SIDES)
        return Plan(Choice(*map(self._listed, sides)))

    def _core(self, triple: Triple) -> Plan:
        if triple.ours is not None and triple.theirs is not None:
            return self._inside.later(triple, self._scope, around="nothing")
        core = triple.any.core
        return Plan(core if triple.ours is not None else self._shift.shifted(core))

    def _listed(self, decisions: list[Decision]) -> Plan:
        plan = Plan()
        for place, decision in enumerate(decisions):
            triple = decision.triple
            assert decision.plan is not None
            plan.parts += [
                self._pre(triple, is_first=place == 0),
                decision.plan,
                self._around(triple, "tail"),
                "," if place < len(decisions) - 1 else "",
                self._around(triple, "after"),
            ]
        return plan

    def _around(self, triple: Triple, field: str) -> Plan:
        if triple.ours is not None and triple.theirs is not None:
            return self._inside.trivia(triple, field)
        return Plan(Tail(getattr(triple.any, field)))

    def _pre(self, triple: Triple, *, is_first: bool) -> Plan | str:
        pre = triple.any.pre
        was_first = id(triple.any) in self._firsts
        if is_first != was_first and is_blank(pre):
            return self._first_pre if is_first and is_blank(self._first_pre) else "" if is_first else self._between
        if triple.ours is not None and triple.theirs is not None:
            return self._inside.trivia(triple, "pre")
        return pre if triple.ours is not None else self._shift.shifted(pre)
