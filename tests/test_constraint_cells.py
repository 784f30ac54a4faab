"""Cells from a description: what is made, what an update keeps, what is refused with which line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.library import Libraries, instance
from modelica_ast.rules import check_libraries
from modelica_ast.simulation import Simulator
from urdf_frontend.constraints import check
from urdf_frontend.constraints.cells import CellError, read_cell, update_cell
from urdf_frontend.constraints.opening import shipped_libraries

CELL = FIXTURES / "constraints" / "cell"
SHIPPED = ROOT / "src" / "urdf_frontend" / "library"


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


def test_what_is_made(folder: Path) -> None:
    assert (folder / "ToolCell" / "package.order").read_text(encoding="utf-8").split() == [
        "Cell",
        "Gantry",
        "Schedule",
        "Waypoints",
    ]
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


def test_a_second_run_changes_nothing(folder: Path) -> None:
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


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


def test_what_is_gone_goes_and_numbers_close_up(folder: Path) -> None:
    replace(folder / "cell.yaml", "  green: {", "  gone: {at: [1, 0, 0], radius: 0.1}\n  green: {")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    assert ids(folder, "hand", "green", "gone") == [1, 2, 3]
    replace(folder / "cell.yaml", "  gone: {at: [1, 0, 0], radius: 0.1}\n", "")
    update_cell(read_cell(folder / "cell.yaml"), folder).save()
    assert ids(folder, "hand", "green") == [1, 2]
    assert "gone" not in (folder / "ToolCell" / "Cell.mo").read_text(encoding="utf-8")
    assert check(opened(folder), "ToolCell.Cell") == []


@pytest.mark.parametrize(("prefer", "radius"), [(None, "0.07"), ("cell", "0.08")])
def test_both_changed_a_value(prefer: str | None, radius: str, folder: Path) -> None:
    model = folder / "ToolCell" / "Cell.mo"
    replace(model, "hand(radius=0.06", "hand(radius=0.07")
    replace(folder / "cell.yaml", "hand: {link: flange, radius: 0.06", "hand: {link: flange, radius: 0.08")
    result = update_cell(read_cell(folder / "cell.yaml"), folder, prefer=prefer)  # type: ignore[arg-type]
    assert [(each.path[-2:], each.ours, each.theirs) for each in result.conflicts] == [
        (("hand", "radius"), "0.07", "0.08")
    ]
    result.save()
    assert f"hand(radius={radius}" in model.read_text(encoding="utf-8")
    assert update_cell(read_cell(folder / "cell.yaml"), folder).files == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("cell: ToolCell", "cell: [", 4, "no YAML: "),
        ("cell: ToolCell", "call: ToolCell", 2, "'call' is unknown; did you mean 'cell'?"),
        ("cell: ToolCell", "cell: 3D", 2, "'3D' can't be a name in Modelica"),
        ("cell: ToolCell", "cell: Cell", 2, "'Cell' can't be the library and the model: choose another 'model'"),
        ("stop: 3", "stop: soon", 3, "'stop' has to be a number, and is 'soon'"),
        ("stop: 3", "stop: 0", 3, "'stop' is 0, and has to be more than 0"),
        ("urdf: gantry.urdf", "urdf: gone.urdf", 6, "there is no file "),
        (
            "link: flange",
            "link: carriage",
            8,
            "'carriage' is no link at an end of gantry.urdf; such links are 'flange'",
        ),
        ("radius: 0.06, closed", "radius: -1, closed", 8, "'robots.left.grips.hand.radius' is -1, and has to be more"),
        ("closed: [1, 2.5]", "closed: [2.5, 1]", 8, "the times of 'robots.left.grips.hand.closed' have to grow"),
        ("      x: -0.6", "      y: -0.6", 6, "'y' is no joint of gantry.urdf that can be driven; those are 'x', 'z'"),
        ("{0: 0.8, 0.8: 0.3", "{0: 0.8, start: 0.3", 11, "'start' has to be a time"),
        ("{0: 0.8, 0.8: 0.3", "{0: 0.8, 0: 0.3", 11, "'robots.left.motion.z.0' is there twice"),
        ("at: [-0.6, 0, 0.3]", "at: [-0.6, 0.3]", 13, "'holders.green.at' has to be 3 numbers, and is 2"),
        ("at: [-0.6, 0, 0.3]", "at: here", 13, "'holders.green.at' has to be a list, and is 'here'"),
        ("in: green", "in: blue", 15, "there is no holder 'blue'; there is green"),
        ("in: green", "in: green, at: [0, 0, 0]", 15, "'tools.tool1' starts 'in' a holder or 'at' a point"),
        ("  tool1: {", "  hand: {", 15, "there is something else called 'hand'"),
        ("  tool1: {", "  tool1: [", 15, "no YAML: "),
        ("mass: 2, ", "", 15, "'tools.tool1' has no 'mass'"),
        ("mass: 2", "mass: *heavy", 15, "write it out: '*heavy' is an alias"),
    ],
)
def test_refused(old: str, new: str, line: int, message: str, tmp_path: Path) -> None:
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
