"""What happens to users of updates, case by case, by the commands that they type and with the files on the disk."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from conftest import mostly_slow
from modelica_ast.edit import Document
from modelica_ast.generate import UpdateError, digest
from package.robot_structure import misfits
from package.test_survival import cut, fold, read_text, without_comments, write_text, wrong_names
from package.test_update import ARM, LAMP, MASS, built_in, edit, files_in, without_tool
from pages import call, stream, text_in
from served_command import program
from urdf_frontend import read
from urdf_frontend.package import UpdateOptions, update

BRANCH = ("base", "upper", "fore", "Wrist", "hand")
MASSES = dict(zip(BRANCH, ("4.0", "2.5", "1.2", "0.6", "0.3"), strict=True))
HEAVIER = ('mass value="0.3"', 'mass value="0.35"')


def serial(*names: str) -> str:
    """An arm of these links, one hanging on the other; each joint is called after its child."""
    lines = ['<robot name="arm">']
    for name in names:
        inertia = '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>'
        mass = MASSES.get(name, MASSES["hand"])
        lines.append(f'  <link name="{name}"><inertial><mass value="{mass}"/>{inertia}</inertial></link>')
    for parent, child in pairwise(names):
        ends = f'<parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/>'
        lines.append(f'  <joint name="to_{child}" type="continuous">{ends}</joint>')
    return "\n".join([*lines, "</robot>\n"])


def retyped(joint: str, kind: str) -> str:
    text, count = re.subn(rf'(<joint name="{joint}" type=)"\w+"', rf'\1"{kind}"', ARM)
    assert count == 1
    return text


@frozen
class Said:
    """What a command has said, both streams as they come, and its exit code."""

    code: int
    text: str

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if line.strip()]

    def about(self, *words: str) -> list[str]:
        """The lines with all of these words."""
        return [line for line in self.lines if all(word in line for word in words)]


@frozen
class Place:
    """A folder with a package, and the URDF file that it follows."""

    root: Path
    package: Path

    def run(self, *words: str) -> Said:
        out = stream()
        with contextlib.chdir(self.root):
            code = call(["urdf", *words], out, out)
        said = Said(code, text_in(out))
        assert "Traceback" not in said.text, said.text
        return said

    def command(self, name: str, urdf: str, *words: str) -> Said:
        write_text(self.root / "new.urdf", urdf)
        return self.run(name, "new.urdf", "--package", str(self.package.relative_to(self.root)), *words)

    def update(self, urdf: str, *words: str) -> Said:
        return self.command("update", urdf, *words)

    def status(self, urdf: str, *words: str) -> Said:
        return self.command("status", urdf, *words)

    def json(self, name: str, urdf: str, *words: str) -> dict[str, Any]:
        """What a command says to programs."""
        write_text(self.root / "new.urdf", urdf)
        where = ["--package", str(self.package.relative_to(self.root))]
        out = stream()
        with contextlib.chdir(self.root):
            call(["urdf", name, "new.urdf", *where, "--json", *words], out, stream())
        data: dict[str, Any] = json.loads(text_in(out))
        return data

    @property
    def model(self) -> Path:
        return self.package / f"{self.package.name}.mo"

    @property
    def components(self) -> set[str]:
        (model,) = Document(read_text(self.model)).classes
        return {component.name for component in model.components}

    def check(self, urdf: str, *removed: str) -> None:
        """The robot is the tree of the URDF file, and the same update again does nothing."""
        assert misfits(self.package, urdf, removed) == []
        before = files_in(self.package)
        assert self.update(urdf).code in (0, 3)
        assert files_in(self.package) == before


@pytest.fixture
def arm(tmp_path: Path) -> Place:
    return Place(tmp_path, built_in(tmp_path, ARM))


@pytest.fixture
def branch(tmp_path: Path) -> Place:
    return Place(tmp_path, built_in(tmp_path, serial(*BRANCH)))


@pytest.fixture
def cell(tmp_path: Path) -> Place:
    """A library `Cell` with the arm in it, and a model beside that uses the arm."""
    library = tmp_path / "Cell"
    library.mkdir()
    write_text(library / "package.mo", "package Cell\nend Cell;\n")
    write_text(library / "package.order", "Desk\narm\n")
    write_text(library / "Desk.mo", DESK)
    return Place(tmp_path, built_in(library, serial(*BRANCH)))


DESK = """within Cell;
model Desk
  arm.arm robot;
  arm.Links.hand spare;
  Modelica.Mechanics.MultiBody.Parts.PointMass load(m=0.7);
equation
  connect(load.frame_a, robot.hand.frame_a);
end Desk;
"""


def commented(place: Path, statement: str) -> bool:
    """Is a statement of the user's a comment now, line by line, with every byte of it?"""
    text = read_text(place)
    back = re.sub(r"(?m)^([ \t]*)//[ ]", r"\1", text)
    return statement not in without_comments(text) and statement in back


# ---------------------------------------------------------------- gone from the URDF


def test_a_middle_link_that_the_user_edited_goes_out_of_the_robot(branch: Place) -> None:
    """It used to stay between its neighbours, and the hand had two parents."""
    edit(branch.package / "Links" / "WristParams.mo", ("mass=0.6", "mass=0.65"))
    new = serial("base", "upper", "fore", "hand")
    said = branch.update(new)
    assert said.code == 3
    assert said.about("Wrist")
    assert not branch.components & {"Wrist", "to_Wrist"}
    assert "mass=0.65" in read_text(branch.package / "Links" / "WristParams.mo")
    assert {"Wrist", "WristParams"} <= set(read_text(branch.package / "Links" / "package.order").split())
    assert not list((branch.package / "Joints").glob("to_Wrist*"))
    assert wrong_names(branch.package) == set()
    branch.check(new)


def test_one_sentence_says_what_stays(branch: Place) -> None:
    edit(branch.package / "Links" / "WristParams.mo", ("mass=0.6", "mass=0.65"))
    report = branch.json("update", serial("base", "upper", "fore", "hand"))
    assert len([line for line in report["attention"] if "Wrist" in line]) == 1


def test_a_connection_to_a_joint_that_is_gone_is_a_comment(arm: Place) -> None:
    own = "  connect(motor.flange, slide.flange_a) annotation (Line(\n      points={{1,2},{3,4}}, color={0,127,0}));\n"
    motor = "  Modelica.Mechanics.Translational.Sources.Force motor;\n"
    edit(arm.model, ("equation\n", f"{motor}equation\n{own}"))
    said = arm.update(without_tool())
    assert said.code == 3
    assert said.about("slide")
    assert commented(arm.model, own)
    assert motor in read_text(arm.model)
    arm.check(without_tool())


