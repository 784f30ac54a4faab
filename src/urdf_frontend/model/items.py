"""What all parts of a robot have in common: a place, and what the format does not know is kept."""

from __future__ import annotations

from attrs import field, frozen

from urdf_frontend.model.places import NOWHERE, Place


@frozen(kw_only=True)
class Extension:
    """An element that URDF does not define (gazebo, ros2_control, sensor, drake:…), as the very text of the file."""

    tag: str  # as written, with its prefix
    text: str
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class OtherAttribute:
    """An attribute that URDF does not define for its element."""

    name: str  # as written, with its prefix
    value: str
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Comment:
    """A comment: its text between `<!--` and `-->`, and the XPaths of what is around it and of what follows it."""

    text: str
    inside: str
    before: str | None  # None: it is the last thing inside its element
    place: Place = field(default=NOWHERE, eq=False)


@frozen(kw_only=True)
class Item:
    """Base of all parts of a robot.

    Two parts are equal if they say the same; where they stand does not count.
    """

    extensions: tuple[Extension, ...] = ()
    other_attributes: tuple[OtherAttribute, ...] = ()
    place: Place = field(default=NOWHERE, eq=False, repr=False)
