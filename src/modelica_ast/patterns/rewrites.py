"""Rewrite all matches of a pattern in a document, as one step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from attrs import evolve

from modelica_ast.edit import Document, ExactEditor, prove, split_declaration
from modelica_ast.foundation import EditError, NotFoundError, nearest
from modelica_ast.library import Libraries
from modelica_ast.patterns.pattern import Match, Pattern, SearchedText, is_inside
from modelica_ast.patterns.replacement import NewText, new_text
from modelica_ast.patterns.search import Found
from modelica_ast.patterns.stretches import closed
from modelica_ast.patterns.trees import Kind, PatternError, Tree, read_named_argument, read_replacement
from modelica_ast.patterns.where import Where
from modelica_ast.syntax import symbol
from modelica_ast.tree import ClassDefinition, Element, View, view_at


class Replacement:
    """What is in place of matches, and the pattern, read in those ways in which the replacement can be read.

    `$x = $y` is an equation and an argument; if it is to become `a = $x; b = $y;` it is an equation.
    """

    def __init__(self, pattern: Pattern, text: str) -> None:
        self._trees: dict[tuple[str, bool, str], Tree] = {}
        errors = []
        for tree in pattern.trees:
            is_named = _is_named(tree) and bool(text.strip())
            try:
                new = read_named_argument(text) if is_named else read_replacement(text, tree.kind, tree.before)
            except PatternError as error:
                errors.append(error)
                continue
            self._check(pattern, new)
            self._trees[_reading(tree)] = new
        if not self._trees:
            raise errors[0]
        self.pattern = evolve(pattern, trees=tuple(tree for tree in pattern.trees if _reading(tree) in self._trees))

    @staticmethod
    def _check(pattern: Pattern, replacement: Tree) -> None:
        for metavariable in replacement.metavariables.values():
            if metavariable.name not in pattern.names:
                known = nearest(metavariable.name, pattern.names)
                raise PatternError(f"the replacement has {metavariable.text}, which the pattern does not have{known}")
            if metavariable.is_list != pattern.names[metavariable.name]:
                other = metavariable.text[1:] if metavariable.is_list else "$" + metavariable.text
                raise PatternError(f"the replacement has {metavariable.text}, the pattern has {other}")

    def of(self, tree: Tree) -> Tree:
        """The replacement for matches of one reading of the pattern."""
        return self._trees[_reading(tree)]


def _reading(tree: Tree) -> tuple[str, bool, str]:
    """What tells the readings of a pattern apart."""
    return tree.kind, _is_named(tree), tree.before


def _is_named(tree: Tree) -> bool:
    """Is it a named argument of a call?"""
    return symbol(tree.green) == "named_argument"


def rewrite(
    document: Document,
    pattern: Pattern | str,
    replacement: str,
    *,
    where: Where | None = None,
    libraries: Libraries | None = None,
    annotations: bool = False,
    classes: Collection[str] | None = None,
) -> int:
    """Replace all matches; the number of those whose text has changed. One step of the document.

    `classes` are the full names of the classes that are looked into, with those inside them; None is all.

    Matches are found first and replaced once: what a replacement brings is not searched again. An empty replacement
    removes the match, with the comments that belong to it.
    """
    new = Replacement(pattern if isinstance(pattern, Pattern) else Pattern.compile(pattern), replacement)
    if not new.pattern.may_match(document.text):
        return 0

    def find(root: Any) -> tuple[SearchedText, list[Found]]:
        searched, found = new.pattern.search(
            root, document.path, where=where, libraries=libraries, annotations=annotations
        )
        return searched, [one for one in found if is_inside(searched, one, classes)]

    count: int = document.edit(_rewrite, find, new)
    return count


def rewrite_code(
    edit: ExactEditor,
    around: View,
    pattern: str,
    replacement: str,
    *,
    kind: Kind | None = None,
    where: Mapping[str, Mapping[str, str]] | None = None,
    annotations: bool = False,
) -> None:
    """Replace what looks like a pattern, in the file or in one class of it; '' removes it.

    `$x` and `$$xs` of the replacement stand for what they stood for in the match. `kind` chooses where the pattern can
    be read in several ways, `where` constrains what stands for `$x`, and `annotations` are looked into if that is
    said. Types are looked up in the file. A pattern that is found nowhere is an error.
    """
    new = Replacement(Pattern.compile(pattern, kind), replacement)

    def find(root: Any) -> tuple[SearchedText, list[Found]]:
        searched, found = new.pattern.search(root, edit.tree.file, where=where, libraries=None, annotations=annotations)
        path = edit.now(around).path
        inside = [one for one in found if one.place.path[: len(path)] == path]
        if not inside:
            place = f"'{around.full_name}'" if isinstance(around, ClassDefinition) else "the file"
            raise NotFoundError(f"nothing in {place} looks like '{_shortened(pattern)}'")
        return searched, inside

    _rewrite(edit, find, new)


_SHOWN: Final = 60  # characters of a match that a message shows
_Find = Callable[[Any], tuple[SearchedText, list[Found]]]


def _rewrite(edit: ExactEditor, find: _Find, replacement: Replacement) -> int:
    searched, found = find(edit.tree.green)
    changes = [change for one in found if (change := _change(searched, one, replacement)) is not None]
    shared = [change.found for change in changes if change.found.number is not None]
    if shared:
        # One of `Real a, b;` gets a declaration of its own before it becomes something else.
        for one in reversed(shared):
            assert one.number is not None
            element = view_at(edit.tree, one.place.path)
            assert isinstance(element, Element)
            assert element.component_clause is not None
            split_declaration(edit, element.component_clause.declarations[one.number])
        searched, found = find(edit.tree.green)
        changes = [change for one in found if (change := _change(searched, one, replacement)) is not None]
    root = searched.root
    for change in reversed(changes):  # the last first, so that the places of the others stay what they are
        root = _put(searched, root, change)
    if changes:
        _take(edit, closed(root), searched, changes)
    return len(changes)


def _change(searched: SearchedText, found: Found, replacement: Replacement) -> NewText | None:
    """The replacement of a match; None if its text stays."""
    match = Match(found.tree.kind, found, searched)
    try:
        new = new_text(searched.root, found, replacement.of(found.tree), searched.source.text, match.span.start.offset)
    except EditError as error:
        raise PatternError(f"{_place(searched, found)}: {error}") from None
    return new if new.is_change else None


def _put(searched: SearchedText, root: Any, change: NewText) -> Any:
    try:
        return change.put_into(root)
    except ValueError as error:  # a tree that the grammar does not allow, EditErrors among them
        raise PatternError(f"{_place(searched, change.found)}: {error}") from None


def _take(edit: ExactEditor, root: Any, searched: SearchedText, changes: list[NewText]) -> None:
    """The new tree, if it reads back as it was built; else the match that does not is named."""
    try:
        prove(root, "stored_definition")
    except EditError:
        for change in changes:
            try:
                prove(closed(_put(searched, searched.root, change)), "stored_definition")
            except EditError as error:
                message = str(error).partition(" in '")[0].partition(": '")[0]
                raise PatternError(f"{_place(searched, change.found)}: {message}") from None
        raise
    edit.take(root, is_proved=True)


def _place(searched: SearchedText, found: Found) -> str:
    match = Match(found.tree.kind, found, searched)
    start = match.span.start
    return f"{searched.source.name}:{start.line}:{start.column}: '{_shortened(match.text)}'"


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
