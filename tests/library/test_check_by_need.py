"""The check of some files of a library: it finds what the check of all finds in them, and reads what names lead to."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast import Source, parse_expression
from modelica_ast.cli import main
from modelica_ast.library import Libraries
from modelica_ast.rules import Finding, check_libraries

parsing = importlib.import_module("modelica_ast.tree.roots")  # its function `parse` has the same name
LIBRARIES = sorted(path.parent for path in (FIXTURES / "rules").glob("*/Lib/package.mo"))

STANDARD_FILES = [
    "Units.mo",
    "Blocks/package.mo",
    "Blocks/Continuous.mo",
    "Fluid/Vessels.mo",
    "Fluid/Pipes.mo",
    "Mechanics/MultiBody/Parts/Body.mo",
    "Media/package.mo",
    "Electrical/Analog/Basic/Resistor.mo",
]


def library(folder: Path, files: dict[str, str]) -> Path:
    """A library `Lib` of some files; the package of each folder is there."""
    for name, text in {"package.mo": "package Lib\nend Lib;\n", **files}.items():
        path = folder / "Lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        within = ".".join(path.relative_to(folder).parts[: -2 if path.name == "package.mo" else -1])
        path.write_text(f"within {within};\n{text}")
    return folder / "Lib"


def by_file(findings: Collection[Finding]) -> dict[Path | None, list[Finding]]:
    """What was found in each file; a library that is not open is reported once in a check, so not for each file."""
    found: dict[Path | None, list[Finding]] = {}
    for finding in findings:
        if finding.code != "library-not-open":
            found.setdefault(finding.path, []).append(finding)
    return found


def judge_each(open_libraries: Callable[[], Libraries], files: Collection[Path] | None = None) -> int:
    """Check files one by one in libraries of their own, and one after another in the same ones; how much is found."""
    whole = by_file(check_libraries(open_libraries()))
    shared = open_libraries()
    own = [entry.path for each, entry in shared.files() if not each.read_only] if files is None else files
    for _ in range(2):
        for file in own:
            assert by_file(check_libraries(shared, files={file})).get(file) == whole.get(file), file
    for file in own:
        assert by_file(check_libraries(open_libraries(), files={file})).get(file) == whole.get(file), file
    return sum(len(whole.get(file, [])) for file in own)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """The files that were parsed, whoever asked for it."""
    found: set[Path] = set()

    read = parsing.read

    def following(source: Source, **options: bool) -> object:
        if source.path is not None:
            found.add(Path(source.path))
        return read(source, **options)

    monkeypatch.setattr(parsing, "read", following)
    return found


# ---------------------------------------------------------------- the same is found


@pytest.mark.parametrize("folder", LIBRARIES, ids=lambda folder: folder.parent.name)
def test_a_file_by_itself_breaks_the_same_rules(folder: Path) -> None:
    judge_each(lambda: Libraries([folder]))


@pytest.mark.parametrize(
    ("files", "count"),
    [
        pytest.param(
            {"A.mo": "model A\nprotected\n  Real x;\nend A;\n", "B.mo": "model B\n  extends A;\nend B;\n"},
            0,
            id="extended",
        ),
        pytest.param(
            {"A.mo": "model A\nprotected\n  Real x;\nend A;\n", "B.mo": "model B\n  A extends_A = f(A);\nend B;\n"},
            2,
            id="named but not extended",
        ),
        pytest.param(
            {
                "A.mo": "model A\nprotected\n  Real x;\nend A;\n",
                "B.mo": "model B\n  extends // not (Other)\n    Lib /* = */ . A;\nend B;\n",
            },
            0,
            id="extended with comments between",
        ),
        pytest.param(
            {"A.mo": "model A\nprotected\n  Real x;\nend A;\n", "B.mo": "model B = Lib.A;\n"},
            0,
            id="a short class",
        ),
        pytest.param(
            {
                "A.mo": "model A\nprotected\n  Real x;\nend A;\n",
                "Sub/package.mo": "package Sub\n  import Z = Lib.A;\nend Sub;\n",
                "Sub/B.mo": "model B\n  extends Z;\nend B;\n",
            },
            0,
            id="extended by another name",
        ),
        pytest.param(
            {
                "A.mo": "model A\nprotected\n  Real x;\nend A;\n",
                "Sub/package.mo": "package Sub\n  import Lib.{Z = A};\nend Sub;\n",
                "Sub/B.mo": "model B\n  Z z;\nend B;\n",
            },
            2,  # such an import is obsolete
            id="imported by another name, not extended",
        ),
        pytest.param(
            {
                "A.mo": "model A\n  B b(gone = 1, m = 2);\nend A;\n",
                "B.mo": "model B\n  Real m;\n  Real x = ;\nend B;\n",
            },
            1,
            id="beside a file that does not parse",
        ),
        pytest.param(
            {"A.mo": "model A\n  Real x = Gone.y;\nend A;\n", "package.mo": "package Lib\n"},
            1,
            id="in a package that does not parse",
        ),
    ],
)
def test_what_others_say_about_a_class(tmp_path: Path, files: dict[str, str], count: int) -> None:
    folder = library(tmp_path, files)
    assert judge_each(lambda: Libraries([folder])) == count


def test_a_library_of_one_file(tmp_path: Path) -> None:
    for name in ("Lib.mo", "Lib 2.0.mo"):
        (tmp_path / name).write_text("package Lib\n  model A\n    B b;\n  end A;\nend Lib;\n")
    assert judge_each(lambda: Libraries([tmp_path / "Lib.mo"])) == 2


def test_an_edit_is_seen_by_the_next_check(tmp_path: Path) -> None:
    folder = library(
        tmp_path, {"A.mo": "model A\n  B b(n = 1);\nend A;\n", "B.mo": "model B\n  parameter Real m = 1;\nend B;\n"}
    )
    libraries = Libraries([folder])
    file = folder / "A.mo"

    def codes() -> list[str]:
        return [finding.code for finding in check_libraries(libraries, files={file})]

    assert codes() == codes() == ["unknown-modifier"]
    libraries.find_class("Lib.B").add_component("Real", "n")
    assert codes() == []
    libraries.find_class("Lib.A").find_component("b").set("n", parse_expression("gone"))
    assert codes() == ["unknown-reference"]
    libraries.undo()
    libraries.undo()
    assert codes() == ["unknown-modifier"]


def test_a_check_that_is_interrupted_keeps_no_look_up(tmp_path: Path) -> None:
    folder = library(tmp_path, {"A.mo": "model A\n  Gone x;\nend A;\n"})
    libraries = Libraries([folder])

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_libraries(libraries, files={folder / "A.mo"}, progress=interrupt)
    assert libraries.memory.checked is None
    assert [finding.code for finding in check_libraries(libraries, files={folder / "A.mo"})] == ["unknown-type"]


# ---------------------------------------------------------------- little is read


def test_a_lone_file_of_a_large_package_is_nearly_all_that_is_parsed(tmp_path: Path, parsed: set[Path]) -> None:
    others = {f"M{i}.mo": f"model M{i}\n  // like A\n  A a;\n  extends M{i + 1};\nend M{i};\n" for i in range(50)}
    text = 'model A\n  Real y;\nprotected\n  Real x;\n  annotation(Documentation(info="modelica://Lib.M7"));\nend A;\n'
    folder = library(tmp_path, {"A.mo": text, **others})
    libraries = Libraries([folder])
    assert [finding.code for finding in check_libraries(libraries, files={folder / "A.mo"})] == ["unused-protected"]
    assert parsed == {folder / "A.mo", folder / "package.mo", folder / "M7.mo"}
    parsed.clear()
    check_libraries(libraries, files={folder / "A.mo"})
    assert not parsed


def test_after_an_edit_no_other_file_is_parsed(tmp_path: Path, parsed: set[Path]) -> None:
    folder = library(
        tmp_path,
        {"A.mo": "model A\n  parameter Real x;\n  B b;\nend A;\n", "B.mo": "model B\n  C c;\nend B;\n"}
        | {"C.mo": "model C\nend C;\n"},
    )
    libraries = Libraries([folder])
    assert check_libraries(libraries, files={folder / "A.mo"}) == []
    libraries.find_class("Lib.A").find_component("x").set("", parse_expression("1"))
    parsed.clear()
    assert check_libraries(libraries, files={folder / "A.mo"}) == []
    assert parsed == {folder / "A.mo"}


def test_the_command_reads_what_names_lead_to(msl: Path, parsed: set[Path], capsys: pytest.CaptureFixture[str]) -> None:
    for name, most in {"Units.mo": 15, "Mechanics/MultiBody/Parts/Body.mo": 60, "Fluid/Vessels.mo": 30}.items():
        parsed.clear()
        main(["check", "--quiet", str(msl / name)])
        assert len(parsed) <= most, (name, len(parsed))
    assert "error" not in capsys.readouterr().out


@pytest.mark.corpus
def test_files_of_the_standard_library_by_themselves(msl: Path) -> None:
    beside = [path for path in sorted(msl.parent.iterdir()) if path.name.startswith(("ModelicaServices", "Complex"))]
    judge_each(lambda: Libraries([msl], read_only=beside), [msl / name for name in STANDARD_FILES])
