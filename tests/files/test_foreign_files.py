"""Files that a stranger names: what is not the robot's or the library's own is not copied, embedded or waited for.

Commands run as processes with a limit of time, because to hang is what some of these files are made for.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from modelica_ast.drawing import draw, image_format
from modelica_ast.library import Libraries
from served_command import INSTALLED, program
from urdf.test_meshes import ascii_stl, binary_stl, dae, obj
from urdf_frontend.urdf import FileKind, MissingFileError, Packages, RefusedFileError, find_source, inspect_mesh
from urdf_frontend.urdf.mesh_places import LARGEST_MESH, mesh_format

SECRET = "root:x:0:0:the secret of this machine:/root:/bin/sh\n" * 20
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
SECONDS = 60
MEMORY = 1_500_000_000  # bytes of address space; the interpreter and lxml take a part of it

posix = pytest.mark.skipif(os.name != "posix", reason="there are no such files")


def run(*arguments: str | Path, cwd: Path, memory: int | None = None) -> subprocess.CompletedProcess[str]:
    """A command; one that waits for ever fails the test."""

    def limit() -> None:
        import resource  # noqa: PLC0415  (POSIX only)

        resource.setrlimit(resource.RLIMIT_AS, (memory or 0, memory or 0))

    return subprocess.run(
        [program() if memory is None else INSTALLED, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        preexec_fn=limit if memory is not None else None,
    )


def urdf(*meshes: str, textures: tuple[str, ...] = ()) -> str:
    shapes = [f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in meshes]
    shapes += [
        f'<visual><geometry><box size="1 1 1"/></geometry><material name="m{number}"><texture filename="{name}"/>'
        "</material></visual>"
        for number, name in enumerate(textures)
    ]
    body = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    return f'<robot name="arm"><link name="base">{body}{"".join(shapes)}</link></robot>'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A robot that was downloaded, beside things that are nobody's business."""
    folder = tmp_path / "downloads" / "arm" / "urdf"
    folder.mkdir(parents=True)
    (tmp_path / "shadow").write_text(SECRET)
    (tmp_path / "downloads" / "credentials").write_text(SECRET)
    (tmp_path / "design.stl").write_bytes(binary_stl(3))
    (tmp_path / "downloads" / "arm" / "meshes").mkdir()
    (tmp_path / "downloads" / "arm" / "meshes" / "hand.stl").write_bytes(binary_stl())
    return folder


