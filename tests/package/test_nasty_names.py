"""Names of links and joints may have any character that XML can, and be those of the templates: all commands go on
understanding the package, and no name in it hides another."""

from __future__ import annotations

import importlib.util
import json
import shutil
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from attrs import evolve

from conftest import FIXTURES
from modelica_ast.cli.program import main
from modelica_ast.edit import Document
from modelica_ast.library import Libraries, check_library
from modelica_ast.rules import check_libraries
from modelica_ast.simulation import Result
from modelica_ast.tree import Component, find_all
from package.older_packages import make_older
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.motion import usual_names
from urdf_frontend.package import CONNECTORS, TEMPLATES, RecordOptions, build_record, read_memory
from urdf_frontend.robot.names import FOR_CLASSES, FOR_COMPONENTS, FOR_ROBOTS, NameStyle, with_stems

NASTY = (
    "a\rb",
    "\rz",
    "c\r\nd",
    "e\nf",
    "z\n",
    "g\th",
    'i"j',
    "k'l",
    "m\\n",
    "m\\rn",
    "o\u2028p",
    "q\u0085r",
    "s\u2029t",
    "u😀v",
    " w ",
    "x ",
    "\ty",
)
BODY = (
    '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    '<visual><geometry><box size="1 1 1"/></geometry></visual>'
)


def robot(names: tuple[str, ...]) -> str:
    def written(name: str) -> str:
        return "".join(letter if letter.isalnum() else f"&#{ord(letter)};" for letter in escape(name))

    links = "".join(f'<link name="{written(name)}">{BODY}</link>\n' for name in names)
    joints = "".join(
        f'<joint name="j{written(child)}" type="revolute"><parent link="{written(parent)}"/>'
        f'<child link="{written(child)}"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n'
        for parent, child in pairwise(names)
    )
    return f'<robot name="arm">\n{links}{joints}</robot>\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(robot(NASTY), encoding="utf-8", newline="")
    assert [link.name for link in read(Path("arm.urdf")).usable_robot().links] == list(NASTY)
    assert main(["urdf", "build", "arm.urdf", "-q"]) == 0
    return tmp_path / "arm"


def test_names_come_back_from_the_side_cars(package: Path) -> None:
    path = package / "Resources" / "urdf" / "arm.json"
    found = read_memory(package).table
    assert list(found.links) == list(NASTY)
    assert list(found.joints) == [f"j{name}" for name in NASTY[1:]]
    # Nothing in the file looks like the end of a line to any program, but those that are.
    text = path.read_bytes().decode()
    assert "\r" not in text
    assert len(path.read_text(encoding="utf-8").split("\n")) == text.count("\n") + 1


@pytest.mark.slow
def test_every_command_understands_the_package(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        "status arm.urdf --package arm",
        "update arm.urdf --package arm",
        "types arm.urdf --package arm -o arm_types.py",
        "report arm.urdf --package arm -o arm.html",
        "export --package arm -o back.urdf",
    ):
        assert main(["urdf", *words.split()]) == 0, (words, capsys.readouterr().err)
    assert Path("back.urdf").read_bytes() == Path("arm.urdf").read_bytes()
    compile(Path("arm_types.py").read_text(encoding="utf-8"), "arm_types.py", "exec")
    # A change of the URDF comes in, and nothing else changes.
    before = {path: path.read_bytes() for path in package.rglob("*.mo")}
    text = Path("arm.urdf").read_text(encoding="utf-8").replace('mass value="1"', 'mass value="2"', 1)
    Path("arm.urdf").write_text(text, encoding="utf-8", newline="")
    assert main(["urdf", "update", "arm.urdf", "--package", "arm", "-q"]) == 0
    changed = [path.name for path, data in before.items() if path.read_bytes() != data]
    assert len(changed) == 1
    assert main(["urdf", "status", "arm.urdf", "--package", "arm"]) == 0


