"""The package of a robot after its user has renamed, moved and folded what is in it: all commands still find it."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from conftest import FIXTURES, mostly_slow
from modelica_ast.cli import main
from modelica_ast.simulation import Result
from package.robot_structure import misfits
from urdf_frontend import BuildOptions, PackageError, RobotPackage, build, read, write
from urdf_frontend.motion import find_robot
from urdf_frontend.package import read_memory, with_base
from urdf_frontend.package.origins import origin_of

ARM = FIXTURES / "robots" / "arm.urdf"
ROBOT = read(ARM).usable_robot()
JOINTS = {
    "shoulder": ("shoulder", "revolute.phi"),
    "elbow": ("elbow", "revolute.phi"),
    "wrist": ("wrist_joint", "prismatic.s"),
}
LINKS = {"base": "base", "upper.arm": "upper_arm", "fore-arm": "fore_arm", "wrist": "wrist"}
LINKS |= {"model": "model_", "tray": "tray", "ball": "ball"}
PARTS = "package Parts end Parts;"


@frozen
class Edit:
    """What a user does to a package, and what things are called after it."""

    commands: tuple[str, ...]
    robot_class: str = "Arm.Arm"
    names: Mapping[str, str] = {}  # of components, by those that were built
    variables: Mapping[str, str] = {}  # of the joints, by those that were built
    listed: frozenset[str] = frozenset()  # files in which the user has renamed what is not part of all links or joints
    is_folded: bool = False

    def variable(self, component: str, variable: str) -> str:
        path = f"{self.names.get(component, component)}.{variable}"
        return self.variables.get(path, path)


RENAMED_JOINT = "rename Arm.Arm.shoulder j1"
RENAMED_LINK = "rename Arm.Arm.upper_arm boom"
RENAMED_CLASSES = (
    "rename Arm.Links.upper_arm Boom",
    "rename Arm.Links.upper_armParams BoomValues",
)
RENAMED_ROBOT = "rename Arm.Arm Machine"
MOVED_CLASSES = (
    f"add Arm --definition|{PARTS}",
    "move Arm.Links.wrist --to Arm.Parts",
    "move Arm.Links.wristParams --to Arm.Parts",
    "move Arm.Joints.elbow --to Arm.Parts",
)
RENAMED_INSIDES = (
    "rename Arm.Joints.shoulder.revolute hinge",
    "rename Arm.Joints.shoulder.friction revolute",
    "rename Arm.Joints.shoulder.jointParams friction",
    "rename Arm.Joints.shoulder.flange_a drive",
    "rename Arm.Joints.shoulder.flange_b flange_a",
    "rename Arm.Joints.shoulder.q_start start",
    "rename Arm.Joints.shoulder.qd_start q_start",
    "rename Arm.Joints.wrist.prismatic 'slide-x'",
    "rename Arm.Joints.tray.planar plane",
    "rename Arm.Joints.tray.s_start s",
    "rename Arm.Joints.tray.phi_start phi",
    "rename Arm.Joints.tray.v_start v",
    "rename Arm.Joints.tray.w_start w",
    "rename Arm.Joints.toss.floating free",
    "rename Arm.Joints.toss.r_start r",
    "rename Arm.Joints.toss.rpy_start rpy",
    "rename Arm.Joints.toss.v_start v",
    "rename Arm.Joints.toss.w_start w",
    "rename Arm.Links.base.body inertia",
    "rename Arm.Links.base.trafoInertial body",
    "rename Arm.Links.wrist.linkParams values",
)
HINGE = {"shoulder.revolute.phi": "shoulder.hinge.phi", "wrist_joint.prismatic.s": "wrist_joint.'slide-x'.s"}
EDITS = {
    "nothing": Edit(()),
    "a joint": Edit((RENAMED_JOINT,), names={"shoulder": "j1"}),
    "a link": Edit((RENAMED_LINK,), names={"upper_arm": "boom"}),
    "swapped joints": Edit(
        (
            "rename Arm.Arm.shoulder x",
            "rename Arm.Arm.elbow shoulder",
            "rename Arm.Arm.x elbow",
        ),
        names={"shoulder": "elbow", "elbow": "shoulder"},
    ),
    "swapped classes": Edit(
        (
            "rename Arm.Links.base x",
            "rename Arm.Links.wrist base",
            "rename Arm.Links.x wrist",
        )
    ),
    "a class": Edit(RENAMED_CLASSES),
    "a class and its component": Edit((*RENAMED_CLASSES, RENAMED_LINK), names={"upper_arm": "boom"}),
    "a record of values": Edit(("rename Arm.Links.base.linkParams values", "rename Arm.Links.ball.linkParams values")),
    "insides": Edit(RENAMED_INSIDES, variables=HINGE, listed=frozenset({"Links/base.mo"})),
    "the robot": Edit((RENAMED_ROBOT,), "Arm.Machine"),
    "moved classes": Edit(MOVED_CLASSES),
    "moved robot": Edit((MOVED_CLASSES[0], RENAMED_ROBOT, "move Arm.Machine --to Arm.Parts"), "Arm.Parts.Machine"),
    "models": Edit(("rename Arm.ArmRun Show", "rename Arm.ArmTest Demo")),
    "folded": Edit((), is_folded=True),
    "all": Edit(
        (RENAMED_JOINT, RENAMED_LINK, *RENAMED_CLASSES, *MOVED_CLASSES, RENAMED_ROBOT),
        "Arm.Machine",
        {"shoulder": "j1", "upper_arm": "boom"},
        is_folded=True,
    ),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    options = BuildOptions(name="Arm", urdf=ARM)
    write(with_base(build(ROBOT, options), read(ARM), options), folder)
    return folder / "Arm"


@pytest.fixture(scope="module")
def changed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a package after an edit, which no test may change."""

    @cache
    def made(name: str) -> Path:
        edit = EDITS[name]
        folder = Path(shutil.copytree(built, tmp_path_factory.mktemp("changed") / "Arm"))
        for command in edit.commands:
            change(folder, command)
        if edit.is_folded:
            fold(folder)
        return folder

    return made


