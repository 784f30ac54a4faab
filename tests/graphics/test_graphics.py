"""Graphical annotations as values: every class, every enumeration, and the Standard Library there and back."""

from __future__ import annotations

import json
import sys
from collections import Counter
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from modelica_ast import Real, Reference, parse_annotation, parse_expression, parse_file, tree, walk
from modelica_ast.graphics import (
    Arrow,
    Bitmap,
    BorderPattern,
    Color,
    CoordinateSystem,
    Diagram,
    Ellipse,
    EllipseClosure,
    Extent,
    FillPattern,
    GraphicRecord,
    GraphicsError,
    Icon,
    Line,
    LinePattern,
    OpaqueItem,
    Placement,
    Point,
    Polygon,
    Rectangle,
    Smooth,
    Text,
    TextAlignment,
    TextStyle,
    Transformation,
    item_from_json,
    read_item,
)
from modelica_ast.graphics.geometry import add, middle, number_text, whole_middle
from modelica_ast.graphics.routes import Stop, around, between, crosses, follow, routed

BOX = Extent(Point(-10, -10), Point(10, 10))

# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("number", "change", "text"),
    [
        (10, 5, "15"),
        (10, 0.5, "10.5"),
        (10.5, -0.5, "10"),
        (0.1, 0.2, "0.3"),
        (Real("10.0"), 7, "17.0"),
        (Real("10.0"), 0.25, "10.25"),
        (Real("1e1"), 2, "12"),
        (Real("5.55112e-16"), 10, "10"),
        (Real("1e300"), 1, "1" + "0" * 300),
        (Real("10."), 7, "17"),
        (Real("1.50"), 0, "1.50"),
        (-0.75, 0.5, "-0.25"),
    ],
)
def test_numbers_are_added_as_they_are_written(number: float, change: float, text: str) -> None:
    assert number_text(add(number, change)) == text


@given(st.integers(-10_000, 10_000), st.integers(-10_000, 10_000))
def test_hundredths_move_there_and_back(number: int, change: int) -> None:
    start = number / 100
    assert add(add(start, change / 100), -change / 100) == start


def test_middles() -> None:
    assert (middle(0, 5), whole_middle(0, 5), whole_middle(0, 1)) == (2.5, 2, 0.5)
    assert number_text(middle(-10, 10)) == "0"
    assert number_text(5.0) == "5"


# ---------------------------------------------------------------- points, extents, colours


def test_points_turn_exactly_by_quarters() -> None:
    point = Point(3, 1)
    assert [point.rotated(angle) for angle in (0, 90, 180, 270, -90, 450)] == [
        Point(3, 1),
        Point(-1, 3),
        Point(-3, -1),
        Point(1, -3),
        Point(1, -3),
        Point(-1, 3),
    ]
    assert Point(1, 0).rotated(45) == Point(0.707107, 0.707107)


def test_extents() -> None:
    extent = Extent(Point(30, -5), Point(-10, 15))
    assert (extent.left, extent.right, extent.bottom, extent.top) == (-10, 30, -5, 15)
    assert extent.center == Point(10, 5)
    assert extent.moved(1, 2) == Extent(Point(31, -3), Point(-9, 17))
    assert extent.rotated(90) == Extent(Point(-15, -10), Point(5, 30))
    assert extent.holds(Point(30, 15))
    assert not extent.holds(Point(31, 15))
    assert extent.holds(Point(31, 15), margin=1)


@pytest.mark.parametrize("parts", [(0, 0, 256), (-1, 0, 0), (0.5, 0, 0), (True, 0, 0)])
def test_colours_have_a_range(parts: tuple[Any, Any, Any]) -> None:
    with pytest.raises(GraphicsError, match="three whole numbers from 0 to 255"):
        Color(*parts)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, "1"])
def test_a_coordinate_is_a_finite_number(value: Any) -> None:
    with pytest.raises(GraphicsError, match="is not a number"):
        Point(value, 0)


# ---------------------------------------------------------------- enumerations

