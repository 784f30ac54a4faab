"""How links hang together, where they are, and drawings of that."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterable

import pytest
from lxml import etree

from conftest import FIXTURES
from urdf_frontend import Kinematics, read
from urdf_frontend.robot import Origin, Pose, Vector, tree_lines, tree_svg
from urdf_frontend.robot.robot import plane_of


def robot(*joints: str, links: Iterable[str] = "abcdef") -> Kinematics:
    """`a-b fixed` is a joint named `ab`; what follows is inside of it."""
    texts = [f'<link name="{link}"/>' for link in links]
    for joint in joints:
        ends, kind, *inside = joint.split(" ", 2)
        parent, child = ends.split("-")
        texts.append(f'<joint name="{parent}{child}" type="{kind}">{"".join(inside)}')
        texts.append(f'<parent link="{parent}"/><child link="{child}"/></joint>')
    found = read(f'<robot name="r">{"".join(texts)}</robot>').robot
    assert found is not None
    return Kinematics.of(found)


def test_a_tree() -> None:
    tree = robot("a-c fixed", "b-d fixed", "a-b fixed", "b-e fixed", "c-f fixed")
    assert tree.is_tree
    assert (tree.roots, tree.leaves) == (("a",), ("d", "e", "f"))
    assert tree.order == ("a", "c", "f", "b", "d", "e")
    assert [joint.name for joint in tree.joint_order()] == ["ac", "cf", "ab", "bd", "be"]
    assert [[joint.name for joint in chain] for chain in tree.chains()] == [["ab", "bd"], ["ab", "be"], ["ac", "cf"]]
    assert (tree.loops, tree.closing, tree.unreachable) == ((), (), ())


def test_a_tree_with_a_loop_and_circles_beside() -> None:
    tree = robot("a-b fixed", "b-a fixed", "c-d fixed", "d-e fixed", "c-e fixed", "b-f fixed")
    assert not tree.is_tree
    assert tree.roots == ("c",)
    assert tree.order == ("c", "d", "e")
    assert [joint.name for joint in tree.closing] == ["ce"]
    assert tree.unreachable == ("a", "b", "f")
    assert tree.loops == (("b", "a"),)
    assert [joint.name for joint in tree.chain("f")] == ["ba", "ab", "bf"]
    assert list(tree_lines(tree)) == [
        "c",
        "└─ cd (fixed) ─ d",
        "   └─ de (fixed) ─ e",
        "closes a loop: c ─ ce (fixed) ─ e",
        "a circle: b ─ a ─ b",
        "is attached to a circle: b ─ bf (fixed) ─ f",
    ]


def close(pose: Pose, translation: tuple[float, float, float], angles: tuple[float, float, float]) -> bool:
    pairs = zip((*pose.translation, *pose.angles), (*translation, *angles), strict=True)
    return all(math.isclose(a, b, abs_tol=1e-12) for a, b in pairs)


def test_joints_of_all_types_move() -> None:
    tree = robot(
        'a-b revolute <origin xyz="1 0 0"/><axis xyz="0 0 2"/>',
        'b-c prismatic <axis xyz="0 3 0"/>',
        "c-d planar <axis xyz='0 0 1'/>",
        "d-e floating",
    )
    half = math.pi / 2
    poses = tree.forward({"ab": half, "bc": 2.0, "cd": (1.0, 2.0, -half), "de": (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)})
    assert close(poses["b"], (1, 0, 0), (0, 0, half))
    assert close(poses["c"], (-1, 0, 0), (0, 0, half))
    assert close(poses["d"], (-3, 1, 0), (0, 0, 0))
    assert close(poses["e"], (-2, 3, 3), (0.1, 0.2, 0.3))
    assert tree.forward()["e"].translation == (1.0, 0.0, 0.0)


def test_joints_follow_those_that_they_mimic() -> None:
    axis = '<axis xyz="1 0 0"/>'
    tree = robot(
        f'a-b prismatic {axis}<mimic joint="bc" multiplier="2" offset="1"/>',
        f'b-c prismatic {axis}<mimic joint="cd" offset="1"/>',
        f"c-d prismatic {axis}",
        f'd-e prismatic {axis}<mimic joint="nobody" offset="100"/>',
    )
    poses = tree.forward({"cd": 10.0, "ab": 5.0})  # 23, 11, 10 and 100; what is said of `ab` does not count
    assert [poses[link].translation[0] for link in "bcde"] == [23.0, 34.0, 44.0, 144.0]


def test_joints_that_mimic_in_a_circle_end() -> None:
    tree = robot('a-b continuous <mimic joint="bc"/>', 'b-c continuous <mimic joint="ab"/>')
    assert set(tree.forward({"ab": 1.0})) == set("abcdef")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"xy": 1.0}, "there is no joint 'xy'"),
        ({"ab": (1.0, 2.0)}, "joint 'ab' takes 1 numbers, not 2"),
        ({"bc": 1.0}, "joint 'bc' takes 0 numbers, not 1"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        robot("a-b continuous", "b-c fixed").forward(values)


@pytest.mark.parametrize(
    "normal", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (-0.8, 0.6, 0.0)]
)
def test_the_directions_of_a_plane_are_a_frame(normal: tuple[float, float, float]) -> None:
    first, second = plane_of(normal)
    for a, b in ((first, second), (first, normal), (second, normal)):
        assert math.isclose(sum(x * y for x, y in zip(a, b, strict=True)), 0.0, abs_tol=1e-12)
    assert math.isclose(math.hypot(*first), 1.0)
    rows = (first, second, normal)
    determinant = sum(
        rows[0][i] * (rows[1][(i + 1) % 3] * rows[2][(i + 2) % 3] - rows[1][(i + 2) % 3] * rows[2][(i + 1) % 3])
        for i in range(3)
    )
    assert math.isclose(determinant, 1.0)


def test_quaternions_are_rotations() -> None:
    turned = Origin(quat_xyzw=Vector.of(0.0, 0.0, 1.0, 1.0), rpy=Vector.of(9.0, 9.0, 9.0))
    assert close(turned.pose, (0, 0, 0), (0, 0, math.pi / 2))
    assert all(math.isclose(a, b, abs_tol=1e-12) for a, b in zip(turned.angles, (0, 0, math.pi / 2), strict=True))
    assert Origin(rpy=Vector.of(0.1, math.pi / 2, 0.3)).pose.angles[2] == 0.0


def test_a_drawing_has_every_link_and_joint() -> None:
    tree = robot("a-b continuous", 'a-c revolute <axis xyz="0 0 1"/>', "c-d fixed")
    svg = etree.fromstring(tree_svg(tree))
    texts = [element.text for element in svg.iter("{*}text")]
    labels = {*"abcdef", "ab", "continuous 1 0 0", "ac", "revolute 0 0 1", "cd", "fixed"}
    assert labels | {"1 continuous", "1 revolute", "1 fixed"} == set(texts)
    boxes = {(box.get("x"), box.get("y")) for box in svg.iter("{*}rect")}
    assert len(boxes) == 6  # none upon another


def numbers(element: etree._Element, *names: str) -> list[float]:
    return [float(element.get(name, "nan")) for name in names]


def test_long_names_stay_in_their_boxes() -> None:
    names = ["a", "w" * 60, "腕" * 30, *"bcdefghijklmnopqrstuvwxyz"]
    joints = [f"{one}-{other} fixed" for one, other in itertools.pairwise(names)]
    svg = etree.fromstring(tree_svg(robot(*joints, links=names)))
    texts = {tuple(numbers(text, "x", "y")): text for text in svg.iter("{*}text")}
    for box in svg.iter("{*}rect"):
        x, y, width = numbers(box, "x", "y", "width")
        text = texts[x + 7, y + 15]
        (pressed,) = numbers(text, "textLength")
        if math.isnan(pressed):
            assert len(text.text or "") * 0.57 * numbers(text, "font-size")[0] <= width - 14
        else:
            assert pressed <= width - 14
            assert len(text.text or "") > 20


def test_boxes_of_a_drawing_cover_nothing() -> None:
    rng = random.Random(3)  # noqa: S311  (the same one each time)
    joints = [f"l{rng.randrange(max(0, n - 9), n)}-l{n} fixed" for n in range(1, 150)]
    svg = etree.fromstring(tree_svg(robot(*joints, links=[f"l{n}" for n in range(150)])))
    width, height = numbers(svg, "width", "height")
    places = [numbers(box, "x", "y", "width", "height") for box in svg.iter("{*}rect")]
    assert len(places) == 150
    for number, (x, y, w, h) in enumerate(places):
        assert 0 <= x < x + w <= width
        assert 0 <= y < y + h <= height
        assert all(abs(x - other_x) >= w or abs(y - other_y) >= h for other_x, other_y, *_ in places[:number])
    assert width < 4 * height


def test_names_are_escaped_in_drawings() -> None:
    found = read(FIXTURES / "urdf" / "names_that_modelica_has_to_mangle.urdf").robot
    assert found is not None
    svg = tree_svg(Kinematics.of(found))
    assert {"a/b", "größe", 'say "hi"'} <= {element.text for element in etree.fromstring(svg).iter("{*}text")}
    broken = read('<robot name="r"><link name="a&#10;b&lt;script>"/></robot>').robot
    assert broken is not None
    assert list(tree_lines(Kinematics.of(broken))) == ["a\ufffdb<script>"]
    assert b"<script" not in tree_svg(Kinematics.of(broken))
