"""A robot's package as it was generated last time, and as it would be generated today.

PERF: of a robot with 200 links and one new mass, one record is made. The others are as they were generated last,
whatever that was: if the user has not touched such a file it is there, and if they have, theirs stays.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from modelica_ast.edit import Document
from modelica_ast.generate import UserPackage, differs, older_files, templates_digest, untouched_files
from urdf_frontend.building import BuildOptions, PreviousBuild
from urdf_frontend.building.assembly import robot_files
from urdf_frontend.building.parts import JOINTS, LINKS
from urdf_frontend.building.side_car import RobotFiles, generator
from urdf_frontend.model import Robot
from urdf_frontend.names import Named, NameTable, make_names
from urdf_frontend.update.keeping import Kept


def rebuilt_base(kept: Kept, options: BuildOptions) -> Mapping[str, bytes]:
    """What was generated last time, generated again."""
    again = evolve(options, known_names=kept.names, known_resources=kept.file.resources)
    return robot_files(kept.robot, kept.file.package, again).files


@frozen
class Generation:
    """Generates what a URDF file says now, for a package that was generated before; `known` are names that stay."""

    kept: Kept
    user: UserPackage
    robot: Robot
    known: NameTable

    def generate(self, options: BuildOptions) -> tuple[RobotFiles, dict[str, str]]:
        """All files, out of the way of the user's names; and those that are as before, with their digests."""
        options = evolve(options, known_names=self.known)
        made, as_before = self._generated(options)
        free = self._names_without_clashes(made, options)
        return (made, as_before) if free is made.names else self._generated(evolve(options, known_names=free))

    def _generated(self, options: BuildOptions) -> tuple[RobotFiles, dict[str, str]]:
        kept = self.kept
        if not self._is_comparable(options):
            return robot_files(self.robot, kept.file.package, options), {}
        known = self._known_files()
        previous = PreviousBuild(kept.robot, kept.names, kept.file.resources, known)
        made = robot_files(self.robot, kept.file.package, options, previous=previous)
        return made, {path: kept.file.files[path] for path in known if path in made.reused}

    def _is_comparable(self, options: BuildOptions) -> bool:
        """Has the same generator made the package, from the same templates, and is it still where it was?"""
        file, names, robot = self.kept.file, self.kept.names, self.kept.robot
        # After `--rename` the names are those of the new file.
        return (
            all(link.name in names.links for link in robot.links)
            and all(joint.name in names.joints for joint in robot.joints)
            and file.generator == generator()
            and file.templates == templates_digest(options.templates)
            and file.package == self.user.full_name
        )

    def _known_files(self) -> dict[str, bytes]:
        """The generated classes that are there. What somebody has asked about is made anew, to have both sides."""
        file, user = self.kept.file, self.user
        asked = {conflict.file for conflict in file.conflicts}
        paths = untouched_files(file, user) if self._has_gone_parts() else file.files.keys() & user.files.keys()
        paths = paths - older_files(file, user)
        return {path: user.files[path] for path in paths if path.endswith(".mo") and path not in asked}

    def _has_gone_parts(self) -> bool:
        """Then it counts what the user has written into each file: it may use what is gone."""
        before, now = self.kept.robot, self.robot
        links = {link.name for link in before.links} - {link.name for link in now.links}
        return bool(links or {joint.name for joint in before.joints} - {joint.name for joint in now.joints})

    # ------------------------------------------------------------ names

    def _names_without_clashes(self, made: RobotFiles, options: BuildOptions) -> NameTable:
        """The names that were made, or others for those that the user has given to something else."""
        names, known = made.names, self.known
        new = [(LINKS, named) for name, named in names.links.items() if name not in known.links]
        new += [(JOINTS, named) for name, named in names.joints.items() if name not in known.joints]
        if not new:
            return names
        used = self._own_components()
        taken = {name for package, named in new for name in self._taken(package, named, made, used)}
        if not taken:
            return names
        return make_names(
            names.robot,
            (link.name for link in self.robot.links),
            (joint.name for joint in self.robot.joints),
            style=options.name_style,
            known=NameTable(names.robot, _free(names.links, taken), _free(names.joints, taken)),
            reserved=taken | set(used),
        )

    def _taken(self, package: str, named: Named, made: RobotFiles, used: Mapping[str, str]) -> set[str]:
        """The names that something else of the user's has. What is equal to what is generated is no other thing."""
        found: set[str] = set()
        files = [f"{package}/{named.class_name}.mo", f"{package}/{named.parameters}.mo"]
        there = [path for path in files if path in self.user.files]
        if any(differs(made.files[path].decode(), self.user.text(path), path) for path in there):
            found.add(named.class_name)
        if used.get(named.component, f"{package}.{named.class_name}") != f"{package}.{named.class_name}":
            found.add(named.component)
        return found

    def _own_components(self) -> dict[str, str]:
        """The components that the user has added to the robot's model, with their types."""
        path, name = f"{self.kept.name}.mo", self.kept.name
        if path not in self.user.files:
            return {}
        model = Document(self.user.text(path)).get_class(name)
        if model is None:
            return {}
        known = self.known
        generated = {named.component for named in (*known.links.values(), *known.joints.values())}
        return {each.name: str(each.type) for each in model.components if each.name not in generated}


def _free(names: Mapping[str, Named], taken: set[str]) -> dict[str, Named]:
    return {
        name: named for name, named in names.items() if named.class_name not in taken and named.component not in taken
    }
