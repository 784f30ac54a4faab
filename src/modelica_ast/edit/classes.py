"""Classes: add, remove, move, and what stands in their first line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from modelica_ast.edit.errors import EditError
from modelica_ast.edit.indenting import laid_out
from modelica_ast.edit.modifiers import with_child
from modelica_ast.edit.moving import move_element
from modelica_ast.edit.occurrences import Opened, occurrences, text_around
from modelica_ast.edit.placing import Place, line_starts, put_element, with_blank_line
from modelica_ast.edit.prefixes import ELEMENT_WORDS, checked, with_element_words
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    first_leaf_path,
    insert_after,
    insert_before,
    next_leaf_path,
    prefix_of,
    remove,
    replaced,
    with_prefix,
)
from modelica_ast.edit.values import identifier, parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node, child_at, child_leaf, child_node, children_of, tokens
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import token_text
from modelica_ast.semantics.definitions import Target
from modelica_ast.semantics.lone import lookup_in_root
from modelica_ast.shape import child, make_node
from modelica_ast.strings import quote
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix, is_blank

_USERS_SHOWN: Final = 3

# ---------------------------------------------------------------- adding


def add_class(  # noqa: PLR0913  (name, kind and place)
    work: Working,
    class_: str,
    name: str,
    *,
    kind: str = "model",
    description: str | None = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Add an empty class inside a class, or with an empty `class` to the file."""
    where = Place(before, after, place, section)
    written = identifier(name)
    outer = _line_start(work, class_)
    parts: list[Green] = [" " + written, *([] if description is None else [" " + quote(description)])]
    specifier = make_node(
        "long_class_specifier", *parts, make_node("composition"), (outer or " ") + "end", " " + written
    )
    definition = make_node("class_definition", _class_prefixes(kind.split(), is_partial=False), specifier)
    _put(work, class_, definition, where)


