"""The class of a robot: overloads that tell a checker of which type each joint is, and which parameters it has."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.model import JointType
from urdf_frontend.typed_modules.blueprint import Blueprint
from urdf_frontend.typed_modules.nodes import (
    ELLIPSIS,
    class_of,
    function,
    name,
    runtime,
    subscript,
    text_line,
    union,
)
from urdf_frontend.typed_modules.parameter_types import ParameterGroup
from urdf_frontend.typed_modules.robot_values import JOINT_CLASSES

_OVERLOAD: Final = name("typing.overload")


@frozen
class _Signature:
    """One way to call a method: the types of its parameters behind `self`, and of its result."""

    parameters: Mapping[str, ast.expr]
    result: ast.expr


def skeleton_class(plan: Blueprint, aliases: Mapping[JointType, str], groups: Sequence[ParameterGroup]) -> ast.ClassDef:
    """The class; `aliases` are the types of the joints of each type."""
    ids = (name(plan.link_class), name(plan.joint_class))
    if plan.modelica is None:
        base = subscript(runtime("Skeleton"), *ids)
    else:
        base = subscript(runtime("ModelicaSkeleton"), *ids, name(f"{plan.prefix}Axis"))
    body = [text_line(f"The robot {plan.title}."), *_part_methods(plan, aliases)]
    if groups:
        body += _parameter_methods(plan, groups)
    return class_of(f"{plan.prefix}Skeleton", base, body)


def _part_methods(plan: Blueprint, aliases: Mapping[JointType, str]) -> list[ast.stmt]:
    """`robot[id]`. With joints of one type only, that type is what all of them have."""
    links, joints = name(plan.link_class), name(plan.joint_class)
    link = subscript(runtime("Link"), links)
    ways = [
        _Signature({"part": name(alias)}, subscript(runtime(JOINT_CLASSES[kind]), links, joints))
        for kind, alias in aliases.items()
    ]
    joint = subscript(runtime("Joint"), links, joints)
    if len(ways) == 1:
        ways = [_Signature({"part": joints}, ways[0].result)]
    elif ways:
        ways.append(_Signature({"part": joints}, joint))
    ways.append(_Signature({"part": links}, link))
    if len(ways) == 1:
        return _overloaded("__getitem__", ways, ways[0], "linkage.__getitem__")
    every = _Signature({"part": union(joints, links)}, subscript(runtime("Part"), links, joints))
    return _overloaded("__getitem__", ways, every, "part")


def _parameter_methods(plan: Blueprint, groups: Sequence[ParameterGroup]) -> list[ast.stmt]:
    result = subscript(name("dict"), name("str"), runtime("ParameterValue"))
    ways = [_Signature({"part": group.parts, "values": name(group.name)}, result) for group in groups]
    parts = union(name(plan.link_class), name(plan.joint_class))
    every = _Signature(
        {"part": parts, "values": subscript(name("typing.Mapping"), name("str"), name("object"))}, result
    )
    return _overloaded("parameters", ways, every, "named", "Values for parameters of a part, by their full names.")


def _overloaded(
    title: str, ways: Sequence[_Signature], every: _Signature, inherited: str, description: str | None = None
) -> list[ast.stmt]:
    """The overloads and the method behind them, which calls what it inherits. One overload alone is no overload."""
    if len(ways) == 1:
        return [_method(title, ways[0], inherited, description)]
    stubs: list[ast.stmt] = [
        function(title, {"self": None, **way.parameters}, way.result, [ELLIPSIS], [_OVERLOAD]) for way in ways
    ]
    return [*stubs, _method(title, every, inherited, description)]


def _method(title: str, way: _Signature, inherited: str, description: str | None) -> ast.stmt:
    called = ast.Call(name(f"self.{inherited}"), [name(each) for each in way.parameters], [])
    body: list[ast.stmt] = [] if description is None else [text_line(description)]
    return function(title, {"self": None, **way.parameters}, way.result, [*body, ast.Return(called)])
