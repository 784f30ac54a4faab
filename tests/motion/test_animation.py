"""The animation page: its numbers are the robot's kinematics, and a browser shows them."""

from __future__ import annotations

import json
import math
import random
import shutil
import struct
import sys
from array import array
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import FIXTURES
from modelica_ast.cli import main
from modelica_ast.simulation import Result
from motion.browser import console_errors, network_requests, open_browser, open_page
from urdf_frontend import BuildOptions, Kinematics, Robot, RobotPackage, build, read, write
from urdf_frontend.motion import AnimationError, Motion, animation_page, find_robot, recorded_motion, sweep, usual_names
from urdf_frontend.motion.motions import joint_range
from urdf_frontend.motion.recordings import RunOptions, simulate_robot
from urdf_frontend.motion.scene import quaternion_of
from urdf_frontend.motion.triangles import Triangles, read_triangles
from urdf_frontend.package import with_base
from urdf_frontend.robot import IDENTITY, JointType, Pose, follows
from urdf_frontend.robot.items import rotation_of_quaternion, rotation_of_rpy
from urdf_frontend.robot.robot import joint_values
from urdf_frontend.urdf.collada import BrokenMeshError

ROBOTS = FIXTURES / "robots"
HOSTILE = "</script><script>alert(1)</script>"


def robot_of(name: str) -> Robot:
    return read(ROBOTS / f"{name}.urdf").usable_robot()


def data_of(page: bytes) -> dict[str, Any]:
    (element,) = html.document_fromstring(page.decode()).xpath("//script[@id='robot-data']")
    data: dict[str, Any] = json.loads(element.text)
    return data


def singles(text: str) -> array[float]:
    return array("f", b64decode(text))


def pose_in_page(link: Mapping[str, Any], time: int) -> Pose:
    numbers = singles(link["poses"])
    row = time if link["rows"] is None else array("I", b64decode(link["rows"]))[time]
    x, y, z, *quaternion = numbers[7 * row : 7 * row + 7]
    return Pose(rotation_of_quaternion(*quaternion), (x, y, z))


def assert_near(one: Pose, other: Pose) -> None:
    for row, other_row in zip(one.matrix, other.matrix, strict=True):
        assert row == pytest.approx(other_row, abs=1e-6)


