"""The text of a merge before conflicts are decided: pieces, and choices between pieces.

A plan is a list of texts, plans and choices, so it can be written for either side, or with markers. Plans that are
`units` are whole elements, equations or heads of classes: markers are around the smallest unit with a choice in it
that starts and ends with its lines. Inside such a unit each side is complete, so either is Modelica.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from modelica_ast.compare.things import LIST, Thing
from modelica_ast.compare.three_way.lines import Hunk, narrowed
from modelica_ast.compare.three_way.matches import Scope, Triple
from modelica_ast.compare.three_way.versions import SIDES, Labels, Shift, Side, shift_between
from modelica_ast.foundation import Record
from modelica_ast.syntax import Prefix, is_blank, lex, split_leaf

_WORD_END: Final = frozenset("_'\"")
_WORD_START: Final = frozenset("_'\".")
_LINE_STARTS: Final = ("\n", "\r\n")
_LONGEST: Final = 12  # lines of a unit that is between markers as a whole
_MARKER: Final = 7  # characters, as git has it


class Tail(str):
    """Blanks and comments at the end of a line: what follows must start a new one if a `//` is in it."""

    __slots__ = ()


class Joint(Record):
    """Blanks to put between two pieces if they would else grow together."""

    blanks: str = " "


class LineBreak(Record):
    """The place for a line end before what used to be the first in its file."""


class Choice:
    """A piece that each side has otherwise."""

    __slots__ = ("ours", "theirs")

    def __init__(self, ours: Plan, theirs: Plan) -> None:
        self.ours = ours
        self.theirs = theirs


class Plan:
    """Pieces of text in order."""

    __slots__ = ("base", "is_lines", "is_unit", "parts", "shift")

    def __init__(self, *parts: Part, base: str | None = None, is_lines: bool = False) -> None:
        self.parts: list[Part] = list(parts)
        self.is_unit = base is not None
        self.is_lines = is_lines  # is it a unit of lines of a text, which count to the byte?
        self.base = base or ""
        self.shift = Shift()  # what has come from elsewhere is indented when it is written


Part = str | Plan | Choice | Joint | LineBreak


def written(plan: Plan, side: Side, line_end: str) -> str:
    """The text of a plan as one side wants it."""
    out = _Output(line_end)
    for piece in _pieces(plan, side, line_end):
        out.put(piece)
    return out.text


def _pieces(plan: Plan, side: Side, line_end: str) -> Iterator[str | Joint | LineBreak]:
    stack = [iter(plan.parts)]
    while stack:
        for part in stack[-1]:
            if isinstance(part, Plan) and part.shift:
                inner = Plan(*part.parts)
                yield part.shift.shifted(written(inner, side, line_end))
                continue
            if isinstance(part, Plan | Choice):
                stack.append(iter(part.parts if isinstance(part, Plan) else getattr(part, side).parts))
                break
            yield part
        else:
            stack.pop()


class _Output:
    """Text as it grows, with the blanks that pieces from different files need between them."""

    def __init__(self, line_end: str) -> None:
        self._parts: list[str] = []
        self._line_end = line_end
        self._joint: Joint | None = None
        self._last = ""
        self._line_is_comment = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def is_empty(self) -> bool:
        return not self._last or self._parts == ["\ufeff"]

    def put(self, piece: str | Joint | LineBreak) -> None:
        if isinstance(piece, Joint):
            self._joint = piece
            return
        if isinstance(piece, LineBreak):
            piece = self._line_end
        if not piece:
            return
        if self._line_is_comment and not piece.startswith(_LINE_STARTS):
            self._write(self._line_end)
        elif self._joint is not None and _grow_together(self._last, piece):
            self._write(self._joint.blanks)
        self._joint = None
        self._write(piece)
        self._line_is_comment = isinstance(piece, Tail) and "//" in piece.rpartition("\n")[2]

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._last = text[-1]


def _grow_together(last: str, piece: str) -> bool:
    return (last.isalnum() or last in _WORD_END) and (piece[0].isalnum() or piece[0] in _WORD_START)


# ---------------------------------------------------------------- markers


def marked(plan: Plan, labels: Labels, line_end: str, names: Mapping[str, str]) -> str:
    """The text with markers around what is not decided; `names` are those that the base had, by those it was given."""
    not_lines: set[int] = set()
    while True:
        holders = _holders(plan, not_lines)
        writer = _MarkedText(holders, labels, line_end, names)
        failed = writer.write(plan)
        if not failed:
            return writer.out.text
        # These share a line with something else: the unit around them gets the markers.
        not_lines |= failed


def _holders(plan: Plan, not_lines: set[int]) -> set[int]:
    """The smallest units with a choice in them, by identity; the plan itself for choices in no unit."""
    found: set[int] = set()
    stack: list[tuple[Plan, Plan]] = [(plan, plan)]
    while stack:
        current, unit = stack.pop()
        for part in current.parts:
            if isinstance(part, Choice):
                found.add(id(unit))
            elif isinstance(part, Plan):
                # What is indented when it is written is written as a whole.
                inside = unit if current.shift else part
                stack.append((part, inside if part.is_unit and id(part) not in not_lines else unit))
    return found


class _MarkedText:
    def __init__(self, holders: set[int], labels: Labels, line_end: str, names: Mapping[str, str]) -> None:
        self.out = _Output(line_end)
        self._holders = holders
        self._labels = labels
        self._end = line_end
        self._names = names
        self._open: Plan | None = None  # the unit that has just been marked: a line must start after it

    def write(self, plan: Plan) -> set[int]:
        """Write all; the units that turn out not to be whole lines."""
        failed: set[int] = set()
        todo: list[Part] = [plan]
        while todo:
            part = todo.pop()
            if isinstance(part, Plan):
                if id(part) in self._holders:
                    self._check(_first_text(part), failed)
                    if not self._write_unit(part, is_whole=part is plan):
                        failed.add(id(part))
                elif part.shift:
                    todo.append(written(Plan(part), "ours", self._end))
                else:
                    todo += reversed(part.parts)
                continue
            assert not isinstance(part, Choice), "a choice is in no unit"
            if isinstance(part, str) and part:
                self._check(part, failed)
            self.out.put(part)
        return failed

    def _check(self, following: str, failed: set[int]) -> None:
        if self._open is not None and following:
            if not following.startswith(_LINE_STARTS):
                failed.add(id(self._open))
            self._open = None

    def _write_unit(self, unit: Plan, *, is_whole: bool) -> bool:
        ours, theirs = (written(unit, side, self._end) for side in ("ours", "theirs"))
        texts = [ours, _with_names(unit.base, self._names), theirs]
        starts_file = self.out.is_empty
        if unit.is_lines:
            texts = [f"{self._end}{text}" if starts_file and text else text for text in (ours, unit.base, theirs)]
            if any(text and not text.startswith(_LINE_STARTS) for text in texts):
                return is_whole
            self._write_marked(unit, ["", *texts], starts_file=starts_file)
            return True
        if ours and not ours.startswith(_LINE_STARTS) and not starts_file:
            return is_whole
        gap = _common_gap(texts, self._end)
        texts = [self._on_lines(text.removeprefix(gap)) for text in texts]
        if starts_file or is_whole or max(text.count("\n") for text in texts) <= _LONGEST:
            self._write_marked(unit, [gap, *texts], starts_file=starts_file)
        else:
            self.out.put(gap)
            for hunk in narrowed(*texts):
                if hunk.is_decided:
                    self.out.put(hunk.ours)
                    self._open = None
                else:
                    self._write_marked(unit, ["", hunk.ours, hunk.base, hunk.theirs])
        if is_whole:
            self.out.put(self._end)
        return True

    def _write_marked(self, unit: Plan, texts: list[str], *, starts_file: bool = False) -> None:
        """What comes before the markers, and the texts of all versions between them."""
        label = self._labels
        heads = [f"{'<' * _MARKER} {label.ours}", f"{'|' * _MARKER} {label.base}", "=" * _MARKER]
        parts = [texts[0]]
        for head, text in zip(heads, texts[1:], strict=True):
            parts += [self._end, head, text]
        parts += [self._end, f"{'>' * _MARKER} {label.theirs}"]
        block = "".join(parts)
        self.out.put(block.removeprefix(self._end) if starts_file else block)
        self._open = unit

    def _on_lines(self, text: str) -> str:
        text = text.rstrip("\r\n") if text.strip() else ""
        return text if not text or text.startswith(_LINE_STARTS) else self._end + text


def in_lines(hunks: Sequence[Hunk], base: str | None = None) -> Plan:
    """A text that was merged by lines; what is not decided can have markers inside of it."""
    plan = Plan(base=base)
    for hunk in hunks:
        if hunk.is_decided:
            plan.parts.append(hunk.ours)
        else:
            sides = Choice(Plan(hunk.ours), Plan(hunk.theirs))
            plan.parts.append(Plan(sides, base=hunk.base, is_lines=True))
    return plan


def _with_names(text: str, names: Mapping[str, str]) -> str:
    if not any(name in text for name in names):
        return text
    leaves = (split_leaf(leaf) for leaf, _ in lex(text, lazy=False))
    return "".join(trivia + names.get(token, token) for trivia, token in leaves)


def _first_text(plan: Plan) -> str:
    return next((piece for piece in _pieces(plan, "ours", "\n") if isinstance(piece, str) and piece), "")


def _common_gap(texts: list[str], line_end: str) -> str:
    """Blank lines that all texts start with: they stay outside of the markers."""
    gap = ""
    while any(texts) and all(not text or text.startswith(gap + line_end * 2) for text in texts):
        gap += line_end
    return gap


# ---------------------------------------------------------------- lists
# Merged lists as plans: items on lines, and items between commas.


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
    """Items that end with a semicolon. Each is a unit, so markers can be around it.

    Where theirs has indented a list again, and ours has not, what ours changed in it is indented like the rest.
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
        """The blanks after a comma, as the last item has them."""
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


# ---------------------------------------------------------------- slots
# The slots of a record in a plan, in order.


class Units:
    """The slots of a record in a plan; those on lines of their own become units that markers can be around."""

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


# ---------------------------------------------------------------- emptied
# Lists and sections that a merge may leave empty.

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
