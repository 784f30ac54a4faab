"""Robots as one record, and the generic robots that move as it says.

`pytest --update-expected tests/package/test_record.py` writes the expected file again: then read what has changed.
"""

from __future__ import annotations

import ast
import math
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from lxml import etree

from conftest import FIXTURES, ROOT, Expected, library_folders
from modelica_ast import LiteralError, Reference, evaluate, find_all, parse
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.library import Libraries, check_library, instance
from modelica_ast.rules import check_libraries
from modelica_ast.tree import Array, ElementModification, Expression
from package.test_build import MODELICA_TEXT, built_strings
from rumoca_runs import Rumoca, copy_needed_parts
from urdf_frontend import (
    BuildError,
    BuildOptions,
    BuiltPackage,
    Kinematics,
    NameStyle,
    Robot,
    UrdfError,
    build,
    read,
    write,
)
from urdf_frontend.package import RecordOptions, build_record
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot import IDENTITY, Joint, JointType, Link, Mimic, Number, follows, joint_values

RECORDS = FIXTURES / "records"
EXPECTED = RECORDS / "LiftingArm.mo"
SHARED = ROOT.parent / "shared" / "urdf"
NOWHERE = Path("no such folder")
INFINITE = {"Modelica.Constants.inf": math.inf, "-Modelica.Constants.inf": -math.inf}
BASE = "UrdfRobots.Records.Robot"


def lifting_arm() -> Robot:
    return read(RECORDS / "lifting_arm.urdf").usable_robot()


@cache
def built_arm() -> BuiltPackage:
    return build_record(lifting_arm(), RecordOptions(name="LiftingArm", into=NOWHERE))


def record_of(built: BuiltPackage) -> ClassHandle:
    return Document(built.text(built.folder)).find_class(f"{built.name}.{built.name}Data")


def robot_of(*elements: str) -> Robot:
    return read(f"<robot name='small'>{''.join(elements)}</robot>").usable_robot()


