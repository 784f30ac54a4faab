"""Declarations that replace others, and those that can be replaced."""

from __future__ import annotations

from modelica_ast.views.base import View
from modelica_ast.views.classes import ClassDefinition, LongClassSpecifier, ShortClassDefinition
from modelica_ast.views.components import Component, ComponentClause1, ConstrainingClause, Element
from modelica_ast.views.modifications import ElementRedeclaration, ElementReplaceable

# In the body of a class, or in a modifier.
Declared = Component | ComponentClause1 | ClassDefinition | ShortClassDefinition


def element_around(declared: Declared) -> Element | None:
    """The element that a declaration in a body stands in."""
    if isinstance(declared, Component):
        return declared.element
    return declared.parent if isinstance(declared.parent, Element) else None


def is_redeclaration(declared: Component | ClassDefinition) -> bool:
    """Does its element say `redeclare`, or is it `model extends M`?"""
    element = element_around(declared)
    if element is not None and "redeclare" in element.prefixes:
        return True
    specifier = declared.specifier if isinstance(declared, ClassDefinition) else None
    return isinstance(specifier, LongClassSpecifier) and specifier.extends is not None


def constraint_of(declared: Declared) -> ConstrainingClause | None:
    """The constraining clause of a declaration."""
    around: View | None = element_around(declared) or declared.parent
    return around.constraint if isinstance(around, Element | ElementRedeclaration | ElementReplaceable) else None
