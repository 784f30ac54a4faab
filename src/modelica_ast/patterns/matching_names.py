"""Dotted names: `$A.flange_a` is any reference that ends so, and `$A` is all that stands before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from modelica_ast.green import Green, symbol
from modelica_ast.lexer import token_text
from modelica_ast.patterns.captures import State
from modelica_ast.patterns.goals import Goal, Way
from modelica_ast.patterns.reading import Tree
from modelica_ast.patterns.stretches import Stretch, name_of_run


@frozen(eq=False)
class Part:
    """An identifier of a dotted name with its subscripts: indices among the children of its node, from 1."""

    name: str
    first: int  # the dot before a full name belongs to its first part
    identifier: int
    subscripts: int | None

    @property
    def last(self) -> int:
        """Behind it."""
        return (self.subscripts or self.identifier) + 1


def parts_of(green: Any) -> tuple[Part, ...]:
    """A name or reference in its parts."""
    if type(green) is str:
        return (Part(token_text(green), 1, 1, None),)
    found: list[Part] = []
    first = 1
    for index in range(1, len(green)):
        child = green[index]
        if type(child) is tuple:
            last = found.pop()
            found.append(Part(last.name, last.first, last.identifier, index))
        elif token_text(child) != ".":
            found.append(Part(token_text(child), first, index, None))
        elif not found:
            first = index
            continue
        first = index + 1
    return tuple(found)


@frozen(eq=False)
class Names:
    """Two names are alike."""

    tree: Tree
    pattern: Any
    place: Stretch
    alike: Callable[[Any, Stretch], Goal]

    def ways(self, state: State) -> Iterator[Way]:
        """As of the parts of both."""
        mine, its = parts_of(self.pattern), parts_of(self.place.green)
        return _Parts(self, mine, its, is_first=True).ways(state)

    def subscripts(self, part: Part) -> Any:
        """The subscripts of a part of the pattern."""
        return None if part.subscripts is None else self.pattern[part.subscripts]

    def run(self, first: int, last: int) -> Stretch:
        """Some parts of the name as a place of their own."""
        if type(self.place.green) is str or (first == 1 and last == len(self.place.green)):
            return self.place
        children = tuple(self.place.child(index) for index in range(first, last))
        green: Green = name_of_run(symbol(self.place.green), tuple(child.green for child in children))
        if type(green) is str:
            return children[0]
        if self.place.last - self.place.first > 1:  # a name that is itself a run, in an import clause
            return Stretch(
                green, self.place.parent, self.place.first + first - 1, self.place.first + last - 1, children
            )
        return Stretch(green, self.place, first, last, children)


@frozen(eq=False)
class _Parts:
    """What is left of two names."""

    names: Names
    mine: tuple[Part, ...]
    its: tuple[Part, ...]
    is_first: bool

    def ways(self, state: State) -> Iterator[Way]:
        """A metavariable takes as many parts as it can, and leaves one for each part behind it."""
        if not self.mine:
            if not self.its:
                yield (), state
            return
        part = self.mine[0]
        metavariable = self.names.tree.metavariables.get(part.name)
        most = len(self.its) - len(self.mine) + 1
        if most < 1:
            return
        if metavariable is None:
            if self._is_same(part, self.its[0]):
                yield self._goals(part, 1), state
            return
        for number in range(most, 0, -1):
            last = self.its[number - 1]
            wants = part.subscripts is not None
            if wants and last.subscripts is None:
                continue
            end = last.identifier + 1 if wants else last.last
            bound = state.bind(metavariable, self.names.run(self.its[0].first, end))
            if bound is not None:
                yield self._goals(part, number), bound

    def _is_same(self, mine: Part, its: Part) -> bool:
        has_dot = its.first != its.identifier
        return (
            mine.name == its.name
            and (mine.subscripts is None) == (its.subscripts is None)
            and (not self.is_first or (mine.first != mine.identifier) == has_dot)
        )

    def _goals(self, part: Part, number: int) -> tuple[Goal, ...]:
        rest = _Parts(self.names, self.mine[1:], self.its[number:], is_first=False)
        if part.subscripts is None:
            return (rest,)
        its = self.its[number - 1].subscripts
        assert its is not None
        return (self.names.alike(self.names.subscripts(part), self.names.place.child(its)), rest)
