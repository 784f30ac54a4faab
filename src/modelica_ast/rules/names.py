"""Names that are nowhere: types, base classes, imports, functions, references, named arguments."""

from __future__ import annotations

from modelica_ast.rules.builtins import tool_hint
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.definitions import AMBIGUOUS, MISSING, NOT_OPEN, UNKNOWN, Absence, imported_names
from modelica_ast.semantics.environments import Environment, Member, identity_of
from modelica_ast.semantics.meanings import Builtin, Meaning, Symbol, ancestry, is_replaceable, is_replaceable_still
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, DerClassSpecifier, ShortClassSpecifier
from modelica_ast.views.expressions import Call, CallArguments, NamedArgument
from modelica_ast.views.names import ComponentReference, Name


def check_names(check: ClassCheck) -> None:
    """All names of a class."""
    _bases(check)
    _imports(check)
    for name in check.text.types:
        first = check.lookup.top(name.parts[0]) if name.is_global else check.lookup.first(check.scope, name.parts[0])
        if not _is_component(check, name, first):
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
        if _is_component(check, name, _first_of_base(check, name)):
            continue
        if meaning.absence is AMBIGUOUS:
            _ambiguous(check, name, name.parts[0])
        if meaning.symbol is not None or not check.is_nowhere(meaning, name.parts, name):
            continue
        others = [(called, other) for called, other in found if other is not meaning and meaning.part == 0]
        brought = [_brought(check, called, other, name.parts[0]) for called, other in others]
        if any(isinstance(each, Member) for each in brought):
            message = f"'{name.parts[0]}' is inherited, and what 'extends' names is looked up before that"
            check.add(code, name, message, "name the class by where it is declared")
        elif not any(each is not MISSING for each in brought):
            _nowhere(check, code, name, meaning, name.parts)
    if not is_short:
        _replaceable_bases(check)


def _brought(check: ClassCheck, called: Name, base: Meaning, name: str) -> Symbol | Absence:
    """What another base class has under a name."""
    if base.symbol is None:
        return MISSING if check.is_nowhere(base, called.parts, called) else UNKNOWN
    inside = check.lookup.class_of(base.symbol).symbol
    return UNKNOWN if inside is None else check.lookup.member(inside, name)


def _replaceable_bases(check: ClassCheck) -> None:
    for name in check.definition.base_names:
        way = _way_to_replaceable(check, name)
        if way:
            links = [*(f"is short for '{part}'" for part in way[1:]), "is replaceable"]
            message = f"'{way[0]}' {', which '.join(links)}: a base class must be the same in every use"
            check.add("replaceable-base", name, message)


def _way_to_replaceable(check: ClassCheck, base: Name) -> tuple[str, ...]:
    """The names from a base class over short classes to one that is replaceable; empty if none is."""
    todo: list[tuple[Name, Symbol | Absence, tuple[str, ...]]] = [(base, _first_of_base(check, base), ())]
    seen: set[object] = set()
    while todo:
        name, first, before = todo.pop()
        for length in range(1, len(name.parts) + 1):
            found = check.lookup.along(first, name.parts[:length]).symbol
            if found is None or isinstance(found, Builtin) or (isinstance(found, Member) and not found.is_class):
                break
            way = (*before, ".".join(name.parts[:length]))
            if is_replaceable_still(found) if isinstance(found, Member) else is_replaceable(found):
                return way
            inside = check.lookup.class_of(found).symbol
            if identity_of(found) not in seen and isinstance(inside, Environment):
                seen.add(identity_of(found))
                todo += [(short, first, way) for short, first in _stands_for(check, inside)]
    return ()


def _stands_for(check: ClassCheck, short: Environment) -> list[tuple[Name, Symbol | Absence]]:
    """The name that a short class stands for, and what the first part of it is; empty for all other classes."""
    if short.written is None or not short.written.is_short:
        return []
    (name,) = short.written.base_names
    first = name.parts[0]
    if name.is_global or short.around is None:
        return [(name, check.lookup.top(first))]
    return [(name, check.lookup.first(short.around, first))]


def _first_of_base(check: ClassCheck, name: Name) -> Symbol | Absence:
    first = name.parts[0]
    if name.is_global or check.environment.scope is None:
        return check.lookup.top(first)
    return check.lookup.first(check.scope, first, own_only=not check.definition.is_short)


