"""Everything that has modifiers: declarations, extends clauses, short classes, modifiers themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from modelica_ast.edit.lists import item_places
from modelica_ast.edit.modifiers import argument_name, get_value
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, node_at, replaced
from modelica_ast.edit.values import parsed
from modelica_ast.green import Node, child_at, symbol, tokens
from modelica_ast.lexer import token_text
from modelica_ast.library.conversion.file_work import Around, FileWork, Place, one_line
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
from modelica_ast.tables import KINDS
from modelica_ast.views.modifications import Arguments

_LITERALS: Final = frozenset({"UNSIGNED_NUMBER", "STRING", "TRUE", "FALSE"})


class ModifiedThings:
    """Those of one file. What the modifiers inside modify, comes back from each."""

    def __init__(self, work: FileWork) -> None:
        self._work = work
        self._names = work.names
        self._extra: dict[TreePath, list[ConvertModifiers]] = {}  # for declarations whose class depends on a value

    def clause(self, place: Place) -> None:
        """All components of a clause have one type; it may depend on their modifiers."""
        parts = [(index, part) for index, part in enumerate(place.green) if type(part) is tuple]
        holders = [(*place.path, index) for index, part in parts if KINDS[part[0]].startswith("component_declaration")]
        self._depending(place, self._work.type_of(place.green, place.around), holders)

    def declaration(self, place: Place) -> Meaning:
        """A component."""
        target = self._work.target(place.path)
        self._modifiers(place, self._names.type_of(target), is_array=self._is_array(place))
        return target

    def redeclared_component(self, place: Place) -> Meaning:
        """The component of `redeclare T x(…)` in a modifier."""
        meaning = self._work.type_of(at(self._work.root, place.path[:-1]), place.around)
        self._modifiers(place, meaning, is_array=self._is_array(place))
        return meaning

    def _is_array(self, place: Place) -> bool:
        clause = at(self._work.root, place.path[:-1])
        return any(child(node, "array_subscripts") is not None for node in (clause, place.green))

    def typed(self, place: Place) -> Meaning:
        """`extends T(…)`, `constrainedby T(…)`, `model M = T(…)`."""
        meaning = self._work.type_of(place.green, place.around)
        if KINDS[place.green[0]] != "constraining_clause":
            self._depending(place, meaning, [place.path])
        self._modifiers(place, meaning)
        return meaning

    def modifier(self, place: Place) -> Meaning:
        """`name(…)`: its arguments modify a member of what it modifies itself."""
        meaning = place.owner
        for part in argument_name(place.green):
            meaning = self._names.step(meaning, part)
        if isinstance(meaning, Target):
            self._modifiers(place, meaning)
        return meaning

    # ------------------------------------------------------------ modifiers

    def _modifiers(self, place: Place, meaning: Meaning, *, is_array: bool = False) -> None:
        is_direct = isinstance(meaning, Outside) and KINDS[place.green[0]] != "constraining_clause"
        arguments = arguments_of(place.green)
        rules = list(self._extra.get(place.path, ()))
        for class_ in self._names.outside_of(meaning):
            for rule in self._work.rules.modifiers.get(class_, ()):
                if not applies(rule, arguments, is_direct=is_direct):
                    continue
                if rule.by_hand:
                    self._work.note(place, f"a person has to convert it: {rule.by_hand}", rule, class_)
                else:
                    rules.append(rule)
        if not rules:
            return
        if arguments is not None:
            self._spend(place, arguments, [old.path for rule in rules for old in rule.old])
        self._work.edit(place.path, _ReplaceModifiers(self._work, place, rules, is_array=is_array))

    def _spend(self, place: Place, arguments: Node, paths: Sequence[FullName]) -> None:
        modification = child(place.green, "modification")
        where = (*place.path, modification[0]) if modification else place.path
        index = next(i for i, part in enumerate(at(self._work.root, where)) if part is arguments)
        for item in item_places(arguments):
            name = argument_name(child_at(arguments, item))
            if any(path[: len(name)] == name for path in paths if name):
                self._work.spent.add((*where, index, item))

    # ------------------------------------------------------------ classes that depend on a value

    def _depending(self, place: Place, meaning: Meaning, holders: Sequence[TreePath]) -> None:
        rules = self._work.rules.class_ifs.get(meaning.name, []) if isinstance(meaning, Outside) else []
        if not rules:
            return
        root = self._work.root
        chosen = [self._chosen(place._replace(path=holder, green=at(root, holder)), rules) for holder in holders]
        found = child(place.green, "type_specifier")
        assert found is not None
        where = (*place.path, found[0])
        as_it_is = Verdict(rules[0].old, None)
        if len({None if rule is None else rule.new for rule in chosen}) > 1:
            self._work.note(place, "its components become different classes: declare each of them by itself", rules[0])
            self._work.fates[where] = as_it_is
            return
        for holder, rule in zip(holders, chosen, strict=True):
            if rule is not None:
                self._work.fates[where] = Verdict(rule.new, rule)
                gone = ConvertModifiers(rule.line, rule.old, (OldModifier(rule.element, ""),), ())
                self._extra.setdefault(holder, []).append(gone)
            elif self._is_open(place._replace(path=holder, green=at(root, holder)), rules):
                self._work.fates[where] = as_it_is

    def _chosen(self, place: Place, rules: Sequence[ConvertClassIf]) -> ConvertClassIf | None:
        """The rule whose value a declaration has."""
        arguments = arguments_of(place.green) or empty_arguments()
        for rule in rules:
            value = get_value(Arguments.of(arguments), rule.element)
            if value is not None and self._is_value(value.green, rule.value, place.around):
                return rule
        return None

    def _is_open(self, place: Place, rules: Sequence[ConvertClassIf]) -> bool:
        """Does the class depend on a value that only a person can know?"""
        arguments = arguments_of(place.green) or empty_arguments()
        for rule in rules:
            value = get_value(Arguments.of(arguments), rule.element)
            if value is not None and not _is_literal(value.green):
                text = f"its class depends on '{'.'.join(rule.element)}', which is no literal"
                self._work.note(place, text, rule, rule.old)
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

    def __init__(self, work: FileWork, place: Place, rules: Sequence[ConvertModifiers], *, is_array: bool) -> None:
        self._work = work
        self._place = place
        self._rules = rules
        self._is_array = is_array

    def __call__(self, root: Any, path: TreePath) -> Any:
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
                self._work.change(self._place, rule, before, after)
                holder = with_arguments(holder, new)
            for text in done.notes:
                self._work.note(self._place, text, rule)
        return replaced(root, path, holder)
