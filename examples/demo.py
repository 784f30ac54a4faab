"""The main job, shown on fixtures; run it with `make demo`.

A robot's URDF becomes a Modelica package, somebody edits the package by hand, the URDF changes, and the update keeps
the edits. Then what else there is, and what to try next.
"""

from __future__ import annotations

import difflib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
# What somebody does in an editor: (file of the package, text, what it becomes).
HAND_EDITS = [
    ("Links/upper_armParams.mo", "mass=1.50,", "mass=1.50, // from CAD, not weighed"),
    ("Joints/shoulderParams.mo", "damping=0.1,", "damping=0.25,"),
    (
        "DeskArm.mo",
        "equation\n",
        '  parameter Real wear(unit="1") = 0.02 "How worn the gears are"; // my own\nequation\n',
    ),
]

# What to try next, from the project's folder: (what it does, the command).
NEXT = [
    ("your own robot: what is wrong with it", "modelica-patch urdf check fixtures/demo/arm.urdf"),
    ("a package of it, in a folder of yours", "modelica-patch urdf build fixtures/demo/arm.urdf --into build/demo"),
    ("what an update brings", "modelica-patch urdf status fixtures/demo/arm_longer.urdf --package build/demo/DeskArm"),
    ("a change as a diff; --in-place writes it", "modelica-patch set fixtures/demo/TwoLinkArm.mo::TwoLinkArm.m1 1.65"),
    ("all commands, and one of them", "modelica-patch --help; modelica-patch urdf update --help"),
]


def title(text: str) -> None:
    print(f"\n== {text}\n", flush=True)


def run(folder: Path, line: str) -> None:
    """A command as a user types it, and what it prints."""
    print(f"$ {line}", flush=True)
    own = f"PATH={Path(sys.executable).parent}:$PATH; export PATH; "
    subprocess.run(["bash", "-c", own + line], check=False, cwd=folder, stderr=subprocess.STDOUT)


def edit_by_hand(package: Path) -> None:
    """Change the files as an editor would, and show it."""
    for name, old, new in HAND_EDITS:
        path = package / name
        before = path.read_text(encoding="utf-8")
        after = before.replace(old, new, 1)
        path.write_text(after, encoding="utf-8", newline="")
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, n=1, lineterm="")
        print("\n".join(lines))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(FIXTURES / "demo" / "arm.urdf", folder / "arm.urdf")

        title("A robot in URDF, and what is to be said about it")
        run(folder, "modelica-patch urdf check arm.urdf --tree")

        title("From URDF to a Modelica package: a model and a record of values for each link and joint")
        run(folder, "modelica-patch urdf build arm.urdf")
        run(folder, "find DeskArm -name '*.mo' | sort")
        run(folder, "cat DeskArm/Links/upper_armParams.mo")

        title("Somebody edits the package by hand: a comment, a tuned value, a parameter")
        edit_by_hand(folder / "DeskArm")

        title("The URDF changes: the upper arm was weighed, and there is a forearm now")
        shutil.copy(FIXTURES / "demo" / "arm_longer.urdf", folder / "new.urdf")
        run(folder, "diff arm.urdf new.urdf")

        title("The update: the new mass is one token, the forearm arrives, the edits stay")
        run(folder, "modelica-patch urdf update new.urdf --package DeskArm --diff | grep -v Resources | head -75")
        run(folder, "grep -rn -e 'from CAD' -e 'damping=0.25' -e 'my own' DeskArm --include '*.mo'")

        title("The same again changes nothing")
        run(folder, "modelica-patch urdf update new.urdf --package DeskArm")

        title("Both changed the same value: yours stays, and you are told (exit code 3)")
        run(folder, 'sed \'s/damping="0.1"/damping="0.3"/\' new.urdf > newer.urdf')
        run(folder, 'modelica-patch urdf update newer.urdf --package DeskArm; echo "exit code $?"')

        title("Any Modelica file: change what you mean to change, see it first, every other byte stays")
        shutil.copy(FIXTURES / "demo" / "TwoLinkArm.mo", folder)
        run(
            folder,
            "modelica-patch set TwoLinkArm.mo::TwoLinkArm.m1 1.65 TwoLinkArm.mo::TwoLinkArm.elbow.phi.start -0.5",
        )

        title("A rename across a library: imports, inheritance, modifiers, links, package.order, scripts")
        shutil.copytree(FIXTURES / "libraries" / "Arms", folder / "Arms")
        run(folder, "modelica-patch rename Arms/::Arms.Parts.Body RigidBody | grep '^[-+]'")

        title("Code found by its tree")
        run(folder, "modelica-patch grep '$T $x(m=$m, $$REST)' Arms TwoLinkArm.mo")

        title("A broken file: every error with its place, and the good classes are still there")
        shutil.copy(FIXTURES / "demo" / "Broken.mo", folder)
        run(folder, "modelica-patch check Broken.mo")

    title("What to try next, with your own files in place of these")
    place = Path(sys.executable).parent
    where = place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place
    for about, command in [("the command on your PATH", f". {where}/activate"), *NEXT]:
        print(f"{command:<86} # {about}")
    print("\nREADME.md leads on; docs/robots.md is about robots, docs/guide.md about editing Modelica from Python.")


if __name__ == "__main__":
    main()
