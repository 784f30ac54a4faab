"""A second opinion by urdf_parser_py, without its noise."""

from __future__ import annotations

import pytest
from attrs import evolve
from urdf_parser_py.xml_reflection import core

from conftest import FIXTURES
from urdf_frontend import read
from urdf_frontend.robot import Number
from urdf_frontend.urdf.second_opinion import cross_check

READABLE = [
    "calibration_and_safety",
    "mimic_multiplier_only",
    "names_that_modelica_has_to_mangle",
    "extensions",
    "xml_crlf",
]


@pytest.mark.parametrize("case", READABLE)
def test_both_readers_agree(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = core.on_error
    assert cross_check(read(FIXTURES / "urdf" / f"{case}.urdf")) == ()
    assert core.on_error is before
    assert capfd.readouterr() == ("", "")


def test_what_only_one_of_them_reads_is_an_info() -> None:
    (found,) = cross_check(read(FIXTURES / "urdf" / "limit_without_effort.urdf"))
    assert (found.code, found.line) == ("urdf-ros-parser", 4)
    assert "Required attribute not set in XML: effort" in found.message


def test_what_neither_reads_is_said_once() -> None:
    assert cross_check(read(FIXTURES / "urdf" / "mass_with_comma.urdf")) == ()


def test_a_value_that_differs_is_a_warning() -> None:
    result = read(FIXTURES / "urdf" / "mimic_multiplier_only.urdf")
    robot = result.robot
    assert robot is not None
    inertial = robot.links[1].inertial
    assert inertial is not None
    heavy = evolve(robot.links[1], inertial=evolve(inertial, mass=Number.of(3.0)))
    changed = evolve(result, robot=evolve(robot, links=(robot.links[0], heavy, *robot.links[2:])))
    (found,) = cross_check(changed)
    assert (found.code, found.line) == ("urdf-readers-differ", 3)
    assert found.message == "the mass is '3.0' here and '1.0' in urdf_parser_py"


@pytest.mark.parametrize("case", ["xml_entities", "xml_root_is_no_robot"])
def test_without_a_robot_there_is_no_opinion(case: str) -> None:
    assert cross_check(read(FIXTURES / "urdf" / f"{case}.urdf")) == ()
