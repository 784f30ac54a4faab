"""A document where it is, and what edits of it are told: only what is certain, and only what is new.

What people see is in `fixtures/cli/look-up`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast import parse
from modelica_ast.edit import Document
from modelica_ast.foundation.source import Source
from modelica_ast.library import Libraries, Shelf, Surroundings
from modelica_ast.library.layout import library_folders
from modelica_ast.rules import Finding, check_edits
from modelica_ast.tree import StoredDefinition

FILES = FIXTURES / "cli" / "look-up" / "files"
PARTS = FILES / ".openmodelica" / "libraries"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the session, with their installed library and no other."""
    monkeypatch.setenv("MODELICAPATH", str(PARTS))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("Lib", "Arm.mo"):
        (shutil.copytree if (FILES / name).is_dir() else shutil.copy)(FILES / name, tmp_path / name)
    assert library_folders()[0] == PARTS
    return tmp_path


def told(document: Document, before: StoredDefinition) -> list[Finding]:
    return check_edits(Surroundings(document.tree), before)


# ---------------------------------------------------------------- where a document is


def test_a_file_of_a_library_sees_the_others(folder: Path) -> None:
    document = Document.open(folder / "Lib" / "BigDrive.mo")
    around = Surroundings(document.tree, Shelf(around=[folder / "Lib"]))
    found = around.environment("BigDrive")
    assert found is not None
    assert found.full_name == "Lib.BigDrive"
    assert [base.environment is not None and base.environment.full_name for base in found.bases] == [
        "Lib.Named",
        "Lib.Drive",
    ]
    assert around.environment("BigDrive.Nothing") is None


def test_the_file_of_a_package_sees_the_classes_in_other_files(folder: Path) -> None:
    place = folder / "Lib" / "package.mo"
    document = Document.open(place)
    before = document.tree
    document.find_class("Lib").insert_class("model Small\n  extends Drive(gear(ratoi=2));\nend Small;")
    (finding,) = check_edits(Surroundings(document.tree, Shelf(around=[place])), before)
    assert (finding.code, finding.hint) == ("unknown-modifier", "did you mean 'ratio'?")
    assert finding.about is not None
    assert finding.about.path == folder / "Lib" / "Gear.mo"


def test_a_library_is_opened_when_a_name_leads_into_it(folder: Path) -> None:
    document = Document.open(folder / "Arm.mo")
    opened: list[str] = []
    around = Surroundings(
        document.tree, Shelf(around=[folder / "Arm.mo"]), opening=lambda path: opened.append(path.name)
    )
    lamp, robot = around.environment("Arm.Lamp"), around.environment("Arm.Robot")
    assert lamp is not None
    assert robot is not None
    plug = lamp.member("plug")
    assert plug is not None
    assert plug.environment is not None
    assert plug.environment.full_name == "Arm.Plug"
    assert opened == []
    assert robot.member("J") is not None
    assert opened == ["Parts 1.0.0"]


def test_documents_that_are_not_saved_stand_in_for_their_files(folder: Path) -> None:
    gear = Document.open(folder / "Lib" / "Gear.mo")
    gear.find_class("Gear").add_component("Real", "loss", prefixes=["parameter"])
    big = Document.open(folder / "Lib" / "BigDrive.mo")
    before = big.tree
    big.find_class("BigDrive").find_component("second").set("loss", 1)
    shelf = Shelf(around=[folder / "Lib"])
    assert [each.code for each in check_edits(Surroundings(big.tree, shelf), before)] == ["unknown-modifier"]
    assert check_edits(Surroundings(big.tree, shelf, others=[gear.tree]), before) == []


