"""Links and joints that are called otherwise in the new URDF file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from urdf_frontend.model import Robot


def rename_suggestions(before: Robot, now: Robot, known: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each link or joint that seems to have another name: one is gone, one is new, and all else equal.

    Those that are known to be renamed need none.
    """
    links = [link for link in before.links if now.get_link(link.name) is None and link.name not in known]
    for new in now.links:
        old = [link for link in links if evolve(link, name=new.name) == new]
        if before.get_link(new.name) is None and len(old) == 1:
            yield _suggestion("link", old[0].name, new.name)
    joints = [joint for joint in before.joints if now.get_joint(joint.name) is None and joint.name not in known]
    for joint in now.joints:
        same = [each for each in joints if evolve(each, name=joint.name) == joint]
        if before.get_joint(joint.name) is None and len(same) == 1:
            yield _suggestion("joint", same[0].name, joint.name)


def _suggestion(what: str, old: str, new: str) -> str:
    return (
        f"the {what} '{old}' is gone and '{new}' is new, and they are equal but for the name; if it was renamed, "
        f"--rename {old}={new} keeps what you did to it"
    )
