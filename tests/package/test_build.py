"""Robots as Modelica packages, built from templates.

`pytest --update-expected tests/package/test_build.py` writes the expected packages again: then read what has changed.
"""

from __future__ import annotations

import ast
import json
import re
import resource
import shlex
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from conftest import FIXTURES, ROOT, Expected, crossed, examples, library_folders
from modelica_ast import evaluate, parse
from modelica_ast.cli import main
from modelica_ast.edit import Document
from modelica_ast.generate import read_side_car
from modelica_ast.library import Libraries, check_library, instance
from modelica_ast.rules import check_libraries
from package.urdf_robots import robots
from urdf_frontend import (
    BuildError,
    BuildOptions,
    BuiltPackage,
    Kinematics,
    NameStyle,
    Robot,
    UrdfError,
    Visualisation,
    build,
    read,
    write,
)
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.package.builder.side_car import names_of
from urdf_frontend.robot import tree_cells

ROBOTS = FIXTURES / "robots"
PACKAGES = ROBOTS / "packages"
OWN_TEMPLATES = ROBOTS / "templates" / "Painted.mo"
SHARED = ROOT.parent / "shared" / "urdf"
SMALL = 10_000  # bytes of a URDF file that is built in every run
NOWHERE = Path("no such folder")

# The expected packages, and what they were built with.
CASES = {
    "arm": BuildOptions(name="DeskArm"),
    "rover": BuildOptions(stationary=False),
    "gripper": BuildOptions(name_style=NameStyle.QUOTED),
}


def options_of(case: str) -> BuildOptions:
    return evolve(CASES[case], into=NOWHERE, urdf=ROBOTS / f"{case}.urdf")


def robot_of(case: str) -> Robot:
    return read(ROBOTS / f"{case}.urdf").usable_robot()


@cache
def built_case(case: str) -> BuiltPackage:
    return build(robot_of(case), options_of(case))


def robot_model(built: BuiltPackage) -> Any:
    return Document(built.text(built.folder / f"{built.name}.mo")).find_class(built.name)


@lru_cache(maxsize=4)  # a record is looked into many times
def document_of(text: str) -> Document:
    return Document(text)


def value(built: BuiltPackage, class_name: str, path: str) -> Any:
    """A value of a parameter record as it stands in the built text."""
    package, name = class_name.split(".")
    record = document_of(built.text(built.folder / package / f"{name}.mo")).find_class(name)
    first, *rest = path.split(".")
    component = record.get_component(first)
    found = (
        component.get(".".join(rest)) if component is not None else record.get_extends_modifier(record.extends[0], path)
    )
    return None if found is None else evaluate(found)


# ---------------------------------------------------------------- whole packages


def without_digests(path: Path, data: bytes) -> bytes:
    """A file of a package; a side-car without what changes with every template and version."""
    if path.suffix != ".json":
        return data
    return evolve(read_side_car(data.decode(), path.name), generator="-", templates=None, files={}).text.encode()


@pytest.mark.parametrize("case", CASES)
def test_packages_are_as_expected(case: str, expected: Expected) -> None:
    built = built_case(case)
    files = {path.relative_to(built.name): without_digests(path, data) for path, data in built.files.items()}
    expected.folder(PACKAGES / built.name, files)


def valid_robots() -> Iterator[Any]:
    for path in sorted(SHARED.glob("*.urdf")):
        marks = [] if path.stat().st_size < SMALL else [pytest.mark.corpus]
        yield pytest.param(path, marks=marks, id=path.stem)


@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no robots in ../shared/urdf")
@pytest.mark.parametrize("path", list(valid_robots()))
def test_real_robots(path: Path, tmp_path: Path, msl: Path) -> None:
    result = read(path)
    if not result.is_usable:
        if result.robot is not None:
            with pytest.raises(UrdfError):
                result.usable_robot()
        return
    robot = result.usable_robot()
    built = build(robot, BuildOptions(into=tmp_path, urdf=path))
    write(built, tmp_path)
    assert_package_fits_robot(built, robot)
    assert_names_resolve(tmp_path / built.folder, msl)


@pytest.mark.parametrize("visualisation", Visualisation)
@pytest.mark.parametrize("style", NameStyle)
def test_every_option_gives_a_package(visualisation: Visualisation, style: NameStyle) -> None:
    options = evolve(options_of("arm"), visualisation=visualisation, name_style=style, collisions=False)
    robot = robot_of("arm")
    built = build(robot, options)
    assert_package_fits_robot(built, robot)
    assert not any(b"collision" in data for path, data in built.files.items() if path.suffix == ".mo")


@settings(max_examples=examples(40))
@given(robots())
def test_whatever_a_robot_has_in_it(robot: Robot) -> None:
    try:
        built = build(robot, BuildOptions(into=NOWHERE, copy_meshes=False))
    except UrdfError:
        return
    assert_package_fits_robot(built, robot)


def assert_package_fits_robot(built: BuiltPackage, robot: Robot) -> None:
    for path, data in built.files.items():
        if path.suffix == ".mo":
            parse(data.decode(), strict=True)
    assert_is_tree(built, robot)
    assert_values_read_back(built, robot)