def assert_shows(page: bytes, robot: Robot, motion: Motion, root: Sequence[Pose] = ()) -> None:
    """Every link of the page is where the kinematics say, at several times."""
    kinematics = Kinematics.of(robot)
    data = data_of(page)
    assert [link["name"] for link in data["links"]] == list(kinematics.order)
    times = array("d", b64decode(data["tracks"][0]["times"]))
    assert times.tolist() == list(motion.times)
    for time in {0, 1, len(times) // 3, len(times) // 2, len(times) - 1}:
        values = {joint["name"]: joint_in_page(joint, time) for joint in data["joints"] if joint["freedoms"]}
        poses = kinematics.forward(values)
        for link in data["links"]:
            base = root[time] if root else IDENTITY
            assert_near(pose_in_page(link, time), base @ poses[link["name"]])


def joint_in_page(joint: Mapping[str, Any], time: int) -> list[float]:
    count = joint["freedoms"]
    return list(singles(joint["values"])[count * time : count * time + count])


# ---------------------------------------------------------------- motions


@pytest.mark.parametrize("name", ["arm", "gripper", "rover"])
def test_a_sweep_shows_the_kinematics(name: str) -> None:
    robot = robot_of(name)
    motion = sweep(robot)
    assert_shows(animation_page(robot, motion, urdf=ROBOTS / f"{name}.urdf"), robot, motion)


def test_a_sweep_goes_through_all_ranges_and_stays_in_them() -> None:
    robot = robot_of("arm")
    values = sweep(robot).values
    assert min(values["elbow"]) == (-1.5,)
    assert max(values["elbow"]) == (1.5,)
    assert max(values["shoulder"]) == pytest.approx((2 * math.pi,))
    assert (min(values["wrist"]), max(values["wrist"])) == ((0.0,), (0.1,))
    for index in range(6):
        assert len({value[index] for value in values["toss"]}) > 5
    assert all(value[-1] == value[0] for value in values.values())


def test_followers_follow_in_a_sweep() -> None:
    robot = robot_of("gripper")
    follower = next(joint for joint in robot.joints if joint.mimic is not None)
    assert follower.mimic is not None
    values = sweep(robot).values
    for value, leader in zip(values[follower.name], values[follower.mimic.joint], strict=True):
        assert value[0] == pytest.approx(follower.mimic.factor * leader[0] + follower.mimic.shift)


def test_a_robot_without_a_root_is_refused() -> None:
    loop = """<robot name="r"><link name="a"/><link name="b"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
      <joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>"""
    robot = read(loop).robot
    assert robot is not None
    with pytest.raises(AnimationError, match="no root link"):
        sweep(robot)


TIMES = [0.0, 0.1, 0.2, 0.3, 0.4]
ROOT = [Pose(rotation_of_rpy(0.1 * t, -0.2 * t, 0.5 * t), (t, 0.5 * t, 0.2)) for t in TIMES]


def joint_columns(robot: Robot, instance: str = "robot") -> dict[str, list[float]]:
    """Values of all joints, as a simulation names them; those of followers fit their leaders."""
    names, columns = usual_names(robot), {}
    kinds = {JointType.PRISMATIC: ["prismatic.s"], JointType.PLANAR: ["planar.s_x", "planar.s_y", "planar.phi"]}
    moving = [joint for joint in robot.joints if joint.type.is_single or joint.type is JointType.PLANAR]
    given = [
        {
            joint.name: [math.sin(time * number + index) for index in range(joint.type.degrees_of_freedom)]
            for number, joint in enumerate(moving, 1)
        }
        for time in TIMES
    ]
    values = [joint_values(robot, each) for each in given]
    for joint in robot.joints:
        prefix = f"{instance}.{names.joint(joint.name).component}"
        for index, part in enumerate(kinds.get(joint.type, ["revolute.phi"]) if joint in moving else []):
            columns[f"{prefix}.{part}"] = [value[joint.name][index] for value in values]
        if joint.type is JointType.FLOATING:
            poses = [Pose(rotation_of_rpy(time, 0.3, -time), (time, 0.0, 1.0)) for time in TIMES]
            columns |= frame_columns(f"{prefix}.floating", "r_rel_a", "R_rel.T", poses)
    return columns


def frame_columns(prefix: str, place: str, matrix: str, poses: Sequence[Pose]) -> dict[str, list[float]]:
    """The matrix of a Modelica frame is the inverse of the pose's."""
    columns = {f"{prefix}.{place}[{i + 1}]": [pose.translation[i] for pose in poses] for i in range(3)}
    for i, j in product(range(3), repeat=2):
        columns[f"{prefix}.{matrix}[{i + 1},{j + 1}]"] = [pose.rotation[j][i] for pose in poses]
    return columns


@pytest.mark.parametrize("name", ["arm", "gripper", "rover"])
@pytest.mark.parametrize("moves", [False, True])
def test_joint_values_of_a_result_show_the_kinematics(name: str, moves: bool) -> None:  # noqa: FBT001  (a case)
    robot = robot_of(name)
    columns = joint_columns(robot)
    if moves:
        columns |= frame_columns("robot.frame_a", "r_0", "R.T", ROOT)
    motion = recorded_motion(find_robot(Result(TIMES, columns), robot, usual_names(robot)), "run")
    assert_shows(animation_page(robot, motion), robot, motion, ROOT if moves else ())
    assert motion.floor == (0.0 if moves else None)
    assert motion.notes == ()


def test_frames_of_links_in_a_result_are_taken_as_they_are() -> None:
    """A package may have other values than the URDF file: then the result is right, and not the file."""
    robot = robot_of("rover")
    names = usual_names(robot)
    columns = joint_columns(robot)
    shown: dict[str, list[Pose]] = {}
    for number, link in enumerate(robot.links):
        shown[link.name] = [Pose(rotation_of_rpy(time, number, 0.0), (number, time, 0.0)) for time in TIMES]
        prefix = f"robot.{names.link(link.name).component}.frame_a"
        columns |= frame_columns(prefix, "r_0", "R.T", shown[link.name])
    motion = recorded_motion(find_robot(Result(TIMES, columns), robot, names), "run")
    data = data_of(animation_page(robot, motion))
    for link in data["links"]:
        for time, pose in enumerate(shown[link["name"]]):
            assert_near(pose_in_page(link, time), pose)


def test_a_robot_is_found_wherever_it_is() -> None:
    robot = robot_of("rover")
    names = usual_names(robot)
    both = {**joint_columns(robot, "cell.left"), **joint_columns(robot, "cell.right")}
    with pytest.raises(AnimationError, match=r"several such robots: cell\.left, cell\.right"):
        find_robot(Result(TIMES, both), robot, names)
    assert find_robot(Result(TIMES, both), robot, names, "cell.right").instance == "cell.right"
    with pytest.raises(AnimationError, match=r"in 'cell'; there are some in 'cell\.left', 'cell\.right'"):
        find_robot(Result(TIMES, both), robot, names, "cell")
    bare = {name.removeprefix("robot."): column for name, column in joint_columns(robot).items()}
    assert find_robot(Result(TIMES, bare), robot, names).instance == ""
    with pytest.raises(AnimationError, match=r"such as robot\.left_wheel_joint\.revolute\.phi"):
        find_robot(Result(TIMES, {"x": TIMES}), robot, names)


def test_what_a_result_lacks_is_told() -> None:
    robot = robot_of("rover")
    columns = joint_columns(robot)
    del columns["robot.left_wheel_joint.revolute.phi"]
    columns["robot.right_wheel_joint.revolute.phi"][3] = math.nan
    motion = recorded_motion(find_robot(Result(TIMES, columns), robot, usual_names(robot)), "run")
    assert list(motion.times) == TIMES[:3]
    assert motion.notes == (
        "The result is not finite from 0.3 s on; it is shown up to there.",
        "Not in the result, so shown at 0: left_wheel_joint.",
    )


def test_many_times_are_thinned_out() -> None:
    robot = robot_of("rover")
    times = [0.001 * count for count in range(5001)]
    columns = {f"robot.{side}_wheel_joint.revolute.phi": times for side in ("left", "right")}
    motion = recorded_motion(find_robot(Result(times, columns), robot, usual_names(robot)), "run", most_frames=101)
    assert len(motion.times) == 101
    assert (motion.times[0], motion.times[-1]) == (0.0, 5.0)
    assert motion.values["left_wheel_joint"][7] == (motion.times[7],)
    assert motion.notes == ("Of 5,001 times of the result 101 are shown.",)


def test_names_of_a_package_are_used() -> None:
    package = RobotPackage.open(ROBOTS / "packages" / "DeskArm")
    assert package.names.link("upper.arm").component in {"'upper.arm'", "upper_arm"}
    assert package.model() == "DeskArm.DeskArmTest"
    assert package.model("Other") == "DeskArm.Other"


@pytest.mark.parametrize("angles", [(0, 0, 0), (3.1, 0.2, -0.4), (0.1, 3.1, 0), (0, 0.3, 3.14), (2, -1.5, 2.5)])
def test_quaternions_are_exact(angles: tuple[float, float, float]) -> None:
    rotation = rotation_of_rpy(*angles)
    again = rotation_of_quaternion(*quaternion_of(rotation))
    for row, other in zip(rotation, again, strict=True):
        assert row == pytest.approx(other, abs=1e-12)


# ---------------------------------------------------------------- meshes

CORNERS = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 4.0)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
 <source id="s"><float_array id="f" count="12">{points}</float_array>
  <technique_common><accessor source="#f" count="4" stride="3"/></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{faces}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><translate>0 0 2</translate><scale>2 2 2</scale>
 <node><rotate>0 0 1 90</rotate><translate>0 0 -1</translate><rotate>0 0 1 -90</rotate>
  <instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes></COLLADA>"""
INPUTS = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>'
INDICES = " ".join(f"0 {index}" for face in FACES for index in face)


def binary_stl() -> bytes:
    facets = b"".join(
        struct.pack("<12x9f2x", *(number for index in face for number in CORNERS[index])) for face in FACES
    )
    return b"solid no text\0".ljust(80, b"\0") + struct.pack("<I", len(FACES)) + facets


def ascii_stl() -> bytes:
    lines = ["solid a"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y:e} {z}" for x, y, z in (CORNERS[index] for index in face)]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid a"]).encode()


def obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + ["vn 0 0 1"]
    lines += ["f 1//1 3//1 2//1", "f 1 2 4", "f -3/1 -2/2 -1/3", "f 1/1/1 4/1/1 3/1/1"]
    return "\n".join(lines).encode()


def dae(faces: str) -> bytes:
    points = " ".join(str(number) for corner in CORNERS for number in corner)
    return DAE.format(points=points, faces=faces).encode()


MESHES = {
    "binary.stl": binary_stl(),
    "text.stl": ascii_stl(),
    "wave.obj": obj(),
    "triangles.dae": dae(f'<triangles count="4">{INPUTS}<p>{INDICES}</p></triangles>'),
    "list.dae": dae(f'<polylist count="4">{INPUTS}<vcount>3 3 3 3</vcount><p>{INDICES}</p></polylist>'),
}


def corners_of(triangles: Triangles) -> list[tuple[tuple[float, ...], ...]]:
    points = [tuple(triangles.points[at : at + 3]) for at in range(0, len(triangles.points), 3)]
    numbers = triangles.indices
    return [tuple(points[index] for index in numbers[at : at + 3]) for at in range(0, len(numbers), 3)]


@pytest.mark.parametrize("name", MESHES)
def test_all_formats_have_the_same_triangles(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(MESHES[name])
    scales = (10.0, 1.0, -0.5)
    expected = [
        tuple((x * scales[0], y * scales[1], z * scales[2]) for x, y, z in (CORNERS[index] for index in face))
        for face in FACES
    ]
    assert len(read_triangles(path).points) == 12  # each corner once
    for found, wanted in zip(corners_of(read_triangles(path, scales)), expected, strict=True):
        assert [pytest.approx(corner, abs=1e-6) for corner in wanted] == list(found)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cut.stl", binary_stl()[:-7], "cut off"),
        ("none.stl", b"solid a\nendsolid a\n", "no points"),
        ("bad.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 9\n", "does not exist: 9"),
        ("zero.obj", b"v 0 0 0\nf 0 1 1\n", "does not exist: 0"),
        ("far.obj", b"v 0 0 1e300\nv 0 0 0\nv 1 0 0\nf 1 2 3\n", "too far away"),
        ("bad.dae", dae(f"<triangles>{INPUTS}<p>0 9 0 1 0 2</p></triangles>"), "does not exist"),
        ("word.dae", dae(f"<triangles>{INPUTS}<p>x y z</p></triangles>"), "can't be read"),
        ("what.ply", b"ply\n", "not known"),
    ],
)
def test_broken_meshes_are_told(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BrokenMeshError, match=message):
        read_triangles(path)


def test_a_scene_that_contains_itself_ends(tmp_path: Path) -> None:
    path = tmp_path / "circle.dae"
    loop = '<node id="n"><instance_node url="#n"/><instance_node url="#n"/><rotate>'
    path.write_bytes(dae("").replace(b"<node><rotate>", loop.encode()))
    with pytest.raises(BrokenMeshError, match="nodes"):
        read_triangles(path)


def mesh_robot(folder: Path) -> Robot:
    for name, content in MESHES.items():
        (folder / name).write_bytes(content)
    visuals = "".join(
        f'<visual><origin xyz="{number} 0 0"/><geometry><mesh filename="{name}" scale=".1 .1 .1"/></geometry></visual>'
        for number, name in enumerate([*MESHES, "binary.stl", "gone.stl"])
    )
    collision = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    lost = f'<visual><geometry><mesh filename="gone.stl"/></geometry></visual>{collision}'
    text = f"""<robot name="meshes"><link name="a">{visuals}{collision}</link><link name="b">{lost}</link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    robot = read(folder / "robot.urdf").robot
    assert robot is not None
    return robot


