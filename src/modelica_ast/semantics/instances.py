"""The instance tree of a class: all its components, inherited ones too, with the modifiers that reach each of them.

    arm = instance(libraries, "Robots.Arm")
    mass = arm.find("body.m")
    mass.value, mass.attribute("unit"), mass.modifiers["="].place

After an edit, ask for another tree: this one keeps what it has seen. Children are made when somebody looks. What a
name stands for is found by the rules of the language, with redeclarations; what is not found
is None and never guessed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from modelica_ast.foundation import NotFoundError, Record, nearest, split_name
from modelica_ast.semantics.arrays import Value
from modelica_ast.semantics.definitions import (
    ENUMERATION_ATTRIBUTES,
    PREDEFINED,
    Remembered,
    Target,
    constraint_of,
    element_around,
    file_of,
    place_of,
)
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.evaluation import Evaluation, subscripts_of
from modelica_ast.semantics.modifiers import Modifier
from modelica_ast.tree import (
    ClassAnnotation,
    ClassDefinition,
    Component,
    ComponentClause1,
    ConnectEquation,
    ElementRedeclaration,
    ElementReplaceable,
    EquationSection,
    Expression,
    ShortClassSpecifier,
    Token,
    walk,
)

_VARIABILITIES: Final = ("constant", "parameter", "discrete")
_CAUSALITIES: Final = ("input", "output")
_FLOWS: Final = ("flow", "stream")


class Connection(Record):
    """A connect equation of a class, or of one that it inherits from."""

    left: str
    right: str
    place: Target
    line: int
    declared_in: str
    loops: tuple[str, ...] = ()  # the ranges of the loops around it, `i in 1:3`, the outermost first


class Bound:
    """An expression with the scope that it has to be read in."""

    def __init__(self, expression: Expression, scope: Environment) -> None:
        self.expression = expression
        self.scope = scope

    def __repr__(self) -> str:
        return f"<Bound {self.text}>"

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return self.expression.text

    @property
    def scope_name(self) -> str:
        """The full name of the class that it is written in."""
        return self.scope.full_name

    @property
    def value(self) -> Value:
        """Its value, None if it can't be decided."""
        return Evaluation().of(self.expression, self.scope)


class Dimension(Record):
    """One dimension of an array."""

    text: str  # as it is written, `:` for an open one
    size: int | None  # None if it is not known
    expression: Bound | None  # None for an open one


