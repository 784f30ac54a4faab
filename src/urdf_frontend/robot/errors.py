"""What all errors of this package have in common."""

from __future__ import annotations

from modelica_ast.foundation import ModelicaError


class RobotError(ModelicaError):
    """Base of all errors that `urdf_frontend` raises on purpose."""
