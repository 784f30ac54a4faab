"""Transmissions drive joints that exist."""

from __future__ import annotations

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.robot import Robot


def check_transmissions(robot: Robot, findings: Findings) -> None:
    """The rest of a transmission has too many dialects to be judged."""
    for transmission in robot.transmissions:
        for joint in transmission.joints:
            if robot.get_joint(joint.name) is None:
                message = f"the transmission drives the joint {quoted(joint.name)}, which does not exist"
                findings.report("urdf-transmission-joint", joint.place, message)
