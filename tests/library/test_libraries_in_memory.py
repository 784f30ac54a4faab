"""Libraries of files in memory: they are looked at, edited and checked like those on the disk, which stays as it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.drawing import draw
from modelica_ast.files import NOWHERE
from modelica_ast.foundation import EditError
from modelica_ast.library import Libraries, LibraryError, check_library, instance, open_with_uses, references
from modelica_ast.refactor import add_class, copy_class, move_class, remove_class, rename
from modelica_ast.rules import check_libraries

ARMS = FIXTURES / "libraries" / "Arms"
PLAIN = b"within Arms;\nmodel Plain\n  Parts.Body body;\nend Plain;\n"


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ARMS, tmp_path / "Arms")
    images = tmp_path / "Arms" / "Resources" / "Images" / "Parts"
    images.mkdir(parents=True)
    (images / "Body.png").write_bytes(b"picture")
    (tmp_path / "Arms" / "Parts" / "Old.mo").write_bytes(b"within Arms.Parts;\nmodel Old end Old;\n")
    with (tmp_path / "Arms" / "Parts" / "package.order").open("ab") as order:
        order.write(b"Old\n")
    return tmp_path / "Arms"


@pytest.fixture
def arms(folder: Path) -> Libraries:
    """Arms on the disk, with a file that is new, one that is gone, one that differs, and a package that is new."""
    body = (folder / "Parts" / "Body.mo").read_bytes()
    order = (folder / "package.order").read_bytes()
    new = {
        folder / "Parts" / "Body.mo": body.replace(b"a rigid body", b"a heavy body"),
        folder / "Parts" / "Old.mo": None,
        folder / "Parts" / "package.order": (ARMS / "Parts" / "package.order").read_bytes(),
        folder / "Plain.mo": PLAIN,
        folder / "Tools" / "package.mo": b"within Arms;\npackage Tools\nend Tools;\n",
        folder / "Tools" / "Hand.mo": b"within Arms.Tools;\nmodel Hand\n  Plain plain;\nend Hand;\n",
        folder / "package.order": order + b"Plain\nTools\n",
    }
    return Libraries([folder], files=new)


def test_the_files_are_those_in_memory_and_the_rest_of_the_disk(arms: Libraries) -> None:
    names = [entry.full_name for entry in arms["Arms"].files()]
    assert names[-3:] == ["Arms.Plain", "Arms.Tools", "Arms.Tools.Hand"]
    assert "Arms.Parts.Joint" in names
    assert "Arms.Parts.Old" not in names
    assert "Arms.Tools.Hand" in list(arms["Arms"].classes())
    assert arms.find_class("Arms.Parts.Body").description == "a heavy body"
    hand = arms["Arms"].file_of("Arms.Tools.Hand")
    assert hand is not None
    assert arms.text_of(hand).startswith("within Arms.Tools;")


def test_names_lead_into_files_in_memory(arms: Libraries) -> None:
    assert list(instance(arms, "Arms.Tools.Hand").components) == ["plain"]
    assert [each.file.name for each in references(arms, "Arms.Plain")] == ["Hand.mo"]


def test_what_was_read_from_memory_is_not_changed_and_not_in_its_file(arms: Libraries) -> None:
    document = arms.find_class("Arms.Parts.Body").document
    assert not document.is_changed
    assert document.saved_text == document.text
    assert document.bytes_in_file is None
    assert arms.diff() == ""


def test_libraries_in_memory_are_not_saved(arms: Libraries, folder: Path) -> None:
    before = contents(folder)
    rename(arms, "Arms.Plain", "Simple")
    assert "Simple.mo" in arms.diff()
    with pytest.raises(EditError, match="in memory only"):
        arms.save()
    assert contents(folder) == before


def test_one_file_of_memory_is_never_saved_over_another_on_the_disk(arms: Libraries, folder: Path) -> None:
    document = arms.find_class("Arms.Parts.Body").document
    with pytest.raises(EditError, match="already exists"):
        document.save()
    document.save(force=True)
    assert b"a heavy body" in (folder / "Parts" / "Body.mo").read_bytes()
    assert document.bytes_in_file is not None


def test_a_rename_goes_through_files_in_memory_and_is_undone(arms: Libraries, folder: Path) -> None:
    rename(arms, "Arms.Plain", "Simple")
    assert "  Simple plain;" in arms.find_class("Arms.Tools.Hand").document.text
    assert arms.others.read(folder / "package.order") == b"Units\nInterfaces\nParts\nExamples\ng\nSimple\nTools\n"
    arms.undo()
    assert arms.diff() == ""


def test_a_file_that_is_gone_makes_room(arms: Libraries) -> None:
    rename(arms, "Arms.Parts.Joint", "Old")
    assert arms.find_class("Arms.Parts.Old").document.is_changed


def test_a_file_in_memory_is_in_the_way_like_any_other(arms: Libraries) -> None:
    with pytest.raises(EditError, match="'Plain'"):
        rename(arms, "Arms.Interfaces", "Plain")


def test_a_library_of_memory_is_checked(arms: Libraries, folder: Path) -> None:
    assert check_library(arms) == []
    wrong = Libraries([folder], files={folder / "Plain.mo": PLAIN.replace(b"Parts.Body", b"Parts.Nothing")})
    new = set(check_libraries(wrong)) - set(check_libraries(Libraries([folder])))
    assert {str(finding.path) for finding in new} == {str(folder / name) for name in ("Plain.mo", "package.order")}


def test_a_drawing_has_images_in_memory() -> None:
    icon = b'annotation(Icon(graphics={Bitmap(extent={{0,0},{9,9}}, fileName="modelica://Lib/Resources/a.png")}));'
    place = NOWHERE / "Lib"
    image = (FIXTURES / "libraries" / "Rovers" / "Resources" / "Images" / "Wheel.png").read_bytes()
    files = {place / "package.mo": b"package Lib " + icon + b" end Lib;", place / "Resources" / "a.png": image}
    assert draw(Libraries([place], files=files), "Lib", layer="icon").problems == ()


def test_a_link_of_a_folder_leads_to_files_in_memory(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(folder)
    libraries = Libraries([tmp_path / "elsewhere"], files={tmp_path / "elsewhere" / "Plain.mo": PLAIN})
    assert libraries["Arms"].file_of("Arms.Plain") is not None


def test_a_library_that_is_gone_is_none(folder: Path) -> None:
    assert [problem.path for problem in Libraries([folder], files={folder / "package.mo": None}).problems] == [folder]
    with pytest.raises(LibraryError, match="no such file"):
        Libraries([NOWHERE / "Arms"])


def test_a_library_of_one_file_in_memory() -> None:
    libraries = Libraries([NOWHERE / "Lone.mo"], files={NOWHERE / "Lone.mo": b"package Lone model M end M; end Lone;"})
    rename(libraries, "Lone.M", "N")
    assert libraries.find_class("Lone.N").document.text == "package Lone model N end N; end Lone;"


def test_what_a_library_in_memory_uses_is_opened(folder: Path) -> None:
    legs = b"package Legs\n  Arms.Parts.Body body;\n  annotation(uses(Arms));\nend Legs;\n"
    libraries = open_with_uses([NOWHERE / "Legs"], also=[folder], files={NOWHERE / "Legs" / "package.mo": legs})
    assert [library.name for library in libraries] == ["Legs", "Arms"]
    assert libraries["Arms"].read_only


def test_files_in_memory_of_a_library_that_is_read_only(folder: Path) -> None:
    libraries = Libraries([], read_only=[folder], files={folder / "Plain.mo": PLAIN})
    assert libraries.find_class("Arms.Plain").document.text.encode() == PLAIN
    with pytest.raises(LibraryError, match="read-only"):
        libraries.find_class("Arms.Plain").set_description("plain")


EDITS: list[Callable[[Libraries], object]] = [
    lambda libraries: rename(libraries, "Arms.Parts.Body", "RigidBody"),
    lambda libraries: rename(libraries, "Arms.Parts", "Pieces"),
    lambda libraries: move_class(libraries, "Arms.Parts.Body", "Arms"),
    lambda libraries: copy_class(libraries, "Arms.Parts", "Arms.Examples", "Copied"),
    lambda libraries: copy_class(libraries, "Arms.Parts.Body", "Arms", "Copied"),
    lambda libraries: remove_class(libraries, "Arms.Examples.Pendulum"),
    lambda libraries: add_class(libraries, "Arms.Parts", "model New end New;"),
]


@pytest.mark.parametrize("edit", EDITS)
def test_a_library_in_memory_is_edited_as_on_the_disk(edit: Callable[[Libraries], object], folder: Path) -> None:
    place = NOWHERE / "Arms"
    on_disk = Libraries([folder])
    in_memory = Libraries([place], files={place / path.relative_to(folder): b for path, b in contents(folder).items()})
    edit(on_disk)
    edit(in_memory)
    assert on_disk.diff()
    assert in_memory.diff() == on_disk.diff()
    assert [(each.message, each.line) for each in check_library(in_memory)] == [
        (each.message.replace(str(folder), str(place)), each.line) for each in check_library(on_disk)
    ]
