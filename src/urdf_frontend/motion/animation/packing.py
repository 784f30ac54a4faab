"""Numbers as the page keeps them: rows of little-endian floats in base64, orientations as quaternions."""

from __future__ import annotations

import math
import sys
from array import array
from base64 import b64encode
from collections.abc import Iterable
from typing import Final

from urdf_frontend.robot import Pose, Rotation

FARTHEST: Final = 1e15  # metres: its square still fits into four bytes

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
