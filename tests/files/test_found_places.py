"""Libraries that no word of the command line names as a path are put in order before they are read, too.

They are found below folders of MODELICAPATH, by the name of a class, or in the folder of another file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from pathlib import Path

import pytest

from conftest import FIXTURES
from files.kills import JOURNAL, leftovers, run_command, snapshot
from modelica_ast.cli import main
from modelica_ast.edit import Workspace

pytestmark = pytest.mark.skipif(os.name != "posix", reason="how commands are killed")

ARM = (FIXTURES / "robots" / "updates" / "arm.urdf").read_text(encoding="utf-8")
TEMPORARY = ".modelica-save-0123456789ab.tmp"
BACKUP = ".modelica-save-ba9876543210.old"


def interrupt(folder: Path, name: str, new: bytes) -> None:
    """Leave a folder as a command does that was killed when it had decided to write a file."""
    old = (folder / name).read_bytes()
    (folder / TEMPORARY).write_bytes(new)
    (folder / BACKUP).write_bytes(old)
    digests = [hashlib.sha256(data).hexdigest() for data in (old, new)]
    entry = {"file": name, "temporary": TEMPORARY, "backup": BACKUP, "old": digests[0], "new": digests[1]}
    journal = {"modelica_save": 2, "folders": [], "emptied": [], "files": [entry]}
    (folder / JOURNAL).write_text(json.dumps(journal))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that one works in; libraries are in another one."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MODELICAPATH", str(tmp_path / "libraries"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


@pytest.fixture
def arm(work: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A robot's package in a folder of MODELICAPATH, in which a save was interrupted, and a newer URDF file."""
    (work / "arm.urdf").write_text(ARM)
    libraries = work.parent / "libraries"
    libraries.mkdir()
    assert main(["urdf", "build", "arm.urdf", "--into", str(libraries), "--name", "Arm", "-q"]) == 0
    (work / "arm.urdf").write_text(ARM.replace('mass value="2.50"', 'mass value="2.75"'))
    folder = libraries / "Arm"
    interrupt(folder, "package.mo", (folder / "package.mo").read_bytes() + b"// new\n")
    capfd.readouterr()
    return folder


UPDATE = ["urdf", "update", "arm.urdf", "--package", "Arm"]


def test_an_update_begins_with_what_a_killed_command_left(arm: Path, work: Path) -> None:
    ran = run_command(work, UPDATE)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.startswith("note: a save of 1 file in ")
    assert "Warning" not in ran.stderr
    assert leftovers(arm) == []
    assert (arm / "package.mo").read_bytes().endswith(b"// new\n")
    assert any("2.75" in path.read_text() for path in arm.rglob("*.mo"))


