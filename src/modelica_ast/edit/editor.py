"""The editor of trees: what a view shows is replaced, removed, or gets a new neighbour.

An `Editor` is what `document.transaction()` gives. Views say what is meant; new things are views too: parsed, taken
from elsewhere, or made from fields. Blanks, comments, commas and line ends are the editor's business: what is put in
looks like its neighbours, what is taken out takes the comments along that belong to it (`trivia`). Every edit is read
back before it counts (`Working.changed`), so a tree that the editor has made is one that a parse would give.

Views are of one tree, and a tree never changes. The editor knows where what they show is after its own edits, so the
views of `document.tree` stay good for a whole transaction. One that was replaced or removed meanwhile is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

from modelica_ast.edit import lists
from modelica_ast.edit.annotation import as_read
from modelica_ast.edit.editable import Editable
from modelica_ast.edit.errors import EditError
from modelica_ast.edit.placing import end_of_sections, holder_or_section
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    insert_after,
    insert_before,
    next_leaf_path,
    prefix_of,
    remove,
    replaced,
    with_prefix,
)
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, Node, child_at, children_of, first_leaf, iter_leaves, symbol
from modelica_ast.lexer import split_leaf
from modelica_ast.reading import open_annotation
from modelica_ast.record import Record
from modelica_ast.shape import find_production, separators_of
from modelica_ast.source import Source
from modelica_ast.tables import KINDS, TEXTS
from modelica_ast.traverse import view_at
from modelica_ast.trivia import Prefix, after_removal, is_blank
from modelica_ast.views.base import Equation, Expression, Statement, View
from modelica_ast.views.classes import ClassAnnotation, ClassDefinition, ExternalClause, LongClassSpecifier
from modelica_ast.views.equations import AlgorithmSection, EquationSection
from modelica_ast.views.expressions import OutputExpressions, Parenthesized
from modelica_ast.views.files import StoredDefinition
from modelica_ast.views.making import as_kind, gap, indentation_of, own_comments, relaid, relined
from modelica_ast.views.modifications import Annotation

_V = TypeVar("_V", bound=View)
_LINE_ITEMS: Final = frozenset(
    {"element", "stored_class", "unparsed", "within_clause", "external_clause", "class_annotation"}
)
_BRANCHES: Final = ("elseif_", "else_", "elsewhen_")
_LINE_ENDINGS: Final = ("_section", "_equation", "_statement", "assignment")
# What holds a clause with its semicolon: a clause by itself is put in with one, and what has one can leave it behind.
_WITH_SEMICOLON: Final = ("element", "stored_class", "class_annotation", "call_equation", "call_statement")


class _Shift(Record):
    """How an edit has moved the children of a node: where each of them is now, None for those that are gone."""

    parent: Path
    places: tuple[int | None, ...]  # by old index; the first is the production's own

    def moved(self, path: Path) -> Path | None:
        """Where something is now."""
        depth = len(self.parent)
        if len(path) <= depth or path[:depth] != self.parent:
            return path
        place = self.places[path[depth]]
        return None if place is None else (*self.parent, place, *path[depth + 1 :])


class _Edited(Record):
    """A tree after an edit: what has to be read back, how things have moved, and where the new thing is."""

    root: Node
    shift: _Shift
    new: Path | None = None


class Visitor:
    """Looks at a whole tree while it is edited; for `Editor.visit`."""

    def enter(self, edit: Editor, view: View) -> bool | None:
        """A view, before what is inside it; False leaves that out."""

    def leave(self, edit: Editor, view: View) -> None:
        """A view, after what is inside it."""


class Editor:
    """Edits of one document in a transaction."""

    def __init__(self, document: Editable) -> None:
        self._document = document
        self._shifts: list[_Shift] = []
        self._trees: dict[int, tuple[Node, int]] = {}  # those whose views are known, and how many edits came before
        self._last = document.work.root
        self._count = 0  # of trees that there were
        self._remember()

    def _remember(self) -> None:
        self._count += 1
        self._last = self._document.work.root
        self._trees[id(self._last)] = (self._last, len(self._shifts))

    # ------------------------------------------------------------ where things are

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now."""
        self._follow()
        return self._document.tree

    def _follow(self) -> None:
        """Somebody else may have edited the document: then the views of before are of no use."""
        if self._document.work.root is not self._last:
            self._trees.clear()
            self._shifts.clear()
            self._remember()

    def current(self, view: _V) -> _V | None:
        """What a view shows, as it is now; None if it was replaced or removed."""
        path = self._moved(view)
        found = None if path is None else self._at(path)
        return found if isinstance(found, type(view)) else None

    def _at(self, path: Path) -> View:
        return view_at(self._document.tree, path)

    def _moved(self, view: View) -> Path | None:
        self._follow()
        known = self._trees.get(id(view.root.green))
        if known is None:
            raise EditError(f"{_shown(view)} is not of this document as it is: take views from document.tree")
        path: Path | None = view.path
        for shift in self._shifts[known[1] :]:
            if path is None:
                return None
            path = shift.moved(path)
        return path

    def _path(self, view: View) -> Path:
        path = self._moved(view)
        if path is None:
            raise EditError(f"{_shown(view)} was replaced or removed in this transaction")
        return path

    # ------------------------------------------------------------ what can be done

    def replace(self, view: View, new: View, *more: View) -> View:
        """Put something in the place of what a view shows; more goes behind it. The view of the new thing comes back.

        The comments before it stay. An expression gets parentheses where it would be read differently without them.
        """
        path = self._path(view)
        with self._all_or_none():
            try:
                last = self._do(path, lambda root: _replaced(root, path, view, new))
            except EditError:
                if not (isinstance(view, Expression) and isinstance(new, Expression)):
                    raise
                wrapped = Parenthesized(expressions=OutputExpressions(items=[new]))
                last = self._do(path, lambda root: _replaced(root, path, view, wrapped))
            for each in more:
                last = self._insert(last, each, before=False)
        return self._at(path)

    def insert_before(self, view: View, *new: View) -> View:
        """Put things before what a view shows, in this order; the view of the first comes back."""
        with self._all_or_none():
            found = [self._insert(view, each, before=True) for each in new]
        return self._first_of(found, view)

    def insert_after(self, view: View, *new: View) -> View:
        """Put things behind what a view shows, in this order; the view of the first comes back."""
        found: list[View] = []
        with self._all_or_none():
            for each in new:
                found.append(self._insert(found[-1] if found else view, each, before=False))
        return self._first_of(found, view)

    def append(self, holder: View, *new: View) -> View:
        """Put things at the end of what a view holds: of a section, a body, a list. The view of the first comes back.

        What a class is given goes where it belongs: an element behind the first ones, an equation or a statement at
        the end of the last section for it, or in a new one.
        """
        with self._all_or_none():
            found = [self._append(holder, each) for each in new]
        return self._first_of(found, holder)

    def remove(self, *views: View) -> None:
        """Take out what views show, with the comments that belong to it.

        What can't stand without it goes too: the parentheses of an emptied list, the `=` of a value, the clause of its
        only component.
        """
        with self._all_or_none():
            for view in views:
                path = self._path(view)
                self._do(path, lambda root, path=path, view=view: _without(root, path, view))  # type: ignore[misc]

    def change(self, view: View, **fields: object) -> View:
        """Change some fields of what a view shows (`View.with_changes`); the view of what stands there comes back."""
        now = self.current(view)
        if now is None:
            raise EditError(f"{_shown(view)} was replaced or removed in this transaction")
        try:
            new = now.with_changes(**fields)
        except ValueError as error:
            raise EditError(str(error)) from None
        return self.replace(now, new)

    def visit(self, visitor: Visitor, view: View | None = None) -> None:
        """Let a visitor see the tree, or a part of it, in source order; it may edit what it sees.

        It sees everything as it is now. What is replaced, removed or put in meanwhile is not entered.
        """
        start = self.tree if view is None else view
        todo: list[tuple[View, bool, int]] = [(start, False, -1)]
        while todo:
            old, is_done, count = todo.pop()
            # PERF: to find out where something deep inside is takes as many steps as it is deep.
            now = old if count == self._count else self.current(old)
            if now is None:
                continue
            before = self._count
            if is_done:
                visitor.leave(self, now)
            elif visitor.enter(self, now) is not False:
                after = now if before == self._count else self.current(now)
                if after is not None:
                    todo.append((after, True, self._count))
                    todo += [(child, False, self._count) for child in reversed(after.children)]

    @contextmanager
    def _all_or_none(self) -> Iterator[None]:
        """Several edits that are done together, or not at all."""
        self._follow()
        last, count, trees = self._last, len(self._shifts), dict(self._trees)
        try:
            with self._document.transaction():
                yield
        except BaseException:  # the document is as it was, and so is what is known of it
            del self._shifts[count:]
            self._trees, self._last = trees, last
            raise

    @staticmethod
    def _first_of(found: list[View], view: View) -> View:
        if not found:
            raise EditError(f"there is nothing to put beside {_shown(view)}")
        return found[0]

    # ------------------------------------------------------------ one edit

    def _do(self, path: Path, edit: Callable[[Node], _Edited]) -> View:
        """Carry out an edit as one step; the view of what is new, or of what is around what is gone, comes back."""
        edited: list[_Edited] = []

        def verb(work: Working) -> None:
            root, annotation = _opened(work.root, path)
            try:
                done = edit(root)
            except ValueError as error:
                raise EditError(str(error)) from None
            edited.append(done)
            new_root = done.root
            where = done.new or done.shift.parent
            if annotation is not None and where[: len(annotation)] == annotation:
                new_root = replaced(new_root, annotation, as_read(at(new_root, annotation)))
                where = annotation
            else:
                new_root = new_root if annotation is None else _closed(new_root, annotation)
                new_root = new_root if done.new is None else _with_closed(new_root, done.new)
            work.changed(new_root, where)

        self._document.edit(verb)
        self._shifts.append(edited[0].shift)
        self._remember()
        return self._at(edited[0].new or edited[0].shift.parent)

    def _insert(self, view: View, new: View, *, before: bool) -> View:
        path = self._path(view)
        if not path:
            raise EditError("nothing stands beside a whole file")

        def edit(root: Node) -> _Edited:
            found = _inserted(root, path, new, before=before)
            if found is None:
                where = "before" if before else "after"
                raise EditError(f"{_name(new)} can't stand {where} {_shown(view)}")
            return found

        return self._do(path, edit)

    def _append(self, holder: View, new: View) -> View:
        path = self._path(holder)
        now = self._at(path)
        if isinstance(now, ClassDefinition):
            return self._append_to_class(now, new)

        def edit(root: Node) -> _Edited:
            node = at(root, path)
            if isinstance(node, str):
                raise EditError(f"{_name(new)} can't stand in {_shown(holder)}")
            for place in _ends(node, new):
                found = _inserted(root, (*path, place), new, before=False)
                if found is not None:
                    return found
            found = _inserted(root, (*path, 1), new, before=True) if len(node) > 1 else _only(root, path, new)
            if found is None:
                raise EditError(f"{_name(new)} can't stand in {_shown(holder)}")
            return found

        # A list may be unread yet.
        return self._do((*path, 1), edit)

    def _append_to_class(self, definition: ClassDefinition, new: View) -> View:
        specifier = definition.specifier
        if not isinstance(specifier, LongClassSpecifier):
            raise EditError(f"'{definition.name}' is a short class: it has no body")
        body = specifier.composition
        there: list[View] = []
        if isinstance(new, Equation):
            there = [each for each in body.sections if isinstance(each, EquationSection) and each.initial is None]
            section: View = EquationSection(equations=[new])
        elif isinstance(new, Statement):
            there = [each for each in body.sections if isinstance(each, AlgorithmSection) and each.initial is None]
            section = AlgorithmSection(statements=[new])
        else:
            return self._append(body, new)
        return self._append(there[-1], new) if there else self._append(body, section).children[-1]


