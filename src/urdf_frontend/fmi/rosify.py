"""Names of variables as fmi_adapter gives them to ROS: those of topics and of parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_OTHERS: Final = re.compile(rb"[^A-Za-z0-9_]")


def rosify(name: str) -> str:
    """The name in ROS: each byte that is no ASCII letter, digit or `_` becomes `_`; then the first `_` go.

    The adapter looks at the bytes of UTF-8, so `ü` becomes two `_`. The result may be empty, may start with a digit,
    and may be that of another variable too; the adapter notices none of this.
    """
    return _OTHERS.sub(b"_", name.encode("utf-8", "surrogatepass")).decode("ascii").lstrip("_")


def collisions(names: Iterable[str]) -> dict[str, list[str]]:
    """The names in ROS that several variables share, each with these."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        found.setdefault(rosify(name), []).append(name)
    return {shared: those for shared, those in found.items() if len(those) > 1}
