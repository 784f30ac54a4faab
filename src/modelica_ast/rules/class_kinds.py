"""What the kind of a class allows: sections, prefixes, components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from modelica_ast.rules.class_text import NOT_IN_FUNCTIONS
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics import Builtin, Definition, Environment, Meaning, Member
from modelica_ast.tree import (
    AlgorithmSection,
    ClassAnnotation,
    ClassDefinition,
    ComponentReference,
    EquationSection,
    ExternalClause,
    ProtectedSection,
    Section,
    Token,
)

_ONLY_PUBLIC: Final = frozenset({"record", "connector"})
_NO_BEHAVIOUR: Final = frozenset({"record", "connector", "package", "type", "operator"})
_FORBIDDEN_PREFIXES: Final = {
    "record": frozenset("input output inner outer stream flow".split()),
    "connector": frozenset("inner outer".split()),
    "function": frozenset("inner outer".split()),
}
_FORMAL: Final = frozenset({"input", "output"})


def check_class_kind(check: ClassCheck) -> None:
    """All that the kind of a class forbids."""
    definition = check.definition
    if isinstance(definition.view, ClassDefinition):
        _sections(check, definition.kind, definition.view)
    _prefixes(check)
    if definition.kind == "package":
        _constants_only(check)
    if definition.kind == "function":
        _function_components(check)
        _function_text(check)


def _sections(check: ClassCheck, kind: str, definition: ClassDefinition) -> None:
    bodies = 0
    for section in definition.sections:
        what = _name_of(section)
        forbidden = (
            (kind in _NO_BEHAVIOUR and what in {"equation", "algorithm"})
            or (kind in _ONLY_PUBLIC and what == "protected")
            or (kind != "function" and what == "external")
            or (kind == "function" and (what == "equation" or _is_initial(section)))
        )
        if what and forbidden:
            shown = f"initial {what}" if _is_initial(section) else what
            article = "an" if kind[0] in "aeiou" else "a"
            check.add("section-not-allowed", section, f"{article} {kind} has no '{shown}' section")
        elif kind == "function" and what in {"algorithm", "external"}:
            bodies += 1
            if bodies > 1:
                check.add("second-body", section, "a function has one 'algorithm' or one 'external', not more")


def _name_of(section: Section) -> str:
    match section:
        case EquationSection():
            return "equation"
        case AlgorithmSection():
            return "algorithm"
        case ExternalClause():
            return "external"
        case ProtectedSection():
            return "protected"
        case ClassAnnotation() if section.equations:
            return "equation"
        case _:
            return ""


def _is_initial(section: Section) -> bool:
    return isinstance(section, EquationSection | AlgorithmSection) and section.initial is not None


def _prefixes(check: ClassCheck) -> None:
    kind = check.definition.kind
    forbidden = _FORBIDDEN_PREFIXES.get(kind, frozenset())
    if not forbidden:
        return
    for component in check.components:
        for prefix in component.prefixes:
            if prefix in forbidden:
                message = f"an element of a {kind} can't be '{prefix}'"
                check.add("prefix-not-allowed", component.identifier, message)


def _constants_only(check: ClassCheck) -> None:
    for component in check.components:
        if "constant" not in component.prefixes:
            check.add(
                "package-variable",
                component.identifier,
                f"'{component.name}' is not constant: a package has constants and classes only",
            )


# ---------------------------------------------------------------- functions


def _function_components(check: ClassCheck) -> None:
    for component in check.components:
        if component.element is None or component.element.is_protected or _FORMAL & set(component.prefixes):
            continue
        found = check.lookup.class_of(component).symbol
        written = found.written if isinstance(found, Environment) else None
        if found is None or (written is not None and written.kind in {"connector", "type"} and written.extends):
            continue  # its type may bring the prefix
        check.add(
            "public-in-function",
            component.identifier,
            f"'{component.name}' is public and neither input nor output",
            "declare local variables after 'protected'",
        )


def _function_text(check: ClassCheck) -> None:
    for when in check.text.whens:
        check.add("not-in-function", when, "a function has no 'when'")
    for place in check.text.calls:
        function = place.view.function
        name = place.view.name
        if name not in NOT_IN_FUNCTIONS:
            continue
        is_builtin = isinstance(function, Token) or (
            isinstance(function, ComponentReference) and isinstance(check.lookup.first(check.scope, name), Builtin)
        )
        if is_builtin:
            check.add("not-in-function", place.view, f"a function can't use '{name}'")


# ---------------------------------------------------------------- cycles
# Classes that inherit from themselves, over however many others.


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
