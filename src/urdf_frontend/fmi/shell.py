"""Shells: models with exactly the variables that a profile asks for, around any model of the user.

A new shell is a clone of a template of `FmiExamples.Templates`, with the model put into its middle. A shell that is
there already, or the user's own model, gets what it lacks and keeps all else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Final

from attrs import define, evolve, field, frozen

from modelica_ast.edit import ClassHandle, Document
from modelica_ast.foundation import EditError, ModelicaSyntaxError
from modelica_ast.generate import CLONE, Templates
from modelica_ast.library import Libraries, instance, library_around
from modelica_ast.refactor import copy_class
from modelica_ast.tree import evaluate
from urdf_frontend.fmi.interface import OpenModel, interface_of, with_libraries
from urdf_frontend.fmi.profiles import FmiError, Profile
from urdf_frontend.fmi.shell_body import Body, Number, lowest_edge
from urdf_frontend.fmi.shell_request import ShellRequest, check_variable
from urdf_frontend.fmi.wrapped_model import (
    FLUID_TEMPLATE,
    MOMENT,
    SIGNALS_TEMPLATE,
    TORQUE,
    Flange,
    Wanted,
    Wrapped,
    add_variables,
    hold_inputs,
    lead_signals,
    path_of,
    refuse_deep,
    set_output,
    wanted_around,
    wanted_inside,
)
from urdf_frontend.library import FOLDER

# ---------------------------------------------------------------- shells


# ---------------------------------------------------------------- shell completing
# What a template has and a class lacks: variables, adaptors, connections.

_GAP = 20
_BLOCKS = "Modelica.Blocks."


@define
class Completing:
    """A template on its way into a class. `there` says what each component of the template is called in the class."""

    body: Body
    template: ClassHandle
    variables: frozenset[str]  # of the profile; the other components of the template serve them
    there: dict[str, str] = field(factory=dict)

    def run(self, called: Mapping[str, str]) -> None:
        """Add what is missing; `called` are variables that the class has under other names."""
        lower = self._lower()
        for component in self.template.components:
            if component.name in self.variables:
                self.there[component.name] = name = called.get(component.name, component.name)
                if name not in self.body.names:
                    self.body.copy_component(component, name, lower)
        for name in self._helpers():
            self._find_or_add(name, lower)
        for source, sink in self.template.connections:
            one, other = self.end(source), self.end(sink)
            if one is not None and other is not None and not self.body.is_driven(other):
                self.body.connect(one, other, is_signal=True)

    def end(self, written: str) -> str | None:
        """An end of a connection of the template in the class; None if its component is not there."""
        name, dot, rest = written.partition(".")
        actual = self.there.get(name)
        return None if actual is None else f"{actual}{dot}{rest}"

    def component_of_type(self, name: str) -> str | None:
        """What the class calls a component of the template, if it has it: by name and type, or by its special type."""
        wanted = self.template.find_component(name).type
        if self.body.type_of(name) == wanted:
            return name
        if wanted.startswith(_BLOCKS):  # a gain may be any gain
            return None
        found = [each for each in sorted(self.body.names) if self.body.type_of(each) == wanted]
        return found[0] if len(found) == 1 else None

    def _helpers(self) -> list[str]:
        """The components that serve the variables, each after what it drives."""
        names = [each.name for each in self.template.components if each.name not in self.variables]
        return sorted(names, key=self._distance)

    def _distance(self, name: str) -> int:
        """How many connections it is away from a variable that it drives."""
        steps, around = 0, {name}
        while around and not around & self.variables:
            around = {sink.partition(".")[0] for source, sink in self.template.connections if _head(source) in around}
            steps += 1
        return steps

    def _find_or_add(self, name: str, lower: Number) -> None:
        found = self.component_of_type(name)
        if found is None and self._is_needed(name):
            found = self.body.free_name(name)
            self.body.copy_component(self.template.find_component(name), found, lower)
        if found is not None:
            self.there[name] = found

    def _is_needed(self, name: str) -> bool:
        """Is there something that it has to drive, and that nothing drives so far?"""
        sinks = [self.end(sink) for source, sink in self.template.connections if _head(source) == name]
        return any(sink is not None and not self.body.is_driven(sink) for sink in sinks)

    def _lower(self) -> Number:
        """How far below its place in the template all goes, so that nothing lies on what is there."""
        edge = lowest_edge(self.body.handle) if self.body.known else None
        tops = [each.placement for each in self.template.components]
        boxes = [getattr(each.transformation, "box", None) for each in tops if each is not None]
        top = max((box.top for box in boxes if box is not None), default=0)
        return 0 if edge is None else top - edge + _GAP


def _head(end: str) -> str:
    return end.partition(".")[0]


# ---------------------------------------------------------------- shell

TEMPLATES: Final = FOLDER / "FmiExamples"
_REACHED: Final = 2


@frozen
class Shell:
    """A model with the variables of a profile; `variable_names` are those that it has under other names."""

    document: Document
    name: str  # of the class in its document
    notes: tuple[str, ...]
    variable_names: dict[str, str]


def make_shell(libraries: Libraries, request: ShellRequest, name: str) -> Shell:
    """A new shell in a document of its own, with the libraries that it uses in its annotation."""
    wanted = wanted_around(libraries, request)
    document = _templates().clone(wanted.template)
    handle = document.find_class(CLONE)
    handle.rename(name)
    shell = _fill_clone(handle, wanted)
    for library, version in _versions(libraries, request.model):
        handle.set_annotation(f"uses.{library}.version", version)
    return shell


def make_shell_in_library(libraries: Libraries, request: ShellRequest, package: str, name: str) -> Shell:
    """A new shell as a class of a package of the user; what changes is saved with the libraries."""
    wanted = wanted_around(libraries, request)
    copy_class(libraries, f"{TEMPLATES.name}.{wanted.template}", package, name)
    handle = libraries.find_class(f"{package}.{name}")
    return _fill_clone(handle, wanted)


def update_shell(libraries: Libraries, request: ShellRequest, shell: str) -> Shell:
    """A shell that already exists, a class of a full name: what it lacks is added, and all else stays."""
    wanted = wanted_around(libraries, request)
    body = _user_body(libraries, shell, request.profile)
    return _filled(body, wanted)


def complete_model(libraries: Libraries, request: ShellRequest) -> Shell:
    """The user's own model with the variables of a profile: what it lacks is added, and all else stays."""
    body = _user_body(libraries, request.model, request.profile, request.signals)
    names = {var.name for var in request.profile.required} - set(request.signals)
    is_complete = names <= set(body.known) and body.is_driven(request.signals.get(TORQUE, TORQUE))
    wanted = wanted_inside(libraries, request, needs_flange=request.flange is not None or not is_complete)
    if not request.is_actuator or wanted.flange is None:
        return _with_variables(body, wanted)
    return _with_flange(body, wanted, wanted.flange)