def build(
    project: Path, *meshes: str, textures: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> dict[str, bytes]:
    """What is in the package's resources after a build, and what it says."""
    (project / "arm.urdf").write_text(urdf(*meshes, textures=textures))
    into = project / "out"
    into.mkdir()
    done = run("urdf", "build", "arm.urdf", "--into", "out", "--json", *options, cwd=project)
    assert done.returncode == 0, done.stderr
    files = [path for name in ("Meshes", "Textures") for path in into.rglob(f"Resources/{name}/*")]
    found = {path.name: path.read_bytes() for path in files}
    for data in (path.read_bytes() for path in into.rglob("*") if path.is_file()):
        assert b"secret of this machine" not in data
    return {**found, "": "\n".join(json.loads(done.stdout)["left_out"]).encode()}


@posix
def test_a_build_copies_nothing_but_meshes_of_the_robot(project: Path, tmp_path: Path) -> None:
    (project / "link.stl").symlink_to(tmp_path / "shadow")
    (project / "folder").symlink_to(tmp_path)
    (project / "notes.stl").write_text(SECRET)
    (project / "notes.obj").write_text(SECRET)
    (project / "notes.dae").write_text(SECRET)
    names = [
        f"file://{tmp_path}/shadow",
        "file:///etc/passwd",
        "../../credentials",
        str(tmp_path / "design.stl"),
        "../../../design.stl",
        "link.stl",
        "folder/design.stl",
        f"package://{tmp_path.name}/design.stl",
        "package://etc/passwd",
    ]
    wrong = ["notes.stl", "notes.obj", "notes.dae", "../../arm/urdf/notes.stl"]
    found = build(project, *names, *wrong, "../meshes/hand.stl", textures=("file:///etc/passwd", "notes.stl"))
    lines = found.pop("").decode().splitlines()
    assert found == {"hand.stl": binary_stl()}
    for name in names:
        (line,) = [line for line in lines if line.startswith(f"{name} was")][:1]
        assert line.endswith("--allow-outside takes it anyway"), line
    for name in wrong[:3]:
        assert f"{name} was not copied: by its content it is not a mesh: STL, OBJ and DAE are known" in lines
    assert "notes.stl was not copied: by its content it is not an image" in lines


def test_who_allows_it_gets_meshes_from_anywhere_and_nothing_else(project: Path, tmp_path: Path) -> None:
    names = (str(tmp_path / "design.stl"), f"file://{tmp_path}/shadow")
    found = build(project, *names, options=("--allow-outside",))
    assert (
        found.pop("").decode()
        == f"{names[1]} was not copied: by its content it is not a mesh: STL, OBJ and DAE are known"
    )
    assert found == {"design.stl": binary_stl(3)}


@posix
@pytest.mark.parametrize("command", ["build", "check", "animate", "report"])
def test_special_files_are_not_waited_for(command: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(project / "pipe.stl")
    (project / "zero.stl").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(project)  # the name of a socket has room for 107 bytes
        server.bind("door.stl")
        (project / "arm.urdf").write_text(urdf("pipe.stl", "/dev/zero", "zero.stl", "door.stl", "file:///dev/tty"))
        outputs = {"animate": ("-o", "a.html"), "report": ("-o", "a.html")}
        outside = ("--allow-outside",)
        done = run("urdf", command, "arm.urdf", *outputs.get(command, ()), *outside, cwd=project)
    assert done.returncode == 0, done.stderr
    if command == "build":
        assert not list(project.rglob("Resources/Meshes/*"))
        for name, kind in (("pipe", "pipe"), ("zero", "device"), ("door", "socket")):
            assert f"{name}.stl was not copied: it is a {kind}, not a file" in done.stderr


@posix
@pytest.mark.parametrize("name", ["large.stl", "large.dae", "large.obj"])
@pytest.mark.parametrize("command", ["build", "check", "animate"])
def test_a_file_with_holes_takes_no_memory(command: str, name: str, project: Path) -> None:
    with (project / name).open("wb") as file:
        file.write({"large.dae": b"<COLLADA>", "large.obj": b"v 0 0 0\n"}.get(name, b""))
        file.truncate(3_000_000_000)
    (project / "arm.urdf").write_text(urdf(name))
    done = run("urdf", command, "arm.urdf", cwd=project, memory=MEMORY)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr if command != "animate" else (project / "arm.html").read_text()
    assert "has more than 200 MB" in said
    assert not list(project.rglob("Resources/Meshes/*"))


@pytest.mark.slow
@posix
def test_a_large_mesh_is_looked_into_in_little_memory(project: Path) -> None:
    with (project / "many.dae").open("wb") as file:
        file.write(dae().partition(b"0 0 0 1000")[0])
        piece = b"0 0 1\n" * 1_000_000
        for _ in range(2):
            file.write(piece)
        file.write(dae().partition(b"-3000")[2])
    (project / "arm.urdf").write_text(urdf("many.dae"))
    done = run("urdf", "check", "arm.urdf", cwd=project, memory=400_000_000)
    assert done.returncode == 0, done.stderr
    assert "mesh" not in done.stdout


def test_entities_are_not_read(project: Path) -> None:
    entity = b'<!DOCTYPE COLLADA [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "1 2 3">]>\n<COLLADA'
    (project / "xxe.dae").write_bytes(dae("0 0 0 &x; &y;").replace(b"<COLLADA", entity))
    found = inspect_mesh(project / "xxe.dae")
    assert (found.bounds, found.problem) == (None, "it declares entities, which no program writes into a mesh")
    (project / "arm.urdf").write_text(urdf("xxe.dae"))
    done = run("urdf", "animate", "arm.urdf", cwd=project)
    assert done.returncode == 0
    assert "root:" not in (project / "arm.html").read_text() + done.stderr


# ---------------------------------------------------------------- places


def trusted(name: str, file: Path, packages: Packages | None = None) -> bool:
    packages = packages or Packages(near=file, environment={})
    try:
        find_source(name, FileKind.MESH, packages, file)
    except MissingFileError:
        raise
    except RefusedFileError:
        return False
    return True


def test_the_places_of_a_robot(project: Path, tmp_path: Path) -> None:
    file = project / "arm.urdf"
    file.write_text(urdf())
    (tmp_path / "downloads" / "other.stl").write_bytes(binary_stl())
    (project / "own.stl").write_bytes(binary_stl())
    assert trusted("own.stl", file)
    assert trusted(str(project / "own.stl"), file)
    assert trusted("../meshes/hand.stl", file)
    assert trusted("package://arm/meshes/hand.stl", file)  # `../` reaches it too
    assert not trusted("../../other.stl", file)
    assert not trusted("../../arm/../other.stl", file)
    assert not trusted(str(tmp_path / "downloads" / "arm" / "meshes" / "hand.stl"), file)  # that is not a `../`
    assert not trusted("package://downloads/other.stl", file)
    assert trusted("../../other.stl", file, Packages([tmp_path / "downloads"], near=file, environment={}))
    assert trusted("package://downloads/other.stl", file, Packages(environment={"ROS_PACKAGE_PATH": str(tmp_path)}))
    assert trusted("/" + str(tmp_path / "design.stl"), file, Packages(near=file, allow_outside=True))
    (tmp_path / "downloads" / "package.xml").write_text("<package><name>downloads</name></package>")
    assert trusted("../../other.stl", file)
    assert not trusted("../../../design.stl", file)


@posix
def test_links_that_ament_and_colcon_make_are_the_robots_own(project: Path, tmp_path: Path) -> None:
    source = project.parent
    (source / "package.xml").write_text("<package><name>arm</name></package>")
    (project / "arm.urdf").write_text(urdf())
    share = tmp_path / "install" / "share" / "arm"
    for name in ("package.xml", "urdf/arm.urdf", "meshes/hand.stl"):
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).symlink_to(source / name)
    assert trusted("../meshes/hand.stl", share / "urdf" / "arm.urdf")
    other = tmp_path / "other.urdf"
    listed = Packages(near=other, environment={"AMENT_PREFIX_PATH": str(tmp_path / "install")})
    assert trusted("package://arm/meshes/hand.stl", other, listed)


# ---------------------------------------------------------------- contents


def test_meshes_are_known_by_their_content() -> None:
    for data, wanted in ((binary_stl(), "binary STL"), (ascii_stl(), "ASCII STL"), (obj(), "OBJ"), (dae(), "DAE")):
        assert mesh_format(data, len(data)) == wanted
    assert mesh_format(dae().decode().encode("utf-16"), 2000) == "DAE"
    assert mesh_format(binary_stl() + b"\r\n", len(binary_stl()) + 2) == "binary STL"
    sqlite = b"SQLite format 3\0".ljust(4096, b"\0")
    for data in (
        b"",
        b"solid\n",
        b"solid as a rock\nkey=1\n",
        b"#!/bin/sh\nv 1\n",
        b"# only\n",
        sqlite,
        SECRET.encode(),
    ):
        assert mesh_format(data, len(data)) is None, data
    assert mesh_format(binary_stl(3)[:-60], len(binary_stl(3)) - 60) is None


def test_images_are_known_by_their_content() -> None:
    bmp = (
        b"BM"
        + (58).to_bytes(4, "little")
        + bytes(4)
        + (54).to_bytes(4, "little")
        + (40).to_bytes(4, "little")
        + bytes(36)
    )
    tga = bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0]) + bytes(3)
    svg = b'<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg xmlns="x"/>'
    good = {PNG: "png", b"\xff\xd8\xff\xe0": "jpeg", b"GIF89a1": "gif", bmp: "bmp", tga: "x-tga", svg: "svg+xml"}
    for data, kind in good.items():
        assert image_format(data, len(data)) == f"image/{kind}"
    for text in (b"BMW", b"", b"GIF8", b"<html><svg></svg></html>", SECRET.encode(), tga[:-1], bytes(100)):
        assert image_format(text, len(text)) is None


