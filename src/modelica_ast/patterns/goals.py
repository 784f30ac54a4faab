"""The search for one match, without recursion: goals that are still to be met, and ways that are still to be tried.

A goal gives its alternatives: further goals, and what is bound then. The engine follows the first and comes back to the
others when it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from modelica_ast.patterns.captures import State


class Goal(Protocol):
    """Something that must hold."""

    def ways(self, state: State) -> Iterable[Way]:
        """The ways to meet it, none if it can't be met."""


Way = tuple[tuple[Goal, ...], State]
_Goals = tuple[Goal, Any] | None  # a linked list: ways share the goals that all of them have yet to meet


def solutions(goal: Goal, state: State) -> Iterator[State]:
    """Every way to meet a goal."""
    stack: list[tuple[Iterator[Way], _Goals]] = [(iter([((goal,), state)]), None)]
    while stack:
        ways, rest = stack[-1]
        way = next(ways, None)
        if way is None:
            stack.pop()
            continue
        goals: _Goals = rest
        for new in reversed(way[0]):
            goals = (new, goals)
        if goals is None:
            yield way[1]
        else:
            stack.append((iter(goals[0].ways(way[1])), goals[1]))
