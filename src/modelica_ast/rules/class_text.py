"""What is written in a class itself, sorted by what rules ask about: one walk for all of them.

Classes inside have texts of their own. Annotations are collected and not looked into.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from modelica_ast.lexer import kind_of
from modelica_ast.semantics.definitions import Definition
from modelica_ast.views.base import LEAF_PLACES, NODE_CLASSES, View
from modelica_ast.views.classes import (
    ClassDefinition,
    LongClassSpecifier,
    ShortClassSpecifier,
)
from modelica_ast.views.components import (
    ComponentClause,
    ComponentClause1,
    ConstrainingClause,
    ExtendsClause,
    ImportClause,
)
from modelica_ast.views.equations import (
    Assignment,
    ConnectEquation,
    ForEquation,
    ForStatement,
    MultipleAssignment,
    WhenStatement,
)
from modelica_ast.views.expressions import (
    ArrayComprehension,
    Call,
    CallArguments,
    NamedArgument,
    PartialApplication,
    ReductionArguments,
)
from modelica_ast.views.modifications import (
    Annotation,
    Arguments,
    Description,
    ElementModification,
    InheritanceModification,
    Modification,
)
from modelica_ast.views.names import ComponentReference, Name

Locals = frozenset[str]
_NONE: Locals = frozenset()


class Reference(NamedTuple):
    """A name in an expression, and the indices of the loops around it."""

    view: ComponentReference
    locals: Locals
    is_argument: bool  # it is all of an argument of a call, where a function may stand


class CallPlace(NamedTuple):
    """A call, and the indices of the loops around it."""

    view: Call
    locals: Locals


class ClassText:
    """The parts of a class's own text."""

    def __init__(self, definition: Definition) -> None:
        self.types: list[Name] = []  # of components and of classes in modifiers
        self.applied: list[Name] = []  # behind `function`
        self.references: list[Reference] = []
        self.calls: list[CallPlace] = []
        self.connections: list[ConnectEquation] = []
        self.assigned: list[ComponentReference] = []
        self.whens: list[WhenStatement] = []
        self.arguments: list[Arguments] = []  # the outermost; those inside them belong to them
        self.annotations: list[Annotation] = []
        self._collect(definition)

    def _collect(self, definition: Definition) -> None:
        todo: list[tuple[View, Locals]] = [(part, _NONE) for part in _parts_backwards(definition.view)]
        while todo:
            view, names = todo.pop()
            cls = type(view)
            take = _TAKE.get(cls)
            if take is not None:
                take(self, view, names)
            if type(view.green) is str:
                continue
            if cls in _LOOPS:
                names = names | {index.name for index in view.indices.items}  # type: ignore[attr-defined]
            look_into = _LOOK_INTO.get(cls, _parts_backwards)
            todo += [(part, names) for part in look_into(view)]

    def take_reference(self, view: ComponentReference, names: Locals) -> None:
        """A name in an expression."""
        self.references.append(Reference(view, names, view.parent is not None and _is_arguments(view.parent)))

    def take_arguments(self, view: Arguments, _: Locals) -> None:
        """Modifiers; those inside others belong to these."""
        if not _is_inner(view):
            self.arguments.append(view)

    def take_short_class(self, view: ShortClassSpecifier, _: Locals) -> None:
        """A class in a modifier. One that is an element has a text of its own."""
        if not isinstance(view.parent, ClassDefinition):
            self.types.append(view.type)

    def take_targets(self, view: MultipleAssignment, _: Locals) -> None:
        """The left side of `(a, b) := f(x)`."""
        self.assigned += [item for item in view.targets.items if isinstance(item, ComponentReference)]


# What is done with a view of a class; there is nothing to do with most.
_TAKE: Final[dict[type[View], Callable[[ClassText, Any, Locals], None]]] = {
    ComponentReference: ClassText.take_reference,
    Call: lambda text, view, names: text.calls.append(CallPlace(view, names)),
    ConnectEquation: lambda text, view, _: text.connections.append(view),
    Assignment: lambda text, view, _: text.assigned.append(view.target),
    MultipleAssignment: ClassText.take_targets,
    WhenStatement: lambda text, view, _: text.whens.append(view),
    ComponentClause: lambda text, view, _: text.types.append(view.type),
    ComponentClause1: lambda text, view, _: text.types.append(view.type),
    ConstrainingClause: lambda text, view, _: text.types.append(view.type),
    ShortClassSpecifier: ClassText.take_short_class,
    PartialApplication: lambda text, view, _: text.applied.append(view.function),
    Arguments: ClassText.take_arguments,
    Annotation: lambda text, view, _: text.annotations.append(view),
}
_LOOPS: Final = frozenset({ForEquation, ForStatement, ArrayComprehension, ReductionArguments})
_NAMED_LEAVES: Final[frozenset[type[View]]] = frozenset({ComponentReference, Annotation})
_LEFT_ALONE: Final[frozenset[type[View]]] = frozenset(
    {Name, Description, ImportClause, InheritanceModification, ClassDefinition}
)


def _parts_backwards(view: View) -> list[View]:
    """The children to look into, the last one first.

    PERF: views are made of these only. A leaf is nothing to look at unless it is a name or an annotation.
    """
    node = view.green
    if isinstance(node, str):
        return []
    size = len(node)
    leaves = LEAF_PLACES[node[0]]
    front, back, classes = leaves.front, leaves.back, leaves.classes
    found: list[View] = []
    for index in range(size - 1, 0, -1):
        green = node[index]
        if type(green) is tuple:
            cls = NODE_CLASSES[green[0]]
            if cls not in _LEFT_ALONE:
                found.append(cls(green, view, index))
            continue
        at_place = classes[index if index <= front else index - size if size - index <= back else 0]
        if at_place is not None:
            cls = at_place[kind_of(green)]  # type: ignore[arg-type]  # what is no node is a leaf
            if cls in _NAMED_LEAVES:
                found.append(cls(green, view, index))  # type: ignore[arg-type]  # the same
    return found


def _parts_of_connection(view: ConnectEquation) -> list[View]:
    """The subscripts of the ends, which are no references themselves, and the annotation."""
    annotations = [part for part in _parts_backwards(view) if isinstance(part, Annotation)]
    return annotations + _parts_backwards(view.right) + _parts_backwards(view.left)


# Where something else is looked into than all children.
_LOOK_INTO: Final[dict[type[View], Callable[[Any], list[View]]]] = {
    Annotation: lambda _: [],
    Call: lambda view: [view.arguments],
    ConnectEquation: _parts_of_connection,
}


def _is_arguments(view: View) -> bool:
    return isinstance(view, CallArguments | NamedArgument)


def _is_inner(arguments: Arguments) -> bool:
    around = arguments.parent
    return isinstance(around, Modification) and isinstance(around.parent, ElementModification)


def holder_of(arguments: Arguments) -> View:
    """What the outermost arguments belong to: a declaration, a clause or a class specifier."""
    around = arguments.parent
    if isinstance(around, Modification):
        around = around.parent
    assert around is not None, "arguments are part of something"
    assert not isinstance(around, ElementModification), "inner arguments belong to outer ones"
    return around


def type_of_holder(holder: View) -> Name | None:
    """The type that arguments modify; None where that is an inherited class (`model extends M(…)`)."""
    match holder:
        case ExtendsClause() | ConstrainingClause() | ShortClassSpecifier():
            return holder.type
        case LongClassSpecifier():
            return None
        case _:
            clause = holder.parent
            return clause.type if isinstance(clause, ComponentClause | ComponentClause1) else None