def joint_of(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    ends = f"<parent link='{parent}'/><child link='{child}'/>"
    return f"<joint name='{name}' type='{kind}'>{ends}{inside}</joint>"


# ---------------------------------------------------------------- the whole file


def test_the_file_is_as_expected(expected: Expected) -> None:
    ((path, data),) = built_arm().files.items()
    assert path == Path("LiftingArm.mo")
    expected.file(EXPECTED, data)


def test_the_same_robot_gives_the_same_bytes() -> None:
    assert build_record(lifting_arm(), RecordOptions(name="LiftingArm", into=NOWHERE)) == built_arm()


def standard_libraries(msl: Path) -> list[Path]:
    """The Standard Library, and those that it needs."""
    names = ("Complex 4.1.0.mo", "Complex.mo", "ModelicaServices 4.1.0", "ModelicaServices")
    return [msl, *(folder / name for folder in library_folders() for name in names if (folder / name).exists())]


@pytest.mark.slow
def test_every_name_leads_somewhere(tmp_path: Path, msl: Path) -> None:
    names = [f"Arm_{style.name.lower()}" for style in NameStyle]
    for style, name in zip(NameStyle, names, strict=True):
        write(build_record(lifting_arm(), RecordOptions(name=name, into=tmp_path, name_style=style)), tmp_path)
    files = [tmp_path / f"{name}.mo" for name in names]
    libraries = Libraries(files, read_only=[TEMPLATES, *standard_libraries(msl)])
    assert check_libraries(libraries) == []
    assert [problem for problem in check_library(libraries) if problem.path in files] == []
    for model in (f"{name}.{model}" for name in names for model in ("ByEquations", "ByParts")):
        lost = [found.path for found in instance(libraries, model).walk(3) if found.environment is None]
        assert lost == []


def test_the_test_would_see_a_name_that_leads_nowhere(tmp_path: Path, msl: Path) -> None:
    file = tmp_path / "LiftingArm.mo"
    file.write_bytes(EXPECTED.read_bytes().replace(b"parameter LiftingArmData", b"parameter LiftingArmDate"))
    assert check_libraries(Libraries([file], read_only=[TEMPLATES, *standard_libraries(msl)]))


def test_the_models_take_their_structure_from_the_record() -> None:
    package = Document(built_arm().text("LiftingArm.mo")).find_class("LiftingArm")
    for model, robot in (("ByEquations", "Robot"), ("ByParts", "MultiBodyRobot")):
        component = package.find_class(model).find_component("robot")
        assert component.type == f"UrdfRobots.Generic.{robot}"
        assert component.get_redeclaration("robotParams") == "LiftingArmData"


# ---------------------------------------------------------------- the record says what the file says


def value(expression: Expression) -> Any:
    """A literal value with infinite numbers in it."""
    if isinstance(expression, Array):
        return [value(item) for item in expression.items]
    try:
        found = evaluate(expression)
    except LiteralError:
        return INFINITE[expression.text]
    return INFINITE[found.name] if isinstance(found, Reference) else found


Fields = dict[str, Any]


def fields_of(record: ClassHandle) -> Fields:
    """The fields and constants of the record, wherever they are set."""
    clause = next(clause for clause in record.view.extends if str(clause.type) == BASE)
    modified = [str(item.name) for item in find_all(clause, ElementModification)]
    found = {name: record.get_extends_modifier(BASE, name) for name in modified}
    found |= {component.name: component.get() for component in record.components}
    return {name: value(expression) for name, expression in found.items() if expression is not None}


def number(given: Number | None, absent: float) -> float:
    return absent if given is None else given.value


def tensor(link: Link) -> list[float]:
    """The inertia tensor in the axes of the link's frame."""
    if link.inertial is None or link.inertial.inertia is None:
        return [0.0] * 6
    xx, xy, xz, yy, yz, zz = link.inertial.inertia.values
    turn = (IDENTITY if link.inertial.origin is None else link.inertial.origin.pose).rotation
    given = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    three = range(3)
    full = [[sum(turn[i][a] * given[a][b] * turn[k][b] for a in three for b in three) for k in three] for i in three]
    return [full[0][0], full[1][1], full[2][2], full[0][1], full[0][2], full[1][2]]


def assert_record_fits_robot(built: BuiltPackage, robot: Robot) -> None:
    parse(built.text(built.folder), strict=True)
    record = record_of(built)
    fields = fields_of(record)
    joints = [joint for name in fields.get("jointNames", []) if (joint := robot.get_joint(name))]
    links = [link for joint in joints if (link := robot.get_link(joint.child))]
    assert sorted(joint.name for joint in joints) == sorted(joint.name for joint in robot.joints)
    assert fields.get("linkNames", []) == [link.name for link in links]
    assert_structure(fields, robot, joints)
    for index, (joint, link) in enumerate(zip(joints, links, strict=True)):
        assert_joint_values(fields, index, joint)
        assert_link_values(fields, index, link)
    assert_names_are_indices(built, record, fields, joints)


def assert_structure(fields: Fields, robot: Robot, joints: list[Joint]) -> None:
    kinds = ["turn" if joint.type.is_rotational else joint.type.value for joint in joints]
    counts = Counter(kinds)
    assert kinds == ["turn"] * counts["turn"] + ["prismatic"] * counts["prismatic"] + ["fixed"] * counts["fixed"]
    assert [fields[name] for name in ("nRevolute", "nPrismatic", "nFixed")] == [
        counts[kind] for kind in ("turn", "prismatic", "fixed")
    ]
    (base,) = Kinematics.of(robot).roots
    names = [base, *(joint.child for joint in joints)]  # by their index
    parents = fields.get("parent", [])
    assert [names[parent] for parent in parents] == [joint.parent for joint in joints]
    edges = fields.get("connectionMatrix", [])
    assert [(names[parent], names[child]) for parent, child in edges] == [(each.parent, each.child) for each in joints]
    done = {0}
    for index in fields.get("order", []):
        assert parents[index - 1] in done
        done.add(index)
    assert done == set(range(len(names)))
    assert_followers(fields, robot, joints)
    flanges: Counter[str] = Counter()
    expected = []
    for index, kind in enumerate(kinds, 1):
        if kind != "fixed":
            flanges[kind] += 1
            expected.append([index, flanges[kind]])
    assert fields.get("moveableJoints", []) == expected


def assert_followers(fields: Fields, robot: Robot, joints: list[Joint]) -> None:
    """Each follower at any position of all joints that lead: as the file says, one after the other."""
    leader = fields.get("leader", [0] * len(joints))
    followers = [number for number, joint in enumerate(joints, 1) if follows(joint)]
    assert fields.get("followers", []) == followers
    assert fields.get("nFollowers", 0) == len(followers)
    assert [number for number, leads in enumerate(leader, 1) if leads] == followers
    leading = [joint for joint in joints if joint.type.is_single and not follows(joint)]
    values = joint_values(robot, {joint.name: (0.1 + number,) for number, joint in enumerate(leading)})
    for number in followers:
        lead = joints[leader[number - 1] - 1]
        assert not follows(lead)
        multiplier, offset = (
            fields.get(name, [absent] * len(joints))[number - 1] for name, absent in FOLLOWING.items()
        )
        assert values[joints[number - 1].name][0] == pytest.approx(multiplier * values[lead.name][0] + offset)


FOLLOWING = {"multiplier": 1, "offset": 0}


def assert_joint_values(fields: Fields, index: int, joint: Joint) -> None:
    size = index + 1
    xyz, rpy = fields.get("xyz", [[0, 0, 0]] * size)[index], fields.get("rpy", [[0, 0, 0]] * size)[index]
    if joint.origin is None:
        assert (xyz, rpy) == ([0, 0, 0], [0, 0, 0])
    else:
        assert (xyz, rpy) == (list(joint.origin.translation), list(joint.origin.angles))
    if joint.type is not JointType.FIXED:
        axis = [1, 0, 0] if joint.axis is None or joint.axis.xyz is None else list(joint.axis.xyz.values)
        assert fields["axis"][index] == axis
    for name in ("damping", "friction"):
        given = None if joint.dynamics is None else getattr(joint.dynamics, name)
        assert fields.get(name, [0] * size)[index] == number(given, 0)
    for name in ("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"):
        absent = -math.inf if name == "lower" else math.inf
        given = None if joint.effective_limit is None else getattr(joint.effective_limit, name)
        assert fields.get(name, [absent] * size)[index] == number(given, absent)


def assert_link_values(fields: Fields, index: int, link: Link) -> None:
    size = index + 1
    inertial = link.inertial
    assert fields.get("mass", [0] * size)[index] == number(None if inertial is None else inertial.mass, 0)
    center = [0, 0, 0] if inertial is None or inertial.origin is None else list(inertial.origin.translation)
    assert fields.get("center", [[0, 0, 0]] * size)[index] == center
    assert fields.get("inertia", [[0] * 6] * size)[index] == pytest.approx(tensor(link), rel=1e-12, abs=1e-15)


def assert_names_are_indices(built: BuiltPackage, record: ClassHandle, fields: Fields, joints: list[Joint]) -> None:
    constants = {each.name: each for each in record.components if each.prefixes == ["constant"]}
    expected = {}
    for index, joint in enumerate(joints, 1):
        expected[built.names.joint(joint.name).component] = (index, joint.name)
        expected[built.names.link(joint.child).component] = (index, joint.child)
    for name, (index, urdf_name) in expected.items():
        assert fields[name] == index
        assert " ".join(urdf_name.split()) in str(constants[name].description)
    (base,) = set(constants) - set(expected)
    assert fields[base] == 0


def test_the_record_says_what_the_file_says() -> None:
    assert_record_fits_robot(built_arm(), lifting_arm())


def test_the_test_would_see_another_value() -> None:
    built = built_arm()
    for old, new in (("{0.1,0,0}", "{0.2,0,0}"), ("elbow=1", "elbow=2"), ("1.50", "1.51"), ("parent={3", "parent={2")):
        text = built.text(built.folder)
        assert text.count(old) == 1
        with pytest.raises(AssertionError):
            assert_record_fits_robot(
                evolve(built, files={built.folder: text.replace(old, new).encode()}), lifting_arm()
            )


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no robots in ../shared/urdf")
def test_real_robots(capsys: pytest.CaptureFixture[str]) -> None:
    made, refused = 0, 0
    for path in sorted(SHARED.glob("*.urdf")):
        result = read(path)
        if not result.is_usable:
            continue
        robot = result.usable_robot()
        is_generic = all(joint.type.is_single or joint.type is JointType.FIXED for joint in robot.joints)
        if not is_generic:
            with pytest.raises(BuildError, match="a generic robot has joints that turn, slide or are fixed"):
                build_record(robot, RecordOptions(into=NOWHERE))
            refused += 1
            continue
        assert_record_fits_robot(build_record(robot, RecordOptions(into=NOWHERE)), robot)
        made += 1
    assert made
    with capsys.disabled():
        sys.stdout.write(f" [{made} robots as records, {refused} refused for their joints] ")


# ---------------------------------------------------------------- what is in it


def test_numbers_keep_their_text_and_only_what_is_given_is_written() -> None:
    text = built_arm().text("LiftingArm.mo")
    assert "mass={0.9,3.0,1.20,0.4,0}" in text
    assert "upper[5]={1.50,Modelica.Constants.inf,0.5,Modelica.Constants.inf,Modelica.Constants.inf}" in text
    assert "softLowerLimit" in text
    assert not any(name in text for name in ("jerk", "rising", "kPosition"))


def test_constants_do_not_hide_fields() -> None:
    names = built_arm().names
    assert names.joint("mass").component == "mass_"
    assert (names.link("tip").component, names.joint("tip").component) == ("tip", "tip_joint")


HOSTILE = [
    'a"b',
    "c\\d",
    "e\nf",
    "é",
    "1x",
    "end",
    "<x>",
    "lower",
    "nRevolute",
    "Integer",
    "r'q",
    "a.b",
    "small",
    "x" * 300,
]


@pytest.mark.parametrize("style", NameStyle)
def test_names_of_all_kinds_become_constants(style: NameStyle) -> None:
    names = [escape(name).replace("\n", "&#10;") for name in HOSTILE]
    robot = robot_of(
        "<link name='root'/>",
        *(f"<link name='{name}'/>" for name in names),
        *(joint_of(name, "continuous", "root", name, "<axis xyz='0 0 1'/>") for name in names),
    )
    assert [joint.name for joint in robot.joints] == HOSTILE
    assert_record_fits_robot(build_record(robot, RecordOptions(into=NOWHERE, name_style=style)), robot)


def test_what_is_left_out_is_said() -> None:
    summary = built_arm().summary
    assert "1 visual: generic robots have no shapes" in summary.left_out
    assert "the mass of the base 'base': the base of a generic robot has none" in summary.left_out
    assert "the limits of the joints are in the record; the generic robots do not check them" in summary.notes


def test_a_joint_that_carries_no_mass_is_said() -> None:
    heavy = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    robot = robot_of(
        f"<link name='a'/><link name='b'/><link name='c'>{heavy}</link><link name='d'/>",
        joint_of("upper", "continuous", "a", "b"),
        joint_of("lower", "continuous", "b", "c"),
        joint_of("wheel", "continuous", "c", "d"),
    )
    notes = build_record(robot, RecordOptions(into=NOWHERE)).summary.notes
    assert "nothing with mass is attached to 'wheel', so the acceleration is not determined there" in notes


@pytest.mark.parametrize("joints", [[], [joint_of("j", "fixed", "a", "b")]])
def test_robots_that_do_not_move(joints: list[str]) -> None:
    robot = robot_of("<link name='a'/>", "<link name='b'/>" * len(joints), *joints)
    built = build_record(robot, RecordOptions(into=NOWHERE))
    assert_record_fits_robot(built, robot)
    assert "no joint moves: there is nothing to simulate" in built.summary.notes
    info = Document(built.text("small.mo")).find_class("small").get_annotation("Documentation.info")
    assert info is not None
    etree.fromstring(evaluate(info))  # what is opened is closed


# ---------------------------------------------------------------- where it goes


def test_into_a_library_that_is_there(tmp_path: Path) -> None:
    library = tmp_path / "Robots"
    library.mkdir()
    (library / "package.mo").write_text("package Robots\nend Robots;\n")
    (library / "package.order").write_text("Lab\n")
    built = build_record(lifting_arm(), RecordOptions(into=library, name="Lift"))
    assert built.summary.package == "Robots.Lift"
    write(built, library)
    assert (library / "Lift.mo").read_text(encoding="utf-8").startswith("within Robots;\npackage Lift ")
    assert (library / "package.order").read_text() == "Lab\nLift\n"
    assert 'UrdfRobots(version="' in (library / "package.mo").read_text()
    with pytest.raises(BuildError, match="already exists"):
        build_record(lifting_arm(), RecordOptions(into=library, name="lift"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (RecordOptions(name="end"), "'end' can't be the name of the package; 'end_' can"),
        (RecordOptions(name="a b"), "can't be the name of the package"),
        (RecordOptions(modelica_version="3.2.3"), "the templates need Modelica 4.0.0 or a later 4.x.y"),
        (RecordOptions(templates=NOWHERE), "can't be read"),
        (RecordOptions(templates=FIXTURES / "robots" / "templates" / "Painted.mo"), "class Examples.GenericArm"),
        (RecordOptions(into=EXPECTED), "is a file"),
        (RecordOptions(allowed=frozenset({"urdf-number"})), "'urdf-number' can't be allowed"),
    ],
)
def test_options_that_are_wrong(options: RecordOptions, words: str) -> None:
    with pytest.raises(BuildError, match=words):
        build_record(lifting_arm(), options if options.into is not None else evolve(options, into=NOWHERE))


def test_joints_that_generic_robots_do_not_have() -> None:
    links = "".join(f"<link name='{name}'/>" for name in "abcde")
    axis = "<axis xyz='0 0 1'/>"
    robot = robot_of(
        links,
        joint_of("glide", "planar", "a", "b", axis),
        joint_of("fly", "floating", "a", "c"),
        joint_of("lead", "continuous", "a", "d", axis),
        joint_of("follow", "continuous", "a", "e", f"{axis}<mimic joint='lead'/>"),
    )
    with pytest.raises(BuildError) as caught:
        build_record(robot, RecordOptions(into=NOWHERE))
    for words in ("'glide' is planar", "'fly' is floating", "modelica-patch urdf build"):
        assert words in str(caught.value)
    assert "lead" not in str(caught.value)
    assert "follow" not in str(caught.value)


def test_robots_with_errors_are_refused() -> None:
    broken = read("<robot name='r'><link name='a'/><link name='b'/></robot>").robot
    assert broken is not None
    with pytest.raises(UrdfError):
        build_record(broken, RecordOptions(into=NOWHERE))


def test_errors_that_a_user_allows() -> None:
    inertial = "<inertial><mass value='-1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    text = f"<robot name='r'><link name='a'/><link name='b'>{inertial}</link>{joint_of('j', 'fixed', 'a', 'b')}</robot>"
    robot = read(text).usable_robot(allowed={"urdf-mass-negative"})
    with pytest.raises(UrdfError):
        build_record(robot, RecordOptions(into=NOWHERE))
    built = build_record(robot, RecordOptions(into=NOWHERE, allowed=frozenset({"urdf-mass-negative"})))
    assert fields_of(record_of(built))["mass"] == [-1]


# ---------------------------------------------------------------- templates of others


@pytest.fixture
def own_templates(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TEMPLATES, tmp_path / "UrdfRobots"))


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_a_template_declares_is_modified_and_not_declared_again(own_templates: Path) -> None:
    edited(
        own_templates / "Records.mo",
        '  record Robot "Structure and values of a whole robot, for the generic robots"\n',
        '  record Robot "Ours"\n    parameter Real lower[nRevolute + nPrismatic + nFixed] "Ours";\n',
    )
    edited(own_templates / "Examples" / "GenericArm.mo", '"The robot by its equations of motion"', '"Ours"')
    built = build_record(lifting_arm(), RecordOptions(into=NOWHERE, templates=own_templates))
    record = record_of(built)
    assert record.get_component("lower") is None
    assert fields_of(record)["lower"] == [-1.5, -math.inf, -0.5, -math.inf, -math.inf]