def test_the_docs_say_how_large_a_mesh_may_be() -> None:
    text = (Path(__file__).parents[2] / "docs" / "urdf.md").read_text(encoding="utf-8")
    assert f"{LARGEST_MESH // 1_000_000} MB" in text


# ---------------------------------------------------------------- updates and assemblies


def test_an_update_keeps_copies_that_it_would_not_make_today(project: Path, tmp_path: Path) -> None:
    names = (str(tmp_path / "design.stl"), "../meshes/hand.stl")
    build(project, *names, options=("--allow-outside",))
    package = project / "out" / "arm"
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    (tmp_path / "design.stl").write_bytes(binary_stl(5))
    done = run("urdf", "update", "arm.urdf", "--package", package, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "--allow-outside takes it anyway; the copy in the package stays as it is" in done.stderr
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before
    done = run("urdf", "update", "arm.urdf", "--package", package, "--allow-outside", cwd=project)
    assert done.returncode == 0, done.stderr
    assert (package / "Resources" / "Meshes" / "design.stl").read_bytes() == binary_stl(5)


@posix
@pytest.mark.parametrize("into", [("-o", "arm_description"), ("--into", "models")])
def test_an_assembly_copies_nothing_but_meshes_of_its_modules(
    into: tuple[str, str], project: Path, tmp_path: Path
) -> None:
    (project / "link.stl").symlink_to(tmp_path / "shadow")
    os.mkfifo(project / "pipe.stl")
    names = (f"file://{tmp_path}/shadow", "link.stl", "pipe.stl", str(tmp_path / "design.stl"), "../meshes/hand.stl")
    (project / "module.urdf").write_text(urdf(*names))
    (project / "arm.yaml").write_text("robot: arm\nmodules:\n  - use: module.urdf\n")
    (project / "models").mkdir()
    done = run("urdf", "assemble", "arm.yaml", *into, "--json", cwd=project)
    assert done.returncode == 0, done.stderr
    copies = {path.name: path.read_bytes() for path in (project / into[1]).rglob("*") if path.suffix.lower() == ".stl"}
    assert copies == {"hand.stl": binary_stl()}
    said = json.loads(done.stdout)
    problems = " ".join(said.get("problems", said.get("left_out", [])))
    assert problems.count("--allow-outside") == 3
    assert "pipe.stl was not copied: it is a pipe, not a file" in problems
    done = run("urdf", "assemble", "arm.yaml", *into, "--allow-outside", cwd=project)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (project / into[1]).rglob("*.stl")} == {"hand.stl", "design.stl"}


