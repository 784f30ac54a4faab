"""What the modelDescription.xml of an FMU says of its variables, the same for FMI 2.0 and 3.0."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from modelica_ast.foundation import open_regular, read_regular
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.urdf import Element, Findings, XmlTree, document_of_bytes, parse_xml, reason_of

Start = float | int | bool | str


@frozen
class DescribedVariable:
    """A variable of an FMU. What is not written has the value that the standard gives it."""

    name: str
    causality: str  # input, output, parameter, calculatedParameter, structuralParameter, local, independent
    variability: str  # constant, fixed, tunable, discrete, continuous
    type: str  # Real, Integer, Boolean, String, Enumeration, Binary or Clock
    start: tuple[Start, ...] | None  # one value for a scalar
    unit: str | None  # its own, or that of its declared type
    display_unit: str | None
    description: str
    dimensions: tuple[int | None, ...]  # empty for a scalar, as in FMI 2.0 all are; None for a size that is not known
    line: int
    column: int


@frozen
class ModelDescription:
    """A modelDescription.xml."""

    file: str  # as messages name it; that of an FMU is `Motor.fmu/modelDescription.xml`
    version: str  # as it is written: 2.0, 3.0, 3.0.1
    model_name: str
    is_flat: bool  # are names any texts, or do dots and brackets in them mean components and elements?
    kinds: tuple[str, ...]  # CoSimulation, ModelExchange, ScheduledExecution
    variables: tuple[DescribedVariable, ...]
    line: int
    column: int

    def get(self, name: str) -> DescribedVariable | None:
        """The variable of a name, or None."""
        return next((variable for variable in self.variables if variable.name == name), None)


# ---------------------------------------------------------------- model description reading
# From the XML of a modelDescription to its variables, for FMI 2.0 and 3.0.

_INTEGERS: Final = [f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
_TYPES_2: Final = {name: name for name in ("Real", "Integer", "Boolean", "String", "Enumeration")}
_TYPES_3: Final = {
    **dict.fromkeys(["Float32", "Float64"], "Real"),
    **dict.fromkeys(_INTEGERS, "Integer"),
    **{name: name for name in ("Boolean", "String", "Enumeration", "Binary", "Clock")},
}
_KINDS: Final = ("CoSimulation", "ModelExchange", "ScheduledExecution")
_PARAMETERS: Final = ("parameter", "structuralParameter", "calculatedParameter")
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_ROOT: Final = "fmiModelDescription"


def description_of(data: bytes, name: str) -> ModelDescription:
    """What a modelDescription.xml says; FmiError says what is wrong with it, and where.

    Entities are never expanded, and nothing but the bytes is looked at.
    """
    findings = Findings(name)
    tree = parse_xml(document_of_bytes(data, Path(name), findings), findings)
    if tree is None:
        first = next(found for found in findings.diagnostics if found.code in ("urdf-xml", "urdf-entity"))
        raise FmiError(f"{name}:{first.line}:{first.column}: {first.message}")
    if tree.root.tag != _ROOT:
        raise FmiError(f"{name}: its root is <{tree.root.tag}>; that of an FMU is <{_ROOT}>")
    return _Reader(tree, name).description()


@frozen
class _DeclaredType:
    """What a variable has from its declared type unless it says something else."""

    unit: str | None
    display_unit: str | None


class _Reader:
    """One description on its way in."""

    def __init__(self, tree: XmlTree, name: str) -> None:
        self._tree = tree
        self._name = name
        self._version = _get(tree.root, "fmiVersion") or ""
        self._is_old = self._version.startswith("2.")
        if not self._is_old and not self._version.startswith("3."):
            raise FmiError(f"{name}: it is of FMI {self._version or 'without a version'}; FMI 2.0 and 3.0 can be read")
        self._types = dict(self._declared_types())
        self._sizes: dict[str, int] = {}  # values of structural parameters, by their references

    def description(self) -> ModelDescription:
        root = self._tree.root
        elements = list(_children_of(root, "ModelVariables"))
        if not self._is_old:
            self._read_sizes(elements)
        read = self._old_variables(elements) if self._is_old else self._new_variables(elements)
        place = self._tree.place(root)
        return ModelDescription(
            file=self._name,
            version=self._version,
            model_name=_get(root, "modelName") or "",
            is_flat=(_get(root, "variableNamingConvention") or "flat") == "flat",
            kinds=tuple(child.tag for child in root.children if child.tag in _KINDS),
            variables=tuple(read),
            line=place.line,
            column=place.column,
        )

    def _declared_types(self) -> Iterator[tuple[str, _DeclaredType]]:
        for element in _children_of(self._tree.root, "TypeDefinitions"):
            about = next((child for child in element.children if child.tag in _TYPES_2), element)
            yield _get(element, "name") or "", _DeclaredType(_get(about, "unit"), _get(about, "displayUnit"))

    # ------------------------------------------------------------ FMI 2.0

    def _old_variables(self, elements: list[Element]) -> Iterator[DescribedVariable]:
        for element in elements:
            if element.tag != "ScalarVariable":
                continue
            about = next((child for child in element.children if child.tag in _TYPES_2), None)
            if about is None:
                raise self._wrong(element, "the variable has no type: <Real>, <Integer>, <Boolean>, <String>, …")
            start = _get(about, "start")
            texts = None if start is None else [start]
            yield self._variable(element, about, _TYPES_2[about.tag], texts, ())

    # ------------------------------------------------------------ FMI 3.0

    def _new_variables(self, elements: list[Element]) -> Iterator[DescribedVariable]:
        for element in elements:
            if element.tag not in _TYPES_3:
                continue
            type_ = _TYPES_3[element.tag]
            dimensions = tuple(self._size(child) for child in element.children if child.tag == "Dimension")
            start = _get(element, "start")
            texts = None if start is None else start.split()
            if type_ in ("String", "Binary"):
                texts = [_get(child, "value") or "" for child in element.children if child.tag == "Start"] or None
            variable = self._variable(element, element, type_, texts, dimensions)
            yield variable
            for child in element.children:
                if child.tag == "Alias":
                    yield self._alias(child, variable)

    def _alias(self, element: Element, of: DescribedVariable) -> DescribedVariable:
        place = self._tree.place(element)
        return DescribedVariable(
            name=self._needed(element, "name"),
            # An alias is another name to look at it; it can't be set.
            causality=of.causality if of.causality not in ("input", "parameter") else "local",
            variability=of.variability,
            type=of.type,
            start=of.start,
            unit=of.unit,
            display_unit=_get(element, "displayUnit") or of.display_unit,
            description=_get(element, "description") or "",
            dimensions=of.dimensions,
            line=place.line,
            column=place.column,
        )

    def _read_sizes(self, elements: list[Element]) -> None:
        for element in elements:
            reference, start = _get(element, "valueReference"), _get(element, "start")
            if reference and start and start.strip().isdecimal() and len(start) < _LONGEST_SIZE:
                self._sizes[reference] = int(start)

    def _size(self, element: Element) -> int | None:
        start = (_get(element, "start") or "").strip()
        if start.isdecimal() and len(start) < _LONGEST_SIZE:
            return int(start)
        return self._sizes.get(_get(element, "valueReference") or "")

    # ------------------------------------------------------------ both

    def _variable(
        self,
        element: Element,
        about: Element,
        type_: str,
        texts: list[str] | None,
        dimensions: tuple[int | None, ...],
    ) -> DescribedVariable:
        declared = self._types.get(_get(about, "declaredType") or "", _DeclaredType(None, None))
        place = self._tree.place(element)
        causality = _get(element, "causality") or "local"
        return DescribedVariable(
            name=self._needed(element, "name"),
            causality=causality,
            variability=_get(element, "variability") or self._usual_variability(type_, causality),
            type=type_,
            start=None if texts is None else tuple(self._value(element, type_, text) for text in texts),
            unit=_get(about, "unit") or declared.unit,
            display_unit=_get(about, "displayUnit") or declared.display_unit,
            description=_get(element, "description") or "",
            dimensions=dimensions,
            line=place.line,
            column=place.column,
        )

    def _usual_variability(self, type_: str, causality: str) -> str:
        if causality in _PARAMETERS and not self._is_old:
            return "fixed"
        return "continuous" if type_ == "Real" else "discrete"

    def _value(self, element: Element, type_: str, text: str) -> Start:
        try:
            if type_ == "Real":
                return float(text)
            if type_ in ("Integer", "Enumeration"):
                return int(text)
            if type_ == "Boolean":
                return _BOOLEANS[text.strip()]
        except (ValueError, KeyError):
            shown = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
            raise self._wrong(element, f"the start value '{shown}' is not of type {type_}") from None
        return text

    def _needed(self, element: Element, attribute: str) -> str:
        value = _get(element, attribute)
        if not value:
            raise self._wrong(element, f"<{element.tag}> has no '{attribute}'")
        return value

    def _wrong(self, element: Element, message: str) -> FmiError:
        place = self._tree.place(element)
        return FmiError(f"{self._name}:{place.line}:{place.column}: {message}")


_LONGEST_SIZE: Final = 10  # digits
_LONGEST_SHOWN: Final = 40


def _children_of(root: Element, tag: str) -> Iterator[Element]:
    for child in root.children:
        if child.tag == tag:
            yield from child.children


def _get(element: Element, name: str) -> str | None:
    attribute = element.attributes.get(name)
    return None if attribute is None else attribute.value


# ---------------------------------------------------------------- model description files
# The bytes of a modelDescription.xml, by itself or in an FMU. Neither can take more memory than any real one does.

ENTRY: Final = "modelDescription.xml"
LARGEST_DESCRIPTION: Final = 64_000_000  # bytes; 100 000 variables take a quarter of it
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_description(path: Path) -> ModelDescription:
    """The description in a modelDescription.xml; FmiError says what is wrong with it."""
    try:
        data = read_regular(path, limit=LARGEST_DESCRIPTION)
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {reason_of(wrong)}") from None
    return description_of(data, str(path))


def read_fmu(path: Path) -> ModelDescription:
    """The description of an FMU; FmiError says what is wrong with it. Nothing is unpacked to the disk, nothing runs."""
    name = f"{path}/{ENTRY}"
    try:
        with os.fdopen(open_regular(path), "rb") as whole, zipfile.ZipFile(whole) as archive:
            found = [info for info in archive.infolist() if info.filename == ENTRY]
            if len(found) != 1:
                what = f"it has no {ENTRY}" if not found else f"it has {ENTRY} {len(found)} times"
                raise FmiError(f"{path} is not an FMU: {what}")
            with archive.open(found[0]) as file:
                data = file.read(LARGEST_DESCRIPTION + 1)  # the size that the archive states may be a lie
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {reason_of(wrong)}") from None
    except _BROKEN as wrong:
        reason = str(wrong) or type(wrong).__name__
        raise FmiError(f"{path} is not an FMU, which is a ZIP archive: {reason[:1].lower()}{reason[1:]}") from None
    return description_of(_not_too_large(data, name), name)


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_DESCRIPTION:
        raise FmiError(f"{name} has more than {LARGEST_DESCRIPTION // 1_000_000} MB, which no FMU needs")
    return data
