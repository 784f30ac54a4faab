"""A folder with all that shows a crash of the compiler, for a report to its authors."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from modelica_ast.simulation.staging import Stage

_SCRIPT: Final = '''\
"""Shows a crash of rumoca (`pip install rumoca==0.10.2`). Without the crash it says nothing."""

import json
from pathlib import Path

import rumoca

here = Path(__file__).resolve().parent
request = json.loads((here / "request.json").read_text(encoding="utf-8"))
session = rumoca.Session(roots=[str(folder) for folder in sorted((here / "libraries").iterdir())])
model = session.loads((here / "model.mo").read_text(encoding="utf-8"), model=request["model"])
if request["what"] == "run":
    config = rumoca.SimConfig(solver=request["solver"], rtol=request["tolerance"], atol=request["tolerance"])
    times = (request["start"], request["stop"])
    model.simulate(t=times, dt=request["step"], config=config, params=request["parameters"])
'''


def write_reproducer(stage: Stage, request: Mapping[str, Any]) -> Path:
    """Write the model, the parts of libraries that it needs and a script that compiles or runs it; the folder."""
    folder = Path(tempfile.mkdtemp(prefix="rumoca-crash-"))
    (folder / "libraries").mkdir()
    for number, root in enumerate(stage.roots):
        shutil.copytree(root, folder / "libraries" / str(number))
    (folder / "model.mo").write_text(request["source"], encoding="utf-8")
    kept = {name: value for name, value in request.items() if name not in ("source", "roots", "id", "output")}
    (folder / "request.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    (folder / "reproduce.py").write_text(_SCRIPT, encoding="utf-8")
    return folder
