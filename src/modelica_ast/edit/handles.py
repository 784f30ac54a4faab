"""Handles: a class or a component of a document by its name, and the verbs that it has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

from modelica_ast.edit import methods
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.methods import Editable, method
from modelica_ast.edit.verbs import (
    annotations as annotation_verbs,
    classes,
    classes as class_verbs,  # a handle has `classes`, `components`, … of its own
    components as component_verbs,
    equations as equation_verbs,
    inheritance,
    modifiers,
    renames,
)
from modelica_ast.edit.verbs.inheritance import find_extends
from modelica_ast.foundation import NotFoundError, split_name
from modelica_ast.tree import (
    ClassDefinition,
    Component,
    ConstrainingClause,
    EnumerationClassSpecifier,
    EnumerationLiteral,
    Expression,
    ExtendsClause,
    ShortClassSpecifier,
)

if TYPE_CHECKING:
    from modelica_ast.edit.verbs import diagram, groups
    from modelica_ast.graphics import Item, Layer, Line, Placement
else:
    diagram = methods.LateModule("modelica_ast.edit.verbs.diagram")
    groups = methods.LateModule("modelica_ast.edit.verbs.groups")

_P = ParamSpec("_P")
_R = TypeVar("_R")
_V = TypeVar("_V")


def _as_it_is(_: object, result: _R) -> _R:
    return result


def _class(handle: ClassHandle, edit: ExactEditor) -> ClassDefinition:
    return edit.find_class(handle.name)


def _short(handle: ClassHandle, edit: ExactEditor) -> ShortClassSpecifier:
    return class_verbs.short_class(edit.find_class(handle.name))


def _constraint(handle: ComponentHandle, edit: ExactEditor) -> ConstrainingClause:
    return component_verbs.find_constraint(_component(handle, edit))


def _component(handle: ComponentHandle, edit: ExactEditor) -> Component:
    return edit.find_component(edit.find_class(handle.owner.name), handle.name)


def _declared(handle: ClassHandle, name: str) -> ComponentHandle:
    return handle._own_component(name)  # noqa: SLF001  (its own)


def _defined(handle: ClassHandle, name: str) -> ClassHandle:
    return handle._own_class(name)  # noqa: SLF001  (its own)


def _of_class(
    verb: Callable[Concatenate[ExactEditor, ClassDefinition, _P], _R],
) -> Callable[Concatenate[ClassHandle, _P], _R]:
    return method(verb, _class, _as_it_is)


def _of_named(
    verb: Callable[Concatenate[ExactEditor, _V, _P], _R], find: Callable[[ClassDefinition, str], _V], key: str
) -> Callable[Concatenate[ClassHandle, str, _P], _R]:
    """What edits something of a class, an extends clause or a literal, is given its name first."""
    found = inspect.signature(verb)
    own = inspect.Parameter(key, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="str")
    edit, named, *rest = found.parameters.values()
    shown = found.replace(parameters=[edit, named.replace(name="owner"), own, *rest])

    def in_class(edit: ExactEditor, owner: ClassDefinition, *given: object, **options: object) -> _R:
        values = dict(shown.bind(edit, owner, *given, **options).arguments)
        thing = find(owner, str(values.pop(key)))
        del values["edit"], values["owner"]
        return cast("Callable[..., _R]", verb)(edit, thing, **values)

    update_wrapper(in_class, verb)
    in_class.__signature__ = shown  # type: ignore[attr-defined]
    return method(in_class, _class, _as_it_is)  # type: ignore[arg-type]  # the name may be given by its key, too


def _of_extends(
    verb: Callable[Concatenate[ExactEditor, ExtendsClause, _P], _R],
) -> Callable[Concatenate[ClassHandle, str, _P], _R]:
    return _of_named(verb, find_extends, "base")


def _of_literal(
    verb: Callable[Concatenate[ExactEditor, EnumerationLiteral, _P], _R],
) -> Callable[Concatenate[ClassHandle, str, _P], _R]:
    return _of_named(verb, classes.find_literal, "literal")


def _of_component(
    verb: Callable[Concatenate[ExactEditor, Component, _P], _R],
) -> Callable[Concatenate[ComponentHandle, _P], _R]:
    return method(verb, _component, _as_it_is)


def _new_class(
    verb: Callable[Concatenate[ExactEditor, ClassDefinition, _P], str],
) -> Callable[Concatenate[ClassHandle, _P], ClassHandle]:
    return method(verb, _class, _defined)


def _new_component(
    verb: Callable[Concatenate[ExactEditor, ClassDefinition, _P], str],
) -> Callable[Concatenate[ClassHandle, _P], ComponentHandle]:
    return method(verb, _class, _declared)


class ClassHandle:
    """A class of a document, by its name."""

    def __init__(self, document: Editable, name: str) -> None:
        self._document = document
        self._name = name

    def __repr__(self) -> str:
        return f"<ClassHandle {self.full_name}>"

    @property
    def document(self) -> Editable:
        """The document that is edited."""
        return self._document

    @property
    def name(self) -> str:
        """Its name in the document."""
        return self._name

    @property
    def full_name(self) -> str:
        """Its name with that of the package that the document is `within`."""
        within = self._document.tree.within
        return f"{within}.{self._name}" if within else self._name

    def _own_class(self, name: str) -> ClassHandle:
        """The class of a name inside, whether there is one or not; a handle of another kind gives its kind."""
        return ClassHandle(self._document, f"{self._name}.{name}")

    def _own_component(self, name: str) -> ComponentHandle:
        """The component of a name, whether there is one or not."""
        return ComponentHandle(self, name)

    @property
    def view(self) -> ClassDefinition:
        """The class as it is now."""
        return self.document.work.find_class(self.name)

    # ------------------------------------------------------------ the class itself

    @property
    def kind(self) -> str:
        """What kind of class it is: `model`, `block`, `operator record`, …"""
        return self.view.class_kind

    @property
    def prefixes(self) -> list[str]:
        """The words before it: `encapsulated`, `partial`, `final`, `replaceable`, …"""
        return class_verbs.get_class_prefixes(self.view)

    @property
    def description(self) -> str | None:
        """The string after its name, or None."""
        found = self.view.description
        return None if found is None else found.value

    def _be_called(self, name: str) -> None:
        self._name = ".".join([*split_name(self._name)[:-1], name])

    set_kind = _of_class(class_verbs.set_class_kind)
    set_prefixes = _of_class(class_verbs.set_class_prefixes)
    set_description = _of_class(class_verbs.set_class_description)
    add_prefix = _of_class(class_verbs.add_prefix)
    remove_prefix = _of_class(class_verbs.remove_prefix)
    rename = method(renames.rename_class, _class, _be_called)
    move = _of_class(class_verbs.move_class)
    remove = _of_class(class_verbs.remove_class)

    # ------------------------------------------------------------ short classes and enumerations

    @property
    def literals(self) -> list[str]:
        """The literals of an enumeration; none of another class."""
        specifier = self.view.specifier
        found = specifier.enum_list if isinstance(specifier, EnumerationClassSpecifier) else None
        return [] if found is None else [each.name for each in found.items]

    def get_modifier(self, path: str) -> Expression | None:
        """The value of a modifier of a short class, `unit` of `type Length = Real(unit="m")`, or None."""
        return modifiers.get_modifier(class_verbs.short_class(self.view), path)

    set_base = _of_class(class_verbs.set_class_base)
    set_dimensions = _of_class(class_verbs.set_class_dimensions)
    set_modifier = method(modifiers.set_modifier, _short, _as_it_is)
    remove_modifier = method(modifiers.remove_modifier, _short, _as_it_is)
    add_literal = _of_class(classes.add_literal)
    remove_literal = _of_literal(classes.remove_literal)
    rename_literal = _of_literal(classes.rename_literal)
    set_literal_description = _of_literal(classes.set_literal_description)

    # ------------------------------------------------------------ classes inside

    @property
    def classes(self) -> list[ClassHandle]:
        """The classes inside."""
        return [self._own_class(inner.name) for inner in self.view.classes]

    def find_class(self, name: str) -> ClassHandle:
        """The class of this name inside; NotFoundError names the nearest."""
        self.document.work.find_class(f"{self.name}.{name}")
        return self._own_class(name)

    def get_class(self, name: str) -> ClassHandle | None:
        """The class of this name inside, or None."""
        try:
            return self.find_class(name)
        except NotFoundError:
            return None

    add_class = _new_class(class_verbs.add_class)
    insert_class = _new_class(class_verbs.insert_class)

    # ------------------------------------------------------------ components

    @property
    def components(self) -> list[ComponentHandle]:
        """The components declared in it."""
        return [self._own_component(component.name) for component in self.view.components]

    def find_component(self, name: str) -> ComponentHandle:
        """The component of this name; NotFoundError names the nearest."""
        self.document.work.find_component(self.view, name)
        return self._own_component(name)

    def get_component(self, name: str) -> ComponentHandle | None:
        """The component of this name, or None."""
        try:
            return self.find_component(name)
        except NotFoundError:
            return None

    add_component = _new_component(component_verbs.add_component)
    add_components = _of_class(groups.add_components)
    copy_components = _of_class(groups.copy_components)
    remove_components = _of_class(groups.remove_components)

    # ------------------------------------------------------------ what it takes from elsewhere

    @property
    def extends(self) -> list[str]:
        """The classes that it extends, as they are written."""
        return [str(clause.type) for clause in self.view.extends]

    @property
    def imports(self) -> list[str]:
        """What it imports, as it is written: `A.B`, `C=A.B`, `A.B.{C,D}`, `A.B.*`."""
        return inheritance.imports(self.view)

    def get_extends_modifier(self, base: str, path: str) -> Expression | None:
        """The value of a modifier of an extends clause, or None."""
        return modifiers.get_modifier(find_extends(self.view, base), path)

    def get_extends_redeclaration(self, base: str, path: str) -> str | None:
        """The type that a path is redeclared to in an extends clause, or None."""
        return modifiers.get_redeclaration(find_extends(self.view, base), path)

    add_extends = _of_class(inheritance.add_extends)
    remove_extends = _of_extends(inheritance.remove_extends)
    set_extends_base = _of_extends(inheritance.set_extends_base)
    set_extends_modifier = _of_extends(modifiers.set_extends_modifier)
    set_extends_modifiers = _of_class(groups.set_extends_modifiers)
    remove_extends_modifier = _of_extends(modifiers.remove_extends_modifier)
    set_extends_modifier_prefixes = _of_extends(modifiers.set_modifier_prefixes)
    redeclare_in_extends = _of_extends(modifiers.redeclare)
    add_import = _of_class(inheritance.add_import)
    remove_import = _of_class(inheritance.remove_import)
    add_import_member = _of_class(inheritance.add_import_member)
    remove_import_member = _of_class(inheritance.remove_import_member)

    # ------------------------------------------------------------ equations and algorithms

    def equations(self, *, initial: bool | None = None) -> list[str]:
        """The text of every equation, those inside others too; only the initial ones, or none of them."""
        return equation_verbs.list_items(self.view, "equation", initial=initial)

    def statements(self, *, initial: bool | None = None) -> list[str]:
        """The text of every statement of the algorithms, those inside others too."""
        return equation_verbs.list_items(self.view, "algorithm", initial=initial)

    add_equation = _of_class(equation_verbs.add_equation)
    remove_equation = _of_class(equation_verbs.remove_equation)
    replace_equation = _of_class(equation_verbs.replace_equation)
    move_equation = _of_class(equation_verbs.move_equation)
    add_statement = _of_class(equation_verbs.add_statement)
    remove_statement = _of_class(equation_verbs.remove_statement)
    replace_statement = _of_class(equation_verbs.replace_statement)
    move_statement = _of_class(equation_verbs.move_statement)

    # ------------------------------------------------------------ connections

    @property
    def connections(self) -> list[tuple[str, str]]:
        """The ends of every connect equation, also inside `for` and `if`."""
        return [equation_verbs.ends(each) for each in equation_verbs.connections_of(self.view)]

    connect = _of_class(diagram.connect)
    connect_all = _of_class(groups.add_connections)
    disconnect = _of_class(equation_verbs.remove_connection)
    disconnect_all = _of_class(groups.remove_connections)
    reconnect = _of_class(equation_verbs.reconnect)

    # ------------------------------------------------------------ diagram and icon

    def get_line(self, one: str, other: str) -> Line | None:
        """The line of a connection, or None."""
        return diagram.get_line(self.view, one, other)

    def get_layer(self, layer: diagram.LayerName = "Icon") -> Layer | None:
        """Its icon or diagram: coordinate system and graphics; None without one."""
        return diagram.get_layer(self.view, layer)

    def get_graphics(self, layer: diagram.LayerName = "Icon") -> tuple[Item, ...]:
        """What its icon or diagram shows."""
        return diagram.get_graphics(self.view, layer)

    set_line = _of_class(diagram.set_line)
    set_lines = _of_class(groups.set_lines)
    set_placements = _of_class(groups.set_placements)
    route_line = _of_class(diagram.route_line)
    add_graphic = _of_class(diagram.add_graphic)
    set_graphic = _of_class(diagram.set_graphic)
    remove_graphic = _of_class(diagram.remove_graphic)
    set_coordinate_system = _of_class(diagram.set_coordinate_system)

    # ------------------------------------------------------------ annotation

    def get_annotation(self, path: str, *, connection: Sequence[str] | None = None) -> Expression | None:
        """A value of the class's annotation by its path (`experiment.StopTime`), or of a connection's; or None."""
        return annotation_verbs.get_annotation(self.view, path, connection=connection)

    set_annotation = _of_class(annotation_verbs.set_annotation)
    remove_annotation = _of_class(annotation_verbs.remove_annotation)


class ComponentHandle:
    """A component of a class, by its name."""

    def __init__(self, owner: ClassHandle, name: str) -> None:
        self.owner = owner
        self.name = name

    def __repr__(self) -> str:
        return f"<ComponentHandle {self.owner.full_name}.{self.name}>"

    @property
    def document(self) -> Editable:
        """The document that is edited."""
        return self.owner.document

    @property
    def view(self) -> Component:
        """The component as it is now."""
        return self.document.work.find_component(self.owner.view, self.name)

    # ------------------------------------------------------------ the declaration

    @property
    def type(self) -> str:
        """The name of its type."""
        return str(self.view.type)

    @property
    def prefixes(self) -> list[str]:
        """The words before its type: `final`, `parameter`, `input`, `inner`, …"""
        return [*self.view.prefixes]

    @property
    def dimensions(self) -> list[Expression | str]:
        """Its array dimensions; `":"` is one that is left open."""
        return [each if isinstance(each, Expression) else ":" for each in component_verbs.get_dimensions(self.view)]

    @property
    def condition(self) -> Expression | None:
        """The condition after `if` in its declaration, or None."""
        found = self.view.condition
        return None if found is None else found.expression

    @property
    def description(self) -> str | None:
        """The string after its declaration, or None."""
        found = self.view.description
        return None if found is None else found.value

    @property
    def constraint(self) -> str | None:
        """The type that it is `constrainedby`, or None."""
        return component_verbs.get_constraint(self.view)

    set_type = _of_component(component_verbs.set_type)
    set_prefixes = _of_component(component_verbs.set_prefixes)
    set_dimensions = _of_component(component_verbs.set_dimensions)
    set_condition = _of_component(component_verbs.set_condition)
    set_description = _of_component(component_verbs.set_description)
    add_prefix = _of_component(class_verbs.add_prefix)
    remove_prefix = _of_component(class_verbs.remove_prefix)
    set_constraint = _of_component(component_verbs.set_constraint)
    set_constraint_modifier = method(modifiers.set_modifier, _constraint, _as_it_is)
    remove_constraint_modifier = method(modifiers.remove_modifier, _constraint, _as_it_is)

    # ------------------------------------------------------------ modifiers

    def get(self, path: str = "") -> Expression | None:
        """The value of a modifier by its path (`frame_a.r_0.start`), of the component itself for ''; or None."""
        return modifiers.get_modifier(self.view, path)

    def modifier_prefixes(self, path: str) -> list[str]:
        """The words before a modifier: `each`, `final`, `redeclare`, `replaceable`."""
        return modifiers.get_modifier_prefixes(self.view, path)

    def get_redeclaration(self, path: str) -> str | None:
        """The type that a path is redeclared to, or None."""
        return modifiers.get_redeclaration(self.view, path)

    set = _of_component(modifiers.set_modifier)
    remove_modifier = _of_component(modifiers.remove_modifier)
    set_modifier_prefixes = _of_component(modifiers.set_modifier_prefixes)
    redeclare = _of_component(modifiers.redeclare)

    # ------------------------------------------------------------ in the diagram

    @property
    def placement(self) -> Placement | None:
        """Where it is in the diagram, or None."""
        return diagram.get_placement(self.view)

    set_placement = _of_component(diagram.set_placement)
    place = _of_component(diagram.place_component)
    move_in_diagram = _of_component(diagram.move_in_diagram)

    # ------------------------------------------------------------ annotation

    def get_annotation(self, path: str) -> Expression | None:
        """A value of its annotation by its path (`Placement.transformation.extent`), or None."""
        return annotation_verbs.get_annotation(self.view, path)

    set_annotation = _of_component(annotation_verbs.set_annotation)
    remove_annotation = _of_component(annotation_verbs.remove_annotation)

    # ------------------------------------------------------------ the component as a whole

    def _be_called(self, name: str) -> None:
        self.name = name

    def _beside(self, name: str) -> ComponentHandle:
        return self.owner._own_component(name)  # noqa: SLF001  (its own)

    rename = method(renames.rename_component, _component, _be_called)
    copy = method(component_verbs.copy_component, _component, _beside)
    move = _of_component(component_verbs.move_component)
    remove = _of_component(equation_verbs.remove_component)


def methods_of(verb: Callable[..., object]) -> list[str]:
    """The methods of handles that a verb is, with their parameters, for help: `component.set(path, value)`."""
    found = []
    for cls, name in ((ClassHandle, "handle"), (ComponentHandle, "component")):
        for attribute, value in vars(cls).items():
            if isinstance(value, methods.Method) and inspect.unwrap(value) is verb:
                _, *own = inspect.signature(value).parameters.values()
                found.append(f"{name}.{attribute}({', '.join(map(_shown, own))})")
    return found


def _shown(parameter: inspect.Parameter) -> str:
    default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
    return parameter.name + default
