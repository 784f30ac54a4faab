"""The parameters of a class, inherited ones too, with values and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.record import Record

if TYPE_CHECKING:
    from modelica_ast.cli.session import Session
    from modelica_ast.library import ComponentInstance


class Parameter(Record):
    """A parameter as a table shows it; None where nothing is known."""

    name: str
    type: str
    value: str | None
    unit: str | None
    description: str
    declared_in: str


def parameters_of(session: Session, text: str) -> tuple[str, list[Parameter]]:
    """The full name of a class and all its parameters. Types are looked up in the libraries that it uses."""
    from modelica_ast.library import instance  # noqa: PLC0415  (PERF: an outline does without)

    libraries, full_name = session.open_class(text)
    found = instance(libraries, full_name)
    parts = [part for part in found.walk(1) if part.variability == "parameter" and not part.is_protected]
    return full_name, [_parameter(part) for part in parts]


def _parameter(part: ComponentInstance) -> Parameter:
    bound = part.modifiers.get("=")
    text = None if bound is None or bound.value is None else " ".join(bound.value.text.split())
    unit = part.attribute("unit")
    shown = unit if isinstance(unit, str) and unit else None
    return Parameter(part.name, part.type_text, text, shown, part.description, part.declared_in)
