"""After an update the compiler takes the package with the user's edits in it, and both are in what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from conftest import FIXTURES
from modelica_ast.edit import Document
from modelica_ast.generate import Report
from rumoca_runs import Rumoca, Run, copy_needed_parts
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.package import update, with_base
from urdf_frontend.package.builder.options import TEMPLATES

URDF = (FIXTURES / "robots" / "gripper.urdf").read_text(encoding="utf-8")
NAME = "EditedGripper"
G = 9.81
BRIEFLY = 0.02  # seconds of a run
LOSSES, SPEED = "robot.screw.losses", "robot.screw.friction.w_rel"

# A heavier palm, a screw with a shorter way, a ring on the knob.
URDF_CHANGES = (
    ('<mass value="0.5"/>', '<mass value="0.65"/>'),
    ('upper="6.28" effort="2"', 'upper="3.14" effort="2.5"'),
    (
        "</robot>",
        """  <link name="ring">
    <inertial>
      <mass value="0.04"/>
      <inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/>
    </inertial>
  </link>
  <joint name="fit" type="fixed">
    <parent link="knob"/>
    <child link="ring"/>
    <origin xyz="0 0 0.01"/>
  </joint>
</robot>""",
    ),
)
# What everything weighs at the end: palm, knob, left with its pad, right, ring, and the user's load.
MASS = 0.65 + 0.05 + (0.08 + 0.015) + 0.08 + 0.04 + 0.3

# What a user changes by hand, by the file: edits that mean something to a compiler.
TEXT_EDITS = {
    "Links/leftParams.mo": (
        ("  extends UrdfRobots", '  parameter Real padMass=0.015 "Weighed, kg";\n  extends UrdfRobots'),
        ("mass=0.08", "mass=0.08 + padMass /* with its pad */"),
    ),
    "Joints/screwParams.mo": (("damping=0.01", "damping=0.02"),),
    "Joints/screw.mo": (
        ("equation\n", '  Real losses "W";\nequation\n  losses = friction.tau*friction.w_rel;\n'),
        ("qd_start=0 ", "qd_start=1.5 "),
    ),
}


def changed_urdf() -> str:
    text = URDF
    for old, new in URDF_CHANGES:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def edit_by_hand(folder: Path) -> None:
    for path, pairs in TEXT_EDITS.items():
        text = (folder / path).read_bytes().decode()
        for old, new in pairs:
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        (folder / path).write_bytes(text.encode())


def edit_robot(folder: Path) -> None:
    """The robot's model: another name for an instance, a component with a connection, a parameter with an equation."""
    document = Document.open(folder / f"{NAME}.mo")
    robot = document.find_class(NAME)
    robot.find_component("knob").rename("handle")
    robot.add_component("Modelica.Mechanics.MultiBody.Parts.PointMass", "load", modifiers={"m": 0.3})
    robot.connect("load.frame_a", "palm.frame_a")
    robot.add_component("Real", "wear", prefixes=["parameter"], modifiers={"": 0.25}, description="Per second")
    robot.add_component("Real", "worn", modifiers={"start": 0, "fixed": True})
    robot.add_equation("der(worn) = wear")
    document.save()


@attrs.frozen
class Updated:
    """The package after edits and an update, and what the update said."""

    folder: Path
    report: Report
    run: Run


@pytest.fixture(scope="module")
def updated(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Updated]:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    libraries = tmp_path_factory.mktemp("libraries")
    copy_needed_parts(msl, libraries)
    urdf, options = read(URDF), BuildOptions(into=libraries, name=NAME)
    built = with_base(build(urdf.usable_robot(), options), urdf, options)
    write(built, libraries)
    folder = libraries / built.folder
    edit_by_hand(folder)
    edit_robot(folder)
    result = update(folder, read(changed_urdf()))
    result.save()
    source = f"model Running import Modelica.Constants; import UrdfRobots.Types; extends {NAME}.{NAME}Run; end Running;"
    variables = ["robot.frame_a.f[3]", "robot.ring.frame_a.r_0[3]", "robot.worn", LOSSES, SPEED]
    with Rumoca([libraries, TEMPLATES.parent], cwd=libraries) as rumoca:
        yield Updated(folder, result.report, rumoca.simulate(source, "Running", BRIEFLY, variables))


@pytest.mark.slow
def test_nothing_is_asked_and_the_next_update_does_nothing(updated: Updated) -> None:
    assert updated.report.conflicts == ()
    assert update(updated.folder, read(changed_urdf())).files == ()


def test_the_model_is_balanced(updated: Updated) -> None:
    model = updated.run.model
    assert model.is_balanced
    assert model.equations == model.unknowns


def test_the_users_edits_are_in_the_compiled_model(updated: Updated) -> None:
    model = updated.run.model
    expected = {
        "robot.left.linkParams.padMass": 0.015,
        "robot.screw.jointParams.dynamics.damping": 0.02,
        "robot.screw.qd_start": 1.5,
        "robot.load.m": 0.3,
        "robot.wear": 0.25,
        "robot.handle.linkParams.inertial.mass": 0.05,
    }
    assert {name: model.parameters.get(name) for name in expected} == expected
    assert not [name for name in (*model.parameters, *model.variables) if name.startswith("robot.knob.")]


def test_the_urdf_changes_are_in_the_compiled_model(updated: Updated) -> None:
    expected = {
        "robot.palm.linkParams.inertial.mass": 0.65,
        "robot.screw.jointParams.limit.upper": 3.14,
        "robot.screw.jointParams.limit.effort": 2.5,
        "robot.ring.linkParams.inertial.mass": 0.04,
        "robot.numLinks": 5,
    }
    parameters = updated.run.model.parameters
    assert {name: parameters.get(name) for name in expected} == expected


def test_both_move(updated: Updated) -> None:
    run = updated.run
    # It is on its palm and nothing moves up or down, so the world bears the weight of all of it: the pad that is an
    # expression, the load and the ring are bodies and not only names.
    assert run["robot.frame_a.f[3]"] == pytest.approx([MASS * G] * len(run.times), rel=1e-6)
    assert run.last("robot.ring.frame_a.r_0[3]") == pytest.approx(0.01)
    # The user's equations hold, and the tuned damping is the one that acts.
    assert run.last("robot.worn") == pytest.approx(0.25 * BRIEFLY)
    speeds = run[SPEED]
    assert speeds[0] == pytest.approx(1.5)
    assert 0 < speeds[-1] < 1.5
    assert run[LOSSES] == pytest.approx([0.02 * speed**2 for speed in speeds], rel=1e-3)
