"""Python modules of robots: typed names for links and joints, and where they are in Modelica."""

from urdf_frontend.typed_modules.checking import Difference, differences
from urdf_frontend.typed_modules.errors import TypesError, UnreadableModuleError
from urdf_frontend.typed_modules.making import MadeModule, ModuleOptions, make_module
from urdf_frontend.typed_modules.module_parts import ExistingModule, read_module
from urdf_frontend.typed_modules.registry_files import RegistryEntry, updated_registry

__all__ = [
    "Difference",
    "ExistingModule",
    "MadeModule",
    "ModuleOptions",
    "RegistryEntry",
    "TypesError",
    "UnreadableModuleError",
    "differences",
    "make_module",
    "read_module",
    "updated_registry",
]
