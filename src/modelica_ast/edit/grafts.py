"""Putting in: a tree with something replaced, or with a new neighbour, which looks like those beside it.

Each function gives the new tree and says how the children of one node have moved, for those who hold views.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from modelica_ast.edit import lists
from modelica_ast.edit.draft import as_read
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    first_leaf_path,
    insert_after,
    insert_before,
    next_leaf_path,
    node_at,
    node_of,
    prefix_at,
    prefix_of,
    remade,
    replaced,
)
from modelica_ast.foundation import EditError, Record, Source
from modelica_ast.syntax import (
    TEXTS,
    Green,
    Node,
    Owned,
    Prefix,
    child_at,
    children_of,
    ended_like,
    ends_line,
    find_production,
    first_leaf,
    is_blank,
    iter_leaves,
    open_annotation,
    separators_of,
    split_leaf,
    symbol,
    token_text,
    with_prefix,
)
from modelica_ast.tree import (
    Annotation,
    ClassAnnotation,
    ExternalClause,
    View,
    as_kind,
    gap,
    indentation_of,
    line_start_before,
    line_start_of,
    owned_line,
    relaid,
    relined,
    relined_blanks,
)

_LINE_ITEMS: Final = frozenset(
    {"element", "stored_class", "unparsed", "within_clause", "external_clause", "class_annotation"}
)
_CLOSING: Final = frozenset({"class_annotation", "external_clause"})
_BRANCHES: Final = ("elseif_", "else_", "elsewhen_")
_LINE_ENDINGS: Final = ("_section", "_equation", "_statement", "assignment")
# What holds a clause with its semicolon: a clause on its own is put in with one, and what has one can leave it behind.
_WITH_SEMICOLON: Final = ("element", "stored_class", "class_annotation", "call_equation", "call_statement")

_PLAIN: Final = re.compile(r"[A-Za-z_]\w*|\d(?:[\d.eE+-]*\d)?", re.ASCII)  # a name or a number that nothing runs into


class Shift(Record):
    """How an edit has moved the children of a node: where each of them is now, None for those that are gone."""

    parent: Path
    places: tuple[int | None, ...] = ()  # by old index, the first is the production's own; () if all are gone

    def moved(self, path: Path) -> Path | None:
        """Where something is now."""
        depth = len(self.parent)
        if len(path) <= depth or path[:depth] != self.parent:
            return path
        place = self.places[path[depth]] if self.places else None
        return None if place is None else (*self.parent, place, *path[depth + 1 :])


class Edited(Record):
    """A tree after an edit: what has to be read back, how things have moved, and where the new thing is."""

    root: Node
    shift: Shift
    new: Path | None = None
    following: Path | None = None  # of what is gone, if nothing but the blanks before that have changed
    is_sure: bool = False  # there is no need to read it back


def grafted(view: View, new: Green) -> Node:
    """The whole tree with another subtree in place of what a view shows; only the nodes on the way are new."""
    while view.parent is not None:
        around = view.parent
        node = around.node
        whole: Node = (*node[: view.index], new, *node[view.index + 1 :])
        new = whole if around.green is node else as_read(whole)
        view = around
    assert isinstance(new, tuple)
    return new


# ---------------------------------------------------------------- putting in


def put_in_place(root: Node, path: Path, view: View, new: View) -> Edited:
    """The tree with something else in place of what is at a path; EditError if it can't be there."""
    if not path:
        raise EditError("a whole file can't be replaced: edit what is in it")
    old, parent = at(root, path), node_at(root, path[:-1])
    names = [symbol(each) for each in parent[1:]]
    for green in _forms(new):
        form = _as(green, new, symbol(old))
        names[path[-1] - 1] = symbol(form)
        number = parent[0] if symbol(form) == symbol(old) else find_production(symbol(parent), tuple(names))
        if number is not None:
            start = _line_start(root, path)
            laid = _without_comments(relined(form, indentation_of(new), start), Owned.of(prefix_of(old), "").above)
            placed = with_prefix(laid, prefix_of(old)) if first_leaf(laid) and first_leaf(old) else laid
            children = [*children_of(parent, 1, path[-1]), placed, *children_of(parent, path[-1] + 1)]
            places: list[int | None] = list(range(len(parent)))
            places[path[-1]] = None
            done = replaced(root, path[:-1], (number, *children))
            if is_line(form) and is_inside(new, view):
                done = with_owned(done, path, owned_by(new))
            return Edited(done, Shift(path[:-1], tuple(places)), path, is_sure=_is_alike(old, placed))
    raise EditError(f"{named(new)} can't be in place of {shown(view)}")


