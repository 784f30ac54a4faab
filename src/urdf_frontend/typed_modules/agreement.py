"""Do a URDF file, a Python module and a Modelica package agree? What differs is said by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend.robot import Robot
from urdf_frontend.typed_modules.blueprint import Blueprint
from urdf_frontend.typed_modules.layout import is_same
from urdf_frontend.typed_modules.modules import ModuleOptions, blueprint_of
from urdf_frontend.typed_modules.python_text import ExistingModule, with_roles
from urdf_frontend.typed_modules.statements import SOURCE, statements_of

_LONGEST: Final = 60
# What the arguments without a name are, of a link or joint and of an axis.
_PART: Final = ("id", "parent", "child")
_AXIS: Final = ("q", "qd", "tau")


@frozen
class Difference:
    """Something that does not agree. `kind` is what it is about; `line` is that of the module, if it has one."""

    kind: str
    message: str
    line: int | None = None


def differences(module: ExistingModule, robot: Robot, options: ModuleOptions) -> list[Difference]:
    """All differences, those of a kind together."""
    plan, resolved = blueprint_of(robot, options, module)
    found = [*_parts(module, plan, "link"), *_parts(module, plan, "joint")]
    expected = {role: each.node for role, each in with_roles(statements_of(plan), plan.prefix)}
    for kind, role in (("link", "CONSTANT_LINKAGE"), ("joint", "CONSTANT_ARTICULATION")):
        found += _values(kind, module.statements.get(role), expected[role])
    if resolved is not None:
        found += [Difference("package", message) for message in (*resolved.missing, *resolved.surplus)]
        if not resolved.missing:
            found += _paths(module.statements.get("CONSTANT"), expected["CONSTANT"], are_alike=not found)
    if found:
        return found
    # What is left follows from the parts that were compared, or was edited by hand.
    return list(_others(module, expected))


def _parts(module: ExistingModule, plan: Blueprint, kind: str) -> Iterator[Difference]:
    """Links or joints that only one side has."""
    role, there, title = {
        "link": ("LinkId", plan.links, plan.link_class),
        "joint": ("JointId", plan.joints, plan.joint_class),
    }[kind]
    written = module.link_members if kind == "link" else module.joint_members
    node = module.statements.get(role)
    for urdf, member in written.items():
        if urdf not in there:
            line = _line_of_member(node, member)
            yield Difference(f"{kind}s", f"the {kind} '{urdf}' ({title}.{member}) is not in the URDF file", line)
    for urdf in there:
        if urdf not in written:
            line = None if node is None else node.lineno
            yield Difference(f"{kind}s", f"the {kind} '{urdf}' of the URDF file is not in {title}", line)


def _line_of_member(node: ast.stmt | None, member: str) -> int | None:
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        match each:
            case ast.Assign(targets=[ast.Name(id=found)]) if found == member:
                return each.lineno
    return None


def _values(kind: str, written: ast.stmt | None, expected: ast.stmt) -> Iterator[Difference]:
    """What is said of links or joints that both have."""
    old, new = _calls(written), _calls(expected)
    for member, call in new.items():
        before = old.get(member)
        if before is None or is_same(before, call):
            continue
        yield Difference(f"values of {kind}s", f"{kind} {member}: {_first_difference(before, call)}", before.lineno)


def _calls(node: ast.stmt | None) -> dict[str, ast.Call]:
    """The calls for links or joints, by their members."""
    value = getattr(node, "value", None)
    calls = value.args if isinstance(value, ast.Call) else []
    return {_member(each.args[0]): each for each in calls if isinstance(each, ast.Call) and each.args}


def _member(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ast.unparse(node)


def _first_difference(before: ast.Call, call: ast.Call) -> str:
    if not is_same(before.func, call.func):
        return f"it is a {_member(before.func)} in the module, but a {_member(call.func)} in the URDF file"
    old, new = _arguments(before, _PART), _arguments(call, _PART)
    for name in dict.fromkeys((*new, *old)):
        one, other = old.get(name), new.get(name)
        if one is None or other is None or not is_same(one, other):
            return f"{name} is {_shown(one)} in the module, and {_shown(other)} in the URDF file"
    return "it is written differently"


def _arguments(call: ast.Call, positions: Sequence[str]) -> dict[str, ast.expr]:
    positional = dict(zip(positions, call.args, strict=False))
    return {**positional, **{each.arg or "": each.value for each in call.keywords}}


def _shown(node: ast.expr | None) -> str:
    if node is None:
        return "not given"
    try:
        text = ast.unparse(node)
    except RecursionError:  # nobody but a user can have written that
        return "something that is nested very deep"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _paths(written: ast.stmt | None, expected: ast.stmt, *, are_alike: bool) -> Iterator[Difference]:
    """Where things are in Modelica.

    What one side lacks is reported only if that is not yet known of its link or joint.
    """
    old, new = _entries(written), _entries(expected)
    for name in dict.fromkeys((*new, *old)):
        one, other = old.get(name), new.get(name)
        if are_alike if one is None or other is None else not is_same(one, other):
            line = None if one is None else one.lineno
            message = f"{name} is {_shown(one)} in the module, and {_shown(other)} in the Modelica package"
            yield Difference("names in Modelica", message, line)


def _entries(node: ast.stmt | None) -> Mapping[str, ast.expr]:
    """The arguments of `typed.Modelica(…)`, which is the last of the robot's; dictionaries entry by entry."""
    robot = getattr(node, "value", None)
    value = robot.args[-1] if isinstance(robot, ast.Call) and robot.args else None
    found: dict[str, ast.expr] = {}
    for keyword in value.keywords if isinstance(value, ast.Call) else ():
        if isinstance(keyword.value, ast.Dict):
            for key, entry in zip(keyword.value.keys, keyword.value.values, strict=True):
                place = f"{keyword.arg}[{_shown(key)}]"
                if isinstance(entry, ast.Call):
                    found |= {f"{place}.{name}": each for name, each in _arguments(entry, _AXIS).items()}
                else:
                    found[place] = entry
        else:
            found[keyword.arg or ""] = keyword.value
    return found


def _others(module: ExistingModule, expected: Mapping[str, ast.stmt]) -> Iterator[Difference]:
    for role, node in expected.items():
        there = module.statements.get(role)
        if there is None:
            yield Difference("module", f"the module lacks a generated statement: {ast.unparse(node)[:_LONGEST]}…")
        elif not is_same(there, node) and role != SOURCE:
            start = ast.unparse(node).partition("\n")[0][:_LONGEST]
            yield Difference("module", f"this is not as it would be generated: {start}", there.lineno)
    for role, node in module.statements.items():
        if role not in expected:
            yield Difference("module", "this would no longer be generated", node.lineno)
