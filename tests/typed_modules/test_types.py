"""Python modules of robots: what they say, what checkers say about them, and that they follow URDF and Modelica.

After a change of the generator, `pytest --update-expected tests/typed_modules/test_types.py` writes the modules of
fixtures/typed again.
"""

from __future__ import annotations

import ast
import importlib
import keyword
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, ROOT, Expected, examples
from modelica_ast.library import Libraries
from modelica_ast.refactor import rename
from package.urdf_robots import NAMES, robots
from typed_modules import type_checkers
from urdf_frontend import PackageError, read, typed
from urdf_frontend.robot import Joint, JointType, Link, LinkReference, Robot
from urdf_frontend.typed_modules import (
    Difference,
    ModuleOptions,
    RegistryEntry,
    TypesError,
    differences,
    make_module,
    read_module,
    updated_registry,
)
from urdf_frontend.typed_modules.blueprint import class_prefix, constant_prefix, member_names
from urdf_frontend.typed_modules.layout import WIDTH, text_of
from urdf_frontend.typed_modules.registry_files import module_as_seen_from

TYPED = FIXTURES / "typed"
ROBOTS = FIXTURES / "robots"
CORPUS = ROOT.parent / "shared" / "urdf"
MODULES = {"desk_arm": ROBOTS / "arm.urdf", "gripper": ROBOTS / "gripper.urdf", "odd_names": TYPED / "names.urdf"}
PACKAGES = {"desk_arm": ROBOTS / "packages" / "DeskArm"}


def robot_of(path: Path) -> Robot:
    return read(path).usable_robot()


def options_of(name: str, folder: Path = TYPED) -> ModuleOptions:
    return ModuleOptions(MODULES[name], folder / f"{name}.py", package=PACKAGES.get(name))


def made(name: str) -> bytes:
    return make_module(robot_of(MODULES[name]), options_of(name)).data


def loaded(data: bytes) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "loaded"}
    exec(compile(data, "loaded.py", "exec"), names)  # noqa: S102  (that it runs is what is tested)
    return names


@pytest.fixture(autouse=True)
def _without_standard_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reading it takes longer than the rest of a test; one test shows that nothing changes with it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MODELICAPATH", raising=False)


@pytest.fixture(name="fixture_modules")
def _fixture_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(TYPED)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        del sys.modules[name]


# ---------------------------------------------------------------- what is generated


@pytest.mark.parametrize("name", MODULES)
def test_the_modules_are_those_of_the_fixtures(name: str, expected: Expected) -> None:
    expected.file(TYPED / f"{name}.py", made(name).decode())


def test_the_standard_library_makes_no_difference(monkeypatch: pytest.MonkeyPatch, msl: Path) -> None:
    monkeypatch.setenv("MODELICAPATH", str(msl.parent))
    assert made("desk_arm") == (TYPED / "desk_arm.py").read_bytes()


@pytest.mark.parametrize("name", MODULES)
def test_making_a_module_anew_changes_no_byte(name: str) -> None:
    data = (TYPED / f"{name}.py").read_bytes()
    assert make_module(robot_of(MODULES[name]), options_of(name), read_module(data, name)).data == data


