"""Robots made of modules: URDF files that are joined at connectors, and robots that are cut into such files."""

from urdf_frontend.diagnostics import UrdfError
from urdf_frontend.modules.assembled import AssembledInstance, AssembledRobot
from urdf_frontend.modules.assembly import Assembly
from urdf_frontend.modules.checking import check_module
from urdf_frontend.modules.errors import ModuleError, UnreadableAssemblyError
from urdf_frontend.modules.instances import Instance
from urdf_frontend.modules.module_file import Module, Port
from urdf_frontend.modules.ros_package import RosPackage, ros_package
from urdf_frontend.modules.splitting import SplitRobot, split

__all__ = [
    "AssembledInstance",
    "AssembledRobot",
    "Assembly",
    "Instance",
    "Module",
    "ModuleError",
    "Port",
    "RosPackage",
    "SplitRobot",
    "UnreadableAssemblyError",
    "UrdfError",
    "check_module",
    "ros_package",
    "split",
]
