"""Robots of modules: the assembled robot moves as its modules do, and a robot that is cut comes together again."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings, strategies as st
from lxml import etree

from conftest import FIXTURES, ROOT, examples
from urdf_frontend import Kinematics, Robot, read
from urdf_frontend.modules import AssembledRobot, Assembly, Instance, ModuleError, check_module, ros_package, split
from urdf_frontend.modules.composition import precise_angles
from urdf_frontend.modules.cuts import ASSEMBLY_FILE, cut_robot
from urdf_frontend.robot import IDENTITY, Extension, Joint, Link, Mesh, Pose
from urdf_frontend.robot.items import rotation_about, rotation_of_rpy
from urdf_frontend.urdf import UrdfError

MODULES = FIXTURES / "modules"
REAL_ROBOTS = sorted((ROOT.parent / "shared" / "urdf").glob("*.urdf"))
LARGE = 35_000  # bytes; a robot of that size takes seconds
PRECISE = 1e-12

# The four arms of the specification: modules, links, joints, degrees of freedom.
ARMS = [
    ("j l", 4, 3, 1),
    ("j l jp l2", 7, 6, 2),
    ("j l jp l j l2", 10, 9, 3),
    ("j jp l jp l2 j jp l", 14, 13, 5),
]


def serial(words: str, rotations: Sequence[float] = ()) -> Assembly:
    turned = [0.0, *rotations] + [0.0] * len(words)
    uses = words.split()
    instances = tuple(Instance(use=f"{use}.urdf", rotate=turned[number]) for number, use in enumerate(uses))
    return Assembly("arm", instances, folder=MODULES)


def mass_of(links: Sequence[Link]) -> float:
    return sum(link.inertial.mass.value for link in links if link.inertial and link.inertial.mass)


def farthest(one: Pose, other: Pose) -> float:
    rows = zip(one.matrix, other.matrix, strict=True)
    return max(abs(a - b) for mine, yours in rows for a, b in zip(mine, yours, strict=True))


def product_of_modules(robot: AssembledRobot, values: Mapping[str, float]) -> dict[str, Pose]:
    """Where each link is by the transforms of the modules alone, each moved by itself."""
    places: dict[str, dict[str, Pose]] = {}
    found: dict[str, Pose] = {}
    todo = list(robot.instances)
    while todo:
        each = todo.pop(0)
        if each.parent is not None and each.parent not in places:
            todo.append(each)
            continue
        start = IDENTITY
        if each.parent is not None and each.port is not None:
            parent = robot.get_instance(each.parent)
            assert parent is not None
            port = parent.module.get_port(each.port)
            assert port is not None
            turn = Pose(rotation_about((0.0, 0.0, 1.0), each.rotation), (0.0, 0.0, 0.0))
            start = places[each.parent][port.virtual_link] @ turn
        own = {old: values[new] for old, new in each.joint_names.items() if new in values}
        places[each.name] = {link: start @ pose for link, pose in each.module.kinematics.forward(own).items()}
        found |= {each.link_names[link]: pose for link, pose in places[each.name].items() if is_own(each, link)}
    return found


def is_own(instance: Any, link: str) -> bool:
    return instance.link_names[link] in instance.links


def moving(robot: Robot) -> list[str]:
    return [joint.name for joint in robot.joints if joint.type.is_single and joint.mimic is None]


# ---------------------------------------------------------------- the arms of the specification


@pytest.mark.parametrize(("words", "links", "joints", "freedoms"), ARMS)
def test_the_arms_have_the_parts_of_the_table(words: str, links: int, joints: int, freedoms: int) -> None:
    made = serial(words).to_urdf()
    robot = made.robot
    assert (len(robot.links), len(robot.joints), len(moving(robot))) == (links, joints, freedoms)
    assert len({link.name for link in robot.links}) == links
    assert len({joint.name for joint in robot.joints}) == joints
    assert Kinematics.of(robot).is_tree
    count = len(words.split())
    assert [link.name for link in robot.links if "virtual" in link.name] == [f"virtual_link_{count}"]
    whole = sum(mass_of(each.module.robot.links) for each in made.instances)
    assert mass_of(robot.links) == pytest.approx(whole, abs=1e-12)


def assert_pinocchio_sees(made: AssembledRobot, values: dict[str, float]) -> None:
    """Pinocchio, which reads the URDF text, has every link where the product of the modules has it, and their mass."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(made.text)
    data = model.createData()
    numbers = pin.utils.zero(model.nv)
    for joint in made.robot.joints:
        if joint.type.is_single:
            numbers[model.joints[model.getJointId(joint.name)].idx_v] = value_of(joint, made.robot, values)
    pin.framesForwardKinematics(model, data, pin.integrate(model, pin.neutral(model), numbers))
    for link, pose in product_of_modules(made, values).items():
        seen = data.oMf[model.getFrameId(link, pin.BODY)].homogeneous
        assert abs(seen - pin.utils.np.array(pose.matrix)).max() <= PRECISE
    # What is fixed to the world is not a body that moves, so Pinocchio leaves it out of the sum of `computeTotalMass`.
    bodies = sum(inertia.mass for inertia in model.inertias)
    assert bodies == pytest.approx(mass_of(made.robot.links), abs=1e-12)