def test_lines_are_short_and_a_formatter_would_change_none() -> None:
    files = [TYPED / f"{name}.py" for name in (*MODULES, "robots")]
    assert max(len(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()) <= WIDTH
    command = ["ruff", "format", "--check", "--quiet", "--line-length", str(WIDTH), *map(str, files)]
    subprocess.run([sys.executable, "-m", *command], check=True)


@pytest.mark.parametrize(
    "statement",
    [
        "x = f(a)[b, c](d)",
        f"x = f({', '.join(f'argument_{number}' for number in range(20))})",
        f"x: A[{'b' * 50}] = {{{', '.join(f'{number}: (1, -2.5)' for number in range(40))}}}",
        f"x = ({'y' * 130},)",
        f"x = y[{'z' * 130}]",
        "x = 'a\"b', \"a'b\", 'a\\'b\"c', 'line\\nend', '\\u202e'",
        f"def f(self, a: {'A' * 80}) -> B[C, D] | {'E' * 40}: ...",
    ],
)
def test_a_layout_is_the_same_tree(statement: str) -> None:
    # That it is, `text_of` checks by itself; here it meets what robots may not have.
    node = ast.parse(statement).body[0]
    assert ast.dump(ast.parse(text_of(node)).body[0]) == ast.dump(node)


@given(st.lists(NAMES, min_size=1, max_size=8, unique=True), st.sampled_from(["link", "joint"]))
def test_every_name_gets_a_member_of_its_own(names: list[str], kind: str) -> None:
    members = member_names(kind, names)
    assert list(members) == names
    assert len(set(members.values())) == len(names)
    for member in members.values():
        assert member.isidentifier()
        assert not keyword.iskeyword(member)
        assert not member.startswith("_")
        assert ast.parse(f"x.{member}").body  # and Python reads it as it is written
    assert member_names(kind, reversed(names)) == members
    assert member_names(kind, [*names, "another"], members).items() >= members.items()


@pytest.mark.parametrize(
    ("kind", "names", "members"),
    [
        ("link", ["base_link", "left-foot", "leftHand", "HTTPServer"], "BASE LEFT_FOOT LEFT_HAND HTTP_SERVER"),
        ("joint", ["knee_joint", "base_link"], "KNEE BASE_LINK"),
        ("link", ["2f_85", "class", "link", "None"], "LINK_2F_85 CLASS LINK NONE"),
        ("link", ["foot_link", "foot"], "FOOT_LINK FOOT"),
        ("link", ["a-b", "a.b", "aB"], "A_B_2 A_B_3 A_B"),
        ("link", ["!", "?"], "LINK LINK_2"),
    ],
)
def test_members_are_called(kind: str, names: list[str], members: str) -> None:
    assert list(member_names(kind, names).values()) == members.split()


@pytest.mark.parametrize(
    ("robot", "prefix", "constant"),
    [
        ("desk-arm", "DeskArm", "DESK_ARM"),
        ("UR5", "UR5", "UR5"),
        ("2f_85", "Robot2f85", "ROBOT2F85"),
        (None, "Robot", "ROBOT"),
    ],
)
def test_classes_start_with(robot: str | None, prefix: str, constant: str) -> None:
    assert class_prefix(robot) == prefix
    assert constant_prefix(prefix) == constant


@given(robots())
@settings(max_examples=examples(15))
def test_any_robot_becomes_a_module(robot: Robot) -> None:
    result = make_module(robot, ModuleOptions(Path("robot.urdf")))
    names = loaded(result.data)
    skeleton = names[result.plan.constant]
    assert skeleton.name == (robot.name or "")
    assert [link.name for link in skeleton.linkage] == [link.name for link in robot.links]
    for joint in robot.joints:
        there = skeleton[names[result.plan.joint_class](joint.name)]
        assert type(there).__name__ == f"{joint.type.value.capitalize()}Joint"
        assert (there.parent.value, there.child.value) == (joint.parent, joint.child)
    again = make_module(robot, ModuleOptions(Path("robot.urdf")), read_module(result.data, "robot.py"))
    assert again.data == result.data


# ---------------------------------------------------------------- values


def test_all_types_of_joints(fixture_modules: Callable[[str], ModuleType]) -> None:
    module = fixture_modules("desk_arm")
    types = {joint.name: type(joint).__name__ for joint in module.DESK_ARM.articulation}
    assert types == {
        "shoulder": "ContinuousJoint",
        "elbow": "RevoluteJoint",
        "wrist": "PrismaticJoint",
        "tool": "FixedJoint",
        "tray": "PlanarJoint",
        "toss": "FloatingJoint",
    }
    elbow = module.DESK_ARM[module.DeskArmJointId.ELBOW]
    assert (elbow.lower, elbow.upper, elbow.effort, elbow.velocity) == (-1.5, 1.5, 30.0, 3.0)
    assert (elbow.limits.acceleration, elbow.limits.jerk) == (20.0, float("inf"))
    assert elbow.dynamics == typed.Dynamics(0.2, 0.05)
    assert elbow.calibration == typed.Calibration(rising=0.1)
    assert elbow.safety == typed.Safety(-1.4, 1.4, 10.0, 1.0)
    (drive,) = module.DESK_ARM.transmissions
    assert drive.joints[0].id is module.DeskArmJointId.ELBOW
    assert drive.actuators == (typed.Actuator("motor", mechanical_reduction=50.0),)
    foot = module.DESK_ARM[module.DeskArmLinkId.BASE].visuals[0]
    assert (foot.name, foot.shape) == ("foot", typed.Box((0.3, 0.3, 0.04)))
    assert foot.material == typed.Material("steel", (0.7, 0.7, 0.75, 1.0))
    gripper = fixture_modules("gripper")
    assert gripper.GRIPPER[gripper.GripperJointId.LEFT].mimic == typed.Mimic(gripper.GripperJointId.SCREW, 0.003)


def test_a_link_and_a_joint_may_have_one_name(fixture_modules: Callable[[str], ModuleType]) -> None:
    module = fixture_modules("desk_arm")
    robot = module.DESK_ARM
    assert isinstance(robot[module.DeskArmLinkId.WRIST], typed.Link)
    assert isinstance(robot[module.DeskArmJointId.WRIST], typed.PrismaticJoint)
    assert robot.component(module.DeskArmLinkId.WRIST) == "robot.wrist"
    assert robot.component(module.DeskArmJointId.WRIST) == "robot.wrist_joint"


def same_values(path: Path) -> None:
    """All values that yourdfpy reads are those of the module."""
    yourdfpy = pytest.importorskip("yourdfpy")
    theirs = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=False)
    robot = robot_of(path)
    result = make_module(robot, ModuleOptions(path))
    names = loaded(result.data)
    ours = names[result.plan.constant]
    # A `world` that is only referred to is not a link for it.
    written = [names[result.plan.link_class](link.name) for link in robot.links if not link.is_implicit]
    assert [link.value for link in written] == [link.name for link in theirs.robot.links]
    for link, other in zip(map(ours.part, written), theirs.robot.links, strict=True):
        assert link.mass == (0.0 if other.inertial is None else other.inertial.mass)
        if other.inertial is not None and other.inertial.inertia is not None:
            inertia = link.inertia
            row = (inertia.ixx, inertia.ixy, inertia.ixz, inertia.iyy, inertia.iyz, inertia.izz)
            assert row == tuple(
                other.inertial.inertia[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
            )
        assert len(link.visuals) == len(other.visuals)
        assert len(link.collisions) == len(other.collisions)
    for joint, other in zip(ours.articulation, theirs.robot.joints, strict=True):
        assert (joint.name, joint.parent.value, joint.child.value) == (other.name, other.parent, other.child)
        if other.origin is not None:
            assert joint.origin.xyz == pytest.approx(tuple(other.origin[:3, 3]))
        # What contradicts itself counts for it, and here it does not.
        known = robot.get_joint(joint.name)
        counts = known is not None and known.bounds is not None and known.effective_limit == known.limit
        if isinstance(joint, typed.RevoluteJoint | typed.PrismaticJoint) and other.limit is not None and counts:
            limits = (joint.lower, joint.upper, joint.effort, joint.velocity)
            read_by_it = (other.limit.lower, other.limit.upper, other.limit.effort, other.limit.velocity)
            assert [a for a, b in zip(limits, read_by_it, strict=True) if b is not None and a != b] == []
        if isinstance(joint, typed.AxialJoint):
            length = float(sum(other.axis**2)) ** 0.5
            assert joint.axis == pytest.approx(tuple(other.axis / length))
        if isinstance(joint, typed.ScalarAxialJoint):
            dynamics = other.dynamics
            assert joint.dynamics.damping == float((dynamics and dynamics.damping) or 0.0)
            assert joint.dynamics.friction == float((dynamics and dynamics.friction) or 0.0)
            assert (joint.mimic is None) == (other.mimic is None)
            if joint.mimic is not None:
                assert joint.mimic.joint.value == other.mimic.joint
                assert joint.mimic.multiplier == (1.0 if other.mimic.multiplier is None else other.mimic.multiplier)
                assert joint.mimic.offset == (other.mimic.offset or 0.0)


@pytest.mark.parametrize("name", ["gripper.urdf", "rover.urdf"])
def test_values_are_those_of_yourdfpy(name: str) -> None:
    same_values(ROBOTS / name)


# yourdfpy does not read capsules, and sees no links in a name space.
_NOT_READ = {"all_geometries_as_visual--drake.urdf", "humanoid_torso--tiny-differentiable-simulator.urdf"}
_NOT_SEEN = {"quadrotor--bullet3.urdf"}


def corpus() -> list[Path]:
    return [path for path in sorted(CORPUS.glob("*.urdf")) if read(path).is_usable] if CORPUS.is_dir() else []


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="there are no robots in ../shared/urdf")
def test_values_of_real_robots_are_those_of_yourdfpy() -> None:
    for path in corpus():
        if path.name not in _NOT_READ | _NOT_SEEN:
            same_values(path)


