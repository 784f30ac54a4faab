"""What a call of modelica-patch costs beyond a bare Python: CPU time of fresh processes, medians.

    python benchmarks/commands.py

Exit code 1 if a bar is not cleared. The package is measured as pip leaves it, with compiled files.
"""

from __future__ import annotations

import compileall
import os
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import modelica_ast

RUNS: Final = 21
_SMALL_FILE: Final = """\
model Arm "a small file"
  parameter Real m = 1.5 "mass"; // weighed
  Body body(m=m);
equation
  connect(body.frame_a, world.frame_b);
end Arm;
"""
_CALL: Final = "import sys; from modelica_ast.cli import main; sys.exit(main(sys.argv[1:]))"
# name -> (arguments, the most CPU seconds beyond `python -c pass`)
_COMMANDS: Final = {
    "--help": (["--help"], 0.080),
    "set, shown": (["set", "Arm.mo::Arm.m", "2"], 0.150),
    "set, written": (["set", "Arm.mo::Arm.m", "2", "--in-place", "--quiet"], 0.150),
    "get": (["get", "Arm.mo::Arm.m"], 0.150),
}


def main() -> int:
    """Measure all commands in turn; 1 if one takes longer than it may."""
    compileall.compile_dir(str(Path(modelica_ast.__file__).parent), quiet=2)
    with TemporaryDirectory() as folder:
        seconds: dict[str, list[float]] = {name: [] for name in ("", *_COMMANDS)}
        for _ in range(RUNS):
            Path(folder, "Arm.mo").write_text(_SMALL_FILE)
            seconds[""].append(_cpu(["-c", "pass"], folder))
            for name, (arguments, _) in _COMMANDS.items():
                seconds[name].append(_cpu(["-c", _CALL, *arguments], folder))
    bare = median(seconds[""])
    print(f"python -c pass  {bare * 1e3:.0f} ms of CPU, median of {RUNS}")
    failed = 0
    for name, (_, most) in _COMMANDS.items():
        beyond = median(seconds[name]) - bare
        failed += beyond > most
        print(f"{name:<14}  {beyond * 1e3:+.0f} ms, at most {most * 1e3:.0f}  {'FAIL' if beyond > most else 'PASS'}")
    return 1 if failed else 0


def _cpu(arguments: list[str], folder: str) -> float:
    """CPU seconds of one fresh process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    here = os.getcwd()  # noqa: PTH109  (posix_spawn has no folder of its own)
    os.chdir(folder)
    try:
        null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)]
        process = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=null)
    finally:
        os.chdir(here)
    _, status, usage = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"{arguments} ended with code {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
