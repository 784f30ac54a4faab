"""What is drawn in the icon and in the diagram of a class: read, add, change and remove one thing at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from modelica_ast.edit.annotation import get_annotation, remove_annotation, set_annotation
from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.index import composition_path
from modelica_ast.edit.leafwise import field_green, merged, set_fields
from modelica_ast.edit.lists import item_places, remove_bracketed, with_item
from modelica_ast.edit.looking import annotation_part
from modelica_ast.edit.placing import line_starts
from modelica_ast.edit.style import modifier_style
from modelica_ast.edit.surgery import replaced, with_prefix
from modelica_ast.edit.values import parsed, value_green
from modelica_ast.edit.working import Working
from modelica_ast.graphics.items import GraphicItem, Item
from modelica_ast.graphics.json_forms import CoordinateSystemJson, GraphicJson
from modelica_ast.graphics.layers import LAYERS, CoordinateSystem, Layer, as_item
from modelica_ast.green import Node, render, symbol, tokens
from modelica_ast.lexer import token_text
from modelica_ast.parse import view_of_fragment
from modelica_ast.shape import make_node
from modelica_ast.views.base import Expression

LayerName = Literal["Icon", "Diagram"]

if TYPE_CHECKING:
    GivenItem = Item | GraphicJson
    GivenSystem = CoordinateSystem | CoordinateSystemJson
else:  # what a patch may hold is read from the hints of its verbs
    GivenItem = GraphicJson
    GivenSystem = CoordinateSystemJson

_DEEPER: Final = " " * 8  # how much an item is indented below its class in the Standard Library


def get_layer(work: Working, class_: str, layer: LayerName = "Icon") -> Layer | None:
    """The icon or the diagram of a class, or None. What it inherits is not in it."""
    cls = LAYERS.get(layer)
    if cls is None:
        raise EditError(f"there is no layer '{layer}'; there is {', '.join(LAYERS)}")
    found = annotation_part(work, work.class_path(class_), layer)
    return None if found is None else cls.from_expression(found)


def get_graphics(work: Working, class_: str, layer: LayerName = "Icon") -> tuple[Item, ...]:
    """What is drawn in a layer, the last on top."""
    found = get_layer(work, class_, layer)
    graphics = found.graphics if found is not None else None
    if isinstance(graphics, Expression):
        raise _no_list(class_, layer, graphics.text)
    return graphics or ()


def set_coordinate_system(work: Working, class_: str, layer: LayerName, system: GivenSystem) -> None:
    """Set the coordinate system of a layer; what the new one leaves open stays as it is."""
    new = system if isinstance(system, CoordinateSystem) else CoordinateSystem.from_json(system)
    set_fields(work, class_, f"{layer}.coordinateSystem", None, new)


def add_graphic(work: Working, class_: str, layer: LayerName, item: GivenItem, index: int | None = None) -> None:
    """Draw one more item, on top of the others or before the item number `index`; a layer is made if there is none."""
    new = value_green(as_item(item).to_expression())
    array = _list(work, class_, layer)
    if array is None or not item_places(array):
        if index:
            raise _missing(class_, layer, index, 0)
        body = composition_path(work.root, work.class_path(class_))
        start = line_starts(work.root, body)[0] if body is not None else ""
        _set_list(work, class_, layer, make_node("array", "{", with_prefix(new, start and start + _DEEPER), "}"))
        return
    number = len(item_places(array))
    if index is not None and not 0 <= index <= number:
        raise _missing(class_, layer, index, number)
    _set_list(work, class_, layer, with_item(array, new, index))


def remove_graphic(work: Working, class_: str, layer: LayerName, index: int) -> None:
    """Remove the item number `index`, counted from 0; a list that empties goes too."""
    array = _found(work, class_, layer, index)
    if len(item_places(array)) == 1:
        remove_annotation(work, class_, f"{layer}.graphics")
    else:
        _set_list(work, class_, layer, remove_bracketed(array, index))


def set_graphic(work: Working, class_: str, layer: LayerName, index: int, item: GivenItem) -> None:
    """Change the item number `index`, counted from 0. Only values that differ are written; a vendor's stay."""
    new = as_item(item)
    array = _found(work, class_, layer, index)
    place = item_places(array)[index]
    changed = _merged_item(array[place], new)
    if changed is not array[place]:
        _set_list(work, class_, layer, replaced(array, (place,), changed))