def test_robots_do_not_change(fixture_modules: Callable[[str], ModuleType]) -> None:
    module = fixture_modules("desk_arm")
    base = module.DESK_ARM[module.DeskArmLinkId.BASE]
    with pytest.raises(AttributeError, match="can't be changed"):
        base.mass = 1.0
    with pytest.raises(AttributeError, match="can't be changed"):
        del base.mass
    assert base == typed.Link(base.id, base.mass, base.origin, base.inertia, base.visuals, base.collisions)
    assert base != typed.Link(base.id)
    assert hash(base.origin) == hash(typed.Origin(base.origin.xyz))


def test_a_wrong_robot_is_refused() -> None:
    class Links(typed.LinkId):
        BASE = "base"
        ARM = "arm"

    class Joints(typed.JointId):
        ELBOW = "elbow"

    base, arm = typed.Link(Links.BASE), typed.Link(Links.ARM)
    with pytest.raises(ValueError, match="expected once, and there is no ARM"):
        typed.Linkage(Links, base)
    with pytest.raises(ValueError, match="one of them twice"):
        typed.Linkage(Links, base, arm, arm)
    with pytest.raises(TypeError, match="needs a value for 'child'"):
        typed.FixedJoint(Joints.ELBOW, Links.BASE)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="the fields of Origin are xyz, rpy"):
        typed.Origin(xzy=(0.0, 0.0, 0.0))  # type: ignore[call-arg]

    class Others(typed.LinkId):
        HAND = "hand"

    joints: Any = typed.Articulation(Links, Joints, typed.FixedJoint(Joints.ELBOW, Links.BASE, Others.HAND))
    with pytest.raises(ValueError, match="'elbow' connects 'hand', which is not a link of 'robot'"):
        typed.Skeleton("robot", typed.Linkage(Links, base, arm), joints, ())