def test_what_an_own_template_adds_comes_through(own_templates: Path) -> None:
    example = own_templates / "Examples" / "GenericArm.mo"
    edited(
        example,
        "    constant Integer turn=1",
        '    parameter Real price=1 "Ours"; // in EUR\n    constant Integer turn=1',
    )
    edited(own_templates / "Records.mo", "parameter Real lower=-Modelica.Constants.inf", "parameter Real lower=-1e9")
    edited(
        example,
        """, Documentation(info="<html>
<p>
After 1 s the joints are near -0.8718 rad, 2.2423 rad and 1.9995 m.
</p>
</html>")""",
        "",
    )
    text = build_record(lifting_arm(), RecordOptions(into=NOWHERE, templates=own_templates)).text("lifting_arm.mo")
    assert 'parameter Real price=1 "Ours"; // in EUR\n' in text
    assert "lower[5]={-1.5,-1e9,-0.5,-1e9,-1e9}" in text


def test_all_that_templates_lack_is_said(own_templates: Path) -> None:
    edited(
        own_templates / "Records.mo",
        "    parameter Real falling=Modelica.Constants.inf\n",
        "    parameter Real fall=1\n",
    )
    edited(own_templates / "Records.mo", "    parameter Real velocity(min=0)=", "    parameter Real speed(min=0)=")
    with pytest.raises(BuildError, match=r"lacks the component velocity in Records\.Limit$"):
        build_record(lifting_arm(), RecordOptions(into=NOWHERE, templates=own_templates))


