"""Mesh files are found where ROS would find them, and looked into."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from urdf_frontend import read
from urdf_frontend.urdf import Bounds, MeshReport, Packages, check_meshes, inspect_mesh, package_name, resolve

TRIANGLE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, -3.0))
BOUNDS = Bounds((0.0, 0.0, -3.0), (1.0, 2.0, 0.0))


def binary_stl(count: int = 1, header: bytes = b"made here") -> bytes:
    facet = struct.pack("<12fH", 0, 0, 1, *(number for point in TRIANGLE for number in point), 0)
    return header.ljust(80, b"\0") + struct.pack("<I", count) + facet * count


def ascii_stl() -> bytes:
    points = "".join(f"      vertex {x} {y} {z}\n" for x, y, z in TRIANGLE)
    return f"solid tip\n  facet normal 0 0 1\n    outer loop\n{points}    endloop\n  endfacet\nendsolid tip\n".encode()


def obj() -> bytes:
    return b"# made here\n" + b"".join(b"v %g %g %g\n" % point for point in TRIANGLE) + b"vn 9 9 9\nf 1 2 3\n"


def dae(positions: str = "0 0 0 1000 0 0 0 2000 -3000", unit: str = "0.001") -> bytes:
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="{unit}"/></asset>
  <library_geometries><geometry id="tip"><mesh>
    <source id="normals"><float_array count="3">9 9 9</float_array></source>
    <source id="points"><float_array count="9">{positions}</float_array>
      <technique_common><accessor stride="3"/></technique_common></source>
    <vertices id="vertices"><input semantic="POSITION" source="#points"/></vertices>
  </mesh></geometry></library_geometries>
</COLLADA>
""".encode()


