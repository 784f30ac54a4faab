"""Messages of compilers about a robot's package name the link or joint of the URDF file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.simulation import CompileError, Simulator
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.package.origins import origin_of


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    urdf = FIXTURES / "robots" / "gripper.urdf"
    write(build(read(urdf).usable_robot(), BuildOptions(into=folder, urdf=urdf)), folder)
    return folder / "gripper"


@pytest.fixture
def package(built: Path, tmp_path: Path) -> Path:
    """One that a test may change."""
    return Path(shutil.copytree(built, tmp_path / "gripper"))


@pytest.mark.parametrize(
    ("class_name", "component", "origin"),
    [
        ("gripper.Links.palm", "", "link 'palm' of gripper.urdf"),
        ("gripper.Links.palmParams", "", "link 'palm' of gripper.urdf"),
        ("gripper.Joints.left", "prismatic", "joint 'left' of gripper.urdf"),
        ("gripper.gripper", "left_joint", "joint 'left' of gripper.urdf"),
        ("gripper.gripper", "left", "link 'left' of gripper.urdf"),
        ("gripper.gripper", "", None),
        ("gripper.gripperRun", "world", None),
        ("gripper.Links", "", None),
        ("Elsewhere.Links.palm", "", "link 'palm' of gripper.urdf"),  # the name of a library is that of its folder
        ("gripper.Links.nobody", "", None),
    ],
)
def test_origins(built: Path, class_name: str, component: str, origin: str | None) -> None:
    assert origin_of(built, class_name, component) == origin


def test_a_robot_inside_a_library(package: Path) -> None:
    assert origin_of(package.parent, "Lib.gripper.Links.palm", "") == "link 'palm' of gripper.urdf"
    (package / "Resources/urdf/gripper.json").write_text("nonsense", encoding="utf-8")
    assert origin_of(package, "gripper.Links.palm", "") is None


def test_a_message_names_the_link(package: Path, msl: Path) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
    assert msl.is_dir()
    record = package / "Links" / "palmParams.mo"
    text = record.read_text(encoding="utf-8")
    assert "mass=0.5," in text
    record.write_text(text.replace("mass=0.5,", "mass=2*palmMass,"), encoding="utf-8")
    with Simulator([package], timeout=120) as simulator, pytest.raises(CompileError) as told:
        simulator.compile("gripper.gripperRun")
    (place,) = told.value.places
    assert "unresolved component reference: 'palmMass'" in told.value.message
    assert (Path(place.file), place.class_name) == (record, "gripper.Links.palmParams")
    assert place.origin == "link 'palm' of gripper.urdf"
    assert str(told.value).endswith("gripper.Links.palmParams (link 'palm' of gripper.urdf)")
