"""Classes as outlines: lines for people, data for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from modelica_ast.cli.terminal import printable, styled
from modelica_ast.foundation import Record
from modelica_ast.tree import ClassDefinition, Component, ConnectEquation, EnumerationClassSpecifier, find_all, walk

if TYPE_CHECKING:
    from modelica_ast.cli.address import Found
    from modelica_ast.cli.lookup import Origin
    from modelica_ast.cli.session import Session
    from modelica_ast.semantics import ComponentInstance


_SHORT_CLASS: Final = 100  # characters of what follows `=`
_MODIFICATION: Final = 60
_DESCRIPTION: Final = 80


def outline(definition: ClassDefinition, *, depth: int | None = None) -> Iterator[str]:
    """A class with what is in it, a line each; classes inside down to a depth."""
    todo = [(definition, 0)]
    while todo:
        current, level = todo.pop()
        indent = "  " * level
        yield indent + headline(current)
        if depth is not None and level >= depth:
            continue
        yield from (f"{indent}  {line}" for line in _contents(current))
        todo += [(inner, level + 1) for inner in reversed(current.classes)]


def headline(definition: ClassDefinition) -> str:
    """Kind, name and description of a class."""
    prefix = "partial " if definition.is_partial else ""
    name = styled(definition.name, "name", sys.stdout)
    return f"{prefix}{definition.class_kind} {name}{printable(_quoted(definition))}"


def _contents(definition: ClassDefinition) -> Iterator[str]:
    specifier = definition.specifier
    if isinstance(specifier, EnumerationClassSpecifier) and specifier.enum_list is not None:
        yield from (printable(" ".join(each.text.split())) for each in specifier.enum_list.items)
    elif definition.composition is None:
        text = " ".join(definition.specifier.text.partition("=")[2].split())
        yield printable(f"= {_cut(text, _SHORT_CLASS)}")
    for clause in definition.extends:
        yield printable(f"extends {clause.type}{_flat(clause.arguments)}")
    for imported in definition.imports:
        yield printable(" ".join(imported.text.split()))
    for component in definition.components:
        yield _component_line(component)
    for connect in _own_connections(definition):
        loops = f" for {', '.join(connect.loops)}" if connect.loops else ""
        yield printable(f"connect({connect.left}, {connect.right}){loops}")


def _own_connections(definition: ClassDefinition) -> Iterator[ConnectEquation]:
    """The connect equations of a class, without those of classes inside it."""
    return iter(find_all(definition, ConnectEquation, lambda connect: _owner(connect) == definition))


def _component_line(component: Component) -> str:
    words = [*component.prefixes, str(component.type) + _flat(component.clause.subscripts)]
    text = " ".join([*words, component.name]) + _flat(component.subscripts) + _flat(component.modification)
    if component.condition is not None:
        text += f" if {' '.join(component.condition.expression.text.split())}"
    protected = styled("protected ", "dim", sys.stdout) if component.is_protected else ""
    return protected + printable(text + _quoted(component))


def _owner(connect: ConnectEquation) -> ClassDefinition | None:
    return next((view for view in connect.ancestors if isinstance(view, ClassDefinition)), None)


def _flat(view: Any) -> str:
    """On one line, without comments, shortened; a modification that binds gets blanks around its `=`."""
    if view is None:
        return ""
    leaves = [token for token in walk(view, tokens=True) if not token.children]
    text = "".join((" " if token.leading else "") + token.text for token in leaves).strip().replace("( ", "(")
    return _cut(f" = {text[1:].strip()}" if text.startswith("=") else text, _MODIFICATION)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."


def _quoted(view: ClassDefinition | Component) -> str:
    if view.description is None:
        return ""
    return f'  "{_cut(" ".join(view.description.value.split()), _DESCRIPTION)}"'


def class_data(definition: ClassDefinition) -> dict[str, Any]:
    """A class with what is in it, for JSON."""
    top = _own_data(definition)
    todo = [(definition, top)]
    while todo:
        current, data = todo.pop()
        for inner in current.classes:
            data["classes"].append(_own_data(inner))
            todo.append((inner, data["classes"][-1]))
    return top


def _own_data(definition: ClassDefinition) -> dict[str, Any]:
    return {
        "name": definition.full_name,
        "kind": definition.class_kind,
        "partial": definition.is_partial,
        "description": definition.description.value if definition.description else None,
        "line": definition.position.line,
        "extends": [str(clause.type) for clause in definition.extends],
        "imports": [" ".join(clause.text.split()) for clause in definition.imports],
        "components": [_component_data(component) for component in definition.components],
        "connections": [[str(each.left), str(each.right)] for each in _own_connections(definition)],
        "classes": [],
    }


def _component_data(component: Component) -> dict[str, Any]:
    return {
        "name": component.name,
        "type": str(component.type),
        "prefixes": list(component.prefixes),
        "protected": component.is_protected,
        "dimensions": [str(s) for s in (component.clause.subscripts, component.subscripts) if s is not None],
        "modification": component.modification.text if component.modification else None,
        "condition": component.condition.expression.text if component.condition else None,
        "description": component.description.value if component.description else None,
        "line": component.position.line,
    }


# ---------------------------------------------------------------- parameters
# The parameters of a class or of a component, inherited ones too, with values and units.


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
    from modelica_ast.semantics import Instance  # noqa: PLC0415

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
