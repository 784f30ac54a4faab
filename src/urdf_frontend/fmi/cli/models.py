"""The model that a call is about, with the libraries that it uses, all of them in order."""

from __future__ import annotations

from pathlib import Path

from modelica_ast.cli.searches import settle
from urdf_frontend.fmi.opening import OpenModel, open_model


def open_in_order(place: Path, model: str | None) -> OpenModel:
    """`open_model`; libraries that are only found by it may have a save that was interrupted."""
    found = open_model(place, model)
    return open_model(place, model) if settle(library.path for library in found.libraries) else found
