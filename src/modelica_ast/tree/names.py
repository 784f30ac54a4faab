"""Names and references (chapter 5 of the specification)."""

from __future__ import annotations

from modelica_ast.syntax import TOKEN_TEXTS, tokens
from modelica_ast.tree.base import Expression, Items, Token, View, Written


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
