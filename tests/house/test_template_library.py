"""The template library UrdfRobots: well-formed as it stands, and with the right motion in a real compiler.

`fixtures/templates/Checks.mo` has models of its parts whose motion is known in closed form. `Robots`, `Links` and
`Joints` are filled the way a program fills them.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.library import Libraries
from modelica_ast.rules import check_libraries
from rumoca_runs import Rumoca, RumocaError, Run, copy_needed_parts
from urdf_frontend.robot.robot import plane_of

FRONTEND = ROOT / "src" / "urdf_frontend"
LIBRARY = FRONTEND / "library" / "UrdfRobots"
CHECKS = (FIXTURES / "templates" / "Checks.mo").read_text(encoding="utf-8")
G = 9.81


# ---------------------------------------------------------------- as it stands


@pytest.fixture(scope="module")
def opened() -> Libraries:
    return Libraries([LIBRARY])


def classes(libraries: Libraries, prefix: str = "UrdfRobots") -> Iterator[tuple[str, ClassHandle]]:
    for name in libraries["UrdfRobots"].classes():
        if name == prefix or name.startswith(f"{prefix}."):
            yield name, libraries.find_class(name)


def test_nothing_is_wrong_with_it(msl: Path) -> None:
    services = [path for path in msl.parent.iterdir() if path.name.startswith(("ModelicaServices", "Complex"))]
    findings = check_libraries(Libraries([LIBRARY], read_only=[msl, *services]))
    # DLR Visualization 2 is not free: `uses` does not name it, so that all other links work without it.
    assert {finding.message for finding in findings} == {"'Visualization2' is not found"}
    assert {finding.path.name for finding in findings if finding.path is not None} == {
        "LinkVisualization2.mo",
        "SphereVisualization2.mo",
    }


def test_every_class_says_what_it_is(opened: Libraries) -> None:
    for name, handle in classes(opened):
        assert handle.description, name
        if (
            handle.kind in ("model", "package", "partial model")
            and ".Icons" not in name
            and ".Examples.Arm." not in name
        ):
            assert handle.get_annotation("Documentation.info") is not None, name


@pytest.mark.parametrize("package", ["Links", "Joints", "Contacts", "Robots", "Generic", "Examples"])
def test_diagrams_are_drawn(package: str, opened: Libraries) -> None:
    for name, handle in classes(opened, f"UrdfRobots.{package}"):
        if handle.kind != "model":
            continue
        for component in handle.components:
            if component.constraint is None:  # else the words after it are those of the constraint
                assert component.description, (name, component.name)
            is_part = component.type.startswith(("Modelica.Mechanics", "Modelica.Blocks", "UrdfRobots.Links"))
            if is_part:
                assert component.placement is not None, (name, component.name)
        if name != "UrdfRobots.Generic.MultiBodyRobot":  # its connections are in loops
            for one, other in handle.connections:
                assert handle.get_line(one, other) is not None, (name, one, other)


def test_components_are_unconditional(opened: Libraries) -> None:
    """A condition on a field of a record is decided by the record's default in some compilers, without a word."""
    for name, handle in classes(opened):
        assert all(component.condition is None for component in handle.components), name


def test_records_have_a_default_for_everything(opened: Libraries) -> None:
    for name, record in classes(opened, "UrdfRobots.Records"):
        if name == "UrdfRobots.Records":
            continue
        for component in record.components:
            assert component.prefixes == ["parameter"], (name, component.name)
            assert component.get() is not None, (name, component.name)


SHAPES = ["Box", "Cylinder", "Sphere", "Capsule", "CapsuleEnd1", "CapsuleEnd2", "Mesh"]
SHAPE_NAMES = [f"{kind}{shape}" for kind in ("visual", "collision") for shape in SHAPES]

