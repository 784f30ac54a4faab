"""Updates of packages: what is brought in, what stays, what is reported; and values on their way back."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FIXTURES
from modelica_ast.edit import Document
from modelica_ast.library import Libraries
from modelica_ast.rules import check_libraries
from test_urdf_build import standard_libraries
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.building.options import TEMPLATES
from urdf_frontend.cli.update import ask
from urdf_frontend.model import Number, Robot
from urdf_frontend.update import NoBaseError, Update, UpdateError, UpdateOptions, adopt, export, update, with_base
from urdf_frontend.update.base_file import read_base_file
from urdf_robots import robots, urdf_of

ROBOTS = FIXTURES / "robots"
ARM = (ROBOTS / "updates" / "arm.urdf").read_text(encoding="utf-8")
MASS = ('mass value="2.50"', 'mass value="2.75"')


def built_in(into: Path, urdf: str | bytes | Path, options: BuildOptions | None = None) -> Path:
    result = read(urdf)
    options = evolve(options or BuildOptions(), into=into, urdf=urdf if isinstance(urdf, Path) else None)
    built = with_base(build(result.usable_robot(), options), result, options)
    write(built, into)
    return into / built.folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return built_in(tmp_path, ARM)


def edit(file: Path, *pairs: tuple[str, str]) -> None:
    text = file.read_bytes().decode()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file.write_bytes(text.encode())


def saved(folder: Path, urdf: str | bytes, options: UpdateOptions | None = None) -> Update:
    result = update(folder, read(urdf), options)
    result.save()
    return result


def modelica_files(result: Update) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Those that change and are no book-keeping."""
    return {
        name: (file.old, file.new)
        for file in result.files
        if not (name := file.path.relative_to(result.folder).as_posix()).startswith("Resources/")
    }


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("name", ["arm", "rover", "gripper", "updates/arm"])
def test_the_same_file_gives_no_update(name: str, tmp_path: Path) -> None:
    folder = built_in(tmp_path, ROBOTS / f"{name}.urdf")
    result = update(folder, read(ROBOTS / f"{name}.urdf"))
    assert result.files == ()
    assert result.report.taken == result.report.conflicts == ()


NUMBER = st.integers(1, 999).map(lambda number: f"{number}.5")


@st.composite
def changed(draw: st.DrawFn, robot: Robot) -> Robot:
    """The same robot with another mass, without its last leaf, or with a link more."""
    match draw(st.sampled_from(["mass", "leaf", "nothing", "order"])):
        case "mass":
            links = [
                link
                if link.inertial is None
                else evolve(link, inertial=evolve(link.inertial, mass=Number(text := draw(NUMBER), float(text))))
                for link in robot.links
            ]
            return evolve(robot, links=tuple(links))
        case "leaf" if robot.joints:
            # A joint's child comes behind its parent, so the last link is a leaf.
            gone = robot.joints[-1]
            joints = [joint for joint in robot.joints[:-1] if joint.mimic is None or joint.mimic.joint != gone.name]
            if len(joints) == len(robot.joints) - 1:
                return evolve(robot, links=robot.links[:-1], joints=tuple(joints))
        case "order":
            return evolve(robot, links=(robot.links[0], *robot.links[:0:-1]))
    return robot


def usable(robot: Robot) -> bytes | None:
    data = urdf_of(robot)
    return data if read(data).is_usable else None


@given(st.data())
@settings(max_examples=25)
def test_laws(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    before = data.draw(robots())
    now = data.draw(changed(before))
    old, new = usable(before), usable(now)
    if old is None or new is None:
        return
    place = tmp_path_factory.mktemp("laws")
    try:
        folder = built_in(place / "untouched", old, BuildOptions(copy_meshes=False))
        # Where nobody touched anything, an update is a build that keeps the names.
        name = folder.name
        saved(folder, new)
        known = read_names(folder)
        fresh = built_in(place / "fresh", new, BuildOptions(copy_meshes=False, known_names=known, name=name))
        assert files_in(folder) == files_in(fresh)
        # Comments and blanks in any file stay, and the second update finds nothing to do.
        edited = built_in(place / "edited", old, BuildOptions(copy_meshes=False))
        marks = put_comments(edited, data)
        assert update(edited, read(old)).files == ()
        result = saved(edited, new)
        assert [mark for mark in marks if not any(mark in text for text in files_in(edited).values())] == []
        assert update(edited, read(new)).files == ()
        assert result.report.undecided == ()
    finally:
        shutil.rmtree(place)


def read_names(folder: Path) -> object:
    from urdf_frontend.update.keeping import read_kept

    return read_kept(folder).names


def put_comments(folder: Path, data: st.DataObject) -> list[bytes]:
    """Comments and blank lines at places where they belong to what stays: the heads of classes."""
    files = sorted(folder.rglob("*.mo"))
    marks = []
    for number, file in enumerate(data.draw(st.lists(st.sampled_from(files), max_size=3, unique=True))):
        mark = f"// note {number} "
        document = Document(file.read_text(encoding="utf-8"))
        text = document.text
        head = text.index("\n") + 1
        blanks = data.draw(st.sampled_from(["", "\n", "\n\n"]))
        file.write_text(f"{text[:head]}{blanks}{mark}\n{text[head:]}", encoding="utf-8")
        marks.append(mark.encode())
    return marks
