"""Where libraries are looked for, in which order, and which version of one counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from modelica_ast.cli import main
from modelica_ast.library import LibraryError, Shelf, library_around, open_with_uses

ORDER = ["named", "around", "path1", "path2", ".openmodelica/libraries", "brought"]


def library(folder: Path, name: str, version: str = "", *, uses: str = "", more: str = "") -> Path:
    """A library in a folder, `Parts 1.0` with a version and `Parts` without."""
    path = folder / f"{name} {version}".strip()
    path.mkdir(parents=True)
    annotations = [f'version="{version}"'] if version else []
    annotations += [f"uses({uses})"] if uses else []
    annotations += [more] if more else []
    annotation = f"  annotation({', '.join(annotations)});\n" if annotations else ""
    (path / "package.mo").write_text(f"package {name}\n{annotation}end {name};\n", encoding="utf-8")
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no library: two folders of MODELICAPATH, the usual folder, and one that a package brings."""
    for name in ORDER:
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MODELICAPATH", os.pathsep.join(str(tmp_path / name) for name in ("path1", "path2")))
    monkeypatch.setattr("modelica_ast.library.shelf.brought_folders", lambda: [tmp_path / "brought"])
    return tmp_path


def shelf_of(machine: Path) -> Shelf:
    (machine / "named" / "Other.mo").write_text("package Other end Other;\n")
    return Shelf([machine / "named"], around=[machine / "around" / "Arm.mo"])


# ---------------------------------------------------------------- the order


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_first_place_of_the_order_counts(machine: Path, first: int) -> None:
    for name in ORDER[first:]:
        library(machine / name, "Parts")
    assert shelf_of(machine).find("Parts") == machine / ORDER[first] / "Parts"


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_first_that_fits_counts(machine: Path, first: int) -> None:
    for number, name in enumerate(ORDER):
        library(machine / name, "Parts", "1.0" if number >= first else "2.0")
    assert shelf_of(machine).find("Parts", "1.0") == machine / ORDER[first] / "Parts 1.0"


def test_the_places_are_told_in_their_order(machine: Path) -> None:
    assert shelf_of(machine).folders == [machine / name for name in ORDER]


def test_a_library_that_is_named_is_taken_whatever_its_version(machine: Path) -> None:
    own = library(machine / "path1", "Parts", "2.0")
    library(machine / "around", "Parts", "1.0")
    shelf = Shelf([own], around=[machine / "around"])
    assert shelf.find("Parts", "1.0") == own
    assert shelf.notes == []


def test_without_a_search_only_what_is_named_is_there(machine: Path) -> None:
    for name in ORDER[1:]:
        library(machine / name, "Parts")
    assert Shelf(around=[machine / "around"], search=False).find("Parts") is None


def test_the_library_around_a_file_and_its_neighbours(machine: Path) -> None:
    own = library(machine / "around", "Robots", uses='Parts(version="1.0")')
    (own / "Arms").mkdir()
    (own / "Arms" / "package.mo").write_text("within Robots; package Arms end Arms;")
    parts = library(machine / "around", "Parts", "1.0")
    assert library_around(own / "Arms" / "package.mo") == library_around(own / "Arms") == own
    assert library_around(machine / "around" / "Alone.mo") is None
    shelf = Shelf(around=[own / "Arms" / "package.mo"])
    assert (shelf.find("Robots"), shelf.find("Parts")) == (own, parts)
    assert [each.name for each in shelf.open([own])] == ["Robots", "Parts"]


@pytest.mark.parametrize("name", ["nowhere", "empty", "file.txt"])
def test_nothing_where_something_is_named(machine: Path, name: str) -> None:
    (machine / "empty").mkdir()
    with pytest.raises(LibraryError, match=f"{name}(: no such file or folder| is not a Modelica library)"):
        Shelf([machine / name])


# ---------------------------------------------------------------- versions


@pytest.mark.parametrize(
    ("wanted", "found", "is_noted"),
    [
        ("", "Parts 1.10.0", False),
        ("1.0.0", "Parts 1.0.0", False),
        ("1.10.0", "Parts 1.10.0", False),
        ("1.9.0", "Parts 1.10.0", False),
        ("0.9", "Parts 1.0.0", False),
        ("0.8", "Parts 1.0.0", False),
        ("3.0.0", "Parts 1.10.0", True),
    ],
)
def test_the_version_that_is_used_or_unchanged_since(machine: Path, wanted: str, found: str, *, is_noted: bool) -> None:
    folder = machine / "path2"
    library(folder, "Parts", "1.0.0", more='conversion(noneFromVersion="0.9", noneFromVersion={"0.8", "0.7"})')
    library(
        folder, "Parts", "1.10.0", more='conversion(noneFromVersion="1.9.0", from(version="1.0.0", script="x.mos"))'
    )
    library(folder, "Parts", "1.10.0-beta")
    shelf = Shelf()
    for _ in range(2):
        path = shelf.find("Parts", wanted)
        assert path is not None
        assert path.name == found
    sentence = (
        f"Parts {wanted} is required by a uses annotation but not installed; there is 1.10.0 in {folder}, "
        "which is used instead"
    )
    assert shelf.notes == ([sentence] if is_noted else [])