def value_of(joint: Joint, robot: Robot, values: dict[str, float]) -> float:
    """Where a joint is; the reader of Pinocchio lets those that mimic others go free."""
    if joint.mimic is None:
        return values[joint.name]
    leader = robot.get_joint(joint.mimic.joint)
    assert leader is not None
    multiplier = 1.0 if joint.mimic.multiplier is None else joint.mimic.multiplier.value
    offset = 0.0 if joint.mimic.offset is None else joint.mimic.offset.value
    return multiplier * value_of(leader, robot, values) + offset


@pytest.mark.parametrize("rotations", [(), (0.3, -2.0, math.pi / 2, 1.0, 3.0, -0.1, 2.2)])
@pytest.mark.parametrize("words", [arm[0] for arm in ARMS])
def test_pinocchio_sees_the_product_of_the_modules(words: str, rotations: tuple[float, ...]) -> None:
    made = serial(words, rotations).to_urdf()
    for number in range(5):
        names = moving(made.robot)
        assert_pinocchio_sees(made, {name: math.sin(3.0 * number + place) for place, name in enumerate(names)})


def test_names_are_the_papers() -> None:
    robot = serial("l j wrist").to_urdf().robot
    assert [link.name for link in robot.links] == [
        "link_1",
        "proximal_part_2",
        "distal_part_2",
        "proximal_part_3",
        "cross_3",
        "distal_part_3",
        "virtual_link_3",
    ]
    assert [joint.name for joint in robot.joints] == [
        "output_connector_1",
        "joint_2",
        "output_connector_2",
        "joint1_3",
        "joint2_3",
        "output_connector_3",
    ]
    follower = robot.get_joint("joint2_3")
    assert follower is not None
    assert follower.mimic is not None
    assert follower.mimic.joint == "joint1_3"


# ---------------------------------------------------------------- what comes along


def test_everything_is_renamed_along() -> None:
    made = Assembly.load(MODULES / "arm.yaml").to_urdf(package="arm_description")
    root = etree.fromstring(made.data)
    assert [node.get("name") for node in root.iter("actuator")] == ["shoulder_motor"]
    assert [node.get("name") for node in root.findall("transmission/joint")] == ["shoulder_joint1"]
    assert [node.get("reference") for node in root.findall("gazebo")] == ["shoulder_distal_part", None]
    assert {node.get("name") for node in root.findall("link/visual/material")} == {"upper_grey", "grey_4"}
    assert {mesh.get("filename") for mesh in root.iter("mesh")} == {"package://arm_description/meshes/l/link1.STL"}
    assert {str(place): path.name for place, path in made.copies.items()} == {"meshes/l/link1.STL": "link1.STL"}
    assert "A straight link, as a CAD exporter writes it." in made.text
    assert made.srdf is not None
    srdf = etree.fromstring(made.srdf)
    assert [node.get("name") for node in srdf.findall("group")] == ["shoulder_drive"]
    chains = [(node.get("base_link"), node.get("tip_link")) for node in srdf.findall("group/chain")]
    assert chains == [("shoulder_proximal_part", "upper_link1")]
    assert [node.get("group") for node in srdf.findall("group_state")] == ["shoulder_drive"]
    pairs = [(pair.get("link1"), pair.get("link2")) for pair in srdf.findall("disable_collisions")]
    assert pairs == [
        ("shoulder_proximal_part", "shoulder_distal_part"),
        ("shoulder_distal_part", "upper_link1"),
        ("upper_link1", "slide_proximal_part"),
        ("slide_distal_part", "link_4"),
        ("link_4", "hand_palm"),
    ]


CONTROL = """\
<ros2_control name="drives" type="system">
    <joint name="joint1"><command_interface name="effort"/></joint>
  </ros2_control>
  <gazebo>
    <plugin name="laser" filename="laser.so">
      <frameName>distal_part</frameName>
      <jointName> joint1 </jointName>
      <topic>joint1</topic>
    </plugin>
  </gazebo>
  <drake:collision_filter_group name="all"><drake:member link="proximal_part"/></drake:collision_filter_group>
</robot>"""


def test_names_in_elements_that_urdf_does_not_know_are_renamed_by_what_they_are(tmp_path: Path) -> None:
    text = (MODULES / "j.urdf").read_text(encoding="utf-8").replace("</robot>", CONTROL)
    (tmp_path / "j.urdf").write_text(text, encoding="utf-8")
    made = Assembly("r", (Instance(use="j.urdf", given_name="a"), Instance(use="j.urdf")), folder=tmp_path).to_urdf()
    for expected in (
        '<ros2_control name="a_drives" type="system">',
        '<joint name="a_joint1"><command_interface name="effort"/>',
        "<frameName>a_distal_part</frameName>",
        "<jointName> a_joint1 </jointName>",
        "<topic>joint1</topic>",
        '<drake:member link="a_proximal_part"/>',
        '<ros2_control name="drives_2" type="system">',
        "<jointName> joint_2 </jointName>",
    ):
        assert expected in made.text


