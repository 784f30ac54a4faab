"""xacro files are expanded by the package xacro, with arguments and packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from urdf_frontend import read
from urdf_frontend.urdf import Packages

XACRO = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="name" default="base"/>
  <xacro:property name="height" value="0.5"/>
  <xacro:macro name="body" params="name">
    <link name="${name}"><inertial><mass value="${2 * height}"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  </xacro:macro>
  <xacro:body name="$(arg name)"/>
</robot>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(XACRO, encoding="utf-8")
    return path


def test_a_xacro_file_is_expanded(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("xacro")
    result = read(path)
    assert result.is_usable, result.diagnostics
    assert result.robot is not None
    assert [link.name for link in result.robot.links] == ["base"]
    inertial = result.robot.links[0].inertial
    assert inertial is not None
    assert inertial.mass is not None
    assert inertial.mass.value == 1.0
    assert capfd.readouterr() == ("", "")


def test_arguments_are_passed_on(path: Path) -> None:
    pytest.importorskip("xacro")
    robot = read(path, xacro_arguments={"name": "leg"}).robot
    assert robot is not None
    assert [link.name for link in robot.links] == ["leg"]


def test_packages_are_found(path: Path) -> None:
    pytest.importorskip("xacro")
    folder = path.parent / "parts"
    folder.mkdir()
    (folder / "more.xacro").write_text('<robot><link name="more"/></robot>', encoding="utf-8")
    text = XACRO.replace("</robot>", '<xacro:include filename="$(find parts)/more.xacro"/></robot>')
    path.write_text(text, encoding="utf-8")
    robot = read(path).robot
    assert robot is not None
    assert [link.name for link in robot.links] == ["base", "more"]
    (found,) = read(path, packages=Packages(environment={})).diagnostics
    assert found.code == "urdf-xacro-failed"
    assert "the package 'parts' is not found" in found.message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("2 * height", "2 * weight", "weight"),
        ("2 * height", "1 / 0", "division by zero"),
        ("2 * height", "2 *", "invalid syntax"),
        ("</robot>", "", "no element found"),
        ('<xacro:body name="$(arg name)"/>', "<xacro:leg/>", "unknown macro"),
        ('<xacro:body name="$(arg name)"/>', '<xacro:include filename="nowhere.xacro"/>', "nowhere.xacro"),
        ("<link name", "<xacro:body name='again'/><link name", ""),
    ],
)
def test_what_can_not_be_expanded_is_said(
    path: Path, old: str, new: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("xacro")
    path.write_text(XACRO.replace(old, new), encoding="utf-8")
    result = read(path)
    assert result.robot is None
    assert [found.code for found in result.diagnostics] == ["urdf-xacro-failed"]
    assert words in result.diagnostics[0].message
    assert len(result.diagnostics[0].message) < 400
    assert capfd.readouterr() == ("", "")


def test_without_the_package_it_is_said_what_to_install(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    (found,) = read(path).diagnostics
    assert found.code == "urdf-xacro-missing"
    assert "pip install" in found.hint


def test_a_urdf_file_is_not_expanded(path: Path) -> None:
    plain = path.with_suffix("")
    plain.write_bytes(path.read_bytes())
    assert {found.code for found in read(plain).errors} >= {"urdf-xacro"}
    pytest.importorskip("xacro")
    assert read(plain, xacro_arguments={}).is_usable