def test_a_template_without_the_value_of_what_is_absent(own_templates: Path) -> None:
    edited(own_templates / "Records.mo", "lower=-Modelica.Constants.inf", "lower")
    with pytest.raises(BuildError, match=r"the field lower of UrdfRobots\.Records\.Limit .* has no default"):
        build_record(lifting_arm(), RecordOptions(into=NOWHERE, templates=own_templates))


# ---------------------------------------------------------------- how it is made


def test_no_modelica_is_made_as_text() -> None:
    builder = ROOT / "src" / "urdf_frontend" / "package" / "builder"
    files = [builder / "record.py", builder / "joint_order.py"]
    assert files
    for path in files:
        for line, text in built_strings(ast.parse(path.read_text(encoding="utf-8"))):
            assert not MODELICA_TEXT.search(text), f"{path.name}:{line}: {text!r}"


# ---------------------------------------------------------------- it moves


@pytest.fixture(scope="module")
def rumoca(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rumoca]:
    """A compiler that knows the lifting arm as a package too, written out component by component."""
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    folder = tmp_path_factory.mktemp("libraries")
    copy_needed_parts(msl, folder)
    write(build(lifting_arm(), BuildOptions(into=folder, name="WrittenOut")), folder)
    with Rumoca([folder, TEMPLATES.parent], cwd=folder) as running:
        yield running