class Node(ABC):
    """What the class itself and each of its components have in common: components inside."""

    path: str  # '' for the class itself

    @property
    @abstractmethod
    def environment(self) -> Environment | None:
        """The class with the modifiers that reach it; None if it is not found."""

    @property
    def _inside(self) -> Environment | None:
        """The class that the components inside are of."""
        return self.environment

    @Remembered
    def components(self) -> dict[str, ComponentInstance]:
        """The components inside, inherited ones where their extends clause is."""
        environment = self._inside
        if environment is None:
            return {}
        return {member.name: ComponentInstance(self, member) for member in environment.members() if not member.is_class}

    @Remembered
    def classes(self) -> dict[str, Instance]:
        """The classes inside that are found, redeclared ones as they are redeclared."""
        environment = self.environment
        members = [] if environment is None else [member for member in environment.members() if member.is_class]
        return {m.name: Instance(found) for m in members if (found := m.environment) is not None}

    @property
    def connections(self) -> list[Connection]:
        """The connections of the class, inherited ones too."""
        return list(connections_of(self.environment)) if self.environment is not None else []

    @property
    def unresolved_bases(self) -> list[str]:
        """The names after `extends` that are not found."""
        if self.environment is None:
            return []
        return [str(b.type) for part in self.environment.ancestry() for b in part.bases if b.environment is None]

    def get(self, path: str) -> ComponentInstance | None:
        """The component of a dotted path, or None."""
        found: Node | None = self
        for name in split_name(path):
            found = found.components.get(name) if found is not None else None
        return found if isinstance(found, ComponentInstance) else None

    def find(self, path: str) -> ComponentInstance:
        """The component of a dotted path, `body.frame_a`; NotFoundError names the nearest."""
        found: Node = self
        for name in split_name(path):
            inside = found.components
            if name not in inside:
                where = f"'{found.path}'" if found.path else "the class"
                is_class = found.environment is not None and found.environment.member(name) is not None
                hint = ": it is a class" if is_class else nearest(name, inside)
                raise NotFoundError(f"no component '{name}' in {where}{hint}")
            found = inside[name]
        assert isinstance(found, ComponentInstance)
        return found

    def walk(self, max_depth: int | None = None) -> Iterator[ComponentInstance]:
        """All components, each before those inside it, down to a depth; 1 is the components of the class itself.

        A component that is of a class around it, which an instance can't have but a text can, is not opened.
        """
        todo = [(child, 1, self._places()) for child in reversed(self.components.values())]
        while todo:
            current, depth, around = todo.pop()
            yield current
            place = current.type
            if (max_depth is not None and depth >= max_depth) or place in around:
                continue
            inside = around if place is None else around | {place}
            todo += [(child, depth + 1, inside) for child in reversed(current.components.values())]

    def _places(self) -> frozenset[Target]:
        definition = self.environment.definition if self.environment is not None else None
        return frozenset() if definition is None else frozenset({place_of(definition)})

    def is_a(self, name: str) -> bool:
        """Is it of the class of a full name, or of one that inherits from it? NotFoundError if there is no such."""
        environment = self.environment
        if environment is None:
            return False
        wanted = environment.find_class(split_name(name), is_global=True)
        if wanted is None:
            raise NotFoundError(f"there is no class '{name}'")
        return any(
            part.definition == wanted.definition and part.predefined == wanted.predefined
            for part in environment.ancestry()
        )


