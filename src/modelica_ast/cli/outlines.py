"""Classes as outlines: lines for people, data for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

from modelica_ast.cli.terminal import printable, styled
from modelica_ast.traverse import find_all, walk
from modelica_ast.views import ClassDefinition, Component, ConnectEquation
from modelica_ast.views.classes import EnumerationClassSpecifier

_SHORT_CLASS: Final = 100  # characters of what stands behind `=`
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
    for one, other in own_connections(definition):
        yield printable(f"connect({one}, {other})")


def own_connections(definition: ClassDefinition) -> list[tuple[str, str]]:
    """The ends of the connect equations of a class, without those of classes inside it."""
    found = find_all(definition, ConnectEquation, lambda connect: _owner(connect) == definition)
    return [(str(connect.left), str(connect.right)) for connect in found]


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
        "connections": [list(ends) for ends in own_connections(definition)],
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
