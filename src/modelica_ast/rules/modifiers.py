"""Modifiers: what they name must be there, must not be final, and must be replaceable to be redeclared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from modelica_ast.rules.class_text import holder_of, type_of_holder
from modelica_ast.rules.context import ClassCheck
from modelica_ast.rules.lookup import Lookup, Meaning
from modelica_ast.rules.symbols import (
    MISSING,
    Absence,
    BuiltinType,
    ClassSymbol,
    ComponentSymbol,
    Symbol,
)
from modelica_ast.semantics.predefined import ENUMERATION_ATTRIBUTES
from modelica_ast.views.base import View
from modelica_ast.views.classes import EnumerationClassSpecifier, LongClassSpecifier, ShortClassSpecifier
from modelica_ast.views.components import Component, ComponentClause1, ExtendsClause
from modelica_ast.views.modifications import Arguments, ElementModification, ElementRedeclaration, ElementReplaceable


class _Modified(NamedTuple):
    """What arguments modify: a class, whether it surely has no more than what is known, what is final in it."""

    symbol: ClassSymbol | BuiltinType
    is_certain: bool
    finals: Mapping[str, str]  # name -> what makes it final


def check_modifiers(check: ClassCheck) -> None:
    """All modifiers of a class, and its `redeclare` elements."""
    _redeclared_elements(check)
    for arguments in check.text.arguments:
        holder = holder_of(arguments)
        if isinstance(holder, Component):
            _each(check, holder, arguments)
        modified = _modified_by(check, holder)
        if modified is not None:
            _arguments(check, arguments, modified)


def _modified_by(check: ClassCheck, holder: View) -> _Modified | None:
    name = type_of_holder(holder)
    if name is None:
        bases = check.lookup.bases(check.symbol)
        first = bases[0] if isinstance(holder, LongClassSpecifier) and bases else None
        return _inside(check.lookup, Meaning(first, is_certain=False)) if isinstance(first, ClassSymbol) else None
    is_own_base = isinstance(holder, ExtendsClause) or (
        isinstance(holder, ShortClassSpecifier) and holder.parent == check.symbol.view
    )
    meaning = check.lookup.base_named(check.symbol, name) if is_own_base else check.type_named(name)
    return _inside(check.lookup, meaning)


def _inside(lookup: Lookup, meaning: Meaning, finals: Mapping[str, str] | None = None) -> _Modified | None:
    """What is inside of what a name stands for; None if that is unknown."""
    if meaning.symbol is None:
        return None
    found = lookup.class_of(meaning.symbol)
    if not isinstance(found.symbol, ClassSymbol | BuiltinType):
        return None
    more = final_names(lookup, found.symbol) if isinstance(found.symbol, ClassSymbol) else {}
    return _Modified(found.symbol, meaning.is_certain and found.is_certain, {**more, **(finals or {})})


def final_names(lookup: Lookup, symbol: ClassSymbol) -> dict[str, str]:
    """What a class and those that it inherits from make final in what they inherit, with the class that does."""
    found: dict[str, str] = {}
    for part in lookup.ancestry(symbol).classes:
        specifier = part.view.specifier
        own = specifier.arguments if isinstance(specifier, ShortClassSpecifier) else None
        for arguments in (own, *(clause.arguments for clause in part.extends)):
            found |= dict.fromkeys(_final_in(arguments), part.name)
    return found


def _final_in(arguments: Arguments | None) -> set[str]:
    items = arguments.items if arguments is not None else []
    return {
        item.name.parts[0]
        for item in items
        if isinstance(item, ElementModification) and item.final is not None and len(item.name.parts) == 1
    }


# ---------------------------------------------------------------- arguments


def _arguments(check: ClassCheck, outermost: Arguments, modified: _Modified) -> None:
    todo = [(outermost, modified)]
    while todo:
        arguments, around = todo.pop()
        for item in arguments.items:
            if isinstance(item, ElementModification):
                inside = _follow(check, item, around)
                if inside is not None and item.arguments is not None:
                    todo.append((item.arguments, inside))
            elif isinstance(item, ElementRedeclaration | ElementReplaceable):
                _redeclaration(check, item, around)


def _follow(check: ClassCheck, item: ElementModification, around: _Modified) -> _Modified | None:
    """Go along the name of a modifier; what its own arguments modify, None if that is unknown or an attribute."""
    current: _Modified | None = around
    parts = item.name.parts
    for number, part in enumerate(parts):
        if current is None:
            return None
        is_last = number == len(parts) - 1
        found = _member(check, current.symbol, part)
        if part in current.finals and (is_last or isinstance(found, Absence)):
            check.add("final-modified", item, f"'{part}' is final in '{current.finals[part]}'")
        if found is None:
            return None  # an attribute of a predefined type
        if isinstance(found, Absence):
            if found is MISSING and current.is_certain:
                what = f"'{current.symbol.name}' has no '{part}' that could be modified"
                check.add("unknown-modifier", item.name, what, _hint(check, current.symbol, part))
            return None
        finals: dict[str, str] = {}
        if isinstance(found, ComponentSymbol):
            if "final" in found.element.prefixes and is_last:
                check.add("final-modified", item, f"'{part}' is declared final in '{found.owner.name}'")
            finals = dict.fromkeys(_final_in(found.view.arguments), found.name)
        is_fixed = isinstance(found, ClassSymbol | ComponentSymbol) and not found.is_replaceable
        current = _inside(check.lookup, Meaning(found, is_certain=current.is_certain and is_fixed), finals)
    return current


def _member(check: ClassCheck, symbol: ClassSymbol | BuiltinType, name: str) -> Symbol | Absence | None:
    """A member; None for an attribute of a predefined type."""
    if isinstance(symbol, BuiltinType):
        return None if name in symbol.attributes else MISSING
    ancestry = check.lookup.ancestry(symbol)
    if ancestry.builtin is not None and name in ancestry.builtin.attributes:
        return None
    is_enumeration = isinstance(ancestry.classes[-1].view.specifier, EnumerationClassSpecifier)
    if is_enumeration and name in ENUMERATION_ATTRIBUTES:
        return None
    return check.lookup.member(symbol, name)


def _hint(check: ClassCheck, symbol: ClassSymbol | BuiltinType, name: str) -> str:
    known = symbol.attributes if isinstance(symbol, BuiltinType) else check.names_in(symbol)
    return check.near(name, known)


# ---------------------------------------------------------------- redeclarations


def _redeclaration(check: ClassCheck, item: ElementRedeclaration | ElementReplaceable, around: _Modified) -> None:
    declared = item.declared
    name = declared.declaration.name if isinstance(declared, ComponentClause1) else declared.name
    found = _member(check, around.symbol, name)
    if found is MISSING and around.is_certain:
        what = f"'{around.symbol.name}' has no '{name}' that could be redeclared"
        check.add("unknown-modifier", item, what, _hint(check, around.symbol, name))
    elif isinstance(found, ClassSymbol | ComponentSymbol):
        new_type = declared.type if isinstance(declared, ComponentClause1) else None
        new = None if new_type is None else check.type_named(new_type).symbol
        _must_be_replaceable(check, item, found, new)


def _redeclared_elements(check: ClassCheck) -> None:
    bases = check.lookup.ancestry(check.symbol).classes[1:]
    for own in check.symbol.declared:
        element = own.element
        is_redeclared = element is not None and "redeclare" in element.prefixes
        if not is_redeclared:
            continue
        other = next((found for base in bases if (found := base.own_member(own.name)) is not None), None)
        if isinstance(other, ClassSymbol | ComponentSymbol):
            view = own.view.identifier if isinstance(own, ComponentSymbol) else own.view
            new = check.lookup.class_of(own).symbol if isinstance(own, ComponentSymbol) else None
            _must_be_replaceable(check, view, other, new)


def _must_be_replaceable(check: ClassCheck, view: View, old: ClassSymbol | ComponentSymbol, new: Symbol | None) -> None:
    """Only what is replaceable gets a new type; with the type that it has, anything may be declared again."""
    if old.is_replaceable:
        return
    if isinstance(old, ComponentSymbol):
        before = check.lookup.class_of(old).symbol
        if new is None or before is None or new is before:
            return
    where = old.owner.name if isinstance(old, ComponentSymbol) else getattr(old.around, "name", "its package")
    check.add("redeclare-not-replaceable", view, f"'{old.name}' is not replaceable in '{where}'")


# ---------------------------------------------------------------- each


def _each(check: ClassCheck, component: Component, arguments: Arguments) -> None:
    """`each` needs an array around it. A dotted name may lead to one, so only simple names count."""
    if component.subscripts is not None or component.clause.subscripts is not None:
        return
    found = check.type_named(component.type)
    if isinstance(found.symbol, ClassSymbol):
        ancestry = check.lookup.ancestry(found.symbol)
        if not (ancestry.is_complete and found.is_certain) or any(map(_is_array, ancestry.classes)):
            return
    elif not isinstance(found.symbol, BuiltinType):
        return
    for item in arguments.items:
        if isinstance(item, ElementModification) and item.each is not None and len(item.name.parts) == 1:
            check.add("each-without-array", item.each, f"'{component.name}' is no array, so 'each' has no meaning")


def _is_array(symbol: ClassSymbol) -> bool:
    specifier = symbol.view.specifier
    return isinstance(specifier, ShortClassSpecifier) and specifier.subscripts is not None