def test_a_module_imports_nothing_heavy() -> None:
    probe = "import sys, desk_arm; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(TYPED)])}
    # -S: what the environment's own .pth files import is not ours.
    ran = subprocess.run(
        [sys.executable, "-S", "-c", probe], capture_output=True, text=True, check=True, env=environment
    )
    heavy = {
        "attr",
        "dataclasses",
        "importlib.metadata",
        "inspect",
        "lxml",
        "modelica_ast",
        "numpy",
        "urdf_frontend.robot",
    }
    assert not heavy & set(ran.stdout.split())


# ---------------------------------------------------------------- type checkers


def copied_modules(folder: Path) -> Path:
    for path in TYPED.glob("*.py"):
        shutil.copy(path, folder)
    return folder


@pytest.mark.parametrize("checker", [type_checkers.mypy, type_checkers.pyright])
def test_checkers_find_what_is_wrong_and_nothing_else(
    checker: Callable[[Path], type_checkers.Findings], tmp_path: Path
) -> None:
    folder = copied_modules(tmp_path)
    options = ModuleOptions(ROBOTS / "rover.urdf", folder / "rover.py", package=ROBOTS / "packages" / "rover")
    (folder / "rover.py").write_bytes(make_module(robot_of(options.urdf), options).data)
    lines = (folder / "wrong.py").read_text(encoding="utf-8").splitlines()
    wrong = {("wrong.py", number) for number, line in enumerate(lines, 1) if "# wrong: " in line}
    found = checker(folder)
    assert len(wrong) == 13
    assert {place: found[place] for place in found.keys() - wrong} == {}
    assert found.keys() == wrong


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS.is_dir(), reason="there are no robots in ../shared/urdf")
@pytest.mark.parametrize("checker", [type_checkers.mypy, type_checkers.pyright])
def test_checkers_accept_the_modules_of_real_robots(
    checker: Callable[[Path], type_checkers.Findings], tmp_path: Path
) -> None:
    paths = corpus()
    for number, path in enumerate(paths):
        module = tmp_path / f"robot_{number}.py"
        module.write_bytes(make_module(robot_of(path), ModuleOptions(path, module)).data)
    assert checker(tmp_path) == {}
    assert len(paths) > 20


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python can write it")
def test_syntax_that_this_python_does_not_know_is_refused() -> None:
    with pytest.raises(TypesError, match="needs a Python that reads that"):
        make_module(robot_of(MODULES["gripper"]), ModuleOptions(MODULES["gripper"], python="3.12"))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python does not know `type X = …`")
def test_newer_syntax() -> None:
    options = ModuleOptions(MODULES["gripper"], python="3.12")
    data = make_module(robot_of(MODULES["gripper"]), options).data
    assert b"\ntype GripperRevolute = typing.Literal[GripperJointId.SCREW]\n" in data
    assert make_module(robot_of(MODULES["gripper"]), options, read_module(data, "gripper.py")).data == data


# ---------------------------------------------------------------- Modelica


@pytest.fixture(name="package")
def _package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGES["desk_arm"], tmp_path / "DeskArm"))


def desk_arm(package: Path, model: str | None = None) -> tuple[Any, dict[str, Any]]:
    options = ModuleOptions(MODULES["desk_arm"], package=package, model=model)
    names = loaded(make_module(robot_of(MODULES["desk_arm"]), options).data)
    return names["DESK_ARM"], names


def test_names_in_modelica(fixture_modules: Callable[[str], ModuleType]) -> None:
    module = fixture_modules("desk_arm")
    robot, joints = module.DESK_ARM, module.DeskArmJointId
    assert robot.model == "DeskArm.DeskArmRun"
    assert robot.q(joints.SHOULDER) == "robot.shoulder.revolute.phi"
    assert robot.qd(joints.WRIST) == "robot.wrist_joint.prismatic.v"
    assert robot.tau(joints.WRIST) == "robot.wrist_joint.flange_a.f"
    assert robot.flange(joints.ELBOW) == "robot.elbow.flange_a"
    assert robot.component(module.DeskArmLinkId.FORE_ARM) == "robot.fore_arm"
    assert robot.axes == (joints.SHOULDER, joints.ELBOW, joints.WRIST)
    assert [joint for joint in joints if robot.is_axis(joint)] == list(robot.axes)
    elsewhere = robot.at("cell.arm")
    assert elsewhere.q(joints.ELBOW) == "cell.arm.elbow.revolute.phi"
    assert elsewhere[joints.ELBOW] is robot[joints.ELBOW]
    assert robot.at("").tau(joints.ELBOW) == "elbow.flange_a.tau"
    with pytest.raises(KeyError, match=r"has no angle and no distance in DeskArm\.DeskArm"):
        robot.q(joints.TOOL)
    values = robot.parameters(joints.ELBOW, {"q_start": 0.5, "jointParams.axis": (0.0, 1.0, 0.0)})
    assert values == {"robot.elbow.q_start": 0.5, "robot.elbow.jointParams.axis": [0.0, 1.0, 0.0]}


