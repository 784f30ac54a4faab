"""Elements of a class: components, extends, imports (chapters 4, 7 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelica_ast.syntax import KINDS, TOKEN_TEXTS, tokens
from modelica_ast.tree.base import Expression, Field, Items, Token, View, Word, Words, Written
from modelica_ast.tree.modifications import Annotation, Arguments, Description, Modification, Name, Subscripts

if TYPE_CHECKING:
    from modelica_ast.tree.classes import ClassDefinition


class Element(View):
    """One element of a class with its prefixes and its semicolon."""

    __slots__ = ()
    kinds = ("element",)
    import_clause: Field[ImportClause | None] = Field("import_clause", default=None)
    extends_clause: Field[ExtendsClause | None] = Field("extends_clause", default=None)
    class_definition: Field[ClassDefinition | None] = Field("class_definition", default=None)
    component_clause: Field[ComponentClause | None] = Field("component_clause", default=None)
    constraint: Field[ConstrainingClause | None] = Field("constraining_clause", default=None)
    prefix_words: Words = Words("_element_prefix", default=())

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Those of `redeclare final inner outer replaceable` that are written."""
        node = self.green
        return tuple(TOKEN_TEXTS[c] for c in node[1:-1] if type(c) is str)  # type: ignore[misc]  # an element has a last child

    @property
    def is_protected(self) -> bool:
        """Is it in a protected section, or in what goes on after a class annotation that follows one?"""
        section = self.parent
        if section is None or section.kind != "class_annotation" or section.parent is None:
            return section is not None and section.kind == "protected_section"
        before = section.parent.node[1 : section.index]
        kinds = (KINDS[child[0]] for child in reversed(before) if type(child) is tuple)
        return next((kind for kind in kinds if kind != "class_annotation"), "") == "protected_section"


class Unparsed(View):
    """Text that did not parse, kept as it is (only in trees from `parse(..., recover=True)`)."""

    __slots__ = ()
    kinds = ("unparsed",)


class TypePrefix(View):
    """`flow`, `parameter input`, …."""

    __slots__ = ()
    kinds = ("type_prefix", "base_prefix")
    text: Written = Written()

    @property
    def words(self) -> tuple[str, ...]:
        """The prefixes in source order."""
        return tuple(tokens(self.green))


class ComponentClause(View):
    """`parameter Real a, b[2] = {1, 2}`: one or more components of one type."""

    __slots__ = ()
    kinds = ("component_clause",)
    prefix: Field[TypePrefix | None] = Field("type_prefix", default=None)
    type: Field[Name] = Field("type_specifier")
    subscripts: Field[Subscripts | None] = Field("array_subscripts", default=None)
    declarations: Items[Component] = Items("component_declaration", default=())


