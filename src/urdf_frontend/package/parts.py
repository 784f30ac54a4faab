"""The links and joints of a robot among the components of its model, whoever renamed or moved them or their classes.

Three things tell which link or joint a component is: its class, the name in its record of values, and its own name. Two
of them are as they were built: then it is that one. Else the record counts most, for its name is that of the URDF file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from attrs import field, frozen

from modelica_ast.edit import Document
from modelica_ast.foundation import NotFoundError
from modelica_ast.generate import UserPackage, untouched_files
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import ComponentReference, View, find_all
from urdf_frontend.package.builder import part_models
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.package.builder.part_models import (
    JOINT_PARAMETERS as JOINT_VALUES,
    JOINTS,
    LINK_PARAMETERS as LINK_VALUES,
    LINKS,
)
from urdf_frontend.package.memory import PackageError, PackageMemory
from urdf_frontend.robot import PARAMETERS, Named, last_name

if TYPE_CHECKING:
    from modelica_ast.generate import ChangedName


# ---------------------------------------------------------------- insides
# What is inside of a link or joint, whatever its user calls it: the joint itself, the body, the flanges, the values.
#
# The templates have a name for each of them, `revolute` or `body`. A component with this name and of the class that the
# templates have there is that one; else the class tells, and of several the one that reads the record of values. What
# tells a flange or a start value from others is what the joint itself does with it.


Kind = Literal["link", "joint"]
_MULTIBODY: Final = "Modelica.Mechanics.MultiBody"
_FLANGES: Final = tuple(f"Modelica.Mechanics.{kind}.Interfaces.Flange_{{}}" for kind in ("Rotational", "Translational"))
_JOINTS: Final = {
    "revolute": f"{_MULTIBODY}.Joints.Revolute",
    "prismatic": f"{_MULTIBODY}.Joints.Prismatic",
    "planar": f"{_MULTIBODY}.Joints.Planar",
    "floating": f"{_MULTIBODY}.Joints.FreeMotion",
}
_BODY: Final = f"{_MULTIBODY}.Parts.Body"
_FRICTION: Final = ("Joints.RotationalFriction", "Joints.TranslationalFriction")
_ENDS: Final = {"flange_a": "axis", "flange_b": "support"}  # what of the joint itself a flange is connected to
# The modifiers of the joint itself that read the parameters of the start.
_STARTS: Final = {
    "revolute": {"phi.start": "q_start", "w.start": "qd_start"},
    "prismatic": {"s.start": "q_start", "v.start": "qd_start"},
    "planar": {"s_x.start": "s_start", "phi.start": "phi_start", "v_x.start": "v_start", "w.start": "w_start"},
    "floating": {
        "r_rel_a.start": "r_start",
        "angles_start": "rpy_start",
        "v_rel_a.start": "v_start",
        "w_rel_a_start": "w_start",
    },
}


def class_of(component: ComponentInstance) -> str:
    """The full name of a component's class, as it is written if it is not found."""
    return component.type_name or component.type_text.lstrip(".")


def is_of(component: ComponentInstance, class_name: str) -> bool:
    """Is a component of a class, or of one that inherits from it? The class itself need not be there."""
    if class_of(component) == class_name or class_name in component.unresolved_bases:
        return True
    try:
        return component.is_a(class_name)
    except NotFoundError:
        return False


def joints_inside(component: ComponentInstance, values: str | None) -> dict[str, str]:
    """The joint itself in a joint's component, by what the templates call it; '' is that component as a whole.

    Where there are several of a kind, none counts.
    """
    # PERF: classes are looked up only if something was renamed.
    as_built = {role: role for role in _JOINTS if role in component.components}
    if len(as_built) == 1 and all(class_of(component.components[role]) == _JOINTS[role] for role in as_built):
        return as_built
    whole = next((role for role in _JOINTS if is_of(component, _JOINTS[role])), None)
    if whole is not None:
        return {whole: ""}  # the user took a joint of the Standard Library for it
    found = ((role, _named_inside(component, role, (class_name,), values)) for role, class_name in _JOINTS.items())
    return {role: name for role, name in found if name is not None}


