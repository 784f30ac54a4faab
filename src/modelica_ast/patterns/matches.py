"""Matches as their users see them: text, places, captures, and the class that they lie in."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from modelica_ast.edit.index import class_name
from modelica_ast.edit.lists import item_places
from modelica_ast.edit.surgery import Path, node_at, prefix_of
from modelica_ast.green import Offsets, child_node, render, symbol
from modelica_ast.patterns.captures import Bound
from modelica_ast.patterns.searching import Found
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.semantics.clauses import within_parts
from modelica_ast.source import Source, Span
from modelica_ast.tables import KINDS


@define(slots=False, eq=False)
class SearchedText:
    """The tree that was searched, its text and its places."""

    root: Any
    source: Source
    _offsets: Offsets = field(factory=Offsets)

    def extent(self, parent: Path, first: int, last: int) -> tuple[int, int]:
        """From the first token to behind the last one of some children of a node."""
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
        """From the first token to behind the last one; of one of `Real a, b;` its own part."""
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
