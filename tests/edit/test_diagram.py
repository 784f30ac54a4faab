"""Diagrams are edited by their numbers only: placements, lines that follow, what is drawn in a layer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from modelica_ast import parse, parse_expression, tree
from modelica_ast.cli.program import main
from modelica_ast.drawing import draw
from modelica_ast.edit import Document
from modelica_ast.edit.verbs import diagram, diagram as d
from modelica_ast.edit.verbs.equations import connections_of, ends
from modelica_ast.edit.verbs.graphics import merged
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError
from modelica_ast.graphics import (
    Color,
    CoordinateSystem,
    Extent,
    GraphicsError,
    Icon,
    Line,
    OpaqueItem,
    Placement,
    Point,
    Rectangle,
    Text,
    Transformation,
)
from modelica_ast.graphics.routes import crosses
from modelica_ast.library import Libraries, open_with_uses
from modelica_ast.syntax.green import leaves, render

MODEL = """model M
  A a annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
  A b annotation (Placement(transformation(extent={{-10,-10},{10,10}}, rotation=90, origin={50,40})));
  A c;
  A e annotation (Placement(transformation(extent={{-n,-n},{n,n}})));
  A f annotation (Placement(transformation(extent={{-10,-10}})));
equation
  connect(a.p, b.n) annotation (Line(points={{10,0},{50,0},{50,30}}, color={0,0,255}));
  connect(b.p, c.n);
  connect(c.p, a.n) annotation (Line(points={{x,0},{0,0}}));
  connect(a.x, c.x) annotation (Line(points={{0,0},{9,9}}, rotation=45));
  connect(a.y, c.y) annotation (Line(color={0,0,255}));
  connect(a.z, c.z) annotation (Line(points={{0,0},{9}}));
  annotation (Icon(coordinateSystem(grid={1,1}), graphics={Line(points={{0,0},{1,1}}), x}),
    Diagram(graphics=DynamicSelect({}, {})));
