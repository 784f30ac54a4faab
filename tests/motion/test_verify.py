"""Packages against Pinocchio: what is right agrees, what is wrong is found and named."""

from __future__ import annotations

import ast
import json
import math
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.edit import Document
from modelica_ast.simulation import SimulationError, Simulator
from modelica_ast.simulation.child import Child
from package.test_build import MODELICA_TEXT, built_strings
from served_command import INSTALLED
from urdf_frontend import BuildOptions, Kinematics, PackageError, build, read, write
from urdf_frontend.package import RecordOptions, build_record
from urdf_frontend.robot import JointType, NameTable, make_names
from urdf_frontend.robot.robot import JointValue

pytest.importorskip("numpy", reason="NumPy is not installed: pip install 'modelica-ast[verify]'")
pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'modelica-ast[verify]'")

import numpy as np

from urdf_frontend.motion import LINKS_AT_ONCE, Difference, Kind, Verification, VerifyError, VerifyOptions, verify
from urdf_frontend.motion.verification import part_run
from urdf_frontend.motion.verification.differences import Tally
from urdf_frontend.motion.verification.freedoms import Motion, quaternion_of, rotation_of_quaternion, rotation_of_rpy
from urdf_frontend.motion.verification.packages import reference_with_masses
from urdf_frontend.motion.verification.part_run import calm_motion, free_motion
from urdf_frontend.motion.verification.probe import MODEL, make_probe, make_pulses
from urdf_frontend.motion.verification.reference import PinocchioRobot, Positions, Start, random_start
from urdf_frontend.motion.verification.urdf_text import reduced_urdf, refused_number

ROBOTS = FIXTURES / "robots" / "verify"
FILES = sorted(path.stem for path in ROBOTS.glob("*.urdf"))
SHARED = ROOT.parent / "shared" / "urdf"
MOBILE = {"rolling_base"}


@attrs.frozen
class Case:
    """A fixture as Pinocchio has it."""

    kinematics: Kinematics
    names: NameTable
    motion: Motion
    reference: PinocchioRobot
    added: set[str]

    def start(self, number: int, *, moving: bool = False) -> Start:
        return random_start(self.motion, 1, number, moving=moving)


def case_of(name: str) -> Case:
    result = read(ROBOTS / f"{name}.urdf")
    robot = result.usable_robot()
    assert result.document is not None
    kinematics = Kinematics.of(robot)
    names = make_names("Robot", (link.name for link in robot.links), (joint.name for joint in robot.joints))
    motion = Motion.of(kinematics, names, "freeBase" if name in MOBILE else None)
    start = random_start(motion, 1, 0, moving=False)
    reference, added = reference_with_masses(result.document.text, robot, motion, start)
    return Case(kinematics, names, motion, reference, added)


def built(path: Path, folder: Path, *, stationary: bool = True) -> Path:
    """Build the package of a robot in a folder; the package's folder."""
    robot = read(path).usable_robot()
    write(build(robot, BuildOptions(name="Robot", into=folder, urdf=path, stationary=stationary)), folder)
    return folder / "Robot"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


# ---------------------------------------------------------------- Pinocchio reads the same robot


@pytest.mark.parametrize("name", FILES)
def test_links_are_where_our_own_kinematics_has_them(name: str) -> None:
    case = case_of(name)
    for number in range(3):
        start = case.start(number)
        values: dict[str, JointValue] = {
            each.name: [float(value) for value in start.values[each.name]]
            for each in case.motion.freedoms
            if each.joint is not None
        }
        expected = case.kinematics.forward(values)
        found = case.reference.places(start.positions(case.motion))
        root = found[case.kinematics.roots[0]]
        for link, pose in expected.items():
            place = root.actInv(found[link])
            assert np.allclose(place.translation, pose.translation, rtol=0, atol=1e-12), link
            assert np.allclose(place.rotation, pose.rotation, rtol=0, atol=1e-12), link


