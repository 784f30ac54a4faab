"""What every good transform keeps, as checks to call in a test.

Each takes a transform and a text, runs one on the other, and raises AssertionError with the lines that are wrong. A
transform is a function that edits a `Document`, a patch, one operation of a patch, or `on_text(function)`. If it
refuses (EditError), it has kept a law when nothing has changed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from modelica_ast.edit import Document
from modelica_ast.foundation import EditError, ModelicaSyntaxError, Record
from modelica_ast.syntax import equal
from modelica_ast.testing.touched import Place, differs_elsewhere, offsets
from modelica_ast.tree import parse, render

# ---------------------------------------------------------------- differences
# Two texts that should be the same, and what a person must see of them: the lines that differ, and no others.

_MOST_LINES: Final = 40
_VISIBLE: Final = str.maketrans({"\r": "␍", "\t": "⇥", "\u00a0": "⍽", "\f": "␌", "\v": "␋", "\ufeff": "<BOM>"})


class Hunk(NamedTuple):
    """Lines `start` to `stop` (from 0, `stop` excluded) of the old text, and what is there in the new one."""

    start: int
    stop: int
    old: list[str]
    new: list[str]

    def __str__(self) -> str:
        place = f"line {self.start + 1}" if self.stop <= self.start + 1 else f"lines {self.start + 1} to {self.stop}"
        # What differs in blanks alone must be seen, and else blanks should not get in the way.
        mark = ["".join(lines).split() for lines in (self.old, self.new)]
        show = _show_blanks if mark[0] == mark[1] else _show
        lines = [f"@ {place}", *(f"- {show(line)}" for line in self.old), *(f"+ {show(line)}" for line in self.new)]
        return "\n".join(lines)


def hunks(old: str, new: str) -> list[Hunk]:
    """Where two texts differ, line by line."""
    before, after = _lines(old), _lines(new)
    # Common ends first: difflib takes quadratic time, and most of two texts is the same.
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    stop = 0
    while stop < min(len(before), len(after)) - start and before[-1 - stop] == after[-1 - stop]:
        stop += 1
    inner, other = before[start : len(before) - stop], after[start : len(after) - stop]
    matcher = difflib.SequenceMatcher(None, inner, other, autojunk=False)
    return [
        Hunk(start + i, start + j, inner[i:j], other[k:m])
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def difference(old: str, new: str) -> str:
    """The lines that differ, `-` for those of the old text and `+` for those of the new one."""
    return shown(hunks(old, new))


def shown(found: list[Hunk]) -> str:
    """Hunks one below the other, not more than a screen full."""
    lines = "\n".join(map(str, found)).splitlines()
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"… and {len(lines) - _MOST_LINES} more lines"]
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    r"""Split at `\n` alone: a form feed ends no line of Modelica."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [text.rsplit("\n", maxsplit=1)[-1]]


def _show(line: str) -> str:
    if not line.endswith("\n"):
        return f"{line} (no line end)" if line else "(no line)"
    return line.rstrip("\r\n")


def _show_blanks(line: str) -> str:
    text = line.removesuffix("\n").translate(_VISIBLE)
    body = text.rstrip(" ")
    return body + "·" * (len(text) - len(body)) + ("⏎" if line.endswith("\n") else "")


# ---------------------------------------------------------------- transforms
# A transform, in one of the forms that people have it in, run on a text.

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


# ---------------------------------------------------------------- laws

Allowed = Iterable[Place] | Callable[[str], Iterable[Place]]


def check_all(
    transform: Transform,
    text: str,
    *,
    allowed: Allowed | None = None,
    idempotent: bool = True,
    inverse: Transform | None = None,
) -> None:
    """All laws that can be checked with what is given.

    A transform that adds something each time it runs is not idempotent and says so. Locality needs to know what is
    `allowed`. A transform from text to text has no undo, so its inverse is checked if one is given.
    """
    check_round_trip(text)
    check_refusal(transform, text)
    check_parses(transform, text)
    if allowed is not None:
        check_locality(transform, text, allowed=allowed)
    if idempotent:
        check_idempotence(transform, text)
    if inverse is not None or not isinstance(transform, TextTransform):
        check_inverse(transform, text, inverse=inverse)


def check_round_trip(text: str) -> None:
    """`render(parse(text))` is the text, byte for byte, and a document that nobody edits is unchanged."""
    _same(text, render(parse(text)), "render(parse(text)) is a different text")
    document = Document(text)
    _same(text, document.text, "a document that nobody edited has a different text")
    if document.is_changed:
        raise AssertionError("a document that nobody edited says that it is changed")


def check_identity(transform: Transform, text: str) -> None:
    """A transform that has nothing to do in this text changes nothing."""
    check_round_trip(text)
    done = run(transform, text)
    _same(text, done.after, "the transform has nothing to do here and changes the text")


