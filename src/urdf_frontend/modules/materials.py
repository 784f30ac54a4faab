"""Materials of several modules in one robot."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field
from lxml import etree

from urdf_frontend.model import Material
from urdf_frontend.modules.naming import Naming
from urdf_frontend.modules.placing import Placed

_Look = tuple[tuple[float, ...] | None, str | None]


@define
class Materials:
    """A material keeps its name where all modules that have it give it one look; else it is renamed in each."""

    clashing: frozenset[str]
    written: set[str] = field(factory=set)

    @classmethod
    def of(cls, placed: Iterable[Placed]) -> Materials:
        """Compare the materials of all modules."""
        looks: dict[str, set[_Look]] = {}
        for module in dict.fromkeys(each.module for each in placed):
            for name, material in module.robot.looks.items():
                looks.setdefault(name, set()).add(_look(material, str(module.path.parent)))
        return cls(frozenset(name for name, found in looks.items() if len(found) > 1))

    def name(self, name: str, naming: Naming) -> str:
        """What a material is called in the robot."""
        return naming.name(name) if name in self.clashing else name

    def rewrite(self, element: etree._Element, naming: Naming) -> None:
        """The materials that an element uses."""
        for node in element.iter("material"):
            name = node.get("name")
            if name:
                node.set("name", self.name(name, naming))

    def is_new(self, element: etree._Element, naming: Naming) -> bool:
        """Is this definition of the robot the first of its name? Then it is renamed, else it is left out."""
        self.rewrite(element, naming)
        name = element.get("name", "")
        known = name in self.written
        self.written.add(name)
        return not known


def _look(material: Material, folder: str) -> _Look:
    """The numbers, and the texture with the folder that its path counts from."""
    texture = material.texture.filename if material.texture is not None else None
    if texture is not None and "://" not in texture:
        texture = f"{folder}/{texture}"
    return material.colour.rgba.values if material.colour is not None else None, texture