@pytest.mark.parametrize("name", FILES)
def test_configurations_are_within_the_limits(name: str) -> None:
    case = case_of(name)
    for number in range(20):
        start = case.start(number, moving=True)
        values = {each.name: float(start.values[each.name][0]) for each in case.motion.freedoms if each.type.is_single}
        for follower in case.motion.followers:
            values[follower.name] = follower.factor * values[follower.leader.name] + follower.shift
        for joint in case.kinematics.robot.joints:
            if joint.name in values and joint.type is not JointType.CONTINUOUS:
                assert joint.limit is not None
                assert joint.limit.lower is not None
                assert joint.limit.upper is not None
                assert joint.limit.lower.value <= values[joint.name] <= joint.limit.upper.value
    one, same, other = ([*map(list, case.start(number).values.values())] for number in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize("name", ["two_links", "planar", "floating", "mimic_gripper", "rolling_base"])
def test_free_motion_without_friction_keeps_its_energy(name: str) -> None:
    case = case_of(name)
    start = case.start(0, moving=True)
    motion = free_motion(case.reference, start, None, 0.1)
    assert len(motion.positions) > 10

    def height(positions: Positions) -> float:
        mass, centre = case.reference.mass_and_centre(positions)
        return mass * 9.81 * float(centre[2])

    speeds = start.velocities(case.motion)
    first = motion.positions[0]
    energy = height(first) + speeds @ case.reference.mass_matrix(first) @ speeds / 2
    # Positions alone do not tell the speeds, so these are taken from neighbours in time: good to a few digits.
    before, at, after = motion.positions[9:12]
    step = float(motion.times[1])
    speeds = np.zeros(case.motion.size)
    for freedom in case.motion.freedoms:
        if freedom.type is JointType.FLOATING:
            turn = rotation_of_quaternion(at[freedom.name][3:])
            line = (after[freedom.name][:3] - before[freedom.name][:3]) / (2 * step)
            change = rotation_of_quaternion(after[freedom.name][3:]) - rotation_of_quaternion(before[freedom.name][3:])
            spin = turn.T @ change / (2 * step)
            speeds[freedom.span] = [*(turn.T @ line), spin[2, 1], spin[0, 2], spin[1, 0]]
        else:
            speeds[freedom.span] = (after[freedom.name] - before[freedom.name]) / (2 * step)
    kinetic = float(speeds @ case.reference.mass_matrix(at) @ speeds) / 2
    assert height(at) + kinetic == pytest.approx(energy, abs=0.02 * max(kinetic, 0.1))


def test_of_several_starts_a_calm_one_is_taken() -> None:
    case = case_of("six_axis_arm")
    starts = [random_start(case.motion, 0, number, moving=True) for number in (5, 1, 2)]
    wild = free_motion(case.reference, starts[0], None, 0.6)
    assert wild.stop < 0.6
    assert wild.ended == "because small differences have then grown 1000 times"
    start, motion = calm_motion(case.reference, starts, None, 0.6)
    assert start is starts[1]
    assert (motion.stop, motion.ended) == (0.6, "")
    start, motion = calm_motion(case.reference, starts[:1], None, 0.6)
    assert motion.stop == wild.stop


def test_stiff_friction_is_another_method_for_the_same_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("six_axis_arm")
    start, slip_speeds = case.start(1, moving=True), case.reference.slip_speeds({}, 0.02)
    stiff = free_motion(case.reference, start, slip_speeds, 0.3)
    assert stiff.is_stiff
    monkeypatch.setattr(part_run, "_STIFF_STEPS", math.inf)
    explicit = free_motion(case.reference, start, slip_speeds, 0.3)
    assert not explicit.is_stiff
    for one, other in zip(stiff.positions, explicit.positions, strict=True):
        assert np.concatenate([*one.values()]) == pytest.approx(np.concatenate([*other.values()]), abs=1e-8)
    assert not free_motion(case.reference, start, None, 0.01).is_stiff


def test_what_pinocchio_does_not_read_is_left_out() -> None:
    text = """\ufeff
<?xml version="0.0" encoding="latin-1"?>
<robot xmlns="http://www.ros.org" xmlns:c="http://x"><c:link name="no"/><gazebo/>
  <link name="größe"><visual><geometry><capsule radius="1" length="2"/></geometry></visual><!-- no --></link>
  <joint name="j" type="revolute"><parent link="world"/><child link="größe"/><limit effort="3"/></joint>
  <link name="world"/></robot>"""
    robot = read(text).robot
    assert robot is not None
    reduced = reduced_urdf(text, robot)
    assert all(word not in reduced for word in ("visual", "gazebo", "c:link", "latin"))
    assert '<limit effort="3" velocity="0"/>' in reduced
    assert 'name="größe"' in reduced


@pytest.mark.parametrize("case", ["limit_empty", "limit_of_zero", "limit_with_one_end", "limit_twice"])
def test_the_ends_of_a_joint_are_those_of_pinocchio(case: str) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    path = FIXTURES / "urdf" / f"{case}.urdf"
    (joint,) = read(path).usable_robot().joints
    model = pinocchio.buildModelFromUrdf(str(path))
    assert joint.bounds == (model.lowerPositionLimit[0], model.upperPositionLimit[0])


def test_a_joint_that_moves_no_mass_gets_one() -> None:
    case = case_of("weightless")
    assert case.added == {"camera"}
    assert case.reference.inertias["camera"].mass == 1
    assert case.reference.inertias["pan"].mass == 0.4
    assert not case_of("humanoid").added


def test_followers_count_for_their_leader() -> None:
    case = case_of("mimic_gripper")
    assert [each.name for each in case.motion.freedoms] == ["screw"]
    assert {each.leader.name for each in case.motion.followers} == {"screw"}
    factors = {each.name: each.factor for each in case.motion.followers}
    shifts = {each.name: each.shift for each in case.motion.followers}
    assert factors == {"left_slide": 0.02, "right_slide": -0.02, "lever_hinge": -1.5}
    assert shifts == pytest.approx({"left_slide": 0.01, "right_slide": -0.008, "lever_hinge": 0})
    # The crank alone turns more easily than the crank with all that follows it.
    assert case.reference.mass_matrix(case.start(0).positions(case.motion))[0, 0] > 3e-4


@pytest.mark.parametrize("number", range(20))
def test_rotations_and_quaternions(number: int) -> None:
    angles = np.random.default_rng(number).uniform(-3, 3, 3)
    rotation = rotation_of_rpy(angles)
    assert np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-15)
    assert np.allclose(rotation_of_quaternion(quaternion_of(rotation)), rotation, atol=1e-14)


