"""Updates of real robots that nobody has touched: each is a build of the new file that keeps the names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from package.robot_structure import misfits, names_in
from package.test_update import built_in, files_in, modelica_files, saved
from urdf.test_corpus import ROBOTS, result_of, table
from urdf_frontend import BuildOptions, Kinematics, ReadResult, read
from urdf_frontend.package import export, update
from urdf_frontend.robot import Item, Joint, JointType

# These are in the normal run: an arm, followers, a tree of many branches, the smallest that has all that is changed.
SMALL = (
    "gen3_lite--ros2_kortex.urdf",
    "robotiq_arg85_description--robotiq_arg85_description.urdf",
    "pupper_v3.edited.fixed--pupper_v3_description.urdf",
    "acrobot--drake.urdf",
)
NAMES = [pytest.param(name, marks=[] if name in SMALL else [pytest.mark.corpus]) for name in table()]


def _mark(name: str) -> list[pytest.MarkDecorator]:
    """Each change of the smallest robot is in every run, those of small ones are slow."""
    if name == SMALL[-1]:
        return []
    return [pytest.mark.slow if name in SMALL else pytest.mark.corpus]


OPTIONS = BuildOptions(copy_meshes=False)  # they are not there

LEAF = """<link name="new leaf"><inertial><mass value="0.125"/>\
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="new twig" type="continuous"><parent link="{parent}"/><child link="new leaf"/><axis xyz="0 0 1"/></joint>
"""

pytestmark = pytest.mark.skipif(not ROBOTS.is_dir(), reason="there are no robots in ../shared/urdf")


@pytest.fixture
def robot(name: str) -> ReadResult:
    """The robot of that name as it was read, if it can be built."""
    result = result_of(name)
    if not result.is_usable:
        pytest.skip("it can't be built")
    return result


# ---------------------------------------------------------------- changes of a file, in its own bytes


def text_of(result: ReadResult) -> str:
    assert result.document is not None
    return result.document.text


def without(text: str, *items: Item) -> str:
    for item in sorted(items, key=lambda each: -each.place.span.start):
        text = text[: item.place.span.start] + text[item.place.span.end :]
    return text


def tree_of(result: ReadResult) -> Kinematics:
    assert result.robot is not None
    return Kinematics.of(result.robot)


def without_a_leaf(result: ReadResult) -> str | None:
    """Without the last leaf whose joint leads no other."""
    tree = tree_of(result)
    leaders = {joint.mimic.joint for joint in tree.robot.joints if joint.mimic is not None}
    for name in reversed(tree.leaves):
        link, joint = tree.robot.get_link(name), tree.joint_above(name)
        if link is not None and joint is not None and joint.name not in leaders:
            return without(text_of(result), link, joint)
    return None


def with_a_leaf(result: ReadResult) -> str:
    text = text_of(result)
    at = text.rindex("</robot>")
    return text[:at] + LEAF.format(parent=tree_of(result).leaves[0]) + text[at:]


def with_another_parent(result: ReadResult) -> str | None:
    """The last joint below another link is attached to the root."""
    tree = tree_of(result)
    root = tree.roots[0]
    for joint in reversed(tree.robot.joints):
        if joint.parent != root:
            return in_joint(result, joint, r'(<parent\s+link\s*=\s*)(["\'])[^"\']*\2', rf"\g<1>\g<2>{root}\g<2>")
    return None


def with_another_type(kind: JointType) -> Callable[[ReadResult], str | None]:
    def changed(result: ReadResult) -> str | None:
        robot = tree_of(result).robot
        leaders = {joint.mimic.joint for joint in robot.joints if joint.mimic is not None}
        for joint in robot.joints:
            if joint.type is JointType.REVOLUTE and joint.mimic is None and joint.name not in leaders:
                return in_joint(result, joint, r'(\stype\s*=\s*)(["\'])[^"\']*\2', rf"\g<1>\g<2>{kind.value}\g<2>")
        return None

    return changed


def in_joint(result: ReadResult, joint: Joint, pattern: str, new: str) -> str:
    text, span = text_of(result), joint.place.span
    inside, count = re.subn(pattern, new, text[span.start : span.end], count=1)
    assert count == 1
    return text[: span.start] + inside + text[span.end :]


CHANGES: dict[str, Callable[[ReadResult], str | None]] = {
    "leaf removed": without_a_leaf,
    "leaf added": with_a_leaf,
    "re-parented": with_another_parent,
    "fixed": with_another_type(JointType.FIXED),
    "sliding": with_another_type(JointType.PRISMATIC),
}


# ---------------------------------------------------------------- the laws


@pytest.mark.parametrize("name", NAMES)
def test_the_same_file_is_no_update_and_comes_back(name: str, robot: ReadResult, tmp_path: Path) -> None:
    folder = built_in(tmp_path, ROBOTS / name, OPTIONS)
    assert misfits(folder, robot) == []
    result = update(folder, read(ROBOTS / name))
    assert (result.files, result.report.taken, result.report.conflicts) == ((), (), ())
    assert export(folder).data == (ROBOTS / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_one_mass_is_one_token(name: str, robot: ReadResult, tmp_path: Path) -> None:
    masses = [link.inertial.mass for link in tree_of(robot).robot.links if link.inertial is not None]
    mass = next((mass for mass in masses if mass is not None and mass.span is not None and mass.value), None)
    if mass is None or mass.span is None:
        pytest.skip("nothing in it weighs anything")
    text = text_of(robot)
    new = f"{text[: mass.span.start]}17.125{text[mass.span.end :]}".encode()
    folder = built_in(tmp_path, ROBOTS / name, OPTIONS)
    ((old_bytes, new_bytes),) = modelica_files(saved(folder, new)).values()
    assert old_bytes is not None
    assert new_bytes is not None
    tokens = re.finditer(rb"(?<=\bmass=)[^,)\s]+", old_bytes)
    assert new_bytes in {old_bytes[: at.start()] + b"17.125" + old_bytes[at.end() :] for at in tokens}
    assert export(folder).data == new


def is_possible(name: str, change: str) -> bool:
    """Is there something to change? Large robots are not read before they are wanted."""
    return name not in SMALL or CHANGES[change](result_of(name)) is not None


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param(name, change, marks=_mark(name))
        for name in table()
        for change in CHANGES
        if is_possible(name, change)
    ],
)
def test_an_update_of_what_nobody_touched_is_a_build(name: str, robot: ReadResult, change: str, tmp_path: Path) -> None:
    text = CHANGES[change](robot)
    if text is None:
        pytest.skip(f"it has nothing for the change '{change}'")
    new = text.encode()
    folder = built_in(tmp_path / "package", ROBOTS / name, OPTIONS)
    saved(folder, new)
    assert misfits(folder, new) == []
    options = BuildOptions(copy_meshes=False, known_names=names_in(folder), name=folder.name)
    fresh = built_in(tmp_path / "fresh", new, options)
    assert without_book_keeping(folder) == without_book_keeping(fresh)
    assert update(folder, read(new)).files == ()
    assert export(folder).data == new


def without_book_keeping(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files_in(folder).items() if not name.startswith("Resources/urdf/")}
