"""What it costs to simulate, show and verify a robot, the first time and again: CPU of the command and its compiler.

    python benchmarks/simulations.py            # an arm with seven joints, and one with six and a gripper

The second call must do nothing but find what the first one has kept. Exit code 1 if a bar is not cleared. It needs
rumoca, Pinocchio and the Modelica Standard Library; the cache is an empty folder.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Final

import modelica_ast
import urdf_frontend

# The most CPU seconds of a call. What an earlier one has done is found in less than a second.
_AGAIN: Final = 1.0
_VERIFY: Final = 40.0
_CALL: Final = "import sys; from modelica_ast.cli import main; sys.exit(main(sys.argv[1:]))"
_LINK: Final = """<link name="{name}"><inertial><origin xyz="0.01 0.02 0.1" rpy="0.1 0.2 0.3"/><mass value="{mass}"/>\
<inertia ixx="0.02" ixy="0.0001" ixz="0.0002" iyy="0.025" iyz="0.0003" izz="0.015"/></inertial></link>"""
_JOINT: Final = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>\
<origin xyz="0.05 0 0.2" rpy="0 0.1 0"/><axis xyz="{axis}"/><limit lower="-2" upper="2" effort="100" velocity="3"/>\
<dynamics damping="0.5" friction="0.3"/></joint>"""
_GRIPPER: Final = """<joint name="flange" type="fixed"><parent link="link{last}"/><child link="palm"/>\
<origin xyz="0 0 0.1"/></joint>
<joint name="left_finger" type="prismatic"><parent link="palm"/><child link="left"/><origin xyz="0 0.02 0.08"/>\
<axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/><dynamics damping="10"/></joint>
<joint name="right_finger" type="prismatic"><parent link="palm"/><child link="right"/><origin xyz="0 -0.02 0.08"/>\
<axis xyz="0 -1 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/><mimic joint="left_finger"/></joint>"""


def main() -> int:
    """Measure both robots; 1 if a call takes longer than it may."""
    for package in (modelica_ast, urdf_frontend):
        compileall.compile_dir(package.__path__[0], quiet=2)
    failed = 0
    print(f"{'':22}{'first':>8}{'again':>8}   CPU s")
    for name, text in (("Seven", _arm(7)), ("Gripper", _arm(6, gripper=True))):
        with TemporaryDirectory() as folder:
            Path(folder, "arm.urdf").write_text(text, encoding="utf-8")
            _cpu(["urdf", "build", "arm.urdf", "--name", name, "-q"], folder)
            robot = ["arm.urdf", "--package", name]
            for label, words in (
                ("simulate", ["simulate", f"{name}.{name}Test"]),
                ("animate", ["urdf", "animate", *robot]),
                ("verify", ["urdf", "verify", *robot]),
            ):
                first, again = _cpu(words, folder), _cpu(words, folder)
                kept = again <= _AGAIN and (label != "verify" or first <= _VERIFY)
                failed += not kept
                print(f"{name + ', ' + label:22}{first:8.1f}{again:8.2f}   {'PASS' if kept else 'FAIL'}", flush=True)
    return 1 if failed else 0


def _arm(joints: int, *, gripper: bool = False) -> str:
    names = ["base", *(f"link{number}" for number in range(1, joints + 1))]
    parts = ['<link name="base"/>']
    parts += [_LINK.format(name=name, mass=6 - 0.5 * number) for number, name in enumerate(names[1:])]
    parts += [
        _JOINT.format(name=f"joint{number}", parent=parent, child=child, axis=("0 0 1", "0 1 0")[number % 2])
        for number, (parent, child) in enumerate(pairwise(names))
    ]
    if gripper:
        parts += [_LINK.format(name=name, mass=0.3) for name in ("palm", "left", "right")]
        parts.append(_GRIPPER.format(last=joints))
    return "\n".join(['<robot name="arm">', *parts, "</robot>"])


def _cpu(words: list[str], folder: str) -> float:
    """CPU seconds of one call, with all processes that it has started and waited for."""
    # Each command has a cache of its own, or the second would find the run of the first.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["MODELICA_AST_CACHE"] = str(Path(folder, f"cache-{words[0]}-{words[1]}"))
    before = getrusage(RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-c", _CALL, *words], cwd=folder, env=environment, capture_output=True, check=False
    )
    after = getrusage(RUSAGE_CHILDREN)
    if ran.returncode:
        raise RuntimeError(f"{words} ended with code {ran.returncode}: {ran.stderr.decode()}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
