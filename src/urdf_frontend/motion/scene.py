"""What of a robot can be seen: shapes of links with their colours, and what can't be shown."""

from __future__ import annotations

import math
import sys
from array import array
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from urdf_frontend.motion.triangles import FARTHEST, Triangles, read_triangles
from urdf_frontend.robot import (
    IDENTITY,
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Kinematics,
    Link,
    Mesh,
    Number,
    Pose,
    Rotation,
    Sphere,
    Triple,
    Visual,
)
from urdf_frontend.urdf import BrokenMeshError, Packages, reason_of, resolve

PLAIN: Final = (0.72, 0.74, 0.78, 1.0)  # what has no colour of its own

Shape = dict[str, Any]  # as the page has it: a kind and its measures


class _NotShownError(Exception):
    """A shape that can't be shown; the words say why."""


@frozen
class Part:
    """A shape of a link. Its role is `visual`, `collision`, or `stand-in`: a collision where no visual can be shown."""

    link: str
    role: str
    shape: Shape
    pose: tuple[float, ...]
    colour: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """As the page has it; the link is known there."""
        return {"role": self.role, "pose": list(self.pose), "colour": list(self.colour), **self.shape}


@frozen
class Scene:
    """The parts of all links, the meshes that they are made of, and a note for each thing that can't be shown.

    `missing` says how many visuals that is.
    """

    parts: tuple[Part, ...]
    meshes: tuple[Triangles, ...] = field(repr=False)
    notes: tuple[str, ...]
    missing: int

    def reach(self, part: Part) -> float:
        """How far a part is from the frame of its link, at most."""
        shape = part.shape
        match shape["shape"]:
            case "box":
                size = math.hypot(*shape["size"]) / 2
            case "sphere":
                size = shape["radius"]
            case "mesh":
                points = self.meshes[shape["mesh"]].points
                size = math.sqrt(
                    max((sum(x * x for x in points[i : i + 3]) for i in range(0, len(points), 3)), default=0)
                )
            case _:
                size = shape["radius"] + shape["length"] / 2
        return math.hypot(*part.pose[:3]) + float(size)

    def meshes_as_json(self) -> list[dict[str, str]]:
        """Points and triangles in base64."""
        return [
            {"points": packed_singles(mesh.points), "triangles": packed_indices(mesh.indices)} for mesh in self.meshes
        ]


def make_scene(
    kinematics: Kinematics,
    packages: Packages | None = None,
    *,
    urdf: Path | None = None,
    copies: Mapping[str, Path] | None = None,
) -> Scene:
    """Look at all links that can be reached; mesh files are read once for each scale. Never raises.

    Where a mesh is not found by its name in the URDF file, its copy is taken.
    """
    packages = Packages(near=urdf) if packages is None else packages
    builder = _Builder(packages, urdf, {} if copies is None else copies)
    parts = [part for name in kinematics.order for part in builder.parts(kinematics, name)]
    if builder.replaced:
        builder.notes[f"Collision shapes stand in for the visuals of {', '.join(builder.replaced)}."] = None
    if kinematics.unreachable:
        listed = ", ".join(kinematics.unreachable)
        builder.notes[f"Not shown, because they are attached to no root: {listed}."] = None
    return Scene(tuple(parts), tuple(builder.meshes), tuple(builder.notes), builder.missing)


