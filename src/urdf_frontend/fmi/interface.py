"""The interface of a model: what an FMU of it shows to the outside, read from the tree before any compiler runs.

    motor = interface_of(libraries, "Lib.Motor")
    for variable in motor.inputs:
        print(variable.place, variable.name, variable.type, variable.unit)

Inherited elements, modifiers and redeclarations count; a name that is not found is among `unresolved`, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from modelica_ast.foundation import NotFoundError, nearest, shown
from modelica_ast.library import Libraries, LibraryError, Shelf, instance, open_class
from modelica_ast.semantics import ComponentInstance, Node
from modelica_ast.tree import ComponentReference, Expression, LiteralError, Reference, evaluate, find_all
from urdf_frontend.fmi.profiles import FmiError

WHERE_LIBRARIES_ARE: Final = "put its library beside the file or into MODELICAPATH, or name it with --library"
TYPES: Final = ("Real", "Integer", "Boolean", "String")
# What the connectors of the Standard Library are, for readers that do not have it: (causality, type).
_BLOCK_CONNECTORS: Final = {
    f"{type_}{end}": (end.lower(), type_) for type_ in ("Real", "Integer", "Boolean") for end in ("Input", "Output")
}
_BLOCKS: Final = "Modelica.Blocks.Interfaces."
_UNITS: Final = "Modelica.Units."


@frozen
class Variable:
    """A variable as FMI knows it. `start` is the value of a parameter, the start value of all others, if known."""

    name: str  # the path from the model on; an array is one variable
    causality: str  # input, output, parameter, calculatedParameter, local
    variability: str  # constant, fixed, discrete, continuous
    type: str  # Real, Integer, Boolean, String, Enumeration
    start: Any  # bool | int | float | str | Reference | list; None if there is none or it can't be decided
    unit: str | None
    display_unit: str | None
    description: str
    dimensions: tuple[int | None, ...]  # empty for a scalar; None where a size is not known
    is_final: bool
    is_protected: bool
    is_literal: bool  # is its value written as a literal, so that another one can be there?
    file: Path
    line: int
    component: ComponentInstance = field(repr=False, eq=False)

    @property
    def is_evaluable(self) -> bool:
        """Is its value, or its start value, known without a compiler?"""
        return self.start is not None

    @property
    def place(self) -> str:
        """`file:line` of the declaration."""
        return f"{shown(self.file)}:{self.line}"


@frozen
class MissingBase:
    """A base class that is not found, where a class of the user's own libraries extends it."""

    name: str
    file: Path
    line: int
    column: int
    owner: str  # the model, or the component of it that has the base

    def __str__(self) -> str:
        return f"{shown(self.file)}:{self.line}: {self.message}"

    @property
    def message(self) -> str:
        """What is wrong, without the place."""
        return f"the base class '{self.name}' of {self.owner} is not found"


@frozen
class Interface:
    """All variables of a model, in the order of their declarations."""

    model: str
    file: Path
    line: int
    variables: tuple[Variable, ...]
    unresolved: tuple[str, ...]  # types, and bases in installed libraries, that are not found: sentences with places
    missing_bases: tuple[MissingBase, ...] = ()

    def refuse_missing_bases(self) -> None:
        """FmiError if a base class is not found: what it declares would be left out."""
        for base in self.missing_bases:
            raise FmiError(f"{base}; {WHERE_LIBRARIES_ARE}")

    @property
    def inputs(self) -> list[Variable]:
        """What is set from outside at every step."""
        return [variable for variable in self.variables if variable.causality == "input"]

    @property
    def outputs(self) -> list[Variable]:
        """What is read after every step."""
        return [variable for variable in self.variables if variable.causality == "output"]

    @property
    def parameters(self) -> list[Variable]:
        """All parameters, also those that depend on others, are final or protected: look at `causality`."""
        return [variable for variable in self.variables if variable.variability == "fixed"]

    def get(self, name: str) -> Variable | None:
        """The variable of a name, or None."""
        return next((variable for variable in self.variables if variable.name == name), None)

    def find(self, name: str) -> Variable:
        """The variable of a name; FmiError names the nearest."""
        found = self.get(name)
        if found is None:
            known = [variable.name for variable in self.variables]
            raise FmiError(f"{self.model} has no variable '{name}'{nearest(name, known)}")
        return found