def test_meshes_are_in_the_page_once_and_the_lost_ones_are_listed(tmp_path: Path) -> None:
    robot = mesh_robot(tmp_path)
    data = data_of(animation_page(robot, sweep(robot), urdf=tmp_path / "robot.urdf"))
    assert len(data["meshes"]) == len(MESHES)
    assert max(singles(data["meshes"][0]["points"])) == pytest.approx(0.4)
    base, upper = data["links"]
    assert [part["mesh"] for part in base["parts"] if part["role"] == "visual"] == [0, 1, 2, 3, 4, 0]
    assert [part["role"] for part in upper["parts"]] == ["stand-in"]
    assert base["parts"][-1]["role"] == "collision"
    assert data["missing"] == 2
    *lost, replaced = data["notes"]
    assert [note.partition(":")[0] for note in lost] == ["Link a", "Link b"]
    assert all("gone.stl" in note for note in lost)
    assert replaced == "Collision shapes stand in for the visuals of b."


def test_primitives_and_colours_are_in_the_page() -> None:
    robot = robot_of("arm")
    data = data_of(animation_page(robot, sweep(robot), urdf=ROBOTS / "arm.urdf"))
    parts = [part for link in data["links"] for part in link["parts"] if part["role"] == "visual"]
    assert [part["shape"] for part in parts] == ["box", "cylinder", "capsule", "mesh", "sphere", "sphere"]
    assert parts[0]["size"] == [0.3, 0.3, 0.04]
    assert parts[1]["colour"] == [0, 0.3, 0.9, 1]
    assert (parts[2]["radius"], parts[2]["length"]) == (0.04, 0.32)
    assert data["notes"] == []


