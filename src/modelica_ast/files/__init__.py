"""Bytes on disk, for the rooms above: read within bounds, replaced whole or not at all, several files saved as one.

Start with `journal` for how a save works, and with docs/safety.md for what it promises. Nothing here knows a tree or a
document.
"""

from typing import TYPE_CHECKING

from modelica_ast.late_names import late_names

if TYPE_CHECKING:
    from modelica_ast.files.regular import LARGEST, open_regular, read_regular
    from modelica_ast.files.saving import write_file

__all__ = ["LARGEST", "open_regular", "read_regular", "write_file"]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__, {"regular": "LARGEST open_regular read_regular", "saving": "write_file"}
    )
