"""A class of a document, by its name, and the verbs that it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from modelica_ast.edit import (
    annotation,
    classes,
    components,
    connections,
    equations,
    inheritance,
    redeclaring,
    renaming,
)
from modelica_ast.edit.component_handle import ComponentHandle
from modelica_ast.edit.editable import Editable, Where, expression
from modelica_ast.edit.errors import NotFoundError
from modelica_ast.identifiers import split_name
from modelica_ast.views.base import Expression
from modelica_ast.views.classes import ClassDefinition

if TYPE_CHECKING:
    from modelica_ast.edit import diagram, drawing, several
    from modelica_ast.graphics.items import Item, Line
    from modelica_ast.graphics.layers import CoordinateSystem, Layer
else:
    from modelica_ast.edit.late import diagram, drawing, several


class ClassHandle:
    """A class of a document, by its name."""

    def __init__(self, document: Editable, name: str) -> None:
        self.document = document
        self.name = name

    def __repr__(self) -> str:
        return f"<ClassHandle {self.name}>"

    @property
    def view(self) -> ClassDefinition:
        """The class as it is now."""
        found: Any = self.document.tree
        for index in self.document.work.class_path(self.name):
            found = found.children[index - 1]
        assert isinstance(found, ClassDefinition)
        return found

    # ------------------------------------------------------------ the class itself

    @property
    def kind(self) -> str:
        """What kind of class it is: `model`, `block`, `operator record`, …"""
        return self.view.class_kind

    def set_kind(self, kind: str) -> None:
        """Make it another kind of class."""
        self.document.edit(classes.set_class_kind, self.name, kind)

    @property
    def prefixes(self) -> list[str]:
        """The words before it: `encapsulated`, `partial`, `final`, `replaceable`, …"""
        return classes.get_class_prefixes(self.document.work, self.name)

    def set_prefixes(self, prefixes: Sequence[str]) -> None:
        """Set all words before it; its kind is not among them."""
        self.document.edit(classes.set_class_prefixes, self.name, prefixes)

    @property
    def description(self) -> str | None:
        """The string behind its name, or None."""
        found = self.view.description
        return None if found is None else found.value

    def set_description(self, text: str | None) -> None:
        """Set or (None) remove its description."""
        self.document.edit(classes.set_class_description, self.name, text)

    def rename(self, name: str) -> None:
        """Rename it with all its uses in the document; refused where the meaning of a name would change."""
        self.document.edit(renaming.rename_class, self.name, name)
        self.name = ".".join([*split_name(self.name)[:-1], name])

    def move(self, **where: Unpack[Where]) -> None:
        """Move it with its comments to another place among its siblings."""
        self.document.edit(classes.move_class, self.name, **where)

    def remove(self) -> None:
        """Remove it with its comments; refused while something else in the document uses it."""
        self.document.edit(classes.remove_class, self.name)

    # ------------------------------------------------------------ classes inside

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes inside."""
        return [ClassHandle(self.document, f"{self.name}.{inner.name}") for inner in self.view.classes]

    def find_class(self, name: str) -> ClassHandle:
        """The class of this name inside; NotFoundError names the nearest."""
        self.document.work.class_path(f"{self.name}.{name}")
        return ClassHandle(self.document, f"{self.name}.{name}")

    def get_class(self, name: str) -> ClassHandle | None:
        """The class of this name inside, or None."""
        try:
            return self.find_class(name)
        except NotFoundError:
            return None

    def add_class(
        self, name: str, kind: str = "model", *, description: str | None = None, **where: Unpack[Where]
    ) -> ClassHandle:
        """Add an empty class inside."""
        self.document.edit(classes.add_class, self.name, name, kind=kind, description=description, **where)
        return ClassHandle(self.document, f"{self.name}.{name}")

    def insert_class(self, definition: str, **where: Unpack[Where]) -> ClassHandle:
        """Add a class inside, given as Modelica; it gets the indentation and line ends of its place."""
        self.document.edit(classes.insert_class, self.name, definition, **where)
        return ClassHandle(self.document, f"{self.name}.{classes.name_of(definition)}")

    # ------------------------------------------------------------ components

    @property
    def components(self) -> list[ComponentHandle]:
        """The components declared in it."""
        return [ComponentHandle(self, component.name) for component in self.view.components]

    def find_component(self, name: str) -> ComponentHandle:
        """The component of this name; NotFoundError names the nearest."""
        self.document.work.component_path(self.name, name)
        return ComponentHandle(self, name)

    def get_component(self, name: str) -> ComponentHandle | None:
        """The component of this name, or None."""
        try:
            return self.find_component(name)
        except NotFoundError:
            return None

    def add_component(
        self,
        type: str,  # noqa: A002  (its name in Modelica)
        name: str,
        modifiers: Mapping[str, Any] | None = None,
        *,
        description: str | None = None,
        prefixes: Sequence[str] = (),
        dimensions: Sequence[Any] = (),
        condition: Any = None,
        **where: Unpack[Where],
    ) -> ComponentHandle:
        """Declare a component: `add_component("Modelica…Body", "link1", {"m": 1.5}, after="link0")`."""
        options = {
            "description": description,
            "prefixes": prefixes,
            "dimensions": dimensions,
            "condition": condition,
            **where,
        }
        self.document.edit(components.add_component, self.name, type, name, modifiers, **options)
        return ComponentHandle(self, name)

    def add_components(self, components: Iterable[several.NewComponent]) -> None:
        """Declare many components with their placements, in linear time, behind the last public one."""
        self.document.edit(several.add_components, self.name, components)

    def remove_components(self, components: Iterable[str]) -> None:
        """Remove many components, which are looked for and proved once; their uses elsewhere stay."""
        self.document.edit(several.remove_components, self.name, components)

    # ------------------------------------------------------------ what it takes from elsewhere

    @property
    def extends(self) -> list[str]:
        """The classes that it extends, as they are written."""
        return [str(clause.type) for clause in self.view.extends]

    @property
    def imports(self) -> list[str]:
        """What it imports, as it is written: `A.B`, `C=A.B`, `A.B.{C,D}`, `A.B.*`."""
        return inheritance.imports(self.document.work, self.name)

    def add_extends(self, base: str, modifiers: Mapping[str, Any] | None = None) -> None:
        """Add an extends clause, behind the last one or as the first element."""
        self.document.edit(inheritance.add_extends, self.name, base, modifiers)

    def remove_extends(self, base: str) -> None:
        """Remove the extends clause of a base class, named as it is written."""
        self.document.edit(inheritance.remove_extends, self.name, base)

    def get_extends_modifier(self, base: str, path: str) -> Expression | None:
        """The value of a modifier of an extends clause, or None."""
        return expression(inheritance.get_extends_modifier(self.document.work, self.name, base, path))

    def set_extends_modifier(self, base: str, path: str, value: Any) -> None:
        """Set a modifier of an extends clause."""
        self.document.edit(inheritance.set_extends_modifier, self.name, base, path, value)

    def set_extends_modifiers(self, base: str, modifiers: Mapping[str, Any], *, indent: int | None = None) -> None:
        """Set many modifiers of an extends clause, values by path; `indent` puts the first ones on lines of their own.

        It counts the blanks from the line of the class.
        """
        self.document.edit(several.set_extends_modifiers, self.name, base, modifiers, indent=indent)

    def remove_extends_modifier(self, base: str, path: str) -> None:
        """Remove a modifier of an extends clause."""
        self.document.edit(inheritance.remove_extends_modifier, self.name, base, path)

    def set_extends_modifier_prefixes(
        self, base: str, path: str, *, each: bool | None = None, final: bool | None = None
    ) -> None:
        """Put `each` and `final` before a modifier of an extends clause, or take them away."""
        self.document.edit(redeclaring.set_modifier_prefixes, self.name, path, base=base, each=each, final=final)

    def get_extends_redeclaration(self, base: str, path: str) -> str | None:
        """The type that a path is redeclared to in an extends clause, or None."""
        return redeclaring.get_redeclaration(self.document.work, self.name, path, base=base)

    def redeclare_in_extends(
        self,
        base: str,
        path: str,
        type: str,  # noqa: A002  (its name in Modelica)
        *,
        kind: str | None = None,
        replaceable: bool | None = None,
        constraint: str | None = None,
    ) -> None:
        """Redeclare what a path reaches in an extends clause: `redeclare package Medium = Water`."""
        options = {"kind": kind, "replaceable": replaceable, "constraint": constraint}
        self.document.edit(redeclaring.redeclare, self.name, path, type, base=base, **options)

    def add_import(
        self, name: str, *, alias: str | None = None, members: list[str] | None = None, wildcard: bool = False
    ) -> None:
        """Add an import: `A.B`; with an alias `C = A.B`; with members `A.B.{C, D}`; as a wildcard `A.B.*`."""
        options = {"alias": alias, "members": members, "wildcard": wildcard}
        self.document.edit(inheritance.add_import, self.name, name, **options)

    def remove_import(
        self, name: str, *, alias: str | None = None, members: list[str] | None = None, wildcard: bool = False
    ) -> None:
        """Remove an import, named as for `add_import`."""
        options = {"alias": alias, "members": members, "wildcard": wildcard}
        self.document.edit(inheritance.remove_import, self.name, name, **options)

    # ------------------------------------------------------------ equations and algorithms

    def equations(self, *, initial: bool | None = None) -> list[str]:
        """The text of every equation, those inside others too; only the initial ones, or none of them."""
        return equations.list_items(self.document.work, self.name, "equation", initial=initial)

    def add_equation(
        self, equation: str, *, initial: bool = False, before: str | None = None, after: str | None = None
    ) -> None:
        """Add an equation, given as Modelica, `x = 2*y`; before or behind another, or last."""
        options = {"initial": initial, "before": before, "after": after}
        self.document.edit(equations.add_equation, self.name, equation, **options)

    def remove_equation(self, equation: str) -> None:
        """Remove an equation, given as Modelica; blanks and comments don't matter."""
        self.document.edit(equations.remove_equation, self.name, equation)

    def move_equation(self, equation: str, *, before: str | None = None, after: str | None = None) -> None:
        """Move an equation with its comments before or behind another."""
        self.document.edit(equations.move_equation, self.name, equation, before=before, after=after)

    def statements(self, *, initial: bool | None = None) -> list[str]:
        """The text of every statement of the algorithms, those inside others too."""
        return equations.list_items(self.document.work, self.name, "algorithm", initial=initial)

    def add_statement(
        self, statement: str, *, initial: bool = False, before: str | None = None, after: str | None = None
    ) -> None:
        """Add a statement, given as Modelica, `x := 2*y`; before or behind another, or last."""
        options = {"initial": initial, "before": before, "after": after}
        self.document.edit(equations.add_statement, self.name, statement, **options)

    def remove_statement(self, statement: str) -> None:
        """Remove a statement, given as Modelica."""
        self.document.edit(equations.remove_statement, self.name, statement)

    def move_statement(self, statement: str, *, before: str | None = None, after: str | None = None) -> None:
        """Move a statement with its comments before or behind another."""
        self.document.edit(equations.move_statement, self.name, statement, before=before, after=after)

    # ------------------------------------------------------------ connections

    @property
    def connections(self) -> list[tuple[str, str]]:
        """The ends of every connect equation, also inside `for` and `if`."""
        found = connections.connections(self.document.work, self.name)
        return [(left, right) for left, right, _ in found]

    def connect(self, one: str, other: str, *, line: bool | Line = True) -> None:
        """Add a connect equation. Its line is routed where both components are placed; `line` gives another or none."""
        self.document.edit(diagram.connect, self.name, one, other, line=line)

    def connect_all(self, connections: Iterable[several.NewConnection]) -> None:
        """Add many connect equations with the lines that they have, in linear time, behind the last equation."""
        self.document.edit(several.add_connections, self.name, connections)

    def disconnect(self, one: str, other: str) -> None:
        """Remove the connect equation between two ends, given in either order."""
        self.document.edit(connections.remove_connection, self.name, one, other)

    def disconnect_all(self, connections: Iterable[tuple[str, str]]) -> None:
        """Remove many connect equations, which are looked for and proved once."""
        self.document.edit(several.remove_connections, self.name, connections)

    def reconnect(self, kept: str, old: str, new: str) -> None:
        """Lead a connection elsewhere: from `kept` to `new` instead of `old`; its line and comments stay."""
        self.document.edit(connections.reconnect, self.name, kept, old, new)

    # ------------------------------------------------------------ diagram and icon

    def get_line(self, one: str, other: str) -> Line | None:
        """The line of a connection, or None."""
        return diagram.get_line(self.document.work, self.name, one, other)

    def set_line(self, one: str, other: str, line: Line) -> None:
        """Draw the line of a connection; what the line leaves open stays as it is."""
        self.document.edit(diagram.set_line, self.name, one, other, line)

    def route_line(self, one: str, other: str) -> None:
        """Draw the line of a connection anew, from the sides of the components that face each other."""
        self.document.edit(diagram.route_line, self.name, one, other)

    def get_layer(self, layer: drawing.LayerName = "Icon") -> Layer | None:
        """Its icon or diagram: coordinate system and graphics; None without one."""
        return drawing.get_layer(self.document.work, self.name, layer)

    def get_graphics(self, layer: drawing.LayerName = "Icon") -> tuple[Item, ...]:
        """What its icon or diagram shows."""
        return drawing.get_graphics(self.document.work, self.name, layer)

    def add_graphic(self, layer: drawing.LayerName, item: Item, index: int | None = None) -> None:
        """Draw something in its icon or diagram, on top or at a place of the list."""
        self.document.edit(drawing.add_graphic, self.name, layer, item, index)

    def set_graphic(self, layer: drawing.LayerName, index: int, item: Item) -> None:
        """Draw something else in the place of an item."""
        self.document.edit(drawing.set_graphic, self.name, layer, index, item)

    def remove_graphic(self, layer: drawing.LayerName, index: int) -> None:
        """Take an item out of its icon or diagram."""
        self.document.edit(drawing.remove_graphic, self.name, layer, index)

    def set_coordinate_system(self, layer: drawing.LayerName, system: CoordinateSystem) -> None:
        """Set the coordinate system of its icon or diagram; what it leaves open stays as it is."""
        self.document.edit(drawing.set_coordinate_system, self.name, layer, system)

    # ------------------------------------------------------------ annotation

    def get_annotation(self, path: str, *, connection: tuple[str, str] | None = None) -> Expression | None:
        """A value of the class's annotation by its path (`experiment.StopTime`), or of a connection's; or None."""
        return expression(annotation.get_annotation(self.document.work, self.name, path, connection=_ends(connection)))

    def set_annotation(self, path: str, value: Any, *, connection: tuple[str, str] | None = None) -> None:
        """Set a value in the annotation of the class, or of a connection."""
        self.document.edit(annotation.set_annotation, self.name, path, value, connection=_ends(connection))

    def remove_annotation(self, path: str = "", *, connection: tuple[str, str] | None = None) -> None:
        """Remove a value from an annotation, or the whole annotation."""
        self.document.edit(annotation.remove_annotation, self.name, path, connection=_ends(connection))


def _ends(connection: tuple[str, str] | None) -> list[str] | None:
    return None if connection is None else list(connection)
