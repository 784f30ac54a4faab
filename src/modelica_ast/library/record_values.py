"""What the value of a record says about its components: `Inertia(m=1)` sets m, `other` sets it to other.m."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from modelica_ast.library.instance_modifiers import Modifier
from modelica_ast.views.base import Expression
from modelica_ast.views.expressions import Call, NamedArgument
from modelica_ast.views.names import ComponentReference


class KnowsRecords(Protocol):
    """A scope in which a name can be that of a record."""

    def names_record(self, parts: Sequence[str], *, is_global: bool) -> bool:
        """Does a dotted name stand for a record?"""


S = TypeVar("S", bound=KnowsRecords)


def member_of_value(modifier: Modifier[S], name: str) -> list[Modifier[S]]:
    """The value of a component that the value of the record around it gives; none if it leaves that to the class."""
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


def is_constructor(call: Call, scope: KnowsRecords) -> bool:
    """Is it the constructor of a record, `Inertia(m=1)`?"""
    name = call.function
    return isinstance(name, ComponentReference) and scope.names_record(name.parts, is_global=name.is_global)