def _is_alike(old: Green, new: Green) -> bool:
    """Is a token in place of another one that ends and starts like it? PERF: then it reads back, as that did."""
    if not isinstance(old, str) or not isinstance(new, str):
        return False
    shapes = [_PLAIN.fullmatch(token_text(each)) for each in (old, new)]
    return bool(shapes[0] and shapes[1]) and symbol(old) == symbol(new)


def _without_comments(green: Green, comments: tuple[str, ...]) -> Green:
    """The same without some comments above something inside it: where they were, they stay."""
    if not comments or isinstance(green, str):
        return green
    is_done = False

    def of_leaf(leaf: str) -> str:
        nonlocal is_done
        prefix, token = split_leaf(leaf)
        if is_done or Owned.of(prefix, "").above != comments:
            return leaf
        is_done = True
        found = Prefix.of(prefix)
        return found.head + found.kept + found.lines[-1] + token

    return relaid(green, of_leaf)


def changed_to(root: Node, path: Path, new: Green) -> Edited:
    """The tree with a node that has other children, as it is; what has stayed of them has moved."""
    old = node_at(root, path)
    now = {id(child): index for index, child in enumerate(new) if index and isinstance(child, tuple)}
    places = tuple(now.get(id(child)) if index else 0 for index, child in enumerate(old))
    return Edited(replaced(root, path, new), Shift(path, places), path)


def _forms(new: View) -> Iterator[Green]:
    """A thing as it is, with a semicolon after it, and without the one that it has."""
    green = new.node
    yield green
    for kind in _WITH_SEMICOLON:
        number = find_production(kind, (symbol(green), "SEMICOLON"))
        if number is not None:
            yield (number, green, ";")
    if type(green) is tuple and symbol(green) in _WITH_SEMICOLON and len(green) == 3:  # noqa: PLR2004
        inner = green[1]
        yield inner
        for kind in _WITH_SEMICOLON:
            number = find_production(kind, (symbol(inner), "SEMICOLON"))
            if number is not None and number != green[0]:
                yield (number, inner, green[2])


def _as(green: Green, new: View, wanted: str) -> Green:
    """A name as the kind of name that is there."""
    kinds = type(new).kinds
    is_other = type(green) is tuple and symbol(green) != wanted and symbol(green) in kinds and wanted in kinds
    return as_kind(green, kinds, wanted) if is_other else green


def put_beside(root: Node, path: Path, new: View, *, before: bool) -> Edited | None:
    """The tree with a new neighbour of what is at a path; None if the grammar has no place for it."""
    parent, index = node_at(root, path[:-1]), path[-1]
    kind = symbol(parent)
    names = [symbol(each) for each in parent[1:]]
    place = index - 1 if before else index
    for green in _forms(new):
        name = symbol(green)
        if find_production(kind, (*names[:place], name, *names[place:])) is not None:
            return _beside(root, path, green, new, before=before)
        for separator in separators_of(kind):
            between = (name, separator) if before else (separator, name)
            if find_production(kind, (*names[:place], *between, *names[place:])) is not None:
                return _in_list(root, path, green, new, separator, before=before)
    return None