def assert_is_tree(built: BuiltPackage, robot: Robot) -> None:
    """All links and joints are connected as the robot says, and the frames and flanges of the robot all once."""
    kinematics = Kinematics.of(robot)
    names = built.names
    model = robot_model(built)
    connections = {frozenset(ends) for ends in model.connections}
    assert len(connections) == len(model.connections)
    wanted = {frozenset(("frame_a", f"{names.link(kinematics.roots[0]).component}.frame_a"))}
    for joint in robot.joints:
        component = names.joint(joint.name).component
        wanted.add(frozenset((f"{names.link(joint.parent).component}.frame_a", f"{component}.frame_a")))
        wanted.add(frozenset((f"{names.link(joint.child).component}.frame_a", f"{component}.frame_b")))
    for number, leaf in enumerate(kinematics.leaves, 1):
        wanted.add(frozenset((f"{names.link(leaf).component}.frame_a", f"frame_b[{number}]")))
    assert wanted <= connections
    counts: Counter[str] = Counter()
    for joint in robot.joints:
        if joint.type.is_single and joint.mimic is None:
            kind = "rotational" if joint.type.is_rotational else "translational"
            counts[kind] += 1
            for side in "ab":
                ends = (f"{names.joint(joint.name).component}.flange_{side}", f"{kind}_flange_{side}[{counts[kind]}]")
                assert frozenset(ends) in connections
    base = next(name for name in model.extends if name.endswith(".PartialRobot"))
    for kind, name in (("rotational", "numRotationalJoints"), ("translational", "numTranslationalJoints")):
        assert evaluate(model.get_extends_modifier(base, name)) == counts[kind]
    declared = Counter(component.name for component in model.components)
    assert max(declared.values()) == 1


def assert_values_read_back(built: BuiltPackage, robot: Robot) -> None:
    for link in robot.links:
        record = f"Links.{built.names.link(link.name).parameters}"
        assert value(built, record, "name") == link.name
        if link.inertial is not None:
            if link.inertial.mass is not None:
                assert value(built, record, "inertial.mass") == link.inertial.mass.value
            if link.inertial.inertia is not None:
                tensor = [value(built, record, f"inertial.inertia.i{term}") for term in "xx xy xz yy yz zz".split()]
                assert tuple(tensor) == link.inertial.inertia.values
            if link.inertial.origin is not None and link.inertial.origin.xyz is not None:
                assert value(built, record, "inertial.origin.xyz") == list(link.inertial.origin.translation)
    for joint in robot.joints:
        record = f"Joints.{built.names.joint(joint.name).parameters}"
        assert value(built, record, "name") == joint.name
        assert (value(built, record, "parent"), value(built, record, "child")) == (joint.parent, joint.child)
        if joint.origin is not None:
            assert (value(built, record, "origin.xyz") or [0, 0, 0]) == list(joint.origin.translation)
            assert (value(built, record, "origin.rpy") or [0, 0, 0]) == list(joint.origin.angles)
        if joint.axis is not None and joint.axis.xyz is not None:
            assert value(built, record, "axis") == list(joint.axis.xyz.values)
        for name in "lower upper effort velocity".split():
            number = None if joint.effective_limit is None else getattr(joint.effective_limit, name)
            assert value(built, record, f"limit.{name}") == (None if number is None else number.value)


# ---------------------------------------------------------------- names lead somewhere


def standard_libraries(msl: Path) -> list[Path]:
    """The Standard Library, and those that it needs."""
    names = ("Complex 4.1.0.mo", "Complex.mo", "ModelicaServices 4.1.0", "ModelicaServices")
    return [msl, *(folder / name for folder in library_folders() for name in names if (folder / name).exists())]


def assert_names_resolve(package: Path, msl: Path, templates: Path = TEMPLATES) -> None:
    libraries = Libraries([package], read_only=[templates, *standard_libraries(msl)])
    assert check_libraries(libraries) == []
    # The Standard Library is not open here, for all that is open is checked.
    assert check_library(Libraries([package], read_only=[templates])) == []
    testing = instance(libraries, f"{package.name}.{package.name}Test")
    lost = [(found.path, found.type_text) for found in testing.walk(3) if found.environment is None]
    assert lost == []


@pytest.mark.parametrize(("style", "case"), crossed(NameStyle, CASES))
def test_every_name_leads_somewhere(case: str, style: NameStyle, tmp_path: Path, msl: Path) -> None:
    built = build(robot_of(case), evolve(options_of(case), into=tmp_path, name_style=style))
    write(built, tmp_path)
    assert_names_resolve(tmp_path / built.folder, msl)


def test_the_test_would_see_a_name_that_leads_nowhere(tmp_path: Path, msl: Path) -> None:
    built = build(robot_of("rover"), evolve(options_of("rover"), into=tmp_path))
    write(built, tmp_path)
    file = tmp_path / "rover" / "Links" / "chassis.mo"
    file.write_text(file.read_text(encoding="utf-8").replace("chassisParams linkParams", "chassisParam linkParams"))
    with pytest.raises(AssertionError):
        assert_names_resolve(tmp_path / built.folder, msl)


# ---------------------------------------------------------------- what is in it


def test_the_same_robot_gives_the_same_bytes() -> None:
    assert build(robot_of("arm"), options_of("arm")) == built_case("arm")