# ---------------------------------------------------------------- images of drawings


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "Lib"
    folder.mkdir()
    (tmp_path / "other").mkdir()
    for place in ("Lib/own.png", "other/photo.png", "photo.png"):
        (tmp_path / place).write_bytes(PNG)
    return folder


def drawn(library: Path, *names: str) -> tuple[str, list[str]]:
    images = ", ".join(f'Bitmap(extent={{{{0,0}},{{1,1}}}}, fileName="{name}")' for name in names)
    text = f"package Lib\n  annotation(Icon(graphics={{{images}}}));\nend Lib;\n"
    (library / "package.mo").write_text(text)
    drawing = draw(Libraries([library]), "Lib", layer="icon")
    return drawing.svg, [problem.message for problem in drawing.problems]


@posix
def test_a_drawing_has_images_of_its_library_only(library: Path, tmp_path: Path) -> None:
    (library / "link.png").symlink_to(tmp_path / "photo.png")
    own = ("own.png", "modelica://Lib/own.png", f"file://{library}/own.png")
    svg, problems = drawn(library, *own)
    assert (svg.count("data:image/png"), problems) == (3, [])
    foreign = (
        f"file://{tmp_path}/photo.png",
        str(tmp_path / "photo.png"),
        "../photo.png",
        "link.png",
        "modelica://Lib/../photo.png",
        "modelica://Lib/../other/photo.png",
    )
    svg, problems = drawn(library, *foreign)
    assert "data:image" not in svg
    assert problems == [f"an image is not drawn: '{name}' is outside the folder of its library" for name in foreign]


@posix
def test_a_lone_file_draws_images_of_its_folder(tmp_path: Path, library: Path) -> None:
    os.mkfifo(library / "pipe.png")
    images = ", ".join(
        f'Bitmap(extent={{{{0,0}},{{1,1}}}}, fileName="{name}")' for name in ("own.png", "../photo.png", "pipe.png")
    )
    (library / "Alone.mo").write_text(f"model Alone\n  annotation(Icon(graphics={{{images}}}));\nend Alone;\n")
    done = run("draw", library / "Alone.mo", "--no-library", "--layer", "icon", "-o", "a.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.svg").read_text().count("data:image/png") == 1
    assert "'../photo.png' is outside the folder of its library" in done.stderr
    assert "'pipe.png' can't be read: it is a pipe, not a file" in done.stderr


