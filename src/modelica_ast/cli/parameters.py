"""The parameters of a class or of a component, inherited ones too, with values and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modelica_ast.record import Record

if TYPE_CHECKING:
    from modelica_ast.cli.address import Found
    from modelica_ast.cli.lookup import Origin
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


class Part(Record):
    """A component of a class, and the parameters of its type with where their values come from."""

    path: str
    class_name: str  # of the class that has it
    instance: ComponentInstance
    value: Origin | None
    parameters: list[tuple[Parameter, Origin | None]]

    @property
    def declared(self) -> str:
        """The class that declares it, and where."""
        from modelica_ast.cli.places import shortened  # noqa: PLC0415  (PERF: an outline does without)

        return shortened(f"{self.instance.declared_in}, {self.instance.file}:{self.instance.line}")


def part_of(session: Session, found: Found) -> Part:
    """A component by its address, or one inside of it; NotFoundError names the nearest."""
    from modelica_ast.cli.lookup import class_of, origin_of  # noqa: PLC0415  (PERF: as above)
    from modelica_ast.library import Instance  # noqa: PLC0415

    around = class_of(found.handle, session.surroundings(found.handle))
    part = Instance(around).find(found.path)
    inside = [each for each in part.components.values() if each.variability == "parameter" and not each.is_protected]
    rows = [(_parameter(each), origin_of(each, each.modifiers.get("="), around)) for each in inside]
    return Part(found.path, around.full_name, part, origin_of(part, part.modifiers.get("="), around), rows)


def part_data(part: Part) -> dict[str, Any]:
    """A component for JSON."""
    instance = part.instance
    return {
        "component": part.path,
        "class": part.class_name,
        "type": instance.type_name or instance.type_text,
        "prefixes": list(instance.member.prefixes),
        "description": instance.description,
        "declared_in": instance.declared_in,
        "file": str(instance.file),
        "line": instance.line,
        **_origin_data(part.value),
        "parameters": [{**vars(parameter), **_origin_data(origin)} for parameter, origin in part.parameters],
    }


def _origin_data(origin: Origin | None) -> dict[str, Any]:
    """A value and where it comes from; None for all of it without a value."""
    if origin is None:
        return {"value": None, "from": None, "set_in": None, "set_at": None}
    return {"value": origin.text, "from": origin.kind, "set_in": origin.class_name, "set_at": origin.place}
