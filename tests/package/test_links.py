"""Folders of packages that are links: an update refuses them, for what is behind them is not the package's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES
from files.kills import snapshot
from modelica_ast.cli import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links")

ROBOTS = FIXTURES / "robots"
ARM = (ROBOTS / "updates" / "arm.urdf").read_text(encoding="utf-8")
PICKER = (ROBOTS / "dlr" / "picker.urdf").read_text(encoding="utf-8")
WORDS = "is a link: a package is updated only if none of its folders is a link\n"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def arm(work: Path) -> Path:
    """A package, and a URDF file that is newer."""
    Path("arm.urdf").write_text(ARM)
    assert main(["urdf", "build", "arm.urdf", "--name", "Arm", "-q"]) == 0
    Path("arm.urdf").write_text(ARM.replace('mass value="2.50"', 'mass value="2.75"'))
    return work / "Arm"


def link(folder: Path) -> None:
    """Move a folder away, and leave a link in its place."""
    victim = Path.cwd() / "victim"
    victim.mkdir()
    folder.rename(victim / folder.name)
    folder.symlink_to(os.path.relpath(victim / folder.name, folder.parent), target_is_directory=True)


def is_refused(arguments: list[str], folder: str, capfd: pytest.CaptureFixture[str]) -> bool:
    """Does a command end with exit code 4, a sentence that names the link, and nothing written?"""
    before = snapshot(Path.cwd())
    capfd.readouterr()
    code = main(arguments)
    assert capfd.readouterr().err.endswith(f"{folder} {WORDS}")
    assert snapshot(Path.cwd()) == before
    return code == 4


UPDATE = ["urdf", "update", "arm.urdf", "--package", "Arm"]


@pytest.mark.parametrize("folder", ["Links", "Resources", "Resources/urdf"])
@pytest.mark.parametrize(
    "arguments",
    [
        UPDATE,
        ["urdf", "status", "arm.urdf", "--package", "Arm"],
        ["urdf", "export", "--package", "Arm"],
        ["urdf", "report", "arm.urdf", "--package", "Arm"],
        ["urdf", "adopt", "arm.urdf", "--package", "Arm", "--force"],
    ],
    ids=lambda arguments: arguments[1],
)
def test_a_linked_folder_is_refused(
    arm: Path, arguments: list[str], folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    link(arm / folder)
    assert is_refused(arguments, f"Arm/{folder}", capfd)


def test_a_link_that_leads_nowhere_is_refused(arm: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(arm / "Links")
    (arm / "Links").symlink_to("../nowhere")
    assert is_refused(UPDATE, "Arm/Links", capfd)


def test_hidden_links_and_a_package_that_is_one_are_nobodys_concern(arm: Path) -> None:
    (arm / ".git").symlink_to("..", target_is_directory=True)
    arm.rename(arm.with_name("elsewhere"))
    arm.symlink_to("elsewhere", target_is_directory=True)
    assert main(UPDATE) == 0
    assert any("2.75" in path.read_text() for path in Path("elsewhere").rglob("*.mo"))


@pytest.mark.parametrize("style", ["modular", "flat"])
def test_of_a_package_of_modules_too(work: Path, style: str, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FIXTURES / "modules" / "modelica", work / "modules")
    assemble = ["urdf", "assemble", "modules/arm.yaml", "--into", ".", "--name", "Arm", "--style", style]
    assert main(assemble) == 0
    link(work / "Arm" / "Resources")
    assert is_refused(assemble, "Arm/Resources", capfd)


def test_of_a_package_of_the_script_too(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROBOTS / "dlr" / "Cell", work / "Cell")
    Path("picker.urdf").write_text(PICKER)
    assert main(["urdf", "adopt", "picker.urdf", "--package", "Cell.Picker"]) == 0
    link(work / "Cell" / "Picker" / "Resources")
    for command in ("update", "adopt"):
        assert is_refused(["urdf", command, "picker.urdf", "--package", "Cell.Picker"], "Picker/Resources", capfd)


@pytest.mark.parametrize("folder", ["Resources", "Gantry"])
def test_of_a_cell_too(work: Path, folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FIXTURES / "constraints" / "cell", work / "cell")
    make = ["constraints", "from-urdf", "cell/cell.yaml", "--into", "."]
    assert main(make) == 0
    link(work / "ToolCell" / folder)
    assert is_refused(make, f"ToolCell/{folder}", capfd)
