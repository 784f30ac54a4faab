"""What metavariables stand for in a match, and what a match remembers for a rewrite."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from modelica_ast.patterns.fingerprints import Fingerprints
from modelica_ast.patterns.metavariables import ANONYMOUS, Metavariable
from modelica_ast.patterns.stretches import Stretch


@frozen(eq=False)
class Bound:
    """The subtrees that a metavariable stands for: one, or any number for `$$`."""

    is_list: bool
    places: tuple[Stretch, ...]

    def is_same(self, other: Bound, prints: Fingerprints) -> bool:
        """Are the tokens equal? They must be when the metavariable is written twice."""
        if len(self.places) != len(other.places):
            return False
        pairs = zip(self.places, other.places, strict=True)
        return all(prints.are_same(mine.green, its.green) for mine, its in pairs)


@frozen(eq=False)
class Note:
    """Something that a match found out about a node of the pattern, for the replacement that looks like it."""

    pattern: Any
    what: str  # kept, at, swapped, empty or named
    slot: str = ""
    places: tuple[Stretch, ...] = ()


# Notes as a linked list: most of them belong to ways that lead nowhere, and are dropped with these.
_Notes = tuple[Note, Any] | None


@frozen(eq=False)
class State:
    """How far a match has come: what is bound, and what was noted."""

    bound: dict[str, Bound]
    prints: Fingerprints
    notes: _Notes = None

    def bind(self, metavariable: Metavariable, *places: Stretch) -> State | None:
        """One more metavariable; None if it stands for something else already."""
        if metavariable.name == ANONYMOUS:
            return self
        new = Bound(metavariable.is_list, places)
        old = self.bound.get(metavariable.name)
        if old is not None:
            return self if old.is_same(new, self.prints) else None
        return evolve(self, bound={**self.bound, metavariable.name: new})

    def named(self, pattern: Any, place: Stretch) -> State:
        """A name that is to be that of a class, which the search finds out at last."""
        return self.noted(Note(pattern, "named", "", (place,)))

    def noted(self, note: Note) -> State:
        """One more note."""
        return State(self.bound, self.prints, (note, self.notes))

    def all_notes(self) -> list[Note]:
        """The notes, the first one first."""
        found = []
        notes = self.notes
        while notes is not None:
            found.append(notes[0])
            notes = notes[1]
        return found[::-1]
