"""The parameters of a class, inherited ones too, with values and units."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from modelica_ast.cli.searches import opened
from modelica_ast.cli.session import Session
from modelica_ast.edit.document import Document
from modelica_ast.record import Record

if TYPE_CHECKING:
    from modelica_ast.library import ComponentInstance, Libraries


class Parameter(Record):
    """A parameter as a table shows it; None where nothing is known."""

    name: str
    type: str
    value: str | None
    unit: str | None
    description: str
    declared_in: str


def parameters_of(place: str, name: str) -> list[Parameter]:
    """All parameters of a class. Types are looked up in its library, and in the libraries that are installed."""
    from modelica_ast.library import instance  # noqa: PLC0415  (PERF: an outline does without)

    libraries, full_name = _libraries(place, name)
    found = instance(libraries, full_name)
    return [_parameter(part) for part in found.walk(1) if part.variability == "parameter" and not part.is_protected]


def _libraries(place: str, name: str) -> tuple[Libraries, str]:
    from modelica_ast.library import Libraries, libraries_in, library_folders  # noqa: PLC0415  (PERF: as above)

    path = Path(place)
    around = None if path.is_dir() else Session().library_around(place)
    full_name = name
    if not path.is_dir():
        within = Document.open(path).within
        if within and around is not None and not name.startswith(within + "."):
            full_name = f"{within}.{name}"
    root = around if around is not None else path
    own = Libraries([root])
    known = {library.name for library in own}
    newest = {found.name: found.path for folder in reversed(library_folders()) for found in libraries_in(folder)}
    others = [other for named, other in newest.items() if named not in known]
    return opened(lambda: Libraries([root], read_only=others)), full_name


def _parameter(part: ComponentInstance) -> Parameter:
    bound = part.modifiers.get("=")
    text = None if bound is None or bound.value is None else " ".join(bound.value.text.split())
    unit = part.attribute("unit")
    shown = unit if isinstance(unit, str) and unit else None
    return Parameter(part.name, part.type_text, text, shown, part.description, part.declared_in)
