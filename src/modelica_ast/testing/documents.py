"""Whole files that look like people's: indented lines, comments, names that are declared once.

They are put together from few pieces, so a failing example shrinks to a file that a person can read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from hypothesis import strategies as st

from modelica_ast.testing import samples

_T = TypeVar("_T")
_DEEPEST: Final = 2  # how deep classes nest


@st.composite
def documents(
    draw: st.DrawFn, *, max_classes: int = 2, max_elements: int = 4, line_ends: Sequence[str] = ("\n", "\r\n")
) -> str:
    """The text of files with classes that declare, extend, import, connect and annotate.

    Every file has at least one class with a body, and a name is declared once in its class. Line ends are all the
    same in one file, one of `line_ends`. The files parse, strictly too.
    """
    names = draw(st.lists(st.sampled_from(samples.CLASS_NAMES), min_size=1, max_size=max_classes, unique=True))
    author = _Author(draw, max_elements)
    text = author.pick(samples.HEADS) + "".join(author.class_(name, _DEEPEST) + ";\n" for name in names)
    text += author.pick(samples.TAILS)
    if author.seldom(2):
        text = text.rstrip("\n")
    # Line ends inside strings change too, as they do when an editor saves a file.
    return text.replace("\n", author.pick(line_ends))


class _Author:
    """Writes classes and what is in them. Lines have their indentation, but for that of the class around."""

    def __init__(self, draw: st.DrawFn, max_elements: int) -> None:
        self._draw = draw
        self._max_elements = max_elements

    def pick(self, choices: Sequence[_T]) -> _T:
        """One of these."""
        return self._draw(st.sampled_from(choices))

    def seldom(self, one_in: int) -> bool:
        """True once in so many times; an example shrinks to where it is not."""
        return self._draw(st.integers(1, one_in)) == one_in

    def some(self, choices: Sequence[_T], most: int) -> list[_T]:
        """Some of these, each once, in any order."""
        return self._draw(st.lists(st.sampled_from(choices), max_size=min(most, len(choices)), unique=True))

    def class_(self, name: str, depth: int) -> str:
        """A class with a body, from its first token to its `end`."""
        head = f"{self.pick(samples.CLASS_KINDS)} {name}{self.pick(samples.CLASS_DESCRIPTIONS)}"
        names = self.some(samples.COMPONENT_NAMES, self._max_elements)
        public = self._draw(st.integers(0, len(names))) if names else 0
        lines = [*self._taken_from_elsewhere(), *self._components(names[len(names) - public :])]
        lines += self._inner_classes(depth)
        if public < len(names):
            lines += ["protected", *self._components(names[: len(names) - public])]
        if self.seldom(2):
            lines += self._sections()
        if self.seldom(2):
            lines.append(f"  {self.pick(samples.CLASS_ANNOTATIONS)}")
        behind = self.pick(samples.BEHIND)
        if not any("//" in text for text in (head, behind, *lines)) and self.seldom(4):
            return " ".join([head + behind, *(line.strip() for line in lines), f"end {name}"])
        return "\n".join([head + behind, *lines, f"end {name}"])

    def _taken_from_elsewhere(self) -> Iterable[str]:
        found = [f"import {name};" for name in self.some(samples.IMPORTS, 1)]
        found += [f"extends {base};" for base in self.some(samples.EXTENDS, 2)]
        return self._on_lines(found)

    def _inner_classes(self, depth: int) -> Iterable[str]:
        names = self.some(samples.CLASS_NAMES, 1 if depth > 0 else 0)
        if names and self.seldom(2):
            return self._on_lines([f"type {names[0]} = {self.pick(samples.SHORT_CLASSES)};"])
        return self._on_lines([self.class_(name, depth - 1).replace("\n", "\n  ") + ";" for name in names])

    def _components(self, names: Sequence[str]) -> Iterable[str]:
        clauses: list[list[str]] = []
        for name in names:
            if clauses and self.seldom(3):
                clauses[-1].append(name)
            else:
                clauses.append([name])
        return self._on_lines(map(self._clause, clauses))

    def _clause(self, names: Sequence[str]) -> str:
        head = f"{self.pick(samples.PREFIXES)}{self.pick(samples.TYPES)} "
        return head + self.pick((", ", ",\n    ")).join(map(self._declaration, names)) + ";"

    def _declaration(self, name: str) -> str:
        text = name
        if self.seldom(3):
            text += self.pick(samples.SUBSCRIPTS)
        arguments = self.some(samples.ARGUMENTS, 3)
        if arguments:
            text += f"({self.pick(samples.BETWEEN_ARGUMENTS).join(arguments)})"
        text += self.pick(samples.BINDINGS)
        if self.seldom(2):
            text += self.pick(samples.CONDITIONS) + self.pick(samples.DESCRIPTIONS) + self.pick(samples.ANNOTATIONS)
        return text

    def _sections(self) -> list[str]:
        lines: list[str] = []
        if self.seldom(4):
            lines += ["initial equation", *self._on_lines(self.some(samples.EQUATIONS[:3], 1))]
        lines += ["equation", *self._on_lines([*self.some(samples.EQUATIONS, 2), *self._connections()])]
        if self.seldom(2):
            lines += ["algorithm", *self._on_lines(self.some(samples.STATEMENTS, 3))]
        return lines

    def _connections(self) -> list[str]:
        ends = self.some(samples.ENDS, 4)
        return [f"connect({one}, {other}){self.pick(samples.ANNOTATIONS)};" for one, other in pairwise(ends)]

    def _on_lines(self, things: Iterable[str]) -> list[str]:
        """Each on its line, with comments and blank lines around."""
        lines: list[str] = []
        for thing in things:
            lines += [f"  {above}" if above else "" for above in self.pick(samples.ABOVE)]
            lines.append(f"  {thing}{self.pick(samples.BEHIND)}")
        return lines