def flange_inside(component: ComponentInstance, joint: str, flange: str) -> str | None:
    """The connector of a joint's component that is `flange_a` or `flange_b`; None if there is none."""
    if not joint:
        return _ENDS[flange]
    as_built = component.components.get(flange)
    # PERF: the connections are looked at only if something was renamed.
    if as_built is not None and class_of(as_built) in {each.format(flange[-1]) for each in _FLANGES}:
        return flange
    classes = {each.format(side) for each in _FLANGES for side in "ab"}
    end = f"{joint}.{_ENDS[flange]}"
    for connection in component.connections:
        for one, other in ((connection.left, connection.right), (connection.right, connection.left)):
            connector = component.components.get(other)
            if one == end and connector is not None and class_of(connector) in classes:
                return other
    return None


def inside_of(component: ComponentInstance, kind: Kind, values: str | None, templates: str) -> dict[str, str]:
    """What is called otherwise inside of a link or joint: the name of now by that in the templates.

    `values` is its record, `templates` the name of their library. What is not there is not in it.
    """
    found: dict[str, str | None] = {LINK_VALUES if kind == "link" else JOINT_VALUES: values}
    if kind == "link":
        found["body"] = _named_inside(component, "body", (_BODY,), values)
    else:
        friction = [f"{library}.{each}" for library in (templates, TEMPLATES.name) for each in _FRICTION]
        # PERF: most joints have none, and nobody inherits from it.
        if any(class_of(each) in friction for each in component.components.values()):
            found["friction"] = _named_inside(component, "friction", friction, values)
        for role, joint in joints_inside(component, values).items():
            found[role] = joint
            found |= {flange: flange_inside(component, joint, flange) for flange in _ENDS}
            found |= dict(_starts(component, role, joint))
    return {role: name for role, name in found.items() if name is not None and name != role}


def is_inside_as_built(kind: Kind, components: Mapping[str, str]) -> bool:
    """Is what is inside of a class certainly called as in the templates? `components` are those that it declares."""
    if kind == "link":
        return components.get("body") == _BODY
    roles = [role for role, class_name in _JOINTS.items() if components.get(role) == class_name]
    ends = _ENDS if roles[:1] in (["revolute"], ["prismatic"]) else ()
    return all({*_STARTS[role].values(), *ends} <= components.keys() for role in roles) and bool(roles)


def _named_inside(component: ComponentInstance, role: str, classes: Collection[str], values: str | None) -> str | None:
    inside = component.components
    # PERF: classes are looked up only if something was renamed.
    if role in inside and class_of(inside[role]) in classes:
        return role
    found = [each for each in inside.values() if any(is_of(each, class_name) for class_name in classes)]
    if len(found) > 1:
        found = [each for each in found if any(values in _read(each, path) for path in each.modifiers)]
    return found[0].name if len(found) == 1 else None


def _starts(component: ComponentInstance, role: str, joint: str) -> Iterator[tuple[str, str]]:
    """The parameters of the start, by the modifiers of the joint itself."""
    if joint:
        inner = component.components[joint]
        for path, start in _STARTS[role].items():
            names = _read(inner, path) & component.components.keys()
            if len(names) == 1:
                yield start, names.pop()


def _read(component: ComponentInstance, path: str) -> set[str]:
    """The components that the modifiers of a path name."""
    return {name for modifier in component.modifiers_of(path) for name in _names_in(modifier.value)}


def _names_in(value: object) -> Iterator[str]:
    if isinstance(value, View):
        yield from (reference.parts[0] for reference in find_all(value, ComponentReference))


# ---------------------------------------------------------------- parts


PACKAGES: Final[Mapping[Kind, str]] = {"link": LINKS, "joint": JOINTS}
_OWN_FIELD: Final[Mapping[Kind, str]] = {"link": "inertial", "joint": "parent"}  # that the other's record has not
_LISTED: Final = 5