def test_numbers_keep_their_text_where_modelica_reads_it() -> None:
    built = built_case("arm")
    base = built.text("DeskArm/Links/baseParams.mo")
    assert "mass=4.50" in base
    assert "izz=3e-2" in base
    assert "xyz={0,0,0.02}" in base  # `.02` is not a number of Modelica
    assert "mass=2.0" in built.text("DeskArm/Links/upper_armParams.mo")  # nor is `+2`


def test_only_what_the_file_gives_is_written() -> None:
    record = built_case("arm").text("DeskArm/Joints/shoulderParams.mo")
    assert "limit=UrdfRobots.Records.Limit(effort=50, velocity=2)" in record
    assert "dynamics=UrdfRobots.Records.Dynamics(damping=0.4)" in record
    assert not re.search(r"(lower|upper|friction|mimic|calibration|safetyController)=", record)


def test_a_model_has_what_its_joint_needs() -> None:
    built = built_case("arm")
    declared = {
        name: {component.name for component in Document(built.text(f"DeskArm/Joints/{name}.mo")).classes[0].components}
        for name in ("shoulder", "elbow", "wrist", "tool")
    }
    assert "friction" in declared["shoulder"] & declared["elbow"]
    assert "friction" not in declared["wrist"]
    assert "endStop" in declared["elbow"] & declared["wrist"]
    assert "endStop" not in declared["shoulder"]
    assert "useEndStops" not in declared["shoulder"]
    assert declared["tool"] == {"jointParams", "trafo"}
    limits = re.findall(r"String\(jointParams\.limit\.(\w+)\)", built.text("DeskArm/Joints/elbow.mo"))
    assert sorted(limits) == ["effort", "lower", "upper", "velocity"]
    assert "limit.lower" not in built.text("DeskArm/Joints/shoulder.mo")


@pytest.mark.parametrize(
    ("case", "record", "asserted", "warned"),
    [
        ("limit_empty", "lower=0, upper=0, effort=1, velocity=1", "lower upper effort velocity", "urdf-limit-empty"),
        ("limit_with_one_end", "lower=0, upper=1.5, effort=1, velocity=1", "lower upper effort velocity", None),
        ("limit_order", "effort=1, velocity=1", "effort velocity", "urdf-limit-order"),
        ("limit_with_one_end_below_zero", "effort=1, velocity=1", "effort velocity", "urdf-limit-order"),
        ("limit_negative", "lower=-1, upper=1", "lower upper", "urdf-limit-negative"),
        ("limit_missing", None, "", "urdf-limit-missing"),
    ],
)
def test_a_joint_has_the_limits_that_count(case: str, record: str | None, asserted: str, warned: str | None) -> None:
    """The check, the record and the model say the same of them."""
    result = read(FIXTURES / "urdf" / f"{case}.urdf")
    assert {found.code for found in result.diagnostics} == {warned} - {None}
    built = build(result.usable_robot(), BuildOptions(into=NOWHERE))
    values = re.search(r"Records\.Limit\(([^)]*)\)", built.text("arm/Joints/turnParams.mo"))
    assert (values and values[1]) == record
    model = built.text("arm/Joints/turn.mo")
    assert sorted(re.findall(r"String\(jointParams\.limit\.(\w+)\)", model)) == sorted(asserted.split())
    assert ("EndStop endStop" in model) == ("lower" in asserted)


def test_a_link_has_all_its_shapes_and_no_other() -> None:
    built = built_case("arm")
    base = Document(built.text("DeskArm/Links/base.mo")).classes[0]
    shapes = [c.name for c in base.components if re.match(r"(visual|collision)", c.name)]
    assert shapes == ["visualBox", "visualCylinder2", "collisionBox"]
    length = base.find_component("visualCylinder2").get("length")
    assert length is not None
    assert length.text == "linkParams.visual2.geometry.length"
    assert ("trafoVisual2.frame_b", "visualCylinder2.frame_a") in base.connections
    assert ("frame_a", "trafoVisual2.frame_a") in base.connections
    assert value(built, "Links.baseParams", "visual2.geometry.radius") == 0.06
    assert value(built, "Links.baseParams", "visual2.material.rgba") == [0, 0.3, 0.9, 1]


def test_followers_follow_and_have_no_flange_outside() -> None:
    model = robot_model(built_case("gripper"))
    assert ("screw.flange_a", "left_mimic.master") in model.connections
    assert ("left_mimic.mimic", "left_joint.flange_a") in model.connections
    assert ("left_joint.flange_a", "right_mimic.master") in model.connections
    assert model.find_component("left_mimic").type == "UrdfRobots.Joints.MimicRotationalTranslational"
    assert model.find_component("right_mimic").type == "UrdfRobots.Joints.MimicTranslationalTranslational"
    assert model.find_component("left_mimic").get("multiplier").text == "0.003"
    assert not any("translational_flange" in end for ends in model.connections for end in ends)
    assert "startFixed=false" in built_case("gripper").text("gripper/Joints/left.mo")


def test_a_mobile_robot_moves_freely() -> None:
    built = built_case("rover")
    assert "FreeMotion" in built.text("rover/roverRun.mo")
    assert "Icons.MobileRobot" in built.text("rover/rover.mo")
    assert robot_model(built).extends[0] == "UrdfRobots.Robots.PartialRobot"