MEMBERS: dict[type[Enum], str] = {
    LinePattern: "None Solid Dash Dot DashDot DashDotDot",
    FillPattern: "None Solid Horizontal Vertical Cross Forward Backward CrossDiag "
    "HorizontalCylinder VerticalCylinder Sphere",
    BorderPattern: "None Raised Sunken Engraved",
    Smooth: "None Bezier",
    EllipseClosure: "None Chord Radial Automatic",
    Arrow: "None Open Filled Half",
    TextStyle: "Bold Italic UnderLine",
    TextAlignment: "Left Center Right Automatic",
}
# A field of some record that takes the enumeration.
FIELDS: dict[type[Enum], tuple[type[GraphicRecord], str, bool]] = {
    LinePattern: (Line, "pattern", False),
    FillPattern: (Rectangle, "fillPattern", False),
    BorderPattern: (Rectangle, "borderPattern", False),
    Smooth: (Polygon, "smooth", False),
    EllipseClosure: (Ellipse, "closure", False),
    Arrow: (Line, "arrow", True),
    TextStyle: (Text, "textStyle", True),
    TextAlignment: (Text, "horizontalAlignment", False),
}


@pytest.mark.parametrize("enumeration", MEMBERS, ids=lambda cls: cls.__name__)
def test_an_enumeration_is_read_and_written(enumeration: type[Enum]) -> None:
    assert [member.value for member in enumeration] == MEMBERS[enumeration].split()
    cls, field, is_list = FIELDS[enumeration]
    for member in enumeration:
        name = f"{enumeration.__name__}.{member.value}"
        text = f"{cls.__name__}({field}={'{' + name + ',' + name + '}' if is_list else name})"
        value: Any = (member, member) if is_list else member
        read = cls.from_expression(parse_expression(text))
        assert getattr(read, field) == value
        assert read.to_text() == text
        assert cls.from_json(json.loads(json.dumps(read.to_json()))) == read
        assert getattr(cls.from_json({field: [name, name] if is_list else name}), field) == value


# ---------------------------------------------------------------- records

LINE = (
    "Line(visible=on, origin={1,2}, rotation=90, points={{0,0},{10.0,-5}}, color={0,0,255}, "
    "pattern=LinePattern.Dash, thickness=0.5, arrow={Arrow.None,Arrow.Open}, arrowSize=4, smooth=Smooth.Bezier)"
)
SHAPE = (
    "lineColor={1,2,3}, fillColor={4,5,6}, pattern=LinePattern.None, fillPattern=FillPattern.Sphere, lineThickness=1"
)
TEXT = (
    'Text(extent={{-1,-1},{1,1}}, textString="%name \\"x\\"", fontSize=12, fontName="serif", '
    "textStyle={TextStyle.Bold,TextStyle.Italic}, textColor={0,0,0}, horizontalAlignment=TextAlignment.Left)"
)
ITEMS = [
    LINE,
    f"Polygon(points={{{{0,0}},{{1,1}},{{2,0}}}}, {SHAPE}, smooth=Smooth.Bezier)",
    f"Rectangle(extent={{{{-1,-1}},{{1,1}}}}, {SHAPE}, borderPattern=BorderPattern.Raised, radius=5)",
    f"Ellipse(extent={{{{-1,-1}},{{1,1}}}}, {SHAPE}, startAngle=10, endAngle=90, closure=EllipseClosure.Chord)",
    TEXT,
    'Bitmap(extent={{-1,-1},{1,1}}, fileName="modelica://A/b.png", imageSource="AAAA")',
]


@pytest.mark.parametrize("text", ITEMS, ids=lambda text: text.partition("(")[0])
def test_an_item_is_read_and_written(text: str) -> None:
    item = read_item(parse_expression(text))
    assert type(item).__name__ == text.partition("(")[0]
    assert item.to_text() == text
    assert read_item(item.to_expression()) == item
    assert read_item(item.to_expression().green) == item
    assert item_from_json(json.loads(json.dumps(item.to_json()))) == item
    assert hash(read_item(parse_expression(text))) == hash(item)


