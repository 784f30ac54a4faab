"""File names that are not UTF-8, and output that is not a terminal: no traceback, and JSON that every program reads."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from served_command import INSTALLED, program

NAME = b"k\xff\xfe.mo"
SHOWN = "k\\xff\\xfe.mo"
MODEL = 'model M "Größe → ∞"\n  parameter Real k = 1;\n  Real unused(start = nowhere);\nend M;\n'

CALLS = {
    "check": [b"check", NAME],
    "show": [b"show", NAME],
    "get": [b"get", NAME + b"::M.k"],
    "grep": [b"grep", b"parameter Real $A = $B", NAME],
    "diff": [b"diff", NAME, b"other\xff.mo"],
    "set": [b"set", NAME + b"::M.k", b"2"],
    "set in place": [b"set", NAME + b"::M.k", b"2", b"--in-place"],
    "rename": [b"rename", NAME + b"::M.k", b"l"],
    "references": [b"references", b"d\xff/M.mo::M.k"],
    "format": [b"format", NAME],
    "rewrite": [b"rewrite", b"parameter Real $A = $B", b"constant Real $A = $B", NAME],
    "merge": [b"merge", NAME, b"other\xff.mo", NAME],
    "draw": [b"draw", NAME + b"::M"],
    "missing": [b"check", b"no\xff.mo"],
    "missing name": [b"get", NAME + b"::M.nowhere\xff"],
    "no command": [b"sh\xffw"],
    "no option": [b"show", b"--\xff"],
    "broken": [b"check", b"broken\xff.mo"],
    "simulate": [b"simulate", NAME + b"::Nowhere"],
    "urdf": [b"urdf", b"check", b"robot\xff.urdf"],
}
JSON = (
    "check",
    "show",
    "get",
    "grep",
    "diff",
    "set",
    "set in place",
    "rename",
    "references",
    "format",
    "rewrite",
    "urdf",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        (NAME, MODEL),
        (b"d\xff/M.mo", MODEL),
        (b"other\xff.mo", MODEL.replace("1;", "3;")),
        (b"broken\xff.mo", "model M\n  Real ;\nend M;\n"),
        (b"robot\xff.urdf", '<robot name="r"><link name="a"/><link name="b"/></robot>'),
    ):
        path = tmp_path / os.fsdecode(name)
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError:
            pytest.skip("this file system takes UTF-8 names only")
    return tmp_path


def run(words: list[bytes], folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [os.fsencode(program()), *words],
        capture_output=True,
        check=False,
        timeout=120,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment},
    )


@pytest.mark.parametrize(
    ("call", "encoding"),
    [*((call, "utf-8:strict") for call in CALLS), ("show", "ascii:strict"), ("set", "utf-8:surrogateescape")],
)
def test_whatever_a_file_is_called_it_is_shown(call: str, encoding: str, folder: Path) -> None:
    ran = run(CALLS[call], folder, PYTHONIOENCODING=encoding)
    assert b"Traceback" not in ran.stderr, ran.stderr.decode(errors="replace")
    assert ran.returncode in {0, 1, 2, 4}
    shown = (ran.stdout + ran.stderr).decode(encoding.partition(":")[0])
    assert "\\udc" not in shown


@pytest.mark.parametrize(
    ("call", "encoding"),
    [*((call, "utf-8:strict") for call in JSON), ("show", "ascii:strict"), ("set", "latin-1:strict")],
)
def test_json_is_json(call: str, encoding: str, folder: Path) -> None:
    ran = run([*CALLS[call], b"--json"], folder, PYTHONIOENCODING=encoding)
    assert b"Traceback" not in ran.stderr, ran.stderr.decode(errors="replace")
    data = json.loads(ran.stdout.decode("utf-8"))
    everything = json.dumps(data, ensure_ascii=False)
    everything.encode("utf-8")  # no lone surrogates, written as such or escaped
    if call not in {"show", "get", "diff", "references", "urdf"}:  # these say nothing of files, or name others
        assert json.dumps(SHOWN)[1:-1] in everything


def test_sarif_has_addresses(folder: Path) -> None:
    ran = run([b"check", b"--format", b"sarif", NAME], folder)
    (result, *_) = json.loads(ran.stdout.decode("utf-8"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "k%FF%FE.mo"


# ---------------------------------------------------------------- names that act on a terminal

FAKE = "x\nmodelica-patch: all fine\x1b[2J\r\x9b\u202e.mo"
LISTING = {
    "check": (["check", "L"], 0),
    "check a file": (["check", f"L/{FAKE}"], 1),
    "show": (["show", "L"], 0),
    "show a file": (["show", f"L/{FAKE}"], 4),
    "show a class": (["show", f"L/{FAKE}::Q"], 2),
    "grep": (["grep", "parameter Real $A = $B", "L"], 4),
    "grep names": (["grep", "-l", "parameter Real $A = $B", "good"], 0),
    "format": (["format", "--check", "good"], 1),
    "format broken": (["format", "--check", "L"], 4),
    "set": (["set", f"good/{FAKE}::M.k", "2"], 0),
    "get": (["get", f"good/{FAKE}::M.{FAKE}"], 2),
    "missing": (["check", f"no{FAKE}"], 4),
    "no file": (["get", f"no{FAKE}::M.k"], 4),
    "no command": ([FAKE], 2),
    "no option": (["show", "L", FAKE], 2),
    "rename": (["rename", f"good/{FAKE}::M.k", "l", "--in-place", FAKE], 2),
}


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    for folder, text in {
        "L": "within L;\nmodel Q\n  parameter Real k = ;\nend Q;\n",
        "good": MODEL + "model  N end N;\n",
    }.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / FAKE).write_text(text, encoding="utf-8")
    (tmp_path / "L" / "package.mo").write_text("package L\n  model 'a\x1b[2Jb' end 'a\x1b[2Jb';\nend L;\n")
    return tmp_path


@pytest.mark.parametrize("name", LISTING)
def test_a_name_can_not_write_lines_of_its_own(strange: Path, name: str) -> None:
    arguments, code = LISTING[name]
    ran = subprocess.run([program(), *arguments], capture_output=True, check=False, cwd=strange, timeout=300)
    said = (ran.stdout + ran.stderr).decode()
    assert ran.returncode == code, said
    assert not any(line.startswith("modelica-patch: all fine") for line in said.split("\n"))
    assert not any(character in said for character in "\x1b\r\x9b")
    assert "\\x1b" in said or "\\033" in said


def test_json_has_names_as_they_are(strange: Path) -> None:
    ran = subprocess.run(
        [INSTALLED, "format", "--check", "--json", "good"], capture_output=True, check=False, cwd=strange, timeout=300
    )
    assert json.loads(ran.stdout)["not_formatted"] == [f"good/{FAKE}"]


def test_the_text_of_a_file_is_escaped_on_a_terminal_only(tmp_path: Path) -> None:
    (tmp_path / "A.mo").write_bytes(b'model A\r\n  parameter String s = "a\x1b[2Jb";\r\nend A;\r\n')
    get, edit = ["get", "A.mo::A.s"], ["set", "A.mo::A.s", '"c"']
    for call, raw in ((get, b'"a\x1b[2Jb"\n'), (edit, b'-  parameter String s = "a\x1b[2Jb";\r\n')):
        piped = subprocess.run([INSTALLED, *call], capture_output=True, check=True, cwd=tmp_path, timeout=300)
        assert raw in piped.stdout
        master, terminal = pty.openpty()
        subprocess.run(
            [INSTALLED, *call],
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            check=True,
            cwd=tmp_path,
            timeout=300,
            env={**os.environ, "NO_COLOR": "1"},
        )
        os.close(terminal)
        shown = os.read(master, 10_000)
        os.close(master)
        assert b'"a\\x1b[2Jb"' in shown
        assert b"\x1b" not in shown


def test_git_reads_a_diff_of_a_strange_name(strange: Path) -> None:
    diff = subprocess.run(
        [INSTALLED, "set", f"good/{FAKE}::M.k", "2"], capture_output=True, check=True, cwd=strange, timeout=300
    ).stdout
    subprocess.run(["git", "apply", "-"], input=diff, check=True, cwd=strange, timeout=300)
    assert "k = 2;" in (strange / "good" / FAKE).read_text(encoding="utf-8")
