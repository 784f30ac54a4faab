"""`merge`: three versions of a file become one."""

from __future__ import annotations

from bisect import bisect_right

from modelica_ast.compare.building import Memo
from modelica_ast.compare.changes import Changes
from modelica_ast.compare.comparing import compare_trees
from modelica_ast.compare.paths import path_of
from modelica_ast.compare.things import Thing
from modelica_ast.edit.text_edits import TextEdit, text_edits
from modelica_ast.merge.layout import line_end_of, with_line_ends_of
from modelica_ast.merge.matching import Triple
from modelica_ast.merge.members import members_missed
from modelica_ast.merge.merging import Merger
from modelica_ast.merge.moving import note_moved_classes
from modelica_ast.merge.plans import Choice, Plan, marked, written
from modelica_ast.merge.proof import Proof
from modelica_ast.merge.renaming import Renamed, with_common_names
from modelica_ast.merge.result import SIDES, Conflict, Labels, Merged, Side
from modelica_ast.merge.scopes import Scope
from modelica_ast.merge.versions import Version, read_version, with_text
from modelica_ast.source import Source, Span

_LABELS = Labels()
_VERSIONS = ("base", "ours", "theirs")


def merge(base: str, ours: str, theirs: str, *, labels: Labels = _LABELS, prefer: Side | None = None) -> Merged:
    """Ours, with what theirs changed since base; MergeError if a version is not Modelica.

    What both sides changed differently is a conflict. It stands in the text between markers, or as the preferred side
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
    """Where something of a version stands in the text that was given, before names and line ends were made equal."""

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
