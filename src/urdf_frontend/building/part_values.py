"""The values of links and joints, as fields of their parameter records. What the URDF file does not say is no field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast import Constructor
from urdf_frontend.building.values import constructor, enumeration, real, reals
from urdf_frontend.model import Collision, Geometry, Item, Joint, Link, Number, Vector, Visual
from urdf_frontend.model.fields import Field, Kind, Part, contents_of, numbered, type_of

# Records that are fields of a link or joint have a line for each of their own fields.
_INNER_LINES: Final = 6
_INNER_LINES_OF_COMPONENT: Final = 4


def geometry_kind(geometry: Geometry | None) -> str | None:
    """The name of its kind in the template library; None for a shape that URDF does not define."""
    return None if geometry is None or type_of(geometry) is None else geometry.tag


@frozen
class PartValues:
    """Makes the values.

    `library` is the name of the template library, `resource` says what a mesh or texture is called in the package.
    """

    library: str
    resource: Callable[[str], str]

    def link(self, link: Link, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Any]:
        """The fields that `Records.Link` has: the first visual and the first collision."""
        first = evolve(link, visuals=tuple(visuals[:1]), collisions=tuple(collisions[:1]))
        return self._fields(first, _INNER_LINES)

    def more_of_link(self, visuals: list[Visual], collisions: list[Collision]) -> dict[str, Constructor]:
        """The fields that a link with several visuals or collisions adds: `visual2`, …"""
        lines = _INNER_LINES_OF_COMPONENT
        more = {numbered("visual", n): self._part(each, lines) for n, each in enumerate(visuals[1:], 2)}
        return more | {numbered("collision", n): self._part(each, lines) for n, each in enumerate(collisions[1:], 2)}

    def joint(self, joint: Joint) -> dict[str, Any]:
        """The fields that `Records.Joint` has."""
        return self._fields(joint)

    def _fields(self, item: Item, lines: int | None = None) -> dict[str, Any]:
        """The fields of its record. The table has no element inside of itself, so this goes three deep."""
        made = (
            (name, self._part(value, lines) if isinstance(member, Part) else self._value(member, value))
            for name, member, value in contents_of(item)
            if name is not None
        )
        return {name: value for name, value in made if value is not None}

    def _part(self, item: Item, lines: int | None) -> Any:
        """A record, or the value that stands for one; None if the file says nothing."""
        found = type_of(item)
        assert found is not None, "shapes of other kinds are left out before"
        fields = self._fields(item)
        if found.record is None:
            return fields.get("")
        return constructor(f"{self.library}.Records.{found.record}", fields, lines if found.is_nested else None)

    def _value(self, field: Field, value: Any) -> Any:
        match value:
            case Number():
                return real(value)
            case Vector():
                return reals(value)
            case _ if field.kind is Kind.CHOICE:
                return enumeration(self.library, field, value)
        return self.resource(value) if field.kind is Kind.FILE else value
