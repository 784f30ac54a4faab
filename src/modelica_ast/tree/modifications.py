"""Names and references (chapter 5), modifications (chapter 7), descriptions and annotations (chapter 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.syntax import TOKEN_TEXTS, Green, open_annotation, tokens, unquote
from modelica_ast.tree.base import Argument, Child, Expression, Field, Flag, Items, MaybeWord, Token, View, Written

if TYPE_CHECKING:
    from modelica_ast.tree.classes import ShortClassDefinition
    from modelica_ast.tree.components import ComponentClause1, ConstrainingClause


# ---------------------------------------------------------------- names
# Names and references (chapter 5 of the specification).


class Name(View):
    """`Modelica.Units.SI.Mass`, or `.Modelica…` from the global scope."""

    __slots__ = ()
    kinds = ("name", "type_specifier")
    leaf_rules = ("name", "type_specifier")
    text: Written = Written()

    @property
    def is_global(self) -> bool:
        """Does it start with a dot?"""
        return tokens(self.green)[0] == "."

    @property
    def parts(self) -> tuple[str, ...]:
        """The identifiers, without the dots."""
        if isinstance(self.green, str):
            return (TOKEN_TEXTS[self.green],)
        return tuple(text for text in tokens(self.green) if text != ".")

    def __str__(self) -> str:
        return "".join(tokens(self.green))


class ComponentReference(Expression):
    """`a`, `a.b[2].c`, `.Modelica.Constants.pi`: a component, a constant, or a function's name."""

    __slots__ = ()
    kinds = ("component_reference",)
    leaf_rules = ("component_reference",)
    text: Written = Written()

    @property
    def is_global(self) -> bool:
        """Does it start with a dot?"""
        return tokens(self.green)[0] == "."

    @property
    def parts(self) -> tuple[str, ...]:
        """The identifiers, without the dots and the subscripts."""
        if isinstance(self.green, str):
            return (TOKEN_TEXTS[self.green],)
        return tuple(t for t in (TOKEN_TEXTS[c] for c in self.green[1:] if type(c) is str) if t != ".")

    @property
    def subscripts(self) -> tuple[Subscripts | None, ...]:
        """The subscripts of each part, None where it has none."""
        found: list[Subscripts | None] = []
        for child in self.children:
            if isinstance(child, Subscripts):
                found[-1] = child
            elif child.text != ".":
                found.append(None)
        return tuple(found) or (None,)

    def __str__(self) -> str:
        return "".join(tokens(self.green))


class Subscripts(View):
    """`[3, :]`. An item is an expression, or the token `:`."""

    __slots__ = ()
    kinds = ("array_subscripts",)
    items: Items[Expression | Token] = Items("_subscript", default=())

    def __str__(self) -> str:
        return "".join(tokens(self.green))


# ---------------------------------------------------------------- modifications
# Modifications (chapter 7), descriptions and annotations (chapter 18).


class Modification(View):
    """What follows a declared name: `(start=1) = 2`, `(start=1)`, `= 2`."""

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
        """What is in parentheses after the name."""
        modification = self.modification
        return None if modification is None else modification.arguments

    @property
    def value(self) -> Expression | Token | None:
        """What follows the `=`."""
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
    """`"text"` or `"text" + "more"` after a declaration, an equation, a class name."""

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
