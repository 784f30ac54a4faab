"""Modifiers replaced by other modifiers, in an argument list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from modelica_ast.edit import (
    Path,
    argument_name,
    get_value,
    grafted,
    item_places,
    leaf_paths,
    node_at,
    parsed,
    prefix_of,
    remove_bracketed,
    replaced,
    with_child,
    with_item,
    with_value,
    without,
)
from modelica_ast.refactor.conversion.rules import OLD_VALUE, ConvertModifiers, OldModifier
from modelica_ast.semantics import FullName
from modelica_ast.syntax import (
    KINDS,
    Green,
    Node,
    child,
    child_at,
    children_of,
    make_node,
    symbol,
    token_text,
    tokens,
    with_prefix,
)
from modelica_ast.tree import Arguments, modifier_style

# ---------------------------------------------------------------- simplifying
# Obvious simplifications of an expression that a rule has put together: factors 0 and 1, decided conditions.

_ZERO: Final = frozenset({"0", "0.0"})
_ONE: Final = frozenset({"1", "1.0"})
_PRIMARY: Final = frozenset(
    "IDENT UNSIGNED_NUMBER STRING TRUE FALSE component_reference function_call array matrix parenthesized".split()
)


def is_primary(green: Green) -> bool:
    """Can it be beside any operator without parentheses?"""
    return symbol(green) in _PRIMARY


def simplified(expression: Any) -> Any:
    """The expression with everything reduced that can be."""
    while True:
        for path, node in _nodes(expression):
            new = _reduced(node)
            if new is not None:
                expression = replaced(expression, path, with_prefix(new, prefix_of(node)))
                break
        else:
            return _without_parentheses(expression)


def _without_parentheses(expression: Any) -> Any:
    """The inside of `(a + b)`, for a place where it stands alone."""
    if type(expression) is tuple and KINDS[expression[0]] == "parenthesized" and len(expression) == 4:  # noqa: PLR2004
        inner = expression[2][1:]
        if len(inner) == 1:
            return with_prefix(inner[0], prefix_of(expression))
    return expression


def _nodes(root: Any) -> list[tuple[Path, Any]]:
    """All nodes, the inner ones first."""
    found: list[tuple[Path, Any]] = []
    todo: list[tuple[Path, Any]] = [((), root)]
    while todo:
        path, node = todo.pop()
        if type(node) is tuple:
            found.append((path, node))
            todo += [((*path, index), node[index]) for index in range(1, len(node))]
    return found[::-1]


def _reduced(node: Any) -> Green | None:
    """A simpler form of one node, or None."""
    match KINDS[node[0]]:
        case "binary":
            return _reduced_binary(node[1], tokens(node[2])[0], node[3])
        case "unary":
            return _opposite(node[2]) if tokens(node[1]) == ["not"] else None
        case "if_expression":
            return _decided(node)
        case "parenthesized":
            inner = _without_parentheses(node)
            return inner if inner is not node and is_primary(inner) else None
    return None


def _reduced_binary(left: Green, operator: str, right: Green) -> Green | None:
    one, other = _text(left), _text(right)
    found: Green | None = None
    if operator == "*":
        if one in _ZERO or other in _ZERO:
            found = "0"
        elif one in _ONE or other in _ONE:
            found = right if one in _ONE else left
    elif operator in ("+", "-") and other in _ZERO:
        found = left
    elif operator == "+" and one in _ZERO:
        found = right
    elif operator in ("==", "<>"):
        equal = _are_equal(left, right)
        found = None if equal is None else _boolean(value=equal == (operator == "=="))
    elif operator in ("and", "or"):
        deciding, neutral = ("false", "true") if operator == "and" else ("true", "false")
        if deciding in (one, other):
            found = deciding
        elif neutral in (one, other):
            found = right if one == neutral else left
    return found


def _are_equal(left: Green, right: Green) -> bool | None:
    """Are two literals equal? None if that is not certain."""
    one, other = symbol(left), symbol(right)
    if one == other == "component_reference":
        ours, theirs = tokens(left), tokens(right)
        # Two names in one package with a capital: literals of one enumeration.
        return ours == theirs if ours[:-1] == theirs[:-1] and ours[-3:-2] and ours[-3][:1].isupper() else None
    literals = {"UNSIGNED_NUMBER", "STRING", "TRUE", "FALSE"}
    if one not in literals or other not in literals:
        return None
    if one == other == "UNSIGNED_NUMBER":
        return float(_text(left)) == float(_text(right))
    return _text(left) == _text(right)


def _opposite(operand: Green) -> Green | None:
    return {"true": "false", "false": "true"}.get(_text(operand))


def _decided(node: Any) -> Green | None:
    """The branch that an `if` takes, where its first condition is known."""
    condition = _text(node[2])
    if condition == "true":
        return node[4]  # type: ignore[no-any-return]
    if condition != "false":
        return None
    following = node[5]
    if type(following) is str:  # `else`
        return node[-1]  # type: ignore[no-any-return]
    return make_node("if_expression", "if", *following[2:], *node[6:])


def _boolean(*, value: bool) -> Green:
    return "true" if value else "false"


def _text(green: Green) -> str:
    words = tokens(green)
    return words[0] if len(words) == 1 else ""


# ---------------------------------------------------------------- modifying

_PLACEHOLDER: Final = "conversion_of_"
# Kinds in which an expression stands alone, with no operator beside it.
_FREE: Final = frozenset({"modification", "named_argument", "function_call_args", "array", "expression_list"})


def empty_arguments() -> Node:
    """`()`."""
    return make_node("class_modification", "(", ")")


def arguments_of(holder: Node) -> Node | None:
    """The arguments in parentheses of a declaration, a modifier, an extends clause, a short class."""
    modification = child(holder, "modification")
    found = child(modification[1] if modification else holder, "class_modification")
    return found[1] if found else None


def with_arguments(holder: Node, arguments: Node | None) -> Node:
    """The same with other arguments; None leaves out the parentheses."""
    if KINDS[holder[0]] in ("extends_clause", "constraining_clause", "short_class_specifier"):
        return with_child(holder, "class_modification", arguments)
    old = child(holder, "modification")
    if old is None:
        return holder if arguments is None else with_child(holder, "modification", make_node("modification", arguments))
    rest = [part for part in old[1][1:] if not (type(part) is tuple and KINDS[part[0]] == "class_modification")]
    parts = rest if arguments is None else [arguments, *rest]
    return with_child(holder, "modification", make_node("modification", *parts) if parts else None)


def has_modifier(arguments: Node, path: FullName) -> bool:
    """Is there a modifier, or a redeclaration, of this name?"""
    if get_value(Arguments.of(arguments), path) is not None:
        return True
    return any(argument_name(child_at(arguments, index)) == path for index in item_places(arguments))


def applies(rule: ConvertModifiers, arguments: Node | None, *, is_direct: bool) -> bool:
    """Is there something for a rule to do? What it adds to all uses is added where the class itself is named."""
    if not rule.old or rule.depends_on_connections:
        return is_direct
    return arguments is not None and any(has_modifier(arguments, old.path) for old in rule.old)


class Replaced:
    """An argument list after a rule, and what a person should know about it."""

    def __init__(
        self, arguments: Node, rule: ConvertModifiers, near: tuple[Any, ...], *, is_array: bool = False
    ) -> None:
        self.arguments = arguments
        self.notes: list[str] = []
        self._rule = rule
        self._near = near
        self._is_array = is_array  # what is added to an array needs `each`
        self._apply()

    def _apply(self) -> None:
        rule = self._rule
        present = [old for old in rule.old if has_modifier(self.arguments, old.path)]
        values = self._values(present)
        if values is None:
            return
        lacking = [template for template in rule.new if self._lacks(template, values)]
        if lacking:
            self.notes.append(f"'{lacking[0]}' needs an old modifier that is not there")
            return
        new = [item for template in rule.new if (item := self._filled(template, values)) is not None]
        words = self._prefixes(present) if rule.old else ["each"] * self._is_array
        new = [_with_prefix_words(item, words) for item in new]
        places = self._places(present)
        if places is None or len(places) != len(present):
            for old in present:
                rest = without(Arguments.of(self.arguments), old.path)
                self.arguments = empty_arguments() if rest is None else rest
            places = []
        self._exchange(places, new)

    def _values(self, present: Sequence[OldModifier]) -> dict[str, Green] | None:
        """The old values by their names; None if one is needed that can't be had."""
        values: dict[str, Green] = {}
        text = " ".join(self._rule.new)
        for old in self._rule.old:
            name = ".".join(old.path)
            found = get_value(Arguments.of(self.arguments), old.path)
            value = None if found is None else found.green
            if value is None and old not in present and old.default:
                value = parsed(old.default, "expression", "a default value")
            if value is not None:
                values[name] = with_prefix(value, "")
            elif old in present and f"%{name}%" in text:
                self.notes.append(f"'{name}' has no value that could be converted")
                return None
        return values

    @staticmethod
    def _lacks(template: str, values: Mapping[str, Green]) -> bool:
        """Has a new modifier some of the old values, and not all?"""
        needed = set(OLD_VALUE.findall(template))
        return bool(needed & values.keys() and needed - values.keys())

    def _filled(self, template: str, values: Mapping[str, Green]) -> Node | None:
        """A new modifier with the old values in it; None if there are none for it."""
        if not values.keys() >= set(OLD_VALUE.findall(template)):
            return None
        names: list[str] = []

        def placeholder(match: re.Match[str]) -> str:
            names.append(match[1])
            return f"{_PLACEHOLDER}{len(names) - 1}"

        item: Any = parsed(OLD_VALUE.sub(placeholder, template), "_argument", "a modifier")
        for path, leaf in list(leaf_paths(item)):
            if token_text(leaf).startswith(_PLACEHOLDER):
                value = values[names[int(token_text(leaf).removeprefix(_PLACEHOLDER))]]
                if KINDS[node_at(item, path[:-1])[0]] not in _FREE and not is_primary(value):
                    value = make_node("parenthesized", "(", make_node("output_expression_list", value), ")")
                item = replaced(item, path, with_prefix(value, prefix_of(leaf)))
        if self._rule.simplify:
            modification = child(item, "modification")
            value_ = child(modification[1], "_modification_expression") if modification else None
            if modification is not None and value_ is not None:
                item = replaced(item, (modification[0], value_[0]), simplified(value_[1]))
        return self._styled(item)

    def _styled(self, item: Any) -> Node:
        """The `=` of `name=value` as the neighbours have it."""
        modification = child(item, "modification")
        if KINDS[item[0]] != "element_modification" or modification is None or len(modification[1]) != 3:  # noqa: PLR2004
            return item  # type: ignore[no-any-return]
        before, behind = modifier_style(self.arguments, *self._near)
        value = with_prefix(modification[1][2], behind)
        return replaced(item, (modification[0],), make_node("modification", before + "=", value))

    def _prefixes(self, present: Sequence[OldModifier]) -> list[str]:
        """`each` and `final`, where all old modifiers have them."""
        items = [child_at(self.arguments, place) for place in self._places(present) or []]
        known: tuple[str, ...] = ("each", "final")
        words = [[word for word in known if word in tokens(item)[:2]] for item in items]
        if any(each != words[0] for each in words):
            self.notes.append("only some of the old modifiers have 'each' or 'final'")
            return []
        return words[0] if words else []

    def _places(self, present: Sequence[OldModifier]) -> list[int] | None:
        """Where the old modifiers are; None if one of them is inside another argument."""
        found = []
        for old in present:
            places = [i for i in item_places(self.arguments) if argument_name(child_at(self.arguments, i)) == old.path]
            if len(places) != 1:
                return None
            found += places
        return sorted(found)

    def _exchange(self, places: list[int], new: list[Node]) -> None:
        """New modifiers in the places of old ones, the others after them; what is already there stays."""
        old_paths = {argument_name(child_at(self.arguments, place)) for place in places}
        fresh = []
        for item in new:
            name = argument_name(item)
            there = [argument_name(child_at(self.arguments, i)) for i in item_places(self.arguments)]
            if all(each in old_paths for each in there if each[:1] == name[:1]):
                fresh.append(item)
            else:
                self._merge(item)
        count = min(len(places), len(fresh))
        for place, item in zip(places, fresh, strict=False):
            own = with_prefix(item, prefix_of(child_at(self.arguments, place)))
            self.arguments = replaced(self.arguments, (place,), own)
        behind = item_places(self.arguments).index(places[count - 1]) + 1 if count else None
        for offset, item in enumerate(fresh[count:]):
            self.arguments = with_item(self.arguments, item, None if behind is None else behind + offset)
        for place in reversed(places[count:]):
            items = item_places(self.arguments)
            self.arguments = (
                remove_bracketed(self.arguments, items.index(place)) if len(items) > 1 else empty_arguments()
            )

    def _merge(self, item: Node) -> None:
        """A new modifier of something that is modified already: what is written goes before what a rule says."""
        for path, value in _values_in(item):
            arguments = Arguments.of(self.arguments)
            known = get_value(arguments, path)
            if known is None:
                self.arguments = grafted(*with_value(arguments, path, with_prefix(value, ""), self._near))
            elif self._rule.old and tokens(known.green) != tokens(value):
                self.notes.append(f"'{'.'.join(path)}' already has a value, which stays")


def _with_prefix_words(item: Node, words: Sequence[str]) -> Node:
    for word in reversed(words):
        if KINDS[item[0]] == "element_modification" and word not in tokens(item)[:2]:
            item = make_node("element_modification", word, with_prefix(child_at(item, 1), " "), *children_of(item, 2))
    return item


def _values_in(item: Node) -> list[tuple[FullName, Green]]:
    """(path, value) of everything that a modifier sets."""
    found: list[tuple[FullName, Green]] = []
    todo: list[tuple[FullName, Any]] = [((), item)]
    while todo:
        around, each = todo.pop()
        modification = child(each, "modification") if KINDS[each[0]] == "element_modification" else None
        if modification is None:
            continue
        path = (*around, *argument_name(each))
        value = child(modification[1], "_modification_expression")
        inner = child(modification[1], "class_modification")
        if value is not None:
            found.append((path, value[1]))
        if inner is not None:
            todo += [(path, inner[1][index]) for index in reversed(item_places(inner[1]))]
    return found
