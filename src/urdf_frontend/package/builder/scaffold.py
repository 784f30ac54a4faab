"""What the packages of all robots have around their links and joints: packages, package.order, and three models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from attrs import define

from modelica_ast.edit import Document
from modelica_ast.generate import (
    CLONE,
    ORDER_FILE,
    PACKAGE_FILE,
    BuildError,
    Surroundings,
    Templates,
    order_file,
    package_document,
    parent_and_name,
)
from urdf_frontend.package.builder.options import TEMPLATES, BuildOptions, BuiltPackage, Summary
from urdf_frontend.package.builder.part_models import (
    JOINTS,
    LINKS,
    JointKind,
    Part,
    link_kind,
    link_template,
    needed_components,
    shown_collisions,
    shown_visuals,
)
from urdf_frontend.package.builder.robot_model import (
    ROBOT,
    RUN,
    TEMPLATE,
    TEST,
    TEST_SUFFIX,
    Counts,
    class_file,
    needed_icons,
    needed_mimics,
    own_models,
    run_model,
    run_template,
    testing_model,
)
from urdf_frontend.package.memory import remembers
from urdf_frontend.robot import FOR_ROBOTS, NameTable, Robot, plain_identifier, robot_class, simple_identifier
from urdf_frontend.urdf import ALLOWABLE, Severity, UrdfError, validate

Files = Iterator[tuple[str, bytes]]  # by their paths in the package, with `/`


@define(frozen=True, slots=False)
class Scaffold:
    """Makes them. `full_name` is that of the package, `title` what descriptions call the robot."""

    full_name: str
    title: str
    options: BuildOptions

    @cached_property
    def templates(self) -> Templates:
        """The library of the classes that are cloned."""
        return Templates.open(self.options.templates)

    @cached_property
    def name(self) -> str:
        """What the package and the robot's model are called."""
        return parent_and_name(self.full_name)[1]

    @cached_property
    def uses(self) -> dict[str, str]:
        """The libraries that a package needs, with their versions."""
        own = {} if self.templates.version is None else {self.templates.name: self.templates.version}
        return {"Modelica": self.options.modelica_version, **own}

    @property
    def templates_note(self) -> str:
        """Where the templates are, in a sentence."""
        return f"it uses {self.templates.name}, which is in {self.options.templates}"

    def require(self, robots: Iterable[Robot], more: Mapping[str, Iterable[str]] | None = None) -> frozenset[str]:
        """Say all templates, and components of them, that are missing before anything is made; `more` are others.

        What mean something else already in the templates of links and joints: no class of theirs is called so.
        """
        options = self.options
        wanted: dict[str, dict[str, None]] = {
            TEMPLATE: {},
            **{template: dict.fromkeys(components) for template, components in (more or {}).items()},
            run_template(stationary=options.stationary): {ROBOT: None},
            TEST: {},
        }
        parts: dict[str, dict[str, None]] = {}
        for robot in robots:
            for link in robot.links:
                kind = link_kind(shown_visuals(link), shown_collisions(link, options))
                parts.setdefault(link_template(options), {}).update(dict.fromkeys(needed_components(kind)))
            for joint in robot.joints:
                joint_kind = JointKind.of(joint)
                parts.setdefault(joint_kind.template, {}).update(dict.fromkeys(joint_kind.needed_components))
            for mimic in needed_mimics(robot):
                wanted.setdefault(mimic, {}).update({"master": None, "mimic": None})
        self.templates.require(wanted | parts)
        self.templates.require(dict.fromkeys(needed_icons(self.templates, stationary=options.stationary), ()))
        is_new = options.known_names is None
        if is_new and self.name in self._names_in([run_template(stationary=options.stationary)]):
            raise BuildError(f"the run model has something else called '{self.name}': choose another name with --name")
        return self._names_in(parts)

    def reserved(self, *templates: str) -> frozenset[str]:
        """Names that mean something else in clones of some templates."""
        return self._names_in(templates) | {self.templates.name, self.full_name.split(".", 1)[0]}

    def _names_in(self, templates: Iterable[str]) -> frozenset[str]:
        """The names in templates of a user; those of our own are known to all who make names."""
        if self.options.templates == TEMPLATES:
            return frozenset()
        return frozenset(name for template in templates for name in self.templates.names_in(template))

    # ------------------------------------------------------------ files

    def package(self, info: str, parts: Iterable[str]) -> Files:
        """The package itself; `parts` are the packages in it, before the models."""
        parent = parent_and_name(self.full_name)[0]
        document = package_document(
            self.name,
            f"The {self.title}",
            within=parent,
            info=info,
            uses=None if parent else self.uses,
        )
        yield PACKAGE_FILE, document.text.encode()
        yield ORDER_FILE, order_file([*parts, self.name, self.name + RUN, self.name + TEST_SUFFIX])

    def run_and_test(self, counts: Counts) -> Files:
        """The robot in a world, and with its joints moved."""
        run, test = self.name + RUN, self.name + TEST_SUFFIX
        running = run_model(self.templates, self.name, stationary=self.options.stationary)
        yield f"{run}.mo", self._class_file(running, run, f"The {self.title} in a world")
        testing = testing_model(self.templates, run, counts)
        yield f"{test}.mo", self._class_file(testing, test, f"The {self.title}, its joints moved to and fro")

    def robot_file(self, document: Document, info: str) -> bytes:
        """The robot's model, from a clone that was filled."""
        # The template says how to make a robot. The pages of the others are true of every robot, and stay.
        document.find_class(CLONE).set_annotation("Documentation.info", info)
        return self._class_file(document, self.name, f"The {self.title}")

    def _class_file(self, document: Document, name: str, description: str) -> bytes:
        links = own_models(self.templates, self.full_name, self.name, stationary=self.options.stationary)
        return class_file(document, name, description, self.full_name, links)

    def built(
        self, surroundings: Surroundings, files: Mapping[str, bytes], names: NameTable, summary: Summary
    ) -> BuiltPackage:
        """The package in its folder, and what changes around it."""
        name = self.name
        placed = {Path(name, path): data for path, data in files.items()}
        changed = surroundings.changed_files(name, self.uses)
        placed |= {path: new for path, (_, new) in changed.items()}
        model = f"{self.full_name}.{name}{TEST_SUFFIX}"
        return BuiltPackage(name, Path(name), placed, old_files(changed), names, summary, model)


