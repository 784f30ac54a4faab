"""What an update need not generate again: classes that the new URDF file says the same about as the old one.

PERF: of a robot with 200 links and one new mass, one record is made. The others are as they were generated last,
whatever that was: if the user has not touched such a file it is there, and if they have, theirs stays.
"""

from __future__ import annotations

from attrs import evolve, frozen

from urdf_frontend.building import BuildOptions, PreviousBuild
from urdf_frontend.building.templates import Templates
from urdf_frontend.model import Robot
from urdf_frontend.update.generating import Generated, generate
from urdf_frontend.update.keeping import Kept, generator
from urdf_frontend.update.user_package import UserPackage
from urdf_frontend.update.versions import untouched_files


@frozen
class Generating:
    """Generates what a URDF file says now, for a package that was generated before."""

    kept: Kept
    user: UserPackage
    robot: Robot

    def generate(self, options: BuildOptions) -> Generated:
        """All files; `as_before` says which of them were not made."""
        package = self.kept.file.package
        if not self._is_comparable(options):
            return generate(self.robot, package, options)
        kept, known = self.kept, self._known_files()
        previous = PreviousBuild(kept.robot, kept.names, kept.file.resources, known)
        made = generate(self.robot, package, options, previous)
        reused = {path: kept.file.files[path] for path in known if path in made.reused}
        return evolve(made, as_before=reused)

    def _is_comparable(self, options: BuildOptions) -> bool:
        """Has the same generator made the package, from the same templates, and is it still where it was?"""
        file, names, robot = self.kept.file, self.kept.names, self.kept.robot
        # After `--rename` the names are those of the new file.
        return (
            all(link.name in names.links for link in robot.links)
            and all(joint.name in names.joints for joint in robot.joints)
            and file.generator == generator()
            and file.templates == Templates.open(options.templates).digest()
            and file.package == self.user.full_name
        )

    def _known_files(self) -> dict[str, bytes]:
        """The generated classes that are there. What somebody has asked about is made anew, to have both sides."""
        kept, user = self.kept, self.user
        asked = {conflict.file for conflict in kept.file.conflicts}
        paths = untouched_files(kept, user) if self._has_gone_parts() else kept.file.files.keys() & user.files.keys()
        return {path: user.files[path] for path in paths if path.endswith(".mo") and path not in asked}

    def _has_gone_parts(self) -> bool:
        """Then it counts what the user has written into each file: it may use what is gone."""
        before, now = self.kept.robot, self.robot
        links = {link.name for link in before.links} - {link.name for link in now.links}
        return bool(links or {joint.name for joint in before.joints} - {joint.name for joint in now.joints})
