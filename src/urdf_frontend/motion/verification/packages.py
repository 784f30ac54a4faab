"""A package against Pinocchio, as a whole or part by part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np
from attrs import evolve, fields

from modelica_ast.files import Kept
from modelica_ast.foundation import read_regular
from modelica_ast.library import Shelf
from modelica_ast.simulation import SimulationError, Simulator, digest_of, digest_of_libraries
from urdf_frontend.motion.verification.comparison import Comparison, LinkState, Sample
from urdf_frontend.motion.verification.differences import Tally, Verification
from urdf_frontend.motion.verification.freedoms import FREE_BASE, Motion, VerifyError, VerifyOptions
from urdf_frontend.motion.verification.part_run import PartResult, PartRun
from urdf_frontend.motion.verification.probe import free_name, make_pulses
from urdf_frontend.motion.verification.reference import PinocchioRobot, Start, random_start
from urdf_frontend.motion.verification.robot_class import Part, PartFiles, cut
from urdf_frontend.motion.verification.urdf_text import added_mass_parameters, refused_limits
from urdf_frontend.package import TEMPLATES, RobotPackage
from urdf_frontend.robot import Kinematics, Robot
from urdf_frontend.urdf import ReadResult

# ---------------------------------------------------------------- added masses
# Links that need a mass before their motion can be compared: where nothing has one, no engine can compute it.

_SMALLEST: Final = 1e-10  # eigenvalue of a mass matrix with ones on its diagonal
_NOTHING: Final = 1e-14  # on the diagonal, in kg or kg.m2


def reference_with_masses(text: str, robot: Robot, motion: Motion, start: Start) -> tuple[PinocchioRobot, set[str]]:
    """Pinocchio's robot, and the links that had to get a mass so that its mass matrix can be inverted."""
    given: set[str] = set()
    while True:
        reference = PinocchioRobot(text, robot, motion, given)
        link = _link_without_mass(reference, start)
        if link is None:
            return reference, given
        if link in given:
            raise VerifyError(f"the equations of motion are singular at link '{link}': its mass matrix has no inverse")
        given.add(link)


def _link_without_mass(reference: PinocchioRobot, start: Start) -> str | None:
    motion = reference.motion
    if not motion.size:
        return None
    matrix = reference.mass_matrix(start.positions(motion))
    scale = np.sqrt(np.diag(matrix))
    for freedom in motion.freedoms:
        if np.min(scale[freedom.span]) ** 2 < _NOTHING:
            return freedom.child
    values, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    if values[0] > _SMALLEST:
        return None
    worst = int(np.argmax(np.abs(vectors[:, 0])))
    return next(freedom.child for freedom in motion.freedoms if freedom.first <= worst < freedom.first + freedom.size)


# ---------------------------------------------------------------- composing
# The whole robot, put together from its parts: each part is where the link is that it is attached to.


def composed(parts: Iterable[tuple[Part, Sample]]) -> Sample:
    """One sample of all parts at rest, each after the one that its root is in. Velocities are those of no part."""
    links: dict[str, LinkState] = {}
    whole: Sample | None = None
    for part, sample in parts:
        if whole is None:
            whole, links = sample, dict(sample.links)
            continue
        there, here = links[part.root], sample.links[part.root]
        turn = there.turn @ here.turn.T  # from the world of the part to that of the robot
        for name, state in sample.links.items():
            if name not in links:
                links[name] = evolve(
                    state,
                    place=there.place + turn @ (state.place - here.place),
                    turn=turn @ state.turn,
                    body_place=there.place + turn @ (state.body_place - here.place),
                )
        whole = evolve(
            whole, positions=whole.positions | sample.positions, followers=whole.followers | sample.followers
        )
    assert whole is not None, "a robot has at least one part"
    if len(links) > len(whole.links):
        empty = np.zeros(0)
        whole = evolve(whole, links=links, velocities=empty, accelerations=empty)
    return whole


# ---------------------------------------------------------------- verifying

_NAMED: Final = 4  # links or joints in a note
_NOT_ASKED: Final = frozenset({"libraries", "timeout", "cache", "progress", "doing"})  # they change no result


