"""Bad libraries: one report with places, no crash, nothing written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from conftest import FIXTURES
from modelica_ast.library import Libraries, LibraryError
from modelica_ast.library.inspection import check_library

NOBODY = 65534
GOOD: Mapping[str, str] = {
    "Lib/package.mo": "within;\npackage Lib\n  constant Real c = 1;\nend Lib;\n",
    "Lib/package.order": "A\nSub\nc\n",
    "Lib/A.mo": 'within Lib;\nmodel A "See modelica://Lib.Sub.B and modelica://Lib/Resources/a.png"\nend A;\n',
    "Lib/Sub/package.mo": "within Lib;\npackage Sub\nend Sub;\n",
    "Lib/Sub/package.order": "B\n",
    "Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\nend B;\n",
    "Lib/Resources/a.png": "",
    "Lib/Resources/Scripts/x.mo": "no Modelica",
}

# A link in a comment is none.
LINKS = r"""within Lib;
model A
  // modelica://Lib.Gone
  annotation(Documentation(info="
    <a href=\"modelica://Lib.Gone#x\">a</a>
    <img src=\"modelica://Lib.Sub/Resources/no.png\">
    <a href=\"modelica://NotOpen.Class\">b</a>"));
end A;
"""


def write(folder: Path, files: Mapping[str, str | None]) -> None:
    """The good library with other files; None for a file that is not there."""
    for name, text in {**GOOD, **files}.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (content(path), path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def content(path: Path) -> bytes:
    """What is in a file, as far as this user may know."""
    try:
        return b"" if path.is_symlink() else path.read_bytes()
    except PermissionError:
        return b"secret"


def report(folder: Path, library: str = "Lib") -> list[str]:
    """`file:line: message` of each problem; the check must write nothing."""
    before = state(folder)
    problems = check_library(Libraries([folder / library]))
    assert state(folder) == before
    return [str(problem).replace(f"{folder}/", "") for problem in problems]


@pytest.fixture(autouse=True)
def _no_libraries_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MODELICAPATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def test_a_good_library_has_no_problems(tmp_path: Path) -> None:
    write(tmp_path, {})
    assert report(tmp_path) == []


def test_the_fixture_library_has_no_problems() -> None:
    assert check_library(Libraries([FIXTURES / "libraries" / "Machines", FIXTURES / "libraries" / "Units.mo"])) == []


@pytest.mark.parametrize(
    ("files", "problems"),
    [
        pytest.param(
            {"Lib/Sub/package.mo": None},
            [
                "Lib/A.mo:2: the link modelica://Lib.Sub.B leads nowhere: there is no class 'Lib.Sub.B'",
                "Lib/Sub: the folder has Modelica files and no package.mo; it is left out",
                "Lib/package.order:2: 'Sub' is not found in 'Lib'",
            ],
            id="no package.mo",
        ),
        pytest.param(
            {"Lib/package.order": "A\nGone\nc\n"},
            ["Lib/package.order: 'Sub' of 'Lib' is not named", "Lib/package.order:2: 'Gone' is not found in 'Lib'"],
            id="stale package.order",
        ),
        pytest.param(
            {"Lib/package.order": "A\nSub\nA\nc\n"},
            ["Lib/package.order:3: 'A' is named twice"],
            id="twice in package.order",
        ),
        pytest.param(
            {"Lib/package.mo": "within;\npackage Lib\n  constant Real c = 1;\n  model Own\n  end Own;\nend Lib;\n"},
            ["Lib/package.order: 'Own' of 'Lib' is not named"],
            id="a nested class is not in package.order",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib;\nmodel B\nend B;\n"},
            ["Lib/Sub/B.mo:1: it says 'within Lib;' and is in the folder of 'Lib.Sub'"],
            id="wrong within",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "model B\nend B;\n"},
            ["Lib/Sub/B.mo: 'within Lib.Sub;' is missing"],
            id="no within",
        ),
        pytest.param(
            {"Lib/package.mo": "within Other;\npackage Lib\n  constant Real c = 1;\nend Lib;\n"},
            [
                (
                    "Lib/package.mo:1: it says 'within Other;', but the library 'Other' is not among those that are "
                    "open (Lib); the file is the top of a library"
                )
            ],
            id="within at the top",
        ),
        pytest.param(
            {
                "Lib/Sub/B.mo": "within Lib.Sub;\n\nmodel Other\nend Other;\n",
                "Lib/A.mo": "within Lib;\nmodel A\nend A;\n",
            },
            ["Lib/Sub/B.mo:3: the class is called 'Other', but the file 'B'"],
            id="file and class name differ",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib.Sub;\nmodel b\nend b;\n", "Lib/A.mo": "within Lib;\nmodel A\nend A;\n"},
            ["Lib/Sub/B.mo:2: the class is called 'b', but the file 'B'; they differ only in case"],
            id="they differ by case",
        ),
        pytest.param(
            {"Lib/Sub/b.mo": "within Lib.Sub;\nmodel b\nend b;\n", "Lib/Sub/package.order": "B\nb\n"},
            ["Lib/Sub/b.mo: 'b' differs from 'B' only in case"],
            id="two files differ by case",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\nend B;\nmodel C\nend C;\n"},
            ["Lib/Sub/B.mo:4: 'C' is a second class in the file: only the first one counts"],
            id="two classes in a file",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib.Sub;\n", "Lib/A.mo": "within Lib;\nmodel A\nend A;\n"},
            ["Lib/Sub/B.mo: there is no class in it; 'B' is expected"],
            id="no class in a file",
        ),
        pytest.param(
            {"Lib/Sub/package.mo": "within Lib;\npackage Sub\n  model B\n  end B;\nend Sub;\n"},
            ["Lib/Sub/package.mo:3: class 'B' appears twice: here and in Lib/Sub/B.mo"],
            id="file and nested class",
        ),
        pytest.param(
            {"Lib/A/package.mo": "within Lib;\npackage A\nend A;\n"},
            ["Lib/A.mo: class 'A' already has a file: Lib/A/package.mo; this one is left out"],
            id="file and folder",
        ),
        pytest.param(
            {"Lib/A.mo": "within Lib;\nmodel A\n  model I\n  end I;\n  model I\n  end I;\nend A;\n"},
            ["Lib/A.mo:5: class 'I' appears twice in 'A'"],
            id="twice in one class",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\nend C;\n"},
            ["Lib/Sub/B.mo:3: class 'B' is closed by 'end C'"],
            id="end name",
        ),
        pytest.param(
            {"Lib/Sub/B.mo": "within Lib.Sub;\nmodel B\n  Real x y;\nend B;\n", "Lib/package.order": "A\nSub\nX\nc\n"},
            [
                "Lib/Sub/B.mo:3: expected ';' after component 'x', found 'y'",
                "Lib/package.order:3: 'X' is not found in 'Lib'",
            ],
            id="a file does not parse, the rest goes on",
        ),
        pytest.param(
            {"Lib/A.mo": LINKS},
            [
                "Lib/A.mo:5: the link modelica://Lib.Gone leads nowhere: there is no class 'Lib.Gone'",
                (
                    "Lib/A.mo:6: the link modelica://Lib.Sub/Resources/no.png leads "
                    "nowhere: there is no 'Resources/no.png' in Lib/Sub"
                ),
            ],
            id="links to nothing",
        ),
        pytest.param(
            {
                "Lib/package.mo": "within;\npackage Lib\n  constant Real c = 1;\n"
                '  annotation(uses(Gone(version="2.0"), Old));\nend Lib;\n',
                "Old 1.0.mo": "package Old\nend Old;\n",
            },
            ["Lib/package.mo:4: it uses the library 'Gone 2.0', which does not exist"],
            id="uses a library that is not there",
        ),
        pytest.param(
            {"Lib 1.0/package.mo": "package Lib\nend Lib;\n"},
            ["Lib: there is another 'Lib': Lib 1.0"],
            id="two versions",
        ),
    ],
)
def test_one_problem(tmp_path: Path, files: Mapping[str, str | None], problems: list[str]) -> None:
    write(tmp_path, files)
    assert report(tmp_path) == problems


def test_links_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, {})
    (tmp_path / "Lib" / "Sub" / "Back").symlink_to(tmp_path / "Lib", target_is_directory=True)
    (tmp_path / "Lib" / "Self.mo").symlink_to(tmp_path / "Lib" / "Self.mo")
    (tmp_path / "Lib" / "One").symlink_to(tmp_path / "Lib" / "Two")
    (tmp_path / "Lib" / "Two").symlink_to(tmp_path / "Lib" / "One")
    assert report(tmp_path) == [
        "Lib/One: the link leads nowhere, or to itself; it is left out",
        "Lib/Self.mo: the link leads nowhere, or to itself; it is left out",
        "Lib/Sub/Back: a link leads back to a folder around it; it is left out",
        "Lib/Two: the link leads nowhere, or to itself; it is left out",
    ]


@pytest.fixture
def of_nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the good library, and a user for whom permissions count, also if root runs the tests."""
    is_root = os.name == "posix" and os.geteuid() == 0
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        write(folder, {})
        if not is_root:
            yield folder
            return
        check_library(Libraries([folder / "Lib"]))  # all modules are imported before somebody else needs them
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        monkeypatch.setenv("HOME", str(folder))  # that of root is not to be looked into
        os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(0)


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        pytest.param("Lib/Sub/B.mo", ["Lib/Sub/B.mo: it can't be read: Permission denied"], id="file"),
        pytest.param("Lib/package.mo", ["Lib/package.mo: it can't be read: Permission denied"], id="top"),
        pytest.param(
            "Lib/Sub/package.order", ["Lib/Sub/package.order: it can't be read: Permission denied"], id="order"
        ),
        pytest.param(
            "Lib/Sub",
            [
                "Lib/A.mo:2: the link modelica://Lib.Sub.B leads nowhere: there is no class 'Lib.Sub.B'",
                "Lib/Sub: it can't be read: Permission denied",
                "Lib/package.order:2: 'Sub' is not found in 'Lib'",
            ],
            id="folder",
        ),
        pytest.param("Lib", ["Lib: it can't be read: Permission denied; it is left out"], id="library"),
    ],
)
def test_unreadable_files(of_nobody: Path, name: str, problems: list[str]) -> None:
    hidden = of_nobody / name
    mode = hidden.stat().st_mode
    hidden.chmod(0)
    try:
        if os.access(hidden, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
            pytest.skip("this user reads every file, whatever its permissions")
        assert report(of_nobody) == problems
    finally:
        hidden.chmod(mode)


def test_a_file_that_goes_away_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, {"Lib/A.mo": "within Lib;\nmodel A\nend A;\n"})
    libraries = Libraries([tmp_path / "Lib"])
    (tmp_path / "Lib" / "Sub" / "B.mo").unlink()
    assert [(p.path.name, p.message) for p in check_library(libraries)] == [
        ("B.mo", "it can't be read: No such file or directory")
    ]


