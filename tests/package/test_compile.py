"""Built packages in a real compiler: rumoca takes them, and what it makes of them is the robot of the URDF file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import attrs
import pytest

from conftest import ROOT
from package.test_build import CASES, built_case, robot_of
from rumoca_runs import Compiled, Rumoca, RumocaError, RumocaTimeoutError, Run, copy_needed_parts
from urdf_frontend import BuildOptions, BuiltPackage, Robot, build, read, write
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot.robot import Kinematics, follows

SHARED = ROOT.parent / "shared" / "urdf"
G = 9.81
BRIEFLY = 0.05  # seconds of a run

# What each robot gets of the compiler's time, which grows faster than the robot: 7 links took 11 s of a processor,
# 30 took 100 s, 39 took 170 s, 45 took 460 s.
SECONDS = 1200
# What rumoca can't do with a robot, and why. A robot that it refuses and that is not here is a regression.
REFUSED: dict[str, str] = {}
# Robots that may need more than SECONDS, which is not a failure: how far rumoca has come with them.
TOO_LARGE = {
    "dual_panda--urdf_files_dataset.urdf": "22,031 equations, for 130 shapes: 8 minutes of a whole processor",
    "eve_r3--halodi-robot-models.urdf": "about 36,000 equations: 20 minutes were not enough",
    "ergoCubSN002_model--ergocub-software.urdf": "about 67,000 equations: hours",
}


@pytest.fixture(scope="module")
def libraries(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    folder = tmp_path_factory.mktemp("libraries")
    copy_needed_parts(msl, folder)
    return folder


def running(built: BuiltPackage, modifiers: str = "") -> str:
    """A model that is the run model of a package. The compiler reads only libraries that its text names."""
    imports = "import Modelica.Constants; import UrdfRobots.Types;"
    return f"model Running {imports} extends {built.name}.{built.name}Run{modifiers}; end Running;"


# ---------------------------------------------------------------- the fixtures move


@pytest.fixture(scope="module")
def rumoca(libraries: Path) -> Iterator[Rumoca]:
    for case in CASES:
        write(built_case(case), libraries)
    with Rumoca([libraries, TEMPLATES.parent], cwd=libraries) as process:
        yield process


def vector(name: str) -> list[str]:
    return [f"{name}[{i}]" for i in (1, 2, 3)]


def run_case(rumoca: Rumoca, case: str, variables: list[str], modifiers: str = "") -> Run:
    """Run the run model of a fixture. All that holds for every robot is looked at here."""
    robot, built = robot_of(case), built_case(case)
    root = built.names.link(Kinematics.of(robot).roots[0]).component
    gravity = vector(f"robot.{root}.body.g_0")
    frictions = [f"robot.{built.names.joint(name).component}.friction.tau" for name in rubbing(robot)]
    run = rumoca.simulate(running(built, modifiers), "Running", BRIEFLY, [*gravity, *frictions, *variables])
    assert_is_robot(run.model, robot, built)
    assert [run.last(each) for each in gravity] == pytest.approx([0, 0, -G])
    return run


def rubbing(robot: Robot) -> list[str]:
    """The joints with friction."""
    return [joint.name for joint in robot.joints if joint.dynamics is not None]


def assert_is_robot(model: Compiled, robot: Robot, built: BuiltPackage) -> None:
    """It is balanced, gravity is that of the world, and the compiler has the values of the URDF file."""
    assert model.is_balanced
    assert model.equations == model.unknowns
    assert model.parameters["world.g"] == G
    for link in robot.links:
        mass = 0 if link.inertial is None or link.inertial.mass is None else link.inertial.mass.value
        component = built.names.link(link.name).component
        assert model.parameters[f"robot.{component}.linkParams.inertial.mass"] == mass
    for joint in robot.joints:
        values = f"robot.{built.names.joint(joint.name).component}.jointParams"
        for name in ("damping", "friction"):
            number = None if joint.dynamics is None else getattr(joint.dynamics, name)
            assert model.parameters[f"{values}.dynamics.{name}"] == (0 if number is None else number.value)
    rotational = [joint for joint in robot.joints if joint.type.is_rotational and not follows(joint)]
    assert model.parameters["robot.numRotationalJoints"] == len(rotational)


@pytest.mark.slow
def test_the_rover_falls(rumoca: Rumoca) -> None:
    heights = [f"robot.{link}.frame_a.r_0[3]" for link in ("chassis", "left_wheel", "caster")]
    run = run_case(rumoca, "rover", [*heights, "robot.left_wheel_joint.revolute.phi"])
    fallen = G * BRIEFLY**2 / 2
    assert [run.last(each) for each in heights] == pytest.approx([-fallen, -0.05 - fallen, -0.1 - fallen])
    assert run.last("robot.left_wheel_joint.revolute.phi") == pytest.approx(0, abs=1e-9)


def test_the_gripper_rests_with_all_its_weight(rumoca: Rumoca) -> None:
    run = run_case(rumoca, "gripper", [*vector("robot.frame_a.f"), "robot.left_joint.prismatic.s"])
    # All of it is attached to the world; nothing moves, for its joints are level or turn about an upright axis.
    assert [run.last(each) for each in vector("robot.frame_a.f")] == pytest.approx([0, 0, 0.71 * G], abs=1e-6)
    assert run.last("robot.left_joint.prismatic.s") == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_the_arm_moves_and_rubs(rumoca: Rumoca) -> None:
    speed, torque = "robot.elbow.friction.w_rel", "robot.elbow.friction.tau"
    ball = "robot.ball.frame_a.r_0[3]"
    variables = [speed, torque, ball, "robot.tray.frame_a.r_0[3]"]
    run = run_case(rumoca, "arm", variables, "(robot(elbow(qd_start=1)))")
    # It swings about the position in which it hangs straight down, and its friction slows it down.
    assert run[speed][0] == pytest.approx(1)
    assert 0.1 < run.last(speed) < 1
    # The dry part acts fully at this speed.
    assert run[torque] == pytest.approx([0.2 * each + 0.05 for each in run[speed]], rel=1e-3)
    # The tray slides down its upright plane, and the ball falls beside it.
    fallen = G * BRIEFLY**2 / 2
    assert run.last("robot.tray.frame_a.r_0[3]") == pytest.approx(-fallen)
    assert run.last(ball) == pytest.approx(0.1 - fallen)


# ---------------------------------------------------------------- real robots compile


@attrs.frozen
class Outcome:
    """What came of one file."""

    file: str
    links: int
    words: str
    seconds: float
    problem: Literal["refused", "out of time"] | None = None

    def __str__(self) -> str:
        return f"{self.file:68} {self.links:4}  {self.words:24} {self.seconds:6.1f} s"


def compiled_robot(path: Path, name: str, libraries: Path, rumoca: Rumoca) -> Outcome:
    """Build a file that can be used, and let the compiler take its run model."""
    robot = read(path).usable_robot()
    built = build(robot, BuildOptions(into=libraries, name=name, urdf=path))
    write(built, libraries)
    problem: Literal["refused", "out of time"] | None = None
    before = time.monotonic()
    try:
        model = rumoca.compile(running(built), "Running", seconds=SECONDS)
    except RumocaTimeoutError:
        problem, words = "out of time", f"no answer in {SECONDS} s"
    except RumocaError as error:
        problem, words = "refused", f"refused: {error}"
    else:
        assert_is_robot(model, robot, built)
        words = f"{model.equations} equations"
    return Outcome(path.name, len(robot.links), words, time.monotonic() - before, problem)


def summary(outcomes: list[Outcome]) -> str:
    """The count, and a line with the reason for each robot that did not compile."""
    missing = [each for each in outcomes if each.problem is not None]
    lines = [f"{len(outcomes) - len(missing)} of {len(outcomes)} robots compile"]
    for each in missing:
        reason = REFUSED.get(each.file) or TOO_LARGE.get(each.file) or "nobody has looked into it"
        lines.append(f"{each.file}, {each.links} links: {each.words} ({reason})")
    return "\n".join(lines)


@pytest.mark.corpus
@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no robots in ../shared/urdf")
def test_real_robots_compile(libraries: Path) -> None:
    outcomes = []
    # The smallest first: so what is wrong with all of them is seen early.
    files = sorted((path for path in SHARED.glob("*.urdf") if read(path).is_usable), key=size_of)
    with Rumoca([libraries, TEMPLATES.parent], cwd=libraries) as rumoca:
        for number, path in enumerate(files):
            outcomes.append(compiled_robot(path, f"Robot{number}", libraries, rumoca))
            print(outcomes[-1])  # noqa: T201  (with pytest -s)
    print(summary(outcomes))  # noqa: T201
    assert outcomes
    assert {each.file for each in outcomes if each.problem == "refused"} == set(REFUSED), summary(outcomes)
    assert {each.file for each in outcomes if each.problem == "out of time"} <= set(TOO_LARGE), summary(outcomes)


def size_of(path: Path) -> tuple[int, str]:
    return len(read(path).usable_robot().links), path.name
