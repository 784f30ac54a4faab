"""xacro files are expanded by the package xacro, with arguments and packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.package import update, with_base
from urdf_frontend.urdf import Packages, check_meshes, cross_check

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
    ("old", "new", "words", "place"),
    [
        ("2 * height", "2 * weight", "weight", (5, 36)),
        ("2 * height", "1 / 0", "division by zero", (5, 36)),
        ("2 * height", "2 *", "invalid syntax", (5, 36)),
        ("</robot>", "", "no element found", (10, 1)),
        ('<xacro:body name="$(arg name)"/>', "<xacro:leg/>", "unknown macro", (8, 3)),
        ('<xacro:body name="$(arg name)"/>', '<xacro:include filename="nowhere.xacro"/>', "nowhere.xacro", (8, 3)),
        ("<link name", "<xacro:body name='again'/><link name", "", (5, 5)),
        ('default="base"', "", "missing attribute 'default'", (2, 3)),
        ("$(arg name)", "$(arg nam)", "Undefined substitution argument nam", (8, 3)),
        ("$(arg name)", "$(find nowhere)", "expand it: the package 'nowhere' is not found", (8, 3)),
        ("<link name", "<xacro:if value='maybe'/><link name", 'Xacro conditional "maybe"', (5, 5)),
        ("<link name", "<xacro:insert_block name='zz'/><link name", 'Undefined block "zz"', (5, 5)),
        ("<link name", "<link name='\xff' name", "duplicate attribute", (5, 20)),
        ('<xacro:body name="$(arg name)"/>', "<xacro:body/>", "Undefined parameters [name]", (8, 3)),
    ],
)
def test_what_can_not_be_expanded_is_said(
    path: Path, old: str, new: str, words: str, place: tuple[int, int], capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("xacro")
    path.write_text(XACRO.replace(old, new), encoding="utf-8")
    result = read(path)
    assert result.robot is None
    assert [found.code for found in result.diagnostics] == ["urdf-xacro-failed"]
    assert words in result.diagnostics[0].message
    assert (result.diagnostics[0].file, result.diagnostics[0].line, result.diagnostics[0].column) == (str(path), *place)
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


# ---------------------------------------------------------------- places

MAIN = """\
<robot name="walker" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="parts/legs.xacro"/>
  <link name="base"/>
  <xacro:leg name="left"><origin xyz="0 0,1 0"/></xacro:leg>
  <xacro:leg name="right"><origin xyz="0 -0.1 0"/></xacro:leg>
  <xacro:if value="${1 > 0}">
    <link name="left"/>
  </xacro:if>
</robot>
"""
LEGS = """\
<!-- Beine, für alle -->
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="leg" params="name *origin">
    <link name="${name}"><visual><geometry><sphere
      radius="-1"/></geometry></visual></link>
    <joint name="${name}_hip" type="revolute">
      <xacro:insert_block name="origin"/>
      <parent link="base"/><child link="${name}"/>
      <!-- ä --><axis xyz="0 ${2 - 2} 2"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def walker(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/legs.xacro").write_text(LEGS, encoding="utf-8")
    (tmp_path / "walker.xacro").write_text(MAIN, encoding="utf-8")
    return tmp_path / "walker.xacro"


def test_diagnostics_are_where_the_author_wrote_it(walker: Path) -> None:
    """What a macro makes is in the macro, what is given to it where it is called."""
    pytest.importorskip("xacro")
    found = [(Path(each.file).name, each.line, each.column, each.code) for each in read(walker).diagnostics]
    legs = [
        (4, 5, "urdf-no-inertial"),
        (4, 44, "urdf-size"),
        (6, 5, "urdf-limit-missing"),
        (9, 28, "urdf-axis-not-unit"),
    ]
    assert sorted(found) == sorted(
        [
            *(("legs.xacro", *place) for place in legs for _ in ("left", "right")),
            ("walker.xacro", 4, 39, "urdf-number"),
            ("walker.xacro", 7, 5, "urdf-duplicate-link"),
            ("walker.xacro", 7, 5, "urdf-no-inertial"),
        ]
    )
    order = [each.file for each in read(walker).diagnostics]
    assert order == sorted(order, key=order.index)


def test_a_message_that_names_another_line_names_its_file(walker: Path) -> None:
    pytest.importorskip("xacro")
    (found,) = [each for each in read(walker).diagnostics if each.code == "urdf-duplicate-link"]
    assert found.message == f"there is a link 'left' in line 4 of {walker.parent / 'parts/legs.xacro'} already"


def test_what_else_looks_at_the_robot_has_these_places(walker: Path) -> None:
    pytest.importorskip("xacro")
    walker.write_text(MAIN.replace("0,1", "0.1").replace('link name="left"', 'link name="head"'), encoding="utf-8")
    legs = walker.parent / "parts/legs.xacro"
    legs.write_text(LEGS.replace('sphere\n      radius="-1"', 'mesh\n      filename="leg.stl"'), encoding="utf-8")
    result = read(walker)
    assert result.robot is not None
    (missing,) = check_meshes(result.robot, urdf=walker).diagnostics
    assert (missing.file, missing.line) == (str(legs), 4)
    assert {(Path(each.file).name, each.line) for each in cross_check(result)} <= {("legs.xacro", 4), ("legs.xacro", 6)}
    hip = result.robot.get_joint("left_hip")
    assert hip is not None
    assert result.document is not None
    assert hip.place.span.of(result.document.text).startswith('<joint name="left_hip"')
    assert str(hip.place) == f"line 6 of {legs}"


@pytest.mark.parametrize(
    ("old", "new", "file", "line"),
    [
        ("2 - 2", "2 / 0", "parts/legs.xacro", 9),
        ("</xacro:macro>", "", "parts/legs.xacro", 12),
        ("1 > 0", "1 >", "walker.xacro", 6),
        ('name="right"', 'nam="right"', "walker.xacro", 5),
    ],
)
def test_what_keeps_xacro_from_expanding_has_a_place(walker: Path, old: str, new: str, file: str, line: int) -> None:
    pytest.importorskip("xacro")
    for each in (walker, walker.parent / "parts/legs.xacro"):
        each.write_text(each.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    (found,) = read(walker).diagnostics
    assert (found.code, found.file, found.line) == ("urdf-xacro-failed", str(walker.parent / file), line)


def test_a_conflict_names_the_line_of_the_xacro_file(path: Path) -> None:
    pytest.importorskip("xacro")
    urdf = read(path)
    options = BuildOptions(into=path.parent)
    write(with_base(build(urdf.usable_robot(), options), urdf, options), path.parent)
    record = path.parent / "arm/Links/baseParams.mo"
    record.write_text(record.read_text(encoding="utf-8").replace("mass=1.0", "mass=3"), encoding="utf-8")
    path.write_text(XACRO.replace("2 * height", "8 * height"), encoding="utf-8")
    (conflict,) = update(path.parent / "arm", read(path)).report.conflicts
    assert f"the URDF has 4.0 (line 5 of {path})" in str(conflict)
