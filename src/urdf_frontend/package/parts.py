"""The links and joints of a robot among the components of its model, whoever renamed or moved them or their classes.

Three things tell which link or joint a component is: its class, the name in its record of values, and its own name. Two
of them are as they were built: then it is that one. Else the record counts most, for its name is that of the URDF file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from attrs import field, frozen

from modelica_ast.semantics import ComponentInstance, Instance
from urdf_frontend.package.builder.parts import JOINTS, LINKS
from urdf_frontend.package.insides import Kind, class_of, inside_of
from urdf_frontend.package.memory import PackageError, PackageMemory
from urdf_frontend.robot import PARAMETERS, Named, last_name

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
