"""Large robots in parts: how they are cut, what belongs to a part, and that parts find what the whole finds."""

from __future__ import annotations

import itertools
from pathlib import Path

import attrs
import pytest
from hypothesis import given, strategies as st

from conftest import FIXTURES, ROOT
from modelica_ast import parse, parse_expression
from modelica_ast.cli.catalogue import load, parser_of
from modelica_ast.edit import Document
from modelica_ast.simulation import SimulationError
from urdf_frontend import BuildOptions, Kinematics, build, read, write
from urdf_frontend.cli import COMMANDS
from urdf_frontend.package import CONNECTORS, read_memory
from urdf_frontend.robot import NameStyle

pytest.importorskip("numpy", reason="NumPy is not installed: pip install 'modelica-ast[verify]'")
pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'modelica-ast[verify]'")

from urdf_frontend.motion import LINKS_AT_ONCE, Kind, VerifyError, VerifyOptions, verify
from urdf_frontend.motion.verification.robot_class import Part, RobotClass, cut

ROBOTS = FIXTURES / "robots" / "verify"
SHARED = sorted((ROOT.parent / "shared" / "urdf").glob("*.urdf"))


def built(name: str, folder: Path, names: NameStyle = NameStyle.AS_IS) -> Path:
    path = ROBOTS / f"{name}.urdf"
    options = BuildOptions(name="Robot", into=folder, urdf=path, name_style=names)
    write(build(read(path).usable_robot(), options), folder)
    return folder / "Robot"


# ---------------------------------------------------------------- how robots are cut


def check_parts(kinematics: Kinematics, parts: list[Part]) -> None:
    """Every joint is in one part, every part is a tree, and its root is in a part before it."""
    joints = list(itertools.chain.from_iterable(part.joints for part in parts))
    assert sorted(joints) == sorted(joint.name for joint in kinematics.robot.joints)
    seen = {kinematics.roots[0]}
    for part in parts:
        inside = Kinematics.of(part.robot)
        assert part.root in seen
        assert inside.is_tree
        assert inside.roots == (part.root,)
        seen.update(part.links)
    assert seen == {link.name for link in kinematics.robot.links}


def kinematics_of(parents: list[int], masses: list[float]) -> Kinematics:
    """The tree in which link n + 1 is attached to a link before it."""
    text = ["<robot name='tree'>"]
    for number, mass in enumerate(masses):
        inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        inside = f"<inertial><mass value='{mass}'/>{inertia}</inertial>" if mass else ""
        text.append(f"<link name='l{number}'>{inside}</link>")
    for child, parent in enumerate(parents, 1):
        ends = f"<parent link='l{parent}'/><child link='l{child}'/>"
        text.append(f"<joint name='j{child}' type='continuous'>{ends}</joint>")
    return Kinematics.of(read("".join([*text, "</robot>"])).usable_robot())


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    size = draw(st.integers(1, 40))
    parents = [draw(st.integers(0, child)) for child in range(size)]
    return parents, [draw(st.sampled_from([0.0, 1.0])) for _ in range(size + 1)]