def test_what_is_too_far_or_too_large_is_told() -> None:
    text = """<robot name="r"><link name="a">
      <visual><geometry><sphere radius="1e300"/></geometry></visual>
      <visual><origin xyz="0 0 1e300"/><geometry><sphere radius="1"/></geometry></visual></link>{more}</robot>"""
    robot = read(text.format(more="")).robot
    assert robot is not None
    data = data_of(animation_page(robot, sweep(robot)))
    assert data["links"][0]["parts"] == []
    assert data["notes"] == [
        "The robot has no joint that moves.",
        "Link a: a shape is too large to be shown.",
        "Link a: a shape is too far away to be shown.",
    ]
    far = """<link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/>
      <origin xyz="1e300 0 0"/></joint>"""
    robot = read(text.format(more=far)).robot
    assert robot is not None
    with pytest.raises(AnimationError, match="link 'b' is too far away"):
        animation_page(robot, sweep(robot))


# ---------------------------------------------------------------- the page in a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with open_browser(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


def show(browser: Chrome, folder: Path, page: bytes) -> None:
    path = folder / "page.html"
    path.write_bytes(page)
    open_page(browser, path)
    drawn(browser)


def drawn(browser: Chrome) -> None:
    """Wait until what was changed has been drawn."""
    browser.execute_async_script(
        """
        const done = arguments[0];
        const look = () => (viewer.isWaiting && !viewer.isPlaying ? requestAnimationFrame(look) : setTimeout(done, 0));
        requestAnimationFrame(() => requestAnimationFrame(look));
        """
    )


def picture(browser: Chrome) -> str:
    drawn(browser)
    return str(browser.execute_script("return document.getElementById('canvas').toDataURL()"))


def colours(browser: Chrome) -> int:
    """How many different colours the canvas has."""
    return int(
        browser.execute_script("""
            const from = document.getElementById("canvas");
            const to = document.createElement("canvas");
            [to.width, to.height] = [from.width, from.height];
            const context = to.getContext("2d");
            context.drawImage(from, 0, 0);
            return new Set(new Uint32Array(context.getImageData(0, 0, to.width, to.height).data.buffer)).size;
        """)
    )


def set_slider(browser: Chrome, share: float) -> None:
    browser.execute_script(
        """
        const slider = document.getElementById("time");
        slider.value = Number(slider.min) + arguments[0] * (slider.max - slider.min);
        slider.dispatchEvent(new Event("input"));
        """,
        share,
    )


def text_of(browser: Chrome, name: str) -> str:
    return str(browser.find_element(By.ID, name).get_attribute("textContent"))


def arm_page() -> bytes:
    robot = robot_of("arm")
    return animation_page(robot, sweep(robot), urdf=ROBOTS / "arm.urdf")


def test_the_page_shows_a_robot_that_the_slider_moves(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, arm_page())
    assert browser.title == "desk-arm – joint sweep"
    assert browser.execute_script("return document.documentElement.dataset.drawn") == "WebGL"
    assert colours(browser) > 500
    first = picture(browser)
    set_slider(browser, 0.12)
    assert picture(browser) != first
    assert text_of(browser, "clock") == "2.88 of 24.00 s"
    (value,) = browser.find_elements(By.CSS_SELECTOR, "[data-joint=elbow] .joint-number")
    assert value.text == f"{browser.execute_script('return viewer.robot.joints[1].value[0]'):.3f} rad"
    set_slider(browser, 0)
    assert picture(browser) == first
    assert console_errors(browser) == []
    assert network_requests(browser) == []


