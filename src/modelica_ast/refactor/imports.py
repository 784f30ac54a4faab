"""Import clauses that bring the same names for classes with other names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from modelica_ast.edit import (
    ExactEditor,
    Items,
    Path as TreePath,
    insert_after,
    item_places,
    node_at,
    prefix_of,
    replaced,
)
from modelica_ast.foundation import split_name
from modelica_ast.library import Libraries, LibraryError, Tally, Uses, target_of
from modelica_ast.syntax import (
    KINDS,
    Green,
    Node,
    Prefix,
    child,
    child_at,
    children_of,
    ends_line,
    make_node,
    split_leaf,
    token_text,
    with_prefix,
)

FullName = tuple[str, ...]


def is_renaming(clause: Node) -> bool:
    """`import A = B.C`: its name is a full name like any other."""
    return child(clause, "name") is not None


def imported(clause: Any) -> FullName:
    """The dotted name after `import`, without what is in braces."""
    return tuple(token_text(clause[place]) for place in _identifiers(clause))


def _identifiers(clause: Any) -> list[int]:
    """Where the identifiers of the dotted name are: every second place after the keyword."""
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


# ---------------------------------------------------------------- unlisting
# A class out of the lists of imports, `import A.{B, C}`: what has its own import can follow the class alone.

_LISTS = ("import_list", "import_alias")


def take_out_of_lists(libraries: Libraries, name: str, tally: Tally) -> None:
    """Give a class an import of its own wherever a list names it; inside a transaction."""
    own = split_name(name)[-1]
    # PERF: few libraries have such lists at all, and what the name stands for everywhere takes long to find out.
    in_braces = re.compile(rf"\bimport\b[^;]*\{{[^}}]*(?<![A-Za-z0-9_]){re.escape(own)}(?![A-Za-z0-9_])")
    if not any(in_braces.search(libraries.text_of(entry)) for _, entry in libraries.files()):
        return
    target = target_of(libraries, name)
    uses = Uses(libraries, [own], tally)
    roots = uses.roots()
    for file, places in uses.meanings(roots).items():
        root = roots[file]
        found = {
            _clause_around(root, path)
            for path, meant in places.items()
            if meant == target and KINDS[node_at(root, path[:-1])[0]] in _LISTS
        }
        if found:
            if libraries.library_of(uses.entry(file).full_name).read_only:
                raise LibraryError(f"'{name}' is used in a read-only library: {file}")
            # No annotation is around an import, so the paths are those of the document too.
            libraries.document_at(file).edit(_unlisted, sorted(found, reverse=True), own)


def _clause_around(root: Any, path: TreePath) -> TreePath:
    depths = range(len(path) - 1, 0, -1)
    return path[: next(depth for depth in depths if KINDS[node_at(root, path[:depth])[0]] == "import_clause")]


def _unlisted(edit: ExactEditor, clauses: list[TreePath], own: str) -> None:
    root: Any = edit.tree.green
    for path in clauses:  # from the back, so that the paths before stay right
        clause = node_at(root, path)
        package, items = imported(clause), listed(clause)
        added = [new_import(name, (*package, there)) for name, there in items if there == own]
        rest = with_list(clause, package, [None if there == own else (name, there) for name, there in items])
        if rest is None:  # the import of the class takes the place of the list, before its description
            brace = next(i for i, part in enumerate(clause) if type(part) is str and token_text(part) == "}")
            own_parts = children_of(added.pop(0), 2)
            rest = make_node("import_clause", child_at(clause, 1), *own_parts, *children_of(clause, brace + 1))
        line_start = Prefix.of(prefix_of(node_at(root, path[:-1]))).line_start
        for new in reversed(added):
            root = insert_after(root, path[:-1], make_node("element", new, ";"), line_start)
        root = replaced(root, path, rest)
    edit.take(root)
