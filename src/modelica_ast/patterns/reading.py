"""Patterns and replacements as trees, read by Modelica's own parser as each of the kinds that they can be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, get_args

from attrs import field, frozen

from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Green, child_at, child_leaf, symbol, tokens
from modelica_ast.lexer import token_text
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.item_places import ELEMENTS, EQUATIONS
from modelica_ast.patterns.metavariables import ANONYMOUS, Expanded, Metavariable, expanded, words_of
from modelica_ast.reading import read
from modelica_ast.shape import accepted
from modelica_ast.source import Source
from modelica_ast.tables import KINDS

Kind = Literal["expression", "name", "equation", "statement", "element", "class", "argument", "annotation"]
KIND_NAMES: Final[tuple[Kind, ...]] = get_args(Kind)
ITEM_KINDS: Final = frozenset({"equation", "statement", "element", "class"})  # these end with a semicolon

# (start rule of one, start rule of several, the text before several, what they are a list of)
_ONE: Final[dict[str, str]] = {
    "expression": "expression",
    "name": "type_specifier",
    "equation": "_equation",
    "statement": "_statement",
    "element": "_element",
    "class": "stored_class",
    "argument": "_argument",
    "annotation": "annotation_clause",
}
_SEVERAL: Final = {
    "equation": ("equation_section", "equation\n"),
    "statement": ("algorithm_section", "algorithm\n"),
    "element": ("composition", ""),
}
_TOPS: Final = {"equation": EQUATIONS, "statement": EQUATIONS, "element": ELEMENTS}
# Items of lists that can consist of a name alone. Other nodes of one word are lists of one item, or prefixes.
_ITEMS_OF_ONE_WORD: Final = frozenset(
    {"element_modification", "component_declaration", "component_declaration1", "enumeration_literal", "for_index"}
)
_EXPRESSIONS: Final = accepted("expression")
NAMES: Final = frozenset({"component_reference", "type_specifier", "name"})
_WHOLE_ITEMS: Final = frozenset({"call_equation", "call_statement", "element"})
_CALLED: Final = "f("  # named arguments are read inside a call
REDECLARED: Final = "redeclare "  # a declaration is read behind it as an argument of modifiers


@frozen(eq=False)
class Tree:
    """One reading of a pattern or a replacement: a kind, and the trees of it (one, for a pattern)."""

    kind: str
    greens: tuple[Green, ...]
    metavariables: dict[str, Metavariable]  # by the identifiers that stand for them
    tail: str = ""  # blanks and comments behind the last token
    before: str = ""  # what its author did not write and it was read behind
    _literal: dict[int, bool] = field(factory=dict, init=False, repr=False)  # by the identity of nodes

    def is_literal(self, green: Green) -> bool:
        """Is it an expression without metavariables? Such a one matches what has the same tokens."""
        if symbol(green) not in _EXPRESSIONS:
            return False
        if type(green) is str:
            return token_text(green) not in self.metavariables
        known = self._literal.get(id(green))
        if known is None:
            known = self.metavariables.keys().isdisjoint(tokens(green))
            self._literal[id(green)] = known
        return known

    @property
    def green(self) -> Any:
        """The tree of a pattern."""
        return self.greens[0]

    def full_name(self, green: Any) -> str | None:
        """`Lib.Motor` where `.Lib.Motor` is written: one class, named exactly; None for everything else."""
        if type(green) is not tuple or KINDS[green[0]] not in NAMES:
            return None
        first, *rest = tokens(green)
        is_whole = first == "." and "[" not in rest and self.metavariables.keys().isdisjoint(rest)
        return "".join(rest) if is_whole else None

    def metavariable(self, green: Any) -> Metavariable | None:
        """The metavariable that a subtree consists of, or None."""
        # PERF: only what can be one is looked at; a search asks about every node of a pattern.
        if type(green) is str:
            return self.metavariables.get(token_text(green))
        kind = KINDS[green[0]]
        if kind in _ITEMS_OF_ONE_WORD:
            is_alone = len(green) == 2 and type(green[1]) is str  # noqa: PLR2004
            return self.metavariables.get(token_text(green[1])) if is_alone else None
        if kind not in _WHOLE_ITEMS or type(green[1]) is not tuple:
            return None
        name = green[1][2 if kind == "element" else 1]  # `extends m1;` or `m1();`
        item = self.metavariables.get(token_text(name)) if type(name) is str else None
        return item if item is not None and item.is_item else None


def read_pattern(text: str, kind: str | None) -> list[Tree]:
    """Every way to read a pattern; PatternError if there is none."""
    _check_kind(kind)
    words = words_of(text)
    if not [word for word in words if word.text]:
        raise PatternError("the pattern is empty")
    kinds: tuple[str, ...] = KIND_NAMES if kind is None else (kind,)
    found: dict[str, list[Tree]] = {}
    errors: list[tuple[int, str]] = []
    for name in kinds:
        if kind is None and _is_said_by_others(name, found, is_item=words[-1].text == ";"):
            continue
        try:
            found[name] = _patterns_of(text, name)
        except _UnreadableError as error:
            errors.append((error.offset, str(error)))
    trees = [tree for several in found.values() for tree in several]
    if not trees:
        # The reading that came furthest is the one that its author meant.
        what = f"no {kind}" if kind is not None else "no Modelica"
        raise PatternError(f"the pattern is {what}: {max(errors, key=lambda error: error[0])[1]}")
    for tree in trees:
        _refuse_neighbours(tree)
    return trees


def read_replacement(text: str, kind: str, written_before: str = "") -> Tree:
    """A replacement for matches of a kind, read behind a text as their pattern was; PatternError if it is none."""
    if not [word for word in words_of(text) if word.text]:
        if kind in ("expression", "name"):
            article = "an" if kind == "expression" else "a"
            raise PatternError(f"{article} {kind} can't be replaced by nothing")
        return Tree(kind, (), {}, text, written_before)
    start, before = _SEVERAL.get(kind, (_ONE[kind], written_before))
    try:
        root, whole, tail = _read(_without_semicolon(text) if written_before else text, kind, start, before)
    except _UnreadableError as error:
        raise PatternError(f"the replacement is no {kind}: {error}") from None
    greens: tuple[Any, ...] = (root,)
    if kind in _SEVERAL:
        greens = tuple(part for part in root[1:] if type(part) is tuple)
        if kind == "element" and any(KINDS[green[0]] != "element" for green in greens):
            raise PatternError("the replacement of an element is elements, without sections")
    if kind == "class":
        greens = (root[-2],)
    for metavariable in whole.metavariables.values():
        if metavariable.name == ANONYMOUS:
            raise PatternError(f"{metavariable.text} in the replacement stands for nothing: give it a name in both")
    return Tree(kind, greens, whole.metavariables, tail, written_before)


def read_named_argument(text: str) -> Tree:
    """A replacement for a named argument of a call."""
    try:
        root, whole, tail = _read(text + ")", "expression", "expression", _CALLED)
        return Tree("argument", (_only_argument(root),), whole.metavariables, tail)
    except _UnreadableError as error:
        raise PatternError(f"the replacement is no argument of a call: {error}") from None


def _check_kind(kind: str | None) -> None:
    if kind is not None and kind not in KIND_NAMES:
        raise PatternError(f"there is no kind '{kind}' of patterns; there is {', '.join(KIND_NAMES)}")


def _is_said_by_others(kind: str, found: Iterable[str], *, is_item: bool) -> bool:
    """Is this reading left out by default?

    What is an expression, `f(x)` or `a.b`, would be a modifier or a bare call, too: `f(x)` with its semicolon is an
    equation, and a call without one may be any of these.
    """
    if kind == "argument":
        return "expression" in found or "class" in found
    return kind in ("equation", "statement", "element") and "name" in found and not is_item


def _patterns_of(text: str, kind: str) -> list[Tree]:
    if kind == "argument":
        return _arguments_of(text)
    root, whole, _ = _read(text, kind, _ONE[kind], "")
    if kind == "class":
        root = root[-2]  # a class of a file and one of another class are the same without `final` and `;`
    elif kind == "element" and len(root) == 3 and KINDS[root[1][0]] == "class_definition":  # noqa: PLR2004
        raise _UnreadableError(0, "it is a class")
    found = [Tree(kind, (root,), whole.metavariables)]
    return [*found, *_redeclarations_of(text)] if kind == "element" else found


def _redeclarations_of(text: str) -> list[Tree]:
    """A declaration is also found as the argument of modifiers that redeclares, where that can be written so."""
    try:
        root, whole, _ = _read(_without_semicolon(text), "argument", "_argument", REDECLARED)
    except _UnreadableError:
        return []
    return [Tree("argument", (root,), whole.metavariables, before=REDECLARED)]


def _without_semicolon(text: str) -> str:
    words = [word for word in words_of(text) if word.text]
    return text[: words[-1].start] + text[words[-1].end :] if words and words[-1].text == ";" else text


def _arguments_of(text: str) -> list[Tree]:
    """An argument of a modifier and one of a call look alike; a pattern finds both."""
    root, whole, _ = _read(text, "argument", "_argument", "")
    found = [Tree("argument", (root,), whole.metavariables)]
    try:
        called, whole, _ = _read(text + ")", "expression", "expression", _CALLED)
        found.append(Tree("argument", (_only_argument(called),), whole.metavariables))
    except _UnreadableError:
        pass  # `redeclare model M = N` is an argument of modifiers only
    return found


def _only_argument(call: Any) -> Green:
    arguments = call[2]
    if len(arguments) != 4 or symbol(arguments[2]) != "named_argument":  # noqa: PLR2004
        raise _UnreadableError(0, "it is no argument with a name")
    green: Green = arguments[2]
    return green


class _UnreadableError(Exception):
    """This is not how to read it."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def _read(text: str, kind: str, start: str, before: str) -> tuple[Any, Expanded, str]:
    """(tree, the text that was read, its tail)."""
    written = text
    words = words_of(text)
    if kind in ITEM_KINDS and words and words[-1].text != ";":
        last = [word for word in words if word.text]
        text = text[: last[-1].end] + ";" + text[last[-1].end :] if last and last[-1].text != ";" else text
    whole = expanded(before + text, _TOPS.get(kind))
    try:
        reading = read(Source(whole.text), start=start, lazy=False)
    except ModelicaSyntaxError as error:
        offset = min(max(whole.written_offset(error.offset) - len(before), 0), len(written))
        line = written.count("\n", 0, offset) + 1
        column = offset - (written.rfind("\n", 0, offset) + 1) + 1
        message = whole.in_words_of_author(error.message)
        if text != written and offset == len(written.rstrip()):
            message = message.replace("found ';'", "found its end")  # the semicolon is not its author's
        raise _UnreadableError(offset, f"line {line}, column {column}: {message}") from None
    return child_at(reading.green, 1), whole, child_leaf(reading.green, 2)


def _refuse_neighbours(tree: Tree) -> None:
    """`$$a, $$b`: nobody can say where one ends and the other starts."""
    todo: list[Any] = [tree.green]
    while todo:
        node = todo.pop()
        if type(node) is not tuple:
            continue
        before: Metavariable | None = None
        lists = 0
        for part in node[1:]:
            if type(part) is str and token_text(part) == ",":
                continue
            found = tree.metavariable(part)
            found = found if found is not None and found.is_list else None
            lists += found is not None
            if found is not None and (before is not None or (lists > 1 and KINDS[node[0]] == "class_modification")):
                raise PatternError(
                    f"{found.text} can't stand in one list with another $$ beside it: nobody could say what is whose"
                )
            before = found
        todo += node[1:]
