"""Conversion rules (section 18.8.2 of the specification) and which of them speaks of a name.

All names in rules are names of the old library. A class has one fate: the longest rule that fits its name decides,
so a rule for `A.B` goes before one for `A`. Rules know nothing of each other, their order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from modelica_ast.record import Record
from modelica_ast.semantics.definitions import FullName
from modelica_ast.strings import quote


class Rule(Record):
    """A rule and the line of the script that it stands in; 0 if it stands in no script."""

    line: int


class ConvertClass(Rule):
    """A class, with all that is inside it, has another name."""

    old: FullName
    new: FullName

    def __str__(self) -> str:
        return _call("convertClass", self.old, self.new)


class ConvertClassIf(Rule):
    """A class has another name where an element has a certain value; the modifier of the element goes."""

    old: FullName
    element: FullName
    value: str  # as Modelica
    new: FullName

    def __str__(self) -> str:
        return _call("convertClassIf", self.old, self.element, (self.value,), self.new)


class ConvertElement(Rule):
    """An element of a class has another name."""

    class_: FullName
    old: FullName
    new: FullName

    def __str__(self) -> str:
        return _call("convertElement", self.class_, self.old, self.new)


class OldModifier(Record):
    """A modifier that goes, and the value (as Modelica) that it has where it is not written; '' if there is none."""

    path: FullName
    default: str

    def __str__(self) -> str:
        name = ".".join(self.path)
        return f"{name}={self.default}" if self.default else name


class ConvertModifiers(Rule):
    """Modifiers of a class are replaced by others, in which `%old%` stands for an old value."""

    class_: FullName
    old: tuple[OldModifier, ...]
    new: tuple[str, ...]
    simplify: bool = False
    by_hand: str = ""  # why a person has to do it; '' if it can be done here

    @property
    def depends_on_connections(self) -> bool:
        """Is it for components that are, or are not, connected?"""
        return any(old.path[0].startswith("cardinality(") for old in self.old)

    def __str__(self) -> str:
        lists = (", ".join(quote(str(item)) for item in items) for items in (self.old, self.new))
        return f"convertModifiers({quote('.'.join(self.class_))}, {', '.join(f'{{{items}}}' for items in lists)})"


class ConvertMessage(Rule):
    """A class, or an element of it, that nobody can convert automatically; the message says what to do."""

    class_: FullName
    message: str
    element: FullName = ()

    def __str__(self) -> str:
        return _call("convertMessage", self.class_, (self.message,), *([self.element] if self.element else []))


def _call(function: str, *arguments: FullName) -> str:
    return f"{function}({', '.join(quote('.'.join(argument)) for argument in arguments)})"


class Verdict(NamedTuple):
    """What becomes of a name, and by which rule: the same name if there is none, or only a message."""

    new: FullName
    rule: Rule | None


class Rules:
    """The rules of a script."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.all = tuple(rules)
        self.class_ifs: dict[FullName, list[ConvertClassIf]] = {}
        self.modifiers: dict[FullName, list[ConvertModifiers]] = {}
        self.elements: dict[FullName, list[ConvertElement]] = {}
        self._classes: dict[FullName, ConvertClass] = {}
        self._elements: dict[FullName, ConvertElement] = {}  # by the class's name and the element's, joined
        self._messages: dict[FullName, ConvertMessage] = {}  # likewise
        self._known: set[FullName] = set()  # everything that a rule names, with all that is around it
        for rule in self.all:
            self._take(rule)
        self.roots = frozenset(name[0] for name in self._known if name)
        self.element_names = frozenset(part for rule in self._elements.values() for part in rule.old)
        last = {name[-1] for name in self._named()}
        modified = {old.path[0] for rules in self.modifiers.values() for rule in rules for old in rule.old}
        # Every text that the rules change has one of these words in it.
        self.words = self.roots | last | modified | self.element_names

    def _take(self, rule: Rule) -> None:
        match rule:
            case ConvertClass():
                self._classes[rule.old] = rule
                self._know(rule.old)
            case ConvertClassIf():
                self.class_ifs.setdefault(rule.old, []).append(rule)
                self._know(rule.old)
            case ConvertElement():
                self.elements.setdefault(rule.class_, []).append(rule)
                self._elements[rule.class_ + rule.old] = rule
                self._know(rule.class_ + rule.old)
            case ConvertModifiers():
                self.modifiers.setdefault(rule.class_, []).append(rule)
                self._know(rule.class_)
            case ConvertMessage():
                self._messages[rule.class_ + rule.element] = rule
                self._know(rule.class_ + rule.element)

    def _know(self, name: FullName) -> None:
        self._known |= {name[:length] for length in range(1, len(name) + 1)}

    def _named(self) -> list[FullName]:
        tables = (self._classes, self._elements, self._messages, self.class_ifs, self.modifiers)
        return [name for table in tables for name in table]

    def __len__(self) -> int:
        return len(self.all)

    def know(self, name: FullName) -> bool:
        """Does a rule name this, or something inside it?"""
        return name in self._known

    def convert(self, name: FullName) -> Verdict:
        """What becomes of a full name of the old library."""
        for length in range(len(name), 0, -1):
            known, rest = name[:length], name[length:]
            if known in self._classes:
                rule = self._classes[known]
                return Verdict(rule.new + rest, rule)
            if known in self._messages:
                return Verdict(name, self._messages[known])
            if known in self._elements:
                element = self._elements[known]
                return Verdict(self.convert(element.class_).new + element.new + rest, element)
        return Verdict(name, None)