def _is_component(check: ClassCheck, name: Name, first: Symbol | Absence) -> bool:
    """A component where a class must stand; then nothing else is said about the type."""
    if not isinstance(first, Member) or first.is_class:
        return False
    if len(name.parts) == 1:
        message = f"'{first.name}' is a component of '{first.owner.name}', and hides any class of this name"
        hint = "write the full name of the class, or rename the component"
    else:
        message = f"'{first.name}' is a component of '{first.owner.name}', and no type can be reached through it"
        hint = "name the class by the class that it is declared in"
    check.add("component-as-type", name, message, hint)
    return True


def _imports(check: ClassCheck) -> None:
    for clause in check.definition.import_clauses:
        for _, parts in imported_names(clause):
            meaning = check.lookup.along(check.lookup.top(parts[0]), parts)
            is_outside = check.known.is_expected(parts[0]) or not check.known.are_libraries_open
            if meaning.absence is NOT_OPEN and is_outside:
                check.known.findings.add_missing_library(parts[0], clause)
            elif meaning.absence in {MISSING, NOT_OPEN}:
                message, hint = check.where(meaning, tuple(parts))
                check.add("unknown-import", clause, message, hint)


def _class_name(check: ClassCheck, code: str, name: Name) -> None:
    meaning = check.type_named(name)
    if meaning.absence is AMBIGUOUS:
        _ambiguous(check, name, name.parts[0])
    elif meaning.symbol is None and check.is_nowhere(meaning, name.parts, name):
        _nowhere(check, code, name, meaning, name.parts)


# ---------------------------------------------------------------- expressions


def _reference(check: ClassCheck, view: ComponentReference, *, is_argument: bool) -> None:
    parts = view.parts
    meaning = check.lookup.resolve(check.scope, parts, is_global=view.is_global)
    if meaning.absence is NOT_OPEN:
        # A library has a name in capitals, and what is in it has a dot before it; the rest can only be a component.
        is_library = view.is_global or (len(parts) > 1 and not parts[0][0].islower())
        if check.known.is_expected(parts[0]) or (is_library and not check.known.are_libraries_open):
            check.known.findings.add_missing_library(parts[0], view)
            return
        if is_argument and len(parts) == 1 and not check.known.is_root_complete:
            return  # a function at the top of another file
    elif meaning.absence is AMBIGUOUS:
        _ambiguous(check, view, parts[0])
        return
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
        if meaning.absence is AMBIGUOUS:
            _ambiguous(check, function, parts[0])
        elif check.is_nowhere(meaning, parts, function):
            _nowhere(check, "unknown-function", function, meaning, parts)
        return
    inside = check.lookup.class_of(meaning.symbol)
    if isinstance(inside.symbol, Environment) and inside.is_certain and meaning.is_certain:
        _named_arguments(check, call, inside.symbol)


def _ambiguous(check: ClassCheck, view: View, name: str) -> None:
    message = f"'{name}' is brought by more than one 'import ….*'"
    check.add("ambiguous-import", view, message, f"import '{name}' by its full name")


def _nowhere(check: ClassCheck, code: str, view: View, meaning: Meaning, parts: tuple[str, ...]) -> None:
    message, hint = check.where(meaning, parts)
    known_to_tools = tool_hint(parts[0]) if meaning.part == 0 else ""
    check.add(code, view, message, known_to_tools or hint)


def _named_arguments(check: ClassCheck, call: Call, function: Environment) -> None:
    if not isinstance(call.arguments, CallArguments) or not _has_plain_inputs(function):
        return
    is_function = any(part.written is not None and part.written.kind == "function" for part in ancestry(function))
    for item in call.arguments.items:
        if not isinstance(item, NamedArgument):
            continue
        found = check.lookup.member(function, item.name)
        is_output = is_function and isinstance(found, Member) and "output" in found.prefixes
        if found is MISSING or is_output:
            members = [member for member in function.members() if not member.is_class]
            known = [each.name for each in members if not is_function or "input" in each.prefixes]
            what = f"the {'function' if is_function else 'record'} '{call.name}'"
            message = f"'{item.name}' is an output of {what}" if is_output else f"{what} has no '{item.name}'"
            check.add("unknown-argument", item.identifier, message, f"it has {', '.join(known)}" if known else "")


def _has_plain_inputs(function: Environment) -> bool:
    """Not those with constructors of their own: external objects and operator records."""
    for part in ancestry(function):
        if part.written is None or part.written.kind not in {"function", "record"}:
            return False
        if "operator" in part.written.view.class_kind or not isinstance(part.written.view, ClassDefinition):
            return False
    return True
