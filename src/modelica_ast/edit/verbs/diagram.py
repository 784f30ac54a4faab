"""Diagrams: where components are placed, the lines of their connections, and lines that follow what moves."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import attrs

from modelica_ast.edit.draft import body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.lists import remove_bracketed, with_item
from modelica_ast.edit.placement import class_of, line_starts
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import node_of
from modelica_ast.edit.values import parsed, value_green
from modelica_ast.edit.verbs.annotations import (
    annotation_part,
    annotations_near,
    get_annotation,
    remove_annotation,
    set_annotation,
)
from modelica_ast.edit.verbs.equations import add_connection, connections_of, ends, find_connection
from modelica_ast.edit.verbs.graphics import FieldsOf, field_green, merged, set_at, set_fields
from modelica_ast.foundation import EditError, ModelicaError, NotFoundError
from modelica_ast.graphics import (
    LAYERS,
    CoordinateSystem,
    CoordinateSystemJson,
    Extent,
    GraphicItem,
    GraphicJson,
    Item,
    Layer,
    Line,
    LineJson,
    Number,
    Placement,
    PlacementJson,
    Point,
    Stop,
    Transformation,
    as_item,
    as_number,
    difference,
    follow,
    moved,
    negative,
    routed,
)
from modelica_ast.syntax import Green, make_node, tokens, with_prefix
from modelica_ast.tree import (
    Array,
    Call,
    CallArguments,
    ClassDefinition,
    Component,
    ComponentReference,
    ConnectEquation,
    Expression,
    NamedArgument,
    modifier_style,
    parse_annotation,
    styled,
    view_of_fragment,
)

if TYPE_CHECKING:
    GivenPlacement = Placement | PlacementJson
    GivenLine = Line | LineJson
else:  # what a patch may hold is read from the hints of its verbs
    GivenPlacement = PlacementJson
    GivenLine = LineJson

_HALF: Final = 10  # half of the size that a component has in the Standard Library
_QUARTER: Final = 90
_WHERE: Final = ("origin", "rotation")


@attrs.frozen
class LeftAlone:
    """A connection whose line did not follow, and why."""

    one: str
    other: str
    reason: str


# ---------------------------------------------------------------- placements


def get_placement(component: Component) -> Placement | None:
    """The placement of a component, or None."""
    found = annotation_part(component, "Placement")
    return None if found is None else Placement.from_expression(found)


def set_placement(edit: ExactEditor, component: Component, placement: GivenPlacement) -> None:
    """Place a component. Only values that differ are written; what the placement leaves open stays as it is.

    An extent is where it is by its origin and rotation: with a new extent, those that are not given go. The lines of
    its connections stay; `place_component` and `move_in_diagram` take them along.
    """
    set_fields(edit, component, placement_fields(component, placement))


def placement_fields(component: Component, placement: GivenPlacement) -> list[FieldsOf]:
    """What is set in the annotation of a component to place it."""
    new = placement if isinstance(placement, Placement) else Placement.from_json(placement)
    old = get_placement(component)
    found = [FieldsOf("Placement", new)]
    for name in ("transformation", "iconTransformation"):
        inner, before = getattr(new, name), getattr(old, name, None)
        if isinstance(inner, Expression):
            raise EditError(f"the {name} of '{component.name}' can't be '{inner.text}': give its values")
        if isinstance(inner, Transformation):
            known = before if isinstance(before, Transformation) else None
            found.append(FieldsOf(f"Placement.{name}", inner, known, _WHERE if inner.extent is not None else ()))
    return found


def place_component(edit: ExactEditor, component: Component, x: Number, y: Number) -> list[LeftAlone]:
    """Move a component so that its middle is at a point, with its lines; one without a placement gets one.

    The connections whose lines could not follow come back.
    """
    name, owner = component.name, class_of(component)
    placement = get_placement(component)
    if placement is None or placement.transformation is None:
        box = Extent(Point(-_HALF, -_HALF), Point(_HALF, _HALF)).moved(as_number(x), as_number(y))
        set_placement(edit, component, Placement(transformation=Transformation(extent=box)))
        return [
            LeftAlone(*ends(each), f"'{name}' had no placement for the line to follow")
            for each in connections_of(owner)
            if name in _components(each) and annotation_part(each, "Line") is not None
        ]
    center = _box(placement, component).center
    dx, dy = difference(as_number(x), center.x), difference(as_number(y), center.y)
    return move_in_diagram(edit, component, dx, dy)


def move_in_diagram(edit: ExactEditor, component: Component, dx: Number, dy: Number) -> list[LeftAlone]:
    """Move a component to the right and up. The lines of its connections follow; those that can't are returned.

    A connector without an icon transformation moves in the icon too: one transformation places it in both.
    """
    dx, dy = as_number(dx), as_number(dy)
    name, owner = component.name, class_of(component)
    placement = get_placement(component)
    if placement is None or not isinstance(placement.transformation, Transformation):
        raise EditError(f"'{name}' has no placement in '{owner.name_in_file}' to move; set_placement gives it one")
    transformation = placement.transformation.moved(dx, dy)
    for field, value in transformation.given.items():
        if value != getattr(placement.transformation, field):
            set_at(edit, component, f"Placement.transformation.{field}", value)
    left = []
    for each in connections_of(owner):
        first, last = _components(each)
        reason = _follow(edit, each, (first == name, last == name), dx, dy)
        if reason:
            left.append(LeftAlone(*ends(each), reason))
    return left


def _follow(
    edit: ExactEditor, connection: ConnectEquation, at_ends: tuple[bool, bool], dx: Number, dy: Number
) -> str | None:
    """Let the line of a connection follow at its first end, its last, or both; why not, if it can't.

    The first point belongs to the first end: of 23,000 ends in the Standard Library, one is the other way round.
    """
    if not any(at_ends):
        return None
    try:
        found = annotation_part(connection, "Line")
        if found is None:
            return None
        line = Line.from_expression(found)
    except ModelicaError as error:
        return str(error)
    if not isinstance(line.points, tuple):
        return "its points are not numbers" if line.points is not None else "it has no points"
    rotation = 0 if line.rotation is None else line.rotation
    if not isinstance(rotation, int | float) or rotation % _QUARTER:
        return f"it is turned by {rotation if isinstance(rotation, int | float) else rotation.text}"
    step = Point(dx, dy).rotated(negative(rotation))
    if all(at_ends):
        points = moved(line.points, step.x, step.y)
    elif at_ends[0]:
        points = follow(line.points, step.x, step.y)
    else:
        points = follow(line.points[::-1], step.x, step.y)[::-1]
    set_at(edit, connection, "Line.points", points)
    return None


# ---------------------------------------------------------------- lines


def get_line(owner: ClassDefinition, one: str, other: str) -> Line | None:
    """The line of a connection, given by its ends in either order; or None."""
    return _line_of(find_connection(owner, one, other))


def _line_of(connection: ConnectEquation) -> Line | None:
    found = annotation_part(connection, "Line")
    return None if found is None else Line.from_expression(found)


def set_line(edit: ExactEditor, owner: ClassDefinition, one: str, other: str, line: GivenLine) -> None:
    """Draw the line of a connection. Only values that differ are written; what the line leaves open stays as it is.

    Points are where they are by the line's origin and rotation: with new points, those that are not given go.
    """
    _draw(edit, find_connection(owner, one, other), line)


def _draw(edit: ExactEditor, connection: ConnectEquation, line: GivenLine) -> None:
    set_fields(edit, connection, line_fields(connection, line))


def line_fields(connection: ConnectEquation, line: GivenLine) -> list[FieldsOf]:
    """What is set in the annotation of a connection to draw its line."""
    new = line if isinstance(line, Line) else Line.from_json(line)
    return [FieldsOf("Line", new, _line_of(connection), _WHERE if new.points is not None else ())]


def route(edit: ExactEditor, owner: ClassDefinition, one: str, other: str) -> Line | None:
    """A line between two ends, around the other components; None if there is none.

    There is none if a component has no placement, or if one covers the other. The line starts at its connector; where
    the class of a component is not known, in the middle of the side that faces the other.
    """
    names, declared = [_parts(end) for end in (one, other)], edit.scope(body_of(owner)).components
    own = {
        name: _box_or_none(get_placement(edit.find_component(owner, name))) for name, *_ in names if name in declared
    }
    # PERF: a file on its own is not looked through.
    may_be_inherited = bool(owner.extends) and edit.beside is not None
    if None in own.values() or not (may_be_inherited or all(name in own for name, *_ in names)):
        return None
    from modelica_ast.graphics import seen_in  # noqa: PLC0415  (PERF: only where both ends are placed)

    seen = seen_in(owner, names, edit.beside)
    boxes = [own.get(name) or seen.inherited.get(name) for name, *_ in names]
    if boxes[0] is None or boxes[1] is None:
        return None
    there = [(each.name, each.annotation) for each in owner.components if each.annotation is not None]
    every = {name: _obstacle(annotation.text) for name, annotation in there} | seen.inherited
    obstacles = [box for name, box in every.items() if box is not None and name not in (names[0][0], names[1][0])]
    start, end = seen.connectors
    points = routed(Stop(boxes[0], start), Stop(boxes[1], end), obstacles)
    return None if points is None else Line(points=points)


@lru_cache(maxsize=4096)  # PERF: a class of a thousand components is looked through for each new line
def _obstacle(annotation: str) -> Extent | None:
    """What a component with this annotation covers; None if it is not seen, and if nobody can tell."""
    try:
        found = parse_annotation(annotation).arguments.get("Placement")
        placement = None if found is None else Placement.from_expression(found)
    except ModelicaError:
        return None
    return None if placement is None or placement.visible is False else _box_or_none(placement)


def connect(edit: ExactEditor, owner: ClassDefinition, one: str, other: str, *, line: bool | GivenLine = True) -> None:
    """Connect two connectors, after the last equation, with a line.

    The line is routed from connector to connector, around other components, where both components are placed in this
    class; `line` gives another, or false for none.
    """
    drawn: GivenLine | None = line if not isinstance(line, bool) else None
    if line is True:  # PERF: before the edit, while the class's scope is known
        drawn = route(edit, owner, one, other)
    new = add_connection(edit, owner, one, other)
    if drawn is not None:
        _draw(edit, new, drawn)


def route_line(edit: ExactEditor, owner: ClassDefinition, one: str, other: str) -> None:
    """Draw the line of a connection again, from connector to connector, around other components."""
    line = route(edit, owner, one, other)
    if line is None:
        for end in (one, other) if not owner.extends else ():
            edit.find_component(owner, _parts(end)[0])  # or it is told that there is none
        raise EditError(f"there is no path for a line from '{one}' to '{other}': place the components side by side")
    set_line(edit, owner, one, other, line)


# ---------------------------------------------------------------- finding


def _box_or_none(placement: Placement | None) -> Extent | None:
    transformation = None if placement is None else placement.transformation
    return transformation.box if isinstance(transformation, Transformation) else None


def _box(placement: Placement, component: Component) -> Extent:
    box = _box_or_none(placement)
    if box is None:
        owner = class_of(component).name_in_file
        raise EditError(f"the placement of '{component.name}' in '{owner}' is not given by numbers: '{placement}'")
    return box


def _component_of(end: str) -> str:
    return _parts(end)[0]


def _parts(end: str) -> list[str]:
    """The identifiers of a reference, without subscripts."""
    green = parsed(end, "component_reference", "a reference")
    return list(ComponentReference.of(green).parts)


def _components(connection: ConnectEquation) -> tuple[str, str]:
    """The components at the two ends of a connect equation."""
    return tokens(connection.left.green)[0], tokens(connection.right.green)[0]


# ---------------------------------------------------------------- drawing
# What is drawn in the icon and in the diagram of a class: read, add, change and remove one thing at a time.

LayerName = Literal["Icon", "Diagram"]

if TYPE_CHECKING:
    GivenItem = Item | GraphicJson
    GivenSystem = CoordinateSystem | CoordinateSystemJson
else:  # what a patch may hold is read from the hints of its verbs
    GivenItem = GraphicJson
    GivenSystem = CoordinateSystemJson

_DEEPER: Final = " " * 6  # how much an item is indented below its annotation in the Standard Library


def get_layer(owner: ClassDefinition, layer: LayerName = "Icon") -> Layer | None:
    """The icon or the diagram of a class, or None. What it inherits is not in it."""
    cls = LAYERS.get(layer)
    if cls is None:
        raise EditError(f"there is no layer '{layer}'; there is {', '.join(LAYERS)}")
    found = annotation_part(owner, layer)
    return None if found is None else cls.from_expression(found)


def get_graphics(owner: ClassDefinition, layer: LayerName = "Icon") -> tuple[Item, ...]:
    """What is drawn in a layer, the last on top."""
    found = get_layer(owner, layer)
    graphics = found.graphics if found is not None else None
    if isinstance(graphics, Expression):
        raise _no_list(owner, layer, graphics.text)
    return graphics or ()


def set_coordinate_system(edit: ExactEditor, owner: ClassDefinition, layer: LayerName, system: GivenSystem) -> None:
    """Set the coordinate system of a layer; what the new one leaves open stays as it is."""
    new = system if isinstance(system, CoordinateSystem) else CoordinateSystem.from_json(system)
    for name, value in new.given.items():
        path, now = f"{layer}.coordinateSystem.{name}", edit.now(owner)
        given, before = field_green(value, annotations_near(now)), get_annotation(now, path)
        if before is None:
            view = view_of_fragment(given, "expression")
            assert isinstance(view, Expression)
            set_annotation(edit, now, path, view)
        elif (after := merged(before.green, given)) is not before.green:
            edit.write(before, after)


def add_graphic(
    edit: ExactEditor, owner: ClassDefinition, layer: LayerName, item: GivenItem, index: int | None = None
) -> None:
    """Draw one more item, on top of the others or before the item number `index`; a layer is made if there is none."""
    array = _list(owner, layer)
    near = annotations_near(owner) if array is None or not array.items else (array.green,)
    new = styled(value_green(as_item(item).to_expression()), *near)
    number = 0 if array is None else len(array.items)
    if index is not None and not 0 <= index <= number:
        raise _missing(owner, layer, index, number)
    if array is not None and number:
        edit.write(array, with_item(node_of(array), new, index))
        return
    start = line_starts(owner.composition)[0] if owner.composition is not None else ""
    first = make_node("array", "{", with_prefix(new, start and "\n" + _DEEPER), "}")
    set_annotation(edit, owner, f"{layer}.graphics", Array.of(first))


def remove_graphic(
    edit: ExactEditor, owner: ClassDefinition, layer: LayerName, index: int, *, comments: Comments = "drop"
) -> None:
    """Remove the item number `index`, counted from 0; a list that empties goes too."""
    array = _found(owner, layer, index)
    if len(array.items) == 1:
        remove_annotation(edit, owner, f"{layer}.graphics", comments=comments)
    else:
        edit.remove(array.items[index], comments=comments)


def set_graphic(edit: ExactEditor, owner: ClassDefinition, layer: LayerName, index: int, item: GivenItem) -> None:
    """Change the item number `index`, counted from 0. Only values that differ are written; a vendor's stay."""
    old = _found(owner, layer, index).items[index]
    changed = _merged_item(old, as_item(item))
    if changed is not old.green:
        edit.write(old, changed)


