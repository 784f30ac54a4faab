"""Does a subtree look like a pattern? The goals of a match, one for each way in which two trees can be alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

from attrs import frozen

from modelica_ast.edit import argument_name
from modelica_ast.patterns.stretches import (
    ELEMENT_WORDS,
    OPTIONAL_PARTS,
    WORD_NODES,
    Fingerprints,
    Note,
    State,
    Stretch,
    import_run,
    is_comma,
    name_of_run,
    part_of,
    with_name_grouped,
)
from modelica_ast.patterns.trees import NAMES, Tree
from modelica_ast.syntax import KINDS, NUMBER, Green, kind_of, symbol, token_text

# ---------------------------------------------------------------- goals
# The search for one match, without recursion: goals that are still to be met, and ways that are still to be tried.
#
# A goal gives its alternatives: further goals, and what is bound then. The engine follows the first and comes back to
# the others when it leads nowhere.


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


# ---------------------------------------------------------------- matching names
# Dotted names: `$A.flange_a` is any reference that ends so, and `$A` is all that comes before.


@frozen(eq=False)
class Part:
    """An identifier of a dotted name with its subscripts: indices among the children of its node, from 1."""

    name: str
    first: int  # the dot before a full name belongs to its first part
    identifier: int
    subscripts: int | None

    @property
    def last(self) -> int:
        """After it."""
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
        """A metavariable takes as many parts as it can, and leaves one for each part after it."""
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


# ---------------------------------------------------------------- matching

_IDENT: Final = NUMBER["IDENT"]
# `$T $x` is about the identifier, whatever else is in the declaration.
_IDENTIFIER_ONLY: Final = frozenset({"component_declaration", "component_declaration1"})


def match(tree: Tree, place: Stretch, prints: Fingerprints) -> Iterator[State]:
    """Every way in which a place looks like a pattern; `prints` is the memo of the search."""
    return solutions(Alike(tree, tree.green, place), State({}, prints))


def is_name(green: Green) -> bool:
    """A lone identifier or a dotted name?"""
    return KINDS[green[0]] in NAMES if type(green) is tuple else kind_of(green) == _IDENT  # type: ignore[arg-type]


@frozen(eq=False)
class Alike:
    """A subtree looks like a part of the pattern."""

    tree: Tree
    pattern: Any
    place: Stretch

    def ways(self, state: State) -> Iterator[Way]:
        """At most one: the choices are made further down."""
        pattern, green = self.pattern, self.place.green
        metavariable = self.tree.metavariable(pattern)
        if metavariable is not None and not self._is_about_identifier():
            bound = state.bind(metavariable, self.place)
            if bound is not None:
                yield (), bound
        elif is_name(green) and self.tree.full_name(pattern) is not None:
            yield (), state.named(pattern, self.place)
        elif self.tree.is_literal(pattern):
            if state.prints.are_same(pattern, green):
                yield (), state
        elif is_name(pattern) and is_name(green):
            yield (Names(self.tree, pattern, self.place, self._alike),), state
        elif type(pattern) is tuple and type(green) is tuple:
            if KINDS[pattern[0]] == KINDS[green[0]]:
                yield from self._nodes(state)
        elif type(pattern) is str and type(green) is str and token_text(pattern) == token_text(green):
            yield (), state

    def _is_about_identifier(self) -> bool:
        return type(self.pattern) is tuple and KINDS[self.pattern[0]] in _IDENTIFIER_ONLY

    def _alike(self, pattern: Any, place: Stretch) -> Goal:
        return Alike(self.tree, pattern, place)

    def _nodes(self, state: State) -> Iterator[Way]:
        kind = KINDS[self.pattern[0]]
        if kind in WORD_NODES:
            found = _with_words(self.pattern, self.place.children, self.pattern[1:], WORD_NODES[kind], state)
            if found is not None:
                yield (), found
        elif kind == "class_modification":
            yield from self._arguments(state)
        elif kind == "connect_equation":
            yield from self._connection(state)
        else:
            yield from self._parts(kind, state)

    # ------------------------------------------------------------ nodes with parts

    def _parts(self, kind: str, state: State) -> Iterator[Way]:
        """Optional parts that the pattern does not mention are noted and left out; the others are in order."""
        pattern, place = grouped(self.pattern), with_name_grouped(self.place)
        wanted = dict(enumerate(pattern[1:], 1))
        there = {index: place.child(index) for index in range(1, len(place.green))}
        if kind == "element":
            found = self._element_words(wanted, there, state)
            if found is None:
                return
            state = found
        for name in OPTIONAL_PARTS.get(kind, ()):
            mine, its = part_of(kind, pattern, name), part_of(kind, place.green, name)
            if mine is None and its is not None:
                state = state.noted(Note(self.pattern, "kept", name, (there.pop(its),)))
            elif mine is not None and its is None:
                found = self._nothing(pattern[mine], state)
                if found is None:
                    return
                state = found
                del wanted[mine]
        if kind == "modification":
            state = self._value(wanted, there, state)
        items = tuple(green for green in wanted.values() if not is_comma(green))
        places = tuple(place for place in there.values() if not is_comma(place.green))
        yield (InOrder(self.tree, items, places),), state

    def _element_words(self, wanted: dict[int, Any], there: dict[int, Stretch], state: State) -> State | None:
        """`final`, `inner` and the like, which are in any order before what is declared."""
        mine = [i for i, green in wanted.items() if type(green) is str and token_text(green) in ELEMENT_WORDS]
        its = [i for i, place in there.items() if type(place.green) is str and token_text(place.green) in ELEMENT_WORDS]
        places = [there.pop(i) for i in its]
        return _with_words(self.pattern, places, [wanted.pop(i) for i in mine], ELEMENT_WORDS, state)

    def _value(self, wanted: dict[int, Any], there: dict[int, Stretch], state: State) -> State:
        """`(unit="m")` says nothing about the value after it."""
        if not any(type(green) is str and token_text(green) in ("=", ":=") for green in wanted.values()):
            sign = next((i for i, p in there.items() if type(p.green) is str and token_text(p.green) in ("=", ":=")), 0)
            if sign:
                state = state.noted(Note(self.pattern, "kept", "value", (there.pop(sign), there.pop(sign + 1))))
        return state

    def _nothing(self, pattern: Any, state: State) -> State | None:
        """A part that is not there looks like `($$MODS)`, with none of them, and like `()`."""
        todo = [pattern]
        while todo:
            green = todo.pop()
            metavariable = self.tree.metavariable(green)
            if metavariable is not None:
                bound = state.bind(metavariable) if metavariable.is_list else None
                if bound is None:
                    return None
                state = bound
            elif type(green) is tuple:
                if KINDS[green[0]] not in ("modification", "class_modification", "annotation_clause"):
                    return None
                todo += green[1:]
            elif token_text(green) not in ("(", ")", ",", "annotation"):
                return None
        return state

    # ------------------------------------------------------------ special nodes

    def _arguments(self, state: State) -> Iterator[Way]:
        items = [green for green in self.pattern[2:-1] if not is_comma(green)]
        places = tuple(place for place in self.place.children[1:-1] if not is_comma(place.green))
        if not places:
            state = state.noted(Note(self.pattern, "empty"))
        # Those with a name find their partner at once, so they go first.
        items.sort(key=lambda green: not self._literal_name(green))
        yield (AnyOrder(self.tree, self.pattern, tuple(items), places),), state

    def _literal_name(self, green: Any) -> bool:
        return not any(word in self.tree.metavariables for word in argument_name(green))

    def _connection(self, state: State) -> Iterator[Way]:
        """`connect(a, b)` is `connect(b, a)`."""
        places = with_name_grouped(self.place).children
        ends = [i for i, place in enumerate(places) if i in (2, 4)]
        yield from self._parts("connect_equation", state)
        one, other = (places[i] for i in ends)
        swapped = [*places[:2], other, places[3], one, *places[5:]]
        green = (self.place.green[0], *(place.green for place in swapped))
        turned = Stretch(green, self.place.parent, self.place.first, self.place.last, tuple(swapped))
        noted = state.noted(Note(self.pattern, "swapped"))
        yield from Alike(self.tree, self.pattern, turned)._parts("connect_equation", noted)  # noqa: SLF001  (its own)


def grouped(pattern: Any) -> Any:
    """A pattern's import clause with its name as one child, as `with_name_grouped` has it."""
    run = import_run(pattern) if KINDS[pattern[0]] == "import_clause" else None
    if run is None:
        return pattern
    return (*pattern[: run[0]], name_of_run("type_specifier", pattern[run[0] : run[1]]), *pattern[run[1] :])