@given(trees(), st.integers(2, 12))
def test_a_tree_is_cut_into_trees(tree: tuple[list[int], list[float]], most: int) -> None:
    heavy = kinematics_of(tree[0], [1.0] * len(tree[1]))
    parts = cut(heavy, most)
    check_parts(heavy, parts)
    assert max(len(part.links) for part in parts) <= most
    # Not in more parts than needed: what does not fit into one goes into two, so that half of each is used.
    assert len(parts) <= max(1, 2 * -(-len(tree[0]) // (most - 1)))
    light = kinematics_of(*tree)
    check_parts(light, cut(light, most))
    assert len(cut(light, 0)) == 1


@given(trees(), st.integers(2, 12), st.data())
def test_what_is_tied_stays_together(tree: tuple[list[int], list[float]], most: int, data: st.DataObject) -> None:
    kinematics = kinematics_of(*tree)
    names = st.sampled_from([joint.name for joint in kinematics.robot.joints])
    ties = data.draw(st.lists(st.sets(names, min_size=1, max_size=4), max_size=4))
    parts = cut(kinematics, most, ties)
    check_parts(kinematics, parts)
    for tie in ties:
        assert sum(not tie.isdisjoint(part.joints) for part in parts) == 1


def test_a_link_without_mass_is_no_end_of_a_part() -> None:
    kinematics = kinematics_of([0, 1, 2, 3, 4, 5], [1, 1, 0, 0, 1, 1, 1])
    parts = cut(kinematics, 3)
    ends = {leaf for part in parts for leaf in Kinematics.of(part.robot).leaves}
    assert ends.isdisjoint({"l2", "l3"})
    # A robot without any mass is cut where that is best.
    assert [len(part.links) for part in cut(kinematics_of([0, 1, 2, 3, 4, 5], [0] * 7), 3)] == [3, 3, 3]


@pytest.mark.skipif(not SHARED, reason="the shared robots are not there")
def test_real_robots_are_cut() -> None:
    for path in SHARED:
        if (found := read(path)).is_usable:
            kinematics = Kinematics.of(found.usable_robot())
            parts = cut(kinematics, 12)
            check_parts(kinematics, parts)
            assert max(len(part.links) for part in parts) <= 16, path.name  # some have long chains without mass


# ---------------------------------------------------------------- what belongs to a part


def robot_class(folder: Path, name: str) -> tuple[RobotClass, Kinematics]:
    kinematics = Kinematics.of(read(ROBOTS / f"{name}.urdf").usable_robot())
    table = read_memory(folder).table
    return RobotClass(Document.open(folder / "Robot.mo"), "Robot", table, kinematics), kinematics


def texts(folder: Path, name: str, most: int) -> list[Document]:
    robot, kinematics = robot_class(folder, name)
    parts = cut(kinematics, most, robot.ties())
    check_parts(kinematics, parts)
    return [Document(robot.text_of(part, is_first=not number)) for number, part in enumerate(parts)]


def names_of(document: Document) -> set[str]:
    return {component.name for component in document.find_class("Robot").components} - CONNECTORS


def test_a_part_has_its_links_and_joints_and_no_flanges(tmp_path: Path) -> None:
    folder = built("two_links", tmp_path)
    first, second = texts(folder, "two_links", 2)
    assert names_of(first) == {"base", "elbow", "upper"}
    assert names_of(second) == {"upper", "rail", "hand"}
    robot = second.find_class("Robot")
    assert robot.connections == [
        ("upper.frame_a", "rail.frame_a"),
        ("rail.frame_b", "hand.frame_a"),
        ("frame_a", "upper.frame_a"),
    ]
    for counter in ("numLeafLinks", "numRotationalJoints"):
        value = robot.get_extends_modifier(robot.extends[0], counter)
        assert value is not None
        assert value.text == "0"
    assert first.find_class("Robot").connections[0] == ("frame_a", "base.frame_a")
    for document in (first, second):
        parse(document.text, strict=True)


def test_followers_are_with_their_leaders(tmp_path: Path) -> None:
    folder = built("all_types", tmp_path)
    one, other = texts(folder, "all_types", 3)
    together = {"base", "axle", "wheel", "rack", "slide", "rack_mimic"}
    assert sorted([names_of(one), names_of(other)], key=len) == [{"base", "table", "puck", "throw", "ball"}, together]


def test_what_the_user_has_added_is_in_one_part(tmp_path: Path) -> None:
    folder = built("humanoid", tmp_path)
    path = folder / "Robot.mo"
    document = Document.open(path)
    robot = document.find_class("Robot")
    robot.add_component("Body", "payload")
    robot.connect("head.frame_a", "payload.frame_a", line=False)
    robot.add_component("Spring", "belt")
    robot.connect("belt.frame_a", "left_foot.frame_a", line=False)
    robot.connect("belt.frame_b", "right_foot.frame_a", line=False)
    robot.add_component("Sensor", "atRoot")
    robot.connect("frame_a", "atRoot.frame_a", line=False)
    robot.add_component("Real", "angle")
    robot.add_equation("angle = neck.revolute.phi + waist.revolute.phi")
    robot.add_component("Real", "gain", {"": 2}, prefixes=["parameter"])
    robot.find_component("left_knee").set("q_start", parse_expression("right_knee.q_start*gain"))
    document.save()
    found = texts(folder, "humanoid", 4)
    where = {
        name: [number for number, each in enumerate(found) if name in names_of(each)]
        for name in ("payload", "belt", "atRoot", "angle", "gain")
    }
    assert {name: len(places) for name, places in where.items()} == {
        "payload": 1,
        "belt": 1,
        "atRoot": 1,
        "angle": 1,
        "gain": 1,
    }
    assert where["atRoot"] == [0]
    assert {"head", "neck"} <= names_of(found[where["payload"][0]])
    assert {"left_foot", "right_foot", "left_hip", "right_hip", "gain", "left_knee"} <= names_of(
        found[where["belt"][0]]
    )
    angle = found[where["angle"][0]].find_class("Robot")
    assert "angle = neck.revolute.phi + waist.revolute.phi;" in angle.equations()
    assert sum("angle =" in each.text for each in found) == 1


def add(text: str, robot: Path) -> None:
    old = robot.read_text(encoding="utf-8")
    robot.write_text(old.replace("equation\n", text, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('algorithm\n  assert(true, "");\nequation\n', "it has an algorithm"),
        ("  Real x;\nequation\n  connect(head.frame_a, frame_b[1]);\n", r"frame_b\[1\] has several connections"),
        ("  B b;\nequation\n  connect(head.frame_a, b.frame_a);\n  connect(b.frame_a, head.frame_a);\n", "2 times"),
    ],
)
def test_a_class_that_can_not_be_cut(text: str, reason: str, tmp_path: Path) -> None:
    folder = built("humanoid", tmp_path)
    add(text, folder / "Robot.mo")
    with pytest.raises(VerifyError, match=f"{reason}.*; compare all links at once"):
        texts(folder, "humanoid", 4)


def test_inherited_links_can_not_be_cut(tmp_path: Path) -> None:
    folder = built("two_links", tmp_path)
    path = folder / "Robot.mo"
    document = Document.open(path)
    document.find_class("Robot").find_component("hand").remove()
    document.save()
    with pytest.raises(VerifyError, match="it does not declare hand itself; compare all links at once"):
        texts(folder, "two_links", 2)


# ---------------------------------------------------------------- parts against Pinocchio

IN_PARTS = VerifyOptions(configurations=1, seconds=0, links_at_once=3)
OF_THE_WHOLE = {Kind.LINK_PLACE, Kind.LINK_TURN, Kind.TOTAL_MASS, Kind.CENTRE}


@pytest.fixture(scope="module")
def compiler(msl: Path) -> Path:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[verify]'")
    return msl


@pytest.mark.usefixtures("compiler")
def test_parts_of_a_small_robot_agree_and_find_what_differs(tmp_path: Path) -> None:
    path = ROBOTS / "two_links.urdf"
    folder = built("two_links", tmp_path)
    options = attrs.evolve(IN_PARTS, links_at_once=2)
    found = verify(read(path), folder, options)
    assert found.is_ok, list(found.lines())
    assert found.parts == 2
    assert {each.kind for each in found.largest} >= OF_THE_WHOLE | {Kind.MASS_MATRIX, Kind.GRAVITY}
    values = folder / "Links" / "handParams.mo"
    text = values.read_text(encoding="utf-8")
    assert "mass=0.5," in text
    values.write_text(text.replace("mass=0.5,", "mass=0.75,"), encoding="utf-8")
    wrong = verify(read(path), folder, options)
    assert Kind.LINK_MASS in {each.kind for each in wrong.wrong}


@pytest.mark.slow
@pytest.mark.usefixtures("compiler")
def test_parts_agree_and_find_what_differs(tmp_path: Path) -> None:
    """All types of joints, with quoted names and a free base; then a package with a mistake and a payload."""
    path = ROBOTS / "all_types.urdf"
    folder = built("all_types", tmp_path, NameStyle.QUOTED)
    steps: list[tuple[int, int]] = []
    found = verify(
        read(path),
        folder,
        attrs.evolve(IN_PARTS, free_base=True, progress=lambda done, total: steps.append((done, total))),
    )
    assert found.is_ok, list(found.lines())
    assert (found.parts, found.links, found.freedoms) == (2, 5, 16)
    assert {each.kind for each in found.largest} >= OF_THE_WHOLE | {Kind.MASS_MATRIX, Kind.GRAVITY, Kind.FOLLOWER}
    assert {each.where for each in found.differences if each.kind is Kind.LINK_PLACE} == {
        f"link {link.name}" for link in read(path).usable_robot().links
    }
    assert found.notes[0].startswith("compared in 2 parts of at most 3 links")
    assert (steps[0], steps[-1]) == ((0, 8), (8, 8))
    assert steps == sorted(steps)
    text = (folder / "Joints" / "throwParams.mo").read_text(encoding="utf-8")
    (folder / "Joints" / "throwParams.mo").write_text(
        text.replace("xyz={0.1,0.1,0}", "xyz={0.1,0.2,0}"), encoding="utf-8"
    )
    document = Document.open(folder / "Robot.mo")
    robot = document.find_class("Robot")
    robot.add_component("Modelica.Mechanics.MultiBody.Parts.Body", "payload", {"m": 1.0, "r_CM": [0.1, 0, 0]})
    robot.connect("payload.frame_a", "wheel.frame_a", line=False)
    document.save()
    wrong = verify(read(path), folder, IN_PARTS)
    assert [(each.kind, each.where) for each in wrong.wrong] == [(Kind.JOINT, "joint throw")]
    sizes = {each.kind: each for each in wrong.largest}
    assert sizes[Kind.LINK_PLACE].where == "link ball"
    assert {each.kind for each in wrong.differences if each.where == "joint axle" and not each.is_ok} == {
        Kind.MASS_MATRIX,
        Kind.GRAVITY,
    }


@pytest.mark.usefixtures("compiler")
def test_an_error_of_a_part_names_the_users_files(tmp_path: Path) -> None:
    folder = built("two_links", tmp_path)
    path = folder / "Links" / "handParams.mo"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("mass=0.5", "mass=handMass"), encoding="utf-8")
    with pytest.raises(SimulationError) as error:
        verify(read(ROBOTS / "two_links.urdf"), folder, attrs.evolve(IN_PARTS, links_at_once=2))
    message = str(error.value)
    assert message.startswith("the part at link 'upper': ")
    assert "handMass" in message
    assert f"{path}:" in message
    assert "robot-parts-" not in message


def test_a_negative_limit_is_not_compared() -> None:
    from urdf_frontend.motion.verification.urdf_text import reduced_urdf, refused_limits  # noqa: PLC0415  (it needs lxml alone)

    text = (ROBOTS / "two_links.urdf").read_text(encoding="utf-8").replace('effort="', 'effort="-')
    robot = read(text).robot
    assert robot is not None
    assert {tuple(refused_limits(joint)) for joint in robot.joints} == {("effort",)}
    assert 'effort="0"' in reduced_urdf(text, robot)
    assert 'effort="-' not in reduced_urdf(text, robot)
    assert reduced_urdf(f"{text}\0\0", robot) == reduced_urdf(text, robot)


def test_the_help_says_how_many() -> None:
    text = parser_of(load(COMMANDS["verify"]), "modelica-patch urdf verify").format_help()
    assert f"part by part ({LINKS_AT_ONCE})" in " ".join(text.split())