def test_bytes_that_are_no_text_are_a_problem(tmp_path: Path) -> None:
    write(tmp_path, {"Lib/A.mo": "within Lib;\nmodel A\nend A;\n"})
    (tmp_path / "Lib" / "Sub" / "B.mo").write_bytes(bytes(range(256)) * 10)
    found = report(tmp_path)
    assert found
    assert all(line.startswith("Lib/Sub/B.mo:") for line in found)


def test_everything_at_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Lib/package.mo": "within X;\npackage Lib\n  model A\n  end A;\nend Lib;\n",
            "Lib/A.mo": "model a\nend a;\nmodel B\nend B;\n",
            "Lib/Sub/package.mo": "package Sub\n  Real x\nend Sub;\n",
            "Lib/Sub/B.mo": "((((",
        },
    )
    found = report(tmp_path)
    assert {line.split(":")[0] for line in found} == {
        "Lib/A.mo",
        "Lib/Sub/B.mo",
        "Lib/Sub/package.mo",
        "Lib/package.mo",
        "Lib/package.order",
    }


def test_an_edit_is_checked_before_it_is_saved(tmp_path: Path) -> None:
    write(tmp_path, {})
    libraries = Libraries([tmp_path / "Lib"])
    entry = libraries["Lib"].file_of("Lib.Sub.B")
    assert entry is not None
    libraries.document(entry).set_within("Lib")
    assert [problem.line for problem in check_library(libraries)] == [1]
    libraries.undo()
    assert check_library(libraries) == []


