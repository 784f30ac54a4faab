"""`merge`: three versions of a file become one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from modelica_ast.compare.alignment import agree_on_clauses
from modelica_ast.compare.changes import Changes
from modelica_ast.compare.comparison import compare_trees
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import LIST, Normal, Thing, comments_of, normal_of, path_of, subject
from modelica_ast.compare.three_way.matches import Elsewhere, Numbered, Scope, Triple, arrange, emptied, uses_more
from modelica_ast.compare.three_way.plans import (
    Choice,
    CommaList,
    Decision,
    LineList,
    Plan,
    Tail,
    Units,
    has_new_items,
    leave_out_brackets,
    loses_brackets,
    marked,
    slots_in_order,
    written,
)
from modelica_ast.compare.three_way.proof import Proof
from modelica_ast.compare.three_way.renames import Renamed, members_missed, note_moved_classes, with_common_names
from modelica_ast.compare.three_way.versions import (
    SIDES,
    Conflict,
    Labels,
    Merged,
    Shift,
    Side,
    Version,
    line_end_of,
    read_version,
    with_line_ends_of,
    with_text,
)
from modelica_ast.edit import TextEdit, text_edits
from modelica_ast.foundation import Record, Source, Span
from modelica_ast.syntax import is_blank, lex

# ---------------------------------------------------------------- merging
# The three-way merge of things: ours, with what theirs changed and ours did not.
#
# One rule decides everything that is compared as a whole: what only one side changed is that side's; what both
# changed alike is ours; what both changed differently is a conflict. Texts are compared first and meanings then, so a
# side that changed nothing takes the other's text to the byte, and a side that changed blanks keeps its own.

# What both sides may add, each with its own content: what is inside is merged.
_CONTAINERS: Final = frozenset({"arguments", "annotation", LIST, "file"})
Report = Callable[[str, str, Triple], None]


class Job(Record):
    """A plan that waits for its parts."""

    plan: Plan
    triple: Triple
    scope: Scope
    around: str = "all"
    holder: Plan | None = None

    @property
    def takes_noise(self) -> bool:
        """Is it a thing on lines of its own? If ours left its text alone, theirs' text counts to the byte."""
        thing = self.triple.any
        if thing.shape == LIST:
            return thing.kind != "commas"
        around = thing.parent
        return around is None or (around.shape == LIST and around.kind != "commas")


