"""The three versions that an update of a package of the script merges.

The script's own text is not known, so base and theirs are made from the user's files: base has the values of the URDF
file as it was, theirs those of the new one. What neither URDF file speaks of is the same in all three, and so it stays.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from modelica_ast.generate import Versions
from urdf_frontend.building.parts import LINKS
from urdf_frontend.update.dlr.gone import fields_of, staying_parts
from urdf_frontend.update.dlr.part_versions import PartVersions
from urdf_frontend.update.dlr.robot_texts import restructured, with_counts, with_numbers, with_sources
from urdf_frontend.update.dlr.script_package import RUN, TEST, as_update_errors, opened
from urdf_frontend.update.dlr.structure import Role, Structure, structure_of

_ORDER_FILE: Final = "package.order"


def make_versions(parts: PartVersions) -> Versions:
    """All three, with sentences about what can't be brought in; `parts` collects them."""
    with as_update_errors(parts.user):
        return _made(parts)


def _made(parts: PartVersions) -> Versions:
    before = structure_of(parts.old, parts.names, parts.families(parts.old))
    gone = [role for role in before.parts if fields_of(parts.new, role) is None and _is_there(parts, role)]
    staying = staying_parts(gone, before, parts.old, parts.package, parts.user)
    for role, part in before.parts.items():
        if role in gone:
            parts.gone_part(part, stays=role in staying)
        elif fields_of(parts.new, role) is not None:
            parts.kept_part(role, part)
    after = structure_of(parts.new, parts.names, parts.families(parts.new))
    for role, part in after.parts.items():
        if role not in before.parts:
            parts.new_part(role, part)
    _robot_models(parts, before, after, staying)
    _orders(parts)
    changed = frozenset(path for path, text in parts.ours.items() if parts.base[path] != text)
    return Versions(parts.base, parts.ours, parts.theirs, changed=changed, notes=tuple(parts.notes))


def _is_there(parts: PartVersions, role: Role) -> bool:
    known = parts.package.names
    return role[1] in (known.links if role[0] == LINKS else known.joints)


def _robot_models(parts: PartVersions, before: Structure, after: Structure, staying: set[Role]) -> None:
    """The robot itself, and the models that run and test it."""
    name, path, user = parts.package.model, parts.package.model_file, parts.user
    text = user.text(path)
    parts.ours[path] = text
    parts.base[path] = with_numbers(text, name, before)
    parts.theirs[path], notes = restructured(with_numbers(text, name, after), name, before, after, staying)
    parts.notes += notes
    for path in (f"{name}{RUN}.mo", f"{name}{TEST}.mo"):
        if path in user.files:
            text = opened(user, path).text  # what is wrong in it is said with its name
            parts.ours[path] = text
            parts.base[path] = with_counts(text, before.counts)
            parts.theirs[path], notes = with_sources(with_counts(text, after.counts), before, after, name)
            parts.notes += notes


def _orders(parts: PartVersions) -> None:
    """Each package.order without the classes that go, and with the new ones at its end."""
    for package, added in parts.added.items():
        path = f"{package}/{_ORDER_FILE}"
        if path not in parts.user.files:
            continue
        text = parts.user.text(path)
        gone = {PurePosixPath(file).stem for file in parts.removed if file.startswith(f"{package}/")}
        lines = [line for line in text.splitlines(keepends=True) if line.strip() not in gone]
        end = "\r\n" if "\r\n" in text else "\n"
        new = [name for name in added if name not in text.split()]
        if lines and new and not lines[-1].endswith("\n"):
            lines[-1] += end
        parts.base[path] = parts.ours[path] = text
        parts.theirs[path] = "".join([*lines, *(f"{name}{end}" for name in new)])
