"""What a library says about itself in the annotations of its top class: version, what it uses, what it stands for."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.foundation import ModelicaSyntaxError, Record, split_name
from modelica_ast.library.libraries import Libraries
from modelica_ast.tree import ClassDefinition, ElementModification, Expression, LiteralError, StoredDefinition, evaluate


class Manifest(Record):
    """The annotations by which libraries are found; '' and nothing where they do not say."""

    version: str
    unchanged_from: tuple[str, ...]  # the versions whose users need no conversion
    uses: dict[str, str]  # library -> version, '' for any


def manifest_of(tree: StoredDefinition) -> Manifest:
    """What the classes of a file say; the version is that of the first one."""
    first = tree.classes[:1]
    version = next((_text(item) for each in first for item in _arguments(each, "") if _is(item, "version")), "")
    unchanged = [
        text
        for each in first
        for item in _arguments(each, "conversion")
        if _is(item, "noneFromVersion")
        for text in _texts(item)
    ]
    return Manifest(version, tuple(unchanged), uses_of(tree))


def uses_of(tree: StoredDefinition) -> dict[str, str]:
    """Library -> version of all that the classes of a file say they use; '' if no version is named."""
    found: dict[str, str] = {}
    for definition in tree.classes:
        for item in _arguments(definition, "uses"):
            version = item.arguments.get("version") if item.arguments is not None else None
            found[str(item.name)] = "" if version is None else _text(version)
    return found


def _arguments(definition: ClassDefinition, name: str) -> Iterator[ElementModification]:
    """What stands in the parentheses of `annotation(…)`, or of one of its arguments."""
    try:
        annotation = definition.annotation
        arguments = annotation.arguments if annotation is not None else None
        if name and arguments is not None:
            inner = arguments.get(name)
            arguments = inner.arguments if inner is not None else None
        items = arguments.items if arguments is not None else []
    except ModelicaSyntaxError:
        return  # the annotation does not parse, which the check of its file says
    yield from (item for item in items if isinstance(item, ElementModification))


def _is(item: ElementModification, name: str) -> bool:
    return str(item.name) == name


def _text(item: ElementModification) -> str:
    return next(iter(_texts(item)), "")


def _texts(item: ElementModification) -> list[str]:
    """The text of `= "1.0"`, or the texts of `= {"1.0", "1.1"}`."""
    if not isinstance(item.value, Expression):
        return []
    try:
        value = evaluate(item.value)
    except LiteralError:
        return []
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


# ---------------------------------------------------------------- within clauses
# The package that a `within` names, and what is said if it is not there.


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
