"""The package that a `within` names, and what is said if it is not there."""

from __future__ import annotations

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.identifiers import split_name
from modelica_ast.library.libraries import Libraries


def missing_package(libraries: Libraries, name: str) -> str:
    """Which part of a package's name leads to nothing, and where it was looked for; '' if none does.

    Nobody knows what is in a file that can't be read, so nothing is said about what would be in there.
    """
    parts = split_name(name)
    library = libraries.get(parts[0])
    if library is None:
        known = ", ".join(found.name for found in libraries)
        return f"the library '{parts[0]}' is not among those that are open ({known or 'none'})"
    entry, rest = library.entry_of(name)
    try:
        classes = libraries.document(entry).tree.classes
    except (ModelicaSyntaxError, OSError):
        return ""
    definition = next((found for found in classes if found.name == entry.name), None)
    around = entry.full_name
    for part in rest:
        if definition is None:
            return ""
        definition = definition.get_class(part)
        if definition is None:
            return f"there is no '{part}' in '{around}' ({entry.path})"
        around = f"{around}.{part}"
    return ""
