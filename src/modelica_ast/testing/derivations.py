"""Modelica at random: derivations of the grammar, with blanks and comments before every token.

The tree is drawn first and its text follows from it, so a test knows the tree that the parser must find.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from modelica_ast.syntax import (
    KINDS,
    LITERALS,
    PRODUCTIONS,
    RULES,
    Green,
    Node,
    is_terminal,
    lex,
    make_node,
    render,
    token_text,
)
from modelica_ast.testing.subjects import trivia

# ---------------------------------------------------------------- corrections
# A random derivation made one that the language has: what `modelica_ast.syntax.checks` would refuse is put right.
#
# Most of it is order: prefixes, arguments, sections. What depends on what is around a node (an empty array,
# `break` in an extends clause) is not drawn in the first place; see `derivations`.

_ELEMENT_PREFIXES: Final = ("redeclare", "final", "inner", "outer", "replaceable")
_TYPE_PREFIXES: Final = (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output"))


def corrected(node: Node) -> Node:
    """The node, or a similar one that no check refuses. Its tokens have no blanks yet."""
    correct = CORRECTIONS.get(KINDS[node[0]])
    if correct is None:
        return node
    children = correct(list(node[1:]))
    if KINDS[node[0]] == "stored_definition":
        # One `within` instead of two is the same production, which also counts a token that is not there yet: the end.
        return (node[0], *children)
    return node if children == list(node[1:]) else make_node(KINDS[node[0]], *children)


def _kind(green: Any) -> str:
    return KINDS[green[0]] if isinstance(green, tuple) else ""


def _no_dimensions(children: list[Green]) -> list[Green]:
    """Dimensions at the name only."""
    return [child for child in children if _kind(child) != "array_subscripts"]


def _end_name(children: list[Green]) -> list[Green]:
    """`end` names the class that it closes."""
    return [*children[:-1], children[1] if children[0] == "extends" else children[0]]


def _element_prefixes(children: list[Green]) -> list[Green]:
    """Each prefix once, in their order; `replaceable` where there is a constraint."""
    words = {child for child in children[:-1] if isinstance(child, str)}
    rest = [child for child in children[:-1] if not isinstance(child, str)]
    if _kind(rest[-1]) == "constraining_clause":
        words.add("replaceable")
    return [*(word for word in _ELEMENT_PREFIXES if word in words), *rest, children[-1]]


def _redeclaration(children: list[Green]) -> list[Green]:
    """`replaceable` where there is a constraint."""
    if _kind(children[-1]) != "constraining_clause" or "replaceable" in children:
        return children
    return [*children[:-2], "replaceable", *children[-2:]]


def _type_prefixes(children: list[Green]) -> list[Green]:
    """One of each group, in the order of the groups."""
    return [word for group in _TYPE_PREFIXES for word in [c for c in children if c in group][:1]]


def _named_arguments_last(children: list[Green]) -> list[Green]:
    items = [child for child in children[1:-1] if child != ","]
    items.sort(key=lambda item: _kind(item) == "named_argument")
    commas: list[Green] = [part for item in items for part in (",", item)]
    return [children[0], *commas[1:], children[-1]]


def _section_order(children: list[Green]) -> list[Green]:
    """One external clause at most, then one class annotation at most, after everything else."""
    last = ("external_clause", "class_annotation")
    found = [[child for child in children if _kind(child) == kind][:1] for kind in last]
    return [*(child for child in children if _kind(child) not in last), *found[0], *found[1]]


def _one_within(children: list[Green]) -> list[Green]:
    clauses = [child for child in children if _kind(child) == "within_clause"]
    return [*clauses[:1], *(child for child in children if _kind(child) != "within_clause")]


def _subscripted(children: list[Green]) -> list[Green]:
    """What is indexed is one expression in parentheses."""
    if _kind(children[-1]) != "array_subscripts":
        return children
    outputs: Any = children[1]
    items = [item for item in outputs[1:] if item != ","]
    return [children[0], make_node("output_expression_list", items[0] if items else "a"), *children[2:]]


CORRECTIONS: Final[dict[str, Callable[[list[Green]], list[Green]]]] = {
    "base_prefix": _type_prefixes,
    "component_clause1": _no_dimensions,
    "composition": _section_order,
    "element": _element_prefixes,
    "element_redeclaration": _redeclaration,
    "function_call_args": _named_arguments_last,
    "long_class_specifier": _end_name,
    "parenthesized": _subscripted,
    "stored_definition": _one_within,
    "type_prefix": _type_prefixes,
}

# ---------------------------------------------------------------- derivations

# Supplied by the lexer and the loop, never written; and the mark that only a file's first token can be.
NEVER: Final = frozenset(
    {"LAZY_ANNOTATION", "UNPARSED", "RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS", "BOM"}
)

# The plainest first: that is where Hypothesis shrinks to.
identifiers: Final = st.sampled_from(
    ["a", "B2", "_c", "x_y", "Modelica", "time", "'quoted name'", "'+'", r"'it\'s'", "'é'"]
)
numbers: Final = st.sampled_from(["0", "1", "42", "1.5", "2.", ".5", "1e3", "1.5E-3", "3.e+2"])
strings: Final = st.sampled_from(
    ['""', '"text"', r'"a \" b \\"', '"two\nlines"', '"// no comment /*"', '"日本 é"', '"("']
)

_WORDS = {name: text for text, name in LITERALS.items()} | {"END": "end", "INITIAL_SECTION": "initial"}
_DRAWN = {"IDENT": identifiers, "UNSIGNED_NUMBER": numbers, "STRING": strings}

Alternative = tuple[int, tuple[str, ...]]  # production number or -1, symbols


class _Around(NamedTuple):
    """What is around a symbol, as far as it decides what the symbol can become."""

    subscripts: bool = False
    annotation: bool = False
    extends: bool = False
    initial: bool = False

    def inside(self, symbol: str) -> _Around:
        """The same, one symbol further in."""
        return _Around(
            self.subscripts or symbol == "array_subscripts",
            self.annotation or symbol == "annotation_clause",
            symbol == "extends_clause" or (self.extends and symbol not in _ENDS_EXTENDS),
            self.initial,
        )

    def allows(self, symbols: tuple[str, ...]) -> bool:
        """Does the language, and not only the grammar, have this alternative here?"""
        return not (
            (symbols == ("LBRACE", "RBRACE") and not self.annotation)
            or ("inheritance_modification" in symbols and not self.extends)
            or ("connect_equation" in symbols and self.initial)
        )


# `extends A(break x)` leaves something out, `extends A(b(break x))` does not.
_ENDS_EXTENDS = frozenset({"element_modification", "element_redeclaration", "element_replaceable", "annotation_clause"})


@cache
def _alternatives() -> dict[str, list[Alternative]]:
    productions = {line: number for number, line in enumerate(PRODUCTIONS.splitlines())}
    found: dict[str, list[Alternative]] = {}
    for line in RULES.splitlines():
        origin, kind, *symbols = line.split()
        if not NEVER.intersection(symbols):
            number = -1 if kind == "-" else productions[" ".join([kind, *symbols])]
            found.setdefault(origin, []).append((number, tuple(symbols)))
    return found


@cache
def _least_depths() -> dict[str, int]:
    """How deep the smallest derivation of each rule is; rules that only lead to NEVER are missing."""
    depths: dict[str, int] = {}
    while True:
        new = {
            origin: min(found)
            for origin, alternatives in _alternatives().items()
            if (found := [d for _, symbols in alternatives if (d := _depth(symbols, depths)) is not None])
        }
        if new == depths:
            return depths
        depths = new


def _depth(symbols: tuple[str, ...], depths: dict[str, int]) -> int | None:
    inner = [0 if is_terminal(s) else depths.get(s) for s in symbols]
    return None if None in inner else 1 + max((d for d in inner if d is not None), default=0)


@cache
def _choices(symbol: str, around: _Around | None, *, in_subscripts: bool) -> list[Alternative]:
    """What a symbol can become, the cheapest first: that is where Hypothesis shrinks to."""
    depths = _least_depths()
    possible = [
        alternative
        for alternative in _alternatives()[symbol]
        if (in_subscripts or "END_SUBSCRIPT" not in alternative[1])
        and (around is None or around.allows(alternative[1]))
    ]
    costs = sorted((cost, a) for a in possible if (cost := _depth(a[1], depths)) is not None)
    return [a for _, a in costs]


@st.composite
def green_trees(
    draw: st.DrawFn,
    start: str,
    size: int = 60,
    *,
    valid: bool = False,
    between: st.SearchStrategy[str] | None = None,
) -> Green:
    """A green tree of a rule of the grammar. Its text parses back to exactly this tree.

    When about `size` symbols are drawn, everything that is still open is finished in the shortest way. `between` is
    what comes before each token. The grammar is wider than the language: without `valid`, prefixes may be in any
    order, and a parse refuses the tree's text with a sentence about it.
    """
    (derived,) = _Derivation(draw, size, valid=valid).derive(start, _Around())
    return _with_trivia(draw, derived, between if between is not None else trivia(), [""])


class _Derivation:
    """One derivation, and how many symbols it may still draw."""

    def __init__(self, draw: st.DrawFn, size: int, *, valid: bool) -> None:
        self._draw = draw
        self._left = size
        self._valid = valid

    def derive(self, symbol: str, around: _Around) -> list[Any]:
        """What a symbol becomes: one node or token, or a run of siblings for an inlined rule."""
        if is_terminal(symbol):
            return [self._draw(_DRAWN[symbol]) if symbol in _DRAWN else _WORDS[symbol]]
        around = around.inside(symbol)
        choices = _choices(symbol, around if self._valid else None, in_subscripts=around.subscripts)
        many = self._left > 0 and len(choices) > 1
        number, symbols = self._draw(st.sampled_from(choices)) if many else choices[0]
        self._left -= len(symbols) if len(symbols) > 1 else 0
        if "INITIAL_SECTION" in symbols:
            around = around._replace(initial=True)
        children = [part for s in symbols for part in self.derive(s, around)]
        if number < 0:
            return children
        return [corrected((number, *children)) if self._valid else (number, *children)]


def _with_trivia(draw: st.DrawFn, derived: Any, between: st.SearchStrategy[str], before: list[str]) -> Green:
    """Give every token drawn blanks and comments; `before` is the token that was last."""
    if isinstance(derived, str):
        leaf = _separated(before[0], draw(between), derived)
        before[0] = derived
        return leaf
    return (derived[0], *(_with_trivia(draw, part, between, before) for part in derived[1:]))


def _separated(before: str, drawn: str, token: str) -> str:
    """The drawn trivia and the token, with a blank more where two tokens would run into each other."""
    for candidate in (drawn, " " + drawn):
        leaves = [leaf for leaf, _ in lex(before + candidate + token, lazy=False)]
        if [token_text(leaf) for leaf in leaves] == [*([before] if before else []), token, ""]:
            return candidate + token
    raise AssertionError(f"{before!r} and {token!r} can't stand side by side")


# ---------------------------------------------------------------- fragments
# Pieces of Modelica as text, every syntax that the grammar has, valid for `parse`.
#
# They are derivations of the grammar, so they look like nobody's code: they find what nobody thought of. For files
# that look like people's, see `documents`.


def fragments(rule: str, *, size: int = 40, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """The text of any rule of the grammar: `modification`, `annotation_clause`, `_element`.

    `size` is about how many symbols are drawn. `between` is what comes before each token, `trivia()` unless given:
    `between=st.just(" ")` gives plain text. A file or a class of about 40 symbols is 200 characters long.
    """
    return green_trees(rule, size, valid=True, between=between).map(render)


def expressions(*, size: int = 20, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Expressions, for `parse_expression`: `a + 2*b[end]`."""
    return fragments("expression", size=size, between=between)


def equations(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Equations with their semicolon, for `parse_equation`: `connect(a, b);`."""
    return fragments("_equation", size=size, between=between)


def statements(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Statements with their semicolon, for `parse_statement`: `x := 1;`."""
    return fragments("_statement", size=size, between=between)


def components(*, size: int = 30, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Declarations of one or more components with their semicolon, for `parse_element`: `parameter Real a = 1, b;`."""
    return fragments("component_clause", size=size, between=between).map(lambda clause: clause + ";")


def classes(*, size: int = 50, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """Classes with their semicolon, for `parse_class`: `model M Real x; end M;`."""
    return fragments("stored_class", size=size, between=between)


def definitions(*, size: int = 60, between: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[str]:
    """The text of whole files, for `parse`; also empty ones."""
    return fragments("stored_definition", size=size, between=between)
