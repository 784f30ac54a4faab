"""Robots of modules in Modelica: they move as the assembled robot does, and what a user wrote outlives each change."""

from __future__ import annotations

import difflib
import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from conftest import FIXTURES, Expected, crossed, examples, mostly_slow
from modelica_ast.edit import Document
from modelica_ast.generate import BuildError, NoBaseError, UpdateError, digest
from package.robot_structure import modular_misfits
from package.test_build import assert_names_resolve
from rumoca_runs import Rumoca, copy_needed_parts
from urdf_frontend.modules import (
    Assembly,
    Reassembly,
    ReassemblyOptions,
    Style,
    assemble_into,
    build_modular,
    export_modular,
    update_modular,
)
from urdf_frontend.modules.package import ModularPackage, modular_package
from urdf_frontend.modules.package_names import cells_of, modular_names_json, modular_names_of, numbered
from urdf_frontend.modules.package_update import assembled_urdf
from urdf_frontend.package import BuildOptions, BuiltPackage, build, update, with_base, write
from urdf_frontend.package.builder.options import TEMPLATES

FOLDER = FIXTURES / "modules" / "modelica"
EXPECTED = FOLDER / "expected"
ORDER = "Modules/package.order"

# What a user adds to the robot's model: each text is in the file afterwards, byte for byte.
COMMENT = "  // Tuned on the bench,\n  //   by hand.\n"
CONTROLLER = '  Modelica.Mechanics.Rotational.Components.SpringDamper hold(c = 400,d=12) "My   controller"\n    ;\n'
CONNECTIONS = (
    "  connect(hold.flange_a, shoulder.joint1_flange_b); /* support */\n"
    "  connect(hold.flange_b , shoulder.joint1_flange_a);\n"
)
GAIN = "(startFixed=startFixed, joint1(q_start=0.25), showCollision=showCollision)"
USER_SPANS = (COMMENT, CONTROLLER, CONNECTIONS, GAIN)


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A folder of the user's with the modules and the assembly."""
    folder = tmp_path / "modules"
    folder.mkdir()
    for path in FOLDER.glob("*.*"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    return tmp_path / "Lib"


def load(modules: Path) -> Assembly:
    return Assembly.load(modules / "arm.yaml")


def make(assembly: Assembly, lib: Path, options: BuildOptions | None = None) -> Path:
    """Write a new package; its folder."""
    new = assemble_into(assembly, lib, build_options=options).new
    assert new is not None
    write(new, lib)
    return lib / new.folder


@cache
def built_arm() -> BuiltPackage:
    new = assemble_into(Assembly.load(FOLDER / "arm.yaml"), FOLDER / "nowhere").new
    assert new is not None
    return new


def make_arm(lib: Path) -> Path:
    """The package of arm.yaml, which is worked out once for all tests."""
    write(built_arm(), lib)
    return lib / "Arm"


def again(assembly: Assembly, lib: Path, options: ReassemblyOptions | None = None) -> Reassembly:
    """Assemble into a package that is there, and write it."""
    found = assemble_into(assembly, lib, options=options).again
    assert found is not None
    found.update.save()
    return found


def edit_by_hand(package: Path) -> None:
    path = package / "Arm.mo"
    text = path.read_text()
    text = text.replace("equation\n", f"{COMMENT}{CONTROLLER}equation\n{CONNECTIONS}", 1)
    text = re.sub(r"(joint shoulder)\(.*?\)", rf"\1{GAIN}", text, count=1)
    path.write_text(text)


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def spoil(path: Path, damage: tuple[str, str] | None) -> None:
    """Take a file away, or replace something in it."""
    if damage is None:
        path.unlink()
    else:
        path.write_text(path.read_text().replace(*damage))


def changed_lines(before: bytes, after: bytes) -> list[str]:
    lines = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line for line in lines if line[:2] in ("- ", "+ ")]


def connections(package: Path) -> list[tuple[str, str]]:
    return Document((package / "Arm.mo").read_text()).find_class("Arm").connections


# ---------------------------------------------------------------- what is made