def test_a_renamed_component_is_followed(package: Path) -> None:
    libraries = Libraries([package])
    rename(libraries, "DeskArm.DeskArm.elbow", "bend")
    rename(libraries, "DeskArm.Joints.elbow.revolute", "hinge")
    rename(libraries, "DeskArm.Joints.elbow.flange_a", "drive")
    rename(libraries, "DeskArm.DeskArm.model_", "gripper")
    rename(libraries, "DeskArm.DeskArmRun.robot", "arm")
    libraries.save()
    robot, names = desk_arm(package)
    elbow = names["DeskArmJointId"].ELBOW
    assert robot.q(elbow) == "arm.bend.hinge.phi"
    assert robot.tau(elbow) == "arm.bend.drive.tau"
    assert robot.component(names["DeskArmLinkId"].MODEL) == "arm.gripper"


def test_renamed_classes_are_followed(package: Path) -> None:
    libraries = Libraries([package])
    rename(libraries, "DeskArm.Joints.elbow", "Bend")
    rename(libraries, "DeskArm.DeskArm.elbow", "bend")
    rename(libraries, "DeskArm.Joints.elbowParams", "BendValues")
    rename(libraries, "DeskArm.DeskArm", "Robot")
    libraries.save()
    robot, names = desk_arm(package)
    assert robot.q(names["DeskArmJointId"].ELBOW) == "robot.bend.revolute.phi"
    assert robot.modelica.robot == "DeskArm.Robot"


def test_swapped_names_are_told_apart(package: Path) -> None:
    libraries = Libraries([package])
    for old, new in (("elbow", "other"), ("shoulder", "elbow"), ("other", "shoulder")):
        rename(libraries, f"DeskArm.DeskArm.{old}", new)
    libraries.save()
    robot, names = desk_arm(package)
    assert robot.component(names["DeskArmJointId"].ELBOW) == "robot.shoulder"
    assert robot.component(names["DeskArmJointId"].SHOULDER) == "robot.elbow"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_model_of_the_users_own_has_no_angle_that_is_known(package: Path) -> None:
    edit(package / "DeskArm.mo", "Joints.elbow elbow(startFixed=startFixed)", "MyMotor elbow")
    (package / "MyMotor.mo").write_text("within DeskArm;\nmodel MyMotor\n  parameter Real gain=1;\nend MyMotor;\n")
    options = ModuleOptions(MODULES["desk_arm"], package=package)
    result = make_module(robot_of(MODULES["desk_arm"]), options)
    assert len(result.notes) == 1
    assert "the joint 'elbow' has no known angle or distance: elbow is a MyMotor" in result.notes[0]
    names = loaded(result.data)
    assert names["DESK_ARM"].axes == (names["DeskArmJointId"].SHOULDER, names["DeskArmJointId"].WRIST)
    assert names["DESK_ARM"].parameters(names["DeskArmJointId"].ELBOW, {"gain": 2.0}) == {"robot.elbow.gain": 2.0}


def test_the_model_to_simulate_can_be_chosen(package: Path) -> None:
    (package / "Cell.mo").write_text(
        "within DeskArm;\nmodel Cell\n  model Stand\n    DeskArm arm;\n  end Stand;\n  Stand left;\nend Cell;\n"
    )
    robot, names = desk_arm(package, "DeskArm.Cell")
    assert (robot.model, robot.modelica.at) == ("DeskArm.Cell", "left.arm")
    assert robot.q(names["DeskArmJointId"].ELBOW) == "left.arm.elbow.revolute.phi"
    assert desk_arm(package, "DeskArm.DeskArm")[0].modelica.at == ""
    with pytest.raises(TypesError, match=r"DeskArm\.Links\.base has no component of the class DeskArm\.DeskArm"):
        desk_arm(package, "DeskArm.Links.base")
    with pytest.raises(PackageError, match="no class 'Nothing' in 'DeskArm'"):
        desk_arm(package, "DeskArm.Nothing")


