"""Name lookup: the literals of enumerations, and classes that are cut off from what is around them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.foundation import NotFoundError
from modelica_ast.library import Libraries, LibraryError, instance, references
from modelica_ast.refactor import move_class, rename

MODES = FIXTURES / "libraries" / "Modes.mo"


@pytest.fixture
def modes(tmp_path: Path) -> Libraries:
    shutil.copy(MODES, tmp_path)
    return Libraries([tmp_path / "Modes.mo"])


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Modes.Init.NoInit", [13, 13, 14]),  # in a value, in an annotation, through a class that is short for it
        ("Modes.Init.Steady", [15]),
        ("Modes.Init.start", [14]),  # not the attribute of the same name
        ("Modes.Types.Axis.x", [15, 16, 28]),
        ("Modes.Types.Axis.y", [15, 18]),
        ("Modes.Types.Axis", [12, 16, 17, 18, 28, 28]),
    ],
)
def test_literals_are_found(modes: Libraries, name: str, lines: list[int]) -> None:
    assert [use.line for use in references(modes, name)] == lines


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Modes.limit", [16, 25, 25]),
        ("Modes.Plain", []),
        ("Modes", [12, 14, 15, 21, 22, 25]),
        ("Modes.Types", [12, 16, 17, 18, 21, 28, 28]),
    ],
)
def test_an_encapsulated_class_knows_imports_full_names_and_its_own_contents(
    modes: Libraries, name: str, lines: list[int]
) -> None:
    assert [use.line for use in references(modes, name)] == lines


def test_a_literal_is_renamed_with_all_its_uses(modes: Libraries, tmp_path: Path) -> None:
    rename(modes, "Modes.Init.start", "Begin")
    rename(modes, "Modes.Init.NoInit", "Free")
    modes.save()
    new = (tmp_path / "Modes.mo").read_text().splitlines()
    old = MODES.read_text().splitlines()
    assert [(number, line.strip()) for number, line in enumerate(new, 1) if line != old[number - 1]] == [
        (4, 'Free "nothing is known",'),
        (6, 'Begin "called like an attribute");'),
        (13, "parameter Init init = Init.Free annotation (Dialog(enable=init <> Init.Free));"),
        (14, "parameter Short short(start=Short.Begin) = Modes.Short.Free;"),
    ]


def test_two_literals_of_one_name_are_refused(modes: Libraries) -> None:
    with pytest.raises(LibraryError, match=r"there is a 'Steady' in 'Modes.Init' already"):
        rename(modes, "Modes.Init.NoInit", "Steady")
    with pytest.raises(NotFoundError, match=r"there is no 'NoInt' in 'Modes.Init'; did you mean 'NoInit'"):
        references(modes, "Modes.Init.NoInt")


def test_a_class_that_moves_into_an_encapsulated_one_names_what_is_outside_from_the_top(
    modes: Libraries, tmp_path: Path
) -> None:
    names = ("Modes.limit", "Modes.Init", "Modes.Init.NoInit", "Modes.Init.Steady", "Modes.Types.Axis.x")
    with pytest.raises(LibraryError, match=r"stands for nothing would stand for Modes\.Closed\.Plain"):
        move_class(modes, "Modes.Plain", "Modes.Closed")
    modes.find_class("Modes.Closed").remove_components(["plain"])
    counts = [len(references(modes, name)) for name in names]
    move_class(modes, "Modes.Plain", "Modes.Closed")
    modes.save()
    text = (tmp_path / "Modes.mo").read_text()
    assert "      parameter .Modes.Init init = .Modes.Init.NoInit annotation (Dialog(enable=init <> .Modes.Init" in text
    assert "      Real x = if axis == Types.Axis.x then .Modes.limit else 0;" in text  # Types is imported there
    assert [len(references(Libraries([tmp_path / "Modes.mo"]), name)) for name in names] == counts


IMPORTS = """\
package P
  package A
    model X end X;
    model Y end Y;
  end A;
  package B
    model X end X;
    model Z end Z;
  end B;
  model M
    import P.B.*;
    import P.A.X;
    X c1;
    Z c2;
  end M;
  model N
    import P.A.*;
    import X = P.B.Z;
    X c3;
    Y c4;
  end N;
end P;
"""


@pytest.fixture
def imports(tmp_path: Path) -> Libraries:
    (tmp_path / "P.mo").write_text(IMPORTS)
    return Libraries([tmp_path / "P.mo"])


def test_an_import_of_one_name_goes_before_one_of_all_names(imports: Libraries) -> None:
    found = {name: [use.line for use in references(imports, name)] for name in ("P.A.X", "P.B.X", "P.B.Z", "P.A.Y")}
    assert found == {"P.A.X": [12, 13], "P.B.X": [], "P.B.Z": [14, 18], "P.A.Y": [20]}
    for model, types in (("P.M", ["P.A.X", "P.B.Z"]), ("P.N", ["P.B.Z", "P.A.Y"])):
        assert [each.type_name for each in instance(imports, model).components.values()] == types


def test_a_rename_follows_an_import_behind_one_of_all_names(imports: Libraries, tmp_path: Path) -> None:
    rename(imports, "P.A.X", "Renamed")
    imports.save()
    text = (tmp_path / "P.mo").read_text()
    assert "import P.A.Renamed;\n    Renamed c1;" in text
    assert "import X = P.B.Z;\n    X c3;" in text