@pytest.mark.slow
def test_the_record_moves_as_the_package_does(rumoca: Rumoca) -> None:
    """Two ways to the same motion: a function over arrays, and MultiBody's components connected one by one."""
    by_record = rumoca.simulate(
        built_arm().text("LiftingArm.mo"), "LiftingArm.ByEquations", 1, [f"robot.q[{i}]" for i in (1, 2, 3)]
    )
    wrapper = "model Wrapper\n  import UrdfRobots.Icons;\n  extends WrittenOut.WrittenOutRun;\nend Wrapper;\n"
    parts = ["robot.elbow.revolute.phi", "robot.turn.revolute.phi", "robot.lift.prismatic.s"]
    by_parts = rumoca.simulate(wrapper, "Wrapper", 1, parts)
    for index, part in enumerate(parts, 1):
        assert by_record[f"robot.q[{index}]"] == pytest.approx(by_parts[part], rel=1e-6, abs=1e-6)
        assert abs(by_record.last(f"robot.q[{index}]")) > 0.5  # they do move


# ---------------------------------------------------------------- joints that follow others
# One joint of this gripper moves all others: two slide with one that turns, and one turns with one of those.


def gripper() -> Robot:
    return read(FIXTURES / "robots" / "verify" / "mimic_gripper.urdf").usable_robot()