def test_a_package_that_lacks_a_part_is_refused(package: Path) -> None:
    libraries = Libraries([package])
    libraries.find_class("DeskArm.DeskArm").find_component("ball").remove()
    libraries.save()
    with pytest.raises(TypesError, match=r"the link 'ball' has no component in DeskArm\.DeskArm: bring the package"):
        desk_arm(package)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda folder: (folder / "Resources" / "urdf" / "DeskArm.json").unlink(), "has no side-car"),
        (lambda folder: (folder / "Resources" / "urdf" / "DeskArm.json").write_text("?"), "it is not JSON"),
        (lambda folder: (folder / "package.mo").write_text("package"), "package.mo can't be read"),
        (lambda folder: (folder / "DeskArm.mo").unlink(), "DeskArm has no class 'DeskArm', the model of the robot"),
    ],
)
def test_a_damaged_package_is_refused(break_it: Callable[[Path], None], message: str, package: Path) -> None:
    break_it(package)
    with pytest.raises(PackageError, match=message):
        desk_arm(package)


# ---------------------------------------------------------------- what users write stays


def with_own_lines(data: bytes) -> bytes:
    """A module with things of a user's own around everything that was generated."""
    text = data.decode()
    text = text.replace("import typing\n", "import math  # mine\nimport typing\n", 1)
    text = text.replace("class GripperLinkId", "# mine: about links\n@typing.final\nclass GripperLinkId", 1)
    text = text.replace(
        "\n\nGRIPPER_LINKAGE", "\n\ndef spread() -> float:  # mine\n    return math.pi  # ü\n\n\nGRIPPER_LINKAGE"
    )
    return text.replace("\n)\n", "\n)  # mine: after\n").encode() + b"\n\nHALF = spread() / 2  # mine\n"


def mine(data: bytes) -> list[bytes]:
    return re.findall(rb"# mine[^\r\n]*|import math|def spread.*|return math.pi.*|HALF.*", data)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_what_users_wrote_stays(line_end: bytes, start: bytes) -> None:
    path = MODULES["gripper"]
    before = start + with_own_lines(made("gripper")).replace(b"\n", line_end)
    options = options_of("gripper")
    assert make_module(robot_of(path), options, read_module(before, "gripper.py")).data == before
    heavier = read(
        path.read_text(encoding="utf-8").replace('<mass value="0.5"/>', '<mass value="0.75"/>')
    ).usable_robot()
    after = make_module(heavier, options, read_module(before, "gripper.py")).data
    assert after == before.replace(b"mass=0.5,", b"mass=0.75,")
    assert after != before
    smaller = Robot(name="gripper", links=heavier.links[:1])
    least = make_module(smaller, options, read_module(before, "gripper.py")).data
    assert mine(least) == mine(before)
    assert b"Prismatic" not in least
    assert least.count(b"\n") == least.count(line_end)
    back = make_module(robot_of(path), options, read_module(least, "gripper.py")).data
    assert mine(back) == mine(before)
    assert loaded(back)["GRIPPER"].articulation.joints.keys() == loaded(before)["GRIPPER"].articulation.joints.keys()


def test_another_prefix_replaces_the_old_names() -> None:
    options = ModuleOptions(MODULES["gripper"], TYPED / "gripper.py", prefix="Hand")
    old = read_module(with_own_lines(made("gripper")), "gripper.py")
    data = make_module(robot_of(MODULES["gripper"]), options, old).data
    assert b"Gripper" not in data
    assert b"HAND: typing.Final = HandSkeleton(" in data


def test_members_keep_the_names_that_users_give_them() -> None:
    robot = robot_of(MODULES["gripper"])
    data = made("gripper").replace(b'    SCREW = "screw"', b'    DRIVE = "screw"')
    options = options_of("gripper")
    old = read_module(data, "gripper.py")
    assert old is not None
    assert differences(old, robot, options)
    names = loaded(make_module(robot, options, old).data)
    assert names["GRIPPER"][names["GripperJointId"].DRIVE].name == "screw"


def test_a_new_link_takes_no_name_of_an_old_one() -> None:
    def link(name: str) -> Link:
        return Link(name=name)

    def joint(name: str, child: str) -> Joint:
        parent = LinkReference(link="base_link")
        ends = LinkReference(link=child)
        return Joint(name=name, type=JointType.FIXED, parent_reference=parent, child_reference=ends)

    options = ModuleOptions(Path("robot.urdf"), prefix="R")
    first = make_module(Robot(name="r", links=(link("base_link"),)), options)
    larger = Robot(name="r", links=(link("base"), link("base_link")), joints=(joint("base", "base"),))
    names = loaded(make_module(larger, options, read_module(first.data, "r.py")).data)
    assert names["RLinkId"].BASE == "base_link"
    assert names["RLinkId"].BASE_2 == "base"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "is not a module of `modelica-patch urdf types`: it has no _SOURCE"),
        ("x = (\n", "robot.py:1: Python 3.* can't read this: '\\(' was never closed"),
        ("_SOURCE = 1\n", "robot.py:1: _SOURCE is damaged"),
        ("_SOURCE = typed.Source(urdf=1, prefix='A', python='3.11')\n", "robot.py:1: _SOURCE is damaged"),
        ("_SOURCE = typed.Source(prefix='A')\n", "robot.py:1: _SOURCE is damaged"),
        ("# coding: nonsense\n", "can't read this: unknown encoding"),
        ("x = '\0'\n", "null byte"),
        (f"_SOURCE = {'(' * 5000}{')' * 5000}\n", "can't"),
    ],
)
def test_other_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(TypesError, match=message):
        read_module(text.encode(), "robot.py")