def test_only_what_an_edit_names_is_read(folder: Path, msl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PERF: nobody waits for a whole library because of one modifier."""
    text = "model A\n  Modelica.Mechanics.MultiBody.Parts.Body body;\n  Modelica.Fluid.Vessels.OpenTank tank;\nend A;\n"
    (folder / "A.mo").write_text(text)
    document = Document.open(folder / "A.mo")
    before = document.tree
    document.find_class("A").find_component("body").set("mm", 2)
    read: list[str] = []
    original = Source.read

    def noted(path: Path) -> Source:
        read.append(str(path))
        return original(path)

    monkeypatch.setattr(Source, "read", noted)
    (finding,) = check_edits(Surroundings(document.tree, Shelf([msl.parent], around=[folder])), before)
    assert finding.message == "'Body' has no 'mm' that could be modified"
    assert 0 < len(read) < 20
    assert not [path for path in read if "Fluid" in path]


# ---------------------------------------------------------------- what edits are told

ALONE = """\
model A
  model Lamp
    parameter Real power = 40;
  end Lamp;
  model Holder
    replaceable Lamp lamp;
  end Holder;
  Lamp one(powr=1), two;
  Elsewhere.Lamp three;
  Holder four;
equation
  connect(one.nothing, two.nothing);
  annotation (Documentaton(info=""));
end A;
"""


def test_only_what_is_new_is_told() -> None:
    document = Document(ALONE)
    before = document.tree
    lamps = document.find_class("A")
    lamps.find_component("one").set("power", 2)
    lamps.set_annotation("experiment.StopTime", 2)
    lamps.find_component("two").set_description("the second one")
    assert told(document, before) == []
    lamps.find_component("one").set("pwer", 2)
    assert [each.message for each in told(document, before)] == ["'Lamp' has no 'pwer' that could be modified"]
    lamps.set_annotation("experiment.StopTim", 2)
    assert [each.code for each in told(document, before)] == ["unknown-modifier", "misspelt-annotation"]


def test_what_is_not_certain_is_not_told() -> None:
    document = Document(ALONE)
    before = document.tree
    lamps = document.find_class("A")
    lamps.find_component("three").set("powr", 2)  # nobody knows the class
    lamps.find_component("four").set("lamp.volt", 2)  # another one may be put in its place
    lamps.connect("three.plug", "three.socket")
    lamps.set_annotation("mine.own", 1)
    assert told(document, before) == []


def test_a_finding_names_the_nearest_and_its_place() -> None:
    document = Document(ALONE)
    before = document.tree
    document.find_class("A").find_component("two").set("pover", 2)
    (finding,) = told(document, before)
    assert finding.hint == "did you mean 'power'?"
    assert finding.near is not None
    assert (finding.near.path, finding.near.line) == (None, 3)
    assert finding.about is not None
    assert finding.about.line == 2


def test_a_new_class_is_judged_whole() -> None:
    document = Document("model A\nend A;\n")
    before = document.tree
    document.insert_class("model B\n  Real x(strat=1);\nend B;")
    assert [each.hint for each in check_edits(Surroundings(document.tree), before)] == ["did you mean 'start'?"]


def test_open_libraries_are_looked_into(folder: Path) -> None:
    libraries = Libraries([folder / "Lib"], read_only=[PARTS / "Parts 1.0.0"])
    handle = libraries.find_class("Lib.BigDrive")
    document = handle.document
    assert isinstance(document, Document)
    before = document.tree
    handle.find_component("load").set("JJ", 2)
    handle.connect("load.flange_a", "motor.p")
    found = check_edits(Surroundings(document.tree, libraries), before)
    assert [each.code for each in found] == ["unknown-modifier", "connect-mismatch"]


def test_a_tree_without_a_file_has_nothing_around_it() -> None:
    tree = parse("within P.Q;\nmodel A\n  B b(x=1);\nend A;\n")
    assert check_edits(Surroundings(tree), parse("")) == []


# ---------------------------------------------------------------- start-up


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [
        (["set", "Arm.mo::Arm.Robot.x", "3"], False),
        (["set", "Arm.mo::Arm.Robot.x.start", "3"], False),
        (["get", "Arm.mo::Arm.Robot.light.power"], False),
        (["add", "Arm.mo::Arm.Robot", "--equation", "x = 1"], False),
        (["add", "Arm.mo::Arm.Robot", "--equation", "connect(light.plug, lamp.plug)"], True),
        (["remove", "Arm.mo::Arm.Robot.x"], False),
        (["set", "Arm.mo::Arm.Robot.light.power", "3"], True),
        (["set", "Arm.mo::Arm.Robot.J", "3"], True),
    ],
)
def test_the_look_up_is_loaded_by_need(folder: Path, words: list[str], *, is_asked: bool) -> None:
    probe = "import sys; from modelica_ast.cli.program import main; main(sys.argv[1:]); print(); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", probe, *words], cwd=folder, capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1].split()
    assert ("modelica_ast.cli.lookup" in loaded) is is_asked
    assert ("modelica_ast.library" in loaded) is is_asked


@pytest.mark.parametrize(("owner", "is_opened"), [("Robot", True), ("Lamp", False)])
def test_what_is_inherited_is_looked_up_where_something_is(folder: Path, owner: str, *, is_opened: bool) -> None:
    probe = "import sys; from modelica_ast.cli.program import main; main(sys.argv[1:]); print(); print(*sys.modules)"
    words = ["add", f"Arm.mo::Arm.{owner}.y", "Real", "start=1", "=2"]
    ran = subprocess.run([sys.executable, "-c", probe, *words], cwd=folder, capture_output=True, text=True, check=True)
    assert ("modelica_ast.library" in ran.stdout.splitlines()[-1].split()) is is_opened