def test_defaults_are_those_of_the_specification() -> None:
    black, none = Color(0, 0, 0), Point(0, 0)
    item = {"visible": True, "origin": none, "rotation": 0}
    shape = {
        **item,
        "lineColor": black,
        "fillColor": black,
        "pattern": LinePattern.Solid,
        "fillPattern": FillPattern.None_,
        "lineThickness": 0.25,
    }
    expected: dict[type[GraphicRecord], dict[str, Any]] = {
        Line: {
            **item,
            "color": black,
            "pattern": LinePattern.Solid,
            "thickness": 0.25,
            "arrow": (Arrow.None_, Arrow.None_),
            "arrowSize": 3,
            "smooth": Smooth.None_,
        },
        Polygon: {**shape, "smooth": Smooth.None_},
        Rectangle: {**shape, "borderPattern": BorderPattern.None_, "radius": 0},
        Ellipse: {**shape, "startAngle": 0, "endAngle": 360, "closure": EllipseClosure.Automatic},
        Text: {
            **shape,
            "fontSize": 0,
            "fontName": "",
            "textStyle": (),
            "textColor": black,
            "horizontalAlignment": TextAlignment.Center,
        },
        Bitmap: item,
        Transformation: {"rotation": 0, "origin": none},
        CoordinateSystem: {
            "extent": Extent(Point(-100, -100), Point(100, 100)),
            "preserveAspectRatio": True,
            "initialScale": 0.1,
        },
        Icon: {"graphics": ()},
        Diagram: {"graphics": ()},
        Placement: {"visible": True, "iconVisible": True},
    }
    for cls, values in expected.items():
        assert cls().with_defaults().given == values, cls
        assert cls().given == {}  # what is not given is not written
        assert cls().to_text().endswith("()")


def test_a_default_that_was_written_is_written_again() -> None:
    assert Line(rotation=0).to_text() == "Line(rotation=0)"
    assert Line(rotation=0) != Line()
    assert Line(rotation=0).with_defaults() == Line().with_defaults()


def test_values_are_frozen() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Line().color = Color(0, 0, 0)  # type: ignore[misc]


def test_plain_values_are_taken() -> None:
    line: Any = Line
    assert line(points=[(0, 0), [10, 0]], color=(0, 0, 255), pattern="Dash", smooth=Reference("Smooth.Bezier")) == Line(
        points=(Point(0, 0), Point(10, 0)), color=Color(0, 0, 255), pattern=LinePattern.Dash, smooth=Smooth.Bezier
    )


def test_what_is_no_literal_stays_an_expression() -> None:
    text = (
        "Text(visible=on, extent=DynamicSelect({{0,0},{1,1}}, {{0,0},{y,1}}), textString=a + b, textColor={r,g,0}, "
        "horizontalAlignment=p.align, __Vendor_a=1)"
    )
    item = Text.from_expression(parse_expression(text))
    assert {name for name, value in item.given.items() if isinstance(value, tree.Expression)} == {
        "visible",
        "extent",
        "textString",
        "textColor",
        "horizontalAlignment",
    }
    assert item.others == ("__Vendor_a=1",)
    assert item.to_text() == text
    assert Text.from_json(json.loads(json.dumps(item.to_json()))) == item
    assert Text(visible=parse_expression("on")) == Text(visible=parse_expression(" on"))
    assert Text(visible=parse_expression("on")) != Text(visible=parse_expression("off"))


def test_items_that_are_not_ours_stay_as_they_are() -> None:
    for text in ("DynamicSelect(Line(points={{0,0}}), x)", "__Vendor(1)", "Line({{0,0},{1,1}})", "icon", "Line(1)"):
        item = read_item(parse_expression(text))
        assert isinstance(item, OpaqueItem)
        assert item.to_text() == text
        assert item_from_json(item.to_json()) == item
        assert hash(item) == hash(read_item(item.to_expression()))
    assert read_item(parse_expression("a(1)")) != read_item(parse_expression("a(2)"))


def part(text: str) -> tree.ElementModification:
    found = parse_annotation(f"annotation({text})").arguments.items[0]
    assert isinstance(found, tree.ElementModification)
    return found


def test_placements() -> None:
    text = (
        "Placement(visible=true, transformation(extent={{-10,-10},{10,10}}, rotation=90, origin={3,4}), "
        "iconTransformation(extent={{0,0},{1,1}}), __Vendor(a=1))"
    )
    placement = Placement.from_expression(part(text))
    assert placement.to_text() == text
    assert placement.transformation == Transformation(extent=BOX, rotation=90, origin=Point(3, 4))
    assert Placement.from_expression(placement.to_argument()) == placement
    assert Placement.from_json(json.loads(json.dumps(placement.to_json()))) == placement
    with_names = text.replace("transformation(", "transformation=transformation(", 1).replace(
        "iconTransformation(", "iconTransformation=transformation("
    )
    assert Placement.from_expression(part(with_names)) == placement
    assert Placement.from_json({"extent": [[-10, -10], [10, 10]], "rotation": 90}) == Placement(
        transformation=Transformation(extent=BOX, rotation=90)
    )
    full = placement.with_defaults()
    assert full.iconVisible is True
    assert isinstance(full.iconTransformation, Transformation)
    assert full.iconTransformation.rotation == 0
    assert Placement(transformation=Transformation(extent=BOX)).with_defaults().iconTransformation == Transformation(
        extent=BOX, rotation=0, origin=Point(0, 0)
    )