# ---------------------------------------------------------------- pipes as arguments

PIPES = """
check f.mo
format f.mo
set f.mo::A.x 2
diff A.mo f.mo
merge A.mo f.mo B.mo
patch A.mo f.json
apply f.yaml A.mo
recipe test f.yaml
grep Real f.mo
rewrite Real Integer f.mo
simulate f.mo::A
edit --script f.txt A.mo
urdf check f.urdf
urdf check f.xacro
urdf build f.urdf
urdf record f.urdf
urdf update f.urdf --package arm
urdf status f.urdf --package arm
urdf types f.urdf
urdf types arm.urdf -o f.py
urdf animate f.urdf
urdf animate arm.urdf --result f.csv
urdf animate arm.urdf --result f.mat
urdf report f.urdf -o r.html
urdf assemble f.yaml
urdf split f.urdf --at j -o out
constraints from-urdf f.yaml
fmi check A.mo --fmu f.fmu
fmi check A.mo --xml f.xml
fmi check A.mo --profile f.yaml
fmi ros-params A.mo --apply f.yaml
fmi sdf f.sdf --map a=b
"""


@pytest.fixture(scope="module")
def pipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every file f.* is a pipe that nobody writes to."""
    folder = tmp_path_factory.mktemp("pipes")
    for name in ("A.mo", "B.mo"):
        (folder / name).write_text("model A\n  Real x;\nend A;\n")
    (folder / "arm.urdf").write_text(urdf())
    for suffix in "mo json yaml txt urdf xacro py csv mat fmu xml sdf".split():
        os.mkfifo(folder / f"f.{suffix}")
    assert run("urdf", "build", "arm.urdf", cwd=folder).returncode == 0
    return folder


@posix
@pytest.mark.parametrize("command", PIPES.strip().splitlines())
def test_a_pipe_is_refused_and_not_waited_for(command: str, pipes: Path) -> None:
    done = run(*command.split(), cwd=pipes)
    assert done.returncode == 4, done.stderr
    said = done.stdout + done.stderr if "report" not in command else (pipes / "r.html").read_text()
    assert "is a pipe, not a file" in said
    assert "Traceback" not in done.stderr


@posix
@pytest.mark.parametrize("name", ["arm.json", "arm.urdf"])
@pytest.mark.parametrize("command", ["status", "update", "types", "report", "export", "animate"])
def test_a_pipe_in_the_place_of_a_side_car_is_refused(command: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(urdf())
    assert run("urdf", "build", "arm.urdf", cwd=tmp_path).returncode == 0
    kept = tmp_path / "arm" / "Resources" / "urdf" / name
    kept.unlink()
    os.mkfifo(kept)
    (tmp_path / "r.csv").write_text("time,x\n0,1\n1,2\n")
    file = () if command == "export" else ("arm.urdf",)
    more = {"animate": ("--result", "r.csv"), "report": ("-o", "r.html")}.get(command, ())
    done = run("urdf", command, *file, "--package", "arm", *more, cwd=tmp_path)
    if command in ("status", "update", "export") or name == "arm.json":
        assert done.returncode != 0
        assert f"{name} can't be read: " in done.stderr or f"{name}'" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- results are written whole


@posix
@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("urdf report arm.urdf -o {}", "out.html"),
        ("urdf animate arm.urdf -o {}", "out.html"),
        ("urdf check arm.urdf --svg {}", "out.svg"),
        ("urdf export --package arm -o {}", "out.urdf"),
        ("diff A.mo B.mo --html {}", "out.html"),
        ("draw A.mo::A --no-library -o {}", "out.svg"),
    ],
)
def test_a_result_is_written_whole_or_not_at_all(command: str, place: str, pipes: Path, tmp_path: Path) -> None:
    target = tmp_path / place
    target.write_text("before")
    link = tmp_path / f"link{target.suffix}"
    link.symlink_to(target)
    done = run(*command.format(link).split(), cwd=pipes)
    assert done.returncode in (0, 1), done.stderr
    assert link.is_symlink()
    assert len(target.read_bytes()) > len("before")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([place, link.name])
    target.unlink()
    # A disk that takes no more bytes than the limit of a process allows.
    target.write_text("before")
    code = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
    code += "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", code, INSTALLED, *command.format(target).split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=pipes, timeout=SECONDS)
    assert done.returncode == 4, done.stderr
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([place, link.name])
