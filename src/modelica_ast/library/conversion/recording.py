"""Renames and moves of a library written down, so that its users can follow: in a script, named in an annotation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit.annotation import set_annotation
from modelica_ast.edit.lists import item_places, with_item
from modelica_ast.edit.modifiers import argument_name
from modelica_ast.edit.surgery import at, replaced
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import child_at, render
from modelica_ast.identifiers import split_name
from modelica_ast.library.conversion.rules import ConvertClass, ConvertElement
from modelica_ast.library.conversion.script_edits import with_entries
from modelica_ast.library.conversion.versions import conversion_arguments, conversions_of, script_place, version_of
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.reading import open_annotation, read
from modelica_ast.semantics.definitions import FullName
from modelica_ast.shape import child
from modelica_ast.source import Source
from modelica_ast.strings import quote
from modelica_ast.tables import KINDS

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
        with document.transaction():
            document.edit(set_annotation, library.name, "conversion.from.version", from_version)
            document.edit(set_annotation, library.name, "conversion.from.script", script)
    else:
        document.edit(_add_step, library.name, f"from(version={quote(from_version)}, script={quote(script)})")


def _add_step(work: Working, class_: str, step: str) -> None:
    """One more `from(…)` in the `conversion(…)` that is there. A path can't name it: there may be several."""
    body = work.body_path(class_)
    composition = at(work.root, body)
    index = max(i for i in range(1, len(composition)) if KINDS[composition[i][0]] == "class_annotation")
    found = child(composition[index], "annotation_clause")
    assert found is not None
    annotation: Any = found[1]
    if isinstance(annotation, str):
        leaf = annotation
        annotation = open_annotation(leaf, lambda: (Source(leaf), 0))
    place = next(i for i in item_places(annotation[2]) if argument_name(annotation[2][i]) == ("conversion",))
    modification = child(annotation[2][place], "modification")
    arguments = child(modification[1], "class_modification") if modification is not None else None
    assert modification is not None
    assert arguments is not None
    more = with_item(arguments[1], parsed(step, "_argument", "a modifier"))
    changed = replaced(annotation, (2, place, modification[0], arguments[0]), more)
    closed = child_at(read(Source(render(changed)), start="annotation_clause").green, 1)
    work.changed(replaced(work.root, (*body, index, found[0]), closed), body)
