"""`merge`: three versions of a file become one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from modelica_ast.compare.alignment import agree_on_clauses, are_similar
from modelica_ast.compare.changes import Changes
from modelica_ast.compare.comparison import compare_things
from modelica_ast.compare.parts import Memo
from modelica_ast.compare.things import LIST, Normal, Thing, comments_of, normal_of, path_of, subject
from modelica_ast.compare.three_way.lines import ITEMS, REVISIONS, merged_lines
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
    in_lines,
    leave_out_brackets,
    loses_brackets,
    marked,
    slots_in_order,
    written,
)
from modelica_ast.compare.three_way.proof import Proof
from modelica_ast.compare.three_way.renames import Missed, Renamed, names_missed, note_moved_classes, with_common_names
from modelica_ast.compare.three_way.versions import (
    SIDES,
    Conflict,
    Labels,
    Merged,
    Shift,
    Side,
    Version,
    line_end_of,
    read_beside,
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
_CONTAINERS: Final = frozenset({"arguments", "modifier", "binding", "annotation", LIST, "file"})
Path = tuple[str, ...]
Report = Callable[[str, str, Triple], None]


class Opaque(Enum):
    """How a class is merged that could not be proved when it was merged as things, or () if that is the file."""

    BY_LINES = 1
    AS_A_WHOLE = 2


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
        self,
        elsewhere: Elsewhere,
        names: dict[Path, str],
        opaque: Mapping[Path, Opaque],
        missed: tuple[Missed, Missed],
        report: Report,
    ) -> None:
        self._elsewhere = elsewhere
        self._added_by_both: set[int] = set()  # classes, by the identity of ours
        self._missed = missed  # what names of each side the other has removed
        self._opaque = opaque
        self._names = names  # what both sides renamed: the path in ours -> its name in theirs
        self._report = report
        self.by_lines: set[Path] = set()  # classes in which something was merged by lines that is not a string
        self._todo: list[Job] = []

    def plan(self, base: Thing, ours: Thing, theirs: Thing) -> Plan:
        """The plan of the file."""
        whole = Plan(base=base.text)
        self._todo = [Job(whole, Triple(base, ours, theirs), Scope())]
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
        hunks = merged_lines(base, ours, theirs)
        if base is not None and all(hunk.is_decided for hunk in hunks):
            return Plan(kind("".join(hunk.ours for hunk in hunks)))
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
        if base is None and ours.key == "annotation" and ours.parent is not None and ours.parent.shape == "connection":
            core.parts.append(ours.core)  # both have made the connection: it is drawn once
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
        gone = scope.gone_from_theirs, scope.gone_from_ours
        found = [
            each is not None and uses_more(each.core, before, names, _missed_in(each, missed))
            for each, names, missed in zip((triple.ours, triple.theirs), gone, self._missed, strict=True)
        ]
        return found[0], found[1]

    def _can_look_inside(self, triple: Triple) -> bool:
        base, ours = triple.base, triple.any
        if self._opaque_class(ours) is not None:
            return False
        if ours.shape == "class" and base is None and triple.theirs is not None:
            return are_similar(ours, triple.theirs)  # or else there is no use in a list of all that differs
        if ours.shape == "connection" and base is not None and triple.theirs is not None:
            # A line is drawn in the direction of its connection.
            return ours.is_turned == triple.theirs.is_turned
        is_container = ours.shape in _CONTAINERS or ours.what in ("section", "branch", "class", "connection")
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
        lines = self._in_lines(triple)
        if lines is not None:
            return lines
        self._report("changed" if base is not None else "added", subject(ours), triple)
        return Plan(both)

    def _in_lines(self, triple: Triple) -> Plan | None:
        """Something of several lines, merged by these; None if that decides nothing.

        What is not decided in a string, or in a class that is merged so, is a conflict of its lines alone. Elsewhere
        lines say too little of what is between them.
        """
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        texts = [each.core if each is not None else None for each in (base, ours, theirs)]
        if any(text is not None and "\n" not in text for text in texts):
            return None
        is_text = all(each is None or each.is_string for each in (base, ours, theirs))
        is_class = self._opaque_class(ours) is Opaque.BY_LINES
        if base is None and not is_text:
            return None
        items = REVISIONS if any(each.name == "revisions" for each in ours.around) else ITEMS
        hunks = merged_lines(texts[0], ours.core, theirs.core, items)
        open_ = [hunk for hunk in hunks if not hunk.is_decided]
        if len(open_) == len(hunks) or (open_ and not is_text and not is_class):
            return None
        if not is_text:
            self.by_lines.add(_class_path(ours))
        if open_:
            self._report("changed" if base is not None else "added", subject(ours), triple)
        return in_lines(hunks)

    def _opaque_class(self, thing: Thing) -> Opaque | None:
        return self._opaque.get(path_of(thing)[0]) if self._opaque and thing.what == "class" else None

    # ------------------------------------------------------------ records

    def _record(self, core: Plan, triple: Triple, scope: Scope, pre: Plan, tail: Plan) -> bool:
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        assert ours is not None
        assert theirs is not None
        if ours.what == "class":
            if base is None:
                self._added_by_both |= {id(ours), id(theirs)}
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
        around = (each for side in (ours, theirs) for each in side.around)
        is_added = ours.kind != "commas" and any(id(each) in self._added_by_both for each in around)
        decisions = {number: self._decision(numbered.triples[number], scope, is_added) for number in arranged.numbers}
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

    def _has_gone(self, section: Thing, base: Thing) -> bool:
        """Has the other side moved all that changed in a section before it removed the section?"""
        inside = [each.slot("items") for each in (section, base)]
        if None in inside or not self._elsewhere.is_around(Triple(base, None, None)):
            return False
        before = {item.digest for item in inside[1].children}  # type: ignore[union-attr]  # both are there
        return all(item.digest in before for item in self._elsewhere.rest_of(inside[0]))

    def _decision(self, triple: Triple, scope: Scope, is_added: bool) -> Decision | None:  # noqa: FBT001  (a fact)
        """What becomes of an item; None if it goes. In a class that both added, nobody knows whether it should be."""
        base, ours, theirs = triple.base, triple.ours, triple.theirs
        if ours is not None and theirs is not None:
            return Decision(triple, self._elsewhere.side_of(triple))
        one = ours or theirs
        if one is None:
            return None
        side: Side = "ours" if ours is not None else "theirs"
        is_moved = id(one) in self._elsewhere.of_ours or id(one) in self._elsewhere.of_theirs
        if base is None:
            if one.what == "section" and (is_added or self._elsewhere.is_around(triple)):
                # A new section has what came from another one, and the other side may have changed that there.
                rest = emptied(one)
                return Decision(Triple(None, ours or rest, theirs or rest), None)
            dangling = any(self._dangling(triple, scope))
            if not dangling and not is_added:
                return Decision(triple, None)
            self._report("reference" if dangling else "added", subject(one), triple)
            return Decision(triple, side)
        if one.digest == base.digest and not is_moved:
            return None
        if one.what == "section" and self._has_gone(one, base):
            return None
        if one.what == "section" and (side == "ours" or has_new_items(one, base)):
            # What is left of a section that the other side has removed.
            rest = emptied(one)
            return Decision(Triple(base, ours or rest, theirs or rest), None)
        self._report("removed", subject(one), triple)
        return Decision(triple, side)


def _missed_in(thing: Thing, missed: Missed) -> frozenset[str]:
    """The names in the text of a thing, as far as its class tells, that lead to what the other side has removed."""
    if not missed:
        return frozenset()
    path = _class_path(thing)
    return frozenset().union(*(names for where, names in missed.items() if where[: len(path)] == path))


def _class_path(thing: Thing) -> Path:
    """The names of the classes that something is in, its own if it is one."""
    return tuple(path_of(thing)[1].split("\0"))


def _meaning(thing: Thing) -> Normal:
    if not thing.is_composed:
        return thing.meaning
    if thing.shape == "connection":
        return (thing.digest,)
    return normal_of(leaf for leaf, _ in lex(thing.core, lazy=False))


# ---------------------------------------------------------------- three way

_LABELS = Labels()
_VERSIONS = ("base", "ours", "theirs")
_SURE: Final = frozenset({"reference", "renamed"})  # conflicts that no look at lines can tell


def merge(base: str, ours: str, theirs: str, *, labels: Labels = _LABELS, prefer: Side | None = None) -> Merged:
    """Ours, with what theirs changed since base; MergeError if a version is not Modelica.

    What both sides changed differently is a conflict. It is in the text between markers, or as the preferred side
    has it; either way it is in `conflicts`.
    """
    if prefer not in (None, "ours", "theirs"):
        raise ValueError(f"prefer is 'ours', 'theirs' or None, not {prefer!r}")
    memo = Memo()
    given = [read_version(base, labels.base)]
    given += [
        read_beside(text, label, given[0], memo) for text, label in ((ours, labels.ours), (theirs, labels.theirs))
    ]
    if theirs in (ours, base):
        return Merged(ours)
    if ours == base:
        return Merged(theirs, (), compare_things(given[1].thing(memo), given[2].thing(memo)))
    before, here, there = (with_text(version, with_line_ends_of(version.text, ours), memo) for version in given)
    versions = with_common_names(before, here, there, memo)
    used = versions.base, versions.ours, versions.theirs
    places = [Places(before, after) for before, after in zip(given, used, strict=True)]
    proof = Proof(versions, memo)
    attempt = _proved(versions, places, memo, proof)
    if attempt.conflicts and not any(conflict.kind in _SURE for conflict in attempt.conflicts):
        # What things don't decide, lines may: if they do, and what they make of it is proved, there is no conflict.
        by_lines = _Attempt(versions, places, {(): Opaque.BY_LINES}, memo)
        if not by_lines.conflicts and proof.unproved_class(by_lines.texts.values(), [], by_lines.by_lines) is None:
            attempt = by_lines
    taken = compare_things(given[1].thing(memo), proof.version_of(attempt.texts["ours"]).thing(memo))
    return attempt.merged(taken, labels, prefer)


def _proved(versions: Renamed, places: list[Places], memo: Memo, proof: Proof) -> _Attempt:
    """The first attempt that is proved. What is not is merged by lines, then as a whole: that, or it is a conflict."""
    opaque: dict[Path, Opaque] = {}
    while True:
        attempt = _Attempt(versions, places, opaque, memo)
        wrong = proof.unproved_class(attempt.texts.values(), attempt.conflicts, attempt.by_lines)
        if wrong is None:
            return attempt
        if () in opaque or opaque.get(wrong) is Opaque.AS_A_WHOLE:
            wrong = ()
        opaque[wrong] = Opaque.AS_A_WHOLE if wrong in opaque else Opaque.BY_LINES


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

    def __init__(self, versions: Renamed, places: list[Places], opaque: Mapping[Path, Opaque], memo: Memo) -> None:
        self._places = places
        self._base_names = {path[-1]: before for path, (_, before, _) in versions.contradictory.items()}
        self.conflicts: list[Conflict] = []
        self._line_end = line_end_of(versions.ours.text)
        base, ours, theirs = (version.thing(memo) for version in (versions.base, versions.ours, versions.theirs))
        elsewhere = note_moved_classes(base, ours, theirs)
        names = {path: there for path, (_, _, there) in versions.contradictory.items()}
        # What names of each side the other has removed.
        roots = versions.ours.green, versions.theirs.green
        missed = names_missed(base, theirs, roots[1], roots[0]), names_missed(base, ours, roots[0], roots[1])
        merger = Merger(elsewhere, names, opaque, missed, self._report)
        self.by_lines = merger.by_lines
        if () in opaque:
            self.plan = self._whole(Triple(base, ours, theirs), opaque[()])
        else:
            self.plan = merger.plan(base, ours, theirs)
        self.texts = {side: written(self.plan, side, self._line_end) for side in SIDES}
        if () in opaque:
            return
        for triple in elsewhere.contradictory:
            self._report("moved", triple.any.what, triple)
        for path, (what, before, there) in versions.contradictory.items():
            classes = "\0".join(path if what == "class" else path[:-1])
            self.conflicts.append(Conflict("renamed", what, path, classes, before, path[-1], there))

    def _whole(self, file: Triple, opaque: Opaque) -> Plan:
        """The plan of the file without a look at the things in it."""
        texts = [thing.text if thing is not None else "" for thing in (file.base, file.ours, file.theirs)]
        if opaque is Opaque.AS_A_WHOLE:
            self._report("unproved", "file", file)
            return Plan(Choice(*map(Plan, texts[1:])), base=texts[0])
        self.by_lines.add(())
        hunks = merged_lines(*texts)
        if not all(hunk.is_decided for hunk in hunks):
            self._report("unproved", "file", file)
        return in_lines(hunks, base=texts[0])

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