def interface_of(libraries: Libraries, model: str, *, depth: int | None = 0) -> Interface:
    """The variables of a model.

    What is in its components is not among them, because that is what an FMU calls local; `depth` says how many levels
    of components to look into, None for all of them. Members of connectors and records always are.
    NotFoundError if there is no such class.
    """
    root = instance(libraries, model)
    definition = libraries.find_class(model).view
    found: list[Variable] = []
    unresolved: list[str] = []
    own = {entry.path for library in libraries if not library.read_only for entry in library.root.walk()}
    missing: dict[MissingBase, None] = {}

    def look_at_bases(node: Node, owner: str) -> None:
        for base in _missing_bases(node, owner):
            if base.file in own:
                missing[base] = None
            else:
                unresolved.append(str(base))

    look_at_bases(root, model)
    todo = [_Open(component, "", 0, around=frozenset({root.name})) for component in reversed(root.components.values())]
    while todo:
        current = todo.pop()
        component = current.component
        if component.is_present is False or component.is_outer:
            continue
        type_ = _type_of(component)
        if type_ is not None:
            found.append(_variable(component, type_, current))
        elif component.environment is None:
            what = f"the type '{component.type_text}' of '{component.path}' is not found"
            unresolved.append(f"{shown(component.file)}:{component.line}: {what}")
        else:
            inside = list(_inside(current, depth))
            if depth is None or current.depth < depth or inside:
                look_at_bases(component, f"'{component.path}'")
            todo += reversed(inside)
    entry = libraries.entry_of(model)[1]
    return Interface(model, entry.path, definition.position.line, tuple(found), tuple(unresolved), tuple(missing))


def _missing_bases(node: Node, owner: str) -> Iterator[MissingBase]:
    for part in node.environment.ancestry() if node.environment is not None else ():
        for base in part.bases:
            if base.environment is None:
                file, position = base.type.root.source.path, base.type.position
                yield MissingBase(str(base.type), file or Path(), position.line, position.column, owner)


@frozen
class _Open:
    """A component that is still to be looked at, with what its connector or record says of it."""

    component: ComponentInstance
    causality: str  # of the connector or record around; `local` inside components
    depth: int
    is_parameter: bool = False
    is_constant: bool = False
    is_protected: bool = False
    around: frozenset[str] = frozenset()  # the classes of the components that it is in


def _inside(current: _Open, depth: int | None) -> Iterator[_Open]:
    component = current.component
    kind = _kind_of(component)
    is_protected = current.is_protected or component.is_protected
    name = component.type_name or ""
    if name in current.around:  # a text can say that a model has itself inside, and would have no end
        return
    around = current.around | {name}
    if not kind.endswith(("connector", "record")):
        if depth is not None and current.depth >= depth:
            return
        for each in component.components.values():
            yield _Open(each, "local", current.depth + 1, is_protected=is_protected, around=around)
        return
    for each in component.components.values():
        yield _Open(
            each,
            current.causality or component.causality,
            current.depth,
            current.is_parameter or component.variability == "parameter",
            current.is_constant or component.variability == "constant",
            is_protected,
            around,
        )


def _kind_of(component: ComponentInstance) -> str:
    """`connector`, `record`, `model`, …; '' if it is not known."""
    environment = component.environment
    for part in environment.ancestry() if environment is not None else ():
        kind = getattr(part.definition, "class_kind", "")
        if kind:
            return str(kind)
    return ""


def _type_of(component: ComponentInstance) -> str | None:
    """`Real`, …, `Enumeration`; None for what has components, and for what is not found."""
    end = component.end_type
    if end is not None:
        return end if end in TYPES else "Enumeration"
    text = component.type_text.lstrip(".")
    if component.environment is None and text.startswith(_BLOCKS):
        return _BLOCK_CONNECTORS.get(text.removeprefix(_BLOCKS), (None, None))[1]
    # Without the Standard Library its units are not found; all of them are numbers.
    return "Real" if component.environment is None and text.startswith(_UNITS) else None


def _variable(component: ComponentInstance, type_: str, at: _Open) -> Variable:
    is_protected = at.is_protected or component.is_protected
    prefix = component.variability
    is_constant = prefix == "constant" or at.is_constant
    is_parameter = not is_constant and (prefix == "parameter" or at.is_parameter)
    if is_constant or is_parameter:
        variability = "constant" if is_constant else "fixed"
    else:
        variability = "continuous" if type_ == "Real" and prefix != "discrete" else "discrete"
    return Variable(
        name=component.path,
        causality=_causality(component, at, is_parameter=is_parameter, is_protected=is_protected),
        variability=variability,
        type=type_,
        start=_start(component, is_value=is_constant or is_parameter),
        unit=_text(component, "unit"),
        display_unit=_text(component, "displayUnit"),
        description=component.description,
        dimensions=tuple(dimension.size for dimension in component.dimensions),
        is_final=component.is_final,
        is_protected=is_protected,
        is_literal=_is_literal(component),
        file=component.file,
        line=component.line,
        component=component,
    )


def _causality(component: ComponentInstance, at: _Open, *, is_parameter: bool, is_protected: bool) -> str:
    if is_parameter:
        if component.is_final or is_protected:
            return "local"
        return "calculatedParameter" if _depends_on_others(component) else "parameter"
    if is_protected or at.causality == "local":
        return "local"
    text = component.type_text.lstrip(".")
    known = _BLOCK_CONNECTORS.get(text.removeprefix(_BLOCKS), ("local", None))[0] if text.startswith(_BLOCKS) else ""
    return at.causality or component.causality or known or "local"