def test_meshes_are_copied_and_named_by_their_new_place() -> None:
    built = built_case("arm")
    mesh = built.files[Path("DeskArm/Resources/Meshes/fore_arm.stl")]
    assert mesh == (ROBOTS / "meshes" / "fore arm.stl").read_bytes()
    name = value(built, "Links.fore_armParams", "visual.geometry.filename")
    assert name == "modelica://DeskArm/Resources/Meshes/fore_arm.stl"
    assert value(built, "Links.fore_armParams", "visual.geometry.scale") == [0.001] * 3


def test_meshes_can_be_converted() -> None:
    options = evolve(options_of("arm"), convert_mesh=lambda path: (".obj", path.stem.encode()))
    assert build(robot_of("arm"), options).files[Path("DeskArm/Resources/Meshes/fore_arm.obj")] == b"fore arm"


def test_the_summary_says_what_is_left_out() -> None:
    summary = built_case("arm").summary
    assert (summary.links, summary.joints, summary.driven, summary.followers) == (7, 6, 3, 0)
    assert summary.left_out == (
        "1 transmission: drives are not modelled",
        "1 element <gazebo>: URDF does not define it",
    )


BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
POINT = '<inertial><mass value="1"/></inertial>'


@pytest.mark.parametrize(
    ("root", "middle", "end", "stationary", "noted"),
    [
        ("", "", BODY, False, ["the root link 'root' moves freely"]),
        (POINT, "", BODY, False, ["the root link 'root' moves freely"]),
        ("", BODY, BODY, False, []),  # it is fixed to the root
        (BODY, "", BODY, False, []),
        ("", "", BODY, True, []),
        ("", BODY, "", True, ["the joint 'turn' moves nothing that has a mass"]),
        ("", "", "", False, ["the root link 'root' moves freely", "the joint 'turn' moves nothing that has a mass"]),
    ],
)
def test_what_has_no_mass_is_noted(root: str, middle: str, end: str, *, stationary: bool, noted: list[str]) -> None:
    links = "".join(
        f'<link name="{n}">{inside}</link>' for n, inside in (("root", root), ("mid", middle), ("end", end))
    )
    joints = (
        '<joint name="weld" type="fixed"><parent link="root"/><child link="mid"/></joint>'
        '<joint name="turn" type="continuous"><parent link="mid"/><child link="end"/><axis xyz="0 0 1"/></joint>'
    )
    robot = read(f'<robot name="light">{links}{joints}</robot>').usable_robot()
    notes = build(robot, BuildOptions(into=NOWHERE, stationary=stationary)).summary.notes[:-1]
    assert len(notes) == len(noted)
    for note, words in zip(notes, noted, strict=True):
        assert note.startswith(words)


def test_many_joints_without_mass_are_one_note() -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(6))
    joints = "".join(
        f'<joint name="j{i}" type="floating"><parent link="l0"/><child link="l{i}"/></joint>' for i in range(1, 6)
    )
    robot = read(f'<robot name="light">{links}{joints}</robot>').usable_robot()
    (note,) = build(robot, BuildOptions(into=NOWHERE)).summary.notes[:-1]
    assert note.startswith("5 joints move nothing that has a mass ('j1', 'j2', 'j3', …): a simulation needs ")


def test_the_page_of_a_package_says_what_its_connectors_are() -> None:
    page = built_case("arm").text("DeskArm/package.mo")
    found = re.findall(r"modelica://DeskArm\.(\w+\.\w+).*<td>([a-z_]+(?:\[\d+\])?)?</td></tr>$", page, re.MULTILINE)
    assert dict(found) == {
        "Links.base": "frame_a",
        "Links.upper_arm": "",
        "Links.fore_arm": "",
        "Links.wrist": "",
        "Links.model_": "frame_b[1]",
        "Links.tray": "",
        "Links.ball": "frame_b[2]",
        "Joints.shoulder": "rotational_flange_a[1]",
        "Joints.elbow": "rotational_flange_a[2]",
        "Joints.wrist": "translational_flange_a[1]",
        "Joints.tool": "",
        "Joints.tray": "",
        "Joints.toss": "",
    }
    connections = robot_model(built_case("arm")).connections
    assert ("ball.frame_a", "frame_b[2]") in connections
    assert ("wrist_joint.flange_a", "translational_flange_a[1]") in connections
    assert 'modelica://DeskArm.Links.baseParams\\"' in page
    # Numbers are in the records: a changed mass changes no page.
    assert "1.50" not in page


def test_models_are_described_by_the_names_of_the_file() -> None:
    built = built_case("arm")
    described = {
        path: Document(built.text(f"DeskArm/{path}.mo")).classes[0].description
        for path in ("Links/upper_arm", "Joints/shoulder", "Joints/tray")
    }
    assert list(described.values()) == ["Link upper.arm", "Continuous joint shoulder", "Planar joint tray"]


def test_a_mesh_that_is_not_there_is_said_and_keeps_its_name() -> None:
    built = build(robot_of("arm"), evolve(options_of("arm"), urdf=None))
    assert any(line.startswith("meshes/fore arm.stl was not copied") for line in built.summary.left_out)
    assert value(built, "Links.fore_armParams", "visual.geometry.filename") == "meshes/fore arm.stl"