def _beside(root: Node, path: Path, green: Green, new: View, *, before: bool) -> Edited:
    """Put a thing next to another one, nothing between them."""
    parent, index = node_at(root, path[:-1]), path[-1]
    kind = symbol(parent)
    place = index if before else index + 1
    places = tuple(each if each < place else each + 1 for each in range(len(parent)))
    shift, where = Shift(path[:-1], places), (*path[:-1], place)
    anchor = child_at(parent, index)
    if before and anchor == "" and not path[:-1]:  # the end of a file that has nothing in it yet
        laid = relined(green, indentation_of(new), "\n")
        number = find_production(kind, tuple(map(symbol, (*children_of(parent, 1, index), laid, anchor))))
        assert number is not None
        children: list[Green] = [*children_of(parent, 1, index), with_prefix(laid, ""), "\n"]
        return Edited((number, *children), shift, where)
    if is_line(green):
        is_alike = is_line(anchor) and _is_flat(anchor) == _is_flat(green)
        start = Prefix.of(prefix_of(anchor)).line_start if is_alike else _inner_start(root, path[:-1], green)
        if len(path) == 1 and not start:
            start = line_end(root)  # classes of a file are on lines of their own
            if not before:
                root = with_last_line_ended(root, path, start)
        return line_beside(root, path, relined(green, indentation_of(new), start), start, before=before, comments=new)
    laid = relined(green, indentation_of(new), _line_start(root, path))
    children = list(children_of(parent))
    if before:
        first = children[place - 1]
        children[place - 1] = with_prefix(first, gap(kind, green, first) or ("" if is_blank(prefix_of(first)) else " "))
        laid = with_prefix(laid, prefix_of(first))
    else:
        laid = with_prefix(laid, gap(kind, child_at(parent, index), laid))
    children.insert(place - 1, laid)
    number = find_production(kind, tuple(map(symbol, children)))
    assert number is not None
    return Edited(replaced(root, path[:-1], (number, *children)), shift, where)


def line_beside(
    root: Node, path: Path, green: Green, start: str, *, before: bool, comments: View | None = None
) -> Edited:
    """Put a thing on a line before or after that of another, with the comments of a view that it was taken from."""
    place = path[-1] if before else path[-1] + 1
    where = (*path[:-1], place)
    places = tuple(each if each < place else each + 1 for each in range(len(node_at(root, path[:-1]))))
    if not before and not start:  # the other one shares its line with something before it
        start = _line_start(root, path)
    done = insert_before(root, path, green, start) if before else insert_after(root, path, green, start)
    if comments is not None:
        done = with_owned(done, where, owned_by(comments))
    return Edited(done, Shift(path[:-1], places), where)


def lines_behind(parent: Node, index: int, new: Sequence[Green]) -> Edited:
    """A node with several children after one of them, with line starts like it."""
    start = Prefix.of(prefix_of(child_at(parent, index))).line_start or " "
    laid = [with_prefix(green, start) for green in new]
    children = [*children_of(parent, 1, index + 1), *laid, *children_of(parent, index + 1)]
    places = tuple(each if each <= index else each + len(laid) for each in range(len(parent)))
    return Edited(remade(parent, children), Shift((), places))


def _in_list(root: Node, path: Path, green: Green, new: View, separator: str, *, before: bool) -> Edited:
    """Put an item into a list."""
    items = lists.item_places(node_at(root, path[:-1]), separator, near=path[-1])
    number = items.index(path[-1]) + (not before)
    entries: list[int | lists.Item] = list(range(len(items)))
    entries.insert(number, item_of(root, path, green, new))
    return rearranged(root, path[:-1], items, entries, separator, new=number)


def item_of(root: Node, path: Path, green: Green, new: View) -> lists.Item:
    """Something new for the list around a path, with the comments that belong to it where it comes from."""
    laid = relined(green, indentation_of(new), _line_start(root, path))
    return lists.Item(laid, owned_by(new))


