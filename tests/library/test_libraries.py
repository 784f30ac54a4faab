"""Libraries: files, names over all of them, renames and moves that keep every meaning."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES
from modelica_ast import parse_file, render
from modelica_ast.foundation import EditError, NotFoundError
from modelica_ast.library import (
    Libraries,
    Library,
    LibraryError,
    Progress,
    check_library,
    find_library,
    libraries_in,
    references,
)
from modelica_ast.refactor import add_class, copy_class, move_class, remove_class, rename

ARMS = FIXTURES / "libraries" / "Arms"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the library that may be written."""
    shutil.copytree(ARMS, tmp_path / "Arms")
    return tmp_path / "Arms"


@pytest.fixture
def arms(folder: Path) -> Libraries:
    return Libraries([folder])


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def changed_lines(libraries: Libraries) -> list[str]:
    return [line for line in libraries.diff().splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_classes_are_listed_without_a_parse() -> None:
    library = Library(ARMS)
    assert [entry.full_name for entry in library.files()] == [
        "Arms",
        "Arms.Interfaces",
        "Arms.Parts",
        "Arms.Parts.Body",
        "Arms.Parts.Bodywork",
        "Arms.Parts.Joint",
        "Arms.Examples",
    ]
    assert list(library.classes()) == [
        "Arms",
        "Arms.Units",
        "Arms.Units.Mass",
        "Arms.Units.Length",
        "Arms.Interfaces",
        "Arms.Interfaces.Frame",
        "Arms.Interfaces.Part",
        "Arms.Parts",
        "Arms.Parts.Body",
        "Arms.Parts.Body.shift",
        "Arms.Parts.Bodywork",
        "Arms.Parts.Joint",
        "Arms.Examples",
        "Arms.Examples.Pendulum",
        "Arms.Examples.Heavy",
    ]
    assert library.problems == []


def test_classes_are_found_by_their_full_names(arms: Libraries) -> None:
    assert arms.find_class("Arms.Parts.Body").description == "a rigid body"
    assert arms.find_class("Arms.Examples.Heavy").extends == ["Parts.Body"]
    with pytest.raises(NotFoundError, match="did you mean 'Body'"):
        arms.find_class("Arms.Parts.Bod")
    with pytest.raises(NotFoundError, match="no library 'Legs'"):
        arms.find_class("Legs.Parts")


def test_references_through_imports_inheritance_and_modifiers(arms: Libraries) -> None:
    found = references(arms, "Arms.Parts.Body.m")
    lines = sorted((use.file.name, use.line) for use in found)
    assert lines == [
        ("Body.mo", 5),
        ("Body.mo", 7),
        ("Bodywork.mo", 3),
        ("Bodywork.mo", 4),
        ("Bodywork.mo", 5),
        ("Bodywork.mo", 5),
        ("Examples.mo", 7),
        ("Examples.mo", 8),
        ("Examples.mo", 9),
        ("Examples.mo", 9),
        ("Examples.mo", 10),
        ("Examples.mo", 11),
        ("Examples.mo", 11),
        ("Examples.mo", 12),
        ("Examples.mo", 20),
        ("Examples.mo", 21),
        ("Joint.mo", 4),
    ]
    assert len(references(arms, "Arms.g")) == 3
    assert len(references(arms, "Arms.Parts.Body")) == 9
    with pytest.raises(NotFoundError, match=r"there is no 'mass' in 'Arms.Parts.Body'"):
        references(arms, "Arms.Parts.Body.mass")


def test_rename_of_a_component_reaches_every_file_and_back_again(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(arms, "Arms.Parts.Body.m", "mass")
    arms.save()
    after = files(folder)
    assert b'textString="m=%mass"' in after["Parts/Body.mo"]
    assert b"Work work(body(mass=6), other.mass=7);" in after["Examples.mo"]
    assert b"extends Parts.Body(mass=100);" in after["Examples.mo"]
    assert len(references(Libraries([folder]), "Arms.Parts.Body.mass")) == 17
    rename(arms, "Arms.Parts.Body.mass", "m")
    arms.save()
    assert files(folder) == before


def test_rename_of_a_class_takes_its_file_links_and_scripts_along(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(arms, "Arms.Parts.Body", "Rigid")
    assert arms.find_class("Arms.Parts.Rigid").name == "Rigid"
    arms.save()
    after = files(folder)
    assert "Parts/Body.mo" not in after
    assert after["Parts/package.order"] == b"Rigid\nBodywork\nJoint\n"
    assert b'modelica://Arms.Parts.Rigid\\">' in after["package.mo"]
    assert b'modelica://Arms.Parts.Bodywork\\">' in after["package.mo"]
    assert (
        after["Resources/Scripts/run.mos"].splitlines()[1]
        == b'checkModel("Arms.Parts.Rigid"); // and Arms.Parts.Bodywork'
    )
    assert b"for Body in 1:2 loop" in after["Examples.mo"]
    fresh = Libraries([folder])
    assert len(references(fresh, "Arms.Parts.Rigid")) == 9
    rename(fresh, "Arms.Parts.Rigid", "Body")
    fresh.save()
    assert files(folder) == before


def test_rename_of_a_package_moves_its_folder(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(arms, "Arms.Parts", "Pieces")
    arms.save()
    assert not (folder / "Parts").exists()
    assert (folder / "Pieces" / "Body.mo").read_text().startswith("within Arms.Pieces;\n")
    assert (folder / "Pieces" / "package.order").read_bytes() == before["Parts/package.order"]
    fresh = Libraries([folder])
    assert len(references(fresh, "Arms.Pieces.Body")) == 9
    rename(fresh, "Arms.Pieces", "Parts")
    fresh.save()
    assert files(folder) == before


def test_what_would_change_a_meaning_is_refused(arms: Libraries) -> None:
    with pytest.raises(LibraryError, match=r"there is a 'Joint' in 'Arms.Parts' already"):
        rename(arms, "Arms.Parts.Body", "Joint")
    with pytest.raises(LibraryError, match="'Arms' is a library"):
        rename(arms, "Arms", "Limbs")
    with pytest.raises(EditError, match="would mean something else"):
        rename(arms, "Arms.g", "w")  # hidden by Body.w where it is used
    assert arms.diff() == ""


def test_undo_brings_files_and_names_back(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    rename(arms, "Arms.Parts", "Pieces")
    arms.undo()
    assert arms.find_class("Arms.Parts.Body").kind == "model"
    assert arms.diff() == ""
    arms.save()
    assert files(folder) == before


def test_a_read_only_library_is_not_touched(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "Robot.mo").write_text("package Robot\n  model R = Arms.Parts.Body(m=1);\nend Robot;\n")
    libraries = Libraries([tmp_path / "Robot.mo"], read_only=[folder])
    with pytest.raises(LibraryError, match="read-only"):
        rename(libraries, "Arms.Parts.Body", "Rigid")
    rename(libraries, "Robot.R", "Arm")
    libraries.save()
    assert (tmp_path / "Robot.mo").read_text() == "package Robot\n  model Arm = Arms.Parts.Body(m=1);\nend Robot;\n"
    (tmp_path / "Cart.mo").write_text("package Cart\n  import Arms.Parts.{Bodywork};\nend Cart;\n")
    with pytest.raises(LibraryError, match=r"used in a read-only library: .*Cart\.mo"):
        move_class(Libraries([folder], read_only=[tmp_path / "Cart.mo"]), "Arms.Parts.Bodywork", "Arms")
    writable = Libraries([folder], read_only=[tmp_path / "Robot.mo"])
    with pytest.raises(LibraryError, match="used in the read-only library 'Robot'"):
        rename(writable, "Arms.Parts.Body", "Rigid")


# ---------------------------------------------------------------- moves


def test_move_of_a_file_to_another_folder_keeps_all_meanings(arms: Libraries, folder: Path) -> None:
    count = len(references(arms, "Arms.Parts.Body"))
    move_class(arms, "Arms.Parts.Body", "Arms.Examples")
    arms.save()
    after = files(folder)
    assert "Parts/Body.mo" not in after
    assert after["Parts/package.order"] == b"Bodywork\nJoint\n"
    text = after["Examples.mo"].decode()
    assert "    extends Interfaces.Part;\n" in text
    assert "    import Arms.Examples.Body;\n" in text
    assert "    Body relative(final m=3);\n" in text
    assert "    Arms.Examples.Body full(m=4)" in text
    assert '  model Body "a rigid body" // see Joint\n' in text
    assert b"  Examples.Body body(m=2);\n" in after["Parts/Bodywork.mo"]
    fresh = Libraries([folder])
    assert len(references(fresh, "Arms.Examples.Body")) == count
    assert len(references(fresh, "Arms.Examples.Body.m")) == 17
    assert len(references(fresh, "Arms.g")) == 3


def test_move_of_a_nested_class_makes_a_file(arms: Libraries, folder: Path) -> None:
    move_class(arms, "Arms.Examples.Heavy", "Arms.Parts")
    arms.save()
    assert (folder / "Parts" / "Heavy.mo").read_text() == (
        "within Arms.Parts;\nmodel Heavy\n  extends Parts.Body(m=100);\n  Real twice = 2*m;\nend Heavy;\n"
    )
    assert (folder / "Parts" / "package.order").read_text() == "Body\nBodywork\nJoint\nHeavy\n"
    assert "Joint joint(redeclare Parts.Heavy load(m=5));" in (folder / "Examples.mo").read_text()
    assert len(references(Libraries([folder]), "Arms.Parts.Body")) == 9


def test_move_of_a_folder(arms: Libraries, folder: Path) -> None:
    add_class(arms, "Arms", "More", "package")
    count = len(references(arms, "Arms.Parts.Body"))
    move_class(arms, "Arms.Parts", "Arms.More")
    arms.save()
    assert not (folder / "Parts").exists()
    fresh = Libraries([folder])
    assert len(references(fresh, "Arms.More.Parts.Body")) == count
    assert len(references(fresh, "Arms.More.Parts.Body.m")) == 17


def test_a_class_can_not_be_moved_into_itself_or_over_another(arms: Libraries) -> None:
    with pytest.raises(LibraryError, match="into itself"):
        move_class(arms, "Arms.Parts", "Arms.Parts.Body")
    with pytest.raises(LibraryError, match="only a class"):
        move_class(arms, "Arms.Parts.Body.m", "Arms.Examples")
    add_class(arms, "Arms.Examples", "Body")
    with pytest.raises(LibraryError, match=r"there is a 'Body' in 'Arms.Examples' already"):
        move_class(arms, "Arms.Parts.Body", "Arms.Examples")


def test_copy_keeps_the_original_and_its_references(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    copy_class(arms, "Arms.Parts.Body", "Arms.Examples", "Brick")
    arms.save()
    after = files(folder)
    assert {name for name in after if after[name] != before.get(name)} == {"Examples.mo"}
    assert b'  model Brick "a rigid body" // see Joint\n    extends Interfaces.Part;\n' in after["Examples.mo"]
    assert len(references(Libraries([folder]), "Arms.Parts.Body")) == 9


def test_remove_is_refused_while_a_class_is_in_use(arms: Libraries, folder: Path) -> None:
    with pytest.raises(LibraryError, match=r"'Arms.Parts.Body' is in use: .*Bodywork.mo:3.* and \d+ more"):
        remove_class(arms, "Arms.Parts.Body")
    remove_class(arms, "Arms.Examples")
    arms.save()
    assert not (folder / "Examples.mo").exists()
    assert (folder / "package.order").read_text() == "Units\nInterfaces\nParts\ng\n"


def test_added_classes_get_files_and_places_in_the_order(arms: Libraries, folder: Path) -> None:
    add_class(arms, "Arms.Parts", "Wheel", "model", "rolls")
    add_class(arms, "Arms.Units", "Angle", "type")
    arms.save()
    assert (folder / "Parts" / "Wheel.mo").read_text() == 'within Arms.Parts;\nmodel Wheel "rolls"\nend Wheel;\n'
    assert (folder / "Parts" / "package.order").read_text().endswith("Joint\nWheel\n")
    for path in folder.rglob("*.mo"):
        assert render(parse_file(path)) == path.read_text()


# ---------------------------------------------------------------- places in a package


def test_a_class_can_be_moved_back_to_its_place(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    move_class(arms, "Arms.Parts.Bodywork", "Arms")
    arms.save()
    assert (folder / "package.order").read_text() == "Units\nInterfaces\nParts\nExamples\ng\nBodywork\n"
    move_class(arms, "Arms.Bodywork", "Arms.Parts", before="Joint")
    arms.save()
    after = files(folder)
    # A list of imports was taken apart, and a name is longer than it need be; both mean the same.
    assert {name for name in before if after[name] != before[name]} == {"Examples.mo", "Parts/Bodywork.mo"}


def test_a_class_that_moves_leaves_the_lists_of_imports(arms: Libraries, folder: Path) -> None:
    counts = [len(references(arms, name)) for name in ("Arms.Parts.Bodywork", "Arms.Parts.Joint")]
    move_class(arms, "Arms.Parts.Bodywork", "Arms")
    arms.save()
    text = (folder / "Examples.mo").read_text()
    assert "    import Arms.Parts.{Joint};\n    import Work = Arms.Bodywork;\n    Body body" in text
    examples = arms.document_at(folder / "Examples.mo")
    line = {"line": 6, "column": 23, "old": "{Joint};", "new": '{Joint} "and no more"; // one'}
    examples.apply([{"op": "replace_text", "replacements": [line]}])
    move_class(arms, "Arms.Parts.Joint", "Arms.Interfaces")
    assert '    import Arms.Interfaces.Joint "and no more"; // one\n    import Work' in examples.text
    found = [len(references(arms, name)) for name in ("Arms.Bodywork", "Arms.Interfaces.Joint")]
    assert found == counts


@pytest.mark.parametrize(
    ("where", "order"),
    [
        ({"before": "Body"}, "New Body Bodywork Joint"),
        ({"after": "Body"}, "Body New Bodywork Joint"),
        ({"after": "Joint"}, "Body Bodywork Joint New"),
        ({}, "Body Bodywork Joint New"),
    ],
)
def test_new_classes_get_a_place_in_package_order(
    arms: Libraries, folder: Path, where: dict[str, Any], order: str
) -> None:
    add_class(arms, "Arms.Parts", "New", **where)
    arms.save()
    assert (folder / "Parts" / "package.order").read_text().split() == order.split()
    arms.undo()
    copy_class(arms, "Arms.Examples.Heavy", "Arms.Parts", "New", **where)
    arms.save()
    assert (folder / "Parts" / "package.order").read_text().split() == order.split()


def test_new_classes_get_a_place_in_a_file(arms: Libraries) -> None:
    add_class(arms, "Arms.Units", "Angle", "type", before="Length")
    move_class(arms, "Arms.Parts.Body", "Arms.Units", after="Mass")
    assert [found.name for found in arms.find_class("Arms.Units").classes] == [
        "Arms.Units.Mass",
        "Arms.Units.Body",
        "Arms.Units.Angle",
        "Arms.Units.Length",
    ]


def test_a_class_gets_another_place_in_its_package(arms: Libraries, folder: Path) -> None:
    before = files(folder)
    move_class(arms, "Arms.Parts.Joint", "Arms.Parts", before="Body")
    move_class(arms, "Arms.Examples.Heavy", "Arms.Examples", before="Pendulum")
    move_class(arms, "Arms.Units", "Arms", after="g")  # it is in package.mo, and package.order decides
    move_class(arms, "Arms.Parts.Body", "Arms.Parts")  # no place is named: it stays
    arms.save()
    after = files(folder)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"Parts/package.order", "Examples.mo", "package.order"}
    assert after["Parts/package.order"] == b"Joint\nBody\nBodywork\n"
    assert after["package.order"] == b"Interfaces\nParts\nExamples\ng\nUnits\n"
    assert after["Examples.mo"].index(b"model Heavy") < after["Examples.mo"].index(b"model Pendulum")


def test_a_place_that_is_not_there_is_refused(arms: Libraries, folder: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no 'Joynt' in the package\.order of 'Arms.Parts'; did you mean 'Joint'"):
        move_class(arms, "Arms.Examples.Heavy", "Arms.Parts", before="Joynt")
    with pytest.raises(NotFoundError, match=r"no class 'Elbow' in 'Arms.Parts'"):
        move_class(arms, "Arms.Parts.Elbow", "Arms.Parts")
    with pytest.raises(LibraryError, match="before 'Body' and after 'Joint': name one of them"):
        add_class(arms, "Arms.Parts", "New", before="Body", after="Joint")
    (folder / "Parts" / "package.order").unlink()
    with pytest.raises(LibraryError, match=r"'Arms.Parts' has no package\.order"):
        add_class(Libraries([folder]), "Arms.Parts", "New", before="Body")
    assert arms.diff() == ""


# ---------------------------------------------------------------- how far it is


@pytest.mark.parametrize(
    "work",
    [
        lambda libraries, told: references(libraries, "Arms.Parts.Body", progress=told),
        lambda libraries, told: rename(libraries, "Arms.Parts.Body", "Rigid", progress=told),
        lambda libraries, told: rename(libraries, "Arms.Parts.Body.m", "mass", progress=told),
        lambda libraries, told: move_class(libraries, "Arms.Parts.Body", "Arms.Examples", progress=told),
        lambda libraries, told: copy_class(libraries, "Arms.Parts", "Arms.Examples", progress=told),
        lambda libraries, told: remove_class(libraries, "Arms.Examples", progress=told),
        lambda libraries, told: check_library(libraries, progress=told),
        lambda libraries, told: Libraries([libraries["Arms"].path], progress=told),
    ],
    ids=["references", "rename", "rename component", "move", "copy", "remove", "check", "open"],
)
def test_long_work_tells_how_far_it_is(arms: Libraries, work: Callable[[Libraries, Progress], object]) -> None:
    told: list[tuple[int, int, Path]] = []
    work(arms, lambda done, total, path: told.append((done, total, path)))
    assert [done for done, _, _ in told] == list(range(1, len(told) + 1))
    totals = [total for _, total, _ in told]
    assert totals == sorted(totals)
    assert totals[-1] == len(told) > 0
    assert all(path.suffix == ".mo" or path.name == "Arms" for _, _, path in told)


# ---------------------------------------------------------------- where libraries are


def test_libraries_are_found_by_name_and_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Arms 1.0.0", "Arms 1.10.0", "Arms 1.9.0-beta"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package.mo").write_text("package Arms end Arms;")
    (tmp_path / "Legs 2.0.mo").write_text("package Legs end Legs;")
    monkeypatch.setenv("MODELICAPATH", str(tmp_path))
    assert [(found.name, found.version) for found in libraries_in(tmp_path)] == [
        ("Arms", "1.0.0"),
        ("Arms", "1.10.0"),
        ("Arms", "1.9.0-beta"),
        ("Legs", "2.0"),
    ]
    assert find_library("Arms").name == "Arms 1.10.0"
    assert find_library("Arms", "1.0.0").name == "Arms 1.0.0"
    assert Library(find_library("Legs")).name == "Legs"
    with pytest.raises(LibraryError, match=r"there is no Arms 3.0 .*; there is 1.0.0, 1.10.0"):
        find_library("Arms", "3.0")
    with pytest.raises(LibraryError, match="there is no library Hands"):
        find_library("Hands")


def test_a_folder_without_a_version_has_that_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, version in (("one/Arms", "1.10.0"), ("two/Arms", "1.9.0"), ("Arms 1.0.0", "")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "package.mo").write_text(f'package Arms annotation(version="{version}"); end Arms;')
    monkeypatch.setenv("MODELICAPATH", f"{tmp_path / 'two'}:{tmp_path / 'one'}:{tmp_path}")
    assert find_library("Arms") == tmp_path / "one" / "Arms"
    assert find_library("Arms", "1.9.0") == tmp_path / "two" / "Arms"
    assert find_library("Arms", "1.0.0") == tmp_path / "Arms 1.0.0"
    with pytest.raises(LibraryError, match=r"there is no Arms 2 .*; there is 1.9.0, 1.10.0, 1.0.0"):
        find_library("Arms", "2")


def test_comments_above_a_class_go_with_it_into_another_package(tmp_path: Path) -> None:
    (tmp_path / "One.mo").write_text(
        "package One\n  package P\n    // of A\n    /* two\n       lines */\n    model A\n    end A;\n  end P;\n"
        "  package Q end Q;\n  package R\n    model Z\n    end Z;\n  end R;\nend One;\n"
    )
    before = (tmp_path / "One.mo").read_bytes()
    libraries = Libraries([tmp_path / "One.mo"])
    move_class(libraries, "One.P.A", "One.R")
    libraries.save()
    assert "end Z;\n    // of A\n    /* two\n       lines */\n    model A\n" in (tmp_path / "One.mo").read_text()
    move_class(libraries, "One.R.A", "One.Q")
    assert "// of A\n" in libraries.document_at(tmp_path / "One.mo").text
    libraries.undo()
    move_class(libraries, "One.R.A", "One.P")
    libraries.save()
    assert (tmp_path / "One.mo").read_bytes() == before


def test_files_of_a_diff_are_named_from_the_current_folder_or_from_that_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep" / "Lib"
    folder.mkdir(parents=True)
    (folder / "package.mo").write_text("package Lib\n  constant Real k = 1;\nend Lib;\n", encoding="utf-8")
    libraries = Libraries([folder])
    libraries.find_class("Lib").find_component("k").set("", 2)
    monkeypatch.chdir(tmp_path)
    assert libraries.diff().startswith("--- a/deep/Lib/package.mo\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert libraries.diff().startswith("--- a/Lib/package.mo\n")
