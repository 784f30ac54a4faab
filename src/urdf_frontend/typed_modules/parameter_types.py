"""Types of parameters: which names a part's parameters have, and which values they take. Like parts share one."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from attrs import frozen

from urdf_frontend.model import JointType
from urdf_frontend.typed_modules.blueprint import Blueprint, ModelicaNames, Parameter
from urdf_frontend.typed_modules.nodes import literal, mapping, name, subscript


@frozen
class ParameterGroup:
    """Parts that have the same parameters. `parts` is the type of their ids."""

    name: str
    parts: ast.expr
    parameters: tuple[Parameter, ...]

    @property
    def typed_dict(self) -> ast.expr:
        """`typing.TypedDict(…)`: paths have dots in them, so it can't be a class."""
        fields = mapping((literal(each.path), _type_of(each)) for each in self.parameters)
        keywords = [ast.keyword("total", ast.Constant(value=False))]
        return ast.Call(name("typing.TypedDict"), [literal(self.name), fields], keywords)


def parameter_groups(
    plan: Blueprint, modelica: ModelicaNames, kinds: Mapping[JointType, list[str]]
) -> list[ParameterGroup]:
    """The groups of the links, then those of the joints of each type; parts without parameters are in none."""
    found: list[ParameterGroup] = []
    links = _alike(list(plan.links), modelica.link_parameters)
    for number, (parameters, names) in enumerate(links.items(), 1):
        every = len(names) == len(plan.links)
        parts = name(plan.link_class) if every else _literal([plan.link(each) for each in names])
        found.append(ParameterGroup(f"{plan.prefix}LinkParameters{_suffix(number)}", parts, parameters))
    for kind, joints in kinds.items():
        title = f"{plan.prefix}{kind.value.capitalize()}"
        for number, (parameters, names) in enumerate(_alike(joints, modelica.joint_parameters).items(), 1):
            every = len(names) == len(joints)
            parts = name(title) if every else _literal([plan.joint(each) for each in names])
            found.append(ParameterGroup(f"{title}Parameters{_suffix(number)}", parts, parameters))
    return found


def _alike(names: list[str], parameters: Mapping[str, tuple[Parameter, ...]]) -> dict[tuple[Parameter, ...], list[str]]:
    groups: dict[tuple[Parameter, ...], list[str]] = {}
    for each in names:
        if parameters[each]:
            groups.setdefault(parameters[each], []).append(each)
    return groups


def _suffix(number: int) -> str:
    return "" if number == 1 else str(number)


def _literal(ids: list[ast.expr]) -> ast.expr:
    return subscript(name("typing.Literal"), *ids)


def _type_of(parameter: Parameter) -> ast.expr:
    element = name(parameter.type)
    return subscript(name("typing.Sequence"), element) if parameter.is_array else element
