"""Links in libraries: what they lead to outside is read, and never written, moved or deleted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from modelica_ast.cli import main
from modelica_ast.edit import Document, Workspace
from modelica_ast.foundation import EditError
from modelica_ast.library import Libraries
from modelica_ast.refactor import remove_class, rename

PACKAGE = "within Lib;\npackage Linked\nend Linked;\n"
CLASS = "within Lib.Linked;\nmodel Inner\n  Lib.A a;\nend Inner;\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What is not part of the library: a package, alone in its folder, and a class."""
    folder = tmp_path / "elsewhere" / "deep" / "Linked"
    folder.mkdir(parents=True)
    (folder / "package.mo").write_text(PACKAGE)
    (folder / "Inner.mo").write_text(CLASS)
    (tmp_path / "elsewhere" / "File.mo").write_text("within Lib;\nmodel File\n  A a;\nend File;\n")
    return tmp_path / "elsewhere"


@pytest.fixture
def library(tmp_path: Path, outside: Path) -> Path:
    folder = tmp_path / "Lib"
    folder.mkdir()
    (folder / "package.mo").write_text("package Lib\nend Lib;\n")
    (folder / "A.mo").write_text("within Lib;\nmodel A\nend A;\n")
    (folder / "package.order").write_text("A\nLinked\nFile\n")
    (folder / "Linked").symlink_to(outside / "deep" / "Linked", target_is_directory=True)
    (folder / "File.mo").symlink_to(outside / "File.mo")
    return folder


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, folders included; links are told from files."""
    found: dict[str, bytes | None] = {}
    for around, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(around, name)
            content = (
                os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            )
            found[str(path.relative_to(folder))] = content
    return found


@pytest.mark.parametrize("name", ["Lib.Linked", "Lib.File"])
def test_removing_a_linked_class_removes_the_link(library: Path, outside: Path, name: str) -> None:
    before = snapshot(outside)
    libraries = Libraries([library])
    remove_class(libraries, name)
    libraries.save()
    assert snapshot(outside) == before
    link = library / ("Linked" if name == "Lib.Linked" else "File.mo")
    assert not os.path.lexists(link)
    assert name.partition(".")[2] not in (library / "package.order").read_text().split()


def test_a_link_that_goes_is_said_to_be_removed(
    library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(library.parent)
    assert main(["remove", "Lib::Lib.File", "--json"]) == 0
    files = {file["path"]: file for file in json.loads(capsys.readouterr().out)["files"]}
    assert files["Lib/File.mo"] == {"path": "Lib/File.mo", "status": "removed", "diff": "link Lib/File.mo removed\n"}
    assert main(["remove", "Lib::Lib.File", "-i"]) == 0
    assert capsys.readouterr().err == "1 file changed, 1 file removed\n"


def test_removing_it_can_be_undone_before_it_is_saved(library: Path) -> None:
    before = snapshot(library)
    libraries = Libraries([library])
    remove_class(libraries, "Lib.Linked")
    libraries.undo()
    libraries.save()
    assert snapshot(library) == before


@pytest.mark.parametrize("name", ["Lib.Linked", "Lib.File", "Lib.Linked.Inner"])
def test_a_linked_class_is_not_renamed(library: Path, outside: Path, name: str) -> None:
    before = snapshot(outside), snapshot(library)
    libraries = Libraries([library])
    with pytest.raises(EditError, match="a link that leads out of"):
        rename(libraries, name, "Other")
    libraries.save()
    assert (snapshot(outside), snapshot(library)) == before


def test_what_uses_a_renamed_class_outside_is_told_of(library: Path, outside: Path) -> None:
    before = snapshot(outside), snapshot(library)
    with pytest.raises(EditError, match=r"(File|Inner)\.mo is a link that leads out of .*, to .*, so it is read-only"):
        rename(Libraries([library]), "Lib.A", "B")
    assert (snapshot(outside), snapshot(library)) == before


def test_a_class_inside_of_a_linked_package_stays(library: Path, outside: Path) -> None:
    before = snapshot(outside), snapshot(library)
    with pytest.raises(EditError, match="a link that leads out of"):
        remove_class(Libraries([library]), "Lib.Linked.Inner")
    assert (snapshot(outside), snapshot(library)) == before


def test_commands_leave_it_alone(library: Path, outside: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = snapshot(outside)
    (library / "A.mo").write_text("within Lib;\nmodel A\n      Real x;\nend A;\n")
    assert main(["format", str(library), "--in-place"]) == 0
    assert "File.mo is a link that leads out of its folder; it is left alone" in capsys.readouterr().err
    assert main(["rename", f"{library}::Lib.Linked", "Other", "--in-place"]) == 2
    assert "so it is read-only" in capsys.readouterr().err
    assert main(["remove", f"{library}::Lib.Linked", "--in-place"]) == 0
    assert snapshot(outside) == before


def test_a_link_that_is_named_is_written_through(library: Path, outside: Path) -> None:
    assert main(["add", f"{library / 'File.mo'}::Lib.File.x", "Real", "--in-place"]) == 0
    assert "Real x;" in (outside / "File.mo").read_text()
    assert (library / "File.mo").is_symlink()
    document = Document.open(library / "File.mo")
    document.find_class("File").find_component("x").set("", 3)
    document.save()
    assert "Real x=3;" in (outside / "File.mo").read_text()
    assert (library / "File.mo").is_symlink()


def test_an_order_that_is_a_link_is_not_written(library: Path, outside: Path) -> None:
    (library / "package.order").replace(outside / "order")
    (library / "package.order").symlink_to(outside / "order")
    for link in ("Linked", "File.mo"):
        (library / link).unlink()
    before = snapshot(outside), snapshot(library)
    libraries = Libraries([library])
    remove_class(libraries, "Lib.A")
    with pytest.raises(EditError, match="is outside "):
        libraries.save()
    assert (snapshot(outside), snapshot(library)) == before


def test_a_library_that_is_a_link_itself_is_the_library(library: Path, tmp_path: Path) -> None:
    for link in ("Linked", "File.mo"):
        (library / link).unlink()
    (tmp_path / "Alias").symlink_to(library, target_is_directory=True)
    libraries = Libraries([tmp_path / "Alias"])
    rename(libraries, "Lib.A", "B")
    libraries.save()
    assert (library / "B.mo").is_file()
    assert (tmp_path / "Alias").is_symlink()


def test_only_folders_go_that_became_empty(library: Path) -> None:
    for link in ("Linked", "File.mo"):
        (library / link).unlink()
    for name, kept in (("Gone", False), ("Kept", True)):
        inner = library / name
        inner.mkdir()
        (inner / "package.mo").write_text(f"within Lib;\npackage {name}\nend {name};\n")
        if kept:
            (inner / "empty").mkdir()  # by its owner, who may have reasons
    libraries = Libraries([library])
    remove_class(libraries, "Lib.Gone")
    remove_class(libraries, "Lib.Kept")
    libraries.save()
    assert not (library / "Gone").exists()
    assert (library / "Kept" / "empty").is_dir()


def test_a_folder_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "Lib").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "real", target_is_directory=True)
    workspace = Workspace(tmp_path / "alias" / "Lib")
    workspace.others.write(tmp_path / "alias" / "Lib" / "Deep" / "a.txt", b"a")
    workspace.others.write(tmp_path / "alias" / "Lib" / "b.txt", b"b")
    workspace.save()
    assert snapshot(tmp_path / "real") == {"Lib": None, "Lib/Deep": None, "Lib/Deep/a.txt": b"a", "Lib/b.txt": b"b"}


def test_other_files_of_a_workspace_stay_in_its_folder(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "Resources").symlink_to(outside, target_is_directory=True)
    before = snapshot(outside)
    workspace = Workspace(tmp_path / "work")
    workspace.others.write(tmp_path / "work" / "Resources" / "new.txt", b"new")
    with pytest.raises(EditError, match=r"is outside .*through a link, and is not touched"):
        workspace.save()
    assert snapshot(outside) == before


def test_two_places_in_one_call_do_not_open_a_way_out(library: Path, outside: Path, tmp_path: Path) -> None:
    for link in ("Linked", "File.mo"):
        (library / link).unlink()
    (library / "package.order").replace(outside / "order")
    (library / "package.order").symlink_to(outside / "order")
    (tmp_path / "W.mo").write_text("model W\n  Real x;\nend W;\n")
    before = snapshot(outside), snapshot(library)
    assert main(["remove", f"{library}::Lib.A", f"{tmp_path / 'W.mo'}::W.x", "--in-place"]) == 4
    assert (snapshot(outside), snapshot(library)) == before
    assert "Real x" in (tmp_path / "W.mo").read_text()


def test_recipes_follow_no_link_out_of_their_folder(
    tmp_path: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("name: s\nsteps:\n  - rewrite: {pattern: 'A $x', to: 'B $x'}\n")
    folder = tmp_path / "folder"
    (folder / "Own").mkdir(parents=True)
    (folder / "Own" / "package.mo").write_text("package Own\n  model M\n    A a;\n  end M;\nend Own;\n")
    (folder / "Other").symlink_to(outside / "deep" / "Linked", target_is_directory=True)
    before = snapshot(outside)
    assert main(["apply", str(recipe), str(folder), "--in-place"]) == 0
    assert "B a;" in (folder / "Own" / "package.mo").read_text()
    (folder / "File.mo").symlink_to(outside / "File.mo")
    (folder / "Own" / "package.mo").rename(folder / "Plain.mo")
    assert main(["apply", str(recipe), str(folder), "--in-place"]) == 0
    assert "File.mo is a link that leads out of its folder; it is left alone" in capsys.readouterr().err
    assert snapshot(outside) == before
