"""A robot as a Modelica package: classes cloned from templates, and what they need around them."""

from urdf_frontend.building.assembly import build
from urdf_frontend.building.errors import BuildError
from urdf_frontend.building.options import BuildOptions, Visualisation
from urdf_frontend.building.previous import PreviousBuild
from urdf_frontend.building.result import BuiltPackage, Summary
from urdf_frontend.building.writing import write

__all__ = ["BuildError", "BuildOptions", "BuiltPackage", "PreviousBuild", "Summary", "Visualisation", "build", "write"]
