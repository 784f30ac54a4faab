"""Why files were not read or written."""

from __future__ import annotations

from modelica_ast.errors import EditError


class RecoveryWarning(UserWarning):
    """A save that had been interrupted was put in order on the way."""


class FilesError(EditError):
    """Files that can't be saved as they are on the disk now: locked, changed by somebody else, closed, strange."""