@frozen
class Part:
    """A link or joint in the robot's model."""

    kind: Kind
    urdf: str  # its name in the URDF file
    component: ComponentInstance = field(repr=False)
    templates: str = field(repr=False)  # the name of the library that it was made from

    @property
    def class_name(self) -> str:
        """The full name of its class; as it is written if there is no such class."""
        return class_of(self.component)

    @property
    def values(self) -> ComponentInstance | None:
        """Its record of values; None if its class has none, as one of the user's own."""
        return _values_of(self.component, self.kind)

    @property
    def values_class(self) -> str:
        """The full name of the class of its values; what it was built with if that can't be read."""
        return f"{self.class_name}{PARAMETERS}" if self.values is None else class_of(self.values)

    @property
    def named(self) -> Named:
        """What it is called now."""
        values = self.values
        inside = inside_of(self.component, self.kind, None if values is None else values.name, self.templates)
        return Named(self.urdf, last_name(self.class_name), self.component.name, inside)


class Parts:
    """The links, or the joints, of a robot. `memory` has what they were called when the package was built."""

    def __init__(self, kind: Kind, robot: Instance, package: str, memory: PackageMemory) -> None:
        self._kind: Kind = kind
        self._robot = robot
        self._inside = f"{package}.{PACKAGES[kind]}"
        self._table = memory.table.links if kind == "link" else memory.table.joints
        self._templates = memory.templates
        self._found: dict[str, Part | None] = {}

    def __iter__(self) -> Iterator[Part]:
        return (part for part in map(self.get, self._table) if part is not None)

    def get(self, urdf: str) -> Part | None:
        """The link or joint of a name in the URDF file; PackageError if several components could be it."""
        if urdf not in self._found:
            component = self._component(urdf)
            self._found[urdf] = None if component is None else Part(self._kind, urdf, component, self._templates)
        return self._found[urdf]

    def _component(self, urdf: str) -> ComponentInstance | None:
        named = self._table.get(urdf)
        if named is None:
            return self._only(urdf, self._by_name.get(urdf, []))
        as_built = self._robot.components.get(named.component)
        built_class = f"{self._inside}.{named.class_name}"
        # PERF: the names in records are looked up only if something was renamed.
        if as_built is not None and class_of(as_built) == built_class:
            return as_built
        found = self._by_name.get(urdf) or self._nameless_of(built_class)
        if as_built is not None and (as_built in found or (not found and self._is_nameless(as_built))):
            return as_built
        of_class = [each for each in found if class_of(each) == built_class]
        return self._only(urdf, of_class if len(of_class) == 1 else found)

    def _only(self, urdf: str, found: list[ComponentInstance]) -> ComponentInstance | None:
        if len(found) > 1:
            listed = ", ".join(each.name for each in found[:_LISTED])
            raise PackageError(f"several components of {self._robot.name} are the {self._kind} '{urdf}': {listed}")
        return found[0] if found else None

    @cached_property
    def _by_name(self) -> dict[str, list[ComponentInstance]]:
        """The components by the names in their records."""
        found: dict[str, list[ComponentInstance]] = {}
        for component in self._robot.components.values():
            name = _name_in_values(component, self._kind)
            if name is not None:
                found.setdefault(name, []).append(component)
        return found

    def _nameless_of(self, class_name: str) -> list[ComponentInstance]:
        of_class = [each for each in self._robot.components.values() if class_of(each) == class_name]
        return [each for each in of_class if self._is_nameless(each)]

    def _is_nameless(self, component: ComponentInstance) -> bool:
        """Has it no values, as a model of the user's own, or a name that is not that of another part?"""
        return _name_in_values(component, self._kind) not in self._table


def _values_of(component: ComponentInstance, kind: Kind) -> ComponentInstance | None:
    for record in component.components.values():
        if record.variability == "parameter" and record.end_type is None:
            fields = record.components
            if "name" in fields and _OWN_FIELD[kind] in fields:
                return record
    return None


def _name_in_values(component: ComponentInstance, kind: Kind) -> str | None:
    values = _values_of(component, kind)
    value = None if values is None else values.components["name"].value
    return value if isinstance(value, str) else None