def test_the_side_car_has_names_and_options() -> None:
    built = built_case("arm")
    kept = read_side_car(built.text("DeskArm/Resources/urdf/DeskArm.json"), "DeskArm.json")
    assert names_of(kept.names) == built.names
    assert kept.names["urdf"] == "desk-arm"
    assert kept.options["stationary"] == "true"
    assert kept.files.keys() == {
        path.relative_to("DeskArm").as_posix() for path in built.files if path.name != "DeskArm.json"
    }


# ---------------------------------------------------------------- the diagram


def boxes(built: BuiltPackage) -> dict[str, Any]:
    placed = {c.name: c.placement for c in robot_model(built).components if c.placement is not None}
    return {name: placement.transformation.box for name, placement in placed.items() if placement.visible is not False}


def comb(teeth: int, length: int) -> Robot:
    """A robot whose root has several chains of links."""
    links = ['<link name="root"/>']
    joints = []
    for tooth in range(teeth):
        above = "root"
        for number in range(length):
            name = f"l{tooth}_{number}"
            links.append(f'<link name="{name}"/>')
            joints.append(
                f'<joint name="j{tooth}_{number}" type="fixed"><parent link="{above}"/><child link="{name}"/></joint>'
            )
            above = name
    return read(f"<robot name='comb'>{''.join(links)}{''.join(joints)}</robot>").usable_robot()


DRAWN = [comb(1, 9), comb(9, 1), comb(4, 4), comb(40, 2), robot_of("arm"), robot_of("gripper")]


@pytest.mark.parametrize("robot", DRAWN)
def test_nothing_covers_anything_in_the_diagram(robot: Robot) -> None:
    built = build(robot, BuildOptions(into=NOWHERE, name="Drawn"))
    placed = list(boxes(built).items())
    system = robot_model(built).get_layer("Diagram").coordinateSystem.extent
    for index, (name, box) in enumerate(placed):
        assert system.first.x <= box.first.x < box.second.x <= system.second.x, name
        assert system.first.y <= box.first.y < box.second.y <= system.second.y, name
        for other, beside in placed[index + 1 :]:
            apart = (
                box.second.x <= beside.first.x
                or beside.second.x <= box.first.x
                or box.second.y <= beside.first.y
                or beside.second.y <= box.first.y
            )
            assert apart, (name, other)


@pytest.mark.parametrize("robot", DRAWN)
def test_no_line_runs_through_a_component(robot: Robot) -> None:
    built = build(robot, BuildOptions(into=NOWHERE, name="Drawn"))
    model = robot_model(built)
    placed = boxes(built)
    for one, other in model.connections:
        # The robot's own connectors have their lines end in their middle.
        inside = {end.partition("[")[0] for end in (one, other)}
        for start, end in pairwise(model.get_line(one, other).points):
            assert start.x == end.x or start.y == end.y
            for name, box in placed.items():
                if name in inside:
                    continue
                crosses = (
                    min(start.x, end.x) < box.second.x
                    and box.first.x < max(start.x, end.x)
                    and min(start.y, end.y) < box.second.y
                    and box.first.y < max(start.y, end.y)
                )
                assert not crosses, (one, other, name)


@pytest.mark.parametrize("robot", DRAWN)
def test_lines_between_frames_run_to_the_right(robot: Robot) -> None:
    built = build(robot, BuildOptions(into=NOWHERE, name="Drawn"))
    model = robot_model(built)
    ends = [each.points[-1] for each in (model.get_line(*both) for both in model.connections)]
    for both in model.connections:
        points = model.get_line(*both).points
        if "flange" not in "".join(both) and "mimic" not in "".join(both):
            assert all(start.x <= end.x for start, end in pairwise(points)), both
    (right,) = {(box.first.x, box.second.x) for name, box in boxes(built).items() if name == "frame_b"}
    assert all(end.x <= right[1] for end in ends)
    assert all(box.second.x <= right[1] for box in boxes(built).values())


@pytest.mark.parametrize(("robot", "most"), [(comb(60, 3), 24), (comb(100, 1), 20)])
def test_a_robot_with_many_branches_is_folded(robot: Robot, most: int) -> None:
    """It fills a screen that is twice as wide as high, and its branches stand side by side."""
    cells = tree_cells(Kinematics.of(robot), 100, 72, 0.9)
    columns, rows = (1 + max(cell[axis] for cell in cells.values()) for axis in (0, 1))
    assert rows <= most
    assert 0.5 < columns * 100 / (rows * 72) < 4
    assert len(set(cells.values())) == len(cells)


def test_leaves_beside_a_limb_share_a_row() -> None:
    links = "".join(f'<link name="{name}"/>' for name in ("l0", "l1", "l2", "s0", "s1"))
    ends = [("l0", "s0"), ("l0", "l1"), ("l1", "l2"), ("l1", "s1")]
    joints = "".join(
        f'<joint name="{one}{other}" type="fixed"><parent link="{one}"/><child link="{other}"/></joint>'
        for one, other in ends
    )
    cells = tree_cells(Kinematics.of(read(f'<robot name="r">{links}{joints}</robot>').usable_robot()), 100, 72, 0.9)
    assert cells == {"l0": (0, 0), "l1": (1, 0), "l2": (2, 0), "s0": (1, 1), "s1": (2, 1)}