def test_a_plugin_of_the_whole_robot_is_there_once_and_virtual_joints_only_at_the_base() -> None:
    made = serial("j l j").to_urdf()
    assert made.text.count("libgazebo_ros_control.so") == 1
    assert made.srdf is not None
    srdf = etree.fromstring(made.srdf)
    assert [joint.get("child_link") for joint in srdf.findall("virtual_joint")] == ["proximal_part_1"]
    assert [group.get("name") for group in srdf.findall("group")] == ["drive_1", "drive_3"]


def test_a_material_that_looks_the_same_is_defined_once() -> None:
    root = etree.fromstring(serial("l2 l2 j").to_urdf().data)
    assert [node.get("name") for node in root.findall("material")] == ["grey"]
    assert {node.get("name") for node in root.iter("material") if node.get("name")} == {"grey"}


def test_an_empty_first_link_is_left_out_where_it_coincides_with_another(tmp_path: Path) -> None:
    text = (MODULES / "l.urdf").read_text(encoding="utf-8")
    (tmp_path / "flush.urdf").write_text(text.replace('xyz="0 0 0.4"', 'xyz="0 0 0"'), encoding="utf-8")
    drive = str(MODULES / "drive.urdf")
    flush = Assembly("r", (Instance(use="flush.urdf"), Instance(use=drive)), folder=tmp_path).to_urdf()
    assert [link.name for link in flush.robot.links] == ["link_1", "rotor_2", "virtual_link_2"]
    assert [joint.name for joint in flush.robot.joints] == ["joint_2", "output_connector_2"]
    assert flush.instances[1].link_names["input_connector"] == "link_1"
    turned = Assembly("r", (Instance(use="flush.urdf"), Instance(use=drive, rotate=1.0)), folder=tmp_path).to_urdf()
    assert [link.name for link in turned.robot.links] == ["link_1", "input_connector_2", "rotor_2", "virtual_link_2"]


def test_a_branching_robot_keeps_every_open_end() -> None:
    made = Assembly.load(MODULES / "two_arms.yaml").to_urdf()
    names = [link.name for link in made.robot.links]
    assert "right_virtual_link" in names
    assert not any(name.endswith(("virtual_left", "virtual_right", "left_virtual_link")) for name in names)
    torso = made.get_instance("torso")
    assert torso is not None
    assert torso.ports == {"output_connector_left": "left", "output_connector_right": "right"}
    assert torso.link_names["virtual_left"] == "left_proximal_part"


def test_undeclared_prefixes_and_default_name_spaces_are_no_obstacle(tmp_path: Path) -> None:
    text = (MODULES / "l.urdf").read_text(encoding="utf-8")
    odd = text.replace('<robot name="link_module">', '<robot xmlns="http://x.org/urdf" name="link_module"><drake:x/>')
    (tmp_path / "odd.urdf").write_text(odd, encoding="utf-8")
    made = Assembly("r", (Instance(use="odd.urdf"), Instance(use="odd.urdf")), folder=tmp_path).to_urdf()
    assert [link.name for link in made.robot.links] == ["link_1", "link_2", "virtual_link_2"]
    assert made.text.count("<drake:x/>") == 1


# ---------------------------------------------------------------- verbs


def test_insert_remove_and_replace_keep_names_that_were_given() -> None:
    assembly = Assembly.load(MODULES / "arm.yaml")
    before = {joint.name for joint in assembly.to_urdf().robot.joints}
    assembly.insert("wrist.urdf", after="slide", name="wrist")
    after = {joint.name for joint in assembly.to_urdf().robot.joints}
    assert {name for name in before if not name.endswith("_4")} <= after
    assert assembly.names == ("shoulder", "upper", "slide", "wrist", "m_5", "hand")
    assembly.remove("wrist")
    assert {joint.name for joint in assembly.to_urdf().robot.joints} == before
    assembly.replace("upper", "l2.urdf")
    assert assembly.to_urdf().get_instance("upper").module.path.name == "l2.urdf"  # type: ignore[union-attr]
    assembly.insert("l.urdf", before="shoulder", name="foot")
    assert Kinematics.of(assembly.to_urdf().robot).roots == ("foot_link1",)
    assembly.remove("foot")
    assert Kinematics.of(assembly.to_urdf().robot).roots == ("shoulder_proximal_part",)


def test_verbs_follow_branches() -> None:
    assembly = Assembly.load(MODULES / "two_arms.yaml")
    assembly.insert("l.urdf", after="torso.right", name="spacer")
    tree = {each.name: each.parent for each in assembly.to_urdf().instances}
    assert tree == {
        "torso": None,
        "spacer": "torso",
        "left": "torso",
        "left_link": "left",
        "right": "spacer",
        "left_hand": "left_link",
    }
    again = Assembly.parse(assembly.to_yaml(), folder=MODULES)
    assert again.to_urdf().instances[1].as_json() == assembly.to_urdf().instances[1].as_json()
    assert plain(again.to_urdf().robot) == plain(assembly.to_urdf().robot)
    with pytest.raises(ModuleError, match="2 modules are attached to 'torso'"):
        assembly.remove("torso")
    with pytest.raises(ModuleError, match=r"l\.urdf has no port 'output_connector_right'"):
        assembly.replace("torso", "l.urdf")
    assert {each.name: each.parent for each in assembly.to_urdf().instances} == tree


# ---------------------------------------------------------------- errors

