"""What keeps modules from becoming a robot, or a robot from becoming modules."""

from __future__ import annotations


class ModuleError(Exception):
    """One sentence: what is wrong, where, and what to do. Nothing was written."""


class UnreadableAssemblyError(ModuleError):
    """An assembly file that can't be read, or is not YAML."""
