"""What the project does so far, shown on two fixtures. Run it with `make demo`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from modelica_ast import evaluate, find_all, parse_file, render_bytes
from modelica_ast.edit import Document
from modelica_ast.library import Libraries, references, rename
from modelica_ast.views import ConnectEquation, Expression

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
ARM = FIXTURES / "demo" / "TwoLinkArm.mo"
BROKEN = FIXTURES / "demo" / "Broken.mo"


def title(text: str) -> None:
    print(f"\n== {text}\n")


def run(*arguments: str | Path) -> None:
    """A command as a user types it, and what it prints."""
    words = [str(a.relative_to(ROOT)) if isinstance(a, Path) else a for a in arguments]
    print(f"$ modelica-patch {' '.join(words)}", flush=True)
    command = Path(sys.executable).with_name("modelica-patch")
    subprocess.run([command, *words], check=False, cwd=ROOT, stderr=subprocess.STDOUT)


def main() -> None:
    title("A file comes back byte for byte: comments, blanks, line ends, encoding")
    for path in [ARM, *sorted((FIXTURES / "modelica").glob("*.mo"))]:
        data = path.read_bytes()
        same = render_bytes(parse_file(path)) == data
        print(f"{'identical' if same else 'DIFFERENT':10} {len(data):6} bytes  {path.name}")

    title("What is in it")
    run("show", ARM)

    title("The same from Python: typed views, values, places")
    arm = parse_file(ARM).classes[0]
    for component in arm.components:
        if "parameter" in component.prefixes and isinstance(component.binding, Expression):
            place = component.position
            value = evaluate(component.binding)
            print(f"{place.line:3}:{place.column:<3} {component.type} {component.name} = {value!r}")
    joints = [c.name for c in arm.components if c.type.parts[-1] == "Revolute"]
    wires = [f"{c.left} -- {c.right}" for c in find_all(arm, ConnectEquation) if c.left.parts[0] in joints]
    print("joints:", ", ".join(joints))
    print("behind them:", ", ".join(wires))

    title("Change what you mean to change; every other byte stays")
    document = Document.open(ARM)
    robot = document.find_class("TwoLinkArm")
    robot.find_component("m1").set("", 1.65)
    robot.find_component("elbow").set("phi.start", -0.5)
    tool = robot.add_component("Modelica.Mechanics.MultiBody.Parts.Body", "tool", {"m": 0.2}, after="link2")
    tool.set_annotation("Placement.transformation.extent", [[60, -10], [80, 10]])
    robot.connect("elbow.frame_b", "tool.frame_a")
    robot.set_annotation("experiment.StopTime", 5)
    print(document.diff().replace(str(ROOT) + "/", ""), end="")

    title("A rename across a library: imports, inheritance, modifiers, links, package.order, scripts")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "Arms"
        shutil.copytree(FIXTURES / "libraries" / "Arms", copy)
        libraries = Libraries([copy])
        print(f"{len(references(libraries, 'Arms.Parts.Body'))} references to Arms.Parts.Body\n")
        rename(libraries, "Arms.Parts.Body", "RigidBody")
        rename(libraries, "Arms.Parts.RigidBody.m", "mass")
        print("".join(line for line in libraries.diff().splitlines(keepends=True) if line[0] in "-+"), end="")
        libraries.save()
        print(f"\n{len(references(Libraries([copy]), 'Arms.Parts.RigidBody'))} references to Arms.Parts.RigidBody")

    title("A broken file: every error with its place, and the good classes are still there")
    run("check", BROKEN)
    print()
    run("show", BROKEN)


if __name__ == "__main__":
    main()