class Merger:
    """Makes a plan of three versions of a file."""

    def __init__(
        self, elsewhere: Elsewhere, names: dict[tuple[str, ...], str], opaque: set[tuple[str, ...]], report: Report
    ) -> None:
        self._elsewhere = elsewhere
        self._opaque = opaque  # classes that are compared as wholes
        self._names = names  # what both sides renamed: the path in ours -> its name in theirs
        self._report = report
        self._todo: list[Job] = []

    def plan(self, base: Thing, ours: Thing, theirs: Thing, scope: Scope) -> Plan:
        """The plan of the file."""
        whole = Plan(base=base.text)
        self._todo = [Job(whole, Triple(base, ours, theirs), scope)]
        while self._todo:
            self._fill(self._todo.pop())
        return whole

    def later(self, triple: Triple, scope: Scope, *, around: str = "all", holder: Plan | None = None) -> Plan:
        """A plan for something that both sides have, made when its turn comes.

        `around` says how much of the blanks and comments around it belong to the plan: all, comments (no blanks before
        it, because it has come to come first) or nothing. `holder` is the plan to empty if it turns out to be empty.
        """
        plan = Plan()
        self._todo.append(Job(plan, triple, scope, around, holder))
        return plan

    # ------------------------------------------------------------ one thing

    def _fill(self, job: Job) -> None:
        """What comes before a thing, the thing, and what follows it."""
        triple = job.triple
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        if base is not None and ours.has_text_of(base) and job.takes_noise and self._is_closed(triple, job.scope):
            shift = job.scope.shift
            if shift and theirs.digest == base.digest:
                job.plan.parts += [ours.pre + ours.core, Tail(ours.tail)]
            else:
                job.plan.parts += [shift.shifted(theirs.pre + theirs.core), Tail(theirs.tail)]
            return
        pre = tail = Plan()
        if job.around != "nothing":
            pre, tail = self.trivia(job.triple, "pre"), self.trivia(job.triple, "tail")
            if job.around == "comments" and all(isinstance(part, str) and is_blank(part) for part in pre.parts):
                pre = Plan()
        core = Plan()
        if self._core(core, job, pre, tail):
            job.plan.parts += [pre, core, tail]
        else:
            job.plan.parts.append(core)

    def trivia(self, triple: Triple, field: str) -> Plan:
        """Blanks and comments around a thing, merged by the comments in them."""
        ours, theirs = (getattr(each, field) for each in (triple.ours, triple.theirs))
        base = getattr(triple.base, field) if triple.base is not None else None
        kind: type[str] = str if field == "pre" else Tail
        if theirs in (ours, base):
            return Plan(kind(ours))
        about: list[Normal] = [comments_of(text or "") for text in (base, ours, theirs)]
        if about[2] in (about[0], about[1]):
            return Plan(kind(ours))
        if about[1] == about[0]:
            shift = Shift.between(triple.ours.pre, triple.theirs.pre)  # type: ignore[union-attr]  # both are there
            return Plan(kind(shift.shifted(theirs)))
        self._report("changed" if about[0] else "added", "comment", triple)
        return Plan(Choice(Plan(kind(ours)), Plan(kind(theirs))))

    def _core(self, core: Plan, job: Job, pre: Plan, tail: Plan) -> bool:
        """The thing itself; False if it has taken what is around it into its own units."""
        triple, scope = job.triple, job.scope
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        if ours.what == "name" and path_of(ours)[0] in self._names:
            core.parts.append(Choice(Plan(ours.core), Plan(self._names[path_of(ours)[0]])))
            return True
        before = base.core if base is not None else None
        is_closed = self._is_closed(triple, scope)
        if ours.core == theirs.core and is_closed:
            core.parts.append(ours.core)
            return True
        if base is not None and is_closed and before in (ours.core, theirs.core):
            takes_noise = job.takes_noise and not scope.shift
            is_noise = before == theirs.core or (base.digest == theirs.digest and not takes_noise)
            core.parts.append(ours.core if is_noise else scope.shift.shifted(theirs.core))
            return True
        if ours.shape == theirs.shape and ours.is_composed and self._can_look_inside(triple):
            if base is not None and base.shape != ours.shape:
                triple = Triple(None, ours, theirs)
            if ours.shape == LIST:
                self._list(core, triple, scope, job.holder)
                return True
            return self._record(core, triple, scope, pre, tail)
        core.parts.append(self._decided(triple, self._dangling(triple, scope)))
        return True

    def _is_closed(self, triple: Triple, scope: Scope) -> bool:
        """Does the text of a thing say all of it? Not if something in it was moved, or renamed, or dangles."""
        if any(self._dangling(triple, scope)) or self._elsewhere.is_around(triple):
            return False
        if not self._names:
            return True
        here = path_of(triple.any)[0]
        return not any(path[: len(here)] == here for path in self._names)

    def _dangling(self, triple: Triple, scope: Scope) -> tuple[bool, bool]:
        """Does ours, or theirs, bring a use of a name that the other side has removed?"""
        before = triple.base.core if triple.base is not None else ""
        ours, theirs = (each.core if each is not None else "" for each in (triple.ours, triple.theirs))
        return (
            uses_more(ours, before, scope.gone_from_theirs, scope.missed_in_theirs),
            uses_more(theirs, before, scope.gone_from_ours, scope.missed_in_ours),
        )

    def _can_look_inside(self, triple: Triple) -> bool:
        base, ours = triple.base, triple.any
        if self._opaque and ours.what == "class" and path_of(ours)[0] in self._opaque:
            return False
        is_container = ours.shape in _CONTAINERS or ours.what in ("section", "branch")
        return is_container or (base is not None and base.shape == ours.shape)

    def _decided(self, triple: Triple, dangling: tuple[bool, bool]) -> Plan:
        """Something that is compared as a whole."""
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        both = Choice(Plan(ours.core), Plan(theirs.core))
        meant = [_meaning(each) if each is not None else None for each in (base, ours, theirs)]
        if any(dangling):
            self._report("reference", subject(ours), triple)
            return Plan(both)
        if meant[2] in (meant[0], meant[1]):
            return Plan(ours.core)
        if meant[1] == meant[0]:
            return Plan(theirs.core)
        self._report("changed" if base is not None else "added", subject(ours), triple)
        return Plan(both)

    # ------------------------------------------------------------ records

    def _record(self, core: Plan, triple: Triple, scope: Scope, pre: Plan, tail: Plan) -> bool:
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        if ours.what == "class":
            agree_on_clauses([each for each in (base, ours, theirs) if each is not None])
            if base is not None:
                self._elsewhere.note_sections(base, ours, theirs)
            scope = scope.inside(base, ours, theirs)
        has_lines = any(slot.shape == LIST and slot.kind != "commas" for slot in ours.children)
        if self._names and path_of(ours)[0] in self._names:
            has_lines = False  # head and end of the class have its name: markers must be around both
        units = Units(base, core, pre if has_lines else None)
        for slots in slots_in_order(base, ours, theirs):
            self._slot(units, slots, scope, core)
        units.close(tail if has_lines else None)
        return not has_lines

    def _slot(self, units: Units, slots: Triple, scope: Scope, core: Plan) -> None:
        base, ours, theirs = slots.base, slots.ours, slots.theirs
        if ours is not None and theirs is not None:
            around = "comments" if units.comes_first(slots.any) else "all"
            units.put(slots, self.later(slots, scope, around=around, holder=core))
        elif ours is not None:
            self._slot_of_one(units, slots, ours, scope, is_ours=True)
        elif theirs is not None:
            self._slot_of_one(units, slots, theirs, scope, is_ours=False)
        else:
            assert base is not None  # both removed it

    def _slot_of_one(self, units: Units, slots: Triple, one: Thing, scope: Scope, *, is_ours: bool) -> None:
        """A slot that one side has: it has added it, or the other has removed it."""
        base = slots.base
        dangling = any(self._dangling(slots, scope))
        text = one.text.lstrip() if units.comes_first(one) and is_blank(one.pre) else one.text
        if base is None and not dangling:
            units.put(slots, Plan(text))
        elif base is not None and one.digest == base.digest:
            return
        elif base is not None and one.shape == "arguments" and not dangling:
            rest = emptied(one)
            units.put(slots, self.later(Triple(base, slots.ours or rest, slots.theirs or rest), scope))
        else:
            self._report("reference" if dangling and base is None else "removed", subject(one), slots)
            sides = (Plan(text), Plan()) if is_ours else (Plan(), Plan(text))
            units.put(slots, Plan(Choice(*sides)))

    # ------------------------------------------------------------ lists

    def _list(self, core: Plan, triple: Triple, scope: Scope, holder: Plan | None) -> None:
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        numbered = Numbered(*(self._elsewhere.rest_of(each) for each in (base, ours, theirs)))
        self._elsewhere.join(numbered)
        arranged = arrange(numbered.base, numbered.ours, numbered.theirs)
        decisions = {number: self._decision(numbered.triples[number], scope) for number in arranged.numbers}
        if ours.is_ordered:
            self._note_same_place(arranged.beside_ours, decisions)
        writer = (CommaList if ours.kind == "commas" else LineList)(self, base, ours, theirs, scope)
        found = [decision for decision in decisions.values() if decision is not None]
        if holder is not None and ours.kind == "commas" and loses_brackets(ours, theirs):
            core.parts.append(writer.plan(found))
            leave_out_brackets(holder, found)
        elif arranged.contradictory and ours.is_ordered:
            self._report("reordered", "order", triple)
            other = arrange(numbered.base, numbered.theirs, numbered.ours)
            there = [each for each in map(decisions.get, other.numbers) if each is not None]
            core.parts.append(Choice(writer.plan(found), writer.plan(there)))
        else:
            core.parts.append(writer.plan(found))

    def _note_same_place(self, beside_ours: set[int], decisions: dict[int, Decision | None]) -> None:
        """Statements, inputs, literals that both sides add at one place: nobody knows which should come first."""
        for number in beside_ours:
            decision = decisions[number]
            if decision is not None and decision.triple.any.has_place and decision.only is None:
                self._report("added", subject(decision.triple.any), decision.triple)
                decision.only = "theirs"

    def _decision(self, triple: Triple, scope: Scope) -> Decision | None:
        """What becomes of an item; None if it goes."""
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        if ours is not None and theirs is not None:
            return Decision(triple, self._elsewhere.side_of(triple))
        one = ours or theirs
        if one is None:
            return None
        side: Side = "ours" if ours is not None else "theirs"
        is_moved = id(one) in self._elsewhere.of_ours or id(one) in self._elsewhere.of_theirs
        if base is None:
            if one.what == "section" and self._elsewhere.is_around(triple):
                # A new section has what came from another one, and the other side may have changed that there.
                rest = emptied(one)
                return Decision(Triple(None, ours or rest, theirs or rest), None)
            if not any(self._dangling(triple, scope)):
                return Decision(triple, None)
            self._report("reference", subject(one), triple)
            return Decision(triple, side)
        if one.digest == base.digest and not is_moved:
            return None
        if one.what == "section" and (side == "ours" or has_new_items(one, base)):
            # What is left of a section that the other side has removed.
            rest = emptied(one)
            return Decision(Triple(base, ours or rest, theirs or rest), None)
        self._report("removed", subject(one), triple)
        return Decision(triple, side)