class Instance(Node):
    """A class with all its components."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.path = ""

    def __repr__(self) -> str:
        return f"<Instance {self.name}>"

    @property
    def environment(self) -> Environment:
        """The class with the modifiers that reach it."""
        return self._environment

    @property
    def name(self) -> str:
        """The full name of the class."""
        return self._environment.full_name

    @property
    def definition(self) -> Target | None:
        """Where the class is; None for a predefined type."""
        definition = self._environment.definition
        return None if definition is None else place_of(definition)

    @property
    def problems(self) -> list[Any]:
        """The files that names led to so far and that could not be read."""
        return list(getattr(self._environment.classes.files, "problems", ()))


class ComponentInstance(Node):
    """A component in its place in the tree."""

    def __init__(self, parent: Node, member: Member) -> None:
        self.parent = parent
        self.member = member
        self.name = member.name
        self.path = f"{parent.path}.{member.name}" if parent.path else member.name  # what sets it from the top

    def __repr__(self) -> str:
        return f"<ComponentInstance {self.path}: {self.type_text}>"

    @property
    def environment(self) -> Environment | None:
        """The class that it is of, with the modifiers that reach it; None if that is not found."""
        return self.member.environment

    @property
    def _inside(self) -> Environment | None:
        """An `outer` component has what the `inner` one has that it stands for, if there is one around."""
        inner = self.member.inner() if "outer" in self.member.prefixes else None
        return self.environment if inner is None else inner.environment

    # ------------------------------------------------------------ declaration

    @property
    def declaration(self) -> Target:
        """Where it is declared: the declaration that counts, a redeclaration if there is one."""
        declared = self.member.current
        return place_of(declared.declaration if isinstance(declared, ComponentClause1) else declared)

    @property
    def first_declaration(self) -> Target:
        """Where it is declared in the class that brings it, whatever redeclares it."""
        return self.member.place

    @property
    def file(self) -> Path:
        """The file that declares it."""
        return file_of(self.member.current)

    @property
    def line(self) -> int:
        """The line of its name in that file."""
        declared = self.member.current
        view = declared.declaration if isinstance(declared, ComponentClause1) else declared
        return view.position.line

    @property
    def declared_in(self) -> str:
        """The full name of the class that declares it first."""
        return self.member.owner.full_name

    @property
    def description(self) -> str:
        """Its description, that of the redeclaration if it has one; '' without."""
        declared = self.member.current
        views = [declared.declaration if isinstance(declared, ComponentClause1) else declared, self.member.declared]
        return next((view.description.value for view in views if view.description is not None), "")

    # ------------------------------------------------------------ type

    @property
    def type_text(self) -> str:
        """The type as it is written."""
        return str(self.member.type_name)

    @property
    def type(self) -> Target | None:
        """The class that it is of; None if that is predefined or not found."""
        definition = self.environment.definition if self.environment is not None else None
        return None if definition is None else place_of(definition)

    @property
    def type_name(self) -> str | None:
        """The full name of its type; None if it is not found."""
        return None if self.environment is None else self.environment.full_name

    @property
    def end_type(self) -> str | None:
        """`Real`, `Integer`, … or the full name of an enumeration; None for a component with components."""
        end = self.environment.end if self.environment is not None else None
        return None if end is None else end.full_name

    @property
    def constraint(self) -> str | None:
        """What a replacement has to be of: after `constrainedby`, or the type; None if it can't be replaced."""
        if not self.is_replaceable:
            return None
        clause = constraint_of(self.member.current) or constraint_of(self.member.declared)
        return self.type_text if clause is None else str(clause.type)

    # ------------------------------------------------------------ prefixes

    @Remembered
    def prefixes(self) -> tuple[str, ...]:
        """All prefixes: of the declaration, and those that its type brings, as in `connector In = input Real`."""
        found = list(self.member.prefixes)
        for part in self.environment.ancestry() if self.environment is not None else ():
            specifier = part.definition.specifier if part.definition is not None else None
            if not isinstance(specifier, ShortClassSpecifier):
                break
            found += specifier.prefix.words if specifier.prefix is not None else ()
        return tuple(dict.fromkeys(found))

    def _first(self, words: tuple[str, ...]) -> str:
        return next((prefix for prefix in self.prefixes if prefix in words), "")

    @property
    def variability(self) -> str:
        """`constant`, `parameter`, `discrete` or ''."""
        return self._first(_VARIABILITIES)

    @property
    def causality(self) -> str:
        """`input`, `output` or ''."""
        return self._first(_CAUSALITIES)

    @property
    def flow(self) -> str:
        """`flow`, `stream` or ''."""
        return self._first(_FLOWS)

    @property
    def is_inner(self) -> bool:
        """Is it declared `inner`?"""
        return "inner" in self.prefixes

    @property
    def is_outer(self) -> bool:
        """Is it declared `outer`?"""
        return "outer" in self.prefixes

    @property
    def inner(self) -> str | None:
        """The path of the component that an `outer` one stands for; None if there is none in this tree."""
        found = self.member.inner() if self.is_outer else None
        if found is None:
            return None
        around: Node | None = self.parent
        while around is not None:
            if around.components.get(self.name, self).member is found:
                return around.components[self.name].path
            around = around.parent if isinstance(around, ComponentInstance) else None
        return None

    @property
    def is_final(self) -> bool:
        """Is it declared `final`, or is its value set by a `final` modifier?"""
        return "final" in self.prefixes or (self.binding is not None and self.binding.is_final)

    @property
    def is_protected(self) -> bool:
        """Is it in a protected section, or inherited by an extends clause in one?"""
        element = self.member.element
        return self.member.owner.is_protected or (element is not None and element.is_protected)

    @property
    def is_replaceable(self) -> bool:
        """Can it be redeclared from outside?"""
        declared = self.member.current
        if isinstance(declared.parent, ElementRedeclaration | ElementReplaceable):
            return declared.parent.replaceable is not None
        element = element_around(declared)
        return element is not None and "replaceable" in element.prefixes

    @property
    def redeclared_by(self) -> Modifier[Environment] | None:
        """The redeclaration that counts; None if it is as it was declared."""
        return self.member.redeclarations[0] if self.member.redeclarations else None

    # ------------------------------------------------------------ sizes, condition

    @property
    def dimensions(self) -> list[Dimension]:
        """The dimensions of an array, those of its type last; empty for a scalar."""
        written = subscripts_of(self.member)
        sizes = Evaluation().sizes(self.member) if written else []
        return [
            Dimension(item.text, size, None if isinstance(item, Token) else Bound(item, scope))
            for (item, scope), size in zip(written, sizes, strict=True)
        ]

    @property
    def condition(self) -> Bound | None:
        """The expression after `if`."""
        declared = self.member.declared
        attribute = declared.condition if isinstance(declared, Component) else None
        return None if attribute is None else Bound(attribute.expression, self.member.owner)

    @property
    def is_present(self) -> bool | None:
        """Is it there, if what is around it is? None if its condition can't be decided."""
        if self.condition is None:
            return True
        value = self.condition.value
        return value if isinstance(value, bool) else None

    # ------------------------------------------------------------ modifiers, values

    @Remembered
    def modifiers(self) -> dict[str, Modifier[Environment]]:
        """The modifiers that reach it, by their path from here; '=' is the value. Of several the outermost is there.

        With `path` before it, that is the modifier to write in order to override it from the top.
        """
        found: dict[str, Modifier[Environment]] = {}
        for modifier in self._all_modifiers:
            found.setdefault(".".join(modifier.names) or "=", modifier)
        return found

    def modifiers_of(self, path: str) -> list[Modifier[Environment]]:
        """All modifiers of a path, the one that counts first, then those that it hides."""
        return [modifier for modifier in self._all_modifiers if (".".join(modifier.names) or "=") == path]

    @property
    def _all_modifiers(self) -> tuple[Modifier[Environment], ...]:
        environment = self.environment
        if environment is None:
            return self.member.modifiers
        # What a type definition says of its own predefined type is weaker than all that is outside of it.
        return environment.modifiers if environment.end is None else environment.end.modifiers

    @property
    def binding(self) -> Modifier[Environment] | None:
        """The value as it is written, with its place and the scope to read it in; None without."""
        return self.member.binding

    @Remembered
    def value(self) -> Value:
        """The value of the binding, None if there is none or it can't be decided."""
        return Evaluation().of_member(self.member)

    @Remembered
    def attributes(self) -> dict[str, Modifier[Environment]]:
        """The attributes that are set, merged through all type definitions: `SI.Mass` gives unit, quantity, min."""
        end = self.environment.end if self.environment is not None else None
        if end is None:
            return {}
        known = PREDEFINED.get(end.predefined, ENUMERATION_ATTRIBUTES)
        return {name: modifier for name, modifier in self.modifiers.items() if name in known}

    def attribute(self, name: str) -> Value:
        """The value of an attribute (`unit`, `start`, …), None if it is not set or can't be decided."""
        found = self.attributes.get(name)
        return None if found is None else Evaluation().of_modifier(found)


def connections_of(environment: Environment) -> Iterator[Connection]:
    """The connections of a class and of those that it inherits from; what `break` takes out is not among them."""
    for part in environment.ancestry():
        if not isinstance(part.definition, ClassDefinition):
            continue
        name = part.full_name
        for section in part.definition.sections:
            is_normal = isinstance(section, EquationSection) and section.initial is None
            if not is_normal and not isinstance(section, ClassAnnotation):
                continue
            for view in walk(section, annotations=False):
                if isinstance(view, ConnectEquation) and not _is_broken(part, view):
                    left, right = str(view.left), str(view.right)
                    yield Connection(left, right, place_of(view), view.position.line, name, view.loops)


def _is_broken(part: Environment, view: ConnectEquation) -> bool:
    ends = {view.left.parts[0], view.right.parts[0]}
    return bool(ends & part.broken.names) or frozenset((str(view.left), str(view.right))) in part.broken.connections
