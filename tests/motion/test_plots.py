"""Plots of robots: what is drawn, and which limits are violated when."""

from __future__ import annotations

import builtins
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from conftest import FIXTURES
from modelica_ast.cli import main
from modelica_ast.simulation import Result
from urdf_frontend import Robot, read
from urdf_frontend.motion import (
    AnimationError,
    JointSeries,
    MissingPlotsError,
    Quantity,
    draw_plots,
    find_robot,
    find_violations,
    joint_series,
    usual_names,
)
from urdf_frontend.motion.plots import Curve, plot_rows

ROBOTS = FIXTURES / "robots"
TIMES = [0.0, 1.0, 2.0, 3.0, 4.0]
COLUMNS = {
    "robot.shoulder.revolute.phi": [0.0, 9.0, 9.0, 9.0, 9.0],
    "robot.shoulder.revolute.w": [0.0, 3.0, 0.0, -3.0, 0.0],
    "robot.shoulder.flange_a.tau": [60.0, 60.0, 50.0, 0.0, 0.0],
    "robot.shoulder.friction.tau": [70.0] * 5,
    "robot.elbow.revolute.phi": [0.0, 1.0, 2.0, 1.0, 1.5],
    "robot.elbow.revolute.w": [0.0] * 5,
    "robot.wrist_joint.prismatic.s": [0.0, -0.1, 0.0, 0.0, 0.2],
    "robot.wrist_joint.flange_a.f": [1.0] * 5,
    **{f"robot.tray_joint.planar.{name}": TIMES for name in ("s_x", "s_y", "phi", "v_x", "v_y", "w")},
    **{f"robot.toss.floating.r_rel_a[{i}]": TIMES for i in (1, 2, 3)},
    **{f"robot.toss.floating.R_rel.T[{i},{j}]": [float(i == j)] * 5 for i in (1, 2, 3) for j in (1, 2, 3)},
}


def arm() -> Robot:
    return read(ROBOTS / "arm.urdf").usable_robot()


def series_of_arm() -> tuple[JointSeries, ...]:
    robot = arm()
    return joint_series(find_robot(Result(TIMES, COLUMNS), robot, usual_names(robot)))


def test_every_joint_has_its_units_and_limits() -> None:
    found = [(each.joint, each.quantity.value, each.unit, each.lower, each.upper) for each in series_of_arm()]
    assert found == [
        ("shoulder", "position", "rad", None, None),
        ("shoulder", "speed", "rad/s", -2, 2),
        ("shoulder", "effort", "N.m", -50, 50),
        ("elbow", "position", "rad", -1.5, 1.5),
        ("elbow", "speed", "rad/s", -3, 3),
        ("wrist", "position", "m", 0, 0.1),
        ("wrist", "effort", "N", -20, 20),
        ("tray", "position", "m", None, None),
        ("tray", "position", "rad", None, None),
        ("tray", "speed", "m/s", None, None),
        ("tray", "speed", "rad/s", None, None),
        ("toss", "position", "m", None, None),
        ("toss", "position", "rad", None, None),
    ]


def test_limits_that_are_violated_have_their_times() -> None:
    found = [str(each) for each in find_violations(TIMES, series_of_arm())]
    assert found == [
        "joint shoulder: effort above 50 N.m from 0 s to 2 s, 60 N.m at 0 s",
        "joint wrist: position below 0 m from 0 s to 2 s, -0.1 m at 1 s",
        "joint shoulder: speed above 2 rad/s from 0.6667 s to 1.333 s, 3 rad/s at 1 s",
        "joint elbow: position above 1.5 rad from 1.5 s to 2.5 s, 2 rad at 2 s",
        "joint shoulder: speed below -2 rad/s from 2.667 s to 3.333 s, -3 rad/s at 3 s",
        "joint wrist: position above 0.1 m from 3.5 s to 4 s, 0.2 m at 4 s",
    ]


