"""Tokens and gaps to text: line ends, indentation, comments.

Where the author ended lines is kept, within limits; where lines start follows from the grammar.
"""

from __future__ import annotations

from typing import Final

import attrs

from modelica_ast.edit import Editable, ExactEditor, Index, Working, node_of
from modelica_ast.format.breaks import DEEPEST, Alignment, Plan, Widths, planned
from modelica_ast.format.slots import (
    Comment,
    Gap,
    Slot,
    gap_of,
    line_end_of,
    moved,
    pieces_of,
    slots_of,
    width_of_blanks,
)
from modelica_ast.foundation import ModelicaError, Source
from modelica_ast.syntax import Node, lex, read, render, token_text

# ---------------------------------------------------------------- options
# What can be chosen about the layout.


@attrs.frozen
class Options:
    """`width`: where lines are broken, in characters; `indent`: blanks for each level."""

    width: int = 100
    indent: int = 2

    def __attrs_post_init__(self) -> None:
        for name, value in (("width", self.width), ("indent", self.indent)):
            if value < 1:
                raise ModelicaError(f"{name} is {value}; it must be at least 1")


# ---------------------------------------------------------------- layout


class Layout:
    """Writes a file, token by token."""

    def __init__(self, slots: list[Slot], plans: list[Plan], options: Options, line_end: str) -> None:
        self._slots = slots
        self._plans = plans
        self._options = options
        self._line_end = line_end
        self._widths = Widths(slots, plans)
        self._alignment = Alignment(options.indent)
        self._out: list[str] = []
        self._column = 0  # in what is written
        self._old_column = 0  # in what was there

    def write(self) -> str:
        """The text."""
        for index, (slot, plan) in enumerate(zip(self._slots, self._plans, strict=True)):
            self._write_gap(index, slot, plan)
            if slot.starts_line:
                started_line = "\n" in plan.pieces[-1].text if plan.gap is None else plan.gap.line_ends > 0
                self._alignment.start(self._old_column if started_line or not index else None, self._column)
            self._alignment.token(slot, self._old_column, self._column)
            self._put(slot.token)
            self._pass(slot.token)
        return "".join(self._out)

    # ------------------------------------------------------------ gaps

    def _write_gap(self, index: int, slot: Slot, plan: Plan) -> None:
        for piece in plan.pieces[:-1]:
            if piece.is_formatted:
                self._write_comments(slot, gap_of(piece.text))
            else:
                self._keep(piece.text)
        if plan.gap is None:
            self._keep(plan.pieces[-1].text)
            return
        self._write_comments(slot, plan.gap)
        self._skip(plan.gap.line_ends, plan.gap.blanks)
        if not slot.token:
            self._put(self._line_end if self._out else "")  # the end of the file
        elif plan.is_broken:
            self._start_token_line(plan.gap.line_ends, self._column_of(slot, starts_old_line=plan.gap.line_ends > 0))
        elif plan.gap.comments:
            self._put(" " if plan.text.endswith(" ") else "")
        elif self._is_too_long(index, slot, plan):
            self._start_token_line(1, self._alignment.column(slot))
            if self._widths.is_column(index):
                self._alignment.start_column()
        else:
            self._put(plan.text)

    def _is_too_long(self, index: int, slot: Slot, plan: Plan) -> bool:
        """Does what must be on this line not fit, and is there more room on the next?"""
        needed = self._widths.needed(index)
        if needed is None:
            return False
        if self._alignment.is_in_column:
            return True
        if self._column + len(plan.text) + needed <= self._options.width:
            return False
        return self._alignment.column(slot) < self._column

    # ------------------------------------------------------------ comments

    def _write_comments(self, slot: Slot, gap: Gap) -> None:
        """The comments of a gap, without what follows the last."""
        line_ends_behind = [*(comment.line_ends for comment in gap.comments[1:]), gap.line_ends]
        for comment, line_ends in zip(gap.comments, line_ends_behind, strict=False):
            self._skip(comment.line_ends, comment.blanks)
            if self._is_at_start:
                pass
            elif comment.line_ends:
                self._start_line(comment.line_ends, self._column_of_comment(slot, gap))
            else:
                self._put(self._blanks_before(comment, ends_line=line_ends > 0 or comment.is_line))
            self._put(moved(comment.text, self._column - self._old_column, self._options.indent))
            self._pass(comment.text)

    def _blanks_before(self, comment: Comment, *, ends_line: bool) -> str:
        """Between something and a comment on the same line. Comments at the end of lines may be in a column."""
        is_column = ends_line and len(comment.blanks) > 1 and not comment.blanks.strip(" ")
        if is_column:
            return comment.blanks
        touches = not comment.blanks and self._out[-1] in ("(", "[", "{")
        return "" if touches else " "

    def _column_of_comment(self, slot: Slot, gap: Gap) -> int:
        """Comments are where the next token does. Above `end` or `equation` they may be about what is before."""
        if slot.closes_block:
            goes_with_token = gap.line_ends and self._old_column <= width_of_blanks(gap.blanks, self._options.indent)
            return self._column_of_level(slot.indentation + (not goes_with_token))
        if slot.starts_line:
            return self._column_of_level(slot.indentation)
        return self._alignment.column(slot, self._old_column, is_comment=True)

    # ------------------------------------------------------------ lines and columns

    @property
    def _is_at_start(self) -> bool:
        """Is there nothing yet but the mark of the encoding?"""
        return not self._out or self._out == ["\ufeff"]

    def _column_of(self, slot: Slot, *, starts_old_line: bool) -> int:
        """Where a line starts that starts with a token."""
        if slot.starts_line:
            return self._column_of_level(slot.indentation)
        return self._alignment.column(slot, self._old_column if starts_old_line else None)

    def _column_of_level(self, level: int) -> int:
        return min(level, DEEPEST) * self._options.indent

    def _start_token_line(self, line_ends: int, column: int) -> None:
        self._alignment.item_at(column)
        self._start_line(line_ends, column)

    def _start_line(self, line_ends: int, column: int) -> None:
        """End the line and start another; of the blank lines that the author has, one stays."""
        self._put(self._line_end * min(max(line_ends, 1), 2))
        self._alignment.line(column)
        self._put(" " * column)

    def _keep(self, text: str) -> None:
        """A part of the old text that stays as it is."""
        self._put(text)
        self._pass(text)

    def _put(self, text: str) -> None:
        if text:
            self._out.append(text)
            self._column = _column_behind(text, self._column)

    def _skip(self, line_ends: int, blanks: str) -> None:
        """Pass blanks of the old text."""
        width = width_of_blanks(blanks, self._options.indent)
        self._old_column = width if line_ends else self._old_column + width

    def _pass(self, text: str) -> None:
        """Pass a token or a comment of the old text."""
        self._old_column = _column_behind(text, self._old_column)