@pytest.fixture
def own(changed: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """The same in a copy that a test may change."""
    return lambda name: Path(shutil.copytree(changed(name), tmp_path / "Arm"))


def change(folder: Path, command: str) -> None:
    before, *texts = command.split("|")
    verb, address, *words = before.split()
    assert main([verb, f"{folder}::{address}", *words, *texts, "-i", "-q"]) == 0, command


def fold(folder: Path) -> None:
    """Write all classes of a package into its package.mo."""
    inside = ""
    for path in sorted(folder.iterdir()):
        if (path / "package.mo").is_file():
            fold(path)
            inside += without_within(path / "package.mo")
            shutil.rmtree(path)
        elif path.suffix == ".mo" and path.name != "package.mo":
            inside += without_within(path)
            path.unlink()
    (folder / "package.order").unlink(missing_ok=True)
    file = folder / "package.mo"
    text = file.read_text(encoding="utf-8")
    at = text.index("annotation (") if "annotation (" in text else text.index(f"end {folder.name}")
    file.write_text(text[:at] + inside + text[at:], encoding="utf-8")


def without_within(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition(";\n")[2]


def columns(edit: Edit) -> dict[str, list[float]]:
    """A recording of the changed package, in which each joint and link is somewhere else."""
    found: dict[str, list[float]] = {}
    for number, (component, variable) in enumerate(JOINTS.values()):
        found[f"robot.{edit.variable(component, variable)}"] = [0.0, 0.01 * (number + 1)]
    for number, component in enumerate(LINKS.values()):
        frame = f"robot.{edit.names.get(component, component)}.frame_a"
        found |= {f"{frame}.r_0[{i}]": [float(number)] * 2 for i in (1, 2, 3)}
        found |= {f"{frame}.R.T[{i},{j}]": [float(i == j)] * 2 for i in (1, 2, 3) for j in (1, 2, 3)}
    return found


each_edit = pytest.mark.parametrize("name", mostly_slow(EDITS, "all"))


@each_edit
def test_names_are_those_of_now(name: str, changed: Callable[[str], Path]) -> None:
    edit, package = EDITS[name], RobotPackage.open(changed(name))
    assert package.robot_class == edit.robot_class
    joints = {name: named.component for name, named in package.names.joints.items() if name in JOINTS}
    assert joints == {name: edit.names.get(component, component) for name, (component, _) in JOINTS.items()}
    links = {name: named.component for name, named in package.names.links.items()}
    assert links == {name: edit.names.get(component, component) for name, component in LINKS.items()}
    mass = package.get_value("link", "wrist", "inertial.mass")
    assert mass is not None
    assert mass.value == 0.3
    assert package.frames == {"model": "frame_b[1]", "ball": "frame_b[2]"}
    assert package.flanges["wrist"].axis == "translational_flange_a[1]"
    assert package.model() in {"Arm.ArmTest", "Arm.Demo"}
    assert [each.robot for each in package.models] == ["robot", "robot"]


@each_edit
def test_plots_and_animations_find_every_joint_and_link(
    name: str, changed: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = changed(name)
    result = Result([0.0, 1.0], columns(EDITS[name]))
    result.write_csv(tmp_path / "result.csv")
    words = [str(ARM), "--package", str(folder), "--result", str(tmp_path / "result.csv"), "-o"]
    assert main(["urdf", "plot", *words, str(tmp_path / "arm.png"), "--joints", *JOINTS]) == 0
    assert capsys.readouterr().err == f"{tmp_path / 'arm.png'}: 3 joints, all limits kept\n"
    assert main(["urdf", "animate", *words, str(tmp_path / "arm.html")]) == 0
    recording = find_robot(result, ROBOT, RobotPackage.open(folder).names)
    positions = [recording.positions(joint) for joint in ROBOT.joints if joint.name in JOINTS]
    assert positions == [[[0.0, 0.01]], [[0.0, 0.02]], [[0.0, 0.03]]]
    frames = [recording.link_frame(link) for link in LINKS]
    assert [None if frame is None else frame[0] for frame in frames] == [[float(n)] * 2 for n in range(len(LINKS))]


@each_edit
def test_a_report_has_no_false_differences(
    name: str, changed: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, page = changed(name), tmp_path / "report.html"
    assert main(["urdf", "report", str(ARM), "--package", str(folder), "-o", str(page)]) == 0
    assert capsys.readouterr().err == f"{page}: desk-arm, 0 errors\n"


@pytest.mark.slow
@each_edit
def test_types_name_every_part(name: str, changed: Callable[[str], Path], tmp_path: Path) -> None:
    edit, module = EDITS[name], tmp_path / "arm.py"
    words = ["urdf", "types", str(ARM), "--package", str(changed(name)), "-q"]
    assert main([*words, "-o", str(module)]) == 0
    text = module.read_text(encoding="utf-8")
    assert f'"{edit.robot_class}"' in text
    for component, variable in JOINTS.values():
        assert f'"{edit.variable(component, variable)}"' in text
    assert main([*words, "--check", str(module)]) == 0


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# ---------------------------------------------------------------- updates and exports of what was renamed and moved


def texts(folder: Path) -> dict[str, str]:
    """All Modelica texts of a package."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.mo")}


def cut(text: str, *pieces: tuple[str, str]) -> str:
    for start, end in pieces:
        at = text.index(start)
        text = text[:at] + text[text.index(end, at) + len(end) :]
    return text


URDF = ARM.read_text(encoding="utf-8")
MASS, OTHER_MASS = '<mass value="0.3"/>', '<mass value="0.35"/>'  # of the wrist
LEAF = """<link name="boom"/><joint name="j1" type="revolute"><parent link="upper.arm"/><child link="boom"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="3" velocity="1"/></joint></robot>"""
CHANGES = {
    "a mass": URDF.replace(MASS, OTHER_MASS),
    "a new leaf": URDF.replace("</robot>", LEAF),  # called like what the user has renamed
    "no ball": cut(URDF, ('<link name="ball">', "</link>"), ('<joint name="toss"', "</joint>")),
    "no model": cut(URDF, ('<link name="model"', "/>"), ('<joint name="tool"', "</joint>")),
}


def changed_urdf(change: str, folder: Path) -> Path:
    shutil.copytree(ARM.parent / "meshes", folder / "meshes")
    (folder / "arm.urdf").write_text(CHANGES[change], encoding="utf-8")
    return folder / "arm.urdf"


@each_edit
def test_status_lists_no_names(name: str, changed: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["urdf", "status", str(ARM), "--package", str(changed(name)), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {each["file"] for each in told["edits"]} == EDITS[name].listed
    assert (told["files"], told["attention"], told["conflicts"], told["kept"]) == ([], [], [], [])


@each_edit
def test_a_value_of_the_user_is_the_one_edit_and_is_exported(
    name: str, own: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = own(name), tmp_path / "out.urdf"
    (path,) = [folder / path for path, text in texts(folder).items() if "mass=0.3," in text]
    replace(path, "mass=0.3,", "mass=0.44,")
    assert main(["urdf", "status", str(ARM), "--package", str(folder), "--json"]) == 0
    edits = json.loads(capsys.readouterr().out)["edits"]
    (edit,) = (each for each in edits if each["file"] not in EDITS[name].listed)
    assert (edit["file"], edit["generated"], edit["yours"]) == (path.relative_to(folder).as_posix(), "0.3", "0.44")
    assert main(["urdf", "export", "--package", str(folder), "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == URDF.replace(MASS, '<mass value="0.44"/>')


@each_edit
def test_a_new_mass_is_one_token(name: str, own: Callable[[str], Path], tmp_path: Path) -> None:
    folder = own(name)
    before = texts(folder)
    assert main(["urdf", "update", str(changed_urdf("a mass", tmp_path)), "--package", str(folder), "-q"]) == 0
    assert texts(folder) == {path: text.replace("mass=0.3,", "mass=0.35,") for path, text in before.items()}
    mass = RobotPackage.open(folder).get_value("link", "wrist", "inertial.mass")
    assert mass is not None
    assert mass.value == 0.35


LEAVES = [change for change in CHANGES if change != "a mass"]


# Each edit with one of the changes, of these some in the quick run; `corpus` runs all.
ROTATED = list(zip(EDITS, itertools.cycle(LEAVES)))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *mostly_slow(ROTATED, *(case for case in ROTATED if case[0] in {"swapped joints", "all"})),
        *(pytest.param(*case, marks=pytest.mark.corpus) for case in itertools.product(EDITS, LEAVES)
          if case not in ROTATED),
    ],
)  # fmt: skip
def test_a_robot_that_gets_another_leaf_fits(
    name: str, change: str, own: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, urdf = own(name), changed_urdf(change, tmp_path)
    before = misfits(folder, URDF)  # flanges that were renamed fit no longer, as far as this second opinion knows
    words = ["urdf", "update", str(urdf), "--package", str(folder)]
    assert main([*words, "--no-rename", "-q"]) == 0
    assert sorted(misfits(folder, CHANGES[change])) == sorted(before)
    assert bool(before) == bool(EDITS[name].listed)
    package, edit = RobotPackage.open(folder), EDITS[name]
    assert package.robot_class == edit.robot_class
    now = {name: named.component for name, named in package.names.links.items() if name in LINKS}
    built = {link: component for link, component in LINKS.items() if f"no {link}" != change}
    assert now == {link: edit.names.get(component, component) for link, component in built.items()}
    capsys.readouterr()
    assert main(["urdf", "status", str(urdf), "--package", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {each["file"] for each in told["edits"]} == edit.listed
    assert told["files"] == []


@pytest.mark.slow
@each_edit
def test_an_adopted_package_is_as_it_was(
    name: str, own: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = own(name)
    before = texts(folder)
    assert main(["urdf", "adopt", str(ARM), "--package", str(folder), "--force", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # A list of classes is not generated for a package of the user's own, nor is one needed in a folded package.
    assert {*told["yours"], *told["missing"]} <= {"package.order", *EDITS[name].listed}
    assert texts(folder) == before
    assert main(["urdf", "update", str(changed_urdf("a mass", tmp_path)), "--package", str(folder), "-q"]) == 0
    assert texts(folder) == {path: text.replace("mass=0.3,", "mass=0.35,") for path, text in before.items()}


def test_names_in_a_package_of_a_library_are_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = tmp_path / "Lib"
    library.mkdir()
    (library / "package.mo").write_text("package Lib\nend Lib;\n", encoding="utf-8")
    assert main(["urdf", "build", str(ARM), "--into", str(library), "--name", "Arm", "-q"]) == 0
    for words in (["rename", "Lib.Arm.Arm.shoulder", "j1"], ["move", "Lib.Arm.Links.model_", "--to", "Lib.Arm.Joints"]):
        verb, name, *more = words
        assert main([verb, f"{library}::{name}", *more, "-i", "-q"]) == 0
    urdf = changed_urdf("no ball", tmp_path)
    assert main(["urdf", "update", str(urdf), "--package", str(library / "Arm"), "-q"]) == 0
    assert misfits(library / "Arm", CHANGES["no ball"]) == []
    capsys.readouterr()
    assert main(["urdf", "status", str(urdf), "--package", str(library / "Arm"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edits"] == []


def test_an_update_asks_the_libraries_only_if_names_may_have_changed(
    own: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, urdf = own("nothing"), changed_urdf("a mass", tmp_path)
    replace(folder / "Arm.mo", "equation\n", "  parameter Real payload = 1;\nequation\n")
    monkeypatch.setattr(RobotPackage, "libraries", property(lambda _: pytest.fail("they were opened")))
    assert main(["urdf", "update", str(urdf), "--package", str(folder), "-q"]) == 0


@pytest.mark.parametrize(
    ("name", "class_name", "component", "origin"),
    [
        ("a joint", "Arm.Arm", "j1", "joint 'shoulder'"),
        ("a joint", "Arm.Arm", "shoulder", None),
        ("a class", "Arm.Links.Boom", "body", "link 'upper.arm'"),
        ("a class", "Arm.Links.BoomValues", "", "link 'upper.arm'"),
        ("moved classes", "Arm.Parts.elbow", "", "joint 'elbow'"),
        ("moved classes", "Arm.Parts.wristParams", "", "link 'wrist'"),
        ("moved robot", "Arm.Parts.Machine", "ball", "link 'ball'"),
        ("folded", "Arm.Joints.toss", "", "joint 'toss'"),
        ("all", "Arm.Machine", "boom", "link 'upper.arm'"),
    ],
)
def test_messages_name_the_link_or_joint(
    name: str, class_name: str, component: str, origin: str | None, changed: Callable[[str], Path]
) -> None:
    told = origin_of(changed(name), class_name, component)
    assert told == (None if origin is None else f"{origin} of Arm.urdf")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a joint", "insides", "all"])
def test_what_was_renamed_is_simulated_and_verified(
    name: str, changed: Callable[[str], Path], msl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[verify]'")
    pytest.importorskip("pinocchio", reason="pip install 'modelica-ast[verify]'")
    assert msl.is_dir()
    words = [str(ARM), "--package", str(changed(name))]
    assert main(["urdf", "verify", *words, "--configurations", "1", "--seconds", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wrong"] == []
    assert (
        main(["urdf", "plot", *words, "--stop", "0.1", "--joints", *JOINTS, "--json", "-qo", str(tmp_path / "a.png")])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["model"] == "Arm.ArmTest"


REVOLUTE = "Modelica.Mechanics.MultiBody.Joints.Revolute"
BODY = "Modelica.Mechanics.MultiBody.Parts.Body"


@pytest.mark.parametrize(
    ("commands", "kind", "in_template", "expected"),
    [
        (["rename Arm.Links.base.body x", f"add Arm.Links.base.payload {BODY} m=1"], "link", "body.m", "base.x.m"),
        (["rename Arm.Links.base.linkParams x"], "link", "linkParams.inertial.mass", "base.x.inertial.mass"),
        (["rename Arm.Joints.shoulder.flange_a x"], "joint", "flange_a.tau", "shoulder.x.tau"),
        (["rename Arm.Joints.shoulder.friction x"], "joint", "friction.tau", "shoulder.x.tau"),
        (
            ["rename Arm.Joints.shoulder.q_start x", "rename Arm.Joints.shoulder.qd_start q_start"],
            "joint",
            "q_start",
            "shoulder.x",
        ),
        ([], "joint", "revolute.phi", "shoulder.revolute.phi"),
    ],
)
def test_what_is_inside_is_told_by_what_it_is(
    commands: list[str], kind: str, in_template: str, expected: str, own: Callable[[str], Path]
) -> None:
    folder = own("nothing")
    for command in commands:
        change(folder, command)
    names = RobotPackage.open(folder).names
    named = names.link("base") if kind == "link" else names.joint("shoulder")
    assert named.path(in_template) == expected


def test_a_joint_of_the_users_own_is_one_that_inherits_from_that_of_the_standard_library(
    own: Callable[[str], Path],
) -> None:
    folder = own("nothing")
    replace(folder / "Joints" / "shoulder.mo", f"{REVOLUTE} revolute(", "Hinge revolute(")
    change(folder, f"add Arm.Joints --definition|model Hinge extends {REVOLUTE}; end Hinge;")
    change(folder, "rename Arm.Joints.shoulder.revolute hinge")
    replace(folder / "Arm.mo", "Joints.elbow elbow", f"{REVOLUTE} elbow")
    names = RobotPackage.open(folder).names
    assert names.joint("shoulder").path("revolute.phi") == "shoulder.hinge.phi"
    assert (names.joint("elbow").path("revolute.phi"), names.joint("elbow").path("flange_a")) == (
        "elbow.phi",
        "elbow.axis",
    )


@pytest.mark.slow
def test_a_body_that_is_gone_is_told(own: Callable[[str], Path], msl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[verify]'")
    pytest.importorskip("pinocchio", reason="pip install 'modelica-ast[verify]'")
    assert msl.is_dir()
    folder = own("nothing")
    change(folder, "remove Arm.Links.tray.body --connections")
    assert main(["urdf", "verify", str(ARM), "--package", str(folder), "-q"]) == 2
    assert capsys.readouterr().err == (
        "modelica-patch: the package has no variable tray.body.a_0[1], and 20 more are missing: a link needs its body, "
        "and a joint the joint itself, each of the class that its template has there\n"
    )


@pytest.mark.slow
def test_a_renamed_joint_of_a_small_robot_is_verified(
    msl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[verify]'")
    pytest.importorskip("pinocchio", reason="pip install 'modelica-ast[verify]'")
    assert msl.is_dir()
    urdf, package = FIXTURES / "demo" / "arm.urdf", tmp_path / "Arm"
    assert main(["urdf", "build", str(urdf), "--name", "Arm", "--into", str(tmp_path), "-q"]) == 0
    assert main(["rename", f"{package}::Arm.Arm.shoulder", "j1", "-i", "-q"]) == 0
    capsys.readouterr()
    words = [str(urdf), "--package", str(package), "--configurations", "1", "--seconds", "0", "--json"]
    assert main(["urdf", "verify", *words]) == 0
    assert json.loads(capsys.readouterr().out)["wrong"] == []
    change(package, "remove Arm.Links.upper_arm.body --connections")
    assert main(["urdf", "verify", *words]) == 2
    assert "the package has no variable upper_arm.body.a_0[1], and " in capsys.readouterr().err


# ---------------------------------------------------------------- what it is built with, where it is


def test_a_package_knows_its_options_and_its_library(tmp_path: Path) -> None:
    (tmp_path / "Lib").mkdir()
    (tmp_path / "Lib" / "package.mo").write_text("package Lib\nend Lib;\n", encoding="utf-8")
    options = BuildOptions(name="Arm", into=tmp_path / "Lib", urdf=ARM, collisions=False)
    write(build(ROBOT, options), tmp_path / "Lib")
    package = RobotPackage.open(tmp_path / "Lib" / "Arm")
    assert (package.full_name, package.robot_class) == ("Lib.Arm", "Lib.Arm.Arm")
    assert package.library_folder == (tmp_path / "Lib").resolve()
    assert (package.options.stationary, package.options.collisions) == (True, False)
    assert package.memory == read_memory(tmp_path / "Lib" / "Arm")
    assert package.memory.urdf.name == "Arm.urdf"


def test_collisions_that_were_left_out_are_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["urdf", "build", str(ARM), "--name", "Arm", "--no-collisions", "-q"]) == 0
    capsys.readouterr()
    assert main(["urdf", "report", str(ARM), "--package", "Arm", "-o", "report.html"]) == 0
    assert capsys.readouterr().err == "report.html: desk-arm, 0 errors\n"


def test_the_standard_library_may_be_missing(changed: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = changed("all")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("MODELICAPATH", raising=False)
    package = RobotPackage.open(folder)
    assert package.libraries.get("Modelica") is None
    assert package.names.joint("shoulder").component == "j1"
    assert package.model() == "Arm.ArmTest"


@pytest.mark.slow
def test_a_copy_of_the_robot_is_not_taken_for_it(own: Callable[[str], Path]) -> None:
    folder = own("the robot")
    text = (folder / "Machine.mo").read_text(encoding="utf-8")
    (folder / "Twin.mo").write_text(text.replace("Machine", "Twin"), encoding="utf-8")
    with pytest.raises(PackageError, match=r"several classes of Arm could be the model of the robot: Arm\.Machine, A"):
        _ = RobotPackage.open(folder).robot
    # A robot that inherits all of another one, and a base of the user's own, have no links themselves.
    (folder / "Twin.mo").write_text("within Arm;\nmodel Twin\n  extends Machine;\nend Twin;\n", encoding="utf-8")
    base = "within Arm;\nmodel Base\n  extends UrdfRobots.Robots.PartialRobot;\nend Base;\n"
    (folder / "Base.mo").write_text(base, encoding="utf-8")
    replace(folder / "Machine.mo", "extends UrdfRobots.Robots.PartialRobot", "extends Base")
    assert RobotPackage.open(folder).robot_class == "Arm.Machine"


def test_two_components_that_could_be_a_link_are_told(own: Callable[[str], Path]) -> None:
    folder = own("a link")
    replace(folder / "Arm.mo", "Links.tray tray\n", "Links.upper_arm other;\n  Links.tray tray\n")
    with pytest.raises(PackageError, match=r"several components of Arm\.Arm are the link 'upper\.arm': boom, other"):
        _ = RobotPackage.open(folder).names
    # One of them is called as it was built: that is the link, and the other is a part of the user's own.
    replace(folder / "Arm.mo", "Links.upper_arm boom", "Links.upper_arm upper_arm")
    assert RobotPackage.open(folder).names.link("upper.arm").component == "upper_arm"


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda folder: (folder / "package.mo").unlink(), "package.mo can't be read: no such file or directory"),
        (lambda folder: (folder / "package.mo").write_text("package"), "package.mo can't be read: "),
        (lambda folder: (folder / "package.mo").write_text(""), "must define exactly one class, the package; it has 0"),
        (
            lambda folder: shutil.rmtree(folder / "Resources"),
            "has no side-car: what was generated last is not known",
        ),
        (lambda folder: (folder / "Arm.mo").write_text("within Arm;\nmodel Arm"), r"Arm: .*Arm\.mo:2:"),
        (lambda folder: (folder / "Arm.mo").unlink(), "Arm has no class 'Arm', the model of the robot"),
    ],
)
def test_what_is_lost_is_told(break_it: Callable[[Path], object], message: str, own: Callable[[str], Path]) -> None:
    folder = own("nothing")
    break_it(folder)
    with pytest.raises(PackageError, match=message):
        _ = RobotPackage.open(folder).names
