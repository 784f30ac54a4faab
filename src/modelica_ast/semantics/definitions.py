"""Classes where they are written, and what each of them declares: facts of the text alone, nothing is looked up.

A `Definition` belongs to one tree and never changes, so it is kept as long as its file stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

from modelica_ast.syntax import KINDS, Node, child, token_text, tokens
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    ComponentClause,
    ComponentClause1,
    ConstrainingClause,
    DerClassSpecifier,
    Element,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    EnumerationLiteral,
    ExtendsClause,
    ImportClause,
    LongClassSpecifier,
    Name,
    ShortClassDefinition,
    ShortClassSpecifier,
    View,
)

# ---------------------------------------------------------------- predefined
# The types that Modelica brings along (section 4.9 of the specification).

_NUMBER: Final = frozenset("value quantity unit displayUnit min max start fixed nominal unbounded stateSelect".split())

# Type -> the attributes that a modifier can set.
PREDEFINED: Final[Mapping[str, frozenset[str]]] = {
    "Real": _NUMBER,
    "Integer": frozenset("value quantity min max start fixed".split()),
    "Boolean": frozenset("value quantity start fixed".split()),
    "String": frozenset("value quantity start fixed".split()),
    "Clock": frozenset(),
    "ExternalObject": frozenset(),
    "StateSelect": frozenset(),
    "AssertionLevel": frozenset(),
}

# Enumerations among them, with their literals.
PREDEFINED_LITERALS: Final[Mapping[str, tuple[str, ...]]] = {
    "StateSelect": ("never", "avoid", "default", "prefer", "always"),
    "AssertionLevel": ("warning", "error"),
}

ENUMERATION_ATTRIBUTES: Final = frozenset("value quantity min max start fixed".split())

# Functions, and types that are called like them, that every class sees (sections 3.7, 9.3, 10.3, 16, 17).
BUILTIN_FUNCTIONS: Final = frozenset(
    """
    abs acos activeState actualStream array asin assert atan atan2 backSample cardinality cat ceil change cos cosh
    cross delay der diagonal div edge exp fill firstTick floor getInstanceName hold homotopy identity inStream initial
    initialState integer interval linspace log log10 matrix max min mod ndims noClock noEvent ones outerProduct pre
    previous product pure reinit rem rooted sample scalar semiLinear shiftSample sign sin sinh size skew smooth
    spatialDistribution sqrt subSample sum superSample symmetric tan tanh terminal terminate ticksInState timeInState
    transition transpose vector zeros
    Boolean Clock Integer Real String Connections Subtask
    """.split()
)

# ---------------------------------------------------------------- clauses
# What imports, types and `within` name, on green nodes.


def import_words(clause: Node) -> list[str]:
    """The tokens of an import after its keyword, up to its description and annotation; a list of names left out."""
    others = [child(clause, "description_string"), child(clause, "annotation_clause")]
    places = {found[0] for found in others if found is not None}
    return [token_text(p) for i, p in enumerate(clause) if i > 1 and i not in places and type(p) is str]


def type_parts(node: Any) -> tuple[list[str], bool]:
    """The type that a clause names, in its parts, and whether it starts with a dot."""
    found = child(node, "type_specifier")
    assert found is not None
    words = tokens(found[1])
    return [word for word in words if word != "."], words[0] == "."


def modifier_parts(argument: Node) -> list[str]:
    """The name of a modifier, in its parts."""
    found = child(argument, "name")
    assert found is not None
    return [word for word in tokens(found[1]) if word != "."]


def within_parts(root: Node) -> list[str]:
    """The package that a file says it is in, in its parts."""
    for part in root[1:]:
        if type(part) is tuple and KINDS[part[0]] == "within_clause":
            return [word for word in tokens(part)[1:-1] if word != "."]
    return []


# ---------------------------------------------------------------- remembered
# Properties that are computed once.

T = TypeVar("T")


class Remembered(Generic[T]):
    """A property that is computed when first asked for.

    Like `functools.cached_property`, which in Python 3.11 takes one lock for all objects of a class: two threads, each
    with a tree of its own, could wait for each other for ever.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, cls: type) -> Remembered[T]: ...
    @overload
    def __get__(self, owner: object, cls: type) -> T: ...
    def __get__(self, owner: object | None, cls: type) -> Remembered[T] | T:
        if owner is None:
            return self
        value = self._compute(owner)
        # From now on the object's own attribute is found before this one.
        owner.__dict__[self._name] = value
        return value


