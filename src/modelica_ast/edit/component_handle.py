"""A component of a class, by its name, and the verbs that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from modelica_ast.edit import annotation, bindings, components, copying, declarations, redeclaring, renaming
from modelica_ast.edit.editable import ClassOfDocument, Where, expression
from modelica_ast.views.base import Expression
from modelica_ast.views.components import Component

if TYPE_CHECKING:
    from modelica_ast.edit import diagram
    from modelica_ast.graphics.layers import Placement
else:
    from modelica_ast.edit.late import diagram


class ComponentHandle:
    """A component of a class, by its name."""

    def __init__(self, owner: ClassOfDocument, name: str) -> None:
        self.owner = owner
        self.name = name

    def __repr__(self) -> str:
        return f"<ComponentHandle {self.owner.name}.{self.name}>"

    @property
    def view(self) -> Component:
        """The component as it is now."""
        found: Any = self.owner.document.tree
        for index in self.owner.document.work.component_path(self.owner.name, self.name):
            found = found.children[index - 1]
        assert isinstance(found, Component)
        return found

    # ------------------------------------------------------------ the declaration

    @property
    def type(self) -> str:
        """The name of its type."""
        return str(self.view.type)

    def set_type(self, type: str) -> None:  # noqa: A002  (its name in Modelica)
        """Give it another type; one of `a, b, c` gets a declaration of its own."""
        self._edit(declarations.set_type, type)

    @property
    def prefixes(self) -> list[str]:
        """The words before its type: `final`, `parameter`, `input`, `inner`, …"""
        return declarations.get_prefixes(self.owner.document.work, self.owner.name, self.name)

    def set_prefixes(self, prefixes: Sequence[str]) -> None:
        """Set all words before its type; one of `a, b, c` gets a declaration of its own."""
        self._edit(declarations.set_prefixes, prefixes)

    @property
    def dimensions(self) -> list[Expression | str]:
        """Its array dimensions; `":"` is one that is left open."""
        found = declarations.get_dimensions(self.owner.document.work, self.owner.name, self.name)
        return [":" if green == ":" else expression(green) or ":" for green in found]

    def set_dimensions(self, dimensions: Sequence[Any]) -> None:
        """Set its array dimensions: numbers, `":"`, or expressions; none makes it a scalar."""
        self._edit(declarations.set_dimensions, dimensions)

    @property
    def condition(self) -> Expression | None:
        """The condition behind `if` in its declaration, or None."""
        return expression(declarations.get_condition(self.owner.document.work, self.owner.name, self.name))

    def set_condition(self, condition: Any) -> None:
        """Set or (None) remove its condition, an expression: `"use_support"`."""
        self._edit(declarations.set_condition, condition)

    @property
    def description(self) -> str | None:
        """The string behind its declaration, or None."""
        found = self.view.description
        return None if found is None else found.value

    def set_description(self, text: str | None) -> None:
        """Set or (None) remove its description."""
        self._edit(declarations.set_description, text)

    @property
    def constraint(self) -> str | None:
        """The type that it is `constrainedby`, or None."""
        return declarations.get_constraint(self.owner.document.work, self.owner.name, self.name)

    def set_constraint(self, type: str | None, modifiers: Mapping[str, Any] | None = None) -> None:  # noqa: A002
        """Set or (None) remove what it is `constrainedby`; it must be replaceable."""
        self._edit(declarations.set_constraint, type, modifiers)

    # ------------------------------------------------------------ modifiers

    def get(self, path: str = "") -> Expression | None:
        """The value of a modifier by its path (`frame_a.r_0.start`), of the component itself for ''; or None."""
        return expression(bindings.get_modifier(self.owner.document.work, self.owner.name, self.name, path))

    def set(self, path: str, value: Any) -> None:
        """Set a modifier; '' is the value of the component itself. A text is a string: for an expression, parse it."""
        self._edit(bindings.set_modifier, path, value)

    def remove_modifier(self, path: str) -> None:
        """Remove a modifier; parentheses that become empty go too."""
        self._edit(bindings.remove_modifier, path)

    def modifier_prefixes(self, path: str) -> list[str]:
        """The words before a modifier: `each`, `final`, `redeclare`, `replaceable`."""
        return redeclaring.get_modifier_prefixes(self.owner.document.work, self.owner.name, path, component=self.name)

    def set_modifier_prefixes(self, path: str, *, each: bool | None = None, final: bool | None = None) -> None:
        """Put `each` and `final` before a modifier, or take them away; what is not given stays."""
        edit = self.owner.document.edit
        edit(redeclaring.set_modifier_prefixes, self.owner.name, path, component=self.name, each=each, final=final)

    def redeclare(
        self,
        path: str,
        type: str,  # noqa: A002  (its name in Modelica)
        *,
        kind: str | None = None,
        replaceable: bool | None = None,
        constraint: str | None = None,
    ) -> None:
        """Redeclare what a path reaches, `redeclare("motor", "Motor2")`; a class with its kind, `kind="package"`."""
        options = {"kind": kind, "replaceable": replaceable, "constraint": constraint}
        self.owner.document.edit(redeclaring.redeclare, self.owner.name, path, type, component=self.name, **options)

    def get_redeclaration(self, path: str) -> str | None:
        """The type that a path is redeclared to, or None."""
        return redeclaring.get_redeclaration(self.owner.document.work, self.owner.name, path, component=self.name)

    # ------------------------------------------------------------ in the diagram

    @property
    def placement(self) -> Placement | None:
        """Where it stands in the diagram, or None."""
        return diagram.get_placement(self.owner.document.work, self.owner.name, self.name)

    def set_placement(self, placement: Placement) -> None:
        """Place it; what the placement leaves open stays as it is. Its lines stay too: `place` takes them along."""
        self._edit(diagram.set_placement, placement)

    def place(self, x: float, y: float) -> list[diagram.LeftAlone]:
        """Put its middle at a point and take its connection lines along; those that could not follow come back."""
        found: list[diagram.LeftAlone] = self._edit(diagram.place_component, x, y)
        return found

    def move_in_diagram(self, dx: float, dy: float) -> list[diagram.LeftAlone]:
        """Move it with its connection lines; those that could not follow come back, with the reason."""
        found: list[diagram.LeftAlone] = self._edit(diagram.move_in_diagram, dx, dy)
        return found

    # ------------------------------------------------------------ annotation

    def get_annotation(self, path: str) -> Expression | None:
        """A value of its annotation by its path (`Placement.transformation.extent`), or None."""
        work = self.owner.document.work
        return expression(annotation.get_annotation(work, self.owner.name, path, component=self.name))

    def set_annotation(self, path: str, value: Any) -> None:
        """Set a value in its annotation."""
        self.owner.document.edit(annotation.set_annotation, self.owner.name, path, value, component=self.name)

    def remove_annotation(self, path: str = "") -> None:
        """Remove a value from its annotation, or the whole annotation."""
        self.owner.document.edit(annotation.remove_annotation, self.owner.name, path, component=self.name)

    # ------------------------------------------------------------ the component as a whole

    def rename(self, name: str) -> None:
        """Rename it with all its uses in the document; refused where the meaning of a name would change."""
        self._edit(renaming.rename_component, name)
        self.name = name

    def copy(self, name: str, references: Mapping[str, str] | None = None) -> ComponentHandle:
        """Declare a copy behind it, in which names are others: `copy("right", {"p.left": "p.right"})`."""
        self._edit(copying.copy_component, name, references)
        return ComponentHandle(self.owner, name)

    def move(self, **where: Unpack[Where]) -> None:
        """Move it with its comments to another place of its class."""
        self.owner.document.edit(components.move_component, self.owner.name, self.name, **where)

    def remove(self) -> None:
        """Remove it, with the comments that belong to it. Its uses elsewhere stay."""
        self._edit(components.remove_component)

    def _edit(self, verb: Any, *arguments: Any) -> Any:
        return self.owner.document.edit(verb, self.owner.name, self.name, *arguments)