def test_a_record_says_who_follows_whom() -> None:
    built = build_record(gripper(), RecordOptions(into=NOWHERE))
    assert_record_fits_robot(built, gripper())
    fields = fields_of(record_of(built))
    assert (fields["followers"], fields["leader"]) == ([2, 3, 4], [0, 1, 1, 1])
    assert "multiplier={1," in built.text(built.folder)
    assert built.summary.followers == 3
    assert built.summary.driven == 4
    info = Document(built.text(built.folder)).find_class(built.name).get_annotation("Documentation.info")
    assert info is not None
    assert "<th>Follows</th>" in str(evaluate(info))


def test_a_chain_of_followers_is_led_by_its_head() -> None:
    body = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    mimics = {
        "a": "",
        "b": "<mimic joint='a' multiplier='2' offset='0.10'/>",
        "c": "<mimic joint='b' multiplier='-0.5'/>",
    }
    robot = robot_of(
        "<link name='root'/>",
        *(f"<link name='{name}'>{body if name == 'c' else ''}</link>" for name in mimics),
        *(
            joint_of(f"{name}", "continuous", parent, name, f"<axis xyz='0 0 1'/>{mimics[name]}")
            for parent, name in (("root", "a"), ("a", "b"), ("b", "c"))
        ),
    )
    built = build_record(robot, RecordOptions(into=NOWHERE))
    assert_record_fits_robot(built, robot)
    text = built.text(built.folder)
    for line in ("leader={0,1,1}", "multiplier={1,2,-1.0}", "offset={0,0.10,-0.05}"):
        assert line in text
    assert not any("acceleration is not determined" in note for note in built.summary.notes)  # c moves with a


