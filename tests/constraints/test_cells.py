"""Cells from a description: what is made, what an update keeps, what is refused with which line."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.cli import main
from modelica_ast.generate import NoBaseError
from modelica_ast.library import Libraries, instance
from modelica_ast.refactor import rename
from modelica_ast.rules import check_libraries
from modelica_ast.simulation import Simulator
from urdf_frontend.constraints import check
from urdf_frontend.constraints.cells import CellError, CellUpdate, RenameError, read_cell, update_cell
from urdf_frontend.constraints.networks import ConstraintError, shipped_libraries

CELL = FIXTURES / "constraints" / "cell"
SIDE_CAR = "Resources/constraints/Cell.json"
SHIPPED = ROOT / "src" / "urdf_frontend" / "library"


@pytest.fixture(autouse=True)
def _no_libraries_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PERF: a quarter of these tests' time went into looking at what is installed."""
    monkeypatch.delenv("MODELICAPATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the description, and the library that was made of it."""
    place = tmp_path_factory.mktemp("made")
    shutil.copytree(CELL, place, dirs_exist_ok=True)
    update_cell(read_cell(place / "cell.yaml"), place).save()
    return place


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def opened(folder: Path) -> Libraries:
    return Libraries([folder / "ToolCell"], read_only=shipped_libraries())


def ids(folder: Path, *names: str) -> list[int]:
    tree = instance(opened(folder), "ToolCell.Cell")
    return [tree.find(f"{name}.id").value for name in names]


def order(folder: Path) -> list[str]:
    return (folder / "ToolCell" / "package.order").read_text(encoding="utf-8").split()


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files with their contents, and when they were written."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def changed_files(update: CellUpdate) -> list[str]:
    return [file.path.relative_to(update.folder).as_posix() for file in update.files]


def test_what_is_made(folder: Path) -> None:
    assert order(folder) == ["Cell", "Gantry", "Schedule", "Waypoints"]
    assert check(opened(folder), "ToolCell.Cell") == []
    assert ids(folder, "hand", "green", "tool1") == [1, 2, 1]
    handle = opened(folder).find_class("ToolCell.Cell")
    assert ("left.frame_b[1]", "hand.frame_a") in handle.connections
    assert ("left_z_drive.flange", "left.translational_flange_a[2]") in handle.connections


def test_it_is_good_modelica(msl: Path, folder: Path) -> None:
    more = [path for path in msl.parent.iterdir() if path.name.startswith(("ModelicaServices", "Complex"))]
    libraries = Libraries([folder / "ToolCell"], read_only=[*shipped_libraries(), msl, *more])
    found = check_libraries(libraries)
    assert [(each.path and each.path.name, each.line, each.message) for each in found] == []


def test_a_robot_that_was_renamed_is_the_same_robot(folder: Path) -> None:
    libraries = opened(folder)
    rename(libraries, "ToolCell.Gantry.Gantry", "Portal")
    rename(libraries, "ToolCell.Gantry.Portal.z", "lift")
    libraries.save()
    right = "  right: {urdf: gantry.urdf, at: [2, 0, 0], motion: {z: 0.5}}\nholders:"
    replace(folder / "cell.yaml", "holders:", right)
    updated = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert (updated.conflicts, updated.attention) == ((), ())
    updated.save()
    handle = opened(folder).find_class("ToolCell.Cell")
    types = {instance(opened(folder), "ToolCell.Cell").find(name).type_name for name in ("left", "right")}
    assert types == {"ToolCell.Gantry.Portal"}
    assert ("right_z_drive.flange", "right.translational_flange_a[2]") in handle.connections


def test_a_second_run_changes_nothing(folder: Path) -> None:
    before = snapshot(folder)
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert (result.files, result.conflicts, result.attention, result.notes) == ((), (), (), ())
    result.save()
    assert main(["constraints", "from-urdf", str(folder / "cell.yaml"), "-q"]) == 0
    assert snapshot(folder) == before


def test_edits_stay_in_all_generated_files(folder: Path) -> None:
    library = folder / "ToolCell"
    replace(library / "Cell.mo", "equation\n", "  Real mine = time; // mine\nequation\n")
    replace(library / "package.mo", '"4.1.0"', '"4.0.0"')
    replace(library / "Schedule.mo", "startValue=false", "startValue=true")
    (library / "package.order").write_text("Waypoints\nSchedule\nCell\nGantry\n", encoding="utf-8")
    replace(folder / "cell.yaml", "closed: [1, 2.5]", "closed: [1, 2.4]")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert changed_files(result) == ["Cell.mo", SIDE_CAR]
    assert not result.needs_user
    result.save()
    text = (library / "Cell.mo").read_text(encoding="utf-8")
    assert "  Real mine = time; // mine\n" in text
    assert "times={1,2.4}" in text
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


def test_blocks_follow_their_templates(folder: Path) -> None:
    # As an earlier version would have made it, from another template.
    library = folder / "ToolCell"
    for path in (library / "Schedule.mo", library / SIDE_CAR):
        quote = "\\" * path.name.endswith(".json") + '"'
        replace(path, f"{quote}What it is at first{quote}", f"{quote}Initially{quote}")
    replace(library / "Schedule.mo", "startValue=false", "startValue=true")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert changed_files(result) == [SIDE_CAR, "Schedule.mo"]
    result.save()
    assert 'startValue=true "What it is at first";' in (library / "Schedule.mo").read_text(encoding="utf-8")


@pytest.fixture
def older(folder: Path) -> Path:
    """The same, as it was when the text of the model was all that was kept."""
    kept = folder / "ToolCell" / "Resources" / "constraints"
    (kept / "Cell.json").unlink()
    shutil.copy(FIXTURES / "constraints" / "older" / "Cell.base", kept)
    return folder


def test_a_library_gets_a_side_car(older: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = snapshot(older)
    assert main(["constraints", "from-urdf", str(older / "cell.yaml"), "--dry-run"]) == 0
    lines = [(line.split()[0], Path(line.split()[1]).name) for line in capsys.readouterr().out.splitlines()]
    assert lines == [("remove", "Cell.base"), ("create", "Cell.json")]
    update_cell(read_cell(older / "cell.yaml"), older).save()
    kept = older / "ToolCell" / "Resources" / "constraints"
    assert [path.name for path in kept.iterdir()] == ["Cell.json"]
    unchanged = {path: data for path, data in made.items() if "Resources/constraints" not in path}
    assert {path: snapshot(older)[path] for path in unchanged} == unchanged
    assert update_cell(read_cell(older / "cell.yaml"), older).files == ()


def test_edits_stay_in_a_library_that_gets_a_side_car(older: Path) -> None:
    library = older / "ToolCell"
    replace(library / "Cell.mo", '"Robot left"', '"The old one"')
    replace(library / "Schedule.mo", "startValue=false", "startValue=true")
    (library / "package.order").write_text("Schedule\nCell\nGantry\nWaypoints\n", encoding="utf-8")
    replace(older / "cell.yaml", "stop: 3", "stop: 5")
    shutil.copy(older / "gantry.urdf", older / "crane.urdf")
    replace(older / "cell.yaml", "holders:\n", "  right: {urdf: crane.urdf, package: Crane}\nholders:\n")
    result = update_cell(read_cell(older / "cell.yaml"), older)
    assert not result.needs_user
    result.save()
    text = (library / "Cell.mo").read_text(encoding="utf-8")
    assert '"The old one"' in text
    assert "StopTime=5" in text
    assert "startValue=true" in (library / "Schedule.mo").read_text(encoding="utf-8")
    assert order(older) == ["Schedule", "Cell", "Gantry", "Crane", "Waypoints"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "Cell.base is not the text of the model 'Cell' as it was made"),
        (b"model Other\nend Other;\n", "Cell.base is not the text of the model 'Cell' as it was made"),
        (b"model Cell\n", "Cell.base can't be read: "),
        (b"\xff\xfe\x00", "Cell.base can't be read: "),
    ],
)
def test_a_damaged_text_from_before_there_was_a_side_car(
    text: bytes, message: str, older: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = older / "ToolCell" / "Resources" / "constraints" / "Cell.base"
    kept.chmod(0o644)
    kept.write_bytes(text)
    before = snapshot(older)
    assert main(["constraints", "from-urdf", str(older / "cell.yaml")]) == 4
    assert message in capsys.readouterr().err
    assert snapshot(older) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Cell.mo can't be read: there is no class in it"),
        ("within ToolCell;\nmodel Foo\nend Foo;\n", "Cell.mo: no class 'Cell' in the file (there is Foo)"),
    ],
)
def test_a_model_that_was_taken_out_of_its_file(
    text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ToolCell" / "Cell.mo").write_text(text, encoding="utf-8")
    before = snapshot(folder)
    assert main(["constraints", "from-urdf", str(folder / "cell.yaml")]) == 4
    assert message in capsys.readouterr().err
    assert snapshot(folder) == before


@pytest.mark.parametrize("file", ["Cell.mo", "package.mo"])
def test_what_else_is_called_so_is_left_alone(file: str, folder: Path) -> None:
    library = folder / "ToolCell"
    (library / SIDE_CAR).unlink()
    if file == "package.mo":
        (library / "Cell.mo").unlink()
        replace(library / file, "  annotation (uses(", "  model Cell\n  end Cell;\n  annotation (uses(")
    with pytest.raises(ConstraintError, match=f"{file}: the class 'Cell' already exists, and not made from a "):
        update_cell(read_cell(folder / "cell.yaml"), folder)


def test_two_cells_in_a_library(folder: Path) -> None:
    replace(folder / "ToolCell" / "Schedule.mo", "startValue=false", "startValue=true")
    text = (folder / "cell.yaml").read_text(encoding="utf-8")
    (folder / "other.yaml").write_text(text.replace("stop: 3", "model: Other\nstop: 4"), encoding="utf-8")
    result = update_cell(read_cell(folder / "other.yaml"), folder)
    assert changed_files(result) == ["Other.mo", "Resources/constraints/Other.json", "package.order"]
    result.save()
    assert order(folder) == ["Cell", "Other", "Gantry", "Schedule", "Waypoints"]
    for name in ("cell.yaml", "other.yaml"):
        assert update_cell(read_cell(folder / name), folder).files == ()


def test_a_robot_that_is_gone_leaves_its_package(folder: Path) -> None:
    replace(folder / "cell.yaml", "holders:\n", "  right: {urdf: gantry.urdf, package: Crane}\nholders:\n")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    replace(folder / "cell.yaml", "  right: {urdf: gantry.urdf, package: Crane}\n", "")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    assert "right" not in (folder / "ToolCell" / "Cell.mo").read_text(encoding="utf-8")
    assert order(folder) == ["Cell", "Gantry", "Crane", "Schedule", "Waypoints"]
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


def test_what_was_removed_is_made_anew(folder: Path) -> None:
    library = folder / "ToolCell"
    (library / "Cell.mo").unlink()
    (library / "package.mo").unlink()
    (library / "package.order").write_text("Gantry\nSchedule\nWaypoints\n", encoding="utf-8")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert changed_files(result) == ["Cell.mo", "package.mo", "package.order"]
    result.save()
    assert order(folder) == ["Cell", "Gantry", "Schedule", "Waypoints"]
    assert ids(folder, "hand", "green", "tool1") == [1, 2, 1]


def test_a_library_that_has_another_name_follows(folder: Path) -> None:
    (folder / "ToolCell").rename(folder / "Line")
    for path in (folder / "Line").rglob("*.mo"):
        path.write_text(path.read_text(encoding="utf-8").replace("ToolCell", "Line"), encoding="utf-8")
    replace(folder / "Line" / "Cell.mo", '"Robot left"', '"The old one"')
    replace(folder / "cell.yaml", "cell: ToolCell\nstop: 3", "cell: Line\nstop: 5")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert not result.needs_user
    result.save()
    text = (folder / "Line" / "Cell.mo").read_text(encoding="utf-8")
    assert '"The old one"' in text
    assert "StopTime=5" in text
    assert "ToolCell" not in text
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("texts", {"Cell.mo": "model Cell"}, "'texts' is missing or not valid"), ("version", 9, "version 9")],
)
def test_a_damaged_side_car(key: str, value: object, message: str, folder: Path) -> None:
    path = folder / "ToolCell" / SIDE_CAR
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), key: value}), encoding="utf-8")
    with pytest.raises(NoBaseError, match=message):
        update_cell(read_cell(folder / "cell.yaml"), folder)


