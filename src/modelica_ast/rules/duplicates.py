"""Names that are there twice: elements, imports, modifiers, arguments of a call."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.rules.context import ClassCheck
from modelica_ast.rules.lookup import imported_names
from modelica_ast.rules.symbols import BuiltinType, ClassSymbol, ComponentSymbol, Symbol
from modelica_ast.views.base import Argument, View
from modelica_ast.views.classes import EnumerationClassSpecifier
from modelica_ast.views.components import ComponentClause1
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
    for name, view in _declared(check.symbol):
        first = seen.setdefault(name, view)
        if first is not view:
            line = first.position.line
            check.add(
                "duplicate-name", view, f"'{name}' is declared twice in '{check.symbol.name}'", f"see line {line}"
            )


def _declared(symbol: ClassSymbol) -> Iterator[tuple[str, View]]:
    for element in symbol.elements:
        if (clause := element.component_clause) is not None:
            yield from ((view.name, view.identifier) for view in clause.declarations)
        elif (inner := element.class_definition) is not None:
            yield inner.name, inner
    specifier = symbol.view.specifier
    if isinstance(specifier, EnumerationClassSpecifier):
        yield from ((literal.name, literal) for literal in specifier.literals)


def _inherited(check: ClassCheck) -> None:
    """An element may be there again if it is the same; here only what surely differs counts."""
    bases = check.lookup.ancestry(check.symbol).classes[1:]
    if not bases:
        return
    for own in check.symbol.declared:
        element = own.element
        if (element is not None and "redeclare" in element.prefixes) or _is_class_extends(own):
            continue
        for base in bases:
            other = base.own.get(own.name)
            if isinstance(other, ClassSymbol | ComponentSymbol):
                reason = _difference(check, own, other)
                if reason:
                    view = own.view.identifier if isinstance(own, ComponentSymbol) else own.view
                    check.add("duplicate-inherited", view, f"'{own.name}' is inherited from '{base.name}' as {reason}")
                break


def _is_class_extends(symbol: Symbol) -> bool:
    return isinstance(symbol, ClassSymbol) and symbol.is_class_extends


def _difference(check: ClassCheck, own: Symbol, other: Symbol) -> str:
    """What the inherited one is that this one is not; '' if that is not sure."""
    if isinstance(own, ComponentSymbol) != isinstance(other, ComponentSymbol):
        return "a component" if isinstance(other, ComponentSymbol) else "a class"
    if isinstance(own, ComponentSymbol):
        types = [check.lookup.class_of(symbol).symbol for symbol in (own, other)]
        if types[0] is not types[1] and all(isinstance(found, BuiltinType) for found in types):
            assert isinstance(types[1], BuiltinType)
            return f"a component of type '{types[1].name}'"
    return ""


def _imports(check: ClassCheck) -> None:
    seen: set[str] = set()
    for clause in check.symbol.imports:
        for name, _ in imported_names(clause):
            if name in seen:
                check.add("duplicate-import", clause, f"'{name}' is imported twice in '{check.symbol.name}'")
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