def verify(urdf: ReadResult, folder: Path, options: VerifyOptions | None = None) -> Verification:
    """Compare the package in a folder, as it is now, with the robot of a URDF file.

    UrdfError for a robot with errors, PackageError for a package that is not that of a robot, VerifyError if the two
    can't be compared, SimulationError if the package can't be compiled or run.
    """
    options = VerifyOptions() if options is None else options
    robot = urdf.usable_robot()
    assert urdf.document is not None, "it was read"
    package = RobotPackage.open(folder, libraries=options.libraries)
    _refuse_others("link", {link.name for link in robot.links}, package.names.links, package.full_name)
    _refuse_others("joint", {joint.name for joint in robot.joints}, package.names.joints, package.full_name)
    if not options.cache:
        return _compared(urdf.document.text, robot, package, options)
    kept, name = Kept(), f"{_digest(urdf.document.text, package, options)}.verified"
    found = kept.get(name)
    if found is not None:
        with suppress(ValueError, TypeError, LookupError, RecursionError):  # an entry of another kind is none
            return Verification.of_kept(found)
    result = _compared(urdf.document.text, robot, package, options)
    kept.put(name, result.kept())
    return result


def _digest(text: str, package: RobotPackage, options: VerifyOptions) -> str:
    """What decides about a comparison: both sides, all libraries that are read, the options, and who compares."""
    ours = sorted(Path(__file__).parent.iterdir())
    about: list[str | bytes] = [text, package.full_name, *(path.read_bytes() for path in ours if path.is_file())]
    asked = (each for each in fields(VerifyOptions) if each.name not in _NOT_ASKED)
    about += [f"{each.name}={getattr(options, each.name)!r}" for each in asked]
    about += [f"{name} {version(name)}" for name in ("pin", "numpy", "scipy")]
    with _simulator(package.library_folder, package, options) as simulator:
        shelf = simulator.shelf
        # Somebody may use a library without saying so.
        mentioned = {name for path in package.library_folder.rglob("*.mo") for name in _mentioned_in(shelf, path)}
        places = shelf.places([package.full_name.partition(".")[0], *sorted(mentioned)])
        return digest_of([*about, simulator.backend.version, digest_of_libraries(places)])


def _mentioned_in(shelf: Shelf, path: Path) -> list[str]:
    try:
        return shelf.mentioned_in(read_regular(path).decode("utf-8", "replace"))
    except OSError:  # who reads it next says so
        return []


def _simulator(library: Path, package: RobotPackage, options: VerifyOptions, label: str = "") -> Simulator:
    doing = options.doing
    return Simulator(
        [library, *options.libraries, TEMPLATES],
        around=[package.library_folder],
        backend=options.backend,
        timeout=options.timeout,
        cache=options.cache,
        count=False,
        progress=None if doing is None else lambda what, seconds: doing(f"{label}{what.split()[0]}", seconds),
    )


def _compared(text: str, robot: Robot, package: RobotPackage, options: VerifyOptions) -> Verification:
    with ExitStack() as stack:
        kinematics = Kinematics.of(robot)
        files: PartFiles | None = None
        if 0 < options.links_at_once < len(robot.links):
            files = stack.enter_context(PartFiles(package, kinematics))
        parts = cut(kinematics, options.links_at_once, files.robot.ties() if files is not None else ())
        work = _Verifying(package, text, kinematics, parts, options)
        return work.run(files)


def _refuse_others(kind: str, wanted: set[str], known: Collection[str], package: str) -> None:
    """VerifyError if the file and the package do not have the same links, or the same joints."""
    for there, missing, words in (
        (f"the package {package}", wanted.difference(known), "bring it up to date with modelica-patch urdf update"),
        ("the URDF file", set(known) - wanted, f"the package {package} was made from another one"),
    ):
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise VerifyError(f"{there} has no {kind} '{min(missing)}'{more}: {words}")


