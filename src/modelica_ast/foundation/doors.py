"""Doors: names of a package are imported when first asked for, and modules are found by their old names.

The command line pays for each module in every run, so a door imports nothing before somebody asks.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

# ---------------------------------------------------------------- late names


def late_names(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package; `modules` has the names of each module, with blanks between them.

    A module of the package is called by its last word, one of another package by its full name.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = module_of[name]
        value = getattr(importlib.import_module(f"{package}.{module}" if "." not in module else module), name)
        setattr(sys.modules[package], name, value)  # the next time nobody asks here
        return value

    def names() -> list[str]:
        return [*vars(sys.modules[package]), *module_of]

    return get, names


# ---------------------------------------------------------------- old names
# Modules that were documented under another name: importing the old one works, and says what it is called now.
#
# A package has its table, and puts a finder after those of Python, so that it is asked only for modules that are not
# there.

MOVED: Final = {
    "modelica_ast.edit.errors": "modelica_ast.foundation",
    "modelica_ast.formatting": "modelica_ast.format",
    "modelica_ast.late_names": "modelica_ast.foundation",
    "modelica_ast.library.conversion": "modelica_ast.refactor",
    "modelica_ast.merge": "modelica_ast.compare",
    "modelica_ast.simulation.plotting": "modelica_ast.simulation",
    "modelica_ast.simulation.plots": "modelica_ast.simulation",
    "modelica_ast.views": "modelica_ast.tree",
}


class Moved:
    """A finder and loader of modules by their old names."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """What Python's import asks."""
        del path, target
        return ModuleSpec(name, self) if name in self._modules else None  # type: ignore[arg-type]  # a Loader by its two methods

    def create_module(self, spec: ModuleSpec) -> None:
        """Python makes the module."""

    def exec_module(self, module: ModuleType) -> None:
        """The names of the module are those of the one that it is now."""
        new = self._modules[module.__name__]
        warnings.warn(f"{module.__name__} is {new} now", DeprecationWarning, stacklevel=2)
        found = importlib.import_module(new)
        vars(module).update(__getattr__=partial(getattr, found), __dir__=partial(dir, found), __doc__=found.__doc__)
        if hasattr(found, "__all__"):
            vars(module)["__all__"] = found.__all__


def accept(modules: Mapping[str, str]) -> None:
    """Let modules be imported by their old names."""
    sys.meta_path.append(Moved(modules))