# ---------------------------------------------------------------- the model that is simulated


def test_the_probe_has_a_drive_for_each_freedom() -> None:
    case = case_of("all_types")
    taken = {"probePulse1", "probePulse1_"}
    pulses = make_pulses(case.motion, taken)
    document = Document(make_probe("Lib.Robot.Robot", pulses))
    probe, robot = document.find_class(MODEL), document.find_class("RobotProbe.DrivenRobot")
    assert robot.extends == [".Lib.Robot.Robot"]
    drives = {each.name: each.type for each in robot.components if each.type.endswith(("Pulse", "Pulses"))}
    assert drives == {
        "probePulse1__": "FramePulses",
        "probePulse2": "FramePulses",
        "probePulse3": "RotationalPulse",
    }
    assert probe.connections == [("world.frame_b", "robot.frame_a")]
    assert ("probePulse2.frame_b", "throw.frame_b") in robot.connections
    assert robot.get_extends_modifier(".Lib.Robot.Robot", "throw.rpy_start") is not None


def test_a_free_base_is_between_the_world_and_the_robot() -> None:
    pulses = make_pulses(case_of("rolling_base").motion, set())
    probe = Document(make_probe("Robot.Robot", pulses)).find_class(MODEL)
    assert {("world.frame_b", "freeBase.frame_a"), ("freeBase.frame_b", "robot.frame_a")} <= set(probe.connections)


def test_no_modelica_is_made_as_text() -> None:
    files = sorted((ROOT / "src" / "urdf_frontend" / "motion" / "verification").glob("*.py"))
    assert files
    for path in files:
        for line, text in built_strings(ast.parse(path.read_text(encoding="utf-8"))):
            assert not MODELICA_TEXT.search(text), f"{path.name}:{line}: {text!r}"