# ---------------------------------------------------------------- putting in


def _replaced(root: Node, path: Path, view: View, new: View) -> _Edited:
    if not path:
        raise EditError("a whole file is not replaced: edit what is in it")
    old, parent = at(root, path), at(root, path[:-1])
    names = [symbol(each) for each in parent[1:]]
    for green in _forms(new):
        form = _as(green, new, symbol(old))
        names[path[-1] - 1] = symbol(form)
        number = parent[0] if symbol(form) == symbol(old) else find_production(KINDS[parent[0]], tuple(names))
        if number is not None:
            start = Prefix.of(prefix_of(old)).line_start or _line_start(root, path)
            laid = _without_comments(relined(form, indentation_of(new), start), own_comments(prefix_of(old)))
            placed = with_prefix(laid, prefix_of(old)) if first_leaf(laid) and first_leaf(old) else laid
            whole = (number, *parent[1 : path[-1]], placed, *parent[path[-1] + 1 :])
            places: list[int | None] = list(range(len(parent)))
            places[path[-1]] = None
            return _Edited(replaced(root, path[:-1], whole), _Shift(path[:-1], tuple(places)), path)
    raise EditError(f"{_name(new)} can't stand in the place of {_shown(view)}")


def _without_comments(green: Green, comments: list[str]) -> Green:
    """The same without some comments above something inside it: where they stood, they stay."""
    if not comments or isinstance(green, str):
        return green
    is_done = False

    def of_leaf(leaf: str) -> str:
        nonlocal is_done
        prefix, token = split_leaf(leaf)
        if is_done or own_comments(prefix) != comments:
            return leaf
        is_done = True
        found = Prefix.of(prefix)
        return found.head + found.kept + found.line_start + token

    return relaid(green, of_leaf)