def rearranged(
    root: Node,
    parent: Path,
    items: list[int],
    entries: Sequence[int | lists.Item],
    separator: str,
    *,
    new: int | None = None,
    drops: bool = True,
) -> Edited:
    """The tree with the items of a list in another order, some of them gone or new; ValueError if it must not be so.

    The comment after the semicolon of a clause goes with its last item, unless what is about that is to stay.
    """
    node = node_at(root, parent)
    closing = next_leaf_path(root, (*parent, items[-1]))
    there = lists.Items(node, items, prefix_at(root, closing), TEXTS[separator])
    children, end = there.arranged(entries)
    is_gone = drops and there.starts_line(len(items) - 1) and len(items) - 1 not in entries
    root = _with_closing(root, closing, end, there.line_start, is_gone=is_gone)
    node = node_at(root, parent)
    whole = remade(node, [*children_of(node, 1, items[0]), *children, *children_of(node, items[-1] + 1)])
    done = replaced(root, parent, whole)
    places: list[int | None] = [*range(items[0]), *[None] * (items[-1] + 1 - items[0])]
    places += [index + len(whole) - len(node) for index in range(items[-1] + 1, len(node))]
    for place, entry in enumerate(entries):
        if isinstance(entry, int):
            places[items[entry]] = items[0] + 2 * place
        following = entries[place + 1] if place + 1 < len(entries) else None
        if isinstance(following, int):  # the comma between them is the one after the first, or before the second
            comma = entry if isinstance(entry, int) and entry < len(items) - 1 else following - 1
            if comma >= 0:
                places[items[comma] + 1] = items[0] + 2 * place + 1
    where = None if new is None else (*parent, items[0] + 2 * new)
    return Edited(done, Shift(parent, tuple(places)), where)


def _with_closing(root: Node, path: Path | None, prefix: str, line_start: str, *, is_gone: bool) -> Node:
    """The tree with another prefix of the token after a list; a comment must not swallow it.

    Where the last line of a clause `is_gone`, its semicolon and its comment don't stay behind.
    """
    behind = None if path is None else next_leaf_path(root, path)
    after, before = Prefix.of(prefix_at(root, behind)), Prefix.of(prefix)
    if path is not None and symbol(at(root, path)) == "SEMICOLON" and after.starts_line and is_blank(before.below):
        is_carried = ends_line(prefix) and not before.starts_line and is_blank(after.head)
        if is_gone or is_carried:
            root = change_prefix(root, behind, lambda _: before.head.rstrip() + after.below)
            return change_prefix(root, path, lambda _: "")
    is_open = ends_line(prefix) and not before.starts_line
    return change_prefix(root, path, lambda _: prefix + line_start if is_open else prefix)


def owned_by(view: View) -> Owned:
    """The comments that belong to what a view shows, where it is; none of what stands alone."""
    if view.parent is None:
        return Owned()
    root, parent = view.root.node, view.parent
    assert isinstance(root, tuple)
    root, _ = opened(root, view.path)
    around = node_at(root, parent.path)
    for separator in separators_of(symbol(around)):
        if separator in {symbol(each) for each in children_of(around)}:
            items = lists.item_places(around, separator)
            if view.index in items:
                closing, number = next_leaf_path(root, (*parent.path, items[-1])), items.index(view.index)
                there = lists.Items(around, items, prefix_at(root, closing))
                found = there.owned(number)
                if closing is None or symbol(at(root, closing)) != "SEMICOLON" or found.behind:
                    return found
                is_last = number == len(items) - 1 and there.starts_line(number)
                after = Prefix.of(prefix_at(root, next_leaf_path(root, closing)) if is_last else "")
                return Owned(found.above, found.before, after.head.strip() if after.starts_line else "")
    if not is_line(view.green):
        return Owned()
    return _relined(owned_line(view), indentation_of(view), "\n")


def _relined(owned: Owned, base: str, start: str) -> Owned:
    """Comments with lines that start like this where they started with `base`."""
    above = (relined_blanks(each, base, start) for each in owned.above)
    return Owned(tuple(above), relined_blanks(owned.before, base, start), owned.behind)


def line_alone(root: Node, path: Path, green: Green, start: str, comments: View | None = None) -> Edited:
    """Put a thing as it is into an empty body; `start` is how its line starts, '' if all is on one line."""
    following = next_leaf_path(root, (*path, 0))
    old = "" if following is None else prefix_of(at(root, following))
    prefix = Prefix.of(old)
    is_line = prefix.starts_line and bool(start)
    root = change_prefix(root, following, lambda _: prefix.below if is_line else old or " ")
    number = find_production(symbol(node_at(root, path)), (symbol(green),))
    assert number is not None
    own = prefix.head + ended_like(start, prefix.below) if is_line else " " if path else ""
    node = (number, with_prefix(green, own))
    done = replaced(root, path, node)
    if comments is not None:
        done = with_owned(done, (*path, 1), owned_by(comments))
    return Edited(done, Shift(path, (0,)), (*path, 1))