def test_the_browser_puts_links_where_the_kinematics_do(browser: Chrome, tmp_path: Path) -> None:
    robot = robot_of("arm")
    motion = sweep(robot)
    show(browser, tmp_path, animation_page(robot, motion))
    row = len(motion.times) // 5
    browser.execute_script("viewer.setTime(arguments[0])", motion.times[row])
    matrices = browser.execute_script("return viewer.robot.links.map((link) => [link.name, link.matrix])")
    for name, numbers in matrices:
        pose = motion.poses[name][row]
        columns = [[*column, 0.0] for column in zip(*pose.rotation, strict=True)] + [[*pose.translation, 1.0]]
        assert numbers == pytest.approx([number for column in columns for number in column], abs=1e-6)


MOVE_BY_HAND = """
  for (const [name, index, value] of arguments[0]) {
    const row = [...document.querySelectorAll("[data-joint]")].find((each) => each.dataset.joint === name);
    const slider = row.querySelectorAll("input")[index];
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }
  return [...document.querySelectorAll("#joint-rows input")].map((each) => [each.value, each.disabled]);
"""


@pytest.mark.parametrize("name", ["arm", "gripper", "verify/all_types"])
def test_joints_are_moved_by_hand(name: str, browser: Chrome, tmp_path: Path) -> None:
    """Links are where the kinematics say, and limits and followers are kept."""
    robot = robot_of(name)
    kinematics = Kinematics.of(robot)
    rng = random.Random(name)  # noqa: S311  (the same one each time)
    values: dict[str, tuple[float, ...]] = {}
    moves: list[tuple[str, int, float]] = []
    for joint in kinematics.joint_order():
        if joint.type.degrees_of_freedom and not follows(joint):
            ranges = [joint_range(joint, index) for index in range(joint.type.degrees_of_freedom)]
            if joint.type is JointType.CONTINUOUS:
                ranges = [(-math.pi, math.pi)]
            wanted = [rng.uniform(low - 0.2 * (high - low), high + 0.2 * (high - low)) for low, high in ranges]
            moves += [(joint.name, index, value) for index, value in enumerate(wanted)]
            values[joint.name] = tuple(
                min(max(value, low), high) for value, (low, high) in zip(wanted, ranges, strict=True)
            )
    show(browser, tmp_path, animation_page(robot, sweep(robot)))
    set_slider(browser, 0.3)
    before = browser.execute_script("return viewer.robot.links.map((link) => link.matrix)")
    disabled = sum(is_disabled for _, is_disabled in browser.execute_script(MOVE_BY_HAND, moves))
    assert disabled == sum(map(follows, robot.joints))
    assert text_of(browser, "clock") == "by hand"
    poses = kinematics.forward(values)
    for link, numbers in browser.execute_script("return viewer.robot.links.map((link) => [link.name, link.matrix])"):
        pose = poses[link]
        columns = [[*column, 0.0] for column in zip(*pose.rotation, strict=True)] + [[*pose.translation, 1.0]]
        assert numbers == pytest.approx([number for column in columns for number in column], abs=1e-6)
    browser.find_element(By.ID, "release").click()
    assert browser.execute_script("return viewer.robot.links.map((link) => link.matrix)") == before
    assert not browser.find_element(By.ID, "release").is_displayed()
    assert console_errors(browser) == []


def hover(browser: Chrome, place: str) -> list[str]:
    """Put the pointer on a place of the robot, given in JavaScript; the lines of what is shown there."""
    x, y = browser.execute_script(f"return viewer.onScreen({place})")
    canvas = browser.find_element(By.ID, "canvas")
    size = canvas.size
    left, top = round(x - size["width"] / 2), round(y - size["height"] / 2)
    ActionChains(browser).move_to_element_with_offset(canvas, left, top).perform()
    drawn(browser)
    tooltip = browser.find_element(By.ID, "tooltip")
    return [] if tooltip.get_attribute("hidden") else tooltip.text.split("\n")


@pytest.mark.slow
def test_what_is_pointed_at_says_its_name(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, arm_page())
    elbow = "viewer.jointPlace(viewer.robot.joints.find((joint) => joint.name === 'elbow'))"
    assert hover(browser, elbow) == ["joint elbow", "revolute", "upper.arm → fore-arm", "0.000 rad 0.0°"]
    middle = "Mat.point(viewer.robot.links[1].matrix, [0, 0, 0.2])"
    assert hover(browser, middle) == ["link upper.arm", "on joint shoulder (continuous): 0.000 rad"]
    assert hover(browser, "[0, 0.12, 0.02]")[0] == "link base"
    assert hover(browser, "[0.6, 0.9, 0]") == []


@pytest.mark.slow
def test_keys_buttons_and_the_mouse(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, arm_page())
    canvas = browser.find_element(By.ID, "canvas")
    first = picture(browser)
    canvas.send_keys(Keys.ARROW_RIGHT)
    assert browser.execute_script("return viewer.robot.time") == pytest.approx(2 / 32)
    canvas.send_keys(Keys.HOME)
    ActionChains(browser).move_to_element(canvas).click_and_hold().move_by_offset(150, 40).release().perform()
    assert picture(browser) != first
    canvas.send_keys("r")
    ActionChains(browser).move_to_element_with_offset(canvas, -500, 200).perform()
    assert picture(browser) == first
    for key in "svct":
        before = picture(browser)
        canvas.send_keys(key)
        assert picture(browser) != before, key
    canvas.send_keys("l")
    drawn(browser)
    assert {span.text for span in browser.find_elements(By.CSS_SELECTOR, "#labels span")} >= {"shoulder", "elbow"}
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    browser.find_element(By.ID, "ask").click()
    assert browser.find_element(By.ID, "help").is_displayed()
    browser.find_element(By.ID, "play").click()
    drawn(browser)
    drawn(browser)
    browser.execute_script("document.getElementById('play').click()")  # a mouse would wait for the picture
    assert browser.execute_script("return viewer.robot.time") > 0
    assert not browser.execute_script("return viewer.isPlaying")
    assert console_errors(browser) == []


