"""Many components, connections or modifiers at once: what they are among is looked through once, and proved once.

One by one, each of n costs a look at the others, which is n² for a class that is made from data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from modelica_ast.edit.annotation import annotations_near
from modelica_ast.edit.components import component_element, near_place
from modelica_ast.edit.connections import connection_like, connection_node, connections_of, ends, find_connection
from modelica_ast.edit.equations import put_item
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.inheritance import find_extends
from modelica_ast.edit.modifiers import with_value
from modelica_ast.edit.occurrences import refuse_captures
from modelica_ast.edit.placing import Insertion, line_starts, put_element
from modelica_ast.edit.surgery import node_of, with_child, with_prefix
from modelica_ast.edit.values import Given, identifier, names, parsed, value_green
from modelica_ast.edit.working import as_read, body_of
from modelica_ast.graphics.items import Line
from modelica_ast.graphics.layers import Placement
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.green import Green, Node
from modelica_ast.neighbours import annotation_opening, examples, styled
from modelica_ast.record import Record
from modelica_ast.shape import make_node
from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.components import Element, ExtendsClause
from modelica_ast.views.equations import ConnectEquation


class NewComponent(Record):
    """A component to be declared, as `add_component` takes it, and where it stands in the diagram."""

    type: str
    name: str
    modifiers: Mapping[str, Given] | None = None
    description: str | None = None
    prefixes: Sequence[str] = ()
    dimensions: Sequence[Given] = ()
    placement: Placement | None = None


class NewConnection(Record):
    """A connect equation to be added, and its line; None draws none."""

    one: str
    other: str
    line: Line | None = None


def add_components(edit: ExactEditor, owner: ClassDefinition, components: Iterable[NewComponent]) -> None:
    """Declare many components with their placements, in linear time, behind the last public one."""
    scope = edit.scope(body_of(owner))
    known = {*scope.components, *scope.classes}
    near = examples(*near_place(edit, owner, Insertion()))  # looked for once, not for each component
    written = _Written(owner)
    elements: list[Node] = []
    for new in components:
        name = identifier(new.name)
        if name in known:
            raise EditError(f"'{new.name}' is declared in '{owner.name_in_file}' already")
        known.add(name)
        element = component_element(
            new.type, new.name, new.modifiers, new.description, new.prefixes, new.dimensions, None, near
        )
        elements.append(element if new.placement is None else _placed(element, written.annotation(new.placement)))
    if elements:
        refuse_captures(edit, owner, dict.fromkeys(known - {*scope.components, *scope.classes}, ()))
        with edit.proving_once(owner):
            edit.put_lines(put_element(edit, owner, elements[0], Insertion()), elements[1:])


def add_connections(edit: ExactEditor, owner: ClassDefinition, connections: Iterable[NewConnection]) -> None:
    """Add many connect equations with the lines that they have, in linear time, behind the last equation."""
    known = {frozenset(ends(each)) for each in connections_of(owner)}
    written, like = _Written(owner), connection_like(owner)
    equations: list[Node] = []
    for item in connections:
        equation = connection_node(item.one, item.other, like)
        both = frozenset(ends(ConnectEquation.of(equation)))
        if both in known:
            raise EditError(f"connect({item.one}, {item.other}) stands in '{owner.name_in_file}' already")
        known.add(both)
        if item.line is not None:
            equation = with_child(equation, "annotation_clause", written.annotation(item.line))
        equations.append(equation)
    if equations:
        with edit.proving_once(owner):
            edit.put_lines(put_item(edit, owner, "equation", equations[0], initial=False), equations[1:])


def remove_components(edit: ExactEditor, owner: ClassDefinition, components: Iterable[str]) -> None:
    """Remove many components, which are looked for and proved once; their uses elsewhere stay."""
    _remove(edit, owner, {edit.find_component(owner, component) for component in components})


def remove_connections(edit: ExactEditor, owner: ClassDefinition, connections: Iterable[tuple[str, str]]) -> None:
    """Remove many connect equations, each given by its ends in either order, which are looked for and proved once."""
    known: dict[frozenset[str], list[ConnectEquation]] = {}
    for each in connections_of(owner):
        known.setdefault(frozenset(ends(each)), []).append(each)
    gone: set[View] = set()
    for one, other in connections:
        found = known.get(frozenset((one, other)), [])
        # Ends that are written otherwise, and what is not there or there twice, are what the single verb knows about.
        gone.add(found[0] if len(found) == 1 else find_connection(owner, one, other))
    _remove(edit, owner, gone)


def _remove(edit: ExactEditor, owner: ClassDefinition, views: Iterable[View]) -> None:
    # From the last to the first: those before it stay where they are.
    with edit.proving_once(owner):
        edit.remove(*sorted(views, key=lambda view: view.path, reverse=True))


def set_extends_modifiers(
    edit: ExactEditor, owner: ClassDefinition, base: str, modifiers: Mapping[str, Given], *, indent: int | None = None
) -> None:
    """Set many modifiers of an extends clause, values by path.

    New ones stand like those that are there. Where there are none, `indent` gives each a line of its own; it counts
    the blanks from the line of the class.
    """
    body = body_of(owner)
    old = find_extends(owner, base)
    near = examples(body.green)
    clause = ExtendsClause.of(old.green)
    for path, value in modifiers.items():
        is_first = clause.arguments is None or not clause.arguments.items
        clause = ExtendsClause.of(grafted(*with_value(clause, names(path), value_green(value, near), near)))
        if is_first and indent is not None and clause.arguments is not None:
            first = clause.arguments.items[0]
            start = line_starts(body)[0] + " " * indent
            clause = ExtendsClause.of(grafted(first, with_prefix(first.green, start)))
    edit.write(old, clause.green)


class _Written:
    """How annotations are written in a class, looked for once: on lines of their own unless the class is one line."""

    def __init__(self, owner: ClassDefinition) -> None:
        start = line_starts(body_of(owner))[1]
        self._gap = f"{start}  " if start else " "
        self._near = annotations_near(owner)
        self._opening = annotation_opening(owner.green, owner.root.green)

    def annotation(self, record: GraphicRecord) -> Green:
        """An annotation of one graphical record, as a parse has it."""
        argument = styled(parsed(str(record), "_argument", "an argument"), *self._near)
        arguments = make_node("class_modification", self._opening, argument, ")")
        return with_prefix(as_read(make_node("annotation_clause", "annotation", arguments)), self._gap)


def _placed(element: Node, annotation: Green) -> Node:
    """The element with an annotation of its one component."""
    clause = Element.of(element).component_clause
    assert clause is not None
    component = clause.declarations[0]
    return grafted(component, with_child(node_of(component), "annotation_clause", annotation))
