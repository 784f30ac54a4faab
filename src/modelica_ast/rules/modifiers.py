"""Modifiers: what they name must be there, must not be final, and must be replaceable to be redeclared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from modelica_ast.rules.class_text import holder_of, type_of_holder
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics import (
    ENUMERATION_ATTRIBUTES,
    MISSING,
    Absence,
    Definition,
    Environment,
    Meaning,
    Meanings,
    Member,
    Symbol,
    ancestry,
    attributes_of,
    identity_of,
    is_replaceable,
    is_replaceable_still,
)
from modelica_ast.tree import (
    AlgorithmSection,
    Arguments,
    CallArguments,
    Component,
    ComponentClause1,
    ComponentReference,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    ExtendsClause,
    LongClassSpecifier,
    ShortClassSpecifier,
    Token,
    View,
)


class _Modified(NamedTuple):
    """What arguments modify: a class, whether it surely has no more than what is known, what is final in it."""

    environment: Environment
    is_certain: bool
    finals: Mapping[str, str]  # name -> what makes it final
    redeclared: Environment | None = None  # the class in this use, if the arguments themselves redeclare parts of it


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
        bases = check.environment.bases
        first = bases[0].environment if isinstance(holder, LongClassSpecifier) and bases else None
        return None if first is None else _inside(check.lookup, Meaning(first, is_certain=False))
    is_own_base = isinstance(holder, ExtendsClause) or (
        isinstance(holder, ShortClassSpecifier) and holder.parent == check.definition.view
    )
    meaning = check.lookup.base_named(check.environment, name) if is_own_base else check.type_named(name)
    found = None if _is_component(meaning) else _inside(check.lookup, meaning)
    used = _in_this_use(check, holder)
    return found if found is None or used is None else found._replace(redeclared=used)


def _in_this_use(check: ClassCheck, holder: View) -> Environment | None:
    """The class that arguments modify with all that reaches it, if it is redeclared in parts; None if not."""
    used: Environment | None = None
    if isinstance(holder, ExtendsClause):
        used = next((base.environment for base in check.environment.bases if base.type == holder.type), None)
    elif isinstance(holder, Component):
        member = check.environment.member(holder.name)
        used = member.environment if member is not None and member.declared == holder else None
    return used if used is not None and used.has_redeclarations else None


def _is_component(meaning: Meaning) -> bool:
    """A component where a class must be: an error of its own, and nobody knows what was meant."""
    return isinstance(meaning.symbol, Member) and not meaning.symbol.is_class


def _inside(lookup: Meanings, meaning: Meaning, finals: Mapping[str, str] | None = None) -> _Modified | None:
    """What is inside of what a name stands for; None if that is unknown."""
    if meaning.symbol is None:
        return None
    found = lookup.class_of(meaning.symbol)
    if not isinstance(found.symbol, Environment):
        return None
    more = final_names(found.symbol)
    return _Modified(found.symbol, meaning.is_certain and found.is_certain, {**more, **(finals or {})})


def final_names(environment: Environment) -> Mapping[str, str]:
    """What a class and those that it inherits from make final in what they inherit, with the class that does."""
    known: Mapping[str, str] | None = environment.__dict__.get("final_names")
    if known is None:
        found: dict[str, str] = {}
        for part in ancestry(environment):
            if part.written is None:
                continue
            specifier = part.written.specifier
            own = specifier.arguments if isinstance(specifier, ShortClassSpecifier) else None
            for arguments in (own, *(clause.arguments for clause in part.written.extends)):
                found |= dict.fromkeys(_final_in(arguments), part.name)
        known = environment.__dict__["final_names"] = found
    return known


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
        found = _member(check, current.environment, part)
        if part in current.finals and (is_last or isinstance(found, Absence)):
            check.add(
                "final-modified", item, f"'{part}' is final in '{current.finals[part]}'", about=current.environment
            )
        if found is None:
            return None  # an attribute of a predefined type
        if isinstance(found, Absence):
            if found is MISSING and current.is_certain:
                what = f"'{current.environment.name}' has no '{part}' that could be modified"
                check.add_lack("unknown-modifier", item.name, what, (current.environment, part))
            return None
        finals: dict[str, str] = {}
        if isinstance(found, Member) and isinstance(found.declared, Component):
            element = found.element
            if element is not None and "final" in element.prefixes and is_last:
                check.add("final-modified", item, f"'{part}' is declared final in '{found.owner.name}'", about=found)
            finals = dict.fromkeys(_final_in(found.declared.arguments), found.name)
        is_fixed = isinstance(found, Environment | Member) and not is_replaceable(found)
        symbol = current.redeclared.member(part) if current.redeclared is not None else None
        current = _inside(check.lookup, Meaning(symbol or found, is_certain=current.is_certain and is_fixed), finals)
    return current


def _member(check: ClassCheck, environment: Environment, name: str) -> Symbol | Absence | None:
    """A member; None for an attribute of a predefined type."""
    if environment.written is None:
        return None if name in attributes_of(environment) else MISSING
    end = environment.end
    if end is not None and name in (attributes_of(end) if end.written is None else ENUMERATION_ATTRIBUTES):
        return None
    return check.lookup.member(environment, name)


# ---------------------------------------------------------------- redeclarations


def _redeclaration(check: ClassCheck, item: ElementRedeclaration | ElementReplaceable, around: _Modified) -> None:
    declared = item.declared
    name = declared.declaration.name if isinstance(declared, ComponentClause1) else declared.name
    found = _member(check, around.environment, name)
    if found is MISSING and around.is_certain:
        what = f"'{around.environment.name}' has no '{name}' that could be redeclared"
        check.add_lack("unknown-modifier", item, what, (around.environment, name))
    elif isinstance(found, Member):
        new_type = declared.type if isinstance(declared, ComponentClause1) else None
        new = None if new_type is None else check.type_named(new_type).symbol
        if not is_replaceable(found):
            _must_be_replaceable(check, item, found, new)


def _redeclared_elements(check: ClassCheck) -> None:
    for own in check.definition.redeclarations:
        name = own.name
        bases = (base.environment for base in check.environment.bases if base.environment is not None)
        other = next((found for base in bases if (found := base.plain_member(name)) is not None), None)
        if other is not None:
            is_class = isinstance(own, Definition)
            view: View = own.view if is_class else own.identifier  # type: ignore[union-attr]
            new = None if is_class else check.lookup.type_named(check.environment, own.type).symbol  # type: ignore[union-attr]
            _must_be_replaceable(check, view, other, new)


def _must_be_replaceable(check: ClassCheck, view: View, old: Member, new: Symbol | None) -> None:
    """Only what is replaceable gets a new type; with the type that it has, anything may be declared again."""
    if is_replaceable_still(old):
        return
    if not old.is_class:
        before = check.lookup.class_of(old).symbol
        after = new.environment if isinstance(new, Member) and new.is_class else new
        if after is None or before is None or _identity(after) == _identity(before):
            return
    check.add("redeclare-not-replaceable", view, f"'{old.name}' is not replaceable in '{old.scope.name}'", about=old)


def _identity(symbol: Symbol) -> object:
    return identity_of(symbol) if isinstance(symbol, Environment | Member) else symbol


# ---------------------------------------------------------------- each


def _each(check: ClassCheck, component: Component, arguments: Arguments) -> None:
    """`each` needs an array around it. A dotted name may lead to one, so only simple names count."""
    if component.subscripts is not None or component.clause.subscripts is not None:
        return
    found = check.type_named(component.type)
    if _is_component(found):
        return
    type_ = check.lookup.class_of(found.symbol).symbol if found.symbol is not None else None
    if not isinstance(type_, Environment) or not (type_.is_complete and found.is_certain):
        return
    if any(_is_array(part) for part in ancestry(type_)):
        return
    for item in arguments.items:
        if isinstance(item, ElementModification) and item.each is not None and len(item.name.parts) == 1:
            check.add("each-without-array", item.each, f"'{component.name}' is not an array, so 'each' has no meaning")


def _is_array(part: Environment) -> bool:
    specifier = None if part.written is None else part.written.specifier
    return isinstance(specifier, ShortClassSpecifier) and specifier.subscripts is not None


# ---------------------------------------------------------------- assignments
# What can't get a value by a statement, and what has no derivative worth writing.


def check_assignments(check: ClassCheck) -> None:
    """All assignments and derivatives of a class."""
    for target in check.text.assigned:
        component = _component(check, target)
        if component is not None:
            _assigned(check, target, component)
    for place in check.text.calls:
        function, arguments = place.view.function, place.view.arguments
        if isinstance(function, Token) and function.text == "der" and isinstance(arguments, CallArguments):
            items = arguments.items
            if len(items) == 1 and isinstance(items[0], ComponentReference):
                _derivative(check, items[0], place.locals)


def _component(check: ClassCheck, reference: ComponentReference) -> Member | None:
    """The component that a reference starts with, if the class has it."""
    found = None if reference.is_global else check.environment.member(reference.parts[0])
    return found if found is not None and not found.is_class else None


def _assigned(check: ClassCheck, target: ComponentReference, component: Member) -> None:
    name, prefixes = component.name, component.prefixes
    if "constant" in prefixes or ("parameter" in prefixes and not _is_initial(target)):
        what = "constant" if "constant" in prefixes else "parameter"
        check.add("assigned-constant", target, f"'{name}' is a {what} and can't be assigned")
    elif check.definition.kind == "function" and "input" in prefixes:
        check.add("assigned-input", target, f"'{name}' is an input and can't be assigned", "use a local variable")


def _is_initial(target: ComponentReference) -> bool:
    section = next((view for view in target.ancestors if isinstance(view, AlgorithmSection)), None)
    return section is not None and section.initial is not None


def _derivative(check: ClassCheck, reference: ComponentReference, names: frozenset[str]) -> None:
    component = _component(check, reference)
    if component is None or len(reference.parts) > 1 or reference.parts[0] in names:
        return
    for prefix in ("constant", "parameter"):
        if prefix in component.prefixes:
            message = f"'{component.name}' is a {prefix}: its derivative is always zero"
            check.add("derivative-of-constant", reference, message)