def _forms(new: View) -> Iterator[Green]:
    """A thing as it is, with a semicolon behind it, and without the one that it has."""
    green = new.node
    yield green
    for kind in _WITH_SEMICOLON:
        number = find_production(kind, (symbol(green), "SEMICOLON"))
        if number is not None:
            yield (number, green, ";")
    if type(green) is tuple and KINDS[green[0]] in _WITH_SEMICOLON and len(green) == 3:  # noqa: PLR2004
        inner = green[1]
        yield inner
        for kind in _WITH_SEMICOLON:
            number = find_production(kind, (symbol(inner), "SEMICOLON"))
            if number is not None and number != green[0]:
                yield (number, inner, green[2])


def _as(green: Green, new: View, wanted: str) -> Green:
    """A name as the kind of name that stands there."""
    kinds = type(new).kinds
    is_other = type(green) is tuple and symbol(green) != wanted and symbol(green) in kinds and wanted in kinds
    return as_kind(green, kinds, wanted) if is_other else green


def _inserted(root: Node, path: Path, new: View, *, before: bool) -> _Edited | None:
    """The tree with a new neighbour of what stands at a path; None if the grammar has no place for it."""
    parent, index = at(root, path[:-1]), path[-1]
    kind = KINDS[parent[0]]
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


def _beside(root: Node, path: Path, green: Green, new: View, *, before: bool) -> _Edited:
    """Put a thing next to another one, nothing between them."""
    parent, index = at(root, path[:-1]), path[-1]
    kind = KINDS[parent[0]]
    place = index if before else index + 1
    places = tuple(each if each < place else each + 1 for each in range(len(parent)))
    shift, where = _Shift(path[:-1], places), (*path[:-1], place)
    anchor = parent[index]
    if before and anchor == "" and not path[:-1]:  # the end of a file that has nothing in it yet
        laid = relined(green, indentation_of(new), "\n")
        number = find_production(kind, tuple(map(symbol, (*parent[1:index], laid, anchor))))
        assert number is not None
        children: list[Green] = [*children_of(parent, 1, index), with_prefix(laid, ""), "\n"]
        return _Edited((number, *children), shift, where)
    if _is_line(green):
        is_alike = _is_line(anchor) and _is_flat(anchor) == _is_flat(green)
        start = Prefix.of(prefix_of(anchor)).line_start if is_alike else _inner_start(root, path[:-1], green)
        if len(path) == 1 and not start:
            start = _line_end(root)  # classes of a file stand on lines of their own
            if not before:
                root = _with_last_line_ended(root, path, start)
        laid = relined(green, indentation_of(new), start)
        done = insert_before(root, path, laid, start) if before else insert_after(root, path, laid, start)
        return _Edited(_with_own_comments(_with_comment_behind(done, where, new), where, new), shift, where)
    laid = relined(green, indentation_of(new), _line_start(root, path))
    children = list(parent[1:])
    if before:
        first = children[place - 1]
        children[place - 1] = with_prefix(first, gap(kind, green, first) or ("" if is_blank(prefix_of(first)) else " "))
        laid = with_prefix(laid, prefix_of(first))
    else:
        laid = with_prefix(laid, gap(kind, parent[index], laid))
    children.insert(place - 1, laid)
    number = find_production(kind, tuple(map(symbol, children)))
    assert number is not None
    return _Edited(replaced(root, path[:-1], (number, *children)), shift, where)


