"""Many components, connections or modifiers at once: what they are among is looked through once, and proved once.

One by one, each of n costs a look at the others, which is n² for a class that is made from data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from modelica_ast.edit.draft import as_read, body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.placement import Insertion, line_starts, put_element
from modelica_ast.edit.surgery import all_replaced, node_of, with_child
from modelica_ast.edit.values import Given, identifier, names, parsed, value_green
from modelica_ast.edit.verbs.annotations import annotations_near
from modelica_ast.edit.verbs.components import component_element, copied_element, near_place, refuse_known_names
from modelica_ast.edit.verbs.diagram import line_fields, placement_fields
from modelica_ast.edit.verbs.equations import (
    connection_like,
    connection_node,
    connections_of,
    ends,
    find_connection,
    put_item,
)
from modelica_ast.edit.verbs.graphics import Annotations, FieldsOf, set_fields
from modelica_ast.edit.verbs.inheritance import find_extends
from modelica_ast.edit.verbs.modifiers import with_value
from modelica_ast.edit.verbs.renames import refuse_captures
from modelica_ast.foundation import EditError, Record
from modelica_ast.graphics import GraphicRecord, Line, Placement
from modelica_ast.syntax import Green, Node, make_node, with_prefix
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    ConnectEquation,
    Element,
    ExtendsClause,
    View,
    annotation_opening,
    examples,
    styled,
)

_Fields = list[FieldsOf]


class NewComponent(Record):
    """A component to be declared, as `add_component` takes it, and where it is in the diagram."""

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


class ComponentCopy(Record):
    """A component to be declared like another one of its class; with other `references`, as `copy_component` has it."""

    original: str
    name: str
    references: Mapping[str, str] | None = None


def add_components(edit: ExactEditor, owner: ClassDefinition, components: Iterable[NewComponent]) -> None:
    """Declare many components with their placements, in linear time, after the last public one."""
    scope = edit.scope(body_of(owner))
    known = {*scope.components, *scope.classes}
    near = examples(*near_place(edit, owner, Insertion()))  # looked for once, not for each component
    written = _Written(owner)
    elements: list[Node] = []
    for new in components:
        name = identifier(new.name)
        if name in known:
            raise EditError(f"'{new.name}' is already declared in '{owner.name_in_file}'")
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
    """Add many connect equations with the lines that they have, in linear time, after the last equation."""
    known = {frozenset(ends(each)) for each in connections_of(owner)}
    written, like = _Written(owner), connection_like(owner)
    equations: list[Node] = []
    for item in connections:
        equation = connection_node(item.one, item.other, like)
        both = frozenset(ends(ConnectEquation.of(equation)))
        if both in known:
            raise EditError(f"connect({item.one}, {item.other}) is already in '{owner.name_in_file}'")
        known.add(both)
        if item.line is not None:
            equation = with_child(equation, "annotation_clause", written.annotation(item.line))
        equations.append(equation)
    if equations:
        with edit.proving_once(owner):
            edit.put_lines(put_item(edit, owner, "equation", equations[0], initial=False), equations[1:])


def copy_components(edit: ExactEditor, owner: ClassDefinition, copies: Iterable[ComponentCopy]) -> None:
    """Declare copies of components in linear time, those of one component after it in their order."""
    wanted = list(copies)
    refuse_known_names(edit, owner, [each.name for each in wanted])
    found: dict[View, list[Node]] = {}
    for each in wanted:
        element, copy = copied_element(edit.find_component(owner, each.original), each.name, each.references)
        found.setdefault(element, []).append(copy)
    with edit.proving_once(owner):
        for beside, (first, *others) in found.items():
            edit.put_lines(edit.put_line(beside, first), others)


def set_placements(edit: ExactEditor, owner: ClassDefinition, placements: Mapping[str, Placement]) -> None:
    """Place many components, each as `set_placement` does, in linear time."""
    found = {edit.find_component(owner, name): placement for name, placement in placements.items()}
    _set_fields(edit, owner, {view: placement_fields(view, placement) for view, placement in found.items()})


def set_lines(edit: ExactEditor, owner: ClassDefinition, lines: Mapping[tuple[str, str], Line]) -> None:
    """Draw the lines of many connections, given by their ends in either order, each as `set_line` does."""
    known = _Connections(owner)
    found = {known.find(*both): line for both, line in lines.items()}
    _set_fields(edit, owner, {view: line_fields(view, line) for view, line in found.items()})


def _set_fields(
    edit: ExactEditor, owner: ClassDefinition, wanted: Mapping[Component, _Fields] | Mapping[ConnectEquation, _Fields]
) -> None:
    body, written = body_of(owner), Annotations(owner)
    plain = {view: fields for view, fields in wanted.items() if not any(any(each.going) for each in fields)}
    depth = len(body.path)
    new = {view.path[depth:]: written.written(view, fields) for view, fields in plain.items()}
    with edit.proving_once(owner):
        for view, fields in wanted.items():
            if view not in plain:
                set_fields(edit, view, fields)
        edit.write(body, all_replaced(node_of(edit.now(body)), new))


def remove_components(edit: ExactEditor, owner: ClassDefinition, components: Iterable[str]) -> None:
    """Remove many components, which are looked for and proved once; their uses elsewhere stay."""
    _remove(edit, owner, {edit.find_component(owner, component) for component in components})


def remove_connections(edit: ExactEditor, owner: ClassDefinition, connections: Iterable[tuple[str, str]]) -> None:
    """Remove many connect equations, each given by its ends in either order, which are looked for and proved once."""
    known = _Connections(owner)
    _remove(edit, owner, {known.find(*both) for both in connections})


class _Connections:
    """The connect equations of a class by their ends; PERF: read once, however many are looked for."""

    def __init__(self, owner: ClassDefinition) -> None:
        self._owner = owner
        self._known: dict[frozenset[str], list[ConnectEquation]] = {}
        for each in connections_of(owner):
            self._known.setdefault(frozenset(ends(each)), []).append(each)

    def find(self, one: str, other: str) -> ConnectEquation:
        """The connect equation between two ends."""
        found = self._known.get(frozenset((one, other)), [])
        # Ends that are written otherwise, and what is not there or there twice, are what the single verb knows about.
        return found[0] if len(found) == 1 else find_connection(self._owner, one, other)


def _remove(edit: ExactEditor, owner: ClassDefinition, views: Iterable[View]) -> None:
    # From the last to the first: those before it stay where they are.
    with edit.proving_once(owner):
        edit.remove(*sorted(views, key=lambda view: view.path, reverse=True))


def set_extends_modifiers(
    edit: ExactEditor, owner: ClassDefinition, base: str, modifiers: Mapping[str, Given], *, indent: int | None = None
) -> None:
    """Set many modifiers of an extends clause, values by path.

    New ones are like those that are there. Where there are none, `indent` gives each a line of its own; it counts
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
        self._near = examples(*annotations_near(owner))
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