def test_a_joint_at_its_limit_is_within_it() -> None:
    curve = Curve("position", [1.0, 1.0 + 5e-7, math.nan, 1.0, math.inf])
    series = JointSeries("j", Quantity.POSITION, "rad", (curve,), -1.0, 1.0)
    (found,) = find_violations(TIMES, [series])
    assert (found.start, found.end, found.worst) == (4.0, 4.0, math.inf)


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".PDF", b"%PDF")])
def test_the_file_name_says_the_format(suffix: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"arm{suffix}"
    series = series_of_arm()
    draw_plots(path, TIMES, series, find_violations(TIMES, series), "desk-arm")
    assert path.read_bytes().startswith(start)


def test_a_plot_says_names_units_and_violations(tmp_path: Path) -> None:
    import matplotlib as mpl  # noqa: PLC0415  (the other tests need no plots)

    series = [*series_of_arm(), JointSeries("$x_</text>&\n", Quantity.SPEED, "rad/s", (Curve("speed", TIMES),))]
    with mpl.rc_context({"svg.fonttype": "none"}):
        draw_plots(tmp_path / "a.svg", TIMES, series, find_violations(TIMES, series), "a $title$")
        draw_plots(tmp_path / "b.svg", TIMES, series, find_violations(TIMES, series), "a $title$")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for part in ("a $title$", ">elbow<", "[rad/s]", "[N.m]", "time [s]", "$x_&lt;/text&gt;&amp;\ufffd"):
        assert part in text
    assert "joint elbow: position above 1.5 rad from 1.5 s to 2.5 s, 2 rad at 2 s" in text
    assert text == (tmp_path / "b.svg").read_text(encoding="utf-8")


def test_rows_put_what_belongs_together_side_by_side() -> None:
    rows = [(row.joint, [each.unit for each in row.cells.values()]) for row in plot_rows(series_of_arm())]
    assert rows == [
        ("shoulder", ["rad", "rad/s", "N.m"]),
        ("elbow", ["rad", "rad/s"]),
        ("wrist", ["m", "N"]),
        ("tray", ["m", "m/s"]),
        ("tray", ["rad", "rad/s"]),
        ("toss", ["m"]),
        ("toss", ["rad"]),
    ]


def test_a_pdf_file_has_pages(tmp_path: Path) -> None:
    series = [JointSeries(f"joint{n}", Quantity.SPEED, "rad/s", (Curve("speed", TIMES),)) for n in range(15)]
    draw_plots(tmp_path / "many.pdf", TIMES, series, (), "many")
    assert (tmp_path / "many.pdf").read_bytes().count(b"/Type /Page ") == 3


def test_what_can_not_be_plotted_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AnimationError, match=r"PNG, SVG or PDF"):
        draw_plots(tmp_path / "arm.gif", TIMES, series_of_arm(), (), "arm")
    with pytest.raises(AnimationError, match="nothing to plot"):
        draw_plots(tmp_path / "arm.png", TIMES, (), (), "arm")
    real = builtins.__import__

    def without_matplotlib(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(MissingPlotsError, match=r"pip install 'modelica-ast\[plot\]'"):
        draw_plots(tmp_path / "arm.png", TIMES, series_of_arm(), (), "arm")


# ---------------------------------------------------------------- the command


@frozen
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def modelica_patch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """The command in a folder with a result."""
    monkeypatch.chdir(tmp_path)
    Result(TIMES, COLUMNS).write_csv("result.csv")

    def call(*words: str) -> Done:
        code = main(["urdf", *words])
        return Done(code, *capsys.readouterr())

    return call


def test_the_command_lists_violations(modelica_patch: Callable[..., Done]) -> None:
    arm_file = str(ROBOTS / "arm.urdf")
    done = modelica_patch("plot", arm_file, "--result", "result.csv", "--joints", "elbow", "wrist")
    assert done.returncode == 0
    assert done.stdout == (
        "joint  quantity  limit    from   to     worst   at\n"
        "wrist  position  0 m      0 s    2 s    -0.1 m  1 s\n"
        "elbow  position  1.5 rad  1.5 s  2.5 s  2 rad   2 s\n"
        "wrist  position  0.1 m    3.5 s  4 s    0.2 m   4 s\n"
    )
    assert done.stderr == "arm.png: 2 joints, 3 violated limits\n"
    assert Path("arm.png").is_file()


def test_the_command_speaks_json(modelica_patch: Callable[..., Done]) -> None:
    words = ["--result", "result.csv", "--quantities", "effort", "-o", "x.svg", "--json", "-q"]
    done = modelica_patch("plot", str(ROBOTS / "arm.urdf"), *words)
    assert done.stderr == ""
    (found,) = json.loads(done.stdout)["violations"]
    assert found == {
        "joint": "shoulder",
        "quantity": "effort",
        "unit": "N.m",
        "limit": 50,
        "start": 0,
        "end": 2,
        "worst": 60,
        "worst_time": 0,
    }


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["plot", "ARM"], 2, "name the robot's package with --package, or a result with --result"),
        (["plot", "ARM", "--result", "gone.csv"], 4, "gone.csv: No such file or directory"),
        (["plot", "ARM", "--result", "bad.csv"], 4, "bad.csv:2: 'x' is not a number"),
        (["plot", "ARM", "--result", "result.csv", "--stop", "2"], 2, "--stop is for a simulation"),
        (["plot", "ARM", "--result", "result.csv", "--joints", "nose"], 2, "there is no joint 'nose'"),
        (["plot", "ARM", "--result", "result.csv", "-o", "a.gif"], 2, "plots are PNG, SVG or PDF"),
        (["plot", "ARM", "--result", "result.csv", "-o", "no/folder.png"], 4, "no/folder.png: there is no folder no"),
        (["plot", "gone.urdf", "--result", "result.csv"], 4, "there is no robot to show"),
        (["animate", "ARM", "--stop", "2"], 2, "--stop is for a simulation: name the robot's package"),
        (["animate", "ARM", "--package", "Nowhere.Arm"], 4, "there is no library 'Nowhere'"),
        (["animate", "ARM", "--result", "other.csv"], 2, "the result has no variables of this robot"),
        (["animate", "ARM", "--frames", "1"], 2, "--frames is 2 or more"),
        (["animate", "ARM", "-o", "no/folder.html"], 4, "no/folder.html: there is no folder no"),
    ],
)
def test_wrong_use_is_one_message(
    words: list[str], code: int, message: str, modelica_patch: Callable[..., Done]
) -> None:
    Path("other.csv").write_text("time,x\n0,1\n", encoding="utf-8")
    Path("bad.csv").write_text("time,x\n0,x\n", encoding="utf-8")
    done = modelica_patch(*(str(ROBOTS / "arm.urdf") if word == "ARM" else word for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_the_animation_command_writes_a_page(modelica_patch: Callable[..., Done]) -> None:
    done = modelica_patch("animate", str(ROBOTS / "arm.urdf"))
    assert (done.returncode, done.stderr) == (0, "arm.html: joint sweep, 24 s, 0.1 MB\n")
    page = Path("arm.html").read_bytes()
    assert page.startswith(b"<!DOCTYPE html>")
    done = modelica_patch("animate", str(ROBOTS / "arm.urdf"), "--result", "result.csv", "-o", "run.html")
    assert (done.returncode, done.stderr) == (0, "run.html: result.csv, 4 s, 0.1 MB\n")