# ---------------------------------------------------------------- where it goes


def test_into_a_library_that_is_there(tmp_path: Path) -> None:
    parent = tmp_path / "Fleet" / "Rovers"
    parent.mkdir(parents=True)
    (tmp_path / "Fleet" / "package.mo").write_text('package Fleet // ours\n  annotation (version="2");\nend Fleet;\n')
    (parent / "package.mo").write_text("within Fleet;\npackage Rovers\nend Rovers;\n")
    (parent / "package.order").write_bytes(b"Old\r\nOther")
    built = build(robot_of("rover"), BuildOptions(into=parent))
    write(built, parent)
    assert (parent / "package.order").read_bytes() == b"Old\r\nOther\r\nrover\r\n"
    top = (tmp_path / "Fleet" / "package.mo").read_text()
    assert 'uses(Modelica(version="4.0.0"), UrdfRobots(version=' in top
    assert top.startswith("package Fleet // ours\n")
    assert (parent / "rover" / "package.mo").read_text().startswith("within Fleet.Rovers;\npackage rover ")
    assert "uses(" not in (parent / "rover" / "package.mo").read_text()
    assert (parent / "rover" / "Links" / "caster.mo").read_text().startswith("within Fleet.Rovers.rover.Links;\n")
    assert 'src=\\"modelica://Fleet.Rovers.rover/' in (parent / "rover" / "package.mo").read_text()


def test_all_files_or_none(tmp_path: Path) -> None:
    folder = tmp_path / "Fleet"
    folder.mkdir()
    (folder / "package.mo").write_text("package Fleet\nend Fleet;\n")
    built = build(robot_of("rover"), BuildOptions(into=folder))
    (folder / "package.mo").write_text("package Fleet // meanwhile\nend Fleet;\n")
    with pytest.raises(BuildError, match=r"package\.mo has changed since the package was built: build it again$"):
        write(built, folder)
    assert [path.name for path in folder.iterdir()] == ["package.mo"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "Rover.mo").write_text("model Rover\nend Rover;\n")
    with pytest.raises(BuildError, match=r"Rover\.mo already exists: move it away, or choose another name with --name"):
        build(robot_of("rover"), BuildOptions(into=tmp_path))
    built = build(robot_of("rover"), BuildOptions(into=tmp_path, name="Other"))
    assert write(built, tmp_path)
    assert not write(built, tmp_path)  # it is there, byte for byte
    (tmp_path / "Other" / "package.mo").write_text("package Other // mine\nend Other;\n")
    with pytest.raises(
        BuildError, match="already exists, and differs: bring it up to date with 'modelica-patch urdf update'"
    ):
        write(built, tmp_path)
    assert (tmp_path / "Other" / "package.mo").read_text() == "package Other // mine\nend Other;\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (BuildOptions(name="my-robot"), "'my-robot' can't be the name of the package; 'my_robot' can"),
        (BuildOptions(name="model"), "'model' can't be the name of the package; 'model_' can"),
        (BuildOptions(modelica_version="3.2.3"), "the templates need Modelica 4.0.0 or a later 4.x.y, not '3.2.3'"),
        (BuildOptions(templates=NOWHERE), f"the templates in {NOWHERE} can't be read: "),
        (BuildOptions(into=ROBOTS / "arm.urdf"), "is a file: name the folder to put the package in"),
    ],
)
def test_wrong_options_are_one_sentence(options: BuildOptions, message: str) -> None:
    with pytest.raises(BuildError, match=re.escape(message)):
        build(robot_of("rover"), evolve(options, into=options.into or NOWHERE))


def test_all_errors_of_a_robot_are_raised() -> None:
    robot = read('<robot name="r"><link name="a"/><link name="b"/><link name="b"/></robot>').robot
    assert robot is not None
    with pytest.raises(UrdfError) as caught:
        build(robot, BuildOptions(into=NOWHERE))
    assert len(caught.value.diagnostics) >= 2


def test_errors_about_values_can_be_allowed() -> None:
    text = """<robot name="r"><link name="a"><inertial>
    <mass value="-1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial></link></robot>"""
    robot = read(text).usable_robot(allowed=["urdf-mass-negative"])
    with pytest.raises(UrdfError):
        build(robot, BuildOptions(into=NOWHERE))
    options = BuildOptions(into=NOWHERE, allowed=frozenset({"urdf-mass-negative"}))
    assert value(build(robot, options), "Links.aParams", "inertial.mass") == -1
    with pytest.raises(BuildError, match=r"^'urdf-cycle' can't be allowed; what can be: urdf-inertia-incomplete, "):
        build(robot, evolve(options, allowed=frozenset({"urdf-cycle"})))


# ---------------------------------------------------------------- templates of others