def test_names_are_never_markup(browser: Chrome, tmp_path: Path) -> None:
    name = HOSTILE.replace("<", "&lt;")
    text = f"""<robot name="{name}"><link name="{name}"/>
      <link name="&amp;&quot;'&#x2028;\\"><visual><geometry><mesh filename="{name}.stl"/></geometry></visual></link>
      <joint name="&lt;!--{name}" type="prismatic"><parent link="{name}"/><child link="&amp;&quot;'&#x2028;\\"/>
      <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>"""
    robot = read(text).robot
    assert robot is not None
    page = animation_page(robot, sweep(robot), urdf=tmp_path / "robot.urdf")
    assert data_of(page)["joints"][0]["name"] == f"<!--{HOSTILE}"
    assert page.count(b"<script") == page.count(b"</script>") == 12
    show(browser, tmp_path, page)
    assert text_of(browser, "robot-name") == HOSTILE
    assert browser.title.startswith(HOSTILE)
    assert browser.find_element(By.CSS_SELECTOR, ".joint-name").text == f"<!--{HOSTILE}"
    assert HOSTILE in text_of(browser, "notes-list")
    assert text_of(browser, "notes-count") == "1 shape can't be shown · 1 note"
    assert console_errors(browser) == []


def test_limits_that_are_violated_are_marked(browser: Chrome, tmp_path: Path) -> None:
    robot = robot_of("arm")
    columns = joint_columns(robot)
    columns["robot.elbow.revolute.phi"] = [0.0, 1.0, 1.5, 1.6, 1.7]
    motion = recorded_motion(find_robot(Result(TIMES, columns), robot, usual_names(robot)), "run")
    show(browser, tmp_path, animation_page(robot, motion))
    marked = []
    for share in (0.0, 0.5, 1.0):
        set_slider(browser, share)
        drawn(browser)
        rows = browser.find_elements(By.CSS_SELECTOR, ".joint.violated")
        marked.append("elbow" in {row.get_attribute("data-joint") for row in rows})
    assert marked == [False, False, True]


def test_a_robot_that_travels_is_followed(browser: Chrome, tmp_path: Path) -> None:
    robot = robot_of("rover")
    far = [Pose(IDENTITY.rotation, (100 * time, 0.0, 0.15)) for time in TIMES]
    columns = joint_columns(robot) | frame_columns("robot.frame_a", "r_0", "R.T", far)
    motion = recorded_motion(find_robot(Result(TIMES, columns), robot, usual_names(robot)), "run")
    show(browser, tmp_path, animation_page(robot, motion))
    first = browser.execute_script("return viewer.onScreen(viewer.rootPlace())")
    set_slider(browser, 1.0)
    assert browser.execute_script("return viewer.onScreen(viewer.rootPlace())") == pytest.approx(first, abs=0.5)
    assert browser.execute_script("return viewer.rootPlace()") == pytest.approx([40, 0, 0.15], abs=1e-5)
    assert colours(browser) > 300


def test_a_browser_without_webgl_shows_it_too(browser: Chrome, tmp_path: Path) -> None:
    script = """const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : get.call(this, kind, ...rest); };"""
    command = "Page.addScriptToEvaluateOnNewDocument"
    added = browser.execute_cdp_cmd(command, {"source": script})
    try:
        show(browser, tmp_path, arm_page())
        assert browser.execute_script("return document.documentElement.dataset.drawn") == "Canvas"
        assert colours(browser) > 100
        first = picture(browser)
        set_slider(browser, 0.12)
        assert picture(browser) != first
        assert console_errors(browser) == []
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


# ---------------------------------------------------------------- several robots, several runs


def columns_of(robot: Robot, size: float, times: Sequence[float], before: str = "robot") -> dict[str, list[float]]:
    """Every joint with one value moves by some size in a second."""
    names = usual_names(robot)
    columns = {}
    for joint in robot.joints:
        if joint.type.is_single:
            value = "revolute.phi" if joint.type.is_rotational else "prismatic.s"
            columns[f"{before}.{names.joint(joint.name).component}.{value}"] = [size * time for time in times]
    return columns


def write_run(robot: Robot, file: str, size: float, times: Sequence[float]) -> None:
    Result(list(times), columns_of(robot, size, times)).write_csv(file)