def _in_list(root: Node, path: Path, green: Green, new: View, separator: str, *, before: bool) -> _Edited:
    """Put an item into a list."""
    parent, index = at(root, path[:-1]), path[-1]
    items = lists.item_places(parent, separator, near=index)
    laid = relined(green, indentation_of(new), _line_start(root, path))
    number = items.index(index) + (not before)
    node = lists.with_item(parent, laid, number, items=items, separator=TEXTS[separator])
    place = index if before else index + 2
    places = tuple(each if each < place or (not before and each <= index) else each + 2 for each in range(len(parent)))
    return _Edited(replaced(root, path[:-1], node), _Shift(path[:-1], places), (*path[:-1], place))


def _only(root: Node, path: Path, new: View) -> _Edited | None:
    """Put a thing into a node that has no children: an empty body, an empty file."""
    node = at(root, path)
    if len(node) > 1:
        return None
    for green in _forms(new):
        number = find_production(KINDS[node[0]], (symbol(green),))
        if number is None:
            continue
        following = next_leaf_path(root, (*path, 0))
        old = "" if following is None else prefix_of(at(root, following))
        prefix = Prefix.of(old)
        start = _inner_start(root, path, green) if prefix.starts_line else ""
        laid = relined(green, indentation_of(new), start)
        behind = prefix.below if start else old or " "
        own = prefix.head + start if start else " " if path else ""
        root = change_prefix(root, following, lambda _: behind)  # noqa: B023  (it is called at once)
        return _Edited(replaced(root, path, (number, with_prefix(laid, own))), _Shift(path, (0,)), (*path, 1))
    return None


