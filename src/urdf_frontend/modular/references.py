"""What a user's text says about components and connectors that an assembly has no more: found, or led elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attrs import frozen

from modelica_ast import find_all
from modelica_ast.edit import Document
from modelica_ast.generate import short
from modelica_ast.views import (
    Annotation,
    Component,
    ComponentReference,
    ConnectEquation,
    ElementModification,
    Equation,
    View,
)
from urdf_frontend.building.run_models import ROBOT


@frozen
class Dangling:
    """A place where the user refers to something that is gone."""

    file: str
    line: int
    text: str  # the equation, or the reference
    gone: str
    is_connection: bool

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: {self.text}"
        if "." in self.gone:
            return f"{where}: the module has no '{self.gone}' any more; yours stays, connect it elsewhere"
        advice = f", or use --reroute {self.gone}=NEW" if self.is_connection else ""
        return f"{where}: '{self.gone}' is not in the assembly any more; yours stays, change it{advice}"

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {"file": self.file, "line": self.line, "text": self.text, "gone": self.gone}


def dangling_in_robot(text: str, model: str, file: str, gone: Collection[str]) -> Iterator[Dangling]:
    """In the model of the robot itself; what the user has declared under such a name is not gone."""
    document = Document(text)
    robot = document.get_class(model)
    if robot is None:
        return
    declared = {component.name for component in robot.components}
    wanted = {tuple(each.split(".")): each for each in gone if "." in each or each not in declared}
    for reference in find_all(robot.view, ComponentReference):
        found = next((wanted[key] for size in (1, 2) if (key := reference.parts[:size]) in wanted), None)
        if found is not None and not _is_in_annotation(reference):
            yield _dangling(reference, file, found)


def dangling_elsewhere(text: str, file: str, gone: Collection[str]) -> Iterator[Dangling]:
    """In other models of the package, which have the robot as their component: `robot.elbow`, `robot(elbow(…))`."""
    components = {each for each in gone if "." not in each}
    if not any(each in text for each in components):
        return
    for view in find_all(Document(text).tree, View):
        name: str | None = None
        if isinstance(view, ComponentReference) and view.parts[:1] == (ROBOT,) and len(view.parts) > 1:
            name = view.parts[1]
        elif isinstance(view, ElementModification) and _is_of_robot(view):
            name = view.name.parts[0]
        if name in components and not _is_in_annotation(view):
            assert name is not None
            yield _dangling(view, file, name)


def _is_of_robot(view: ElementModification) -> bool:
    around = next((each for each in view.ancestors if isinstance(each, Component | ElementModification)), None)
    if isinstance(around, Component):
        return around.name == ROBOT
    return isinstance(around, ElementModification) and around.name.parts == (ROBOT,)


def _is_in_annotation(view: View) -> bool:
    return any(isinstance(around, Annotation) for around in view.ancestors)


def _dangling(view: View, file: str, gone: str) -> Dangling:
    equation = next((each for each in view.ancestors if isinstance(each, Equation)), None)
    if isinstance(equation, ConnectEquation):
        text = f"connect({equation.left}, {equation.right})"
        return Dangling(file, equation.position.line, text, gone, is_connection=True)
    return Dangling(file, view.position.line, short(view.text), gone, is_connection=False)


@frozen
class Rerouted:
    """The text with other ends of connections, and each of them in words."""

    text: str
    connections: tuple[str, ...]


def reroute(
    text: str,
    model: str,
    generated: Collection[tuple[str, str]],
    routes: Mapping[str, str],
    connectors: Mapping[str, Collection[str]],
) -> Rerouted:
    """Lead the user's connections from old components to new ones, where these have such a connector.

    `generated` are connections that are not the user's, `connectors` those of each new component.
    """
    document = Document(text)
    robot = document.get_class(model)
    if robot is None:
        return Rerouted(text, ())
    done = []
    with document.transaction():
        for pair in robot.connections:
            if pair in generated:
                continue
            ends = list(pair)
            for number, end in enumerate(pair):
                component, _, connector = end.partition(".")
                new = routes.get(component)
                if new is None or connector.split("[", 1)[0].split(".", 1)[0] not in connectors[new]:
                    continue
                robot.reconnect(ends[1 - number], end, f"{new}.{connector}")
                ends[number] = f"{new}.{connector}"
            if tuple(ends) != pair:
                done.append(f"connect({pair[0]}, {pair[1]}) is connect({ends[0]}, {ends[1]}) now")
    return Rerouted(document.text, tuple(done))