def _start(component: ComponentInstance, *, is_value: bool) -> Any:
    # A parameter without a value starts with what its attribute says, and an input may have a value for who sets none.
    if component.binding is not None and (is_value or component.causality == "input"):
        return component.value
    return component.attribute("start")


def _text(component: ComponentInstance, attribute: str) -> str | None:
    value = component.attribute(attribute)
    return value if isinstance(value, str) and value else None


def _is_literal(component: ComponentInstance) -> bool:
    binding = component.binding
    if binding is None or binding.member or not isinstance(binding.value, Expression):
        return False
    try:
        value = evaluate(binding.value)
    except LiteralError:
        return False
    is_enumeration = component.end_type not in TYPES
    return is_enumeration or not isinstance(value, Reference)


def _depends_on_others(component: ComponentInstance) -> bool:
    """Does its value refer to another parameter or variable? A constant is not a matter of simulation."""
    binding = component.binding
    if binding is None or not isinstance(binding.value, Expression):
        return False
    for reference in find_all(binding.value, ComponentReference):
        member = None if reference.is_global else binding.scope.member(reference.parts[0])
        if member is not None and not member.is_class and "constant" not in member.prefixes:
            return True
    return False


# ---------------------------------------------------------------- opening
# A model by its file and its name, with the libraries that it uses.

STANDARD_LIBRARY: Final = "Modelica"  # what shells are made of, so it is needed whether the model mentions it or not


@frozen
class OpenModel:
    """Libraries that are open, and the full name of a class in them."""

    libraries: Libraries
    name: str


def open_model(place: Path, model: str | None = None) -> OpenModel:
    """The class of a name in a file or a library's folder; without a name the only class of the file.

    The name is full (`Lib.Motor`), or starts with the top class of the file. The library around the file is open for
    writing; what it uses is open to look names up in. FmiError if there is no such class.
    """
    try:
        found = open_class(place, model, Shelf(around=[place]), names=[STANDARD_LIBRARY])
    except (LibraryError, NotFoundError) as wrong:
        raise FmiError(str(wrong)) from None
    except OSError as wrong:
        raise FmiError(f"{place} can't be read: {wrong.strerror or wrong}") from None
    return OpenModel(found.libraries, found.name)


def with_libraries(libraries: Libraries, more: Sequence[Path]) -> Libraries:
    """The same libraries and some to look names up in."""
    own = [library.path for library in libraries if not library.read_only]
    return Libraries(own, read_only=[*(library.path for library in libraries if library.read_only), *more])


# ---------------------------------------------------------------- check elements
# Arrays of a model as FMI 2.0 has them: each element is a variable, `u[2]`, `axes[1].k`, `R[2,3]`.

_MOST_ELEMENTS: Final = 100_000  # of one array; the names of more are not made


@frozen
class Element:
    """A scalar of an array, or a scalar variable itself."""

    name: str
    start: Any  # None if it is not known


def sizes_of(variable: Variable) -> tuple[int | None, ...]:
    """All sizes on the way to a variable, those of the components around it first."""
    return tuple(size for part in chain_of(variable) for size in _sizes(part))


def elements_of(variable: Variable) -> list[Element] | None:
    """The scalars of a variable; None if a size is not known, or there are too many."""
    sizes = sizes_of(variable)
    known = [size for size in sizes if size is not None]
    if len(known) != len(sizes) or prod(known) > _MOST_ELEMENTS:
        return None
    chain = chain_of(variable)
    return [
        Element(_name(chain, index), _at(variable.start, index))
        for index in product(*(range(1, size + 1) for size in known))
    ]


def flat_starts(variable: Variable, count: int) -> list[Any] | None:
    """The start values of all elements, row by row; None where they are not known or of another number."""
    elements = elements_of(variable)
    if elements is None or len(elements) != count or any(element.start is None for element in elements):
        return None
    return [element.start for element in elements]


def chain_of(variable: Variable) -> list[ComponentInstance]:
    """The components on the way to a variable, the outermost first, itself last."""
    chain: list[ComponentInstance] = []
    part: object = variable.component
    while isinstance(part, ComponentInstance):
        chain.append(part)
        part = part.parent
    return chain[::-1]


def _sizes(part: ComponentInstance) -> list[int | None]:
    return [dimension.size for dimension in part.dimensions]


def _name(chain: Sequence[ComponentInstance], index: tuple[int, ...]) -> str:
    return ".".join(_parts(chain, index))


def _parts(chain: Sequence[ComponentInstance], index: tuple[int, ...]) -> Iterator[str]:
    for part in chain:
        own, index = index[: len(part.dimensions)], index[len(part.dimensions) :]
        yield f"{part.name}[{','.join(map(str, own))}]" if own else part.name


def _at(value: Any, index: tuple[int, ...]) -> Any:
    """The value at an index; a value that is not an array is that of all elements, as after `each`."""
    if not isinstance(value, list):
        return value
    for number in index:
        if not isinstance(value, list) or number > len(value):
            return None
        value = value[number - 1]
    return None if isinstance(value, list) else value