# ---------------------------------------------------------------- changed names
# What the user of a package calls otherwise than it was built, or has moved: classes, components and records.

_RECORDS: Final[Mapping[Kind, str]] = {"link": part_models.LINK_PARAMETERS, "joint": part_models.JOINT_PARAMETERS}


@frozen
class Present:
    """A package as it is now: its full name, its robot with the links and joints, and whether it has a class."""

    package: str
    robot: Instance
    parts: tuple[Part, ...]
    has_class: Callable[[str], bool]


def changed_names(base: PackageMemory, now: Present) -> tuple[ChangedName, ...]:
    """(name as built, name now), in the package; components come before the classes that they are in."""
    robot, inside = base.table.robot, f"{now.package}."
    tables = dict(_tables(base))
    components: dict[str, str] = {}
    insides: dict[str, str] = {}  # of the classes of links and joints
    classes = {robot: now.robot.name}
    for part in now.parts:
        package, named = PACKAGES[part.kind], tables[part.kind][part.urdf]
        built = f"{package}.{named.class_name}"
        if part.component.declared_in == now.robot.name:
            components[f"{robot}.{named.component}"] = f"{robot}.{part.component.name}"
        if part.values is not None:
            classes |= {built: part.class_name, f"{package}.{named.parameters}": part.values_class}
            insides |= {f"{built}.{role}": f"{built}.{name}" for role, name in part.named.inside.items() if name}
    classes = {old: new.removeprefix(inside) for old, new in classes.items() if new.startswith(inside)}
    renamed = _renames(classes, set(filter(now.has_class, classes)))
    others = {old for old, new in classes.items() if old != new} - dict(renamed).keys()  # classes of the user's own
    insides = {old: new for old, new in insides.items() if old.rpartition(".")[0] not in others}
    own = {f"{robot}.{name}" for name in now.robot.components}
    return (*_renames(components, own), *_renames(insides, set()), *renamed)


def _tables(base: PackageMemory) -> tuple[tuple[Kind, Mapping[str, Named]], ...]:
    return ("link", base.table.links), ("joint", base.table.joints)


def _renames(names: Mapping[str, str], there: set[str]) -> list[ChangedName]:
    """The names that are others now.

    What is there under the name that was built is no longer that one only if it is another one of them: they have
    changed places. Else the user has put something else in its place, which is an edit.
    """
    found = {old: new for old, new in names.items() if old != new}
    while True:
        stay = {new for old, new in names.items() if old not in found}
        new = list(found.values())
        wrong = [
            old
            for old, name in found.items()
            if (old in there and old not in new) or name in stay or new.count(name) > 1
        ]
        if not wrong:
            return list(found.items())
        for old in wrong:
            del found[old]


def is_as_built(base: PackageMemory, user: UserPackage) -> bool:
    """Is everything there under the name that it was built with?

    PERF: this looks at no more than texts that were changed; the libraries are opened if those can't tell.
    """
    robot: dict[str, str] = {}
    models: dict[str, tuple[Kind, Named]] = {}
    for kind, names in _tables(base):
        for named in names.values():
            robot[named.component] = f"{PACKAGES[kind]}.{named.class_name}"
            models[f"{PACKAGES[kind]}/{named.class_name}.mo"] = (kind, named)
    records = {path.replace(".mo", f"{PARAMETERS}.mo") for path in models}
    model = f"{base.table.robot}.mo"
    if not {model, *models, *records} <= user.files.keys():
        return False
    touched = {model, *models} - untouched_files(base.side_car, user)
    return all(
        robot.items() <= _components(user.text(path)).items()
        if path == model
        else _is_inside_as_built(_components(user.text(path)), *models[path])
        for path in touched
    )


def _is_inside_as_built(components: Mapping[str, str], kind: Kind, named: Named) -> bool:
    return components.get(_RECORDS[kind]) == named.parameters and is_inside_as_built(kind, components)


def _components(text: str) -> dict[str, str]:
    return {each.name: str(each.type) for found in Document(text).classes for each in found.components}
