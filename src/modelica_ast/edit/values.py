"""Python values and names as green trees. Text is parsed only where somebody asked for an expression."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from modelica_ast.edit.lists import item_places, remove_bracketed, with_item
from modelica_ast.edit.surgery import prefix_of
from modelica_ast.foundation import EditError, ModelicaSyntaxError, Source, quoted, split_name
from modelica_ast.syntax import (
    ILLEGAL,
    NUMBER,
    Green,
    Node,
    child_at,
    children_of,
    equal,
    lex,
    make_node,
    read,
    render,
    symbol,
    with_prefix,
)
from modelica_ast.tree import (
    Constructor,
    Expression,
    Fragment,
    LiteralError,
    Reference,
    View,
    child_view,
    evaluate,
    indentation_of,
    literal,
    relined,
    styled,
    view_of_fragment,
)

if TYPE_CHECKING:
    # What a verb takes as a value; a text is a string, not an expression.
    Given = bool | int | float | str | Reference | Constructor | Expression | None | Sequence["Given"]
else:  # what a patch may hold is read from the hints of its verbs: any value
    Given = Any


_NUMBER: Final = re.compile(r"\d{1,15}(\.\d*)?")
DEPTH: Final = 3  # a list of points of numbers; what nests deeper is replaced as a whole


def value_green(value: Given, near: tuple[Green, ...] = (), start: str = "") -> Green:
    """A number, boolean, string, list, Reference or Expression as a green expression without blanks before it.

    It is written like what is `near`, but for an Expression, which has an author; `start` is how the line starts that
    it goes into, as its lines do then.
    """
    if isinstance(value, Expression):
        return relined(with_prefix(value.green, ""), indentation_of(value), start)
    if isinstance(value, list | tuple) and _has_expression(value):
        parts: list[Green] = []
        for item in value:
            parts += [","] * bool(parts) + [value_green(item, near, start)]
        return styled(make_node("array", "{", *parts, "}"), *near)
    # Lines of a constructor have their indentation already.
    return relined(styled(with_prefix(literal(value).green, ""), *near), start.lstrip("\r\n"), start)


def _has_expression(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_expression, value))
    return isinstance(value, Expression)


def expression_green(value: Given, start: str = "") -> Green:
    """Like `value_green`, for places that only an expression can take: there a text is one."""
    if not isinstance(value, str):
        return value_green(value, (), start)
    return relined(parsed(value, "expression", "an expression"), "", start)


def same_value(old: Green, new: Green) -> bool:
    """`1.0e-3` and 0.001 are the same value, whatever ends the lines of a text: the author's text stays."""
    old, new = (relined(with_prefix(green, ""), "", "\n") for green in (old, new))
    if equal(old, new):
        return True
    if isinstance(old, str) and isinstance(new, str) and _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
        return float(old) == float(new) and old.isdigit() == new.isdigit()  # PERF: long arrays are of numbers
    try:
        values = [evaluate(view_of_fragment(green, "expression")) for green in (old, new)]
    except LiteralError:
        return False
    # 1 and 1.0 differ in Modelica: an Integer and a Real.
    return bool(values[0] == values[1]) and isinstance(values[0], float) == isinstance(values[1], float)


def with_content(
    old: Green, new: Green, same: Callable[[Green, Green], bool] = same_value, depth: int = DEPTH
) -> Green:
    """The old value with the new one's content, in the old one's layout; the same tree where they are equal.

    Only the numbers and items that differ are rewritten: the points of a line may be broken over lines and have
    comments between them.
    """
    if same(old, new):
        return old
    if depth and isinstance(old, tuple) and isinstance(new, tuple) and symbol(old) == symbol(new) == "array":
        before, after = (item_places(array) for array in (old, new))
        if before and after and "\n" not in render(new):
            return _merged_lists(old, [child_at(new, index) for index in after], same, depth - 1)
    return with_prefix(new, prefix_of(old))


def _merged_lists(node: Node, after: list[Green], same: Callable[[Green, Green], bool], depth: int) -> Node:
    """Equal items at both ends stay; those between are paired, and what is left over is put in or taken out."""
    places, children = item_places(node), list(children_of(node))
    before = [child_at(node, index) for index in places]
    tail = 0
    while len(before) != len(after) and tail < min(len(before), len(after)) and same(before[~tail], after[~tail]):
        tail += 1
    paired = min(len(before), len(after)) - tail
    for place in range(paired):
        children[places[place] - 1] = with_content(before[place], after[place], same, depth)
    more, fewer = after[paired : len(after) - tail], len(before) - tail - paired
    if fewer > 1:  # PERF: all but one at once, and that in place of the first
        last = places[paired + fewer - 1] - 1
        children[last] = with_prefix(children[last], prefix_of(before[paired]))
        del children[places[paired] - 1 : last]
    node = make_node("array", *children)
    if fewer:
        return remove_bracketed(node, paired)
    if more:
        node = with_item(node, with_prefix(more[0], ""), paired)
        place = item_places(node)[paired]
        is_end = paired == len(before)
        comma = child_at(node, place - 1 if is_end else place + 1)
        blanks = prefix_of(child_at(node, place if is_end else place + 2))
        rest = [part for item in more[1:] for part in (comma, with_prefix(item, blanks))]
        node = make_node("array", *children_of(node, 1, place + 1), *rest, *children_of(node, place + 1))
    return node


def parsed(text: str, start: str, what: str) -> Green:
    """A piece of Modelica that the caller wrote: a type's name, a reference."""
    try:
        whole = read(Source(text), start=start).green
    except ModelicaSyntaxError as error:
        raise EditError(f"'{text}' is not {what}: {error.message}") from None
    return with_prefix(child_at(whole, 1), "")


def parsed_node(text: str, start: str, what: str) -> Node:
    """The same for what is never one token."""
    found = parsed(text, start, what)
    assert isinstance(found, tuple)
    return found


def written(text: str, start: str, what: str) -> View:
    """An equation, a statement or a class as the caller wrote it, with or without its semicolon; comments are kept.

    A text that starts without indentation is taken from where its `end` is.
    """
    *leaves, (tail, _) = lex(text, lazy=False)
    body = "".join(leaf for leaf, _ in leaves)
    whole = body + (";" if not body.endswith(";") else "") + tail
    last = body.rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip(" \t"))] if last.split()[:1] == ["end"] else ""
    try:
        found = read(Source(f"\n{'' if whole[:1].isspace() else indent}{whole}\n"), start=start).green
    except ModelicaSyntaxError as error:
        raise EditError(f"'{whole}' is not {what}: {error.message}") from None
    return child_view(Fragment.over(found), found, 1)


@lru_cache(maxsize=4096)  # PERF: a verb asks several times
def identifier(name: str) -> str:
    """A name as an identifier: as it is, or quoted if it is not one; a keyword is refused."""
    if not name or any(each in "\0\n\r" or "\ud800" <= each <= "\udfff" for each in name):
        raise EditError(f"{name!a} can't be a name: it is empty, or it does not fit into one line of text")
    (leaf, kind), *more = lex(name, lazy=False)
    is_one = len(more) == 1 and not more[0][0]  # it and the end of the text
    if is_one and kind == NUMBER["IDENT"] and leaf == name:
        return name
    if len(more) == 1 and kind not in (ILLEGAL, NUMBER["STRING"]) and name.isalpha():
        raise EditError(f"'{name}' is a keyword of Modelica")
    return quoted(name)


def names(path: str | tuple[str, ...]) -> tuple[str, ...]:
    """`a.b.c` in its parts; '' is the thing itself."""
    if isinstance(path, tuple):
        return path
    return tuple(split_name(path)) if path else ()