def _with_words(
    pattern: Any, places: list[Stretch], wanted: Any, may_be_there: frozenset[str], state: State
) -> State | None:
    """The words of a pattern are all there; others may be."""
    words = {token_text(green) for green in wanted}
    if not words <= {token_text(place.green) for place in places}:
        return None
    others = tuple(place for place in places if token_text(place.green) not in words)
    if any(token_text(place.green) not in may_be_there for place in others):
        return None
    return state.noted(Note(pattern, "kept", "words", others)) if others else state


@frozen(eq=False)
class InOrder:
    """Items look like the pattern's, one after the other; `$$` takes any number of them, few first."""

    tree: Tree
    patterns: tuple[Any, ...]
    places: tuple[Stretch, ...]

    def ways(self, state: State) -> Iterator[Way]:
        """One for each number of items that the next `$$` can take."""
        goals: list[Goal] = []
        for at, pattern in enumerate(self.patterns):
            metavariable = self.tree.metavariable(pattern)
            if metavariable is not None and metavariable.is_list:
                rest = self.patterns[at + 1 :]
                left = len(self.places) - at
                fixed = sum(1 for green in rest if not self._is_list(green))
                numbers = range(left - fixed + 1) if len(rest) > fixed else range(left - fixed, left - fixed + 1)
                for number in numbers:
                    taken = self.places[at : at + number]
                    if number < 0 or not all(_is_item(place.green) for place in taken):
                        continue
                    bound = state.bind(metavariable, *taken)
                    if bound is not None:
                        yield (*goals, InOrder(self.tree, rest, self.places[at + number :])), bound
                return
            if at >= len(self.places):
                return
            goals.append(Alike(self.tree, pattern, self.places[at]))
        if len(self.patterns) == len(self.places):
            yield tuple(goals), state

    def _is_list(self, green: Any) -> bool:
        metavariable = self.tree.metavariable(green)
        return metavariable is not None and metavariable.is_list