def put_alone(root: Node, path: Path, new: View) -> Edited | None:
    """Put a thing into a node that has no children: an empty body, an empty file."""
    node = node_at(root, path)
    if len(node) > 1:
        return None
    for green in _forms(new):
        number = find_production(symbol(node), (symbol(green),))
        if number is None:
            continue
        following = next_leaf_path(root, (*path, 0))
        is_line = following is not None and Prefix.of(prefix_of(at(root, following))).starts_line
        start = _inner_start(root, path, green) if is_line else ""
        return line_alone(root, path, relined(green, indentation_of(new), start), start, new)
    return None


def ends_of(node: Node, new: View) -> list[int]:
    """The children after which a new one may go, the last first: those that end a stretch of equal ones."""
    stop = len(node)
    if symbol(node) == "composition" and not isinstance(new, ClassAnnotation | ExternalClause | Annotation):
        stop = end_of_sections(node)  # nothing else follows them
    return [
        i for i in range(stop - 1, 0, -1) if i == stop - 1 or symbol(child_at(node, i)) != symbol(child_at(node, i + 1))
    ]


def end_of_sections(composition: Node) -> int:
    """The index after the last section of a body: before its annotation and `external`."""
    stop = len(composition)
    while stop > 1 and _closes(child_at(composition, stop - 1)):
        stop -= 1
    return stop


def _closes(section: Green) -> bool:
    """Does nothing but the end of the class follow it? In old files equations go on after an annotation."""
    is_resumed = symbol(section) == "class_annotation" and len(section) > 3  # noqa: PLR2004
    return symbol(section) in _CLOSING and not is_resumed


def rules_what_follows(body: Node, index: int) -> bool:
    """Is it `public` or `protected`, and do declarations after a class annotation go on in it?"""
    if symbol(child_at(body, index)) not in ("public_section", "protected_section"):
        return False
    following: Green = child_at(body, index + 1) if index + 1 < len(body) else ""
    if isinstance(following, str) or symbol(following) != "class_annotation":
        return False
    return symbol(child_at(following, len(following) - 1)) in ("element", "unparsed")


def is_line(green: Green) -> bool:
    """Is it on a line of its own?"""
    name = symbol(green)
    return type(green) is tuple and (name in _LINE_ITEMS or name.endswith(_LINE_ENDINGS))


def with_last_line_ended(root: Node, path: Path, end: str) -> Node:
    """The tree with a line end after what is at a path."""
    following = next_leaf_path(root, path)
    done: Node = change_prefix(
        root, following, lambda old: old if Prefix.of(old).starts_line else old.rstrip(" \t") + end
    )
    return done


def line_end(root: Node) -> str:
    """The first line end of a tree."""
    leaf = next((leaf for leaf in iter_leaves(root) if "\n" in leaf), "")
    return "\r\n" if "\r\n" in leaf else "\n"


def _is_flat(green: Green) -> bool:
    """Does it start as far left as what is around it?"""
    name = symbol(green)
    return name.endswith("_section") or name.startswith(_BRANCHES) or name in ("stored_class", "within_clause")


def _line_start(root: Node, path: Path) -> str:
    """Line end and indentation of the line in which something starts; '' in the first one."""
    found = Prefix.of(prefix_of(at(root, path))).line_start
    steps = ((node_at(root, path[:depth]), path[depth]) for depth in range(len(path) - 1, -1, -1))
    return found or line_start_before(steps)


def start_for(view: View) -> str:
    """How lines start in what a view shows: as its own does; in the first line of a file, a line end."""
    return line_start_of(view) or line_end(node_of(view.root))


def _inner_start(root: Node, path: Path, green: Green) -> str:
    """How a first line inside of something starts: further in than that, unless it is a section."""
    around = _line_start(root, path)
    following = next_leaf_path(root, path)
    if not around and following is not None:  # the first class of a file
        end = Prefix.of(prefix_of(at(root, following))).line_start
        around = end if symbol(node_at(root, path)) == "composition" else around
    node = node_at(root, path)
    if symbol(node) == "composition":
        around = Prefix.of(prefix_of(at(root, (*path[:-1], path[-1] + 1)))).line_start
    if not around:
        return ""
    return around if _is_flat(green) else around + ("\t" if around.endswith("\t") else "  ")


