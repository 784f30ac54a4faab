"""Pages that show moving robots: one HTML file each that needs nothing else, and no network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from lxml import etree, html

from urdf_frontend.motion.motions import AnimationError, Motion, joint_range
from urdf_frontend.motion.scene import (
    Scene,
    make_scene,
    packed_doubles,
    packed_indices,
    packed_singles,
    pose_numbers,
)
from urdf_frontend.motion.triangles import FARTHEST
from urdf_frontend.robot import (
    IDENTITY,
    Joint,
    JointType,
    Kinematics,
    Pose,
    Robot,
    follows,
    plane_of,
    shown_name,
)
from urdf_frontend.urdf import Packages

# ---------------------------------------------------------------- one robot


DATA: Final = "robot-data"  # the id of the element that has the numbers
_VIEWER: Final = files("urdf_frontend.motion") / "viewer"
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
        "joints": list(_joints_data(kinematics.joint_order(), numbers, motion)),
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


def _joints_data(joints: Sequence[Joint], links: dict[str, int], motion: Motion) -> Iterator[dict[str, Any]]:
    numbers = {joint.name: number for number, joint in enumerate(joints)}
    for joint in joints:
        yield _joint_data(joint, links, numbers, motion.values[joint.name])


def _joint_data(
    joint: Joint, links: dict[str, int], joints: dict[str, int], values: Sequence[tuple[float, ...]]
) -> dict[str, Any]:
    lower, upper = joint.bounds or (None, None)
    return {
        "name": joint.name,
        "type": joint.type.value,
        "parent": links[joint.parent],
        "child": links[joint.child],
        "axis": list(joint.direction) if joint.type.has_axis else None,
        "lower": lower,
        "upper": upper,
        "follows": _followed(joint, joints),
        "freedoms": joint.type.degrees_of_freedom,
        # What moves it by hand: where it is on its parent, how far it goes, and the plane that it slides in.
        "origin": list(pose_numbers(IDENTITY if joint.origin is None else joint.origin.pose)),
        "ranges": [_hand_range(joint, index) for index in range(joint.type.degrees_of_freedom)],
        "plane": list(map(list, plane_of(joint.direction))) if joint.type is JointType.PLANAR else None,
        "values": packed_singles(number for value in values for number in value),
    }


def _followed(joint: Joint, joints: dict[str, int]) -> dict[str, Any] | None:
    mimic = joint.mimic
    if mimic is None or not follows(joint):
        return None
    return {"name": mimic.joint, "joint": joints.get(mimic.joint), "factor": mimic.factor, "shift": mimic.shift}


def _hand_range(joint: Joint, index: int) -> tuple[float, float]:
    return (-math.pi, math.pi) if joint.type is JointType.CONTINUOUS else joint_range(joint, index)


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


# ---------------------------------------------------------------- several robots
# Several robots on one page, with what holds and what is held: a cell in motion.


# One for each thing that holds, and again from the first if there are more; a thing that is free is grey. What has the
# name of a colour has this colour.
_COLOURS: Final = {
    "blue": (0.20, 0.48, 0.82),
    "orange": (0.95, 0.52, 0.14),
    "green": (0.16, 0.62, 0.32),
    "red": (0.84, 0.28, 0.22),
    "violet": (0.48, 0.36, 0.76),
    "yellow": (0.93, 0.74, 0.12),
    "pink": (0.90, 0.44, 0.70),
    "teal": (0.13, 0.66, 0.68),
}
_FREE: Final = (0.55, 0.57, 0.6)
_THICKNESS: Final = 0.01  # of a rectangle, for its length: it has none, and would not be seen


@frozen
class Actor:
    """A robot on the stage, by the name of its component."""

    name: str
    robot: Robot
    motion: Motion
    packages: Packages | None = None
    urdf: Path | None = None


@frozen
class Prop:
    """What holds or can be held, as the contact sees it: a ball, or a plate with half extents along x and y.

    `holders` says for each time who holds it, by the name of another prop, and None if nobody does; what can't be held
    has no `holders`.
    """

    name: str
    kind: str  # what people call it: gripper, holder, tool
    size: float | tuple[float, float]
    poses: Sequence[Pose]
    holders: Sequence[str | None] | None = None

    @property
    def shape(self) -> dict[str, Any]:
        """As the page has it."""
        if isinstance(self.size, float | int):
            return {"shape": "sphere", "radius": self.size}
        x, y = self.size
        return {"shape": "box", "size": [2 * x, 2 * y, _THICKNESS * max(x, y)]}


def stage_page(title: str, actors: Sequence[Actor], props: Sequence[Prop], notes: Iterable[str] = ()) -> bytes:
    """The page of a cell. All motions have the same times; AnimationError if not, or if there is nothing to show."""
    if not actors:
        raise AnimationError("there is no robot to be shown")
    times = actors[0].motion.times
    if any(list(actor.motion.times) != list(times) for actor in actors):
        raise AnimationError("the motions of the robots have different times")
    links: list[dict[str, Any]] = []
    joints: list[dict[str, Any]] = []
    meshes: list[dict[str, str]] = []
    told = list(notes)
    missing = 0
    for actor in actors:
        kinematics = Kinematics.of(actor.robot)
        scene = make_scene(kinematics, actor.packages, urdf=actor.urdf)
        data = page_data(kinematics, actor.motion, scene)
        joints += [_moved_joint(joint, actor.name, len(links), len(joints)) for joint in data["joints"]]
        links += [_moved_link(link, actor.name, len(meshes)) for link in data["links"]]
        meshes += data["meshes"]
        missing += data["missing"]
        told += [f"{actor.name}: {note}" for note in data["notes"]]
    first = len(links)
    colours = _colours(props)
    links += [_prop_link(prop, colours) for prop in props]
    return render_page(
        {
            "robot": title.rpartition(".")[2],
            "motion": title,
            "times": packed_doubles(times),
            "floor": None,
            "links": links,
            "joints": joints,
            "meshes": meshes,
            "missing": missing,
            "notes": told,
            "held": list(_held(props, first)),
        }
    )


def _moved_joint(joint: dict[str, Any], actor: str, first: int, first_joint: int) -> dict[str, Any]:
    followed = joint["follows"]
    if followed is not None:
        number = followed["joint"]
        followed = {
            **followed,
            "name": f"{actor}.{followed['name']}",
            "joint": None if number is None else number + first_joint,
        }
    return {
        **joint,
        "name": f"{actor}.{joint['name']}",
        "parent": joint["parent"] + first,
        "child": joint["child"] + first,
        "follows": followed,
    }


def _moved_link(link: dict[str, Any], actor: str, first: int) -> dict[str, Any]:
    parts = [{**part, "mesh": part["mesh"] + first} if "mesh" in part else part for part in link["parts"]]
    return {**link, "name": f"{actor}.{link['name']}", "parts": parts}


def _colours(props: Sequence[Prop]) -> dict[str, tuple[float, ...]]:
    holding = [prop.name for prop in props if prop.holders is None]
    others = cycle([word for word in _COLOURS if word not in holding] or _COLOURS)
    return {name: _COLOURS[name if name in _COLOURS else next(others)] for name in holding}


def _prop_link(prop: Prop, colours: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    # What holds is as large as its reach, and what it holds is inside of it.
    role = "visual" if prop.holders is not None else "reach"
    colour = [*colours.get(prop.name, _FREE), 1.0]
    part = {"role": role, "pose": list(pose_numbers(IDENTITY)), "colour": colour, **prop.shape}
    return {"name": prop.name, "kind": prop.kind, **packed_poses(prop.poses), "parts": [part]}


def _held(props: Sequence[Prop], first: int) -> Iterable[dict[str, Any]]:
    """For each thing that can be held: its link, and the number of who holds it, 0 for nobody, at each time."""
    places = {prop.name: first + number for number, prop in enumerate(props)}
    for prop in props:
        if prop.holders is not None:
            names = list(dict.fromkeys(name for name in prop.holders if name is not None))
            numbers = {name: number for number, name in enumerate(names, 1)}
            yield {
                "link": places[prop.name],
                "holders": [places[name] for name in names],
                "values": packed_indices(0 if name is None else numbers[name] for name in prop.holders),
            }