@define
class _Builder:
    packages: Packages
    urdf: Path | None
    copies: Mapping[str, Path]
    meshes: list[Triangles] = field(factory=list)
    notes: dict[str, None] = field(factory=dict)  # each once, in order
    missing: int = 0
    replaced: list[str] = field(factory=list)  # links that their collision shapes stand in for
    _numbers: dict[tuple[str, Triple], int | str] = field(factory=dict)  # of meshes, or why there is none

    def parts(self, kinematics: Kinematics, name: str) -> Iterator[Part]:
        link = kinematics.robot.get_link(name)
        if link is None:
            return
        visuals = [self._part(link, visual, "visual") for visual in link.visuals]
        yield from filter(None, visuals)
        role = "stand-in" if visuals and not any(visuals) else "collision"
        collisions = list(filter(None, (self._part(link, collision, role) for collision in link.collisions)))
        if role == "stand-in" and collisions:
            self.replaced.append(name)
        yield from collisions

    def _part(self, link: Link, part: Visual | Collision, role: str) -> Part | None:
        if part.geometry is None:
            return None  # the checks report it
        colour: tuple[float, ...] = PLAIN
        if isinstance(part, Visual) and part.look is not None:
            if part.look.colour is not None:
                colour = part.look.colour.clamped
            if part.look.texture is not None:
                self.notes[f"Textures are not shown: {part.look.texture.filename}."] = None
        try:
            pose = _pose(part)
            shape = self._shape(part.geometry)
        except _NotShownError as wrong:
            if role == "visual":
                self.missing += 1
                self.notes[f"Link {link.name}: {wrong}."] = None
            return None
        return Part(link.name, role, shape, pose_numbers(pose), colour)

    def _shape(self, geometry: Geometry) -> Shape:
        match geometry:
            case Box(size=size) if size is not None:
                return {"shape": "box", "size": [_length(each) for each in size.numbers]}
            case Cylinder(radius=radius, length=length) | Capsule(radius=radius, length=length):
                kind = "cylinder" if isinstance(geometry, Cylinder) else "capsule"
                return {"shape": kind, "radius": _length(radius), "length": _length(length)}
            case Sphere(radius=radius):
                return {"shape": "sphere", "radius": _length(radius)}
            case Mesh():
                return {"shape": "mesh", "mesh": self._mesh(geometry)}
        tag = getattr(geometry, "tag", "box")
        raise _NotShownError(f"a <{tag}> without known measures can't be shown")

    def _mesh(self, mesh: Mesh) -> int:
        key = mesh.filename, mesh.scales
        if key not in self._numbers:
            self._numbers[key] = self._read_mesh(mesh)
        found = self._numbers[key]
        if isinstance(found, str):
            raise _NotShownError(found)
        return found

    def _read_mesh(self, mesh: Mesh) -> int | str:
        resolved = resolve(mesh.filename, self.packages, self.urdf)
        about = f"the mesh {mesh.filename} can't be shown"
        path = resolved.path
        if path is None or not path.exists():
            path = self.copies.get(mesh.filename, path)
        if path is None:
            return f"{about}: {resolved.problem}"
        try:
            triangles = read_triangles(path, mesh.scales)
        except BrokenMeshError as wrong:
            return f"{about}: {wrong}"
        except OSError as wrong:
            return f"{about}: {reason_of(wrong)}"
        self.meshes.append(triangles)
        return len(self.meshes) - 1


def _pose(part: Visual | Collision) -> Pose:
    pose = IDENTITY if part.origin is None else part.origin.pose
    if max(map(abs, pose.translation)) > FARTHEST:
        raise _NotShownError("a shape is too far away to be shown")
    return pose


def _length(number: Number | None) -> float:
    if number is None or not math.isfinite(number.value):
        raise _NotShownError("a shape that lacks measures can't be shown")
    if abs(number.value) > FARTHEST:
        raise _NotShownError("a shape is too large to be shown")
    return abs(number.value)


# ---------------------------------------------------------------- packing
# Numbers as the page keeps them: rows of little-endian floats in base64, orientations as quaternions.

Quaternion = tuple[float, float, float, float]


def packed_singles(numbers: Iterable[float]) -> str:
    """Numbers with four bytes each, which is as exact as a picture can be."""
    return _packed(array("f", numbers))


def packed_doubles(numbers: Iterable[float]) -> str:
    """Numbers with eight bytes each: times, of which two may differ by little."""
    return _packed(array("d", numbers))


def packed_indices(numbers: Iterable[int]) -> str:
    """Whole numbers with four bytes each."""
    return _packed(array("I", numbers))


def pose_numbers(pose: Pose) -> tuple[float, ...]:
    """A pose as seven numbers: x, y, z and the quaternion with its scalar part last."""
    return (*pose.translation, *quaternion_of(pose.rotation))


def quaternion_of(rotation: Rotation) -> Quaternion:
    """The quaternion (x, y, z, w) of a rotation. The largest part is computed first, so that nothing is lost."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    squares = (1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i)
    largest = max(range(4), key=squares.__getitem__)
    rows = (
        (squares[0], b + d, c + g, h - f),
        (b + d, squares[1], f + h, c - g),
        (c + g, f + h, squares[2], d - b),
        (h - f, c - g, d - b, squares[3]),
    )
    x, y, z, w = rows[largest]
    length = math.hypot(x, y, z, w)
    return x / length, y / length, z / length, w / length


def _packed(numbers: array[float] | array[int]) -> str:
    if sys.byteorder == "big":
        numbers.byteswap()
    return b64encode(numbers.tobytes()).decode("ascii")
