"""Modules that no instance uses any more: they go where the user did not touch them, and stay otherwise, as a whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from attrs import evolve

from urdf_frontend.building.surroundings import ORDER_FILE
from urdf_frontend.modular.naming import MODULES, ModularNames
from urdf_frontend.update.user_package import UserPackage
from urdf_frontend.update.versions import Versions

_ORDER: Final = f"{MODULES}/{ORDER_FILE}"


def gone_modules(before: ModularNames, now: ModularNames) -> list[str]:
    """The classes that only the first names have."""
    return sorted(set(before.modules.values()) - set(now.modules.values()))


def edited_modules(gone: Iterable[str], versions: Versions, user: UserPackage, generated: Collection[str]) -> set[str]:
    """Those with a file that the user has changed or added."""
    touched = {path for path in versions.changed if path in versions.ours}
    touched |= {path for path in user.files if path not in generated}
    return {name for name in gone if any(is_in_module(path, name) for path in touched)}


def used_modules(gone: Iterable[str], texts: Mapping[str, str]) -> set[str]:
    """Those that a text outside of them names; `texts` are by their paths."""
    found = set()
    for name in gone:
        use = re.compile(rf"(?<![\w']){MODULES}\.{re.escape(name)}\.\w")
        if any(use.search(text) for path, text in texts.items() if not is_in_module(path, name)):
            found.add(name)
    return found


def is_in_module(path: str, name: str) -> bool:
    """Is it a file of the module's package?"""
    return path.startswith(f"{MODULES}/{name}/")


def with_modules_that_stay(versions: Versions, staying: Collection[str]) -> Versions:
    """The versions as if these modules had never been generated: so they are the user's own, and in package.order."""
    if not staying:
        return versions

    def others(texts: Mapping[str, str]) -> dict[str, str]:
        return {path: text for path, text in texts.items() if not any(is_in_module(path, name) for name in staying)}

    base, theirs = others(versions.base), others(versions.theirs)
    theirs[_ORDER] = _order(base.get(_ORDER, ""), theirs[_ORDER], staying)
    return evolve(versions, base=base, ours=others(versions.ours), theirs=theirs)


def _order(base: str, theirs: str, staying: Collection[str]) -> str:
    now = theirs.split()
    before = [name for name in base.split() if name in now or name in staying]
    names = dict.fromkeys([*before, *now, *sorted(staying)])
    end = "\r\n" if "\r\n" in theirs else "\n"
    return "".join(f"{name}{end}" for name in names)