WRONG = [
    ("robot: [", "assembly:1:9: this is not YAML: expected the node content, but found '<stream end>'"),
    ("", "assembly:1: the file is empty; it needs 'robot:' and 'modules:'"),
    ("robot: a\n", "assembly:1: an assembly needs 'modules'"),
    (
        "robot: a\nmodules: l.urdf\n",
        "assembly:2: 'modules:' is a list with at least one module, such as '- use: base.urdf'",
    ),
    ("robot: a\nmodules:\n- usr: l.urdf\n", "assembly:3: a module has no 'usr'; did you mean 'use'?"),
    ("robot: a\nmodules:\n- {as: x}\n", "assembly:3: a module needs 'use'"),
    (
        "robot: a\nmodules:\n- use: l.urdf\n  as: 2nd\n",
        "assembly:4: 'as: 2nd' is not a name: letters, digits and '_', and no digit first",
    ),
    (
        "robot: a\nmodules:\n- {use: l.urdf, as: x}\n- {use: l.urdf, as: x}\n",
        "assembly:4: 'x' is the name of the module in line 3 already",
    ),
    (
        "robot: a\nmodules:\n- l.urdf\n- {use: l.urdf, rotate: up}\n",
        "assembly:4: 'rotate' takes an angle in radians such as 1.5708, or in degrees such as 90 deg",
    ),
    (
        'robot: "a\\0"\nmodules:\n- l.urdf\n',
        "assembly:1: 'robot' has characters that cannot be printed",
    ),
    ("robot: &a [*a]\nmodules: [l.urdf]\n", "assembly:1: 'robot' has to be a text, and is a list"),
    ("[" * 3000, "assembly:1:102: this is not YAML: it is nested more than 100 levels deep"),
    ("robot: a\nmodules:\n- gone.urdf\n", "assembly:3: there is no module file MODULES/gone.urdf"),
    (
        "robot: a\nmodules:\n- {use: l.urdf, as: base}\n- {use: l.urdf, parent: bse}\n",
        "assembly:4: there is no module 'bse' that 'm_2' could be attached to; did you mean 'base'?",
    ),
    (
        "robot: a\nmodules:\n- {use: l.urdf, as: base}\n- {use: l.urdf, parent: base.side}\n",
        "assembly:4: 'base' has no port 'side'; l.urdf has 'output_connector'",
    ),
    (
        "robot: a\nmodules:\n- {use: torso.urdf, as: base}\n- {use: l.urdf}\n",
        (
            "assembly:4: 'base' has several ports; say 'parent: base.PORT', of 'output_connector_left', "
            "'output_connector_right'"
        ),
    ),
    (
        "robot: a\nmodules:\n- {use: l.urdf, as: base}\n- {use: l.urdf}\n- {use: l.urdf, parent: base}\n",
        "assembly:5: the port 'output_connector' of 'base' is taken by 'm_2' already",
    ),
    (
        "robot: a\nmodules:\n- l.urdf\n- {use: l.urdf, as: x, parent: y}\n- {use: l.urdf, as: y, parent: x}\n",
        "assembly:4: modules are attached to each other in a cycle: 'x' on 'y' on 'x'",
    ),
    (
        "robot: a\nmodules:\n- gripper.urdf\n- l.urdf\n",
        "assembly:4: 'm_2' can't be attached to 'm_1': gripper.urdf has no output connector",
    ),
    (
        "robot: a\nmodules:\n- {use: l.urdf, rotate: 1}\n",
        "assembly:3: the first module is not attached to a connector, so it can't be turned",
    ),
    (
        "robot: a\nmodules:\n- {use: l.urdf, prefix: ''}\n- {use: l.urdf, prefix: ''}\n",
        "assembly:4: 'm_1' and 'm_2' would both have a link 'link1'; give one of them another 'as:' or 'prefix:'",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ModuleError) as wrong:
        Assembly.parse(text, folder=MODULES).to_urdf()
    assert str(wrong.value).replace(str(MODULES), "MODULES") == message


def test_a_broken_module_is_refused_with_all_its_errors(tmp_path: Path) -> None:
    (tmp_path / "bad.urdf").write_text('<robot name="x"><link name="a"/><link name="a"/><link name="b"/></robot>')
    with pytest.raises(UrdfError) as wrong:
        Assembly("r", (Instance(use="bad.urdf"),), folder=tmp_path).to_urdf()
    assert {found.code for found in wrong.value.diagnostics} == {"urdf-duplicate-link", "urdf-several-roots"}


# ---------------------------------------------------------------- checks of modules

CHECKED = [
    ('virtual_link"/>', 'virtual_link"/>', set()),
    ('name="output_connector" type="fixed"', 'name="plug" type="fixed"', {"urdf-module-end"}),
    ('name="output_connector" type="fixed"', 'name="output_connector" type="floating"', {"urdf-module-connector"}),
    ('xyz="0 0 0.4" rpy', 'xyz="0 0 -0.4" rpy', {"urdf-module-direction"}),
    ('xyz="0 0 0.4" rpy', 'xyz="0.4 0 0" rpy', {"urdf-module-direction"}),
    (
        '<link name="virtual_link"/>',
        (
            '<link name="virtual_link"><inertial><mass value="0.1"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" '
            'iyz="0" izz="1e-3"/></inertial></link>'
        ),
        {"urdf-module-virtual-mass"},
    ),
    (
        '<link name="virtual_link"/>',
        (
            '<link name="virtual_link"/><link name="x"/><joint name="n" type="fixed"><parent link="virtual_link"/>'
            '<child link="x"/></joint>'
        ),
        {"urdf-module-connector"},
    ),
    (
        '<link name="virtual_link"/>',
        '<link name="virtual_link"/><joint name="n" type="fixed"><parent link="world"/><child link="link1"/></joint>',
        {"urdf-module-world"},
    ),
]


@pytest.mark.parametrize(("old", "new", "codes"), CHECKED)
def test_modules_are_checked(old: str, new: str, codes: set[str]) -> None:
    text = (MODULES / "l.urdf").read_text(encoding="utf-8")
    assert old in text
    robot = read(text.replace(old, new)).robot
    assert robot is not None
    found = {each.code for each in check_module(robot, "l.urdf")}
    assert found == codes


def test_a_torso_branches_and_zero_axes_of_fixed_joints_are_fine() -> None:
    torso = read(MODULES / "torso.urdf")
    assert torso.robot is not None
    assert [each.code for each in check_module(torso.robot, "t")] == ["urdf-module-branches"]
    assert '<axis xyz="0 0 0"/>' in (MODULES / "l.urdf").read_text(encoding="utf-8")
    assert read(MODULES / "l.urdf").diagnostics == ()


# ---------------------------------------------------------------- ROS packages


def test_a_package_is_written_once_and_again_only_what_changed(tmp_path: Path) -> None:
    folder = tmp_path / "arm_description"
    assembly = Assembly.load(MODULES / "arm.yaml")
    first = ros_package(assembly, folder)
    first.workspace.save()
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(files) == {
        "CMakeLists.txt",
        "config/arm.srdf",
        "meshes/l/link1.STL",
        "package.xml",
        "urdf/arm.urdf",
    }
    assert files["meshes/l/link1.STL"] == (MODULES / "my_pkg/meshes/link1.STL").read_bytes()
    assert list(ros_package(assembly, folder).workspace.others.writes()) == []
    (folder / "package.xml").write_text("<package><name>mine</name></package>", encoding="utf-8")
    assembly.replace("upper", "l2.urdf")
    again = ros_package(assembly, folder)
    assert again.name == "mine"
    assert {write.path.name for write in again.workspace.others.writes()} == {"arm.urdf"}
    assert [path.name for path in again.unused] == ["link1.STL"]
    assembly.robot = "other"
    assert {path.name for path in ros_package(assembly, folder).unused} == {"link1.STL", "arm.urdf", "arm.srdf"}


def test_a_urdf_file_of_the_user_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf" / "arm.urdf").write_text("<robot/>", encoding="utf-8")
    assembly = Assembly.load(MODULES / "arm.yaml")
    with pytest.raises(ModuleError, match=r"arm\.urdf is there and was not assembled"):
        ros_package(assembly, tmp_path)
    assert ros_package(assembly, tmp_path, force=True).robot.robot.name == "arm"


def test_meshes_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    text = (MODULES / "l.urdf").read_text(encoding="utf-8")
    for name, content in (("a", b"solid a\nendsolid"), ("b", b"solid b\nendsolid")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "part.stl").write_bytes(content)
        (folder / "l.urdf").write_text(text.replace("package://my_pkg/meshes/link1.STL", "part.stl"), encoding="utf-8")
    assembly = Assembly("r", (Instance(use="a/l.urdf"), Instance(use="b/l.urdf")), folder=tmp_path)
    copies = assembly.to_urdf(package="p").copies
    assert {str(place): path.read_bytes() for place, path in copies.items()} == {
        "meshes/l/part.stl": b"solid a\nendsolid",
        "meshes/l_2/part.stl": b"solid b\nendsolid",
    }
    assert 'filename="b/part.stl"' in assembly.to_urdf().text


# ---------------------------------------------------------------- random robots of modules

ANGLES = st.one_of(
    st.floats(-7, 7), st.sampled_from([math.pi / 2, -math.pi / 2, 1.5708, 1.5707963, math.pi, 1e-9, 0.0])
)
LEAVES = ["gripper"]
USES = ["j", "jp", "l", "l2", "wrist", "torso", "drive"]


@st.composite
def module_trees(draw: st.DrawFn) -> Assembly:
    """Modules at random, each on a port that is free."""
    ports: list[str] = []
    instances: list[Instance] = []
    for number in range(draw(st.integers(1, 9))):
        use = draw(st.sampled_from(USES + LEAVES * (number > 0)))
        name = draw(st.none() | st.just(f"part{number}"))
        parent = None
        if number > 0:
            if not ports:
                break
            parent = ports.pop(draw(st.integers(0, len(ports) - 1)))
        rotate = draw(ANGLES) if parent is not None else 0.0
        instances.append(Instance(use=f"{use}.urdf", given_name=name, parent=parent, rotate=rotate))
        own = name or f"m_{number + 1}"
        if use == "torso":
            ports += [f"{own}.left", f"{own}.output_connector_right"]
        elif use != "gripper":
            ports.append(f"{own}.output_connector")
    return Assembly("random", tuple(instances), folder=MODULES)


@settings(max_examples=examples(30), deadline=None)
@given(assembly=module_trees(), seed=st.floats(-3, 3))
def test_random_trees_of_modules(assembly: Assembly, seed: float) -> None:
    made = assembly.to_urdf()
    robot = made.robot
    kinematics = Kinematics.of(robot)
    assert kinematics.is_tree
    links = [link.name for link in robot.links]
    joints = [joint.name for joint in robot.joints]
    assert len(set(links)) == len(links)
    assert len(set(joints)) == len(joints)
    assert sorted(links) == sorted(link for each in made.instances for link in each.links)
    assert sorted(joints) == sorted(joint for each in made.instances for joint in each.joints)
    assert len(links) == len(joints) + 1
    assert len(joints) == sum(len(each.module.robot.joints) for each in made.instances)
    assert mass_of(robot.links) == pytest.approx(sum(mass_of(each.module.robot.links) for each in made.instances))
    values = {name: seed * (number + 1) / 3 for number, name in enumerate(moving(robot))}
    expected = product_of_modules(made, values)
    found = kinematics.forward(values)
    assert set(found) == set(expected)
    assert max(farthest(found[link], expected[link]) for link in links) <= PRECISE
    assert_pinocchio_sees(made, values)


@settings(max_examples=examples(100), deadline=None)
@given(roll=ANGLES, pitch=ANGLES, yaw=ANGLES, turn=ANGLES)
def test_angles_are_exact_near_straight_up(roll: float, pitch: float, yaw: float, turn: float) -> None:

    pose = Pose(rotation_of_rpy(roll, pitch, yaw), (0.0, 0.0, 0.0)) @ Pose(
        rotation_about((0.0, 0.0, 1.0), turn), (0.0, 0.0, 0.0)
    )
    again = Pose(rotation_of_rpy(*precise_angles(pose.rotation)), (0.0, 0.0, 0.0))
    assert farthest(pose, again) <= 1e-14


def test_right_angles_stay_right() -> None:
    """Straight up and down too, where roll and yaw are one: there yaw is 0."""
    right = (0.0, math.pi / 2, -math.pi / 2, math.pi)
    here = (0.0, 0.0, 0.0)
    for roll, pitch, yaw, turn in itertools.product(right, repeat=4):
        turned = Pose(rotation_of_rpy(roll, pitch, yaw), here) @ Pose(rotation_about((0.0, 0.0, 1.0), turn), here)
        found = precise_angles(turned.rotation)
        assert set(found) <= set(right)
        assert found[2] == 0.0 or abs(found[1]) != math.pi / 2
        assert farthest(Pose(rotation_of_rpy(*found), here), turned) <= 1e-15


# ---------------------------------------------------------------- cut and put together again


def cut_and_assembled(path: Path, at: Sequence[str], folder: Path) -> AssembledRobot:
    """The robot of the modules that a robot is cut into."""
    parts = split(read(path), at, into=folder)
    for name, data in parts.files.items():
        (folder / name).write_bytes(data)
    for name in parts.modules:
        assert read(folder / name).errors == (), name
    return Assembly.load(folder / ASSEMBLY_FILE).to_urdf()


def plain(value: Any) -> Any:
    """What a part of a robot says, apart from where it is and how its XML is written."""
    if isinstance(value, Extension):
        return " ".join(value.text.split()) if ":" in value.tag else canonical(value.text)
    if isinstance(value, Mesh):
        return (value.filename if "://" in value.filename else os.path.normpath(value.filename), plain(value.scale))
    if attrs.has(type(value)):
        fields = [field for field in attrs.fields(type(value)) if field.name not in NOISE and field.eq]
        return type(value).__name__, tuple((field.name, plain(getattr(value, field.name))) for field in fields)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


NOISE = {"place", "span", "comments", "is_implicit"}


def canonical(text: str) -> str:
    try:
        return re.sub(r">\s+<", "><", etree.canonicalize(text, strip_text=True))
    except etree.XMLSyntaxError:  # a prefix in it is declared elsewhere
        return " ".join(text.split())


def assert_same_robot(old: Robot, new: Robot) -> None:
    """The same links, joints, materials, transmissions and unknown elements."""
    assert {link.name: plain(link) for link in new.links} == {link.name: plain(link) for link in old.links}
    assert {joint.name: plain(joint) for joint in new.joints} == {joint.name: plain(joint) for joint in old.joints}
    assert set(map(plain, new.materials)) == set(map(plain, old.materials))
    assert Counter(map(plain, new.transmissions)) == Counter(map(plain, old.transmissions))
    assert {plain(extension) for extension in new.extensions} == {plain(extension) for extension in old.extensions}
    assert {comment.text for comment in old.comments} <= {comment.text for comment in new.comments}


def test_a_robot_is_cut_at_fixed_and_moving_joints(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(Assembly.load(MODULES / "arm.yaml").to_urdf().data)
    at = ["upper_output_connector", "slide_joint1"]
    parts = split(read(path), at, into=tmp_path)
    assert parts.modules == ("shoulder_proximal_part.urdf", "upper_output_connector.urdf", "slide_joint1.urdf")
    new = cut_and_assembled(path, at, tmp_path)
    old = read(path).usable_robot()
    comments = tuple(comment for comment in old.comments if "Assembled by" not in comment.text)
    assert_same_robot(attrs.evolve(old, comments=comments), new.robot)


def test_a_cut_that_can_not_be_is_refused() -> None:
    gripper = read(MODULES / "gripper.urdf")
    with pytest.raises(ModuleError, match="'right_finger_joint' mimics 'left_finger_joint', which would be in another"):
        split(gripper, ["left_finger_joint"])
    with pytest.raises(ModuleError, match="there is no joint 'thumb' to cut at"):
        split(gripper, ["thumb"])
    taken = (MODULES / "j.urdf").read_text(encoding="utf-8").replace("distal_part", "input_connector")
    with pytest.raises(ModuleError, match="needs the name 'input_connector' for its first link"):
        split(read(taken), ["joint1"])


@st.composite
def cut_robots(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """A tree of links at random as URDF, and some of its joints."""
    count = draw(st.integers(2, 9))
    numbers = st.floats(-2, 2).map(repr)
    triples = st.tuples(numbers, numbers, numbers).map(" ".join)
    root = etree.Element("robot", {"name": "random"})
    for name in ("red", "blue"):
        colour = etree.SubElement(etree.SubElement(root, "material", {"name": name}), "color")
        colour.set("rgba", "1 0 0 1" if name == "red" else "0 0 1 1")
    at = []
    for number in range(count):
        root.append(etree.Comment(f" link {number} "))
        link = etree.SubElement(root, "link", {"name": f"n{number}"})
        if draw(st.booleans()):
            visual = etree.SubElement(link, "visual")
            etree.SubElement(etree.SubElement(visual, "geometry"), "sphere", {"radius": "0.1"})
            etree.SubElement(visual, "material", {"name": draw(st.sampled_from(["red", "blue"]))})
        if number == 0:
            continue
        kind = draw(st.sampled_from(["fixed", "continuous", "prismatic", "floating"]))
        # Joints are called like links: these are two name spaces.
        joint = etree.SubElement(root, "joint", {"name": f"n{number}", "type": kind})
        if draw(st.booleans()):
            etree.SubElement(joint, "origin", {"xyz": draw(triples), "rpy": draw(triples)})
        etree.SubElement(joint, "parent", {"link": f"n{draw(st.integers(0, number - 1))}"})
        etree.SubElement(joint, "child", {"link": f"n{number}"})
        if kind in {"continuous", "prismatic"}:
            etree.SubElement(joint, "axis", {"xyz": "0 1 0"})
            etree.SubElement(root, "gazebo", {"reference": f"n{number}"}).text = f"of {number}"
        if draw(st.booleans()):
            at.append(f"n{number}")
    return etree.tostring(root), at


@settings(max_examples=examples(30), deadline=None)
@given(cut=cut_robots())
def test_random_robots_come_together_again(cut: tuple[bytes, list[str]]) -> None:
    data, at = cut
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random_robot_of_this_test.urdf"
        path.write_bytes(data)
        new = cut_and_assembled(path, at, Path(folder))
    assert_same_robot(read(data).usable_robot(), new.robot)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.corpus] if path.stat().st_size > LARGE else [])
        for path in REAL_ROBOTS
    ],
)
def test_real_robots_come_together_again(path: Path, tmp_path: Path) -> None:
    result = read(path)
    if not result.is_usable:
        pytest.skip("it has errors")
    copy = tmp_path / "the_robot.urdf"
    copy.write_bytes(path.read_bytes())
    robot = result.usable_robot()
    names = [joint.name for joint in robot.joints]
    # Some of its joints, but none that would part a joint from the one that it follows.
    at: list[str] = []
    for name in names[1::3]:
        with contextlib.suppress(ModuleError):
            cut_robot(robot, [*at, name], path.name)
            at.append(name)
    assert at or any(joint.mimic for joint in robot.joints) or len(names) < 2
    new = cut_and_assembled(copy, at, tmp_path)
    assert_same_robot(robot, new.robot)
    old_poses, new_poses = Kinematics.of(robot).forward(), Kinematics.of(new.robot).forward()
    assert max(farthest(old_poses[link], new_poses[link]) for link in old_poses) <= PRECISE


