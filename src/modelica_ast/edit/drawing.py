"""What is drawn in the icon and in the diagram of a class: read, add, change and remove one thing at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from modelica_ast.edit.annotation import (
    annotation_part,
    annotations_near,
    get_annotation,
    remove_annotation,
    set_annotation,
)
from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.leafwise import field_green, merged
from modelica_ast.edit.lists import remove_bracketed, with_item
from modelica_ast.edit.placing import line_starts
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import node_of, with_prefix
from modelica_ast.edit.values import parsed, value_green
from modelica_ast.graphics.items import GraphicItem, Item
from modelica_ast.graphics.json_forms import CoordinateSystemJson, GraphicJson
from modelica_ast.graphics.layers import LAYERS, CoordinateSystem, Layer, as_item
from modelica_ast.green import Green
from modelica_ast.neighbours import modifier_style, styled
from modelica_ast.parse import view_of_fragment
from modelica_ast.shape import make_node
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.expressions import Array, Call, CallArguments, NamedArgument

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
    return EditError(f"the graphics in the {layer} of '{owner.name_in_file}' are no list but '{text}'")


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