GOOD = {
    "tip.stl": ("binary STL", binary_stl()),
    "solid.STL": ("binary STL", binary_stl(header=b"solid, and binary anyway")),
    "many.stl": ("binary STL", binary_stl(10_000)),
    "text.stl": ("ASCII STL", ascii_stl()),
    "tip.obj": ("OBJ", obj()),
    "tip.dae": ("DAE", dae()),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_mesh_is_recognised_and_measured(name: str, tmp_path: Path) -> None:
    form, data = GOOD[name]
    path = tmp_path / name
    path.write_bytes(data)
    found = inspect_mesh(path)
    assert (found.format, found.problem) == (form, None)
    assert found.bounds is not None
    for ours, theirs in zip((*found.bounds.low, *found.bounds.high), (*BOUNDS.low, *BOUNDS.high), strict=True):
        assert ours == pytest.approx(theirs)
    assert BOUNDS.size == (1.0, 2.0, 3.0)


BROKEN = {
    "short.stl": (binary_stl()[:60], "it ends inside its header"),
    "cut.stl": (binary_stl(3)[:-60], "it is cut off: 3 facets take 234 bytes, and it has 174"),
    "cut_text.stl": (ascii_stl()[:-20], "it is cut off: there is no 'endsolid' at its end"),
    "word.stl": (ascii_stl().replace(b"2.0", b"two"), "a point in it does not have three numbers: vertex 0.0 two -3.0"),
    "nan.obj": (b"v 0 0 nan\n", "a point in it is not finite"),
    "empty.obj": (b"# nothing\n", "it has no points"),
    "cut.dae": (dae()[:300], "it is not well-formed XML: "),
    "word.dae": (dae("0 0 zero"), "a position in it is not a number"),
    "odd.dae": (dae("0 0 0 1"), "its positions are not a whole number of points"),
    "unit.dae": (dae(unit="inch"), "its unit is not a number"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mesh_is_said(name: str, tmp_path: Path) -> None:
    data, problem = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    found = inspect_mesh(path).problem
    assert found is not None
    assert found.startswith(problem)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Two packages beside each other; one is called differently from its folder."""
    for folder, name in (("arm_description", "arm_description"), ("checkout-2", "hand_description")):
        (tmp_path / "src" / folder / "meshes").mkdir(parents=True)
        manifest = f'<?xml version="1.0"?>\n<package format="3"><name>{name}</name></package>\n'
        (tmp_path / "src" / folder / "package.xml").write_text(manifest, encoding="utf-8")
        (tmp_path / "src" / folder / "meshes" / "tip.stl").write_bytes(binary_stl())
    (tmp_path / "src" / "arm_description" / "urdf").mkdir()
    return tmp_path


def report(workspace: Path, *filenames: str, packages: Packages | None = None) -> MeshReport:
    path = workspace / "src" / "arm_description" / "urdf" / "arm.urdf"
    visuals = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>\n' for name in filenames)
    path.write_text(f'<robot name="arm"><link name="base">\n{visuals}</link></robot>', encoding="utf-8")
    robot = read(path).robot
    assert robot is not None
    return check_meshes(robot, packages or Packages(near=path, environment={}), urdf=path)


def test_meshes_are_found(workspace: Path) -> None:
    absolute = (workspace / "src" / "arm_description" / "meshes" / "tip.stl").as_posix()
    names = [
        "package://arm_description/meshes/tip.stl",
        "model://arm_description/meshes/tip.stl",
        "../meshes/tip.stl",
        "..\\meshes\\tip.stl",
        absolute,
        f"file://{absolute}",
        f"file://localhost{absolute}",
    ]
    found = report(workspace, *names)
    assert found.diagnostics == ()
    assert list(found.files) == names
    assert {mesh.bounds for mesh in found.files.values()} == {BOUNDS}


@pytest.mark.parametrize(
    ("folders", "environment"),
    [
        (["src/checkout-2"], {}),
        ([], {"ROS_PACKAGE_PATH": "nowhere:src/checkout-2"}),
    ],
)
def test_a_package_is_found_by_the_name_in_its_manifest(
    workspace: Path, folders: list[str], environment: dict[str, str]
) -> None:
    listed = {
        variable: os.pathsep.join(str(workspace / each) for each in value.split(":"))
        for variable, value in environment.items()
    }
    packages = Packages([workspace / folder for folder in folders], environment=listed)
    assert packages.get_folder("hand_description") == workspace / "src" / "checkout-2"
    assert packages.get_folder("checkout-2") is None
    assert package_name(workspace / "src" / "checkout-2") == "hand_description"


def test_a_package_of_modelica_is_not_one_of_ros(tmp_path: Path) -> None:
    """`urdf build` puts it beside the URDF file, and calls it as the robot is called."""
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm/package.mo").write_text("package arm end arm;")
    packages = Packages(near=tmp_path / "arm.urdf", environment={})
    assert packages.get_folder("arm") is None
    (tmp_path / "arm/package.xml").write_text("<package><name>arm</name></package>")
    assert Packages(near=tmp_path / "arm.urdf", environment={}).get_folder("arm") == tmp_path / "arm"


def test_a_package_is_found_where_ros_2_installs_it(workspace: Path) -> None:
    installed = workspace / "install" / "share" / "leg_description"
    installed.mkdir(parents=True)
    packages = Packages(environment={"AMENT_PREFIX_PATH": str(workspace / "install")})
    assert packages.get_folder("leg_description") == installed


def test_folders_that_are_given_go_first(workspace: Path) -> None:
    other = workspace / "other" / "arm_description"
    other.mkdir(parents=True)
    near = workspace / "src" / "arm_description" / "urdf" / "arm.urdf"
    assert Packages([workspace / "other"], near=near).get_folder("arm_description") == other
    assert Packages(near=near).get_folder("arm_description") == workspace / "src" / "arm_description"


PROBLEMS = {
    "package://leg/tip.stl": ("urdf-mesh-path", "the package 'leg' is not found"),
    "https://example.org/tip.stl": ("urdf-mesh-path", "nothing is fetched"),
    "gopher://tip.stl": ("urdf-mesh-path", "'gopher:' is not a known kind of path"),
    "../meshes/toe.stl": ("urdf-mesh-missing", "does not exist"),
    "../meshes": ("urdf-mesh-missing", "it is a folder, not a file"),
    "../package.xml": ("urdf-mesh-format", "not of a known format"),
    "../meshes/cut.stl": ("urdf-mesh-broken", "it is cut off"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_wrong_with_a_mesh_is_said_once(name: str, workspace: Path) -> None:
    (workspace / "src" / "arm_description" / "meshes" / "cut.stl").write_bytes(binary_stl(3)[:-60])
    (found,) = report(workspace, "../meshes/tip.stl", name, name).diagnostics
    code, words = PROBLEMS[name]
    assert found.code == code
    assert words in found.message
    assert found.line == 3


def test_a_name_in_another_case_is_proposed(workspace: Path) -> None:
    if (workspace / "SRC").exists():
        pytest.skip("this file system does not tell cases apart")
    (found,) = report(workspace, "../meshes/TIP.stl").diagnostics
    assert found.hint == "did you mean 'tip.stl'?"


def test_a_text_without_a_file_has_no_relative_meshes() -> None:
    found = resolve("tip.stl", Packages(environment={}), None)
    assert found.path is None
    assert "relative" in found.problem
