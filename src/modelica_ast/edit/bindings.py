"""Modifiers and values of a component: `body.frame_a.r_0.start`."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.modifiers import get_value, set_binding, with_child, without_value
from modelica_ast.edit.surgery import at, replaced, with_prefix
from modelica_ast.edit.values import names, value_green
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, equal
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.parse import view_of_fragment
from modelica_ast.shape import child


def get_modifier(work: Working, class_: str, component: str, path: str = "") -> Green | None:
    """The value of a modifier (or, with an empty path, of the component itself), or None."""
    declaration = at(work.root, work.component_path(class_, component))
    found = child(declaration, "modification")
    return get_value(found[1], names(path)) if found else None


def set_modifier(work: Working, class_: str, component: str, path: str, value: Any) -> None:
    """Set a modifier, or with an empty path the value of the component."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    new = value_green(value)
    found = child(declaration, "modification")
    old = get_value(found[1], names(path)) if found else None
    if old is not None and same_value(old, new):
        return
    element = at(work.root, work.element_path(where))
    body = at(work.root, work.body_path(class_))
    modification = set_binding(found[1] if found else None, names(path), new, (element, body))
    work.changed(replaced(work.root, where, with_child(declaration, "modification", modification)), where)


def same_value(old: Green, new: Green) -> bool:
    """`1.0e-3` and 0.001 are the same value: the author's text stays."""
    if equal(with_prefix(old, ""), new):
        return True
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return False
    # 1 and 1.0 differ in Modelica: an Integer and a Real.
    return values[0] == values[1] and isinstance(values[0], float) == isinstance(values[1], float)


def remove_modifier(work: Working, class_: str, component: str, path: str) -> None:
    """Remove a modifier; parentheses that become empty go too."""
    where = work.component_path(class_, component)
    declaration = at(work.root, where)
    found = child(declaration, "modification")
    modification = without_value(found[1] if found else None, names(path))
    work.changed(replaced(work.root, where, with_child(declaration, "modification", modification)), where)
