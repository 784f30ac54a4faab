"""An assembly: a robot's name and its modules, and the verbs that change it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from urdf_frontend.modules.assembled import AssembledRobot
from urdf_frontend.modules.assembling import assemble
from urdf_frontend.modules.assembly_file import assembly_yaml, parse_assembly, read_assembly
from urdf_frontend.modules.changing import with_inserted, with_replaced, without
from urdf_frontend.modules.errors import ModuleError
from urdf_frontend.modules.instances import Instance, is_word, names_of
from urdf_frontend.modules.module_file import Module, read_module
from urdf_frontend.modules.placing import Tree, place

_IN_MEMORY: Final = "assembly"


class Assembly:
    """The modules of a robot in order. The verbs change it, and refuse with a ModuleError what can't be.

    Module files are read when they are first needed, with `urdf_frontend.read`, and once each. `folder` is where
    their paths count from. `allow_outside` lets modules name meshes that are in none of their folders.
    """

    def __init__(
        self,
        robot: str,
        instances: tuple[Instance, ...],
        *,
        folder: str | os.PathLike[str] = ".",
        file: str = _IN_MEMORY,
        package_folders: tuple[str | os.PathLike[str], ...] = (),
        allow_outside: bool = False,
    ) -> None:
        self.robot = robot
        self.instances = tuple(instances)
        self.folder = Path(folder)
        self.file = file
        self.package_folders = tuple(Path(package) for package in package_folders)
        self.allow_outside = allow_outside
        self._read: dict[Path, Module] = {}

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        package_folders: tuple[str | os.PathLike[str], ...] = (),
        allow_outside: bool = False,
    ) -> Assembly:
        """Read an assembly file; ModuleError with the line for what is wrong with it."""
        path = Path(path)
        found = read_assembly(path)
        return cls(
            found.robot,
            found.instances,
            folder=path.parent,
            file=str(path),
            package_folders=package_folders,
            allow_outside=allow_outside,
        )

    @classmethod
    def parse(cls, text: str, *, folder: str | os.PathLike[str] = ".") -> Assembly:
        """The same of a text; module files are looked for in `folder`."""
        found = parse_assembly(text, _IN_MEMORY)
        return cls(found.robot, found.instances, folder=folder)

    def __repr__(self) -> str:
        return f"Assembly({self.robot!r}, {list(self.names)!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """What the instances are called: their `as`, or `m_1`, `m_2`, … by position."""
        return names_of(self.instances)

    @property
    def modules(self) -> tuple[Module, ...]:
        """The distinct module files, in the order of their first use; UrdfError if one has errors."""
        return tuple(dict.fromkeys(self._module(instance) for instance in self.instances))

    @property
    def tree(self) -> Tree:
        """Which instance hangs on which port."""
        return place(self.instances, tuple(map(self._module, self.instances)), self.file)

    def to_urdf(self, *, package: str | None = None) -> AssembledRobot:
        """The assembled robot.

        With the name of a ROS package, meshes are named as files of it and `copies` says where they come from.
        Without, `package://` stays, and relative paths count from `folder`.
        """
        return assemble(self.robot, self.tree, file=self.file, folder=self.folder, package=package)

    def to_yaml(self) -> str:
        """The text of an assembly file with these modules."""
        return assembly_yaml(self.robot, self.instances)

    def insert(
        self,
        use: str,
        *,
        after: str | None = None,
        before: str | None = None,
        name: str | None = None,
        rotate: float = 0.0,
        prefix: str | None = None,
    ) -> None:
        """Put a module between two. `after` is an instance, or `instance.port`; `before` is an instance.

        What hung there hangs on the new module, which needs one output connector for it. Without `after` and `before`
        it comes behind the last module.
        """
        if name is not None and not is_word(name):
            raise ModuleError(f"'{name}' is no name for a module: letters, digits and '_', no digit first")
        if name in self.names:
            raise ModuleError(f"there is a module '{name}' already")
        new = Instance(use=use, given_name=name, rotate=rotate, prefix=prefix)
        self._change(with_inserted(self.tree, new, self._module(new), after=after, before=before))

    def remove(self, name: str) -> None:
        """Take a module out; the one that hangs on it takes its place."""
        self._change(without(self.tree, name))

    def replace(self, name: str, use: str) -> None:
        """Use another module file for an instance, which keeps its name, its place and what hangs on it."""
        self._change(with_replaced(self.tree, name, use, self._module(Instance(use=use))))

    def _change(self, instances: tuple[Instance, ...]) -> None:
        place(instances, tuple(map(self._module, instances)), self.file)  # refuses what is no tree
        self.instances = instances

    def _module(self, instance: Instance) -> Module:
        path = self.folder / instance.use
        key = path.resolve()
        if key not in self._read:
            where = f"{self.file}:{instance.line}" if instance.line else self.file
            self._read[key] = read_module(
                path,
                self._free_name(path.stem),
                place=where,
                package_folders=self.package_folders,
                allow_outside=self.allow_outside,
            )
        return self._read[key]

    def _free_name(self, stem: str) -> str:
        taken = {module.name for module in self._read.values()}
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        return name
