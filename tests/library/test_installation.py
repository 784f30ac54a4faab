"""Libraries that come along, copied to where tools look: whole, once, and never over something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelica_ast.library import (
    Libraries,
    LibraryError,
    Shelf,
    brought_libraries,
    copy_in,
    install,
    uninstall,
    versioned,
)


@pytest.fixture
def gear(tmp_path: Path) -> Path:
    """A library that is one file, with a version in it."""
    file = tmp_path / "brought" / "Gear.mo"
    file.parent.mkdir()
    file.write_text('package Gear\n  annotation (version="2.1.0");\nend Gear;\n')
    return file


def test_all_that_is_brought_is_installed_under_its_version_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a" / "new" / "folder"
    copies = [copy_in(library, folder) for library in brought_libraries()]
    assert {copy.library.name for copy in copies} >= {"UrdfRobots", "DynamicConstraints", "FmiExamples"}
    assert install(copies, folder) == [copy.place for copy in copies]
    assert install([copy_in(copy.library, folder) for copy in copies], folder) == []
    monkeypatch.setenv("MODELICAPATH", str(folder))
    for copy in copies:
        assert copy.place.name == f"{copy.library.name} {copy.library.version}"
        found = Shelf().find(copy.library.name, copy.library.version)
        assert found is not None
        assert found.parent == folder
        assert Libraries([found]).problems == []
    assert uninstall([copy_in(copy.library, folder) for copy in copies], folder) == [copy.place for copy in copies]
    assert list(folder.iterdir()) == []


def test_a_library_of_one_file(gear: Path, tmp_path: Path) -> None:
    library = versioned(gear)
    assert (library.name, library.version) == ("Gear", "2.1.0")
    assert install([copy_in(library, tmp_path)], tmp_path) == [tmp_path / "Gear 2.1.0.mo"]
    assert (tmp_path / "Gear 2.1.0.mo").read_bytes() == gear.read_bytes()
    assert copy_in(library, tmp_path).state == "same"


@pytest.mark.parametrize("what", ["changed", "more", "less", "a file", "a link"])
def test_what_differs_is_neither_replaced_nor_removed(what: str, tmp_path: Path) -> None:
    (library,) = brought_libraries(["UrdfRobots"])
    copy = copy_in(library, tmp_path)
    if what in ("changed", "more", "less"):
        install([copy], tmp_path)
    else:
        assert copy.state == "absent"
    file = copy.place / "Links" / "Link.mo"
    match what:
        case "changed":
            file.write_bytes(file.read_bytes() + b"// mine\n")
        case "more":
            (copy.place / "Mine.mo").write_text("within UrdfRobots; model Mine end Mine;")
        case "less":
            file.unlink()
        case "a file":
            copy.place.write_text("mine")
        case "a link":
            copy.place.symlink_to(tmp_path / "nowhere")
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    for change in (install, uninstall):
        with pytest.raises(LibraryError, match="is there, and differs in "):
            change([copy_in(library, tmp_path)], tmp_path)
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_none_is_installed_if_one_can_not_be(tmp_path: Path) -> None:
    (tmp_path / "UrdfRobots 1.0.0").mkdir()
    (tmp_path / "UrdfRobots 1.0.0" / "mine.txt").write_text("mine")
    with pytest.raises(LibraryError, match="UrdfRobots"):
        install([copy_in(library, tmp_path) for library in brought_libraries()], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["UrdfRobots 1.0.0"]


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match="is not a folder"):
        install([copy_in(library, tmp_path / "file") for library in brought_libraries()], tmp_path / "file")
