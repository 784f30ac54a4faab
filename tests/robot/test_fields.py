"""The table of fields says what the model, the records of both libraries and the runtime of typed modules have."""

from __future__ import annotations

import gc
import typing
from collections.abc import Iterator
from types import UnionType
from typing import Any

import pytest

from conftest import FIXTURES
from modelica_ast import LiteralError, Real, Reference, evaluate
from modelica_ast.edit import ComponentHandle, Document
from urdf_frontend import typed
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.package.dlr.part_classes import JOINT_DEFAULTS, LINK_DEFAULTS, script_path
from urdf_frontend.robot import (
    Actuator,
    Item,
    Joint,
    JointType,
    Limit,
    Link,
    Number,
    OtherGeometry,
    Robot,
    Transmission,
    TransmissionJoint,
    Vector,
    Visual,
)
from urdf_frontend.robot.fields import ELEMENT_TYPES, JOINT, ElementType, Field, Kind, Part, items_in, values_of
from urdf_frontend.urdf import read

RECORDS = Document((TEMPLATES / "Records.mo").read_text(encoding="utf-8"))
SCRIPT_RECORDS = Document((FIXTURES / "robots" / "dlr" / "URDFModelica.mo").read_text(encoding="utf-8"))
# Wholes, what private dialects write, and shapes that URDF does not define.
WITHOUT_TABLE = {Robot, Transmission, TransmissionJoint, Actuator, OtherGeometry}
# What the file does not say in an attribute or element of its own.
DERIVED = {Visual: {"look"}, Link: {"is_implicit"}, Joint: {"type_text"}, Limit: {"is_literal"}}
VALUES = {
    Number: {Kind.NUMBER},
    Vector: {Kind.VECTOR},
    str: {Kind.TEXT, Kind.FILE, Kind.CHOICE},
    JointType: {Kind.CHOICE},
}
# Classes of the runtime that have all that an element has, in its order.
RUNTIME = "Origin Inertia Box Cylinder Capsule Sphere Mesh Dynamics Mimic Calibration Safety".split()
UNITS = {"Position": "m", "Length": "m", "Radius": "m", "Angle": "rad", "Mass": "kg", "Inertia": "kg.m2"}
TYPES = list(ELEMENT_TYPES.values())
WITH_RECORD = [each for each in TYPES if each.record is not None]


def name_of(of: ElementType) -> str:
    return of.model.__name__


def plain_types(hint: Any) -> set[Any]:
    """The classes in an annotation, but for None and tuples."""
    todo, found = [hint], set()
    while todo:
        each = todo.pop()
        if isinstance(each, UnionType) or typing.get_origin(each) in {tuple, typing.Union}:
            todo += typing.get_args(each)
        elif each not in {type(None), Ellipsis}:
            found.add(each)
    return found


def default_of(component: ComponentHandle) -> Any:
    """The number, numbers or text that a record has where nobody gives one; None if it is something else."""
    written = component.get()
    assert written is not None
    name, _, count = written.text.strip().rstrip(")").partition("(")
    if count:
        return [{"zeros": 0, "ones": 1}[name]] * int(count)
    try:
        found = evaluate(written)
    except LiteralError:
        return None
    return None if isinstance(found, Reference | bool) else found


# ---------------------------------------------------------------- the model


def test_every_class_of_the_model_has_its_element_type() -> None:
    gc.collect()  # attrs makes a class with slots of another one, which is there until it is collected
    todo, found = [Item], set()
    while todo:
        found |= (kinds := set(todo.pop().__subclasses__()))
        todo += kinds
    assert found - WITHOUT_TABLE == set(ELEMENT_TYPES)


@pytest.mark.parametrize("of", TYPES, ids=name_of)
def test_the_table_has_the_attributes_of_the_model(of: ElementType) -> None:
    common = {each.name for each in Item.__attrs_attrs__}
    attributes = {each.name for each in of.model.__attrs_attrs__} - common - DERIVED.get(of.model, set())
    assert {member.attribute for member in of.members} - {"tag"} == attributes
    assert len({member.attribute for member in of.members}) == len(of.members)
    hints = typing.get_type_hints(of.model)
    for member in of.members:
        assert hasattr(of.model, member.effective), "a property, or an attribute of a class with slots"
        kinds = plain_types(hints[member.attribute]) - {OtherGeometry, typing.ClassVar[str]} or {str}
        if isinstance(member, Part):
            assert {inside.model for inside in member.types} == kinds
        else:
            assert member.kind in VALUES[kinds.pop()]
            assert bool(member.sizes) is (member.kind is Kind.VECTOR)


# ---------------------------------------------------------------- the records of this project


