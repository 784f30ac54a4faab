"""The files of models that were cloned from the templates of whole robots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from modelica_ast import evaluate
from modelica_ast.edit import ClassHandle, Document
from modelica_ast.generate import CLONE, Templates
from urdf_frontend.building.documentation import with_other_links
from urdf_frontend.building.robot_model import TEMPLATE
from urdf_frontend.building.run_models import TEST, run_template

RUN: Final = "Run"
TEST_SUFFIX: Final = "Test"


def own_models(templates: Templates, package: str, name: str, *, stationary: bool) -> dict[str, str]:
    """The full names of a robot's three models by those of their templates; `package` is where they are."""
    own = {TEMPLATE: name, run_template(stationary=stationary): name + RUN, TEST: name + TEST_SUFFIX}
    return {templates.full_name(template): f"{package}.{model}" for template, model in own.items()}


def class_file(document: Document, name: str, description: str, within: str, links: Mapping[str, str]) -> bytes:
    """The file of a clone, which gets its name at last; its page leads to `links` in place of other classes."""
    clone = document.find_class(CLONE)
    with document.transaction():
        clone.rename(name)
        clone.set_description(description)
        _link(clone, links)
        document.set_within(within)
    return document.text.encode()


def _link(model: ClassHandle, links: Mapping[str, str]) -> None:
    """A page that came with its template leads to the other models of this robot, not to their templates."""
    page = model.get_annotation("Documentation.info")
    if page is None:
        return
    info = str(evaluate(page))
    linked = with_other_links(info, links)
    if linked != info:
        model.set_annotation("Documentation.info", linked)