def _ends(node: Node, new: View) -> list[int]:
    """The children behind which a new one may go, the last first: those that end a stretch of equal ones."""
    stop = len(node)
    if KINDS[node[0]] == "composition" and not isinstance(new, ClassAnnotation | ExternalClause | Annotation):
        stop = end_of_sections(node)  # nothing else follows them
    return [
        i for i in range(stop - 1, 0, -1) if i == stop - 1 or symbol(child_at(node, i)) != symbol(child_at(node, i + 1))
    ]


def _is_line(green: Green) -> bool:
    """Does it stand on a line of its own?"""
    name = symbol(green)
    return type(green) is tuple and (name in _LINE_ITEMS or name.endswith(_LINE_ENDINGS))


def _with_last_line_ended(root: Node, path: Path, end: str) -> Node:
    """The tree with a line end behind what stands at a path."""
    following = next_leaf_path(root, path)
    done: Node = change_prefix(
        root, following, lambda old: old if Prefix.of(old).starts_line else old.rstrip(" \t") + end
    )
    return done


def _line_end(root: Node) -> str:
    leaf = next((leaf for leaf in iter_leaves(root) if "\n" in leaf), "")
    return "\r\n" if "\r\n" in leaf else "\n"


def _is_flat(green: Green) -> bool:
    """Does it start as far left as what is around it?"""
    name = symbol(green)
    return name.endswith("_section") or name.startswith(_BRANCHES) or name in ("stored_class", "within_clause")


