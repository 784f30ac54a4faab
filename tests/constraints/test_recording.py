"""A cell on a page: all robots where they are, and who holds what at which time."""

from __future__ import annotations

import math
import shutil
from array import array
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome

from conftest import FIXTURES
from modelica_ast.cli import main
from modelica_ast.simulation import Result
from motion.browser import console_errors, network_requests, open_browser, open_page
from motion.test_animation import assert_near, data_of, drawn, pose_in_page
from urdf_frontend import Kinematics, RobotPackage, read
from urdf_frontend.constraints.cells import read_cell, update_cell
from urdf_frontend.constraints.cells.cell_result import CellRecorder, Stage
from urdf_frontend.motion import Actor, AnimationError, Prop, stage_page, sweep
from urdf_frontend.robot import IDENTITY, Pose
from urdf_frontend.robot.items import rotation_of_rpy
from urdf_frontend.urdf import Packages

CELL = FIXTURES / "constraints" / "cell"
RIGHT = """\
  right:
    urdf: gantry.urdf
    at: [1, 2, 0]
    rpy: [0, 0, 1.5]
    grips:
      claw: {link: flange, radius: 0.05, closed: []}
holders:
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the description of a cell of two robots, and its library."""
    place = tmp_path_factory.mktemp("made")
    shutil.copytree(CELL, place, dirs_exist_ok=True)
    text = (place / "cell.yaml").read_text(encoding="utf-8")
    assert "holders:\n" in text
    (place / "cell.yaml").write_text(text.replace("holders:\n", RIGHT), encoding="utf-8")
    update_cell(read_cell(place / "cell.yaml"), place).save()
    return place


def recorder(folder: Path) -> CellRecorder:
    stage = Stage(folder / "ToolCell", "ToolCell.Cell")
    return CellRecorder(read_cell(folder / "cell.yaml"), stage, lambda urdf: Packages((), near=urdf))


# ---------------------------------------------------------------- what is on the page


def frame(path: str, poses: Sequence[Pose]) -> dict[str, list[float]]:
    """The columns of a frame; its matrix leads into it."""
    place = {f"{path}.r_0[{i + 1}]": [pose.translation[i] for pose in poses] for i in range(3)}
    turn = {f"{path}.R.T[{i + 1},{j + 1}]": [pose.rotation[j][i] for pose in poses] for i in range(3) for j in range(3)}
    return {**place, **turn}


ROOTS = {"left": IDENTITY, "right": Pose(rotation_of_rpy(0, 0, 1.5), (1.0, 2.0, 0.0))}
JOINTS = {"left": {"x": [0.0, 0.1, 0.2], "z": [0.3, 0.3, 0.5]}, "right": {"x": [0.0] * 3, "z": [0.5, 0.4, 0.3]}}
PIECES = {"hand": (0, 0, 0.8), "green": (-0.6, 0, 0.3), "claw": (1, 2, 0.5), "tool1": (-0.6, 0, 0.3)}
PARTNERS = [3.0, 0.0, 1.0]  # hand, claw, green have the IDs 1, 2, 3


def recorded(folder: Path) -> Result:
    names = RobotPackage.open(folder / "ToolCell" / "Gantry").names
    columns: dict[str, list[float]] = {"tool1.partner": PARTNERS}
    for robot, joints in JOINTS.items():
        columns |= frame(f"{robot}.frame_a", [ROOTS[robot]] * 3)
        columns |= {f"{robot}.{names.joint(joint).path('prismatic.s')}": values for joint, values in joints.items()}
    for piece, place in PIECES.items():
        columns |= frame(f"{piece}.frame_a", [Pose(IDENTITY.rotation, place)] * 3)
    return Result([0.0, 1.0, 2.0], columns)


def held(data: Mapping[str, Any]) -> dict[str, list[str | None]]:
    """Who holds each tool, time after time."""
    names = [link["name"] for link in data["links"]]
    found = {}
    for each in data["held"]:
        holders = [None, *(names[number] for number in each["holders"])]
        found[names[each["link"]]] = [holders[number] for number in array("I", b64decode(each["values"]))]
    return found


