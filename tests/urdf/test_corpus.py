"""Real robots, which are beside the project in ../shared/urdf with a table of what is in each of them."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from conftest import ROOT
from package.test_build import standard_libraries
from pages import call, stream, text_in
from urdf_frontend import CODES, Kinematics, ReadResult, Robot, Severity, read
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot import tree_lines, tree_svg
from urdf_frontend.urdf import check_meshes, meshes_of
from urdf_frontend.urdf.second_opinion import cross_check

ROBOTS = ROOT.parent / "shared" / "urdf"

pytestmark = pytest.mark.skipif(not ROBOTS.is_dir(), reason="there are no robots in ../shared/urdf")


@cache
def table() -> dict[str, dict[str, str]]:
    if not ROBOTS.is_dir():
        return {}
    with (ROBOTS / "index.csv").open(encoding="utf-8", newline="") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


@cache
def result_of(name: str) -> ReadResult:
    return read(ROBOTS / name)


# What the table calls it, and what is said about it here.
SAID_AS = {
    "no_links": "urdf-no-links",
    "no_robot_name": "urdf-robot-name",
    "undefined_link_reference": "urdf-undefined-link",
    "several_roots": "urdf-several-roots",
    "cycle": "urdf-cycle",
    "no_root_cycle": "urdf-no-root",
    "mimic_undefined_joint": "urdf-mimic-undefined",
    "limit_missing": "urdf-limit-missing",
    "limit_no_effort_velocity": "urdf-limit-incomplete",
    "lower_gt_upper": "urdf-limit-order",
    "lower_eq_upper": "urdf-limit-empty",
    "inertial_without_tensor": "urdf-inertia-missing",
    "inertia_not_psd": "urdf-inertia-negative",
    "multi_inertial": "urdf-inertial-several",
    "unknown_joint_type:spherical": "urdf-joint-type",
    "geometry_ellipsoid": "urdf-geometry-unknown",
    "bad_vector_length:scale": "urdf-number-count",
    "default_namespace": "urdf-namespace",
    "malformed_xml": "urdf-prefix",
    "xml_only_libxml2_rejects": "urdf-xml-version",
    "bom": "urdf-bom",
    "implicit_world_link": "urdf-implicit-world",
    "zero_mass": "urdf-mass-zero",
    "continuous_with_limits": "urdf-limit-ignored",
    "zero_outside_limits": "urdf-zero-outside-limits",
}


@pytest.mark.parametrize("name", table())
def test_what_the_table_says_is_said(name: str) -> None:
    row = table()[name]
    listed = {*row["issues"].split(), *row["features"].split()}
    if "lower_gt_upper" in listed:
        listed.discard("zero_outside_limits")  # where the limits are swapped, that is all that is said of them
    expected = {code for what, code in SAID_AS.items() if what in listed}
    codes = {found.code for found in result_of(name).diagnostics}
    assert codes & set(SAID_AS.values()) == expected


@pytest.mark.parametrize("name", table())
def test_what_xacro_left_is_said(name: str) -> None:
    row = table()[name]
    listed = {*row["issues"].split()} & {"unexpanded_xacro", "xacro_expr"}
    if name.startswith("eve_r3_robotiq"):
        listed = set()  # its expressions are in comments only
    assert ("urdf-xacro" in {found.code for found in result_of(name).diagnostics}) == bool(listed)


@pytest.mark.parametrize("name", table())
def test_counts_are_those_of_the_table(name: str) -> None:
    row, robot = table()[name], result_of(name).robot
    assert robot is not None
    links = [link for link in robot.links if not link.is_implicit]
    types = Counter(joint.type.value for joint in robot.joints)
    masses = [
        link.inertial.mass.value for link in links if link.inertial is not None and link.inertial.mass is not None
    ]
    counted = {
        "links": len(links),
        "joints": len(robot.joints),
        **{kind: types[kind] for kind in ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")},
        "mimic": sum(joint.mimic is not None for joint in robot.joints),
        "transmissions": len(robot.transmissions),
        "gazebo": len(robot.extensions_named("gazebo")),
        "visuals": sum(len(link.visuals) for link in links),
        "collisions": sum(len(link.collisions) for link in links),
        "links_without_inertial": sum(link.inertial is None for link in links),
    }
    assert counted == {key: int(row[key]) for key in counted}
    assert robot.name == (row["robot"] or None)
    assert math.isclose(math.fsum(masses), float(row["total_mass_kg"]), abs_tol=6e-5)


@pytest.mark.parametrize("name", table())
def test_a_robot_or_a_list_of_reasons(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    result = read(ROBOTS / name)
    assert result.is_usable == (not result.errors)
    assert all(found.line and found.column and found.message and found.code in CODES for found in result.diagnostics)
    robot = result.robot
    assert robot is not None
    kinematics = Kinematics.of(robot)
    assert sum(1 for _ in tree_lines(kinematics)) >= len(kinematics.order)
    assert tree_svg(kinematics).count(b"<rect") == len(kinematics.order)
    report = check_meshes(robot, urdf=ROBOTS / name)
    # The meshes of these robots are not beside them; those of a package or a folder are told together.
    assert {found.code for found in report.diagnostics} <= {"urdf-mesh-path", "urdf-mesh-missing"}
    homes = Counter(map(home_of, {mesh.filename for mesh in meshes_of(robot) if mesh.filename}))
    told_of = [re.search(r"(\d+) meshes of the \w+ '([^']*)'", found.message) for found in report.diagnostics]
    assert {found[2]: int(found[1]) for found in told_of if found} == {n: c for n, c in homes.items() if c > 1}
    assert len(report.diagnostics) == len(homes)
    told = cross_check(result)
    assert {found.code for found in told} <= {"urdf-ros-parser"}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", table())
def test_every_place_leads_to_its_text(name: str) -> None:
    result = result_of(name)
    assert result.robot is not None
    assert result.document is not None
    text = result.document.text
    assert result.document.encode() == (ROBOTS / name).read_bytes()
    for link in result.robot.links:
        if link.is_implicit:
            continue
        assert text.startswith("<link", link.place.span.start)
        if link.inertial is not None and link.inertial.mass is not None:
            mass = link.inertial.mass
            assert mass.span is not None
            assert mass.span.of(text) == mass.text
    for joint in result.robot.joints:
        assert text.startswith("<joint", joint.place.span.start)
        assert text[: joint.place.span.end].endswith(("</joint>", "/>"))
        assert text.count("\n", 0, joint.place.span.start) + 1 == joint.place.line
        for vector in (joint.origin.xyz if joint.origin else None, joint.axis.xyz if joint.axis else None):
            for number in vector.numbers if vector is not None else ():
                assert number.span is not None
                assert number.span.of(text) == number.text
                assert float(number.text) == number.value


SMALL = 5_000  # bytes of a URDF file that is built in every run


def by_size() -> Iterator[Any]:
    for name in table():
        marks = [] if (ROBOTS / name).stat().st_size < SMALL else [pytest.mark.corpus]
        yield pytest.param(name, marks=marks, id=name)


@pytest.mark.parametrize("name", list(by_size()))
def test_the_commands_build_a_package_or_say_what_to_do(
    name: str, tmp_path: Path, msl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user has it: check, build, and check what was built. What is refused says what to do."""
    monkeypatch.chdir(tmp_path)
    file = str(ROBOTS / name)

    def called(*words: str) -> tuple[int, str]:
        said = stream()
        code = call(words, said, said)
        return code, text_in(said)

    assert called("urdf", "check", file)[0] == (0 if result_of(name).is_usable else 1)
    is_built = result_of(name).is_usable
    code, said = called("urdf", "build", file, "--name", "Mine")
    assert code == (0 if is_built else 4), said
    if not is_built:
        lines = said.splitlines()
        told = [number for number, line in enumerate(lines) if ": error: " in line]
        assert len(told) == len(result_of(name).errors)
        assert [lines[number] for number in told if not lines[number + 1].startswith("  hint: ")] == []
        assert not (tmp_path / "Mine").exists()
        allowed = {found[0] for line in lines if (found := re.search(r"--allow \S+", line))}
        if allowed and all("--allow" in lines[number + 1] for number in told):
            code, said = called("urdf", "build", file, "--name", "Mine", *" ".join(allowed).split())
            assert code == 0, said
            is_built = True
    if is_built:
        # Each package or folder that lacks files has one line.
        missing = re.findall(r"left out: \d+ files of (.*?) were|left out: (\S+) was not copied", said)
        assert len(missing) == len(set(missing))
        libraries = [word for each in (TEMPLATES, *standard_libraries(msl)) for word in ("--library", str(each))]
        code, said = called("check", "Mine", *libraries)
        assert (code, said.splitlines()[-1].split(", ", 1)[1]) == (0, "0 errors, 0 warnings")


def home_of(filename: str) -> str:
    """The package of a mesh, or its folder."""
    name, colon, path = filename.partition("://")
    return path.split("/")[0] if colon and name in {"package", "model"} else str(PurePosixPath(path or filename).parent)


def outcome(robot: Robot | None, result: ReadResult) -> str:
    return "no robot" if robot is None else "robot" if result.is_usable else "reasons"


def test_the_outcomes_as_a_table() -> None:
    """With `-s`, what became of each file."""
    lines = []
    for name in table():
        result = result_of(name)
        shown = Counter(found.code for found in result.diagnostics if found.severity is not Severity.INFO)
        said = ", ".join(f"{code.removeprefix('urdf-')} {count}" for code, count in sorted(shown.items()))
        lines.append(f"{Path(name).stem[:44]:<44}  {outcome(result.robot, result):<8}  {said}")
    print("", *lines, sep="\n")  # noqa: T201  (the table is what it is for)
    assert Counter(line[46:54].strip() for line in lines) == {"robot": 24, "reasons": 8}
