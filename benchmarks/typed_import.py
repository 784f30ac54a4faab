"""What importing the typed module of a robot costs: `python benchmarks/typed_import.py [LINKS]`, 60 without.

Fresh processes, compiled files, CPU time beyond that of `python -c pass`. The aim is 50 ms for 60 links.
"""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from urdf_frontend import read
from urdf_frontend.typed_modules import ModuleOptions, make_module

RUNS = 15
SOURCES = Path(__file__).resolve().parent.parent / "src"
INERTIAL = '<inertial><mass value="1.5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
VISUAL = '<visual><origin xyz="0 0 0.1"/><geometry><mesh filename="package://chain/link.stl"/></geometry></visual>'


def chain(links: int) -> str:
    """A robot of so many links, each with a mass and a mesh, on joints that turn."""
    parts = [f'<link name="link_{number}">{INERTIAL}{VISUAL}</link>' for number in range(links)]
    parts += [
        f'<joint name="joint_{number}" type="revolute"><parent link="link_{number - 1}"/><child link="link_{number}"/>'
        '<origin xyz="0 0 0.3"/><limit lower="-1.5" upper="1.5" effort="50" velocity="2"/></joint>'
        for number in range(1, links)
    ]
    return f'<robot name="chain">{"".join(parts)}</robot>'


def seconds(code: str, folder: Path) -> float:
    """CPU seconds of a fresh process, the median of several."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES), str(folder)])}
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # -S: what the .pth files of this environment import is not part of the module's cost.
        subprocess.run([sys.executable, "-S", "-c", code], check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(times)


def main() -> None:
    """Measure, and print."""
    links = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "chain.urdf"
        path.write_text(chain(links), encoding="utf-8")
        module = folder / "chain.py"
        module.write_bytes(make_module(read(path).usable_robot(), ModuleOptions(path, module)).data)
        compileall.compile_dir(folder, quiet=2)
        bare, runtime, robot = (
            seconds(code, folder) for code in ("pass", "import urdf_frontend.typed", "import chain")
        )
        size = module.stat().st_size
    print(f"a robot of {links} links: {size / 1000:.0f} kB of Python")
    print(f"  python alone               {bare * 1000:6.1f} ms")
    print(f"  import urdf_frontend.typed {(runtime - bare) * 1000:6.1f} ms more")
    print(f"  import the robot's module  {(robot - bare) * 1000:6.1f} ms more, the line above included")


if __name__ == "__main__":
    main()
