"""What the grammar says about a node's children: where a symbol is, and what a lone leaf stands for.

Lark has expanded `?` and `*`, so in each production every symbol has a fixed place: counted from the front
before the production's list, from the back after it. That is all a typed view needs to find its fields.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

from modelica_ast.syntax import _table
from modelica_ast.syntax.green import symbol
from modelica_ast.syntax.lalr import Green, Node
from modelica_ast.syntax.tables import EOF, KINDS, NUMBER, SYMBOLS, TERMINALS, production

LISTS: Final = frozenset(_table.LISTS.split())


@cache
def _rules() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """(rule, kind of the node that it makes or '', symbols) for every alternative of every rule."""
    lines = (line.split() for line in _table.RULES.splitlines())
    return tuple((origin, "" if kind == "-" else kind, tuple(symbols)) for origin, kind, *symbols in lines)


@cache
def _expansions() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for origin, kind, symbols in _rules():
        found.setdefault(origin, []).append((kind, symbols))
    return found


# Two words are two terminals each, and a leaf on its own does not show which: its place does.
_TWINS: Final = {"END": "END_SUBSCRIPT", "INITIAL": "INITIAL_SECTION"}


def can_be(name: str, allowed: frozenset[str]) -> bool:
    """Can what `green.symbol` calls `name` be where the grammar allows these?"""
    return name in allowed or _TWINS.get(name) in allowed


def is_terminal(name: str) -> bool:
    """Is it a terminal of the grammar (or the end of the text)?"""
    return NUMBER.get(name, 0) <= TERMINALS


@cache
def _all_accepted() -> dict[str, frozenset[str]]:
    accepted: dict[str, set[str]] = {name: {name} for name in NUMBER if is_terminal(name)}
    accepted.update({origin: set() for origin in _expansions()})
    changed = True
    while changed:
        changed = False
        for origin, kind, symbols in _rules():
            new = {kind} if kind else set().union(*(accepted[s] for s in symbols))
            if not new <= accepted[origin]:
                accepted[origin] |= new
                changed = True
    return {name: frozenset(kinds) for name, kinds in accepted.items()}


def accepted(name: str) -> frozenset[str]:
    """Kinds and terminals that can be where the grammar says `name` (in a list: for each of its items)."""
    return _all_accepted()[name]


@cache
def leaf_rule(name: str, terminal: str) -> str:
    """The rule that a lone leaf stands for where the grammar says `name`, or '' for a mere token.

    In `x = a` the leaf `a` is all there is of a `component_reference`; the leaf `=` is a token.
    """
    if name == terminal or is_terminal(name):
        return ""
    if terminal not in accepted(name) and terminal in _TWINS:
        return leaf_rule(name, _TWINS[terminal])
    for kind, symbols in _expansions()[name]:
        if kind:
            continue
        for part in symbols:
            if part == terminal:
                return "" if name.startswith("_") else name
            if not is_terminal(part) and part != name and terminal in accepted(part):
                return leaf_rule(part, terminal) or ("" if name.startswith("_") else name)
    return ""


@cache
def list_places(number: int) -> tuple[int, ...]:
    """Which symbols of a production are lists."""
    return tuple(i for i, s in enumerate(production(number).symbols) if s in LISTS)


@cache
def fixed_places(number: int) -> tuple[int, int]:
    """How many children come before a production's lists, and how many after them."""
    symbols, lists = production(number).symbols, list_places(number)
    return (lists[0], len(symbols) - 1 - lists[-1]) if lists else (len(symbols), 0)


def place_code(number: int, index: int, size: int) -> int:
    """One number for all equal places: positive from the front, negative from the back, 0 inside the lists."""
    front, back = fixed_places(number)
    if index <= front:
        return index
    return index - size if size - index <= back else 0


def symbols_at(number: int, place: int) -> tuple[str, ...]:
    """The grammar symbols that can be at a place, given as a `place_code`."""
    symbols = production(number).symbols
    if place:
        return (symbols[place - 1 if place > 0 else place],)
    lists = list_places(number)
    return symbols[lists[0] : lists[-1] + 1]


@cache
def place_of(number: int, name: str, nth: int) -> int | None:
    """Index of the nth child that the grammar calls `name`; negative after a list; None if there is none."""
    symbols, lists = production(number).symbols, list_places(number)
    hits = [i for i, s in enumerate(symbols) if s == name]
    if len(hits) <= nth:
        return None
    hit = hits[nth]
    if not lists or hit < lists[0]:
        return hit + 1
    return hit - len(symbols)


