"""What is written in a class itself, sorted by what rules ask about: one walk for all of them.

Classes inside have texts of their own. Annotations are collected and not looked into.
"""

from __future__ import annotations

from typing import NamedTuple

from modelica_ast.rules.symbols import ClassSymbol
from modelica_ast.views.base import Token, View
from modelica_ast.views.classes import (
    ClassDefinition,
    ExternalFunctionCall,
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

    def __init__(self, symbol: ClassSymbol) -> None:
        self.types: list[Name] = []  # of components and of classes in modifiers
        self.applied: list[Name] = []  # behind `function`
        self.references: list[Reference] = []
        self.calls: list[CallPlace] = []
        self.connections: list[ConnectEquation] = []
        self.assigned: list[ComponentReference] = []
        self.whens: list[WhenStatement] = []
        self.arguments: list[Arguments] = []  # the outermost; those inside them belong to them
        self.annotations: list[Annotation] = []
        self._collect(symbol)

    def _collect(self, symbol: ClassSymbol) -> None:
        todo: list[tuple[View, Locals]] = [(child, _NONE) for child in reversed(symbol.view.children)]
        while todo:
            view, names = todo.pop()
            if isinstance(view, Token | Name | Description | ImportClause | InheritanceModification | ClassDefinition):
                continue
            if isinstance(view, Annotation):
                self.annotations.append(view)
                continue
            inside = self._take(view, names)
            if isinstance(view, ForEquation | ForStatement | ArrayComprehension | ReductionArguments):
                names = names | {index.name for index in view.indices.items}
            todo += [(child, names) for child in reversed(inside)]

    def _take(self, view: View, names: Locals) -> list[View]:
        """Note what a view is; the views to look into."""
        match view:
            case ComponentReference():
                self.references.append(Reference(view, names, view.parent is not None and _is_arguments(view.parent)))
            case Call():
                self.calls.append(CallPlace(view, names))
                return [view.arguments]
            case ConnectEquation():
                self.connections.append(view)
                return [child for end in (view.left, view.right) for child in end.children] + [
                    child for child in view.children if isinstance(child, Annotation)
                ]
            case Assignment():
                self.assigned.append(view.target)
            case MultipleAssignment():
                self.assigned += [item for item in view.targets.items if isinstance(item, ComponentReference)]
            case WhenStatement():
                self.whens.append(view)
            case ComponentClause() | ComponentClause1() | ConstrainingClause():
                self.types.append(view.type)
            case ShortClassSpecifier() if not isinstance(view.parent, ClassDefinition):
                self.types.append(view.type)
            case PartialApplication():
                self.applied.append(view.function)
            case Arguments() if not _is_inner(view):
                self.arguments.append(view)
            case ExternalFunctionCall():
                return [child for child in view.children if not isinstance(child, Token)]
            case _:
                pass
        return view.children


def _is_arguments(view: View) -> bool:
    return view.kind in {"function_call_args", "named_argument"}


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