def test_an_edited_declaration_of_what_is_gone_is_a_comment(arm: Place) -> None:
    edit(
        arm.model,
        ("Joints.slide slide(startFixed=startFixed)", "Joints.slide slide(q_start=0.05, startFixed=startFixed)"),
    )
    said = arm.update(without_tool())
    assert said.code == 3
    assert said.about("slide")
    assert commented(arm.model, "Joints.slide slide(q_start=0.05, startFixed=startFixed)")
    arm.check(without_tool())


def test_an_equation_of_what_is_gone_is_a_comment(arm: Place) -> None:
    edit(arm.model, ("equation\n", "  Real height;\nequation\n  height =\n    tool.frame_a.r_0[3];\n"))
    assert arm.update(without_tool()).code == 3
    assert commented(arm.model, "  height =\n    tool.frame_a.r_0[3];\n")
    assert "  Real height;\n" in without_comments(read_text(arm.model))
    arm.check(without_tool())


def without_descriptions(text: str) -> str:
    return re.sub(r'"[^"]*"', "", text)


def test_drawings_of_what_is_gone_go_with_it(arm: Place) -> None:
    text = re.sub(r"(Links\.tool [^;]*extent=)\{\{[^}]*\}", r"\1{{133,-99}", read_text(arm.model))
    write_text(arm.model, text)
    assert arm.update(without_tool()).code == 0
    assert not re.search(r"\b(tool|slide)\b", without_descriptions(read_text(arm.model)))
    assert not list(arm.package.rglob("tool*"))


@pytest.mark.parametrize(
    "laid_out",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n  ", "\n    "),
        lambda text: text.replace(";\n", ";\n\n"),
        lambda text: re.sub(r",\s+", ", ", text),
    ],
    ids=["line ends", "indentation", "blank lines", "long lines"],
)
def test_a_link_in_another_layout_goes(arm: Place, laid_out: Callable[[str], str]) -> None:
    for name in ("tool.mo", "toolParams.mo"):
        file = arm.package / "Links" / name
        write_text(file, laid_out(read_text(file)))
    said = arm.update(without_tool())
    assert said.code == 0
    assert not list(arm.package.rglob("tool*"))
    arm.check(without_tool())


def test_a_reference_from_another_model_is_told_and_left_alone(arm: Place) -> None:
    run_model = arm.package / "armRun.mo"
    own = "  connect(eye.frame_a, robot.tool.frame_a);\n"
    edit(run_model, ("equation\n", f"  Modelica.Mechanics.MultiBody.Sensors.AbsoluteSensor eye;\nequation\n{own}"))
    line = read_text(run_model)[: read_text(run_model).index(own)].count("\n") + 1
    before = run_model.read_bytes()
    said = arm.update(without_tool())
    assert said.code == 3
    assert said.about(f"armRun.mo:{line}", "tool")
    assert run_model.read_bytes() == before
    assert "tool" not in arm.components


def test_a_class_that_the_library_around_uses_is_not_deleted(cell: Place) -> None:
    new = serial(*BRANCH[:-1])
    said = cell.update(new)
    assert said.code == 3
    assert said.about("Desk.mo:4", "hand")  # the class
    assert said.about("Desk.mo:7", "hand")  # the component
    assert (cell.package / "Links" / "hand.mo").is_file()
    assert (cell.package / "Links" / "handParams.mo").is_file()
    assert read_text(cell.root / "Cell" / "Desk.mo") == DESK
    assert "hand" not in cell.components
    cell.check(new)


def test_what_stayed_is_listed_until_it_is_pruned(branch: Place) -> None:
    edit(branch.package / "Links" / "WristParams.mo", ("mass=0.6", "mass=0.65"))
    new = serial("base", "upper", "fore", "hand")
    branch.update(new)
    for _ in range(2):
        assert branch.status(new).about("Wrist")
        branch.update(new)
    assert (branch.package / "Links" / "Wrist.mo").is_file()
    pruned = branch.update(new, "--prune")
    assert pruned.code == 0
    assert not list(branch.package.rglob("*Wrist*"))
    assert "Wrist" not in read_text(branch.package / "Links" / "package.order")
    clean = branch.status(new)
    assert (clean.code, clean.about("Wrist")) == (0, [])
    branch.check(new)


@pytest.mark.parametrize("form", ["files", "all"])
def test_who_uses_what_is_pruned_is_told(arm: Place, form: str) -> None:
    """It was exit code 0 without a word, and the user's model had a type that was not there."""
    write_text(arm.package / "armSpare.mo", "within arm;\nmodel armSpare\n  Links.tool tool;\nend armSpare;\n")
    if form == "all":
        edit(arm.package / "package.order", ("armTest\n", "armTest\narmSpare\n"))
        fold(arm.package, form)
    assert arm.update(without_tool()).code == 3
    said = arm.update(without_tool(), "--prune")
    assert said.code == 3
    assert said.about("armSpare.mo:3" if form == "files" else "package.mo:", "uses the link 'tool'")
    assert said.about("removed", "Links" if form == "files" else "arm.Links.tool:")
    assert arm.update(without_tool(), "--prune").code == 0
    assert "Links.tool tool;" in "".join(map(read_text, arm.package.rglob("*.mo")))
    arm.check(without_tool())


@pytest.mark.parametrize("goes", ["untouched", "edited"])
def test_a_part_goes_whatever_is_called_otherwise_inside_of_it(arm: Place, goes: str) -> None:
    """Its class became an empty package."""
    joint = arm.package / "Joints" / "slide.mo"
    write_text(joint, read_text(joint).replace("prismatic", "pusher"))
    if goes == "edited":
        edit(joint, ("q_start=0 ", "q_start=0.05 "))
    assert misfits(arm.package, ARM) == []
    said = arm.update(without_tool())
    assert said.code == (3 if goes == "edited" else 0)
    assert joint.is_file() == (goes == "edited")
    assert goes != "edited" or "pusher" in read_text(joint)
    arm.check(without_tool())


# ---------------------------------------------------------------- another parent

SENSOR = "  Modelica.Mechanics.MultiBody.Sensors.CutForce sensor;\n"


def put_sensor(place: Place, parent: str, joint: str) -> None:
    """A force sensor between a link and a joint, in place of the generated connection."""
    text, count = re.subn(
        rf"  connect\({parent}\.frame_a, {joint}\.frame_a\)[^;]*;\n",
        f"  connect({parent}.frame_a, sensor.frame_a);\n  connect(sensor.frame_b, {joint}.frame_a);\n",
        read_text(place.model),
    )
    assert count == 1
    write_text(place.model, text.replace("equation\n", f"{SENSOR}equation\n"))


def test_a_joint_with_another_parent_leaves_the_sensor_of_the_old_one(branch: Place) -> None:
    put_sensor(branch, "Wrist", "to_hand")
    old = serial(*BRANCH)
    assert misfits(branch.package, old) == []
    new = old.replace('<parent link="Wrist"/><child link="hand"/>', '<parent link="fore"/><child link="hand"/>')
    said = branch.update(new)
    assert said.code == 3
    assert said.about("to_hand")
    assert commented(branch.model, "  connect(sensor.frame_b, to_hand.frame_a);\n")
    assert SENSOR in read_text(branch.model)
    branch.check(new)


