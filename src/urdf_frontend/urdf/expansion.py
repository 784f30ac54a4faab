"""xacro files, expanded by the package `xacro`, which is an extra. What comes out knows where its author wrote it.

xacro makes one tree of several files and keeps no places. Here its parser notes the place of each element as user data
of the node, which the DOM hands on wherever a node is cloned: so an element that a macro has made is in the macro.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from xml.dom import expatbuilder, minidom
from xml.parsers import expat

from attrs import frozen

from modelica_ast.foundation import read_regular, shown
from urdf_frontend.robot import NOWHERE, Place, Span
from urdf_frontend.urdf.diagnostics import Findings
from urdf_frontend.urdf.document import LARGEST_FILE, Document, StartTag, document_of_bytes, markup_of
from urdf_frontend.urdf.xml_tree import xml_hint

# ---------------------------------------------------------------- places


@frozen
class Origin:
    """Where the start tag of an element is written."""

    file: str
    line: int
    column: int


class ExpandedDocument(Document):
    """The text that xacro has made. Its places are in the files that it was made from."""

    def __init__(self, text: str, path: Path, origins: Sequence[Origin | None]) -> None:
        super().__init__(text, path)
        self._origins = origins  # of the elements, in the order of the text
        self._sources: dict[str, Document | None] = {}

    @cached_property
    def _tags(self) -> list[StartTag]:
        return [mark for mark in markup_of(self.text) if isinstance(mark, StartTag)]

    @cached_property
    def _starts(self) -> list[int]:
        return [tag.span.start for tag in self._tags]

    def place(self, span: Span, xpath: str = "") -> Place:
        """The place of a stretch of the text: of the attribute, or else of the element, as its author wrote it."""
        index = bisect_right(self._starts, span.start) - 1
        origin = self._origins[index] if index >= 0 else None
        if origin is None:
            return super().place(span, xpath)
        name = next(
            (each.name for each in self._tags[index].attributes if each.span.start <= span.start <= each.span.end), ""
        )
        line, column = self._attribute(origin, name) or (origin.line, origin.column)
        return Place(line, column, xpath, span, shown(Path(origin.file)))

    def _attribute(self, origin: Origin, name: str) -> tuple[int, int] | None:
        """Where the value of an attribute is written; None if the element has none there."""
        source = self._source(origin.file) if name else None
        if source is None:
            return None
        start = source.offset_of_line(origin.line) + origin.column - 1
        tag = next(markup_of(source.text, start), None)
        if not isinstance(tag, StartTag) or tag.span.start != start:
            return None
        return next((source.line_and_column(each.span.start) for each in tag.attributes if each.name == name), None)

    def _source(self, file: str) -> Document | None:
        if file not in self._sources:
            try:
                data = read_regular(Path(file), limit=LARGEST_FILE)
                self._sources[file] = document_of_bytes(data, Path(file), Findings(file))
            except OSError:  # it was there a moment ago
                self._sources[file] = None
        return self._sources[file]


# ---------------------------------------------------------------- expanding

FindPackage = Callable[[str], Path | None]

# xacro keeps its files and arguments in module variables.
_LOCK: Final = threading.Lock()
_ORIGIN: Final = "urdf_frontend.origin"  # the key of the user data


def expand(path: Path, arguments: Mapping[str, str], find_package: FindPackage, findings: Findings) -> Document | None:
    """The URDF text of a xacro file; None if that can't be had, and the findings say why.

    Expressions in xacro files are Python: expand only files that you trust.
    """
    try:
        xacro: Any = importlib.import_module("xacro")
        substitution: Any = importlib.import_module("xacro.substitution_args")
    except ImportError:
        message = "this is a xacro file, and the package xacro, which expands it, is not installed"
        findings.report("urdf-xacro-missing", NOWHERE, message, "pip install 'modelica-ast[xacro]'")
        return None
    noise = io.StringIO()
    with _LOCK, _replaced(substitution, "_eval_find", _finder(find_package)), _replaced(xacro, "parse", _parser(xacro)):
        try:
            with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
                expanded = xacro.process_file(str(path), mappings=dict(arguments))
                return _document(expanded, path)
        except (Exception, SystemExit) as wrong:  # noqa: BLE001  (the expressions in the file may raise anything)
            reason = " ".join(str(wrong).split()) or type(wrong).__name__
            reason = _TWICE.sub(r"\1", reason)
            place = _place_of(wrong, (xacro.filestack or [str(path)])[-1])
            hint = xml_hint(reason) if isinstance(wrong, expat.ExpatError) else _hint(reason)
            findings.report("urdf-xacro-failed", place, f"xacro can't expand it: {reason[:300]}", hint)
            return None


_TWICE: Final = re.compile(r"<class '[^']*'>: (.*) \1")  # xacro says it so
_HINTS: Final = {
    re.compile(r"substitution argument (\S+)"): r"give it with --arg \1=…, or a default with <xacro:arg>",
    re.compile(r"the package .* is not found"): "name its folder with --package-dir",
    re.compile(r"name '(\w+)' is not defined"): r'define it with <xacro:property name="\1" …>',
    re.compile(r"unknown macro name"): "include the file that defines the macro",
    re.compile(r"recursion"): "a macro or a file that has itself in it needs a condition with an end",
}


def _hint(reason: str) -> str:
    """What to do about what xacro says."""
    found = ((pattern.search(reason), hint) for pattern, hint in _HINTS.items())
    return next((match.expand(hint) for match, hint in found if match is not None), "")


def _document(expanded: minidom.Document, path: Path) -> Document:
    root = expanded.documentElement
    assert root is not None, "the file has one, and xacro keeps it"
    origins = [each.getUserData(_ORIGIN) for each in (root, *root.getElementsByTagName("*"))]
    return ExpandedDocument(expanded.toprettyxml(indent="  "), path, origins)


@contextlib.contextmanager
def _replaced(module: Any, name: str, new: Callable[..., Any]) -> Iterator[None]:
    """Let xacro use another function: it has no other way."""
    own = getattr(module, name)
    setattr(module, name, new)
    try:
        yield
    finally:
        setattr(module, name, own)


def _finder(find_package: FindPackage) -> Callable[[str], str]:
    """Finds packages for `$(find arm_description)` as meshes do; xacro alone needs an installed ROS for that."""

    def find(name: str) -> str:
        folder = find_package(name)
        if folder is None:
            raise ValueError(f"the package '{name}' is not found")
        return str(folder)

    return find


def _parser(xacro: Any) -> Callable[..., Any]:
    """Parses files as xacro does, and notes the place of each element."""
    own = xacro.parse

    def parse(given: Any, filename: str | None = None) -> Any:
        if given is not None or filename is None:
            return own(given, filename)
        try:
            file = open(os.path.join(xacro.root_dir, filename), "rb")  # noqa: PTH118, PTH123, SIM115  (as xacro does)
        except OSError:
            return own(None, filename)  # which says so
        with file:
            return _Builder(filename).parseFile(file)

    return parse


class _Builder(expatbuilder.ExpatBuilderNS):  # type: ignore[misc, unused-ignore]
    """Makes the tree that minidom makes."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        super().start_element_handler(name, attributes)
        parser = self.getParser()
        origin = Origin(self._file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self.curNode.setUserData(_ORIGIN, origin, _FOLLOWER)


class _Follower:
    """Hands the place of a node on to its clones."""

    def handle(
        self, _operation: int, key: str, origin: Origin, _node: minidom.Node, clone: minidom.Node | None
    ) -> None:
        if clone is not None:
            clone.setUserData(key, origin, self)


_FOLLOWER: Final = _Follower()


def _place_of(wrong: BaseException, file: str) -> Place:
    """What xacro was at when it gave up: the last element that its functions had in hand."""
    if isinstance(wrong, expat.ExpatError):
        return Place(wrong.lineno, wrong.offset + 1, "", Span(0, 0), shown(Path(file)))
    found: Origin | None = None
    trace = wrong.__traceback__
    while trace is not None:
        node = trace.tb_frame.f_locals.get("node") if trace.tb_frame.f_globals.get("__name__") == "xacro" else None
        while isinstance(node, minidom.Node) and node.getUserData(_ORIGIN) is None:
            node = node.parentNode
        if isinstance(node, minidom.Node):
            found = node.getUserData(_ORIGIN)
        trace = trace.tb_next
    return NOWHERE if found is None else Place(found.line, found.column, "", Span(0, 0), shown(Path(found.file)))
