"""Why a model can't be brought in order."""

from __future__ import annotations

from modelica_ast import ModelicaError


class ConstraintError(ModelicaError):
    """What was asked for can't be done; nothing has changed."""
