"""Pictures, data and scripts that are named by a class: they go where it goes, and every link with them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.library import Libraries, LibraryError, check_library
from modelica_ast.library.file_moves import Resources
from modelica_ast.refactor import copy_class, move_class, remove_class, rename

ROVERS = FIXTURES / "libraries" / "Rovers"

# Of the class Rovers.Parts.Wheel, from the Resources folder: where they are, and what a rename to Tyre makes of them.
OF_WHEEL = {
    "Data/Parts/Wheel.csv": "Data/Parts/Tyre.csv",
    "Images/Parts/Wheel.png": "Images/Parts/Tyre.png",
    "Images/Parts/Wheel/spokes.png": "Images/Parts/Tyre/spokes.png",
    "Images/Parts/Wheel_2.png": "Images/Parts/Tyre_2.png",
    "ReferenceResults/Dymola/Rovers_Parts_Wheel.txt": "ReferenceResults/Dymola/Rovers_Parts_Tyre.txt",
    "Scripts/Dymola/Parts/Wheel.mos": "Scripts/Dymola/Parts/Tyre.mos",
    "Scripts/Dymola/Parts/Wheel/plot speed.mos": "Scripts/Dymola/Parts/Tyre/plot speed.mos",
}
OF_PARTS = {
    *OF_WHEEL,
    "Images/Parts.png",
    "Images/Parts/Wheel_Hub.png",
    "Images/Parts/all of them.png",
    "ReferenceResults/Dymola/Rovers_Parts_Wheel_Hub.txt",
}


@pytest.fixture(autouse=True)
def _no_libraries_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MODELICAPATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the library that may be written."""
    shutil.copytree(ROVERS, tmp_path / "Rovers")
    return tmp_path / "Rovers"


@pytest.fixture
def rovers(folder: Path) -> Libraries:
    return Libraries([folder])


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def links(folder: Path) -> int:
    texts = [path.read_text() for path in folder.rglob("*") if path.suffix in (".mo", ".mos", ".html")]
    return sum(len(re.findall("modelica://", text)) for text in texts)


def of(libraries: Libraries, name: str) -> set[str]:
    library = libraries["Rovers"]
    assert library.root.folder is not None
    found = Resources(libraries, library).of(name)
    return {path.relative_to(library.root.folder / "Resources").as_posix() for path, _ in found}


def test_files_belong_to_the_class_that_they_are_named_by(rovers: Libraries) -> None:
    assert of(rovers, "Rovers.Parts.Wheel") == set(OF_WHEEL)
    assert of(rovers, "Rovers.Parts.Wheel_Hub") == {
        "Images/Parts/Wheel_Hub.png",
        "ReferenceResults/Dymola/Rovers_Parts_Wheel_Hub.txt",
    }
    assert of(rovers, "Rovers.Parts") == OF_PARTS
    assert of(rovers, "Rovers.Parts.Axle") == set()


@pytest.mark.parametrize(
    ("name", "claimed"),
    [
        # Is `Scripts/Dymola/Parts/Wheel.mos` of Parts.Wheel, or of Dymola.Parts.Wheel?
        ("Dymola", {name for name in OF_WHEEL if "/Dymola/" in name}),
        # Is `Rovers_Parts_Wheel.txt` of Parts.Wheel, or of Parts_Wheel?
        ("Parts_Wheel", {"ReferenceResults/Dymola/Rovers_Parts_Wheel.txt"}),
    ],
)
def test_a_file_that_two_classes_claim_is_not_moved(folder: Path, name: str, claimed: set[str]) -> None:
    (folder / f"{name}.mo").write_text(f"within Rovers;\npackage {name}\nend {name};\n")
    rovers = Libraries([folder])
    assert of(rovers, "Rovers.Parts.Wheel") == set(OF_WHEEL) - claimed
    rename(rovers, "Rovers.Parts.Wheel", "Tyre")
    rovers.save()
    assert all((folder / "Resources" / file).exists() for file in claimed)


