"""Everything that has modifiers: declarations, extends clauses, short classes, modifiers themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from modelica_ast.edit.lists import item_places
from modelica_ast.edit.modifiers import argument_name, get_value
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import node_at, node_of, replaced
from modelica_ast.edit.values import parsed
from modelica_ast.green import Node, child_at, symbol, tokens
from modelica_ast.lexer import token_text
from modelica_ast.library.conversion.file_work import Around, FileWork, Visit, one_line
from modelica_ast.library.conversion.modifying import (
    Replaced,
    applies,
    arguments_of,
    empty_arguments,
    has_modifier,
    with_arguments,
)
from modelica_ast.library.conversion.names import Meaning
from modelica_ast.library.conversion.rules import ConvertClassIf, ConvertModifiers, OldModifier, Verdict
from modelica_ast.library.conversion.writing import is_global, names_of
from modelica_ast.semantics.definitions import FullName, Outside, Target
from modelica_ast.shape import child
from modelica_ast.views.base import View
from modelica_ast.views.components import ConstrainingClause
from modelica_ast.views.modifications import Arguments, Modification

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
            self._work.note(visit, "its components become different classes: declare each of them by itself", rules[0])
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
                text = f"its class depends on '{'.'.join(rule.element)}', which is no literal"
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