def _line_start(root: Node, path: Path) -> str:
    """How the line starts that something stands in, as far as the nodes around it start lines."""
    for length in range(len(path), -1, -1):
        found = Prefix.of(prefix_of(at(root, path[:length]))).line_start
        if found:
            return found
    return ""


def _inner_start(root: Node, path: Path, green: Green) -> str:
    """How a first line inside of something starts: further in than that, unless it is a section."""
    around = _line_start(root, path)
    following = next_leaf_path(root, path)
    if not around and following is not None:  # the first class of a file
        end = Prefix.of(prefix_of(at(root, following))).line_start
        around = end if KINDS[at(root, path)[0]] == "composition" else around
    node = at(root, path)
    if KINDS[node[0]] == "composition":
        around = Prefix.of(prefix_of(at(root, (*path[:-1], path[-1] + 1)))).line_start
    if not around:
        return ""
    return around if _is_flat(green) else around + ("\t" if around.endswith("\t") else "  ")


def _with_comment_behind(root: Node, path: Path, new: View) -> Node:
    """The comment at the end of the line of a thing that was taken from elsewhere comes along."""
    if new.parent is None:
        return root
    there = next_leaf_path(new.root.green, new.path)
    comment = Prefix.of(prefix_of(at(new.root.green, there))) if there is not None else Prefix("", ())
    following = next_leaf_path(root, path)
    if following is None or is_blank(comment.head) or not comment.starts_line:
        return root
    done: Node = change_prefix(
        root,
        following,
        lambda old: comment.head + old if Prefix.of(old).starts_line and not Prefix.of(old).head else old,
    )
    return done


def _with_own_comments(root: Node, path: Path, new: View) -> Node:
    """The comments above a thing that was taken from elsewhere come along."""
    comments = own_comments(new.leading)
    if not comments:
        return root
    prefix = Prefix.of(prefix_of(at(root, path)))
    start = prefix.line_start
    if not start:
        return root
    above = "".join(start + comment for comment in comments)
    node: Node = replaced(root, path, with_prefix(at(root, path), prefix.head + prefix.kept + above + prefix.owned))
    return node


# ---------------------------------------------------------------- taking out


def _without(root: Node, path: Path, view: View) -> _Edited:
    """The tree without what stands at a path; EditError if nothing that is left could stand without it."""
    while path:
        found = _taken(root, path)
        if found is not None:
            return found
        if not _is_all(at(root, path[:-1]), path[-1]):
            break
        path = path[:-1]
    raise EditError(f"{_shown(view)} can't be taken out: what is around it needs it")


def _taken(root: Node, path: Path) -> _Edited | None:
    parent, index = at(root, path[:-1]), path[-1]
    kind = KINDS[parent[0]]
    names = [symbol(each) for each in parent[1:]]
    near = {names[i - 1] for i in (index - 1, index + 1) if 1 <= i < len(parent)}
    for separator in separators_of(kind):
        if separator in near:
            items = lists.item_places(parent, separator, near=index)
            if index in items:
                return _taken_from_list(root, path, items)
    if find_production(kind, (*names[: index - 1], *names[index:])) is None:
        return _taken_with_word(root, path, names)
    if _keeps_nothing(parent, index):
        return None
    if _is_line(parent[index]):
        path = holder_or_section(root, path)
        parent, index = at(root, path[:-1]), path[-1]
    places = tuple(None if i == index else i - (i > index) for i in range(len(parent)))
    return _Edited(remove(root, path), _Shift(path[:-1], places))