def test_templates_that_know_no_followers(own_templates: Path) -> None:
    edited(
        own_templates / "Records.mo", "parameter Integer followers[nFollowers]", "parameter Integer other[nFollowers]"
    )
    build_record(lifting_arm(), RecordOptions(into=NOWHERE, templates=own_templates))
    with pytest.raises(BuildError, match=r"lacks the component followers in Records\.Robot$"):
        build_record(gripper(), RecordOptions(into=NOWHERE, templates=own_templates))


def written_out(fields: Fields, start: list[float]) -> str:
    """`MultiBodyRobot` with the values of a record in it, and without loops and branches: rumoca can't connect by an
    index that is in a record."""
    text = (TEMPLATES / "Generic" / "MultiBodyRobot.mo").read_text(encoding="utf-8")
    head, equations = text.partition("model MultiBodyRobot ")[2].split("\nequation\n")
    equations = equations.partition("  annotation (Documentation")[0]
    lines = re.sub(r"\n\s+(?=[a-z]+\[|link|gear)(?<!;\n)", " ", re.sub(r"\(\n\s+", "(", equations)).splitlines()
    head = re.sub(r"  replaceable parameter.*?;\n", "", head, count=1, flags=re.DOTALL)
    truths = r"(startFixed|leaderTurns|followerTurns)=\{([^{}]*?)\s+for (\w) in 1:([\w. +]+)\}"
    head = re.sub(truths, partial(_truths, fields), head)
    head = re.sub(r"robotParams\.(n\w+)", lambda found: str(fields.get(found[1], 0)), head)
    head = re.sub(
        r"(mass|center|inertia)=robotParams\.\1", lambda found: f"{found[1]}={modelica(fields[found[1]])}", head
    )
    used = {name: fields[name] for name in re.findall(r"robotParams\.(\w+)", head) if name in fields}
    size = len(fields["parent"])
    used = {"rpy": [[0.0] * 3] * size, "damping": [0.0] * size, "friction": [0.0] * size} | used
    declared = "".join(
        f"  parameter {'Integer' if name in ('leader', 'followers') else 'Real'} "
        f"own_{name}[{len(value)}{f',{len(value[0])}' if isinstance(value[0], list) else ''}]={modelica(value)};\n"
        for name, value in used.items()
    )
    description, _, body = head.replace("robotParams.", "own_").partition("\n")
    body = body.replace("  parameter Real q_start", declared + "  parameter Real q_start", 1)
    return f"""model WrittenRobot
  import Modelica.Icons;
  import UrdfRobots.Icons.Link;
  inner Modelica.Mechanics.MultiBody.World world(label2="z", n={{0,0,-1}}, g=9.81, animateWorld=false);
  Own robot(q_start={modelica(start)});
  model Own {description}
{body}
equation
{chr(10).join(unrolled(lines, fields, {}))}
  end Own;
equation
  connect(world.frame_b, robot.frame_a);
end WrittenRobot;
"""


def _truths(fields: Fields, found: re.Match[str]) -> str:
    """What decides which equations there are: rumoca wants true or false there."""
    numbers = range(1, number_of(found[4], fields, {}) + 1)
    return f"{found[1]}={modelica([bool(number_of(found[2], fields, {found[3]: each})) for each in numbers])}"


def modelica(value: Any) -> str:
    if isinstance(value, list):
        return f"{{{','.join(map(modelica, value))}}}"
    return str(value).lower() if isinstance(value, bool) else f"{value:d}" if type(value) is int else f"{value:.17g}"


def number_of(text: str, fields: Fields, names: dict[str, int]) -> int:
    """An integer expression, or a comparison of some, of the record and the variables of loops."""
    python = re.sub(r"robotParams\.(\w+)\[", r"fields['\1'][-1 + ", text)
    python = re.sub(r"robotParams\.(\w+)", r"fields.get('\1', 0)", python)
    return int(eval(python, {"fields": fields}, dict(names)))  # noqa: S307  (the templates are our own)


