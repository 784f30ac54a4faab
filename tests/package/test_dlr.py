"""Packages of URDFModelica's script: taken over as they are, then updated, and nothing of the user's is lost.

`fixtures/robots/dlr` has such a package, Cell.Picker, and as much of the library as it needs.
"""

from __future__ import annotations

import difflib
import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES, crossed, mostly_slow
from modelica_ast import parse
from modelica_ast.generate import NoBaseError, UnreadableError, Update, UpdateError
from modelica_ast.library import Libraries
from modelica_ast.rules import check_libraries
from package.robot_structure import misfits
from package.test_build import standard_libraries
from package.test_survival import cut, read_text, write_text, wrong_names
from urdf_frontend import BuildOptions, read
from urdf_frontend.package import Adoption, UpdateOptions, adopt as adopt_package, export, update

DLR = FIXTURES / "robots" / "dlr"
URDF = (DLR / "picker.urdf").read_text(encoding="utf-8")
EDITS: dict[str, dict[str, Any]] = json.loads((DLR / "user_edits.json").read_text(encoding="utf-8"))
CHANGES: dict[str, dict[str, Any]] = json.loads((DLR / "urdf_changes.json").read_text(encoding="utf-8"))
CELLS = [(edit, change) for edit in EDITS for change in CHANGES]
# Every edit and every change is in the normal run at least once; `corpus` runs all cells.
DIAGONAL = [(edit, list(CHANGES)[3 * n % len(CHANGES)]) for n, edit in enumerate(EDITS)]
EXPECTED = sorted(
    {
        (edit, change)
        for edit, about in EDITS.items()
        for change in [*about.get("conflicts", ()), *about.get("stays", ())]
    }
)


def cell_in(folder: Path, *, library: bool = False) -> Path:
    """A copy of the package, with or without the library that it uses beside it."""
    shutil.copytree(DLR / "Cell", folder / "Cell")
    if library:
        shutil.copy(DLR / "URDFModelica.mo", folder)
    return folder / "Cell" / "Picker"


def adopt(folder: Path, urdf: str = URDF) -> Adoption:
    result = adopt_package(folder, read(urdf), BuildOptions())
    result.save()
    return result


@cache
def adoption() -> dict[str, bytes]:
    """The files that an adoption writes, by their names."""
    result = adopt_package(DLR / "Cell" / "Picker", read(URDF), BuildOptions())
    return {file.path.name: file.new for file in result.files if file.new is not None}


def adopted_in(folder: Path, *, library: bool = False) -> Path:
    package = cell_in(folder, library=library)
    (package / "Resources" / "urdf").mkdir(parents=True)
    for name, data in adoption().items():
        (package / "Resources" / "urdf" / name).write_bytes(data)
    return package


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return adopted_in(tmp_path)


