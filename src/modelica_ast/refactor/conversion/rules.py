"""Conversion rules (section 18.8.2 of the specification) and which of them speaks of a name.

All names in rules are names of the old library. A class has one fate: the longest rule that fits its name decides,
so a rule for `A.B` goes before one for `A`. Rules know nothing of each other, their order does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from modelica_ast.foundation import Record
from modelica_ast.semantics import Absence, Environment, Found, FullName, Lookup, Member, Outside, Target
from modelica_ast.syntax import quote

OLD_VALUE: Final = re.compile(r"%([^%]+)%")  # in a new modifier: the value that an old one has


class Rule(Record):
    """A rule and the line of the script that it is in; 0 if it is in no script."""

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


class Unread(Record):
    """What a script has that is no rule, and is left out: the script's name, the line, and why."""

    line: int
    script: str
    reason: str

    def __str__(self) -> str:
        return f"{self.script}:{self.line}: {self.reason}"


class Verdict(NamedTuple):
    """What becomes of a name, and by which rule: the same name if there is none, or only a message."""

    new: FullName
    rule: Rule | None


class Rules:
    """The rules of a script, or of several (`one + other`)."""

    def __init__(self, rules: Iterable[Rule], unread: Iterable[Unread] = ()) -> None:
        self.all = tuple(rules)
        self.unread = tuple(unread)
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

    def __add__(self, other: Rules) -> Rules:
        return Rules(self.all + other.all, self.unread + other.unread)

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


# ---------------------------------------------------------------- names
# What a name of a user's library stands for, if that may be something of the library that is converted.
#
# The old library need not be there, and the new one has other names, so neither is looked into: a name that leads out
# of the user's libraries, to a root that the rules know, is a full name on its own (`Outside`). What a class inherits
# from outside, or imports from there with `.*`, is known only as far as the rules speak of it.

Meaning = Target | Outside | None


class Names:
    """Names in the libraries of users, asked and answered by places; `lookup` knows the rules as its outside."""

    def __init__(self, lookup: Lookup, rules: Rules, new: Lookup | None = None) -> None:
        self.lookup = lookup
        self.rules = rules
        self._new = new  # lookup in the new library, if it is there
        # PERF: the same names are in many places.
        self._firsts: dict[tuple[Target | None, str], Meaning] = {}
        self._declared: dict[Target, Found | None] = {}

    def is_gone(self, name: FullName) -> bool:
        """Is a name certainly not in the new library?"""
        if self._new is None or self._new.resolve_places((), name[:1], is_global=True)[0] is None:
            return False
        return self._new.resolve_places((), name, is_global=True)[-1] is None

    # ------------------------------------------------------------ names

    def first(self, around: Sequence[Target], name: str) -> Meaning:
        """What a simple name stands for, written inside the classes `around`."""
        key = (around[-1] if around else None, name)
        if key not in self._firsts:
            environment = self.lookup.environment_at(around[-1]) if around else None
            scope = None if environment is None else environment.scope
            self._firsts[key] = self.top(name) if scope is None else self._meaning(scope.look(name))
        return self._firsts[key]

    def top(self, name: str) -> Meaning:
        """The first part of a full name."""
        return self._meaning(self.lookup.classes.top_or_predefined(name))

    def _meaning(self, found: Found | Absence | None) -> Meaning:
        if isinstance(found, Absence):
            return found if isinstance(found, Outside) else None
        replaced = self._replaced(found) if isinstance(found, Member) else None
        return replaced or self.lookup.place(found)

    def _replaced(self, found: Member) -> Outside | None:
        """What of the old library has another name now, if this is a redeclaration of it: it gets that name."""
        if found.element is None or "redeclare" not in found.element.prefixes:
            return None
        for base in found.owner.outside_bases:
            full = (*base, found.name)
            if self.rules.convert(full).new != (*self.rules.convert(base).new, found.name):
                return Outside(full, base)
        return None

    def resolve(self, around: Sequence[Target], parts: Sequence[str], *, is_global: bool = False) -> list[Meaning]:
        """What each part of a dotted name stands for."""
        found = [self.top(parts[0]) if is_global else self.first(around, parts[0])]
        for part in parts[1:]:
            found.append(self.step(found[-1], part))
        return found

    def step(self, meaning: Meaning, part: str) -> Meaning:
        """The member of something."""
        if meaning is None or isinstance(meaning, Outside):
            return None if meaning is None else meaning.member(part)
        owner = self._at(meaning)
        if not isinstance(owner, Member | Environment):
            return None
        return self._meaning(self.lookup.classes.step(owner, part))

    def member(self, target: Target, name: str) -> Target | None:
        """A member of a class or component that is a user's own."""
        found = self.step(target, name)
        return None if isinstance(found, Outside) else found

    def _at(self, target: Target) -> Found | None:
        if target not in self._declared:
            self._declared[target] = self.lookup.declared_at(target)
        return self._declared[target]

    # ------------------------------------------------------------ classes

    def outside_of(self, meaning: Meaning) -> list[FullName]:
        """The classes of the old library that something has its members from."""
        if isinstance(meaning, Outside):
            return [meaning.name]
        owner = None if meaning is None else self._at(meaning)
        environment = owner.environment if isinstance(owner, Member) else owner
        if isinstance(environment, Environment):
            return environment.outside_bases
        absent = owner.absent_type if isinstance(owner, Member) else None
        return [] if absent is None else [absent.name]

    def type_of(self, component: Target) -> Meaning:
        """The class of a component."""
        owner = self._at(component)
        if not isinstance(owner, Member):
            return None
        return owner.absent_type if owner.environment is None else self.lookup.place(owner.environment)