def unrolled(lines: list[str], fields: Fields, names: dict[str, int]) -> Iterator[str]:
    """Statements without `for` and `if`, and with numbers for indices."""
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        loop, branch = re.fullmatch(r"for (\w+) in 1:(.+) loop", line), re.fullmatch(r"if (.+) then", line)
        if loop is None and branch is None:
            index = r"(?<=\w)\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]"
            yield re.sub(index, lambda found: f"[{number_of(found[1], fields, names)}]", line)
            at += 1
            continue
        depth, inside = 1, [[]]  # type: int, list[list[str]]
        while depth:
            at += 1
            word = lines[at].split()[0]
            depth += (word in ("for", "if")) - (word == "end")
            if depth == 1 and word == "else":
                inside.append([])
            elif depth:
                inside[-1].append(lines[at])
        at += 1
        if loop is not None:
            for number_ in range(1, number_of(loop[2], fields, names) + 1):
                yield from unrolled(inside[0], fields, {**names, loop[1]: number_})
        elif branch is not None:
            chosen = inside[0] if number_of(branch[1], fields, names) else (inside[1:] or [[]])[0]
            yield from unrolled(chosen, fields, names)


def led_by_a_finger() -> Robot:
    """The gripper, led by a joint that slides."""
    mimics = {
        "left_slide": None,
        "screw": Mimic(joint="left_slide", multiplier=Number.of(20), offset=Number.of(0.1)),
        "right_slide": Mimic(joint="left_slide", multiplier=Number.of(-1)),
        "lever_hinge": Mimic(joint="screw", multiplier=Number.of(-1.5), offset=Number.of(0.2)),
    }
    robot = gripper()
    return evolve(robot, joints=tuple(evolve(joint, mimic=mimics[joint.name]) for joint in robot.joints))


@pytest.mark.slow
@pytest.mark.parametrize("led", [gripper, led_by_a_finger])
def test_followers_follow_in_both_forms(led: Callable[[], Robot], rumoca: Rumoca) -> None:
    record = build_record(led(), RecordOptions(into=NOWHERE))
    fields = fields_of(record_of(record))
    start = [0.3, 0.0, 0.02, 0.0]  # those of followers are of no account
    started = f"  extends {record.name}.ByEquations(robot(q_start={modelica(start)}));\n"
    text = f"{record.text(record.folder)}\nmodel Started\n  import Modelica.Icons;\n{started}end Started;\n"
    equations = rumoca.simulate(text, "Started", 0.5, [f"robot.q[{number}]" for number in range(1, 5)])
    paths = [f"robot.revolute[{number}].revolute.phi" for number in (1, 2)]
    paths += [f"robot.prismatic[{number}].prismatic.s" for number in (1, 2)]
    parts = rumoca.simulate(written_out(fields, start), "WrittenRobot", 0.5, paths)
    for number, (path, leads) in enumerate(zip(paths, fields["leader"], strict=True), 1):
        values = equations[f"robot.q[{number}]"]
        assert values == pytest.approx(parts[path], rel=1e-5, abs=1e-6)
        assert abs(values[-1] - values[0]) > 1e-4  # it does move
        if leads:
            multiplier, offset = fields["multiplier"][number - 1], fields["offset"][number - 1]
            followed = [multiplier * value + offset for value in equations[f"robot.q[{leads}]"]]
            assert values == pytest.approx(followed, rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_a_pendulum_keeps_its_energy(rumoca: Rumoca) -> None:
    body = "<mass value='2'/><origin xyz='0.5 0 0'/><inertia ixx='1' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='1'/>"
    robot = robot_of(
        f"<link name='wall'/><link name='rod'><inertial>{body}</inertial></link>",
        joint_of("hinge", "continuous", "wall", "rod", "<axis xyz='0 2 0'/>"),
    )
    text = build_record(robot, RecordOptions(into=NOWHERE)).text("small.mo")
    run = rumoca.simulate(text, "small.ByEquations", 1, ["robot.q[1]", "robot.qd[1]"])
    for angle, speed in zip(run["robot.q[1]"], run["robot.qd[1]"], strict=True):
        fallen = 2 * 9.81 * 0.5 * math.sin(angle)  # it turns about +y, so its mass goes from +x down
        assert (0.02 + 2 * 0.5**2) * speed**2 / 2 == pytest.approx(fallen, rel=1e-6, abs=1e-6)
    assert run.last("robot.q[1]") > 1
