"""A transform, in one of the forms that people have it in, run on a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from modelica_ast.edit.document import Document
from modelica_ast.edit.errors import EditError
from modelica_ast.parse import parse
from modelica_ast.record import Record

Operation = Mapping[str, Any]


class TextTransform(Record):
    """A function from text to text; see `on_text`."""

    function: Callable[[str], str]


# A function that edits a document, one from text to text, a patch, or one operation of a patch.
Transform = Callable[[Document], object] | TextTransform | Sequence[Operation] | Operation


def on_text(function: Callable[[str], str]) -> TextTransform:
    """A transform from text to text: a plain function is taken for one that edits a Document."""
    return TextTransform(function)


class Run(Record):
    """What a transform did to a text."""

    before: str
    after: str
    refusal: EditError | None
    document: Document | None  # none for a transform from text to text
    inverse: Sequence[Operation] | None  # the patch that takes it back, where there is one


def run(transform: Transform, text: str) -> Run:
    """Run a transform on a text that parses. A refusal is caught; any other exception is the transform's fault."""
    if isinstance(transform, TextTransform):
        parse(text)
        return _run_on_text(transform.function, text)
    document = Document(text)
    inverse: Any = None
    refusal = None
    try:
        if isinstance(transform, Mapping):
            inverse = _applied(document, [transform])
        elif isinstance(transform, Sequence):
            inverse = _applied(document, transform)
        else:
            transform(document)
    except EditError as error:
        refusal = error
    return Run(text, document.text, refusal, document, inverse)


def _applied(document: Document, operations: Sequence[Operation]) -> Any:
    apply: Callable[[Sequence[Operation]], Any] = document.apply
    return apply(operations)


def _run_on_text(function: Callable[[str], str], text: str) -> Run:
    try:
        after = function(text)
    except EditError as error:
        return Run(text, text, error, None, None)
    if not isinstance(after, str):
        raise TypeError(f"a transform from text to text returned {type(after).__name__}, not str")
    return Run(text, after, None, None, None)
