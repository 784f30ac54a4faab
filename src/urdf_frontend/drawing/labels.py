"""What drawings say about joints and links, on one line each."""

from __future__ import annotations

from typing import Final

from urdf_frontend.model.joints import Joint, JointType

_LONGEST: Final = 40


def shown_name(name: str) -> str:
    """A name that keeps to its line: control characters, which would garble it, are replaced."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name) or "(no name)"


def short_name(name: str) -> str:
    """Likewise, and not too long."""
    shown = shown_name(name)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def joint_kind(joint: Joint) -> str:
    """`revolute 0 0 1`: the type, and the axis as the file has it."""
    kind = short_name(joint.type_text) if joint.type is JointType.UNKNOWN else joint.type.value
    if joint.type.has_axis:
        axis = None if joint.axis is None else joint.axis.xyz
        kind += f" {'1 0 0' if axis is None else short_name(axis.text)}"
    return kind if joint.mimic is None else f"{kind}, follows {short_name(joint.mimic.joint)}"