def test_a_sensor_stays_where_nothing_moves(branch: Place) -> None:
    put_sensor(branch, "Wrist", "to_hand")
    new = serial(*BRANCH).replace('mass value="2.5"', 'mass value="2.75"')
    assert branch.update(new).code == 0
    assert "  connect(sensor.frame_b, to_hand.frame_a);\n" in without_comments(read_text(branch.model))
    branch.check(new)


def test_a_link_above_a_sensor_goes(branch: Place) -> None:
    put_sensor(branch, "Wrist", "to_hand")
    new = serial("base", "upper", "fore", "hand")
    said = branch.update(new)
    assert said.code == 3
    assert commented(branch.model, "  connect(Wrist.frame_a, sensor.frame_a);\n")
    branch.check(new)


# ---------------------------------------------------------------- names


def renamed(old: str, new: str) -> str:
    return serial(*BRANCH).replace(f'"{old}"', f'"{new}"').replace(*HEAVIER)


def commands_in(said: Said) -> list[list[str]]:
    """The commands that a message asks the user to type."""
    lines = [line.strip() for line in said.lines if "modelica-patch urdf update" in line]
    return [shlex.split(line[line.index("modelica-patch") :]) for line in lines]


@pytest.fixture
def named(tmp_path: Path) -> Place:
    """In folders that have to be quoted."""
    root = tmp_path / "my robots"
    return Place(root, built_in(root / "the arm's", serial(*BRANCH)))


@pytest.mark.parametrize("option", ["--rename", "--no-rename"])
def test_a_probable_renaming_is_asked_about_before_anything_is_written(named: Place, option: str) -> None:
    edit(named.package / "Links" / "handParams.mo", ("izz=0.1", "izz=0.125 /* weighed */"))
    # The joint to it has another name too, as it is called after the link.
    new = renamed("hand", "gripper").replace('"to_hand"', '"to_gripper"')
    before = files_in(named.package)
    said = named.update(new)
    assert said.code == 3
    assert files_in(named.package) == before
    assert said.about("hand", "gripper")
    (proposed,) = [words for words in commands_in(said) if option in words]
    done = subprocess.run([program(), *proposed[1:]], cwd=named.root, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if option == "--rename" else 3), done.stderr
    assert "mass=0.35" in read_text(named.package / "Links" / "gripperParams.mo")
    stayed = named.package / "Links" / ("gripperParams.mo" if option == "--rename" else "handParams.mo")
    assert "izz=0.125 /* weighed */" in read_text(stayed)
    assert (named.package / "Links" / "handParams.mo").is_file() == (option == "--no-rename")
    named.check(new)


def test_questions_keep_an_update_from_being_saved(branch: Place) -> None:
    result = update(branch.package, read(renamed("hand", "gripper")))
    (question,) = result.questions
    assert (question.what, question.old, question.new) == ("link", "hand", "gripper")
    assert "hand" in str(question)
    assert "gripper" in str(question)
    before = files_in(branch.package)
    with pytest.raises(UpdateError):
        result.save()
    assert files_in(branch.package) == before
    assert update(branch.package, read(renamed("hand", "gripper")), UpdateOptions(no_renames=True)).questions == ()


def test_a_link_that_replaces_another_is_no_renaming(branch: Place) -> None:
    new = renamed("hand", "gripper")
    assert branch.update(new, "--no-rename").code == 0
    assert not (branch.package / "Links" / "hand.mo").exists()
    assert {"gripper"} <= branch.components
    branch.check(new)


def test_a_renaming_reaches_the_library_around(cell: Place) -> None:
    """This was a traceback."""
    new = renamed("hand", "gripper")
    said = cell.update(new, "--rename", "hand=gripper")
    assert said.code == 0
    text = read_text(cell.root / "Cell" / "Desk.mo")
    assert text == DESK.replace("Links.hand", "Links.gripper").replace("robot.hand", "robot.gripper")
    cell.check(new)


def test_a_renamed_joint_keeps_its_edits(branch: Place) -> None:
    edit(branch.package / "Joints" / "to_hand.mo", ("q_start=0", "q_start=0.3"))
    new = serial(*BRANCH).replace('"to_hand"', '"grip"')
    assert branch.update(new, "--rename", "to_hand=grip").code == 0
    assert "q_start=0.3" in read_text(branch.package / "Joints" / "grip.mo")
    branch.check(new)


def renamed_at_once(names: dict[str, str]) -> str:
    return re.sub(r'"(to_)?(\w+)"', lambda name: f'"{name[1] or ""}{names.get(name[2], name[2])}"', serial(*BRANCH))


@pytest.mark.parametrize(
    "names",
    [
        {"fore": "Wrist", "Wrist": "hand", "hand": "gripper"},
        {"Wrist": "hand", "hand": "Wrist"},
        {"fore": "Wrist", "Wrist": "hand", "hand": "fore"},
    ],
    ids=["chain", "swap", "circle"],
)
def test_several_renames_are_one_step(cell: Place, names: dict[str, str]) -> None:
    """Each was refused because of the others."""
    for old in names:
        edit(cell.package / "Links" / f"{old}Params.mo", ("izz=0.1", f"izz=0.1 /* of {old} */"))
        edit(cell.package / "Joints" / f"to_{old}.mo", ("q_start=0", "q_start=0.3"))
        edit(cell.model, (f"Joints.to_{old} to_{old}(", f"Joints.to_{old} to_{old}(qd_start=0.{len(old)}, "))
    new = renamed_at_once(names)
    words = [word for old, other in names.items() for word in ("--rename", f"{old}={other}")]
    words += [word for old, other in names.items() for word in ("--rename", f"to_{old}=to_{other}")]
    said = cell.update(new, *words)
    assert said.code == 0, said.text
    for old, other in names.items():
        record = read_text(cell.package / "Links" / f"{other}Params.mo")
        assert f"izz=0.1 /* of {old} */" in record
        assert f"mass={MASSES[old]}" in record
        assert "q_start=0.3" in read_text(cell.package / "Joints" / f"to_{other}.mo")
        assert f"Joints.to_{other} to_{other}(qd_start=0.{len(old)}, " in read_text(cell.model)
    text = read_text(cell.root / "Cell" / "Desk.mo")
    now = names["hand"]
    assert text == DESK.replace("Links.hand", f"Links.{now}").replace("robot.hand", f"robot.{now}")
    assert wrong_names(cell.package) == set()
    assert not list(cell.package.rglob("*meanwhile*"))
    cell.check(new)


