"""Annotations: what is spelt almost like a standard one (chapter 18), and what graphical ones are made of (18.9).

Tools may have annotations of their own, with or without the prefix that the specification wants. So an unknown name is
no finding unless it is so close to one that is expected in its place that it can only be meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from modelica_ast.green import Green
from modelica_ast.rules.annotation_fields import AnnotationField, Path, calls_in, fields_of, fields_of_annotation
from modelica_ast.rules.context import ClassCheck
from modelica_ast.rules.graphics import RECORDS, check_graphics
from modelica_ast.traverse import view_at
from modelica_ast.views.modifications import Annotation

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
_VENDOR: Final = "__"
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
    """What stands in a standard annotation, and in the records there."""
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
        check.add("misspelt-annotation", view_at(annotation, field.name_path), message, f"did you mean '{meant}'?")


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