# ---------------------------------------------------------------- definitions

FullName = tuple[str, ...]
# In the body of a class, or in a modifier.
Declared = Component | ComponentClause1 | ClassDefinition | ShortClassDefinition


class Target(NamedTuple):
    """A place: the file, or whatever else a tree is known by, and the path in its tree."""

    tree: Hashable
    path: tuple[int, ...]


class Absence:
    """Why a name stands for nothing that is known."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.reason}>"


MISSING: Final = Absence("it is surely not there")
NOT_OPEN: Final = Absence("it would be the top of a library that is not open")
AMBIGUOUS: Final = Absence("two imports of all names of a package bring it")
UNKNOWN: Final = Absence("too little is known: a base class is not found, or a file does not parse")


class Outside(Absence):
    """Something of a library that is not looked into, by its full name: a class, an element of one, or an instance.

    A name that is written in some class goes on from `anchor`, a full name that is not written: the base class that it
    is inherited from, the package of a `.*`, nothing for a full name. What an import gives a name to is its own anchor.
    """

    __slots__ = ("anchor", "name")

    def __init__(self, name: FullName, anchor: FullName = ()) -> None:
        super().__init__(f"'{'.'.join(name)}' is of a library that is not looked into")
        self.name = name
        self.anchor = anchor

    @property
    def is_alias(self) -> bool:
        """Is the written name one that an import gives it?"""
        return self.anchor == self.name

    def member(self, name: str) -> Outside:
        """What is inside it."""
        return Outside((*self.name, name), self.name)


class Imports(NamedTuple):
    """What the import clauses of a class bring; a qualified one goes before `import P.*`, wherever they are."""

    named: dict[str, tuple[str, ...]]  # local name -> full name
    packages: list[tuple[str, ...]]  # of which all names are imported
    aliases: frozenset[str]  # local names that differ from what they stand for, or are written as if they did


class Definition:
    """A class where it is written, with the class around it in its file."""

    __slots__ = ("__dict__", "may_have_files", "name", "parent", "view")

    def __init__(self, view: ClassDefinition | ShortClassDefinition, parent: Definition | None) -> None:
        self.view = view
        self.parent = parent
        self.name = _class_name(view)
        self.may_have_files = False  # is it a package whose classes can have files of their own?

    def __repr__(self) -> str:
        return f"<Definition {self.name}>"

    @Remembered
    def specifier(self) -> Any:
        """How it is written: long, short, as an enumeration, as a derivative."""
        return self.view.specifier

    @Remembered
    def place(self) -> Target:
        """Where it is."""
        return place_of(self.view)

    @Remembered
    def kind(self) -> str:
        """`model`, `package`, … without prefixes: `record` for an operator record too."""
        return self.view.class_kind.split()[-1]

    @Remembered
    def is_encapsulated(self) -> bool:
        """Does no name inside lead to the classes around it?"""
        first = self.view.green[1]  # type: ignore[misc]  # a class is a node with children
        return type(first) is str and token_text(first) == "encapsulated"

    @Remembered
    def is_short(self) -> bool:
        """Is it `model A = B`, whose names are looked up around it?"""
        return isinstance(self.specifier, ShortClassSpecifier)

    @Remembered
    def is_class_extends(self) -> bool:
        """Is it `model extends M`?"""
        return isinstance(self.specifier, LongClassSpecifier) and self.specifier.extends is not None

    @Remembered
    def is_expandable(self) -> bool:
        """Is it a connector that gets members from its connections?"""
        return "expandable" in self.view.class_kind

    @Remembered
    def element(self) -> Element | None:
        """The element that it is in; None at the top of a file and in modifiers."""
        return self.view.parent if isinstance(self.view.parent, Element) else None

    @Remembered
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of its element."""
        return self.element.prefixes if self.element is not None else ()

    @Remembered
    def is_redeclaration(self) -> bool:
        """Does its element say `redeclare`, or is it `model extends M`?"""
        return self.is_class_extends or "redeclare" in self.prefixes

    @Remembered
    def is_replaceable(self) -> bool:
        """May it be replaced from outside?"""
        return "replaceable" in self.prefixes

    # ------------------------------------------------------------ what it declares

    @Remembered
    def elements(self) -> list[Element]:
        """All elements of the body, in source order."""
        return self.view.elements if isinstance(self.view, ClassDefinition) else []

    @Remembered
    def parts(self) -> list[Component | ExtendsClause | Definition]:
        """Components, extends clauses and classes of the body, in source order."""
        found: list[Component | ExtendsClause | Definition] = []
        for element in self.elements:
            clause = _clause_of(element)
            match clause:
                case ComponentClause():
                    found += clause.declarations
                case ClassDefinition():
                    found.append(Definition(clause, self))
                case ExtendsClause():
                    found.append(clause)
        return found

    @Remembered
    def components(self) -> dict[str, Component]:
        """Its components; of two with one name the first."""
        found: dict[str, Component] = {}
        for part in self.parts:
            if isinstance(part, Component):
                found.setdefault(component_name(part), part)
        return found

    @Remembered
    def classes(self) -> dict[str, Definition]:
        """Its classes; of two with one name the first."""
        found: dict[str, Definition] = {}
        for part in self.parts:
            if isinstance(part, Definition):
                found.setdefault(part.name, part)
        return found

    @Remembered
    def extends(self) -> list[ExtendsClause]:
        """Its extends clauses."""
        return [part for part in self.parts if isinstance(part, ExtendsClause)]

    @Remembered
    def redeclarations(self) -> list[Component | Definition]:
        """Its elements that redeclare what it inherits."""
        return [p for p in self.parts if not isinstance(p, ExtendsClause) and is_redeclaration(p)]

    @Remembered
    def literals(self) -> dict[str, EnumerationLiteral]:
        """The literals of an enumeration."""
        specifier = self.specifier
        literals = specifier.literals if isinstance(specifier, EnumerationClassSpecifier) else []
        return {literal.name: literal for literal in literals}

    @Remembered
    def import_clauses(self) -> list[ImportClause]:
        """Its import clauses."""
        return [clause for element in self.elements if isinstance(clause := _clause_of(element), ImportClause)]

    @Remembered
    def imports(self) -> Imports | None:
        """What its import clauses bring; None without one."""
        if not self.import_clauses:
            return None
        named: dict[str, tuple[str, ...]] = {}
        packages: list[tuple[str, ...]] = []
        aliases: set[str] = set()
        for clause in self.import_clauses:
            for local, parts in imported_names(clause):
                if not local:
                    packages.append(parts)
                elif local not in named:
                    named[local] = parts
                    if is_alias(clause, local):
                        aliases.add(local)
        return Imports(named, packages, frozenset(aliases))

    @Remembered
    def base_names(self) -> list[Name]:
        """The classes that it extends, is short for, or is the derivative of, as they are written."""
        specifier = self.specifier
        if isinstance(specifier, ShortClassSpecifier):
            return [specifier.type]
        if isinstance(specifier, DerClassSpecifier):
            return [specifier.function]
        return [clause.type for clause in self.extends]

    @Remembered
    def is_broken(self) -> bool:
        """Is there something in its body that does not parse?"""
        composition = self.view.composition if isinstance(self.view, ClassDefinition) else None
        if composition is None:
            return False
        groups: Iterable[View] = [composition, *composition.sections]
        return any(
            type(child) is tuple and KINDS[child[0]] == "unparsed" for group in groups for child in group.green[1:]
        )

    @Remembered
    def inner_by_path(self) -> dict[tuple[int, ...], Definition]:
        """The classes of the body by their places in the file."""
        return {part.place.path: part for part in self.parts if isinstance(part, Definition)}

    @property
    def inner_classes(self) -> Iterator[Definition]:
        """The classes of the body, in source order, those of one name too."""
        return (part for part in self.parts if isinstance(part, Definition))


