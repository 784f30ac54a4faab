"""Modifiers on their way to what they modify.

What is in parentheses is taken apart into single modifiers, each with the rest of its way: `a(b(start=1), c=2)`
becomes `a.b.start = 1` and `a.c = 2`. Each remembers where it is written and where its expression is to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from modelica_ast.semantics.definitions import Declared, Definition, Target, place_of
from modelica_ast.tree import (
    Argument,
    Arguments,
    Call,
    ComponentClause1,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    Expression,
    InheritanceModification,
    Modification,
    NamedArgument,
    PartialApplication,
    Token,
    View,
)

Names = tuple[str, ...]
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)  # what reads a modifier of some scope may read that of a special one


class Modifier(Generic[S_co]):
    """One modifier: a value, or a redeclaration."""

    __slots__ = ("is_each", "is_final", "member", "names", "redeclared", "scope", "value", "view")

    def __init__(
        self,
        names: Names,
        view: View,
        scope: S_co,
        *,
        value: Expression | Token | PartialApplication | None = None,
        redeclared: Declared | Definition | None = None,
        is_each: bool = False,
        is_final: bool = False,
        member: Names = (),
    ) -> None:
        self.names = names  # the way that is left; empty where it has arrived
        self.view = view  # the argument or modification that it is written as
        self.scope = scope  # what its names are looked up in
        self.value = value
        self.redeclared = redeclared
        self.is_each = is_each
        self.is_final = is_final
        self.member = member  # the value is this member of what is written

    def __repr__(self) -> str:
        return f"<Modifier {'.'.join(self.names) or '='} {' '.join(self.view.text.split())}>"

    @property
    def place(self) -> Target:
        """Where it is written: the file, and the path of the argument or modification in its tree."""
        return place_of(self.view)

    @property
    def line(self) -> int:
        """The line that it is written in."""
        return self.view.position.line

    @property
    def text(self) -> str:
        """The value as it is written, '' for a redeclaration; of a record's member the whole record."""
        return "" if self.value is None else self.value.text

    @property
    def is_break(self) -> bool:
        """Is it `x = break`, which takes a binding away?"""
        return isinstance(self.value, Token) and self.value.text == "break"

    def with_names(self, names: Names) -> Modifier[S_co]:
        """The same with another way to go."""
        return Modifier(
            names,
            self.view,
            self.scope,
            value=self.value,
            redeclared=self.redeclared,
            is_each=self.is_each,
            is_final=self.is_final,
            member=self.member,
        )

    def valued(self, value: Expression | PartialApplication, view: View) -> Modifier[S_co]:
        """Another value, from inside this one's."""
        return Modifier((), view, self.scope, value=value, is_each=self.is_each, is_final=self.is_final)

    def of_member(self, name: str) -> Modifier[S_co]:
        """A member of this one's value."""
        found = self.with_names(())
        found.member = (*self.member, name)
        return found


def from_modification(modification: Modification | None, scope: S) -> list[Modifier[S]]:
    """The modifiers after a declared name: what is in parentheses, and the value."""
    if modification is None:
        return []
    found = [Modifier((), modification, scope, value=modification.value)] if modification.value is not None else []
    return [*found, *from_arguments(modification.arguments, scope)]


def from_arguments(arguments: Arguments | None, scope: S) -> list[Modifier[S]]:
    """The modifiers in parentheses, in source order."""
    found: list[Modifier[S]] = []
    todo: list[tuple[Argument, Names, bool, bool]] = [(item, (), False, False) for item in _reversed(arguments)]
    while todo:
        item, before, is_each, is_final = todo.pop()
        if isinstance(item, ElementModification):
            names = (*before, *item.name.parts)
            is_each, is_final = is_each or item.each is not None, is_final or item.final is not None
            if item.value is not None:
                found.append(Modifier(names, item, scope, value=item.value, is_each=is_each, is_final=is_final))
            todo += [(inner, names, is_each, is_final) for inner in _reversed(item.arguments)]
        elif isinstance(item, ElementRedeclaration | ElementReplaceable):
            declared = item.declared
            name = declared.declaration.name if isinstance(declared, ComponentClause1) else declared.name
            is_final = is_final or item.final is not None
            found.append(Modifier((*before, name), item, scope, redeclared=declared, is_final=is_final))
    return found


def _reversed(arguments: Arguments | None) -> Iterator[Argument]:
    return reversed(arguments.items) if arguments is not None else iter(())


class Broken:
    """What `extends B(break c, break connect(a, b))` leaves out."""

    __slots__ = ("connections", "names")

    def __init__(
        self, names: frozenset[str] = frozenset(), connections: frozenset[frozenset[str]] = frozenset()
    ) -> None:
        self.names = names
        self.connections = connections

    def with_arguments(self, arguments: Arguments | None) -> Broken:
        """This and what the arguments of an extends clause leave out; itself if that is nothing."""
        if arguments is None:
            return self
        names: set[str] = set()
        connections: set[frozenset[str]] = set()
        for item in arguments.items:
            if isinstance(item, InheritanceModification):
                if item.identifier is not None and item.left is None:
                    names.add(item.identifier.text)
                elif item.left is not None and item.right is not None:
                    connections.add(frozenset((str(item.left), str(item.right))))
        if not names and not connections:
            return self
        return Broken(self.names | names, self.connections | connections)


def member_of_value(modifier: Modifier[S], name: str) -> list[Modifier[S]]:
    """The value of a component that the value of the record around it gives; none if it leaves that to the class.

    `Inertia(m=1)` sets m, `other` sets it to other.m.
    """
    value = modifier.value
    if not isinstance(value, Expression) or modifier.is_break:
        return []
    if modifier.member or not isinstance(value, Call):
        return [modifier.of_member(name)]
    arguments = [child for child in value.arguments.children if isinstance(child, NamedArgument | Expression)]
    for argument in arguments:
        if isinstance(argument, NamedArgument) and argument.name == name:
            return [modifier.valued(argument.value, argument)]
    return [modifier.of_member(name)]
