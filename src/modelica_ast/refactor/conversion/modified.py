"""Everything that has modifiers: declarations, extends clauses, short classes, modifiers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from modelica_ast.edit import (
    Path as TreePath,
    argument_name,
    get_value,
    item_places,
    node_at,
    node_of,
    parsed,
    replaced,
)
from modelica_ast.refactor.conversion.modifiers import (
    Replaced,
    applies,
    arguments_of,
    empty_arguments,
    has_modifier,
    with_arguments,
)
from modelica_ast.refactor.conversion.rules import ConvertClassIf, ConvertModifiers, Meaning, OldModifier, Verdict
from modelica_ast.refactor.conversion.work import Around, FileWork, Visit, is_global, names_of, one_line
from modelica_ast.semantics import FullName, Outside, Target
from modelica_ast.syntax import KINDS, Node, child, child_at, child_node, make_node, symbol, token_text, tokens
from modelica_ast.tree import Arguments, ConstrainingClause, Modification, NamedArgument, View

_LITERALS: Final = frozenset({"UNSIGNED_NUMBER", "STRING", "TRUE", "FALSE"})


class ModifiedThings:
    """Those of one file. What the modifiers inside modify, comes back from each."""

    def __init__(self, work: FileWork) -> None:
        self._work = work
        self._names = work.names
        self._extra: dict[TreePath, list[ConvertModifiers]] = {}  # for declarations whose class depends on a value

    def clause(self, visit: Visit) -> None:
        """All components of a clause have one type; it may depend on their modifiers."""
        holders = [each for each in visit.view.children if each.kind.startswith("component_declaration")]
        self._depending(visit, self._work.type_of(visit.view.green, visit.around), holders)

    def declaration(self, visit: Visit) -> Meaning:
        """A component."""
        target = self._work.target(visit.view.path)
        self._modifiers(visit, self._names.type_of(target), is_array=self._is_array(visit))
        return target

    def redeclared_component(self, visit: Visit) -> Meaning:
        """The component of `redeclare T x(…)` in a modifier."""
        assert visit.view.parent is not None
        meaning = self._work.type_of(visit.view.parent.green, visit.around)
        self._modifiers(visit, meaning, is_array=self._is_array(visit))
        return meaning

    def _is_array(self, visit: Visit) -> bool:
        assert visit.view.parent is not None
        both = (visit.view.parent, visit.view)
        return any(child(node_of(each), "array_subscripts") is not None for each in both)

    def typed(self, visit: Visit) -> Meaning:
        """`extends T(…)`, `constrainedby T(…)`, `model M = T(…)`."""
        meaning = self._work.type_of(visit.view.green, visit.around)
        if not isinstance(visit.view, ConstrainingClause):
            self._depending(visit, meaning, [visit.view])
        self._modifiers(visit, meaning)
        return meaning

    def modifier(self, visit: Visit) -> Meaning:
        """`name(…)`: its arguments modify a member of what it modifies itself."""
        meaning = visit.owner
        for part in argument_name(node_of(visit.view)):
            meaning = self._names.step(meaning, part)
        if isinstance(meaning, Target):
            self._modifiers(visit, meaning)
        return meaning

    # ------------------------------------------------------------ modifiers

    def _modifiers(self, visit: Visit, meaning: Meaning, *, is_array: bool = False) -> None:
        is_direct = isinstance(meaning, Outside) and not isinstance(visit.view, ConstrainingClause)
        arguments = arguments_of(node_of(visit.view))
        rules = list(self._extra.get(visit.view.path, ()))
        for class_ in self._names.outside_of(meaning):
            for rule in self._work.rules.modifiers.get(class_, ()):
                if not applies(rule, arguments, is_direct=is_direct):
                    continue
                if rule.by_hand:
                    self._work.note(visit, f"a person has to convert it: {rule.by_hand}", rule, class_)
                else:
                    rules.append(rule)
        if not rules:
            return
        if arguments is not None:
            self._spend(visit, arguments, [old.path for rule in rules for old in rule.old])
        self._work.edit(visit.view.path, _ReplaceModifiers(self._work, visit, rules, is_array=is_array))

    def _spend(self, visit: Visit, arguments: Node, paths: Sequence[FullName]) -> None:
        modification = next((each for each in visit.view.children if isinstance(each, Modification)), None)
        where = visit.view if modification is None else modification
        list_ = next(each for each in where.children if each.green is arguments)
        for item in item_places(arguments):
            name = argument_name(child_at(arguments, item))
            if any(path[: len(name)] == name for path in paths if name):
                self._work.spent.add((*list_.path, item))

    # ------------------------------------------------------------ classes that depend on a value

    def _depending(self, visit: Visit, meaning: Meaning, holders: Sequence[View]) -> None:
        rules = self._work.rules.class_ifs.get(meaning.name, []) if isinstance(meaning, Outside) else []
        if not rules:
            return
        chosen = [self._chosen(visit._replace(view=holder), rules) for holder in holders]
        found = child(node_of(visit.view), "type_specifier")
        assert found is not None
        where = (*visit.view.path, found[0])
        as_it_is = Verdict(rules[0].old, None)
        if len({None if rule is None else rule.new for rule in chosen}) > 1:
            self._work.note(visit, "its components become different classes: declare each of them separately", rules[0])
            self._work.fates[where] = as_it_is
            return
        for holder, rule in zip(holders, chosen, strict=True):
            if rule is not None:
                self._work.fates[where] = Verdict(rule.new, rule)
                gone = ConvertModifiers(rule.line, rule.old, (OldModifier(rule.element, ""),), ())
                self._extra.setdefault(holder.path, []).append(gone)
            elif self._is_open(visit._replace(view=holder), rules):
                self._work.fates[where] = as_it_is

    def _chosen(self, visit: Visit, rules: Sequence[ConvertClassIf]) -> ConvertClassIf | None:
        """The rule whose value a declaration has."""
        arguments = arguments_of(node_of(visit.view)) or empty_arguments()
        for rule in rules:
            value = get_value(Arguments.of(arguments), rule.element)
            if value is not None and self._is_value(value.green, rule.value, visit.around):
                return rule
        return None

    def _is_open(self, visit: Visit, rules: Sequence[ConvertClassIf]) -> bool:
        """Does the class depend on a value that only a person can know?"""
        arguments = arguments_of(node_of(visit.view)) or empty_arguments()
        for rule in rules:
            value = get_value(Arguments.of(arguments), rule.element)
            if value is not None and not _is_literal(value.green):
                text = f"its class depends on '{'.'.join(rule.element)}', which is not a literal"
                self._work.note(visit, text, rule, rule.old)
                return True
        return False

    def _is_value(self, value: Any, wanted: str, around: Around) -> bool:
        other: Any = parsed(wanted, "expression", "a value")
        if tokens(value) == tokens(other):
            return True
        if symbol(value) == symbol(other) == "UNSIGNED_NUMBER":
            return float(token_text(value)) == float(token_text(other))
        if symbol(value) in ("IDENT", "component_reference") and symbol(other) == "component_reference":
            meaning = self._names.resolve(around, names_of(value), is_global=is_global(value))[-1]
            return isinstance(meaning, Outside) and list(meaning.name) == names_of(other)
        return False


def _is_literal(value: Any) -> bool:
    """A number, text, truth value, or (a name with dots) a literal of an enumeration."""
    kind = symbol(value)
    if kind == "unary":
        return symbol(value[2]) == "UNSIGNED_NUMBER"
    return kind in _LITERALS or (kind == "component_reference" and len(names_of(value)) > 1)


class _ReplaceModifiers:
    """Some rules for the modifiers of one thing, carried out when all inside it is converted."""

    def __init__(self, work: FileWork, visit: Visit, rules: Sequence[ConvertModifiers], *, is_array: bool) -> None:
        self._work = work
        self._visit = visit
        self._rules = rules
        self._is_array = is_array

    def __call__(self, root: Node, path: TreePath) -> Node:
        holder = node_at(root, path)
        for rule in self._rules:
            arguments = arguments_of(holder)
            if rule.old and (arguments is None or not any(has_modifier(arguments, old.path) for old in rule.old)):
                continue
            near = (node_at(root, path[:-1]), root)
            done = Replaced(arguments or empty_arguments(), rule, near, is_array=self._is_array)
            new = done.arguments if item_places(done.arguments) else None
            before = "" if arguments is None else one_line(arguments)
            after = "" if new is None else one_line(new)
            if before != after:
                self._work.change(self._visit, rule, before, after)
                holder = with_arguments(holder, new)
            for text in done.notes:
                self._work.note(self._visit, text, rule)
        return replaced(root, path, holder)


# ---------------------------------------------------------------- called things
# Calls whose named arguments a rule for modifiers speaks of: constructors of records, and functions.
#
# `R(m=1)` sets m as `R r(m=1)` does. So its arguments are read as modifiers, converted like these, and written as
# arguments again. What has no such form, as a nested modifier, is left to a person.

_BY_HAND = "a person has to convert it"


def convert_arguments(work: FileWork, visit: Visit, called: Meaning) -> set[str]:
    """Convert the arguments of a call; the names of those come back that a rule takes away."""
    named = [each for each in visit.view.children if isinstance(each, NamedArgument)]
    names = {each.name for each in named if _is_named(node_of(each))}
    rules: list[ConvertModifiers] = []
    for class_, rule in _rules(work, called):
        if not any(old.path[0] in names for old in rule.old):
            continue
        why = _why_not(node_of(visit.view), rule)
        if why:
            work.note(visit, f"{_BY_HAND}: {why}", rule, class_)
        else:
            rules.append(rule)
    if rules:
        work.edit(visit.view.path, _ReplaceArguments(work, visit, rules))
    return {old.path[0] for rule in rules for old in rule.old} & names


def _rules(work: FileWork, called: Meaning) -> Iterator[tuple[FullName, ConvertModifiers]]:
    for class_ in work.names.outside_of(called):
        for rule in work.rules.modifiers.get(class_, ()):
            yield class_, rule


def _why_not(arguments: Node, rule: ConvertModifiers) -> str:
    """Why a rule can't be carried out in a call; '' if it can."""
    if rule.by_hand:
        return rule.by_hand
    if KINDS[arguments[0]] != "function_call_args":
        return "a rule for modifiers, in a function that is an argument"
    if any(len(old.path) > 1 for old in rule.old):
        return "a rule for modifiers of what is inside, in a call"
    if as_modifiers(arguments) is None:
        return "a rule for modifiers, in a call with arguments that have no names"
    return ""