class _Declaration(View):
    __slots__ = ()
    identifier: Word = Word("IDENT")
    subscripts: Field[Subscripts | None] = Field("array_subscripts", default=None)
    modification: Field[Modification | None] = Field("modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)

    @property
    def name(self) -> str:
        """The declared name."""
        return self.identifier.text

    @property
    def arguments(self) -> Arguments | None:
        """The modifiers in parentheses."""
        modification = self.modification
        return None if modification is None else modification.arguments

    @property
    def binding(self) -> Expression | Token | None:
        """What follows the `=`."""
        modification = self.modification
        return None if modification is None else modification.value


class Component(_Declaration):
    """One declared name with all that belongs to it alone; `clause` is what it shares with its neighbours."""

    __slots__ = ()
    kinds = ("component_declaration",)
    condition: Field[ConditionAttribute | None] = Field("condition_attribute", default=None)

    @property
    def clause(self) -> ComponentClause:
        """The clause `Real a, b, c` that declares it."""
        assert isinstance(self.parent, ComponentClause)
        return self.parent

    @property
    def element(self) -> Element | None:
        """The element around the clause; None in a fragment."""
        around = self.clause.parent
        return around if isinstance(around, Element) else None

    @property
    def type(self) -> Name:
        """The name of its type."""
        return self.clause.type

    @property
    def prefixes(self) -> tuple[str, ...]:
        """All prefixes in source order: those of the element, then those of the type."""
        element, prefix = self.element, self.clause.prefix
        return (*(element.prefixes if element else ()), *(prefix.words if prefix else ()))

    @property
    def is_protected(self) -> bool:
        """Is it in a protected section?"""
        return self.element is not None and self.element.is_protected


class ConditionAttribute(View):
    """`if expression` after a declaration."""

    __slots__ = ()
    kinds = ("condition_attribute",)
    expression: Field[Expression] = Field("expression")


class ComponentClause1(View):
    """The component of a `redeclare` or `replaceable` in a modification."""

    __slots__ = ()
    kinds = ("component_clause1",)
    prefix: Field[TypePrefix | None] = Field("type_prefix", default=None)
    type: Field[Name] = Field("type_specifier")
    subscripts: Field[Subscripts | None] = Field("array_subscripts", default=None)
    declaration: Field[ComponentDeclaration1] = Field("component_declaration1")


class ComponentDeclaration1(_Declaration):
    """The declared name in a `redeclare` or `replaceable` in a modification."""

    __slots__ = ()
    kinds = ("component_declaration1",)


class ExtendsClause(View):
    """`extends Base(x=1, break c)`."""

    __slots__ = ()
    kinds = ("extends_clause",)
    type: Field[Name] = Field("type_specifier")
    arguments: Field[Arguments | None] = Field("class_modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)

    @property
    def element(self) -> Element | None:
        """The element around the clause."""
        return self.parent if isinstance(self.parent, Element) else None


class ConstrainingClause(View):
    """`constrainedby Base(x=1)`; files for Modelica 2 write `extends`."""

    __slots__ = ()
    kinds = ("constraining_clause",)
    type: Field[Name] = Field("type_specifier")
    arguments: Field[Arguments | None] = Field("class_modification", default=None)
    description: Field[Description | None] = Field("description_string", default=None)
    annotation: Field[Annotation | None] = Field("annotation_clause", default=None)


class ImportClause(View):
    """`import A.B`, `import C = A.B`, `import A.B.*`, `import A.B.{C, D}`."""

    __slots__ = ()
    kinds = ("import_clause",)
    text: Written = Written()
    description: Field[Description | None] = Field("description_string", init=False)
    annotation: Field[Annotation | None] = Field("annotation_clause", init=False)
    _alias: Field[Name | None] = Field("name", init=False)
    members: Field[ImportList | None] = Field("import_list", init=False)

    @property
    def name(self) -> str:
        """The imported class, or the package before `.*` and `.{`."""
        if self._alias is not None:
            return str(self._alias)
        parts = []
        for child in self.children[1:]:
            if not isinstance(child, Token) or child.kind != "IDENT":
                if child.text == ".":
                    continue
                break
            parts.append(child.text)
        return ".".join(parts)

    @property
    def alias(self) -> str | None:
        """`C` of `import C = A.B`."""
        return self.children[1].text if self._alias is not None else None

    @property
    def is_wildcard(self) -> bool:
        """Is it `import A.B.*`?"""
        return any(child.text in ("*", ".*") for child in self.children if isinstance(child, Token))

    @property
    def imported(self) -> tuple[tuple[str, str], ...]:
        """(local name, name in the package) for each of `{C, D}`; empty for the other forms."""
        return self.members.names if self.members is not None else ()

    @property
    def element(self) -> Element | None:
        """The element around the clause."""
        return self.parent if isinstance(self.parent, Element) else None


class ImportList(View):
    """`C, D` of `import A.B.{C, D}`."""

    __slots__ = ()
    kinds = ("import_list",)
    items: Items[Token | ImportAlias] = Items("_import_item", default=())

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """(local name, name in the package) of each item."""
        return tuple(
            (item.local, item.name) if isinstance(item, ImportAlias) else (item.text, item.text) for item in self.items
        )


class ImportAlias(View):
    """`C = D` in an import list: not in the specification, but OpenModelica takes it."""

    __slots__ = ()
    kinds = ("import_alias",)
    text: Written = Written()

    @property
    def local(self) -> str:
        """The name that is used from here on."""
        return self.children[0].text

    @property
    def name(self) -> str:
        """The name in the package."""
        return self.children[2].text
