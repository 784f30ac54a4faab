"""The editor of trees: what a view shows is replaced, removed, moved, or gets a new neighbour.

An `Editor` is what `document.transaction()` gives. Views say what is meant; new things are views too: parsed, taken
from elsewhere, or made from fields. Blanks, comments, commas and line ends are the editor's business (`grafts`). Every
edit is read back before it counts (`Working.changed`), so a tree that the editor has made is one that a parse would
give.

Views are of one tree, and a tree never changes. The editor knows where what they show is after its own edits, so the
views of `document.tree` stay good for a whole transaction. One that was replaced or removed meanwhile is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from modelica_ast.edit.diffs import in_order
from modelica_ast.edit.draft import Working, as_read
from modelica_ast.edit.grafts import (
    Edited,
    Shift,
    changed_to,
    closed,
    comment_taken_off,
    ends_of,
    named,
    only_prefixes,
    opened,
    put_alone,
    put_beside,
    put_in_place,
    shown,
    with_closed,
    with_comment_at_end,
)
from modelica_ast.edit.removals import Comments, taken_out
from modelica_ast.edit.surgery import Path, node_at, replaced
from modelica_ast.foundation import EditError, ModelicaSyntaxError
from modelica_ast.syntax import Node
from modelica_ast.tree import (
    AlgorithmSection,
    ClassDefinition,
    Component,
    Equation,
    EquationSection,
    Expression,
    LongClassSpecifier,
    OutputExpressions,
    Parenthesized,
    Section,
    Statement,
    StoredDefinition,
    Token,
    View,
    view_at,
)

_V = TypeVar("_V", bound=View)


class Visitor:
    """Looks at a whole tree while it is edited; for `Editor.visit`."""

    def enter(self, edit: Editor, view: View) -> bool | None:
        """A view, before what is inside it; False leaves that out."""

    def leave(self, edit: Editor, view: View) -> None:
        """A view, after what is inside it."""


class Editor:
    """Edits of one document in a transaction."""

    def __init__(self, work: Working) -> None:
        self._work = work
        self._shifts: list[Shift] = []
        self._trees: dict[int, tuple[Node, int]] = {}  # those whose views are known, and how many edits came before
        self._last = work.root
        self._count = 0  # of trees that there were
        self._is_over = False
        self._remember()

    def close(self) -> None:
        """The transaction is over: edits from now on could not be undone."""
        self._is_over = True

    def _remember(self) -> None:
        self._count += 1
        self._last = self._work.root
        self._trees[id(self._last)] = (self._last, len(self._shifts))

    # ------------------------------------------------------------ where things are

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now."""
        self._follow()
        return self._work.tree

    def find_class(self, name: str) -> ClassDefinition:
        """The class of a dotted name, as it is now; NotFoundError names the nearest."""
        self._follow()
        return self._work.find_class(name)

    def find_component(self, owner: ClassDefinition, name: str) -> Component:
        """The component of a name that a class declares, as it is now; NotFoundError names the nearest."""
        return self._work.find_component(self.now(owner), name)

    def _follow(self) -> None:
        """Somebody else may have edited the document: then the views of before are of no use."""
        if self._is_over:
            raise EditError("the transaction of this editor is over: start another with document.transaction()")
        if self._work.root is not self._last:
            self._trees.clear()
            self._shifts.clear()
            self._remember()

    def current(self, view: _V) -> _V | None:
        """What a view shows, as it is now; None if it was replaced or removed."""
        path = self._moved(view)
        found = None if path is None else self._at(path)
        return found if isinstance(found, type(view)) else None

    def now(self, view: _V) -> _V:
        """What a view shows, as it is now; EditError if it was replaced or removed."""
        if view.root.green is self._work.root:
            return view
        found = self.current(view)
        if found is None:
            raise _gone(view)
        return found

    def _at(self, path: Path) -> View:
        return view_at(self._work.tree, path)

    def _moved(self, view: View) -> Path | None:
        if not isinstance(view, View):
            raise _no_view(view)
        self._follow()
        known = self._trees.get(id(view.root.green))
        if known is None:
            raise EditError(f"{shown(view)} is not a view of this document as it is now: take views from document.tree")
        path: Path | None = view.path
        for shift in self._shifts[known[1] :]:
            if path is None:
                return None
            path = shift.moved(path)
        return path

    def _path(self, view: View) -> Path:
        path = self._moved(view)
        if path is None:
            raise _gone(view)
        return path

    # ------------------------------------------------------------ what can be done

    def replace(self, view: View, new: View, *more: View) -> View:
        """Put something in place of what a view shows; more goes after it. The view of the new thing comes back.

        The comments before it stay. An expression gets parentheses where it would be read differently without them.
        """
        path = self._path(view)
        if not isinstance(new, View):
            raise _no_view(new)
        with self._all_or_none():
            comment = self._comment_taken_off(path) if more else ""
            try:
                last = self._do(path, lambda root: put_in_place(root, path, view, new))
            except EditError:
                if not (isinstance(view, Expression) and isinstance(new, Expression)):
                    raise
                wrapped = Parenthesized(expressions=OutputExpressions(items=[new]))
                last = self._do(path, lambda root: put_in_place(root, path, view, wrapped))
            for each in more:
                last = self._insert(last, each, before=False)
            if comment:
                where = last.path
                self._do(where, lambda root: only_prefixes(with_comment_at_end(root, where, comment), where))
        return self._at(path)

    def _comment_taken_off(self, path: Path) -> str:
        """Take off the comment at the end of the line of something that several things take the place of."""
        root, comment = comment_taken_off(self._work.root, path)
        if comment:
            self._do(path, lambda _: only_prefixes(root, path))
        return comment

    def insert_before(self, view: View, *new: View) -> View:
        """Put things before what a view shows, in this order; the view of the first comes back."""
        with self._all_or_none():
            found = [self._insert(view, each, before=True) for each in new]
        return self._first_of(found, view)

    def insert_after(self, view: View, *new: View) -> View:
        """Put things after what a view shows, in this order; the view of the first comes back."""
        found: list[View] = []
        with self._all_or_none():
            for each in new:
                found.append(self._insert(found[-1] if found else view, each, before=False))
        return self._first_of(found, view)

    def append(self, holder: View, *new: View) -> View:
        """Put things at the end of what a view holds: of a section, a body, a list. The view of the first comes back.

        What a class is given goes where it belongs: an element after the first ones, an equation or a statement at
        the end of the last section for it, or in a new one.
        """
        with self._all_or_none():
            found = [self._append(holder, each) for each in new]
        return self._first_of(found, holder)

    def remove(self, *views: View, comments: Comments = "drop") -> None:
        """Take out what views show, with the comments that belong to it; or keep these where they are.

        What can't be without it goes too: the parentheses of an emptied list, the `=` of a value, the clause of its
        only component.
        """
        with self._all_or_none():
            for view in views:
                path = self._path(view)
                stays = bool(self._work.kept) and _section_of(self._at(path)) in self._work.kept
                self._do(path, partial(taken_out, path=path, view=view, comments=comments, stays=stays))

    def _keep(self, section: View) -> None:
        """Let a section that is there without anything in it stay when it empties again."""
        if all(isinstance(each, Token) for each in section.children):
            self._work.kept.add(_section_of(section))

    def change(self, view: View, **fields: object) -> View:
        """Change some fields of what a view shows (`View.with_changes`); the view of what is there comes back.

        Views of what stays stay good. The items of a list that stay keep their comments, and so do those that move.
        """
        now = self.now(view)
        found = {name: _views(getattr(now, name, None), new, is_empty=not now.children) for name, new in fields.items()}
        lists = {name: new for name, new in found.items() if new is not None}
        others = {name: new for name, new in fields.items() if name not in lists}
        with self._all_or_none():
            if others:
                now = self._change_fields(now, others)
            for name, new in lists.items():
                self._change_list(self.now(now), name, new)
            # A list that empties may be gone, with its brackets.
            left = (self.current(each) for each in (now, *now.ancestors))
            return next(each for each in left if each is not None)

    def _change_fields(self, view: View, fields: dict[str, object]) -> View:
        path = self._path(view)
        try:
            new = view.with_changes(**fields)
        except ValueError as error:
            raise EditError(str(error)) from None
        try:
            return self._do(path, lambda root: changed_to(root, path, new.green))
        except EditError:
            if not isinstance(view, Expression):
                raise
            return self.replace(view, new)  # in parentheses, as another operator may want it

    def _change_list(self, holder: View, name: str, new: Sequence[View]) -> None:
        """Put in, take out and move items until a list has these, in this order."""
        old: list[View] = getattr(holder, name)
        if not old:
            self.append(holder, *new)
            return
        there = {each.index: each for each in old}
        wanted = [self._here(each) for each in new]
        keys = [each.index if there.get(each.index) == each else -place for place, each in enumerate(wanted, 1)]
        stay = {old[place].index for place, _ in in_order(list(there), keys)}
        first = next((each for each in old if each.index in stay), old[0])
        last: View | None = None
        for key, each in zip(keys, wanted, strict=True):
            if key in stay:
                last = each
            else:
                last = self.insert_before(first, each) if last is None else self.insert_after(last, each)
        self.remove(*[each for each in old if each.index not in stay])

    def _here(self, view: _V) -> _V:
        """What a view of this document shows, as it is now; a view of something else as it is."""
        found = self.current(view) if id(view.root.green) in self._trees else None
        return view if found is None else found

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
                    todo += [(child, False, self._count) for child in reversed(self._inside(after))]

    def _inside(self, view: View) -> list[View]:
        """What is inside of something; an annotation that does not parse has nothing inside in a broken file."""
        try:
            return view.children
        except ModelicaSyntaxError as error:
            if self._work.is_broken:
                return []
            raise EditError(str(error)) from None

    @contextmanager
    def _all_or_none(self) -> Iterator[None]:
        """Several edits that are done together, or not at all."""
        self._follow()
        last, count, trees = self._last, len(self._shifts), dict(self._trees)
        try:
            yield
        except BaseException:  # the tree is as it was, and so is what is known of it
            self._work.root = last
            del self._shifts[count:]
            self._trees, self._last = trees, last
            raise

    @staticmethod
    def _first_of(found: list[View], view: View) -> View:
        if not found:
            raise EditError(f"there is nothing to put beside {shown(view)}")
        return found[0]

    # ------------------------------------------------------------ one edit

    def _do(self, path: Path, edit: Callable[[Node], Edited]) -> View:
        """Carry out an edit; the view of what is new, or of what is around what is gone, comes back."""
        try:
            root, annotation = opened(self._work.root, path)
            done = edit(root)
        except ModelicaSyntaxError as error:  # of an annotation, which nobody has read before
            raise EditError(str(error)) from None
        except ValueError as error:
            raise EditError(str(error)) from None
        new_root = done.root
        where = done.new or done.following or done.shift.parent
        if annotation is not None and where[: len(annotation)] == annotation:
            new_root = replaced(new_root, annotation, as_read(node_at(new_root, annotation)))
            where = annotation
        else:
            new_root = new_root if annotation is None else closed(new_root, annotation)
            new_root = new_root if done.new is None else with_closed(new_root, done.new)
        with self._work.proving(not done.is_sure):
            self._work.changed(new_root, where)
        self._shifts.append(done.shift)
        self._remember()
        return self._at(done.new or done.shift.parent)

    def _insert(self, view: View, new: View, *, before: bool) -> View:
        path = self._path(view)
        if not isinstance(new, View):
            raise _no_view(new)
        if not path:
            raise EditError("nothing can be put beside a whole file")

        def edit(root: Node) -> Edited:
            found = put_beside(root, path, new, before=before)
            if found is None:
                where = "before" if before else "after"
                raise EditError(f"{named(new)} can't be {where} {shown(view)}")
            return found

        return self._do(path, edit)

    def _append(self, holder: View, new: View) -> View:
        path = self._path(holder)
        if not isinstance(new, View):
            raise _no_view(new)
        now = self._at(path)
        if isinstance(now, ClassDefinition):
            return self._append_to_class(now, new)
        if isinstance(now.node, str):
            raise EditError(f"{named(new)} can't be in {shown(holder)}")
        if isinstance(now, Section):
            self._keep(now)

        def edit(root: Node) -> Edited:
            node = node_at(root, path)
            for place in ends_of(node, new):
                found = put_beside(root, (*path, place), new, before=False)
                if found is not None:
                    return found
            found = put_beside(root, (*path, 1), new, before=True) if len(node) > 1 else put_alone(root, path, new)
            if found is None:
                raise EditError(f"{named(new)} can't be in {shown(holder)}")
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


def _section_of(view: View) -> tuple[str, str]:
    """The class and the keyword of the section that something is in; an element may be in none."""
    section = next((each for each in (view, *view.ancestors) if isinstance(each, Section | ClassDefinition)), view)
    owner = next((each for each in (section, *section.ancestors) if isinstance(each, ClassDefinition)), None)
    words = [each.text for each in section.children if isinstance(each, Token)] if section is not owner else []
    return "" if owner is None else owner.name_in_file, " ".join(words)


def _views(old: object, new: object, *, is_empty: bool) -> list[View] | None:
    """The new items of a list; None if it is not a list, or has none and the grammar says where they are."""
    if not isinstance(old, list) or not isinstance(new, list | tuple) or (not old and not is_empty):
        return None
    views = [each for each in new if isinstance(each, View)]
    return views if len(views) == len(new) else None


def _no_view(given: object) -> TypeError:
    return TypeError(f"{given!r} is not a view: parse_element, parse_equation, parse_expression, … make one of a text")


def _gone(view: View) -> EditError:
    return EditError(f"{shown(view)} was replaced or removed in this transaction")