def old_files(changed: Mapping[Path, tuple[bytes | None, bytes]]) -> dict[Path, bytes]:
    """What is there already of the files that change around a package."""
    return {path: old for path, (old, _) in changed.items() if old is not None}


def inner_package(package: str, classes: Iterable[str], title: str, within: str) -> Files:
    """A package of links, joints or modules, and the order of its classes."""
    document = package_document(package, f"{package} of the {title}", within=within)
    yield f"{package}/{PACKAGE_FILE}", document.text.encode()
    yield f"{package}/{ORDER_FILE}", order_file(classes)


def part_files(parts: Iterable[Part], title: str, within: str, make: Callable[[str, Part], bytes]) -> Files:
    """The classes of links and joints, each as `make` makes it by its path, and the packages that they are in."""
    order: dict[str, list[str]] = {LINKS: [], JOINTS: []}
    for part in parts:
        order[part.package].append(part.name)
        path = f"{part.package}/{part.name}.mo"
        yield path, make(path, part)
    for package, names in order.items():
        yield from inner_package(package, names, title, within)


# ---------------------------------------------------------------- admission
# What is asked of a robot and of the options before anything is built from them: a package, or a record.

_MODELICA_VERSION: Final = re.compile(r"4\.[0-9]+\.[0-9]+")


class CommonOptions(Protocol):
    """The options that every kind of build has."""

    @property
    def name(self) -> str | None:
        """The package; None takes the robot's name."""

    @property
    def into(self) -> Path | None:
        """The folder that it is put in; None is the current one."""

    @property
    def new_library(self) -> bool:
        """Does a folder that is not there become a library?"""

    @property
    def modelica_version(self) -> str:
        """Of the Standard Library."""

    @property
    def allowed(self) -> frozenset[str]:
        """Codes of errors that do not stop the build."""

    @property
    def may_be_there(self) -> bool:
        """Is a package of this name in its place no error?"""

    @property
    def known_names(self) -> NameTable | None:
        """The names of an earlier package, which are kept."""


NEW_LIBRARY: Final = "Robots that are described in URDF"


def surroundings_of(options: CommonOptions) -> Surroundings:
    """Where a package goes: a library, or a folder; one that is not there becomes a library if its name is one."""
    folder = Path() if options.into is None else options.into
    name = folder.absolute().name
    is_name = simple_identifier(name, FOR_ROBOTS) == name
    return Surroundings.of(folder, new=NEW_LIBRARY if options.new_library and is_name else None)


def admit(robot: Robot, options: CommonOptions) -> tuple[Surroundings, str]:
    """Where the package of a robot goes, and what it is called there.

    UrdfError with all errors of a robot that can't be built, BuildError if an option is wrong or the name is taken.
    """
    refuse_unusable(robot, options)
    surroundings = surroundings_of(options)
    known = None if options.known_names is None else options.known_names.robot
    # A package that is there has its name already.
    is_known = known is not None and known == options.name
    name = known if is_known and known else package_name(robot, options.name, surroundings.folder)
    surroundings.refuse_taken(name, may_be_there=options.may_be_there)
    return surroundings, name


def refuse_unusable(robot: Robot, options: CommonOptions) -> None:
    """UrdfError or BuildError if no package can be made of a robot with these options, wherever it goes."""
    _refuse_errors(robot, options.allowed)
    if not _MODELICA_VERSION.fullmatch(options.modelica_version):
        raise BuildError(f"the templates need Modelica 4.0.0 or a later 4.x.y, not '{options.modelica_version}'")


def package_name(robot: Robot, wanted: str | None, folder: Path) -> str:
    """The name that a user wants, or else one made from the robot's; BuildError if it can't be one.

    A package that was built in this folder when names were longer is still called so.
    """
    if wanted is None:
        name, longer = robot_class(robot.name), plain_identifier(robot.name or "", FOR_ROBOTS)
        return longer if not (folder / name).exists() and remembers(folder / longer) else name
    free = simple_identifier(wanted, FOR_ROBOTS)
    if free != wanted:
        raise BuildError(f"'{wanted}' can't be the name of the package; '{free}' can")
    return wanted


def _refuse_errors(robot: Robot, allowed: frozenset[str]) -> None:
    refused = sorted(allowed - ALLOWABLE)
    if refused:
        raise BuildError(f"'{refused[0]}' can't be allowed; what can be: {', '.join(sorted(ALLOWABLE))}")
    errors = [found for found in validate(robot) if found.severity is Severity.ERROR and found.code not in allowed]
    if errors:
        raise UrdfError(errors)
