"""The commands of `modelica-patch constraints`, in the order in which the help lists them."""

from __future__ import annotations

from typing import Final

from modelica_ast.cli import Command

_PLACE: Final = "urdf_frontend.constraints.cli"
COMMANDS: Final = {
    "sync": Command(f"{_PLACE}.sync", "number the objects of a model, and wire them"),
    "check": Command(f"{_PLACE}.check", "what is wrong with IDs, counts and inputs"),
    "add": Command(f"{_PLACE}.add", "put an object on a frame of a model"),
    "pairs": Command(f"{_PLACE}.pairs", "how many pairs of objects are looked at"),
    "from-urdf": Command(f"{_PLACE}.from_urdf", "a cell of robots, holders and tools, from a YAML file"),
}
