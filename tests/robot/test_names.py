"""Names of links and joints: legal, different, and the same tomorrow."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from modelica_ast import parse
from modelica_ast.cli import main
from modelica_ast.foundation.regular import fault_of_file_name
from modelica_ast.generate import NoBaseError
from modelica_ast.library import Libraries
from urdf_frontend.package.builder.side_car import names_json, names_of
from urdf_frontend.package.memory import read_older_names
from urdf_frontend.robot import Named, NameStyle, NameTable, is_plain_identifier, make_names, plain_identifier
from urdf_frontend.robot.names import FILE_NAMES, FOR_CLASSES, FOR_COMPONENTS, robot_class

# Names that people give, and names that are near to what is made of others.
TRICKY = """
    arm Arm ARM arm_2 arm_joint arm_link armParams ArmParams armParamsParams left-arm left_arm left.arm left/arm
    fl.hip fl_x2e_hip fl_x2e. _x2e_ _x5f_ _x_ x2e_ .x2e_ model model_ model__ Model MODEL end type Real time Modelica
    modelica UrdfRobots frame_a frame_b body world world_ Links Joints robot package Package PACKAGE con Con 2nd_link
    _2nd_link __2nd_link 1 ü arm° 腕 it's a\\b sin Complex initial
""".split()
NAMES = st.sampled_from(TRICKY) | st.text(min_size=1, max_size=12) | st.text("a_x2e.5f-", min_size=1, max_size=10)
NAME_SETS = st.lists(NAMES, unique=True, max_size=12)
STYLES = st.sampled_from(NameStyle)


def all_components(table: NameTable) -> list[str]:
    return [named.component for side in (table.links, table.joints) for named in side.values()]


def assert_usable(table: NameTable, links: Collection[str], joints: Collection[str]) -> None:
    assert list(table.links) == list(links)
    assert list(table.joints) == list(joints)
    components = [*all_components(table), table.robot]
    assert len(set(components)) == len(components)
    assert not set(components) & FOR_COMPONENTS
    for side in (table.links, table.joints):
        classes = [name for named in side.values() for name in (named.class_name, named.parameters)]
        assert len({name.lower() for name in classes}) == len(classes)
        assert all(map(is_plain_identifier, classes))
        assert not set(classes) & FOR_CLASSES
        assert not {name.lower() for name in classes} & FILE_NAMES
        assert all(len(name) < 200 for name in classes)
    declarations = "".join(f"  Links.{n.class_name} {n.component};\n" for n in table.links.values())
    parse(f"model {table.robot}\n{declarations}end {table.robot};\n")


@given(NAME_SETS, NAME_SETS, STYLES)
def test_names_are_legal_and_different(links: list[str], joints: list[str], style: NameStyle) -> None:
    assert_usable(make_names("R", links, joints, style=style), links, joints)


@given(NAMES, NAMES)
def test_no_two_names_have_one_identifier(one: str, other: str) -> None:
    assert (plain_identifier(one, FOR_CLASSES) == plain_identifier(other, FOR_CLASSES)) == (one == other)


@given(st.lists(NAMES, unique=True, min_size=1), st.lists(NAMES, unique=True), STYLES)
def test_names_that_were_given_stay(links: list[str], others: list[str], style: NameStyle) -> None:
    first = make_names("R", links, others, style=style)
    kept = links[::2]
    grown = [*others, *(name for name in TRICKY if name not in others)]
    second = make_names("R", [*grown, *(name for name in kept if name not in grown)], links, style=style, known=first)
    for name in kept:
        assert second.link(name) == first.link(name)
    for name in others:
        if name in links:
            assert second.joint(name) == first.joint(name)


@given(st.lists(NAMES, unique=True), st.randoms(use_true_random=False))
def test_escaped_names_do_not_depend_on_the_order_of_the_file(links: list[str], random: Random) -> None:
    links = list({name.lower(): name for name in links if not name.endswith(("Params", "_2"))}.values())
    mixed = list(links)
    random.shuffle(mixed)
    tables = (make_names("R", names, (), style=NameStyle.ESCAPED) for names in (links, mixed))
    assert (
        len({tuple(sorted((named.urdf, named.class_name) for named in table.links.values())) for table in tables}) == 1
    )


@given(NAME_SETS, NAME_SETS, st.sampled_from([NameStyle.AS_IS, NameStyle.QUOTED]))
def test_a_name_that_is_an_identifier_stays_as_it_is(links: list[str], joints: list[str], style: NameStyle) -> None:
    table = make_names("R", links, joints, style=style)
    for name in links:
        is_free = is_plain_identifier(name) and name not in FOR_COMPONENTS | {"R"} and name.lower() not in FILE_NAMES
        if is_free and plain_identifier(name) == name and len(name) < 20:
            assert table.link(name).component == name


def test_of_names_that_would_clash_the_first_in_the_file_is_the_plainest() -> None:
    assert [each.component for each in make_names("R", ["fl-hip", "fl.hip", "fl hip"], []).links.values()] == [
        "fl_hip",
        "fl_x2e_hip",
        "fl_x20_hip",
    ]
    assert make_names("R", ["fl.hip", "fl-hip"], []).link("fl-hip").class_name == "fl_x2d_hip"
    # An identifier stays as it is, wherever it is in the file: `fl-hip` gives way.
    table = make_names("R", ["fl-hip", "fl_hip"], ["fl-hip"])
    assert table.link("fl_hip").component == "fl_hip"
    assert (table.link("fl-hip").component, table.joint("fl-hip").component) == ("fl_x2d_hip", "fl_hip_joint")


def test_a_later_name_gives_way() -> None:
    before = make_names("R", ["desk-arm"], [])
    now = make_names("R", ["desk_arm", "desk-arm"], ["desk_arm"], known=before)
    assert before.link("desk-arm").component == now.link("desk-arm").component == "desk_arm"
    assert now.link("desk_arm") == Named("desk_arm", "desk_arm_2", "desk_arm_link")
    assert now.joint("desk_arm") == Named("desk_arm", "desk_arm", "desk_arm_joint")


# What the names of one robot become: (links, joints) -> link and joint, as "class component".
CASES = {
    "as it is": (["base_link"], ["elbow"], {"base_link": "base_link base_link"}, {"elbow": "elbow elbow"}),
    "case only": (["Arm", "arm"], [], {"Arm": "Arm Arm", "arm": "arm_2 arm"}, {}),
    "dash and underscore": (
        ["left-arm", "left_arm"],
        [],
        {"left-arm": "left_x2d_arm left_x2d_arm", "left_arm": "left_arm left_arm"},
        {},
    ),
    "like a record": (
        ["arm", "armParams", "ArmParams"],
        [],
        {"arm": "arm arm", "armParams": "armParams_2 armParams", "ArmParams": "ArmParams_3 ArmParams"},
        {},
    ),
    "link and joint": (["arm"], ["arm"], {"arm": "arm arm"}, {"arm": "arm arm_joint"}),
    "link, joint and both": (
        ["arm", "arm_joint"],
        ["arm"],
        {"arm": "arm arm", "arm_joint": "arm_joint arm_joint"},
        {"arm": "arm arm_joint_2"},
    ),
    "digits": (["2nd_link", "1st"], [], {"2nd_link": "_2nd_link _2nd_link", "1st": "_1st _1st"}, {}),
    "keywords": (
        ["model", "end", "type"],
        [],
        {"model": "model_ model_", "end": "end_ end_", "type": "type_ type_"},
        {},
    ),
    "keywords in other case": (["Model", "END"], [], {"Model": "Model Model", "END": "END END"}, {}),
    "predefined": (["time", "Real"], [], {"time": "time_ time_", "Real": "Real_ Real_"}, {}),
    "libraries": (
        ["Modelica", "modelica"],
        [],
        {"Modelica": "Modelica_ Modelica_", "modelica": "modelica modelica"},
        {},
    ),
    "connectors": (["frame_a"], ["frame_b"], {"frame_a": "frame_a_ frame_a_"}, {"frame_b": "frame_b_ frame_b_"}),
    "a component of the link": (["body"], [], {"body": "body_ body"}, {}),
    "dots, slashes, blanks": (
        ["fl.hip", "a/b", " (a) - 1 ", "2.b", "--", "fl_x2e_hip"],
        [],
        {
            "fl.hip": "fl_hip fl_hip",
            "a/b": "a_b a_b",
            " (a) - 1 ": "a_1 a_1",
            "2.b": "_2_b _2_b",
            "--": "_x2d__x2d_ _x2d__x2d_",
            "fl_x2e_hip": "fl_x2e_hip fl_x2e_hip",
        },
        {},
    ),
    "other letters": (["grö-ße", "腕"], [], {"grö-ße": "gr_xf6___xdf_e gr_xf6___xdf_e", "腕": "_x8155_ _x8155_"}, {}),
    "like what is made of keywords": (["model_", "con_"], [], {"model_": "model_ model_", "con_": "con_ con_"}, {}),
    "beside what is made of keywords": (
        ["model", "model_"],
        [],
        {"model": "model_2 model_link", "model_": "model_ model_"},
        {},
    ),
    "a record like a component": (
        ["link", "joint"],
        ["joint"],
        {"link": "link_ link", "joint": "joint_ joint"},
        {"joint": "joint_ joint_joint"},
    ),
    "a package file": (["Package"], [], {"Package": "Package_ Package_"}, {}),
}


@pytest.mark.parametrize("case", CASES)
def test_what_names_become(case: str) -> None:
    links, joints, wanted_links, wanted_joints = CASES[case]
    table = make_names("R", links, joints)
    assert {name: f"{n.class_name} {n.component}" for name, n in table.links.items()} == wanted_links
    assert {name: f"{n.class_name} {n.component}" for name, n in table.joints.items()} == wanted_joints
    assert_usable(table, links, joints)


def test_quoted_style_quotes_components_only() -> None:
    table = make_names("R", ["fl.hip", "it's", "腕", "base"], ["fl.hip"], style=NameStyle.QUOTED)
    assert [named.component for named in table.links.values()] == ["'fl.hip'", r"'it\'s'", "_x8155_", "base"]
    assert table.joint("fl.hip").component == "'fl.hip_joint'"
    assert table.link("fl.hip").class_name == "fl_hip"


def test_escaped_style_is_that_of_packages_that_are_older() -> None:
    table = make_names("R", ["fl-hip", "model_"], ["fl-hip"], style=NameStyle.ESCAPED)
    assert table.link("fl-hip").component == "fl_x2d_hip"
    assert table.link("model_").component == "model__"
    assert table.joint("fl-hip").component == "fl_x2d_hip_joint"


def test_dlr_style_is_that_of_urdfmodelica() -> None:
    table = make_names("R", ["left-Arm", "BASE", "model", "base"], [], style=NameStyle.DLR)
    assert table.link("left-Arm").class_name == "Left_arm"
    assert table.link("left-Arm").component == "left_arm"
    assert table.link("model").class_name == "Model0"
    assert {table.link("BASE").class_name, table.link("base").class_name} == {"Base", "Base_2"}


def test_a_robot_has_a_class_name() -> None:
    assert [robot_class(name) for name in ("arm", "my-robot", "2dof", "Links", None, "")] == [
        "arm",
        "my_robot",
        "_2dof",
        "Links_",
        "Robot",
        "Robot",
    ]


def test_long_names_are_cut_and_stay_different() -> None:
    names = ["腕" * 60, "腕" * 61]
    table = make_names("R", names, [])
    assert_usable(table, names, [])


@given(NAME_SETS, NAME_SETS, STYLES, st.none() | st.text(max_size=5))
def test_names_read_back(links: list[str], joints: list[str], style: NameStyle, robot: str | None) -> None:
    table = make_names("R", links, joints, style=style)
    data = json.loads(json.dumps(names_json(robot, table)))
    assert (names_of(data), data["urdf"]) == (table, robot)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.names: expected 'urdf-names 1', found ''"),
        ("urdf-names 1\n", "f.names: there is no line 'robot'"),
        ("# a comment\nnames 7\n", "f.names: expected 'urdf-names 1', found 'names 7'"),
        ('urdf-names 1\nrobot "a" a\nlink base a b\n', "f.names:3: 'link base a b' is not a line of a names file"),
        (
            'urdf-names 1\nrobot "a" a\nwheel "base" a b\n',
            "f.names:3: 'wheel \"base\" a b' is not a line of a names file",
        ),
        ('urdf-names 1\nrobot "a" a\nlink "base" a\n', "f.names:3: 'link \"base\" a' is not a line of a names file"),
        (f"urdf-names 1\nrobot {'[' * 20_000}\n", f"f.names:2: 'robot {'[' * 54}' is not a line of a names file"),
    ],
)
def test_a_names_file_that_is_none(text: str, message: str) -> None:
    with pytest.raises(NoBaseError, match=f"^{re.escape(message)}$"):
        read_older_names(text, "f.names")


@pytest.mark.parametrize("name", ["..", "a/b", "CON", "aux.x", "", "x" * 300, "../../evil", "package", "a\u2028b"])
def test_a_robot_of_any_name_is_built_where_it_was_asked_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = name or "base"  # a link has to have a name
    parts = f'<link name="{part}"/><link name="{part}2"/><joint name="{part}" type="continuous">'
    ends = f'<parent link="{part}"/><child link="{part}2"/><axis xyz="0 0 1"/></joint>'
    folder = tmp_path / "some" / "where"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    Path("robot.urdf").write_text(f'<robot name="{name}">{parts}{ends}</robot>', encoding="utf-8")
    Path("out").mkdir()  # or else it would be a library
    assert main(["urdf", "build", "robot.urdf", "--into", "out"]) == 0
    assert {path.name for path in folder.iterdir()} == {"robot.urdf", "out"}
    (package,) = Path("out").iterdir()
    libraries = Libraries([package])
    assert libraries.problems == []
    for entry in libraries[package.name].files():
        assert libraries.find_class(entry.full_name)
        assert fault_of_file_name(entry.path.name) is None


@pytest.mark.parametrize("name", ["'..'", "..", "a/b", "'a/b'", "CON", "", "a\0b", "a\udc80", "x" * 300, "/evil"])
def test_a_package_is_not_called_like_no_folder_can_be(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_text('<robot name="arm"><link name="base"/></robot>', encoding="utf-8")
    assert main(["urdf", "build", "robot.urdf", "--into", "out", f"--name={name}"]) == 2
    assert "can't be the name of the package" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"robot.urdf"}
