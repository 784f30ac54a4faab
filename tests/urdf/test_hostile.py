"""Inputs that are made to break a reader: they are refused or read, and take memory and steps in proportion."""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import pytest

from urdf_frontend import Kinematics, read
from urdf_frontend.robot import tree_lines, tree_svg
from urdf_frontend.urdf.document import LARGEST_FILE

BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def chain(count: int) -> str:
    links = "".join(f'<link name="l{number}"/>\n' for number in range(count))
    joints = "".join(
        f'<joint name="j{number}" type="fixed"><parent link="l{number}"/><child link="l{number + 1}"/></joint>\n'
        for number in range(count - 1)
    )
    return f'<robot name="chain">\n{links}{joints}</robot>\n'


def steps_of(count: int) -> int:
    """How many calls reading a chain takes: what time is made of, without a clock."""
    text = chain(count)
    calls = 0

    def tick(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(tick)
    try:
        result = read(text)
        assert result.robot is not None
        kinematics = Kinematics.of(result.robot)
        kinematics.forward()
        list(tree_lines(kinematics))
        tree_svg(kinematics)
    finally:
        sys.setprofile(None)
    return calls


def test_twice_the_robot_takes_twice_the_steps() -> None:
    few, many = steps_of(300), steps_of(600)
    assert many < 2.2 * few


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.corpus)])
def test_a_long_chain_is_read(count: int) -> None:
    result = read(chain(count))
    assert result.is_usable, result.errors[:3]
    assert result.robot is not None
    kinematics = Kinematics.of(result.robot)
    assert len(kinematics.order) == count
    assert len(kinematics.chain(kinematics.leaves[0])) == count - 1
    assert len(kinematics.forward()) == count
    assert max(map(len, tree_lines(kinematics))) < 200


@pytest.mark.slow
def test_many_children_take_no_longer() -> None:
    links = "".join(f'<link name="l{number}">{BODY}</link>' for number in range(3000))
    joints = "".join(
        f'<joint name="j{number}" type="fixed"><parent link="l0"/><child link="l{number}"/></joint>'
        for number in range(1, 3000)
    )
    result = read(f'<robot name="star">{links}{joints}</robot>')
    assert result.is_usable
    assert result.robot is not None
    assert len(Kinematics.of(result.robot).leaves) == 2999


LEVELS = "".join(f'<!ENTITY b{n} "{f"&b{n - 1};" * 10}">' for n in range(1, 30))
BOMBS = {
    "entities": f'<!DOCTYPE r [<!ENTITY b0 "aaaaaaaaaa">{LEVELS}]><robot name="&b29;"/>',
    "an external entity": '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="r">&a;</robot>',
    "a parameter entity": '<!DOCTYPE r [<!ENTITY % a SYSTEM "http://nowhere.invalid/a.dtd">%a;]><robot name="r"/>',
    "an entity after a lone quote": """<!DOCTYPE r [<?a it's?><!ENTITY a "b">]><robot name="&a;"/>""",
    "an entity after a comment": '<!-- - --><!DOCTYPE r [<!-- ] --><!ENTITY a "b">]><robot name="&a;"/>',
}


@pytest.mark.parametrize("what", BOMBS)
def test_entities_are_refused(what: str) -> None:
    tracemalloc.start()
    try:
        result = read(BOMBS[what])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [found.code for found in result.diagnostics] == ["urdf-entity"]
    assert result.robot is None
    assert peak < 10_000_000


def test_a_doctype_that_hides_its_entities_is_no_xml() -> None:
    result = read("<robot name='r'><!DOCTYPE r [<!ENTITY a 'b'>]></robot>")
    assert [found.code for found in result.diagnostics] == ["urdf-xml"]


def test_a_file_of_a_hundred_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.urdf"
    with path.open("wb") as file:
        file.write(b'<robot name="')
        for _ in range(100):
            file.write(b"a" * 1_000_000)
        file.write(b'"/>')
    result = read(path)
    assert [found.code for found in result.diagnostics] == ["urdf-too-large"]
    assert path.stat().st_size > LARGEST_FILE


def test_an_attribute_of_twenty_megabytes_is_refused() -> None:
    result = read(b'<robot name="' + b"a" * 20_000_000 + b'"/>')
    assert [found.code for found in result.diagnostics] == ["urdf-xml"]
    assert len(str(result.diagnostics[0])) < 300


@pytest.mark.parametrize(
    "text",
    [
        "<robot name='r'>" + "<a>" * 5000 + "</a>" * 5000 + "</robot>",
        "<robot name='r'>" + "<a>" * 200 + "</a>" * 200 + "</robot>",
        "<robot name='r'>" + "<!--" * 20_000,
        "<robot name='r'>" + "<![CDATA[" * 20_000,
        "<!--" * 20_000,
        "<?" * 20_000,
        "<?xml " * 20_000,
        "<!DOCTYPE r [" + "<" * 20_000,
        "<!DOCTYPE r " + "'" * 20_001,
        " " * 100_000 + "<robot/>",
        "<robot " + "a='1' " * 20_000 + "/>",
        "<robot " + " ".join(f"a{n}='1'" for n in range(5000)) + "/>",
        "<robot><link><inertial><mass value='" + "1" * 100_000 + "'/></inertial></link></robot>",
        "<robot><link name='" + "&lt;" * 20_000 + "'/></robot>",
        "<robot>" + "<link name='a'/>" * 2000 + "</robot>",
        "<robot>" + "<joint name='a' type='fixed'><parent link='b'/><child link='c'/></joint>" * 2000 + "</robot>",
        "<robot>" + "<x:y/>" * 5000 + "</robot>",
    ],
    ids=range(17),
)
def test_what_is_made_to_take_long_does_not(text: str) -> None:
    result = read(text)
    assert result.robot is not None or result.errors
    assert all(len(str(found)) < 2000 for found in result.diagnostics)


@pytest.mark.parametrize(
    "source", ["", "no/such/file.urdf", b"", b"\0", "a\0b", Path("/"), "<", b"\xff\xfe", b"\xfe\xff<"]
)
def test_what_is_no_file_is_said(source: str | bytes | Path) -> None:
    result = read(source)
    assert result.robot is None
    assert len(result.errors) == 1
