"""The tab key: commands, options, and the names behind FILE.mo::."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import FIXTURES

COMMAND = shutil.which("modelica-patch", path=str(Path(sys.executable).parent)) or "modelica-patch is not installed"
FILES = FIXTURES / "cli" / "topics" / "files"


def script(shell: str) -> str:
    return subprocess.run([COMMAND, "completion", shell], capture_output=True, text=True, check=True, timeout=60).stdout


def complete(*words: str) -> list[str]:
    """What bash offers for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    # `compopt` works only while the tab key is handled.
    lines = [
        script("bash"),
        "compopt() { :; }",
        f"PATH={Path(COMMAND).parent}:$PATH",
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _modelica_patch",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    ran = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, cwd=FILES, timeout=60
    )
    assert ran.stderr == ""
    return ran.stdout.split()


def test_commands() -> None:
    assert complete("modelica-patch", "re") == ["references", "remove", "rename", "rewrite", "recipe"]


def test_options() -> None:
    assert "--in-place" in complete("modelica-patch", "set", "--i")
    assert complete("modelica-patch", "show", "--dep") == ["--depth"]


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ("Arm.mo::", ["Arm.mo::Arm"]),
        ("Arm.mo::Arm.b", ["Arm.mo::Arm.body"]),
        ("Lib::", ["Lib::Lib"]),
        ("Lib::Lib.", ["Lib::Lib.Parts", "Lib::Lib.Robot"]),
        ("Lib::Lib.Robot.l", ["Lib::Lib.Robot.left"]),
        ("Arm.mo::Nothing.x", []),
        ("Missing.mo::A", []),
    ],
)
def test_names(start: str, found: list[str]) -> None:
    assert complete("modelica-patch", "get", start) == found


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_the_commands(shell: str) -> None:
    text = script(shell)
    for word in ("rename", "in-place", "completion names"):
        assert word in text
    if shutil.which(shell):
        subprocess.run([shell, "-n", "/dev/stdin"], input=text, text=True, check=True, timeout=60)