def _meaning(thing: Thing) -> Normal:
    if not thing.is_composed:
        return thing.meaning
    return normal_of(leaf for leaf, _ in lex(thing.core, lazy=False))


# ---------------------------------------------------------------- three way

_LABELS = Labels()
_VERSIONS = ("base", "ours", "theirs")


def merge(base: str, ours: str, theirs: str, *, labels: Labels = _LABELS, prefer: Side | None = None) -> Merged:
    """Ours, with what theirs changed since base; MergeError if a version is not Modelica.

    What both sides changed differently is a conflict. It is in the text between markers, or as the preferred side
    has it; either way it is in `conflicts`.
    """
    if prefer not in (None, "ours", "theirs"):
        raise ValueError(f"prefer is 'ours', 'theirs' or None, not {prefer!r}")
    texts = base, ours, theirs
    given = [read_version(text, label) for text, label in zip(texts, _names(labels), strict=True)]
    memo = Memo()
    if theirs in (ours, base):
        return Merged(ours)
    if ours == base:
        return Merged(theirs, (), compare_trees(given[1].green, given[2].green, memo))
    before, here, there = (with_text(version, with_line_ends_of(version.text, ours)) for version in given)
    versions = with_common_names(before, here, there, memo)
    used = versions.base, versions.ours, versions.theirs
    places = [Places(before, after) for before, after in zip(given, used, strict=True)]
    proof = Proof(versions, memo)
    opaque: set[tuple[str, ...]] = set()
    while True:
        attempt = _Attempt(versions, places, opaque, memo)
        wrong = proof.unproved_class(attempt.texts.values(), attempt.conflicts)
        if wrong is None:
            break
        # What could not be proved is compared as a whole: then one side's text is taken as it is, or it is a conflict.
        opaque.add(() if wrong in opaque else wrong)
    taken = compare_trees(given[1].green, proof.tree_of(attempt.texts["ours"]), memo)
    return attempt.merged(taken, labels, prefer)