class _ReplaceArguments:
    """Some rules for the arguments of one call, carried out when all inside it is converted."""

    def __init__(self, work: FileWork, visit: Visit, rules: Sequence[ConvertModifiers]) -> None:
        self._work = work
        self._visit = visit
        self._rules = rules

    def __call__(self, root: Node, path: TreePath) -> Node:
        for rule in self._rules:
            arguments = node_at(root, path)
            modifiers = as_modifiers(arguments)
            assert modifiers is not None
            done = Replaced(modifiers, rule, (node_at(root, path[:-1]), root))
            new = as_arguments(done.arguments)
            if new is None:
                text = f"{_BY_HAND}: what it becomes, {one_line(done.arguments)}, is not a list of arguments"
                self._work.note(self._visit, text, rule)
                continue
            before, after = one_line(arguments), one_line(new)
            if before != after:
                self._work.change(self._visit, rule, before, after)
                root = replaced(root, path, new)
            for text in done.notes:
                self._work.note(self._visit, text, rule)
        return root


def as_modifiers(arguments: Node) -> Node | None:
    """`(a=1, b=2)` of a call as modifiers; None if an argument has no name, or is a function."""
    items = [arguments[index] for index in item_places(arguments)]
    if not all(type(item) is tuple and _is_named(item) for item in items):
        return None
    parts: list[Any] = list(arguments[1:])
    for index in item_places(arguments):
        name, equals, value = child_node(arguments, index)[1:]
        parts[index - 1] = make_node("element_modification", name, make_node("modification", equals, value))
    return make_node("class_modification", *parts)


def _is_named(item: Node) -> bool:
    if KINDS[item[0]] != "named_argument":
        return False
    value = child_at(item, 3)
    return isinstance(value, str) or KINDS[value[0]] != "function_partial_application"


def as_arguments(modifiers: Node) -> Node | None:
    """Modifiers as the arguments of a call; None if one of them is more than `name = value`."""
    parts: list[Any] = list(modifiers[1:])
    for index in item_places(modifiers):
        item: Any = modifiers[index]
        found = child(item, "modification") if KINDS[item[0]] == "element_modification" else None
        if found is None or found[0] != 2 or type(item[1]) is not str or len(found[1]) != 3:  # noqa: PLR2004
            return None  # each, final, redeclare, a dotted name, or modifiers in parentheses
        parts[index - 1] = make_node("named_argument", item[1], *found[1][1:])
    return make_node("function_call_args", *parts)
