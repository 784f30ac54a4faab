"""The components and connectors that a user can refer to in the model of a robot."""

from __future__ import annotations

from urdf_frontend.building.connectors import ROOT_FRAME
from urdf_frontend.modular.module_model import flange_of
from urdf_frontend.modular.naming import ModularNames, driven_joints
from urdf_frontend.modular.outlets import outlets_of
from urdf_frontend.modules.placing import Placed, Tree


def connectors_of(placed: Placed, names: ModularNames) -> list[str]:
    """The connectors of an instance."""
    parts = names.parts[names.class_of(placed)]
    joints = [parts.joint(joint.name).component for joint in driven_joints(placed.module)]
    flanges = [flange_of(joint, side) for joint in joints for side in "ab"]
    return [ROOT_FRAME, *(outlet.frame for outlet in outlets_of(placed.module)), *flanges]


def interface(tree: Tree, names: ModularNames) -> set[str]:
    """All components, and all connectors of the instances: `elbow`, `elbow.frame_a`."""
    found = set(names.components.values())
    for placed in tree.placed:
        component = names.component(placed)
        found |= {f"{component}.{connector}" for connector in connectors_of(placed, names)}
    return found


def gone_from(before: set[str], now: set[str]) -> list[str]:
    """What is no more; of a component that is gone, the connectors are not listed as well."""
    gone = before - now
    return sorted(each for each in gone if "." not in each or each.partition(".")[0] not in gone)


def changed_numbers(before: ModularNames, now: ModularNames) -> list[str]:
    """A sentence for each flange and end of the robot that belongs to something else than before."""
    found = []
    tables = (
        ("rotational_flange_a", before.rotational, now.rotational),
        ("translational_flange_a", before.translational, now.translational),
        ("frame_b", before.ends, now.ends),
    )
    for connector, old, new in tables:
        owners = {number: key for key, number in new.items()}
        for (instance, part), number in old.items():
            owner = owners.get(number)
            if owner == (instance, part):
                continue
            is_now = "gone" if owner is None else f"that of {owner[0]}.{owner[1]}"
            found.append(
                f"{connector}[{number}] of the robot, which was that of {instance}.{part}, is {is_now}: "
                "see what you have connected with it"
            )
    return found