def test_templates_of_a_user_come_through(tmp_path: Path, msl: Path) -> None:
    built = build(robot_of("rover"), BuildOptions(into=tmp_path, templates=OWN_TEMPLATES, stationary=False))
    wheel = built.text("rover/Links/left_wheel.mo")
    assert "extends Painted.Icons.Link;" in wheel
    assert 'Painted.Parts.Paint paint(coats=3) "What this workshop adds"' in wheel
    assert "// Two coats are enough indoors." in wheel
    assert "visualCylinder" in wheel
    assert "visualBox" not in wheel
    assert "Links.caster_ caster_" in built.text("rover/rover.mo")  # the template has a component `caster`
    write(built, tmp_path)
    assert_names_resolve(tmp_path / "rover", msl, OWN_TEMPLATES)


def test_all_that_templates_lack_is_said() -> None:
    with pytest.raises(BuildError) as caught:
        build(robot_of("gripper"), BuildOptions(into=NOWHERE, templates=OWN_TEMPLATES))
    for missing in ("class Joints.Revolute", "class Joints.Prismatic", "class Joints.MimicRotationalTranslational"):
        assert missing in str(caught.value)


def test_templates_that_were_edited_are_read_again(tmp_path: Path) -> None:
    own = tmp_path / "Painted.mo"
    shutil.copy(OWN_TEMPLATES, own)
    options = BuildOptions(into=NOWHERE, templates=own)
    assert "coats=3" in build(robot_of("rover"), options).text("rover/Links/chassis.mo")
    own.write_text(own.read_text().replace("paint(coats=3)", "paint(coats=12)"))
    assert "coats=12" in build(robot_of("rover"), options).text("rover/Links/chassis.mo")


# ---------------------------------------------------------------- no text is put together

# Pieces of text that look like Modelica between what is put into them.
MODELICA_TEXT = re.compile(
    r"""\b(connect|annotation)\s*\(|^\s*(within|model|record|package|extends|parameter|equation|end|import)\s*$
    |^\s*(within|extends|parameter|import|end)\s|[^=<>:]=\s*$|;\s*(\n|$)|\{\s*$|^\s*\}""",
    re.VERBOSE | re.MULTILINE,
)


