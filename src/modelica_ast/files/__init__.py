"""Bytes on disk, for the rooms above: read within bounds, replaced whole or not at all, several files saved as one.

Start with `journal` for how a save works, `lock` for who may save when, `interrupted` for what a journal is believed
and how a killed save looks to those who only read, and `disk` for files in memory. docs/safety.md says what is
promised. `kept` is the cache, which promises nothing. Nothing here knows a tree or a document.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.files.disk import NOWHERE as NOWHERE, THE_DISK as THE_DISK, Disk as Disk, Files as Files
    from modelica_ast.files.interrupted import (
        exists as exists,
        files_below as files_below,
        folders_with_journals as folders_with_journals,
        is_file as is_file,
        is_looking as is_looking,
        look_at as look_at,
        looking as looking,
    )
    from modelica_ast.files.journal import (
        FileWrite as FileWrite,
        Recovery as Recovery,
        recover as recover,
        recover_around as recover_around,
        save_file as save_file,
        save_files as save_files,
        sweep as sweep,
        warn_of as warn_of,
    )
    from modelica_ast.files.kept import CACHE_LIMIT as CACHE_LIMIT, Kept as Kept
    from modelica_ast.files.lock import LockedError as LockedError, is_held as is_held, locked as locked
    from modelica_ast.files.save import target_of as target_of, write_file as write_file
    from modelica_ast.foundation import (
        LARGEST as LARGEST,
        FilesError as FilesError,
        RecoveryWarning as RecoveryWarning,
        open_regular as open_regular,
        read_regular as read_regular,
        shown as shown,
    )

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
    "shown",
    "write_file",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "disk": "Disk Files NOWHERE THE_DISK",
            "interrupted": "exists files_below folders_with_journals is_file is_looking look_at looking",
            "journal": "FileWrite Recovery recover recover_around save_file save_files sweep warn_of",
            "kept": "CACHE_LIMIT Kept",
            "lock": "LockedError is_held locked",
            "save": "target_of write_file",
            "modelica_ast.foundation": "FilesError LARGEST RecoveryWarning open_regular read_regular shown",
        },
    )
