"""Modifications (chapter 7), descriptions and annotations (chapter 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.syntax import Green, open_annotation, unquote
from modelica_ast.tree.base import Argument, Child, Expression, Field, Flag, Items, MaybeWord, Token, View, Written
from modelica_ast.tree.names import ComponentReference, Name

if TYPE_CHECKING:
    from modelica_ast.tree.classes import ShortClassDefinition
    from modelica_ast.tree.components import ComponentClause1, ConstrainingClause


class Modification(View):
    """What stands behind a declared name: `(start=1) = 2`, `(start=1)`, `= 2`."""

    __slots__ = ()
    kinds = ("modification",)
    arguments: Field[Arguments | None] = Field("class_modification", default=None)
    equals: Field[Token | None] = Field("EQUALS", init=False)
    value: Field[Expression | Token | None] = Field("_modification_expression", default=None)  # the token is `break`


class Arguments(View):
    """`(start=1, redeclare model M = N)`: the arguments of a modification, an `extends` or an annotation."""

    __slots__ = ()
    kinds = ("class_modification",)
    items: Items[Argument] = Items("_argument", default=())

    def get(self, name: str) -> ElementModification | None:
        """The modifier of exactly this (dotted) name, or None."""
        for item in self.items:
            if isinstance(item, ElementModification) and str(item.name) == name:
                return item
        return None


class ElementModification(Argument):
    """`each final name(…) = value "description"`."""

    __slots__ = ()
    kinds = ("element_modification",)
    each: Flag = Flag("EACH", default=None)
    final: Flag = Flag("FINAL", default=None)
    name: Field[Name] = Field("name")
    modification: Field[Modification | None] = Field("modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)

    @property
    def arguments(self) -> Arguments | None:
        """What stands in parentheses behind the name."""
        modification = self.modification
        return None if modification is None else modification.arguments

    @property
    def value(self) -> Expression | Token | None:
        """What stands behind the `=`."""
        modification = self.modification
        return None if modification is None else modification.value


class _Replacing(Argument):
    __slots__ = ()
    each: Flag = Flag("EACH", default=None)
    final: Flag = Flag("FINAL", default=None)
    replaceable: Flag = Flag("REPLACEABLE", default=None)
    declared: Field[ShortClassDefinition | ComponentClause1] = Field("_redeclared")
    constraint: Field[ConstrainingClause | None] = Field("constraining_clause", default=None)


class ElementRedeclaration(_Replacing):
    """`redeclare model M = N`, `redeclare Motor2 motor(J=2)`."""

    __slots__ = ()
    kinds = ("element_redeclaration",)
    redeclare: Field[Token] = Field("REDECLARE", init=False)


class ElementReplaceable(_Replacing):
    """`replaceable model M = N constrainedby B` inside a modification."""

    __slots__ = ()
    kinds = ("element_replaceable",)


class InheritanceModification(Argument):
    """`break connect(a, b)` or `break c` in an extends clause: what is not inherited."""

    __slots__ = ()
    kinds = ("inheritance_modification",)
    identifier: MaybeWord = MaybeWord("IDENT", default=None)
    left: Field[ComponentReference | None] = Field("component_reference", 0, default=None)
    right: Field[ComponentReference | None] = Field("component_reference", 1, default=None)


class Description(View):
    """`"text"` or `"text" + "more"` behind a declaration, an equation, a class name."""

    __slots__ = ()
    kinds = ("description_string",)
    leaf_rules = ("description_string",)
    text: Written = Written()

    @property
    def value(self) -> str:
        """The text itself: quotes and escapes resolved, parts joined."""
        if isinstance(self.green, str):
            return unquote(self.text)
        return "".join(unquote(child.text) for child in self.children if child.kind == "STRING")


class Annotation(View):
    """`annotation(…)`. It may be unread: then it is one long leaf, and it is parsed when its inside is asked for."""

    __slots__ = ()
    kinds = ("annotation_clause",)
    leaf_rules = ("annotation_clause",)
    keyword: Field[Token] = Field("ANNOTATION", init=False)
    arguments: Child[Arguments] = Child(2)

    @property
    def is_read(self) -> bool:
        """Is the inside part of the tree already?"""
        return type(self.green) is tuple

    @property
    def node(self) -> Green:
        """The annotation as a node; ModelicaSyntaxError with its place in the file if it is not Modelica."""
        if isinstance(self.green, tuple):
            return self.green
        root = self.root
        return open_annotation(self.green, lambda: (root.source, root.offset_of(self)))