def test_a_version_may_stand_in_the_annotation_alone(machine: Path) -> None:
    for name, version in (("path1", "1.0"), ("path2", "2.0")):
        path = library(machine / name, "Parts", version)
        path.rename(path.with_name("Parts"))
    assert Shelf().find("Parts", "2.0") == machine / "path2" / "Parts"
    assert Shelf().find("Parts", "3.0") == machine / "path2" / "Parts"
    assert Shelf().find("Parts") == machine / "path1" / "Parts"


def test_what_is_used_is_opened_and_what_that_uses(machine: Path) -> None:
    library(machine / "path1", "Parts", "1.0", uses='Screws(version="2.0"), Absent(version="1.0")')
    library(machine / "path2", "Screws", "1.0")
    screws = library(machine / "brought", "Screws", "2.0", uses="Parts")
    own = library(machine / "around", "Robots", uses="Parts")
    opened = open_with_uses([own])
    assert [(each.name, each.read_only) for each in opened] == [("Robots", False), ("Parts", True), ("Screws", True)]
    assert opened["Screws"].path == screws


def test_a_file_without_uses_gets_the_newest_standard_library(machine: Path) -> None:
    for version in ("3.2.3", "4.1.0"):
        library(machine / "path1", "Modelica", version)
    file = machine / "around" / "Arm.mo"
    cases: list[tuple[str, str | None]] = [
        ("model Arm Modelica.Units.SI.Mass m; end Arm;", "4.1.0"),
        ('model Arm Modelica.Units.SI.Mass m; annotation(uses(Modelica(version="3.2.3"))); end Arm;', "3.2.3"),
        ("model Arm Real x; end Arm;", None),
    ]
    for text, newest in cases:
        file.write_text(text)
        shelf = Shelf(around=[file])
        found = shelf.open([file]).get("Modelica")
        assert (None if found is None else found.path.name) == (newest and f"Modelica {newest}")
        assert shelf.notes == []


# ---------------------------------------------------------------- what commands say


@pytest.fixture
def parts(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files that want a version that is not there."""
    folder = library(machine / "path1", "Parts", "2.0")
    (folder / "Gear.mo").write_text("within Parts;\nmodel Gear\n  parameter Real ratio = 2;\nend Gear;\n")
    (folder / "package.order").write_text("Gear\n")
    for name in ("A", "B"):
        text = f'model {name}\n  Parts.Gear gear;\n  annotation(uses(Parts(version="1.0")));\nend {name};\n'
        (machine / "around" / f"{name}.mo").write_text(text)
    monkeypatch.chdir(machine / "around")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["check", "A.mo", "B.mo"],
        ["check", "A.mo", "B.mo", "--jobs", "2"],
        ["draw", "A.mo", "-o", "a.svg"],
        ["show", "A.mo::A", "--parameters"],
        ["constraints", "check", "A.mo"],
        ["fmi", "check", "A.mo", "--profile", "ros2"],
    ],
    ids=lambda words: " ".join(words[:2]) + f" {len(words)}",
)
def test_a_version_that_is_missing_is_said_once(
    parts: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    main(words)
    said = capfd.readouterr().err
    sentence = "note: Parts 1.0 is required by a uses annotation but not installed; there is 2.0 in "
    assert said.count(sentence) == said.count("Parts 1.0") == 1
    assert str(parts.parent) in said


def test_a_file_is_checked_against_the_standard_library_with_no_noise(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    library(machine / "path1", "Modelica", "4.1.0")
    (machine / "around" / "Arm.mo").write_text("model Arm\n  Modelica.Nothing x;\nend Arm;\n")
    monkeypatch.chdir(machine / "around")
    assert main(["check", "Arm.mo"]) == 1
    out, err = capfd.readouterr()
    assert "Arm.mo:2:3: error: there is no 'Nothing' in 'Modelica'" in out
    assert "note" not in err
    assert main(["check", "Arm.mo", "--no-library"]) == 0