def _column_behind(text: str, column: int) -> int:
    at = text.rfind("\n")
    return column + len(text) if at < 0 else len(text) - at - 1


# ---------------------------------------------------------------- text
# Text in, text out: the parts of formatting put together, and the proof that no token has changed.

DEFAULT: Final = Options()


def format_text(text: str, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> str:
    """Modelica in the layout of the Standard Library; see docs/formatting.md.

    Only what is between tokens changes: no token does, and no comment but in its indentation. What is formatted
    stays as it is. ModelicaSyntaxError if it is not Modelica, annotations included.
    """
    return format_source(Source(text), width=width, indent=indent)


def format_source(source: Source, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> str:
    """The same for a text that knows where it came from, for the messages."""
    options = Options(width, indent)
    return format_tree(read(source, lazy=False).green, options)


def format_tree(root: Node, options: Options, chosen: Node | None = None) -> str:
    """The text of a tree in which no annotation is left unread; with `chosen`, only that node is formatted."""
    slots = slots_of(root, chosen)
    gaps = list(pieces_of(slots))
    line_end = line_end_of(render(root), gaps)
    formatted = Layout(slots, planned(slots, gaps), options, line_end).write()
    found = [token_text(leaf) for leaf, _ in lex(formatted, lazy=False)]
    if found != [slot.token for slot in slots]:
        at = next(index for index, (one, slot) in enumerate(zip(found, slots, strict=False)) if one != slot.token)
        raise ModelicaError(f"formatting would change '{slots[at].token}' to '{found[at]}': nothing is formatted")
    return formatted


# ---------------------------------------------------------------- documents
# Formatting as an edit of a document: one step that can be undone.


def format_document(document: Editable, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> None:
    """Format all of a document, as one step; ModelicaSyntaxError if one of its annotations can't be read."""
    _format(document, None, Options(width, indent))


def format_class(document: Editable, name: str, *, width: int = DEFAULT.width, indent: int = DEFAULT.indent) -> None:
    """Format one class of a document with the comments above it, as one step; NotFoundError names the nearest.

    All else stays as it is. The class is indented as deep as it is nested.
    """
    _format(document, name, Options(width, indent))


def _format(document: Editable, name: str | None, options: Options) -> None:
    # Annotations too: a document has not read them yet.
    root = read(Source(render(document.work.root), document.work.file), lazy=False).green
    chosen = None if name is None else _declaration(root, name)
    new = read(Source(format_tree(root, options, chosen))).green
    document.edit(ExactEditor.take, new, is_proved=True)


def _declaration(root: Node, name: str) -> Node:
    """The class of a name with its prefixes and its semicolon."""
    holder = Working(root, Index()).find_class(name).parent
    assert holder is not None
    return node_of(holder)
