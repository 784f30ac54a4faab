"""Patterns: Modelica with metavariables, found in trees."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path as FilePath
from typing import Any, cast

from attrs import field, frozen

from modelica_ast.edit.document import Document
from modelica_ast.edit.surgery import Path
from modelica_ast.green import Node, render, tokens
from modelica_ast.library.libraries import Libraries
from modelica_ast.patterns.annotations import opened
from modelica_ast.patterns.captures import State
from modelica_ast.patterns.constraints import Constraint, Where, constraints
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.matches import Match, SearchedText, is_inside
from modelica_ast.patterns.metavariables import ANONYMOUS
from modelica_ast.patterns.reading import Tree, read_pattern
from modelica_ast.patterns.searching import Found, literal_words, outermost, search
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.patterns.typed import Types
from modelica_ast.source import Source
from modelica_ast.tables import KINDS
from modelica_ast.views.base import Root


@frozen(eq=False)
class Pattern:
    """A piece of Modelica in which `$x` stands for one thing and `$$xs` for any number of things in a list."""

    text: str
    trees: tuple[Tree, ...] = field(repr=False)
    names: dict[str, bool]  # the metavariables, and whether they are lists

    @classmethod
    def compile(cls, text: str, kind: str | None = None) -> Pattern:
        """Read a pattern; `kind` chooses where it can be read in several ways. PatternError if it is none."""
        trees = tuple(read_pattern(text, kind))
        names = {m.name: m.is_list for tree in trees for m in tree.metavariables.values() if m.name != ANONYMOUS}
        for tree in trees:
            for metavariable in tree.metavariables.values():
                if names.get(metavariable.name, metavariable.is_list) != metavariable.is_list:
                    raise PatternError(f"${metavariable.name} and $${metavariable.name} are two things: name one anew")
        return cls(text, trees, names)

    @property
    def kinds(self) -> tuple[str, ...]:
        """How it can be read: `x = y` is an equation and an argument."""
        return tuple(dict.fromkeys(tree.kind for tree in self.trees))

    @property
    def classes(self) -> frozenset[str]:
        """The full names of the classes that it names exactly: `Lib.Motor`, where it has `.Lib.Motor`."""
        found: set[str] = set()
        todo: list[Any] = [tree.green for tree in self.trees]
        while todo:
            green = todo.pop()
            found.update(name for tree in self.trees if (name := tree.full_name(green)) is not None)
            todo += green[1:] if type(green) is tuple else ()
        return frozenset(found)

    @property
    def words(self) -> frozenset[str]:
        """Words that every match contains: a text without one of them has no match."""
        return frozenset.intersection(*(literal_words(tree) for tree in self.trees))

    def may_match(self, text: str) -> bool:
        """Is a look at this text worth while? Much faster than a parse."""
        return all(word in text for word in self.words)

    def find(
        self,
        source: Document | Root,
        *,
        where: Where | None = None,
        libraries: Libraries | None = None,
        annotations: bool = False,
        classes: Collection[str] | None = None,
    ) -> list[Match]:
        """All matches in source order, the outermost where one lies inside another.

        `classes` are the full names of the classes that are looked into, with those inside them; None is all.
        `where` constrains what metavariables stand for; `libraries` are where types are looked up. Annotations are
        looked into if the pattern is about them, or if `annotations` says so.
        """
        root = source.tree if isinstance(source, Document) else source
        searched, found = self.search(
            root.green, root.file, where=where, libraries=libraries, annotations=annotations, source=root.source
        )
        return [Match(one.tree.kind, one, searched) for one in found if is_inside(searched, one, classes)]

    def search(
        self,
        root: Any,
        file: FilePath | None,
        *,
        where: Where | None,
        libraries: Libraries | None,
        annotations: bool,
        source: Source | None = None,
    ) -> tuple[SearchedText, list[Found]]:
        """The tree that was searched, its annotations read where the pattern is about them, and what was found."""
        wanted = constraints(where, self.names)
        clauses = [words for tree in self.trees for words in _annotation_words(tree)]
        if clauses:
            root = opened(root, frozenset.intersection(*clauses), file)
        elif annotations:
            root = opened(root, self.words, file)
        searched = SearchedText(root, source or Source(render(root), file))
        accept = _Accept(wanted, root, file, libraries)
        found = [one for tree in self.trees for one in search(root, tree, accept, annotations=annotations)]
        return searched, outermost(found)


def paths_like(tree: Root, text: str, kind: str) -> set[Path]:
    """Where something stands that looks like a pattern of a kind, `equation` or `statement`."""
    pattern = Pattern.compile(text, kind)
    accept = _Accept({}, tree.green, tree.file, None)
    root = cast("Node", tree.green)
    return {one.place.path for each in pattern.trees for one in search(root, each, accept, annotations=False)}


class _Accept:
    """The constraints, as the search asks for them."""

    def __init__(
        self, wanted: dict[str, Constraint], root: Any, file: FilePath | None, libraries: Libraries | None
    ) -> None:
        self._wanted = wanted
        self._place = (root, file, libraries)
        self._types: Types | None = None

    def __call__(self, tree: Tree, place: Stretch, state: State) -> bool:
        """Does all that is bound fit, and are the classes those that the pattern names?"""
        del place
        for name, constraint in self._wanted.items():
            bound = state.bound.get(name)
            if bound is None:
                continue
            text = ", ".join(render(one.green).strip() for one in bound.places)
            if not constraint.fits(bound, text):
                return False
            if constraint.type is not None:
                self._types = self._types or Types(*self._place)
                if not self._types.is_of(bound, constraint.type, f"${name}"):
                    return False
        return all(
            self._is_named(tree.full_name(note.pattern) or "", note.places[0])
            for note in state.all_notes()
            if note.what == "named"
        )

    def _is_named(self, wanted: str, place: Stretch) -> bool:
        if "".join(tokens(place.green)) == "." + wanted:
            return True  # so it is written, which needs no look-up
        self._types = self._types or Types(*self._place)
        return self._types.is_class(place, wanted)


def _annotation_words(tree: Tree) -> Iterable[frozenset[str]]:
    """For each annotation in a pattern, the words that it must have."""
    todo = [tree.green]
    while todo:
        green = todo.pop()
        if type(green) is tuple:
            if KINDS[green[0]] == "annotation_clause":
                yield literal_words(tree, green)
            else:
                todo += green[1:]
