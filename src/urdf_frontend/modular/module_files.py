"""All files of a module: its package with links and joints as a robot's package has them, and its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from modelica_ast.generate import CLONE, ORDER_FILE, PACKAGE_FILE, Templates, order_file, package_document
from urdf_frontend.building import BuildOptions
from urdf_frontend.building.class_files import class_file
from urdf_frontend.building.part_values import PartValues
from urdf_frontend.building.parts import JOINTS, LINKS, Parts
from urdf_frontend.building.resources import Resources
from urdf_frontend.building.scaffold import part_files
from urdf_frontend.modular.documentation import module_info
from urdf_frontend.modular.module_model import ModuleModel
from urdf_frontend.modular.outlets import links_inside
from urdf_frontend.modules import Module
from urdf_frontend.names import NameTable


@frozen
class ModuleFiles:
    """Makes the files. `package` is the full name of the module's package, `ends` are virtual links that are shown."""

    templates: Templates
    module: Module
    names: NameTable
    package: str
    resources: Resources
    options: BuildOptions
    ends: frozenset[str]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """With their paths in the folder of the module."""
        name = self.names.robot
        title = f"module {' '.join(self.module.path.stem.split())}"
        info = module_info(self.module, self.names, self.package)
        within = self.package.rpartition(".")[0]
        yield PACKAGE_FILE, package_document(name, f"The {title}", within=within, info=info).text.encode()
        parts = self._parts()
        wanted = self._wanted_classes()
        shown = (part for part in parts.classes() if part.name in wanted[part.package])
        yield from part_files(shown, title, self.package, lambda _, part: part.make())
        yield ORDER_FILE, order_file([LINKS, JOINTS, name])
        document = ModuleModel(self.templates, self.module, self.names, parts.parameters).document()
        document.find_class(CLONE).set_annotation("Documentation.info", info)
        yield f"{name}.mo", class_file(document, name, f"The {title}", self.package, {})
        for path, data in self.resources.files.items():
            yield path.as_posix(), data

    def _parts(self) -> Parts:
        values = PartValues(self.templates.name, self.resources.place)
        return Parts(self.module.robot, self.names, self.package, self.templates, values, self.options)

    def _wanted_classes(self) -> Mapping[str, frozenset[str]]:
        links = [self.names.link(link.name) for link in links_inside(self.module)]
        links += [self.names.link(link) for link in sorted(self.ends)]
        joints = self.names.joints.values()
        return {
            LINKS: frozenset(name for named in links for name in (named.class_name, named.parameters)),
            JOINTS: frozenset(name for named in joints for name in (named.class_name, named.parameters)),
        }
