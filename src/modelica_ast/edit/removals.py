"""Taking out: a tree without something, and without what can't be without it; comments that belong to it go too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from modelica_ast.edit import lists
from modelica_ast.edit.grafts import Edited, Shift, is_line, rearranged, rules_what_follows, shown
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    next_leaf_path,
    node_at,
    prefix_at,
    prefix_of,
    remade,
    remove,
    replaced,
)
from modelica_ast.foundation import EditError
from modelica_ast.syntax import (
    TEXTS,
    Green,
    Node,
    Prefix,
    after_removal,
    child_at,
    children_of,
    comments_in,
    find_production,
    is_blank,
    leaves,
    make_node,
    separators_of,
    symbol,
    with_comments,
    with_prefix,
)
from modelica_ast.tree import View

_SECTIONS: Final = frozenset(f"{name}_section" for name in ("public", "protected", "equation", "algorithm"))
_ONLY_RESUMED: Final = 4  # its place in a class annotation: after the annotation, a semicolon and an empty token
_DESCRIPTIONS: Final = frozenset({"STRING", "description_string"})


Comments = Literal["drop", "keep"]  # what becomes of the comments that belong to what is taken out


def taken_out(root: Node, path: Path, view: View, comments: Comments = "drop", *, stays: bool = False) -> Edited:
    """The tree without what is at a path; EditError if nothing that is left could be without it.

    A section that it leaves empty goes too, unless it `stays`.
    """
    done = _without(root, path, view, comments, stays=stays)
    if comments == "drop":
        return done
    parent = done.shift.parent
    gone = [(*parent, index) for index, place in enumerate(done.shift.places or ()) if index and place is None]
    return Edited(with_comments_kept(root, done.root, gone, path), done.shift)


def with_comments_kept(old: Node, new: Node, gone: Sequence[Path], path: Path) -> Node:
    """A tree without some neighbours that another has, with the comments that went along.

    The comments inside of the thing itself, which is at `path`, are gone; beside it there are commas, words, brackets.
    """
    first = _leaf_number(old, gone[0])
    following = next_leaf_path(old, gone[-1])
    start = _leaf_number(old, path)
    inside = range(start + 1, start + len(leaves(at(old, path))))
    numbered = enumerate((leaf for each in gone for leaf in leaves(at(old, each))), first)
    texts = [prefix_of(leaf) for number, leaf in numbered if number not in inside]
    texts.append("" if following is None else prefix_of(at(old, following)))
    now = _leaf_path(new, first)
    stay = comments_in(prefix_of(at(new, now)))
    lost: list[tuple[str, str]] = []
    for text in texts:
        for comment in comments_in(text):
            if comment in stay:
                stay.remove(comment)
            else:
                lost.append((comment, Prefix.of(text).line_start))
    if not lost:
        return new
    holder = next(each for each in gone if path[: len(each)] == each)
    return change_prefix(new, now, lambda prefix: with_comments(prefix, lost, prefix_of(at(old, holder))))


def _leaf_number(root: Node, path: Path) -> int:
    """How many leaves come before what is at a path."""
    return sum(
        len(leaves(part))
        for depth, index in enumerate(path)
        for part in children_of(node_at(root, path[:depth]), 1, index)
    )


def _leaf_path(root: Node, number: int) -> Path:
    """Where the leaf of a number is, from 0."""
    path: Path = ()
    found: Green = root
    while isinstance(found, tuple):
        for index, part in enumerate(children_of(found), 1):
            size = len(leaves(part))
            if number < size:
                path, found = (*path, index), part
                break
            number -= size
    return path


def _without(root: Node, path: Path, view: View, comments: Comments, *, stays: bool) -> Edited:
    while path:
        found = _taken(root, path, comments, stays=stays) or _with_section_resumed(root, path)
        if found is not None:
            return found
        if not _is_all(node_at(root, path[:-1]), path[-1]):
            break
        path = path[:-1]
    raise EditError(f"{shown(view)} can't be removed: what is around it needs it")


def _taken(root: Node, path: Path, comments: Comments, *, stays: bool) -> Edited | None:
    parent, index = node_at(root, path[:-1]), path[-1]
    kind = symbol(parent)
    names = [symbol(each) for each in parent[1:]]
    near = {names[i - 1] for i in (index - 1, index + 1) if 1 <= i < len(parent)}
    for separator in separators_of(kind):
        if separator in near:
            items = lists.item_places(parent, separator, near=index)
            if index in items:
                return _taken_from_list(root, path, items, separator, comments)
    if rules_what_follows(parent, index):
        return None
    if kind == "class_annotation" and index == len(parent) - 1 == _ONLY_RESUMED:
        return _with_nothing_resumed(root, path)
    if find_production(kind, (*names[: index - 1], *names[index:])) is None:
        return _taken_with_word(root, path, names)
    if _keeps_nothing(parent, index):
        return None
    stands_alone = is_line(child_at(parent, index))
    if stands_alone:
        path = path if stays else holder_or_section(root, path, comments)
        parent, index = node_at(root, path[:-1]), path[-1]
    places = tuple(None if i == index else i - (i > index) for i in range(len(parent)))
    later = child_at(parent, index + 1) if index + 1 < len(parent) else None
    # The annotation of a class, and a comment below all, stay set off from what is in it.
    is_last = later is None or symbol(later) not in (symbol(child_at(parent, index)), "class_annotation")
    is_bare = is_blank(Prefix.of(prefix_at(root, next_leaf_path(root, path))).below)
    new_root = remove(root, path, is_last=stands_alone and is_last and is_bare and comments == "drop")
    if not stands_alone:
        new_root = _with_comment_before(new_root, (*path[:-1], index - 1), prefix_of(child_at(parent, index)))
        new_root = _with_semicolon_pulled_up(new_root, (*path[:-1], index - 1))
        return Edited(new_root, Shift(path[:-1], places))
    around = node_at(new_root, path[:-1])
    # PERF: then there is no need to read back the class.
    is_followed = index < len(around) and is_line(child_at(around, index)) and not _is_section(around, index)
    return Edited(new_root, Shift(path[:-1], places), following=path if is_followed else None)


def _with_nothing_resumed(root: Node, path: Path) -> Edited:
    """The tree without the only thing that goes on after a class annotation, and without the empty token before it."""
    holder, gone, following = path[:-1], prefix_at(root, path), next_leaf_path(root, path)
    root = change_prefix(root, following, lambda prefix: after_removal(gone, prefix, is_last=True) or " ")
    kept = children_of(node_at(root, holder), 1, _ONLY_RESUMED - 1)
    return Edited(replaced(root, holder, make_node("class_annotation", *kept)), Shift(holder, (0, 1, 2, None, None)))


def _with_comment_before(root: Node, path: Path, gone: str) -> Node:
    """The tree with the comment that was on the line before something that is gone: it is about what stays."""
    if Prefix.of(gone).starts_line or is_blank(gone):
        return root
    return change_prefix(root, next_leaf_path(root, path), lambda prefix: gone.rstrip() + prefix)


def _with_section_resumed(root: Node, path: Path) -> Edited | None:
    """The tree without an annotation in the middle of equations, as old files have it: they go on in their section."""
    *way, number = path[:-1] or (0,)
    section = node_at(root, path[:-1])
    if symbol(section) != "class_annotation" or path[-1] != 1 or number == 1:
        return None
    body, items = node_at(root, tuple(way)), [part for part in children_of(section, 3) if isinstance(part, tuple)]
    before = child_at(body, number - 1)
    if not items or not isinstance(before, tuple):
        return None
    first = with_prefix(items[0], after_removal(prefix_of(section), prefix_of(items[0])))
    if symbol(before) == "element":
        children = [*children_of(body, 1, number), first, *items[1:], *children_of(body, number + 1)]
        places = (*range(number), None, *(i + len(items) - 1 for i in range(number + 1, len(body))))
        return Edited(replaced(root, tuple(way), remade(body, children)), Shift(tuple(way), places))
    try:
        whole = remade(before, [*children_of(before), first, *items[1:]])
    except ValueError:  # it is another kind of section
        return None
    children = [*children_of(body, 1, number - 1), whole, *children_of(body, number + 1)]
    places = tuple(None if i == number else i - (i > number) for i in range(len(body)))
    return Edited(replaced(root, tuple(way), remade(body, children)), Shift(tuple(way), places))


def _is_section(node: Node, index: int) -> bool:
    return symbol(child_at(node, index)).endswith("_section")


def _with_semicolon_pulled_up(root: Node, path: Path) -> Node:
    """The tree without a line end before the semicolon that follows; a comment before it goes after it."""
    following = next_leaf_path(root, path)
    if following is None or symbol(at(root, following)) not in ("SEMICOLON", "COMMA"):
        return root
    prefix = Prefix.of(prefix_of(at(root, following)))
    behind = next_leaf_path(root, following)
    next_ = Prefix.of("" if behind is None else prefix_of(at(root, behind)))
    has_comment = not is_blank(prefix.head)
    if not prefix.starts_line or not is_blank(prefix.below) or (has_comment and not next_.starts_line):
        return root
    if has_comment:
        root = change_prefix(root, behind, lambda old: prefix.head + old)
    done: Node = change_prefix(root, following, lambda _: "")
    return done


def _taken_with_word(root: Node, path: Path, names: list[str]) -> Edited | None:
    """Take a thing out with the word or sign that leads to it: `= 2`, `in 1:3`, `y =` of an external call."""
    parent, index = node_at(root, path[:-1]), path[-1]
    for first in (index - 1, index):
        if first < 1 or first + 1 >= len(parent):
            continue
        word = names[first - 1] if first < index else names[index]
        left = (*names[: first - 1], *names[first + 1 :])
        number = find_production(symbol(parent), left) if word in TEXTS and left else None
        if number is not None:
            gone = prefix_of(child_at(parent, first))
            following = next_leaf_path(root, (*path[:-1], first + 1))
            new_root = change_prefix(root, following, lambda prefix, gone=gone: after_removal(gone, prefix))  # type: ignore[misc]
            around = node_at(new_root, path[:-1])
            children = (*children_of(around, 1, first), *children_of(around, first + 2))
            places = tuple(None if i in (first, first + 1) else i - 2 * (i > first) for i in range(len(parent)))
            done = replaced(new_root, path[:-1], (number, *children))
            return Edited(_with_comment_before(done, (*path[:-1], first - 1), gone), Shift(path[:-1], places))
    return None


def _taken_from_list(root: Node, path: Path, items: list[int], separator: str, comments: Comments) -> Edited | None:
    left = [number for number, index in enumerate(items) if index != path[-1]]
    try:
        return rearranged(root, path[:-1], items, left, separator, drops=comments == "drop") if left else None
    except ValueError:  # the list must have more of them
        return None


def _keeps_nothing(parent: Node, index: int) -> bool:
    """Is it the last thing in a list that goes when it empties (EDITING: no `()` is left behind)?"""
    kind = symbol(parent)
    if kind == "element_modification":  # one that has a description stays for it
        return symbol(child_at(parent, index)) == "modification" and _DESCRIPTIONS.isdisjoint(map(symbol, parent[1:]))
    return kind in ("class_modification", "output_expression_list") and _is_all(parent, index)


def _is_all(parent: Node, index: int) -> bool:
    """Is a child all that a node is about? Then the node goes with it."""
    kind = symbol(parent)
    others = [child_at(parent, i) for i in range(1, len(parent)) if i != index]
    if kind == "component_clause":
        return symbol(child_at(parent, index)) == "component_declaration"
    if kind == "element":  # a constraint is about what it declares
        return symbol(child_at(parent, index)) != "constraining_clause" and type(child_at(parent, index)) is tuple
    if kind == "element_modification":
        return symbol(child_at(parent, index)) == "modification" and _DESCRIPTIONS.isdisjoint(map(symbol, others))
    return all(type(other) is str and symbol(other) in TEXTS for other in others)


def holder_or_section(root: Node, path: Path, comments: Comments) -> Path:
    """What goes when an element, equation or statement goes: itself, or the section that it leaves empty.

    A section with a comment in it stays.
    """
    holder = node_at(root, path[:-1])
    words = [part for part in holder[1:] if type(part) is str]
    is_alone = symbol(holder) in _SECTIONS and len(holder) == len(words) + 2
    own, after = Prefix.of(prefix_of(at(root, path))), Prefix.of(prefix_at(root, next_leaf_path(root, path)))
    # Its own comments go with it; others stay, and the section with them. In a class that is all on one line, a comment
    # after the section is about what follows.
    trailing = after.head if after.starts_line and not own.starts_line else ""
    texts = [own.head + own.kept, *(prefix_of(word) for word in words[1:]), trailing]
    if comments == "keep":
        texts = [str(own), after.head]
    if not is_alone or not all(map(is_blank, texts)) or rules_what_follows(node_at(root, path[:-2]), path[-2]):
        return path
    return path[:-1]