def built_strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, constant text) of whatever makes text out of pieces."""
    for node in ast.walk(tree):
        pieces: list[ast.expr] = []
        if isinstance(node, ast.JoinedStr):
            pieces = node.values
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
            pieces = [node.left, node.right]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"format", "join", "replace"}
        ):
            pieces = [node.func.value, *node.args]
        for piece in pieces:
            if isinstance(piece, ast.Constant) and isinstance(piece.value, str):
                yield piece.lineno, piece.value


def test_no_modelica_is_made_as_text() -> None:
    files = sorted((ROOT / "src" / "urdf_frontend" / "package" / "builder").glob("*.py"))
    assert files
    for path in files:
        for line, text in built_strings(ast.parse(path.read_text(encoding="utf-8"))):
            assert not MODELICA_TEXT.search(text), f"{path.name}:{line}: {text!r}"


@pytest.mark.parametrize(
    "code",
    [
        'f"model {name}\\nend {name};"',
        '"connect(%s, %s);" % ends',
        '"  parameter Real {} = {};".format(a, b)',
        'f"m={mass}"',
        '";\\n".join(equations)',
        'text + ";\\n"',
        'f"{{{x}}}"',
    ],
)
def test_the_test_would_see_modelica_as_text(code: str) -> None:
    assert any(MODELICA_TEXT.search(text) for _, text in built_strings(ast.parse(code)))


# ---------------------------------------------------------------- size


def long_robot(links: int, *, star: bool) -> Robot:
    text = ['<robot name="long">']
    text += [
        f'<link name="link_{i}"><inertial><mass value="1.{i}"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
        '<visual><geometry><box size="0.1 0.1 0.2"/></geometry></visual></link>'
        for i in range(links)
    ]
    text += [
        f'<joint name="joint_{i}" type="revolute"><parent link="link_{0 if star else i - 1}"/>'
        f'<child link="link_{i}"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="2"/></joint>'
        for i in range(1, links)
    ]
    return read("".join([*text, "</robot>"])).usable_robot()


LENGTHS = [
    50,
    pytest.param(100, marks=pytest.mark.corpus),
    pytest.param(200, marks=pytest.mark.slow),
    pytest.param(400, marks=pytest.mark.corpus),
]


@pytest.mark.parametrize("links", LENGTHS)
@pytest.mark.parametrize("star", [False, True])
def test_long_robots(links: int, *, star: bool) -> None:
    robot = long_robot(links, star=star)
    before = time.process_time()
    built = build(robot, BuildOptions(into=NOWHERE))
    seconds = time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{links} links, {'star' if star else 'chain'}: {seconds:.2f} s, {memory} MB")  # noqa: T201  (with pytest -s)
    assert_is_tree(built, robot)


@pytest.mark.corpus
def test_no_robot_is_too_deep() -> None:
    depth = sys.getrecursionlimit() + 100
    built = build(comb(1, depth), BuildOptions(into=NOWHERE))
    assert len(built.names.links) == depth + 1


# ---------------------------------------------------------------- what comes next


def built_with(words: str, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capfd.readouterr()
    assert main([*shlex.split(words), "--json"]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


PLACES = [
    pytest.param("urdf build 'my arm.urdf' --into Robots", marks=pytest.mark.slow),
    pytest.param("urdf build 'my arm.urdf' --package-dir . --allow-outside", marks=pytest.mark.slow),
    "urdf build 'my arm.urdf' --into 'some folder/Robots' --bundle",
    "urdf build arm.urdf.xacro --arg 'name=the arm' --into Robots/Arms",
    "urdf record 'lift me.urdf' --into Robots",
    "urdf assemble arm.yaml --into Robots",
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a robot in URDF, in xacro, and as an assembly."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    text = (ROBOTS / "rover.urdf").read_text(encoding="utf-8")
    Path("my arm.urdf").write_text(text, encoding="utf-8")
    shutil.copy(FIXTURES / "records" / "lifting_arm.urdf", "lift me.urdf")
    name = (
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="$(arg name)"><xacro:arg name="name" default="arm"/>'
    )
    Path("arm.urdf.xacro").write_text(re.sub("<robot[^>]*>", name, text, count=1), encoding="utf-8")
    for file in (FIXTURES / "modules" / "modelica").glob("*.*"):
        shutil.copy(file, file.name)
    Path("some folder").mkdir()
    return tmp_path


def play_next(words: str, capfd: pytest.CaptureFixture[str], *, simulates: bool) -> None:
    if "xacro" in words:
        pytest.importorskip("xacro")
    made = built_with(words, capfd)
    assert made["written"]
    commands = [shlex.split(command) for command in made["next"]]
    assert [command[0] for command in commands] == ["modelica-patch"] * len(commands)
    kinds = [command[1] for command in commands]
    assert "simulate" in kinds
    assert ("library" in kinds) == ("--bundle" not in words and "assemble" not in words)
    for command in commands:
        if (command[1] == "simulate") == simulates:
            assert main(command[1:]) == 0, command
    assert not built_with(words, capfd)["written"]


@pytest.mark.parametrize("words", PLACES)
def test_the_commands_that_come_next_work_as_they_are(
    words: str, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert here == Path.cwd()
    play_next(words, capfd, simulates=False)


@pytest.mark.slow
@pytest.mark.parametrize("words", PLACES)
def test_what_is_simulated_next_can_be(
    words: str, here: Path, msl: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert here == Path.cwd()
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    monkeypatch.setenv("MODELICAPATH", str(msl.parent))
    play_next(words, capfd, simulates=True)


def test_a_package_that_differs_is_updated_with_the_words_of_its_build(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert here == Path.cwd()
    words = ["urdf", "build", "my arm.urdf", "--into", "Robots", "--package-dir", "some folder", "-q"]
    assert main(words) == 0
    text = Path("my arm.urdf").read_text(encoding="utf-8")
    Path("my arm.urdf").write_text(text.replace('mass value="1', 'mass value="3'), encoding="utf-8")
    assert main(words) == 2
    (update,) = re.findall("^  modelica-patch (urdf update .*)$", capfd.readouterr().err, re.MULTILINE)
    assert main(shlex.split(update)) == 0
    assert main([*shlex.split(update), "--dry-run"]) == 0
    assert "0 files would be written" in capfd.readouterr().err


def test_a_new_library_is_one(here: Path) -> None:
    robot = robot_of("rover")
    build_into = BuildOptions(into=here / "Robots", new_library=True)
    write(build(robot, build_into), here / "Robots")
    write(build(robot, evolve(build_into, name="Other")), here / "Robots")
    write(build(robot, evolve(build_into, into=here / "Robots" / "More")), here / "Robots" / "More")
    libraries = Libraries([here / "Robots"], read_only=[TEMPLATES])
    assert libraries.problems == []
    assert {found.code for found in check_libraries(libraries)} <= {"library-not-open", "missing-library"}
    assert (here / "Robots" / "package.order").read_text() == "rover\nOther\nMore\n"
    library = Document.open(here / "Robots" / "package.mo").find_class("Robots")
    for name, version in {"UrdfRobots": "1.0.0", "Modelica": "4.0.0"}.items():
        used = library.get_annotation(f"uses.{name}.version")
        assert used is not None
        assert evaluate(used) == version
    assert libraries.find_class("Robots.More.rover.rover").name == "rover"


@pytest.mark.parametrize("name", ["my-robots", "Modelica", "end", "2nd"])
def test_a_folder_that_can_not_be_a_library_is_a_folder(name: str, here: Path) -> None:
    options = BuildOptions(into=here / name, new_library=True)
    write(build(robot_of("rover"), options), here / name)
    assert [path.name for path in (here / name).iterdir()] == ["rover"]


def test_a_copy_of_the_templates_is_put_beside_the_library(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["urdf", "build", "my arm.urdf", "--into", "Robots", "-q"]
    assert main(words) == 0
    assert main([*words, "--bundle"]) == 0  # the package is there, and the copy is added
    copy = here / "UrdfRobots 1.0.0"
    assert Libraries([copy]).problems == []
    assert main([*words, "--bundle", "--name", "Other"]) == 0
    (copy / "package.mo").write_text("mine")
    assert main([*words, "--bundle", "--name", "Third"]) == 2
    assert "UrdfRobots 1.0.0 is there, and differs in package.mo" in capfd.readouterr().err
    assert not (here / "Robots" / "Third").exists()
