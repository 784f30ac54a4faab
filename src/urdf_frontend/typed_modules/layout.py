"""Python trees as text that people like to read. `ast.unparse` writes each statement into one line, however long.

What it writes is taken apart into tokens, and brackets that do not fit are opened: one element on each line, as
formatters do. The result is parsed again and must be the same tree.
"""

from __future__ import annotations

import ast
import io
import math
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

WIDTH: Final = 120
_INDENT: Final = "    "
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_SKIPPED: Final = {tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER, tokenize.COMMENT}


class LayoutError(AssertionError):
    """The text does not say what the tree says, which must not happen."""


@frozen
class _Piece:
    """A token, and whether there is a blank before it."""

    text: str
    spaced: bool
    is_name: bool


@frozen
class _Line:
    """A logical line: at which depth it is, and its tokens."""

    depth: int
    pieces: tuple[_Piece, ...]

    @property
    def first(self) -> str:
        return self.pieces[0].text


def text_of(statement: ast.stmt) -> str:
    """The text of a statement, without a line end after it."""
    # Inside a module, a text that stands alone is written as a docstring.
    lines = _stubs_in_one_line(list(_logical_lines(ast.unparse(ast.Module([statement], [])))))
    written: list[str] = []
    for number, line in enumerate(lines):
        if number and _has_blank_before(lines[number - 1], line):
            written.append("")
        written += _Opener(line).lines()
    text = "\n".join(written)
    if not is_same(statement, ast.parse(text).body[0]):
        raise LayoutError(f"the layout of this statement would change it: {ast.unparse(statement)[:200]}")
    return text


def is_same(one: ast.AST, other: ast.AST) -> bool:
    """Do two trees say the same, wherever they are? What is nested too deep to look at was never generated."""
    try:
        return ast.dump(one) == ast.dump(other)
    except RecursionError:
        return False


