"""What a document has that an edit can be about: classes, components, paths of modifiers, connections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from modelica_ast.edit import get_class_prefixes
from modelica_ast.foundation import Record
from modelica_ast.tree import (
    Annotation,
    Arguments,
    Call,
    CallArguments,
    ClassDefinition,
    Component,
    ConnectEquation,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    Equation,
    ImportClause,
    LongClassSpecifier,
    Modification,
    NamedArgument,
    ShortClassSpecifier,
    Specifier,
    Statement,
    StoredDefinition,
    View,
    walk,
)

_V = TypeVar("_V", bound=View)


class ComponentFacts(Record):
    """A component: its name, and the paths that lead to something in its modifiers and its annotation."""

    name: str
    modifiers: tuple[str, ...]
    annotations: tuple[str, ...]
    is_alone: bool  # in its clause
    prefixes: tuple[str, ...]
    constraint: tuple[str, ...] | None  # paths of the modifiers of what it is constrained by


class ClassFacts(Record):
    """A class, and what is declared or written in it directly."""

    name: str
    has_body: bool
    declared: tuple[str, ...]  # components and classes
    siblings: tuple[str, ...]  # what is declared beside it
    components: tuple[ComponentFacts, ...]
    connections: tuple[tuple[str, str], ...]
    connection_annotations: tuple[tuple[str, str, str], ...]  # the ends, a path
    equations: tuple[str, ...]
    statements: tuple[str, ...]
    extends: tuple[tuple[str, tuple[str, ...]], ...]  # base, paths of modifiers
    imports: tuple[dict[str, Any], ...]  # arguments of the verb `add_import`
    annotations: tuple[str, ...]
    prefixes: tuple[str, ...]
    short_modifiers: tuple[str, ...] | None  # of `type Length = Real(unit="m")`, None for other classes
    literals: tuple[str, ...] | None  # of an enumeration, None for other classes


def classes_of(tree: StoredDefinition) -> list[ClassFacts]:
    """The facts about every class of a file, in source order."""
    return [_facts(view) for view in walk(tree, annotations=False) if isinstance(view, ClassDefinition)]


def _facts(definition: ClassDefinition) -> ClassFacts:
    equations = _all_inside([*definition.equations, *definition.initial_equations], Equation)
    statements = _all_inside([*definition.statements, *definition.initial_statements], Statement)
    connects = [(str(found.left), str(found.right), found) for found in equations if isinstance(found, ConnectEquation)]
    specifier = definition.specifier
    return ClassFacts(
        definition.full_name,
        isinstance(definition.specifier, LongClassSpecifier),
        _declared(definition),
        tuple(name for name in _declared(_owner(definition)) if name != definition.name),
        tuple(map(_component, definition.components)),
        tuple((left, right) for left, right, _ in connects),
        tuple((left, right, path) for left, right, found in connects for path in _annotation_paths(found.annotation)),
        tuple(found.text for found in equations if _is_bare(found)),
        tuple(found.text for found in statements if _is_bare(found)),
        tuple((str(found.type), tuple(paths(found.arguments))) for found in definition.extends),
        tuple(arguments for found in definition.imports if (arguments := _import(found)) is not None),
        tuple(_annotation_paths(definition.annotation)),
        tuple(get_class_prefixes(definition)),
        tuple(paths(specifier.arguments)) if isinstance(specifier, ShortClassSpecifier) else None,
        _literals(specifier),
    )


def _literals(specifier: Specifier) -> tuple[str, ...] | None:
    if not isinstance(specifier, EnumerationClassSpecifier) or specifier.colon is not None:
        return None
    return tuple(each.name for each in specifier.enum_list.items) if specifier.enum_list is not None else ()


def _all_inside(views: list[_V], kind: type[_V]) -> list[_V]:
    """These and those inside them: equations inside `for` and `if`."""
    return [found for view in views for found in walk(view, annotations=False) if isinstance(found, kind)]


def _owner(definition: ClassDefinition) -> ClassDefinition | StoredDefinition:
    """The class around it, or the file."""
    for view in definition.ancestors:
        if isinstance(view, ClassDefinition | StoredDefinition):
            return view
    raise AssertionError("a class of a file stands in the file")


def _declared(owner: ClassDefinition | StoredDefinition) -> tuple[str, ...]:
    components = [found.name for found in owner.components] if isinstance(owner, ClassDefinition) else []
    return (*components, *(found.name for found in owner.classes))


def _component(view: Component) -> ComponentFacts:
    constraint = None if view.element is None else view.element.constraint
    return ComponentFacts(
        view.name,
        tuple(paths(view.modification)),
        tuple(_annotation_paths(view.annotation)),
        len(view.clause.declarations) == 1,
        tuple(view.prefixes),
        None if constraint is None else tuple(paths(constraint.arguments)),
    )


def _is_bare(equation: Any) -> bool:
    """Is it nothing but the equation? A description and an annotation are no part of what a verb finds it by."""
    return equation.description is None and equation.annotation is None


def _import(clause: ImportClause) -> dict[str, Any] | None:
    """The arguments of the verb for this import; None for a form that the verb does not write."""
    if clause.is_wildcard:
        return {"name": clause.name, "wildcard": True}
    if clause.alias is not None:
        return {"name": clause.name, "alias": clause.alias}
    if any(local != name for local, name in clause.imported):
        return None
    members = [name for _, name in clause.imported]
    return {"name": clause.name, "members": members} if members else {"name": clause.name}


def _annotation_paths(annotation: Annotation | None) -> Iterator[str]:
    return paths(annotation.arguments) if annotation is not None else iter(())


def paths(start: View | None) -> Iterator[str]:
    """Every path that leads to a value or a redeclaration, also through redeclarations and record constructors."""
    todo: list[tuple[str, View | None]] = [("", start)]
    while todo:
        prefix, view = todo.pop()
        match view:
            case Modification():
                if view.value is not None and prefix:
                    yield prefix.removesuffix(".")
                todo += [(prefix, view.arguments), (prefix, view.value)]
            case Arguments():
                todo += [(prefix, item) for item in view.items]
            case ElementModification():
                todo.append((f"{prefix}{view.name}.", view.modification))
            case ElementRedeclaration() | ElementReplaceable():
                declared: Any = view.declared
                name, inner = _redeclared(declared)
                yield prefix + name
                todo.append((f"{prefix}{name}.", inner))
            case Call() if isinstance(view.arguments, CallArguments):
                named = [item for item in view.arguments.items if isinstance(item, NamedArgument)]
                yield from (prefix + item.name for item in named)
                todo += [(f"{prefix}{item.name}.", item.value) for item in named]
            case _:
                continue


def _redeclared(declared: Any) -> tuple[str, View | None]:
    """The name of what is redeclared, and where its modifiers are."""
    if declared.kind == "component_clause1":
        return declared.declaration.name, declared.declaration.modification
    return declared.name, getattr(declared.specifier, "arguments", None)
