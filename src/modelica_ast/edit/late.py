"""Modules that are imported when somebody first uses them.

The graphics take half of the time that importing all verbs takes, and most edits have nothing to do with them.
"""

from __future__ import annotations

import importlib
from typing import Any


class LateModule:
    """A module by its name, imported at the first look at what it has."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


diagram = LateModule("modelica_ast.edit.diagram")
drawing = LateModule("modelica_ast.edit.drawing")
several = LateModule("modelica_ast.edit.several")