def test_the_box_of_a_placement() -> None:
    extent = Extent(Point(0, -5), Point(20, 5))
    assert Transformation(extent=extent).box == extent
    turned = Transformation(extent=extent, rotation=90, origin=Point(100, 0))
    assert turned.box == Extent(Point(95, 0), Point(105, 20))
    assert Transformation(extent=parse_expression("x")).box is None
    assert Transformation(extent=extent, rotation=parse_expression("x")).box is None
    assert Transformation(extent=extent, origin=parse_expression("x")).box is None


def test_a_transformation_moves_by_its_origin_or_its_extent() -> None:
    assert Transformation(extent=BOX).moved(1, 2) == Transformation(extent=BOX.moved(1, 2))
    assert Transformation(extent=BOX, origin=Point(0, 0)).moved(1, 2) == Transformation(extent=BOX, origin=Point(1, 2))
    # Its extent turns around {0,0}, so it moves in the directions that it had before.
    assert Transformation(extent=BOX, rotation=90).moved(1, 2) == Transformation(extent=BOX.moved(2, -1), rotation=90)
    assert Transformation(extent=BOX, rotation=45).moved(1, 2) == Transformation(
        extent=BOX, rotation=45, origin=Point(1, 2)
    )
    for rotation in (0, 90, 180, 270, -90, 30):
        before = Transformation(extent=BOX.moved(3, 4), rotation=rotation)
        after = before.moved(10, 20)
        assert before.box is not None
        assert after.box == before.box.moved(10, 20)
    with pytest.raises(GraphicsError, match="not given by numbers"):
        Transformation(extent=parse_expression("e")).moved(1, 2)


def test_layers() -> None:
    inside = (
        "(coordinateSystem(extent={{-100,-100},{100,100}}, preserveAspectRatio=false, initialScale=0.2, grid={1,1}), "
        "graphics={Line(points={{0,0},{1,1}}),__V(1)})"
    )
    for cls in (Icon, Diagram):
        layer = cls.from_expression(part(cls.__name__ + inside))
        assert isinstance(layer.coordinateSystem, CoordinateSystem)
        assert layer.coordinateSystem.grid == (1, 1)
        assert isinstance(layer.graphics, tuple)
        assert [type(item) for item in layer.graphics] == [Line, OpaqueItem]
        assert layer.to_text() == cls.__name__ + inside
        assert cls.from_expression(layer.to_argument()) == layer
        assert cls.from_json(json.loads(json.dumps(layer.to_json()))) == layer
    assert isinstance(Icon.from_expression(part("Icon(graphics=fill(x, 3))")).graphics, tree.Call)
    assert Icon.from_expression(part("Icon(graphics={})")) == Icon(graphics=())
    assert Icon() != Diagram()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Line(color={0,0})", "Line.color: a colour is three whole numbers from 0 to 255, not {0,0} (line 1"),
        ("Line(color={0,0,300})", "Line.color: a colour is three whole numbers from 0 to 255"),
        ("Line(color=3)", "Line.color: a colour is three whole numbers"),
        ("Line(points={{1,2,3}})", "Line.points: a point is two numbers, not {1,2,3}"),
        ("Line(points=3)", "Line.points: points are a list, not 3"),
        ('Line(points={{1,"a"}})', "'a' is not a number"),
        ("Line(visible=1)", "Line.visible: 1 is not true or false"),
        ("Line(pattern=LinePattern.Dahs)", '"Dahs" is not a LinePattern; there is None, Solid, Dash'),
        ("Line(pattern=FillPattern.Solid)", "FillPattern.Solid is not a LinePattern"),
        ("Line(arrow={Arrow.None})", "Line.arrow: a list of 2 of Arrow is needed, not {Arrow.None}"),
        ("Line(thickness=true)", "Line.thickness: True is not a number"),
        ("Line(points={}, points={})", "Line: 'points' is given twice"),
        ("Line({})", "Line: '{}' has no name"),
        ("Rectangle(extent={1,2})", "expected Line(…), found Rectangle(…)"),
        ("x + 1", "expected Line(…), found 'x + 1'"),
    ],
)
def test_wrong_shapes_are_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(GraphicsError) as caught:
        Line.from_expression(parse_expression(text))
    assert message in str(caught.value)


