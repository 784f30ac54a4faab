"""Bytes on disk, for the rooms above: read within bounds, replaced whole or not at all, several files saved as one.

Start with `journal` for how a save works, `lock` for who may save when, `interrupted` for what a journal is believed,
`pending` for how a killed save looks to those who only read, and `disk` for files in memory. docs/safety.md says what
is promised. Nothing here knows a tree or a document.
"""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.files.disk import NOWHERE, Files
    from modelica_ast.files.errors import FilesError, RecoveryWarning
    from modelica_ast.files.journal import Recovery, recover
    from modelica_ast.files.lock import LockedError
    from modelica_ast.files.pending import files_below
    from modelica_ast.files.regular import LARGEST, open_regular, read_regular
    from modelica_ast.files.saving import write_file

__all__ = [
    "LARGEST",
    "NOWHERE",
    "Files",
    "FilesError",
    "LockedError",
    "Recovery",
    "RecoveryWarning",
    "files_below",
    "open_regular",
    "read_regular",
    "recover",
    "write_file",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "disk": "NOWHERE Files",
            "errors": "FilesError RecoveryWarning",
            "journal": "Recovery recover",
            "lock": "LockedError",
            "pending": "files_below",
            "regular": "LARGEST open_regular read_regular",
            "saving": "write_file",
        },
    )