# ---------------------------------------------------------------- around a model


def _fill_clone(handle: ClassHandle, wanted: Wanted) -> Shell:
    own = wanted.request.model.rpartition(".")[2]
    handle.set_description(f"{own} for {wanted.request.profile.name}")
    handle.remove_annotation("Documentation")
    return _filled(Body.of_clone(handle), wanted)


def _filled(body: Body, wanted: Wanted) -> Shell:
    """Put the model into a shell, and lead flange and signals out."""
    notes = list(wanted.notes)
    document = body.handle.document
    assert isinstance(document, Document)
    with document.transaction():
        template = _templates().clone(wanted.template).find_class(CLONE)
        variables = frozenset(var.name for var in wanted.request.profile.required)
        completing = Completing(body, template, variables)
        completing.run({})
        if wanted.template == SIGNALS_TEMPLATE:
            add_variables(body, wanted.request)
        wrapped = Wrapped.found_or_added(body, wanted.model)
        if wanted.flange is not None:
            notes += _join(body, completing, wrapped.flange_end(wanted.flange))
        lead_signals(body, wrapped, wanted.signals)
        notes += hold_inputs(body, wrapped, wanted.interface, wanted.signals, wanted.request)
        notes += _fill_moments(body, wanted)
    return Shell(document, body.handle.name, tuple(notes), {})


def _join(body: Body, completing: Completing, end: str) -> list[str]:
    """Connect the flange of the model with that of the adaptor, unless it is connected; what to say of it."""
    adaptor = completing.there.get("adaptor")
    if adaptor is None:
        return [f"'{TORQUE}' already has a value, so no adaptor was added"]
    flange = f"{adaptor}.flange"
    partners = body.partners_of(flange)
    if not partners:
        body.connect(end, flange, is_signal=False)
    elif end not in partners:
        return [f"{flange} stays connected to {', '.join(partners)}, although {end} is asked for"]
    return []