@cache
def range_of(number: int, name: str) -> tuple[int, int]:
    """(start, stop) of the children among which the items called `name` are; stop counts from the back."""
    symbols = production(number).symbols
    wanted = accepted(name)
    hits = [i for i, s in enumerate(symbols) if accepted(s) & wanted if s in LISTS or accepted(s) <= wanted]
    if not hits:
        return 1, -len(symbols) - 1
    lists = list_places(number)
    first, last = hits[0], hits[-1]
    start = first + 1 if not lists or first <= lists[0] else lists[0] + 1
    stop = last + 1 - len(symbols) if not lists or last >= lists[-1] else lists[-1] + 1 - len(symbols)
    return start, stop


@cache
def list_items(name: str) -> tuple[str, str | None]:
    """(item, terminal between two of them or None) of one of the grammar's lists."""
    first = [symbols for _, symbols in _expansions()[name] if symbols[:1] != (name,)]
    item = next((symbols for symbols in first if len(symbols) == 2), first[0])  # noqa: PLR2004  (a comma and an item)
    return item[-1], item[0] if len(item) > 1 else None


@cache
def separators_of(kind: str) -> tuple[str, ...]:
    """The terminals that are between the items of the lists of a node kind."""
    names = {name for number in productions_of(kind) for name in production(number).symbols if name in LISTS}
    found = {list_items(name)[1] for name in sorted(names)}
    return tuple(sorted(each for each in found if each is not None and each != "DOT"))


@cache
def productions_of(kind: str) -> tuple[int, ...]:
    """All productions of a node kind."""
    return tuple(number for number, name in enumerate(KINDS) if name == kind)


_MOST_ALIKE: Final = 3  # children of a kind in a row that make a difference: what has more of them is a list


_EMPTY: Final = SYMBOLS[EOF]
_RESUMED: Final = ("RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS")


def find_production(kind: str, children: tuple[str, ...]) -> int | None:
    """The production of `kind` that these children, given by their symbols, can be a node of."""
    return _found_production(kind, _shortened(children) if len(children) > 2 * _MOST_ALIKE + 2 else children)


def _shortened(children: tuple[str, ...]) -> tuple[str, ...]:
    """Children without those that repeat what comes before them, one by one or with a comma between.

    PERF: a list of a thousand items is then one of few, which the memo knows.
    """
    kept: list[str] = []
    alike = [0, 0]  # how far back it has been the same as the one before, and as the one before that
    for each in children:
        for back in (1, 2):
            alike[back - 1] = alike[back - 1] + 1 if len(kept) >= back and kept[-back] == each else 0
        kept.append(each)
        if alike[0] >= _MOST_ALIKE:
            del kept[-1]
        elif alike[1] >= 2 * _MOST_ALIKE:
            del kept[-2:]
            alike[1] -= 2
    return tuple(kept)


@lru_cache(maxsize=4096)
def _found_production(kind: str, children: tuple[str, ...]) -> int | None:
    if kind == "class_annotation" and _EMPTY in children:
        # What goes on after it follows an empty token, and what that is follows from what goes on.
        at = children.index(_EMPTY)
        tried = (_found_production(kind, (*children[:at], each, *children[at + 1 :])) for each in _RESUMED)
        return next((number for number in tried if number is not None), None)
    for number in productions_of(kind):
        if len(children) in _ends_of_sequence(production(number).symbols, children, {0}):
            return number
    return None


def _ends_of_sequence(symbols: tuple[str, ...], children: tuple[str, ...], starts: set[int]) -> set[int]:
    """Where a match of all symbols in turn can end, for a match that begins at one of `starts`."""
    for name in symbols:
        if not starts:
            break
        if name in LISTS:
            starts = _ends_of_list(name, children, starts)
        else:
            allowed = accepted(name)
            starts = {at + 1 for at in starts if at < len(children) and can_be(children[at], allowed)}
    return starts


def _ends_of_list(name: str, children: tuple[str, ...], starts: set[int]) -> set[int]:
    """The same for a list: a first stretch, then any number of further ones."""
    expansions = [symbols for _, symbols in _expansions()[name]]
    first = [symbols for symbols in expansions if symbols[:1] != (name,)]
    further = [symbols[1:] for symbols in expansions if symbols[:1] == (name,)]
    new = set().union(*(_ends_of_sequence(symbols, children, starts) for symbols in first))
    found: set[int] = set()
    while new - found:
        found |= new
        new = set().union(*(_ends_of_sequence(symbols, children, new) for symbols in further))
    return found


def make_node(kind: str, *children: Green) -> Node:
    """The node of `kind` with these children; ValueError if the grammar has no such node."""
    symbols = tuple(symbol(child) for child in children)
    number = find_production(kind, symbols)
    if number is None:
        raise ValueError(f"the grammar has no {kind} of {', '.join(symbols) or 'nothing'}")
    return (number, *children)


def child(node: Any, name: str, nth: int = 0) -> tuple[int, Any] | None:
    """(index, green) of a child by its grammar name, or None."""
    place = place_of(node[0], name, nth)
    if place is None:
        return None
    index = place if place > 0 else len(node) + place
    return index, node[index]
