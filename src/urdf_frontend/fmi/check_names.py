"""The variables of an FMU by their names, also where these are flat: `axis_1_k` for `axis[1].k`."""

from __future__ import annotations

import re
from collections import Counter
from difflib import get_close_matches
from typing import Final

from urdf_frontend.fmi.check_codes import Difference
from urdf_frontend.fmi.model_description import DescribedVariable, ModelDescription

_SEPARATORS: Final = re.compile(r"[^A-Za-z0-9_]+")


class DescribedNames:
    """Finds variables of a description, and remembers which were found."""

    def __init__(self, description: ModelDescription) -> None:
        self._by_name = {variable.name: variable for variable in description.variables}
        self.taken: set[str] = set()
        numbers = Counter(variable.name for variable in description.variables)
        self.twice = [
            Difference(
                "fmi-twice",
                description.file,
                self._by_name[name].line,
                self._by_name[name].column,
                f"the FMU has '{name}' {number} times",
                name,
            )
            for name, number in numbers.items()
            if number > 1
        ]
        self._by_flat_name: dict[str, DescribedVariable | None] = {}
        for variable in description.variables if description.is_flat else ():
            flat = _flat(variable.name)
            # What several variables may be meant by is nobody's name.
            self._by_flat_name[flat] = None if flat in self._by_flat_name else variable

    def find(self, name: str) -> DescribedVariable | None:
        """The variable of a name, by its flat name if the names of the FMU are flat; it counts as taken then."""
        found = self._by_name.get(name) or self._by_flat_name.get(_flat(name))
        if found is not None:
            self.taken.add(found.name)
        return found

    def take_elements(self, name: str) -> list[DescribedVariable]:
        """All that are elements of an array, or members of them: `u[1]`, `axes[2].k` of `axes.k`."""
        first, *rest = (re.escape(part) + r"(?:\[[0-9, ]*\])?" for part in name.split("."))
        pattern = re.compile(r"\.".join([first, *rest]))
        found = [each for key, each in self._by_name.items() if pattern.fullmatch(key)]
        self.taken.update(each.name for each in found)
        return found

    def near(self, name: str) -> str:
        """`; did you mean …?`, of those that nobody has found yet; nothing if none is close."""
        close = get_close_matches(name, [key for key in self._by_name if key not in self.taken], 1)
        return f"; did you mean '{close[0]}'?" if close else ""


def _flat(name: str) -> str:
    return _SEPARATORS.sub("_", name).strip("_")
