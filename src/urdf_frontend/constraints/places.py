"""Where the user of a model has to look: in the model's own text, if that has a place for it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from modelica_ast.library import ComponentInstance, Instance, Libraries
from modelica_ast.views import View
from urdf_frontend.constraints.objects import Setting, ancestors
from urdf_frontend.constraints.report import Finding

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