def test_two_runs_are_compared(browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    robot = robot_of("verify/six_axis_arm")
    write_run(robot, "one.csv", 0.1, [0.0, 1.0, 2.0, 3.0])
    write_run(robot, "other.csv", 0.3, [0.0, 0.5, 1.0])
    call = ["urdf", "animate", str(ROBOTS / "verify" / "six_axis_arm.urdf"), "-o", "page.html", "-q"]
    assert main([*call, "--result", "one.csv", "--compare", "other.csv"]) == 0
    show(browser, tmp_path, Path("page.html").read_bytes())
    browser.execute_script("viewer.setTime(2)")
    drawn(browser)
    joints = browser.execute_script("return viewer.robot.joints.map((each) => [each.name, each.shadows, each.value])")
    first = {name: value for name, shadows, value in joints if shadows is None and value}
    other = {name: value for name, shadows, value in joints if shadows is not None and value}
    assert first.keys() == other.keys()
    # The other run has ended at 1 s, and stays where it was.
    assert all(value == pytest.approx([0.2], abs=1e-6) for value in first.values())
    assert all(value == pytest.approx([0.3], abs=1e-6) for value in other.values())
    rows = browser.find_elements(By.CSS_SELECTOR, "#joint-rows .joint")
    assert [row.get_attribute("data-joint") for row in rows] == list(first)
    assert rows[0].find_element(By.CSS_SELECTOR, ".joint-shadow").text == "0.300 rad (+0.100)"
    both = picture(browser)
    browser.find_element(By.ID, "show-shadow").click()
    assert picture(browser) != both
    # By hand only the first run moves.
    browser.execute_script(MOVE_BY_HAND, [[next(iter(first)), 0, -0.5]])
    values = browser.execute_script("return viewer.robot.joints.map((each) => each.value[0] ?? null)")
    assert values.count(-0.5) == 1
    assert console_errors(browser) == []


def test_robots_stand_side_by_side(browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [str(ROBOTS / f"{name}.urdf") for name in ("arm", "gripper", "arm")]
    assert main(["urdf", "animate", *files, "-o", "page.html", "-q"]) == 0
    show(browser, tmp_path, Path("page.html").read_bytes())
    assert text_of(browser, "robot-name") == "desk-arm, gripper, desk-arm 2"
    widths = browser.execute_script("""
        return ["desk-arm.", "gripper.", "desk-arm 2."].map((name) => {
          const places = [];
          const links = viewer.robot.links.filter((link) => link.name.startsWith(name));
          for (let time = 0; time <= viewer.robot.end; time += 0.5) {
            viewer.setTime(time);
            places.push(...links.map((link) => Mat.place(link.matrix)[1]));
          }
          return [Math.min(...places), Math.max(...places)];
        });
    """)
    assert widths[0][1] < widths[1][0] <= widths[1][1] < widths[2][0]
    # Followers follow their own robot.
    assert browser.execute_script(MOVE_BY_HAND, [["gripper.screw", 0, 1.0], ["desk-arm 2.elbow", 0, 0.5]])
    joints = browser.execute_script("return viewer.robot.joints.map((each) => [each.name, each.value[0] ?? 0])")
    values = dict(joints)
    assert values["gripper.left"] == pytest.approx(0.003 * 1.0)
    assert (values["desk-arm.elbow"], values["desk-arm 2.elbow"]) == pytest.approx((0.0, 0.5))
    assert console_errors(browser) == []


def test_robots_of_one_result_are_where_it_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    robot, times = robot_of("arm"), [0.0, 1.0]
    columns = columns_of(robot, 0.1, times, "cell.left") | columns_of(robot, 0.2, times, "cell.right")
    columns |= frame_columns("cell.right.frame_a", "r_0", "R.T", [Pose(IDENTITY.rotation, (3.0, 0.0, 0.0))] * 2)
    Result(times, columns).write_csv("cell.csv")
    call = ["urdf", "animate", str(ROBOTS / "arm.urdf"), "--result", "cell.csv", "-o", "page.html", "-q"]
    assert main([*call, "--instance", "cell.left", "--instance", "cell.right"]) == 0
    data = data_of(Path("page.html").read_bytes())
    last = {joint["name"]: list(singles(joint["values"]))[-1] for joint in data["joints"] if joint["freedoms"] == 1}
    assert (last["cell.left.elbow"], last["cell.right.elbow"]) == pytest.approx((0.1, 0.2))
    places = {link["name"]: pose_in_page(link, 0).translation for link in data["links"]}
    assert (places["cell.left.base"], places["cell.right.base"]) == ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["arm.urdf", "--compare", "b.csv"], "name the robot's package with --package, or a result with --result"),
        (["arm.urdf", "arm.urdf", "--instance", "a", "--instance", "b", "--instance", "c"], "FILE is given 2 times"),
        (["arm.urdf", "--instance", "a"], "--instance is for a simulation"),
        (["arm.urdf", "cell.yaml"], "a cell is shown by itself"),
    ],
)
def test_robots_that_do_not_fit_are_refused(
    options: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROBOTS / "arm.urdf", tmp_path)
    assert main(["urdf", "animate", *options]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("*.html"))


