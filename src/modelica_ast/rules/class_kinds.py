"""What the kind of a class allows: sections, prefixes, components."""

from __future__ import annotations

from typing import Final

from modelica_ast.rules.builtins import NOT_IN_FUNCTIONS
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.environments import Environment
from modelica_ast.semantics.meanings import Builtin
from modelica_ast.views.base import Section, Token
from modelica_ast.views.classes import ClassAnnotation, ClassDefinition, ExternalClause, ProtectedSection
from modelica_ast.views.equations import AlgorithmSection, EquationSection
from modelica_ast.views.names import ComponentReference

_ONLY_PUBLIC: Final = frozenset({"record", "connector"})
_NO_BEHAVIOUR: Final = frozenset({"record", "connector", "package", "type", "operator"})
_FORBIDDEN_PREFIXES: Final = {
    "record": frozenset("input output inner outer stream flow".split()),
    "connector": frozenset("inner outer".split()),
    "function": frozenset("inner outer".split()),
}
_FORMAL: Final = frozenset({"input", "output"})


def check_class_kind(check: ClassCheck) -> None:
    """All that the kind of a class forbids."""
    definition = check.definition
    if isinstance(definition.view, ClassDefinition):
        _sections(check, definition.kind, definition.view)
    _prefixes(check)
    if definition.kind == "package":
        _constants_only(check)
    if definition.kind == "function":
        _function_components(check)
        _function_text(check)


def _sections(check: ClassCheck, kind: str, definition: ClassDefinition) -> None:
    bodies = 0
    for section in definition.sections:
        what = _name_of(section)
        forbidden = (
            (kind in _NO_BEHAVIOUR and what in {"equation", "algorithm"})
            or (kind in _ONLY_PUBLIC and what == "protected")
            or (kind != "function" and what == "external")
            or (kind == "function" and (what == "equation" or _is_initial(section)))
        )
        if what and forbidden:
            shown = f"initial {what}" if _is_initial(section) else what
            article = "an" if kind[0] in "aeiou" else "a"
            check.add("section-not-allowed", section, f"{article} {kind} has no '{shown}' section")
        elif kind == "function" and what in {"algorithm", "external"}:
            bodies += 1
            if bodies > 1:
                check.add("second-body", section, "a function has one 'algorithm' or one 'external' and no more")


def _name_of(section: Section) -> str:
    match section:
        case EquationSection():
            return "equation"
        case AlgorithmSection():
            return "algorithm"
        case ExternalClause():
            return "external"
        case ProtectedSection():
            return "protected"
        case ClassAnnotation() if section.equations:
            return "equation"
        case _:
            return ""


def _is_initial(section: Section) -> bool:
    return isinstance(section, EquationSection | AlgorithmSection) and section.initial is not None


def _prefixes(check: ClassCheck) -> None:
    kind = check.definition.kind
    forbidden = _FORBIDDEN_PREFIXES.get(kind, frozenset())
    if not forbidden:
        return
    for component in check.components:
        for prefix in component.prefixes:
            if prefix in forbidden:
                message = f"an element of a {kind} can't be '{prefix}'"
                check.add("prefix-not-allowed", component.identifier, message)


def _constants_only(check: ClassCheck) -> None:
    for component in check.components:
        if "constant" not in component.prefixes:
            check.add(
                "package-variable",
                component.identifier,
                f"'{component.name}' is not constant: a package has constants and classes only",
            )


# ---------------------------------------------------------------- functions


def _function_components(check: ClassCheck) -> None:
    for component in check.components:
        if component.element is None or component.element.is_protected or _FORMAL & set(component.prefixes):
            continue
        found = check.lookup.class_of(component).symbol
        written = found.written if isinstance(found, Environment) else None
        if found is None or (written is not None and written.kind in {"connector", "type"} and written.extends):
            continue  # its type may bring the prefix
        check.add(
            "public-in-function",
            component.identifier,
            f"'{component.name}' is public and neither input nor output",
            "local variables stand behind 'protected'",
        )


def _function_text(check: ClassCheck) -> None:
    for when in check.text.whens:
        check.add("not-in-function", when, "a function has no 'when'")
    for place in check.text.calls:
        function = place.view.function
        name = place.view.name
        if name not in NOT_IN_FUNCTIONS:
            continue
        is_builtin = isinstance(function, Token) or (
            isinstance(function, ComponentReference) and isinstance(check.lookup.first(check.scope, name), Builtin)
        )
        if is_builtin:
            check.add("not-in-function", place.view, f"a function can't use '{name}'")