def _names(labels: Labels) -> tuple[str, str, str]:
    return labels.base, labels.ours, labels.theirs


class Places:
    """Where something of a version is in the text that was given, before names and line ends were made equal."""

    def __init__(self, given: Version, used: Version) -> None:
        self._source = Source(given.text)
        self._edits: list[TextEdit] = []
        if used.text != given.text:
            self._edits = text_edits(given.green, used.green)
        self._starts: list[int] = []  # of each edit in the text that is used
        shift = 0
        for edit in self._edits:
            self._starts.append(edit.start + shift)
            shift += len(edit.text) - (edit.end - edit.start)

    def span(self, thing: Thing | None) -> Span | None:
        """The span of a thing in the text that was given."""
        if thing is None:
            return None
        first, stop = (self._source.position(self._offset(at)) for at in (min(thing.first, thing.stop), thing.stop))
        return Span(first, stop)

    def _offset(self, used: int) -> int:
        number = bisect_right(self._starts, used) - 1
        if number < 0:
            return used
        edit, start = self._edits[number], self._starts[number]
        behind = used - start - len(edit.text)
        return edit.end + behind if behind >= 0 else min(edit.start + used - start, edit.end)


class _Attempt:
    """One merge of things, with some classes compared as wholes."""

    def __init__(self, versions: Renamed, places: list[Places], opaque: set[tuple[str, ...]], memo: Memo) -> None:
        self._places = places
        self._base_names = {path[-1]: before for path, (_, before, _) in versions.contradictory.items()}
        self.conflicts: list[Conflict] = []
        self._line_end = line_end_of(versions.ours.text)
        base, ours, theirs = (version.thing(memo) for version in (versions.base, versions.ours, versions.theirs))
        elsewhere = note_moved_classes(base, ours, theirs)
        names = {path: there for path, (_, _, there) in versions.contradictory.items()}
        merger = Merger(elsewhere, names, opaque, self._report)
        if () in opaque:
            self.plan = Plan(Choice(Plan(ours.text), Plan(theirs.text)), base=base.text)
            self._report("unproved", "file", Triple(base, ours, theirs))
        else:
            missed = (
                members_missed(base, ours, versions.theirs.green),
                members_missed(base, theirs, versions.ours.green),
            )
            scope = Scope(missed_in_ours=missed[0], missed_in_theirs=missed[1])
            self.plan = merger.plan(base, ours, theirs, scope)
        self.texts = {side: written(self.plan, side, self._line_end) for side in SIDES}
        if () in opaque:
            return
        for triple in elsewhere.contradictory:
            self._report("moved", triple.any.what, triple)
        for path, (what, before, there) in versions.contradictory.items():
            classes = "\0".join(path if what == "class" else path[:-1])
            self.conflicts.append(Conflict("renamed", what, path, classes, before, path[-1], there))

    def _report(self, kind: str, what: str, triple: Triple) -> None:
        path, classes = path_of(triple.any)
        things = (triple.base, triple.ours, triple.theirs)
        texts = {side: _shown(thing, what) for side, thing in zip(_VERSIONS, things, strict=True)}
        spans = {
            f"{side}_span": place.span(thing)
            for side, place, thing in zip(_VERSIONS, self._places, things, strict=True)
        }
        self.conflicts.append(Conflict(kind, what, path, classes, **texts, **spans))  # type: ignore[arg-type]

    def merged(self, taken: Changes, labels: Labels, prefer: Side | None) -> Merged:
        """The result."""
        conflicts = tuple(sorted(self.conflicts, key=_place))
        if prefer is not None or not conflicts:
            return Merged(self.texts[prefer or "ours"], conflicts, taken)
        return Merged(marked(self.plan, labels, self._line_end, self._base_names), conflicts, taken)


def _shown(thing: Thing | None, what: str) -> str | None:
    if thing is None:
        return None
    if what == "comment" and thing.what != "comment":
        return "\n".join(thing.comments) or None
    shown = thing.slot("value") if thing.key == "binding" else None
    return (shown or thing).core.strip() or thing.pre.strip()


def _place(conflict: Conflict) -> int:
    span = conflict.ours_span or conflict.base_span or conflict.theirs_span
    return span.start.offset if span is not None else -1