# ---------------------------------------------------------------- the report


def verification(*differences: Difference) -> Verification:
    return Verification("Robot", 2, 1, 1, 0.5, differences, ("a note",))


def test_a_report_has_the_largest_difference_of_each_kind() -> None:
    tally = Tally()
    for where, size in (("link a", 1e-12), ("link b", 3e-10), ("link b", 2e-10)):
        tally.note(Kind.LINK_PLACE, where, size)
    tally.note(Kind.JOINT, "joint j", 0.5)
    tally.note(Kind.JOINT, "joint k", math.nan)
    found = verification(*tally.differences())
    assert [(each.where, each.is_ok) for each in found.largest] == [("link b", True), ("joint k", False)]
    assert [each.where for each in found.wrong] == ["joint k", "joint j"]
    assert not found.is_ok
    assert [line.split("  ")[-2:] for line in found.lines()][1:] == [["ok", "link b"], ["NO", "joint k"]]
    assert json.loads(json.dumps(found.as_json(), allow_nan=False))["checks"][1]["difference"] == "nan"


def test_what_is_no_number_stays_the_worst() -> None:
    tally = Tally()
    for size in (math.nan, 1.0):
        tally.note(Kind.GRAVITY, "joint j", size)
    assert math.isnan(tally.differences()[0].size)


# ---------------------------------------------------------------- simulated packages

BRIEF = VerifyOptions(configurations=1, seconds=0.2)
KINEMATIC = {Kind.LINK_PLACE, Kind.LINK_TURN, Kind.JOINT}
VALUES = {Kind.LINK_MASS, Kind.TOTAL_MASS, Kind.CENTRE, Kind.LINK_FORCE, Kind.MASS_MATRIX, Kind.GRAVITY}


@pytest.fixture(scope="module")
def compiler(msl: Path) -> Path:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[verify]'")
    return msl


@pytest.mark.usefixtures("compiler")
def test_a_package_agrees(tmp_path: Path) -> None:
    path = ROBOTS / "continuous.urdf"
    steps: list[tuple[int, int]] = []
    found = verify(
        read(path), built(path, tmp_path), attrs.evolve(BRIEF, progress=lambda done, total: steps.append((done, total)))
    )
    assert found.is_ok, list(found.lines())
    motions = {Kind.MOTION, Kind.RUBBING_MOTION, Kind.WAY, Kind.BALANCE, Kind.LIMIT, Kind.FRICTION}
    assert {each.kind for each in found.largest} == KINEMATIC | VALUES | motions
    assert (found.package, found.links, found.freedoms, found.seconds) == ("Robot", 2, 1, 0.2)
    assert steps == [(done, 4) for done in range(5)]


@pytest.mark.usefixtures("compiler")
def test_a_package_agrees_in_openmodelica(tmp_path: Path) -> None:
    if shutil.which("omc") is None:
        pytest.skip("OpenModelica is not installed: there is no omc on the PATH")
    path = ROBOTS / "all_types.urdf"
    found = verify(read(path), built(path, tmp_path), attrs.evolve(BRIEF, backend="omc", free_base=True))
    assert found.is_ok, list(found.lines())
    assert {Kind.MASS_MATRIX, Kind.GRAVITY, Kind.FOLLOWER, Kind.MOTION} <= {each.kind for each in found.largest}
    assert found.freedoms == 16


@pytest.mark.slow
@pytest.mark.usefixtures("compiler")
def test_all_types_of_joints_agree(tmp_path: Path) -> None:
    path = ROBOTS / "all_types.urdf"
    found = verify(read(path), built(path, tmp_path), attrs.evolve(BRIEF, seconds=0))
    assert found.is_ok, list(found.lines())
    assert {each.kind for each in found.largest} >= KINEMATIC | VALUES | {Kind.FOLLOWER}
    assert found.freedoms == 10


