"""What else is in the folder of a package, beside its classes and package.order."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.library.layout import ORDER_FILE, FileEntry
from modelica_ast.library.libraries import Libraries


def other_files(libraries: Libraries, entry: FileEntry) -> list[Path]:
    """The files of a package's folder that belong to no class, as they shall be after the next save.

    Those in folders inside are among them, unless such a folder is a package itself.
    """
    if entry.folder is None:
        return []
    inner = [child.folder for child in entry.children.values() if child.folder is not None]
    return [
        path
        for path in libraries.others.below(entry.folder)
        if not any(path.is_relative_to(folder) for folder in inner) and not _is_modelica(path, entry.folder)
    ]


def _is_modelica(path: Path, folder: Path) -> bool:
    return path.parent == folder and (path.suffix == ".mo" or path.name == ORDER_FILE)
