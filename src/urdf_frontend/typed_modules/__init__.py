"""Python modules of robots: typed names for links and joints, and where they are in Modelica.

Start with `modules`. A module is a list of `ast` statements (`statements`), each known by the name that it binds.
`layout` opens the brackets of what `ast.unparse` wrote, parses the result and compares it with the tree. An old
module is never run: `python_text` finds its generated statements by their positions, and replaces those whose trees
differ. Overloads are one for each type of joint, over `Literal`s of all its ids, so their number does not grow with
the robot.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.typed_modules.agreement import Difference as Difference, differences as differences
    from urdf_frontend.typed_modules.blueprint import (
        TypesError as TypesError,
        UnreadableModuleError as UnreadableModuleError,
    )
    from urdf_frontend.typed_modules.layout import text_of as text_of
    from urdf_frontend.typed_modules.modules import (
        MadeModule as MadeModule,
        ModuleOptions as ModuleOptions,
        make_module as make_module,
    )
    from urdf_frontend.typed_modules.python_text import ExistingModule as ExistingModule, read_module as read_module
    from urdf_frontend.typed_modules.registry_files import (
        RegistryEntry as RegistryEntry,
        module_as_seen_from as module_as_seen_from,
        updated_registry as updated_registry,
    )
    from urdf_frontend.typed_modules.statements import PYTHONS as PYTHONS

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

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "agreement": "Difference differences",
            "blueprint": "TypesError UnreadableModuleError",
            "layout": "text_of",
            "modules": "MadeModule ModuleOptions make_module",
            "python_text": "ExistingModule read_module",
            "registry_files": "RegistryEntry module_as_seen_from updated_registry",
            "statements": "PYTHONS",
        },
    )