@pytest.mark.usefixtures("compiler")
def test_what_was_edited_is_named(tmp_path: Path) -> None:
    """A mass, an inertia, an axis, an origin, a limit: each is named, and nothing else is."""
    path = ROBOTS / "two_links.urdf"
    folder = built(path, tmp_path)
    replace(folder / "Links" / "handParams.mo", "mass=0.5", "mass=0.55")
    replace(folder / "Links" / "upperParams.mo", "iyy=0.03", "iyy=0.031")
    replace(folder / "Joints" / "elbowParams.mo", "axis={0,1,1}", "axis={0,1,1.01}")
    replace(folder / "Joints" / "elbowParams.mo", "upper=1.5", "upper=1.6")
    replace(folder / "Joints" / "railParams.mo", "xyz={0.3,0,0.4}", "xyz={0.3,0.001,0.4}")
    found = verify(read(path), folder, attrs.evolve(BRIEF, seconds=0))
    assert {(each.kind, each.where) for each in found.wrong} == {
        (Kind.LINK_MASS, "link hand"),
        (Kind.LINK_FORCE, "link hand"),
        (Kind.LINK_FORCE, "link upper"),
        (Kind.JOINT, "joint elbow"),
        (Kind.JOINT, "joint rail"),
        (Kind.LIMIT, "joint elbow: upper"),
    }
    sizes = {each.kind: each.size for each in found.largest}
    assert sizes[Kind.LINK_MASS] == pytest.approx(0.05 / 0.55)
    assert sizes[Kind.TOTAL_MASS] == pytest.approx(0.05 / 2.55)
    assert 1e-4 < sizes[Kind.MASS_MATRIX] < 1
    assert 1e-4 < sizes[Kind.GRAVITY] < 1


def test_a_package_of_another_robot_is_refused(tmp_path: Path) -> None:
    folder = built(ROBOTS / "two_links.urdf", tmp_path)
    with pytest.raises(VerifyError, match="the package Robot has no link 'wheel': bring it up to date with"):
        verify(read(ROBOTS / "continuous.urdf"), folder)
    (folder / "Resources" / "urdf" / "Robot.json").unlink()
    with pytest.raises(PackageError, match="has no side-car: what was generated last is not known"):
        verify(read(ROBOTS / "two_links.urdf"), folder)


# ---------------------------------------------------------------- a record and a package of one robot


@pytest.mark.corpus
@pytest.mark.usefixtures("compiler")
def test_the_record_moves_as_the_package_does(tmp_path: Path) -> None:
    path = ROBOTS / "continuous.urdf"
    built(path, tmp_path)
    write(build_record(read(path).usable_robot(), RecordOptions(name="Recorded", into=tmp_path)), tmp_path)
    case = case_of("continuous")
    start = case.start(3, moving=True)
    value, speed = float(start.values["axle"][0]), float(start.speeds["axle"][0])
    expected = free_motion(case.reference, start, case.reference.slip_speeds({}, 0.02), 0.5)
    step = expected.stop / (len(expected.positions) - 1)
    with Simulator([tmp_path]) as simulator:
        package = simulator.compile("Robot.RobotRun").run(
            stop=expected.stop,
            step=step,
            parameters={"robot.axle.q_start": value, "robot.axle.qd_start": speed},
            variables=["robot.axle.revolute.phi"],
        )
        record = simulator.compile("Recorded.ByEquations", {"robot.q_start": [value], "robot.qd_start": [speed]}).run(
            stop=expected.stop, step=step, variables=["robot.q[1]"]
        )
    angles = package["robot.axle.revolute.phi"]
    assert angles == pytest.approx(record["robot.q[1]"], abs=1e-6)
    assert angles == pytest.approx([float(each["axle"][0]) for each in expected.positions], abs=1e-6)
    assert max(angles) - min(angles) > 0.05


# ---------------------------------------------------------------- the command


