"""A component copied inside its class, with other names in what it says."""

from __future__ import annotations

from collections.abc import Mapping

from modelica_ast.edit.components import refuse_known_name
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.placing import class_of
from modelica_ast.edit.surgery import replaced
from modelica_ast.edit.values import identifier
from modelica_ast.green import Node
from modelica_ast.identifiers import split_name
from modelica_ast.traverse import walk
from modelica_ast.views.base import Token
from modelica_ast.views.components import Component, Element
from modelica_ast.views.names import ComponentReference


def copy_component(
    edit: ExactEditor, component: Component, name: str, references: Mapping[str, str] | None = None
) -> str:
    """Declare a copy of a component behind it, with its description and annotation; comments are not copied.

    `references` says which names are others in the copy: with `{"p.left": "p.right"}` a modifier `m = p.left.mass`
    becomes `m = p.right.mass`. Both names of a pair have as many parts, two at least.
    """
    component = edit.now(component)
    refuse_known_name(edit, class_of(component), name)
    element = component.element
    if element is None or len(component.clause.declarations) != 1:
        raise EditError(f"'{component.name}' is declared together with others: give it a declaration of its own first")
    copy = Element.of(element.green)
    assert copy.component_clause is not None
    own = copy.component_clause.declarations[0].identifier
    green = grafted(own, own.leading + identifier(name))
    for old, new in (references or {}).items():
        parts, others = split_name(old), split_name(new)
        if len(parts) != len(others) or len(parts) == 1:
            raise EditError(f"'{old}' and '{new}' have not the same number of parts, two or more")
        green = _with_other_names(green, parts, others)
    edit.put_line(element, green)
    return name


def _with_other_names(element: Node, old: list[str], new: list[str]) -> Node:
    """The element with other first parts in the references that start like that."""
    for reference in walk(Element.of(element), annotations=False):
        if not isinstance(reference, ComponentReference):
            continue
        # A part with an index is followed by a node, and the parts behind it belong to what the index has chosen.
        first = reference.children[: 2 * len(old) - 1]
        parts = [each for each in first[::2] if isinstance(each, Token)]
        if len(first) == 2 * len(old) - 1 and [each.text for each in parts] == old:
            for part, token in zip(parts, new, strict=True):
                element = replaced(element, part.path, part.leading + token)
    return element