def _fill_moments(body: Body, wanted: Wanted) -> list[str]:
    led = {signal.var.name for signal in wanted.signals}
    moments = [var.name for var in wanted.request.profile.required if var.name.startswith(MOMENT)]
    if wanted.template != FLUID_TEMPLATE or led & set(moments):
        return []
    open_ones = [name for name in moments if not body.is_driven(name)]
    for name in open_ones:
        set_output(body, name, 0)
    return ["the fluid exerts no moment (name one with --moment)"] if open_ones else []


# ---------------------------------------------------------------- in the model itself


def _with_flange(body: Body, wanted: Wanted, flange: Flange) -> Shell:
    if len(path_of(flange.component)) > _REACHED:
        raise refuse_deep(flange)
    called = _called(wanted)
    document = body.handle.document
    assert isinstance(document, Document)
    with document.transaction():
        template = _templates().clone(wanted.template).find_class(CLONE)
        variables = frozenset(var.name for var in wanted.request.profile.required)
        completing = Completing(body, template, variables)
        completing.run(called)
        notes = [*wanted.notes, *_join(body, completing, flange.path)]
    return Shell(document, body.handle.name, (*notes, *_extra_inputs(wanted)), called)


def _with_variables(body: Body, wanted: Wanted) -> Shell:
    """Variables that the model has under other names, and outputs that are something inside of it."""
    called = _called(wanted)
    document = body.handle.document
    assert isinstance(document, Document)
    profile = wanted.request.profile
    with document.transaction():
        if not wanted.request.is_actuator:
            template = _templates().clone(wanted.template).find_class(CLONE)
            Completing(body, template, frozenset(var.name for var in profile.required)).run(called)
            if wanted.template == SIGNALS_TEMPLATE:
                left = tuple(var for var in profile.required if var.name not in called)
                add_variables(body, evolve(wanted.request, profile=evolve(profile, required=left)))
        for signal in wanted.signals:
            name = signal.var.name
            if not signal.is_input and name not in called and not body.is_driven(name) and signal.element.text != name:
                set_output(body, name, signal.element.text)
        notes = [*wanted.notes, *_fill_moments(body, wanted), *_extra_inputs(wanted)]
    return Shell(document, body.handle.name, tuple(notes), called)


def _called(wanted: Wanted) -> dict[str, str]:
    """Variables of the profile that the model has under another name; FmiError for what can't be led in."""
    found = {}
    for signal in wanted.signals:
        is_top = signal.element.index is None and "." not in signal.element.path
        if signal.element.text == signal.var.name:
            continue
        if is_top and signal.variable.causality == signal.var.causality:
            found[signal.var.name] = signal.element.path
        elif signal.is_input:
            raise FmiError(
                f"{signal.variable.place}: '{signal.element.text}' is an input of the model itself, which "
                f"'{signal.var.name}' can't drive from inside: leave out --own, for a shell around the model"
            )
    return found


def _extra_inputs(wanted: Wanted) -> list[str]:
    led = {signal.element.path for signal in wanted.signals}
    required = {var.name for var in wanted.request.profile.required}
    return [
        f"{each.place}: nothing sets the input '{each.name}', and it has no start value"
        for each in wanted.interface.inputs
        if each.name not in {*led, *required} and each.start is None and each.component.binding is None
    ]


def _user_body(libraries: Libraries, name: str, profile: Profile, mapped: Container[str] = ()) -> Body:
    """A class of the user; FmiError for a variable with a name of the profile that is something else.

    It may be something else if another variable is mapped to the name.
    """
    found = interface_of(libraries, name)
    for var in profile.required:
        variable = found.get(var.name)
        if variable is not None and var.name not in mapped:
            check_variable(variable, var, profile)
    return Body.of_user(libraries.find_class(name), instance(libraries, name))


# ---------------------------------------------------------------- libraries


def _templates() -> Templates:
    return Templates.open(TEMPLATES)


def _versions(libraries: Libraries, model: str) -> list[tuple[str, str]]:
    """(library, version) of the library that the model is in, and of the Standard Library."""
    top = model.partition(".")[0]
    root = libraries.find_class(top)
    used = root.get_annotation("uses.Modelica.version")
    if used is None and libraries.get("Modelica") is not None:
        used = libraries.find_class("Modelica").get_annotation("version")
    own = root.get_annotation("version")
    found = [("Modelica", used), (top, own)]
    return [(name, str(evaluate(version))) for name, version in found if version is not None]


# ---------------------------------------------------------------- files
# Where a shell is kept: in a file of its own, in a library, or in the user's model itself.


