"""The statements of a module, each known by the name that it gives to something."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from urdf_frontend import typed
from urdf_frontend.robot import (
    Collision,
    Field,
    Geometry,
    Inertia,
    Item,
    Joint,
    JointType,
    Kind,
    Limit,
    Link,
    Material,
    Number,
    Origin,
    Transmission,
    Vector,
    Visual,
    type_of,
    values_of,
)
from urdf_frontend.typed import Axis, Source
from urdf_frontend.typed_modules.blueprint import Blueprint, ModelicaNames, Parameter, TypesError
from urdf_frontend.typed_modules.layout import (
    ELLIPSIS,
    annotated,
    assignment,
    call,
    class_of,
    function,
    literal,
    mapping,
    name,
    numbers,
    runtime,
    subscript,
    text_line,
    texts,
    tuple_of,
    union,
)

# ---------------------------------------------------------------- robot values
# Links, joints and transmissions of a robot as calls of the runtime. What is as its default is left out.

JOINT_CLASSES: Final = {
    JointType.REVOLUTE: "RevoluteJoint",
    JointType.CONTINUOUS: "ContinuousJoint",
    JointType.PRISMATIC: "PrismaticJoint",
    JointType.PLANAR: "PlanarJoint",
    JointType.FIXED: "FixedJoint",
    JointType.FLOATING: "FloatingJoint",
}
_ZERO: Final = (0.0, 0.0, 0.0)
_X: Final = (1.0, 0.0, 0.0)


def link_call(plan: Blueprint, link: Link) -> ast.Call:
    """`typed.Link(…)`."""
    inertial = link.inertial
    named = {} if inertial is None else {"mass": _number(inertial.mass, 0.0), "origin": _origin(inertial.origin)}
    if inertial is not None:
        named["inertia"] = _inertia(inertial.inertia)
    named["visuals"] = _several(map(_visual, link.visuals))
    named["collisions"] = _several(map(_collision, link.collisions))
    return call("Link", plan.link(link.name), named=named)


def joint_call(plan: Blueprint, joint: Joint) -> ast.Call:
    """`typed.RevoluteJoint(…)`, or of another type."""
    named: dict[str, ast.expr | None] = {"origin": _origin(joint.origin)}
    if joint.type.has_axis:
        named["axis"] = _triple(joint.direction, _X)
    if joint.type.is_single:
        named["limits"] = _limits(joint.effective_limit, is_bounded=joint.type is not JointType.CONTINUOUS)
        named["dynamics"] = None if joint.dynamics is None else _or_none(_numbers("Dynamics", joint.dynamics))
        named["mimic"] = None if joint.mimic is None else _numbers("Mimic", joint.mimic, plan.joint(joint.mimic.joint))
        named["calibration"] = None if joint.calibration is None else _numbers("Calibration", joint.calibration)
        named["safety"] = None if joint.safety is None else _numbers("Safety", joint.safety)
    ends = (plan.joint(joint.name), plan.link(joint.parent), plan.link(joint.child))
    return call(JOINT_CLASSES[joint.type], *ends, named=named)


def transmission_call(plan: Blueprint, transmission: Transmission) -> ast.Call:
    """`typed.Transmission(…)`; joints that the robot does not have are left out."""

    def both(interfaces: Sequence[str], reduction: Number | None) -> dict[str, ast.expr | None]:
        listed = texts(interfaces) if interfaces else None
        return {"hardware_interfaces": listed, "mechanical_reduction": _number(reduction)}

    joints = [
        call(
            "TransmissionJoint", plan.joint(each.name), named=both(each.hardware_interfaces, each.mechanical_reduction)
        )
        for each in transmission.joints
        if each.name in plan.joints
    ]
    actuators = [
        call("Actuator", literal(each.name), named=both(each.hardware_interfaces, each.mechanical_reduction))
        for each in transmission.actuators
    ]
    named = {
        "joints": _several(joints),
        "actuators": _several(actuators),
        "mechanical_reduction": _number(transmission.mechanical_reduction),
    }
    return call("Transmission", literal(transmission.name), literal(transmission.type), named=named)


def _several(calls: Iterable[ast.expr]) -> ast.expr | None:
    made = list(calls)
    return tuple_of(made) if made else None


def _number(number: Number | None, default: float | None = None) -> ast.expr | None:
    return None if number is None or number.value == default else literal(number.value)


def _triple(values: Sequence[float], default: object) -> ast.expr | None:
    return None if tuple(values) == default else numbers(values)


def _origin(origin: Origin | None) -> ast.expr | None:
    if origin is None or (origin.translation == _ZERO and origin.angles == _ZERO):
        return None
    if origin.angles == _ZERO:
        return call("Origin", numbers(origin.translation))
    if origin.translation == _ZERO:
        return call("Origin", named={"rpy": numbers(origin.angles)})
    return call("Origin", numbers(origin.translation), numbers(origin.angles))


def _inertia(inertia: Inertia | None) -> ast.expr | None:
    return None if inertia is None else call("Inertia", *map(literal, inertia.values))


def _visual(visual: Visual) -> ast.expr:
    named = {
        "origin": _origin(visual.origin),
        "material": _material(visual.look_or_material),
        "name": None if visual.name is None else literal(visual.name),
    }
    return call("Visual", _shape(visual.geometry), named=named)


def _collision(collision: Collision) -> ast.expr:
    name = None if collision.name is None else literal(collision.name)
    return call("Collision", _shape(collision.geometry), named={"origin": _origin(collision.origin), "name": name})


def _shape(shape: Geometry | None) -> ast.expr:
    if shape is None:
        return literal(None)
    found = type_of(shape)
    if found is None:
        return call("OtherShape", literal(shape.tag))
    values = [(each, getattr(shape, each.attribute)) for each in found.fields if each.kind is not Kind.CHOICE]
    required = [_required(each, value) for each, value in values if each.is_required]
    named = {
        each.attribute: _triple(value.values, each.default)
        for each, value in values
        if isinstance(value, Vector) and not each.is_required
    }
    return call(found.model.__name__, *required, named=named)


def _required(field: Field, value: Number | Vector | str | None) -> ast.expr:
    match value:
        case None:
            return numbers(_ZERO) if field.kind is Kind.VECTOR else literal(0.0)
        case Vector():
            return numbers(value.values)
    return literal(value.value if isinstance(value, Number) else value)


def _material(material: Material | None) -> ast.expr | None:
    if material is None:
        return None
    rgba: Vector | None = None if material.colour is None else material.colour.rgba
    named = {
        "name": None if material.name is None else literal(material.name),
        "rgba": None if rgba is None or material.colour is None else numbers(material.colour.clamped),
        "texture": None if material.texture is None else literal(material.texture.filename),
    }
    return call("Material", named=named)


def _limits(limit: Limit | None, *, is_bounded: bool) -> ast.expr | None:
    return None if limit is None else _or_none(_numbers("PositionLimits" if is_bounded else "Limits", limit))


def _numbers(name: str, item: Item, *first: ast.expr) -> ast.Call:
    """A call of a class of the runtime, with those numbers of an element that it has."""
    kind = getattr(typed, name)
    named = {
        field.attribute: _number(value, getattr(kind, field.attribute))
        for field, value in values_of(item)
        if isinstance(value, Number) and hasattr(kind, field.attribute)
    }
    return call(name, *first, named=named)


def _or_none(made: ast.Call) -> ast.Call | None:
    """None for a call that says nothing."""
    return made if made.keywords else None


# ---------------------------------------------------------------- parameter types
# Types of parameters: which names a part's parameters have, and which values they take. Like parts share one.


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


# ---------------------------------------------------------------- skeleton class
# The class of a robot: overloads that tell a checker of which type each joint is, and which parameters it has.

_OVERLOAD: Final = name("typing.overload")


@frozen
class _Signature:
    """One way to call a method: the types of its parameters after `self`, and of its result."""

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
    """The overloads and the method after them, which calls what it inherits. One overload alone is not an overload."""
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


# ---------------------------------------------------------------- statements

SOURCE: Final = "_SOURCE"
PYTHONS: Final = ("3.11", "3.12")
_FINAL: Final = name("typing.Final")


@frozen
class Statement:
    """A statement and the name that it gives to something."""

    name: str
    node: ast.stmt


def statements_of(plan: Blueprint) -> list[Statement]:
    """All statements after the imports, in their order."""
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
