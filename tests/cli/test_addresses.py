"""An address means the same in every command: by its file, by its folder, and by its full name alone."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from conftest import FIXTURES, crossed
from modelica_ast.cli import main
from modelica_ast.cli.address import Address, parse_address, resolved
from modelica_ast.cli.exits import CommandError
from modelica_ast.library.errors import NoLibraryError

INERTIA = "Modelica.Mechanics.Rotational.Components.Inertia"

# What comes before and after the address in each command, and the class; some take what is inside the class.
COMMANDS: dict[str, tuple[list[str], str, str, list[str]]] = {
    "show": (["show"], INERTIA, "", []),
    "show --json": (["show"], INERTIA, "", ["--json"]),
    "show --parameters": (["show"], INERTIA, "", ["--parameters"]),
    "get": (["get"], INERTIA, ".J.start", []),
    "get @": (["get"], INERTIA, ".phi@Dialog.group", []),
    "set": (["set"], INERTIA, ".J.start", ["2"]),
    "add": (["add"], INERTIA, ".k", ["Real", "=2"]),
    "remove": (["remove"], INERTIA, ".J.start", []),
    "annotate": (["annotate"], INERTIA, "", ["experiment.StopTime", "10"]),
    "connect": (["connect"], INERTIA, "", ["flange_a", "flange_b"]),
    "move": (["move"], INERTIA, ".J", ["--after", "phi"]),
    "copy": (["copy"], INERTIA, "", ["--as", "Inertia2", "-q"]),
    "draw": (["draw"], INERTIA, "", ["--layer", "icon"]),
    "fmi check": (["fmi", "check"], INERTIA, "", ["--profile", "ros2"]),
    "fmi ros-params": (["fmi", "ros-params"], INERTIA, "", []),
    "fmi shell": (["fmi", "shell"], INERTIA, "", ["--flange", "flange_b"]),
    "constraints check": (["constraints", "check"], INERTIA, "", []),
    "constraints pairs": (["constraints", "pairs"], INERTIA, "", []),
    "constraints sync": (["constraints", "sync"], INERTIA, "", []),
}


def addresses(msl: Path, name: str) -> list[str]:
    """A class by its file, by the folder of its library, by the folder of all libraries, and by its name."""
    file = msl.joinpath(*name.split(".")[1:]).with_suffix(".mo")
    assert file.is_file()
    return [f"{file}::{name.rpartition('.')[2]}", f"{file}::{name}", f"{msl}::{name}", f"{msl.parent}::{name}", name]


@pytest.fixture
def anywhere(msl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with nothing in it, on a machine with the Standard Library."""
    monkeypatch.setenv("MODELICAPATH", str(msl.parent))
    monkeypatch.chdir(tmp_path)
    return msl


@pytest.mark.parametrize(("command", "form"), crossed(COMMANDS, range(1, 5)))
def test_all_forms_of_an_address_mean_the_same(
    anywhere: Path, command: str, form: int, capfd: pytest.CaptureFixture[str]
) -> None:
    before, name, inside, behind = COMMANDS[command]
    told = {}
    forms = addresses(anywhere, name)
    assert len(forms) == 5
    for address in (forms[0], forms[form]):
        code = main([*before, f"{address}{inside}", *behind])
        out, err = capfd.readouterr()
        told[address] = (code, out, err)
    first = told[next(iter(told))]
    assert first[0] in {0, 1}, first[2]
    assert all(each == first for each in told.values())