def _logical_lines(text: str) -> Iterator[_Line]:
    depth = 0
    pieces: list[_Piece] = []
    end = (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type == tokenize.NEWLINE:
            yield _Line(depth, tuple(pieces))
            pieces = []
        elif token.type not in _SKIPPED:
            shown = _double_quoted(token.string) if token.type == tokenize.STRING else token.string
            pieces.append(_Piece(shown, token.start != end and bool(pieces), token.type == tokenize.NAME))
        end = token.end


def _double_quoted(text: str) -> str:
    """The quotes that formatters prefer, where nothing inside speaks against it."""
    inside = text[1:-1]
    is_plain = text.startswith("'") and not text.startswith("'''") and '"' not in inside
    return f'"{inside}"' if is_plain else text


def _stubs_in_one_line(lines: list[_Line]) -> list[_Line]:
    """A function whose body is `...` is one line."""
    joined: list[_Line] = []
    for line in lines:
        if line.first == "..." and joined and joined[-1].first == "def":
            joined[-1] = _Line(joined[-1].depth, (*joined[-1].pieces, _Piece("...", spaced=True, is_name=False)))
        else:
            joined.append(line)
    return joined


def _has_blank_before(before: _Line, line: _Line) -> bool:
    """After the docstring of a class, and before a method that has no stub right before it."""
    if before.depth == line.depth and before.first.startswith(('"""', "'''")):
        return line.first != "return"
    starts_method = line.first == "@" or (line.first == "def" and before.first != "@")
    return starts_method and before.depth >= line.depth and before.pieces[-1].text != "..."


@define
class _Opener:
    """Writes one logical line, and opens the brackets that do not fit."""

    line: _Line
    closing: dict[int, int] = field(init=False)  # from each opening bracket to its end
    opening: dict[int, int] = field(init=False)  # and back
    has_comma: set[int] = field(init=False)  # opening brackets with a comma right inside

    def __attrs_post_init__(self) -> None:
        self.closing, self.opening, self.has_comma = {}, {}, set()
        around: list[int] = []
        for number, piece in enumerate(self.line.pieces):
            if piece.text in _OPENING:
                around.append(number)
            elif piece.text in _CLOSING:
                self.opening[number] = around.pop()
                self.closing[self.opening[number]] = number
            elif piece.text == "," and around:
                self.has_comma.add(around[-1])

    def lines(self) -> list[str]:
        pieces = self.line.pieces
        written: list[str] = []
        current = _INDENT * self.line.depth
        opened: list[int] = []  # the ends of brackets that are open over several lines
        number = 0
        while number < len(pieces):
            piece = pieces[number]
            if opened and number == opened[-1]:
                if self._takes_comma(self.opening[number]) and pieces[number - 1].text != ",":
                    current += ","
                if current.strip():
                    written.append(current)
                opened.pop()
                current = self._indent(opened) + piece.text
            elif piece.text in _OPENING and self.closing[number] > number + 1:
                end = self.closing[number]
                current += self._spaced(piece, current)
                if len(current) + len(self._flat(number + 1, self._stretch(end, opened))) <= WIDTH:
                    current += self._flat(number + 1, end + 1)
                    number = end
                else:
                    written.append(current)
                    opened.append(end)
                    current = self._indent(opened)
            elif piece.text == "," and opened:
                written.append(f"{current},")
                current = self._indent(opened)
            else:
                current += self._spaced(piece, current)
            number += 1
        return [*written, current] if current.strip() else written

    def _indent(self, opened: list[int]) -> str:
        return _INDENT * (self.line.depth + len(opened))

    def _spaced(self, piece: _Piece, current: str) -> str:
        return f" {piece.text}" if piece.spaced and current.strip() else piece.text

    def _flat(self, start: int, end: int) -> str:
        return "".join(f" {piece.text}" if piece.spaced else piece.text for piece in self.line.pieces[start:end])

    def _stretch(self, end: int, opened: list[int]) -> int:
        """Up to where things have to come after a bracket if it is not opened: to where a line can end."""
        pieces = self.line.pieces
        last = opened[-1] if opened else len(pieces)
        number = end + 1
        while number < last:
            if pieces[number].text == ",":
                return number + 1
            if pieces[number].text in _OPENING:
                # What is in a later bracket can go to lines of its own. But parameters are opened before results.
                if self.line.first != "def":
                    return number + 1
                number = self.closing[number]
            number += 1
        return last + 1 if opened else last

    def _takes_comma(self, opener: int) -> bool:
        """May there be a comma after the last element? In `x[a]` it would make a tuple of it."""
        before = self.line.pieces[opener - 1] if opener else None
        is_call = (
            self.line.pieces[opener].text == "(" and before is not None and (before.is_name or before.text in "])")
        )
        return is_call or opener in self.has_comma or self.line.pieces[opener].text == "{"


def joined_texts(texts: Iterable[str]) -> str:
    """The statements of a module, classes set off by two blank lines, others by one."""
    written = ""
    before = ""
    for text in texts:
        if written:
            around = any(each.startswith(("class ", "def ", "@")) for each in (before, text))
            written += "\n\n\n" if around else "\n" if _stand_together(before, text) else "\n\n"
        written += text
        before = text
    return f"{written}\n"


def _stand_together(before: str, text: str) -> bool:
    """Short lines of one kind need no blank line between them."""
    return all(
        "\n" not in each and (": typing.TypeAlias" in each or each.startswith("type ")) for each in (before, text)
    )


# ---------------------------------------------------------------- nodes
# Pieces of Python as trees of `ast`, in the form in which `ast.parse` would give them back.

_LOAD: Final = ast.Load()
RUNTIME: Final = "typed"  # what generated modules call `urdf_frontend.typed`


def name(dotted: str) -> ast.expr:
    """A name, or what it leads to: `typing.Final`."""
    first, *rest = dotted.split(".")
    node: ast.expr = ast.Name(first, _LOAD)
    for attribute in rest:
        node = ast.Attribute(node, attribute, _LOAD)
    return node


def runtime(attribute: str) -> ast.expr:
    """A name of the runtime."""
    return name(f"{RUNTIME}.{attribute}")


def literal(value: float | str | None) -> ast.expr:
    """A text or a finite number. What is negative is a minus and a number: that is how Python reads it."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.copysign(1.0, value) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def numbers(values: Iterable[float]) -> ast.expr:
    """A tuple of numbers."""
    return tuple_of(literal(value) for value in values)


def texts(values: Iterable[str]) -> ast.expr:
    """A tuple of texts."""
    return tuple_of(literal(value) for value in values)


def tuple_of(elements: Iterable[ast.expr]) -> ast.expr:
    """A tuple."""
    return ast.Tuple(list(elements), _LOAD)


def mapping(pairs: Iterable[tuple[ast.expr, ast.expr]]) -> ast.expr:
    """A dictionary."""
    both = list(pairs)
    return ast.Dict([key for key, _ in both], [value for _, value in both])


def call(function: str, *positional: ast.expr, named: Mapping[str, ast.expr | None] | None = None) -> ast.Call:
    """A call of something of the runtime; named arguments that are None are left out."""
    keywords = [ast.keyword(key, value) for key, value in (named or {}).items() if value is not None]
    return ast.Call(runtime(function), list(positional), keywords)


def subscript(value: ast.expr, *elements: ast.expr) -> ast.expr:
    """`value[a, b]`."""
    inside = elements[0] if len(elements) == 1 else tuple_of(elements)
    return ast.Subscript(value, inside, _LOAD)


def union(*types: ast.expr) -> ast.expr:
    """`A | B`."""
    node = types[0]
    for each in types[1:]:
        node = ast.BinOp(node, ast.BitOr(), each)
    return node


def assignment(target: str, value: ast.expr) -> ast.stmt:
    """`target = value`."""
    return ast.fix_missing_locations(ast.Assign([ast.Name(target, ast.Store())], value))


def annotated(target: str, annotation: ast.expr, value: ast.expr) -> ast.stmt:
    """`target: annotation = value`."""
    return ast.fix_missing_locations(ast.AnnAssign(ast.Name(target, ast.Store()), annotation, value, 1))


def class_of(title: str, base: ast.expr, body: list[ast.stmt]) -> ast.ClassDef:
    """A class with one base."""
    # Versions of Python differ in what further fields the node has; those get their defaults.
    parts: dict[str, Any] = {"keywords": [], "decorator_list": []}
    if "type_params" in ast.ClassDef._fields:
        parts["type_params"] = []
    return ast.fix_missing_locations(ast.ClassDef(title, [base], body=body, **parts))


def function(
    title: str,
    parameters: Mapping[str, ast.expr | None],
    returns: ast.expr,
    body: list[ast.stmt],
    decorators: Iterable[ast.expr] = (),
) -> ast.FunctionDef:
    """A function whose parameters have types, but for `self`."""
    arguments = ast.arguments([], [ast.arg(key, type_) for key, type_ in parameters.items()], None, [], [], None, [])
    parts: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
    made = ast.FunctionDef(title, arguments, body, list(decorators), returns, None, **parts)
    return ast.fix_missing_locations(made)


def text_line(text: str) -> ast.stmt:
    """A text that stands alone: a docstring."""
    return ast.Expr(ast.Constant(text))


ELLIPSIS: Final = ast.Expr(ast.Constant(...))
