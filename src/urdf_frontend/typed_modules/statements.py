"""The statements of a module, each known by the name that it gives to something."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from urdf_frontend.model import JointType
from urdf_frontend.typed import Axis, Source
from urdf_frontend.typed_modules.blueprint import Blueprint, ModelicaNames
from urdf_frontend.typed_modules.errors import TypesError
from urdf_frontend.typed_modules.nodes import (
    annotated,
    assignment,
    call,
    class_of,
    literal,
    mapping,
    name,
    runtime,
    subscript,
    text_line,
    texts,
    tuple_of,
    union,
)
from urdf_frontend.typed_modules.parameter_types import ParameterGroup, parameter_groups
from urdf_frontend.typed_modules.robot_values import joint_call, link_call, transmission_call
from urdf_frontend.typed_modules.skeleton_class import skeleton_class

SOURCE: Final = "_SOURCE"
PYTHONS: Final = ("3.11", "3.12")
_FINAL: Final = name("typing.Final")


@frozen
class Statement:
    """A statement and the name that it gives to something."""

    name: str
    node: ast.stmt


def statements_of(plan: Blueprint) -> list[Statement]:
    """All statements behind the imports, in their order."""
    if plan.source.python != PYTHONS[0] and sys.version_info < (3, 12):
        found = ".".join(map(str, sys.version_info[:2]))
        raise TypesError(f"--python {plan.source.python} needs a Python that reads that; this is Python {found}")
    return list(_statements(plan))


def _statements(plan: Blueprint) -> Iterator[Statement]:
    ids = (name(plan.link_class), name(plan.joint_class))
    yield _final(SOURCE, source_call(plan.source))
    yield _enumeration(plan.link_class, "LinkId", f"The links of {plan.title}.", plan.links)
    yield _enumeration(plan.joint_class, "JointId", f"The joints of {plan.title}.", plan.joints)
    kinds = joints_by_type(plan)
    for kind, joints in kinds.items():
        yield _alias(plan, kind_alias(plan, kind), [plan.joint(joint) for joint in joints])
    groups: list[ParameterGroup] = []
    if plan.modelica is not None:
        yield _axis_alias(plan, plan.modelica, kinds)
        groups = parameter_groups(plan, plan.modelica, kinds)
        for group in groups:
            yield Statement(group.name, assignment(group.name, group.typed_dict))
    aliases = {kind: kind_alias(plan, kind) for kind in kinds}
    yield Statement(f"{plan.prefix}Skeleton", skeleton_class(plan, aliases, groups))
    linkage, articulation = f"{plan.constant}_LINKAGE", f"{plan.constant}_ARTICULATION"
    links = (link_call(plan, link) for link in plan.robot.links)
    calls = (joint_call(plan, joint) for joint in plan.robot.joints)
    yield _final(linkage, call("Linkage", ids[0], *links))
    yield _final(articulation, call("Articulation", *ids, *calls))
    parts = [literal(plan.robot.name or ""), name(linkage), name(articulation)]
    parts.append(tuple_of(transmission_call(plan, each) for each in plan.robot.transmissions))
    if plan.modelica is not None:
        parts.append(_modelica_call(plan, plan.modelica))
    yield _final(plan.constant, ast.Call(name(f"{plan.prefix}Skeleton"), parts, []))


def joints_by_type(plan: Blueprint) -> dict[JointType, list[str]]:
    """The names of the joints of each type that the robot has."""
    found: dict[JointType, list[str]] = {}
    for kind in JointType:
        joints = [joint.name for joint in plan.robot.joints if joint.type is kind]
        if joints:
            found[kind] = joints
    return found


def kind_alias(plan: Blueprint, kind: JointType) -> str:
    """The name of the type of all joints of one type: PandaRevolute."""
    return f"{plan.prefix}{kind.value.capitalize()}"


def source_call(source: Source) -> ast.Call:
    """`typed.Source(…)`."""
    named: dict[str, ast.expr | None] = {"arguments": texts(source.arguments) if source.arguments else None}
    for field in ("package", "folder", "model"):
        value = getattr(source, field)
        named[field] = None if value is None else literal(value)
    required = {field: literal(getattr(source, field)) for field in ("urdf", "prefix", "python")}
    return call("Source", named={**required, **named})


def _enumeration(title: str, base: str, description: str, members: Mapping[str, str]) -> Statement:
    body = [text_line(description), *(assignment(member, literal(urdf)) for urdf, member in members.items())]
    return Statement(title, class_of(title, runtime(base), body))


def _alias(plan: Blueprint, title: str, ids: list[ast.expr]) -> Statement:
    return _alias_of(plan, title, subscript(name("typing.Literal"), *ids))


def _alias_of(plan: Blueprint, title: str, type_: ast.expr) -> Statement:
    if plan.source.python == PYTHONS[0]:
        return Statement(title, annotated(title, name("typing.TypeAlias"), type_))
    # The `ast` of Python 3.11 does not know this node, and the checks of this project run with that.
    made: ast.stmt = getattr(ast, "TypeAlias")(ast.Name(title, ast.Store()), [], type_)  # noqa: B009  (see above)
    return Statement(title, ast.fix_missing_locations(made))


def _axis_alias(plan: Blueprint, modelica: ModelicaNames, kinds: Mapping[JointType, list[str]]) -> Statement:
    """The type of all joints that have an angle in Modelica; mostly all that have one in URDF."""
    title = f"{plan.prefix}Axis"
    single = {kind: joints for kind, joints in kinds.items() if kind.is_single}
    if not modelica.axes:
        return _alias_of(plan, title, name("typing.Never"))
    if {joint for joints in single.values() for joint in joints} == set(modelica.axes):
        return _alias_of(plan, title, union(*(name(kind_alias(plan, kind)) for kind in single)))
    return _alias(plan, title, [plan.joint(joint) for joint in plan.joints if joint in modelica.axes])


def _final(title: str, value: ast.expr) -> Statement:
    return Statement(title, annotated(title, _FINAL, value))


def _modelica_call(plan: Blueprint, modelica: ModelicaNames) -> ast.Call:
    links = mapping((plan.link(urdf), literal(modelica.links[urdf])) for urdf in plan.links)
    joints = mapping((plan.joint(urdf), literal(modelica.joints[urdf])) for urdf in plan.joints)
    axes = mapping((plan.joint(urdf), _axis_call(modelica.axes[urdf])) for urdf in plan.joints if urdf in modelica.axes)
    first = {field: literal(getattr(modelica, field)) for field in ("package", "robot", "model", "at")}
    return call("Modelica", named={**first, "links": links, "joints": joints, "axes": axes})


def _axis_call(axis: Axis) -> ast.Call:
    names = [literal(text) for text in (axis.q, axis.qd, axis.tau)]
    return call("Axis", *names, named={"flange": None if axis.flange is None else literal(axis.flange)})