@pytest.mark.parametrize(
    "arguments",
    [
        [*UPDATE, "--dry-run"],
        ["urdf", "status", "arm.urdf", "--package", "Arm"],
        ["urdf", "export", "--package", "Arm"],
        ["urdf", "report", "arm.urdf", "--package", "Arm", "-o", "report.html"],
        ["urdf", "adopt", "arm.urdf", "--package", "Arm", "--dry-run", "--force"],
        ["urdf", "types", "arm.urdf", "--package", "Arm"],
        ["draw", "Arm.Arm", "-o", "arm.svg"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_who_only_looks_sees_it_as_it_will_be(
    arm: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(arm)
    main(arguments)
    assert capfd.readouterr().err.startswith("note: a save in ")
    assert snapshot(arm) == before


def test_a_module_remembers_its_package(arm: Path, work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["urdf", "types", "arm.urdf", "--package", "Arm", "-o", "arm.py"]) == 0
    assert leftovers(arm) == []
    interrupt(arm, "package.mo", (arm / "package.mo").read_bytes() + b"// newer\n")
    capfd.readouterr()
    assert main(["urdf", "types", "-o", "arm.py"]) == 0
    assert leftovers(arm) == []
    assert capfd.readouterr().err.startswith("note: a save of 1 file in ")
    assert (work / "arm.py").exists()


def test_a_build_begins_with_what_a_killed_one_left(arm: Path, work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (work / "arm.urdf").write_text(ARM)
    assert main(["urdf", "build", "arm.urdf", "--into", str(arm.parent), "--name", "Arm"]) == 2
    assert capfd.readouterr().err.startswith("note: a save of 1 file in ")
    assert leftovers(arm) == []


def test_a_cell_is_beside_its_description(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cell = work.parent / "cell"
    shutil.copytree(FIXTURES / "constraints" / "cell", cell)
    assert main(["constraints", "from-urdf", "../cell/cell.yaml", "-q"]) == 0
    robot = cell / "ToolCell" / "Gantry"
    interrupt(robot, "package.mo", (robot / "package.mo").read_bytes() + b"// new\n")
    (robot / JOURNAL).rename(robot.parent / JOURNAL)
    journal = (robot.parent / JOURNAL).read_text().replace('"package.mo"', '"Gantry/package.mo"')
    (robot.parent / JOURNAL).write_text(journal.replace(".modelica-save-", "Gantry/.modelica-save-"))
    capfd.readouterr()
    before = snapshot(cell)
    assert main(["constraints", "from-urdf", "../cell/cell.yaml", "--dry-run"]) == 0
    said = capfd.readouterr().err
    assert said.startswith("note: a save in ")
    assert "0 files would be written" in said
    assert snapshot(cell) == before
    assert main(["constraints", "from-urdf", "../cell/cell.yaml"]) == 0
    assert capfd.readouterr().err.startswith("note: a save of 1 file in ")
    assert leftovers(cell) == []


@pytest.fixture
def library(work: Path) -> Path:
    """A library of MODELICAPATH in which a save was interrupted: A has another value by now."""
    folder = work.parent / "libraries" / "Lib"
    folder.mkdir(parents=True)
    (folder / "package.mo").write_text("package Lib\nend Lib;\n")
    (folder / "A.mo").write_text("within Lib;\nmodel A\n  parameter Real x = 1;\nend A;\n")
    interrupt(folder, "A.mo", b"within Lib;\nmodel A\n  parameter Real x = 2;\nend A;\n")
    (work / "B.mo").write_text("model B\n  extends Lib.A;\n  annotation(uses(Lib));\nend B;\n")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [["fmi", "ros-params", "B.mo"], ["show", "--parameters", "B.mo::B"]],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_library_that_is_used_is_seen_as_it_will_be(
    library: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    before = snapshot(library)
    assert main(arguments) == 0
    said = capfd.readouterr()
    assert said.err.startswith("note: a save in ")
    assert "2" in said.out
    assert snapshot(library) == before


@pytest.mark.parametrize(
    "arguments",
    [["draw", "Lib.A", "-o", "a.svg"], ["check", "B.mo"], ["constraints", "check", "B.mo"], ["simulate", "Lib.A"]],
    ids=lambda arguments: arguments[0],
)
def test_all_who_look_say_so(library: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    before = snapshot(library)
    main(arguments)
    assert "note: a save in " in capfd.readouterr().err
    assert snapshot(library) == before


def test_a_recovery_of_the_library_is_a_note(
    library: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # Whatever a command opens without having prepared it is recovered by the library, which warns.
    monkeypatch.setattr("modelica_ast.cli.places.prepare", lambda _: None)
    monkeypatch.setattr("modelica_ast.cli.session.prepare", lambda _: None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["set", f"{library}::Lib.A.x", "3", "-i", "-q"]) == 0
    assert capfd.readouterr().err.startswith("note: a save of 1 file in ")
    assert b"x = 3" in (library / "A.mo").read_bytes()


# ---------------------------------------------------------------- changed by somebody else


@pytest.fixture
def robots(work: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A library with a robot in it, and a newer URDF file."""
    folder = work / "Robots"
    folder.mkdir()
    (folder / "package.mo").write_text("package Robots\nend Robots;\n")
    (folder / "package.order").write_text("")  # a build writes its package into it
    (work / "arm.urdf").write_text(ARM)
    assert main(["urdf", "build", "arm.urdf", "--into", "Robots", "--name", "Arm", "-q"]) == 0
    (work / "arm.urdf").write_text(ARM.replace('mass value="2.50"', 'mass value="2.75"'))
    capfd.readouterr()
    return folder


BUILD = "urdf_frontend.package.builder.assembly"


@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        (["urdf", "update", "arm.urdf", "--package", "Robots.Arm"], "modelica_ast.edit"),
        (["urdf", "adopt", "arm.urdf", "--package", "Robots.Arm", "--force"], "modelica_ast.edit"),
        (
            ["urdf", "build", "arm.urdf", "--into", "Robots", "--name", "Other"],
            "urdf_frontend.package.builder.assembly",
        ),
    ],
    ids=["update", "adopt", "build"],
)
def test_a_file_that_somebody_changes_meanwhile_is_exit_code_4(
    robots: Path,
    arguments: list[str],
    module: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def somebody_else_is_faster(folder: str) -> Workspace:
        for path in robots.rglob("*"):
            if path.is_file():
                path.write_bytes(path.read_bytes() + b"\n")
        return Workspace(folder)

    monkeypatch.setattr(f"{module}.Workspace", somebody_else_is_faster)
    assert main(arguments) == 4
    assert "has changed since" in capfd.readouterr().err
