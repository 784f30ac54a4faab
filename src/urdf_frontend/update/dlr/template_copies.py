"""Is a class still the copy of a template that the script has made? Then nothing of the user's is in it.

That can be seen only with the template at hand. URDFModelica is looked for where the user says, around the package and
where libraries are. Without it a copy counts as edited.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import define, field

from modelica_ast import ModelicaError
from modelica_ast.compare import Change, compare
from modelica_ast.edit import Document, NotFoundError
from modelica_ast.generate import UpdateError
from modelica_ast.library import Libraries, Shelf
from urdf_frontend.update.dlr.fields import LIBRARY
from urdf_frontend.update.dlr.part_classes import PARAMETERS

# The script leaves out the shapes that a link does not have, and what they are connected with.
_LEFT_OUT: Final = ("visual", "collision", "trafoVisual", "trafoCollision")


@define
class TemplateCopies:
    """Compares classes with the templates of a library; without a library no class is known to be a copy."""

    library: Path | None
    _libraries: Libraries | None = field(default=None, init=False)
    _known: dict[tuple[str, str], bool] = field(factory=dict, init=False)

    def is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        """Is this the text of a class that the script has copied from a template, and nobody has changed since?"""
        if self.library is None:
            return False
        key = (text, template)
        if key not in self._known:
            self._known[key] = self._is_copy(text, name, package, template)
        return self._known[key]

    def _is_copy(self, text: str, name: str, package: str, template: str) -> bool:
        original = self._template(template)
        if original is None:
            return False
        document = Document(text)
        original.classes[0].rename(name)
        document.set_within(None)
        return all(_is_of_script(change, PARAMETERS[package]) for change in compare(original.text, document.text))

    def _template(self, template: str) -> Document | None:
        assert self.library is not None, "there is one to look into"
        try:
            if self._libraries is None:
                self._libraries = Libraries([], read_only=[self.library])
            definition = self._libraries.find_class(template).view.text
        except NotFoundError:
            return None
        except (ModelicaError, OSError) as wrong:
            raise UpdateError(f"the templates in {self.library} can't be read: {wrong}") from None
        document = Document("")
        document.insert_class(definition)
        return document


def template_library(given: Path | None, package: Path) -> Path | None:
    """Where URDFModelica is; UpdateError if what the user has named is another library."""
    if given is not None:
        if given.stem != LIBRARY and not (given.is_dir() and given.resolve().name == LIBRARY):
            raise UpdateError(f"--templates {given}: the package was made from the templates of {LIBRARY}")
        return given
    return Shelf(around=[package]).find(LIBRARY)


def _is_of_script(change: Change, parameters: str) -> bool:
    inside = change.path[1] if len(change.path) > 1 else ""
    if inside == parameters:
        return change.what in {"prefix", "type", "annotation", "constraint"}
    if change.kind != "removed":
        return False
    if change.what == "connection":
        return any(f"({name}" in inside or f" {name}" in inside for name in _LEFT_OUT)
    return change.what == "component" and inside.startswith(_LEFT_OUT)