# ---------------------------------------------------------------- several libraries


def opened(folder: Path, *names: str, read_only: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """(names of the libraries that are open, what is wrong); nothing may be written."""
    before = state(folder)
    libraries = Libraries([folder / name for name in names], read_only=[folder / name for name in read_only])
    check_library(libraries)
    assert state(folder) == before
    problems = [str(problem).replace(f"{folder}/", "") for problem in libraries.problems]
    return [str(library.path.relative_to(folder)) for library in libraries], problems


def test_what_is_no_library_is_left_out_and_the_rest_is_open(tmp_path: Path) -> None:
    write(tmp_path, {"Bad/A.mo": "model A\nend A;\n", "notes.txt": "", "Empty/x": ""})
    (tmp_path / "Loop").symlink_to(tmp_path / "Loop")
    assert opened(tmp_path, "Bad", "Lib", "notes.txt", "Empty", "Loop") == (
        ["Lib"],
        [
            "Bad: it is not a Modelica library: it has no package.mo; it is left out",
            "notes.txt: it is not a Modelica library: its name does not end in .mo; it is left out",
            "Empty: it is not a Modelica library: it has no package.mo; it is left out",
            "Loop: it is a link that leads nowhere, or to itself; it is left out",
        ],
    )
    assert opened(tmp_path, "Bad")[0] == []
    with pytest.raises(LibraryError, match="no library is open for writing"):
        Libraries([tmp_path / "Bad"]).save()


def test_a_path_that_leads_to_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="there is no such file or folder"):
        Libraries([tmp_path / "Gone"])