# ---------------------------------------------------------------- the list


def _list(owner: ClassDefinition, layer: str) -> Array | None:
    """The list of graphics, or None."""
    if layer not in LAYERS:
        raise EditError(f"there is no layer '{layer}'; there is {', '.join(LAYERS)}")
    found = get_annotation(owner, f"{layer}.graphics")
    if found is not None and not isinstance(found, Array):
        raise _no_list(owner, layer, found.text)
    return found


def _found(owner: ClassDefinition, layer: str, index: int) -> Array:
    """The list of graphics, which has an item of this number."""
    array = _list(owner, layer)
    number = 0 if array is None else len(array.items)
    if array is None or not 0 <= index < number:
        raise _missing(owner, layer, index, number)
    return array


def _missing(owner: ClassDefinition, layer: str, index: int, number: int) -> NotFoundError:
    there = f"it has {number}, counted from 0" if number else "it has none"
    return NotFoundError(f"there is no graphic {index} in the {layer} of '{owner.name_in_file}': {there}")


def _no_list(owner: ClassDefinition, layer: str, text: str) -> EditError:
    return EditError(f"the graphics in the {layer} of '{owner.name_in_file}' are '{text}', not a list")


# ---------------------------------------------------------------- one item


def _merged_item(old: Expression, item: Item) -> Green:
    """The old item with the values of the new one; the new one if it is of another kind."""
    named = _named_values(old)
    if not isinstance(item, GraphicItem) or named is None or _name(old) != item.modelica_name:
        return merged(old.green, styled(value_green(item.to_expression()), old.green), 0)
    arguments = CallArguments.of(named.green)
    near = (arguments.green,)
    equals, behind = modifier_style(*near)
    for name, value in item.given.items():
        there = _argument(arguments, name)
        if there is None:
            new = make_node("named_argument", name, equals + "=", with_prefix(field_green(value, near), behind))
            arguments = CallArguments.of(with_item(node_of(arguments), new))
        else:
            changed = merged(there.value.green, field_green(value, near))
            if changed is not there.value.green:
                arguments = CallArguments.of(grafted(there.value, changed))
    for name in item.field_names():
        places = [each.name for each in arguments.items if isinstance(each, NamedArgument)]
        if name in places and name not in item.given:
            arguments = CallArguments.of(remove_bracketed(node_of(arguments), places.index(name)))
    for text in item.others:
        other = _parsed_argument(text)
        if _argument(arguments, other.name) is None:
            arguments = CallArguments.of(with_item(node_of(arguments), other.green))
    if arguments.green is named.green:
        return old.green
    return grafted(Call.of(old.green).arguments, arguments.green)


def _name(call: Expression) -> str:
    return call.name if isinstance(call, Call) else ""


def _named_values(call: Expression) -> CallArguments | None:
    """The arguments of `Line(a=1, b=2)`; None if it is something else."""
    arguments = call.arguments if isinstance(call, Call) else None
    if not isinstance(arguments, CallArguments):
        return None
    return arguments if all(isinstance(each, NamedArgument) for each in arguments.items) else None


def _argument(arguments: CallArguments, name: str) -> NamedArgument | None:
    found = (each for each in arguments.items if isinstance(each, NamedArgument) and each.name == name)
    return next(found, None)


def _parsed_argument(text: str) -> NamedArgument:
    """`__Vendor=1`, as an argument of a call."""
    call = view_of_fragment(parsed(f"f({text})", "expression", "a call with named values"), "expression")
    assert isinstance(call, Expression)
    arguments = _named_values(call) if _name(call) == "f" else None
    found = arguments.items if arguments is not None else []
    if len(found) != 1 or not isinstance(found[0], NamedArgument):
        raise EditError(f"'{text}' is not one value with a name")
    return found[0]
