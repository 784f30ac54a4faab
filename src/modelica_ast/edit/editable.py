"""What handles need of a document, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypedDict

from modelica_ast.edit.working import Working
from modelica_ast.green import Green
from modelica_ast.parse import view_of_fragment
from modelica_ast.views.base import Expression
from modelica_ast.views.files import StoredDefinition


class Editable(Protocol):
    """What a handle needs of its document."""

    @property
    def work(self) -> Working:
        """The tree as verbs see it."""

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now."""

    def transaction(self) -> AbstractContextManager[object]:
        """Several edits as one step: all of them, or none."""

    def edit(self, verb: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Carry out a verb as one step."""


class ClassOfDocument(Protocol):
    """What a component's handle needs of its class."""

    document: Editable
    name: str


class Where(TypedDict, total=False):
    """Where an element goes: before or after a named one, or at a place (first, last, sorted) of a section."""

    before: str | None
    after: str | None
    place: str | None
    section: str | None


def expression(green: Green | None) -> Expression | None:
    """The view of a value; None for no value, and for `break`."""
    view = None if green is None else view_of_fragment(green, "expression")
    return view if isinstance(view, Expression) else None