# What programs that fill the templates rely on.
PROMISED = {
    "Links.Link": ["linkParams", "trafoInertial", "body", "trafoVisual", "trafoCollision", *SHAPE_NAMES],
    "Joints.Fixed": ["jointParams", "trafo"],
    "Joints.Revolute": ["jointParams", "trafo", "revolute", "friction", "endStop", "flange_a", "flange_b", "q_start"],
    "Joints.Continuous": ["jointParams", "trafo", "revolute", "friction", "flange_a", "flange_b", "q_start"],
    "Joints.Prismatic": ["jointParams", "trafo", "prismatic", "friction", "endStop", "flange_a", "flange_b", "q_start"],
    "Joints.Planar": ["jointParams", "trafo", "planar", "s_start", "phi_start", "startFixed"],
    "Joints.Floating": ["jointParams", "trafo", "floating", "r_start", "rpy_start", "startFixed"],
    "Joints.MimicRotationalTranslational": ["master", "mimic", "multiplier", "offset"],
    "Robots.PartialRobot": ["numLeafLinks", "startFixed"],
    "Robots.BaseRobot": ["frame_b", "rotational_flange_a", "translational_flange_b"],
    "Robots.RobotWithConnectors": ["frame_b", "rotational_flange_a", "translational_flange_b"],
    "Robots.RunStationary": ["world", "robot"],
    "Robots.RunMobile": ["world", "freeMotion", "robot"],
    "Robots.Test": ["rotationalReference", "rotationalDrive", "translationalReference", "translationalDrive"],
    "Contacts.ContactCylinder": ["radius", "length"],
    "Generic.Robot": ["robotParams"],
}


@pytest.mark.parametrize("name", PROMISED)
def test_promised_components_are_there(name: str, opened: Libraries) -> None:
    handle = opened.find_class(f"UrdfRobots.{name}")
    assert set(PROMISED[name]) <= {component.name for component in handle.components}


def test_the_two_links_differ_in_their_shapes_only(opened: Libraries) -> None:
    ours = opened.find_class("UrdfRobots.Links.Link")
    theirs = opened.find_class("UrdfRobots.Links.LinkVisualization2")
    assert [each.name for each in ours.components] == [each.name for each in theirs.components]
    assert ours.connections == theirs.connections
    assert ours.extends == theirs.extends
    for one, other in zip(ours.components, theirs.components, strict=True):
        if one.name in SHAPE_NAMES:
            assert one.type == "Modelica.Mechanics.MultiBody.Visualizers.FixedShape"
            assert other.type.startswith(("Visualization2.Shapes.", "UrdfRobots.Links.SphereVisualization2"))
        else:
            assert one.type == other.type
            assert str(one.view).strip() == str(other.view).strip()
        assert one.placement == other.placement


def test_every_limit_warns_by_the_name_of_the_joint(opened: Libraries) -> None:
    for name, count in (("Revolute", 4), ("Prismatic", 4), ("Continuous", 2)):
        equations = opened.find_class(f"UrdfRobots.Joints.{name}").equations()
        asserts = [equation for equation in equations if equation.startswith("assert(")]
        assert len(asserts) == count
        assert all("jointParams.name" in each and "AssertionLevel.warning" in each for each in asserts)