def check_refusal(transform: Transform, text: str) -> None:
    """If the transform refuses, nothing has changed: neither the text nor what can be undone."""
    done = run(transform, text)
    if done.refusal is not None:
        _check_refused(done)


def check_parses(transform: Transform, text: str) -> None:
    """What the transform leaves is Modelica, and the document's tree is the tree of its text.

    Annotations are read too, if those of the text before can be.
    """
    done = _accepted(transform, text)
    if done is None:
        return
    try:
        again = parse(done.after)
        if _parses_strictly(text):
            parse(done.after, strict=True)
    except ModelicaSyntaxError as error:
        raise AssertionError(f"the result is not Modelica: {error}\n{difference(text, done.after)}") from error
    _same(done.after, render(again), "the result parses, but not to its own text")
    if done.document is not None and not equal(done.document.tree.green, again.green):
        raise AssertionError(
            f"the document's tree is not the tree of its text\n{difference(text, done.after)}"
            "\nedit with verbs: they prove that what they write reads back"
        )


def check_locality(transform: Transform, text: str, *, allowed: Allowed) -> None:
    """Every byte outside of the allowed places is as it was.

    A place is a line (from 1), a `range` of lines, the name of a class, a `Span` of a view, or a pair of offsets, all
    in the text before; or `allowed` is a function that is given the text and returns places. What is inserted is
    in an allowed place or at its edge.
    """
    done = _accepted(transform, text)
    if done is None:
        return
    spans = offsets(text, allowed(text) if callable(allowed) else allowed)
    if not differs_elsewhere(text, done.after, spans):
        return
    found = hunks(text, done.after)
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    # Whole hunks inside an allowed place are not part of the problem; where all are, show all.
    outside = [
        hunk
        for hunk in found
        if not any(start <= lines[hunk.start] and lines[hunk.stop] <= stop for start, stop in spans)
    ]
    raise AssertionError(f"the transform changes what it must not touch\n{shown(outside or found)}")


def check_idempotence(transform: Transform, text: str) -> None:
    """Run on its own result, the transform changes nothing, or refuses."""
    first = _accepted(transform, text)
    if first is None:
        return
    try:
        second = run(transform, first.after)
    except ModelicaSyntaxError as error:
        raise AssertionError(f"the result is not Modelica: {error}\n{difference(text, first.after)}") from error
    _same(first.after, second.after, "the transform is not idempotent: run again, it changes its own result")


def check_inverse(transform: Transform, text: str, *, inverse: Transform | None = None) -> None:
    """What takes the transform back restores every byte.

    That is undo, and redo restores the result; the inverse patch, if the transform is a patch that has one; and the
    `inverse` that is given. A transform from text to text has only the last.
    """
    if isinstance(transform, TextTransform) and inverse is None:
        raise TypeError("a transform from text to text has no undo: give its inverse")
    done = _accepted(transform, text)
    if done is None:
        return
    if done.document is not None:
        _all_steps(done.document.undo)
        _same(text, done.document.text, "undo does not restore the text")
        _all_steps(done.document.redo)
        _same(done.after, done.document.text, "redo does not restore the result")
    for back, what in ((done.inverse, "the inverse patch"), (inverse, "the inverse")):
        if back is not None:
            _check_restored(back, done.after, text, what)


def check_remove_of_add(add: Transform, remove: Transform, text: str) -> None:
    """What `add` adds, `remove` takes away, and every byte is as it was.

    Nothing is checked where `add` refuses or finds that there is nothing to do.
    """
    added = _accepted(add, text)
    if added is not None and added.after != text:
        _check_restored(remove, added.after, text, "removing what was added")


def _check_restored(back: Transform, changed: str, text: str, what: str) -> None:
    done = run(back, changed)
    if done.refusal is not None:
        raise AssertionError(f"{what} is refused: {done.refusal}\n{difference(text, changed)}")
    _same(text, done.after, f"{what} does not restore the text")


def _accepted(transform: Transform, text: str) -> Run | None:
    """What the transform did; None if it refused, as it should."""
    done = run(transform, text)
    if done.refusal is None:
        return done
    _check_refused(done)
    return None


def _check_refused(done: Run) -> None:
    hint = "several edits are one step inside `with document.transaction():`"
    what = f"a refused transform has changed the text ({hint}); it refused with: {done.refusal}"
    _same(done.before, done.after, what)
    if done.document is not None and _all_steps(done.document.undo):
        raise AssertionError(f"a refused transform has left steps to undo ({hint}); it refused with: {done.refusal}")


def _all_steps(step: Callable[[], None]) -> int:
    """Undo, or redo, until it is refused because nothing is left; how many steps there were."""
    count = 0
    while True:
        try:
            step()
        except EditError:
            return count
        count += 1


def _parses_strictly(text: str) -> bool:
    try:
        parse(text, strict=True)
    except ModelicaSyntaxError:
        return False
    return True


def _same(expected: str, found: str, what: str) -> None:
    if expected != found:
        raise AssertionError(f"{what}\n{difference(expected, found)}")
