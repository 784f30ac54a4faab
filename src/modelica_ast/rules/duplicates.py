"""Names that are there twice: elements, imports, modifiers, arguments of a call."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import Definition, imported_names, is_redeclaration
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.views.base import Argument, View
from modelica_ast.views.classes import EnumerationClassSpecifier
from modelica_ast.views.components import Component, ComponentClause1, ExtendsClause
from modelica_ast.views.expressions import Call, CallArguments, NamedArgument
from modelica_ast.views.modifications import (
    Annotation,
    Arguments,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
)


def check_duplicates(check: ClassCheck) -> None:
    """All names of a class that must be there once."""
    _elements(check)
    _inherited(check)
    _imports(check)
    for arguments in check.text.arguments:
        if not isinstance(arguments.parent, Annotation):
            _modifiers(check, arguments)
    for place in check.text.calls:
        _arguments(check, place.view)


def _elements(check: ClassCheck) -> None:
    seen: dict[str, View] = {}
    for name, view in _declared(check.definition):
        first = seen.setdefault(name, view)
        if first is not view:
            line = first.position.line
            check.add("duplicate-name", view, f"'{name}' is declared twice in '{check.name}'", f"see line {line}")


def _declared(definition: Definition) -> Iterator[tuple[str, View]]:
    for element in definition.elements:
        if (clause := element.component_clause) is not None:
            yield from ((view.name, view.identifier) for view in clause.declarations)
        elif (inner := element.class_definition) is not None:
            yield inner.name, inner
    specifier = definition.specifier
    if isinstance(specifier, EnumerationClassSpecifier):
        yield from ((literal.name, literal) for literal in specifier.literals)


def _inherited(check: ClassCheck) -> None:
    """An element may be there again if it is the same; here only what surely differs counts."""
    bases = [base.environment for base in check.environment.bases if base.environment is not None]
    if not bases:
        return
    for own in check.definition.parts:
        if isinstance(own, ExtendsClause) or is_redeclaration(own):
            continue
        other = next((found for base in bases if (found := base.plain_member(own.name)) is not None), None)
        reason = _difference(check, own, other) if other is not None else ""
        if reason and other is not None:
            view = own.view if isinstance(own, Definition) else own.identifier
            where = other.owner.name
            check.add("duplicate-inherited", view, f"'{own.name}' is inherited from '{where}' as {reason}")


def _difference(check: ClassCheck, own: Component | Definition, other: Member) -> str:
    """What the inherited one is that this one is not; '' if that is not sure."""
    if isinstance(own, Definition) != other.is_class:
        return "a class" if other.is_class else "a component"
    if not isinstance(own, Definition):
        types = [check.lookup.class_of(each).symbol for each in (Member(own.name, own, check.environment), other)]
        ends = [found.predefined if isinstance(found, Environment) else "" for found in types]
        if ends[0] != ends[1] and all(ends):
            return f"a component of type '{ends[1]}'"
    return ""


def _imports(check: ClassCheck) -> None:
    seen: set[str] = set()
    for clause in check.definition.import_clauses:
        for name, _ in imported_names(clause):
            if name in seen:
                check.add("duplicate-import", clause, f"'{name}' is imported twice in '{check.name}'")
            if name:
                seen.add(name)


# ---------------------------------------------------------------- lists


def _modifiers(check: ClassCheck, outermost: Arguments) -> None:
    """`x(a=1)` and `x.a=1` set the same thing."""
    seen: set[tuple[str, ...]] = set()
    todo: list[tuple[Argument, tuple[str, ...]]] = [(item, ()) for item in reversed(outermost.items)]
    while todo:
        item, before = todo.pop()
        name, is_set = _modified(item)
        path = (*before, *name)
        if is_set:
            if path in seen:
                check.add("duplicate-modifier", item, f"'{'.'.join(path)}' is modified twice")
            seen.add(path)
        if isinstance(item, ElementModification) and item.arguments is not None:
            todo += [(inner, path) for inner in reversed(item.arguments.items)]


def _modified(item: Argument) -> tuple[tuple[str, ...], bool]:
    """The name of a modifier, and whether it gives a value or a declaration."""
    if isinstance(item, ElementModification):
        return item.name.parts, item.value is not None
    if isinstance(item, ElementRedeclaration | ElementReplaceable):
        declared = item.declared
        return (declared.declaration.name if isinstance(declared, ComponentClause1) else declared.name,), True
    return (), False


def _arguments(check: ClassCheck, call: Call) -> None:
    seen: set[str] = set()
    for item in call.arguments.items if isinstance(call.arguments, CallArguments) else []:
        if isinstance(item, NamedArgument):
            if item.name in seen:
                check.add("duplicate-argument", item, f"the argument '{item.name}' is given twice")
            seen.add(item.name)