def test_a_simulation_by_all_forms(anywhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
    told = {}
    for address in addresses(anywhere, INERTIA):
        code = main(["simulate", address, "--stop", "0.1", "--set", "w.start=2"])
        out, err = capfd.readouterr()
        told[address] = (code, out, [line for line in err.splitlines() if "--no-cache" not in line])
    first = told[next(iter(told))]
    assert first[0] == 0, first[2]
    assert all(each == first for each in told.values())


# ---------------------------------------------------------------- libraries of the user


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a library and a file, and a machine without any."""
    shutil.copytree(FIXTURES / "cli" / "topics" / "files", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MODELICAPATH", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    "address",
    [
        "Lib/Parts/Motor.mo::Motor",
        "Lib/Parts/Motor.mo::Lib.Parts.Motor",
        "Lib::Lib.Parts.Motor",
        "Lib/::Lib.Parts.Motor",
        "Lib/Parts::Lib.Parts.Motor",
        ".::Lib.Parts.Motor",
        "Lib.Parts.Motor",
    ],
)
def test_edits_by_all_forms(work: Path, address: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["get", f"{address}.k"]) == 0
    assert capfd.readouterr().out == "0.5\n"
    assert main(["set", f"{address}.k", "0.75", "-i"]) == 0
    assert "k = 0.75" in (work / "Lib" / "Parts" / "Motor.mo").read_text()
    assert main(["rename", address, "Drive", "-i"]) == 0
    assert "Parts.Drive left(k=1)" in (work / "Lib" / "Robot.mo").read_text()


@pytest.mark.parametrize("folder", ["Lib", "sub/deep"])
def test_the_library_around_this_folder_is_found(work: Path, folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    (work / "sub" / "deep").mkdir(parents=True)
    os.chdir(folder)
    code = main(["get", "Lib.Parts.Motor.k"])
    assert (code, capfd.readouterr().out) == ((0, "0.5\n") if folder == "Lib" else (4, ""))
    assert main(["get", f"{os.path.relpath(work)}::Lib.Parts.Motor.k"]) == 0


def test_a_file_or_folder_of_that_name_goes_first(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (work / "Lib.Parts").write_text("model Odd end Odd;")
    assert main(["show", "Lib.Parts"]) == 0
    assert capfd.readouterr().out == "model Odd\n"
    (work / "Lib.Parts").unlink()
    assert main(["show", "Lib.Parts"]) == 0
    assert "model Motor" in capfd.readouterr().out
    assert main(["get", "Lib.Parts.Motor.k", "--library", "nowhere"]) == 4
    assert "nowhere: no such file or folder" in capfd.readouterr().err


def test_a_library_that_is_named_goes_first(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(work / "Lib", work / "others" / "Lib")
    motor = work / "others" / "Lib" / "Parts" / "Motor.mo"
    motor.write_text(motor.read_text().replace("0.5", "0.25"))
    for place in ("others", "others/Lib"):
        assert main(["get", "Lib.Parts.Motor.k", "--library", place]) == 0
        assert capfd.readouterr().out == "0.25\n"


# ---------------------------------------------------------------- robots


@pytest.mark.parametrize("package", ["Robots/Arm", "Robots/Arm/package.mo", "Robots.Arm", ".::Robots.Arm"])
def test_the_package_of_a_robot(work: Path, package: str, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FIXTURES / "robots" / "updates" / "arm.urdf", work)
    (work / "Robots").mkdir()
    (work / "Robots" / "package.mo").write_text("package Robots\nend Robots;\n")
    assert main(["urdf", "build", "arm.urdf", "--into", "Robots", "--name", "Arm", "-q"]) == 0
    capfd.readouterr()
    assert main(["urdf", "status", "arm.urdf", "--package", package]) == 0
    assert main(["urdf", "status", "arm.urdf", "--package", package.replace("Arm", "Amr")]) == 4
    if "Robots.Arm" in package:
        assert "there is no package 'Amr' in 'Robots'; did you mean 'Arm'?" in capfd.readouterr().err


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Arm.mo::Arm.m", Address("Arm.mo", "Arm.m", None)),
        ("Arm.mo::Arm@experiment.StopTime", Address("Arm.mo", "Arm", "experiment.StopTime")),
        ("Arm.mo::Arm.'a@b'.c", Address("Arm.mo", "Arm.'a@b'.c", None)),
        ("Arm.mo::'a::b'", Address("Arm.mo", "'a::b'", None)),
        ("'a::b'.c", Address("", "'a::b'.c", None, is_bare=True)),
        ("C:\\models\\Arm.mo::Arm", Address("C:\\models\\Arm.mo", "Arm", None)),
        ("C:\\models\\Arm.mo", Address("C:\\models\\Arm.mo", "", None)),
        ("C:Arm.mo::Arm", Address("C:Arm.mo", "Arm", None)),
        ("gone/Arm.mo", Address("gone/Arm.mo", "", None)),
        ("Lib", Address("Lib", "", None)),
        ("Lib::", Address("Lib", "", None)),
        ("-", Address("-", "", None)),
        ("-::Arm", Address("-", "Arm", None)),
        ("Lib.Arm", Address("", "Lib.Arm", None, is_bare=True)),
        ("Lib.'a b'@Icon", Address("", "Lib.'a b'", "Icon", is_bare=True)),
        ("two::colons.mo::M", Address("two::colons.mo", "M", None)),
    ],
)
def test_the_parts_of_an_address(work: Path, text: str, parts: Address) -> None:
    (work / "two::colons.mo").write_text("model M end M;")
    assert parse_address(text) == parts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not an address: write FILE.mo::Class, FOLDER::Library.Class, or the full name"),
        ("a b", "is not an address"),
        ("Lib..A", "is not an address"),
        ("Lib.'a", "is not an address"),
        ("1Lib", "is not an address"),
        ("::", "'::' names no file: write FILE.mo::Class"),
        ("::Y", "'::Y' names no file: write FILE.mo::Y, or Y for a class of a library"),
        ("Lob.A", "there is no library 'Lob'; did you mean 'Lib'?"),
        ("empty::Lib.A", "empty is not a Modelica library: there is no package.mo in it, and no library"),
        (".::Lob.A", "there is no library 'Lob' in .; did you mean 'Lib'?"),
        ("x" * 5000, "there is no library 'xxx"),
        ("x" * 5000 + "::A", None),
    ],
)
def test_what_is_wrong_with_an_address(
    work: Path, text: str, said: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    (work / "empty").mkdir()
    if said is not None:
        with pytest.raises((CommandError, NoLibraryError)) as told:
            resolved(parse_address(text))
        assert said in str(told.value)
    for command in (["get"], ["show"], ["draw"], ["simulate"], ["fmi", "ros-params"], ["constraints", "pairs"]):
        assert main([*command, text]) in {2, 4}
        assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "new"),
    [
        (["draw", "Lib.Robot", "Lib/"], "write Lib/::Lib.Robot"),
        (["draw", "Lib.Robot", "Lib", "My Parts"], "write Lib::Lib.Robot --library 'My Parts'"),
        (["simulate", "Lib.Robot", "."], "write .::Lib.Robot"),
        (["fmi", "check", "Lib", "--model", "Lib.Robot", "--profile", "ros2"], "write Lib::Lib.Robot"),
        (["fmi", "shell", "Arm.mo", "--model", "Arm", "--flange", "a"], "write Arm.mo::Arm"),
        (["fmi", "ros-params", "Pack.mo", "--model", "Inner"], "write Pack.mo::Pack.Inner"),
        (["constraints", "sync", "Lib", "--model", "Lib.Robot"], "write Lib::Lib.Robot"),
        (["constraints", "check", "Lib", "--model", "Lib.Robot"], "write Lib::Lib.Robot"),
    ],
    ids=" ".join,
)
def test_old_spellings_say_the_new_one(
    work: Path, words: list[str], new: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (work / "Pack.mo").write_text("package Pack model Inner end Inner; end Pack;")
    assert main(words) == 2
    said = capfd.readouterr().err.rstrip()
    assert said.endswith(new)
    assert "is now one address" in said


@pytest.mark.parametrize("command", ["set", "fmi shell"])
def test_a_bare_name_changes_no_installed_library(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "installed" / "Arms.mo"
    library.parent.mkdir()
    library.write_text("package Arms\n  model Arm\n    parameter Real m = 1;\n  end Arm;\nend Arms;\n")
    before = library.read_bytes()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("MODELICAPATH", str(library.parent))
    words = {"set": ["set", "Arms.Arm.m", "2", "-i"], "fmi shell": ["fmi", "shell", "Arms.Arm", "--in-place"]}[command]
    assert main(words) == 4
    assert f"to change it, name its place, '{library}::" in capfd.readouterr().err
    assert library.read_bytes() == before
    assert main(["set", "Arms.Arm.m", "2"]) == 0  # a look at what would be
    assert main(["set", f"{library}::Arms.Arm.m", "2", "-i"]) == 0
    monkeypatch.chdir(library.parent)
    assert main(["set", "Arms.Arm.m", "3", "-i"]) == 0
    assert b"m = 3;" in library.read_bytes()


# ---------------------------------------------------------------- commands that take files


TWO = """package Two
  model Good
    parameter Real k = 1;
  end Good;
  model Bad
    parameter Real k = 1;
    Real r(unt="m");
  end Bad;
end Two;
"""


def test_one_class_of_a_file_is_checked_searched_rewritten_and_formatted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("Two.mo")
    file.write_text(TWO, encoding="utf-8")
    for good, bad in [("Two.mo::Two.Good", "Two.mo::Two.Bad"), ("Two.Good", "Two.Bad")]:
        assert main(["check", good]) == 0
        assert main(["check", bad]) == 1
        assert "Two.mo:7:12: error" in capfd.readouterr().out
        assert main(["check", good, "Two.mo"]) == 1, "the whole file is named too"
        capfd.readouterr()
        assert main(["grep", "parameter Real $k = $v", good]) == 0
        assert capfd.readouterr().out.count("\n") == 1
    assert main(["rewrite", "parameter Real $k = $v", "parameter Real $k = 2", "Two.Bad", "-i"]) == 0
    assert file.read_text(encoding="utf-8") == TWO.replace("k = 1;\n    Real r", "k = 2;\n    Real r")
    assert main(["format", "Two.mo::Two.Good", "-i"]) == 0
    changed = TWO.replace("k = 1;\n    Real r", "k = 2;\n    Real r").replace("k = 1;", "k=1;")
    assert file.read_text(encoding="utf-8") == changed
    capfd.readouterr()
    assert main(["check", "Two.Bod"]) != 0
    assert "no class 'Bod' in 'Two'; did you mean 'Bad'?" in capfd.readouterr().err


def test_a_package_of_a_library_is_all_of_its_files(anywhere: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = {}
    for address in ("Modelica.Thermal.HeatTransfer", anywhere / "Thermal/HeatTransfer"):
        assert main(["grep", "extends $T", str(address), "--json", "-q"]) == 0
        matches = json.loads(capfd.readouterr().out)["matches"]
        told[address] = sorted((match["file"], match["line"], match["text"]) for match in matches)
    first, second = told.values()
    assert first == second
    assert len(first) > 20
    # What is installed is looked at by its name, and changed only by its place.
    before = (anywhere / "Thermal/HeatTransfer/package.mo").read_bytes()
    assert main(["rewrite", "extends $T", "extends $T(k=1)", "Modelica.Thermal.HeatTransfer", "-i"]) != 0
    assert "is an installed library" in capfd.readouterr().err
    assert (anywhere / "Thermal/HeatTransfer/package.mo").read_bytes() == before


@pytest.mark.usefixtures("anywhere")
def test_types_of_patterns_are_looked_up_in_what_is_installed(capfd: pytest.CaptureFixture[str]) -> None:
    Path("A.mo").write_text("model A\n  Modelica.Units.SI.Length l;\n  Real x;\nend A;\n", encoding="utf-8")
    assert main(["grep", "$T $x", "A.mo", "--where", "x : Modelica.Units.SI.Length"]) == 0
    assert capfd.readouterr().out == "A.mo:2:3: Modelica.Units.SI.Length l;\n"


def test_a_file_by_itself_is_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MODELICAPATH", str(tmp_path))
    text = "package A\n  type E = enumeration(a, b);\n  model M\n    E e = E.b;\n    {} x;\n  end M;\nend A;\n"
    Path("A.mo").write_text(text.format("Beside"), encoding="utf-8")
    Path("Beside.mo").write_text("model Beside end Beside;\n", encoding="utf-8")
    assert main(["check", "A.mo"]) == 0
    assert main(["rename", "A.mo::A.E.b", "c", "-i"]) == 0
    assert Path("A.mo").read_text(encoding="utf-8") == text.format("Beside").replace("a, b", "a, c").replace(
        "E.b", "E.c"
    )
    Path("A.mo").write_text(text.format("Nowhere"), encoding="utf-8")
    capfd.readouterr()
    assert main(["check", "A.mo"]) == 1
    assert "'Nowhere' is not found" in capfd.readouterr().out
    assert main(["check", "A.mo", "--no-library"]) == 0, "who looks nowhere does not know"
