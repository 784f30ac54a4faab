"""From a file, a text or bytes to a robot and all that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from attrs import field, frozen

from modelica_ast.foundation import open_regular
from urdf_frontend.robot import NOWHERE, Robot
from urdf_frontend.urdf.checks import validate
from urdf_frontend.urdf.diagnostics import Diagnostic, Findings, Severity, UrdfError, in_order, reason_of
from urdf_frontend.urdf.document import LARGEST_FILE, Document, document_of_bytes
from urdf_frontend.urdf.mesh_places import Packages
from urdf_frontend.urdf.robots import read_robot
from urdf_frontend.urdf.xml_tree import parse_xml


@frozen
class ReadResult:
    """A robot and all diagnostics, by line.

    The robot is None if the file is not XML, or its root no robot. With other errors it is what could be read, to be
    looked at; `usable_robot()` is the one to build from. `document` has the very text, where spans lead to; for a
    xacro file that is the expanded text, while lines are those of the xacro files.
    """

    robot: Robot | None
    diagnostics: tuple[Diagnostic, ...]
    document: Document | None = field(default=None, repr=False, eq=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that keep a robot from being built."""
        return tuple(found for found in self.diagnostics if found.severity is Severity.ERROR)

    @property
    def is_usable(self) -> bool:
        """Is there a robot, and no error?"""
        return self.robot is not None and not self.errors

    def usable_robot(self, *, allowed: Collection[str] = ()) -> Robot:
        """The robot, if there are no errors but those whose codes are allowed; UrdfError with all others."""
        errors = [found for found in self.errors if found.code not in allowed]
        if errors or self.robot is None:
            raise UrdfError(errors or self.errors)
        return self.robot


def read(
    source: str | bytes | os.PathLike[str],
    *,
    path: str | os.PathLike[str] | None = None,
    packages: Packages | None = None,
    xacro_arguments: Mapping[str, str] | None = None,
) -> ReadResult:
    """Read a robot from a file, from its bytes, or from its text; never raises for what they contain.

    A `str` with a `<` in it is a text, any other the path of a file. `path` is where a text or bytes came from.
    A file whose name ends in `.xacro`, or any file if there are arguments for xacro, is expanded first; `packages`
    finds what it includes. Lines are those of the xacro files.
    """
    where = Path(path) if path is not None else None
    if isinstance(source, bytes):
        return _read_bytes(source, where, Findings(_shown(where)))
    if isinstance(source, str) and "<" in source:
        findings = Findings(_shown(where))
        return _read_document(Document(source, where), findings)
    where = Path(source)
    findings = Findings(_shown(where))
    data = _bytes_of(where, findings)
    if data is None:
        return ReadResult(None, tuple(findings.diagnostics))
    if where.suffix != ".xacro" and xacro_arguments is None:
        return _read_bytes(data, where, findings)
    packages = Packages(near=where) if packages is None else packages
    from urdf_frontend.urdf.expansion import expand  # noqa: PLC0415  (PERF: few robots are of xacro)

    document = expand(where, xacro_arguments or {}, packages.get_folder, findings)
    if document is None:
        return ReadResult(None, tuple(findings.diagnostics))
    return _read_document(document, findings)


def _shown(path: Path | None) -> str:
    return "<text>" if path is None else str(path)


def _bytes_of(path: Path, findings: Findings) -> bytes | None:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            return file.read(LARGEST_FILE + 1)  # who looks at them says that they are too many
    except OSError as wrong:
        findings.report("urdf-file", NOWHERE, f"the file can't be read: {reason_of(wrong)}")
        return None


def _read_bytes(data: bytes, path: Path | None, findings: Findings) -> ReadResult:
    if len(data) > LARGEST_FILE:
        message = f"the file has more than {LARGEST_FILE // 1_000_000} MB; no robot is that large"
        findings.report("urdf-too-large", NOWHERE, message)
        return ReadResult(None, tuple(findings.diagnostics))
    return _read_document(document_of_bytes(data, path, findings), findings)


def _read_document(document: Document, findings: Findings) -> ReadResult:
    tree = parse_xml(document, findings)
    robot = None if tree is None else read_robot(tree, findings)
    if robot is not None:
        validate(robot, findings)
    return ReadResult(robot, in_order(findings.diagnostics), document)
