"""Where in a tree a pattern can match: only what the grammar allows there is looked at, the outermost first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from attrs import frozen

from modelica_ast.patterns.matcher import match
from modelica_ast.patterns.stretches import (
    Fingerprints,
    State,
    Stretch,
    declarations_alone,
    import_run,
    imported_name_at,
)
from modelica_ast.patterns.trees import Tree
from modelica_ast.syntax import KINDS, Node, accepted, leaf_rule, place_code, production, symbol, symbols_at, token_text

_NAME_RULES: Final = frozenset({"type_specifier", "name"})
_NO_EXPRESSIONS: Final = frozenset({"", "description_string", "annotation_clause", *_NAME_RULES})
# A call on its own is an equation or a statement, and found as such.
_CALLS: Final = frozenset({"call_equation", "call_statement"})
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*+|'(?:[^'\\]|\\.)*+'")
_ITEMS: Final = {"equation": "_equation", "statement": "_statement", "element": "_element", "argument": "_argument"}
Accept = Callable[[Tree, Stretch, State], bool]


@frozen(eq=False)
class Found:
    """One match: where, by which reading of the pattern, and what its metavariables stand for."""

    tree: Tree
    place: Stretch
    state: State
    number: int | None = None  # of the component, if it is one of `Real a, b;`


def literal_words(tree: Tree, green: Any = None) -> frozenset[str]:
    """The words that every match contains: a text without one of them needs no look."""
    found: set[str] = set()
    todo = [tree.green if green is None else green]
    while todo:
        part = todo.pop()
        if tree.metavariable(part) is not None or tree.full_name(part) is not None:
            continue  # a class that is named exactly may be written in other words
        if type(part) is tuple:
            todo += part[1:]
        elif _WORD.fullmatch(word := token_text(part)) and word not in tree.metavariables:
            found.add(word)
    # An annotation of which the pattern demands nothing may be missing.
    return frozenset(found - {"annotation"})


def outermost(found: list[Found]) -> list[Found]:
    """In source order, without those that lie inside others."""
    found.sort(key=lambda one: (one.place.path, one.number or 0))
    kept: list[Found] = []
    for one in found:
        last = kept[-1].place.path if kept else None
        is_inside = last is not None and one.place.path[: len(last)] == last
        if not is_inside or (one.number is not None and one.place.path == last):
            kept.append(one)
    return kept


def search(root: Node, tree: Tree, accept: Accept, *, annotations: bool) -> Iterator[Found]:
    """All matches of one reading of a pattern; what is inside a match is not looked at."""
    wanted = _wanted(tree)
    prints = Fingerprints()

    def first(place: Stretch) -> State | None:
        return next((state for state in match(tree, place, prints) if accept(tree, place, state)), None)

    # Places, not paths: in a tree of 2,000 levels each path would be as long.
    stack: list[tuple[Any, Stretch | None, Any]] = [(root, None, None)]
    while stack:
        node, place, around = stack.pop()
        kind = KINDS[node[0]]
        if place is not None and kind in wanted.kinds:
            found = list(_found_at(place, around, tree, first))
            if found:
                yield from found
                continue
        if wanted.leaves:
            yield from _leaf_matches(node, place, tree, first)
        for index in range(len(node) - 1, 0, -1):
            child = node[index]
            if type(child) is not tuple or KINDS[child[0]] not in wanted.ways:
                continue
            if KINDS[child[0]] != "annotation_clause" or annotations or tree.kind == "annotation":
                stack.append((child, _child_of(place, child, index), node))


def _child_of(place: Stretch | None, child: Any, index: int) -> Stretch:
    """A child of a place, or of the root."""
    return Stretch(child, place if place is not None else (), index, index + 1)


@frozen
class _Wanted:
    kinds: frozenset[str]
    ways: frozenset[str]  # kinds of nodes that are, or can have inside, what is wanted
    leaves: bool = False  # can a lone leaf match?


def _wanted(tree: Tree) -> _Wanted:
    metavariable = tree.metavariable(tree.green)
    kind = symbol(tree.green)
    if tree.kind == "expression":
        is_name = kind in ("component_reference", "IDENT")
        kinds = frozenset({"component_reference"} if is_name else {kind})
        if metavariable is not None:
            kinds = accepted("expression")
        return _Wanted(kinds, _ways_to("expression", "component_reference"), is_name or type(tree.green) is str)
    if tree.kind == "name":
        return _Wanted(_NAME_RULES, _ways_to("type_specifier", "name", "import_clause"), leaves=True)
    kinds = accepted(_ITEMS[tree.kind]) - {"unparsed"} if metavariable is not None else frozenset({kind})
    return _Wanted(kinds, _ways_to(*sorted(kinds)))


@cache
def _ways_to(*symbols: str) -> frozenset[str]:
    """Kinds of nodes that are, or can contain, one of these."""
    wanted = set(symbols)
    inside: dict[str, set[str]] = {}
    for number, kind in enumerate(KINDS):
        if kind != "fragment":
            names = production(number).symbols
            inside.setdefault(kind, set()).update(names, *(accepted(name) for name in names))
    changed = True
    while changed:
        new = {kind for kind, names in inside.items() if kind not in wanted and names & wanted}
        changed = bool(new)
        wanted |= new
    return frozenset(wanted)


_First = Callable[[Stretch], State | None]  # the first way in which a place matches and is accepted


def _found_at(place: Stretch, around: Any, tree: Tree, first: _First) -> Iterator[Found]:
    if tree.kind == "expression" and KINDS[around[0]] in _CALLS:
        return
    if tree.kind == "name" and not _names_class(around):
        return
    state = first(place)
    if state is not None:
        yield Found(tree, place, state)
    elif KINDS[place.green[0]] == "element" and tree.kind == "element":
        for number, alone in enumerate(declarations_alone(place)):
            state = first(alone)
            if state is not None:
                yield Found(tree, alone, state, number)


def _leaf_matches(node: Any, around: Stretch | None, tree: Tree, first: _First) -> Iterator[Found]:
    """Matches that are lone leaves, and the name of an import clause, which is none of its nodes."""
    is_import = KINDS[node[0]] == "import_clause"
    run = import_run(node) if is_import else None
    places = [imported_name_at(around, run)] if run is not None and around is not None and tree.kind == "name" else []
    for index in range(1, len(node)):
        if type(node[index]) is str and run is None:
            rule = _rule_of_leaf(node, index)
            if (rule in _NAME_RULES and _names_class(node)) if tree.kind == "name" else rule not in _NO_EXPRESSIONS:
                places.append(_child_of(around, node[index], index))
    for place in places:
        state = first(place)
        if state is not None:
            yield Found(tree, place, state)


def _names_class(node: Any) -> bool:
    """Is a name in this node that of a class? A modifier has one too, and the package of a file."""
    return KINDS[node[0]] not in ("element_modification", "within_clause")


def _rule_of_leaf(node: Any, index: int) -> str:
    """The rule that a leaf is all of, by its place: in `x = a` both leaves are references."""
    terminal = symbol(node[index])
    names = symbols_at(node[0], place_code(node[0], index, len(node)))
    return next((rule for name in names if (rule := leaf_rule(name, terminal))), "")