def modelica_in(folder: Path) -> dict[str, bytes]:
    """All files but the book-keeping."""
    files = [path for path in folder.rglob("*") if path.is_file() and "urdf" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def changed_urdf(change: str) -> str:
    text, about = URDF, CHANGES[change]
    for old, new in about.get("replace", ()):
        assert text.count(old) == 1, (change, old)
        text = text.replace(old, new)
    for start, end in about.get("cut", ()):
        text = cut(text, start, end)
    assert text != URDF
    return text


def edit_package(folder: Path, edit: str) -> list[tuple[str, bytes]]:
    """Do what a user does; (file, bytes) of all that must still be there after an update."""
    about = EDITS[edit]
    for path in about.get("remove", ()):
        (folder / path).unlink()
        order = folder / "package.order"
        write_text(order, read_text(order).replace(f"{Path(path).stem}\n", ""))
    if "order" in about:
        path, line = about["order"]
        write_text(folder / path, f"{read_text(folder / path)}{line}\n")
    if "file" not in about:
        return []
    file = folder / about["file"]
    write_text(file, about["text"] if "text" in about else edited_text(about, read_text(file)))
    keep = about.get("keep", [new for _, new in about.get("replace", ())])
    assert all(span in read_text(file) for span in keep), edit
    return [(about["file"], span.encode()) for span in keep]


def edited_text(about: dict[str, Any], text: str) -> str:
    before = text
    for start, end in about.get("cut", ()):
        text = cut(text, start, end)
    for old, new in about.get("replace", ()):
        assert old in text, old
        text = text.replace(old, new, 1)
    for old, new in about.get("pattern", ()):
        text = re.sub(old, new, text)
    assert text != before
    return text


def changed_lines(before: dict[str, bytes], after: dict[str, bytes]) -> int:
    """How many lines of the files are new, other or gone."""
    count = 0
    for path in {*before, *after}:
        old, new = (text.get(path, b"").decode().splitlines() for text in (before, after))
        if old != new:
            steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
            count += sum(max(b - a, d - c) for step, a, b, c, d in steps if step != "equal")
    return count


# ---------------------------------------------------------------- adopting


def test_a_package_of_the_script_is_taken_over_as_it_is(tmp_path: Path) -> None:
    folder = cell_in(tmp_path)
    before = modelica_in(folder)
    adopted = adopt(folder)
    assert (adopted.origin, adopted.edited, adopted.missing, adopted.values, adopted.notes) == (
        "URDFModelica",
        (),
        (),
        (),
        (),
    )
    assert len(adopted.equal) == 7
    assert [file.path.name for file in adopted.files] == ["Picker.json", "Picker.urdf"]
    assert modelica_in(folder) == before
    assert update(folder, read(URDF)).files == ()
    with pytest.raises(UpdateError, match="has a base, and it is intact"):
        adopt(folder)


def test_values_that_the_urdf_does_not_have_are_listed(tmp_path: Path) -> None:
    folder = cell_in(tmp_path)
    for edit in ("tuned mass", "friction of a joint that has none", "other form of a number"):
        edit_package(folder, edit)
    adopted = adopt(folder)
    assert [str(value) for value in adopted.values] == [
        "Links/Upper_armParams.mo: inertial.mass is 2.61, the URDF has 2.4",
        "Joints/LiftParams.mo: hasDynamics is true, the URDF has false",
        "Joints/LiftParams.mo: dynamics.damping is 11.0, the URDF has 0.0",
    ]
    assert adopted.edited == ("Links/Upper_armParams.mo", "Joints/LiftParams.mo")
    result = update(folder, read(URDF))
    assert (result.files, result.report.edited) == ((), tuple(sorted(adopted.edited)))


def test_what_only_one_side_has_is_said(tmp_path: Path) -> None:
    folder = cell_in(tmp_path)
    adopted = adopt(folder, changed_urdf("link added"))
    assert adopted.missing == ("Links/EyeParams.mo", "Joints/LookParams.mo")
    other = adopt_package(folder, read(changed_urdf("leaf removed")), BuildOptions(), replace=True)
    assert [note for note in other.notes if "is yours" in note] == [
        "the URDF has no link 'tool'; it is yours",
        "the URDF has no joint 'mount'; it is yours",
    ]


def test_packages_of_other_robots_are_refused(tmp_path: Path) -> None:
    folder = cell_in(tmp_path)
    with pytest.raises(
        UpdateError, match="not a package of this robot: of its 9 links and joints 4 have a record there"
    ):
        adopt_package(folder, read(FIXTURES / "robots" / "updates" / "arm.urdf"), BuildOptions())
    (folder / "Picker.mo").unlink()
    with pytest.raises(UpdateError, match="it is not known what its robot is called"):
        adopt(folder)


def test_a_file_that_is_not_modelica_is_named(package: Path) -> None:
    record = package / "Joints" / "LiftParams.mo"
    write_text(record, read_text(record).replace("upper =", "upper upper ="))
    with pytest.raises(UnreadableError, match=r"Joints/LiftParams\.mo can't be read: .*LiftParams|Joints.LiftParams"):
        update(package, read(changed_urdf("mass")))


@pytest.mark.parametrize(
    ("file", "line"), [("Picker.mo", "  Links.Base base;\n"), ("PickerRun.mo", "  Real numLeafLinks;\n")]
)
def test_what_the_script_got_wrong_is_said(file: str, line: str, tmp_path: Path) -> None:
    """It declares a component again if a link and a joint have one name."""
    folder = cell_in(tmp_path)
    write_text(folder / file, read_text(folder / file).replace("\nequation\n", f"{line}equation\n"))
    with pytest.raises(
        UpdateError, match=r"can't be followed: component '.*' is declared 2 times in '.*'; repair that first"
    ):
        adopt(folder)


def test_a_damaged_base_is_no_base(package: Path) -> None:
    write_text(package / "Resources" / "urdf" / "Picker.urdf", "<robot/>")
    with pytest.raises(NoBaseError, match="it was changed"):
        update(package, read(URDF))


# ---------------------------------------------------------------- each edit meets each change


def run_cell(edit: str, change: str, into: Path, *, adopt_first: bool) -> None:
    """The edit, then the change, then the same update again. The edit may be older than the adoption."""
    folder = adopted_in(into) if adopt_first else cell_in(into)
    spans = edit_package(folder, edit)
    if not adopt_first:
        adopt(folder)
    before = modelica_in(folder)
    new = changed_urdf(change)
    about = EDITS[edit]
    result = update(folder, read(new))
    result.save()
    for path, span in spans:
        assert span in (folder / path).read_bytes(), f"{path} has lost {span!r}"
    assert not any((folder / path).exists() for path in about.get("remove", ())), "what was removed is back"
    after = modelica_in(folder)
    if about.get("keep_line_ends"):
        text = after[about["file"]]
        assert text.count(b"\n") == text.count(b"\r\n")
    for path, data in after.items():
        if path.endswith(".mo"):
            parse(data.decode())
    assert wrong_names(folder) == set(), "the update broke a name"
    assert changed_lines(before, after) <= CHANGES[change]["lines"] + about.get("more_lines", 0), (
        "more has changed than the URDF asks for"
    )
    conflicts = {conflict.file for conflict in result.report.conflicts}
    assert bool(conflicts) == (change in about.get("conflicts", ())), result.report.conflicts
    stays = change in about.get("stays", ())
    told = [line for line in result.report.attention if "your " in line or "you have changed" in line]
    assert bool([line for line in told if "whether you have" not in line]) == stays
    assert bool(result.report.attention) == (change in {"leaf removed", "joint type"})
    assert misfits(folder, new) == []
    for path, arriving in CHANGES[change]["arrives"]:
        text = arriving
        for old, other in about.get("arrives_as", ()):
            text = text.replace(old, other)
        if path in conflicts or path in about.get("remove", ()):
            continue
        # A new record has the blanks of its neighbours.
        there = re.sub(" *= *", "=", read_text(folder / path).replace("\r\n", "\n"))
        assert re.sub(" *= *", "=", text) in there, f"{text} did not arrive in {path}"
    assert update(folder, read(new)).files == (), "the same update twice is not an update"


@pytest.mark.parametrize(("edit", "change"), mostly_slow(dict.fromkeys([*DIAGONAL, *EXPECTED]), *DIAGONAL))
def test_an_edit_survives_a_change(edit: str, change: str, tmp_path: Path) -> None:
    run_cell(edit, change, tmp_path, adopt_first=True)


@pytest.mark.corpus
@pytest.mark.parametrize(("edit", "change"), CELLS)
def test_every_edit_survives_every_change(edit: str, change: str, tmp_path: Path) -> None:
    run_cell(edit, change, tmp_path, adopt_first=CELLS.index((edit, change)) % 2 == 0)


# ---------------------------------------------------------------- the robot fits its URDF, whatever was touched


def lift_is(kind: str) -> str:
    return URDF.replace('<joint name="lift" type="prismatic">', f'<joint name="lift" type="{kind}">')


def without_lift() -> str:
    """The carriage goes, and the tool is attached to the arm."""
    text = cut(URDF, '  <joint name="lift"', "</joint>\n")
    return cut(text, '  <link name="carriage">', "</link>\n").replace(
        '<parent link="carriage"/>', '<parent link="upper-arm"/>'
    )


STEPS: dict[str, tuple[str, dict[str, str]]] = {
    "leaf removed": (changed_urdf("leaf removed"), {}),
    "removed in between": (without_lift(), {}),
    "joint renamed": (URDF.replace('"lift"', '"hoist"'), {"lift": "hoist"}),
    "link renamed": (URDF.replace('"carriage"', '"sled"'), {"carriage": "sled"}),
    "joint renamed, and nobody says so": (URDF.replace('"lift"', '"hoist"'), {}),
    "revolute": (lift_is("revolute"), {}),
    "fixed": (lift_is("fixed"), {}),
    "floating": (lift_is("floating"), {}),
}
SPRING = "  Modelica.Mechanics.Translational.Components.Spring spring(c = 5);\n"
LOAD = "  Modelica.Mechanics.MultiBody.Parts.PointMass load(m = 0.2);\n"
TOUCHED: dict[str, tuple[str, str, str]] = {
    "untouched": ("Picker.mo", "", ""),
    "connected": ("Picker.mo", "\nequation\n", f"{SPRING}equation\n  connect(spring.flange_a, lift.flange_a);\n"),
    "frame": (
        "Picker.mo",
        "\nequation\n",
        f"{LOAD}equation\n  connect(load.frame_a, carriage.frame_a);\n",
    ),
    "sensor before the end": (
        "Picker.mo",
        "  connect(tool.frame_a, frame_b[1])",
        "  connect(tool.frame_a, force.frame_a);\n  connect(force.frame_b, frame_b[1])",
    ),
    "value": ("Picker.mo", "lift(flangeIndex = 1)", "lift(flangeIndex = 1, prismatic(s(start = 0.1)))"),
    "equation": ("Picker.mo", "\nequation\n", '\nequation\n  assert(lift.prismatic.s < 3, "far");\n'),
    "class of the joint": ("Joints/Lift.mo", "equation\n", "equation\n  // greased\n"),
    "record of the joint": ("Joints/LiftParams.mo", "effort = 40.0", "effort = 41.0"),
    "class of the link": ("Links/Carriage.mo", "equation\n", "equation\n  // painted\n"),
    "own model": ("Notes.mo", "", "within Cell.Picker;\nmodel Notes\n  Links.Carriage carriage;\nend Notes;\n"),
}


def is_with_library(step: str, touched: str) -> bool:
    return (list(STEPS).index(step) + list(TOUCHED).index(touched)) % 2 == 0


@pytest.mark.parametrize(("step", "touched"), crossed(STEPS, TOUCHED))
def test_the_robot_fits_its_urdf(step: str, touched: str, tmp_path: Path) -> None:
    run_step(step, touched, tmp_path, library=is_with_library(step, touched))


@pytest.mark.corpus
@pytest.mark.parametrize("touched", TOUCHED)
@pytest.mark.parametrize("step", STEPS)
def test_the_robot_fits_its_urdf_the_other_way(step: str, touched: str, tmp_path: Path) -> None:
    run_step(step, touched, tmp_path, library=not is_with_library(step, touched))


def run_step(step: str, touched: str, tmp_path: Path, *, library: bool) -> None:
    folder = adopted_in(tmp_path, library=library)
    assert misfits(folder, URDF) == []
    file, old, new = TOUCHED[touched]
    before = read_text(folder / file) if old or touched == "untouched" else ""
    assert old in before
    text = before.replace(old, new, 1) if old else before + new
    if touched == "sensor before the end":
        text = text.replace("\nequation\n", "  Modelica.Mechanics.MultiBody.Sensors.CutForce force;\nequation\n", 1)
    write_text(folder / file, text)
    urdf, renames = STEPS[step]
    options = UpdateOptions(renames=renames, no_renames=True)
    result = saved(folder, urdf, options)
    assert misfits(folder, urdf) == []
    if touched == "untouched" and library:
        assert result.report.attention == ()
    if not renames:
        every = " ".join(" ".join(read_text(path).split()) for path in folder.rglob("*.mo"))
        for line in new.splitlines():  # what is commented out is still there
            assert " ".join(line.split()).removesuffix(";").removeprefix("// ") in every.replace("// ", ""), line
    assert update(folder, read(urdf), UpdateOptions(no_renames=True)).files == ()


# ---------------------------------------------------------------- values


def saved(folder: Path, urdf: str, options: UpdateOptions | None = None) -> Update:
    result = update(folder, read(urdf), options)
    result.save()
    return result


def test_a_conflict_is_asked_once_and_can_be_decided_later(package: Path) -> None:
    edit_package(package, "tuned mass")
    new = changed_urdf("mass")
    first = saved(package, new)
    assert [str(conflict) for conflict in first.report.conflicts] == [
        (
            "Links/Upper_armParams.mo:8: Upper_armParams.inertial.mass: yours is 2.61, the URDF has 2.55 (line 15), "
            "before it was 2.4; yours stays"
        )
    ]
    again = update(package, read(new))
    assert (again.files, again.report.conflicts, len(again.report.open)) == ((), (), 1)
    saved(package, new, UpdateOptions(prefer="urdf"))
    assert "mass = 2.55," in read_text(package / "Links" / "Upper_armParams.mo")
    assert update(package, read(new)).report.open == ()


def test_a_conflict_of_a_vector_has_both_vectors(package: Path) -> None:
    record = package / "Joints" / "ShoulderParams.mo"
    write_text(record, read_text(record).replace("xyz = {0.0, 0.0, 0.1}", "xyz = {0.0, 0.3, 0.1}"))
    (conflict,) = saved(package, changed_urdf("joint origin")).report.conflicts
    assert (conflict.base, conflict.user, conflict.data) == ("{0.0, 0, 0.1}", "{0.0, 0.3, 0.1}", "{0.0, 0, 0.12}")


def test_all_values_may_change_at_once(package: Path) -> None:
    before = modelica_in(package)
    new = URDF
    numbers = iter(range(10, 1000))
    new = re.sub(
        r'(mass value|ixx|iyy|izz|upper|effort|damping|radius|length)="[^"]*"',
        lambda found: f'{found[1]}="{next(numbers)}.5"',
        new,
    )
    result = saved(package, new)
    assert result.report.conflicts == ()
    assert changed_lines(before, modelica_in(package)) == next(numbers) - 10
    assert adopt_package(package, read(new), BuildOptions(), replace=True).values == ()
    saved(package, URDF)
    back = modelica_in(package)
    assert {path for path in before if before[path] != back[path]} <= {
        path for path in before if path.endswith("Params.mo")
    }
    assert adopt_package(package, read(URDF), BuildOptions(), replace=True).values == ()


def test_a_record_that_is_none_any_more_is_left_alone(package: Path) -> None:
    record = package / "Links" / "Upper_armParams.mo"
    write_text(record, 'within Cell.Picker.Links;\nrecord Upper_armParams = BaseParams(name = "upper-arm");\n')
    result = saved(package, changed_urdf("mass"))
    assert result.report.kept == (
        (
            "Links/Upper_armParams.mo: it does not extend URDFModelica.Records.Link, so what the URDF changed in it is "
            "left out"
        ),
    )


def test_a_record_that_was_removed_stays_so(package: Path) -> None:
    (package / "Links" / "Upper_armParams.mo").unlink()
    result = saved(package, changed_urdf("mass"))
    assert not (package / "Links" / "Upper_armParams.mo").exists()
    assert result.report.kept == (
        "Links/Upper_armParams.mo: you removed it, so what the URDF changed in it is left out",
    )


def test_values_go_back_into_the_urdf(package: Path) -> None:
    edit_package(package, "tuned mass")
    edit_package(package, "friction of a joint that has none")
    record = package / "Joints" / "ShoulderParams.mo"
    write_text(record, read_text(record).replace("xyz = {0.0, 1.0, 0.0}", "xyz = {0.0, 0.0, 1.0}"))
    exported = export(package)
    text = exported.data.decode()
    assert text == URDF.replace('mass value="2.4"', 'mass value="2.61"').replace(
        '<axis xyz="0 1 0"/>', '<axis xyz="0 0.0 1.0"/>'
    )
    assert [problem.partition(":")[0] for problem in exported.problems] == ["Joints/LiftParams.mo"] * 2


# ---------------------------------------------------------------- structure


def test_new_parts_lead_somewhere(msl: Path, tmp_path: Path) -> None:
    folder = adopted_in(tmp_path, library=True)
    saved(folder, changed_urdf("link added"))
    library = tmp_path / "URDFModelica.mo"
    libraries = Libraries([folder.parent], read_only=[library, *standard_libraries(msl)])
    assert check_libraries(libraries) == []


def test_line_ends_stay_what_they_are(package: Path) -> None:
    for path in package.rglob("*.*"):
        if path.suffix in {".mo", ".order"}:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert update(package, read(URDF)).files == ()
    old = {*package.rglob("*.*")}
    saved(package, changed_urdf("joint in front"))
    for path in old:
        if path.suffix in {".mo", ".order"}:
            assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n"), path.name


def test_what_came_goes_again(package: Path) -> None:
    before = modelica_in(package)
    saved(package, changed_urdf("link added"))
    saved(package, URDF)
    assert modelica_in(package) == before


def test_a_link_that_is_gone_keeps_its_classes_where_edits_can_not_be_seen(package: Path) -> None:
    result = saved(package, changed_urdf("leaf removed"))
    tells = "it can't be seen whether you have changed {} (--templates with the folder of URDFModelica tells)"
    assert result.report.attention == tuple(
        f"the {part} is no longer in the URDF and has left the model; its classes stay, because {tells.format(model)}: "
        "--prune removes them"
        for part, model in (("link 'tool'", "Links/Tool.mo"), ("joint 'mount'", "Joints/Mount.mo"))
    )
    assert [part.name for part in update(package, read(changed_urdf("leaf removed"))).report.stayed] == [
        "tool",
        "mount",
    ]
    assert (package / "Links" / "Tool.mo").exists()
    # It comes back to the classes that are still there.
    again = saved(package, URDF)
    assert [line for line in again.report.kept if "was there before" in line] == [
        "Links/ToolParams.mo: it was there before the URDF had 'tool', so its values stay",
        "Joints/MountParams.mo: it was there before the URDF had 'mount', so its values stay",
    ]
    assert "Links.Tool tool(" in read_text(package / "Picker.mo")
    assert again.report.stayed == ()
    assert update(package, read(URDF)).files == ()


def test_what_stayed_goes_with_prune(package: Path) -> None:
    new = changed_urdf("leaf removed")
    saved(package, new)
    saved(package, new, UpdateOptions(prune=True))
    assert not any((package / path).exists() for path in ("Links/Tool.mo", "Links/ToolParams.mo", "Joints/Mount.mo"))
    assert "Tool" not in read_text(package / "Links" / "package.order")
    assert (wrong_names(package), misfits(package, new)) == (set(), [])
    assert update(package, read(new)).files == ()


@pytest.mark.parametrize("where", ["beside", "MODELICAPATH", "--templates"])
def test_a_link_that_is_gone_takes_classes_along_that_are_copies(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = adopted_in(tmp_path, library=where == "beside")
    if where == "MODELICAPATH":
        monkeypatch.setenv("MODELICAPATH", str(DLR))
    templates = DLR / "URDFModelica.mo" if where == "--templates" else None
    result = saved(folder, changed_urdf("leaf removed"), UpdateOptions(templates=templates))
    assert result.report.kept == ()
    assert not any((folder / path).exists() for path in ("Links/Tool.mo", "Links/ToolParams.mo", "Joints/Mount.mo"))
    assert wrong_names(folder) == set()


def test_a_copy_with_an_edit_stays(tmp_path: Path) -> None:
    folder = cell_in(tmp_path, library=True)
    model = folder / "Links" / "Tool.mo"
    write_text(model, read_text(model).replace("equation\n", "equation\n  // probed\n"))
    adopt(folder)
    result = saved(folder, changed_urdf("leaf removed"))
    assert [line for line in result.report.attention if "tool" in line] == [
        (
            "the link 'tool' is no longer in the URDF and has left the model; its classes stay, because you "
            "have changed "
            "Links/Tool.mo: --prune removes them"
        )
    ]
    assert not (folder / "Joints" / "Mount.mo").exists()


def test_another_library_is_no_template(package: Path) -> None:
    with pytest.raises(UpdateError, match="the package was made from the templates of URDFModelica"):
        update(package, read(URDF), UpdateOptions(templates=DLR / "Cell"))


@pytest.mark.slow
def test_a_copy_follows_the_type_of_its_joint(tmp_path: Path) -> None:
    folder = adopted_in(tmp_path, library=True)
    result = saved(folder, changed_urdf("joint type"))
    assert result.report.kept == ()
    assert read_text(folder / "Joints" / "Lift.mo").splitlines()[1:] == [
        "model Lift",
        "  extends URDFModelica.Joints.Revolute(redeclare LiftParams jointParams);",
        "end Lift;",
    ]
    robot = read_text(folder / "Picker.mo")
    assert "Joints.Lift lift(flangeIndex = 2)" in robot
    assert "connect(lift.flange_a, rotational_flange_a[2]);" in robot
    assert "numTranslationalJoints = 0;" in robot
    # What extends a template goes on following, without the library too, and with edits.
    (tmp_path / "URDFModelica.mo").unlink()
    model = folder / "Joints" / "Lift.mo"
    write_text(model, read_text(model).replace("end Lift", "  // greased\nend Lift"))
    saved(folder, URDF.replace('<joint name="lift" type="prismatic">', '<joint name="lift" type="fixed">'))
    assert "  extends URDFModelica.Joints.Fixed(redeclare LiftParams jointParams);\n  // greased\n" in read_text(model)
    assert "Joints.Lift lift\n" in read_text(folder / "Picker.mo")
    saved(folder, URDF)
    assert "Joints.Lift lift(flangeIndex = 1)" in read_text(folder / "Picker.mo")


def test_a_copy_follows_later_if_the_library_was_not_there(tmp_path: Path) -> None:
    folder = adopted_in(tmp_path)
    new = URDF.replace('<joint name="shoulder" type="revolute">', '<joint name="shoulder" type="continuous">')
    assert len(saved(folder, new).report.kept) == 1
    shutil.copy(DLR / "URDFModelica.mo", tmp_path)
    assert saved(folder, new).report.kept == ()
    assert "extends URDFModelica.Joints.Continuous(" in read_text(folder / "Joints" / "Shoulder.mo")


def test_a_joint_of_another_template_is_the_users(package: Path) -> None:
    model = package / "Joints" / "Lift.mo"
    own = "within Cell.Picker.Joints;\nmodel Lift\n  extends URDFModelica.Joints.Joint;\nend Lift;\n"
    write_text(model, own)
    saved(package, changed_urdf("joint type"))
    assert read_text(model) == own


def test_a_copy_that_may_be_edited_becomes_a_comment_where_the_robot_could_not_move_with_it(package: Path) -> None:
    model = package / "Joints" / "Lift.mo"
    before = read_text(model).splitlines()
    new = changed_urdf("joint type")
    result = saved(package, new)
    (told,) = result.report.attention
    assert told == (
        "Joints/Lift.mo: the joint 'lift' is revolute in the URDF, and its model is a copy of another template: it "
        "extends URDFModelica.Joints.Revolute now, and what was there is commented out, because you may have edited it "
        "(--templates with the folder of URDFModelica tells)"
    )
    after = read_text(model).splitlines()
    assert after[:3] == [
        *before[:1],
        "model Lift",
        "  extends URDFModelica.Joints.Revolute(redeclare LiftParams jointParams);",
    ]
    kept = [line.replace("// ", "", 1).strip() for line in after[3:-1]]
    assert kept == [line.strip().removesuffix("end Lift;") or "end Lift" for line in before[1:]]
    assert misfits(package, new) == []
    assert update(package, read(new)).report.attention == ()


def test_a_copy_follows_the_shapes_of_its_link(tmp_path: Path) -> None:
    folder = adopted_in(tmp_path, library=True)
    assert saved(folder, changed_urdf("shape changed")).report.kept == ()
    model = read_text(folder / "Links" / "Base.mo")
    assert "extends URDFModelica.Links.Link(redeclare BaseParams linkParams);" in model


def test_links_of_visualization2_stay_among_themselves(package: Path) -> None:
    model = package / "Links" / "Base.mo"
    write_text(
        model, read_text(model).replace("Modelica.Mechanics.MultiBody.Visualizers.FixedShape", "Visualization2.Cube")
    )
    saved(package, changed_urdf("link added"))
    assert "extends URDFModelica.Links.Link_Visualization2(" in read_text(package / "Links" / "Eye.mo")


def test_what_has_no_place_in_a_record_is_said(package: Path) -> None:
    more = "<visual><geometry><sphere radius='1'/></geometry></visual>"
    mesh = "<visual><geometry><mesh filename='package://arm/eye.stl'/></geometry></visual>"
    new = URDF.replace("</link>", f"{more}</link>", 1)
    new = new.replace(
        "</robot>",
        f"<link name='eye'>{mesh}</link>"
        "<joint name='look' type='fixed'><parent link='base'/><child link='eye'/></joint></robot>",
    )
    assert saved(package, new).report.left_out == (
        "link 'base': 1 of 2 visual elements; a record has one",
        "the mesh package://arm/eye.stl is not copied; EyeParams names it as the URDF does",
    )


def test_a_link_that_is_renamed_keeps_all_that_was_done_to_it(package: Path) -> None:
    edit_package(package, "tuned mass")
    write_text(package.parent / "Other.mo", "within Cell;\nmodel Other\n  Picker.Links.Upper_arm one;\nend Other;\n")
    new = URDF.replace('"upper-arm"', '"boom"').replace('"lift"', '"hoist"')
    asked = [(each.old, each.new) for each in update(package, read(new)).questions]
    assert asked == [("upper-arm", "boom"), ("lift", "hoist")]
    renames = {"upper-arm": "boom", "lift": "hoist"}
    result = saved(package, new, UpdateOptions(renames=renames))
    assert (result.report.conflicts, result.report.kept) == ((), ())
    record = read_text(package / "Links" / "BoomParams.mo")
    assert 'name = "boom",' in record
    assert "mass = 2.61," in record
    assert "Picker.Links.Boom one;" in read_text(package.parent / "Other.mo")
    assert 'child = URDFModelica.Records.Child(link = "boom"),' in read_text(package / "Joints" / "ShoulderParams.mo")
    assert 'name = "hoist",' in read_text(package / "Joints" / "HoistParams.mo")
    assert "connect(hoist.frame_b, carriage.frame_a)" in read_text(package / "Picker.mo")
    assert wrong_names(package) == set()
    assert not (package / "Links" / "Upper_arm.mo").exists()
    assert update(package, read(new)).files == ()
    with pytest.raises(UpdateError, match="the package has no link or joint 'arm'"):
        update(package, read(new), UpdateOptions(renames={"arm": "boom"}))


def test_two_names_for_one_class_are_told_apart(package: Path) -> None:
    """The script would write one class for both."""
    new = URDF.replace(
        "</robot>",
        "<link name='Tool'/>"
        "<joint name='second' type='fixed'><parent link='base'/><child link='Tool'/></joint></robot>",
    )
    saved(package, new)
    assert 'name="Tool",' in read_text(package / "Links" / "Tool_2Params.mo")
    assert "Links.Tool_2 tool_link(" in read_text(package / "Picker.mo")
    assert wrong_names(package) == set()
