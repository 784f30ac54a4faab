"""Classes that inherit from themselves, over however many others."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.rules.context import ClassCheck
from modelica_ast.rules.lookup import Lookup
from modelica_ast.rules.symbols import ClassSymbol


def check_cycles(check: ClassCheck) -> None:
    """Every extends clause of a class that leads back to it."""
    symbol = check.symbol
    if _cycle(check.lookup, symbol) is None:
        return
    for name in symbol.base_names:
        base = check.lookup.base_named(symbol, name).symbol
        if base is symbol:
            check.add("inheritance-cycle", name, f"'{symbol.name}' inherits from itself")
        elif isinstance(base, ClassSymbol) and _cycle(check.lookup, base) is symbol.cycle:
            way = f"'{base.name}', which it extends, inherits from it"
            check.add("inheritance-cycle", name, f"'{symbol.name}' inherits from itself: {way}")


def _cycle(lookup: Lookup, start: ClassSymbol) -> ClassSymbol | None:
    """One class that stands for all that inherit from each other with this one; None if there is no other way back.

    Tarjan's algorithm, with a list of its own in place of recursion. What it finds is kept at the classes: each is
    visited once in a check.
    """
    if start.is_cycle_known:
        return start.cycle
    numbers: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_: list[ClassSymbol] = []
    way: list[tuple[ClassSymbol, Iterator[ClassSymbol]]] = []

    def enter(symbol: ClassSymbol) -> None:
        numbers[id(symbol)] = lowest[id(symbol)] = len(numbers)
        open_.append(symbol)
        way.append((symbol, _bases(lookup, symbol)))

    enter(start)
    while way:
        symbol, bases = way[-1]
        base = next(bases, None)
        if base is None:
            way.pop()
            if way:
                above = id(way[-1][0])
                lowest[above] = min(lowest[above], lowest[id(symbol)])
            if lowest[id(symbol)] == numbers[id(symbol)]:
                _close(open_, symbol)
        elif id(base) in numbers:
            if not base.is_cycle_known:
                lowest[id(symbol)] = min(lowest[id(symbol)], numbers[id(base)])
                if base is symbol:
                    symbol.cycle = symbol
        elif not base.is_cycle_known:
            enter(base)
    return start.cycle


def _close(open_: list[ClassSymbol], first: ClassSymbol) -> None:
    """All that were entered since the first of them lead to each other."""
    place = next(place for place in range(len(open_) - 1, -1, -1) if open_[place] is first)
    group = open_[place:]
    del open_[place:]
    for symbol in group:
        symbol.is_cycle_known = True
        if len(group) > 1:
            symbol.cycle = first


def _bases(lookup: Lookup, symbol: ClassSymbol) -> Iterator[ClassSymbol]:
    """The bases that are certain: what is replaceable or redeclared may be something else in every use."""
    if symbol.is_class_extends:
        return
    for name in symbol.base_names:
        meaning = lookup.base_named(symbol, name)
        base = meaning.symbol
        if isinstance(base, ClassSymbol) and meaning.is_certain and not _is_redeclared(base):
            yield base


def _is_redeclared(symbol: ClassSymbol) -> bool:
    return symbol.element is not None and "redeclare" in symbol.element.prefixes
