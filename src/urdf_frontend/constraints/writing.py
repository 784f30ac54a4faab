"""A parameter is set from the model: in its own declaration, in nested modifiers, or in an extends clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modelica_ast.edit import ClassHandle, NotFoundError
from modelica_ast.library import ComponentInstance, Instance
from urdf_frontend.constraints.errors import ConstraintError
from urdf_frontend.constraints.objects import ancestors


class ModelWriter:
    """Sets parameters of components by modifiers in one class. The classes of its components are not touched."""

    def __init__(self, handle: ClassHandle, model: Instance) -> None:
        self.handle = handle
        self._model = model

    def set(self, parameter: ComponentInstance, value: Any, *, each: bool = False) -> None:
        """Set a parameter; with `each`, to one value for every element of the arrays on the way."""
        first, *rest = (component.name for component in ancestors(parameter))
        component = self.handle.get_component(first)
        if component is not None:
            prefixes: Callable[[str], list[str]] = component.modifier_prefixes
            path = ".".join(rest)
            is_covered = self._is_covered(prefixes, rest, parameter, value)
            each = each and not is_covered
            component.set(path, value)
            if each != ("each" in prefixes(path)):
                component.set_modifier_prefixes(path, each=each)
            return
        base = self._base_of(first)
        path = ".".join([first, *rest])
        self.handle.set_extends_modifier(base, path, value)
        self.handle.set_extends_modifier_prefixes(base, path, each=each)

    def _is_covered(
        self, prefixes: Callable[[str], list[str]], names: list[str], parameter: ComponentInstance, value: Any
    ) -> bool:
        """Does an `each` further out say already that all elements have the same value?"""
        for end in range(1, len(names)):
            try:
                words = prefixes(".".join(names[:end]))
            except NotFoundError:
                return False
            if "each" in words and isinstance(value, list):
                raise ConstraintError(
                    f"'{parameter.path}' can't be set: 'each {names[end - 1]}(…)' in {self.handle.name} gives all "
                    "elements the same values; write 'each' before the modifiers inside instead"
                )
            if "each" in words:
                return not getattr(parameter.parent, "dimensions", [])
        return False

    def _base_of(self, component: str) -> str:
        """The class that a component is inherited from, as the extends clause names it."""
        for base in self._model.environment.bases:
            if base.environment is not None and base.environment.member(component) is not None:
                return str(base.type)
        raise ConstraintError(f"'{component}' is not found in {self._model.name}")
