"""Patterns: Modelica with metavariables, found in trees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any, cast

from attrs import define, field, frozen

from modelica_ast.edit import Document, Path, class_name, item_places, node_at, prefix_of
from modelica_ast.foundation import Source, Span
from modelica_ast.library import Libraries
from modelica_ast.patterns.search import Found, literal_words, outermost, search
from modelica_ast.patterns.stretches import Bound, State, Stretch, opened
from modelica_ast.patterns.trees import ANONYMOUS, PatternError, Tree, read_pattern
from modelica_ast.patterns.where import Constraint, Types, Where, constraints
from modelica_ast.semantics import within_parts
from modelica_ast.syntax import KINDS, Node, Offsets, child_node, render, symbol, tokens
from modelica_ast.tree import Root

# ---------------------------------------------------------------- matches
# Matches as their users see them: text, places, captures, and the class that they lie in.


@define(slots=False, eq=False)
class SearchedText:
    """The tree that was searched, its text and its places."""

    root: Any
    source: Source
    _offsets: Offsets = field(factory=Offsets)

    def extent(self, parent: Path, first: int, last: int) -> tuple[int, int]:
        """From the first token to after the last one of some children of a node."""
        offset = 0
        node = self.root
        for index in parent:
            offset += self._offsets.before(node, index)
            node = node[index]
        start = offset + self._offsets.before(node, first)
        end = offset + self._offsets.before(node, last - 1) + self._offsets.width(node[last - 1])
        for child in node[first:last]:
            if render(child):
                start += len(prefix_of(child))
                break
        return min(start, end), end

    def span(self, start: int, end: int) -> Span:
        """Two offsets as a span."""
        return Span(self.source.position(start), self.source.position(end))


@frozen(eq=False)
class Capture:
    """What a metavariable stands for in a match."""

    name: str
    text: str  # as it stands there; several things of a `$$` with what is between them, '' for none
    span: Span | None  # None for a `$$` that stands for nothing
    texts: tuple[str, ...]  # each of the things of a `$$`; one text for `$`
    kind: str  # the grammar's name of a thing, '' for a `$$`


@define(slots=False, eq=False)
class Match:
    """A place that looks like the pattern."""

    kind: str  # the reading of the pattern: expression, equation, element, …
    _found: Found = field(repr=False)
    _searched: SearchedText = field(repr=False)

    @cached_property
    def span(self) -> Span:
        """From the first token to after the last one; of one of `Real a, b;` its own part."""
        place = self._found.place
        parent, first, last = place.parent, place.first, place.last
        if self._found.number is not None:
            parent, first = declared_at(self._searched.root, place.path, self._found.number)
            last = first + 1
        return self._searched.span(*self._searched.extent(parent, first, last))

    @property
    def text(self) -> str:
        """The text of the match."""
        return self._searched.source.text[self.span.start.offset : self.span.end.offset]

    @cached_property
    def captures(self) -> dict[str, Capture]:
        """What the metavariables stand for, by their names without dollars."""
        bound = self._found.state.bound
        names = dict.fromkeys(m.name for m in self._found.tree.metavariables.values())
        return {name: self._capture(name, bound[name]) for name in names if name in bound}

    @cached_property
    def path(self) -> str:
        """The dotted name of the class that the match lies in, with the file's `within`; '' outside of all."""
        return ".".join(class_names_around(self._searched.root, self._found.place.path))

    def _capture(self, name: str, bound: Bound) -> Capture:
        extents = [self._searched.extent(place.parent, place.first, place.last) for place in bound.places]
        text = self._searched.source.text
        texts = tuple(text[start:end] for start, end in extents)
        if not extents:
            return Capture(name, "", None, (), "")
        start, end = min(extents)[0], max(end for _, end in extents)
        if bound.is_list:
            is_together = all(_follow(one, other) for one, other in zip(bound.places, bound.places[1:], strict=False))
            whole = text[start:end] if is_together else ", ".join(texts)
            return Capture(name, whole, self._searched.span(start, end), texts, "")
        return Capture(name, texts[0], self._searched.span(start, end), texts, symbol(bound.places[0].green))

    def __repr__(self) -> str:
        start = self.span.start
        return f"<Match {start.line}:{start.column} {' '.join(self.text.split())[:60]!r}>"


def _follow(one: Stretch, other: Stretch) -> bool:
    """Do two things of a list stand side by side, with a comma between them at most?"""
    return one.parent == other.parent and other.first - one.first <= 2  # noqa: PLR2004


def declared_at(root: Any, element: Path, number: int) -> tuple[Path, int]:
    """The clause of an element, and the index in it of the component of a number."""
    node = node_at(root, element)
    index = next(i for i in range(1, len(node)) if type(node[i]) is tuple)
    return (*element, index), item_places(child_node(node, index))[number]


def class_names_around(root: Any, path: Path) -> Iterator[str]:
    """The names of the classes that a place is in, the package of the file first."""
    yield from within_parts(root)
    node = root
    for index in path:
        if KINDS[node[0]] == "class_definition" and node is not root:
            yield class_name(node)
        node = node[index]


def is_inside(searched: SearchedText, found: Found, classes: Collection[str] | None) -> bool:
    """Is a match in one of some classes, or in one inside them? All matches are, if None is asked for."""
    if classes is None:
        return True
    names = list(class_names_around(searched.root, found.place.path))
    return any(".".join(names[:length]) in classes for length in range(len(names) + 1))


# ---------------------------------------------------------------- pattern


@frozen(eq=False)
class Pattern:
    """A piece of Modelica in which `$x` stands for one thing and `$$xs` for any number of things in a list."""

    text: str
    trees: tuple[Tree, ...] = field(repr=False)
    names: dict[str, bool]  # the metavariables, and whether they are lists

    @classmethod
    def compile(cls, text: str, kind: str | None = None) -> Pattern:
        """Read a pattern; `kind` chooses where it can be read in several ways. PatternError if it is not one."""
        trees = tuple(read_pattern(text, kind))
        names = {m.name: m.is_list for tree in trees for m in tree.metavariables.values() if m.name != ANONYMOUS}
        for tree in trees:
            for metavariable in tree.metavariables.values():
                if names.get(metavariable.name, metavariable.is_list) != metavariable.is_list:
                    raise PatternError(
                        f"${metavariable.name} and $${metavariable.name} are two different things: rename one"
                    )
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
    """Where something is that looks like a pattern of a kind, `equation` or `statement`."""
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