@pytest.mark.parametrize(
    "names",
    [
        {"hand": "Wrist", "Wrist": "hand"},
        {"hand": "Wrist", "Wrist": "claw"},
        {"to_hand": "to_fore", "to_fore": "to_hand"},
    ],
    ids=["change of places", "chain", "joints"],
)
def test_names_that_were_passed_on_are_asked_about(branch: Place, names: dict[str, str]) -> None:
    """What the user had written about the one was about the other without a word."""
    for part, value in (("Links/hand", "mass=0.3"), ("Joints/to_hand", "axis={0,1,0}")):
        edit(branch.package / f"{part}Params.mo", (value, f"{value} /* mine */"))
    before = files_in(branch.package)
    new = re.sub("|".join(f'"{old}"' for old in names), lambda found: f'"{names[found[0][1:-1]]}"', serial(*BRANCH))
    new = new.replace('xyz="0 1 0"', 'xyz="0 0 1"')  # and values that are alike
    said = branch.update(new)
    assert (said.code, files_in(branch.package)) == (3, before)
    assert all(said.about(f"'{old}' seems to be '{now}' now") for old, now in names.items())
    (command,) = [line.split()[3:] for line in said.lines if "--rename" in line]
    assert branch.run("update", *command).code == 0
    assert len([path for path in branch.package.rglob("*Params.mo") if "/* mine */" in read_text(path)]) == 2
    renamed = {"hand": "hand", "to_hand": "to_hand", **names}
    for part in ("hand", "to_hand"):
        (file,) = branch.package.rglob(f"{renamed[part]}Params.mo")
        assert "/* mine */" in read_text(file)
    branch.check(new)


def test_two_things_do_not_get_one_name(branch: Place) -> None:
    said = branch.update(renamed("hand", "gripper"), "--rename", "hand=gripper", "--rename", "Wrist=gripper")
    assert said.code == 2
    said = branch.update(renamed("hand", "gripper"), "--rename", "hand=gripper", "--rename", "hand=claw")
    assert (said.code, said.text) == (2, "modelica-patch: --rename: 'hand' can't be 'gripper' and 'claw' at once\n")


@pytest.mark.parametrize("what", ["class", "component"])
def test_a_new_name_that_the_user_has_for_something_else_is_avoided(branch: Place, what: str) -> None:
    """As that of a new link is. It was an error that did not say what to do."""
    own = branch.package / "Links" / "gripper.mo"
    if what == "class":
        write_text(own, 'within arm.Links;\nmodel gripper "mine"\nend gripper;\n')
    else:
        edit(branch.model, ("equation\n", "  Real gripper = 1;\nequation\n"))
    edit(branch.package / "Links" / "handParams.mo", ("izz=0.1", "izz=0.125"))
    new = serial(*BRANCH).replace('"hand"', '"gripper"')
    said = branch.update(new, "--rename", "hand=gripper")
    assert said.code == 0, said.text
    assert own.is_file() == (what == "class")
    assert "hand" not in branch.components
    files = [path for path in (branch.package / "Links").glob("gripper*Params.mo") if "izz=0.125" in read_text(path)]
    assert len(files) == 1
    assert not list(branch.package.rglob("hand*"))
    branch.check(new)


# ---------------------------------------------------------------- there already


@pytest.mark.parametrize("what", ["classes", "everything"])
def test_what_is_there_already_does_not_come_twice(arm: Place, what: str, tmp_path: Path) -> None:
    """The user has copied it from a build of the new file."""
    new = ARM.replace("</robot>", LAMP).replace('"lamp"', '"Gripper"')
    fresh = built_in(tmp_path / "fresh", new)
    names = ["Links/Gripper.mo", "Links/GripperParams.mo", "Joints/hook.mo", "Joints/hookParams.mo"]
    if what == "everything":
        names = [name for name in files_in(fresh) if name.endswith((".mo", ".order"))]
    for name in names:
        shutil.copy(fresh / name, arm.package / name)
    said = arm.update(new)
    assert said.code == 0
    assert not [name for name in files_in(arm.package) if re.search(r"(Gripper|hook)(Params)?_", name)]
    assert not {name for name in arm.components if name.endswith("_")}
    for name, data in files_in(fresh).items():
        if name.endswith((".mo", ".order")):
            assert files_in(arm.package)[name] == data, name
    arm.check(new)


# ---------------------------------------------------------------- classes in other files


FORMS = pytest.mark.parametrize("form", mostly_slow(["Links.mo", "package.mo", "all"], "all"))


def modelica_in(package: Path) -> dict[str, bytes]:
    return {name: data for name, data in files_in(package).items() if name.endswith((".mo", ".order"))}


@pytest.fixture
def folded(arm: Place, form: str) -> Path:
    """The file that has the links."""
    fold(arm.package, form)
    assert misfits(arm.package, ARM) == []
    return arm.package / ("Links.mo" if form == "Links.mo" else "package.mo")


@FORMS
def test_no_news_for_a_folded_package_is_no_update(arm: Place, folded: Path) -> None:
    before = files_in(arm.package)
    assert arm.update(ARM).code == 0
    assert files_in(arm.package) == before
    assert folded.is_file()


@FORMS
def test_one_mass_of_a_folded_package_is_one_token(arm: Place, folded: Path) -> None:
    before = modelica_in(arm.package)
    assert arm.update(ARM.replace(*MASS)).code == 0
    name = folded.name
    assert modelica_in(arm.package) == {**before, name: before[name].replace(b"mass=2.50", b"mass=2.75")}


@FORMS
def test_a_folded_package_gets_a_new_link_where_its_links_are(arm: Place, folded: Path) -> None:
    before = set(modelica_in(arm.package))
    new = ARM.replace("</robot>", LAMP)
    assert arm.update(new).code == 0
    assert re.search(r"\bmodel lamp\b.*\brecord lampParams\b", read_text(folded), flags=re.DOTALL)
    assert not (arm.package / "Links").exists()
    hook = {"Joints/hook.mo", "Joints/hookParams.mo"} if (arm.package / "Joints").is_dir() else set()
    assert set(modelica_in(arm.package)) == before | hook
    arm.check(new)


@FORMS
def test_a_link_that_is_gone_leaves_a_folded_package(arm: Place, folded: Path) -> None:
    before = set(modelica_in(arm.package))
    assert arm.update(without_tool()).code == 0
    assert not re.search(r"\b(tool|toolParams|slide|slideParams)\b", without_descriptions(read_text(folded)))
    assert not (arm.package / "Links").exists()
    assert set(modelica_in(arm.package)) <= before
    arm.check(without_tool())


@FORMS
def test_an_edited_link_of_a_folded_package_stays_there(arm: Place, folded: Path) -> None:
    edit(folded, ("mass=0.3,", "mass=0.33,"))
    assert arm.update(without_tool()).code == 3
    text = read_text(folded)
    assert "mass=0.33," in text
    assert re.search(r"\brecord toolParams\b", text)
    arm.check(without_tool())