class _Verifying:
    """One comparison, part after part."""

    def __init__(
        self, package: RobotPackage, text: str, kinematics: Kinematics, parts: list[Part], options: VerifyOptions
    ) -> None:
        self._package = package
        self._text = text
        self._kinematics = kinematics
        self._parts = parts
        self._options = options
        self._table = package.names
        self._taken = {named.component for named in (*self._table.links.values(), *self._table.joints.values())}
        self._is_free = not package.options.stationary if options.free_base is None else options.free_base
        self._tally = Tally()
        self._given: set[str] = set()  # links that got a mass
        self._done = 0

    def run(self, files: PartFiles | None) -> Verification:
        """All of it; the files are those of parts, None for the whole robot at once."""
        self._step(0)
        results = [self._compare_part(number, files) for number in range(len(self._parts))]
        motion = self._motion(self._kinematics, is_first=True)
        reference = PinocchioRobot(self._text, self._kinematics.robot, motion, self._given)
        whole = self._comparison(self._kinematics, motion, reference)
        masses = {link: mass for result in reversed(results) for link, mass in result.masses.items()}
        whole.compare_total(masses)
        for number in range(self._options.configurations):
            at_rest = (result.samples[number] for result in results)
            sample = composed(zip(self._parts, at_rest, strict=True))
            whole.compare_places(sample)
            whole.compare_centre(sample, masses)
        return Verification(
            package=self._package.full_name,
            links=len(self._kinematics.robot.links),
            freedoms=motion.size,
            configurations=self._options.configurations,
            seconds=min((seconds for result in results for seconds in result.seconds), default=0.0),
            differences=tuple(self._tally.differences()),
            notes=tuple(self._notes(results)),
            parts=len(self._parts),
        )

    def _compare_part(self, number: int, files: PartFiles | None) -> PartResult:
        part = self._parts[number]
        library = self._package.library_folder if files is None else files.library
        if files is not None:
            files.write(part, is_first=number == 0)
        kinematics = Kinematics.of(part.robot)
        motion = self._motion(kinematics, is_first=number == 0)
        start = random_start(motion, self._options.seed, 0, moving=False)
        reference, given = reference_with_masses(self._text, part.robot, motion, start)
        masses = {name: value for link in sorted(given) for name, value in self._added_mass(reference, link)}
        comparison = self._comparison(kinematics, motion, reference)
        run = PartRun(comparison, make_pulses(motion, self._taken), masses, self._options)
        label = f"part {number + 1} of {len(self._parts)}: " if len(self._parts) > 1 else ""
        simulator = _simulator(library, self._package, self._options, label)
        with _explained(part, files), simulator:
            result = run.run(simulator, self._package.robot_class, self._step)
        self._given |= given
        left_out = (number + 1) * self._steps_of_a_part - self._done  # motions that there are not
        if left_out:
            self._step(left_out)
        return result

    def _motion(self, kinematics: Kinematics, *, is_first: bool) -> Motion:
        """What moves; the free base of a robot is in the first of its parts."""
        is_free = self._is_free and is_first
        return Motion.of(kinematics, self._table, free_name(FREE_BASE, self._taken) if is_free else None)

    def _comparison(self, kinematics: Kinematics, motion: Motion, reference: PinocchioRobot) -> Comparison:
        robot = kinematics.robot
        names = evolve(
            self._table,
            links={link.name: self._table.link(link.name) for link in robot.links},
            joints={joint.name: self._table.joint(joint.name) for joint in robot.joints},
        )
        return Comparison(kinematics, motion, names, reference, self._tally)

    def _added_mass(self, reference: PinocchioRobot, link: str) -> Iterator[tuple[str, float]]:
        return added_mass_parameters(self._table.link(link), reference.inertias[link].mass)

    @property
    def _steps_of_a_part(self) -> int:
        return self._options.configurations + 3

    def _step(self, size: int = 1) -> None:
        self._done += size
        if self._options.progress is not None:
            self._options.progress(self._done, len(self._parts) * self._steps_of_a_part)

    def _notes(self, results: list[PartResult]) -> Iterator[str]:
        if len(self._parts) > 1:
            largest = max(len(part.links) for part in self._parts)
            yield (
                f"compared in {len(self._parts)} parts of at most {largest} links: forces, mass matrix, gravity and "
                "motions are those of the parts"
            )
        if self._given:
            yield f"links without mass or inertia were given some on both sides: {_listed(sorted(self._given))}"
        refused = [each.name for each in self._kinematics.robot.joints if each.type.is_single and refused_limits(each)]
        if refused:
            yield f"negative limits, which Pinocchio does not take, are not compared: joint {_listed(refused)}"
        for part, result in zip(self._parts, results, strict=True):
            where = f" (the part at link '{part.root}')" if len(self._parts) > 1 else ""
            yield from (f"{note}{where}" for note in result.notes)


def _listed(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(f"'{name}'" for name in names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


@contextmanager
def _explained(part: Part, files: PartFiles | None) -> Iterator[None]:
    """An error of a part says so, and names the files of the user."""
    try:
        yield
    except SimulationError as error:
        if files is not None:
            error.args = (f"the part at link '{part.root}': {files.in_the_users_words(str(error))}",)
        raise
