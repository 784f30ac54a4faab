"""What tests need of the machine: skipped where it is missing, but never in CI."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, needs

TESTS = ROOT / "tests"


def test_what_is_missing_skips_a_test_and_fails_it_in_ci(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"^zsh is not on the PATH: 'make machine' installs it$"):
        needs("zsh")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"^zsh is not on the PATH: 'make machine' installs it$"):
        needs("zsh")


def machine(folder: Path, *commands: str) -> list[str]:
    """The words of the calls of apt-get that `make machine` makes on a machine with these commands."""
    for command in commands:
        (folder / command).touch(mode=0o755)
    called = folder / "called"
    (folder / "apt-get").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>{called}\n')
    (folder / "apt-get").chmod(0o755)
    for command in ("sh", "make"):
        (folder / command).symlink_to(needs(command))
    call = [str(folder / "make"), "--no-print-directory", "-f", str(ROOT / "Makefile"), "machine"]
    subprocess.run(call, env={"PATH": str(folder)}, check=True, timeout=300)
    return called.read_text().split() if called.exists() else []


def test_only_what_is_missing_is_installed(tmp_path: Path) -> None:
    words = machine(tmp_path, "chromium", "zsh")
    assert {"chromium-driver", "fish", "strace"} < set(words)
    assert not {"chromium", "zsh"} & set(words)


def test_nothing_is_installed_where_all_is_there(tmp_path: Path) -> None:
    assert machine(tmp_path, "chromium", "chromedriver", "zsh", "fish", "strace") == []


def test_whatever_a_test_needs_is_installed() -> None:
    (line,) = re.findall(r"^MACHINE := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    installed = re.findall(r"(\S+):\S+", line)
    literal = {name for path in TESTS.glob("*.py") for name in re.findall(r'needs\("(\w+)"\)', path.read_text())}
    assert literal - set(installed) - {"sh", "make"} == set()
    assert set(installed) == {"chromium", "chromedriver", "zsh", "fish", "strace"}


def test_processes_of_tests_hear_signals_that_the_caller_ignores() -> None:
    """As `make test &` in a script does, and many runners of CI."""
    code = "import conftest, os, signal; os.kill(os.getpid(), signal.SIGINT)"
    command = ["sh", "-c", "trap '' INT QUIT TERM; exec \"$@\"", "sh", sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False, timeout=300)
    assert "KeyboardInterrupt" in ran.stderr
