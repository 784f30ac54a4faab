"""What a library says about itself in the annotations of its top class: version, what it uses, what it stands for."""

from __future__ import annotations

from collections.abc import Iterator

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.literals import LiteralError, evaluate
from modelica_ast.record import Record
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassDefinition
from modelica_ast.views.files import StoredDefinition
from modelica_ast.views.modifications import ElementModification


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
