"""What an update keeps that `-u` of URDFModelica's script loses: the table of docs/updates.md comes from these runs.

Both work on the same package of the script, fixtures/robots/dlr. What `-u` does is modelled here: it writes every
parameter record again from the URDF file, those of new links and joints too, and touches no other file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast import Reference
from package.test_dlr import CHANGES, DLR, EDITS, URDF, adopted_in, changed_urdf, edit_package
from package.test_survival import read_text, write_text
from urdf_frontend import read
from urdf_frontend.package import update
from urdf_frontend.package.dlr.part_classes import joint_fields, link_fields
from urdf_frontend.robot import Robot

PAGE = ROOT / "docs" / "updates.md"
OTHER_MASS = ('mass value="0.8"', 'mass value="0.85"')  # of a link that no edit is about
# What the script writes on one line; all else has a line for each field.
SHORT = {"Origin": ",", "Parent": ", ", "Child": ", ", "Axis": ", ", "Calibration": ", ", "Dynamics": ", "}

# ---------------------------------------------------------------- the script


def minus_u(folder: Path, urdf: str) -> None:
    """What `-u` does to a package."""
    for path, text in script_records(read(urdf).usable_robot()).items():
        write_text(folder / path, text)


def script_records(robot: Robot) -> dict[str, str]:
    links = {f"Links/{class_of(link.name)}": record("Link", link.name, link_fields(link)) for link in robot.links}
    joints = {f"Joints/{class_of(each.name)}": record("Joint", each.name, joint_fields(each)) for each in robot.joints}
    return {f"{path}Params.mo": text for path, text in (links | joints).items()}


def class_of(name: str) -> str:
    return name.replace("-", "_").capitalize()


def record(kind: str, name: str, fields: Mapping[str, Any]) -> str:
    nested: dict[str, Any] = {}
    for path, value in fields.items():
        inside = nested
        *parts, last = path.split(".")
        for part in parts:
            inside = inside.setdefault(part, {})
        inside[last] = value
    class_name = f"{class_of(name)}Params"
    body = ",\n".join(argument(*each) for each in nested.items())
    return (
        f"within Cell.Picker.{kind}s;\nrecord {class_name}\n  extends URDFModelica.Records.{kind}(\n{body});\n"
        f'  annotation (preferredView = "text");\nend {class_name};\n'
    )


def argument(name: str, value: Any) -> str:
    if isinstance(value, dict):
        inside = SHORT.get(name.capitalize(), ",\n").join(argument(*each) for each in value.items())
        return f"{name} = URDFModelica.Records.{name.capitalize()}({inside})"
    return f"{name} = {written(value)}"


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "{" + ", ".join(map(written, value)) + "}"
    return str(value) if isinstance(value, Reference) else str(float(value))


def test_the_model_of_the_script_writes_the_records_of_the_fixture() -> None:
    records = script_records(read(URDF).usable_robot())
    assert len(records) == 7
    for path, text in records.items():
        assert text == read_text(DLR / "Cell" / "Picker" / path)


def test_the_session_starts_with_the_same_package() -> None:
    session = FIXTURES / "cli" / "urdf-adopt-dlr" / "files"
    for path in (DLR / "Cell").rglob("*"):
        if path.is_file():
            assert (session / path.relative_to(DLR)).read_bytes() == path.read_bytes()


# ---------------------------------------------------------------- the table

Run = Callable[[Path, str], None]
EDIT_ROWS = {
    "a comment in a record": "comment in a record",
    "the description of a record": "description of a record",
    "an expression instead of a mass": "expression for a mass",
    "a parameter added to a record": "parameter added to a record",
    "documentation of a record": "documentation of a record",
    "tuned friction of another joint": "tuned friction",
    "blanks and order in a record": "blanks and order",
    "an equation in a joint's model": "equation in a joint",
    "a file added to the package": "own file",
    "package.order rearranged": "package.order rearranged",
}
LINK_ROW, TYPE_ROW = "then a link is added in the URDF", "then a joint's type changes"


def urdf_update(folder: Path, urdf: str) -> None:
    update(folder, read(urdf)).save()


def package_with(edit: str, into: Path) -> tuple[Path, list[tuple[str, bytes]]]:
    folder = adopted_in(into, library=True)
    return folder, edit_package(folder, edit)


def fate_of_edit(edit: str, run: Run, into: Path) -> str:
    """What becomes of an edit when the mass of another link changes."""
    folder, spans = package_with(edit, into / "edit")
    assert spans, edit
    run(folder, URDF.replace(*OTHER_MASS))
    assert "mass = 0.85," in read_text(folder / "Links" / "CarriageParams.mo")
    kept = [span in (folder / path).read_bytes() for path, span in spans]
    if not any(kept) and edit == "expression for a mass":
        assert "mass = 2.4," in read_text(folder / "Links" / "Upper_armParams.mo")
        return "a number again"
    assert all(kept) or not any(kept), (edit, kept)
    if not all(kept):
        return "lost"
    return "kept; a conflict if that mass changed" if is_conflict(edit, run, into) else "kept"


def is_conflict(edit: str, run: Run, into: Path) -> bool:
    """Does a change of the very value that the edit is about leave it, and say so?"""
    if "mass" not in EDITS[edit].get("conflicts", ()) or run is not urdf_update:
        return False
    folder, spans = package_with(edit, into / "conflict")
    result = update(folder, read(changed_urdf("mass")))
    result.save()
    assert all(span in (folder / path).read_bytes() for path, span in spans)
    return [conflict.decided for conflict in result.report.conflicts] == [None]


def fate_of_new_link(run: Run, into: Path) -> str:
    folder, _ = package_with("no edit", into)
    run(folder, changed_urdf("link added"))
    assert "name" in read_text(folder / "Links" / "EyeParams.mo")
    robot, order = read_text(folder / "Picker.mo"), read_text(folder / "Links" / "package.order").split()
    found = {
        "classes": (folder / "Links" / "Eye.mo").is_file() and (folder / "Joints" / "Look.mo").is_file(),
        "component": "Links.Eye eye" in robot and "Joints.Look look" in robot,
        "connections": "connect(look.frame_b, eye.frame_a)" in robot and "rotational_flange_a[2]" in robot,
        "package.order": {"Eye", "EyeParams"} <= {*order},
    }
    return ", ".join(what for what, is_there in found.items() if is_there) or "a record that nothing uses"


def fate_of_type(run: Run, into: Path) -> str:
    folder, _ = package_with("no edit", into)
    before = read_text(folder / "Joints" / "Lift.mo")
    run(folder, changed_urdf("joint type"))
    assert "JointType.revolute" in read_text(folder / "Joints" / "LiftParams.mo")
    model = read_text(folder / "Joints" / "Lift.mo")
    if model == before:
        return "the record changes, the model does not"
    assert "extends URDFModelica.Joints.Revolute(" in model
    return "both change"


@cache
def table() -> dict[str, tuple[str, str]]:
    """The rows of the page: (with `-u`, with `urdf update`), by the edit."""
    section = read_text(PAGE).partition("## Compared with DLR's URDFModelica\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", section, re.MULTILINE)
    return {row[0]: (row[1], row[2]) for row in rows[1:]}


def test_the_table_has_these_rows() -> None:
    assert list(table()) == [*EDIT_ROWS, LINK_ROW, TYPE_ROW]


@pytest.mark.parametrize("row", EDIT_ROWS)
def test_an_edit_fares_as_the_table_says(row: str, tmp_path: Path) -> None:
    edit = EDIT_ROWS[row]
    found = (fate_of_edit(edit, minus_u, tmp_path / "u"), fate_of_edit(edit, urdf_update, tmp_path / "update"))
    assert found == table()[row]


@pytest.mark.parametrize(("row", "fate"), [(LINK_ROW, fate_of_new_link), (TYPE_ROW, fate_of_type)])
def test_a_change_of_structure_fares_as_the_table_says(
    row: str, fate: Callable[[Run, Path], str], tmp_path: Path
) -> None:
    assert (fate(minus_u, tmp_path / "u"), fate(urdf_update, tmp_path / "update")) == table()[row]


def test_minus_u_touches_records_only(tmp_path: Path) -> None:
    folder = adopted_in(tmp_path)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    minus_u(folder, changed_urdf("leaf removed"))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before, "stale files stay"
    for change in CHANGES:
        minus_u(folder, changed_urdf(change))
    changed = {path for path in folder.rglob("*") if path.is_file() and before.get(path) != path.read_bytes()}
    assert all(path.name.endswith("Params.mo") for path in changed)