def test_a_side_car_that_lacks_a_text(folder: Path) -> None:
    path = folder / "ToolCell" / SIDE_CAR
    kept = json.loads(path.read_text(encoding="utf-8"))
    del kept["texts"]["package.mo"]
    path.write_text(json.dumps({**kept, "package": "Other"}), encoding="utf-8")
    (folder / "ToolCell" / "package.mo").unlink()
    assert changed_files(update_cell(read_cell(folder / "cell.yaml"), folder)) == [SIDE_CAR, "package.mo"]


def test_a_file_of_the_user_is_not_generated_because_the_side_car_has_its_text(folder: Path) -> None:
    """It went with the next update."""
    own, path = folder / "ToolCell" / "Mine.mo", folder / "ToolCell" / SIDE_CAR
    own.write_text("within ToolCell;\nmodel Mine\nend Mine;\n", encoding="utf-8")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["texts"]["Mine.mo"] = own.read_text(encoding="utf-8").split("\n")
    path.write_text(json.dumps(data), encoding="utf-8")
    replace(folder / "cell.yaml", "stop: 3", "stop: 5")
    assert main(["constraints", "from-urdf", str(folder / "cell.yaml")]) == 0
    assert own.is_file()


def test_a_model_that_has_another_name_follows(folder: Path) -> None:
    libraries = opened(folder)
    rename(libraries, "ToolCell.Cell", "Mine")
    libraries.save()
    replace(folder / "cell.yaml", "stop: 3", "stop: 5")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert changed_files(result) == ["Mine.mo", SIDE_CAR]
    assert result.report.model == "ToolCell.Mine"
    assert b"StopTime=5" in (result.files[0].new or b"")


