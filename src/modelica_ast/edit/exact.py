"""The editor of the verbs: they know what they write, to the blank.

A verb is a function of this editor, of what it edits (a view), and of the rest: `set_type(edit, component, type)`. Its
method on a handle, its JSON form, its schema and its help are made from that signature (`methods`, `patch`, `schema`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from modelica_ast.edit.editor import Editor
from modelica_ast.edit.grafts import (
    Shift,
    grafted,
    line_alone,
    line_beside,
    lines_behind,
    only_prefixes,
    owned_by,
    with_owned,
)
from modelica_ast.edit.surgery import Path, Scope, next_leaf_path, node_of, prefix_at
from modelica_ast.semantics import ClassFiles, Lookup, lookup_in
from modelica_ast.syntax import Green, Node, Prefix, ended_like
from modelica_ast.tree import Composition, StoredDefinition, View, indentation_of, line_start_of, relined


class ExactEditor(Editor):
    """An editor that also puts green trees where views are, as they are; they are proved like all others."""

    @property
    def is_broken(self) -> bool:
        """Was there something that did not parse?"""
        return self._work.is_broken

    def lookup(self) -> Lookup:
        """What names stand for in the document, on its own or in the libraries that it is part of."""
        return lookup_in(self.tree) if self._work.lookup is None else self._work.lookup()

    @property
    def is_in_libraries(self) -> bool:
        """Are there libraries in which the look-up knows what classes inherit?"""
        return self._work.lookup is not None

    def items_with(self, body: Composition, names: Collection[str]) -> Iterator[tuple[Path, Node]]:
        """The elements, equations and statements of a class in which one of some names may be written."""
        return self._work.index.items_with(node_of(body), names)

    @property
    def beside(self) -> ClassFiles | None:
        """The files in which classes of other files are looked up; None if only this one is known."""
        return self._work.beside()

    def scope(self, around: StoredDefinition | Composition) -> Scope:
        """What the body of a class declares, or the file."""
        return self._work.scope(self.now(around))

    def all_or_none(self) -> AbstractContextManager[None]:
        """Several edits that are done together, or not at all."""
        return self._all_or_none()

    def write(self, view: View, new: Green) -> None:
        """Put a subtree in place of what a view shows as it is, blanks and all; the view stays good."""
        now = self.now(view)
        path = now.path
        self._work.changed(grafted(now, new), path)
        self._shifts.append(Shift(path))
        self._remember()

    def put_line(
        self, beside: View, new: Green, *, before: bool = False, start: str | None = None, comments: View | None = None
    ) -> View:
        """Put an element, an equation or a statement as it is on a line before or after that of another.

        `start` is how its line starts, like that of the other unless it is given; `comments` is what it was before,
        elsewhere: the comments that belong to that come along, and all its lines start as they do here.
        """
        path = self._path(beside)
        now = self.now(beside)
        wanted = Prefix.of(now.leading).line_start if start is None else start
        if not wanted and not before and start is None:  # the other one shares its line with something before it
            wanted = line_start_of(now)
        laid = new
        if comments is not None:
            root = self._work.root
            after = prefix_at(root, path if before else next_leaf_path(root, path))
            ends = ended_like(wanted, Prefix.of(after).below)  # as the lines beside it
            laid = relined(new, indentation_of(comments), ends)
        return self._do(path, lambda root: line_beside(root, path, laid, wanted, before=before, comments=comments))

    def put_lines(self, beside: View, new: Sequence[Green]) -> None:
        """Put several after another, with line starts like it; what is beside them is looked through once."""
        now = self.now(beside)
        assert now.parent is not None
        path = now.parent.path
        done = lines_behind(node_of(now.parent), now.index, new)
        self._work.changed(grafted(now.parent, done.root), path)
        self._shifts.append(Shift(path, done.shift.places))
        self._remember()

    def put_first(self, body: View, new: Green, start: str, comments: View | None = None) -> View:
        """Put the only thing into an empty body; `start` is how its line starts."""
        path = self._path(body)
        laid = new if comments is None else relined(new, indentation_of(comments), start)
        return self._do(path, lambda root: line_alone(root, path, laid, start, comments))

    def keep(self, section: View) -> None:
        """Let a section that is there without anything in it stay when it empties again."""
        self._keep(section)

    def bring_comments(self, new: View, source: View) -> View:
        """Give something the comments of what it was before, elsewhere."""
        path, owned = self._path(new), owned_by(source)
        return self._do(path, lambda root: only_prefixes(with_owned(root, path, owned), path))

    def take(self, root: Node, around: View | None = None, *, is_proved: bool = False) -> None:
        """Take a whole new tree, which differs inside of a view only; what views show in there is not known then.

        `is_proved` is for a tree that is just read from its text.
        """
        path = () if around is None else self._path(around)
        with self._work.proving(not is_proved):
            self._work.changed(root, path)
        self._shifts.append(Shift(path))
        self._remember()

    @contextmanager
    def proving_once(self, view: View) -> Iterator[None]:
        """Many edits inside of what a view shows: what they have made is proved when all of them are done."""
        with self._all_or_none():
            with self._work.proving(False):  # noqa: FBT003  (what it says)
                yield
            self._work.prove(self._work.root, self._path(view))