def test_an_error_inside_names_the_innermost_place() -> None:
    with pytest.raises(GraphicsError, match=r"^Text\.textColor: .* \(line 2, column 44\)$"):
        Icon.from_expression(part('Icon(graphics={\n  Text(textString="a", extent=a, textColor={0})})'))
    with pytest.raises(GraphicsError, match=r"^transformation\.extent: an extent is two points"):
        Placement.from_expression(part("Placement(transformation(extent={{0,0}}))"))


@pytest.mark.parametrize(
    ("cls", "data", "message"),
    [
        (Line, {"point": []}, "a Line has no 'point'; did you mean 'points'?"),
        (Line, {"kind": "Text"}, "a Line is needed here, not a Text"),
        (Line, [], "a Line is written with named fields, not as []"),
        (Line, {"color": [0, 0]}, "Line: a colour is three whole numbers"),
        (Line, {"visible": {"expression": "a +"}}, "'a +' is not an expression"),
        (Line, {"thickness": {"real": "x"}}, "'x' is not a number"),
        (Line, {"others": "x=1"}, "a list of texts is needed"),
        (Placement, {"transformation": {}, "extent": []}, "'extent' is beside 'transformation'"),
        (Placement, {"transformation": 3}, "a transformation is written with named fields, not as 3"),
        (Icon, {"graphics": 3}, "graphics are a list, not 3"),
        (Icon, {"graphics": [{"kind": "Circle"}]}, "its 'kind' is one of Line, Polygon"),
        (CoordinateSystem, {"grid": [1]}, "a grid is two numbers"),
        (Text, {"textString": 3}, "3 is not a string"),
    ],
)
def test_wrong_json_is_one_clear_error(cls: type[GraphicRecord], data: Any, message: str) -> None:
    with pytest.raises(GraphicsError) as caught:
        cls.from_json(data)
    assert message in str(caught.value)


def test_real_numbers_keep_their_text() -> None:
    assert Line.from_json({"thickness": {"real": "0.50"}}).to_text() == "Line(thickness=0.50)"
    assert Line(thickness=Real("0.50")) == Line(thickness=0.5)


def test_what_is_no_modelica_is_not_written() -> None:
    with pytest.raises(GraphicsError, match="can't be written"):
        Line(others=("a b",)).to_expression()
    with pytest.raises(GraphicsError, match="can't be written"):
        Placement(others=("a b",)).to_argument()


# ---------------------------------------------------------------- lines


def points(*pairs: tuple[float, float]) -> tuple[Point, ...]:
    return tuple(Point(*pair) for pair in pairs)


@pytest.mark.parametrize(
    ("before", "step", "after"),
    [
        # An end pulls its neighbour across the segment between them.
        ([(0, 0), (20, 0), (20, 30)], (5, 7), [(5, 7), (20, 7), (20, 30)]),
        ([(0, 0), (0, 20), (30, 20)], (5, 7), [(5, 7), (5, 20), (30, 20)]),
        # All on the first straight run follow.
        ([(0, 0), (10, 0), (20, 0), (20, 30)], (5, 7), [(5, 7), (10, 7), (20, 7), (20, 30)]),
        # A straight line gets a step, unless it is straight again.
        ([(0, 0), (40, 0)], (0, 8), [(0, 8), (20, 8), (20, 0), (40, 0)]),
        ([(0, 0), (0, 40)], (8, 0), [(8, 0), (8, 20), (0, 20), (0, 40)]),
        ([(0, 0), (10, 0), (40, 0)], (0, 8), [(0, 8), (10, 8), (25, 8), (25, 0), (40, 0)]),
        ([(0, 0), (40, 0)], (8, 0), [(8, 0), (40, 0)]),
        ([(0, 0), (40, 0)], (40, 8), [(40, 8), (40, 0)]),
        # A step that shrinks to nothing goes; a corner stays, and so does an end.
        ([(0, 8), (20, 8), (20, 0), (40, 0)], (0, -8), [(0, 0), (40, 0)]),
        ([(0, 8), (9, 8), (20, 8), (20, 0), (40, 0)], (0, -8), [(0, 0), (9, 0), (40, 0)]),
        ([(0, 8), (20, 8), (20, 0), (20, -9)], (0, -8), [(0, 0), (20, 0), (20, 0), (20, -9)]),
        ([(0, 8), (20, 8), (20, 0)], (0, -8), [(0, 0), (20, 0), (20, 0)]),
        # Slanted segments stay slanted.
        ([(0, 0), (10, 20), (10, 30)], (5, 7), [(5, 7), (10, 20), (10, 30)]),
        ([(0, 0), (9, 9)], (5, 7), [(5, 7), (9, 9)]),
        # What a tool wrote for 0 is 0.
        ([(0, 5.55112e-16), (20, 0), (20, 30)], (5, 7), [(5, 7), (20, 7), (20, 30)]),
        ([(0, 0)], (5, 7), [(5, 7)]),
        ([], (5, 7), []),
    ],
)
def test_a_line_follows(before: Any, step: tuple[float, float], after: Any) -> None:
    assert follow(points(*before), *step) == points(*after)


