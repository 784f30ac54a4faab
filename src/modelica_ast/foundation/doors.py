"""Names of a package that are imported when first asked for: the command line pays for each module in every run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any


def late_names(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package; `modules` has the names of each module, with blanks between them.

    A module of the package is called by its last word, one of another package by its full name.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        import importlib  # noqa: PLC0415  (start-up time)

        module = module_of[name]
        value = getattr(importlib.import_module(f"{package}.{module}" if "." not in module else module), name)
        setattr(sys.modules[package], name, value)  # the next time nobody asks here
        return value

    def names() -> list[str]:
        return [*vars(sys.modules[package]), *module_of]

    return get, names