@pytest.mark.slow
@FORMS
def test_an_edited_class_inside_of_a_file_stays_until_it_is_pruned(arm: Place, folded: Path) -> None:
    """It was told as a conflict, and nothing ever removed it."""
    edit(folded, ("mass=0.3,", "mass=0.33,"))
    said = arm.update(without_tool())
    assert said.about("the link 'tool' is no longer in the URDF", f"Links.toolParams in {folded.name}")
    assert not said.about("conflict")
    for _ in range(2):
        status = arm.status(without_tool())
        assert (status.code, len(status.about("stayed", "'tool'", f"Links.toolParams in {folded.name}"))) == (0, 1)
        assert arm.update(without_tool()).code == 0
    before = read_text(folded)
    assert arm.update(without_tool(), "--prune").code == 0
    after = read_text(folded)
    assert not re.search(r"\btool(Params)?\b", after)
    assert all(line in before.splitlines() for line in after.splitlines())
    assert arm.status(without_tool()).text.count("tool") == 0
    arm.check(without_tool())


@FORMS
def test_an_edited_class_inside_of_a_file_is_pruned_at_once(arm: Place, folded: Path) -> None:
    edit(folded, ("mass=0.3,", "mass=0.33,"))
    assert arm.update(without_tool(), "--prune").code == 3
    assert not re.search(r"\btool(Params)?\b", read_text(folded))
    arm.check(without_tool())


@FORMS
def test_a_class_inside_of_a_file_that_the_user_uses_stays(arm: Place, folded: Path) -> None:
    write_text(arm.package / "Spare.mo", "within arm;\nmodel Spare\n  Links.tool tool;\nend Spare;\n")
    said = arm.update(without_tool())
    assert said.code == 3
    assert said.about("the link 'tool'", "Spare.mo:3 uses it")
    assert re.search(r"\bmodel tool\b.*\brecord toolParams\b", read_text(folded), flags=re.DOTALL)
    arm.check(without_tool())


@pytest.mark.slow
@FORMS
def test_a_class_inside_of_a_file_in_another_layout_goes(arm: Place, folded: Path) -> None:
    text = read_text(folded)
    write_text(folded, text.replace("mass=0.3,", "mass = 0.3,").replace("\n", "\r\n"))
    assert arm.update(without_tool()).code == 0
    assert not re.search(r"\btool(Params)?\b", read_text(folded))
    arm.check(without_tool())


@FORMS
def test_a_link_keeps_out_of_the_way_of_a_class_inside_of_a_file(arm: Place, folded: Path) -> None:
    """The robot took the user's model for its link."""
    end = "end Links;" if "\nend Links;" in read_text(folded) else "  end Links;"
    edit(folded, (end, f'  model lamp "mine"\n    Real x=1;\n  end lamp;\n{end}'))
    new = ARM.replace("</robot>", LAMP)
    said = arm.update(new)
    assert (said.code, said.about("conflict")) == (0, [])
    assert re.search(r'model lamp "mine"\s+Real x=1;', read_text(folded))
    assert re.search(r"\bmodel lamp_\b", read_text(folded))
    arm.check(new)


def test_a_renamed_link_is_renamed_on_the_page_of_a_folded_package(arm: Place) -> None:
    """The page was taken for one that the user has written."""
    edit(arm.package / "package.mo", ("annotation (uses", 'annotation (version="3", uses'))
    fold(arm.package, "all")
    new = ARM.replace('"tool"', '"gripper"')
    said = arm.update(new, "--rename", "tool=gripper")
    assert (said.code, said.about("you have written")) == (0, [])
    text = read_text(arm.package / "package.mo")
    assert 'version="3"' in text
    assert not re.search(r"\btool\b", text)
    arm.check(new)


# ---------------------------------------------------------------- status, and JSON


