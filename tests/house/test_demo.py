"""What `make demo` shows, and what it says to try next."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.cli import main

DEMO = ROOT / "examples" / "demo.py"


@pytest.mark.slow
def test_the_demo_shows_what_it_promises() -> None:
    ran = subprocess.run([sys.executable, DEMO], capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Traceback" not in ran.stdout
    assert "exit code 3" in ran.stdout
    assert ran.stdout.count("\n== ") == len(re.findall(r"^ +title\(", DEMO.read_text(encoding="utf-8"), re.MULTILINE))


def test_what_to_try_next_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = runpy.run_path(str(DEMO))["NEXT"]
    shutil.copytree(FIXTURES / "demo", tmp_path / "fixtures" / "demo")
    monkeypatch.chdir(tmp_path)
    for _, commands in shown:
        for command in commands.split("; "):
            name, *words = command.split()
            assert name == "modelica-patch"
            try:
                code = main(words)
            except SystemExit as done:  # as --help ends
                code = int(str(done.code))
            said = capsys.readouterr()
            # `status` says with 1 that there is something to update.
            assert code == (1 if "status" in words else 0), (command, said.err)
            assert said.out or said.err, command
