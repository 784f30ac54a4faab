"""Pages that show moving robots: one HTML file each that needs nothing else, and no network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen
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
    copies: Mapping[str, Path] | None = None,
) -> bytes:
    """The page of a motion. Meshes are looked for as the robot's file `urdf` names them; `notes` are shown too.

    `copies` are files that a package has of meshes, by the names that the URDF file has for them.
    """
    actor = Actor("", robot, motion, packages, urdf, {} if copies is None else copies)
    return stage_page(motion.title, [actor], notes=notes)


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


def _joint_data(
    joint: Joint, before: str, links: dict[str, int], joints: dict[str, int], values: Sequence[tuple[float, ...]]
) -> dict[str, Any]:
    lower, upper = joint.bounds or (None, None)
    return {
        "name": before + joint.name,
        "type": joint.type.value,
        "parent": links[joint.parent],
        "child": links[joint.child],
        "axis": list(joint.direction) if joint.type.has_axis else None,
        "lower": lower,
        "upper": upper,
        "follows": _followed(joint, before, joints),
        "freedoms": joint.type.degrees_of_freedom,
        # What moves it by hand: where it is on its parent, how far it goes, and the plane that it slides in.
        "origin": list(pose_numbers(IDENTITY if joint.origin is None else joint.origin.pose)),
        "ranges": [_hand_range(joint, index) for index in range(joint.type.degrees_of_freedom)],
        "plane": list(map(list, plane_of(joint.direction))) if joint.type is JointType.PLANAR else None,
        "values": packed_singles(number for value in values for number in value),
    }


def _followed(joint: Joint, before: str, joints: dict[str, int]) -> dict[str, Any] | None:
    mimic = joint.mimic
    if mimic is None or not follows(joint):
        return None
    leader = joints.get(mimic.joint)
    return {"name": before + mimic.joint, "joint": leader, "factor": mimic.factor, "shift": mimic.shift}


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
# Several robots on one page, runs that are compared, and what holds and what is held: a cell in motion.


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
_GAP: Final = 0.15  # between robots, as a share of how wide they are
_LOOKS: Final = 40
_SHADOW: Final = (0.95, 0.52, 0.14)  # of a run that is compared
_THICKNESS: Final = 0.01  # of a rectangle, for its length: it has none, and would not be seen


@frozen
class Actor:
    """A robot on the stage, by the name of its component; a robot that is alone needs none.

    One that is `compared` is the same robot in another run: a shadow beside the one of its name.
    """

    name: str
    robot: Robot
    motion: Motion
    packages: Packages | None = None
    urdf: Path | None = None
    copies: Mapping[str, Path] = field(factory=dict)
    compared: bool = False


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


def stage_page(
    title: str,
    actors: Sequence[Actor],
    props: Sequence[Prop] = (),
    notes: Iterable[str] = (),
    *,
    name: str | None = None,
    side_by_side: bool = False,
) -> bytes:
    """The page of robots, called `name` or as the title ends. AnimationError if there is nothing to show.

    They are where their motions say, or stand `side_by_side` along y.

    Robots may have times of their own. What holds and what is held has those of the first robot, and in such a cell
    all have the same.
    """
    if not actors:
        raise AnimationError("there is no robot to be shown")
    if props and any(list(actor.motion.times) != list(actors[0].motion.times) for actor in actors):
        raise AnimationError("the motions of the robots have different times")
    stage = _Stage(list(notes), 0.0 if side_by_side else None)
    for actor in actors:
        stage.add(actor)
    first = len(stage.links)
    colours = _colours(props)
    stage.links += [_prop_link(prop, colours) for prop in props]
    if name is None:
        is_alone = not any(actor.name for actor in actors)
        name = shown_name(actors[0].robot.name or "robot") if is_alone else title.rpartition(".")[2]
    floors = {actor.motion.floor for actor in actors}
    data = {
        "robot": name,
        "motion": title,
        "tracks": stage.tracks,
        "floor": None if props else next((floor for floor in floors if floor is not None), None),
        "links": stage.links,
        "joints": stage.joints,
        "meshes": stage.meshes,
        "missing": stage.missing,
        "notes": list(dict.fromkeys(stage.notes)),
    }
    return render_page(data | ({"held": list(_held(props, first))} if props else {}))


@define
class _Stage:
    """All that the page shows, as JSON; it grows with each robot."""

    notes: list[str]
    free: float | None = None  # from there on along y there is room for the next robot
    tracks: list[dict[str, str]] = field(factory=list)
    links: list[dict[str, Any]] = field(factory=list)
    joints: list[dict[str, Any]] = field(factory=list)
    meshes: list[dict[str, str]] = field(factory=list)
    missing: int = 0
    _seen: dict[str, _Seen] = field(factory=dict)  # by robot

    def add(self, actor: Actor) -> None:
        """Put a robot on the stage. AnimationError if a link is too far away."""
        kinematics, motion = Kinematics.of(actor.robot), actor.motion
        for name, poses in motion.poses.items():
            if any(abs(number) > FARTHEST for pose in poses for number in pose.translation):
                raise AnimationError(f"link '{shown_name(name)}' is too far away to be shown")
        before = f"{actor.name}." if actor.name else ""
        self.notes += [f"{actor.name}: {note}" if before else note for note in motion.notes]
        if actor.compared:
            seen = self._seen[actor.name]
            shown = {link: list(map(_as_shadow, parts)) for link, parts in seen.parts.items()}
        else:
            seen = self._seen[actor.name] = self._parts(actor, kinematics, before)
            shown = seen.parts
        numbers = {name: len(self.links) + number for number, name in enumerate(kinematics.order)}
        track, own_first = len(self.tracks), len(self.joints)
        self.tracks.append({"name": motion.title, "times": packed_doubles(motion.times)})
        self.links += [
            {
                "name": before + name,
                "track": track,
                "shadows": seen.first_link + number if actor.compared else None,
                **packed_poses(seen.moved(motion.poses[name])),
                "parts": shown[name],
            }
            for number, name in enumerate(numbers)
        ]
        joints = kinematics.joint_order()
        places = {joint.name: own_first + number for number, joint in enumerate(joints)}
        for number, joint in enumerate(joints):
            data = _joint_data(joint, before, numbers, places, motion.values[joint.name])
            shadowed = seen.first_joint + number if actor.compared else None
            self.joints.append({**data, "track": track, "shadows": shadowed})

    def _parts(self, actor: Actor, kinematics: Kinematics, before: str) -> _Seen:
        scene = make_scene(kinematics, actor.packages, urdf=actor.urdf, copies=actor.copies)
        parts: dict[str, list[dict[str, Any]]] = {name: [] for name in kinematics.order}
        for part in scene.parts:
            data = part.as_json()
            parts[part.link].append({**data, "mesh": data["mesh"] + len(self.meshes)} if "mesh" in data else data)
        self.meshes += scene.meshes_as_json()
        self.missing += scene.missing
        self.notes += [f"{actor.name}: {note}" if before else note for note in scene.notes]
        aside = 0.0
        if self.free is not None:
            low, high = _width(scene, actor.motion)
            aside = self.free - low if self.joints else 0.0
            self.free = aside + high + _GAP * (high - low)
        return _Seen(len(self.links), len(self.joints), parts, aside)


@frozen
class _Seen:
    """A robot on the stage: its first link and joint, the parts of its links, and how far it is moved aside."""

    first_link: int
    first_joint: int
    parts: dict[str, list[dict[str, Any]]]
    aside: float

    def moved(self, poses: Sequence[Pose]) -> Sequence[Pose]:
        """The poses of a link where it stands."""
        if not self.aside:
            return poses
        moved = Pose(IDENTITY.rotation, (0.0, self.aside, 0.0))
        return [moved @ pose for pose in poses]


def _width(scene: Scene, motion: Motion) -> tuple[float, float]:
    """From where to where a robot reaches along y, looked at at some of its times."""
    low, high = math.inf, -math.inf
    reach = dict.fromkeys(motion.poses, 0.0)
    for part in scene.parts:
        reach[part.link] = max(reach[part.link], scene.reach(part))
    step = max(1, len(motion.times) // _LOOKS)
    for link, poses in motion.poses.items():
        for pose in poses[::step]:
            y = pose.translation[1]
            low, high = min(low, y - reach[link]), max(high, y + reach[link])
    return low, high


def _as_shadow(part: dict[str, Any]) -> dict[str, Any]:
    """Of a run that is compared, collisions stay hidden."""
    return part if part["role"] == "collision" else {**part, "role": "shadow", "colour": [*_SHADOW, 1.0]}


def _colours(props: Sequence[Prop]) -> dict[str, tuple[float, ...]]:
    holding = [prop.name for prop in props if prop.holders is None]
    others = cycle([word for word in _COLOURS if word not in holding] or _COLOURS)
    return {name: _COLOURS[name if name in _COLOURS else next(others)] for name in holding}


def _prop_link(prop: Prop, colours: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    # What holds is as large as its reach, and what it holds is inside of it.
    role = "visual" if prop.holders is not None else "reach"
    colour = [*colours.get(prop.name, _FREE), 1.0]
    part = {"role": role, "pose": list(pose_numbers(IDENTITY)), "colour": colour, **prop.shape}
    return {
        "name": prop.name,
        "kind": prop.kind,
        "track": 0,
        "shadows": None,
        **packed_poses(prop.poses),
        "parts": [part],
    }


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
