"""Laws of updates: any robot, any edits of its package, any change of its URDF file."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from hypothesis import event, given, settings, strategies as st

from conftest import examples
from modelica_ast import ModelicaError, parse
from modelica_ast.compare import Change, compare
from modelica_ast.edit import Document
from modelica_ast.generate import Update
from modelica_ast.syntax.lexer import lex
from modelica_ast.testing import patches
from package.robot_structure import misfits, names_in
from package.urdf_changes import buildable_robots, changed_robots
from package.urdf_robots import urdf_of
from urdf_frontend import BuildOptions, Robot, build, read, write
from urdf_frontend.package import UpdateOptions, read_memory, update, with_base
from urdf_frontend.robot import NameTable

Files = dict[str, bytes]

# Verbs that hit what is generated; most of the others add something beside it. None of them moves or renames a class.
HITTING = (
    *("set_modifier", "remove_modifier", "set_extends_modifier", "remove_extends_modifier", "remove_extends"),
    *("remove_component", "rename_component", "move_component", "set_component_type", "set_component_condition"),
    *("add_component", "add_equation", "remove_equation", "connect", "disconnect", "reconnect"),
    *("set_placement", "set_line", "remove_annotation"),
)
COMMENTS = ("/* note {} */", "// note {}\n", "\n/* note {} */\n")
BLANKS = ("\n", "  ", "\n\n\t")


def built_in(into: Path, robot: Robot, known: NameTable | None = None) -> Path:
    """The package `Machine` in a folder. It keeps its name when the robot gets another one."""
    urdf = read(urdf_of(robot))
    options = BuildOptions(into=into, name="Machine", copy_meshes=False, known_names=known)
    built = with_base(build(urdf.usable_robot(), options), urdf, options)
    write(built, into)
    return into / built.folder


def updated(folder: Path, robot: Robot) -> Update:
    """A joint that has another name is another joint here: nobody says that it was renamed."""
    return update(folder, read(urdf_of(robot)), UpdateOptions(no_renames=True))


def files_in(folder: Path) -> Files:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------- what a user does


@attrs.frozen
class Edited:
    """What a user has made of something, and how; only that is shown of an example that fails."""

    words: str
    text: str = attrs.field(repr=False)


@st.composite
def edited_texts(draw: st.DrawFn, path: str, text: str, news: str, number: int) -> Edited:
    """A text after an edit of some kind; `news` is what the URDF would make of it."""
    match draw(st.sampled_from(["hitting verbs", "any verbs", "value", "comment", "blanks"])):
        case "value":
            return _with_other_value(draw, text, news)
        case "comment":
            return _with_trivia(draw, text, draw(st.sampled_from(COMMENTS)).format(number))
        case "blanks":
            return _with_trivia(draw, text, draw(st.sampled_from(BLANKS)))
        case verbs:
            # Where package.mo has another name or place, the whole package has: that is not an edit of one file.
            is_any = verbs == "any verbs" and path != "package.mo"
            found = draw(patches(text, max_operations=2, verbs=None if is_any else HITTING))
            document = Document(text)
            document.apply(found)
            return Edited(str(found), document.text)


def _with_other_value(draw: st.DrawFn, text: str, news: str) -> Edited:
    """With another number, if possible in a line that the URDF changes too."""
    values = list(re.finditer(r"(?m)^.*?=(-?\d[\d.e-]*).*$", text))
    if not values:
        return Edited("no value", text)
    both = [found for found in values if found[0] not in news.splitlines()]
    start, end = draw(st.sampled_from([found.span(1) for found in both or values]))
    return Edited(f"{text[max(start - 30, 0) : end]} becomes 77.5", f"{text[:start]}77.5{text[end:]}")


def _with_trivia(draw: st.DrawFn, text: str, added: str) -> Edited:
    """With blanks or a comment before some token."""
    leaves = [leaf for leaf, _ in lex(text, lazy=False)]
    at = sum(map(len, leaves[: draw(st.integers(0, len(leaves) - 1))]))
    return Edited(f"{added!r} before {text[at : at + 30]!r}", text[:at] + added + text[at:])


@st.composite
def edited_files(draw: st.DrawFn, files: Files, news: Files) -> dict[str, Edited]:
    """What one to three edits make of some files, mostly of those that the URDF changes too."""
    every = [path for path in sorted(files) if path.endswith(".mo")]
    likely = [path for path in every if news.get(path) != files[path]]
    found: dict[str, Edited] = {}
    for number in range(draw(st.integers(1, 3))):
        is_likely = bool(likely) and draw(st.sampled_from([True, True, True, False]))
        path = draw(st.sampled_from(likely if is_likely else every))
        before = found.get(path, Edited("", files[path].decode()))
        edited = draw(edited_texts(path, before.text, news.get(path, b"").decode(), number))
        if is_modelica(edited.text):
            found[path] = Edited(f"{before.words}; {edited.words}", edited.text)
    return found


def is_modelica(text: str) -> bool:
    try:
        parse(text)
    except ModelicaError:
        return False
    return True


# ---------------------------------------------------------------- the laws


@attrs.frozen
class Example:
    """A package as it was built, as the user has it, and after an update; `fresh` is a build with the same names.

    `left` are words of the robot's model that the URDF has taken away: edits of what they name may be comments now.
    """

    base: Files
    ours: Files
    after: Files
    fresh: Files
    update: Update
    left: frozenset[str]

    @property
    def edited(self) -> list[str]:
        return [path for path in self.base if self.ours[path] != self.base[path]]


def check_laws(data: st.DataObject, place: Path) -> None:
    before = data.draw(buildable_robots(), label="the robot")
    now = data.draw(changed_robots(before), label="the new robot")
    folder = built_in(place / "package", before)
    base, names = files_in(folder), names_in(folder)
    news = files_in(built_in(place / "news", now, read_memory(folder).table))
    edits = {path: each.text.encode() for path, each in data.draw(edited_files(base, news), label="the edits").items()}
    for path, content in edits.items():
        (folder / path).write_bytes(content)
    # The same URDF file is not a news.
    same = updated(folder, before)
    assert (same.files, same.report.conflicts) == ((), ())
    is_tree = fits(folder, before)
    left = frozenset([*words_left(names, before, now), *(words_left(names_in(folder), before, now) if is_tree else ())])
    result = updated(folder, now)
    result.save()
    # What was the tree of the URDF file still is, whatever else the user has done.
    if is_tree:
        assert misfits(folder, urdf_of(now)) == []
    fresh = files_in(built_in(place / "fresh", now, read_memory(folder).table))
    example = Example(base, {**base, **edits}, files_in(folder), fresh, result, left)
    event(f"conflicts: {bool(result.report.conflicts)}, edits: {bool(example.edited)}, news: {bool(result.files)}")
    check_files(example)
    assert list(lost_edits(example)) == []
    # Once is enough.
    assert updated(folder, now).files == ()


def fits(folder: Path, robot: Robot) -> bool:
    """Is the model that the user has edited still a tree of this robot?"""
    try:
        return misfits(folder, urdf_of(robot)) == []
    except (ModelicaError, AssertionError):
        return False


def words_left(names: NameTable, before: Robot, now: Robot) -> Iterator[str]:
    """The components that are gone, the ends of joints that hang elsewhere, start values of another unit."""
    for each, there in ((names.links, now.get_link), (names.joints, now.get_joint)):
        yield from (named.component for urdf, named in each.items() if there(urdf) is None)
    for old in before.joints:
        new, named = now.get_joint(old.name), names.joints.get(old.name)
        if new is None or named is None:
            continue
        if new.parent != old.parent:
            yield f"{named.component}.frame_a"
        if new.type.is_rotational != old.type.is_rotational:
            yield from ("q_start", "qd_start")


def check_files(example: Example) -> None:
    """All are Modelica. What the URDF did not touch is the user's to the byte; what the user did not, is a build's."""
    for path, content in example.after.items():
        if path.endswith(".mo"):
            assert is_modelica(content.decode()), path
    for path in example.edited:
        if example.fresh.get(path) == example.base[path]:
            assert example.after.get(path) == example.ours[path], path
    if example.update.report.attention:
        return  # classes that stay are in files that the user did not edit, too
    for path in {*example.base, *example.fresh} - set(example.edited):
        if not path.startswith("Resources/urdf/"):  # it has the conflicts
            assert example.after.get(path) == example.fresh.get(path), path


def lost_edits(example: Example) -> Iterator[str]:
    """What the user has written and the update has changed, removed or brought back."""
    for path in example.edited:
        ours = example.ours[path].decode()
        mine = list(compare(example.base[path].decode(), ours))
        if not mine:
            continue
        if path not in example.after:
            if not all(is_drawing(edit) for edit in mine):
                yield f"{path} is gone"
            continue
        after = example.after[path].decode()
        if path != "Machine.mo" or not example.left:  # a note on a generated connection goes with it
            yield from (f"{path}: {note} is gone" for note in re.findall(r"note \d", ours) if note not in after)
        for change in compare(ours, after):
            if not is_left(change, example.left):
                yield from (f"{path}: {change} undoes {edit}" for edit in mine if undoes(change, edit))


def is_drawing(edit: Change) -> bool:
    return edit.what == "annotation" and any(re.match("Placement|Line", name) for name in edit.path)


def is_left(change: Change, words: frozenset[str]) -> bool:
    """Is a change about what the URDF has taken away?"""
    return any(re.search(rf"(?<![\w.']){re.escape(word)}(?![\w'])", name) for word in words for name in change.path)


def undoes(change: Change, edit: Change) -> bool:
    """Is a change of the update about what the user has edited, or does it take that away with what is around it?"""
    if (change.what, change.path) == (edit.what, edit.path):
        return not keeps_lines(change, edit)
    return change.kind == "removed" and edit.kind != "removed" and edit.path[: len(change.path)] == change.path


def keeps_lines(change: Change, edit: Change) -> bool:
    """Does a text of many lines change in other lines than those that the user has edited?"""
    before, mine, after = (Counter((text or "").split("\n")) for text in (edit.old, edit.new, change.new))
    is_text = min(map(len, (before, mine, after))) > 1
    return is_text and mine - before <= after and all(after[line] <= mine[line] for line in before - mine)


@settings(max_examples=examples(8))
@given(st.data())
def test_any_edit_survives_any_change(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    place = tmp_path_factory.mktemp("laws")
    try:
        check_laws(data, place)
    finally:
        shutil.rmtree(place)


@pytest.mark.corpus
@settings(max_examples=examples(150))
@given(st.data())
def test_many_edits_survive_many_changes(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    place = tmp_path_factory.mktemp("laws")
    try:
        check_laws(data, place)
    finally:
        shutil.rmtree(place)
