"""Classes that inherit from themselves, over however many others."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import Definition
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.meanings import Meaning


def check_cycles(check: ClassCheck) -> None:
    """Every extends clause of a class that leads back to it."""
    own = check.definition
    cycles = check.known.remembered(Cycles)
    cycle = cycles.of(check, own)
    if cycle is None:
        return
    for name in own.base_names:
        base = written_in(check.lookup.base_named(check.environment, name))
        if base is own:
            check.add("inheritance-cycle", name, f"'{own.name}' inherits from itself")
        elif base is not None and cycles.of(check, base) is cycle:
            way = f"'{base.name}', which it extends, inherits from it"
            check.add("inheritance-cycle", name, f"'{own.name}' inherits from itself: {way}")


class Cycles:
    """Which classes inherit from each other: Tarjan's algorithm, with a list of its own in place of recursion.

    What it finds is kept: each class is visited once in a check.
    """

    def __init__(self) -> None:
        self._known: dict[Definition, Definition | None] = {}

    def of(self, check: ClassCheck, start: Definition) -> Definition | None:
        """One class that stands for all that inherit from each other with this one; None if there is no way back."""
        if start in self._known:
            return self._known[start]
        numbers: dict[Definition, int] = {}
        lowest: dict[Definition, int] = {}
        own: set[Definition] = set()  # that extend themselves
        open_: list[Definition] = []
        way: list[tuple[Definition, Iterator[Definition]]] = []

        def enter(definition: Definition) -> None:
            numbers[definition] = lowest[definition] = len(numbers)
            open_.append(definition)
            way.append((definition, _bases(check, definition)))

        enter(start)
        while way:
            definition, bases = way[-1]
            base = next(bases, None)
            if base is None:
                way.pop()
                if way:
                    above = way[-1][0]
                    lowest[above] = min(lowest[above], lowest[definition])
                if lowest[definition] == numbers[definition]:
                    self._close(open_, definition, own)
            elif base in numbers:
                if base not in self._known:
                    lowest[definition] = min(lowest[definition], numbers[base])
                    if base is definition:
                        own.add(definition)
            elif base not in self._known:
                enter(base)
        return self._known[start]

    def _close(self, open_: list[Definition], first: Definition, own: set[Definition]) -> None:
        """All that were entered since the first of them lead to each other."""
        place = next(place for place in range(len(open_) - 1, -1, -1) if open_[place] is first)
        group = open_[place:]
        del open_[place:]
        for definition in group:
            self._known[definition] = first if len(group) > 1 or definition in own else None


def _bases(check: ClassCheck, definition: Definition) -> Iterator[Definition]:
    """The bases that are certain: what is replaceable or redeclared may be something else in every use."""
    if definition.is_class_extends:
        return
    environment = check.lookup.classes.as_written(definition)
    for name in definition.base_names:
        meaning = check.lookup.base_named(environment, name)
        base = written_in(meaning)
        if base is not None and meaning.is_certain and "redeclare" not in base.prefixes:
            yield base


def written_in(meaning: Meaning) -> Definition | None:
    """The definition of the class that a name stands for."""
    found = meaning.symbol
    if isinstance(found, Member) and found.is_class:
        return found.origin if isinstance(found.origin, Definition) else None
    return found.written if isinstance(found, Environment) else None