end M;
"""
BOX = Extent(Point(-10, -10), Point(10, 10))


@pytest.fixture
def document() -> Document:
    return Document(MODEL)


def class_of(document: Document, name: str = "M") -> tree.ClassDefinition:
    return document.find_class(name).view


def component(document: Document, name: str) -> tree.Component:
    return document.find_class("M").find_component(name).view


# ---------------------------------------------------------------- placements


def test_placements_are_read(document: Document) -> None:
    assert d.get_placement(component(document, "a")) == Placement(transformation=Transformation(extent=BOX))
    assert d.get_placement(component(document, "b")) == Placement(
        transformation=Transformation(extent=BOX, rotation=90, origin=Point(50, 40))
    )
    assert d.get_placement(component(document, "c")) is None
    with pytest.raises(GraphicsError, match=r"an extent is two points, not \{\{-10,-10\}\} \(line 6, column 51\)"):
        d.get_placement(component(document, "f"))
    with pytest.raises(NotFoundError, match="no component 'aa'"):
        d.get_placement(component(document, "aa"))


def test_a_placement_that_is_read_and_set_changes_nothing(document: Document) -> None:
    for name in ("a", "b", "e"):
        placement = d.get_placement(component(document, name))
        assert placement is not None
        document.edit(d.set_placement, component(document, name), placement)
    assert document.text == MODEL


def test_set_placement_takes_the_class_and_json(document: Document) -> None:
    placement = Placement(transformation=Transformation(extent=BOX.moved(5, 0)))
    document.edit(d.set_placement, component(document, "c"), placement)
    document.edit(d.set_placement, component(document, "a"), {"extent": [[-5, -10], [15, 10]]})
    assert d.get_placement(component(document, "c")) == placement
    assert d.get_placement(component(document, "a")) == placement


def test_a_rotation_alone_keeps_the_rest(document: Document) -> None:
    document.edit(d.set_placement, component(document, "b"), {"rotation": 180})
    assert d.get_placement(component(document, "b")) == Placement(
        transformation=Transformation(extent=BOX, rotation=180, origin=Point(50, 40))
    )


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ({"op": "set_placement", "component": "a", "placement": {"extend": []}}, "has no 'extend'"),
        ({"op": "set_placement", "component": "a", "placement": {"extent": [[0, 0]]}}, "an extent is two points"),
        ({"op": "set_placement", "component": "z", "placement": {"rotation": 1}}, "no component 'z' in 'M'"),
        ({"op": "move_in_diagram", "component": "c", "dx": 1, "dy": 1}, "'c' has no placement in 'M'"),
        ({"op": "move_in_diagram", "component": "e", "dx": 1, "dy": 1}, "can't be moved: it is not given by numbers"),
        ({"op": "move_in_diagram", "component": "f", "dx": 1, "dy": 1}, "an extent is two points"),
        ({"op": "move_in_diagram", "component": "a", "dx": "1", "dy": 1}, "'dx' must be a whole number or a number"),
        ({"op": "place_component", "component": "e", "x": 1, "y": 1}, "the placement of 'e' in 'M' is not given by"),
        ({"op": "set_line", "one": "a.p", "other": "c.q", "line": {}}, "no connect(a.p, c.q) in 'M'"),
        ({"op": "set_line", "one": "a.p", "other": "b.n", "line": {"color": [1]}}, "a colour is three whole numbers"),
        ({"op": "route_line", "one": "b.p", "other": "c.n"}, "there is no path for a line from 'b.p' to 'c.n'"),
        ({"op": "add_graphic", "layer": "Icon", "item": {"kind": "Circle"}}, "'kind' must be 'Line' or 'Polygon'"),
        ({"op": "add_graphic", "layer": "Icon", "item": {"extent": []}}, "its 'kind' is one of Line"),
        ({"op": "add_graphic", "layer": "Front", "item": {"kind": "Line"}}, "must be 'Icon' or 'Diagram'"),
        ({"op": "add_graphic", "layer": "Icon", "item": {"kind": "Line"}, "index": 3}, "there is no graphic 3"),
        (
            {"op": "add_graphic", "layer": "Diagram", "item": {"kind": "Line"}},
            "are 'DynamicSelect({}, {})', not a list",
        ),
        ({"op": "remove_graphic", "layer": "Icon", "index": 2}, "there is no graphic 2 in the Icon of 'M': it has 2"),
        ({"op": "remove_graphic", "layer": "Icon", "index": -1}, "there is no graphic -1"),
        (
            {"op": "set_graphic", "layer": "Icon", "index": 0, "item": {"kind": "Line", "others": ["a b"]}},
            "'f(a b)' is not a call with named values",
        ),
        (
            {"op": "set_graphic", "layer": "Icon", "index": 0, "item": {"kind": "Line", "others": ["1"]}},
            "'1' is not one value with a name",
        ),
    ],
)
def test_refused_with_a_reason_and_nothing_changed(document: Document, operation: Any, message: str) -> None:
    with pytest.raises(EditError) as caught:
        document.apply([{"class": "M", **operation}])
    assert message in str(caught.value)
    assert document.text == MODEL


def test_a_transformation_must_be_given_by_its_values(document: Document) -> None:
    with pytest.raises(EditError, match="the transformation of 'a' can't be 'x': give its values"):
        document.edit(d.set_placement, component(document, "a"), Placement(transformation=parse_expression("x")))
    assert document.text == MODEL


# ---------------------------------------------------------------- moving


def test_what_did_not_follow_is_reported(document: Document) -> None:
    left = document.edit(d.move_in_diagram, component(document, "a"), 5, 0)
    assert [(entry.one, entry.other) for entry in left] == [
        ("c.p", "a.n"),
        ("a.x", "c.x"),
        ("a.y", "c.y"),
        ("a.z", "c.z"),
    ]
    reasons = [entry.reason for entry in left]
    assert reasons[:3] == ["its points are not numbers", "it is turned by 45", "it has no points"]
    assert reasons[3].startswith("Line.points: a point is two numbers, not {9} (line 13")
    line = d.get_line(class_of(document), "a.p", "b.n")
    assert line is not None
    assert line.points == (Point(15, 0), Point(50, 0), Point(50, 30))


def test_place_component_says_that_lines_had_nothing_to_follow(document: Document) -> None:
    left = document.edit(d.place_component, component(document, "c"), 20, 30)
    assert {entry.one for entry in left} == {"c.p", "a.x", "a.y", "a.z"}
    assert all("'c' had no placement" in entry.reason for entry in left)
    assert d.get_placement(component(document, "c")) == Placement(
        transformation=Transformation(extent=BOX.moved(20, 30))
    )


def test_place_component_puts_the_middle_there(document: Document) -> None:
    document.apply([{"op": "place_component", "class": "M", "component": "b", "x": -3, "y": 0.5}])
    placement = d.get_placement(component(document, "b"))
    assert placement is not None
    assert isinstance(placement.transformation, Transformation)
    box = placement.transformation.box
    assert box is not None
    assert box.center == Point(-3, 0.5)
    document.undo()
    assert document.text == MODEL


def test_a_component_in_the_middle_of_a_name_is_another() -> None:
    text = """model M
  A a annotation (Placement(transformation(extent={{-10,-10},{10,10}})));
