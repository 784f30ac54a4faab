"""Several robots on one page, with what holds and what is held: a cell in motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from urdf_frontend.motion.animation.motions import AnimationError, Motion
from urdf_frontend.motion.animation.page import packed_poses, page_data, render_page
from urdf_frontend.motion.animation.scene import make_scene, packed_doubles, packed_indices, pose_numbers
from urdf_frontend.robot import IDENTITY, Kinematics, Pose, Robot
from urdf_frontend.urdf import Packages

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
        joints += [_moved_joint(joint, actor.name, len(links)) for joint in data["joints"]]
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


def _moved_joint(joint: dict[str, Any], actor: str, first: int) -> dict[str, Any]:
    follows = joint["follows"]
    return {
        **joint,
        "name": f"{actor}.{joint['name']}",
        "parent": joint["parent"] + first,
        "child": joint["child"] + first,
        "follows": None if follows is None else f"{actor}.{follows}",
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
