"""Names that are nowhere: types, base classes, imports, functions, references, named arguments."""

from __future__ import annotations

from modelica_ast.rules.builtins import tools_that_know
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import MISSING, NOT_OPEN, imported_names
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.meanings import Meaning, ancestry
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, DerClassSpecifier, ShortClassSpecifier
from modelica_ast.views.expressions import Call, CallArguments, NamedArgument
from modelica_ast.views.names import ComponentReference, Name


def check_names(check: ClassCheck) -> None:
    """All names of a class."""
    _bases(check)
    _imports(check)
    for name in check.text.types:
        _class_name(check, "unknown-type", name)
    for name in check.text.applied:
        _class_name(check, "unknown-function", name)
    for place in check.text.calls:
        _call(check, place.view, place.locals)
    for reference in check.text.references:
        if not reference.view.is_global and reference.view.parts[0] in reference.locals:
            continue
        _reference(check, reference.view, is_argument=reference.is_argument)


def _bases(check: ClassCheck) -> None:
    definition = check.definition
    specifier = definition.specifier
    is_short = isinstance(specifier, ShortClassSpecifier | DerClassSpecifier)
    code = "unknown-type" if is_short else "unknown-base"
    found = [(name, check.lookup.base_named(check.environment, name)) for name in definition.base_names]
    for name, meaning in found:
        if meaning.symbol is not None or not check.is_nowhere(meaning, name.parts, name):
            continue
        others = [other for _, other in found if other is not meaning]
        # The specification does not let one base class bring another one, but tools do.
        if meaning.part == 0 and any(_may_bring(check, other, name) for other in others):
            continue
        message, hint = check.where(meaning, name.parts)
        check.add(code, name, message, hint)


def _may_bring(check: ClassCheck, base: Meaning, name: Name) -> bool:
    return base.symbol is None or check.lookup.member(base.symbol, name.parts[0]) is not MISSING


def _imports(check: ClassCheck) -> None:
    for clause in check.definition.import_clauses:
        for _, parts in imported_names(clause):
            meaning = check.lookup.along(check.lookup.top(parts[0]), parts)
            if meaning.absence is NOT_OPEN:
                check.known.findings.add_missing_library(parts[0], clause)
            elif meaning.absence is MISSING:
                message, hint = check.where(meaning, tuple(parts))
                check.add("unknown-import", clause, message, hint)


def _class_name(check: ClassCheck, code: str, name: Name) -> None:
    meaning = check.type_named(name)
    if meaning.symbol is None and check.is_nowhere(meaning, name.parts, name):
        _nowhere(check, code, name, meaning, name.parts)


# ---------------------------------------------------------------- expressions


def _reference(check: ClassCheck, view: ComponentReference, *, is_argument: bool) -> None:
    parts = view.parts
    meaning = check.lookup.resolve(check.scope, parts, is_global=view.is_global)
    if meaning.absence is NOT_OPEN:
        # A library has a name in capitals, and what is in it has a dot before it; the rest can only be a component.
        if view.is_global or (len(parts) > 1 and not parts[0][0].islower()) or check.known.is_expected(parts[0]):
            check.known.findings.add_missing_library(parts[0], view)
            return
        if is_argument and len(parts) == 1 and not check.known.is_root_complete:
            return  # a function at the top of another file
    elif meaning.absence is not MISSING:
        return
    _nowhere(check, "unknown-reference", view, meaning, parts)


def _call(check: ClassCheck, call: Call, names: frozenset[str]) -> None:
    function = call.function
    if not isinstance(function, ComponentReference) or any(part is not None for part in function.subscripts):
        return
    parts = function.parts
    if parts[0] in names:
        return
    meaning = check.lookup.resolve(check.scope, parts, is_global=function.is_global)
    if meaning.symbol is None:
        if check.is_nowhere(meaning, parts, function):
            _nowhere(check, "unknown-function", function, meaning, parts)
        return
    inside = check.lookup.class_of(meaning.symbol)
    if isinstance(inside.symbol, Environment) and inside.is_certain and meaning.is_certain:
        _named_arguments(check, call, inside.symbol)


def _nowhere(check: ClassCheck, code: str, view: View, meaning: Meaning, parts: tuple[str, ...]) -> None:
    message, hint = check.where(meaning, parts)
    tools = tools_that_know(parts[0]) if meaning.part == 0 else []
    if tools:
        hint = f"{tools[0]} has it, and no other tool need know it: --tool {tools[0]}"
    check.add(code, view, message, hint)


def _named_arguments(check: ClassCheck, call: Call, function: Environment) -> None:
    if not isinstance(call.arguments, CallArguments) or not _has_plain_inputs(function):
        return
    for item in call.arguments.items:
        if isinstance(item, NamedArgument) and check.lookup.member(function, item.name) is MISSING:
            what = "function" if function.written is not None and function.written.kind == "function" else "record"
            known = [
                name for part in ancestry(function) if part.written is not None for name in part.written.components
            ]
            named = f"the {what} '{call.name}' has no '{item.name}'"
            check.add("unknown-argument", item.identifier, named, f"it has {', '.join(known)}" if known else "")


def _has_plain_inputs(function: Environment) -> bool:
    """Not those with constructors of their own: external objects and operator records."""
    for part in ancestry(function):
        if part.written is None or part.written.kind not in {"function", "record"}:
            return False
        if "operator" in part.written.view.class_kind or not isinstance(part.written.view, ClassDefinition):
            return False
    return True
