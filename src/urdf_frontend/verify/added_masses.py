"""Links that need a mass before their motion can be compared: where nothing has one, no engine can compute it."""

from __future__ import annotations

from typing import Final

import numpy as np

from urdf_frontend.model import Robot
from urdf_frontend.verify.configurations import Start
from urdf_frontend.verify.errors import VerifyError
from urdf_frontend.verify.freedoms import Motion
from urdf_frontend.verify.reference import PinocchioRobot

_SMALLEST: Final = 1e-10  # eigenvalue of a mass matrix with ones on its diagonal
_NOTHING: Final = 1e-14  # on the diagonal, in kg or kg.m2


def reference_with_masses(text: str, robot: Robot, motion: Motion, start: Start) -> tuple[PinocchioRobot, set[str]]:
    """Pinocchio's robot, and the links that had to get a mass so that its mass matrix can be inverted."""
    given: set[str] = set()
    while True:
        reference = PinocchioRobot(text, robot, motion, given)
        link = _link_without_mass(reference, start)
        if link is None:
            return reference, given
        if link in given:
            raise VerifyError(f"the equations of motion are singular at link '{link}': its mass matrix has no inverse")
        given.add(link)


def _link_without_mass(reference: PinocchioRobot, start: Start) -> str | None:
    motion = reference.motion
    if not motion.size:
        return None
    matrix = reference.mass_matrix(start.positions(motion))
    scale = np.sqrt(np.diag(matrix))
    for freedom in motion.freedoms:
        if np.min(scale[freedom.span]) ** 2 < _NOTHING:
            return freedom.child
    values, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    if values[0] > _SMALLEST:
        return None
    worst = int(np.argmax(np.abs(vectors[:, 0])))
    return next(freedom.child for freedom in motion.freedoms if freedom.first <= worst < freedom.first + freedom.size)
