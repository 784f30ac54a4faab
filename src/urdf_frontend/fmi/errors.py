"""What the commands of `fmi` refuse."""

from __future__ import annotations

from modelica_ast import ModelicaError


class FmiError(ModelicaError):
    """A model, a profile or an FMU that is not what it has to be; the message says what to do."""
