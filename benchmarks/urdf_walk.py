"""What a small robot walks through: modules that are imported and texts that are parsed, in a fresh process each.

    python benchmarks/urdf_walk.py [--where]

A robot of two links is built; then its package is updated, with nothing new and with another mass. `--where` also
prints who had how many texts parsed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

_LINK: Final = (
    '<link name="{name}"><inertial><mass value="{mass}"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    '<visual><geometry><box size="0.1 0.1 0.2"/></geometry></visual></link>'
)
_JOINT: Final = (
    '<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>'
    '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint>'
)
_SHOWN: Final = 25  # callers


def main() -> None:
    """Print a line for each command."""
    print(f"{'command':28}{'our modules':>12}{'all':>6}{'parses':>8}{'characters':>12}{'CPU s':>8}")
    with TemporaryDirectory() as name:
        folder = Path(name)
        urdf, package = folder / "two.urdf", folder / "two"
        _write(urdf, mass="1.5")
        _show("build", ["urdf", "build", str(urdf), "--into", name, "-q"], folder)
        _show("update, nothing new", ["urdf", "update", str(urdf), "--package", str(package), "-q"], folder)
        _write(urdf, mass="2.5")
        _show("update, another mass", ["urdf", "update", str(urdf), "--package", str(package), "-q"], folder)


def _write(urdf: Path, *, mass: str) -> None:
    links = _LINK.format(name="base", mass=1) + _LINK.format(name="arm", mass=mass)
    urdf.write_text(f'<robot name="two">{links}{_JOINT}</robot>', encoding="utf-8")


def _show(what: str, arguments: list[str], folder: Path) -> None:
    result = folder / "walk.json"
    command = [sys.executable, __file__, "--walk", str(result), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{what}: {done.stderr or done.stdout}")
    found = json.loads(result.read_text(encoding="utf-8"))
    counts = f"{found['own']:12}{found['all']:6}{found['parses']:8}{found['characters']:12,}"
    print(f"{what:28}{counts}{found['cpu']:8.2f}", flush=True)
    if "--where" in sys.argv:
        for where, count in found["where"][:_SHOWN]:
            print(f"{count:8}  {where}")


# ---------------------------------------------------------------- in the process that is looked at


def _walk(result: Path, arguments: list[str]) -> int:
    """Run a command, and write down what it did."""
    import time  # noqa: PLC0415  (what is imported here is not counted as the command's)

    from modelica_ast.cli import main as run  # noqa: PLC0415
    from modelica_ast.syntax import reader  # noqa: PLC0415

    parses: Counter[str] = Counter()
    characters = 0
    original = reader._read  # noqa: SLF001  (all parses go through it)

    def noted(source: Any, start: str, **options: Any) -> Any:
        nonlocal characters
        characters += len(source.text)
        parses[_caller(start)] += 1
        return original(source, start, **options)

    reader._read = noted  # noqa: SLF001
    code = run(arguments)
    own = [name for name in sys.modules if name.split(".")[0] in ("modelica_ast", "urdf_frontend")]
    found = {
        "own": len(own),
        "all": len(sys.modules),
        "parses": parses.total(),
        "characters": characters,
        "cpu": time.process_time(),
        "where": parses.most_common(),
        "modules": sorted(own),
    }
    result.write_text(json.dumps(found), encoding="utf-8")
    return code


def _caller(start: str) -> str:
    """Who has something parsed: the three functions around the reader."""
    frame = sys._getframe(3)  # noqa: SLF001  (after `noted` and `read`)
    names: list[str] = []
    while frame is not None and len(names) < 4:
        names.append(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}")
        frame = frame.f_back  # type: ignore[assignment]  # None at the end
    return f"{start}: {' < '.join(names)}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--walk"]:
        sys.exit(_walk(Path(sys.argv[2]), sys.argv[3:]))
    main()
