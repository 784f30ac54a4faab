"""The options of a build as the side-car has them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from modelica_ast.generate import NoBaseError, Templates, UpdateError
from urdf_frontend.building.options import TEMPLATES, BuildOptions, Visualisation
from urdf_frontend.names import NameStyle

STYLE: Final = "style"  # the option of a package that was put together from modules
MODULAR: Final = "modular"
_OWN_TEMPLATES: Final = "UrdfRobots"
_NONE: Final = "-"
_TRUTHS: Final = {"true": True, "false": False}


def settings_of(options: BuildOptions, templates: str | None = None) -> dict[str, str]:
    """What must be the same when the package is built again; `templates` is the name of their library."""
    return {
        "allowed": ",".join(sorted(options.allowed)) or _NONE,
        "collisions": str(options.collisions).lower(),
        "meshes": str(options.copy_meshes).lower(),
        "modelica": options.modelica_version,
        "names": options.name_style.value,
        "stationary": str(options.stationary).lower(),
        "templates": templates or Templates.open(options.templates).name,
        "visualisation": options.visualisation.value,
    }


def allowed_of(settings: Mapping[str, str]) -> frozenset[str]:
    """The codes of errors that the robot is built in spite of."""
    return frozenset(settings.get("allowed", _NONE).split(",")) - {_NONE}


def options_of(settings: Mapping[str, str], templates: Path | None, file: str) -> BuildOptions:
    """The options again. Where templates of the user's own are has to be said anew: folders differ between machines."""
    try:
        library = settings["templates"]
        options = BuildOptions(
            allowed=allowed_of(settings),
            collisions=_TRUTHS[settings["collisions"]],
            copy_meshes=_TRUTHS[settings["meshes"]],
            modelica_version=settings["modelica"],
            name_style=NameStyle(settings["names"]),
            stationary=_TRUTHS[settings["stationary"]],
            visualisation=Visualisation(settings["visualisation"]),
            templates=TEMPLATES if templates is None else templates,
        )
    except (KeyError, ValueError) as wrong:
        raise NoBaseError(f"{file}: an option is missing or has a value that is not known: {wrong}") from None
    if library != _OWN_TEMPLATES and templates is None:
        raise UpdateError(f"the package was built from the templates of {library}: say where they are with --templates")
    return options