def run_command(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [INSTALLED, "urdf", "verify", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )


@pytest.mark.corpus
@pytest.mark.usefixtures("compiler")
def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    path = ROBOTS / "continuous.urdf"
    folder = built(path, tmp_path)
    words = (str(path), "--package", "Robot", "--configurations", "1", "--seconds", "0.1")
    right = run_command(*words, folder=tmp_path)
    assert right.returncode == 0, right.stderr
    assert "mass matrix" in right.stdout
    assert right.stderr == "Robot: 2 links, 1 degree of freedom: as in the URDF file\n"
    replace(folder / "Joints" / "axleParams.mo", "damping=0.01", "damping=0.02")
    wrong = run_command(*words, "--json", folder=tmp_path)
    assert wrong.returncode == 1
    found = json.loads(wrong.stdout)
    assert [(each["what"], each["where"]) for each in found["wrong"]] == [
        ("friction of a joint", "joint axle: damping")
    ]
    assert {each["what"] for each in found["checks"] if not each["ok"]} == {
        "friction of a joint",
        "free motion, friction",
        "equations along the way",
    }


# ---------------------------------------------------------------- many robots


@attrs.frozen
class Robot:
    """A robot of the corpus, and how its package is built."""

    path: Path
    stationary: bool = True


# What can't be compared, and the reason. A robot that is missing here is a regression, and so is one that works.
REFUSED: dict[str, dict[str, str]] = {"rumoca": {}, "omc": {}}
SECONDS = 1800
# rumoca's time grows with the cube of the links, so larger robots are compared in parts. OpenModelica takes them whole.
AT_ONCE = {"rumoca": LINKS_AT_ONCE, "omc": 0}


def corpus() -> list[Robot]:
    own = [Robot(ROBOTS / f"{name}.urdf", stationary=name not in MOBILE) for name in FILES]
    own += [Robot(FIXTURES / "robots" / "arm.urdf"), Robot(FIXTURES / "robots" / "rover.urdf", stationary=False)]
    return own + [Robot(path) for path in sorted(SHARED.glob("*.urdf")) if read(path).is_usable]


@pytest.mark.corpus
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("backend", ["rumoca", "omc"])
def test_many_robots_agree(tmp_path: Path, backend: str) -> None:
    """Prints the tables of docs/verification.md (with pytest -s)."""
    if backend == "omc" and shutil.which("omc") is None:
        pytest.skip("OpenModelica is not installed: there is no omc on the PATH")
    robots = corpus()
    assert len(robots) >= 12
    wrong: dict[str, str] = {}
    for number, robot in enumerate(sorted(robots, key=lambda each: len(read(each.path).usable_robot().links))):
        folder = built(robot.path, tmp_path / str(number), stationary=robot.stationary)
        before = time.monotonic()
        options = VerifyOptions(configurations=1, timeout=SECONDS, backend=backend, links_at_once=AT_ONCE[backend])
        try:
            found = verify(read(robot.path), folder, options)
        except (SimulationError, VerifyError) as error:
            wrong[robot.path.stem] = str(error)
            print(f"| {robot.path.stem} | {error} |", flush=True)  # noqa: T201  (with pytest -s)
            continue
        if not found.is_ok:
            wrong[robot.path.stem] = "\n".join([*found.lines(), *found.notes])
        print(row(robot.path.stem, found, time.monotonic() - before), flush=True)  # noqa: T201  (with pytest -s)
    assert wrong.keys() == REFUSED[backend].keys(), wrong


def row(name: str, found: Verification, seconds: float) -> str:
    sizes = {each.kind: each.size for each in found.largest}
    kinds = (Kind.JOINT, Kind.LINK_FORCE, Kind.MASS_MATRIX, Kind.GRAVITY, Kind.MOTION, Kind.RUBBING_MOTION)
    cells = [name, str(found.links), str(found.freedoms)]
    cells += [f"{sizes[kind]:.0e}" if kind in sizes else "" for kind in kinds]
    cells += [f"{found.seconds:.2g} s" if found.seconds else "", str(found.parts), f"{seconds:.0f} s"]
    return f"| {' | '.join(cells)} |{'' if found.is_ok else ' NO'}"


# ---------------------------------------------------------------- what Pinocchio leaves out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('<mass value="2"/>', '<mass value="2 "/>', "link 'upper': <mass value='2 '>"),
        ('ixx="0.02"', 'ixx="0.02\n"', "link 'upper': <inertia ixx='0.02 '>"),
        ('upper="1.5"', 'upper="1.5 "', "joint 'elbow': <limit upper='1.5 '>"),
    ],
)
def test_what_pinocchio_leaves_out_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    """We take a blank after a number. Pinocchio has a link without mass then, and our link would be called wrong."""
    shutil.copyfile(ROBOTS / "two_links.urdf", tmp_path / "robot.urdf")
    replace(tmp_path / "robot.urdf", old, new)
    package = built(tmp_path / "robot.urdf", tmp_path)
    with pytest.raises(VerifyError) as wrong:
        verify(read(tmp_path / "robot.urdf"), package)
    assert "Pinocchio leaves out a part of the URDF file" in str(wrong.value)
    assert told in str(wrong.value)


