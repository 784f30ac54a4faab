"""What keeps a module of a robot from being made."""

from __future__ import annotations


class TypesError(ValueError):
    """A module can't be made or read; the sentence says why, and what to do."""


class UnreadableModuleError(TypesError):
    """A file is no Python that this version of Python reads."""
