"""The outermost views. A parse makes one of these and no other, so they are imported before all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from modelica_ast.views.base import Items, Root

if TYPE_CHECKING:
    from modelica_ast.views.classes import ClassDefinition, StoredClass, WithinClause
    from modelica_ast.views.components import Unparsed


class StoredDefinition(Root):
    """A file: `within`, classes, and the blanks and comments at its end."""

    __slots__ = ()
    kinds = ("stored_definition",)
    stored_classes: Items[StoredClass | Unparsed] = Items("_stored_class", default=())
    within_clauses: Items[WithinClause] = Items("within_clause", default=())

    @property
    def within_clause(self) -> WithinClause | None:
        """The first within clause."""
        return next(iter(self.within_clauses), None)

    @property
    def within(self) -> str | None:
        """The package that the file says it is in; '' for `within;`, None without a within clause."""
        clauses = self.within_clauses
        return None if not clauses else str(clauses[0].name or "")

    @property
    def classes(self) -> list[ClassDefinition]:
        """The classes that the file defines."""
        return [cast("StoredClass", s).definition for s in self.stored_classes if s.kind == "stored_class"]


class Fragment(Root):
    """Something that was parsed by itself, with the blanks and comments behind it."""

    __slots__ = ()
    kinds = ("fragment",)
