"""Items with commas between them: arguments, declarations of one clause, enumeration literals."""

from __future__ import annotations

from modelica_ast.edit.surgery import prefix_of, with_prefix
from modelica_ast.green import Green, Node, child_at, child_leaf, children_of, symbol
from modelica_ast.lexer import kind_of, split_leaf
from modelica_ast.shape import make_node
from modelica_ast.tables import NUMBER
from modelica_ast.trivia import Prefix, is_blank

_BRACKETS = frozenset({NUMBER["LPAR"], NUMBER["LBRACE"], NUMBER["RPAR"], NUMBER["RBRACE"]})


def _is(green: Green, terminals: frozenset[int]) -> bool:
    return isinstance(green, str) and kind_of(green) in terminals


def item_places(node: Node, separator: str = "COMMA", *, near: int | None = None) -> list[int]:
    """The indices of the items between the commas (and inside the brackets, if the node has them).

    Another separator is that of the rows of a matrix. `near` is an item, for lists that have one only.
    """
    commas = [i for i, part in enumerate(children_of(node), 1) if _is(part, frozenset({NUMBER[separator]}))]
    if commas:
        return [commas[0] - 1, *(i + 1 for i in commas)]
    if near is not None:
        return [near]
    inside = [i for i, part in enumerate(children_of(node), 1) if not _is(part, _BRACKETS)]
    # Without a comma there is one item at most: behind the opening bracket, or at the end of a clause.
    return inside[-1:]


def with_item(
    node: Node, item: Green, place: int | None = None, *, items: list[int] | None = None, separator: str = ","
) -> Node:
    """The node with one more item before the item number `place`, or at the end; laid out like the others.

    `items` are the indices of those that are there.
    """
    places = item_places(node) if items is None else items
    kind = symbol(node)
    if not places:
        return make_node(kind, *children_of(node, 1, -1), with_prefix(item, ""), child_at(node, -1))
    if place is not None and place < len(places):
        index = places[place]
        own, rest = _before(prefix_of(child_at(node, index)), _between(node, places))
        old = with_prefix(child_at(node, index), rest)
        before, behind = children_of(node, 1, index), children_of(node, index + 1)
        comma = _comma_start(node, places) + separator
        return make_node(kind, *before, with_prefix(item, own), comma, old, *behind)
    last = places[-1]
    comma, own, after = _around_new_last(node, places, separator)
    return make_node(kind, *children_of(node, 1, last + 1), comma, with_prefix(item, own), *after)


def _before(prefix: str, between: str) -> tuple[str, str]:
    """(prefix of a new item, prefix of the one that it stands before): comments about that one stay with it."""
    if is_blank(prefix):
        return prefix, between
    found = Prefix.of(prefix)
    if found.starts_line:
        return found.head + found.kept + found.line_start, found.owned
    return prefix[: len(prefix) - len(prefix.lstrip())], prefix if prefix[:1].isspace() else " " + prefix


def _around_new_last(node: Node, places: list[int], separator: str) -> tuple[str, str, list[Green]]:
    """(comma, prefix of a new last item, what stands behind it): a comment behind the old last item stays with it."""
    between = _between(node, places)
    behind: list[Green] = list(children_of(node, places[-1] + 1))
    closing = Prefix.of(prefix_of(behind[0])) if behind else Prefix("", ())
    start = _comma_start(node, places)
    if not behind or is_blank(closing.head):
        return start + separator, between, behind
    behind[0] = with_prefix(behind[0], closing.below)
    if start:
        return closing.head + start + separator, between, behind
    if closing.starts_line:  # a comment to the end of the line stands behind the comma
        return separator, closing.head + (Prefix.of(between).line_start or closing.line_start + "  "), behind
    return closing.head.rstrip() + separator, between, behind


def _comma_start(node: Node, places: list[int]) -> str:
    """How a comma starts its line, where the commas of the list do; else ''."""
    if len(places) == 1:
        return ""
    prefix = split_leaf(child_leaf(node, places[-1] - 1))[0]
    return Prefix.of(prefix).line_start if is_blank(prefix) else ""


def _between(node: Node, places: list[int]) -> str:
    """The blanks behind a comma: a new line where the others start new lines, else as behind the last comma."""
    last = Prefix.of(prefix_of(child_at(node, places[-1])))
    if last.starts_line:
        return last.line_start
    if len(places) > 1:
        return str(last) if is_blank(str(last)) else " "
    return " "


def without_item(node: Node, place: int, *, items: list[int] | None = None) -> tuple[list[Green], str]:
    """The children without an item and its comma, and a comment that the token behind the list must take."""
    places = item_places(node) if items is None else items
    index = places[place]
    gone = Prefix.of(prefix_of(child_at(node, index)))
    if len(places) == 1:
        return [*children_of(node, 1, index), *children_of(node, index + 1)], ""
    if place < len(places) - 1:
        following = places[place + 1]
        after = Prefix.of(prefix_of(child_at(node, following)))
        # The comments around its comma are about the removed item; one on the line before it is about its neighbour.
        head = "" if is_blank(gone.head) or not gone.starts_line else gone.head
        new = head + after.below if after.starts_line else _in_place_of(gone, str(after))
        rest = with_prefix(child_at(node, following), new)
        return [*children_of(node, 1, index), rest, *children_of(node, following + 1)], ""
    # The last one: the comma before it goes too, and a comment behind that comma is about what stays.
    carried = _comment_of(child_leaf(node, index - 1)) + ("" if is_blank(gone.head) else gone.head)
    if "//" in carried:
        carried += gone.line_start or "\n"
    return [*children_of(node, 1, index - 1), *children_of(node, index + 1)], carried


def _in_place_of(gone: Prefix, following: str) -> str:
    if is_blank(following):
        return str(gone) if is_blank(str(gone)) else (gone.head + gone.line_start if gone.starts_line else following)
    return following


def _comment_of(comma: str) -> str:
    prefix = split_leaf(comma)[0]
    return "" if is_blank(prefix) else prefix


def remove_bracketed(node: Node, place: int) -> Node:
    """The node without an item, for nodes that hold their closing bracket themselves."""
    children, carried = without_item(node, place)
    if carried:
        closing = Prefix.of(prefix_of(children[-1]))
        # A comment to the end of the line must not swallow the bracket.
        prefix = carried.rstrip() + closing.below if closing.starts_line else carried + str(closing)
        children[-1] = with_prefix(children[-1], prefix)
    return make_node(symbol(node), *children)