def test_all_of_it_is_installed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["urdf_frontend.library"]
    installed = {path for pattern in patterns for path in LIBRARY.parent.glob(pattern)}
    files = {path for path in LIBRARY.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert files - {LIBRARY.parent / "__init__.py"} <= installed


# ---------------------------------------------------------------- in a compiler


@pytest.fixture(scope="module")
def rumoca(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rumoca]:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    folder = tmp_path_factory.mktemp("libraries")
    copy_needed_parts(msl, folder)
    with Rumoca([folder, LIBRARY.parent], cwd=folder) as running:
        yield running


def check(rumoca: Rumoca, model: str, stop: float, variables: Sequence[str]) -> Run:
    return rumoca.simulate(CHECKS, f"Checks.{model}", stop, variables)


def vector(name: str) -> list[str]:
    return [f"{name}[{i}]" for i in (1, 2, 3)]


def at_end(run: Run, name: str) -> list[float]:
    return [run.last(each) for each in vector(name)]


def at_start(run: Run, name: str) -> list[float]:
    return [run[each][0] for each in vector(name)]


def rotation(roll: float, pitch: float, yaw: float) -> list[list[float]]:
    """Rz(yaw) Ry(pitch) Rx(roll), row by row."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def near(expected: float | Sequence[float], tolerance: float = 1e-6) -> object:
    return pytest.approx(expected, rel=tolerance, abs=tolerance)


def test_single_joints(rumoca: Rumoca) -> None:
    angle, speed = "pendulum.revolute.phi", "pendulum.revolute.w"
    others = ["damped.revolute.w", "falling.prismatic.s", "rubbing.prismatic.v", *vector("fixedMass.frame_a.r_0")]
    run = check(rumoca, "SingleJoints", 1, [angle, speed, *others, "fixedMass.frame_a.R.T[1,3]"])

    # A pendulum keeps its energy. It turns about +y, so its mass goes from +x down.
    for phi, w in zip(run[angle], run[speed], strict=True):
        assert (0.02 + 2 * 0.5**2) * w**2 / 2 == near(2 * G * 0.5 * math.sin(phi))
    assert run.last(angle) > 1
    # Damping takes speed away exponentially, at the rate of damping over inertia.
    assert run.last("damped.revolute.w") == near(3 * math.exp(-0.4 / (0.03 + 2 * 0.5**2)))
    # A body falls as bodies do; dry friction slows down at a constant rate.
    assert run.last("falling.prismatic.s") == near(0.3 + 1 - G / 2)
    assert run.last("rubbing.prismatic.v") == near(2 - 1 / 2)
    # The frame after an origin is shifted and turned. MultiBody's T is the transpose.
    assert at_end(run, "fixedMass.frame_a.r_0") == near([1, 2, 3])
    assert run.last("fixedMass.frame_a.R.T[1,3]") == near(rotation(0.1, 0.2, 0.3)[2][0])


AXES = {
    "xUp": (1.0, 0.0, 0.0),
    "xDown": (-1.0, 0.0, 0.0),
    "yUp": (0.0, 1.0, 0.0),
    "yDown": (0.0, -1.0, 0.0),
    "zUp": (0.0, 0.0, 1.0),
    "zDown": (0.0, 0.0, -1.0),
    "tilted": (0.6, 0.0, -0.8),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "joints"),
    [("PlanesUp", ["xUp", "yUp", "zUp"]), ("PlanesDown", ["xDown", "yDown", "zDown"]), ("PlaneTilted", ["tilted"])],
)
def test_planar_joints_move_in_their_plane(model: str, joints: list[str], rumoca: Rumoca) -> None:
    run = check(rumoca, model, 0.5, [each for joint in joints for each in vector(f"{joint}Mass.frame_a.r_0")])
    for joint in joints:
        axis = AXES[joint]
        first, second = plane_of(axis)  # the same directions as in our own kinematics
        fall = [-G * (0 - axis[2] * axis[0]), -G * (0 - axis[2] * axis[1]), -G * (1 - axis[2] ** 2)]
        start = [1 * a + 2 * b for a, b in zip(first, second, strict=True)]
        end = [
            s + 0.5 * (0.5 * a + 0.25 * b) + f * 0.5**2 / 2
            for s, a, b, f in zip(start, first, second, fall, strict=True)
        ]
        assert at_start(run, f"{joint}Mass.frame_a.r_0") == near(start)
        assert at_end(run, f"{joint}Mass.frame_a.r_0") == near(end)


def test_link_has_its_mass_where_it_says(rumoca: Rumoca) -> None:
    names = [
        "joint.revolute.w",
        *vector("link.body.frame_a.r_0"),
        "link.visualBox.length",
        *vector("link.visualBox.color"),
    ]
    run = check(rumoca, "TurnedLink", 1, names)
    turn = rotation(0.3, -0.4, 0.6)[2]
    tensor = [[0.02, 0.001, -0.002], [0.001, 0.03, 0.0015], [-0.002, 0.0015, 0.025]]
    about_z = sum(turn[i] * tensor[i][k] * turn[k] for i in range(3) for k in range(3))
    assert run.last("joint.revolute.w") == near(0.7 / (about_z + 2 * (0.1**2 + 0.2**2)))
    assert at_start(run, "link.body.frame_a.r_0") == near([0.1, -0.2, 0.3])
    assert run.last("link.visualBox.length") == near(0.1)
    assert at_end(run, "link.visualBox.color") == [255, 128, 26]


@pytest.mark.slow
def test_floating_joint_flies(rumoca: Rumoca) -> None:
    run = check(rumoca, "Thrown", 0.5, [*vector("mass.frame_a.r_0"), "mass.frame_a.R.T[1,3]", *vector("mass.w_a")])
    assert at_end(run, "mass.frame_a.r_0") == near([1 + 0.25, 2 + 0.125, 3 + 0.5 - G / 8])
    turned = rotation(0.1, 0.2, 0.3)
    assert run["mass.frame_a.R.T[1,3]"][0] == near(turned[2][0])
    # Alike in all directions, it keeps its angular velocity; w_a is in its own frame.
    own = [sum(turned[i][k] * (1, 2, 3)[i] for i in range(3)) for k in range(3)]
    assert at_start(run, "mass.w_a") == near(own)
    assert math.hypot(*at_end(run, "mass.w_a")) == near(math.sqrt(14))


@attrs.frozen
class Follower:
    first: str
    second: str
    multiplier: float
    offset: float
    inertia: float  # of both, as the first joint feels it


TURNS, SLIDES = "joint.revolute.phi", "joint.prismatic.s"


@pytest.mark.parametrize(
    ("model", "followers"),
    [
        pytest.param(
            "FollowersOfTurning",
            [
                Follower(f"a1.{TURNS}", f"b1.{TURNS}", -2, 0.1, 0.02 + 4 * 0.02),
                Follower(f"a2.{TURNS}", f"b2.{SLIDES}", 0.5, 0.2, 0.02 + 0.25 * 2),
            ],
        ),
        pytest.param(
            "FollowersOfSliding",
            [
                Follower(f"a1.{SLIDES}", f"b1.{TURNS}", 3, 0.3, 2 + 9 * 0.02),
                Follower(f"a2.{SLIDES}", f"b2.{SLIDES}", -1, 0.4, 2 + 2),
            ],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_followers_follow_and_are_felt(model: str, followers: list[Follower], rumoca: Rumoca) -> None:
    run = check(rumoca, model, 0.5, [name for each in followers for name in (each.first, each.second)])
    for each in followers:
        assert run[each.second] == near([each.multiplier * q + each.offset for q in run[each.first]])
        assert run.last(each.first) == near(0.5**2 / 2 / each.inertia)  # by a torque of 1 N.m, or a force of 1 N


@pytest.mark.slow
def test_end_stops_hold(rumoca: Rumoca) -> None:
    swinging, dropping, through = "swinging.revolute.phi", "dropping.prismatic.s", "through.prismatic.s"
    run = check(rumoca, "Stops", 2, [swinging, dropping, through, "swinging.endStop.tau"])
    phi = run.last(swinging)
    assert 500 * (phi - 0.5) == near(2 * G * 0.5 * math.cos(phi), 1e-3)
    assert max(run[swinging]) < 0.6
    assert run.last(dropping) == near(-0.2 - 2 * G / 4000, 1e-5)
    assert run.last(through) == near(-G * 2**2 / 2)


@pytest.mark.slow
def test_bodies_rest_on_the_ground(rumoca: Rumoca) -> None:
    heights = {
        "point": -2 * G / 5000,
        "sphere": 0.3 - 2 * G / 5000,
        "box": 0.15 - 2 * G / (4 * 2000),
        "cylinder": 0.25 - 2 * G / (4 * 2000),
    }
    run = check(rumoca, "Resting", 1, [f"{body}.frame_a.r_0[3]" for body in heights])
    for body, height in heights.items():
        assert run.last(f"{body}.frame_a.r_0[3]") == near(height, 1e-5), body


@pytest.mark.slow
def test_friction_brakes_on_a_slope(rumoca: Rumoca) -> None:
    run = check(rumoca, "Slope", 0.3, vector("contact.v_0"))
    gained = G * 0.3 * (math.sin(math.pi / 6) - 0.3 * math.cos(math.pi / 6))
    assert math.hypot(*at_end(run, "contact.v_0")) == near(1 + gained, 1e-4)


@pytest.mark.slow
def test_a_wheel_slides_and_then_rolls(rumoca: Rumoca) -> None:
    run = check(rumoca, "Wheel", 0.5, ["contact.v_0[1]", "contact.w_0[2]", "wheel.frame_a.r_0[3]"])
    assert run.last("contact.v_0[1]") == near(2 / 3, 5e-3)
    assert run.last("contact.w_0[2]") * 0.2 == near(run.last("contact.v_0[1]"), 1e-3)
    assert run.last("wheel.frame_a.r_0[3]") == near(0.2 - G / 1e4, 1e-5)  # it neither sinks nor hops


@pytest.mark.slow
def test_generic_robot_moves_as_in_another_tool(rumoca: Rumoca) -> None:
    run = check(rumoca, "Equations", 1, ["robot.q[1]", "robot.q[2]", "robot.q[3]"])
    assert at_end(run, "robot.q") == near([-0.8717642, 2.2423272, 1.9994913])  # OpenModelica's numbers


@pytest.mark.slow
def test_example_robot_falls(rumoca: Rumoca) -> None:
    left, right = "robot.leftSlide.prismatic.s", "robot.rightSlide.prismatic.s"
    shoulder, elbow = "robot.shoulder.revolute", "robot.elbow.revolute"
    run = check(rumoca, "Falling", 0.1, [f"{shoulder}.a", f"{elbow}.a", f"{shoulder}.phi", left, right])
    # Stretched out and at rest it is a double pendulum: M*qdd = h, with the gripper as a part of the forearm.
    moment = 2 * 0.15 + 0.2 * 0.34
    inner = 0.016 + 2 * 0.15**2 + 2 * (6e-5 + 0.1 * 0.34**2)
    coupled = inner + 0.4 * moment
    outer = 0.042 + 3 * 0.2**2 + inner + 2.2 * 0.4**2 + 2 * 0.4 * moment
    first, second = G * (3 * 0.2 + 2.2 * 0.4 + moment), G * moment
    determinant = outer * inner - coupled**2
    assert run[f"{shoulder}.a"][0] == near((inner * first - coupled * second) / determinant)
    assert run[f"{elbow}.a"][0] == near((outer * second - coupled * first) / determinant)
    assert run.last(f"{shoulder}.phi") > 0.01
    assert run[right] == near(run[left])


@pytest.mark.slow
@pytest.mark.corpus
def test_example_robot_is_driven(rumoca: Rumoca) -> None:
    left, right, elbow = "robot.leftSlide.prismatic.s", "robot.rightSlide.prismatic.s", "robot.elbow.revolute.phi"
    torque = "robot.shoulder.flange_a.tau"
    run = check(rumoca, "Driven", 0.2, [left, right, elbow, torque])
    # At the start the arm is stretched out and at rest. The drive holds all that is beyond the shoulder.
    assert run[torque][0] == pytest.approx(-G * (3 * 0.2 + 2 * 0.55 + 0.2 * 0.74), rel=1e-3)
    assert run[right] == near(run[left])
    # The reference is 0.25 (1 - cos(0.4 pi t)); the drive lags behind by the delay of its filter, 4 ms.
    assert run.last(elbow) == pytest.approx(0.25 * (1 - math.cos(0.4 * math.pi * 0.1957)), rel=1e-2)


# ---------------------------------------------------------------- filled


PENDULUM = """
  model Pendulum "A robot with one joint"
    extends UrdfRobots.Robots.BaseRobot(numLinks=2, numLeafLinks=1, numRotationalJoints=1);
    Modelica.Mechanics.MultiBody.Parts.Body base(m=3, r_CM={0,0,0}, I_22=0.1, animation=false);
    UrdfRobots.Joints.Revolute joint(
      jointParams=UrdfRobots.Records.Joint(name="joint", axis={0,1,0}), startFixed=startFixed);
    Modelica.Mechanics.MultiBody.Parts.Body body(m=2, r_CM={0.5,0,0}, I_22=0.02, animation=false);
  equation
    connect(frame_a, base.frame_a);
    connect(frame_a, joint.frame_a);
    connect(joint.frame_b, body.frame_a);
    connect(body.frame_a, frame_b[1]);
    connect(joint.flange_a, rotational_flange_a[1]);
    connect(joint.flange_b, rotational_flange_b[1]);
  end Pendulum;
"""


def filled(template: str, name: str) -> str:
    """A template with the pendulum as its robot, by the verbs that programs use."""
    document = Document.open(LIBRARY / "Robots" / f"{template}.mo")
    handle = document.find_class(f"UrdfRobots.Robots.{template}")
    if template == "Test":
        handle.find_component("numRotationalJoints").set("", 1)
        text = document.text.replace("UrdfRobots.Robots.RunStationary", "Run")
    else:
        handle.find_component("robot").set_type("Pendulum")
        text = document.text
    return (
        text.partition("\n")[2]
        .replace(f"model {template} ", f"model {name} ")
        .replace(f"end {template};", f"end {name};")
    )


def package(*models: str) -> str:
    return (
        "package Filled\n  import Modelica.Constants;\n  import UrdfRobots.Types;\n"
        + "\n".join(models)
        + "end Filled;\n"
    )


@pytest.mark.slow
def test_stationary_run_and_test(rumoca: Rumoca) -> None:
    source = package(PENDULUM, filled("RunStationary", "Run"), filled("Test", "Test"))
    angle, torque = "robot.joint.revolute.phi", "robot.rotational_flange_a[1].tau"
    run = rumoca.simulate(source, "Filled.Test", 0.2, [angle, torque])
    assert run[torque][0] == pytest.approx(-2 * G * 0.5, rel=1e-3)
    assert run.last(angle) == pytest.approx(0.25 * (1 - math.cos(0.4 * math.pi * 0.1957)), rel=1e-2)


@pytest.mark.slow
def test_mobile_run(rumoca: Rumoca) -> None:
    source = package(PENDULUM, filled("RunMobile", "Run"))
    run = rumoca.simulate(source, "Filled.Run", 0.5, ["robot.frame_a.r_0[3]", "robot.joint.revolute.phi"])
    assert run.last("robot.frame_a.r_0[3]") == near(-G * 0.5**2 / 2)  # nothing below it, so all of it falls alike
    assert run.last("robot.joint.revolute.phi") == near(0)


STRICT = """
  model Limited
    inner Modelica.Mechanics.MultiBody.World world(n={0,0,-1}, g=9.81);
    StrictRevolute turn(qd_start=1, jointParams=UrdfRobots.Records.Joint(
      name="turn", axis={0,0,1}, limit=UrdfRobots.Records.Limit(lower=-9, upper=9, velocity=9, effort=9)));
    StrictPrismatic slide(qd_start=-1, jointParams=UrdfRobots.Records.Joint(
      name="slide", axis={1,0,0}, limit=UrdfRobots.Records.Limit(lower=-9, upper=9, velocity=9, effort=9)));
    StrictContinuous wheel(jointParams=UrdfRobots.Records.Joint(
      name="wheel", axis={0,0,1}, limit=UrdfRobots.Records.Limit(velocity=9, effort=9)));
    Modelica.Mechanics.MultiBody.Parts.Body a(m=1, r_CM={0,0,0}, I_33=1, animation=false);
    Modelica.Mechanics.MultiBody.Parts.Body b(m=1, r_CM={0,0,0}, I_33=1, animation=false);
    Modelica.Mechanics.MultiBody.Parts.Body c(m=1, r_CM={0,0,0}, I_33=1, animation=false);
    Modelica.Mechanics.Rotational.Sources.Torque torque;
  equation
    torque.tau = 2*time;
    connect(world.frame_b, turn.frame_a);
    connect(turn.frame_b, a.frame_a);
    connect(world.frame_b, slide.frame_a);
    connect(slide.frame_b, b.frame_a);
    connect(world.frame_b, wheel.frame_a);
    connect(wheel.frame_b, c.frame_a);
    connect(torque.flange, wheel.flange_a);
  end Limited;
"""


@pytest.mark.slow
def test_limits_are_watched(rumoca: Rumoca) -> None:
    """With errors in place of warnings, which this compiler does not show, each limit stops the run in time."""
    models = []
    for name in ("Revolute", "Prismatic", "Continuous"):
        text = (LIBRARY / "Joints" / f"{name}.mo").read_text(encoding="utf-8").partition("\n")[2]
        text = text.replace("AssertionLevel.warning", "AssertionLevel.error")
        models.append(
            text.replace(f"model {name} ", f"model Strict{name} ").replace(f"end {name};", f"end Strict{name};")
        )
    cases: list[tuple[dict[str, float], list[str]]] = [
        ({}, []),
        ({"turn.jointParams.limit.upper": 0.5}, ["t=0.5", "Joint turn is above its upper limit of 0.5 rad."]),
        ({"slide.jointParams.limit.lower": -0.25}, ["t=0.25", "Joint slide is below its lower limit of -0.25 m."]),
        ({"wheel.jointParams.limit.velocity": 0.25}, ["t=0.5", "Joint wheel is faster than its limit of 0.25 rad/s."]),
        ({"wheel.jointParams.limit.effort": 1}, ["t=0.5", "Joint wheel is driven with more than its limit of 1 N.m."]),
    ]
    found = rumoca.failures(package(*models, STRICT), "Filled.Limited", 1, [setting for setting, _ in cases])
    for failure, (setting, words) in zip(found, cases, strict=True):
        if not words:
            assert failure is None
        else:
            assert failure is not None, setting
            assert all(word in failure for word in words), (setting, failure)


def test_a_wrong_model_is_an_error(rumoca: Rumoca) -> None:
    with pytest.raises(RumocaError, match="NoSuchClass"):
        rumoca.simulate("model Wrong\n  NoSuchClass x;\nend Wrong;\n", "Wrong", 1, [])
