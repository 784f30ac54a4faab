"""Rotations as matrices and quaternions (x, y, z, w). A matrix turns what is written in the moved frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def rotation_of_rpy(angles: Array) -> Array:
    """The rotation of roll, pitch and yaw: about x, then y, then z, all of them fixed."""
    roll, pitch, yaw = angles
    return about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)


def about(axis: npt.ArrayLike, angle: float) -> Array:
    """The rotation about a unit vector."""
    skew = cross_matrix(np.asarray(axis, dtype=float))
    turned: Array = np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew
    return turned


def cross_matrix(vector: Array) -> Array:
    """The matrix of the cross product with a vector."""
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)


def quaternion_of(rotation: Array) -> Array:
    """The quaternion of a rotation, by its largest element, so that none is divided by something small."""
    trace = float(np.trace(rotation))
    squares = np.array([*(1 + 2 * np.diag(rotation) - trace), 1 + trace])
    largest = int(np.argmax(squares))
    r = rotation
    rows = np.array(
        [
            [squares[0], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
            [r[0, 1] + r[1, 0], squares[1], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
            [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], squares[2], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], squares[3]],
        ]
    )
    found: Array = rows[largest] / np.linalg.norm(rows[largest])
    return found


def rotation_of_quaternion(quaternion: Array) -> Array:
    """The rotation of a quaternion of any length."""
    *vector, scalar = quaternion / np.linalg.norm(quaternion)
    skew = cross_matrix(np.array(vector))
    turned: Array = np.eye(3) + 2 * scalar * skew + 2 * skew @ skew
    return turned


def quaternion_rate(quaternion: Array, turning: Array) -> Array:
    """How fast a quaternion changes at an angular velocity in the moved frame."""
    x, y, z, w = quaternion
    p, q, r = turning
    return 0.5 * np.array([w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p, -x * p - y * q - z * r])