def definitions_of(views: Iterable[ClassDefinition]) -> list[Definition]:
    """The classes at the top of a file."""
    return [Definition(view, None) for view in views]


def with_inner(tops: Iterable[Definition]) -> Iterator[Definition]:
    """Some classes, each followed by all those inside it."""
    todo = list(tops)[::-1]
    while todo:
        definition = todo.pop()
        yield definition
        todo += list(definition.inner_classes)[::-1]


def place_of(view: View) -> Target:
    """A view as the path to it in the tree of its file."""
    return Target(view.root.file, view.path)


def file_of(view: View) -> Path:
    """The file that a view is of."""
    file = view.root.file
    assert file is not None
    return file


def component_name(view: Component) -> str:
    """The name of a component. PERF: without a view of its identifier."""
    return token_text(view.green[1])  # type: ignore[misc]  # the first child is the identifier


def _class_name(view: ClassDefinition | ShortClassDefinition) -> str:
    specifier: Any = view.green[-1]
    name = token_text(specifier[1])
    return token_text(specifier[2]) if name == "extends" else name


def _clause_of(element: Element) -> View | None:
    """What an element declares. PERF: the fields of the view would ask four times."""
    node = element.green
    for index in range(1, len(node)):
        child = node[index]
        if type(child) is tuple:
            cls = _CLAUSES.get(KINDS[child[0]])
            return None if cls is None else cls(child, element, index)
    return None


