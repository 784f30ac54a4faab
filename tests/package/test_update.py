"""Updates of packages: what is brought in, what stays, what is reported; and values on their way back."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, examples
from modelica_ast.edit import Document
from modelica_ast.generate import NoBaseError, Update, UpdateError, digest, read_side_car
from modelica_ast.library import Libraries
from modelica_ast.rules import check_libraries
from package.robot_structure import misfits
from package.test_build import standard_libraries
from package.urdf_robots import robots, urdf_of
from pages import call, stream, text_in
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.cli.update import ask
from urdf_frontend.package import BuiltPackage, UpdateOptions, adopt, export, read_memory, update, with_base
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot import Number, Robot

ROBOTS = FIXTURES / "robots"
ARM = (ROBOTS / "updates" / "arm.urdf").read_text(encoding="utf-8")
MASS = ('mass value="2.50"', 'mass value="2.75"')


def built_from(urdf: str | bytes | Path, options: BuildOptions) -> BuiltPackage:
    result = read(urdf)
    return with_base(build(result.usable_robot(), options), result, options)


@cache
def built_by_itself(urdf: str) -> BuiltPackage:
    """A package in no library is the same wherever it is written: it is worked out once for all tests."""
    return built_from(urdf, BuildOptions())


def built_in(into: Path, urdf: str | bytes | Path, options: BuildOptions | None = None) -> Path:
    if isinstance(urdf, str) and options is None and not (into / "package.mo").exists():
        built = built_by_itself(urdf)
    else:
        options = evolve(options or BuildOptions(), into=into, urdf=urdf if isinstance(urdf, Path) else None)
        built = built_from(urdf, options)
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
    """Those that change and are not book-keeping."""
    return {
        name: (file.old, file.new)
        for file in result.files
        if not (name := file.path.relative_to(result.folder).as_posix()).startswith("Resources/")
    }


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def as_built(folder: Path) -> dict[str, bytes]:
    """All files; the side-car without what it remembers of the time before."""
    files = files_in(folder)
    for path in [path for path in files if path.startswith("Resources/urdf/") and path.endswith(".json")]:
        files[path] = evolve(read_side_car(files[path].decode(), path), before={}).text.encode()
    return files


# ---------------------------------------------------------------- limits
# Packages of before had the limits of joints as they are written; now they have those that count.

LIMITS = """\
<robot name="arm">
  <link name="base"/>
  <link name="tip"><inertial><mass value="1"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><limit effort="1" velocity="2"/></joint>
  <link name="far"/>
  <joint name="slide" type="prismatic"><parent link="tip"/><child link="far"/><limit effort="-1" velocity="2"/></joint>
  <link name="free"/>
  <joint name="spin" type="continuous"><parent link="tip"/><child link="free"/><limit effort="1" velocity="2"/></joint>
