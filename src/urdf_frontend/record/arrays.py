"""The arrays of one robot: what the file says of every joint and of the link below it.

An array is there if the file has a value for one of its elements. The other elements have the default of the same field
in the template library's own record of a joint or link: that is the constant which says that a value is absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from modelica_ast.edit import ComponentHandle
from modelica_ast.generate import CLONE, BuildError, Templates
from modelica_ast.views import Expression
from urdf_frontend.record.fields import AXIS, FIELDS, Field
from urdf_frontend.record.structure import Structure


@define
class Arrays:
    """Fills the fields of the record."""

    structure: Structure
    templates: Templates
    _parts: dict[tuple[str, str], ComponentHandle] = field(factory=dict)

    def given(self) -> list[Field]:
        """The fields that the file has a value for."""
        return [each for each in FIELDS if self._is_given(each)]

    def values(self, of: Field) -> list[Any]:
        """A value for each joint."""
        return [self._filled(of, value) for value in self._written(of)]

    def part(self, of: Field, part: str) -> ComponentHandle:
        """The template's field of one joint or link."""
        key = (of.record, part)
        if key not in self._parts:
            self._parts[key] = self.templates.clone(f"Records.{of.record}").find_class(CLONE).find_component(part)
        return self._parts[key]

    def needed_parts(self) -> dict[str, dict[str, None]]:
        """The records of the template library that say what is absent, and their fields."""
        wanted: dict[str, dict[str, None]] = {}
        for each in self.given():
            wanted.setdefault(f"Records.{each.record}", {}).update(dict.fromkeys(each.parts))
        return wanted

    def _is_given(self, of: Field) -> bool:
        # Without an axis a joint moves along x, which is no default of the generic robots' record.
        is_needed = of.name == AXIS and bool(self.structure.moveable)
        return is_needed or any(value is not None for value in self._written(of))

    def _written(self, of: Field) -> Iterator[Any]:
        for _, joint, link in self.structure.numbered():
            yield of.value_of(joint, link)

    def _filled(self, of: Field, value: Any) -> Any:
        if len(of.parts) == 1:
            return self._absent(of, of.parts[0]) if value is None else value
        pieces = [None] * len(of.parts) if value is None else value
        return [
            self._absent(of, part) if piece is None else piece for part, piece in zip(of.parts, pieces, strict=True)
        ]

    def _absent(self, of: Field, part: str) -> Expression:
        default = self.part(of, part).get()
        if default is None:
            record = self.templates.full_name(f"Records.{of.record}")
            raise BuildError(
                f"the field {part} of {record} in {self.templates.folder} has no default: "
                "give it one that says that the value is absent"
            )
        return default