def _taken_with_word(root: Node, path: Path, names: list[str]) -> _Edited | None:
    """Take a thing out with the word or sign that leads to it: `= 2`, `in 1:3`, `y =` of an external call."""
    parent, index = at(root, path[:-1]), path[-1]
    for first in (index - 1, index):
        if first < 1 or first + 1 >= len(parent):
            continue
        word = names[first - 1] if first < index else names[index]
        left = (*names[: first - 1], *names[first + 1 :])
        number = find_production(KINDS[parent[0]], left) if word in TEXTS and left else None
        if number is not None:
            gone = prefix_of(parent[first])
            following = next_leaf_path(root, (*path[:-1], first + 1))
            new_root = change_prefix(root, following, lambda prefix, gone=gone: after_removal(gone, prefix))  # type: ignore[misc]
            around = at(new_root, path[:-1])
            children = (*around[1:first], *around[first + 2 :])
            places = tuple(None if i in (first, first + 1) else i - 2 * (i > first) for i in range(len(parent)))
            return _Edited(replaced(new_root, path[:-1], (number, *children)), _Shift(path[:-1], places))
    return None


def _taken_from_list(root: Node, path: Path, items: list[int]) -> _Edited | None:
    parent, index = at(root, path[:-1]), path[-1]
    number = items.index(index)
    children, carried = lists.without_item(parent, number, items=items)
    chosen = find_production(KINDS[parent[0]], tuple(map(symbol, children)))
    if chosen is None:
        return None
    gone = {index, index + 1} if number < len(items) - 1 else {index - 1, index}
    left = 0
    places: list[int | None] = [0]
    for i in range(1, len(parent)):
        left += i not in gone
        places.append(None if i in gone else left)
    new_root = replaced(root, path[:-1], (chosen, *children))
    if carried:
        last = places[items[number - 1]]
        assert last is not None
        behind = next_leaf_path(new_root, (*path[:-1], last))
        new_root = change_prefix(new_root, behind, lambda old: _with_carried(carried, old))
    return _Edited(new_root, _Shift(path[:-1], tuple(places)))


def _with_carried(carried: str, old: str) -> str:
    """The prefix of what closes a list, with a comment that was behind its last comma."""
    closing = Prefix.of(old)
    return carried.rstrip() + closing.below if closing.starts_line else carried + old


def _keeps_nothing(parent: Node, index: int) -> bool:
    """Is it the last thing in a list that goes when it empties (EDITING: no `()` is left behind)?"""
    kind = KINDS[parent[0]]
    if kind == "element_modification":
        return symbol(child_at(parent, index)) == "modification"
    return kind in ("class_modification", "output_expression_list") and _is_all(parent, index)


def _is_all(parent: Node, index: int) -> bool:
    """Is a child all that a node is about? Then the node goes with it."""
    kind = KINDS[parent[0]]
    others = [parent[i] for i in range(1, len(parent)) if i != index]
    if kind == "component_clause":
        return symbol(child_at(parent, index)) == "component_declaration"
    if kind == "element_modification":
        return symbol(child_at(parent, index)) == "modification" and len(others) == 1
    return all(type(other) is str and symbol(other) in TEXTS for other in others)


# ---------------------------------------------------------------- annotations that are unread


def _opened(root: Node, path: Path) -> tuple[Node, Path | None]:
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


def _with_closed(root: Node, new: Path) -> Node:
    """The tree with the annotations closed that something new has brought."""
    found: list[Path] = []
    todo: list[tuple[Path, Green]] = [(new, at(root, new))]
    while todo:
        path, green = todo.pop()
        if isinstance(green, tuple):
            if KINDS[green[0]] == "annotation_clause":
                found.append(path)
            else:
                todo += [((*path, index), part) for index, part in enumerate(children_of(green), 1)]
    for path in found:
        root = replaced(root, path, as_read(at(root, path)))
    return root


def _by_itself(text: str) -> tuple[Source, int]:
    return Source(text), 0


def _closed(root: Node, annotation: Path) -> Node:
    """The tree with an annotation closed that an edit around it has left as it was."""
    node: Green = root
    for index in annotation:
        if isinstance(node, str) or index >= len(node):
            return root  # it is gone
        node = child_at(node, index)
    if type(node) is tuple and KINDS[node[0]] == "annotation_clause":
        done: Node = replaced(root, annotation, as_read(node))
        return done
    return root


# ---------------------------------------------------------------- words


def _name(view: View) -> str:
    name = type(view).__name__
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"


def _shown(view: View) -> str:
    return f"{_name(view)} '{' '.join(view.text.split())[:60]}'"
