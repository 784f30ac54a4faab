"""Robots made of modules: URDF files that are joined at connectors, and robots that are cut into such files.

It decides first and writes then: `structure` says which instance is attached to which port, `part_names` what every
link and joint is called. Then `composition` copies the elements of each module, as lxml has them, into one robot with
the blanks before them, and every name in them is replaced. Frames are mated by identity, so no number changes but the
angles of a connector that is turned. `cuts` is the inverse. `package` makes the robot a Modelica package with a class
for each module, and keeps it up to date by `modelica_ast.generate`.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.modules.assembly import Assembly as Assembly
    from urdf_frontend.modules.composition import (
        AssembledInstance as AssembledInstance,
        AssembledRobot as AssembledRobot,
    )
    from urdf_frontend.modules.cuts import SplitRobot as SplitRobot, split as split
    from urdf_frontend.modules.module_file import (
        Instance as Instance,
        Module as Module,
        ModuleError as ModuleError,
        Port as Port,
        UnreadableAssemblyError as UnreadableAssemblyError,
        check_module as check_module,
    )
    from urdf_frontend.modules.package import (
        ModularPackage as ModularPackage,
        build_modular as build_modular,
        modular_name as modular_name,
    )
    from urdf_frontend.modules.package_update import (
        Assembling as Assembling,
        ExportedModule as ExportedModule,
        Reassembly as Reassembly,
        ReassemblyOptions as ReassemblyOptions,
        Style as Style,
        assemble_again as assemble_again,
        assemble_into as assemble_into,
        export_modular as export_modular,
        is_modular as is_modular,
        update_modular as update_modular,
        with_modular_base as with_modular_base,
    )
    from urdf_frontend.modules.ros_files import RosPackage as RosPackage, ros_package as ros_package
    from urdf_frontend.urdf import UrdfError as UrdfError

__all__ = [
    "AssembledInstance",
    "AssembledRobot",
    "Assembling",
    "Assembly",
    "ExportedModule",
    "Instance",
    "ModularPackage",
    "Module",
    "ModuleError",
    "Port",
    "Reassembly",
    "ReassemblyOptions",
    "RosPackage",
    "SplitRobot",
    "Style",
    "UnreadableAssemblyError",
    "UrdfError",
    "assemble_again",
    "assemble_into",
    "build_modular",
    "check_module",
    "export_modular",
    "is_modular",
    "ros_package",
    "split",
    "update_modular",
    "with_modular_base",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "assembly": "Assembly",
            "cuts": "SplitRobot split",
            "composition": "AssembledInstance AssembledRobot",
            "module_file": "Instance Module ModuleError Port UnreadableAssemblyError check_module",
            "ros_files": "RosPackage ros_package",
            "package": "ModularPackage build_modular modular_name",
            "package_update": (
                "Assembling ExportedModule Reassembly ReassemblyOptions Style assemble_again assemble_into "
                "export_modular is_modular update_modular with_modular_base"
            ),
            "urdf_frontend.urdf": "UrdfError",
        },
    )
