"""Import clauses that bring the same names for classes with other names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelica_ast.edit.lists import Items, item_places
from modelica_ast.edit.surgery import prefix_of, replaced, with_prefix
from modelica_ast.green import Green, Node
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.shape import child, make_node
from modelica_ast.trivia import Prefix, ends_line

FullName = tuple[str, ...]


def is_renaming(clause: Node) -> bool:
    """`import A = B.C`: its name is a full name like any other."""
    return child(clause, "name") is not None


def imported(clause: Any) -> FullName:
    """The dotted name behind `import`, without what stands in braces."""
    return tuple(token_text(clause[place]) for place in _identifiers(clause))


def _identifiers(clause: Any) -> list[int]:
    """Where the identifiers of the dotted name stand: every second place behind the keyword."""
    found = [2]
    while type(clause[found[-1] + 1] if found[-1] + 1 < len(clause) else ()) is str:
        at = found[-1] + 2
        is_dot = token_text(clause[at - 1]) == "."
        if not is_dot or at >= len(clause) or type(clause[at]) is not str or token_text(clause[at]) in ("*", "{"):
            break
        found.append(at)
    return found


def with_imported(clause: Any, new: FullName, *, keeps_name: bool) -> Node:
    """The clause with another dotted name; `keeps_name` makes `import Old = A.New` of it if the last part differs."""
    places = _identifiers(clause)
    rest = clause[places[-1] + 1 :]
    prefix, last = split_leaf(clause[places[-1]])
    first = prefix_of(clause[2])
    dotted = _dotted(new, first)
    if keeps_name and new[-1] != last:
        name = make_node("name", *_dotted(new, " ")) if len(new) > 1 else " " + new[0]
        return make_node("import_clause", clause[1], first + last, " =", name, *rest)
    if len(new) == len(places):
        dotted[-1] = prefix + new[-1]
    return make_node("import_clause", clause[1], *dotted, *rest)


def _dotted(name: FullName, prefix: str) -> list[Green]:
    leaves: list[Green] = []
    for part in name:
        leaves += [".", part] if leaves else [prefix + part]
    return leaves


def listed(clause: Any) -> list[tuple[str, str]]:
    """(name in this class, name there) for each item of `import A.{b, c = d}`."""
    found = child(clause, "import_list")
    assert found is not None
    items = [found[1][place] for place in item_places(found[1])]
    pairs = [(item[1], item[3]) if type(item) is tuple else (item, item) for item in items]
    return [(token_text(one), token_text(other)) for one, other in pairs]


def with_list(clause: Any, new: FullName, items: Sequence[tuple[str, str] | None]) -> Node | None:
    """The list import with another dotted name and other items, None for those that go; None if all of them go."""
    if not any(items):
        return None
    found = child(clause, "import_list")
    assert found is not None
    where, names = found
    for place, item in zip(item_places(names), items, strict=True):
        if item is not None:
            names = replaced(names, (place,), _item(*item, prefix_of(names[place])))
    there = Items(names, item_places(names), prefix_of(clause[where + 1]))
    children, end = there.arranged([number for number, item in enumerate(items) if item is not None])
    names = make_node("import_list", *children)
    if ends_line(end) and not Prefix.of(end).starts_line:
        end += there.line_start  # a comment to the end of the line must not swallow the brace
    closing = with_prefix(clause[where + 1], end)
    rest = [*clause[_identifiers(clause)[-1] + 1 : where], names, closing, *clause[where + 2 :]]
    return make_node("import_clause", clause[1], *_dotted(new, prefix_of(clause[2])), *rest)


def _item(name: str, there: str, prefix: str) -> Green:
    return prefix + name if name == there else make_node("import_alias", prefix + name, " =", " " + there)


def new_import(name: str, full: FullName) -> Node:
    """`import A.B`, or `import Name = A.B` if it has another name here."""
    if name == full[-1]:
        return make_node("import_clause", "import", *_dotted(full, " "))
    green = make_node("name", *_dotted(full, " ")) if len(full) > 1 else " " + full[0]
    return make_node("import_clause", "import", " " + name, " =", green)