</robot>
"""


def built_before(into: Path) -> Path:
    result, options = read(LIMITS), BuildOptions(into=into)
    built = with_base(build(result.usable_robot().as_written, options), result, options)
    write(built, into)
    path = into / "arm/Resources/urdf/arm.json"
    path.write_text(re.sub(r'  "reading": [^\n]*\n', "", path.read_text(encoding="utf-8")), encoding="utf-8")
    return into / "arm"


def test_an_update_brings_limits_that_count(tmp_path: Path) -> None:
    folder = built_before(tmp_path)
    assert "limit.lower" not in (folder / "Joints/turn.mo").read_text(encoding="utf-8")
    assert "effort=-1" in (folder / "Joints/slideParams.mo").read_text(encoding="utf-8")
    result = saved(folder, LIMITS)
    changed = {f"Joints/{name}{end}.mo" for name in ("turn", "slide") for end in ("", "Params")}
    assert (set(modelica_files(result)), result.report.conflicts) == (changed, ())
    (tmp_path / "new").mkdir()
    assert as_built(folder) == as_built(built_in(tmp_path / "new", LIMITS))
    assert saved(folder, LIMITS).files == ()


def test_edits_of_joints_stay_when_their_limits_change(tmp_path: Path) -> None:
    folder = built_before(tmp_path)
    edit(folder / "Joints/turnParams.mo", ("effort=1", "effort=5 /* tested */"))
    edit(folder / "Joints/turn.mo", ("equation\n", "  Real mine = revolute.phi;\nequation\n"))
    result = saved(folder, LIMITS)
    assert (result.report.conflicts, result.report.attention) == ((), ())
    record = (folder / "Joints/turnParams.mo").read_text(encoding="utf-8")
    model = (folder / "Joints/turn.mo").read_text(encoding="utf-8")
    assert re.search(r"effort=5 /\* tested \*/", record)
    assert re.search(r"lower=0,\s+upper=0", record)
    assert "Real mine = revolute.phi;" in model
    assert model.count("jointParams.limit.lower") == 3
    assert saved(folder, LIMITS).files == ()


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("name", ["arm", "rover", "gripper", "updates/arm"])
def test_the_same_file_gives_no_update(name: str, tmp_path: Path) -> None:
    folder = built_in(tmp_path, ROBOTS / f"{name}.urdf")
    result = update(folder, read(ROBOTS / f"{name}.urdf"))
    assert result.files == ()
    assert (result.report.taken, result.report.conflicts) == ((), ())


NUMBER = st.integers(1, 999).map(lambda number: f"{number}.5")


@st.composite
def changed(draw: st.DrawFn, robot: Robot) -> Robot:
    """The same robot with other masses, without its last leaf, or with its links in another order."""
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
            # A joint's child comes after its parent, so the last link is a leaf.
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
@settings(max_examples=examples(15))
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
        known = read_memory(folder).table
        fresh = built_in(place / "fresh", new, BuildOptions(copy_meshes=False, known_names=known, name=name))
        assert as_built(folder) == as_built(fresh)
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


# ---------------------------------------------------------------- conflicts


def test_a_conflict_keeps_the_users_value_and_says_both(package: Path) -> None:
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6 /* weighed */"))
    result = saved(package, ARM.replace(*MASS))
    (conflict,) = result.report.undecided
    assert (conflict.base, conflict.user, conflict.data) == ("2.50", "2.6", "2.75")
    assert (conflict.file, conflict.line) == ("Links/upperParams.mo", 7)
    assert conflict.data_place is not None
    assert ARM.splitlines()[conflict.data_place.line - 1].strip() == '<mass value="2.50"/>'
    assert "mass=2.6 /* weighed */" in (package / "Links" / "upperParams.mo").read_text(encoding="utf-8")


def test_a_conflict_is_asked_about_once(package: Path) -> None:
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    saved(package, ARM.replace(*MASS))
    again = saved(package, ARM.replace(*MASS))
    assert (again.files, again.report.conflicts) == ((), ())
    assert [(each.user, each.data) for each in again.report.open] == [("2.6", "2.75")]
    third = saved(package, ARM.replace(MASS[0], 'mass value="2.9"'))
    assert [(each.user, each.data) for each in third.report.conflicts] == [("2.6", "2.9")]
    assert third.report.open == ()


@pytest.mark.parametrize(("prefer", "mass"), [("urdf", "mass=2.75 /* weighed */"), ("user", "mass=2.6 /* weighed */")])
@pytest.mark.parametrize("later", [False, True])
def test_a_preference_decides(package: Path, prefer: str, mass: str, *, later: bool) -> None:
    record = package / "Links" / "upperParams.mo"
    edit(record, ("mass=2.50", "mass=2.6 /* weighed */"))
    new = ARM.replace(*MASS)
    if later:
        saved(package, new)
    result = saved(package, new, UpdateOptions(prefer="urdf" if prefer == "urdf" else "user"))
    assert mass in record.read_text(encoding="utf-8")
    assert (result.report.undecided, result.report.open) == ((), ())
    assert update(package, read(new)).report.open == ()


def test_each_conflict_can_be_decided_by_itself(package: Path) -> None:
    record = package / "Joints" / "shoulderParams.mo"
    edit(record, ("effort=100", "effort=90"), ("damping=0.1", "damping=0.2"))
    new = ARM.replace('effort="100"', 'effort="120"').replace('damping="0.1"', 'damping="0.3"')
    decided = UpdateOptions(decide=lambda conflict: "urdf" if conflict.path[-1] == "effort" else None)
    result = saved(package, new, decided)
    assert [conflict.decided for conflict in result.report.conflicts] == [None, "urdf"]
    text = record.read_text(encoding="utf-8")
    assert "effort=120" in text
    assert "damping=0.2" in text


@pytest.mark.parametrize(("answers", "decided"), [("what\nu\n", "urdf"), ("y\n", "user"), ("l\n", None), ("", None)])
def test_a_terminal_is_asked(
    package: Path,
    answers: str,
    decided: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    result = update(package, read(ARM.replace(*MASS)), UpdateOptions(decide=ask))
    assert [conflict.decided for conflict in result.report.conflicts] == [decided]
    assert "yours is 2.6, the URDF has 2.75" in capsys.readouterr().err


# ---------------------------------------------------------------- links and joints that come and go

LAMP = """  <link name="lamp"/>
  <joint name="hook" type="fixed"><parent link="fore"/><child link="lamp"/></joint>