def test_rename_takes_the_files_along_and_back(rovers: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(rovers, "Rovers.Parts.Wheel", "Tyre")
    assert check_library(rovers) == []
    rovers.save()
    after = files(folder)
    for old, new in OF_WHEEL.items():
        assert f"Resources/{old}" not in after
        if not old.endswith(".mos"):
            assert after[f"Resources/{new}"] == before[f"Resources/{old}"]
    assert not (folder / "Resources" / "Images" / "Parts" / "Wheel").exists()
    unmoved = ["Resources/Images/Wheel.png", "Resources/Include/Parts/Wheel.h", "Parts/Resources/own.png"]
    unmoved += ["Resources/Scripts/Conversion/from_0.mos"]
    assert [after[name] for name in unmoved] == [before[name] for name in unmoved]
    fresh = Libraries([folder])
    assert check_library(fresh) == []
    rename(fresh, "Rovers.Parts.Tyre", "Wheel")
    fresh.save()
    assert files(folder) == before


def test_a_file_may_take_the_place_of_one_that_moves_too(rovers: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(rovers, "Rovers.Parts.Wheel", "Wheel_2")
    rovers.save()
    images = folder / "Resources" / "Images" / "Parts"
    assert (images / "Wheel_2.png").read_bytes() == before["Resources/Images/Parts/Wheel.png"]
    assert (images / "Wheel_2_2.png").read_bytes() == before["Resources/Images/Parts/Wheel_2.png"]
    assert check_library(Libraries([folder])) == []


def test_scripts_and_pages_follow(rovers: Libraries, folder: Path) -> None:
    rename(rovers, "Rovers.Parts.Wheel", "Tyre")
    rovers.save()
    resources = folder / "Resources"
    assert (resources / "Scripts" / "Dymola" / "Parts" / "Tyre.mos").read_text() == (
        'simulateModel("Rovers.Parts.Tyre", stopTime=1, resultFile="Tyre");\n'
        'createPlot(id=1, y={"Wheel.r", "r"}, filename="Tyre.mat");\n'
        'exportPlotAsImage("plots/Tyre_1.png"); // of Wheel\n'
    )
    assert (resources / "Scripts" / "all.mos").read_text() == (
        'RunScript("Resources/Scripts/Dymola/Parts/Tyre.mos");\n'
        'checkModel("Rovers.Parts.Wheel_Hub");\nplot("Wheel.mat");\n'
    )
    assert (resources / "Documentation" / "guide.html").read_text() == (
        '<html><a href="modelica://Rovers.Parts.Tyre">a wheel</a>\n'
        '<img src="../Images/Parts/Tyre.png"><img src="../Images/Parts/Wheel_Hub.png">\n</html>\n'
    )


def moved_wheel(libraries: Libraries) -> None:
    move_class(libraries, "Rovers.Parts.Wheel", "Rovers.Drives")


def moved_into_a_file(libraries: Libraries) -> None:
    move_class(libraries, "Rovers.Parts.Wheel", "Rovers.Examples")


def moved_package(libraries: Libraries) -> None:
    move_class(libraries, "Rovers.Parts", "Rovers.Drives")


def renamed_package(libraries: Libraries) -> None:
    rename(libraries, "Rovers.Parts", "Pieces")


def copied(libraries: Libraries) -> None:
    copy_class(libraries, "Rovers.Parts.Wheel", "Rovers.Drives", "Disc")


@pytest.mark.parametrize("change", [moved_wheel, moved_into_a_file, moved_package, renamed_package, copied])
def test_every_link_leads_somewhere_after_a_change_and_undo_is_exact(
    folder: Path, change: Callable[[Libraries], None]
) -> None:
    before, count = files(folder), links(folder)
    rovers = Libraries([folder])
    change(rovers)
    assert check_library(rovers) == []
    rovers.save()
    assert check_library(Libraries([folder])) == []
    in_the_copy = before["Parts/Wheel.mo"].count(b"modelica://") if change is copied else 0
    assert links(folder) == count + in_the_copy
    pictures = {data for name, data in before.items() if name.endswith(".png")}
    assert {data for name, data in files(folder).items() if name.endswith(".png")} == pictures
    rovers.undo()
    rovers.save()
    assert files(folder) == before


def test_a_link_by_the_folder_of_a_package_leads_back_to_it(rovers: Libraries, folder: Path) -> None:
    moved_wheel(rovers)
    text = rovers.document_at(folder / "Drives" / "Wheel.mo").text
    assert 'src=\\"modelica://Rovers.Parts/Resources/own.png\\"' in text
    assert "<img src='modelica://Rovers/Resources/Images/Drives/Wheel/spokes.png'> (modelica://" in text
    assert 'spokes = "modelica://Rovers/Resources/Images/Drives/Wheel/" + "spokes.png";' in text
    assert 'file="modelica://Rovers/Resources/Scripts/Dymola/Drives/Wheel/plot speed.mos" "Plot' in text
    assert "// the picture is modelica://Rovers/Resources/Images/Parts/Wheel.png" in text  # no link


def test_a_link_in_a_sentence_ends_at_the_blank(rovers: Libraries, folder: Path) -> None:
    moved_wheel(rovers)
    text = rovers.document_at(folder / "Parts" / "Axle.mo").text
    assert '"modelica://Rovers/Resources/Images/Drives/Wheel.png is on both ends"' in text


def test_other_files_in_the_folder_of_a_package_have_no_place_in_a_file(rovers: Libraries) -> None:
    with pytest.raises(LibraryError, match=r"the folder of 'Parts' has other files, as Resources.own\.png"):
        move_class(rovers, "Rovers.Parts", "Rovers.Examples")
    assert rovers.diff() == ""


def test_a_copy_has_files_of_its_own(rovers: Libraries, folder: Path) -> None:
    before = files(folder)
    copied(rovers)
    rovers.save()
    after = files(folder)
    assert {name for name in before if after[name] != before[name]} == {"Drives/package.order"}
    assert after["Resources/Images/Drives/Disc.png"] == before["Resources/Images/Parts/Wheel.png"]
    assert (
        b'simulateModel("Rovers.Drives.Disc", stopTime=1, resultFile="Disc");'
        in (after["Resources/Scripts/Dymola/Drives/Disc.mos"])
    )
    assert b'fileName="modelica://Rovers/Resources/Images/Drives/Disc.png"' in after["Drives/Disc.mo"]


def test_what_others_link_to_stays_when_a_class_is_removed(rovers: Libraries, folder: Path) -> None:
    for name in ("Rovers.Examples", "Rovers.Parts.Axle", "Rovers.Parts.Wheel"):
        remove_class(rovers, name)
    rovers.save()
    left = {name for name in OF_WHEEL if (folder / "Resources" / name).exists()}
    # Linked to by the package, by Wheel_Hub, and run by another script.
    assert left == {"Images/Parts/Wheel.png", "Images/Parts/Wheel_2.png", "Scripts/Dymola/Parts/Wheel.mos"}


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "Resources" / "Images" / "Parts" / "Tyre.png").write_bytes(b"another one")
    before = files(folder)
    rovers = Libraries([folder])
    with pytest.raises(LibraryError, match=r"Tyre\.png already exists"):
        rename(rovers, "Rovers.Parts.Wheel", "Tyre")
    with pytest.raises(LibraryError, match=r"Tyre\.png already exists"):
        copy_class(rovers, "Rovers.Parts.Wheel", "Rovers.Parts", "Tyre")
    assert rovers.diff() == ""
    rovers.save()
    assert files(folder) == before


def test_a_class_that_leaves_its_library_takes_its_files_along(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "Shop").mkdir()
    (tmp_path / "Shop" / "package.mo").write_text("package Shop\nend Shop;\n")
    libraries = Libraries([folder, tmp_path / "Shop"])
    move_class(libraries, "Rovers.Parts.Wheel", "Shop")
    libraries.save()
    assert (tmp_path / "Shop" / "Resources" / "Images" / "Wheel.png").exists()
    assert (tmp_path / "Shop" / "Resources" / "ReferenceResults" / "Dymola" / "Shop_Wheel.txt").exists()
    assert "modelica://Shop/Resources/Images/Wheel.png" in (folder / "package.mo").read_text()
    assert check_library(Libraries([folder, tmp_path / "Shop"])) == []


def test_a_link_with_two_slashes_leads_into_the_folder_and_follows(tmp_path: Path) -> None:
    picture = tmp_path / "Lib" / "Sub" / "Resources" / "x.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"x")
    (tmp_path / "Lib" / "Sub" / "package.mo").write_text("within Lib;\npackage Sub\nend Sub;\n")
    package = tmp_path / "Lib" / "package.mo"
    package.write_text('package Lib\n  constant String x = "modelica://Lib.Sub//Resources/x.png";\nend Lib;\n')
    libraries = Libraries([tmp_path / "Lib"])
    assert check_library(libraries) == []
    rename(libraries, "Lib.Sub", "New")
    libraries.save()
    assert '"modelica://Lib.New//Resources/x.png"' in package.read_text()
    assert check_library(Libraries([tmp_path / "Lib"])) == []
