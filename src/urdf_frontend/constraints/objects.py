"""The objects of a model: where they are in its instance tree, how many elements they have, what their IDs are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, Final

from attrs import frozen

from modelica_ast.library import Libraries
from modelica_ast.semantics import Bound, ComponentInstance, Instance, Modifier
from modelica_ast.tree import Array, NumberLiteral, Range, Unary

# ---------------------------------------------------------------- classes
# The classes of the library DynamicConstraints that a model is looked through for.

LIBRARY: Final = "DynamicConstraints"


class Role(Enum):
    """What an object is in its network."""

    COLLISION = "collision"
    CONSTRAINED = "constrained"

    @property
    def count(self) -> str:
        """The parameter of the collector that says how many there are of this role."""
        return "n" if self is Role.COLLISION else "m"

    @property
    def size(self) -> str:
        """The parameter of an object of this role that says how many there are of the other one."""
        return "m" if self is Role.COLLISION else "n"

    @property
    def words(self) -> str:
        """What people call an object of this role."""
        return f"{self.value} object"


@frozen
class Family:
    """Classes that belong together: objects, and the collector that they meet at, if they need one."""

    package: str
    has_collector: bool

    @property
    def collector(self) -> str:
        """The full name of the collector's class."""
        return f"{self.package}.CollisionCollector"

    def class_of(self, role: Role) -> str:
        """The full name of the class of a role."""
        return f"{self.package}.{'CollisionObject' if role is Role.COLLISION else 'ConstrainedObject'}"


SPATIAL: Final = Family(LIBRARY, has_collector=True)
PLANAR: Final = Family(f"{LIBRARY}.Planar", has_collector=True)
CONNECTED: Final = Family(f"{LIBRARY}.Connected", has_collector=False)
FAMILIES: Final = (SPATIAL, PLANAR, CONNECTED)

OBJECT_CLASSES: Final = {family.class_of(role): (family, role) for family in FAMILIES for role in Role}
COLLECTOR_CLASSES: Final = {family.collector: family for family in FAMILIES if family.has_collector}
CONTROL: Final = f"{LIBRARY}.Types.Mode.Control"

# ---------------------------------------------------------------- element values
# Values of the elements of arrays: spread over all elements, and put together again.


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The sizes of nested lists; None if they are ragged."""
    found: list[int] = []
    level = [value]
    while level and all(isinstance(item, list) for item in level):
        sizes = {len(item) for item in level}
        if len(sizes) != 1:
            return None
        found.append(sizes.pop())
        level = [inner for item in level for inner in item]
    return None if any(isinstance(item, list) for item in level) else tuple(found)


def spread(value: Any, sizes: Sequence[int]) -> list[Any] | None:
    """The value of each element of an array, the last index first to change; None if it does not fit.

    What is given for the last dimensions only, as in a class that is used in an array, is the same for all the others.
    """
    shape = shape_of(value)
    if shape is None or tuple(sizes[len(sizes) - len(shape) :]) != shape or len(shape) > len(sizes):
        return None
    flat = [value]
    for _ in shape:
        flat = [inner for item in flat for inner in item]
    return flat * math.prod(sizes[: len(sizes) - len(shape)])


def gathered(values: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The nested lists of these sizes; without sizes the one value."""
    level = list(values)
    for size in reversed(sizes):
        level = [level[start : start + size] for start in range(0, len(level), size)]
    return level[0]


def index_text(number: int, sizes: Sequence[int]) -> str:
    """How the element of a number, from 0, is written after its array: `[2,1]`; '' for a scalar."""
    found: list[int] = []
    for size in reversed(sizes):
        number, index = divmod(number, size)
        found.append(index + 1)
    return f"[{','.join(map(str, reversed(found)))}]" if found else ""


def shown(value: Any) -> str:
    """Nested lists of numbers as Modelica writes them."""
    return str(value).translate(str.maketrans("[]", "{}")).replace(" ", "")


# ---------------------------------------------------------------- objects

_STANDARD: Final = "Modelica"
_MOST_ELEMENTS: Final = 10_000  # of an array: more can't be meant, and would take all memory


@frozen
class Setting:
    """A parameter of a component in the tree: its value, and who says so."""

    component: ComponentInstance

    @property
    def binding(self) -> Modifier[Any] | None:
        """The modifier that counts."""
        return self.component.binding

    @property
    def value(self) -> Any:
        """The value, None if it can't be decided."""
        return self.component.value

    @property
    def is_default(self) -> bool:
        """Is it nothing but what the library's own class says?"""
        binding = self.binding
        if binding is None:
            return True
        scope = binding.scope.full_name
        return scope in OBJECT_CLASSES or scope in COLLECTOR_CLASSES or scope.startswith(f"{LIBRARY}.Interfaces.")

    @property
    def is_literal(self) -> bool:
        """Is it written as numbers, which can be replaced by others?"""
        binding = self.binding
        todo: list[Any] = [] if binding is None else [binding.value]
        while todo:
            item = todo.pop()
            if isinstance(item, Array):
                todo += item.items
            elif isinstance(item, Range):
                todo += [item.start, item.stop, *([] if item.step is None else [item.step])]
            elif isinstance(item, Unary):
                todo.append(item.operand)
            elif not isinstance(item, NumberLiteral):
                return False
        return True

    @property
    def text(self) -> str:
        """The value as it is written."""
        return "" if self.binding is None else " ".join(self.binding.text.split())

    def hindrance(self, model: str) -> str | None:
        """Why a model can't set it to something else by a modifier; None if it can."""
        if not (self.is_default or self.is_literal):
            return f"it is '{self.text}', an expression, which is left to you"
        binding = self.binding
        if binding is not None and binding.is_final and binding.scope.full_name != model:
            return f"it is final in {binding.scope.full_name}"
        around = ancestors(self.component)
        hidden = next((each for each in around[1:] if each.is_protected), None)
        if hidden is not None:
            return f"'{hidden.path}' is protected in {hidden.declared_in}"
        return None