_CLAUSES: Final[dict[str, type[View]]] = {
    "component_clause": ComponentClause,
    "class_definition": ClassDefinition,
    "extends_clause": ExtendsClause,
    "import_clause": ImportClause,
}


def is_redeclaration(declared: Component | Definition) -> bool:
    """Does its element say `redeclare`, or is it `model extends M`?"""
    if isinstance(declared, Definition):
        return declared.is_redeclaration
    element = declared.element
    return element is not None and "redeclare" in element.prefixes


def element_around(declared: Declared) -> Element | None:
    """The element that a declaration in a body is in."""
    if isinstance(declared, Component):
        return declared.element
    return declared.parent if isinstance(declared.parent, Element) else None


def constraint_of(declared: Declared) -> ConstrainingClause | None:
    """The constraining clause of a declaration."""
    around: View | None = element_around(declared) or declared.parent
    return around.constraint if isinstance(around, Element | ElementRedeclaration | ElementReplaceable) else None


def imported_names(clause: ImportClause) -> list[tuple[str, tuple[str, ...]]]:
    """(local name, full name in its parts) of all that a clause imports; the local name of `P.*` is ''."""
    parts_behind = clause.green[2:]  # type: ignore[misc]  # a clause has two children at least
    alias = next((part for part in parts_behind if type(part) is tuple and KINDS[part[0]] == "name"), None)
    words = import_words(clause.green)  # type: ignore[arg-type]  # a clause is a node
    if alias is not None or "=" in words:
        parts = tuple(word for word in tokens(alias) if word != ".") if alias is not None else tuple(words[2:])
        return [(words[0], parts)]
    dotted = tuple(word for word in words if word not in (".", ".*", "*", "{", "}"))
    if words[-1] in (".*", "*"):
        return [("", dotted)]
    listed = clause.imported
    return [(local, (*dotted, name)) for local, name in listed] if listed else [(dotted[-1], dotted)]


def is_alias(clause: ImportClause, local: str) -> bool:
    """Is a local name written as an alias, `C` of `import C = A.B`?"""
    if clause.alias is not None:
        return True
    return any(name == local and name != full for name, full in clause.imported)