def test_robots_stand_where_they_stand_and_tools_change_hands(made: Path) -> None:
    page, motion = recorder(made).page(recorded(made), "a run")
    data = data_of(page)
    assert list(motion.times) == [0, 1, 2]
    links = {link["name"]: link for link in data["links"]}
    assert list(links) == [
        *(f"{robot}.{link}" for robot in ("left", "right") for link in ("base", "carriage", "flange")),
        *("hand", "claw", "green", "tool1"),
    ]
    kinematics = Kinematics.of(read(made / "gantry.urdf").usable_robot())
    for robot, joints in JOINTS.items():
        for time in range(3):
            poses = kinematics.forward({name: (values[time],) for name, values in joints.items()})
            for link, pose in poses.items():
                assert_near(pose_in_page(links[f"{robot}.{link}"], time), ROOTS[robot] @ pose)
    numbers = {name: number for number, name in enumerate(links)}
    ends = {joint["name"]: (joint["parent"], joint["child"]) for joint in data["joints"]}
    assert ends["right.z"] == (numbers["right.carriage"], numbers["right.flange"])
    for piece, place in PIECES.items():
        assert pose_in_page(links[piece], 0).translation == pytest.approx(place)
    assert {name: links[name]["kind"] for name in PIECES} == {
        "hand": "gripper",
        "claw": "gripper",
        "green": "holder",
        "tool1": "tool",
    }
    assert [links[name]["parts"][0]["radius"] for name in PIECES] == [0.06, 0.06, 0.05, 0.03]
    assert held(data) == {"tool1": ["green", None, "hand"]}
    assert data["notes"] == []


def test_what_a_result_lacks_is_told(made: Path) -> None:
    result = recorded(made)
    columns = {name: result[name] for name in result.names if not name.startswith("claw.")}
    data = data_of(recorder(made).page(Result(result.times, columns), "a run")[0])
    assert data["notes"] == ["Not shown: claw."]
    assert "claw" not in [link["name"] for link in data["links"]]


def test_plates_and_colours() -> None:
    robot = read(CELL / "gantry.urdf").usable_robot()
    motion = sweep(robot)
    still = [IDENTITY] * len(motion.times)
    props = [
        Prop("hand", "gripper", 0.1, still),
        Prop("red", "holder", (0.5, 0.3), still),
        Prop("part", "tool", 0.05, still, [None] * len(still)),
    ]
    links = {
        link["name"]: link for link in data_of(stage_page("Lib.Cell", [Actor("one", robot, motion)], props))["links"]
    }
    plate = links["red"]["parts"][0]
    assert (plate["shape"], plate["size"][:2]) == ("box", [1, 0.6])
    red, _, blue, _ = plate["colour"]
    assert red > 2 * blue  # it is called so
    assert links["hand"]["parts"][0]["colour"] != plate["colour"]
    assert links["part"]["parts"][0]["role"] == "visual"


def test_motions_have_to_fit() -> None:
    robot = read(CELL / "gantry.urdf").usable_robot()
    motion = sweep(robot)
    shorter = sweep(robot.__class__(name="other", links=robot.links, joints=()))
    actors = [Actor("a", robot, motion), Actor("b", robot, shorter)]
    tool = Prop("part", "tool", 0.05, [IDENTITY] * len(motion.times))
    assert len(data_of(stage_page("Cell", actors[:1]))["tracks"]) == 1
    with pytest.raises(AnimationError, match="different times"):
        stage_page("Cell", actors, [tool])
    with pytest.raises(AnimationError, match="no robot"):
        stage_page("Cell", [], [])


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--instance", "left"], "--instance is for one robot"),
        (["--package", "Gone"], "there is no library Gone: make it with modelica-patch constraints from-urdf"),
        (["--result", "run.csv", "--model", "Other"], "--model is for a simulation"),
        (["--model", "Other", "--stop", "1"], "Other"),
    ],
)
def test_refused(
    options: list[str], message: str, made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(made)
    assert main(["urdf", "animate", "cell.yaml", *options]) != 0
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert not (made / "cell.html").exists()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with open_browser(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


@pytest.mark.slow
def test_a_simulated_cell_in_a_browser(
    browser: Chrome, made: Path, msl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    monkeypatch.chdir(made)
    assert main(["urdf", "animate", "cell.yaml", "-o", "run.html", "--library", str(msl.parent)]) == 0
    assert "run.html: ToolCell.Cell, 3 s" in capsys.readouterr().err
    open_page(browser, made / "run.html")
    drawn(browser)
    said = {}
    for time in (0.5, 1.7, 2.6, 3):
        browser.execute_script("viewer.setTime(arguments[0])", time)
        drawn(browser)
        (said[time],) = browser.execute_script(
            "return [...document.querySelectorAll('[data-held] .joint-value')].map((each) => each.textContent)"
        )
        places = browser.execute_script(
            "return Object.fromEntries(viewer.robot.links.map((link) => [link.name, Mat.place(link.matrix)]))"
        )
        tool = places["tool1"]
        if said[time] != "free":
            assert math.dist(tool, places[said[time].rpartition(" ")[2]]) < 2e-3
        assert places["right.base"] == pytest.approx([1, 2, 0])
    assert said == {0.5: "held by green", 1.7: "held by hand", 2.6: "free", 3: "held by green"}
    assert browser.execute_script("return viewer.buttons.follow.hidden")
    assert (console_errors(browser), network_requests(browser)) == ([], [])