def test_meshes_that_a_build_has_copied_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "src" / "desk_description"
    folder.mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>desk_description</name></package>")
    (folder / "box.stl").write_bytes(binary_stl())
    text = """<robot name="desk"><link name="top"><visual><geometry>
      <mesh filename="package://desk_description/box.stl"/></geometry></visual></link></robot>"""
    Path("desk.urdf").write_text(text)
    assert main(["urdf", "build", "desk.urdf", "--package-dir", "src", "-q"]) == 0
    shutil.rmtree("src")

    def shown(*options: str) -> int:
        assert main(["urdf", "animate", *options, "-o", "page.html", "-q"]) == 0
        data = data_of(Path("page.html").read_bytes())
        assert len(data["meshes"]) + sum("desk_description" in note for note in data["notes"]) == 1
        return len(data["meshes"])

    assert shown("desk.urdf") == 0
    assert shown("desk/Resources/urdf/desk.urdf") == 1
    Result([0.0, 1.0], frame_columns("robot.top.frame_a", "r_0", "R.T", [IDENTITY] * 2)).write_csv("run.csv")
    assert shown("desk.urdf", "--package", "desk", "--result", "run.csv") == 1
    # What is no copy is not shown, whatever the package says of it.
    (tmp_path / "secret.stl").write_bytes(binary_stl())
    copy = tmp_path / "desk" / "Resources" / "Meshes" / "box.stl"
    copy.unlink()
    copy.symlink_to(tmp_path / "secret.stl")
    assert shown("desk/Resources/urdf/desk.urdf") == 0


# ---------------------------------------------------------------- with a simulation

PENDULUM = """<robot name="pendulum"><link name="base">{mass}</link>
  <link name="upper.arm">{mass}<visual><geometry><sphere radius="0.1"/></geometry></visual></link>
  <joint name="swing" type="continuous"><parent link="base"/><child link="upper.arm"/>
    <origin xyz="0.1 0.2 1" rpy="0.5 -0.2 0.3"/><axis xyz="0 0.6 0.8"/></joint></robot>"""
MASS = """<inertial><origin xyz="0 0 -0.25"/><mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>"""


@pytest.mark.parametrize("stationary", [True, pytest.param(False, marks=pytest.mark.corpus)])
@pytest.mark.usefixtures("msl")
def test_a_simulated_robot_is_where_the_kinematics_say(stationary: bool, tmp_path: Path) -> None:  # noqa: FBT001  (a case)
    """The frames that the simulation computes, and those of the kinematics at its joint values, are the same."""
    pytest.importorskip("rumoca")
    read_robot = read(PENDULUM.format(mass=MASS))
    robot = read_robot.usable_robot()
    options = BuildOptions(name="Pendulum", into=tmp_path, stationary=stationary)
    write(with_base(build(robot, options), read_robot, options), tmp_path)
    package = RobotPackage.open(tmp_path / "Pendulum")
    wanted = RunOptions(model="PendulumRun", stop=0.5, step=0.1, parameters={"robot.swing.q_start": 0.7})
    result = simulate_robot(package, robot, wanted)
    assert result["robot.swing.revolute.phi"][0] == pytest.approx(0.7)
    assert abs(result.last("robot.swing.revolute.phi") - 0.7) > 0.01 or not stationary
    motion = recorded_motion(find_robot(result, robot, package.names), package.model())
    frames = [name for name in result.names if ".upper_arm.frame_a." in name]
    assert len(frames) == 12
    joints = result.only([name for name in result.names if name not in frames])
    computed = recorded_motion(find_robot(joints, robot, package.names), "by joint values")
    for link, poses in motion.poses.items():
        for pose, other in zip(poses, computed.poses[link], strict=True):
            assert_near(pose, other)
    fallen = motion.poses["base"][-1].translation[2]
    assert fallen == pytest.approx(0.0 if stationary else -9.81 * 0.5**2 / 2, abs=0.1)
    assert motion.floor == (None if stationary else 0.0)


# ---------------------------------------------------------------- backends


@pytest.fixture
def arm_package(tmp_path: Path) -> Path:
    """A package whose test model nobody needs to compile: a stand-in for OpenModelica says what it has."""
    urdf = FIXTURES / "cli" / "urdf-animate" / "files" / "arm.urdf"
    write(build(read(urdf).usable_robot(), BuildOptions(name="Arm", into=tmp_path, urdf=urdf)), tmp_path)
    return tmp_path / "Arm"


@pytest.mark.parametrize("command", ["animate", "plot"])
def test_openmodelica_moves_a_robot(
    command: str, arm_package: Path, msl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert msl.is_dir()
    folder = arm_package.parent
    script = folder / "omc"
    fake = Path(__file__).parents[1] / "simulation" / "fake_omc.py"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("FAKE_OMC_LOG", str(folder / "log"))
    monkeypatch.setenv("FAKE_OMC_VARIABLES", "robot.shoulder.revolute.phi robot.shoulder.revolute.w")
    output = folder / ("run.html" if command == "animate" else "run.png")
    urdf = FIXTURES / "cli" / "urdf-animate" / "files" / "arm.urdf"
    words = ["urdf", command, str(urdf), "--package", str(arm_package), "--backend", "omc", "--stop", "1"]
    for number in range(2):
        assert main([*words, "-o", str(output)]) == 0
        assert ("done before" in capsys.readouterr().err) == bool(number)
    assert output.stat().st_size > 1000
    assert (folder / "log").read_text(encoding="utf-8").split() == ["compile.mos"]


@pytest.mark.parametrize("words", [["animate"], ["plot"], ["report", "--verify"]])
def test_without_openmodelica(
    words: list[str], arm_package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(arm_package))
    urdf = FIXTURES / "cli" / "urdf-animate" / "files" / "arm.urdf"
    command, *more = words
    output = str(arm_package.parent / "out.png")
    call = ["urdf", command, str(urdf), "--package", str(arm_package), *more, "--backend", "omc", "-o", output]
    assert main(call) != 0
    assert "'omc' is not on the PATH" in capsys.readouterr().err
