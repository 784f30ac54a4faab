"""What a build, a report, a diagram and an update of a large robot cost: CPU time of fresh processes, and memory.

    python benchmarks/robots.py

Chains and stars of 50 to 400 links are built; in the package of each, one mass changes. Exit code 1 if a bar for 200
links is not cleared. The package is measured as pip leaves it, with compiled files.

Cores differ, and the same core does from hour to hour. So a loop of plain Python is measured between the robots, and
seconds are those of a core that takes one second for it, as cores of today do.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import modelica_ast
import urdf_frontend

SIZES: Final = (50, 100, 200, 400)
BARRED: Final = 200  # links; the bars are for these
MOST_TO_BUILD: Final = 2.0  # seconds
MOST_TO_REPORT: Final = 2.5
MOST_TO_DRAW: Final = 1.5
MOST_TO_UPDATE: Final = 1.0
_LOOP: Final = "total = 0\nfor number in range(20_000_000): total += number"  # at the top level of a module
_CALL: Final = "import sys; from modelica_ast.cli import main; sys.exit(main(sys.argv[1:]))"
_LINK: Final = (
    '<link name="l{n}"><inertial><origin xyz="0 0 0.1"/><mass value="1.{n}5"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    '<visual><geometry><box size="0.1 0.1 0.2"/></geometry></visual></link>'
)
_JOINT: Final = (
    '<joint name="j{n}" type="revolute"><origin xyz="0 0 0.2"/><parent link="l{parent}"/><child link="l{n}"/>'
    '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint>'
)


def main() -> int:
    """Measure all shapes and sizes; 1 if a bar is not cleared."""
    for package in (modelica_ast, urdf_frontend):
        assert package.__file__ is not None
        compileall.compile_dir(str(Path(package.__file__).parent), quiet=2)
    print("shape  links  build CPU  per link  memory  report    draw  update of a mass  files  the loop here")
    failed = False
    for shape, parent in (("chain", lambda n: n - 1), ("star", lambda _: 0)):
        for links in SIZES:
            failed |= _measure(shape, links, parent)
    return 1 if failed else 0


def _measure(shape: str, links: int, parent: Callable[[int], int]) -> bool:
    """One robot; True if it takes longer than it may."""
    bare = _run(["-c", "pass"], ".")[0]
    loop = _run(["-c", _LOOP], ".")[0] - bare
    with TemporaryDirectory() as folder:
        text = _robot(shape, links, parent)
        Path(folder, "robot.urdf").write_text(text)
        build, memory = _run(["-c", _CALL, "urdf", "build", "robot.urdf", "--into", "Lib", "--quiet"], folder)
        report, _ = _run(["-c", _CALL, "urdf", "report", "robot.urdf", "-o", "report.html", "--quiet"], folder)
        draw, _ = _run(["-c", _CALL, "draw", f"Lib/{shape}/{shape}.mo", "-o", "drawn.svg", "--quiet"], folder)
        Path(folder, "robot.urdf").write_text(text.replace('value="1.75"', 'value="2.25"', 1))
        before = {path: path.read_bytes() for path in Path(folder, "Lib").rglob("*.mo")}
        update, _ = _run(["-c", _CALL, "urdf", "update", "robot.urdf", "--package", f"Lib/{shape}", "--quiet"], folder)
        changed = sum(path.read_bytes() != data for path, data in before.items())
    build, report, draw, update = ((seconds - bare) / loop for seconds in (build, report, draw, update))
    bars = ((build, MOST_TO_BUILD), (report, MOST_TO_REPORT), (draw, MOST_TO_DRAW), (update, MOST_TO_UPDATE))
    is_slow = links == BARRED and any(seconds > most for seconds, most in bars)
    print(
        f"{shape:5}  {links:5}  {build:7.2f} s  {build / links * 1e3:5.1f} ms  {memory:3.0f} MB  "
        f"{report:4.2f} s  {draw:4.2f} s  {update:14.2f} s  {changed:5}  {loop:11.2f} s{'  FAIL' if is_slow else ''}"
    )
    return is_slow


def _robot(name: str, links: int, parent: Callable[[int], int]) -> str:
    parts = [_LINK.format(n=0)]
    for n in range(1, links):
        parts += [_LINK.format(n=n), _JOINT.format(n=n, parent=parent(n))]
    return "\n".join([f'<robot name="{name}">', *parts, "</robot>"])


def _run(arguments: list[str], folder: str) -> tuple[float, float]:
    """CPU seconds and megabytes of one fresh process."""
    process = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{arguments}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
