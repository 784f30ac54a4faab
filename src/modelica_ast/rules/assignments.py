"""What can't get a value by a statement, and what has no derivative worth writing."""

from __future__ import annotations

from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics.environments import Member
from modelica_ast.views.base import Token
from modelica_ast.views.equations import AlgorithmSection
from modelica_ast.views.expressions import CallArguments
from modelica_ast.views.names import ComponentReference


def check_assignments(check: ClassCheck) -> None:
    """All assignments and derivatives of a class."""
    for target in check.text.assigned:
        component = _component(check, target)
        if component is not None:
            _assigned(check, target, component)
    for place in check.text.calls:
        function, arguments = place.view.function, place.view.arguments
        if isinstance(function, Token) and function.text == "der" and isinstance(arguments, CallArguments):
            items = arguments.items
            if len(items) == 1 and isinstance(items[0], ComponentReference):
                _derivative(check, items[0], place.locals)


def _component(check: ClassCheck, reference: ComponentReference) -> Member | None:
    """The component that a reference starts with, if the class has it."""
    found = None if reference.is_global else check.environment.member(reference.parts[0])
    return found if found is not None and not found.is_class else None


def _assigned(check: ClassCheck, target: ComponentReference, component: Member) -> None:
    name, prefixes = component.name, component.prefixes
    if "constant" in prefixes or ("parameter" in prefixes and not _is_initial(target)):
        what = "constant" if "constant" in prefixes else "parameter"
        check.add("assigned-constant", target, f"'{name}' is a {what} and can't be assigned")
    elif check.definition.kind == "function" and "input" in prefixes:
        check.add("assigned-input", target, f"'{name}' is an input and can't be assigned", "use a local variable")


def _is_initial(target: ComponentReference) -> bool:
    section = next((view for view in target.ancestors if isinstance(view, AlgorithmSection)), None)
    return section is not None and section.initial is not None


def _derivative(check: ClassCheck, reference: ComponentReference, names: frozenset[str]) -> None:
    component = _component(check, reference)
    if component is None or len(reference.parts) > 1 or reference.parts[0] in names:
        return
    for prefix in ("constant", "parameter"):
        if prefix in component.prefixes:
            message = f"'{component.name}' is a {prefix}: its derivative is always zero"
            check.add("derivative-of-constant", reference, message)
