"""The static rules: what each of them finds, and what it leaves alone.

A case is `fixtures/rules/CODE-WHAT/`: a `before.mo`, or a library `Lib/`, and in `expected.txt` a line for each
finding. `pytest --update-expected tests/rules/test_rules.py` writes down what is found now; read it before you keep it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from conftest import FIXTURES, ROOT, Expected
from modelica_ast import parse, parse_expression, parse_file
from modelica_ast.edit import Document
from modelica_ast.library import Libraries, open_with_uses
from modelica_ast.rules import RULES, Finding, check_document, check_libraries
from modelica_ast.rules.class_text import ANNOTATION_ENUMERATIONS, TOOL_NAMES
from modelica_ast.semantics.definitions import BUILTIN_FUNCTIONS

CASES = FIXTURES / "rules"
NAMES = sorted(path.name for path in CASES.iterdir())


def code_of(case: str) -> str:
    """The rule that a case is about: the longest code that its name starts with."""
    return max((code for code in RULES if case.startswith(code + "-")), key=len)


def found_in(case: str) -> str:
    folder = CASES / case
    if (folder / "before.mo").exists():
        findings = check_document(parse_file(folder / "before.mo", recover=True))
    else:
        findings = check_libraries(Libraries([folder / "Lib"]))
    return "".join(line(finding, folder) + "\n" for finding in findings)


def line(finding: Finding, folder: Path) -> str:
    assert finding.path is not None
    file = "" if finding.path.name == "before.mo" else f"{finding.path.relative_to(folder).as_posix()}:"
    message = finding.message.replace(str(folder), "FOLDER")
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{file}{finding.line}:{finding.column} {finding.code} {message}{hint}"


@pytest.mark.parametrize("case", NAMES)
def test_case(case: str, expected: Expected) -> None:
    expected.file(CASES / case / "expected.txt", found_in(case))


@pytest.mark.parametrize("case", NAMES)
def test_a_bad_case_breaks_its_rule_and_a_good_one_does_not(case: str) -> None:
    expected = (CASES / case / "expected.txt").read_text(encoding="utf-8")
    assert (f" {code_of(case)} " in expected) is ("-good" not in case)


def test_every_rule_has_cases() -> None:
    tested = {code_of(case) for case in NAMES}
    # A file that can't be read is not a fixture; it has a test of its own below.
    assert set(RULES) - tested == {"unreadable"}


def test_the_documentation_lists_the_rules() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| ([\w.]*) ?\| (.*) \|$", text, re.MULTILINE)
    assert rows == [(rule.code, rule.severity, rule.section, rule.sentence) for rule in RULES.values()]


# ---------------------------------------------------------------- how it is asked


def test_rules_can_be_chosen() -> None:
    tree = parse("model A\n  Real x;\n  Real x(start=1, start=2);\nend A;\n")
    assert [finding.code for finding in check_document(tree)] == ["duplicate-name", "duplicate-modifier"]
    assert [finding.code for finding in check_document(tree, rules={"duplicate-modifier"})] == ["duplicate-modifier"]
    assert check_document(tree, rules=[]) == []
    with pytest.raises(ValueError, match="there is no rule 'duplicate'"):
        check_document(tree, rules=["duplicate"])


def test_a_finding_knows_its_place() -> None:
    text = "model A\n  Real x = 2 * nothing;\nend A;\n"
    (finding,) = check_document(parse(text, path="A.mo"))
    assert (finding.path, finding.line, finding.column, finding.severity) == (Path("A.mo"), 2, 16, "error")
    assert text[finding.offset : finding.end] == "nothing"
    assert str(finding) == "A.mo:2:16: error: 'nothing' is not found [unknown-reference]"


def test_a_document_is_checked_as_it_is_now() -> None:
    document = Document("model A\n  Real x = 1;\nend A;\n")
    assert check_document(document) == []
    document.find_class("A").find_component("x").set("", parse_expression("y"))
    assert [finding.message for finding in check_document(document)] == ["'y' is not found"]


def test_a_document_sees_the_libraries_that_are_given(tmp_path: Path) -> None:
    (tmp_path / "Parts.mo").write_text("package Parts\n  model Body\n    Real m;\n  end Body;\nend Parts;\n")
    tree = parse("model Arm\n  Parts.Body body(n=1);\n  Parts.Bodi other;\nend Arm;\n")
    assert [finding.code for finding in check_document(tree)] == ["library-not-open"]
    known = check_document(tree, libraries=Libraries([tmp_path / "Parts.mo"]))
    assert [finding.code for finding in known] == ["unknown-modifier", "unknown-type"]


def test_a_file_of_a_library_is_checked_in_its_place() -> None:
    folder = CASES / "unknown-type-across-files" / "Lib"
    libraries = Libraries([], read_only=[folder])
    in_place = check_document(parse_file(folder / "Arm.mo"), libraries=libraries)
    whole = check_libraries(Libraries([folder]), files=[folder / "Arm.mo"])
    assert [finding.line for finding in in_place] == [finding.line for finding in whole]
    assert {finding.code for finding in whole} >= {"unknown-type", "unknown-modifier", "unknown-reference"}


def test_a_package_that_a_file_says_it_is_in_and_that_is_not_there(tmp_path: Path) -> None:
    lib = tmp_path / "Lib.mo"
    lib.write_text("package Lib\n  package Sub\n  end Sub;\nend Lib;\n")
    libraries = Libraries([], read_only=[lib])
    tree = parse("within Lib.Gone;\nmodel A\n  Real x = y;\nend A;\n")
    assert [(finding.code, finding.message) for finding in check_document(tree, libraries=libraries)] == [
        ("within", f"it says 'within Lib.Gone;', but there is no 'Gone' in 'Lib' ({lib})")
    ]
    assert check_document(parse("within Lib.Sub;\nmodel A\nend A;\n"), libraries=libraries) == []
    lib.write_text("package Lib\n  package Sub\nend Lib;\n")
    assert check_document(tree, libraries=Libraries([], read_only=[lib])) == []  # nobody knows what is in there


def test_tools_have_names_of_their_own() -> None:
    assert {"createPlot", "simulateModel", "LinePattern", "TextAlignment"} <= TOOL_NAMES["dymola"]
    assert "loadModel" in TOOL_NAMES["openmodelica"]
    # What the specification has is not a matter of tools.
    for tool, names in TOOL_NAMES.items():
        assert not names & BUILTIN_FUNCTIONS, tool
    assert ANNOTATION_ENUMERATIONS["Smooth"] == ("None", "Bezier")


def test_names_that_a_tool_knows() -> None:
    folder = CASES / "unknown-type-of-tools" / "Lib"

    def nowhere(*tools: str) -> list[str]:
        return [finding.message for finding in check_libraries(Libraries([folder]), tools=tools)]

    assert nowhere("dymola") == ["'loadModel' is not found", "'nothing' is not found"]
    assert nowhere("dymola", "openmodelica") == ["'nothing' is not found"]
    assert {"'LinePattern' is not found", "'simulateModel' is not found"} <= set(nowhere("openmodelica"))
    tree = parse_file(folder / "package.mo")
    assert [finding.message for finding in check_document(tree, tools=["dymola"])] == ["'nothing' is not found"]
    with pytest.raises(ValueError, match="no list of names for 'other'; there is dymola, openmodelica"):
        check_document(tree, tools=["other"])


def test_names_that_lead_out_of_all_libraries(tmp_path: Path) -> None:
    """A dotted name may lead into a library that is used and not open; if all are open, it is not found."""
    parts = tmp_path / "Parts.mo"
    parts.write_text("package Parts\n  model Body\n  end Body;\nend Parts;\n")
    lib = tmp_path / "Lib.mo"
    model = "model Arm\n    Parts.Body body;\n    Others.Body other;\n    Real x = Others.pi;\n  end Arm;"
    lib.write_text(f'package Lib\n  {model}\n  annotation(uses(Parts(version="1.0")));\nend Lib;\n')
    chosen = {"unknown-type", "unknown-reference", "library-not-open"}
    every = check_libraries(Libraries([lib], read_only=[parts]), rules=chosen)
    assert [(finding.line, finding.message) for finding in every] == [
        (4, "'Others' is not found"),
        (5, "'Others' is not found"),
    ]
    without = check_libraries(Libraries([lib]), rules=chosen)
    assert [(finding.line, finding.code) for finding in without] == [(3, "library-not-open"), (4, "library-not-open")]


def test_read_only_libraries_are_not_judged() -> None:
    folder = CASES / "unknown-type-across-files" / "Lib"
    assert check_libraries(Libraries([], read_only=[folder])) == []


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    lib = tmp_path / "Lib"
    lib.mkdir()
    (lib / "package.mo").write_text("within;\npackage Lib\nend Lib;\n")
    (lib / "A.mo").write_text("within Lib;\nmodel A\nend A;\n")
    (lib / "B.mo").write_text("within Lib;\nmodel B\n  A a;\n  extends A;\n  Real y = x;\nend B;\n")
    libraries = Libraries([lib])
    (lib / "A.mo").unlink()
    assert [(f.code, f.path) for f in check_libraries(libraries)] == [("unreadable", lib / "A.mo")]


def test_used_libraries_are_opened_in_the_right_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELICAPATH", str(tmp_path / "libraries"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for version, unchanged in {"1.0": "", "2.0": ', conversion(noneFromVersion="1.5")'}.items():
        folder = tmp_path / "libraries" / f"Parts {version}"
        folder.mkdir(parents=True)
        (folder / "package.mo").write_text(
            f'package Parts\n  annotation(version="{version}"{unchanged});\nend Parts;\n'
        )
    for used, taken in {"1.0": "Parts 1.0", "1.5": "Parts 2.0", "2.0": "Parts 2.0", "3.0": "Parts 2.0"}.items():
        (tmp_path / "Arm.mo").write_text(f'package Arm\n  annotation(uses(Parts(version="{used}")));\nend Arm;\n')
        opened = open_with_uses([tmp_path / "Arm.mo"]).get("Parts")
        assert (opened.path.name if opened is not None else None) == taken
    assert open_with_uses([tmp_path / "Arm.mo"], search=False).get("Parts") is None


def test_progress_is_told_for_each_file() -> None:
    calls: list[tuple[int, int]] = []
    folder = CASES / "unknown-type-across-files" / "Lib"
    check_libraries(Libraries([folder]), progress=lambda done, total, _: calls.append((done, total)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


# ---------------------------------------------------------------- inputs that nobody writes


@pytest.mark.parametrize(
    "text",
    [
        "model A extends A; Real x = y; end A;",
        "model A extends B; end A; model B extends A; Real x = z; end B;",
        "package A import A.*; extends A.B; package B extends A; end B; end A;",
        "model A = B; model B = A; model C extends A(x=1); A a(y=2); end C;",
        "package P replaceable package M = M; M.N n; end P;",
        "model A A a; Real x = a.a.a.a.b; end A;",
        "within A.B; model C extends C; end C;",
        "model A end A; model A end A;",
        "",
    ],
)
def test_circles_end(text: str) -> None:
    for finding in check_document(parse(text)):
        assert finding.code in RULES


def test_deep_inputs_end() -> None:
    depth = 3000
    nested = "".join(f"package P{i} " for i in range(depth)) + "".join(f"end P{i}; " for i in range(depth - 1, -1, -1))
    assert check_document(parse(nested)) == []
    assert check_document(parse("model A Real x = " + "(" * depth + "1" + ")" * depth + "; end A;")) == []
    chain = "".join(f"package A{i} extends A{i + 1}.X; end A{i}; " for i in range(depth))
    assert check_document(parse(f"package P {chain} end P;")) != []


@pytest.mark.slow
def test_many_components() -> None:
    lines = "".join(f"  Real x{i} = x{i - 1};\n  B b{i}(x(start=1));\n" for i in range(1, 5001))
    before = "package P\nmodel B\nReal x;\nend B;\nmodel A\n  Real x0 = time;\n"
    text = f"{before}{lines}equation\n  x1 = nothing;\nend A;\nend P;\n"
    assert [finding.message for finding in check_document(parse(text))] == ["'nothing' is not found"]


# ---------------------------------------------------------------- the Standard Library


@pytest.mark.corpus
def test_the_standard_library_breaks_no_rule(msl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beside = [path for path in sorted(msl.parent.iterdir()) if path.name.startswith(("ModelicaServices", "Complex"))]
    findings = check_libraries(Libraries([msl, *beside]))
    counts = Counter(finding.code for finding in findings)
    with capsys.disabled():
        sys.stdout.write("\n" + "".join(f"{code}: {number}\n" for code, number in counts.most_common()))
    # Some copies of the library come without pictures. What is not used is not wrong.
    assert set(counts) <= {"broken-link", "unused-import", "unused-protected"}
    assert counts["unused-import"] < 200
    assert counts["unused-protected"] < 200
