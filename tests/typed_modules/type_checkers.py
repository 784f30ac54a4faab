"""What mypy and pyright, both at their strictest, say about the modules of a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

Findings = dict[tuple[str, int], list[str]]  # messages by file and line


def mypy(folder: Path) -> Findings:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--output", "json", "--no-pretty"]
    command += ["--cache-dir", str(folder / ".mypy"), "."]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1}, ran.stdout + ran.stderr
    found: Findings = {}
    for line in filter(None, ran.stdout.splitlines()):  # nothing found is one empty line
        data = json.loads(line)
        if data["severity"] == "error":
            found.setdefault((Path(data["file"]).name, data["line"]), []).append(data["message"])
    return found


def pyright(folder: Path) -> Findings:
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")], "pythonVersion": "3.11"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson"]
    # It must not ask the network whether there is a newer one.
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1}, ran.stdout + ran.stderr
    found: Findings = {}
    data = json.loads(ran.stdout)
    assert data["summary"]["filesAnalyzed"] > 0
    for each in data["generalDiagnostics"]:
        place = (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        found.setdefault(place, []).append(each["message"])
    return found
