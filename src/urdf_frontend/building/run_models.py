"""The models that are simulated: the run model puts the robot into a world, the test model moves its joints."""

from __future__ import annotations

from typing import Final

from modelica_ast.edit import Document
from modelica_ast.generate import CLONE, Templates
from urdf_frontend.building.reducing import drop_components
from urdf_frontend.building.robot_model import Counts

STATIONARY: Final = "Robots.RunStationary"
MOBILE: Final = "Robots.RunMobile"
TEST: Final = "Robots.Test"
ROBOT: Final = "robot"  # the component
_RUN_TEMPLATES: Final = ("RunStationary", "RunMobile")
_DRIVES: Final = ("Reference", "Drive")


def run_template(*, stationary: bool) -> str:
    """The class that the run model is cloned from."""
    return STATIONARY if stationary else MOBILE


def run_model(templates: Templates, robot: str, *, stationary: bool) -> Document:
    """The run model of a robot whose class is called `robot`, still without its own name."""
    document = templates.clone(run_template(stationary=stationary))
    document.find_class(CLONE).find_component(ROBOT).set_type(robot)
    return document


def testing_model(templates: Templates, run: str, counts: Counts) -> Document:
    """The test model: it extends the run model, so the world is at its top too."""
    document = templates.clone(TEST)
    clone = document.find_class(CLONE)
    with document.transaction():
        for base in clone.extends:
            if base.rpartition(".")[2] in _RUN_TEMPLATES:
                start = clone.get_extends_modifier(base, f"{ROBOT}.startFixed")
                clone.add_extends(run, {} if start is None else {f"{ROBOT}.startFixed": start})
                clone.remove_extends(base)
        declared = {component.name for component in clone.components}
        for name, number in counts.as_modifiers().items():
            if name in declared:
                clone.find_component(name).set("", number)
        if not counts.numRotationalJoints:
            drop_components(clone, [f"rotational{part}" for part in _DRIVES])
        if not counts.numTranslationalJoints:
            drop_components(clone, [f"translational{part}" for part in _DRIVES])
    return document
