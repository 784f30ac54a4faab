"""A parameter is set from the model: in its own declaration, in nested modifiers, or in an extends clause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from modelica_ast.edit import ClassHandle
from modelica_ast.foundation import ModelicaError, NotFoundError
from modelica_ast.graphics import Extent, Placement, Point, Transformation
from modelica_ast.library import Libraries
from modelica_ast.semantics import ComponentInstance, Instance
from modelica_ast.tree import View
from urdf_frontend.constraints.networks import ConstraintError, Finding
from urdf_frontend.constraints.objects import Setting, ancestors


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


# ---------------------------------------------------------------- places
# Where the user of a model has to look: in the model's own text, if that has a place for it.

Severity = Literal["error", "warning"]


class Places:
    """Findings about components of one model."""

    def __init__(self, libraries: Libraries, model: Instance) -> None:
        self._model = model
        self._view: View = libraries.find_class(model.name).view

    def finding(
        self,
        code: str,
        message: str,
        component: ComponentInstance | None,
        hint: str | None = None,
        *,
        severity: Severity = "error",
    ) -> Finding:
        """A finding at the component of the model that something is in; without one, at the model."""
        return self._at(
            code, severity, self._view if component is None else self._of_component(component), message, hint
        )

    def of_setting(
        self, code: str, message: str, setting: Setting, hint: str | None = None, *, severity: Severity = "error"
    ) -> Finding:
        """A finding at a modifier of the model, or at the component that has none; it says why sync can't mend it."""
        why = setting.hindrance(self._model.name)
        binding = setting.binding
        is_own = binding is not None and binding.scope.full_name == self._model.name
        view = binding.view if binding is not None and is_own else self._of_component(setting.component)
        return self._at(code, severity, view, message, hint if why is None else why)

    def of_connection(self, code: str, message: str, line: int) -> Finding:
        """A finding in a line of the model's file."""
        return Finding(code, "error", self._file(self._view), line, 1, message)

    def _of_component(self, component: ComponentInstance) -> View:
        first = ancestors(component)[0]
        return first.member.declared if first.declared_in == self._model.name else self._view

    def _at(self, code: str, severity: Severity, view: View, message: str, hint: str | None) -> Finding:
        position = view.position
        return Finding(code, severity, self._file(view), position.line, position.column, message, hint)

    @staticmethod
    def _file(view: View) -> Path:
        file = view.root.file
        assert file is not None
        return Path(file)


# ---------------------------------------------------------------- diagram places
# Free places in a diagram, for components that a program puts there.

_HALF: Final = 10
_STEP: Final = 30
_ROWS: Final = 40
_START: Final = Point(-90, 90)


def free_place(handle: ClassHandle, start: Point = _START) -> Placement:
    """A placement that covers no component of the class: to the right of a point, then in rows below it."""
    boxes = _boxes(handle)
    for row in range(_ROWS):
        for column in range(8):
            box = _box(float(start.x) + column * _STEP, float(start.y) - row * _STEP)
            if not any(_overlap(box, other) for other in boxes):
                return Placement(transformation=Transformation(extent=box))
    return Placement(transformation=Transformation(extent=_box(float(start.x), float(start.y) + _STEP)))


def place_beside(handle: ClassHandle, component: str) -> Placement:
    """A placement to the right of a component, if there is room; the first free one of all if it has none."""
    box = _box_of(handle, component)
    if box is None:
        return free_place(handle)
    middle = box.center
    return free_place(handle, Point(float(middle.x) + _STEP + _HALF, middle.y))


def _box(x: float, y: float) -> Extent:
    left, bottom = _plain(x - _HALF), _plain(y - _HALF)
    return Extent(Point(left, bottom), Point(left + 2 * _HALF, bottom + 2 * _HALF))


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number


def _boxes(handle: ClassHandle) -> list[Extent]:
    found = (_box_of(handle, component.name) for component in handle.components)
    return [box for box in found if box is not None]


def _box_of(handle: ClassHandle, component: str) -> Extent | None:
    declared = handle.get_component(component)
    try:
        placement = None if declared is None else declared.placement
    except ModelicaError:  # an annotation that can't be read takes no room
        return None
    transformation = None if placement is None else placement.transformation
    return transformation.box if isinstance(transformation, Transformation) else None


def _overlap(one: Extent, other: Extent) -> bool:
    """Do two boxes cover each other, whatever corners they are given by?"""
    beside = one.right <= other.left or other.right <= one.left
    return not (beside or one.top <= other.bottom or other.top <= one.bottom)
