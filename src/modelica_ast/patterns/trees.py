"""Patterns and replacements as trees, read by Modelica's own parser as each of the kinds that they can be."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, get_args

from attrs import define, field, frozen

from modelica_ast.foundation import EditError, ModelicaSyntaxError, Source
from modelica_ast.syntax import (
    KINDS,
    TOKEN,
    TRIVIA,
    Green,
    accepted,
    child_at,
    child_leaf,
    read,
    symbol,
    token_text,
    tokens,
)

# ---------------------------------------------------------------- item places
# Where in a pattern a metavariable stands for whole equations, statements or elements.
#
# `then $$body;` is a list of equations, `then $a else` an expression: what tells them apart is whether the `if`
# around is closed by `end if`. A scan over the tokens knows enough; the parser decides afterwards.

EQUATIONS: Final = "equations"  # and statements: a call can be both
ELEMENTS: Final = "elements"

_CLASS_WORDS: Final = frozenset("class model record block connector type package function operator".split())
_BLOCK_WORDS: Final = frozenset({"if", "when", "for", "while"})
_BEFORE_CLASS: Final = frozenset(
    "partial encapsulated replaceable redeclare final inner outer expandable pure impure operator".split()
)
# What can follow an item that has no semicolon.
_BEHIND_ITEM: Final = frozenset(
    "; end else elseif elsewhen equation algorithm initial public protected annotation external".split()
)


@frozen
class Word:
    """One token of a pattern: where the blanks before it start, where it starts and ends."""

    before: int
    start: int
    end: int
    text: str
    is_metavariable: bool


def item_places(words: Sequence[Word], top: str | None) -> dict[int, str]:
    """The numbers of the words that are items, each with what it is an item of."""
    scan = _Scan(words, [top])
    while scan.at < len(words):
        scan.step()
    return scan.found


@define
class _Scan:
    words: Sequence[Word]
    around: list[str | None]  # what the innermost class, block or pattern is a list of
    found: dict[int, str] = field(factory=dict)
    at: int = 0
    starts: bool = True  # can an item start here?
    depth: int = 0  # of brackets
    conditional: int = 0  # `if` expressions whose `else` is to come

    def text(self, number: int) -> str:
        return self.words[number].text if 0 <= number < len(self.words) else ""

    def step(self) -> None:
        word = self.words[self.at]
        text = word.text
        self.at += 1
        if text in ("(", "[", "{"):
            self.depth += 1
        elif text in (")", "]", "}"):
            self.depth -= 1
        if self.depth or text in (")", "]", "}"):
            self.starts = False
        elif word.is_metavariable:
            self._metavariable(text)
        else:
            self._word(text)

    def _metavariable(self, text: str) -> None:
        context = self.around[-1]
        follows = self.text(self.at)
        is_last = len(self.around) == 1 and not follows
        is_item = follows in _BEHIND_ITEM or (text.startswith("$$") and (is_last or context == ELEMENTS))
        if self.starts and context is not None and is_item:
            self.found[self.at - 1] = context
        else:
            self.starts = False

    def _word(self, text: str) -> None:
        if text == ";":
            self.starts, self.conditional = True, 0
        elif text in ("equation", "algorithm", "public", "protected"):
            self.around[-1] = EQUATIONS if text in ("equation", "algorithm") else ELEMENTS
            self.starts = True
        elif text in _BLOCK_WORDS:
            self._block(text)
        elif text in ("then", "else", "loop"):
            self.starts = not self.conditional
            if text == "else" and self.conditional:
                self.conditional -= 1
        elif text == "end":
            if len(self.around) > 1:
                self.around.pop()
            self.at += 1
            self.starts = False
        elif text in _CLASS_WORDS and (self.starts or self.text(self.at - 2) in _BEFORE_CLASS):
            self._class()
        else:
            self.starts = self.starts and text in _BEFORE_CLASS

    def _block(self, word: str) -> None:
        pairs = zip(self.words[self.at :], self.words[self.at + 1 :], strict=False)
        is_closed = any(one.text == "end" and other.text == word for one, other in pairs)
        if self.starts and is_closed:
            self.around.append(EQUATIONS)
        elif word == "if":
            self.conditional += 1
        self.starts = False

    def _class(self) -> None:
        """Go after the head of a class; one with a body is a list of elements first."""
        if self.text(self.at) in _CLASS_WORDS:
            return  # `operator function`: the head goes on
        self.at += 2 if self.text(self.at) == "extends" else 1
        if self.text(self.at) == "=":
            self.starts = False
            return
        while self.text(self.at)[:1] in ('"', "+") and self.text(self.at):
            self.at += 1
        self.around.append(ELEMENTS)
        self.starts = True


# ---------------------------------------------------------------- errors
# Why a pattern, a replacement or a constraint was refused.


class PatternError(EditError):
    """A pattern that is not valid, or that can't be used as somebody asked; nothing has changed."""


