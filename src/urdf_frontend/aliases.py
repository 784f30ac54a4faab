"""Modules of this package that were documented under another name; see `modelica_ast.foundation.doors`."""

from __future__ import annotations

from typing import Final

MOVED: Final = {
    "urdf_frontend.animation": "urdf_frontend.motion",
    "urdf_frontend.building": "urdf_frontend.package",
    "urdf_frontend.checks": "urdf_frontend.urdf",
    "urdf_frontend.cross_check": "urdf_frontend.urdf",
    "urdf_frontend.drawing": "urdf_frontend.robot",
    "urdf_frontend.fmi.ros": "urdf_frontend.fmi",
    "urdf_frontend.fmi.ros.parameters": "urdf_frontend.fmi",
    "urdf_frontend.kinematics": "urdf_frontend.robot",
    "urdf_frontend.meshes": "urdf_frontend.urdf",
    "urdf_frontend.model": "urdf_frontend.robot",
    "urdf_frontend.modular": "urdf_frontend.modules",
    "urdf_frontend.names": "urdf_frontend.robot",
    "urdf_frontend.plots": "urdf_frontend.motion",
    "urdf_frontend.reader": "urdf_frontend.urdf",
    "urdf_frontend.record": "urdf_frontend.package",
    "urdf_frontend.report": "urdf_frontend.motion",
    "urdf_frontend.update": "urdf_frontend.package",
    "urdf_frontend.verify": "urdf_frontend.motion",
}