@pytest.mark.parametrize("record", sorted({str(each.record) for each in WITH_RECORD}))
def test_records_have_the_fields_of_the_table_in_its_order(record: str) -> None:
    types = [each for each in WITH_RECORD if each.record == record]
    members = {name: member for of in types for member in of.members if (name := member.record) is not None}
    components = list(RECORDS.find_class(f"Records.{record}").components)
    assert [component.name for component in components] == list(members)
    for component, member in zip(components, members.values(), strict=True):
        part = member.types[0] if isinstance(member, Part) else None
        if part is not None and part.record is not None:
            assert component.type == part.record
        else:
            field = member if isinstance(member, Field) else part.fields[0] if part is not None else None
            assert field is not None
            check_component(component, field)


def check_component(component: ComponentHandle, field: Field) -> None:
    type_ = component.type.rpartition(".")[2]
    if field.kind in {Kind.TEXT, Kind.FILE}:
        assert type_ == "String"
    elif field.kind is Kind.CHOICE:
        assert type_ == component.name[0].upper() + component.name[1:]
    else:
        assert UNITS.get(type_, field.unit) == field.unit
        if field.linear_unit:
            description = component.description or ""
            assert f"in {field.unit} " in description or field.attribute == "k_velocity"
            assert f"or {field.linear_unit}" in description or field.attribute == "k_velocity"
        if field.kind is Kind.NUMBER and type_ == "Real":
            assert (component.get("min") is not None) is field.is_magnitude
        default = default_of(component)
        if field.default is not None and default is not None:
            assert default == (list(field.default) if isinstance(field.default, tuple) else field.default)


# ---------------------------------------------------------------- the records of URDFModelica


def script_fields(record: str) -> Iterator[tuple[str, ComponentHandle]]:
    todo = [("", record)]
    while todo:
        path, type_ = todo.pop(0)
        found = SCRIPT_RECORDS.get_class(f"URDFModelica.Records.{type_}")
        if found is None:
            continue
        inside = [(f"{path}.{each.name}".lstrip("."), each) for each in found.components]
        todo = [(name, each.type) for name, each in inside] + todo
        yield from inside


@pytest.mark.parametrize(("record", "defaults"), [("Link", LINK_DEFAULTS), ("Joint", JOINT_DEFAULTS)])
def test_the_fields_of_the_script_are_those_of_its_library(record: str, defaults: dict[str, Any]) -> None:
    known = dict(script_fields(record))
    leaves = {path: each for path, each in known.items() if not any(other.startswith(f"{path}.") for other in known)}
    assert set(leaves) == set(defaults)
    for path, component in leaves.items():
        siblings = [name for name in leaves if name.rpartition(".")[0] == path.rpartition(".")[0] and "." in path]
        assert [name for name in defaults if name in siblings] == siblings
        if path in {"name", "parent.link", "child.link"}:
            continue  # every link and joint says these
        default = default_of(component)
        if default is not None:
            assert plain(defaults[path]) == default, path


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [float(each.text) for each in value]
    return float(value.text) if isinstance(value, Real) else value


def test_paths_of_both_libraries() -> None:
    paths = {"limit.lower": "limit.lower", "axis": "axis.xyz", "parent": "parent.link"}
    paths |= {"safetyController.softLowerLimit": "safety_controller.soft_lower_limit", "visual2": "visual2"}
    assert {path: script_path(path) for path in paths} == paths


# ---------------------------------------------------------------- the runtime of typed modules


@pytest.mark.parametrize("name", RUNTIME)
def test_the_runtime_has_the_fields_of_the_table(name: str) -> None:
    kind, of = getattr(typed, name), next(each for each in TYPES if name_of(each) == name)
    fields = [each for each in of.fields if each.kind is not Kind.CHOICE and each.attribute != "quat_xyzw"]
    assert list(kind._fields) == [each.attribute for each in fields]
    for each in fields:
        if getattr(kind, each.attribute, None) is not None:
            assert getattr(kind, each.attribute) == each.default


def test_the_runtime_has_the_limits_of_the_table() -> None:
    limits = [each.attribute for each in JOINT.part("limit").types[0].fields]
    assert sorted(typed.PositionLimits._fields) == sorted(limits)


# ---------------------------------------------------------------- items


def test_items_and_their_values_are_found_by_the_table() -> None:
    arm = read(FIXTURES / "robots" / "arm.urdf").usable_robot()
    paths = [path for path, _ in items_in(arm.links[0])]
    assert paths[:4] == ["", "inertial", "inertial.origin", "inertial.inertia"]
    assert "visual2.geometry" in paths
    limit = next(joint.limit for joint in arm.joints if joint.limit is not None and joint.limit.lower is not None)
    assert {field.attribute: value for field, value in values_of(limit)}["lower"] is limit.lower