# ---------------------------------------------------------------- SRDF, cut and put together again


SRDF = """<robot name="arm">
  <!-- What moves. -->
  <group name="arm"><chain base_link="base" tip_link="hand"/></group>
  <group name="gripper"><link name="hand"/><joint name="finger"/></group>
  <group name="mount"><joint name="flange"/></group>
  <group name="all"><group name="gripper"/><group name="mount"/></group>
  <group name="only_gripper"><group name="gripper"/></group>
  <group_state name="home" group="arm"><joint name="shoulder" value="0"/></group_state>
  <group_state name="open" group="gripper"><joint name="finger" value="1"/></group_state>
  <end_effector name="ee" parent_link="upper" group="gripper" parent_group="arm"/>
  <virtual_joint name="fixed_base" type="fixed" parent_frame="hand" child_link="base"/>
  <passive_joint name="finger"/>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
  <disable_collisions link1="hand" link2="tip" reason="Adjacent"/>
  <disable_collisions link1="base" link2="hand" reason="Never"/>
  <disable_collisions link1="upper" link2="hand" reason="Adjacent"/>
</robot>
"""
CHAIN = """<robot name="arm">
  <link name="base"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <link name="upper"/>
  <joint name="flange" type="fixed"><parent link="upper"/><child link="hand"/></joint>
  <link name="hand"/>
  <joint name="finger" type="continuous"><parent link="hand"/><child link="tip"/><axis xyz="0 0 1"/></joint>
  <link name="tip"/>
</robot>
"""


