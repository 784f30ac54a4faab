"""What keeps a package from being generated, or updated."""

from __future__ import annotations


class UpdateError(Exception):
    """One or two sentences: what is wrong, and what to do. Nothing was written."""


class UnreadableError(UpdateError):
    """A file of the package can't be read, is not Modelica, or is not as it was when it was read."""


class NoBaseError(UpdateError):
    """It is not known what was generated last time: the side-car of the package is lost or damaged."""


class BuildError(Exception):
    """Wrong options, a template that lacks something, a place that is taken: one sentence, and nothing was written."""


class ChangedError(BuildError):
    """Somebody has changed a file of the library meanwhile."""