@frozen(eq=False)
class ConstraintObject:
    """A collision object or constrained object of a model; an array of them is one."""

    component: ComponentInstance
    family: Family
    role: Role
    sizes: tuple[int | None, ...]  # of all arrays on the way from the top to it, then its own

    @property
    def path(self) -> str:
        """Where it is, from the model on."""
        return self.component.path

    @property
    def is_sized(self) -> bool:
        """Are all sizes known?"""
        known = self.known_sizes
        return len(known) == len(self.sizes) and min(known, default=0) >= 0 and math.prod(known) <= _MOST_ELEMENTS

    @property
    def known_sizes(self) -> tuple[int, ...]:
        """The sizes that are known: all of them, if it is sized."""
        return tuple(size for size in self.sizes if size is not None)

    def setting(self, name: str) -> Setting:
        """One of its parameters."""
        return Setting(self.component.components[name])

    @property
    def condition(self) -> Bound | None:
        """The condition, its own or that of something around it, on which it is there; None if it always is."""
        conditions = (each.condition for each in ancestors(self.component))
        return next((each for each in conditions if each is not None), None)

    @property
    def collector(self) -> ComponentInstance | None:
        """The component by which it looks for its collector; None if it needs none."""
        # PERF: an object has forty components, and looking up the types of all of them takes most of the time.
        inside = [each for each in self.component.components.values() if "outer" in each.member.prefixes]
        return next((each for each in inside if not kinds_of(each).isdisjoint(COLLECTOR_CLASSES)), None)

    def values(self, name: str) -> list[Any] | None:
        """A parameter of each element; None if it can't be decided, or does not fit the sizes."""
        value = self.setting(name).value
        return None if value is None else spread(value, self.known_sizes)


def ancestors(component: ComponentInstance) -> list[ComponentInstance]:
    """The components from the top of the tree down to this one."""
    found = [component]
    while isinstance(parent := found[-1].parent, ComponentInstance):
        found.append(parent)
    return found[::-1]


def kinds_of(component: ComponentInstance) -> set[str]:
    """The full names of its class and of all that this inherits from."""
    environment = component.environment
    return set() if environment is None else {part.full_name for part in environment.ancestry()}


def sizes_of(components: list[ComponentInstance]) -> tuple[int | None, ...]:
    """The sizes of all arrays among components, one after the other."""
    return tuple(dimension.size for each in components for dimension in each.dimensions)


def objects_of(libraries: Libraries, model: Instance) -> Iterator[ConstraintObject]:
    """All objects of a model, in the order of their declarations."""
    for component in _components(libraries, model):
        found = _kind_of(component)
        if found is not None:
            yield ConstraintObject(component, *found, sizes_of(ancestors(component)))


def _kind_of(component: ComponentInstance) -> tuple[Family, Role] | None:
    return next((OBJECT_CLASSES[name] for name in kinds_of(component) if name in OBJECT_CLASSES), None)


def _components(libraries: Libraries, model: Instance) -> Iterator[ComponentInstance]:
    """All components that can be objects or have some inside; what is inside of objects is not among them."""
    closed = _libraries_without_objects(libraries)
    todo = [(child, frozenset[Any]()) for child in reversed(model.components.values())]
    while todo:
        component, around = todo.pop()
        if "outer" in component.member.prefixes:
            continue
        yield component
        if component.type not in around and not _is_closed(component, closed) and _kind_of(component) is None:
            inside = around | {component.type}
            todo += [(child, inside) for child in reversed(component.components.values())]


def unknown_classes(libraries: Libraries, model: Instance) -> Iterator[tuple[ComponentInstance | None, str]]:
    """(component, class) of what is not found, and may have objects inside; None is the model itself.

    Classes of the Standard Library have none, so it need not be there.
    """
    closed = _libraries_without_objects(libraries) | {_STANDARD}
    for name in model.unresolved_bases:
        if name.partition(".")[0] not in closed:
            yield None, name
    for component in _components(libraries, model):
        names = [component.type_text] if component.environment is None else component.unresolved_bases
        yield from ((component, name) for name in names if name.lstrip(".").partition(".")[0] not in closed)


def _libraries_without_objects(libraries: Libraries) -> frozenset[str]:
    """Libraries that others have written and that do not use this one: the Standard Library, above all."""
    found = set()
    for library in libraries:
        uses = libraries.document(library.root).classes[0].get_annotation(f"uses.{LIBRARY}.version")
        if library.read_only and library.name != LIBRARY and uses is None:
            found.add(library.name)
    return frozenset(found)


def _is_closed(component: ComponentInstance, closed: frozenset[str]) -> bool:
    """Can't there be an object inside? In a library that knows none, only a redeclaration can bring one."""
    name = component.type_name
    if name is None:
        return True
    is_redeclared = any(modifier.redeclared is not None for modifier in component.modifiers.values())
    return name.partition(".")[0] in closed and not is_redeclared
