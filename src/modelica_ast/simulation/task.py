"""What is to be compiled: a text that names a model, and the libraries that it needs."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import NotFoundError
from modelica_ast.errors import ModelicaError
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.shelf import Shelf
from modelica_ast.parse import parse
from modelica_ast.record import Record
from modelica_ast.simulation.closure import Closure
from modelica_ast.simulation.errors import MissingLibraryError, SimulationError
from modelica_ast.traverse import find_all
from modelica_ast.views.base import Expression
from modelica_ast.views.names import ComponentReference

_STANDARD: Final = frozenset({"Modelica", "ModelicaServices", "Complex"})
_HOW_TO_GET_IT: Final = (
    "unpack the Modelica Standard Library (https://github.com/modelica/ModelicaStandardLibrary/releases) into"
    " ~/.openmodelica/libraries or a folder of MODELICAPATH"
)
WRAPPER: Final = "ModelicaPatchRun"  # the model that is run, where that is not a class of the user itself


class Task(Record):
    """A model with all that it needs. `source` is a text of its own; `model` is in it."""

    name: str  # what people call the model
    source: str
    model: str
    is_text: bool  # did the user write the source?
    libraries: Libraries
    closure: Closure
    folder: Path | None  # where the classes of a text are laid out, for the lookup of names
    kept: frozenset[str]  # libraries that are not the user's own: what is made of them can be kept
    is_unmodified: bool = True

    def with_modifiers(self, modifiers: Mapping[str, Any]) -> Task:
        """The same model, with modifiers by their paths."""
        if not modifiers:
            return self
        base = self.model if self.is_text else f".{self.name}"
        document = _wrapper(base)
        try:
            document.find_class(WRAPPER).set_extends_modifiers(base, dict(modifiers))
        except ModelicaError as error:
            raise SimulationError(f"it can't be set: {error}") from None
        for value in modifiers.values():
            for reference in find_all(value, ComponentReference) if isinstance(value, Expression) else ():
                self.closure.add_reference(reference.parts)
        source = f"{self.source}\n{document.text}" if self.is_text else document.text
        return Task(
            name=self.name,
            source=source,
            model=WRAPPER,
            is_text=self.is_text,
            libraries=self.libraries,
            closure=self.closure,
            folder=self.folder,
            kept=self.kept,
            is_unmodified=False,
        )


def _wrapper(base: str) -> Document:
    """A model that is nothing but another one."""
    document = Document("")
    document.add_class(WRAPPER, "model").add_extends(base)
    return document


def task_of_class(name: str, shelf: Shelf) -> Task:
    """A class of the libraries; NotFoundError names the nearest."""
    top = name.partition(".")[0]
    if top not in shelf:
        raise _missing(shelf, top, "")
    libraries, closure = _with_closure(shelf, [top], [name], ())
    handle = libraries.find_class(name)
    if not handle.kind.endswith(("model", "block", "class")) or handle.view.is_partial:
        kind = f"partial {handle.kind}" if handle.view.is_partial else handle.kind
        raise SimulationError(f"{name} is a {kind}: only a model or a block that is not partial can be run")
    return Task(
        name=name,
        source=_wrapper(f".{name}").text,
        model=WRAPPER,
        is_text=False,
        libraries=libraries,
        closure=closure,
        folder=None,
        kept=_kept(libraries, shelf),
    )


def task_of_text(source: str, model: str, shelf: Shelf, folder: Path) -> Task:
    """A model of a text; its classes are laid out in a folder, for the lookup of names."""
    tree = parse(source)
    if tree.within:
        raise SimulationError(f"the text says 'within {tree.within}'; a text of its own stands in no package")
    if model.partition(".")[0] not in {each.name for each in tree.classes}:
        known = ", ".join(each.name for each in tree.classes) or "no class"
        raise NotFoundError(f"there is no '{model}' in the text; there is {known}")
    place = Path(tempfile.mkdtemp(prefix="text-", dir=folder))
    files = []
    for each in tree.classes:
        files.append(place / f"{each.name}.mo")
        files[-1].write_text(f"{each.text};\n", encoding="utf-8")
    needs = [each.name for each in tree.classes]
    # The model itself too: what stands in a package is not needed because the package is.
    libraries, closure = _with_closure(shelf, shelf.mentioned_in(source), [*needs, model], files)
    own = frozenset(needs)
    closure.needed = {path: paths for path, paths in closure.needed.items() if closure.full_name_of(path) not in own}
    return Task(
        name=model,
        source=source,
        model=model,
        is_text=True,
        libraries=libraries,
        closure=closure,
        folder=place,
        kept=_kept(libraries, shelf),
    )


def _kept(libraries: Libraries, shelf: Shelf) -> frozenset[str]:
    return frozenset(library.name for library in libraries if not shelf.is_own(library.path))


def _with_closure(
    shelf: Shelf, names: Sequence[str], needs: Sequence[str], files: Sequence[Path]
) -> tuple[Libraries, Closure]:
    """The libraries that are needed, and what of them. A library that nobody says is used counts if it is at hand."""
    names = list(names)
    while True:
        own = [library.name for library in Libraries([], read_only=files)]
        libraries = Libraries([], read_only=[*files, *shelf.places(names, known=own)], cache=shelf.cache)
        for need in needs:
            libraries.find_class(need)
        closure = Closure(libraries)
        for need in needs:
            closure.add(need)
        tops = [name.partition(".")[0] for name in closure.unresolved]
        absent = [top for top in dict.fromkeys(tops) if libraries.get(top) is None]
        used = {name: version for each in libraries for name, version in shelf.uses(each.path).items()}
        more = [top for top in absent if top in shelf and top not in names and top not in used]
        for top in absent:
            if top in used:
                raise _missing(shelf, top, used[top])
        if not more:
            return libraries, closure
        names += more


def _missing(shelf: Shelf, name: str, version: str) -> MissingLibraryError:
    """A library that is used and is not here, as an error that says what to do."""
    where = ", ".join(map(str, dict.fromkeys(shelf.folders))) or "no folder"
    wanted = f"{name} {version}".strip()
    advice = _HOW_TO_GET_IT if name in _STANDARD else "put its folder into MODELICAPATH, or name it with --library"
    return MissingLibraryError(f"the library {wanted} is missing; it was looked for in {where}; {advice}")
