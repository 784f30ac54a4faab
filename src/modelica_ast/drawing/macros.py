"""The macros in texts of icons: `%name`, `%class`, `%par` and `%{par}`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from modelica_ast.drawing.quantities import shown_value
from modelica_ast.identifiers import split_name
from modelica_ast.semantics.instances import ComponentInstance, Node
from modelica_ast.views.base import Expression

_MACRO: Final = re.compile(r"%(?:(?P<percent>%)|\{(?P<path>[^{}]*)\}|(?P<name>[A-Za-z_]\w*))")
_LONGEST: Final = 40


class Subject(NamedTuple):
    """What a text is about: a component, or a class that is drawn by itself."""

    node: Node
    name: str  # for `%name`
    class_name: str


def filled_in(text: str, subject: Subject, unknown: Callable[[str], None]) -> str:
    """A text with its macros replaced; `unknown` is called with each name that is no parameter, which stays."""
    if "%" not in text:
        return text

    def value(found: re.Match[str]) -> str:
        if found["percent"] is not None:
            return "%"
        if found["name"] == "name":
            return subject.name
        if found["name"] == "class":
            return subject.class_name.rpartition(".")[2]
        path = found["path"] if found["path"] is not None else found["name"]
        component = _component(subject.node, path.strip())
        if component is None:
            unknown(path)
            return found[0]
        return _value_text(component)

    return _MACRO.sub(value, text)


def _component(node: Node, path: str) -> ComponentInstance | None:
    if not path or not re.fullmatch(r"[\w.' ]+", path):
        return None
    try:
        return node.get(path) if all(split_name(path)) else None
    except ValueError:  # no name
        return None


def _value_text(component: ComponentInstance) -> str:
    """The value if it is known, else how it is written; the name of what has no value."""
    value = component.value
    if value is not None:
        unit, display = component.attribute("unit"), component.attribute("displayUnit")
        return shown_value(value, unit if isinstance(unit, str) else "", display if isinstance(display, str) else "")
    binding = component.binding
    if binding is None or not isinstance(binding.value, Expression):
        return component.name
    text = " ".join(".".join([binding.text, *binding.member]).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