def test_a_file_that_is_nested_deep_is_no_traceback() -> None:
    data = made("gripper") + b"\nx = " + b"-" * 3000 + b"1\n"
    try:
        old = read_module(data, "gripper.py")
    except TypesError:
        return
    assert make_module(robot_of(MODULES["gripper"]), options_of("gripper"), old).data == data


def test_a_prefix_must_be_a_name() -> None:
    with pytest.raises(TypesError, match="'a-b' can't be what classes start with"):
        make_module(robot_of(MODULES["gripper"]), ModuleOptions(MODULES["gripper"], prefix="a-b"))


# ---------------------------------------------------------------- do all three agree?


def found(data: bytes, robot: Robot, options: ModuleOptions) -> list[Difference]:
    old = read_module(data, "desk_arm.py")
    assert old is not None
    return differences(old, robot, options)


def test_all_three_agree() -> None:
    for name, path in MODULES.items():
        assert found((TYPED / f"{name}.py").read_bytes(), robot_of(path), options_of(name)) == []


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("mass=0.1,", "mass=0.2,", "values of links", "link BALL: mass is 0.2 in the module, and 0.1 in the URDF file"),
        ("lower=0.0, ", "", "values of joints", "joint WRIST: limits is typed.PositionLimits(upper=0.1"),
        (
            "typed.PlanarJoint(",
            "typed.FixedJoint(",
            "values of joints",
            "it is a FixedJoint in the module, but a Planar",
        ),
        (
            '    BALL = "ball"',
            '    BALL = "bal"',
            "links",
            "the link 'bal' (DeskArmLinkId.BALL) is not in the URDF file",
        ),
        ('    TOSS = "toss"\n', "", "joints", "the joint 'toss' of the URDF file is not in DeskArmJointId"),
        (
            '"elbow.revolute.phi"',
            '"elbow.phi"',
            "names in Modelica",
            "axes[DeskArmJointId.ELBOW].q is 'elbow.phi' in the module",
        ),
        (
            'at="robot"',
            'at="arm"',
            "names in Modelica",
            "at is 'arm' in the module, and 'robot' in the Modelica package",
        ),
        (
            "endStopDamping",
            "endStopDampin",
            "module",
            "this is not as it would be generated: DeskArmRevoluteParameters",
        ),
        (
            "return self.part(part)",
            "return None",
            "module",
            "this is not as it would be generated: class DeskArmSkeleton",
        ),
    ],
)
def test_what_differs_is_named(old: str, new: str, kind: str, message: str) -> None:
    text = (TYPED / "desk_arm.py").read_text(encoding="utf-8")
    assert old in text
    first = found(text.replace(old, new).encode(), robot_of(MODULES["desk_arm"]), options_of("desk_arm"))[0]
    assert first.kind == kind
    assert message in first.message


def test_a_link_that_was_deleted_is_named_on_both_sides() -> None:
    robot = robot_of(MODULES["desk_arm"])
    smaller = Robot(
        name=robot.name,
        links=tuple(link for link in robot.links if link.name != "ball"),
        joints=tuple(joint for joint in robot.joints if joint.name != "toss"),
        transmissions=robot.transmissions,
    )
    seen = found((TYPED / "desk_arm.py").read_bytes(), smaller, options_of("desk_arm"))
    assert [each.message for each in seen] == [
        "the link 'ball' (DeskArmLinkId.BALL) is not in the URDF file",
        "the joint 'toss' (DeskArmJointId.TOSS) is not in the URDF file",
        "the link 'ball' of the package DeskArm is not in the URDF file",
        "the joint 'toss' of the package DeskArm is not in the URDF file",
    ]


def test_a_rename_in_modelica_is_named(package: Path) -> None:
    libraries = Libraries([package])
    rename(libraries, "DeskArm.DeskArm.elbow", "bend")
    libraries.save()
    options = ModuleOptions(MODULES["desk_arm"], TYPED / "desk_arm.py", package=package)
    seen = found((TYPED / "desk_arm.py").read_bytes(), robot_of(MODULES["desk_arm"]), options)
    assert {each.kind for each in seen} == {"names in Modelica"}
    assert (
        seen[0].message == "joints[DeskArmJointId.ELBOW] is 'elbow' in the module, and 'bend' in the Modelica package"
    )


def test_another_layout_of_the_module_is_no_difference(tmp_path: Path) -> None:
    copy = Path(shutil.copy(TYPED / "desk_arm.py", tmp_path))
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", "--line-length", "79", str(copy)], check=True)
    data = copy.read_bytes()
    assert data != (TYPED / "desk_arm.py").read_bytes()
    assert found(data, robot_of(MODULES["desk_arm"]), options_of("desk_arm")) == []
    old = read_module(data, "desk_arm.py")
    assert make_module(robot_of(MODULES["desk_arm"]), options_of("desk_arm"), old).data == data