COORDINATES = st.integers(-50, 50)


@st.composite
def orthogonal_lines(draw: st.DrawFn) -> tuple[Point, ...]:
    line = [Point(draw(COORDINATES), draw(COORDINATES))]
    for _ in range(draw(st.integers(1, 6))):
        x, y = line[-1].x, line[-1].y
        step = draw(COORDINATES.filter(bool))
        line.append(Point(x + step, y) if draw(st.booleans()) else Point(x, y + step))
    return tuple(line)


@given(orthogonal_lines(), COORDINATES, COORDINATES)
def test_an_orthogonal_line_stays_orthogonal(line: tuple[Point, ...], dx: int, dy: int) -> None:
    after = follow(line, dx, dy)
    assert after[0] == line[0].moved(dx, dy)
    assert after[-1] == line[-1]
    assert all(a.x == b.x or a.y == b.y for a, b in pairwise(after))
    # Far away nothing can fall together, so the way back is the same way; steps that were made go again.
    assert follow(follow(line, 1000 + dx, 1000 + dy), -1000 - dx, -1000 - dy) == line


BOXES = st.builds(
    lambda x, y, w, h: Extent(Point(x, y), Point(x + w, y + h)),
    COORDINATES,
    COORDINATES,
    st.integers(2, 40),
    st.integers(2, 40),
)


@given(BOXES, BOXES)
def test_a_new_line_touches_both_boxes_and_crosses_none(one: Extent, other: Extent) -> None:
    line = between(one, other)
    apart = one.right <= other.left or other.right <= one.left or one.top <= other.bottom or other.top <= one.bottom
    if line is None:
        assert not apart
        return
    assert one.holds(line[0])
    assert other.holds(line[-1])
    assert len(line) <= 4
    for a, b in pairwise(line):
        assert a != b
        assert a.x == b.x or a.y == b.y
        for box in (one, other):
            assert (
                max(a.x, b.x) <= box.left
                or min(a.x, b.x) >= box.right
                or max(a.y, b.y) <= box.bottom
                or min(a.y, b.y) >= box.top
            )


@pytest.mark.parametrize(
    ("dx", "dy", "expected"),
    [
        (50, 0, [(10, 0), (40, 0)]),
        (50, 20, [(10, 0), (25, 0), (25, 20), (40, 20)]),
        (-50, 20, [(-10, 0), (-25, 0), (-25, 20), (-40, 20)]),
        (10, 50, [(0, 10), (0, 25), (10, 25), (10, 40)]),
        (0, -50, [(0, -10), (0, -40)]),
    ],
)
def test_a_new_line_joins_the_sides_that_face_each_other(dx: int, dy: int, expected: Any) -> None:
    assert between(BOX, BOX.moved(dx, dy)) == points(*expected)


STOPS = st.one_of(
    st.builds(Stop, BOXES),
    BOXES.flatmap(
        lambda box: st.builds(
            lambda x, y: Stop(box, Point(x, y)),
            st.integers(int(box.left), int(box.right)),
            st.integers(int(box.bottom), int(box.top)),
        )
    ),
)


