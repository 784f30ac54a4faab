"""Which classes others inherit from: those may use what is protected."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from modelica_ast.library.derived_classes import DerivedClasses
from modelica_ast.semantics.definitions import Definition, with_inner
from modelica_ast.semantics.environments import Classes


class Extended:
    """The classes that some classes, and those inside them, inherit from."""

    def __init__(self, classes: Classes, tops: Iterable[Definition]) -> None:
        self._classes = classes
        self._tops = tops

    @cached_property
    def _found(self) -> set[Definition]:
        return {
            base.environment.written
            for definition in with_inner(self._tops)
            for base in self._classes.as_written(definition).bases
            if base.environment is not None and base.environment.written is not None
        }

    def __contains__(self, definition: Definition) -> bool:
        return definition in self._found


class ExtendedAnywhere:
    """The classes that any class of the libraries that are judged inherits from."""

    def __init__(self, classes: Classes) -> None:
        self._derived = DerivedClasses(classes, judged_only=True)
        self._known: dict[Definition, bool] = {}

    def __contains__(self, definition: Definition) -> bool:
        found = self._known.get(definition)
        if found is None:
            self._known[definition] = found = next(self._derived.direct(definition), None) is not None
        return found
