"""What a shell is asked to be: which model, for which profile, and what of the model is which variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import Factory, frozen

from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.interface import Interface
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, Profile

ACTUATOR_INPUT: Final = "actuatorInput"
_AXES: Final = ("x", "y", "z")
_PATH: Final = re.compile(r"(?P<name>[^\[\]]+)(?:\[(?P<index>[1-9][0-9]*)\])?")


@frozen
class ShellRequest:
    """Paths are names inside the model, `shaft.flange_b`; a signal may be an element of an array, `v[1]`."""

    model: str  # the full name of its class
    profile: Profile
    flange: str | None = None
    signals: Mapping[str, str] = Factory(dict)  # variable of the profile -> path
    held: Mapping[str, float] = Factory(dict)  # input of the model that nothing drives -> its value

    @property
    def is_actuator(self) -> bool:
        """Does the profile ask for what an adaptor at a flange gives?"""
        return self.profile.name == GAZEBO_ACTUATOR.name


@frozen
class Element:
    """A path, and which element of the array that it leads to; None for a scalar."""

    path: str
    index: int | None

    @property
    def text(self) -> str:
        """As it is written."""
        return self.path if self.index is None else f"{self.path}[{self.index}]"


def element_of(written: str) -> Element:
    """`v[1]` in its parts; FmiError if it is no path."""
    found = _PATH.fullmatch(written.strip())
    if found is None:
        raise FmiError(f"'{written}' is no path of a variable: write a name, `source.u`, or an element, `v[1]`")
    return Element(found["name"], None if found["index"] is None else int(found["index"]))


def axis_signals(variable: str, written: str, interface: Interface) -> Iterator[tuple[str, str]]:
    """(`variable_x`, path) for three axes: of an array of three, or of three names with commas between them."""
    names: Sequence[str] = [name.strip() for name in written.split(",")]
    if len(names) == 1:
        found = interface.find(names[0])
        if found.dimensions != (len(_AXES),):
            raise FmiError(f"{found.place}: '{names[0]}' is no array of three; or name three variables: a,b,c")
        names = [f"{names[0]}[{index}]" for index in range(1, len(_AXES) + 1)]
    if len(names) != len(_AXES):
        raise FmiError(f"'{written}' is neither one array of three nor three names with commas between them")
    for axis, name in zip(_AXES, names, strict=True):
        yield f"{variable}_{axis}", name