equation
  connect(b.a, aa) annotation (Line(points={{10,0},{50,0},{50,30}}));
end M;
"""
    document = Document(text)
    document.apply([{"op": "move_in_diagram", "class": "M", "component": "a", "dx": 5, "dy": 7}])
    assert document.text == text.replace("{{-10,-10},{10,10}}", "{{-5,-3},{15,17}}")


# ---------------------------------------------------------------- lines


def test_lines_are_read_in_either_order(document: Document) -> None:
    line = Line(points=(Point(10, 0), Point(50, 0), Point(50, 30)), color=Color(0, 0, 255))
    assert d.get_line(class_of(document), "a.p", "b.n") == line
    assert d.get_line(class_of(document), "b . n", "a.p") == line
    assert d.get_line(class_of(document), "b.p", "c.n") is None


def test_a_line_that_stands_twice_is_not_guessed() -> None:
    document = Document(
        "model M\nequation\n  if c then\n    connect(a, b);\n  else\n    connect(a, b);\n  end if;\nend M;\n"
    )
    with pytest.raises(AmbiguousError):
        document.edit(d.set_line, class_of(document), "a", "b", Line(points=()))


def test_routes(document: Document) -> None:
    assert document.edit(d.route, class_of(document), "a.p", "b.n") == Line(
        points=(Point(10, 0), Point(25, 0), Point(25, 40), Point(40, 40))
    )
    assert document.edit(d.route, class_of(document), "b", "a") == Line(
        points=(Point(40, 40), Point(25, 40), Point(25, 0), Point(10, 0))
    )
    assert document.edit(d.route, class_of(document), "a", "c") is None
    assert document.edit(d.route, class_of(document), "a", "e") is None
    assert document.edit(d.route, class_of(document), "a.p", "a.n") is None


# ---------------------------------------------------------------- layers


def test_layers_are_read(document: Document) -> None:
    layer = diagram.get_layer(class_of(document), "Icon")
    assert isinstance(layer, Icon)
    assert layer.coordinateSystem == CoordinateSystem(grid=(1, 1))
    first, second = diagram.get_graphics(class_of(document))
    assert first == Line(points=(Point(0, 0), Point(1, 1)))
    assert isinstance(second, OpaqueItem)
    with pytest.raises(EditError, match="are 'DynamicSelect"):
        diagram.get_graphics(class_of(document), "Diagram")
    with pytest.raises(EditError, match="there is no layer 'Front'; there is Icon, Diagram"):
        diagram.get_layer(class_of(document), "Front")  # type: ignore[arg-type]
    empty = class_of(Document("model E\nend E;\n"), "E")
    assert diagram.get_layer(empty, "Diagram") is None
    assert diagram.get_graphics(empty, "Diagram") == ()


def test_a_graphic_that_is_read_and_set_changes_nothing(document: Document) -> None:
    for index, item in enumerate(diagram.get_graphics(class_of(document))):
        document.edit(diagram.set_graphic, class_of(document), "Icon", index, item)
    assert document.text == MODEL


def test_added_and_removed_is_as_before(document: Document) -> None:
    for index in (0, 1, 2, None):
        document.edit(diagram.add_graphic, class_of(document), "Icon", Rectangle(extent=BOX), index)
        assert Rectangle(extent=BOX) in diagram.get_graphics(class_of(document))
        document.edit(diagram.remove_graphic, class_of(document), "Icon", 2 if index is None else index)
        assert document.text == MODEL


def test_a_vendors_value_is_added_to_an_item(document: Document) -> None:
    document.edit(diagram.set_graphic, class_of(document), "Icon", 0, Line(others=("__V=1",)))
    assert diagram.get_graphics(class_of(document))[0] == Line(others=("__V=1",))
    assert "graphics={Line(__V=1), x}" in document.text


def test_an_item_of_a_text_with_a_list_in_it_grows_and_shrinks() -> None:
    document = Document("model M\n  annotation (Icon(graphics={}));\nend M;\n")
    document.edit(diagram.add_graphic, class_of(document), "Icon", Text(textString="a"))
    document.edit(diagram.set_graphic, class_of(document), "Icon", 0, Text(textString="b", fontSize=12))
    assert diagram.get_graphics(class_of(document)) == (Text(textString="b", fontSize=12),)
    document.edit(diagram.set_coordinate_system, class_of(document), "Icon", CoordinateSystem(initialScale=0.2))
    layer = diagram.get_layer(class_of(document))
    assert layer is not None
    assert layer.coordinateSystem == CoordinateSystem(initialScale=0.2)


# ---------------------------------------------------------------- leaf by leaf


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("{ 1, 2 }", "{1,3}", "{ 1, 3 }"),
        ("{1.0, 2e0}", "{1,2}", "{1.0, 2e0}"),
        ("{-1, +2}", "{1,-2}", "{1, -2}"),
        ("{{0,0} /* a */, {1,1}}", "{{0,0},{5,5},{1,1}}", "{{0,0} /* a */, {5,5}, {1,1}}"),
        ("{{0,0}, {5,5}, {1,1}}", "{{0,0},{1,1}}", "{{0,0}, {1,1}}"),
        ("{{0,0},\n  {1,1}}", "{{0,0},{1,1},{2,2}}", "{{0,0},\n  {1,1},\n  {2,2}}"),
        ("{1}", "{}", "{}"),
        ("{}", "{1}", "{1}"),
        ("x", "{1}", "{1}"),
        ("{x, 1}", "{x,2}", "{x, 2}"),
        ("a + b", "a+b", "a + b"),
    ],
)
def test_a_value_is_put_into_the_text_of_the_old_one(old: str, new: str, expected: str) -> None:
    result = merged(parse_expression(old).green, parse_expression(new).green)
    assert render(result) == expected


# ---------------------------------------------------------------- new lines in the Standard Library

WITH_LINES = (
    "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog",
    "Modelica.Electrical.Analog.Examples.Rectifier",
    "Modelica.Mechanics.Rotational.Examples.CoupledClutches",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum",
    "Modelica.Blocks.Examples.PID_Controller",
)
_NEAR: Final = 2  # millimetres that authors are off the middle of a connector


@pytest.mark.parametrize("name", WITH_LINES)
def test_new_lines_end_where_their_authors_end_them_and_cut_no_component(msl: Path, name: str) -> None:
    handle = Libraries([msl]).find_class(name)
    found = 0
    for connection in connections_of(handle.view):
        one, other = ends(connection)
        written, new = handle.get_line(one, other), handle.document.edit(d.route, handle.view, one, other)
        assert written is not None
        assert isinstance(written.points, tuple)
        assert new is not None, (one, other)
        assert isinstance(new.points, tuple)
        for mine, its in ((new.points[0], written.points[0]), (new.points[-1], written.points[-1])):
            assert abs(mine.x - its.x) <= _NEAR, (one, other)
            assert abs(mine.y - its.y) <= _NEAR, (one, other)
        for each in handle.components:
            if each.name not in (one.partition(".")[0], other.partition(".")[0]) and each.placement is not None:
                assert isinstance(each.placement.transformation, Transformation)
                assert each.placement.transformation.box is not None
                assert not crosses(new.points, each.placement.transformation.box), (one, other, each.name)
        found += 1
    assert found > 3


def test_a_new_line_is_drawn_from_connector_to_connector(msl: Path, tmp_path: Path) -> None:
    file = tmp_path / "M.mo"
    places = {"a": "-60,-10},{-40,10", "b": "-10,-10},{10,10", "c": "40,-10},{60,10"}
    parts = "".join(
        "  Modelica.Electrical.Analog.Basic.Resistor "
        f"{name}(R=1) annotation (Placement(transformation(extent={{{{{at}}}}})));\n"
        for name, at in places.items()
    )
    file.write_text(f"model M\n{parts}end M;\n", encoding="utf-8")
    assert main(["connect", f"{file}::M", "a.n", "c.p", "--in-place", "--quiet"]) == 0
    drawing_ = draw(open_with_uses([file], also=[msl]), "M")
    (line,) = drawing_.lines
    assert list(line.points) == [(-40, 0), (-20, 0), (-20, -20), (30, -20), (30, 0), (40, 0)]
    middle = next(each.box for each in drawing_.components if each.name == "b")
    extent = Extent(Point(middle.left, middle.bottom), Point(middle.right, middle.top))
    assert not crosses(tuple(Point(x, y) for x, y in line.points), extent)


# ---------------------------------------------------------------- the Standard Library

FILES = (
    "Electrical/Analog/Examples/CauerLowPassAnalog.mo",
    "Electrical/Machines/Examples/InductionMachines/IMC_DOL.mo",
    "Fluid/Examples/HeatingSystem.mo",
    "Mechanics/MultiBody/Examples/Systems/RobotR3/FullRobot.mo",
    "Magnetic/FluxTubes/Examples/SolenoidActuator/Components/SimpleSolenoid.mo",
    "Thermal/FluidHeatFlow/Examples/TwoMass.mo",
)
STEPS = ((1001, 777), (1001, 0), (0, 777), (-0.5, 1000.25))


def annotations_of(document: Document, name: str, component: str) -> list[str]:
    """The annotation of a component, and the `Line` annotations of its connections."""
    definition = document.find_class(name).view
    found = [c.annotation for c in definition.components if c.name == component]
    for equation in definition.equations:
        if isinstance(equation, tree.ConnectEquation) and equation.annotation is not None:
            ends = (equation.left.parts[0], equation.right.parts[0])
            if component in ends and equation.annotation.arguments.get("Line") is not None:
                found.append(equation.annotation)
    return [render(annotation.green) for annotation in found if annotation is not None]


def numbers_of_points(owner: tree.ClassDefinition) -> list[int]:
    lines = [d.get_line(owner, *ends(each)) for each in connections_of(owner)]
    return [len(line.points) for line in lines if line is not None and isinstance(line.points, tuple)]


def check_moves(path: Path) -> Counter[str]:
    """Move every placed component, and check what changed and that the way back leads home."""
    counts: Counter[str] = Counter()
    document = Document.open(path)
    owner = document.classes[0]
    text, before = document.text, leaves(document.state)
    points = numbers_of_points(owner.view)
    for moved in owner.components:
        if d.get_placement(moved.view) is None:
            continue
        expected = annotations_of(document, owner.name, moved.name)
        for dx, dy in STEPS:
            start = document.state
            assert document.edit(d.move_in_diagram, moved.view, dx, dy) == []
            assert parse(document.text).green == document.state
            # An annotation is one leaf, so the leaves that differ are the annotations that changed.
            after = leaves(document.state)
            assert sorted(a for a, b in zip(before, after, strict=True) if a != b) == sorted(expected)
            counts["moved"] += 1
            if numbers_of_points(owner.view) == points:
                document.edit(d.move_in_diagram, moved.view, -dx, -dy)
                assert document.text == text, (path, moved.name)
                counts["restored"] += 1
            document.restore(start)
    return counts


@pytest.mark.parametrize("file", FILES)
def test_moving_changes_numbers_only_and_back_is_home(msl: Path, file: str) -> None:
    counts = check_moves(msl / file)
    assert counts["moved"] > 20
    assert counts["restored"] > counts["moved"] / 4