def elements_of(data: bytes) -> Counter[str]:
    """What is in a file, element by element."""
    root = etree.fromstring(data)
    texts = (etree.tostring(node, with_tail=False).decode() for node in root if isinstance(node.tag, str))
    return Counter(map(etree.canonicalize, texts))


SENSORS = """
  <sensor name="torque" type="force_torque"><parent joint="flange"/></sensor>
  <sensor name="touch"><parent link="tip"/></sensor>
  <ros2_control name="all" type="system">
    <joint name="shoulder"/><joint name="flange"/><joint name="finger"/></ros2_control>
</robot>"""


@pytest.mark.parametrize("at", [["flange"], ["shoulder", "flange"], ["shoulder", "finger"]])
def test_what_urdf_does_not_know_goes_where_its_joint_goes(at: list[str], tmp_path: Path) -> None:
    text = CHAIN.replace("</robot>", SENSORS)
    (tmp_path / "arm.urdf").write_text(text, encoding="utf-8")
    new = cut_and_assembled(tmp_path / "arm.urdf", at, tmp_path)
    assert_same_robot(read(text).usable_robot(), new.robot)
    holder = "shoulder" if "shoulder" in at else "base"
    assert 'name="torque"' in (tmp_path / f"{holder}.urdf").read_text(encoding="utf-8")


