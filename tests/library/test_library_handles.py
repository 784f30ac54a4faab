"""Handles of libraries: what they edit, they edit in every file that is concerned, or in none."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.edit.methods import Method
from modelica_ast.foundation import EditError, NotFoundError
from modelica_ast.library import Libraries, LibraryClass, LibraryComponent, LibraryError, check_library
from modelica_ast.refactor import rename

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


def order(folder: Path) -> list[str]:
    return (folder / "Parts" / "package.order").read_text(encoding="utf-8").split()


def test_a_component_is_renamed_in_every_file(arms: Libraries, tmp_path: Path) -> None:
    shutil.copytree(ARMS, tmp_path / "other" / "Arms")
    other = Libraries([tmp_path / "other" / "Arms"])
    rename(other, "Arms.Parts.Body.m", "mass")

    mass = arms.find_class("Arms.Parts.Body").find_component("m")
    mass.rename("mass")

    assert arms.diff() == other.diff()
    assert {line for line in arms.diff().splitlines() if line.startswith("+++")} == {
        f"+++ b/Arms/{name}" for name in ("Examples.mo", "Parts/Body.mo", "Parts/Bodywork.mo", "Parts/Joint.mo")
    }
    assert (mass.name, mass.view.name) == ("mass", "mass")
    arms.undo()
    assert arms.diff() == ""


def test_the_handle_of_a_document_edits_that_document_alone(folder: Path) -> None:
    before = files(folder)
    document = Document.open(folder / "Parts" / "Body.mo")
    document.find_class("Body").find_component("m").rename("mass")
    document.save()
    assert {name for name, data in files(folder).items() if data != before[name]} == {"Parts/Body.mo"}


def test_a_class_takes_its_file_and_all_uses_along(arms: Libraries, folder: Path) -> None:
    body = arms.find_class("Arms").find_class("Parts").find_class("Body")
    body.rename("Link")
    assert (body.full_name, body.name, body.view.name) == ("Arms.Parts.Link", "Link", "Link")
    body.find_component("m").set("", 7)  # the handle goes on with the new file
    body.find_class("shift").rename("shifted")
    arms.save()
    assert "parameter SI.Mass m = 7 " in (folder / "Parts" / "Link.mo").read_text(encoding="utf-8")
    assert "l = 2*shifted(l)" in (folder / "Parts" / "Link.mo").read_text(encoding="utf-8")
    assert not (folder / "Parts" / "Body.mo").exists()
    assert order(folder) == ["Link", "Bodywork", "Joint"]
    assert check_library(Libraries([folder])) == []
    for _ in range(3):
        arms.undo()
    arms.save()
    assert files(folder) == files(ARMS)


def test_a_class_moves_among_its_siblings(arms: Libraries, folder: Path) -> None:
    joint = arms.find_class("Arms.Parts.Joint")

    def moved(**where: str) -> list[str]:
        joint.move(**where)
        arms.save()
        return order(folder)

    assert moved(before="Body") == ["Joint", "Body", "Bodywork"]
    assert moved(after="Body") == ["Body", "Joint", "Bodywork"]
    assert moved(place="first") == ["Joint", "Body", "Bodywork"]
    assert moved(place="last") == ["Body", "Bodywork", "Joint"]
    joint.move(place="first")
    assert moved() == ["Body", "Bodywork", "Joint"]
    with pytest.raises(LibraryError, match="have no sections"):
        joint.move(section="protected")
    with pytest.raises(EditError, match="not both"):
        joint.move(before="Body", after="Bodywork")

    arms.find_class("Arms.Examples.Heavy").move(before="Pendulum")  # in a file
    names = [each.name for each in arms.find_class("Arms.Examples").classes]
    assert names == ["Examples.Heavy", "Examples.Pendulum"]


def test_a_class_moves_to_another_package(arms: Libraries, folder: Path) -> None:
    body = arms.find_class("Arms.Parts.Body")
    body.move_to("Arms", before="Parts")
    assert body.full_name == "Arms.Body"
    assert body.find_component("m").type == "SI.Mass"
    arms.save()
    assert "extends Body(m=100)" in (folder / "Examples.mo").read_text(encoding="utf-8")
    assert (folder / "Body.mo").exists()
    assert check_library(Libraries([folder])) == []


def test_a_class_in_use_anywhere_is_not_removed(arms: Libraries, folder: Path) -> None:
    body = arms.find_class("Arms.Parts.Body")
    with pytest.raises(LibraryError, match=r"'Arms.Parts.Body' is in use: .*Bodywork.mo:3: .* and 6 more"):
        body.remove()
    assert arms.diff() == ""
    arms.find_class("Arms.Examples.Pendulum").remove()
    arms.find_class("Arms.Parts.Bodywork").remove()
    with pytest.raises(NotFoundError):
        arms.find_class("Arms.Parts.Bodywork")
    arms.save()
    assert order(folder) == ["Body", "Joint"]
    assert not (folder / "Parts" / "Bodywork.mo").exists()


def test_classes_of_other_files_are_inside(arms: Libraries) -> None:
    found = arms.find_class("Arms")
    assert [each.name for each in found.classes] == ["Arms.Units", "Interfaces", "Parts", "Examples"]
    assert repr(found.classes[2].classes[0]) == "<LibraryClass Arms.Parts.Body>"
    assert found.get_class("Wheels") is None
    with pytest.raises(NotFoundError, match=r"no class 'Joind' in 'Arms.Parts'; did you mean 'Joint'\?"):
        found.find_class("Parts").find_class("Joind")


def test_a_class_is_added_as_a_file(arms: Libraries, folder: Path) -> None:
    parts = arms.find_class("Arms.Parts")
    brake = parts.insert_class("model Brake\n  Real torque;\nend Brake", after="Body")
    assert isinstance(brake, LibraryClass)
    assert (brake.full_name, brake.components[0].name) == ("Arms.Parts.Brake", "torque")
    brake.add_component("Real", "speed")
    parts.add_class("Axle", "block", description="turns", place="first").add_component("Real", "angle")
    arms.find_class("Arms.Examples").insert_class("model Light end Light;", before="Heavy")
    arms.save()
    assert (folder / "Parts" / "Brake.mo").read_text(encoding="utf-8") == (
        "within Arms.Parts;\nmodel Brake\n  Real torque;\n  Real speed;\nend Brake;\n"
    )
    assert (folder / "Parts" / "Axle.mo").read_text(encoding="utf-8") == (
        'within Arms.Parts;\nblock Axle "turns"\n  Real angle;\nend Axle;\n'
    )
    assert order(folder) == ["Axle", "Body", "Brake", "Bodywork", "Joint"]
    assert "\n  model Light end Light;\n" in (folder / "Examples.mo").read_text(encoding="utf-8")
    for _ in range(5):
        arms.undo()
    arms.save()
    assert files(folder) == files(ARMS)


def test_a_new_class_has_the_line_ends_of_its_package(folder: Path) -> None:
    package = folder / "Parts" / "package.mo"
    package.write_bytes(package.read_bytes().replace(b"\n", b"\r\n"))
    arms = Libraries([folder])
    arms.find_class("Arms.Parts").insert_class("model Brake\n  Real torque;\nend Brake")
    arms.save()
    text = (folder / "Parts" / "Brake.mo").read_bytes()
    assert text == b"within Arms.Parts;\r\nmodel Brake\r\n  Real torque;\r\nend Brake;\r\n"


def test_a_new_name_does_not_hide_one_of_another_file(arms: Libraries) -> None:
    body = arms.find_class("Arms.Parts.Body")
    with pytest.raises(EditError, match=r"a new 'g' in 'Body' .* in line 7, 'Real w = m\*g'"):
        body.add_component("Real", "g")
    with pytest.raises(EditError, match=r"a new 'Units' in 'Body' .* in line 6"):
        body.add_import("Other.Units")
    body.add_import("Arms.Units")  # which it means already
    assert arms.diff().count("+  import Arms.Units;") == 1
    Document(body.document.text).find_class("Body").add_component("Real", "g")  # who knows what it means there
    arms.find_class("Arms.Examples").add_class("Body")  # each model there imports its own


READ_ONLY: list[Callable[[ClassHandle], object]] = [
    lambda body: body.rename("Link"),
    lambda body: body.remove(),
    lambda body: body.move(before="Joint"),
    lambda body: body.add_component("Real", "x"),
    lambda body: body.find_component("m").rename("mass"),
    lambda body: body.find_component("m").set("", 7),
    lambda body: body.find_component("m").remove(),
    lambda body: body.find_class("shift").set_description("by one"),
    lambda body: body.insert_class("model Inner end Inner;"),
    lambda body: body.document.transaction().__enter__(),
]


@pytest.mark.parametrize("edit", READ_ONLY)
@pytest.mark.parametrize("is_alone", [False, True])
def test_a_read_only_library_refuses(
    folder: Path, tmp_path: Path, edit: Callable[[ClassHandle], object], *, is_alone: bool
) -> None:
    (tmp_path / "Robot.mo").write_text("model Robot\n  Arms.Parts.Body body(m=1);\nend Robot;\n", encoding="utf-8")
    libraries = Libraries([] if is_alone else [tmp_path / "Robot.mo"], read_only=[folder])
    before = files(tmp_path)
    body = libraries.find_class("Arms.Parts.Body")
    text = body.view.text
    with pytest.raises(LibraryError, match="'Arms' is read-only"):
        edit(body)
    assert body.view.text == text
    if not is_alone:
        assert libraries.diff() == ""
        libraries.save()
    assert files(tmp_path) == before


def test_new_classes_of_a_read_only_package_are_refused(folder: Path) -> None:
    parts = Libraries([], read_only=[folder]).find_class("Arms.Parts")
    with pytest.raises(LibraryError, match="'Arms' is read-only"):
        parts.add_class("Brake")
    with pytest.raises(LibraryError, match="'Arms' is read-only"):
        parts.insert_class("model Brake end Brake;")
    assert [each.name for each in parts.classes] == ["Body", "Bodywork", "Joint"]


@pytest.mark.parametrize("own", [LibraryClass, LibraryComponent])
def test_what_differs_takes_what_the_verb_takes(own: type) -> None:
    base = own.__mro__[1]
    verbs = [name for name, value in vars(base).items() if isinstance(value, Method) and name in vars(own)]
    assert "rename" in verbs
    for name in verbs:
        found, verb = inspect.signature(getattr(own, name)), inspect.signature(getattr(base, name))
        assert str(found) == str(verb), name


def test_edits_of_handles_are_steps_of_the_libraries(arms: Libraries) -> None:
    body = arms.find_class("Arms.Parts.Body")

    def refused() -> None:
        with arms.transaction():
            body.find_component("m").rename("mass")
            body.add_component("Real", "mass")

    with pytest.raises(EditError, match="declared"):
        refused()
    assert arms.diff() == ""
    with arms.transaction():
        body.find_component("m").rename("mass")
        body.add_component("Real", "m")
    assert "+  Real m;" in arms.diff()
    arms.undo()
    assert arms.diff() == ""
    arms.redo()
    assert "+  Real m;" in arms.diff()
