"""Renames and moves of a library written down, so that its users can follow: in a script, named in an annotation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.modifiers import reach, with_argument
from modelica_ast.edit.values import parsed
from modelica_ast.identifiers import split_name
from modelica_ast.library.conversion.rules import ConvertClass, ConvertElement
from modelica_ast.library.conversion.script_edits import with_entries
from modelica_ast.library.conversion.versions import conversion_arguments, conversions_of, script_place, version_of
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.semantics.definitions import FullName
from modelica_ast.source import Source
from modelica_ast.strings import quote

_FOLDER: Final = "Resources/Scripts/Conversion"


def conversion_entry(old: str, new: str) -> ConvertClass:
    """A class was renamed or moved; both are full names."""
    return ConvertClass(0, _full(old), _full(new))


def element_entry(class_: str, old: str, new: str) -> ConvertElement:
    """An element of a class was renamed; the class goes by its full name."""
    return ConvertElement(0, _full(class_), _full(old), _full(new))


def _full(name: str) -> FullName:
    return tuple(split_name(name))


def write_conversion(
    libraries: Libraries, library_name: str, from_version: str, entries: Iterable[ConvertClass | ConvertElement]
) -> Path:
    """Write down what has changed in a library since a version; the script comes back.

    The script is the one that the library's `conversion` annotation names for users of that version; where it names
    none, one is made. What was renamed twice since that version becomes one rule.
    """
    library = libraries[library_name]
    if library.read_only or library.root.folder is None:
        why = "is read-only" if library.read_only else "is a single file and has no folder for a script"
        raise LibraryError(f"'{library_name}' {why}: its conversion can't be written")
    version = version_of(libraries, library)
    if version == from_version:
        raise LibraryError(
            f"'{library_name}' still has version {version}: give it a new one before its conversion is written"
        )
    step = conversions_of(libraries, library).step_from(from_version)
    if step is not None and not step.script:
        raise LibraryError(
            f"the rules for users of {library_name} {from_version} stand in its annotation: put them into a script"
        )
    workspace = libraries.workspace
    assert workspace is not None  # the library can be written
    with libraries.transaction():
        script = step.script if step is not None else _new_script(library, from_version, version)
        if step is None:
            _name_script(libraries, library, from_version, script)
        path = script_place(script, library)
        data = workspace.others.read(path)
        source = Source.from_bytes(data or b"", path)
        if data is None:
            since = f"// From {library_name} {from_version}" + (f" to {version}" if version else "")
            source = Source(since + "\n", path)
        workspace.others.write(path, source.encode(with_entries(source.text, str(path), entries)))
    return path


def _new_script(library: Library, from_version: str, version: str) -> str:
    to = f"_to_{version}" if version else ""
    return f"modelica://{library.name}/{_FOLDER}/Convert{library.name}_from_{from_version}{to}.mos"


def _name_script(libraries: Libraries, library: Library, from_version: str, script: str) -> None:
    document = libraries.document(library.root)
    if conversion_arguments(libraries, library) is None:
        handle = document.find_class(library.name)
        with document.transaction():
            handle.set_annotation("conversion.from.version", from_version)
            handle.set_annotation("conversion.from.script", script)
    else:
        document.edit(_add_step, library.name, f"from(version={quote(from_version)}, script={quote(script)})")


def _add_step(edit: ExactEditor, name: str, step: str) -> None:
    """One more `from(…)` in the `conversion(…)` that is there. A path can't name it: there may be several."""
    annotation = edit.find_class(name).annotation
    assert annotation is not None
    edit.write(*with_argument(reach(annotation, ("conversion",)).holder, parsed(step, "_argument", "a modifier")))
