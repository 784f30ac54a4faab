"""Icons and diagrams as SVG.

What a class of fixtures/drawing/Pictures looks like is fixtures/drawing/expected/CLASS.LAYER.svg; what could not be
drawn is in the .txt beside it.

`pytest --update-expected tests/drawing/test_drawing.py` writes them again: then look at them in a browser.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from conftest import FIXTURES, Expected, needs
from modelica_ast.drawing import Drawing, draw
from modelica_ast.drawing.texts import shown_value
from modelica_ast.foundation import EditError, NotFoundError
from modelica_ast.graphics import Extent, Point
from modelica_ast.graphics.planes import Affine, Box
from modelica_ast.library import Libraries, find_library
from modelica_ast.tree import ConnectEquation
from modelica_ast.tree.literals import Reference
from modelica_ast.tree.traverse import find_all
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.package.builder.options import TEMPLATES

DRAWING = FIXTURES / "drawing"
EXPECTED = DRAWING / "expected"
ROBOTS = FIXTURES / "robots"
SVG = "{http://www.w3.org/2000/svg}"
LINKS = 40  # of a robot that is built here
ODD = "'odd <names> & \"signs\"'"

CASES = {
    "Shapes.icon": ("Shapes", "icon"),
    "Texts.icon": ("Texts", "icon"),
    "Wedge.icon": ("Wedge", "icon"),
    "Wedge.diagram": ("Wedge", "diagram"),
    "Circuit.diagram": ("Circuit", "diagram"),
    "Mapped.icon": ("Mapped", "icon"),
    "Mapped.diagram": ("Mapped", "diagram"),
    "Small.icon": ("Small", "icon"),
    "Dynamic.icon": ("Dynamic", "icon"),
    "Broken.diagram": ("Broken", "diagram"),
    "odd.diagram": (ODD, "diagram"),
}


@pytest.fixture(scope="module")
def pictures() -> Libraries:
    return Libraries([], read_only=[DRAWING / "Pictures"])


def drawn(libraries: Libraries, case: str) -> Drawing:
    name, layer = CASES[case]
    return draw(libraries, f"Pictures.{name}", layer=layer)  # type: ignore[arg-type]  # one of the two


def problems_text(drawing: Drawing) -> str:
    return "".join(f"{problem.path.name}:{problem.line}: {problem.message}\n" for problem in drawing.problems)


def parsed(drawing: Drawing) -> ET.Element:
    return ET.fromstring(drawing.svg.encode())  # noqa: S314  (we have written it)


def groups(drawing: Drawing, attribute: str) -> list[ET.Element]:
    return [element for element in parsed(drawing).iter(f"{SVG}g") if attribute in element.attrib]


def library(folder: Path, text: str) -> Libraries:
    file = folder / "M.mo"
    file.write_text(text, encoding="utf-8")
    return Libraries([], read_only=[file])


# ---------------------------------------------------------------- the expected pictures


@pytest.mark.parametrize("case", CASES)
def test_a_picture_is_as_expected(pictures: Libraries, case: str, expected: Expected) -> None:
    drawing = drawn(pictures, case)
    expected.file(EXPECTED / f"{case}.svg", drawing.svg)
    expected.file(EXPECTED / f"{case}.txt", problems_text(drawing))


def test_every_expected_picture_has_a_case() -> None:
    assert {path.stem for path in EXPECTED.iterdir()} == set(CASES)


@pytest.mark.parametrize("case", CASES)
def test_a_picture_is_the_same_each_time(pictures: Libraries, case: str) -> None:
    assert drawn(pictures, case) == drawn(Libraries([], read_only=[DRAWING / "Pictures"]), case)


@pytest.mark.parametrize("case", CASES)
def test_ids_are_there_once(pictures: Libraries, case: str) -> None:
    ids = [element.get("id") for element in parsed(drawn(pictures, case)).iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_an_id_prefix_is_before_every_id(pictures: Libraries) -> None:
    root = parsed(draw(pictures, "Pictures.Shapes", layer="icon", id_prefix="one-"))
    ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    used = {value[5:-1] for element in root.iter() for value in element.attrib.values() if value.startswith("url(#")}
    assert used == ids
    assert ids
    assert all(name.startswith("one-") for name in ids)


def test_components_and_lines_are_groups(pictures: Libraries) -> None:
    drawing = drawn(pictures, "Circuit.diagram")
    named = {group.attrib["data-component"]: group for group in groups(drawing, "data-component")}
    assert named["turned"].attrib["id"] == "turned"
    assert named["turned"].attrib["data-class"] == "Pictures.Wedge"
    assert named["turned.heat"].attrib["data-kind"] == "connector"
    title = named["turned"].find(f"{SVG}title")
    assert title is not None
    assert title.text == "turned: Pictures.Wedge"
    ends = [(group.attrib["data-from"], group.attrib["data-to"]) for group in groups(drawing, "data-from")]
    assert ends == [(line.left, line.right) for line in drawing.lines]
    assert ("wide[i].b", "wide[i+1].a") in ends


def test_what_is_not_seen_is_not_drawn(pictures: Libraries) -> None:
    drawing = drawn(pictures, "Circuit.diagram")
    names = {group.attrib["data-component"] for group in groups(drawing, "data-component")}
    assert not names & {"hidden", "unplaced"}
    assert {"turned.heat", "plain.a"} <= names
    assert not names & {"plain.heat", "plain.inside"}  # conditional, protected
    assert [each.name for each in drawing.components if each.is_present is False] == ["spare"]
    assert [each.name for each in drawing.components if each.is_present is None] == ["perhaps"]


def test_a_connector_that_is_missing_in_an_icon_is_a_problem(pictures: Libraries) -> None:
    drawing = draw(pictures, "Pictures.Circuit", layer="icon")
    assert [each.name for each in drawing.components] == ["p"]
    assert [problem.message for problem in drawing.problems] == [
        "the class 'Nothing' of 'nothing' is not found; it may be a connector"
    ]


def test_macros_are_replaced(pictures: Libraries) -> None:
    drawing = draw(pictures, "Pictures.Texts", layer="icon", name="mine")
    texts = [each.text for each in drawing.text_boxes]
    assert texts[:7] == [
        "mine of Texts",
        "100% 90°",
        "0.25 kg·m²|2.5×10⁻⁷ Ω|3",
        "open|2*open|Second",
        "{0, 0, 1}",
        'a <b> & "c"',
        "3xtrue",
    ]


def test_no_letter_is_upside_down(pictures: Libraries) -> None:
    for case in ("Texts.icon", "Circuit.diagram"):
        for text in parsed(drawn(pictures, case)).iter(f"{SVG}text"):
            turned = text.attrib.get("transform", "rotate(0)").rpartition("rotate(")[2].rstrip(")")
            assert -90 <= float(turned) < 90


def test_a_text_fits_its_extent(pictures: Libraries) -> None:
    boxes = {each.text: each.box for each in draw(pictures, "Pictures.Texts", layer="icon").text_boxes}
    for text, extent in {
        "{0, 0, 1}": Box(-100, 40, 0, 60),
        "two\nlines": Box(-100, -20, 0, 20),
        "corners swapped": Box(0, -100, 100, -80),
    }.items():
        box = boxes[text]
        assert extent.joined(box).width == pytest.approx(extent.width)
        assert extent.joined(box).height == pytest.approx(extent.height)
    assert boxes["up too"].height > boxes["up too"].width


def test_overlapping_texts_are_found(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311  (the same ones each time)
    items = []
    for number in range(60):
        x, y = rng.randint(-100, 100), rng.randint(-100, 100)
        items.append(f'Text(extent={{{{{x},{y}}},{{{x + 20},{y + 9}}}}}, textString="text {number}")')
    libraries = library(tmp_path, f"model M annotation(Icon(graphics={{{', '.join(items)}}})); end M;")
    drawing = draw(libraries, "M", layer="icon")
    boxes = drawing.text_boxes
    by_hand = {frozenset((a.text, b.text)) for a in boxes for b in boxes if a is not b and a.box.overlaps(b.box)}
    assert {frozenset((a.text, b.text)) for a, b in drawing.overlapping_texts()} == by_hand
    assert 10 < len(by_hand) < 60 * 59 / 2


# ---------------------------------------------------------------- coordinates and values


@pytest.mark.parametrize(
    ("target", "point", "expected"),
    [
        (((-10, -10), (10, 10)), (100, 50), (10, 5)),
        (((10, -10), (-10, 10)), (100, 50), (-10, 5)),
        (((-10, 10), (10, -10)), (100, 50), (10, -5)),
        (((0, 0), (40, 10)), (100, 100), (40, 10)),
    ],
)
def test_an_extent_is_mapped_corner_to_corner(target: Any, point: Any, expected: Any) -> None:
    source = Extent(Point(-100, -100), Point(100, 100))
    mapped = Affine.mapping(source, Extent(*(Point(*corner) for corner in target)))
    assert mapped.at(point) == pytest.approx(expected)


def test_a_picture_that_keeps_its_ratio_is_in_the_middle() -> None:
    source = Extent(Point(-100, -100), Point(100, 100))
    mapped = Affine.mapping(source, Extent(Point(0, 0), Point(40, 10)), keeps_ratio=True)
    assert mapped.at((-100, -100)) == pytest.approx((15, 0))
    assert mapped.at((100, 100)) == pytest.approx((25, 10))


def test_quarter_turns_are_exact() -> None:
    assert Affine.turn(90).at((3.0, 4.0)) == (-4.0, 3.0)
    assert Affine.turn(-90).at((3.0, 4.0)) == (4.0, -3.0)
    assert Affine.turn(-540).at((3.0, 4.0)) == (-3.0, -4.0)


@pytest.mark.parametrize(
    ("value", "unit", "display", "expected"),
    [
        (0.5, "kg.m2", "", "0.5 kg·m²"),
        (3.141592653589793, "rad", "deg", "180°"),
        (293.15, "K", "degC", "20 °C"),
        (101325, "Pa", "bar", "1.01325 bar"),
        (1000, "Ohm", "", "1000 Ω"),
        (9.81, "m/s2", "", "9.81 m/s²"),
        (1e-6, "F", "", "10⁻⁶ F"),
        (-1.5e9, "", "", "-1.5×10⁹"),
        (0, "1", "", "0"),
        (True, "", "", "true"),
        (Reference("Modelica.Blocks.Types.Init.NoInit"), "", "", "NoInit"),
        ([0, 0, 1.5], "m", "", "{0, 0, 1.5} m"),
        (list(range(20)), "", "", "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"),
        (2, "parsec", "furlong", "2 parsec"),
    ],
)
def test_values_are_shown_in_their_units(value: Any, unit: str, display: str, expected: str) -> None:
    assert shown_value(value, unit, display) == expected


# ---------------------------------------------------------------- bad input


def test_a_class_that_is_nowhere(pictures: Libraries) -> None:
    with pytest.raises(NotFoundError, match="no class 'Shape' in 'Pictures'"):
        draw(pictures, "Pictures.Shape")
    with pytest.raises(EditError, match="there is no layer 'front'; there is icon and diagram"):
        draw(pictures, "Pictures.Shapes", layer="front")  # type: ignore[arg-type]  # that is the point


def test_long_chains_and_tangles_end(tmp_path: Path) -> None:
    count = 300
    chain = [f"model C{n} extends C{n + 1}; end C{n};" for n in range(count)]
    tangle = [f"model T{n} extends T{n + 1}; extends T{n + 1}; end T{n};" for n in range(60)]
    end = f"model C{count} end C{count}; model T60 annotation(Icon(graphics={{Line(points={{{{0,0}}}})}})); end T60;"
    self_ = "model S extends S; S s annotation(Placement(transformation(extent={{0,0},{9,9}}))); end S;"
    libraries = library(tmp_path, f"package M {' '.join([*chain, *tangle, end, self_])} end M;")
    assert not draw(libraries, "M.C0").problems
    reasons = [problem.message for problem in draw(libraries, "M.T0", layer="icon").problems]
    assert reasons
    assert all("not found or inherits from itself" in each or "more than 500 classes" in each for each in reasons)
    drawing = draw(libraries, "M.S")
    assert [each.name for each in drawing.components] == ["s"]


@pytest.mark.parametrize(
    "graphics",
    [
        "Line(points={{1e308,1e308},{-1e308,0}}, thickness=1e300)",
        "Rectangle(extent={{0,0},{0,0}}, radius=1e9)",
        "Ellipse(extent={{0,0},{10,10}}, startAngle=1e9, endAngle=-1e9)",
        "Polygon(points={})",
        "Line(points={{0,0},{0,0}}, arrow={Arrow.Filled,Arrow.Open})",
        'Text(extent={{0,0},{0,0}}, textString="\\f\\v\\a %{} %{x.y} %% %")',
        'Text(extent={{0,0},{1,1}}, textString="%{' + "a." * 500 + 'a}")',
        "Line(points=" + "{" * 90 + "1" + "}" * 90 + ")",
        "Line(points=" + "DynamicSelect(" * 40 + "{{0,0}}" + ", 1)" * 40 + ")",
        'Bitmap(extent={{0,0},{1,1}}, fileName="\\000.png")',
        'Bitmap(extent={{0,0},{1,1}}, fileName="file:///dev/zero")',
        "Rectangle(extent={{-100,-100},{100,100}}, rotation=1e300, origin={1e300,0})",
        "Rectangle(-1, {0,0})",
    ],
)
def test_hostile_graphics_are_drawn_or_reported(tmp_path: Path, graphics: str) -> None:
    libraries = library(tmp_path, f"model M annotation(Icon(graphics={{{graphics}}})); end M;")
    drawing = draw(libraries, "M", layer="icon", grid=True)
    root = parsed(drawing)
    assert root.tag == f"{SVG}svg"
    assert not any("nan" in value or "inf" in value for each in root.iter() for value in each.attrib.values())


def test_an_annotation_that_is_no_modelica_is_a_problem(tmp_path: Path) -> None:
    text = "model M M x annotation(Placement(extent == 1)); annotation(Diagram(graphics = {,})); end M;"
    drawing = draw(library(tmp_path, text), "M")
    assert drawing.components == ()
    assert [problem.message.split(":")[0] for problem in drawing.problems] == ["the annotation can't be read"] * 2


# ---------------------------------------------------------------- the Standard Library

CLASSES = """
Blocks.Continuous.PID Blocks.Continuous.LimPID Blocks.Examples.PID_Controller Blocks.Sources.Sine
Blocks.Examples.BooleanNetwork1 Blocks.Math.Gain Blocks.Interfaces.SISO
Mechanics.Rotational.Components.Inertia Mechanics.Rotational.Components.Damper Mechanics.Rotational.Examples.First
Mechanics.Rotational.Examples.CoupledClutches Mechanics.Rotational.Sources.Torque
Mechanics.Translational.Components.Mass Mechanics.Translational.Examples.Accelerate
Mechanics.MultiBody.Joints.Revolute Mechanics.MultiBody.Parts.Body Mechanics.MultiBody.Parts.BodyBox
Mechanics.MultiBody.World Mechanics.MultiBody.Examples.Elementary.DoublePendulum
Mechanics.MultiBody.Joints.Prismatic Mechanics.MultiBody.Examples.Systems.RobotR3.Utilities.MechanicalStructure
Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot
Electrical.Analog.Basic.Resistor Electrical.Analog.Basic.Ground Electrical.Analog.Examples.CauerLowPassAnalog
Electrical.Analog.Examples.Rectifier Electrical.Digital.Examples.FullAdder
Thermal.HeatTransfer.Examples.TwoMasses StateGraph.Examples.ControlledTanks Icons.Example
"""


@pytest.fixture(scope="module")
def standard(msl: Path) -> Libraries:
    return Libraries([], read_only=[msl, find_library("ModelicaServices"), find_library("Complex")])


@pytest.mark.parametrize("name", CLASSES.split())
def test_a_class_of_the_standard_library_is_whole(standard: Libraries, name: str) -> None:
    drawing = draw(standard, f"Modelica.{name}")
    view = standard.find_class(f"Modelica.{name}").view
    # By the tree alone, which knows nothing of drawing.
    placed = {
        component.name
        for component in view.components
        if component.annotation is not None
        and component.annotation.arguments.get("Placement") is not None
        and "visible=false" not in "".join(component.annotation.text.split())
    }
    lines = {
        (str(connect.left), str(connect.right))
        for connect in find_all(view, ConnectEquation)
        if connect.annotation is not None and connect.annotation.arguments.get("Line") is not None
    }
    root = parsed(drawing)
    assert placed <= {each.get("data-component") for each in root.iter(f"{SVG}g")}
    assert lines <= {(each.get("data-from"), each.get("data-to")) for each in root.iter(f"{SVG}g")}
    assert {each.name for each in drawing.components} >= placed
    assert {problem.message for problem in drawing.problems if "image" not in problem.message} == set()


def test_an_icon_has_the_connectors_of_its_bases(standard: Libraries) -> None:
    drawing = draw(standard, "Modelica.Mechanics.Rotational.Components.Inertia", layer="icon", name="inertia1")
    assert {each.name: each.is_present for each in drawing.components} == {"flange_a": True, "flange_b": True}
    assert [each.text for each in drawing.text_boxes] == ["inertia1", "J=J"]
    assert {each.name: each.box for each in drawing.components}["flange_a"] == Box(-110, -10, -90, 10)


def test_values_reach_the_texts_of_components(standard: Libraries) -> None:
    drawing = draw(standard, "Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum")
    texts = {(each.owner, each.text) for each in drawing.text_boxes}
    assert {("damper", "d=0.1 N·m·s/rad"), ("boxBody1", "r={0.5, 0, 0} m"), ("revolute2", "n={0, 0, 1}")} <= texts


@pytest.mark.corpus
def test_every_class_of_the_standard_library_is_drawn(standard: Libraries) -> None:
    count = 0
    for name in standard["Modelica"].classes():
        for layer in ("icon", "diagram"):
            drawing = draw(standard, name, layer=layer)
            parsed(drawing)
            assert {p.message for p in drawing.problems if "image" not in p.message} == set(), name
            count += 1
    assert count > 10_000


# ---------------------------------------------------------------- robots


def robot_libraries(folder: Path, msl: Path) -> Libraries:
    services, complex_ = find_library("ModelicaServices"), find_library("Complex")
    return Libraries([], read_only=[folder, TEMPLATES, msl, services, complex_])


def assert_is_tidy(drawing: Drawing) -> None:
    assert drawing.problems == ()
    pairs = [(one.owner, one.text, other.owner, other.text) for one, other in drawing.overlapping_texts()]
    assert pairs == []


@pytest.mark.parametrize("package", ["DeskArm", "gripper", "rover"])
def test_no_text_of_a_generated_robot_covers_another(package: str, msl: Path) -> None:
    libraries = robot_libraries(ROBOTS / "packages" / package, msl)
    for name in (package, f"{package}Test", f"{package}Run"):
        for layer in ("diagram", "icon"):
            assert_is_tidy(draw(libraries, f"{package}.{name}", layer=layer))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, msl: Path) -> Drawing:
    return draw(robot_libraries(_built(_tree(LINKS), tmp_path_factory.mktemp("tree")), msl), "Tree.Tree")


def test_no_text_of_a_larger_robot_covers_another(tree: Drawing) -> None:
    assert_is_tidy(tree)
    assert len(tree.components) > 2 * LINKS


def test_no_name_of_a_link_or_joint_lies_on_a_line(tree: Drawing) -> None:
    boxes = [each.box for each in tree.text_boxes if each.text.startswith(("link_with", "joint_with"))]
    assert len(boxes) == 2 * LINKS - 1
    for line in tree.lines:
        for (x1, y1), (x2, y2) in zip(line.points, line.points[1:], strict=False):
            stretch = Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)).grown(0.1)
            assert not any(stretch.overlaps(box) for box in boxes), (line.left, line.right)


def _tree(links: int) -> str:
    """A robot whose links have long names and whose branches differ."""
    rng = random.Random(7)  # noqa: S311  (the same one each time)
    kinds = ["revolute", "continuous", "prismatic", "fixed"]
    parts = ['<robot name="Tree">']
    body = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    parts += [f'<link name="link_with_a_long_name_{n}">{body}</link>' for n in range(links)]
    for n in range(1, links):
        kind = rng.choice(kinds)
        limit = '<limit lower="-1" upper="1" effort="9" velocity="9"/>' if kind in ("revolute", "prismatic") else ""
        parent = rng.randrange(max(0, n - 6), n)
        ends = f'<parent link="link_with_a_long_name_{parent}"/><child link="link_with_a_long_name_{n}"/>'
        parts.append(f'<joint name="joint_with_a_long_name_{n}" type="{kind}">{ends}<axis xyz="0 0 1"/>{limit}</joint>')
    return "".join([*parts, "</robot>"])


def _built(urdf: str, folder: Path) -> Path:
    file = folder / "Tree.urdf"
    file.write_text(urdf, encoding="utf-8")
    write(build(read(file).usable_robot(), BuildOptions(name="Tree")), folder)
    return folder / "Tree"


# ---------------------------------------------------------------- in a browser


def test_a_browser_shows_a_picture(pictures: Libraries, tmp_path: Path) -> None:
    chromium = needs("chromium")
    file, shot = tmp_path / "shapes.svg", tmp_path / "shapes.png"
    file.write_text(drawn(pictures, "Shapes.icon").svg, encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command = [chromium, *flags, f"--screenshot={shot}", "--window-size=400,400", file.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert shot.stat().st_size > 3000  # an error page or an empty one is smaller
