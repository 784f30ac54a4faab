"""Names that are not found: types, base classes, imports, functions, references, named arguments."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from modelica_ast.rules.class_text import tool_hint
from modelica_ast.rules.context import ClassCheck
from modelica_ast.semantics import (
    AMBIGUOUS,
    MISSING,
    NOT_OPEN,
    UNKNOWN,
    Absence,
    Builtin,
    Definition,
    Environment,
    Meaning,
    Member,
    Symbol,
    ancestry,
    attributes_of,
    identity_of,
    imported_names,
    is_redeclaration,
    is_replaceable,
    is_replaceable_still,
)
from modelica_ast.syntax import NUMBER, TOKEN_TEXTS, kind_of, leaves, productions_of, token_text
from modelica_ast.tree import (
    Annotation,
    Argument,
    Arguments,
    Call,
    CallArguments,
    ClassDefinition,
    Component,
    ComponentClause1,
    ComponentReference,
    DerClassSpecifier,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    ExtendsClause,
    Name,
    NamedArgument,
    Root,
    ShortClassSpecifier,
    View,
)


def check_names(check: ClassCheck) -> None:
    """All names of a class."""
    _bases(check)
    _imports(check)
    for name in check.text.types:
        first = check.lookup.top(name.parts[0]) if name.is_global else check.lookup.first(check.scope, name.parts[0])
        if not _is_component(check, name, first):
            _class_name(check, "unknown-type", name)
    for name in check.text.applied:
        _class_name(check, "unknown-function", name)
    for place in check.text.calls:
        _call(check, place.view, place.locals)
    for reference in check.text.references:
        if not reference.view.is_global and reference.view.parts[0] in reference.locals:
            continue
        _reference(check, reference.view, is_argument=reference.is_argument)


def _bases(check: ClassCheck) -> None:
    definition = check.definition
    specifier = definition.specifier
    is_short = isinstance(specifier, ShortClassSpecifier | DerClassSpecifier)
    code = "unknown-type" if is_short else "unknown-base"
    found = [(name, check.lookup.base_named(check.environment, name)) for name in definition.base_names]
    for name, meaning in found:
        if _is_component(check, name, _first_of_base(check, name)):
            continue
        if meaning.absence is AMBIGUOUS:
            _ambiguous(check, name, name.parts[0])
        if meaning.symbol is not None or not check.is_nowhere(meaning, name.parts, name):
            continue
        others = [(called, other) for called, other in found if other is not meaning and meaning.part == 0]
        brought = [_brought(check, called, other, name.parts[0]) for called, other in others]
        if any(isinstance(each, Member) for each in brought):
            message = f"'{name.parts[0]}' is inherited, and what 'extends' names is looked up before that"
            check.add(code, name, message, "name the class by where it is declared")
        elif not any(each is not MISSING for each in brought):
            _nowhere(check, code, name, meaning, name.parts)
    if not is_short:
        _replaceable_bases(check)


def _brought(check: ClassCheck, called: Name, base: Meaning, name: str) -> Symbol | Absence:
    """What another base class has under a name."""
    if base.symbol is None:
        return MISSING if check.is_nowhere(base, called.parts, called) else UNKNOWN
    inside = check.lookup.class_of(base.symbol).symbol
    return UNKNOWN if inside is None else check.lookup.member(inside, name)


def _replaceable_bases(check: ClassCheck) -> None:
    for name in check.definition.base_names:
        way = _way_to_replaceable(check, name)
        if way:
            links = [*(f"is short for '{part}'" for part in way[1:]), "is replaceable"]
            message = f"'{way[0]}' {', which '.join(links)}: a base class must be the same in every use"
            check.add("replaceable-base", name, message)


def _way_to_replaceable(check: ClassCheck, base: Name) -> tuple[str, ...]:
    """The names from a base class over short classes to one that is replaceable; empty if none is."""
    todo: list[tuple[Name, Symbol | Absence, tuple[str, ...]]] = [(base, _first_of_base(check, base), ())]
    seen: set[object] = set()
    while todo:
        name, first, before = todo.pop()
        for length in range(1, len(name.parts) + 1):
            found = check.lookup.along(first, name.parts[:length]).symbol
            if found is None or isinstance(found, Builtin) or (isinstance(found, Member) and not found.is_class):
                break
            way = (*before, ".".join(name.parts[:length]))
            if is_replaceable_still(found) if isinstance(found, Member) else is_replaceable(found):
                return way
            inside = check.lookup.class_of(found).symbol
            if identity_of(found) not in seen and isinstance(inside, Environment):
                seen.add(identity_of(found))
                todo += [(short, first, way) for short, first in _stands_for(check, inside)]
    return ()


def _stands_for(check: ClassCheck, short: Environment) -> list[tuple[Name, Symbol | Absence]]:
    """The name that a short class stands for, and what the first part of it is; empty for all other classes."""
    if short.written is None or not short.written.is_short:
        return []
    (name,) = short.written.base_names
    first = name.parts[0]
    if name.is_global or short.around is None:
        return [(name, check.lookup.top(first))]
    return [(name, check.lookup.first(short.around, first))]


def _first_of_base(check: ClassCheck, name: Name) -> Symbol | Absence:
    first = name.parts[0]
    if name.is_global or check.environment.scope is None:
        return check.lookup.top(first)
    return check.lookup.first(check.scope, first, own_only=not check.definition.is_short)


def _is_component(check: ClassCheck, name: Name, first: Symbol | Absence) -> bool:
    """A component where a class must be; then nothing else is said about the type."""
    if not isinstance(first, Member) or first.is_class:
        return False
    if len(name.parts) == 1:
        message = f"'{first.name}' is a component of '{first.owner.name}', and hides any class of this name"
        hint = "write the full name of the class, or rename the component"
    else:
        message = f"'{first.name}' is a component of '{first.owner.name}', and no type can be reached through it"
        hint = "name the class by the class that it is declared in"
    check.add("component-as-type", name, message, hint)
    return True


def _imports(check: ClassCheck) -> None:
    for clause in check.definition.import_clauses:
        for _, parts in imported_names(clause):
            meaning = check.lookup.along(check.lookup.top(parts[0]), parts)
            is_outside = check.known.is_expected(parts[0]) or not check.known.are_libraries_open
            if meaning.absence is NOT_OPEN and is_outside:
                check.known.findings.add_missing_library(parts[0], clause)
            elif meaning.absence in {MISSING, NOT_OPEN}:
                message, hint = check.where(meaning, tuple(parts))
                check.add("unknown-import", clause, message, hint)


def _class_name(check: ClassCheck, code: str, name: Name) -> None:
    meaning = check.type_named(name)
    if meaning.absence is AMBIGUOUS:
        _ambiguous(check, name, name.parts[0])
    elif meaning.symbol is None and check.is_nowhere(meaning, name.parts, name):
        _nowhere(check, code, name, meaning, name.parts)


# ---------------------------------------------------------------- expressions


def _reference(check: ClassCheck, view: ComponentReference, *, is_argument: bool) -> None:
    parts = view.parts
    meaning = check.lookup.resolve(check.scope, parts, is_global=view.is_global)
    if meaning.absence is NOT_OPEN:
        # A library has a name in capitals, and what is in it has a dot before it; the rest can only be a component.
        is_library = view.is_global or (len(parts) > 1 and not parts[0][0].islower())
        if check.known.is_expected(parts[0]) or (is_library and not check.known.are_libraries_open):
            check.known.findings.add_missing_library(parts[0], view)
            return
        if is_argument and len(parts) == 1 and not check.known.is_root_complete:
            return  # a function at the top of another file
    elif meaning.absence is AMBIGUOUS:
        _ambiguous(check, view, parts[0])
        return
    elif meaning.absence is not MISSING:
        return
    _nowhere(check, "unknown-reference", view, meaning, parts)


def _call(check: ClassCheck, call: Call, names: frozenset[str]) -> None:
    function = call.function
    if not isinstance(function, ComponentReference) or any(part is not None for part in function.subscripts):
        return
    parts = function.parts
    if parts[0] in names:
        return
    meaning = check.lookup.resolve(check.scope, parts, is_global=function.is_global)
    if meaning.symbol is None:
        if meaning.absence is AMBIGUOUS:
            _ambiguous(check, function, parts[0])
        elif check.is_nowhere(meaning, parts, function):
            _nowhere(check, "unknown-function", function, meaning, parts)
        return
    inside = check.lookup.class_of(meaning.symbol)
    if isinstance(inside.symbol, Environment) and inside.is_certain and meaning.is_certain:
        _named_arguments(check, call, inside.symbol)


def _ambiguous(check: ClassCheck, view: View, name: str) -> None:
    message = f"'{name}' is brought by more than one 'import ….*'"
    check.add("ambiguous-import", view, message, f"import '{name}' by its full name")


def _nowhere(check: ClassCheck, code: str, view: View, meaning: Meaning, parts: tuple[str, ...]) -> None:
    message, hint = check.where(meaning, parts)
    known_to_tools = tool_hint(parts[0]) if meaning.part == 0 else ""
    check.add(code, view, message, known_to_tools or hint)


def _named_arguments(check: ClassCheck, call: Call, function: Environment) -> None:
    if not isinstance(call.arguments, CallArguments) or not _has_plain_inputs(function):
        return
    is_function = any(part.written is not None and part.written.kind == "function" for part in ancestry(function))
    for item in call.arguments.items:
        if not isinstance(item, NamedArgument):
            continue
        found = check.lookup.member(function, item.name)
        is_output = is_function and isinstance(found, Member) and "output" in found.prefixes
        if found is MISSING or is_output:
            members = [member for member in function.members() if not member.is_class]
            known = [each.name for each in members if not is_function or "input" in each.prefixes]
            what = f"the {'function' if is_function else 'record'} '{call.name}'"
            message = f"'{item.name}' is an output of {what}" if is_output else f"{what} has no '{item.name}'"
            check.add("unknown-argument", item.identifier, message, f"it has {', '.join(known)}" if known else "")


def _has_plain_inputs(function: Environment) -> bool:
    """Not those with constructors of their own: external objects and operator records."""
    for part in ancestry(function):
        if part.written is None or part.written.kind not in {"function", "record"}:
            return False
        if "operator" in part.written.view.class_kind or not isinstance(part.written.view, ClassDefinition):
            return False
    return True


# ---------------------------------------------------------------- unused
# Imports and protected variables that nobody uses.

_IDENT: Final = NUMBER["IDENT"]
_STRING: Final = NUMBER["STRING"]
_DOT: Final = NUMBER["DOT"]
_ANNOTATION: Final = NUMBER["LAZY_ANNOTATION"]
_IN_TEXT: Final = re.compile(r"%\{?([A-Za-z_][A-Za-z_0-9]*)")  # `%name` in the text of an icon
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_CLASSES: Final = frozenset(productions_of("class_definition"))
_NEVER_JUDGED: Final = frozenset({"inner", "outer", "replaceable", "redeclare"})


class Words:
    """Where each name is written in a file, apart from those after a dot: these are members of something."""

    def __init__(self, root: Root) -> None:
        self._root = root

    @cached_property
    def _found(self) -> tuple[dict[str, list[int]], dict[int, tuple[int, int]]]:
        """Name -> the leaves that write it; identity of a class -> its first leaf and the one after its last.

        PERF: one walk for all classes of a file; to measure every node for the place of each took a tenth of a check.
        Leaves are told by their numbers.
        """
        written: list[str] = []
        classes: dict[int, tuple[int, int]] = {}
        opened: list[tuple[int, int, int]] = []  # the classes around: depth, identity, first leaf
        stack: list[Iterator[Any]] = [iter(self._root.green[1:])]
        while stack:
            for child in stack[-1]:
                if type(child) is str:
                    written.append(child)
                    continue
                if child[0] in _CLASSES:
                    opened.append((len(stack), id(child), len(written)))
                children = iter(child)
                next(children)  # the production number
                stack.append(children)
                break
            else:
                stack.pop()
                if opened and opened[-1][0] == len(stack):
                    _, identity, first = opened.pop()
                    classes[identity] = (first, len(written))
        places: dict[str, list[int]] = {}
        for number, name in _names_in(written):
            places.setdefault(name, []).append(number)
        return places, classes

    def is_used(self, name: str, definition: Definition, declared: View) -> bool:
        """Is a name written in a class, other than where it is declared?"""
        places, classes = self._found
        first, end = classes[id(definition.view.green)]
        found = places.get(name, [])
        there = bisect_left(found, end) - bisect_left(found, first)
        return there > sum(1 for _, written in _names_in(leaves(declared.green)) if written == name)


def _names_in(found: Iterable[str]) -> Iterator[tuple[int, str]]:
    """(number of a leaf, a name that it writes) for some leaves."""
    after_dot = False
    for number, leaf in enumerate(found):
        kind = kind_of(leaf) if leaf else 0
        if kind == _IDENT:
            if not after_dot:
                yield number, TOKEN_TEXTS[leaf]
        elif kind == _STRING:
            if "%" in leaf:
                for match in _IN_TEXT.finditer(token_text(leaf)):
                    yield number, match[1]
        elif kind == _ANNOTATION:  # not read yet: every word in it counts
            for match in _WORD.finditer(token_text(leaf)):
                yield number, match[0]
        after_dot = kind == _DOT


def check_unused(check: ClassCheck, words: Words) -> None:
    """The imports and the protected variables of a class."""
    definition = check.definition
    if definition.is_broken:
        return
    # The other files of a package see its imports and its constants too.
    imports = [] if check.has_files else definition.import_clauses
    protected = [] if _is_open(check) else [c for c in check.components if _is_plain_variable(check, c)]
    if not imports and not protected:
        return  # PERF: most classes; where the words of a file are is not for nothing
    for clause in imports:
        for name, _ in imported_names(clause):
            if name and not words.is_used(name, definition, clause):
                check.add("unused-import", clause, f"the import '{name}' is not used in '{definition.name}'")
    unused = [c for c in protected if not words.is_used(c.name, definition, c.identifier)]
    if unused and not check.known.is_extended(definition):
        for component in unused:
            message = f"'{component.name}' is protected and never used"
            check.add("unused-protected", component.identifier, message)


def _is_open(check: ClassCheck) -> bool:
    """What inherits from a class, or is in it, may use its protected elements."""
    return check.has_files or check.definition.view.is_partial or check.definition.is_replaceable


def _is_plain_variable(check: ClassCheck, component: Member) -> bool:
    """Not one that does something by being there: a model, an outer component, an external object."""
    if component.element is None or not component.element.is_protected or _NEVER_JUDGED & set(component.prefixes):
        return False
    found = check.lookup.class_of(component).symbol
    if not isinstance(found, Environment) or not found.is_complete:
        return False
    end = found.end
    return end is not None and bool(attributes_of(end))


# ---------------------------------------------------------------- duplicates
# Names that appear twice: elements, imports, modifiers, arguments of a call.


def check_duplicates(check: ClassCheck) -> None:
    """All names of a class that must be there once."""
    _elements(check)
    _inherited(check)
    _duplicates_imports(check)
    for arguments in check.text.arguments:
        if not isinstance(arguments.parent, Annotation):
            _modifiers(check, arguments)
    for place in check.text.calls:
        _arguments(check, place.view)


def _elements(check: ClassCheck) -> None:
    seen: dict[str, View] = {}
    for name, view in _declared(check.definition):
        first = seen.setdefault(name, view)
        if first is not view:
            line = first.position.line
            check.add("duplicate-name", view, f"'{name}' is declared twice in '{check.name}'", f"see line {line}")


def _declared(definition: Definition) -> Iterator[tuple[str, View]]:
    for element in definition.elements:
        if (clause := element.component_clause) is not None:
            yield from ((view.name, view.identifier) for view in clause.declarations)
        elif (inner := element.class_definition) is not None:
            yield inner.name, inner
    specifier = definition.specifier
    if isinstance(specifier, EnumerationClassSpecifier):
        yield from ((literal.name, literal) for literal in specifier.literals)


def _inherited(check: ClassCheck) -> None:
    """An element may be there again if it is the same; here only what surely differs counts."""
    bases = [base.environment for base in check.environment.bases if base.environment is not None]
    if not bases:
        return
    for own in check.definition.parts:
        if isinstance(own, ExtendsClause) or is_redeclaration(own):
            continue
        other = next((found for base in bases if (found := base.plain_member(own.name)) is not None), None)
        reason = _difference(check, own, other) if other is not None else ""
        if reason and other is not None:
            view = own.view if isinstance(own, Definition) else own.identifier
            where = other.owner.name
            check.add("duplicate-inherited", view, f"'{own.name}' is inherited from '{where}' as {reason}")


def _difference(check: ClassCheck, own: Component | Definition, other: Member) -> str:
    """What the inherited one is that this one is not; '' if that is not sure."""
    if isinstance(own, Definition) != other.is_class:
        return "a class" if other.is_class else "a component"
    if not isinstance(own, Definition):
        types = [check.lookup.class_of(each).symbol for each in (Member(own.name, own, check.environment), other)]
        ends = [found.predefined if isinstance(found, Environment) else "" for found in types]
        if ends[0] != ends[1] and all(ends):
            return f"a component of type '{ends[1]}'"
    return ""


def _duplicates_imports(check: ClassCheck) -> None:
    seen: set[str] = set()
    for clause in check.definition.import_clauses:
        for name, _ in imported_names(clause):
            if name in seen:
                check.add("duplicate-import", clause, f"'{name}' is imported twice in '{check.name}'")
            if name:
                seen.add(name)


# ---------------------------------------------------------------- lists


def _modifiers(check: ClassCheck, outermost: Arguments) -> None:
    """`x(a=1)` and `x.a=1` set the same thing."""
    seen: set[tuple[str, ...]] = set()
    todo: list[tuple[Argument, tuple[str, ...]]] = [(item, ()) for item in reversed(outermost.items)]
    while todo:
        item, before = todo.pop()
        name, is_set = _modified(item)
        path = (*before, *name)
        if is_set:
            if path in seen:
                check.add("duplicate-modifier", item, f"'{'.'.join(path)}' is modified twice")
            seen.add(path)
        if isinstance(item, ElementModification) and item.arguments is not None:
            todo += [(inner, path) for inner in reversed(item.arguments.items)]


def _modified(item: Argument) -> tuple[tuple[str, ...], bool]:
    """The name of a modifier, and whether it gives a value or a declaration."""
    if isinstance(item, ElementModification):
        return item.name.parts, item.value is not None
    if isinstance(item, ElementRedeclaration | ElementReplaceable):
        declared = item.declared
        return (declared.declaration.name if isinstance(declared, ComponentClause1) else declared.name,), True
    return (), False


def _arguments(check: ClassCheck, call: Call) -> None:
    seen: set[str] = set()
    for item in call.arguments.items if isinstance(call.arguments, CallArguments) else []:
        if isinstance(item, NamedArgument):
            if item.name in seen:
                check.add("duplicate-argument", item, f"the argument '{item.name}' is given twice")
            seen.add(item.name)