def test_status_names_edits_with_both_values(arm: Place) -> None:
    edit(arm.package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.60"))
    edit(arm.package / "Joints" / "elbow.mo", ("q_start=0 ", "q_start=0.3 "))
    said = arm.status(ARM)
    assert said.code == 0
    assert said.about("upperParams", "mass", "2.50", "2.60")
    assert said.about("elbow", "q_start", "0.3")
    edits = arm.json("status", ARM)["edits"]
    assert all(set(each) >= {"class", "what", "path", "generated", "yours"} for each in edits)
    values = {each["class"].rpartition(".")[2]: (each["generated"], each["yours"]) for each in edits}
    assert values == {"upperParams": ("2.50", "2.60"), "elbow": ("0", "0.3")}


def test_status_of_an_untouched_package_has_no_edits(arm: Place) -> None:
    assert arm.json("status", ARM)["edits"] == []
    text = read_text(arm.package / "Links" / "upper.mo")
    write_text(arm.package / "Links" / "upper.mo", text.replace("\n  ", "\n\n  "))
    assert arm.json("status", ARM)["edits"] == []


def test_what_is_written_is_said_to_programs(arm: Place) -> None:
    nothing = arm.json("update", ARM)
    assert (nothing["written"], nothing["files"], nothing["attention"]) == (False, [], [])
    assert arm.json("update", ARM.replace(*MASS), "--dry-run")["written"] is False
    assert arm.json("update", ARM.replace(*MASS))["written"] is True
    assert arm.json("update", ARM.replace(*MASS))["written"] is False


def test_what_needs_the_user_comes_first(arm: Place) -> None:
    edit(arm.package / "Links" / "toolParams.mo", ("mass=0.3", "mass=0.33"))
    edit(arm.package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    text = re.sub(r"(Links\.upper [^;]*extent=)\{\{[^}]*\}", r"\1{{33,-44}", read_text(arm.model))
    write_text(arm.model, text)
    new = without_tool().replace(*MASS)
    attention = arm.json("update", new, "--dry-run")["attention"]
    assert attention
    said = arm.update(new)
    assert said.code == 3
    heads = said.lines[: len(attention)]
    assert all(any(sentence in line for line in heads) for sentence in attention), said.text


@pytest.mark.parametrize("new", [ARM.replace(*MASS), without_tool(), ARM.replace("</robot>", LAMP)])
def test_book_keeping_is_one_line_at_most(arm: Place, new: str) -> None:
    assert len(arm.update(new).about("Resources/urdf")) <= 1


# ---------------------------------------------------------------- another type of joint


def test_a_start_angle_never_becomes_a_start_position(arm: Place) -> None:
    """It is set in three places: in the class, at the component, and in a class of the user's own."""
    joint, own = arm.package / "Joints" / "elbow.mo", arm.package / "Bent.mo"
    edit(joint, ("q_start=0 ", "q_start=0.31 "), ("qd_start=0 ", "qd_start=0.32 "))
    edit(arm.model, ("Joints.elbow elbow(", "Joints.elbow elbow(q_start=0.33, "))
    write_text(own, "within arm;\nmodel Bent\n  extends Joints.elbow(q_start=0.34);\nend Bent;\n")
    edit(arm.package / "package.order", ("armTest\n", "armTest\nBent\n"))
    new = retyped("elbow", "prismatic")
    said = arm.update(new)
    assert said.code == 3
    assert said.about("Bent.mo")
    assert "extends Joints.elbow(q_start=0.34)" in read_text(own)
    assert said.about("q_start", "0.31")
    assert said.about("qd_start", "0.32")
    assert said.about("q_start", "0.33")
    assert not re.search(r"start=0\.3[12]", without_comments(read_text(joint)))
    assert "0.33" not in without_comments(read_text(arm.model))
    assert "Modelica.Units.SI.Position q_start" in read_text(joint)
    arm.check(new)


@FORMS
def test_a_start_angle_inside_of_a_file_never_becomes_a_start_position(arm: Place, form: str) -> None:
    edit(arm.package / "Joints" / "elbow.mo", ("q_start=0 ", "q_start=0.31 "))
    edit(arm.model, ("Joints.elbow elbow(", "Joints.elbow elbow(q_start=0.33, "))
    write_text(
        arm.package / "armBent.mo", "within arm;\nmodel armBent\n  extends Joints.elbow(q_start=0.34);\nend armBent;\n"
    )
    edit(arm.package / "package.order", ("armTest\n", "armTest\narmBent\n"))
    fold(arm.package, form)
    new = retyped("elbow", "prismatic")
    said = arm.update(new)
    assert said.code == 3
    told = said.about("modelica-patch:", "q_start")
    assert [re.findall(r"start=(0\.3\d)", line) for line in told] == [["0.31"], ["0.33"], ["0.34"]]
    text = "".join(without_comments(read_text(path)) for path in arm.package.rglob("*.mo"))
    assert re.findall(r"start=(0\.3\d)", text) == ["0.34"]
    arm.check(new)


@pytest.mark.parametrize("form", ["files", "all"])
def test_tuned_values_of_a_joint_that_slides_now_are_named(arm: Place, form: str) -> None:
    """An angle counted as a length without a word."""
    record = arm.package / "Joints" / "elbowParams.mo"
    edit(
        record,
        ("upper=2,", "upper=1.8,"),
        ("    limit=", "    dynamics=UrdfRobots.Records.Dynamics(damping=0.33),\n    limit="),
    )
    edit(arm.package / "Joints" / "shoulderParams.mo", ("effort=100", "effort=90"))
    if form == "all":
        fold(arm.package, form)
    file = record if form == "files" else arm.package / "package.mo"
    lines = read_text(file).splitlines()
    new = retyped("elbow", "prismatic")
    said = arm.update(new)
    assert said.code == 3
    told = said.about("the joint 'elbow' slides now")
    places = [re.findall(r"(\w+\.mo):(\d+): .*: (\S+) is your", line)[0] for line in told]
    assert [(name, path) for name, _, path in places] == [(file.name, "dynamics"), (file.name, "limit.upper")]
    assert [lines[int(number) - 1].strip().split("=")[0] for _, number, _ in places] == ["dynamics", "limit"]
    assert not said.about("shoulder", "now:")
    assert "1.8" in read_text(file)
    arm.check(new)


def test_a_start_angle_stays_where_the_joint_still_turns(arm: Place) -> None:
    edit(arm.package / "Joints" / "elbow.mo", ("q_start=0 ", "q_start=0.31 "))
    edit(arm.model, ("Joints.elbow elbow(", "Joints.elbow elbow(q_start=0.33, "))
    new = retyped("elbow", "continuous")
    arm.update(new)
    assert "q_start=0.31 " in without_comments(read_text(arm.package / "Joints" / "elbow.mo"))
    assert "elbow(q_start=0.33, " in without_comments(read_text(arm.model))
    arm.check(new)


def test_a_class_of_the_user_that_a_change_breaks_is_named(arm: Place) -> None:
    own = arm.package / "Stiff.mo"
    text = "within arm;\nmodel Stiff\n  extends Joints.elbow(endStopStiffness=5e3);\nend Stiff;\n"
    write_text(own, text)
    edit(arm.package / "package.order", ("armTest\n", "armTest\nStiff\n"))
    said = arm.update(retyped("elbow", "fixed"))
    assert said.code == 3
    assert said.about("Stiff.mo:3")
    assert read_text(own) == text


def test_a_class_of_the_user_that_still_fits_is_not_named(arm: Place) -> None:
    write_text(
        arm.package / "Stiff.mo", "within arm;\nmodel Stiff\n  extends Joints.elbow(useEndStops=true);\nend Stiff;\n"
    )
    edit(arm.package / "package.order", ("armTest\n", "armTest\nStiff\n"))
    said = arm.update(ARM.replace('effort="50"', 'effort="55"'))
    assert (said.code, said.about("Stiff")) == (0, [])


# ---------------------------------------------------------------- files and side-car of different days


def put_back(package: Path, files: dict[str, bytes], under: str) -> None:
    """As `git checkout OLD -- FOLDER` leaves a folder."""
    shutil.rmtree(package / under)
    for name, data in files.items():
        if name.startswith(f"{under}/"):
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_bytes(data)


NEWS = ARM.replace(*MASS).replace("</robot>", LAMP)


def test_files_of_an_earlier_day_are_noticed_and_brought_up_to_date(arm: Place) -> None:
    before = files_in(arm.package)
    assert arm.update(NEWS).code == 0
    put_back(arm.package, before, "Links")
    assert wrong_names(arm.package)
    said = arm.update(NEWS)
    assert [line for line in said.lines if re.search(r"\b(older|earlier)\b", line)], said.text
    assert wrong_names(arm.package) == set()
    mass = "mass=2.75" in read_text(arm.package / "Links" / "upperParams.mo")
    assert mass or said.about("upperParams"), said.text
    arm.check(NEWS)


def test_files_of_a_later_day_are_noticed_and_stay(arm: Place) -> None:
    before = files_in(arm.package)
    assert arm.update(NEWS).code == 0
    after = modelica_in(arm.package)
    put_back(arm.package, before, "Resources/urdf")
    said = arm.update(NEWS)
    assert [line for line in said.lines if re.search(r"\b(newer|later)\b", line)], said.text
    assert modelica_in(arm.package) == after
    arm.check(NEWS)


def test_an_edit_in_files_of_an_earlier_day_stays(arm: Place) -> None:
    edit(arm.package / "Links" / "foreParams.mo", ("mass=1.2", "mass=1.25"))
    before = files_in(arm.package)
    assert arm.update(NEWS).code == 0
    put_back(arm.package, before, "Links")
    arm.update(NEWS)
    assert "mass=1.25" in read_text(arm.package / "Links" / "foreParams.mo")
    arm.check(NEWS)


# ---------------------------------------------------------------- several things at once


def test_a_branch_goes_and_another_comes(arm: Place) -> None:
    """The user has edited the forearm, drives its joint from outside, and reads the tool."""
    edit(arm.package / "Links" / "foreParams.mo", ("mass=1.2", "mass=1.25"))
    edit(arm.model, ("equation\n", "  Real height;\nequation\n  height = tool.frame_a.r_0[3];\n"))
    new = ARM
    for part in ("fore", "tool"):
        new = cut(new, f'  <link name="{part}">', "</link>\n")
    for part in ("elbow", "slide"):
        new = cut(new, f'  <joint name="{part}"', "</joint>\n")
    new = new.replace("</robot>", LAMP.replace('"fore"', '"camera"'))
    assert arm.update(new, "--no-rename").code == 3
    assert commented(arm.model, "  height = tool.frame_a.r_0[3];\n")
    assert wrong_names(arm.package) == set()
    arm.check(new)


def test_a_name_with_an_equals_sign_is_renamed_by_the_printed_command(tmp_path: Path) -> None:
    place = Place(tmp_path, built_in(tmp_path, ARM.replace('"camera"', '"cam=era"')))
    said = place.update(ARM.replace('"camera"', '"eye"'))
    assert said.code == 3
    assert place.update(ARM.replace('"camera"', '"eye"'), "--rename", "cam=era=eye").code == 0
    place.check(ARM.replace('"camera"', '"eye"'))


def test_a_renamed_package_is_made_from_the_same_templates(arm: Place) -> None:
    edit(arm.package / "Links" / "cameraParams.mo", ("record cameraParams", "record cameraParams /* mine */"))
    said = arm.update(ARM.replace('"camera"', '"eye"'), "--rename", "camera=eye")
    assert said.code == 0
    assert "templates" not in said.text


def test_what_no_generator_made_is_not_pruned(arm: Place) -> None:
    """The side-car may come from a stranger."""
    for name in ("Mine.mo", "Resources/data.txt"):
        write_text(arm.package / name, "within arm;\nmodel Mine\nend Mine;\n")
    side_car = arm.package / "Resources" / "urdf" / "arm.json"
    kept = '"kept": [{"what": "link", "name": "x", "classes": ["Mine.mo", "Resources/data.txt", "../arm.urdf"]}]'
    edit(side_car, ('"kept": []', kept))
    arm.update(ARM, "--prune")
    assert (arm.package / "Mine.mo").is_file()
    assert (arm.package / "Resources" / "data.txt").is_file()


@pytest.mark.parametrize("form", ["file", "folded"])
def test_a_class_that_is_not_like_what_is_generated_beside_it_is_not_pruned(arm: Place, form: str) -> None:
    own = "model Mine\n  extends Modelica.Icons.Example;\n  tool tool;\nend Mine;\n"
    edit(arm.package / "Links" / "toolParams.mo", ("mass=0.3", "mass=0.33"))
    assert arm.update(without_tool()).code == 3
    write_text(arm.package / "Links" / "Mine.mo", f"within arm.Links;\n{own}")
    edit(arm.package / "Links" / "package.order", ("tool\n", "tool\nMine\n"))
    if form == "folded":
        fold(arm.package, "Links.mo")
    kept = '"kept": [{"what": "link", "name": "x", "classes": ["Links/Mine.mo"]}, '
    (side_car,) = (arm.package / "Resources" / "urdf").glob("*.json")
    text = read_text(side_car)
    write_text(side_car, re.sub(r'"kept": \[\s*', kept, text))
    said = arm.update(without_tool(), "--prune")
    assert said.code == 0, said.text
    assert said.about("kept", "Links/Mine.mo", "yours")
    place = arm.package / ("Links.mo" if form == "folded" else "Links/Mine.mo")
    assert own in read_text(place)
    assert not re.search(r"record toolParams|mass=0\.33", "".join(map(read_text, arm.package.rglob("*.mo"))))


def test_what_makes_a_joint_follow_goes_with_its_edits(arm: Place) -> None:
    follower = ARM.replace(
        'effort="50" velocity="3"/>', 'effort="50" velocity="3"/>\n    <mimic joint="shoulder" multiplier="-1"/>'
    )
    assert arm.update(follower).code == 0
    edit(arm.model, ("elbow_mimic(", "elbow_mimic(offset=0.1, "))
    said = arm.update(ARM)
    assert said.code == 3
    assert said.about("elbow", "follower")
    assert "\n  // " in read_text(arm.model)
    arm.check(ARM)


# ---------------------------------------------------------------- side-cars of strangers


def claim(place: Place, *names: str) -> None:
    """Let the side-car say that files of the user's were generated, with the digests that they have."""
    (side_car,) = (place.package / "Resources" / "urdf").glob("*.json")
    data = json.loads(read_text(side_car))
    data["files"] |= {name: digest(name, (place.package / name).read_bytes()) for name in names}
    write_text(side_car, json.dumps(data))


OWN = ["Mine.mo", "Links/Mine.mo", "Tools/Mine.mo", "Resources/data.txt", "Resources/Meshes/mine.stl"]


@pytest.mark.parametrize("news", [ARM.replace(*MASS), without_tool()], ids=["mass", "gone"])
def test_a_file_of_the_user_is_not_generated_because_a_side_car_says_so(arm: Place, news: str) -> None:
    for name in OWN:
        (arm.package / name).parent.mkdir(exist_ok=True)
        write_text(arm.package / name, 'within arm;\nmodel Mine "how I like it"\n  Real x = 1;\nend Mine;\n')
    claim(arm, *OWN)
    before = files_in(arm.package)
    said = arm.update(news)
    assert said.code == 0
    after = files_in(arm.package)
    assert {name: after.get(name) for name in OWN} == {name: before[name] for name in OWN}
    assert said.about("kept", "Links/Mine.mo")
    assert arm.update(news).about("Mine") == []
    arm.check(news)


def test_a_link_that_only_the_names_of_a_side_car_have_takes_no_class_with_it(arm: Place) -> None:
    own = arm.package / "Links" / "Mine.mo"
    write_text(own, "within arm.Links;\nmodel Mine\nend Mine;\n")
    claim(arm, "Links/Mine.mo")
    (side_car,) = (arm.package / "Resources" / "urdf").glob("*.json")
    data = json.loads(read_text(side_car))
    data["names"]["links"].append({"urdf": "ghost", "class": "Mine", "component": "ghost"})
    write_text(side_car, json.dumps(data))
    assert arm.update(ARM.replace(*MASS), "--prune").code == 0
    assert own.is_file()


def test_a_mesh_goes_with_its_link_and_no_other_file_that_a_side_car_calls_a_mesh(tmp_path: Path) -> None:
    (tmp_path / "tool.stl").write_bytes(bytes(84))
    shape = '<visual><geometry><mesh filename="tool.stl"/></geometry></visual>'
    urdf = ARM.replace('<link name="tool">', f'<link name="tool">{shape}')
    assert urdf != ARM
    write_text(tmp_path / "arm.urdf", urdf)
    arm = Place(tmp_path, built_in(tmp_path, tmp_path / "arm.urdf"))
    mesh, own = arm.package / "Resources" / "Meshes" / "tool.stl", arm.package / "Resources" / "tool.stl"
    own.write_bytes(mesh.read_bytes())
    claim(arm, "Resources/tool.stl")
    assert arm.update(without_tool()).code == 0
    assert (mesh.exists(), own.exists()) == (False, True)


def test_what_an_older_generator_has_made_goes_with_its_link(arm: Place) -> None:
    """Its text is not that of today."""
    file = arm.package / "Links" / "tool.mo"
    edit(file, ("end tool;", "  // of old\nend tool;"))
    claim(arm, "Links/tool.mo")
    assert arm.update(without_tool()).code == 0
    assert not list(arm.package.rglob("tool*"))


# ---------------------------------------------------------------- a base from another URDF file


@pytest.mark.parametrize("lost", ["side-car", "nothing"])
def test_a_urdf_file_of_another_day_is_not_adopted(arm: Place, lost: str) -> None:
    """It became base, and the next update took the tool for a class of the user's."""
    if lost == "side-car":
        (arm.package / "Resources" / "urdf" / "arm.json").unlink()
    before = files_in(arm.package)
    words = () if lost == "side-car" else ("--force",)
    if not words:
        for urdf, named in (
            (without_tool(), ["the URDF file lacks what Joints.slide, Links.tool are for"]),
            (ARM.replace("</robot>", LAMP), ["the package lacks the link 'lamp', the joint 'hook'"]),
            (
                without_tool().replace("</robot>", LAMP),
                ["the package lacks the link 'lamp'", "Joints.slide, Links.tool"],
            ),
        ):
            for more in ((), ("--dry-run",)):
                said = arm.command("adopt", urdf, *more)
                assert said.code == 2
                assert all(said.about(words, "Take the file that it was built from last", "--force") for words in named)
        assert files_in(arm.package) == before
    assert arm.command("adopt", without_tool(), "--force").code == 0
    assert modelica_in(arm.package) == {name: before[name] for name in modelica_in(arm.package)}


def test_a_side_car_of_a_newer_tool_is_not_replaced(arm: Place) -> None:
    """The advice was to adopt the package, which wrote an older one in its place."""
    edit(arm.package / "Resources" / "urdf" / "arm.json", ('"version": 1', '"version": 2'))
    before = files_in(arm.package)
    for name in ("status", "update", "adopt"):
        said = arm.command(name, ARM)
        assert said.code in (2, 4)
        assert len(said.about("version 2", "use the newer version of the tool")) == len(said.lines) == 1
    assert files_in(arm.package) == before
    assert arm.command("adopt", ARM, "--force").code == 0


def test_a_folder_that_is_not_there_is_not_the_package_around_it(arm: Place) -> None:
    write_text(arm.root / "new.urdf", ARM.replace(*MASS))
    said = arm.run("update", "new.urdf", "--package", "arm/Nowhere")
    assert (said.code, said.text) == (4, "modelica-patch: there is no folder arm/Nowhere\n")
    assert "mass=2.50" in read_text(arm.package / "Links" / "upperParams.mo")


@pytest.mark.slow
@FORMS
def test_classes_in_other_files_and_own_ones_keep_no_package_from_being_adopted(arm: Place, form: str) -> None:
    """Of a package in one file, no class counted as there."""
    fold(arm.package, form)
    model = arm.package / "package.mo" if form == "all" else arm.model
    edit(model, ("Links.camera camera", "Links.Mine camera"))
    links = arm.package / ("Links.mo" if form == "Links.mo" else "package.mo")
    edit(links, ("mass=0.3,", "mass=0.33,"))
    (arm.package / "Resources" / "urdf" / "arm.json").unlink()
    told = arm.json("adopt", ARM)
    assert told["missing"] == (["package.order"] if form == "all" else [])
    assert told["yours"] == ["Links/toolParams.mo", "arm.mo"]
    assert arm.status(ARM).about("toolParams", "0.33")


# ---------------------------------------------------------------- programs get a document whatever happens

BROKEN = ARM.replace('<child link="tool"/>', '<child link="tol"/>')
FAILING: dict[str, tuple[int, tuple[str, ...]]] = {
    "a robot that is not built": (4, ("urdf", "build", "broken.urdf")),
    "a name that is not one": (2, ("urdf", "build", "new.urdf", "--name", "a b")),
    "a robot without a record": (4, ("urdf", "record", "broken.urdf")),
    "a package that does not follow": (4, ("urdf", "update", "broken.urdf", "--package", "arm")),
    "a probable renaming": (3, ("urdf", "update", "renamed.urdf", "--package", "arm")),
    "a name that nothing has": (2, ("urdf", "update", "new.urdf", "--package", "arm", "--rename", "x=y")),
    "a file that is not there": (4, ("urdf", "status", "none.urdf", "--package", "arm")),
    "a package that is not there": (4, ("urdf", "status", "new.urdf", "--package", "Empty")),
    "an existing base": (2, ("urdf", "adopt", "new.urdf", "--package", "arm")),
    "a base of no robot": (4, ("urdf", "adopt", "broken.urdf", "--package", "arm", "--force")),
    "no file for the other result": (2, ("urdf", "export", "--package", "arm")),
    "a package to export that is not one": (4, ("urdf", "export", "--package", "Empty", "-o", "x.urdf")),
    "an assembly that is not one": (4, ("urdf", "assemble", "new.urdf")),
    "an option without its fellow": (2, ("urdf", "assemble", "new.urdf", "--prune")),
    "a robot that is not cut": (4, ("urdf", "split", "broken.urdf", "--at", "elbow", "-o", "out")),
    "a joint that is not there": (2, ("urdf", "split", "new.urdf", "--at", "none", "-o", "out")),
    "a model that is not there": (2, ("constraints", "sync", "arm::arm.None")),
    "a description that is not one": (4, ("constraints", "from-urdf", "new.urdf")),
    "an option that is not known": (2, ("urdf", "update", "new.urdf", "--package", "arm", "--nonsense")),
}


@pytest.mark.parametrize("case", FAILING)
def test_an_error_is_a_document_for_a_program(arm: Place, case: str) -> None:
    code, words = FAILING[case]
    write_text(arm.root / "new.urdf", ARM)
    write_text(arm.root / "broken.urdf", BROKEN)
    write_text(arm.root / "renamed.urdf", ARM.replace('"camera"', '"eye"'))
    (arm.root / "Empty").mkdir()
    before = files_in(arm.root)
    done = subprocess.run([program(), *words, "--json"], cwd=arm.root, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    data = json.loads(done.stdout)
    assert done.stderr
    assert files_in(arm.root) == before
    if case == "a probable renaming":
        assert [each["new"] for each in data["questions"]] == ["eye"]
    else:
        assert data["exit_code"] == code
        assert " ".join(data["error"].split()) in " ".join(done.stderr.split())
    if "broken.urdf" in words:
        assert [each["severity"] for each in data["diagnostics"]] == ["error"] * len(data["diagnostics"]) != []
