"""The compiled model with the robot in it, by the names that its parts have inside the robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from modelica_ast.simulation import CompiledModel, Result, Simulator
from urdf_frontend.verify.probing import MODEL, ROBOT, Pulse, make_probe

_BEFORE = f"{ROBOT}."


@frozen
class Run:
    """What a run has computed."""

    times: list[float]
    column: Callable[[str], list[float]]
    ended: str


class ProbedModel:
    """A robot, or a part of one, that can be run. The base and its drive are outside of the robot."""

    def __init__(self, simulator: Simulator, robot_class: str, pulses: list[Pulse]) -> None:
        self._model: CompiledModel = simulator.compile_text(make_probe(robot_class, pulses), MODEL)
        bases = [pulse for pulse in pulses if pulse.is_base]
        self._outside = frozenset(
            name for base in bases for name in (base.freedom.component, base.component, *base.scalars())
        )
        self.parameters: Mapping[str, Any] = dict(self._inside(self._model.parameters.items()))
        self.variables = frozenset(name for name, _ in self._inside((name, None) for name in self._model.variables))

    def _inside(self, named: Any) -> Iterator[tuple[str, Any]]:
        for name, value in named:
            if name.startswith(_BEFORE):
                yield name.removeprefix(_BEFORE), value
            elif name.partition(".")[0] in self._outside:
                yield name, value

    def _path(self, name: str) -> str:
        """Where it is in the whole model."""
        return name if name.partition(".")[0] in self._outside else f"{_BEFORE}{name}"

    def run(
        self,
        *,
        stop: float,
        step: float,
        parameters: Mapping[str, float],
        tolerance: float,
        variables: Sequence[str],
        is_stiff: bool = False,
    ) -> Run:
        """Run it from 0 to `stop`."""
        result: Result = self._model.run(
            stop=stop,
            step=step,
            parameters={self._path(name): value for name, value in parameters.items()},
            tolerance=tolerance,
            variables=[self._path(name) for name in variables],
            solver=self._model.stiff_solver if is_stiff else None,
        )
        return Run(result.times, lambda name: result[self._path(name)], result.ended)