@pytest.mark.parametrize("at", [["flange"], ["shoulder"], ["shoulder", "flange"], ["finger", "flange", "shoulder"]])
def test_srdf_is_cut_and_comes_together_again(at: list[str], tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(CHAIN, encoding="utf-8")
    (tmp_path / "arm.srdf").write_text(SRDF, encoding="utf-8")
    new = cut_and_assembled(tmp_path / "arm.urdf", at, tmp_path)
    assert_same_robot(read(CHAIN).usable_robot(), new.robot)
    assert new.srdf is not None
    assert elements_of(new.srdf) == elements_of(SRDF.encode())
    assert new.problems == ()


def test_srdf_of_a_module_has_what_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(CHAIN, encoding="utf-8")
    (tmp_path / "else.srdf").write_text(SRDF, encoding="utf-8")
    files = split(read(tmp_path / "arm.urdf"), ["flange"], srdf=tmp_path / "else.srdf").files
    own = {name: data.decode() for name, data in files.items() if name.endswith(".srdf")}
    assert set(own) == {"base.srdf", "flange.srdf", "assembly.srdf"}
    assert '<group name="mount"><joint name="output_connector_flange"/></group>' in own["base.srdf"]
    assert [own["flange.srdf"].count(f'"{name}"') for name in ("open", "only_gripper", "mount", "base")] == [1, 1, 0, 0]
    assert [own["assembly.srdf"].count(f'"{name}"') for name in ("all", "ee", "Never", "open")] == [1, 1, 1, 0]


def test_what_concerns_a_part_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(CHAIN, encoding="utf-8")
    (tmp_path / "arm.srdf").write_text(SRDF, encoding="utf-8")
    cut_and_assembled(tmp_path / "arm.urdf", ["flange"], tmp_path)
    assembly = Assembly.load(tmp_path / ASSEMBLY_FILE)
    assembly.remove("flange")
    robot = assembly.to_urdf()
    assert robot.srdf is not None
    assert b'"hand"' not in robot.srdf.replace(b'parent_frame="hand"', b"")
    assert any("the robot has no 'hand', so <disable_collisions> was left out" in each for each in robot.problems)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "robot: a\nmodules:\n- {use: base.urdf, joint: j}\n",
            ":3: the first module is attached to no joint that 'joint:'",
        ),
        ("robot: a\nsrdf: no.srdf\nmodules:\n- base.urdf\n", "there is no SRDF file .*no.srdf"),
    ],
)
def test_a_joint_or_an_srdf_file_that_can_not_be(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "base.urdf").write_text('<robot name="b"><link name="b"/></robot>', encoding="utf-8")
    with pytest.raises(ModuleError, match=message):
        Assembly.parse(text, folder=tmp_path).to_urdf()


def test_angles_have_no_noise(tmp_path: Path) -> None:
    module = (
        CHAIN.replace("flange", "output_connector")
        .replace('<parent link="upper"/>', ('<origin xyz="0 0 0" rpy="0 1.5708 0"/><parent link="upper"/>'))
        .split('  <joint name="finger"')[0]
        + "</robot>\n"
    )
    (tmp_path / "m.urdf").write_text(module, encoding="utf-8")
    text = (
        Assembly.parse("robot: a\nmodules: [m.urdf, {use: m.urdf, rotate: 90 deg}]\n", folder=tmp_path).to_urdf().text
    )
    assert 'rpy="1.5708 0 1.5707963267948966"' in text
    assert "e-" not in text