# ---------------------------------------------------------------- registries


def entries() -> list[RegistryEntry]:
    return [
        RegistryEntry("desk_arm", "desk_arm", "DESK_ARM", "DeskArmSkeleton"),
        RegistryEntry("gripper", "gripper", "GRIPPER", "GripperSkeleton"),
        RegistryEntry("odd_names", "odd_names", "ROBOT2F85_ODD", "Robot2f85OddSkeleton"),
    ]


def test_the_registry_is_that_of_the_fixtures(expected: Expected) -> None:
    data: bytes | None = None
    for entry in reversed(entries()):
        data = updated_registry(data, entry, "robots.py")
    assert data is not None
    expected.file(TYPED / "robots.py", data)
    for entry in entries():
        assert updated_registry(data, entry, "robots.py") == data


def test_a_registry_loads_robots_when_they_are_asked_for(fixture_modules: Callable[[str], ModuleType]) -> None:
    registry = fixture_modules("robots")
    assert "gripper" not in sys.modules
    assert registry.get_robot("gripper") is fixture_modules("gripper").GRIPPER
    assert registry.get_robot(registry.RobotId.GRIPPER) is fixture_modules("gripper").GRIPPER
    assert [robot.value for robot in registry.ROBOTS] == ["desk_arm", "gripper", "odd_names"]
    with pytest.raises(
        typed.RobotNotFoundError, match="there is no robot 'grip'; there is desk_arm, gripper, odd_names"
    ):
        registry.get_robot("grip")


def test_a_registry_keeps_what_users_wrote() -> None:
    own = b"\n\ndef best() -> RobotId:  # mine\n    return RobotId.GRIPPER\n"
    data = (TYPED / "robots.py").read_bytes() + own
    more = updated_registry(data, RegistryEntry("ur5", ".sub.ur5", "UR5", "UR5Skeleton"), "robots.py")
    assert more.endswith(own)
    assert b"    from .sub.ur5 import UR5Skeleton\n" in more
    assert b'    UR5 = "ur5"\n' in more


def test_wrong_registries_are_refused(tmp_path: Path) -> None:
    entry = entries()[0]
    with pytest.raises(TypesError, match=r"robots\.py is not a registry"):
        updated_registry(b"x = 1\n", entry, "robots.py")
    with pytest.raises(TypesError, match="'desk_arm' has a DeskArmSkeleton too"):
        updated_registry(
            (TYPED / "robots.py").read_bytes(), RegistryEntry("arm", "arm", "A", "DeskArmSkeleton"), "robots.py"
        )
    with pytest.raises(TypesError, match="must be in the folder of"):
        module_as_seen_from(tmp_path / "sub" / "robots.py", tmp_path / "arm.py")
    with pytest.raises(TypesError, match="'my-arm' can't be the name of a module"):
        module_as_seen_from(tmp_path / "robots.py", tmp_path / "my-arm.py")
    assert module_as_seen_from(tmp_path / "robots.py", tmp_path / "sub" / "arm.py") == "sub.arm"
    (tmp_path / "__init__.py").touch()
    assert module_as_seen_from(tmp_path / "robots.py", tmp_path / "arm.py") == ".arm"


def test_robots_of_other_packages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "my_robots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-robots\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[urdf_frontend.robots]\nhand = my_gripper:GRIPPER\nlost = my_gripper:LOST\nother = my_gripper:typing\n"
    )
    shutil.copy(TYPED / "gripper.py", tmp_path / "my_gripper.py")
    monkeypatch.syspath_prepend(tmp_path)
    assert {"hand", "lost", "other"} <= set(typed.robot_names())
    assert typed.find_robot("hand").name == "gripper"
    for name, message in {
        "lost": "the robot of my_gripper:LOST can't be loaded",
        "other": "my_gripper:typing is not a robot, but a module",
        "nobody": "there is no robot 'nobody' in the entry points urdf_frontend.robots; there is .*hand",
    }.items():
        with pytest.raises(typed.RobotNotFoundError, match=message):
            typed.find_robot(name)
    del sys.modules["my_gripper"]


@pytest.mark.corpus
def test_the_example_simulates_a_robot_by_typed_names(msl: Path, tmp_path: Path) -> None:
    pytest.importorskip("rumoca")
    pytest.importorskip("matplotlib")
    environment = {**os.environ, "MODELICAPATH": str(msl.parent), "MPLCONFIGDIR": str(tmp_path)}
    command = [sys.executable, str(ROOT / "examples" / "typed_robot.py"), str(tmp_path / "robot.png")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert "elbow    from +0.800" in ran.stdout
    assert (tmp_path / "robot.png").read_bytes().startswith(b"\x89PNG")
