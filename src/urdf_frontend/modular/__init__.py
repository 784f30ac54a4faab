"""Robots made of modules as Modelica packages: a model for each module, and the robot with its instances."""

from urdf_frontend.modular.assembling import Assembling, Style, assemble_into
from urdf_frontend.modular.building import ModularPackage, build_modular
from urdf_frontend.modular.keeping import with_modular_base
from urdf_frontend.modular.references import Dangling
from urdf_frontend.modular.updating import Reassembly, ReassemblyOptions, update_modular

__all__ = [
    "Assembling",
    "Dangling",
    "ModularPackage",
    "Reassembly",
    "ReassemblyOptions",
    "Style",
    "assemble_into",
    "build_modular",
    "update_modular",
    "with_modular_base",
]