</robot>"""


def without_tool() -> str:
    text = re.sub(r'  <link name="tool">.*?</link>\n', "", ARM, flags=re.DOTALL)
    return re.sub(r'  <joint name="slide".*?</joint>\n', "", text, flags=re.DOTALL)


def test_what_is_gone_goes(package: Path) -> None:
    saved(package, without_tool())
    assert not list(package.rglob("tool*")) + list(package.rglob("slide*"))
    assert "tool" not in (package / "arm.mo").read_text(encoding="utf-8")


def test_what_the_user_led_to_a_link_that_is_gone_is_commented_out(package: Path) -> None:
    edit(package / "arm.mo", ("equation\n", "equation\n  connect(tool.frame_a, load.frame_a);\n"))
    result = saved(package, without_tool())
    assert [line for line in result.report.attention if "'tool'" in line]
    text = (package / "arm.mo").read_text(encoding="utf-8")
    assert "\n  // connect(tool.frame_a, load.frame_a);\n" in text
    assert "Links.tool" not in text
    assert "slide.frame_b" not in text
    assert not (package / "Links" / "tool.mo").exists()


WITHOUT_CAMERA = re.sub(r'<link name="camera"/>|<joint name="mount".*?</joint>', "", ARM, flags=re.DOTALL)
SHOULDER_FIXED = ARM.replace('"shoulder" type="revolute"', '"shoulder" type="fixed"')
GEAR = "connect(elbow.flange_a, gear.flange_b);\n  connect(gear.flange_a, rotational_flange_a[2])"
DRIVEN = "{{130,10},{130,14},{-78,14},{-78,72},{-100,72}}, color={128,128,128}));"
SENSOR = "connect(s.frame_b, frame_b[2]);\n  connect(tool.frame_a, s.frame_a)"


@pytest.mark.parametrize(
    ("old", "new", "urdf", "kept"),
    [
        ("  connect(elbow.flange_b,", "  // a note\n  connect(elbow.flange_b,", SHOULDER_FIXED, "  // a note\n"),
        (DRIVEN, f"{DRIVEN} // a note", SHOULDER_FIXED, "// a note\n"),
        ("flange_b[2])\n", 'flange_b[2]) "the drive"\n', SHOULDER_FIXED, 'rotational_flange_b[1]) "the drive"\n'),
        ("{{258,28},{258,0},{340,0}}", "{{258,28},{258,1},{340,0}}", WITHOUT_CAMERA, "{{258,28},{258,1},{340,0}}"),
        ("connect(tool.frame_a, frame_b[2])", "connect(frame_b[2], tool.frame_a)", WITHOUT_CAMERA, "frame_b[1]"),
        ("connect(tool.frame_a, frame_b[2])", SENSOR, WITHOUT_CAMERA, "\n  connect(s.frame_b, frame_b[1]);\n"),
        (
            "connect(elbow.flange_a, rotational_flange_a[2])",
            GEAR,
            SHOULDER_FIXED,
            "  connect(gear.flange_a, rotational_flange_a[1]",
        ),
    ],
)
def test_elements_of_the_robot_are_numbered_anew(package: Path, old: str, new: str, urdf: str, kept: str) -> None:
    model = package / "arm.mo"
    edit(model, (old, new), ("equation\n", "  Sensor s;\n  Gear gear;\nequation\n"))
    result = saved(package, urdf)
    assert (misfits(package, urdf), result.report.conflicts) == ([], ())
    assert kept in model.read_text(encoding="utf-8")
    assert update(package, read(urdf)).files == ()


def test_a_connection_that_the_user_replaced_may_be_drawn_elsewhere(package: Path) -> None:
    edit(package / "arm.mo", ("connect(base.frame_a, mount.frame_a)", "connect(base.frame_a, s.frame_a)"))
    edit(package / "arm.mo", ("equation\n", "  Sensor s;\nequation\n  connect(s.frame_b, mount.frame_a);\n"))
    lamp = '<link name="lamp"/><joint name="hook" type="fixed"><parent link="base"/><child link="lamp"/></joint>'
    urdf = ARM.replace('<joint name="mount"', f'{lamp}<joint name="mount"')
    result = saved(package, urdf)
    assert (misfits(package, urdf), result.report.needs_user) == ([], False)


@pytest.mark.parametrize("new", ["MyCamera camera", "Links.camera camera if has", 'Links.camera camera "mine"'])
def test_a_declaration_that_the_user_changed_is_commented_out_when_its_link_is_gone(package: Path, new: str) -> None:
    edit(package / "arm.mo", ("Links.camera camera", new))
    result = saved(package, WITHOUT_CAMERA)
    assert any("is commented out" in line for line in result.report.attention)
    assert f"  // {new}\n" in (package / "arm.mo").read_text(encoding="utf-8")


def test_generated_uses_of_another_type_need_nobody(package: Path) -> None:
    result = saved(package, ARM.replace('"elbow" type="revolute"', '"elbow" type="prismatic"'))
    assert result.report.attention == ()


def test_a_use_of_what_is_gone_is_told_once(package: Path) -> None:
    edit(package / "armRun.mo", ('arm robot "', 'arm robot(camera(x=1)) "'))
    assert len(saved(package, WITHOUT_CAMERA).report.attention) == 1


def test_prune_says_what_goes(package: Path) -> None:
    edit(package / "Links" / "cameraParams.mo", ('"Values', '"My values'))
    (line,) = saved(package, WITHOUT_CAMERA, UpdateOptions(prune=True)).report.attention
    assert line.endswith("its classes go too, although you have changed Links/cameraParams.mo")
    assert not (package / "Links" / "cameraParams.mo").exists()


def test_a_new_link_keeps_out_of_the_users_way(package: Path) -> None:
    edit(package / "arm.mo", ("equation\n", "  Real lamp = 1;\nequation\n"))
    (package / "Links" / "lamp.mo").write_text("within arm.Links;\nmodel lamp\nend lamp;\n", encoding="utf-8")
    result = saved(package, ARM.replace("</robot>", LAMP))
    assert result.report.conflicts == ()
    assert (package / "Links" / "lamp.mo").read_text(encoding="utf-8") == "within arm.Links;\nmodel lamp\nend lamp;\n"
    text = (package / "arm.mo").read_text(encoding="utf-8")
    assert "Real lamp = 1;" in text
    assert re.search(r"Links\.lamp_\w* lamp_\w*", text)


def test_a_renamed_link_is_asked_about_and_followed(package: Path) -> None:
    new = ARM.replace('"upper"', '"biceps"')
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6 /* weighed */"))
    edit(package / "arm.mo", ("equation\n", "equation\n  connect(upper.frame_a, load.frame_a);\n"))
    assert [(each.old, each.new) for each in update(package, read(new)).questions] == [("upper", "biceps")]
    result = saved(package, new, UpdateOptions(renames={"upper": "biceps"}))
    assert (result.report.conflicts, result.questions) == ((), ())
    assert "mass=2.6 /* weighed */" in (package / "Links" / "bicepsParams.mo").read_text(encoding="utf-8")
    assert "connect(biceps.frame_a, load.frame_a)" in (package / "arm.mo").read_text(encoding="utf-8")
    assert not (package / "Links" / "upper.mo").exists()
    assert update(package, read(new)).files == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hand", "biceps", "the package has no link or joint 'hand'"),
        ("upper", "hand", "the URDF file has no link or joint 'hand'"),
        ("fore", "biceps", "the URDF file still has 'fore'"),
    ],
)
def test_a_wrong_renaming_is_refused(package: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UpdateError, match=re.escape(message)):
        update(package, read(ARM.replace('"upper"', '"biceps"')), UpdateOptions(renames={old: new}))


# ---------------------------------------------------------------- the base


def test_the_side_car_reads_back(package: Path) -> None:
    text = (package / "Resources" / "urdf" / "arm.json").read_text(encoding="utf-8")
    assert read_side_car(text, "arm.json").text == text


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "arm.json").unlink(), "has no side-car"),
        (lambda folder: (folder / "arm.json").write_bytes(b"\xff\xfe"), "not UTF-8"),
        (lambda folder: edit(folder / "arm.json", ("{\n", "<<<<<<< ours\n{\n")), "arm.json:1 is not a side-car"),
        (lambda folder: edit(folder / "arm.json", ('  "names": "as-is",\n', "")), "an option is missing"),
        (
            lambda folder: edit(folder / "arm.json", ('"generator": ', '"generator": 7, "x": ')),
            "'generator' is missing",
        ),
        (lambda folder: edit(folder / "arm.json", ('"version": 1', '"version": 0')), "it is of version 0"),
        (lambda folder: edit(folder / "arm.json", ('"conflicts": []', '"conflicts": [7]')), "'conflicts' is missing"),
        (lambda folder: edit(folder / "arm.json", ('"kept": []', '"kept": [{"what": 1}]')), "'kept' is missing"),
        (lambda folder: edit(folder / "arm.json", ('"class": "upper"', '"class": null')), "the names are damaged"),
        (
            lambda folder: edit(folder / "arm.json", ('"class": "upper"', '"class": "../x"')),
            "is not a name in Modelica",
        ),
        (
            lambda folder: edit(folder / "arm.json", ('"component": "upper"', '"component": "base"')),
            "the same component",
        ),
        (lambda folder: edit(folder / "arm.json", ('"urdf": "upper"', '"urdf": "lower"')), "there is none for 'upper'"),
        (lambda folder: (folder / "arm.json").write_text("[" * 20_000, encoding="utf-8"), "is not a side-car"),
        (lambda folder: edit(folder / "arm.urdf", ("2.50", "2.51")), "is not the file that the package was made from"),
        (lambda folder: (folder / "arm.urdf").unlink(), "can't be read"),
    ],
)
def test_a_damaged_base_is_explained_and_made_again(package: Path, damage: object, message: str) -> None:
    assert callable(damage)
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    before = files_in(package)
    damage(package / "Resources" / "urdf")
    with pytest.raises(NoBaseError, match=re.escape(message)):
        update(package, read(ARM))
    adopted = adopt(package, read(ARM), BuildOptions())
    assert adopted.edited == ("Links/upperParams.mo",)
    adopted.save()
    assert files_in(package) == before


def test_a_good_base_is_not_replaced_by_chance(package: Path) -> None:
    with pytest.raises(UpdateError, match="has a base, and it is intact"):
        adopt(package, read(ARM), BuildOptions())
    with pytest.raises(UpdateError, match="is not a package of this robot"):
        adopt(package, read(ROBOTS / "rover.urdf"), BuildOptions(), replace=True)


def test_line_ends_that_git_has_changed_are_no_edits(package: Path) -> None:
    for path in package.rglob("*.*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert update(package, read(ARM)).files == ()
    result = saved(package, ARM.replace(*MASS))
    assert b"mass=2.75,\r\n" in (package / "Links" / "upperParams.mo").read_bytes()
    assert result.report.conflicts == ()


def test_a_package_of_another_version_takes_what_the_urdf_changed(package: Path) -> None:
    """The digests of two files are those of other texts: one is as it was generated, one was edited."""
    edit(package / "Links" / "upper.mo", ("equation\n", "equation\n  // mine\n"))
    edit(package / "Joints" / "elbow.mo", ("parameter elbowParams", "parameter  elbowParams"))
    base = package / "Resources" / "urdf" / "arm.json"
    kept = read_side_car(base.read_text(encoding="utf-8"), "arm.json")
    older = {**kept.files, "Links/upper.mo": "0" * 64}
    older["Joints/elbow.mo"] = digest("elbow.mo", (package / "Joints" / "elbow.mo").read_bytes())
    base.write_text(evolve(kept, files=older, generator="urdf_frontend 0.0.9").text, encoding="utf-8")
    result = saved(package, ARM)
    assert [line for line in result.report.kept if line.startswith("Links/upper.mo") and "0.0.9" in line]
    assert "// mine" in (package / "Links" / "upper.mo").read_text(encoding="utf-8")
    assert "parameter elbowParams" in (package / "Joints" / "elbow.mo").read_text(encoding="utf-8")
    assert update(package, read(ARM)).files == ()


def test_files_follow_a_package_that_says_another_place(package: Path) -> None:
    edit(package / "package.mo", ("package arm", "within Robots;\npackage arm"))
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.60"))
    saved(package, ARM)
    for name in ("upper.mo", "upperParams.mo"):
        text = (package / "Links" / name).read_text(encoding="utf-8")
        assert text.startswith("within Robots.arm.Links;"), name
    assert "mass=2.60" in (package / "Links" / "upperParams.mo").read_text(encoding="utf-8")
    assert saved(package, ARM).files == ()


@pytest.mark.slow
def test_a_renamed_package_is_followed(tmp_path: Path) -> None:
    library = tmp_path / "Robots"
    library.mkdir()
    (library / "package.mo").write_text("package Robots\nend Robots;\n", encoding="utf-8")
    package = built_in(library, ARM, BuildOptions(name="Arm"))
    moved = library / "DeskArm"
    package.rename(moved)
    edit(moved / "package.mo", ("package Arm", "package DeskArm"), ("end Arm;", "end DeskArm;"))
    for path in moved.rglob("*.mo"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("within Robots.Arm", "within Robots.DeskArm"), encoding="utf-8")
    result = saved(moved, ARM.replace(*MASS).replace("</robot>", LAMP))
    assert result.report.conflicts == ()
    assert "mass=2.75" in (moved / "Links" / "upperParams.mo").read_text(encoding="utf-8")
    assert (moved / "Links" / "lamp.mo").read_text(encoding="utf-8").startswith("within Robots.DeskArm.Links;")


def test_a_lost_mesh_keeps_its_copy(tmp_path: Path) -> None:
    source = tmp_path / "robot.urdf"
    shutil.copy(ROBOTS / "arm.urdf", source)
    shutil.copytree(ROBOTS / "meshes", tmp_path / "meshes")
    folder = built_in(tmp_path / "lib", source)
    before = files_in(folder)
    assert any(path.startswith("Resources/Meshes/") for path in before)
    shutil.rmtree(tmp_path / "meshes")
    assert update(folder, read(source)).files == ()


def test_nothing_is_written_if_a_file_changes_meanwhile(package: Path) -> None:
    result = update(package, read(ARM.replace(*MASS)))
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    before = files_in(package)
    with pytest.raises(UpdateError, match="has changed since it was read"):
        result.save()
    assert files_in(package) == before


def test_a_file_that_is_no_modelica_is_named(package: Path) -> None:
    edit(package / "Links" / "upperParams.mo", ("record", "recrod"))
    with pytest.raises(UpdateError, match=r"Links/upperParams\.mo"):
        update(package, read(ARM.replace(*MASS)))


# ---------------------------------------------------------------- size, and all names


def chain(links: int) -> str:
    text = ['<robot name="chain">']
    for n in range(links):
        inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        text.append(f'<link name="l{n}"><inertial><mass value="{n}.25"/>{inertia}</inertial></link>')
        if n:
            ends = f'<parent link="l{n - 1}"/><child link="l{n}"/><axis xyz="0 0 1"/>'
            text.append(f'<joint name="j{n}" type="continuous">{ends}</joint>')
    return "\n".join([*text, "</robot>"])


@pytest.mark.slow
def test_one_mass_of_two_hundred_links_is_one_token(tmp_path: Path) -> None:
    urdf = chain(200)
    folder = built_in(tmp_path, urdf)
    edit(folder / "chain.mo", ("equation\n", "equation\n  // mine\n"))
    result = saved(folder, urdf.replace('mass value="77.25"', 'mass value="80.5"'))
    changes = modelica_files(result)
    old, new = changes.pop("Links/l77Params.mo")
    assert old is not None
    assert new == old.replace(b"mass=77.25", b"mass=80.5")
    assert not changes


@pytest.mark.slow
def test_all_names_lead_somewhere_after_an_update(package: Path, msl: Path) -> None:
    sensor = "  Modelica.Mechanics.MultiBody.Sensors.AbsoluteSensor imu(get_a=true);\n"
    edit(package / "arm.mo", ("equation\n", f"{sensor}equation\n  connect(imu.frame_a, tool.frame_a);\n"))
    new = without_tool().replace("</robot>", LAMP).replace('name="elbow" type="revolute"', 'name="elbow" type="fixed"')
    saved(package, new, UpdateOptions(no_renames=True))
    libraries = Libraries([package], read_only=[TEMPLATES, *standard_libraries(msl)])
    assert check_libraries(libraries) == []


# ---------------------------------------------------------------- export


def test_values_flow_back_into_the_same_bytes(package: Path) -> None:
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.60"), ("{0,0,0.25}", "{0,0.1,0.25}"))
    edit(package / "Joints" / "shoulderParams.mo", ("lower=-1.5", "lower=-1.25"))
    edit(package / "Links" / "baseParams.mo", ("rgba={0.6,0.6,0.6,1}", "rgba={0.6,0.6,0.5,1}"))
    result = export(package)
    expected = ARM
    for old, new in (
        ('mass value="2.50"', 'mass value="2.60"'),
        ('xyz="0 0 0.25"', 'xyz="0 0.1 0.25"'),
        ('lower="-1.5"', 'lower="-1.25"'),
        ("0.6 0.6 0.6 1", "0.6 0.6 0.5 1"),
    ):
        expected = expected.replace(old, new)
    assert result.data.decode() == expected
    assert result.problems == ()
    assert update(package, read(result.data)).report.conflicts == ()


def test_an_untouched_package_exports_its_file(package: Path) -> None:
    assert export(package).data.decode() == ARM


def test_what_urdf_cannot_express_is_said(package: Path) -> None:
    edit(package / "Links" / "upperParams.mo", ("mass=2.50", "mass=2*m0"))
    edit(
        package / "Joints" / "elbowParams.mo",
        ("    limit=", "    dynamics=UrdfRobots.Records.Dynamics(damping=0.3),\n    limit="),
    )
    edit(package / "arm.mo", ("Links.fore fore", "Links.fore fore(linkParams(inertial(mass=3)))"))
    result = export(package)
    assert result.data.decode() == ARM
    assert [problem for problem in result.problems if "2*m0 is an expression" in problem]
    assert [problem for problem in result.problems if "dynamics" in problem]
    assert [problem for problem in result.problems if "in the robot's model" in problem]


# ---------------------------------------------------------------- the command line


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    out, err = stream(), stream()
    with contextlib.chdir(folder):
        code = call(["urdf", *words], out, err)
    return subprocess.CompletedProcess(words, code, text_in(out), text_in(err))


def test_the_commands(tmp_path: Path) -> None:
    (tmp_path / "old.urdf").write_text(ARM, encoding="utf-8")
    (tmp_path / "new.urdf").write_text(ARM.replace(*MASS), encoding="utf-8")
    assert run(tmp_path, "build", "old.urdf").returncode == 0
    assert run(tmp_path, "status", "old.urdf", "--package", "arm").returncode == 0
    status = run(tmp_path, "status", "new.urdf", "--package", "arm")
    assert (status.returncode, "upperParams.inertial.mass: 2.50 -> 2.75" in status.stdout) == (1, True)
    edit(tmp_path / "arm" / "Links" / "upperParams.mo", ("mass=2.50", "mass=2.6"))
    dry = run(tmp_path, "update", "new.urdf", "--package", "arm", "--dry-run", "--json")
    data = json.loads(dry.stdout)
    assert dry.returncode == 3
    assert [(each["user"], each["urdf"], each["urdf_line"]) for each in data["conflicts"]] == [("2.6", "2.75", 15)]
    assert run(tmp_path, "update", "new.urdf", "--package", "arm").returncode == 3
    assert run(tmp_path, "update", "new.urdf", "--package", "arm").returncode == 0
    exported = run(tmp_path, "export", "--package", "arm")
    assert exported.stdout == ARM.replace(MASS[0], 'mass value="2.6"')
    assert run(tmp_path, "update", "new.urdf", "--package", "nowhere").returncode == 4
    assert run(tmp_path, "update", "new.urdf", "--package", "arm", "--interactive").returncode == 2
    shutil.rmtree(tmp_path / "arm" / "Resources" / "urdf")
    lost = run(tmp_path, "update", "new.urdf", "--package", "arm")
    assert (lost.returncode, "urdf adopt" in lost.stderr) == (4, True)
    assert run(tmp_path, "adopt", "new.urdf", "--package", "arm").returncode == 0
    assert run(tmp_path, "update", "new.urdf", "--package", "arm").returncode == 0
    (tmp_path / "new.urdf").write_text(ARM.replace('"camera"', '"eye"'), encoding="utf-8")
    asked = run(tmp_path, "update", "new.urdf", "--package", "arm")
    commands = [line.strip() for line in asked.stderr.splitlines() if line.startswith("    modelica-patch")]
    assert (asked.returncode, [line.split(maxsplit=6)[-1] for line in commands]) == (
        3,
        ["--rename camera=eye", "--no-rename"],
    )


# ---------------------------------------------------------------- diagrams of before
# Robots inherited their connectors, and `frame_b` was in the middle of their diagrams.

BEFORE = BuildOptions(own_connectors=False)


def test_a_diagram_of_before_that_nobody_touched_is_made_anew(tmp_path: Path) -> None:
    folder = built_in(tmp_path / "before", ARM, BEFORE)
    assert "BaseRobot" in (folder / "arm.mo").read_text(encoding="utf-8")
    edit(folder / "Links" / "fore.mo", ("equation\n", "  Real own=time;\nequation\n"))
    urdf = ARM.replace(*MASS)
    result = saved(folder, urdf)
    assert (result.report.attention, result.report.conflicts, misfits(folder, urdf)) == ((), (), [])
    assert (folder / "arm.mo").read_bytes() == built_by_itself(urdf).files[Path("arm/arm.mo")]
    assert "Real own=time" in (folder / "Links" / "fore.mo").read_text(encoding="utf-8")
    assert update(folder, read(urdf)).files == ()


def test_a_diagram_of_before_that_somebody_edited_stays_as_it_was(tmp_path: Path) -> None:
    folder = built_in(tmp_path / "before", ARM, BEFORE)
    edit(folder / "arm.mo", ("origin={100,-50}", "origin={100,-20}"), ("equation\n", "  Sensor s;\nequation\n"))
    urdf = ARM.replace("</robot>", LAMP)
    result = saved(folder, urdf)
    assert (result.report.needs_user, misfits(folder, urdf)) == (False, [])
    text = (folder / "arm.mo").read_text(encoding="utf-8")
    assert "BaseRobot" in text
    assert "frame_b[numLeafLinks]" not in text
    assert "origin={100,-20}" in text
    fresh = built_from(urdf, BEFORE).text("arm/arm.mo")
    (lamp,) = re.findall(r"  Links\.lamp [^;]*;\n", fresh)
    assert lamp in text
    assert update(folder, read(urdf)).files == ()


def test_a_package_of_before_is_adopted_as_it_was(tmp_path: Path) -> None:
    folder = built_in(tmp_path / "before", ARM, BEFORE)
    shutil.rmtree(folder / "Resources")
    adoption = adopt(folder, read(ARM), BuildOptions())
    assert "arm.mo" in adoption.equal
    adoption.save()
    saved(folder, ARM.replace(*MASS))
    assert (folder / "arm.mo").read_bytes() == built_by_itself(ARM).files[Path("arm/arm.mo")]
