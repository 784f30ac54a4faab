"""A cell in a result: its robots, and what is held by whom at which time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.library import Libraries, instance
from modelica_ast.simulation import Result
from urdf_frontend.constraints.cells.description import Cell, CellRobot
from urdf_frontend.constraints.networks import ConstraintError, networks_of, open_libraries
from urdf_frontend.constraints.objects import CONTROL, SPATIAL, ConstraintObject, Role, index_text
from urdf_frontend.motion import (
    MOST_FRAMES,
    Actor,
    Motion,
    Prop,
    Recording,
    RunOptions,
    find_robot,
    frame_poses,
    recorded_motion,
    robot_variables,
    simulate_model,
    stage_page,
)
from urdf_frontend.package import RobotPackage
from urdf_frontend.robot import Robot
from urdf_frontend.urdf import Packages, read

_FRAME: Final = (
    *(f"frame_a.r_0[{i}]" for i in (1, 2, 3)),
    *(f"frame_a.R.T[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)),
)
_PARTNER: Final = "partner"
_RECTANGLE: Final = "Rectangle"
_HOLDING: Final = {True: "gripper", False: "holder"}  # by whether it is of mode Control
_HELD: Final = "tool"


@frozen
class _Piece:
    """A collision object or constrained object of the model, one element of an array: a prop without its motion."""

    path: str
    kind: str
    size: float | tuple[float, float]
    id: int  # in its network, and among those of its role
    network: int
    is_held: bool

    @property
    def variables(self) -> list[str]:
        return [f"{self.path}.{name}" for name in (*_FRAME, *([_PARTNER] if self.is_held else []))]


@frozen
class _Recorded:
    """A robot of the description, its package, and what finds its meshes."""

    cell: CellRobot
    robot: Robot
    package: RobotPackage
    packages: Packages


@frozen
class Stage:
    """Where a cell is: the folder of its library, its model there, and libraries that go before all others."""

    folder: Path
    model: str
    libraries: tuple[Path, ...] = ()


class CellRecorder:
    """Simulates a cell and shows it.

    ConstraintError if its library is not there, UrdfError for the file of a robot, PackageError for its package.
    """

    def __init__(self, cell: Cell, stage: Stage, packages_near: Callable[[Path], Packages]) -> None:
        self._stage = stage
        if not (stage.folder / "package.mo").is_file():
            raise ConstraintError(
                f"there is no library {stage.folder}: make it with modelica-patch constraints from-urdf {cell.file}"
            )
        self._robots = [self._robot(each, packages_near(each.urdf)) for each in cell.robots]
        self._pieces, self._left_out = _pieces_of(open_libraries(stage.folder, stage.libraries), stage.model)

    def _robot(self, robot: CellRobot, packages: Packages) -> _Recorded:
        found = read(robot.urdf, packages=packages).usable_robot()
        package = RobotPackage.open(self._stage.folder / robot.package, libraries=self._stage.libraries)
        return _Recorded(robot, found, package, packages)

    def simulate(self, options: RunOptions) -> Result:
        """Simulate it, and keep what can be seen."""
        return simulate_model(self._stage.folder, self._stage.model, self._wanted, options)

    def _wanted(self, variables: Iterable[str]) -> list[str]:
        known = frozenset(variables)
        found = [f"{piece.path}.{name}" for piece in self._pieces for name in _FRAME]
        for each in self._robots:
            found += robot_variables(known, each.robot, each.package.names, each.cell.name)
        kept = [name for name in dict.fromkeys(found) if name in known]
        # Compilers list what is continuous; who the partner is changes at events.
        return [*kept, *(f"{piece.path}.{_PARTNER}" for piece in self._pieces if piece.is_held)]

    def page(self, recording: Recording, title: str, *, most_frames: int = MOST_FRAMES) -> tuple[bytes, Motion]:
        """The page of a result, and the motion of the first robot."""
        actors = []
        for each in self._robots:
            found = find_robot(recording, each.robot, each.package.names, each.cell.name)
            motion = recorded_motion(found, title, most_frames=most_frames)
            copies = each.package.copies
            actors.append(Actor(each.cell.name, each.robot, motion, each.packages, each.cell.urdf, copies))
        known = frozenset(recording.names)
        there = [piece for piece in self._pieces if known.issuperset(piece.variables)]
        lost = [*self._left_out, *(piece.path for piece in self._pieces if piece not in there)]
        notes = [f"Not shown: {', '.join(lost)}."] if lost else []
        rows = _rows(recording.times, actors[0].motion.times)
        return stage_page(title, actors, list(_props(there, recording, rows)), notes), actors[0].motion


def _pieces_of(libraries: Libraries, model: str) -> tuple[list[_Piece], list[str]]:
    """The objects of a model, and those that can't be shown: planar ones, and those without an ID of their own."""
    found: list[_Piece] = []
    left_out: list[str] = []
    tree = instance(libraries, model)
    for number, network in enumerate(networks_of(libraries, tree)):
        is_plain = network.family is SPATIAL and not network.outer_sizes
        for item in network.objects:
            ids = item.values("id") if is_plain and item.is_sized else None
            # Arrays around an object have their indices elsewhere in the names of variables.
            if ids is None or len(item.sizes) != len(item.component.dimensions):
                left_out.append(item.path)
                continue
            sizes = item.known_sizes
            found += [_piece(item, element, index_text(element, sizes), ids, number) for element in range(len(ids))]
    return found, left_out


def _piece(item: ConstraintObject, element: int, index: str, ids: Sequence[int], network: int) -> _Piece:
    is_held = item.role is Role.CONSTRAINED
    kind = _HELD if is_held else _HOLDING[str(_of(item, "mode", element)) == CONTROL]
    return _Piece(f"{item.path}{index}", kind, _size(item, element), ids[element], network, is_held)


def _of(item: ConstraintObject, name: str, number: int) -> Any:
    """The value of a parameter of an element; None if it can't be decided."""
    values = item.values(name)
    return None if values is None else values[number]


def _size(item: ConstraintObject, number: int) -> float | tuple[float, float]:
    def length(name: str) -> float:
        value = _of(item, name, number)
        return abs(float(value)) if isinstance(value, int | float) else 0.0

    shape = None if item.role is Role.CONSTRAINED else _of(item, "shape", number)
    return (length("length"), length("width")) if str(shape).endswith(f".{_RECTANGLE}") else length("radius")


def _props(pieces: Sequence[_Piece], recording: Recording, rows: Sequence[int]) -> Iterator[Prop]:
    holders = {(piece.network, piece.id): piece.path for piece in pieces if not piece.is_held}
    for piece in pieces:
        poses = frame_poses([recording[f"{piece.path}.{name}"] for name in _FRAME], rows)
        if piece.is_held:
            partners = recording[f"{piece.path}.{_PARTNER}"]
            held = [holders.get((piece.network, round(partners[row]))) for row in rows]
        yield Prop(piece.path, piece.kind, piece.size, poses, held if piece.is_held else None)


def _rows(times: Sequence[float], shown: Sequence[float]) -> list[int]:
    """The rows of the times that are shown, which follow one another in both."""
    found: list[int] = []
    row = 0
    for time in shown:
        while times[row] != time:
            row += 1
        found.append(row)
        row += 1
    return found