# ---------------------------------------------------------------- the list


def _list(work: Working, class_: str, layer: str) -> Node | None:
    """The list of graphics, or None."""
    if layer not in LAYERS:
        raise EditError(f"there is no layer '{layer}'; there is {', '.join(LAYERS)}")
    found = get_annotation(work, class_, f"{layer}.graphics")
    if found is None:
        return None
    if not isinstance(found, tuple) or symbol(found) != "array":
        raise _no_list(class_, layer, render(found).strip())
    return found


def _set_list(work: Working, class_: str, layer: str, array: Node) -> None:
    set_annotation(work, class_, f"{layer}.graphics", view_of_fragment(array, "expression"))


def _found(work: Working, class_: str, layer: str, index: int) -> Node:
    """The list of graphics, which has an item of this number."""
    array = _list(work, class_, layer)
    number = 0 if array is None else len(item_places(array))
    if array is None or not 0 <= index < number:
        raise _missing(class_, layer, index, number)
    return array


def _missing(class_: str, layer: str, index: int, number: int) -> NotFoundError:
    there = f"it has {number}, counted from 0" if number else "it has none"
    return NotFoundError(f"there is no graphic {index} in the {layer} of '{class_}': {there}")


def _no_list(class_: str, layer: str, text: str) -> EditError:
    return EditError(f"the graphics in the {layer} of '{class_}' are no list but '{text}'")


# ---------------------------------------------------------------- one item


def _merged_item(old: Any, item: Item) -> Any:
    """The old item with the values of the new one; the new one if it is of another kind."""
    if not isinstance(item, GraphicItem) or not _has_named_values(old, item.modelica_name):
        return merged(old, value_green(item.to_expression()), 0)
    arguments = old[2]
    equals, behind = modifier_style(arguments)
    for name, value in item.given.items():
        place = _place_of(arguments, name)
        if place is None:
            named = make_node("named_argument", name, equals + "=", with_prefix(field_green(value), behind))
            arguments = with_item(arguments, named)
        else:
            changed = merged(arguments[place][3], field_green(value))
            if changed is not arguments[place][3]:
                arguments = replaced(arguments, (place, 3), changed)
    for name in item.field_names():
        place = _place_of(arguments, name)
        if place is not None and name not in item.given:
            arguments = remove_bracketed(arguments, item_places(arguments).index(place))
    for text in item.others:
        argument = _argument(text)
        if _place_of(arguments, token_text(argument[1])) is None:
            arguments = with_item(arguments, argument)
    return old if arguments is old[2] else (*old[:2], arguments)


def _has_named_values(green: Any, name: str) -> bool:
    """Is it `Line(a=1, b=2)`?"""
    if (
        symbol(green) != "function_call"
        or "".join(tokens(green[1])) != name
        or symbol(green[2]) != "function_call_args"
    ):
        return False
    return all(symbol(green[2][place]) == "named_argument" for place in item_places(green[2]))


def _place_of(arguments: Any, name: str) -> int | None:
    return next((i for i in item_places(arguments) if token_text(arguments[i][1]) == name), None)


def _argument(text: str) -> Any:
    """`__Vendor=1`, as an argument of a call."""
    call: Any = parsed(f"f({text})", "expression", "a call with named values")
    if not _has_named_values(call, "f") or len(item_places(call[2])) != 1:
        raise EditError(f"'{text}' is not one value with a name")
    return call[2][item_places(call[2])[0]]
