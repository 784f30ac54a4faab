"""modelica-patch, run as a process, as people and pipelines run it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import jsonschema
import pytest

from conftest import FIXTURES
from modelica_ast.cli import main
from served_command import INSTALLED, program

# What SARIF 2.1.0 requires of a log, its runs and their results.
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {"type": "array", "items": {"type": "object", "required": ["id"]}}
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "level", "message", "locations"],
                            "properties": {
                                "level": {"enum": ["error", "warning", "note", "none"]},
                                "message": {"type": "object", "required": ["text"]},
                                "locations": {
                                    "type": "array",
                                    "minItems": 1,
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation", "region"],
                                                "properties": {
                                                    "artifactLocation": {"type": "object", "required": ["uri"]},
                                                    "region": {
                                                        "type": "object",
                                                        "required": ["startLine"],
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def modelica_patch(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=cwd, timeout=300
    )


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "Arm.mo"
    path.write_text(
        'within Lib;\nmodel Arm "a robot"\n  extends Base(n=2);\n  parameter Real m = 1.5 "mass";\n'
        "  Body body(m=m) if m > 0;\n"
        "protected\n  Real x[3];\nequation\n  connect(body.frame_a, world.frame_b);\n  annotation (Icon());\nend Arm;\n"
    )
    return path


def test_help_teaches() -> None:
    ran = modelica_patch("--help")
    assert ran.returncode == 0
    assert "examples:" in ran.stdout
    assert "exit codes:" in ran.stdout
    assert modelica_patch("check", "--help").returncode == 0


def test_version() -> None:
    assert modelica_patch("--version").stdout.startswith("modelica-patch ")


def test_wrong_usage_is_exit_code_2() -> None:
    assert modelica_patch().returncode == 2
    assert modelica_patch("paint").returncode == 2


def test_check_of_a_good_file(arm: Path) -> None:
    ran = modelica_patch("check", "Arm.mo", cwd=arm.parent)
    assert (ran.returncode, ran.stderr) == (0, "")
    # It says 'within Lib;', and stands alone.
    note, hint, summary = ran.stdout.splitlines()
    assert note.startswith("Arm.mo:1:1: note: the library 'Lib' is not among those that are open")
    assert (hint, summary) == ("  hint: give the folder of 'Lib'", "1 file, 0 errors, 0 warnings, 1 note")
    assert modelica_patch("check", "--no-warnings", arm).stdout == "1 file, 0 errors, 0 warnings\n"


def test_check_reports_every_broken_class_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\n  Real x\nend A;\nmodel B end B;\nmodel C\n  Real = 1;\nend C;\n")
    ran = modelica_patch("check", "A.mo", cwd=tmp_path)
    assert ran.returncode == 1
    assert (
        "A.mo:2:9: error: expected ';' after component 'x', found 'end' [syntax]\n2 |   Real x\n  |         ^\n"
        in ran.stdout
    )
    assert "A.mo:6:8: error: expected a name, found '='" in ran.stdout
    assert ran.stdout.endswith("1 file, 2 errors, 0 warnings\n")


def test_check_of_a_folder_with_warnings() -> None:
    # These files show syntax; most of the names in them are not found, and nothing in them is used.
    ran = modelica_patch("check", "--select", "syntax,obsolete", FIXTURES / "modelica")
    assert ran.returncode == 0
    assert "warning: 'extends' as a constraint is Modelica 2" in ran.stdout
    quiet = modelica_patch("check", "--no-warnings", FIXTURES / "modelica")
    assert "error:" in quiet.stdout
    assert "warning:" not in quiet.stdout


def test_check_as_json(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\n  Real x\nend A;\n")
    ran = modelica_patch("check", "--json", tmp_path)
    found = json.loads(ran.stdout)
    assert ran.returncode == 1
    assert found["files"] == 1
    assert found["findings"][0]["severity"] == "error"
    assert (found["findings"][0]["line"], found["findings"][0]["column"]) == (2, 9)


def test_check_as_sarif(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\n  Real x;\n  Real x = nothing;\nend A;\n")
    ran = modelica_patch("check", "--format", "sarif", "A.mo", cwd=tmp_path)
    found = json.loads(ran.stdout)
    jsonschema.validate(found, SARIF)
    results = found["runs"][0]["results"]
    rules = found["runs"][0]["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in results] == ["duplicate-name", "unknown-reference"]
    assert [result["ruleId"] for result in results] == ["duplicate-name", "unknown-reference"]


def test_check_in_several_processes_finds_the_same(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"A{number}.mo").write_text(f"model A{number}\n  Real x = nothing{number};\nend A{number};\n")
    one = modelica_patch("check", tmp_path)
    several = modelica_patch("check", "--jobs", "2", tmp_path)
    assert one.stdout.count("[unknown-reference]") == 20
    assert (several.returncode, several.stdout) == (one.returncode, one.stdout)


def test_check_with_the_names_of_a_tool(tmp_path: Path) -> None:
    library = tmp_path / "Lib"
    library.mkdir()
    body = "  input LinePattern x = LinePattern.Solid;\n  output Boolean ok = simulateModel();\n"
    (library / "package.mo").write_text("within;\npackage Lib\nend Lib;\n")
    (library / "draw.mo").write_text(f"within Lib;\nfunction draw\n{body}end draw;\n")
    (tmp_path / "alone.mo").write_text(f"function alone\n{body}  output Boolean too = loadModel(x);\nend alone;\n")
    (tmp_path / "other.mo").write_text("function other\n  output Boolean ok = nothing.x;\nend other;\n")
    without = modelica_patch("check", library)
    assert without.returncode == 1
    assert without.stdout.count("hint: not in Modelica, but dymola has it: --tool dymola") == 3
    assert modelica_patch("check", "--tool", "dymola", library).returncode == 0
    both = ("--tool", "dymola", "--tool", "openmodelica")
    assert modelica_patch("check", *both, "--quiet", tmp_path / "alone.mo").stdout == ""
    assert modelica_patch("check", *both, "--jobs", "2", tmp_path).stdout.count("error:") == 1
    wrong = modelica_patch("check", "--tool", "other", library)
    assert wrong.returncode == 2
    assert "argument --tool: invalid choice: 'other' (choose from 'dymola', 'openmodelica')" in wrong.stderr


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    ran = modelica_patch("check", tmp_path / "nothing.mo", tmp_path)
    assert ran.returncode == 4
    assert "nothing.mo: no such file or folder" in ran.stderr
    assert "no .mo file in this folder" in ran.stderr
    assert modelica_patch("show", tmp_path / "nothing.mo").returncode == 4


def test_no_input_ends_in_a_traceback(tmp_path: Path) -> None:
    for name, data in {
        "nul.mo": b"\0" * 100,
        "utf16.mo": "model A end A;".encode("utf-16"),
        "random.mo": bytes(range(256)) * 10,
        "deep.mo": b"model A Real x = " + b"(" * 30_000,
        "empty.mo": b"",
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        for command in ("check", "show"):
            ran = modelica_patch(command, path)
            # What a check finds is its result; for the others it is input that can't be parsed.
            assert ran.returncode == (0 if name == "empty.mo" else 1 if command == "check" else 4), (name, command)
            assert "Traceback" not in ran.stderr
            assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 20_000, " is nested too deep"),
        ("[" * 500 + "]" * 500, " is nested too deep"),
        ("1" * 5_000, ": a number has too many digits to be read"),
        ("{,}", ":1:2: this is not JSON"),
        ('{"op": 1, "op": 2}', ": the key 'op' appears twice"),
    ],
)
def test_operations_that_no_json_reader_takes(arm: Path, text: str, problem: str) -> None:
    ran = modelica_patch("patch", arm, "--operation", text)
    piped = subprocess.run(
        [INSTALLED, "patch", str(arm), "-"], input=text, capture_output=True, text=True, check=False, timeout=300
    )
    for done, where in ((ran, "--operation"), (piped, "standard input")):
        assert (done.returncode, done.stdout) == (4, "")
        assert done.stderr.startswith(f"modelica-patch: {where}{problem}")
        assert done.stderr.count("\n") == 1


def test_a_patch_from_standard_input_that_is_no_text(arm: Path) -> None:
    ran = subprocess.run(
        [INSTALLED, "patch", str(arm), "-"], input=b"[\xff]", capture_output=True, check=False, timeout=300
    )
    assert (ran.returncode, ran.stderr) == (4, b"modelica-patch: standard input is not UTF-8: byte 1\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(arm: Path, closed: str) -> None:
    script = f'"$1" set "$2" 7 --in-place --diff {closed} && "$1" show "$3" {closed}'
    ran = subprocess.run(
        ["/bin/sh", "-c", script, "sh", INSTALLED, f"{arm}::Lib.Arm.m", str(arm)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert "Real m = 7 " in arm.read_text()


def test_show(arm: Path) -> None:
    ran = modelica_patch("show", arm)
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        'model Arm  "a robot"',
        "  extends Base(n=2)",
        '  parameter Real m = 1.5  "mass"',
        "  Body body(m=m) if m > 0",
        "  protected Real x[3]",
        "  connect(body.frame_a, world.frame_b)",
    ]


def test_show_one_class() -> None:
    path = FIXTURES / "modelica" / "Classes.mo"
    assert modelica_patch("show", f"{path}::Classes.Gain").stdout.startswith("block Gain\n")
    assert modelica_patch("show", f"{path}::Fixtures.Syntax.Classes.Gain").returncode == 0
    missing = modelica_patch("show", f"{path}::Classes.Gaim")
    assert missing.returncode == 2
    assert "no class 'Gaim' in 'Classes'; did you mean 'Gain'?" in missing.stderr


def test_show_as_json(arm: Path) -> None:
    (shown,) = json.loads(modelica_patch("show", "--json", arm).stdout)["classes"]
    assert shown["name"] == "Lib.Arm"
    assert [c["name"] for c in shown["components"]] == ["m", "body", "x"]
    assert shown["connections"] == [["body.frame_a", "world.frame_b"]]


def test_show_of_a_broken_file_shows_what_is_good(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A Real ; end A;\nmodel B end B;\n")
    ran = modelica_patch("show", tmp_path / "A.mo")
    assert ran.returncode == 4
    assert ran.stdout == "model B\n"
    assert "A.mo:1:14" in ran.stderr


def test_colour_is_for_terminals(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_text("model A\n  Real x\nend A;\n")
    assert "\x1b[" not in modelica_patch("check", tmp_path).stdout
    master, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    subprocess.run([INSTALLED, "check", tmp_path], stdout=terminal, check=False, env=environment, timeout=300)
    os.close(terminal)
    assert b"\x1b[31;1merror" in os.read(master, 10_000)
    os.close(master)


def test_a_closed_pipe_is_no_error(msl: Path) -> None:
    # The output is longer than a pipe holds, and the reader leaves after a line.
    path = msl / "Fluid" / "Vessels.mo"
    command = f'"{INSTALLED}" show --json "{path}" | head -n 1'
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=300)
    assert ran.stdout == "{\n"
    assert ran.stderr == ""


def test_a_program_that_calls_the_command_line_keeps_its_signals(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGPIPE), signal.getsignal(signal.SIGTERM)
    assert main(["show", str(tmp_path / "none.mo")]) != 0
    assert (signal.getsignal(signal.SIGPIPE), signal.getsignal(signal.SIGTERM)) == before


def test_edit_of_a_file_that_is_no_modelica_has_the_exit_code_of_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mo").write_text("model M\n", encoding="utf-8")
    assert main(["edit", str(tmp_path / "a.mo"), "-e", "set M.x 1"]) == 4
    assert "-e 1: " in capsys.readouterr().err