def test_a_model_inside_of_the_package_file_follows(folder: Path) -> None:
    library = folder / "ToolCell"
    inside = (library / "Cell.mo").read_text(encoding="utf-8").partition(";")[2].strip()
    (library / "Cell.mo").unlink()
    replace(library / "package.mo", "  annotation (uses(", f"{inside}\n  annotation (uses(")
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()
    replace(folder / "cell.yaml", "stop: 3", "stop: 5")
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert changed_files(result) == [SIDE_CAR, "package.mo"]
    result.save()
    assert "StopTime=5" in (library / "package.mo").read_text(encoding="utf-8")
    assert ids(folder, "hand", "green", "tool1") == [1, 2, 1]


def test_an_update_keeps_what_its_user_wrote(folder: Path) -> None:
    model = folder / "ToolCell" / "Cell.mo"
    replace(model, '"Robot left"', '"The old one" // serviced')
    replace(model, "equation\n", "  Real mine = time;\nequation\n")
    replace(folder / "cell.yaml", "stop: 3", "stop: 5")
    replace(
        folder / "cell.yaml",
        "tools:\n",
        "  red: {at: [0.2, 0, 0.3], rpy: [0, 0, 1.5], radius: 0.06}\n"
        "tools:\n  tool0: {in: red, mass: 1, radius: 0.03}\n",
    )
    replace(folder / "gantry.urdf", '<mass value="5"/>', '<mass value="6"/>')
    result = update_cell(read_cell(folder / "cell.yaml"), folder)
    assert result.conflicts == ()
    result.save()
    text = model.read_text(encoding="utf-8")
    assert '"The old one" // serviced' in text
    assert "  Real mine = time;\n" in text
    assert "StopTime=5" in text
    assert ids(folder, "hand", "green", "red", "tool1", "tool0") == [1, 2, 3, 1, 2]
    assert check(opened(folder), "ToolCell.Cell") == []
    assert "mass=6" in (folder / "ToolCell" / "Gantry" / "Links" / "carriageParams.mo").read_text(encoding="utf-8")
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