def test_of_two_versions_the_first_one_is_open(tmp_path: Path) -> None:
    write(tmp_path, {"Lib 2.0.mo": "package Lib\n  model New\n  end New;\nend Lib;\n"})
    there = "there is another 'Lib', which is open"
    assert opened(tmp_path, "Lib", "Lib 2.0.mo") == (["Lib"], [f"Lib 2.0.mo: {there}: Lib; this one is left out"])
    assert opened(tmp_path, "Lib 2.0.mo", "Lib") == (
        ["Lib 2.0.mo"],
        [f"Lib: {there}: Lib 2.0.mo; this one is left out"],
    )
    # Those that may be written come before those that are only looked at.
    assert opened(tmp_path, "Lib 2.0.mo", read_only=["Lib"])[0] == ["Lib 2.0.mo"]
    assert opened(tmp_path, "Lib", "Lib/package.mo") == (["Lib"], ["Lib: 'Lib' is given twice"])
    libraries = Libraries([tmp_path / "Lib 2.0.mo", tmp_path / "Lib"])
    assert libraries.find_class("Lib.New").kind == "model"
    # One problem for it, though it is beside the other one too.
    assert [problem.path.name for problem in check_library(libraries)] == ["Lib"]


@pytest.mark.corpus
def test_the_standard_library_is_in_order(msl: Path) -> None:
    found = check_library(Libraries([], read_only=[msl]))
    # Not everybody installs its pictures, and some have it in several versions.
    assert [p for p in found if "/Resources/" not in p.message and "there is another" not in p.message] == []
