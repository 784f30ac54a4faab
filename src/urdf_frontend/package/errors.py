"""What keeps the package of a robot from being read."""

from __future__ import annotations

from modelica_ast import ModelicaError


class PackageError(ModelicaError):
    """A package that is not that of a robot, or lacks something; the sentence says what."""


class UnreadablePackageError(PackageError):
    """A file of the package can't be read, or is not Modelica."""