@given(STOPS, STOPS, st.lists(BOXES, max_size=6))
def test_a_routed_line_joins_its_connectors_and_goes_around_what_it_can(
    one: Stop, other: Stop, obstacles: list[Extent]
) -> None:
    line = routed(one, other, obstacles)
    free = around(one, other, obstacles, borders="none")
    if line is None:
        assert free is None
        assert one.connector == other.connector
        return
    for stop, end in ((one, line[0]), (other, line[-1])):
        assert end == stop.connector or (stop.connector is None and stop.box.holds(end))
    assert all(a != b and (a.x == b.x or a.y == b.y) for a, b in pairwise(line))
    if free is not None:
        assert not crosses(free, *obstacles)
        assert not crosses(line, *obstacles)
        # Through the boxes of its ends it goes from a connector inside to the border, and no farther.
        inner = line[one.connector is not None : len(line) - (other.connector is not None)]
        assert not crosses(inner, one.box, other.box)


def test_a_line_finds_its_way_through_a_gap_and_out_of_a_maze() -> None:
    one, other = Stop(BOX, Point(10, 0)), Stop(BOX.moved(100, 0), Point(90, 0))
    wall = Extent(Point(40, -50), Point(60, 50))
    assert routed(one, other, [wall]) == points((10, 0), (30, 0), (30, -60), (80, -60), (80, 0), (90, 0))
    upper, lower = Extent(Point(40, 10), Point(60, 500)), Extent(Point(40, -500), Point(60, 5))
    found = routed(one, other, [upper, lower])
    assert found is not None
    assert not crosses(found, upper, lower)
    assert max(abs(point.y) for point in found) <= 10


def test_what_covers_an_end_does_not_keep_a_line_from_being_drawn() -> None:
    one, other = Stop(BOX, Point(10, 0)), Stop(BOX.moved(100, 0), Point(90, 0))
    cover = Extent(Point(-30, -30), Point(30, 30))
    assert routed(one, other, [cover]) == points((10, 0), (90, 0))
    between_them = BOX.moved(50, 0)
    found = routed(one, other, [cover, between_them])
    assert found is not None
    assert not crosses(found, between_them)


def test_hundreds_of_boxes_are_not_searched_for_ever() -> None:
    boxes = [BOX.moved(31 * (n % 20), 37 * (n // 20)) for n in range(400)]
    one, other = Stop(boxes[0], Point(10, 0)), Stop(boxes[21], Point(21, 37))
    found = routed(one, other, [box for box in boxes if box not in (one.box, other.box)])
    assert found is not None
    assert not crosses(found, *(box for box in boxes if box not in (one.box, other.box)))
    far = Stop(boxes[399], Point(579, 703))
    assert routed(one, far, boxes[1:399]) is not None


def test_there_is_no_line_to_what_is_covered() -> None:
    assert between(BOX, BOX) is None
    assert between(BOX, Extent(Point(-1, -1), Point(1, 1))) is None


# ---------------------------------------------------------------- the Standard Library

CLASSES: dict[str, type[GraphicRecord]] = {"Placement": Placement, "Icon": Icon, "Diagram": Diagram, "Line": Line}


def check_round_trips(files: list[Path]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for path in files:
        for view in walk(parse_file(path)):
            if not isinstance(view, tree.ElementModification) or str(view.name) not in CLASSES:
                continue
            if view.arguments is None:
                continue
            value = CLASSES[str(view.name)].from_expression(view)
            assert type(value).from_expression(value.to_argument()) == value, (path, view)
            assert type(value).from_json(json.loads(json.dumps(value.to_json()))) == value, (path, view)
            counts[str(view.name)] += 1
            for item in getattr(value, "graphics", None) or ():
                assert read_item(item.to_expression()) == item, (path, item)
                counts[type(item).__name__] += 1
                counts["fields"] += len(item.given)
                counts["expressions"] += sum(isinstance(field, tree.Expression) for field in item.given.values())
                counts["others"] += len(item.others)
    return counts


def test_graphics_of_the_library_come_back(msl: Path) -> None:
    counts = check_round_trips(sorted(msl.rglob("*.mo"))[::30])
    assert counts["Line"] > 500
    assert counts["Rectangle"] > 10


@pytest.mark.corpus
def test_all_graphics_of_all_libraries_come_back(msl: Path) -> None:
    counts = check_round_trips(sorted(msl.parent.rglob("*.mo")))
    sys.stdout.write(f"\n{', '.join(f'{count:,} {what}' for what, count in counts.most_common())}\n")
    assert counts["Placement"] > 10_000