_PUNCTUATION: Final = frozenset("( ) [ ] { } ; end then else elseif elsewhen loop for if when while".split())
_BRANCHES: Final = frozenset(
    f"{word}_{what}" for word in ("elseif", "else", "elsewhen") for what in ("equation", "statement", "expression")
)


def _is_item(green: Any) -> bool:
    """Can `$$` take it? Not what closes the list, and not the next branch."""
    return KINDS[green[0]] not in _BRANCHES if type(green) is tuple else token_text(green) not in _PUNCTUATION


@frozen(eq=False)
class AnyOrder:
    """Every argument of the pattern is there, wherever; `$$` takes the others, without it there are no others."""

    tree: Tree
    pattern: Any
    patterns: tuple[Any, ...]
    places: tuple[Stretch, ...]

    def ways(self, state: State) -> Iterator[Way]:
        """One for each argument that the next of the pattern's can be."""
        rest = None
        for number, pattern in enumerate(self.patterns):
            metavariable = self.tree.metavariable(pattern)
            if metavariable is not None and metavariable.is_list:
                rest = metavariable
                continue
            others = self.patterns[:number] + self.patterns[number + 1 :]
            name = argument_name(pattern) if symbol(pattern) != "inheritance_modification" else ()
            for at, place in enumerate(self.places):
                if any(word in self.tree.metavariables for word in name) or argument_name(place.green) == name:
                    left = self.places[:at] + self.places[at + 1 :]
                    noted = state.noted(Note(pattern, "at", "", (place,)))
                    yield (Alike(self.tree, pattern, place), AnyOrder(self.tree, self.pattern, others, left)), noted
            return
        if rest is None:
            if not self.places:
                yield (), state
        else:
            bound = state.bind(rest, *self.places)
            if bound is not None:
                yield (), bound
