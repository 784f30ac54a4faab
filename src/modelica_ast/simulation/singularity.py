"""Why a system of equations can't be solved: what nothing determines, and what is determined twice.

Each equation is assigned to an unknown that is in it. Where that leaves unknowns over, the system is singular, whoever
solves it: the unknowns without an equation are told, and the equations among which there is one too many. Where every
equation finds its unknown as soon as derivatives count as what they are derivatives of, nothing is wrong with the
system: some equations have to be differentiated, and these are told.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from modelica_ast.foundation import Record

_MANY: Final = 5  # names or places that are told


class Equation(Record):
    """A scalar equation: its unknowns by their numbers, the states in it, and where it is written."""

    unknowns: tuple[int, ...]  # derivatives of states among them
    states: tuple[int, ...]  # the numbers that their derivatives have
    place: tuple[str, int, int]  # file, line, column
    is_generated: bool  # of a connection


class Singularity(Record):
    """What is wrong with a system."""

    undetermined: tuple[str, ...]  # unknowns for which no equation is left
    equations: tuple[Equation, ...]  # among which is one too many, or which have to be differentiated
    needs_derivatives: bool  # then all is well but for the compiler

    @property
    def places(self) -> list[tuple[str, int, int]]:
        """The places of the equations, those that somebody has written first."""
        ordered = sorted(self.equations, key=lambda each: each.is_generated)
        return list(dict.fromkeys(each.place for each in ordered if each.place[0]))[:_MANY]

    def __str__(self) -> str:
        if self.needs_derivatives:
            return (
                "rumoca can't run it: it would have to differentiate some of these equations, and does not know how; "
                "OpenModelica does: --backend omc"
            )
        names = [f"'{name}'" for name in self.undetermined[:_MANY]]
        more = len(self.undetermined) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more else "")
        return f"the system is singular: no equation is left for {listed}, and these have one too many"


def singularity_of(answer: Mapping[str, Any]) -> Singularity | None:
    """What the structure says that the compiler's process has sent; None if it says nothing."""
    names: Sequence[str] = answer["unknowns"]
    equations = [
        Equation(tuple(each["unknowns"]), tuple(each["states"]), tuple(each["place"]), bool(each["generated"]))
        for each in answer["equations"]
    ]
    loose = _matched([{*each.unknowns, *each.states} for each in equations])
    if len(loose) < len(names):
        left = [name for number, name in enumerate(names) if number not in loose]
        rows = [{*each.unknowns, *each.states} for each in equations]
        return Singularity(tuple(left), _too_many(equations, rows, loose), needs_derivatives=False)
    rows = [set(each.unknowns) for each in equations]
    strict = _matched(rows)
    if len(strict) < len(names):
        return Singularity((), _too_many(equations, rows, strict), needs_derivatives=True)
    return None


def _matched(rows: Sequence[Collection[int]]) -> dict[int, int]:
    """Unknown -> equation, as many as there can be."""
    row_of: dict[int, int] = {}
    for start in range(len(rows)):
        came_from: dict[int, int] = {}  # unknown -> the equation from which it was reached
        todo = [start]
        end: int | None = None
        while todo and end is None:
            row = todo.pop()
            for column in rows[row]:
                if column in came_from:
                    continue
                came_from[column] = row
                if column not in row_of:
                    end = column
                    break
                todo.append(row_of[column])
        while end is not None:
            row = came_from[end]
            before = next((column for column, other in row_of.items() if other == row), None) if row != start else None
            row_of[end] = row
            end = before
    return row_of


def _too_many(
    equations: Sequence[Equation], rows: Sequence[Collection[int]], row_of: Mapping[int, int]
) -> tuple[Equation, ...]:
    """The equations that compete with one that has found no unknown."""
    matched = set(row_of.values())
    todo = [number for number in range(len(rows)) if number not in matched]
    found = dict.fromkeys(todo)
    while todo:
        for column in rows[todo.pop()]:
            other = row_of.get(column)
            if other is not None and other not in found:
                found[other] = None
                todo.append(other)
    return tuple(equations[number] for number in sorted(found))
