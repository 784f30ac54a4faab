"""What the library raises for its users: a sentence, its place, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from modelica_ast.foundation.source import Source

_EXCERPT = 100  # characters of a source line that a message shows at most
Cause = Literal["refused", "unreadable", "failed", "undecided"]


class ModelicaError(Exception):
    """Base of all errors that this library raises on purpose.

    `cause` says what to do about it: ask for something else, bring another file (`unreadable`), look at the model that
    did not run (`failed`), or decide what only a user can know (`undecided`).
    """

    cause: ClassVar[Cause] = "refused"


class EditError(ModelicaError, ValueError):
    """A change of a tree or of files that was refused; nothing has changed."""


class NotFoundError(EditError, LookupError):
    """A selector that matches nothing; the message names the nearest."""


class AmbiguousError(EditError):
    """A selector that matches more than one thing; the message names them."""


class ModelicaSyntaxError(ModelicaError):
    """Text that is not Modelica: where, why, and a hint where a common slip fits.

    `str(error)` is `file:line:col: sentence`, then the source line with a caret, then the hint.
    """

    cause = "unreadable"

    def __init__(
        self, message: str, source: Source, offset: int, *, hint: str = "", expected: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.expected = expected
        position = source.position(offset)
        while source.around is not None:
            source = source.around
        self.source = source
        self.path = source.path
        self.offset = position.offset
        self.line = position.line
        self.column = position.column

    def __reduce__(self) -> tuple[Callable[..., ModelicaSyntaxError], tuple[object, ...]]:
        """For pickle: a worker's errors reach the process that asked."""
        return _restored, (self.message, self.source, self.offset, self.hint, self.expected)

    @property
    def headline(self) -> str:
        """`file:line:col: sentence`, without the source line and the hint."""
        return f"{self.source.name}:{self.line}:{self.column}: {self.message}"

    def __str__(self) -> str:
        text, column = _excerpt(self.source.line_text(self.line), self.column)
        number = str(self.line)
        # Tabs stay tabs, so that the caret is below its character whatever their width is.
        pad = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
        lines = [self.headline, f"{number} | {text}", f"{' ' * len(number)} | {pad}^"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


def _restored(message: str, source: Source, offset: int, hint: str, expected: tuple[str, ...]) -> ModelicaSyntaxError:
    return ModelicaSyntaxError(message, source, offset, hint=hint, expected=expected)


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of an overlong line around the column, and the column in that part."""
    start = 0
    if len(line) > _EXCERPT:
        start = max(0, min(column - _EXCERPT // 2, len(line) - _EXCERPT))
        line = line[start : start + _EXCERPT]
    # Control characters would garble a terminal, and a NUL ends many programs' idea of a text.
    return "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line), column - start
