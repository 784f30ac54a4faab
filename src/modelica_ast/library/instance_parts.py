"""What an instance tree hands out beside its components: expressions with their scope, dimensions, connections."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.edit.scopes import Target
from modelica_ast.library.arithmetic import Value
from modelica_ast.library.class_bodies import place_of
from modelica_ast.library.environments import Environment
from modelica_ast.library.evaluation import Evaluation
from modelica_ast.record import Record
from modelica_ast.traverse import walk
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassAnnotation, ClassDefinition
from modelica_ast.views.equations import ConnectEquation, EquationSection


class Connection(Record):
    """A connect equation of a class, or of one that it inherits from."""

    left: str
    right: str
    place: Target
    line: int
    declared_in: str


class Bound:
    """An expression with the scope that it has to be read in."""

    def __init__(self, expression: Expression, scope: Environment) -> None:
        self.expression = expression
        self.scope = scope

    def __repr__(self) -> str:
        return f"<Bound {self.text}>"

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return self.expression.text

    @property
    def scope_name(self) -> str:
        """The full name of the class that it is written in."""
        return self.scope.full_name

    @property
    def value(self) -> Value:
        """Its value, None if it can't be decided."""
        return Evaluation().of(self.expression, self.scope)


class Dimension(Record):
    """One dimension of an array."""

    text: str  # as it is written, `:` for an open one
    size: int | None  # None if it is not known
    expression: Bound | None  # None for an open one


def connections_of(environment: Environment) -> Iterator[Connection]:
    """The connections of a class and of those that it inherits from; what `break` takes out is not among them."""
    for part in environment.ancestry():
        if not isinstance(part.definition, ClassDefinition):
            continue
        name = part.full_name
        for section in part.definition.sections:
            is_normal = isinstance(section, EquationSection) and section.initial is None
            if not is_normal and not isinstance(section, ClassAnnotation):
                continue
            for view in walk(section, annotations=False):
                if isinstance(view, ConnectEquation) and not _is_broken(part, view):
                    left, right = str(view.left), str(view.right)
                    yield Connection(left, right, place_of(view), view.position.line, name)


def _is_broken(part: Environment, view: ConnectEquation) -> bool:
    ends = {view.left.parts[0], view.right.parts[0]}
    return bool(ends & part.broken.names) or frozenset((str(view.left), str(view.right))) in part.broken.connections