# ---------------------------------------------------------------- metavariables
# Metavariables become identifiers that the pattern does not contain, so that Modelica's own parser reads it.
#
# Strings, comments and quoted identifiers are tokens like others here: a dollar inside them is a dollar. Where whole
# equations, statements or elements are, an identifier alone is not Modelica; there a metavariable becomes a call,
# `m1();`, or an extends clause, `extends m1;`.

ANONYMOUS: Final = "_"
_METAVARIABLE = r"\$\$?[A-Za-z_][A-Za-z_0-9]*+"
_LEAF: Final = re.compile(rf"({TRIVIA})(?:({_METAVARIABLE})|({TOKEN})|\Z)")


@frozen
class Metavariable:
    """One place where a metavariable is written."""

    name: str
    is_list: bool
    is_item: bool  # it stands for whole equations, statements or elements

    @property
    def text(self) -> str:
        """As its author wrote it."""
        return ("$$" if self.is_list else "$") + self.name


@frozen
class Expanded:
    """A pattern that the parser can read, and the way back to what was written."""

    written: str
    text: str
    stem: str
    metavariables: dict[str, Metavariable]  # by the identifiers that stand for them
    _starts: list[int]  # where pieces of the text start …
    _written_starts: list[int]  # … and where these are in what was written

    def written_offset(self, offset: int) -> int:
        """The place in the pattern as it was written."""
        piece = max(bisect_right(self._starts, offset) - 1, 0)
        end = self._written_starts[piece + 1] if piece + 1 < len(self._written_starts) else len(self.written)
        return min(self._written_starts[piece] + max(offset - self._starts[piece], 0), end)

    def in_words_of_author(self, message: str) -> str:
        """A message with the metavariables as they were written."""
        return re.sub(
            rf"{self.stem}\d+(?:\(\))?",
            lambda found: self.metavariables[found[0].removesuffix("()")].text,
            message,
        )


def words_of(text: str) -> list[Word]:
    """The tokens of a pattern, metavariables among them; what is not a token is left to the parser, as one word."""
    words: list[Word] = []
    at = 0
    while at < len(text):
        found = _LEAF.match(text, at)
        if found is None or found.end() == at:
            trivia = re.compile(TRIVIA).match(text, at)
            start = trivia.end() if trivia else at
            if text[start : start + 1] == "$":
                raise PatternError(
                    f"{_place(text, start)}: '$' must be followed by a name: $x for one thing, $$xs for any number, $_"
                )
            words.append(Word(at, start, len(text), text[start:], is_metavariable=False))
            break
        start = found.end(1)
        words.append(Word(at, start, found.end(), text[start : found.end()], is_metavariable=found[2] is not None))
        at = found.end()
    return words


