"""What `robot_structure` finds in robots that do not fit their URDF file: each row breaks a model in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from package.robot_structure import misfits
from package.test_survival import URDF, package_in, read_text, write_text

SENSOR = "  Modelica.Mechanics.MultiBody.Sensors.CutForce sensor;\nequation\n"


def connection(left: str, right: str) -> str:
    """The pattern of a generated connection with its line."""
    return rf"  connect\({re.escape(left)}, {re.escape(right)}\)[^;]*;\n"


def damaged(folder: Path, *pairs: tuple[str, str]) -> Path:
    package = package_in(folder)
    text = read_text(package / "arm.mo")
    for pattern, new in pairs:
        text, count = re.subn(pattern, new, text)
        assert count == 1, pattern
    write_text(package / "arm.mo", text)
    return package


@pytest.mark.parametrize(
    ("pattern", "new", "found"),
    [
        (r"numLinks=5", "numLinks=6", "numLinks is 6, and should be 5"),
        (r"numMimicJoints=0", "numMimicJoints=1", "numMimicJoints is 1, and should be 0"),
        (r"  Links\.tool tool[^;]*;\n", "", "the link 'tool' has 0 components []"),
        (r"  Links\.tool tool[^;]*;\n", "", "tool.frame_a is connected, and there is no such component"),
        (r"equation\n", "  Links.tool spare;\nequation\n", "the link 'tool' has 2 components ['tool', 'spare']"),
        (connection("frame_a", "base.frame_a"), "", "base.frame_a is not connected with frame_a"),
        (connection("camera.frame_a", "frame_b[1]"), "", "camera.frame_a is not connected with frame_b[1]"),
        (r"frame_b\[1\]\)", "frame_b[2])", "camera.frame_a is connected with frame_b[2]"),
        (r"frame_b\[2\]\)", "frame_b[3])", "frame_b[3] is connected, and there are 2"),
        (connection("upper.frame_a", "elbow.frame_a"), "", "upper.frame_a is not connected with elbow.frame_a"),
        (r"upper\.frame_a, elbow", "base.frame_a, elbow", "base.frame_a is connected with elbow.frame_a"),
        (
            r"equation\n",
            "equation\n  connect(mount.frame_b, upper.frame_a);\n",
            "upper.frame_a is connected with mount.frame_b",
        ),
        (
            r"equation\n",
            "equation\n  connect(base.frame_a, shoulder.frame_a);\n",
            "base.frame_a and shoulder.frame_a are connected in two ways",
        ),
        (r"equation\n", "equation\n  connect(tool.frame_a, base.frame_a);\n", "slide is part of a loop"),
        (r"shoulder\.flange_a, rotational_flange_a\[1\]", "shoulder.flange_a, rotational_flange_a[2]", None),
        (connection("slide.flange_b", "translational_flange_b[1]"), "", None),
        (r"slide\.flange_a, tr", "mount.flange_a, tr", "mount.flange_a is connected, and there is no such connector"),
        (
            r"equation\n",
            f"{SENSOR}  connect(base.frame_a, sensor.frame_a);\n  connect(sensor.frame_b, tool.frame_a);\n",
            None,
        ),
    ],
)
def test_a_misfit_is_found(pattern: str, new: str, found: str | None, tmp_path: Path) -> None:
    wrong = misfits(damaged(tmp_path, (pattern, new)), URDF)
    assert wrong
    assert found is None or found in wrong


def test_a_sensor_between_two_parts_fits(tmp_path: Path) -> None:
    between = "  connect(fore.frame_a, sensor.frame_a);\n  connect(sensor.frame_b, slide.frame_a);\n"
    package = damaged(tmp_path, (connection("fore.frame_a", "slide.frame_a"), between), (r"equation\n", SENSOR))
    assert misfits(package, URDF) == []


def test_what_the_user_took_out_may_be_missing(tmp_path: Path) -> None:
    package = damaged(tmp_path, (connection("slide.flange_b", "translational_flange_b[1]"), ""))
    assert misfits(package, URDF, ["slide.flange_b"]) == []


def test_a_follower_needs_its_element(tmp_path: Path) -> None:
    limit = 'effort="50" velocity="3"/>'
    assert "elbow.flange_a follows shoulder.flange_a over []" in misfits(
        package_in(tmp_path), URDF.replace(limit, f'{limit}<mimic joint="shoulder"/>')
    )