@pytest.mark.parametrize("path", ["Arm.mo", "package.mo", "Modules/joint/joint.mo"])
def test_an_arm_has_these_files(path: str, lib: Path, expected: Expected) -> None:
    expected.file(EXPECTED / path.rpartition("/")[2], (make_arm(lib) / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", mostly_slow(["arm.yaml", "two_arms.yaml"], "two_arms.yaml"))
def test_every_name_leads_somewhere(file: str, lib: Path, msl: Path) -> None:
    # Turned modules, branches, a gripper with a follower, several ends, meshes.
    assert_names_resolve(make(Assembly.load(FIXTURES / "modules" / file), lib), msl)


def test_a_virtual_link_with_a_mass_is_a_body_at_an_open_end_only(modules: Path, lib: Path) -> None:
    assembly = load(modules)
    assembly.insert("slide.urdf", after="elbow", name="reach")
    package = make(assembly, lib)
    assert ("reach.frame_b", "reach_virtual_link.frame_a") in connections(package)
    assembly.insert("beam.urdf", after="reach", name="tip")
    again(assembly, lib)
    ends = [pair for pair in connections(package) if pair[1].startswith("frame_b[")]
    assert ends == [("tip.frame_b", "frame_b[1]")]
    assert "virtual_link" not in (package / "Arm.mo").read_text()
    assert not (package / "Modules/slide/Links/virtual_link.mo").exists()


def test_flat_is_what_build_makes_of_the_assembled_robot(modules: Path, lib: Path) -> None:
    assembly = load(modules)
    new = assemble_into(assembly, lib, style="flat").new
    assert new is not None
    urdf = assembled_urdf(assembly)
    options = BuildOptions(into=lib)
    assert new.files == with_base(build(urdf.usable_robot(), options), urdf, options).files


def test_a_flat_package_is_updated_as_urdf_update_does_it(modules: Path, lib: Path) -> None:
    assembly = load(modules)
    new = assemble_into(assembly, lib, style="flat").new
    assert new is not None
    write(new, lib)
    assembly.insert("slide.urdf", after="upper", name="reach")
    again(assembly, lib)
    assert (lib / "Arm" / "Joints" / "reach_joint1.mo").is_file()
    assert again(assembly, lib).update.files == ()


@pytest.mark.slow
def test_names_that_mean_something_else_already(modules: Path, lib: Path, msl: Path) -> None:
    (modules / "joint.urdf").rename(modules / "7-dof joint.urdf")
    assembly = Assembly.parse(
        "robot: Arm\nmodules:\n"
        "  - {use: 7-dof joint.urdf, as: model}\n  - {use: beam.urdf, as: frame_a}\n  - {use: beam.urdf, as: Modules}\n"
        "  - {use: 7-dof joint.urdf, as: Arm, rotate: 90 deg}\n  - {use: beam.urdf, as: Arm_turn}\n",
        folder=modules,
    )
    assert_names_resolve(make(assembly, lib), msl)
    assert again(assembly, lib).update.files == ()


def test_two_module_files_of_one_name_are_two_classes_that_last(modules: Path, lib: Path) -> None:
    (modules / "other").mkdir()
    shutil.copy(modules / "slide.urdf", modules / "other" / "joint.urdf")
    text = "robot: Arm\nmodules:\n  - {use: joint.urdf, as: a}\n  - {use: other/joint.urdf, as: b}\n"
    package = make(Assembly.parse(text, folder=modules), lib)
    only_other = "robot: Arm\nmodules:\n  - {use: other/joint.urdf, as: b}\n"
    again(Assembly.parse(only_other, folder=modules), lib)
    assert "Modules.joint_2.joint_2 b(" in (package / "Arm.mo").read_text()
    assert not (package / "Modules" / "joint").exists()


def test_a_robot_can_not_be_called_like_the_package_of_modules(modules: Path, lib: Path) -> None:
    with pytest.raises(BuildError, match="can't be called Modules"):
        build_modular(load(modules), BuildOptions(into=lib, name="Modules"))


# ---------------------------------------------------------------- what a user wrote outlives each change


def test_assembling_again_does_nothing(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    before = tree(package)
    assert again(load(modules), lib).update.files == ()
    edit_by_hand(package)
    edited = tree(package)
    assert again(load(modules), lib).update.files == ()
    assert tree(package) == edited != before


def insert(assembly: Assembly) -> None:
    assembly.insert("slide.urdf", after="upper", name="reach")


def replace(assembly: Assembly) -> None:
    assembly.replace("elbow", "slide.urdf")


def remove(assembly: Assembly) -> None:
    assembly.remove("upper")


# The lines that may change: those of the module, of what it hangs between, the counts and the size of the diagram.
CHANGES = {
    "insert": (insert, r"reach|elbow_turn\.frame_a|num\w+=|coordinateSystem|^. +annotation \((Placement|Line)"),
    "replace": (replace, r"elbow|num\w+=|coordinateSystem|^. +annotation \((Placement|Line)"),
    "remove": (remove, r"upper|elbow_turn\.frame_a|num\w+=|coordinateSystem|^. +annotation \((Placement|Line)"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_edits_by_hand_stay_and_little_else_changes(change: str, modules: Path, lib: Path, msl: Path) -> None:
    package = make_arm(lib)
    edit_by_hand(package)
    before = tree(package)
    assembly = load(modules)
    verb, allowed = CHANGES[change]
    verb(assembly)
    result = again(assembly, lib)
    after = tree(package)
    assert (result.update.report.attention, result.update.report.conflicts) == ((), ())
    text = after["Arm.mo"].decode()
    assert [span for span in USER_SPANS if span not in text] == []
    lines = changed_lines(before["Arm.mo"], after["Arm.mo"])
    assert [line for line in lines if not re.search(allowed, line)] == []
    assert len([line for line in lines if "annotation" in line]) <= 6
    untouched = [path for path in before if path.startswith("Modules/joint/")]
    assert [path for path in untouched if before[path] != after.get(path)] == []
    assert again(assembly, lib).update.files == ()
    assert_names_resolve(package, msl)


def test_there_and_back_is_the_same_package(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    edit_by_hand(package)
    before = tree(package)
    assembly = load(modules)
    insert(assembly)
    again(assembly, lib)
    again(load(modules), lib)
    after = tree(package)
    side_cars = [json.loads(each.pop("Resources/urdf/Arm.json")) for each in (before, after)]
    assert after == before
    # What the files were the time before is new.
    assert [each.pop("before").keys() for each in side_cars] == [set(), {"Arm.mo", "ArmTest.mo", "package.mo", ORDER}]
    assert side_cars[0] == side_cars[1]


def test_a_value_of_a_module_is_one_token(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    record = package / "Modules/joint/Links/distal_partParams.mo"
    record.write_text(record.read_text().replace("mass=1.2,", "mass=1.2, // weighed"))
    module = modules / "joint.urdf"
    module.write_text(module.read_text().replace('value="1.2"', 'value="1.3"'))
    result = again(load(modules), lib)
    assert "mass=1.3, // weighed" in record.read_text()
    changed = [file.path.name for file in result.update.files if file.path.suffix == ".mo"]
    assert changed == ["distal_partParams.mo"]


@pytest.mark.parametrize("touched", ["edited", "used"])
def test_a_module_that_the_user_touched_stays_as_a_whole(touched: str, modules: Path, lib: Path, msl: Path) -> None:
    package = make_arm(lib)
    path, old, new, user = {
        "edited": (
            "Modules/beam/Links/link1Params.mo",
            "mass=0.9,",
            "mass=0.9, // weighed",
            "you have changed Modules/beam/Links/link1Params.mo",
        ),
        "used": (
            "Arm.mo",
            "equation\n",
            "  Modules.beam.beam spare;\nequation\n  connect(spare.frame_a, elbow.frame_b);\n",
            "Arm.mo:17 uses it",
        ),
    }[touched]
    (package / path).write_text((package / path).read_text().replace(old, new, 1))
    before = tree(package / "Modules")
    assembly = load(modules)
    remove(assembly)
    result = again(assembly, lib)
    assert tree(package / "Modules") == before
    assert new in (package / path).read_text()
    (told,) = result.update.report.attention
    assert told.startswith("the module 'beam' is no longer in the assembly")
    assert f"because {user}" in told
    second = again(assembly, lib).update
    assert (second.files, second.report.attention) == ((), ())
    assert [part.name for part in second.report.stayed] == ["beam"]
    assert_names_resolve(package, msl)
    again(assembly, lib, ReassemblyOptions(prune=True))
    assert not [path for path in tree(package) if path.startswith("Modules/beam/")]
    assert (package / ORDER).read_text() == "joint\n"
    assert again(assembly, lib).update.files == ()


def test_a_file_of_the_users_own_keeps_its_module(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    own = package / "Modules/beam/Links/Mine.mo"
    own.write_text("within Arm.Modules.beam.Links;\nrecord Mine\nend Mine;\n")
    before = tree(package / "Modules")
    assembly = load(modules)
    remove(assembly)
    (told,) = again(assembly, lib).update.report.attention
    assert "because you have changed Modules/beam/Links/Mine.mo" in told
    assert tree(package / "Modules") == before


@pytest.mark.slow
def test_a_module_that_stays_keeps_those_that_it_uses(modules: Path, lib: Path, msl: Path) -> None:
    assembly = load(modules)
    insert(assembly)
    package = make(assembly, lib)
    beam = package / "Modules/beam/beam.mo"
    beam.write_text(beam.read_text().replace("equation\n", "  Modules.slide.slide extra;\nequation\n", 1))
    before = tree(package / "Modules")
    remove(assembly)
    assembly.remove("reach")
    told = again(assembly, lib).update.report.attention
    assert [sentence.split(" is no longer")[0] for sentence in told] == ["the module 'beam'", "the module 'slide'"]
    assert "because Modules/beam/beam.mo:" in told[1]
    assert tree(package / "Modules") == before
    assert_names_resolve(package, msl)


def test_a_value_that_both_changed_is_a_conflict(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    record = package / "Modules/beam/Links/link1Params.mo"
    record.write_text(record.read_text().replace("mass=0.9", "mass=0.95"))
    module = modules / "beam.urdf"
    module.write_text(module.read_text().replace('value="0.9"', 'value="0.8"'))
    result = again(load(modules), lib)
    (conflict,) = result.update.report.undecided
    place = conflict.data_place
    assert place is not None
    assert (conflict.file, conflict.user, conflict.data, place.line) == (
        "Modules/beam/Links/link1Params.mo",
        "0.95",
        "0.8",
        6,
    )
    assert result.update.report.needs_user
    quiet = again(load(modules), lib)
    assert (quiet.update.files, len(quiet.update.report.open)) == ((), 1)
    again(load(modules), lib, ReassemblyOptions(prefer="urdf"))
    assert "mass=0.8" in record.read_text()


def test_a_conflict_is_asked_about_once_while_a_module_goes(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    record = package / "Modules/joint/Links/distal_partParams.mo"
    record.write_text(record.read_text().replace("mass=1.2", "mass=1.25"))
    module = modules / "joint.urdf"
    module.write_text(module.read_text().replace('value="1.2"', 'value="1.3"'))
    assembly = load(modules)
    remove(assembly)
    asked: list[str] = []
    again(assembly, lib, ReassemblyOptions(decide=lambda conflict: asked.append(conflict.file)))
    assert asked == ["Modules/joint/Links/distal_partParams.mo"]


def test_a_new_module_keeps_out_of_the_way_of_the_users_names(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    path = package / "Arm.mo"
    own = '  parameter Real reach = 1.5 "Mine";\n'
    path.write_text(path.read_text().replace("equation\n", f"{own}equation\n", 1))
    assembly = load(modules)
    insert(assembly)
    again(assembly, lib)
    text = path.read_text()
    assert own in text
    assert "Modules.slide.slide reach_(" in text
    assert ("reach_.frame_b", "elbow_turn.frame_a") in connections(package)
    assert again(assembly, lib).update.files == ()


# ---------------------------------------------------------------- what hung on a module that is gone


def with_controller_on_elbow(package: Path) -> None:
    path = package / "Arm.mo"
    support = "  connect(hold.flange_a, elbow.joint1_flange_b);\n"
    axis = "  connect(hold.flange_b, elbow.joint1_flange_a); // axis\n"
    added = f"equation\n{support}{axis}"
    path.write_text(path.read_text().replace("equation\n", f"{CONTROLLER}{added}", 1))
    run = package / "ArmRun.mo"
    run.write_text(run.read_text().replace("Arm robot ", "Arm robot(elbow(joint1(q_start=0.1))) "))


def test_connections_to_a_module_that_is_gone_are_commented_out_and_told_with_their_lines(
    modules: Path, lib: Path
) -> None:
    package = make_arm(lib)
    with_controller_on_elbow(package)
    assembly = load(modules)
    assembly.remove("elbow")
    result = again(assembly, lib)
    text = (package / "Arm.mo").read_text()
    gone = "the module 'elbow' is no longer in the assembly"
    assert result.update.report.attention == (
        f"Arm.mo:22: {gone}: your connect(hold.flange_a, elbow.joint1_flange_b); is commented out",
        f"Arm.mo:23: {gone}: your connect(hold.flange_b, elbow.joint1_flange_a); is commented out",
        "ArmRun.mo:12: Arm robot(elbow(joint1(q_start=0.1))) \"The robot\" annotation… names the module 'elbow'",
    )
    assert "  // connect(hold.flange_a, elbow.joint1_flange_b);\n" in text
    assert "  // connect(hold.flange_b, elbow.joint1_flange_a); // axis\n" in text
    assert CONTROLLER in text
    # The second time nothing is written, and nothing is told.
    second = again(assembly, lib).update
    assert (second.files, second.report.attention) == ((), ())


def test_rerouted_connections_keep_their_comments(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with_controller_on_elbow(package)
    assembly = load(modules)
    assembly.remove("elbow")
    result = again(assembly, lib, ReassemblyOptions(reroutes={"elbow": "shoulder"}))
    text = (package / "Arm.mo").read_text()
    assert "  connect(hold.flange_b, shoulder.joint1_flange_a); // axis\n" in text
    assert len(result.rerouted) == 2
    assert [each.partition(":")[0] for each in result.update.report.attention] == ["ArmRun.mo"]


def test_connections_that_were_commented_out_can_be_rerouted_later(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with_controller_on_elbow(package)
    path = package / "Arm.mo"
    drawn = "joint1_flange_b)\n    annotation (Line(points={{0,0},{1,1}}));\n"
    path.write_text(path.read_text().replace("joint1_flange_b);\n", drawn, 1))
    assembly = load(modules)
    assembly.remove("elbow")
    again(assembly, lib)
    assert f"  // connect(hold.flange_a, elbow.{drawn.replace('annot', '// annot')}" in path.read_text()
    result = again(assembly, lib, ReassemblyOptions(reroutes={"elbow": "shoulder"}))
    assert len(result.rerouted) == 2
    assert "  connect(hold.flange_b, shoulder.joint1_flange_a); // axis\n" in path.read_text()
    assert f"  connect(hold.flange_a, shoulder.{drawn.partition('(Line')[0]}" in path.read_text()
    assert modular_misfits(package, assembly) == []
    assert again(assembly, lib).update.files == ()


def test_a_module_without_such_a_connector_takes_no_connection(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with_controller_on_elbow(package)
    assembly = load(modules)
    assembly.remove("elbow")
    result = again(assembly, lib, ReassemblyOptions(reroutes={"elbow": "upper"}))
    assert result.rerouted == ()
    assert len(result.update.report.attention) == 3


def test_a_connector_that_the_new_module_lacks_is_told(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with_controller_on_elbow(package)
    assembly = load(modules)
    assembly.replace("elbow", "beam.urdf")
    told = again(assembly, lib).update.report.attention
    assert [each.partition(": ")[2].partition(" is no longer")[0] for each in told[:2]] == [
        "the connector 'elbow.joint1_flange_b'",
        "the connector 'elbow.joint1_flange_a'",
    ]
    again(load(modules), lib)
    assert again(load(modules), lib).update.report.attention == ()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("upper", "shoulder", "it is still in the assembly"),
        ("wrist", "shoulder", "the package had no such module"),
        ("elbow", "wrist", "there is no 'wrist'; there are shoulder, upper"),
    ],
)
def test_a_route_that_leads_nowhere_is_refused(old: str, new: str, sentence: str, modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    before = tree(package)
    assembly = load(modules)
    assembly.remove("elbow")
    with pytest.raises(UpdateError, match=sentence):
        again(assembly, lib, ReassemblyOptions(reroutes={old: new}))
    assert tree(package) == before


def test_a_number_that_belongs_to_another_joint_now_is_told(modules: Path, lib: Path) -> None:
    make_arm(lib)
    assembly = load(modules)
    assembly.remove("shoulder")
    told = again(assembly, lib).update.report.suggestions
    assert any("rotational_flange_a[1]" in each and "elbow.joint1" in each for each in told)


# ---------------------------------------------------------------- the robot fits its assembly, whatever was touched


def rename(assembly: Assembly) -> None:
    """Another name is another module, because it is known by nothing else."""
    assembly.remove("elbow")
    assembly.insert("joint.urdf", after="upper", name="wrist", rotate=0.6)


def remove_elbow(assembly: Assembly) -> None:
    assembly.remove("elbow")


def other_type(assembly: Assembly) -> None:
    module = assembly.folder / "joint.urdf"
    module.write_text(module.read_text().replace('type="revolute"', 'type="prismatic"'))


def fixed_type(assembly: Assembly) -> None:
    module = assembly.folder / "joint.urdf"
    module.write_text(module.read_text().replace('type="revolute"', 'type="fixed"'))


def joint_in_module_renamed(assembly: Assembly) -> None:
    module = assembly.folder / "joint.urdf"
    module.write_text(module.read_text().replace('"joint1"', '"swing"'))


def replace_by_beam(assembly: Assembly) -> None:
    assembly.replace("elbow", "beam.urdf")


STEPS = (remove_elbow, remove, rename, replace, replace_by_beam, other_type, fixed_type, joint_in_module_renamed)

HOLD = "Modelica.Mechanics.Rotational.Components.SpringDamper hold(c=4,d=1);\n"
TOUCHED: dict[str, tuple[str, str, str]] = {
    "untouched": ("Arm.mo", "", ""),
    "connected": (
        "Arm.mo",
        "equation\n",
        f"  {HOLD}equation\n  connect(hold.flange_a, elbow.joint1_flange_b);\n",
    ),
    "value": ("Arm.mo", " elbow(", " elbow(joint1(q_start=0.3), "),
    "equation": ("Arm.mo", "equation\n", 'equation\n  assert(elbow.joint1.q < 3, "far");\n'),
    "link of the module": ("Modules/joint/Links/distal_partParams.mo", "mass=1.2,", "mass=1.2, // weighed"),
    "joint of the module": ("Modules/joint/Joints/joint1.mo", "equation\n", "equation\n  // greased\n"),
    "connection in the module": (
        "Modules/joint/joint.mo",
        "equation\n",
        f"  {HOLD}equation\n  connect(hold.flange_a, joint1.flange_a);\n",
    ),
}


@pytest.mark.parametrize(("step", "touched"), crossed(STEPS, TOUCHED))
def test_the_robot_fits_its_assembly(step: Callable[[Assembly], None], touched: str, modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    assert modular_misfits(package, load(modules)) == []
    file, old, new = TOUCHED[touched]
    assert old in (package / file).read_text()
    (package / file).write_text((package / file).read_text().replace(old, new, 1))
    assembly = load(modules)
    step(assembly)
    assembly = Assembly.parse(assembly.to_yaml(), folder=modules)  # its modules may have changed
    result = again(assembly, lib)
    assert modular_misfits(package, assembly) == []
    if touched == "untouched":
        assert result.update.report.attention == ()
    text = "".join(path.read_text() for path in package.rglob("*.mo"))
    for line in new.splitlines():
        # What is commented out is still there.
        assert " ".join(line.split()).removesuffix(",") in " ".join(text.split()), line
    assert again(assembly, lib).update.files == ()


# ---------------------------------------------------------------- all or nothing, and what is wrong


def test_a_file_that_changed_meanwhile_stops_all(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    assembly = load(modules)
    insert(assembly)
    result = update_modular(package, assembly)
    (package / "Arm.mo").write_text((package / "Arm.mo").read_text() + "// later\n")
    before = tree(package)
    with pytest.raises(UpdateError, match="has changed since it was read"):
        result.update.save()
    assert tree(package) == before


def test_urdf_update_says_whose_work_that_is(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with pytest.raises(UpdateError, match="put together from modules"):
        update(package, assembled_urdf(load(modules)))


def test_an_untouched_package_exports_its_module_files(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    found = export_modular(package)
    assert {each.use for each in found} == {"joint.urdf", "beam.urdf"}
    for each in found:
        assert each.exported.data == each.source == (modules / each.use).read_bytes()
        assert (each.exported.written, each.exported.problems) == ((), ())


def test_what_a_module_file_can_not_say_is_told_once(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    parameters = next((package / "Modules" / "beam" / "Links").glob("*Params.mo"))
    parameters.write_text(
        re.sub(r"mass=[0-9.]+", "mass=2*1.5", parameters.read_text(encoding="utf-8")), encoding="utf-8"
    )
    problems = [problem for each in export_modular(package) for problem in each.exported.problems]
    assert len(problems) == 1
    assert "is an expression, and URDF has numbers only" in problems[0]
    assert modules.is_dir()


def test_the_style_of_a_package_stays(modules: Path, lib: Path) -> None:
    make_arm(lib)
    with pytest.raises(UpdateError, match="in the style 'modular'"):
        assemble_into(load(modules), lib, style="flat")


@pytest.mark.parametrize(
    ("file", "damage", "sentence"),
    [
        ("Arm.json", None, "has no side-car"),
        ("Arm.json", ('"version": 1', '"version": 9'), "it is of version 9"),
        ("Arm.json", ('"robot": "Arm"', '"robot": 1'), "Arm.json: the names are damaged: 'robot' is missing"),
        (
            "Arm.json",
            ('"elbow": "2 0"', '"elbow": "2"'),
            "the names are damaged: a cell is not a column and a row",
        ),
        ("Arm.json", ('"elbow": "elbow"', '"elbows": "elbow"'), "Arm.json: the names are damaged: .* for 'elbow'"),
        ("Arm.yaml", ("elbow", "elbows"), "Arm.yaml is not the file that the package was made from"),
        ("modules/beam.urdf", ("0.9", "0.8"), "beam.urdf is not the file that the package was made from"),
        ("modules/beam.urdf", None, "beam.urdf can't be read: no such file"),
    ],
)
def test_a_base_that_is_lost_or_damaged(
    file: str, damage: tuple[str, str] | None, sentence: str, modules: Path, lib: Path
) -> None:
    spoil(make_arm(lib) / "Resources/urdf" / file, damage)
    with pytest.raises(NoBaseError, match=sentence):
        again(load(modules), lib)


# ---------------------------------------------------------------- packages of before they had a side-car in JSON


def with_older_files(package: Path) -> None:
    """What earlier versions kept in place of the side-car."""
    kept = package / "Resources/urdf"
    facts = json.loads((kept / "Arm.json").read_text())
    sources = b"".join((kept / use).read_bytes() for use in sorted(facts["sources"]))
    lines = [
        "urdf-base 1",
        f"generator {facts['generator']}",
        f"package {json.dumps(facts['package'])}",
        f"urdf {digest('all.urdf', sources)}",
        f"templates {facts['templates']}",
        *(f"option {name} {value}" for name, value in facts["options"].items()),
        *(f"file {found} {path}" for path, found in facts["files"].items()),
    ]
    (kept / "Arm.base").write_text("".join(f"{line}\n" for line in lines))
    shutil.copy(FOLDER / "older" / "Arm.modules", kept)
    (kept / "Arm.json").unlink()


def test_an_update_brings_limits_that_count(modules: Path, lib: Path) -> None:
    """Packages of before had them as they are written."""
    joint = modules / "joint.urdf"
    joint.write_text(joint.read_text().replace('lower="-2.5" upper="2.5" ', ""))
    older = load(modules)
    for module in older.modules:
        module.read_as_written()
    package = make(older, lib)
    path = package / "Resources/urdf/Arm.json"
    path.write_text(re.sub(r'  "reading": [^\n]*\n', "", path.read_text()))
    records = [file for file in package.rglob("*Params.mo") if "effort=80" in file.read_text()]
    assert records
    assert not any("lower" in file.read_text() for file in records)
    records[0].write_text(records[0].read_text().replace("effort=80", "effort=90"))
    again(load(modules), lib)
    assert all(re.search(r"lower=0,\s*upper=0", file.read_text()) for file in records)
    assert "effort=90" in records[0].read_text()
    assert again(load(modules), lib).update.files == ()


def test_an_older_package_gets_its_side_car(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    new = tree(package)
    with_older_files(package)
    again(load(modules), lib)
    assert tree(package) == new


def test_edits_in_an_older_package_stay(modules: Path, lib: Path) -> None:
    package = make_arm(lib)
    with_older_files(package)
    edit_by_hand(package)
    assembly = load(modules)
    insert(assembly)
    result = again(assembly, lib)
    assert (result.update.report.attention, result.update.report.conflicts) == ((), ())
    text = (package / "Arm.mo").read_text()
    assert [span for span in USER_SPANS if span not in text] == []
    assert "Modules.slide.slide reach(" in text
    kept = {path.name for path in (package / "Resources/urdf").iterdir()}
    assert kept == {"Arm.json", "Arm.yaml", "modules"}


@pytest.mark.parametrize(
    ("file", "damage", "sentence"),
    [
        ("Arm.modules", None, "Arm.modules can't be read: no such file"),
        ("Arm.modules", ("urdf-modules 1", "urdf-modules 9"), "expected 'urdf-modules 1'"),
        ("Arm.modules", ("cell ", "cell x "), r"Arm.modules:\d+: 'cell x .* is not a line of such a file"),
        ("Arm.modules", ("robot Arm", "# Arm"), "the names are damaged: 'robot'"),
        ("Arm.yaml", ("elbow", "elbows"), "the assembly or a module was changed"),
        ("modules/beam.urdf", ("0.9", "0.8"), "the assembly or a module was changed"),
    ],
)
def test_an_older_base_that_is_lost_or_damaged(
    file: str, damage: tuple[str, str] | None, sentence: str, modules: Path, lib: Path
) -> None:
    package = make_arm(lib)
    with_older_files(package)
    spoil(package / "Resources/urdf" / file, damage)
    with pytest.raises(NoBaseError, match=sentence):
        again(load(modules), lib)


def test_a_mesh_that_is_lost_is_served_by_its_copy(lib: Path, tmp_path: Path) -> None:
    modules = tmp_path / "all"
    shutil.copytree(FIXTURES / "modules", modules)
    assembly = Assembly.load(modules / "arm.yaml")
    make(assembly, lib)
    shutil.rmtree(modules / "my_pkg")
    result = again(Assembly.load(modules / "arm.yaml"), lib)
    assert result.update.files == ()
    assert (lib / "arm/Modules/l/Resources/Meshes/link1.STL").is_file()


# ---------------------------------------------------------------- numbers and places that last


@given(st.lists(st.integers(0, 9), unique=True), st.lists(st.integers(0, 9), unique=True))
def test_numbers_have_no_gaps_and_last(before: list[int], now: list[int]) -> None:
    old = numbered(before, {})
    new = numbered(now, old)
    assert sorted(new.values()) == list(range(1, len(now) + 1))
    assert all(new[key] == old[key] for key in now if key in old and old[key] <= len(now))


@settings(max_examples=examples(20))
@given(st.lists(st.sampled_from(["joint", "beam", "slide"]), min_size=1, max_size=6), st.integers(0, 5))
def test_places_last_and_are_free(uses: list[str], number: int) -> None:
    entries = "".join(f"  - {{use: {use}.urdf, as: i{i}}}\n" for i, use in enumerate(uses))
    assembly = Assembly.parse(f"robot: Arm\nmodules:\n{entries}", folder=FOLDER)
    before = cells_of(assembly.tree, {})
    assembly.insert("beam.urdf", after=f"i{number % len(uses)}", name="new")
    after = cells_of(assembly.tree, before)
    assert {name: after[name] for name in before} == before
    assert len(set(after.values())) == len(after)


def test_nothing_covers_anything_and_no_line_runs_through_a_module() -> None:
    assembly = Assembly.load(FOLDER / "arm.yaml")
    drawn = modular_package(assembly, "Arm", BuildOptions())
    steps: tuple[Callable[[], None], ...] = (
        lambda: assembly.insert("slide.urdf", after="shoulder", name="a", rotate=1.0),
        lambda: assembly.insert("beam.urdf", after="shoulder", name="b"),
        lambda: assembly.remove("upper"),
        lambda: assembly.insert("slide.urdf", after="elbow", name="c"),
        lambda: assembly.remove("shoulder"),
        lambda: assembly.insert("joint.urdf", after="b", name="d", rotate=1.0),
    )
    assert_drawn_well(drawn)
    for step in steps:
        step()
        drawn = modular_package(assembly, "Arm", BuildOptions(), known=drawn.names)
        assert_drawn_well(drawn)


def test_branches_are_drawn_well() -> None:
    assembly = Assembly.load(FIXTURES / "modules" / "two_arms.yaml")
    assert_drawn_well(modular_package(assembly, "Arm", BuildOptions()))


def assert_drawn_well(drawn: ModularPackage) -> None:
    robot = Document(drawn.files["Arm.mo"].decode()).find_class("Arm")
    placements: dict[str, Any] = {each.name: each.placement for each in robot.components}
    boxes = {name: placement.transformation.box for name, placement in placements.items()}
    for one, box in boxes.items():
        for other, beside in boxes.items():
            assert one == other or not overlap(corners(box), corners(beside)), (one, other)
    for one, other in robot.connections:
        line: Any = robot.get_line(one, other)
        if line is None:
            assert "flange" in one
            continue
        points = [(point.x, point.y) for point in line.points]
        for start, end in itertools.pairwise(points):
            assert start[0] == end[0] or start[1] == end[1]
            stretch = (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
            crossed = [name for name, box in boxes.items() if overlap(stretch, corners(box))]
            assert crossed == [], (one, other)


def corners(box: Any) -> tuple[float, float, float, float]:
    return box.first.x, box.first.y, box.second.x, box.second.y


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_names_read_back_from_json(modules: Path, lib: Path) -> None:
    _, made = build_modular(load(modules), BuildOptions(into=lib))
    names = modular_names_json(made.names)
    assert modular_names_of(json.loads(json.dumps(names, sort_keys=True))) == made.names


# ---------------------------------------------------------------- they move alike


@pytest.fixture(scope="module")
def rumoca(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Rumoca, Path]]:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install rumoca")
    folder = tmp_path_factory.mktemp("libraries")
    copy_needed_parts(msl, folder)
    styles: tuple[Style, ...] = ("modular", "flat")
    for style in styles:
        assembly = Assembly.load(FOLDER / "two_joints.yaml")
        options = BuildOptions(name=f"{style.title()}Arm")
        new = assemble_into(assembly, folder, style=style, build_options=options).new
        assert new is not None
        write(new, folder)
    with Rumoca([folder, TEMPLATES.parent], cwd=folder) as process:
        yield process, folder


@pytest.mark.corpus  # two compilations: 20 s of a processor
def test_modular_and_flat_move_alike(rumoca: tuple[Rumoca, Path]) -> None:
    process, _ = rumoca
    tip = [f"robot.frame_b[1].r_0[{axis}]" for axis in (1, 2, 3)]
    runs = []
    for name, dot in (("ModularArm", "."), ("FlatArm", "_")):
        joints = [f"robot.shoulder{dot}joint1.revolute.phi", f"robot.elbow{dot}joint1.revolute.phi"]
        source = (
            f"model Running import Modelica.Constants; import UrdfRobots.Types; extends {name}.{name}Run; end Running;"
        )
        run = process.simulate(source, "Running", 0.3, [*joints, *tip])
        assert run.model.is_balanced
        runs.append([run[variable] for variable in (*joints, *tip)])
    for modular, flat in zip(*runs, strict=True):
        assert modular == pytest.approx(flat, abs=1e-9)
    assert abs(runs[0][0][-1] - runs[0][0][0]) > 0.1  # it moves