_PACKAGE_FILE: Final = "package.mo"
_KINDS: Final = ("model", "block", "class")
_NAME: Final = re.compile("[A-Za-z_][A-Za-z_0-9]*")


@frozen
class ShellFile:
    """A shell with what saving it changes."""

    shell: Shell
    path: Path | None
    diff: str
    is_new: bool
    save: Callable[[], None]

    @property
    def is_changed(self) -> bool:
        """Is there something to save?"""
        return bool(self.diff)


def shell_in_file(opened: OpenModel, request: ShellRequest, path: Path, name: str | None) -> ShellFile:
    """A shell in a file: a new one, or the one that is there, brought up to date."""
    if path.is_dir():
        raise FmiError(f"{path} is a folder: a shell is one file")
    if path.name == _PACKAGE_FILE:
        raise FmiError(f"{path} is the file of a package: give the shell a file of its own")
    if path.exists():
        return _updated(opened, request, path, name)
    own = path.stem if name is None else name
    if not (path.parent / _PACKAGE_FILE).is_file():
        return _alone(opened, request, path, own)
    if own != path.stem:
        raise FmiError(f"{path}: in a library the file of a class has its name, {own}.mo")
    libraries = _libraries_for(opened, path)
    if libraries.get(TEMPLATES.name) is None:
        libraries = with_libraries(libraries, [TEMPLATES])
    shell = make_shell_in_library(libraries, request, _package_of(path), own)
    kept_in = shell.document.path
    if kept_in is None or kept_in.resolve() != path.resolve():  # a library has its own mind about names of files
        raise FmiError(f"{path}: no file of a library can have that name: give the shell another one")
    return ShellFile(shell, path, libraries.diff(), is_new=True, save=libraries.save)


def own_shell(opened: OpenModel, request: ShellRequest) -> ShellFile:
    """The user's own model with what it lacks."""
    shell = complete_model(opened.libraries, request)
    path = shell.document.path
    return ShellFile(shell, path, opened.libraries.diff(), is_new=False, save=opened.libraries.save)


def new_shell(opened: OpenModel, request: ShellRequest, name: str) -> Shell:
    """A shell that is in no file yet; FmiError if it can't be called so."""
    if not _NAME.fullmatch(name):
        raise FmiError(f"'{name}' can't be the name of a model: give the shell another one with --name")
    try:
        return make_shell(opened.libraries, request, name)
    except EditError as wrong:
        raise FmiError(f"{wrong}: give the shell another name with --name") from None


def _alone(opened: OpenModel, request: ShellRequest, path: Path, name: str) -> ShellFile:
    shell = new_shell(opened, request, name)
    document = shell.document

    def save() -> None:
        document.save(path)

    return ShellFile(shell, path, document.text, is_new=True, save=save)


def _updated(opened: OpenModel, request: ShellRequest, path: Path, name: str | None) -> ShellFile:
    try:
        document = Document.open(path)
    except ModelicaSyntaxError:
        raise
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {wrong.strerror or wrong}") from None
    names = [each.name for each in document.classes]
    own = path.stem if name is None else name
    if own not in names:
        raise FmiError(
            f"{path} exists, and has no class '{own}', but {', '.join(names) or 'none'}: name another file, or the "
            "class with --name"
        )
    full = f"{document.within}.{own}" if document.within else own
    if f"{request.model}.".startswith(f"{full}."):
        raise FmiError(f"{path} is the file of the model itself: take --own, or another file")
    kind = document.find_class(own).kind
    if kind not in _KINDS:
        raise FmiError(f"{path}: '{own}' is a {kind}, not a model that can be a shell: name another file")
    libraries = _libraries_for(opened, path)
    shell = update_shell(libraries, request, full)
    return ShellFile(shell, path, libraries.diff(), is_new=False, save=libraries.save)


def _libraries_for(opened: OpenModel, path: Path) -> Libraries:
    """The libraries with the one of a file open for writing, and that of the model to look names up in."""
    root = library_around(path) or path.resolve()
    if any(library.path == root and not library.read_only for library in opened.libraries):
        return opened.libraries
    return Libraries([root], read_only=[library.path for library in opened.libraries if library.path != root])


def _package_of(path: Path) -> str:
    """The full name of the package that a folder is."""
    document = Document.open(path.parent / _PACKAGE_FILE)
    (package,) = document.classes
    return f"{document.within}.{package.name}" if document.within else package.name
