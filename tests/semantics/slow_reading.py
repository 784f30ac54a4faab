"""What the text of a class declares, as plain lists: the ground that `slow_lookup` stands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath

from modelica_ast import parse_file
from modelica_ast.tree import (
    Arguments,
    ClassDefinition,
    Component,
    ComponentClause1,
    ComponentDeclaration1,
    DerClassSpecifier,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    ImportClause,
    InheritanceModification,
    LongClassSpecifier,
    Name,
    ShortClassDefinition,
    ShortClassSpecifier,
    StoredDefinition,
    View,
)

Path = tuple[str, ...]  # the full name of a class; a file is called by that of its first class
Changed = tuple[Path, "Element"]


class Files(Mapping[Path, StoredDefinition]):
    """The files of libraries by the full names of their classes, as 13.4 has them. One is parsed when asked for."""

    def __init__(self, *libraries: FilePath) -> None:
        self.paths: dict[Path, FilePath] = {}
        self._trees: dict[Path, StoredDefinition] = {}
        for library in libraries:
            # 13.3: `Modelica 4.1.0` is the folder of Modelica.
            self._add(library, (library.name.removesuffix(".mo").split(" ")[0],))

    def _add(self, place: FilePath, name: Path) -> None:
        self.paths[name] = place / "package.mo" if place.is_dir() else place
        for inner in sorted(place.iterdir()) if place.is_dir() else ():
            is_class = inner.suffix == ".mo" and inner.name != "package.mo"
            if is_class or (inner / "package.mo").is_file():
                self._add(inner, (*name, inner.name.removesuffix(".mo")))

    def __getitem__(self, name: Path) -> StoredDefinition:
        if name not in self._trees:
            self._trees[name] = parse_file(self.paths[name])
        return self._trees[name]

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(frozen=True)
class Written:
    """A name as it is written, with the redeclarations among its modifiers."""

    parts: Path
    is_global: bool
    changes: tuple[Changed, ...] = ()
    removed: frozenset[str] = frozenset()  # by `break`

    def __str__(self) -> str:
        return "'" + "." * self.is_global + ".".join(self.parts) + "'"


@dataclass(frozen=True)
class Import:
    """One imported name, or all of a package: then there is no local name."""

    parts: Path
    local: str | None


@dataclass(frozen=True, eq=False)
class Declaration:
    """Where something is declared: the offset is that of its name."""

    name: str
    full_name: str
    kind: str  # `class`, `component` or `literal`
    file: Path
    offset: int


@dataclass(frozen=True, eq=False)
class Element:
    """A class, a component or a literal of a class, or what a modifier puts in place of one."""

    name: str
    declaration: Declaration
    node: Class | None = None
    type: Written | None = None
    changes: tuple[Changed, ...] = ()
    constraint_changes: tuple[Changed, ...] = ()
    has_constraint: bool = False
    prefixes: tuple[str, ...] = ()
    is_redeclare: bool = False
    is_protected: bool = False
    said: str = ""  # the text that says what it is, without descriptions and annotations

    @property
    def is_literal(self) -> bool:
        """Is it one of an enumeration?"""
        return self.node is None and self.type is None

    @property
    def is_replaceable(self) -> bool:
        """May another one take its place?"""
        return "replaceable" in self.prefixes

    @property
    def is_variable(self) -> bool:
        """Is it a component that is not constant? Enclosed classes may not use it."""
        return self.type is not None and "constant" not in self.prefixes


@dataclass(eq=False)
class Class:
    """A class of a text. `around` is the class that it is written in; that of a file is in a package by its path."""

    name: str
    declaration: Declaration
    view: ClassDefinition | ShortClassDefinition
    file: Path
    package: Path
    around: Class | None
    is_short: bool = False
    is_enumeration: bool = False
    is_class_extends: bool = False
    is_encapsulated: bool = False
    is_expandable: bool = False
    kind: str = ""
    elements: list[Element] = field(default_factory=list)
    extends: list[Written] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    extends_changes: tuple[Changed, ...] = ()

    @property
    def path(self) -> Path:
        """Its full name."""
        return (*self.package, self.name)


def offset_of(view: View) -> int:
    """Where the first token of a view is in its text."""
    return view.root.offset_of(view) + len(view.leading)


def written(name: Name, arguments: Arguments | None = None, node: Class | None = None) -> Written:
    """A name of a class with its modifiers."""
    breaks = [one for one in arguments.items if isinstance(one, InheritanceModification)] if arguments else []
    removed = frozenset(one.identifier.text for one in breaks if one.identifier is not None)
    return Written(name.parts, name.is_global, _changes(arguments, node) if node else (), removed)


def read_class(
    view: ClassDefinition | ShortClassDefinition, file: Path, package: Path, around: Class | None, *, inside: str = ""
) -> Class:
    """What a class declares."""
    specifier = view.specifier
    identifier = next(child for child in specifier.children if child.kind == "IDENT")
    full_name = ".".join((*package, inside + view.name))
    declaration = Declaration(view.name, full_name, "class", file, offset_of(identifier))
    node = Class(view.name, declaration, view, file, package, around, kind=view.class_kind)
    node.is_encapsulated = isinstance(view, ClassDefinition) and view.encapsulated is not None
    node.is_expandable = "expandable" in view.class_kind
    match specifier:
        case ShortClassSpecifier():
            node.is_short = True
            node.extends.append(written(specifier.type, specifier.arguments, node))
        case DerClassSpecifier():
            node.is_short = True
            node.extends.append(written(specifier.function))
        case EnumerationClassSpecifier():
            node.is_enumeration = True
            node.elements += [
                Element(one.name, Declaration(one.name, f"{full_name}.{one.name}", "literal", file, offset_of(one)))
                for one in specifier.literals
            ]
        case LongClassSpecifier():
            node.is_class_extends = specifier.extends is not None
            node.extends_changes = _changes(specifier.arguments, node)
            if isinstance(view, ClassDefinition):
                _read_elements(view, node)
    return node


def _read_elements(view: ClassDefinition, node: Class) -> None:
    for element in view.elements:
        constraint = element.constraint
        constraint_changes = _changes(constraint.arguments, node) if constraint else ()
        if element.import_clause:
            node.imports += _imports(element.import_clause)
        elif element.extends_clause:
            node.extends.append(written(element.extends_clause.type, element.extends_clause.arguments, node))
        elif element.class_definition:
            inner = read_class(element.class_definition, node.file, node.path, node)
            node.elements.append(
                Element(
                    inner.name,
                    inner.declaration,
                    node=inner,
                    constraint_changes=constraint_changes,
                    has_constraint=constraint is not None,
                    prefixes=element.prefixes,
                    is_redeclare="redeclare" in element.prefixes or inner.is_class_extends,
                    is_protected=element.is_protected,
                    said=_one_line(element.class_definition),
                )
            )
        elif element.component_clause:
            for component in element.component_clause.declarations:
                node.elements.append(
                    Element(
                        component.name,
                        _declared(component, node),
                        type=written(component.type),
                        changes=_changes(component.arguments, node),
                        constraint_changes=constraint_changes,
                        has_constraint=constraint is not None,
                        prefixes=component.prefixes,
                        is_redeclare="redeclare" in element.prefixes,
                        is_protected=element.is_protected,
                        said=_said(component),
                    )
                )


def _one_line(view: View | None) -> str:
    return "" if view is None else " ".join(view.text.split())


def _said(component: Component) -> str:
    clause = component.clause
    parts = [clause.prefix, clause.type, clause.subscripts, component.subscripts, component.modification]
    return "; ".join(_one_line(part) for part in parts)


def _declared(component: Component | ComponentDeclaration1, node: Class) -> Declaration:
    full_name = ".".join((*node.path, component.name))
    return Declaration(component.name, full_name, "component", node.file, offset_of(component))


def redeclared(argument: ElementRedeclaration | ElementReplaceable, node: Class) -> Element:
    """What a modifier in the text of a class puts in place of an element."""
    declared = argument.declared
    constraint = argument.constraint
    prefixes = ("replaceable",) if argument.replaceable else ()
    constraint_changes = _changes(constraint.arguments, node) if constraint else ()
    if isinstance(declared, ComponentClause1):
        one = declared.declaration
        return Element(
            one.name,
            _declared(one, node),
            type=written(declared.type),
            changes=_changes(one.arguments, node),
            constraint_changes=constraint_changes,
            has_constraint=constraint is not None,
            prefixes=prefixes,
            is_redeclare=True,
        )
    inner = read_class(declared, node.file, node.path, node)
    return Element(
        inner.name,
        inner.declaration,
        node=inner,
        constraint_changes=constraint_changes,
        has_constraint=constraint is not None,
        prefixes=prefixes,
        is_redeclare=True,
    )


def _changes(arguments: Arguments | None, node: Class) -> tuple[Changed, ...]:
    """The redeclarations in a list of modifiers, each with the way to what it redeclares."""
    found: list[Changed] = []
    for argument in arguments.items if arguments else ():
        if isinstance(argument, ElementModification):
            inside = _changes(argument.arguments, node)
            found += [((*argument.name.parts, *path), by) for path, by in inside]
        elif isinstance(argument, ElementRedeclaration | ElementReplaceable):
            by = redeclared(argument, node)
            found.append(((by.name,), by))
    return tuple(found)


def _imports(clause: ImportClause) -> list[Import]:
    parts = tuple(text for text in _identifiers(clause))
    if clause.is_wildcard:
        return [Import(parts, None)]
    if clause.alias is not None:
        return [Import(parts, clause.alias)]
    if clause.imported:
        return [Import((*parts, name), local) for local, name in clause.imported]
    return [Import(parts, parts[-1])]


def _identifiers(clause: ImportClause) -> list[str]:
    """The identifiers of the imported name, or of the package before `.*` and `.{`."""
    if clause.alias is not None:
        name = next(child for child in clause.children[2:] if isinstance(child, Name))
        return list(name.parts)
    return [child.text for child in clause.children if child.kind == "IDENT"]
