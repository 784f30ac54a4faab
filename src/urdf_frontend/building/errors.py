"""What keeps a package from being built, other than the robot itself."""

from __future__ import annotations


class BuildError(Exception):
    """Wrong options, a template that lacks something, a place that is taken: one sentence, and nothing was written."""


class ChangedError(BuildError):
    """Somebody has changed a file of the library meanwhile."""