@pytest.mark.parametrize("text", ["1", " 1", "+1.", "-.5", "1e-3", "0  0 1"])
def test_numbers_that_pinocchio_takes(text: str) -> None:
    name = "xyz" if " 0" in text else "lower"
    tag = "axis" if name == "xyz" else "limit"
    assert refused_number(f'<robot><joint name="j"><{tag} {name}="{text}"/></joint></robot>') is None


@pytest.mark.parametrize("text", ["", "1 ", "1,5", "0x10", "nan", "1e400", "1 2", "1_0"])
def test_numbers_that_it_does_not_take(text: str) -> None:
    found = refused_number(f'<robot><link name="a"><inertial><mass value="{text}"/></inertial></link></robot>')
    assert found == f"link 'a': <mass value={text!r}>"


def test_numbers_of_a_follower_are_looked_at_too() -> None:
    follower = '<robot><joint name="k"><mimic joint="j" multiplier="2 " offset="0"/></joint></robot>'
    assert refused_number(follower) == "joint 'k': <mimic multiplier='2 '>"


# ---------------------------------------------------------------- comparisons of earlier calls


@pytest.mark.slow
def test_the_same_comparison_is_not_done_twice(tmp_path: Path, msl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started for it; a change of the package, the URDF file or an option is another comparison."""
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
    assert msl.is_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    urdf = FIXTURES / "cli" / "urdf-verify" / "files" / "wheel.urdf"
    package = built(urdf, tmp_path)
    asked: list[str] = []
    ask = Child.ask

    def counted(self: Child, request: Mapping[str, Any], *options: Any) -> dict[str, Any]:
        asked.append(request["what"])
        return ask(self, request, *options)

    monkeypatch.setattr(Child, "ask", counted)
    doing: list[str] = []
    options = VerifyOptions(seconds=0, doing=lambda what, _: doing.append(what))
    first = verify(read(urdf), package, options)
    done = list(asked)
    assert done == ["compile", "run"]
    assert list(dict.fromkeys(doing)) == ["compiling", "simulating"]
    second = verify(read(urdf), package, options)
    assert asked == done
    assert (second, first.is_earlier, second.is_earlier) == (first, False, True)
    (entry,) = (tmp_path / "cache" / "modelica_ast").glob("*.verified")
    entry.write_bytes(b"damaged")
    assert verify(read(urdf), package, options) == first  # its runs were kept too
    assert asked == done
    assert not verify(read(urdf), package, attrs.evolve(options, cache=False)).is_earlier
    assert asked == done * 2
    assert verify(read(urdf), package, attrs.evolve(options, seed=1)).differences != ()
    assert asked == done * 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"links": 2', b'"links": "2"'),
        (b'"package": "P"', b'"package": 7'),
        (b'"seconds"', b'"other"'),
        (b"{", b"[" * 9**5),
    ],
)
def test_a_comparison_that_is_none(old: bytes, new: bytes) -> None:
    made = Verification("P", 2, 1, 1, 0.5, (Difference(Kind.LINK_MASS, "link a", 1e-3),), ("a note",))
    assert Verification.of_kept(made.kept()) == made
    assert old in made.kept()
    with pytest.raises((ValueError, TypeError, LookupError, RecursionError)):
        Verification.of_kept(made.kept().replace(old, new, 1))
