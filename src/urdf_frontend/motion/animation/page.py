"""The page that shows a moving robot: one HTML file that needs nothing else, and no network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from lxml import etree, html

from urdf_frontend.motion.animation.motions import AnimationError, Motion
from urdf_frontend.motion.animation.scene import (
    Scene,
    make_scene,
    packed_doubles,
    packed_indices,
    packed_singles,
    pose_numbers,
)
from urdf_frontend.motion.animation.triangles import FARTHEST
from urdf_frontend.robot import Joint, Kinematics, Number, Pose, Robot, follows, shown_name
from urdf_frontend.urdf import Packages

DATA: Final = "robot-data"  # the id of the element that has the numbers
_VIEWER: Final = files("urdf_frontend.motion.animation") / "viewer"
_SCRIPTS: Final = (
    "matrices.js",
    "shapes.js",
    "robot.js",
    "picking.js",
    "webgl.js",
    "canvas.js",
    "camera.js",
    "panel.js",
    "tooltip.js",
    "picture.js",
    "viewer.js",
)


def animation_page(
    robot: Robot,
    motion: Motion,
    *,
    packages: Packages | None = None,
    urdf: Path | None = None,
    notes: Iterable[str] = (),
) -> bytes:
    """The page of a motion. Meshes are looked for as the robot's file `urdf` names them; `notes` are shown too."""
    kinematics = Kinematics.of(robot)
    scene = make_scene(kinematics, packages, urdf=urdf)
    return render_page(page_data(kinematics, motion, scene, notes))


def page_data(kinematics: Kinematics, motion: Motion, scene: Scene, notes: Iterable[str] = ()) -> dict[str, Any]:
    """Everything that the page shows, as JSON. AnimationError if a link is too far away."""
    for name, poses in motion.poses.items():
        if any(abs(number) > FARTHEST for pose in poses for number in pose.translation):
            raise AnimationError(f"link '{shown_name(name)}' is too far away to be shown")
    numbers = {name: number for number, name in enumerate(kinematics.order)}
    parts: dict[str, list[dict[str, Any]]] = {name: [] for name in numbers}
    for part in scene.parts:
        parts[part.link].append(part.as_json())
    return {
        "robot": shown_name(kinematics.robot.name or "robot"),
        "motion": motion.title,
        "times": packed_doubles(motion.times),
        "floor": motion.floor,
        "links": [{"name": name, **packed_poses(motion.poses[name]), "parts": parts[name]} for name in numbers],
        "joints": [_joint_data(joint, numbers, motion.values[joint.name]) for joint in kinematics.joint_order()],
        "meshes": scene.meshes_as_json(),
        "missing": scene.missing,
        "notes": [*notes, *motion.notes, *scene.notes],
    }


def packed_poses(poses: Sequence[Pose]) -> dict[str, str | None]:
    """Seven numbers for each pose that differs from the one before it, and which of them counts at each time.

    That is None where each time has a pose of its own.
    """
    distinct: list[Pose] = []
    rows: list[int] = []
    for pose in poses:
        if not distinct or (pose is not distinct[-1] and pose != distinct[-1]):
            distinct.append(pose)
        rows.append(len(distinct) - 1)
    numbers = packed_singles(number for pose in distinct for number in pose_numbers(pose))
    return {"poses": numbers, "rows": None if len(distinct) == len(poses) else packed_indices(rows)}


def _joint_data(joint: Joint, links: dict[str, int], values: Sequence[tuple[float, ...]]) -> dict[str, Any]:
    limit = joint.limit
    has_ends = joint.type.is_single and limit is not None
    return {
        "name": joint.name,
        "type": joint.type.value,
        "parent": links[joint.parent],
        "child": links[joint.child],
        "axis": list(joint.direction) if joint.type.has_axis else None,
        "lower": _value(limit.lower) if has_ends and limit is not None else None,
        "upper": _value(limit.upper) if has_ends and limit is not None else None,
        "follows": joint.mimic.joint if joint.mimic is not None and follows(joint) else None,
        "freedoms": joint.type.degrees_of_freedom,
        "values": packed_singles(number for value in values for number in value),
    }


def _value(number: Number | None) -> float | None:
    return None if number is None else number.value


def render_page(data: dict[str, Any]) -> bytes:
    """The page with the style, the scripts and the numbers inside of it."""
    page = html.document_fromstring(_text("page.html"))
    head, body = page.find("head"), page.find("body")
    assert head is not None
    assert body is not None
    title = head.find("title")
    assert title is not None
    title.text = f"{data['robot']} – {shown_name(data['motion'])}"
    etree.SubElement(head, "style").text = _text("style.css")
    numbers = etree.SubElement(body, "script", type="application/json", id=DATA)
    # No tag can start in it, whatever a robot, a link or a file is called. JSON reads the escape as the same letter.
    numbers.text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    for name in _SCRIPTS:
        etree.SubElement(body, "script").text = _text(name)
    return html.tostring(page, doctype="<!DOCTYPE html>", encoding="utf-8")


def _text(name: str) -> str:
    return (_VIEWER / name).read_text(encoding="utf-8")
