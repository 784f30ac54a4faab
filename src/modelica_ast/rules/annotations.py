"""Annotations: what is spelt almost like a standard one (chapter 18), and what graphical ones are made of (18.9).

Tools may have annotations of their own, with or without the prefix that the specification wants. So an unknown name is
no finding unless it is so close to one that is expected in its place that it can only be meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from modelica_ast.foundation import suggestion
from modelica_ast.graphics import (
    KINDS_OF_ITEMS,
    CoordinateSystem,
    Diagram,
    GraphicRecord,
    Icon,
    Line,
    Placement,
    Transformation,
)
from modelica_ast.rules.context import ClassCheck
from modelica_ast.syntax import (
    TOKEN_TEXTS,
    Green,
    Node,
    child_at,
    child_leaf,
    child_node,
    place_of,
    productions_of,
    tokens,
)
from modelica_ast.tree import Annotation, view_at

# ---------------------------------------------------------------- annotation fields
# The named parts of annotations: `name = value` and `name(…)`, of modifiers and of records that are called.
#
# PERF: there are more annotations than other text, and hardly anything is wrong with them. So they are read as green
# nodes, and a view is made for a finding.

_ARGUMENTS: Final = frozenset(productions_of("class_modification"))
_CALLS: Final = frozenset(productions_of("function_call"))
_CALL_ARGUMENTS: Final = frozenset(productions_of("function_call_args"))
_NAMED: Final = frozenset(productions_of("named_argument"))
_ARRAYS: Final = frozenset(productions_of("array"))
# Production of a modifier -> where its name is and where what follows it, None without.
_MODIFIERS: Final = {
    number: (place_of(number, "name", 0) or 0, place_of(number, "modification", 0))
    for number in productions_of("element_modification")
}


Path = tuple[int, ...]  # the indices that lead from an annotation to what is inside it


class AnnotationField(NamedTuple):
    """One part: its name, what it is, and where both are."""

    name: str
    name_path: Path
    value: Green | None
    value_path: Path


def fields_of_annotation(annotation: Annotation) -> Iterator[AnnotationField]:
    """The parts of an annotation itself."""
    node = annotation.node
    assert type(node) is tuple
    return fields_of(child_at(node, 2), (2,))


def fields_of(node: Green, path: Path) -> Iterator[AnnotationField]:
    """The parts of a list of modifiers or of a call."""
    if isinstance(node, str):
        return
    if node[0] in _CALLS:
        path = (*path, len(node) - 1)
        node = child_at(node, -1)
        if isinstance(node, str) or node[0] not in _CALL_ARGUMENTS:
            return
    for index in range(1, len(node)):
        item = node[index]
        if type(item) is not tuple:
            continue
        if item[0] in _MODIFIERS:
            yield _modifier(item, (*path, index))
        elif item[0] in _NAMED:
            name, value = TOKEN_TEXTS[child_leaf(item, 1)], child_at(item, -1)
            yield AnnotationField(name, (*path, index, 1), value, (*path, index, len(item) - 1))


def _modifier(item: Node, path: Path) -> AnnotationField:
    at, follows = _MODIFIERS[item[0]]
    name = child_at(item, at)
    text = TOKEN_TEXTS[name] if type(name) is str else "".join(tokens(name))
    if follows is None:
        return AnnotationField(text, (*path, at), None, path)
    modification = child_node(item, follows)
    # What is in parentheses, or the value: the one that is there.
    first = child_at(modification, 1)
    index = 1 if type(first) is tuple and first[0] in _ARGUMENTS else len(modification) - 1
    return AnnotationField(text, (*path, at), child_at(modification, index), (*path, follows, index))


def calls_in(node: Green, path: Path) -> Iterator[tuple[str, Node, Path]]:
    """(name, call, where it is) of the records that a value is: itself, or the items of an array."""
    if type(node) is str:
        return
    is_array = node[0] in _ARRAYS
    for at in range(1, len(node)) if is_array else (0,):
        call = node[at] if is_array else node
        if type(call) is tuple and call[0] in _CALLS and isinstance(name := child_at(call, 1), str):
            yield TOKEN_TEXTS[name], call, (*path, at) if is_array else path


# ---------------------------------------------------------------- graphics
# Graphical annotations: their arguments are fields of the records of section 18.9.

RECORDS: Final[dict[str, type[GraphicRecord]]] = {
    "Placement": Placement,
    "Icon": Icon,
    "Diagram": Diagram,
    "Line": Line,
}
_INSIDE: Final[dict[str, type[GraphicRecord]]] = {
    "transformation": Transformation,
    "iconTransformation": Transformation,
    "coordinateSystem": CoordinateSystem,
}
_VENDOR: Final = "__"
_INTERACTION: Final = "interaction"  # of icons and diagrams; the records leave it as it stands


def check_graphics(check: ClassCheck, annotation: Annotation, field: AnnotationField) -> None:
    """One graphical record of an annotation, and all that is inside it."""
    todo: list[tuple[Green, Path, type[GraphicRecord]]] = []
    if field.value is not None:
        todo.append((field.value, field.value_path, RECORDS[field.name]))
    while todo:
        node, path, record = todo.pop()
        known = _field_names(record)
        for name, name_path, value, value_path in fields_of(node, path):
            if name not in known and name != _INTERACTION and not name.startswith(_VENDOR):
                message = f"{record.modelica_name} has no '{name}'"
                hint = check.near(name, known) or f"it has {', '.join(known)}"
                check.add("graphics", view_at(annotation, name_path), message, hint)
            elif value is None:
                continue
            elif name in _INSIDE:
                todo.append((value, value_path, _INSIDE[name]))
            elif name == "graphics":
                for kind, call, where in calls_in(value, value_path):
                    if kind in KINDS_OF_ITEMS:
                        todo.append((call, where, KINDS_OF_ITEMS[kind]))


@cache
def _field_names(record: type[GraphicRecord]) -> tuple[str, ...]:
    return tuple(record.field_names())


# ---------------------------------------------------------------- annotations

# Name -> the names that are expected in there; None where nothing is said about these.
_Names = Mapping[str, "_Names | None"]


def _names(text: str) -> dict[str, _Names | None]:
    return dict.fromkeys(text.split())


_ANY_LIBRARY: Final = "*"
_SELECTOR: Final = _names("filter caption")

_STANDARD: Final[_Names] = {
    # Evaluation, results, functions and external code (chapters 12 and 18.3)
    **_names("Evaluate HideResult Inline LateInline InlineAfterIndexReduction GenerateEvents inverse"),
    **_names("Library Include LibraryDirectory IncludeDirectory SourceDirectory"),
    "derivative": _names("order zeroDerivative noDerivative"),
    "smoothOrder": _names("normallyConstant"),
    # Choices (7.3.4)
    **_names("choicesAllMatching"),
    "choices": _names("choice checkBox"),
    # Simulation
    "experiment": _names("StartTime StopTime Interval Tolerance"),
    "TestCase": _names("shouldPass"),
    # How a class is used
    **_names("singleInstance mustBeConnected mayOnlyConnectOnce"),
    # Documentation
    **_names("preferredView DocumentationClass"),
    "Documentation": _names("info revisions styleSheets figures"),
    # Graphics; a rule of their own looks into them
    **_names("Icon Diagram Placement Line Text"),
    "IconMap": _names("extent primitivesVisible"),
    "DiagramMap": _names("extent primitivesVisible"),
    # Graphical user interface
    **_names("defaultComponentName defaultComponentPrefixes missingInnerMessage absoluteValue"),
    **_names("defaultConnectionStructurallyInconsistent obsolete unassignedMessage"),
    "Dialog": {
        **_names("tab group enable showStartAttribute colorSelector groupImage connectorSizing"),
        "loadSelector": _SELECTOR,
        "saveSelector": _SELECTOR,
        "directorySelector": _SELECTOR,
    },
    # Versions
    **_names("version versionDate versionBuild dateModified revisionId"),
    "uses": {_ANY_LIBRARY: _names("version versionBuild dateModified")},
    "conversion": {"noneFromVersion": None, "from": _names("version to script change")},
    # Protection and licences
    **_names("License"),
    "Protection": {**_names("access features"), "License": _names("libraryKey licenseFile")},
    "Authorization": _names("licensor libraryKey license"),
}
# Records that are values, by the name of their call.
_RECORDS: Final[_Names] = {
    "Figure": _names("title identifier group preferred plots caption"),
    "Plot": _names("title identifier curves x y"),
    "Axis": _names("min max unit label scale"),
    "Curve": _names("x y legend zOrder"),
}
_SHORTEST: Final = 5  # of shorter names, a slip of the pen is too easily another word


def check_annotations(check: ClassCheck) -> None:
    """All annotations of a class, its components and its connections."""
    for annotation in check.text.annotations:
        for field in fields_of_annotation(annotation):
            if field.name in RECORDS:
                check_graphics(check, annotation, field)
            elif field.name not in _STANDARD:
                _unknown(check, annotation, field, _STANDARD, "")
            elif _STANDARD[field.name] is not None:
                _look_inside(check, annotation, field)


def _look_inside(check: ClassCheck, annotation: Annotation, outer: AnnotationField) -> None:
    """What is in a standard annotation, and in the records there."""
    todo: list[tuple[Green | None, Path, str, _Names | None]] = [
        (outer.value, outer.value_path, outer.name, _STANDARD[outer.name])
    ]
    while todo:
        node, path, name, known = todo.pop()
        if node is None or known is None:
            continue
        for field in fields_of(node, path):
            if field.name not in known and _ANY_LIBRARY not in known:
                _unknown(check, annotation, field, known, name)
            elif field.value is not None:
                inside = known.get(field.name, known.get(_ANY_LIBRARY))
                todo.append((field.value, field.value_path, field.name, inside))
                for record, call, where in calls_in(field.value, field.value_path):
                    todo.append((call, where, record, _RECORDS.get(record)))


def _unknown(check: ClassCheck, annotation: Annotation, field: AnnotationField, known: _Names, around: str) -> None:
    """Report a name that is not in the specification, if it is clear which one is meant."""
    name = field.name
    meant = "" if name.startswith(_VENDOR) else _meant(name, known)
    if meant:
        message = f"'{around}' has no '{name}'" if around else f"'{name}' is not a standard annotation"
        check.add("misspelt-annotation", view_at(annotation, field.name_path), message, suggestion(meant))


def _meant(name: str, known: Iterable[str]) -> str:
    """The known name that differs by its case, or by one letter that is missing, added, changed or swapped; or ''."""
    lower = name.lower()
    for each in known:
        if each.lower() == lower or (len(each) >= _SHORTEST and _is_one_edit_away(name, each)):
            return each
    return ""


def _is_one_edit_away(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or _has_swapped_start(one, other)


def _has_swapped_start(one: str, other: str) -> bool:
    return one[:2] == other[1::-1] and one[2:] == other[2:]
