"""What a file says of its version, and what it uses of newer ones."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.fields import VERSIONS, items_in, type_of
from urdf_frontend.model.places import Place
from urdf_frontend.model.robot import Robot


def check_version(robot: Robot, findings: Findings) -> None:
    """An unknown version is read as the newest one; older programs do not know what newer ones brought."""
    version = "1.0" if robot.version is None else robot.version
    if version == "1":
        version = "1.0"
    if version not in VERSIONS:
        message = f"there is no URDF version {quoted(version)}; it is read as {VERSIONS[-1]}"
        findings.report("urdf-version", robot.place, message, f"the versions are: {', '.join(VERSIONS)}")
        return
    for needed, what, place in _newer(robot):
        if needed > version:
            message = f"{what} is of URDF {needed}, and the file is of version {version}"
            findings.report("urdf-newer-version", place, message, f'write <robot version="{needed}" …>')


def _newer(robot: Robot) -> Iterator[tuple[str, str, Place]]:
    for whole in (*robot.links, *robot.joints):
        for _, item in items_in(whole):
            found = type_of(item)
            if found is None:
                continue
            if found.since != VERSIONS[0]:
                yield found.since, f"<{found.tag}>", item.place
            for field in found.newer_fields:
                if getattr(item, field.attribute) is not None:
                    yield field.since, f"'{field.attribute}'", item.place
