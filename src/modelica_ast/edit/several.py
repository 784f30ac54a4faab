"""Many components, connections or modifiers at once: what they are among is looked through once, and proved once.

One by one, each of n costs a look at the others, which is n² for a class that is made from data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from modelica_ast.edit.annotation import as_read
from modelica_ast.edit.components import component_element, near_place, take_declaration
from modelica_ast.edit.connections import connection_node, connection_path, connections
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.inheritance import extends_path
from modelica_ast.edit.lists import item_places
from modelica_ast.edit.modifiers import set_in_arguments, with_child
from modelica_ast.edit.placing import Place, line_starts, put_element, take_out
from modelica_ast.edit.sections import put_item
from modelica_ast.edit.style import examples
from modelica_ast.edit.surgery import Path, at, prefix_of, remade, replaced, with_prefix
from modelica_ast.edit.values import identifier, names, parsed, value_green
from modelica_ast.edit.working import Unproved, Working
from modelica_ast.graphics.items import Line
from modelica_ast.graphics.layers import Placement
from modelica_ast.graphics.records import GraphicRecord
from modelica_ast.green import Green, Node, child_at, tokens
from modelica_ast.record import Record
from modelica_ast.shape import child, make_node
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix


class NewComponent(Record):
    """A component to be declared, as `add_component` takes it, and where it stands in the diagram."""

    type: str
    name: str
    modifiers: Mapping[str, Any] | None = None
    description: str | None = None
    prefixes: Sequence[str] = ()
    dimensions: Sequence[Any] = ()
    placement: Placement | None = None


class NewConnection(Record):
    """A connect equation to be added, and its line; None draws none."""

    one: str
    other: str
    line: Line | None = None


def add_components(work: Working, class_: str, components: Iterable[NewComponent]) -> None:
    """Declare components in their order, behind the last public one."""
    known = set(_declared(work, class_))
    near = examples(*near_place(work, class_, Place()))  # looked for once, not for each component
    gap = _gap(work, class_)
    elements: list[Node] = []
    for new in components:
        name = identifier(new.name)
        if name in known:
            raise EditError(f"'{new.name}' is declared in '{class_}' already")
        known.add(name)
        element = component_element(
            new.type, new.name, new.modifiers, new.description, new.prefixes, new.dimensions, None, near
        )
        elements.append(element if new.placement is None else _placed(element, new.placement, gap))
    if elements:
        first = put_element(work, class_, elements[0], Place())
        _splice(work, class_, first, elements[1:])


def add_connections(work: Working, class_: str, new: Iterable[NewConnection]) -> None:
    """Add connect equations in their order, behind the last equation."""
    known = {frozenset((left, right)) for left, right, _ in connections(work, class_)}
    gap = _gap(work, class_)
    equations: list[Node] = []
    todo = list(new)
    for item in todo:
        equation = connection_node(item.one, item.other)
        ends = frozenset("".join(tokens(child_at(equation, place))) for place in (3, 5))
        if ends in known:
            raise EditError(f"connect({item.one}, {item.other}) stands in '{class_}' already")
        known.add(ends)
        if item.line is not None:
            equation = with_child(equation, "annotation_clause", _annotation(item.line, gap))
        equations.append(equation)
    if equations:
        put_item(work, class_, "equation", equations[0], initial=False)
        first = connection_path(work, class_, todo[0].one, todo[0].other)
        _splice(work, class_, first, equations[1:])


def remove_components(work: Working, class_: str, components: Iterable[str]) -> None:
    """Remove components; their uses elsewhere stay."""
    places = {work.component_path(class_, component) for component in components}
    _take(work, class_, places, take_declaration)


def remove_connections(work: Working, class_: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Remove connect equations, each given by its ends in either order."""
    known: dict[frozenset[str], list[Path]] = {}
    for left, right, path in connections(work, class_):
        known.setdefault(frozenset((left, right)), []).append(path)
    places: set[Path] = set()
    for one, other in pairs:
        found = known.get(frozenset((one, other)), [])
        # Ends that are written otherwise, and what is not there or there twice, are what the single verb knows about.
        places.add(found[0] if len(found) == 1 else connection_path(work, class_, one, other))
    _take(work, class_, places, take_out)


def _take(work: Working, class_: str, places: set[Path], take: Callable[[Working, Path], None]) -> None:
    """Take out what is at these places, then prove the class."""
    unproved = Unproved(work.root, work.index)
    for place in sorted(places, reverse=True):  # from the last to the first: those before it stay where they are
        take(unproved, place)
    if places:
        work.changed(unproved.root, work.class_path(class_))


def set_extends_modifiers(
    work: Working, class_: str, base: str, modifiers: Mapping[str, Any], *, indent: int | None = None
) -> None:
    """Set modifiers of an extends clause, in their order.

    New ones stand like those that are there. Where there are none, `indent` gives each a line of its own.
    """
    where = (*extends_path(work, class_, base), 1)
    clause = at(work.root, where)
    found = child(clause, "class_modification")
    arguments: Any = found[1] if found else make_node("class_modification", "(", ")")
    near = examples(at(work.root, work.body_path(class_)))
    for path, value in modifiers.items():
        is_first = not item_places(arguments)
        arguments = set_in_arguments(arguments, names(path), value_green(value), near)
        if is_first and indent is not None:
            start = line_starts(work.root, work.body_path(class_))[0] + " " * indent
            place = item_places(arguments)[0]
            arguments = replaced(arguments, (place,), with_prefix(arguments[place], start))
    work.changed(replaced(work.root, where, with_child(clause, "class_modification", arguments)), where)


def _declared(work: Working, class_: str) -> Iterable[str]:
    scope = work.index.scope(at(work.root, work.body_path(class_)))
    return [*scope.components, *scope.classes]


def _gap(work: Working, class_: str) -> str:
    """What stands before an annotation: a line of its own, unless the class is written on one line."""
    start = line_starts(work.root, work.body_path(class_))[1]
    return f"{start}  " if start else " "


def _placed(element: Node, placement: Placement, gap: str) -> Node:
    """The element with a placement in the annotation of its one component."""
    place = next(i for i, part in enumerate(element[1:], 1) if type(part) is tuple and _is_clause(part))
    clause: Any = element[place]
    declaration = with_child(clause[-1], "annotation_clause", _annotation(placement, gap))
    changed: Node = replaced(element, (place, len(clause) - 1), declaration)
    return changed


def _is_clause(node: Node) -> bool:
    return KINDS[node[0]] == "component_clause"


def _annotation(record: GraphicRecord, gap: str) -> Green:
    """An annotation of one graphical record, as a parse has it."""
    argument = parsed(str(record), "_argument", "an argument")
    made = make_node("annotation_clause", "annotation", make_node("class_modification", " (", argument, ")"))
    annotation: Green = with_prefix(as_read(made), gap)
    return annotation


def _splice(work: Working, class_: str, first: Path, rest: list[Node]) -> None:
    """Put siblings behind the node at `first`, with line starts like it; then prove the class."""
    start = Prefix.of(prefix_of(at(work.root, first))).line_start or " "
    parent = at(work.root, first[:-1])
    place = first[-1] + 1
    children = [*parent[1:place], *(with_prefix(node, start) for node in rest), *parent[place:]]
    work.changed(replaced(work.root, first[:-1], remade(parent, children)), work.class_path(class_))
