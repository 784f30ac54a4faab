"""The links and joints of a robot among the components of its model, whoever renamed or moved them or their classes.

Three things tell which link or joint a component is: its class, the name in its record of values, and its own name. Two
of them are as they were built: then it is that one. Else the record counts most, for its name is that of the URDF file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from modelica_ast.edit import Document
from modelica_ast.generate import UserPackage, untouched_files
from modelica_ast.semantics import ComponentInstance, Instance
from urdf_frontend.package.builder import part_models
from urdf_frontend.package.builder.parts import JOINTS, LINKS
from urdf_frontend.package.insides import Kind, class_of, inside_of, is_inside_as_built
from urdf_frontend.package.memory import PackageError, PackageMemory
from urdf_frontend.robot import PARAMETERS, Named, last_name

if TYPE_CHECKING:
    from modelica_ast.generate import ChangedName

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
