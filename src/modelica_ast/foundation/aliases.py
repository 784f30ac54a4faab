"""Modules that were documented under another name: importing the old one works, and says what it is called now.

A package has its table, `MOVED`, and puts a finder behind those of Python, so that it is asked only for modules that
are not there.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

MOVED: Final = {
    "modelica_ast.edit.errors": "modelica_ast.foundation",
    "modelica_ast.formatting": "modelica_ast.format",
    "modelica_ast.late_names": "modelica_ast.foundation",
    "modelica_ast.library.conversion": "modelica_ast.refactor",
    "modelica_ast.merge": "modelica_ast.compare",
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