def with_owned(root: Node, path: Path, owned: Owned) -> Node:
    """The tree with the comments of something that was taken from elsewhere."""
    if not owned:
        return root
    prefix, following = Prefix.of(prefix_of(at(root, path))), next_leaf_path(root, path)
    after = Prefix.of(prefix_at(root, following))
    start = prefix.line_start
    if owned.behind and after.starts_line and is_blank(after.head):
        root = change_prefix(root, following, lambda _: f" {owned.behind}{after.below}")
    elif owned.behind:  # there is no line end for it
        owned = Owned((*owned.above, owned.behind), owned.before)
    if not start and ends_line(" ".join(owned.above)):
        start = _line_start(root, path) or line_end(root)
    lines = _relined(owned, "", start).prefix(start)
    head = "" if start and not prefix.starts_line and is_blank(prefix.head) else prefix.head
    new = head + prefix.kept + lines if start else head + owned.prefix("")
    return change_prefix(root, (*path, *(first_leaf_path(at(root, path)) or ())), lambda _: new)


def only_prefixes(root: Node, path: Path) -> Edited:
    """A tree in which nothing has moved."""
    around = path[:-1]
    return Edited(root, Shift(around, tuple(range(len(node_at(root, around))))), path)


def is_inside(new: View, old: View) -> bool:
    """Does a view show something inside of what another one shows?"""
    return new.root.green is old.root.green and new.path[: len(old.path)] == old.path and new.path != old.path


def comment_taken_off(root: Node, path: Path) -> tuple[Node, str]:
    """The tree without the comment at the end of the line of something, and the comment."""
    following = next_leaf_path(root, path)
    prefix = Prefix.of("" if following is None else prefix_of(at(root, following)))
    if is_blank(prefix.head) or not prefix.starts_line:
        return root, ""
    return change_prefix(root, following, lambda _: prefix.below), prefix.head


def with_comment_at_end(root: Node, path: Path, comment: str) -> Node:
    """The tree with a comment at the end of the line of something, after one that is there."""
    return change_prefix(
        root, next_leaf_path(root, path), lambda old: Prefix.of(old).head + comment + Prefix.of(old).below
    )


# ---------------------------------------------------------------- annotations that are unread


def opened(root: Node, path: Path) -> tuple[Node, Path | None]:
    """The tree with the annotation opened that a path leads into, and where it is."""
    node: Green = root
    for depth, index in enumerate(path):
        if isinstance(node, str):
            whole = path[:depth]
            done: Node = replaced(root, whole, open_annotation(node, partial(_by_itself, node)))
            return done, whole
        if index >= len(node):
            return root, None
        node = child_at(node, index)
    return root, None


def with_closed(root: Node, new: Path) -> Node:
    """The tree with the annotations closed that something new has brought."""
    found: list[Path] = []
    todo: list[tuple[Path, Green]] = [(new, at(root, new))]
    while todo:
        path, green = todo.pop()
        if isinstance(green, tuple):
            if symbol(green) == "annotation_clause":
                found.append(path)
            else:
                todo += [((*path, index), part) for index, part in enumerate(children_of(green), 1)]
    for path in found:
        root = replaced(root, path, as_read(node_at(root, path)))
    return root


def _by_itself(text: str) -> tuple[Source, int]:
    return Source(text), 0


def closed(root: Node, annotation: Path) -> Node:
    """The tree with an annotation closed that an edit around it has left as it was."""
    node: Green = root
    for index in annotation:
        if isinstance(node, str) or index >= len(node):
            return root  # it is gone
        node = child_at(node, index)
    if type(node) is tuple and symbol(node) == "annotation_clause":
        done: Node = replaced(root, annotation, as_read(node))
        return done
    return root


# ---------------------------------------------------------------- words


def named(view: View) -> str:
    """What kind of thing a view is, for messages."""
    name = type(view).__name__
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"


def shown(view: View) -> str:
    """What a view shows, for messages."""
    return f"{named(view)} '{' '.join(view.text.split())[:60]}'"