@pytest.mark.slow
def test_what_is_gone_goes_and_numbers_close_up(folder: Path) -> None:
    replace(folder / "cell.yaml", "  green: {", "  gone: {at: [1, 0, 0], radius: 0.1}\n  green: {")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    assert ids(folder, "hand", "green", "gone") == [1, 2, 3]
    replace(folder / "cell.yaml", "  gone: {at: [1, 0, 0], radius: 0.1}\n", "")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    assert ids(folder, "hand", "green") == [1, 2]
    assert "gone" not in (folder / "ToolCell" / "Cell.mo").read_text(encoding="utf-8")
    assert check(opened(folder), "ToolCell.Cell") == []


def test_what_the_user_wrote_about_something_that_is_gone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = folder / "ToolCell" / "Cell.mo"
    replace(model, "equation\n", "equation\n  connect(green.frame_a, world.frame_b);\n")
    replace(folder / "cell.yaml", "  green: {", "  blue: {")
    replace(folder / "cell.yaml", "in: green", "in: blue")
    assert main(["constraints", "from-urdf", str(folder / "cell.yaml"), "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    line = model.read_text(encoding="utf-8").splitlines().index("  // connect(green.frame_a, world.frame_b);") + 1
    (note,) = told["notes"]
    assert note.startswith(f"Cell.mo:{line}: the component 'green' is no longer in the description: ")
    assert told["conflicts"] == []
    assert check(opened(folder), "ToolCell.Cell") == []


def test_a_question_about_a_robot(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot, description = folder / "gantry.urdf", folder / "cell.yaml"
    robot.write_text(robot.read_text(encoding="utf-8").replace('"flange"', '"end"'), encoding="utf-8")
    replace(description, "link: flange", "link: end")
    before = snapshot(folder)
    with pytest.raises(RenameError, match="the link 'flange' is gone and 'end' is new"):
        update_cell(read_cell(description), folder)
    assert main(["constraints", "from-urdf", str(description), "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["questions"] == [{"package": "Gantry", "what": "link", "old": "flange", "new": "end", "changed": []}]
    assert (told["exit_code"], "was it renamed?" in told["error"]) == (3, True)
    assert main(["constraints", "from-urdf", str(description)]) == 3
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert snapshot(folder) == before
    (answer,) = [line for line in lines if line.endswith(" --rename flange=end")]
    assert f"{answer.removesuffix(' --rename flange=end')} --no-rename" in lines
    assert main(shlex.split(answer)[1:]) == 0
    assert main(["constraints", "from-urdf", str(description)]) == 0
    assert '"Gripper on end of left"' in (folder / "ToolCell" / "Cell.mo").read_text(encoding="utf-8")


def test_a_robot_that_needs_its_user(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    camera = (
        '  <link name="camera"/>\n  <joint name="mount" type="fixed">\n'
        '    <parent link="carriage"/>\n    <child link="camera"/>\n  </joint>\n'
    )
    replace(folder / "gantry.urdf", "</robot>", f"{camera}</robot>")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    replace(folder / "ToolCell" / "Gantry" / "Links" / "camera.mo", "equation\n", "  Real mine = time;\nequation\n")
    replace(folder / "gantry.urdf", camera, "")
    assert main(["constraints", "from-urdf", str(folder / "cell.yaml"), "--quiet"]) == 3
    assert "Gantry: the link 'camera' is no longer in the URDF" in capsys.readouterr().err


@pytest.mark.parametrize(("prefer", "radius"), [(None, "0.07"), ("cell", "0.08")])
def test_both_changed_a_value(prefer: str | None, radius: str, folder: Path) -> None:
    model = folder / "ToolCell" / "Cell.mo"
    replace(model, "hand(radius=0.06", "hand(radius=0.07")
    replace(folder / "cell.yaml", "hand: {link: flange, radius: 0.06", "hand: {link: flange, radius: 0.08")
    result = update_cell(read_cell(folder / "cell.yaml"), folder, prefer=prefer)  # type: ignore[arg-type]
    assert [(each.path[-2:], each.user, each.data) for each in result.conflicts] == [
        (("hand", "radius"), "0.07", "0.08")
    ]
    result.save()
    assert f"hand(radius={radius}" in model.read_text(encoding="utf-8")
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("cell: ToolCell", "cell: [", "4:7", "this is not YAML: "),
        ("cell: ToolCell", "call: ToolCell", 2, "a cell has no 'call'; did you mean 'cell'?"),
        ("cell: ToolCell", "cell: 3D", 2, "'3D' can't be a name in Modelica"),
        ("cell: ToolCell", "cell: Cell", 2, "'Cell' can't be the library and the model: choose another 'model'"),
        ("stop: 3", "stop: soon", 3, "'stop' has to be a number, and is 'soon'"),
        ("stop: 3", "stop: 0", 3, "'stop' is 0, and has to be more than 0"),
        ("urdf: gantry.urdf", "urdf: gone.urdf", 6, "there is no file "),
        (
            "link: flange",
            "link: carriage",
            8,
            "'carriage' is not a link at an end of gantry.urdf; such links are 'flange'",
        ),
        ("radius: 0.06, closed", "radius: -1, closed", 8, "'robots.left.grips.hand.radius' is -1, and has to be more"),
        ("closed: [1, 2.5]", "closed: [2.5, 1]", 8, "the times of 'robots.left.grips.hand.closed' must increase"),
        (
            "      x: -0.6",
            "      y: -0.6",
            6,
            "'y' is not a joint of gantry.urdf that can be driven; those are 'x', 'z'",
        ),
        ("{0: 0.8, 0.8: 0.3", "{0: 0.8, start: 0.3", 11, "'start' must be a time"),
        ("{0: 0.8, 0.8: 0.3", "{0: 0.8, 0: 0.3", 11, "'robots.left.motion.z.0' appears twice"),
        ("at: [-0.6, 0, 0.3]", "at: [-0.6, 0.3]", 13, "'holders.green.at' has to be 3 numbers, and is 2"),
        ("at: [-0.6, 0, 0.3]", "at: here", 13, "'holders.green.at' has to be a list, and is 'here'"),
        ("in: green", "in: blue", 15, "there is no holder 'blue'; there is green"),
        ("in: green", "in: green, at: [0, 0, 0]", 15, "'tools.tool1' starts 'in' a holder or 'at' a point"),
        ("  tool1: {", "  hand: {", 15, "there is something else called 'hand'"),
        ("  tool1: {", "  tool1: [", "15:72", "this is not YAML: "),
        ("mass: 2, ", "", 15, "'tools.tool1' needs 'mass'"),
        ("mass: 2", "mass: *heavy", 15, "write it out: '*heavy' is an alias"),
    ],
)
def test_refused(old: str, new: str, line: int | str, message: str, tmp_path: Path) -> None:
    shutil.copytree(CELL, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "cell.yaml"
    replace(file, old, new)
    with pytest.raises(CellError) as refused:
        update_cell(read_cell(file), tmp_path)
    place, _, rest = str(refused.value).partition(": ")
    assert place == f"{file}:{line}"
    assert rest.startswith(message)


@pytest.mark.corpus
def test_a_tool_changes_hands(msl: Path, folder: Path) -> None:
    with Simulator([folder, SHIPPED, msl.parent]) as simulator:
        result = simulator.compile("ToolCell.Cell").run(stop=3, step=0.05)
    partners = [int(value) for value in result["tool1.partner"]]
    changes = [(partners[0], 0.0)]
    changes += [
        (now, at) for at, now, then in zip(result.times[1:], partners[1:], partners, strict=False) if now != then
    ]
    assert [partner for partner, _ in changes] == [2, 1, 0, 2]
    assert [at for _, at in changes[1:3]] == pytest.approx([1, 2.5], abs=2e-3)
    held = [force for force, at in zip(result["tool1.f_0[3]"], result.times, strict=True) if 2.2 < at < 2.4]
    assert held == pytest.approx([2 * 9.81] * len(held), abs=1e-3)
