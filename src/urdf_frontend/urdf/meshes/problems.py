"""The mesh files of a robot: found, looked into, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from urdf_frontend.robot import Mesh, Robot
from urdf_frontend.urdf.diagnostics import Diagnostic, Findings, in_order, quoted, reason_of
from urdf_frontend.urdf.meshes.files import MeshFile, inspect_mesh
from urdf_frontend.urdf.meshes.places import Packages, resolve


@frozen
class MeshReport:
    """The files by the names that the URDF has for them, and what is wrong, each file at its first use."""

    files: Mapping[str, MeshFile]
    diagnostics: tuple[Diagnostic, ...]


def check_meshes(robot: Robot, packages: Packages | None = None, *, urdf: Path | None = None) -> MeshReport:
    """Find and look into all mesh files of a robot that was read from the file `urdf`; never raises."""
    packages = Packages(near=urdf) if packages is None else packages
    findings = Findings("<text>" if urdf is None else str(urdf))
    files: dict[str, MeshFile] = {}
    seen: set[str] = set()
    for mesh in meshes_of(robot):
        if not mesh.filename or mesh.filename in seen:
            continue
        seen.add(mesh.filename)
        found = _inspected(mesh, packages, urdf, findings)
        if found is not None:
            files[mesh.filename] = found
    return MeshReport(files, in_order(findings.diagnostics))


def meshes_of(robot: Robot) -> Iterator[Mesh]:
    """All meshes of a robot, in the order of the file."""
    for link in robot.links:
        for part in link.parts:
            if isinstance(part.geometry, Mesh):
                yield part.geometry


def _inspected(mesh: Mesh, packages: Packages, urdf: Path | None, findings: Findings) -> MeshFile | None:
    resolved = resolve(mesh.filename, packages, urdf)
    path = resolved.path
    if path is None:
        message = f"the mesh {quoted(mesh.filename)} is not looked at: {resolved.problem}"
        findings.report("urdf-mesh-path", mesh.place, message, resolved.hint)
        return None
    try:
        found = inspect_mesh(path)
    except FileNotFoundError:
        message = f"the mesh {quoted(mesh.filename)} does not exist"
        findings.report("urdf-mesh-missing", mesh.place, message, _other_case(path))
        return None
    except OSError as wrong:
        message = f"the mesh {quoted(mesh.filename)} can't be read: {reason_of(wrong)}"
        findings.report("urdf-mesh-missing", mesh.place, message)
        return None
    if found.format is None:
        message = f"the mesh {quoted(mesh.filename)} is of no format that is known"
        findings.report("urdf-mesh-format", mesh.place, message, "known are STL, OBJ and DAE")
    elif found.problem is not None:
        message = f"the mesh {quoted(mesh.filename)}, {found.format}, is damaged: {found.problem}"
        findings.report("urdf-mesh-broken", mesh.place, message)
    return found


def _other_case(path: Path) -> str:
    """Names that differ in their case only are the same on some systems."""
    if not path.parent.is_dir():
        return ""
    near = [other.name for other in path.parent.iterdir() if other.name.lower() == path.name.lower()]
    return f"did you mean {quoted(near[0])}?" if near else ""