def insert_class(
    work: Working,
    class_: str,
    definition: str,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Add a class, given as Modelica, inside a class, or with an empty `class` to the file."""
    where = Place(before, after, place, section)
    text = definition if definition.rstrip().endswith(";") else definition.rstrip() + ";"
    element: Any = laid_out(text, "_element", "a class", _line_start(work, class_))
    inner = next(part for part in element[1:] if type(part) is tuple)
    if KINDS[inner[0]] != "class_definition":
        raise EditError(f"'{' '.join(text.split())[:60]}' is not a class")
    if len(element) == 3:  # noqa: PLR2004  (a class and its semicolon)
        _put(work, class_, inner, where)
    elif class_:
        _refuse_known(work, class_, inner)
        put_element(work, class_, element, where)
    else:
        raise EditError("a class of a file has no prefixes but 'encapsulated' and 'partial'")


def name_of(definition: str) -> str:
    """The name of a class that is given as Modelica."""
    element: Any = parsed(definition if definition.rstrip().endswith(";") else definition + ";", "_element", "a class")
    return _own_name(next(part for part in element[1:] if type(part) is tuple))


def _put(work: Working, class_: str, definition: Node, where: Place) -> None:
    _refuse_known(work, class_, definition)
    if class_:
        put_element(work, class_, make_node("element", definition, ";"), where)
    else:
        _put_in_file(work, make_node("stored_class", definition, ";"), where)


def _refuse_known(work: Working, class_: str, definition: Node) -> None:
    name = _own_name(definition)
    scope = work.index.scope(at(work.root, work.body_path(class_)) if class_ else work.root)
    if name in scope.classes or name in scope.components:
        raise EditError(f"'{name}' is declared in {repr(class_) if class_ else 'the file'} already")


def _line_start(work: Working, class_: str) -> str:
    """How the lines of a new class start."""
    if class_:
        return line_starts(work.root, work.body_path(class_))[1]
    return "\r\n" if any("\r\n" in prefix_of(part) for part in work.root[1:]) else "\n"


def _put_in_file(work: Working, stored: Node, where: Place) -> None:
    """Beside another class of the file, a blank line between them."""
    if where.section is not None:
        raise EditError("a file has no sections")
    found = _stored_classes(work)
    end = _line_start(work, "")
    if not found:
        _put_first_in_file(work, stored, end)
        return
    if where.neighbour is not None:
        beside = _stored(work, where.neighbour)
    else:
        beside = found[0] if where.place == "first" else found[-1]
    is_before = where.before is not None or (where.neighbour is None and where.place == "first")
    place = beside[-1] if is_before else beside[-1] + 1
    if is_before and not Prefix.of(prefix_of(at(work.root, beside))).starts_line:  # the first line of the file
        root = change_prefix(work.root, _first_leaf(work.root, beside), lambda old: end + old)
        root = make_node("stored_definition", *root[1:place], with_prefix(stored, ""), *root[place:])
    elif is_before:
        root = insert_before(work.root, beside, stored, end)
    else:
        root = insert_after(work.root, beside, stored, end)
    for index in (place, place + 1):
        if index > found[0][-1] and index < len(root) - 1:
            root = with_blank_line(root, (index,))
    work.changed(root, (place,))


def _first_leaf(root: Any, path: Path) -> Path:
    inner = first_leaf_path(at(root, path))
    assert inner is not None
    return (*path, *inner)


def _put_first_in_file(work: Working, stored: Node, end: str) -> None:
    """Behind `within`, or at the start; the tail of the file stays."""
    *before, tail = work.root[1:]
    start = end if before else ""
    work.changed(make_node("stored_definition", *before, with_prefix(stored, start), tail or end), (len(before) + 1,))


def _stored_classes(work: Working) -> list[Path]:
    return [(i,) for i, part in enumerate(work.root[1:], 1) if type(part) is tuple and KINDS[part[0]] == "stored_class"]


def _stored(work: Working, name: str) -> Path:
    return work.one(work.index.scope(work.root).classes, name, "class", "the file")[:1]


# ---------------------------------------------------------------- removing and moving


def remove_class(work: Working, class_: str) -> None:
    """Remove a class with its comments; refused while something else in the document uses it."""
    where = work.class_path(class_)
    holder = where[:-1]  # the element, or the stored class
    name = _own_name(at(work.root, where))
    opened = Opened(work.root, frozenset({name}))
    found = occurrences(lookup_in_root(work.root), opened.root, None, opened.places)
    users = [p for p, target in found.items() if target == Target(None, where) and p[: len(where)] != where]
    if users:
        shown = "; ".join(dict.fromkeys(text_around(opened.root, path) for path in users[:_USERS_SHOWN]))
        more = f" and {len(users) - _USERS_SHOWN} more" if len(users) > _USERS_SHOWN else ""
        raise EditError(f"'{class_}' is in use: {shown}{more}")
    _take_out(work, holder)


def _take_out(work: Working, holder: Path) -> None:
    """Remove an element, or a class of the file; the blank line that set off the last one goes with it."""
    gone = Prefix.of(prefix_of(at(work.root, holder)))
    following = next_leaf_path(work.root, holder)
    assert following is not None  # a class has its `end`, a file its tail
    after = Prefix.of(prefix_of(at(work.root, following)))
    parent = at(work.root, holder[:-1])
    later: Any = parent[holder[-1] + 1] if holder[-1] + 1 < len(parent) else ""
    is_last = type(later) is str or KINDS[later[0]] not in ("element", "stored_class")
    root = remove(work.root, holder)
    if is_last and gone.starts_line and after.starts_line and holder != (1,):
        kept = list(Prefix.of(gone.head + gone.kept).lines)
        while kept and is_blank(kept[-1]):
            kept.pop()
        behind = next_leaf_path(root, (*holder[:-1], holder[-1] - 1))
        root = change_prefix(root, behind, lambda _: gone.head + "".join(kept) + after.below)
    if holder == (1,):
        root = change_prefix(root, _first_leaf(root, holder), lambda old: old.lstrip("\r\n"))
    work.changed(root, holder[:-1])


def _stands_in_file(work: Working, holder: Path, target: Place) -> bool:
    """Is a class of the file where it should go already?"""
    found = _stored_classes(work)
    if target.neighbour is not None:
        step = 1 if target.before is not None else -1
        return _stored(work, target.neighbour) == (holder[0] + step,)
    return holder == (found[0] if target.place == "first" else found[-1])


def move_class(
    work: Working,
    class_: str,
    *,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
    section: str | None = None,
) -> None:
    """Move a class with its comments to another place among its siblings."""
    target = Place(before, after, place, section)
    where = work.class_path(class_)
    name = _own_name(at(work.root, where))
    if target.neighbour == name:
        raise EditError(f"'{name}' can't stand beside itself")
    holder = where[:-1]  # the element, or the stored class
    owner = ".".join(split_name(class_)[:-1])
    if KINDS[at(work.root, holder)[0]] == "element":
        move_element(work, owner, holder, target)
        return
    stored = at(work.root, holder)
    if _stands_in_file(work, holder, target):
        return
    _take_out(work, holder)
    _put_in_file(work, stored, target)


def _own_name(definition: Node) -> str:
    specifier = child_node(definition, -1)
    first = token_text(child_leaf(specifier, 1))
    return token_text(child_leaf(specifier, 2)) if first == "extends" else first


# ---------------------------------------------------------------- the first line


def set_class_kind(work: Working, class_: str, kind: str) -> None:
    """Make a class another kind of class: `model`, `block`, `operator record`, `expandable connector`, …"""
    where = work.class_path(class_)
    definition = at(work.root, where)
    place = len(definition) - 2
    old = definition[place]
    is_partial = token_text(old[1]) == "partial"
    new = _class_prefixes(kind.split(), is_partial=is_partial)
    if tokens(old) == tokens(new):
        return
    work.changed(replaced(work.root, (*where, place), with_prefix(new, prefix_of(old))), where)


def _class_prefixes(words: list[str], *, is_partial: bool) -> Node:
    parts = ["partial", *words] if is_partial else words
    try:
        return make_node("class_prefixes", *(word if i == 0 else " " + word for i, word in enumerate(parts)))
    except ValueError:
        raise EditError(f"'{' '.join(words)}' is no kind of class") from None


def get_class_prefixes(work: Working, class_: str) -> list[str]:
    """The words before a class: `encapsulated`, `partial`, `final`, `replaceable`, …"""
    where = work.class_path(class_)
    definition, holder = at(work.root, where), at(work.root, where[:-1])
    words = [token_text(part) for part in holder[1 : where[-1]]]
    words += [token_text(part) for part in definition[1:] if type(part) is str]
    return words + [word for word in tokens(definition[-2]) if word == "partial"]


def set_class_prefixes(work: Working, class_: str, prefixes: Sequence[str]) -> None:
    """Set all words before a class; its kind (`model`, `operator record`) is not among them."""
    where = work.class_path(class_)
    wanted = checked(prefixes, (*ELEMENT_WORDS, "encapsulated", "partial"))
    if sorted(get_class_prefixes(work, class_)) == sorted(wanted):
        return
    holder = at(work.root, where[:-1])
    definition = at(work.root, where)
    prefix = prefix_of(holder)
    kind = [word for word in tokens(definition[-2]) if word != "partial"]
    new: Any = make_node(
        "class_definition",
        *(["encapsulated"] if "encapsulated" in wanted else []),
        with_prefix(_class_prefixes(kind, is_partial="partial" in wanted), " " if "encapsulated" in wanted else ""),
        definition[-1],
    )
    outer = [word for word in wanted if word in ELEMENT_WORDS]
    bare = replaced(holder, where[-1:], new)
    if KINDS[holder[0]] == "element":
        changed = with_element_words(with_prefix(bare, prefix), outer)
    elif set(outer) <= {"final"}:
        parts: list[Green] = [*outer, with_prefix(new, " ") if outer else new]
        changed = with_prefix(make_node("stored_class", *parts, holder[-1]), prefix)
    else:
        raise EditError("a class of a file has no prefixes but 'final', 'encapsulated' and 'partial'")
    work.changed(replaced(work.root, where[:-1], changed), where[:-1])


def set_class_description(work: Working, class_: str, text: str | None) -> None:
    """Set or (None) remove the description of a class."""
    where = work.class_path(class_)
    definition = at(work.root, where)
    specifier = definition[-1]
    old = child(specifier, "description_string")
    new = None if text is None else (prefix_of(old[1]) if old else " ") + quote(text)
    changed = with_child(specifier, "description_string", new)
    work.changed(replaced(work.root, (*where, len(definition) - 1), changed), where)


# ---------------------------------------------------------------- within


def set_within(work: Working, within: str | None) -> None:
    """Say which package the file is in; '' is `within;`, None takes the clause out."""
    places = [i for i, part in enumerate(work.root[1:], 1) if type(part) is tuple and KINDS[part[0]] == "within_clause"]
    name = [] if not within else [with_prefix(parsed(within, "name", "a name"), " ")]
    new = make_node("within_clause", "within", *name, ";")
    if places and within is not None:
        old = child_at(work.root, places[0])
        if tokens(old) != tokens(new):
            work.changed(replaced(work.root, (places[0],), with_prefix(new, prefix_of(old))), ())
    elif places:
        _take_out(work, (places[0],))
    elif within is not None:
        end = _line_start(work, "")
        first = child_at(work.root, 1)
        start = 1 if isinstance(first, tuple) or not first.startswith("\ufeff") else 2
        if start == len(work.root) - 1:
            children: list[Green] = [*children_of(work.root, 1, start), new, child_at(work.root, start) or end]
            work.changed(make_node("stored_definition", *children), ())
            return
        following = _first_leaf(work.root, (start,))
        root = change_prefix(work.root, following, lambda old: old if old.startswith(("\n", "\r\n")) else end + old)
        work.changed(make_node("stored_definition", *root[1:start], new, *root[start:]), ())