def expanded(text: str, top: str | None) -> Expanded:
    """The pattern as Modelica; `top` says what it is a list of: equations, elements, or (None) none of these."""
    words = words_of(text)
    stem = "m_"
    while stem in text:
        stem += "_"
    items = item_places(words, top)
    placeholders: dict[Metavariable, str] = {}
    parts: list[str] = []
    starts, written_starts = [0], [0]
    length = 0
    for number, word in enumerate(words):
        if not word.is_metavariable:
            new = text[word.before : word.end]
        else:
            metavariable = Metavariable(word.text.lstrip("$"), word.text.startswith("$$"), number in items)
            # One identifier for each: a class is closed by the name that it opens with.
            new = placeholders.setdefault(metavariable, f"{stem}{len(placeholders)}")
            if number in items:
                follows = words[number + 1].text if number + 1 < len(words) else ""
                new = f"{new}()" if items[number] == EQUATIONS else f"extends {new}"
                new += "" if follows == ";" else ";"
            new = text[word.before : word.start] + new
            starts += [length + word.start - word.before, length + len(new)]
            written_starts += [word.start, word.end]
        parts.append(new)
        length += len(new)
    metavariables = {placeholder: metavariable for metavariable, placeholder in placeholders.items()}
    return Expanded(text, "".join(parts), stem, metavariables, starts, written_starts)


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return f"line {line}, column {column} of the pattern"


# ---------------------------------------------------------------- reading

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
REDECLARED: Final = "redeclare "  # a declaration is read after it as an argument of modifiers


@frozen(eq=False)
class Tree:
    """One reading of a pattern or a replacement: a kind, and the trees of it (one, for a pattern)."""

    kind: str
    greens: tuple[Green, ...]
    metavariables: dict[str, Metavariable]  # by the identifiers that stand for them
    tail: str = ""  # blanks and comments after the last token
    before: str = ""  # what its author did not write and it was read after
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
        what = f"not a valid {kind}" if kind is not None else "not Modelica"
        raise PatternError(f"the pattern is {what}: {max(errors, key=lambda error: error[0])[1]}")
    for tree in trees:
        _refuse_neighbours(tree)
    return trees


def read_replacement(text: str, kind: str, written_before: str = "") -> Tree:
    """A replacement for matches of a kind, read after a text as their pattern was; PatternError if it is not one."""
    if not [word for word in words_of(text) if word.text]:
        if kind in ("expression", "name"):
            article = "an" if kind == "expression" else "a"
            raise PatternError(f"{article} {kind} can't be replaced by nothing")
        return Tree(kind, (), {}, text, written_before)
    start, before = _SEVERAL.get(kind, (_ONE[kind], written_before))
    try:
        root, whole, tail = _read(_without_semicolon(text) if written_before else text, kind, start, before)
    except _UnreadableError as error:
        raise PatternError(f"the replacement is not a valid {kind}: {error}") from None
    greens: tuple[Any, ...] = (root,)
    if kind in _SEVERAL:
        greens = tuple(part for part in root[1:] if type(part) is tuple)
        if kind == "element" and any(KINDS[green[0]] != "element" for green in greens):
            raise PatternError("the replacement of an element is elements, without sections")
    if kind == "class":
        greens = (root[-2],)
    for metavariable in whole.metavariables.values():
        if metavariable.name == ANONYMOUS:
            raise PatternError(f"{metavariable.text} in the replacement stands for nothing: name it in both")
    return Tree(kind, greens, whole.metavariables, tail, written_before)


def read_named_argument(text: str) -> Tree:
    """A replacement for a named argument of a call."""
    try:
        root, whole, tail = _read(text + ")", "expression", "expression", _CALLED)
        return Tree("argument", (_only_argument(root),), whole.metavariables, tail)
    except _UnreadableError as error:
        raise PatternError(f"the replacement is not an argument of a call: {error}") from None


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
        raise _UnreadableError(0, "it is not an argument with a name")
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
                    f"{found.text} can't be in one list with another $$ beside it: it would be ambiguous "
                    "which takes what"
                )
            before = found
        todo += node[1:]
