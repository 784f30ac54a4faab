"""Whole files that look like people's: indented lines, comments, names that are declared once.

They are put together from few pieces, so a failing example shrinks to a file that a person can read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar

from hypothesis import note, strategies as st

from modelica_ast.foundation import ModelicaSyntaxError
from modelica_ast.tree import ClassDefinition, parse_file, walk

# ---------------------------------------------------------------- samples
# The pieces that `documents` puts together. The plainest of each come first: there Hypothesis shrinks to.

COMPONENT_NAMES: Final = ("x", "y", "body", "joint1", "k", "frame_a", "'odd name'", "T_ref")
CLASS_NAMES: Final = ("M", "Arm", "Base", "Gripper2", "'Odd class'")
CLASS_KINDS: Final = ("model", "package", "partial model", "block", "record", "encapsulated model")
CLASS_DESCRIPTIONS: Final = ("", ' "described"', '\n  "described below"')
SHORT_CLASSES: Final = ("Real", "A.B(k=1)", 'input Real[3](each unit="m") "described"', 'enumeration(a, b "b")')
HEADS: Final = ("", "within;\n", "within Robots.Parts;\n", "// header\n\n", "/* licence */\nwithin A;\n")
TAILS: Final = ("", "// the end\n", "\n\n")

TYPES: Final = ("Real", "A.B", "Modelica.Units.SI.Mass", ".Modelica.Blocks.Sources.Step", "Inner")
PREFIXES: Final = ("", "parameter ", "final parameter ", "inner ", "replaceable ", "flow ", "constant ", "input ")
SUBSCRIPTS: Final = ("", "[3]", "[2, :]", "[n + 1]")
ARGUMENTS: Final = (
    "start=1",
    "k = 2",
    "each final min=0",
    "a(b=1, c(d=2))",
    "e.f=3",
    "redeclare G g(h=1)",
    "redeclare model N = P(q=1)",
    "replaceable record R = S constrainedby T",
    'unit="kg" "described"',
    "final fixed",
)
BETWEEN_ARGUMENTS: Final = (", ", ",", ",\n    ", ", // about it\n    ", " /* c */, ")
BINDINGS: Final = ("", " = 1", "=2.50", " = a + b", " = R(m=1, c={0, 1})", " = R(q=S(t=1), u = 2)", " = R(1, 2)")
CONDITIONS: Final = ("", "", " if useIt")
DESCRIPTIONS: Final = ("", ' "text"', ' "a" + "b"', '\n    "on its own line"', r' "with \"quotes\""')
ANNOTATIONS: Final = (
    "",
    " annotation (Placement(transformation(extent={{-10,-10},{10,10}})))",
    " annotation(Evaluate=true)",
    '\n    annotation (choices(choice=1), Dialog(group = "a"))',
)
IMPORTS: Final = ("A.B", "C = A.B", "A.B.*", "A.B.{C, D}", "Modelica.Units.SI")
EXTENDS: Final = ("Base", "A.B(k=1)", "Icons.Part(final k = 2, a(b=3))", "C(break d)")
EQUATIONS: Final = (
    "x = 1;",
    'der(x) = -k*x "described";',
    'assert(x > 0, "x");',
    "if b then\n    connect(a[1].c, d);\n  else\n    y = 2;\n  end if;",
    "for i in 1:n loop\n    connect(c[i].p, c[i + 1].n); // behind\n  end for;",
    "when x > 1 then\n    reinit(x, 0);\n  end when;",
)
ENDS: Final = ("a.frame_b", "b.frame_a", "body.p[1]", "world", "'odd name'.q")
STATEMENTS: Final = ("x := 1;", "(a, , b) := f(x);", "while x > 0 loop\n    x := x - 1;\n  end while;", "return;")
CLASS_ANNOTATIONS: Final = (
    'annotation (Documentation(info="<html>\n<p>Text</p>\n</html>"));',
    'annotation (experiment(StopTime=5, Tolerance = 1e-6), uses(Modelica(version="4.1.0")));',
    'annotation(Icon(graphics={Line(points={{0,0},{1,1}}), Text(textString="%name")}));',
)
# Comments and blanks after a thing on its line, and on lines of their own above it.
BEHIND: Final = ("", "", "", " // behind", "  /* behind */", " ")
ABOVE: Final = ((), (), (), ("// above",), ("", "// set off", ""), ("",), ("/* above", "   in two lines */"))

# ---------------------------------------------------------------- documents

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
    names = draw(st.lists(st.sampled_from(CLASS_NAMES), min_size=1, max_size=max_classes, unique=True))
    author = _Author(draw, max_elements)
    text = author.pick(HEADS) + "".join(author.class_(name, _DEEPEST) + ";\n" for name in names)
    text += author.pick(TAILS)
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
        """True once in this many times; an example shrinks to where it is not."""
        return self._draw(st.integers(1, one_in)) == one_in

    def some(self, choices: Sequence[_T], most: int) -> list[_T]:
        """Some of these, each once, in any order."""
        return self._draw(st.lists(st.sampled_from(choices), max_size=min(most, len(choices)), unique=True))

    def class_(self, name: str, depth: int) -> str:
        """A class with a body, from its first token to its `end`."""
        head = f"{self.pick(CLASS_KINDS)} {name}{self.pick(CLASS_DESCRIPTIONS)}"
        names = self.some(COMPONENT_NAMES, self._max_elements)
        public = self._draw(st.integers(0, len(names))) if names else 0
        lines = [*self._taken_from_elsewhere(), *self._components(names[len(names) - public :])]
        lines += self._inner_classes(depth)
        if public < len(names):
            lines += ["protected", *self._components(names[: len(names) - public])]
        if self.seldom(2):
            lines += self._sections()
        if self.seldom(2):
            lines.append(f"  {self.pick(CLASS_ANNOTATIONS)}")
        behind = self.pick(BEHIND)
        if not any("//" in text for text in (head, behind, *lines)) and self.seldom(4):
            return " ".join([head + behind, *(line.strip() for line in lines), f"end {name}"])
        return "\n".join([head + behind, *lines, f"end {name}"])

    def _taken_from_elsewhere(self) -> Iterable[str]:
        found = [f"import {name};" for name in self.some(IMPORTS, 1)]
        found += [f"extends {base};" for base in self.some(EXTENDS, 2)]
        return self._on_lines(found)

    def _inner_classes(self, depth: int) -> Iterable[str]:
        names = self.some(CLASS_NAMES, 1 if depth > 0 else 0)
        if names and self.seldom(2):
            return self._on_lines([f"type {names[0]} = {self.pick(SHORT_CLASSES)};"])
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
        head = f"{self.pick(PREFIXES)}{self.pick(TYPES)} "
        return head + self.pick((", ", ",\n    ")).join(map(self._declaration, names)) + ";"

    def _declaration(self, name: str) -> str:
        text = name
        if self.seldom(3):
            text += self.pick(SUBSCRIPTS)
        arguments = self.some(ARGUMENTS, 3)
        if arguments:
            text += f"({self.pick(BETWEEN_ARGUMENTS).join(arguments)})"
        text += self.pick(BINDINGS)
        if self.seldom(2):
            text += self.pick(CONDITIONS) + self.pick(DESCRIPTIONS) + self.pick(ANNOTATIONS)
        return text

    def _sections(self) -> list[str]:
        lines: list[str] = []
        if self.seldom(4):
            lines += ["initial equation", *self._on_lines(self.some(EQUATIONS[:3], 1))]
        lines += ["equation", *self._on_lines([*self.some(EQUATIONS, 2), *self._connections()])]
        if self.seldom(2):
            lines += ["algorithm", *self._on_lines(self.some(STATEMENTS, 3))]
        return lines

    def _connections(self) -> list[str]:
        ends = self.some(ENDS, 4)
        return [f"connect({one}, {other}){self.pick(ANNOTATIONS)};" for one, other in pairwise(ends)]

    def _on_lines(self, things: Iterable[str]) -> list[str]:
        """Each on its line, with comments and blank lines around."""
        lines: list[str] = []
        for thing in things:
            lines += [f"  {above}" if above else "" for above in self.pick(ABOVE)]
            lines.append(f"  {thing}{self.pick(BEHIND)}")
        return lines


# ---------------------------------------------------------------- library
# Classes of real libraries.


def library_classes(root: str | os.PathLike[str], *, max_length: int = 20_000) -> st.SearchStrategy[str]:
    """The text of classes from the `.mo` files below a folder, each a file on its own, with its comments as they are.

    Classes longer than `max_length` characters are left out: what is wrong with them is wrong with shorter ones too.
    A failing example says which class of which file it is. Files are read when they are drawn, not before; one that
    does not parse has no classes to draw.
    """
    files = [path for path in sorted(Path(root).rglob("*.mo")) if path.is_file()]
    if not files:
        raise FileNotFoundError(f"there is no .mo file below {root}")
    return _library_classes(files, max_length)


@st.composite
def _library_classes(draw: st.DrawFn, files: list[Path], max_length: int) -> str:
    file = draw(st.sampled_from(files).filter(lambda path: bool(_classes_of(path, max_length))))
    name, text = draw(st.sampled_from(_classes_of(file, max_length)))
    note(f"{name} of {file}")
    return text


@cache
def _classes_of(file: Path, max_length: int) -> list[tuple[str, str]]:
    """(full name, text) of every class of a file, the shortest first: there Hypothesis shrinks to."""
    try:
        tree = parse_file(file)
    except ModelicaSyntaxError:
        return []
    views = [view for view in walk(tree, annotations=False) if isinstance(view, ClassDefinition)]
    found = [(view.full_name, f"{view.text};\n") for view in views]
    return sorted((each for each in found if len(each[1]) <= max_length), key=lambda each: len(each[1]))