def test_a_package_that_was_built_before_is_read(package: Path) -> None:
    # Names were in a file of lines, in which git may have changed the line ends, and values with a bare one.
    table = read_memory(package).table
    folder = package / "Resources" / "urdf"
    make_older(folder, "arm")
    text = (folder / "arm.names").read_bytes() + b'value Links.aParams name "a\rb"\n'
    for data in (text, text.replace(b"\n", b"\r\n")):
        (folder / "arm.names").write_bytes(data)
        assert read_memory(package).table == table
    assert main(["urdf", "update", "arm.urdf", "--package", "arm", "-q"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["arm.json", "arm.urdf"]
    assert read_memory(package).table == table


@pytest.mark.skipif(importlib.util.find_spec("pinocchio") is None, reason="there is no Pinocchio")
@pytest.mark.skipif(importlib.util.find_spec("rumoca") is None, reason="there is no compiler")
@pytest.mark.slow
def test_the_package_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(robot(("base", "a\rb")), encoding="utf-8", newline="")
    assert main(["urdf", "build", "arm.urdf", "-q"]) == 0
    assert main(["urdf", "verify", "arm.urdf", "--package", "arm", "-q"]) == 0


# ---------------------------------------------------------------- names of the templates


def names_in(*packages: str) -> dict[str, set[str]]:
    """The components of the classes of our template library, by their packages."""
    files = [path for package in packages for path in sorted(TEMPLATES.glob(package))]
    return {path.stem: {each.name for each in find_all(Document.open(path).tree, Component)} for path in files}


def names_of_templates(*packages: str) -> list[str]:
    """All names in them, and those of which a record would be called so."""
    found = with_stems(frozenset().union(*names_in(*packages).values()))
    return sorted(found | {"Params", "Links", "Joints", "R", "Data", "ByParts", "Modelica", "UrdfRobots", "Real"})


KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


def star(name: str, names: list[str], *, kinds: tuple[str, ...] = KINDS) -> str:
    """A robot with links and joints of all these names, and each with all that a template has."""
    body = f'{BODY}<collision><geometry><box size="1 1 1"/></geometry></collision>'
    links = "".join(f'<link name="{each}">{body}</link>' for each in ("the root", *names))
    joints = "".join(
        f'<joint name="{each}" type="{kinds[at % len(kinds)]}"><parent link="the root"/><child link="{each}"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="1"/></joint>'
        for at, each in enumerate(names)
    )
    return f'<robot name="{name}">{links}{joints}</robot>'


def test_who_makes_names_knows_those_of_the_templates() -> None:
    # In the models of links and joints each of these hides a class of its name, in the robot's a component does.
    parts = names_in("Links/*.mo", "Joints/*.mo")
    own = ("Link", "LinkVisualization2", "Revolute", "Continuous", "Prismatic", "Fixed", "Planar", "Floating")
    assert with_stems(frozenset().union(*(parts[name] for name in own))) <= FOR_CLASSES
    robots = names_in("Robots/*.mo")
    assert robots["Robot"] | robots["BaseRobot"] | robots["Module"] <= FOR_COMPONENTS
    assert robots["RunStationary"] | robots["RunMobile"] <= FOR_ROBOTS


STYLES = [pytest.param(each, marks=[pytest.mark.slow] * (each is not NameStyle.AS_IS)) for each in NameStyle]


@pytest.mark.parametrize("style", STYLES)
def test_no_component_hides_its_class_whatever_it_is_called(style: NameStyle, tmp_path: Path) -> None:
    robot = read(star("R", names_of_templates("Links/*.mo", "Joints/*.mo", "Robots/*.mo"))).usable_robot()
    write(build(robot, BuildOptions(into=tmp_path, name_style=style)), tmp_path)
    names = names_of_templates("Records.mo", "Generic/*.mo", "Examples/GenericArm.mo")
    robot = read(star("R", names, kinds=("revolute", "prismatic", "fixed"))).usable_robot()
    write(build_record(robot, RecordOptions(into=tmp_path, name="Data", name_style=style)), tmp_path)
    assert findings(tmp_path / "R", tmp_path / "Data.mo") == []


@pytest.mark.parametrize("name", ["floor", "model", "con", "link", "joint", "ground", "world", "robot", "R-1", "a_"])
def test_a_robot_and_its_parts_may_have_one_name(name: str, tmp_path: Path) -> None:
    robot = read(star(name, [name, f"{name}_"])).usable_robot()
    built = build(robot, BuildOptions(into=tmp_path, stationary=False))
    write(built, tmp_path)
    write(
        build_record(
            read(star(name, [name], kinds=("fixed",))).usable_robot(), RecordOptions(into=tmp_path / "record")
        ),
        tmp_path / "record",
    )
    assert findings(tmp_path / built.name, tmp_path / "record" / f"{built.name}.mo") == []
    # What the tool calls it, a user may call it.
    again = build(robot, BuildOptions(into=tmp_path / "again", stationary=False, name=built.name))
    assert again.names == built.names


def findings(*places: Path) -> list[object]:
    found: list[object] = []
    for place in places:
        libraries = Libraries([place], read_only=[TEMPLATES])
        every = [*check_libraries(libraries), *check_library(libraries)]
        found += [each for each in every if getattr(each, "code", "") != "library-not-open"]  # the Standard Library
    return found


# ---------------------------------------------------------------- packages that were made when names were escaped

ROBOTS = FIXTURES / "robots" / "older"
MODULES = FIXTURES / "modules" / "older"


def files_and_names(folder: Path) -> tuple[dict[str, bytes], object]:
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    (side_car,) = (folder / "Resources" / "urdf").glob("*.json")
    return files, json.loads(side_car.read_text(encoding="utf-8"))["names"]


def components_of(files: dict[str, bytes]) -> dict[str, set[str]]:
    """The components of each class, without the connectors that a robot's model declares today."""
    texts = {path: data.decode() for path, data in files.items() if path.endswith(".mo")}
    trees = {path: Document(text).tree for path, text in texts.items()}
    return {path: {each.name for each in find_all(tree, Component)} - CONNECTORS for path, tree in trees.items()}


@pytest.mark.parametrize(
    ("fixture", "commands"),
    [
        (ROBOTS / "old_x2d_robot", ["update old-robot.urdf --package old_x2d_robot"]),
        (MODULES / "old_x2d_arm", ["update old-arm.yaml --package old_x2d_arm", "assemble old-arm.yaml --into ."]),
    ],
)
def test_a_package_keeps_its_names(
    fixture: Path, commands: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(fixture.parent, tmp_path / "here"))
    before, names = files_and_names(Path(fixture.name))
    for command in commands:
        assert main(["urdf", *command.split(), "-q"]) == 0
    after, names_after = files_and_names(Path(fixture.name))
    assert names_after == names
    assert components_of(after) == components_of(before)
    assert after.keys() == before.keys()
    assert {path.name for path in Path().iterdir()} == {path.name for path in fixture.parent.iterdir()}


def test_what_is_new_in_such_a_package_has_the_plainest_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(ROBOTS, tmp_path / "here"))
    before = read_memory(Path("old_x2d_robot")).table
    ends = '<parent link="model"/><child link="fore-arm"/>'
    new = f'<link name="fore-arm"/><joint name="fore-arm" type="fixed">{ends}</joint>'
    text = Path("old-robot.urdf").read_text(encoding="utf-8").replace("</robot>", f"{new}</robot>")
    Path("old-robot.urdf").write_text(text, encoding="utf-8")
    assert main("urdf update old-robot.urdf --package old_x2d_robot -q".split()) == 0
    now = read_memory(Path("old_x2d_robot")).table
    assert before.links.items() <= now.links.items()
    assert now.link("fore-arm").component == "fore_arm"
    assert (now.joint("fore-arm").class_name, now.joint("fore-arm").component) == ("fore_arm", "fore_arm_joint")
    assert now.followers == before.followers == {"right-finger": "right_x2d_finger_mimic"}


def test_such_a_package_is_adopted_under_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(ROBOTS, tmp_path / "here"))
    before = read_memory(Path("old_x2d_robot")).table
    shutil.rmtree("old_x2d_robot/Resources/urdf")
    assert main("urdf adopt old-robot.urdf --package old_x2d_robot -q".split()) == 0
    now = read_memory(Path("old_x2d_robot")).table
    assert [each.component for each in now.links.values()] == [each.component for each in before.links.values()]
    assert [each.component for each in now.joints.values()] == [each.component for each in before.joints.values()]


@pytest.mark.parametrize("style", [NameStyle.AS_IS, NameStyle.ESCAPED])
def test_a_result_tells_which_names_its_model_has(style: NameStyle) -> None:
    robot = read(ROBOTS / "old-robot.urdf").usable_robot()
    names = build(robot, BuildOptions(name_style=style)).names
    columns = {f"robot.{names.joint(name).component}.revolute.phi": [0.0, 1.0] for name in ("desk-arm", "fl x")}
    known = usual_names(robot, Result([0.0, 1.0], columns))
    assert known.joint("desk-arm").component == names.joint("desk-arm").component
    assert usual_names(robot).joint("fl x").component == "fl_x"


def test_all_who_have_no_package_make_the_same_names(tmp_path: Path) -> None:
    robot = read(ROBOTS / "old-robot.urdf").usable_robot()
    names = build(robot, BuildOptions(into=tmp_path)).names
    assert usual_names(robot) == evolve(names, followers={})
    record = build_record(evolve(robot, joints=tuple(evolve(each, mimic=None) for each in robot.joints))).names
    assert (record.links, record.joints) == (names.links, names.joints)
