"""What could stand where the parse loop stopped, in a modeller's words."""

from __future__ import annotations

from typing import Final

from modelica_ast.lalr import Machine, State
from modelica_ast.tables import EOF, LITERALS, NUMBER, SYMBOLS, TERMINALS, state

_TEXT: Final = {name: text for text, name in LITERALS.items()} | {"END": "end", "INITIAL_SECTION": "initial"}
# Supplied by the lexer and the loop; nobody writes them.
_UNWRITTEN: Final = frozenset(
    {"UNPARSED", "RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS", "LAZY_ANNOTATION", "BOM"}
)

_OPERATORS: Final = frozenset(
    "AND OR NOT LESS LESS_EQUAL GREATER GREATER_EQUAL EQUAL NOT_EQUAL PLUS MINUS DOT_PLUS DOT_MINUS STAR SLASH "
    "DOT_STAR DOT_SLASH POWER DOT_POWER DOT LSQB LPAR COLON".split()
)
_EXPRESSION: Final = frozenset(
    "UNSIGNED_NUMBER STRING TRUE FALSE END_SUBSCRIPT IDENT DOT DER INITIAL PURE LPAR LSQB LBRACE IF NOT PLUS MINUS "
    "DOT_PLUS DOT_MINUS FUNCTION BREAK".split()
)
_CLASS: Final = frozenset(
    "ENCAPSULATED PARTIAL CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR EXPANDABLE PURE "
    "IMPURE".split()
)
_TYPE_PREFIX: Final = frozenset("FLOW STREAM DISCRETE PARAMETER CONSTANT INPUT OUTPUT".split())
_DECLARATION: Final = (
    _CLASS | _TYPE_PREFIX | frozenset("IMPORT EXTENDS REDECLARE FINAL INNER OUTER REPLACEABLE IDENT DOT".split())
)
_EQUATION: Final = _EXPRESSION | {"CONNECT", "FOR", "WHEN"}
_STATEMENT: Final = frozenset("IDENT DOT LPAR DER BREAK RETURN IF FOR WHILE WHEN".split())
_SECTION: Final = frozenset("PUBLIC PROTECTED EQUATION ALGORITHM INITIAL_SECTION EXTERNAL".split())
_DESCRIPTION: Final = frozenset({"STRING", "ANNOTATION"})
_ARGUMENT: Final = frozenset("EACH FINAL REDECLARE REPLACEABLE BREAK IDENT".split())
# Where one of these can follow, an operator or a description could too, and naming those helps nobody.
_DELIMITERS: Final = ("SEMICOLON", "COMMA", "RPAR", "RSQB", "RBRACE", "EQUALS", "ASSIGN", "THEN", "LOOP")
_FEW_OPERATORS: Final = 6

# (terminal that gives it away, words, terminals that the words stand for), tried in this order.
_WORDS: Final = (
    ("IMPORT", "a declaration", _DECLARATION),
    ("RETURN", "a statement", _STATEMENT),
    ("CONNECT", "an equation", _EQUATION),
    ("EACH", "a modifier", _ARGUMENT),
    ("UNSIGNED_NUMBER", "an expression", _EXPRESSION),
    ("MODEL", "a class", _CLASS),
    ("PUBLIC", "a section", _SECTION),
    ("IDENT", "a name", _TYPE_PREFIX | _CLASS | {"IDENT", "DOT", "LSQB"}),
    ("$END", "the end of the text", frozenset({"$END"})),
)


def accepts(machine: Machine, top: int, token: int) -> bool:
    """Would the loop shift this token with its stacks cut to `top`, after the reductions that it brings?"""
    stack, pushed = machine.stack, list[State]()  # the machine's stack stays as it is
    here: State = stack[top]
    while (action := here.get(token)) is not None:
        if type(action) is not tuple:
            return True
        length, symbol = action[:2]
        kept = max(len(pushed) - length, 0)
        top -= length - (len(pushed) - kept)
        del pushed[kept:]
        here = state((pushed[-1] if pushed else stack[top])[symbol].target)
        pushed.append(here)
    return token == EOF and here is machine.end_state


def expected_terminals(machine: Machine) -> frozenset[str]:
    """The terminals that could stand where the machine is, `$END` among them."""
    names = SYMBOLS[: TERMINALS + 1]
    return frozenset(name for name in names if name not in _UNWRITTEN and accepts(machine, machine.top, NUMBER[name]))


def in_words(expected: frozenset[str]) -> tuple[str, ...]:
    """As few words as tell a modeller what could stand there: `an expression`, `';'`."""
    rest = set(expected)
    phrases: list[str] = []
    for sign, words, covered in _WORDS:
        if sign in rest:
            phrases.append(words)
            rest -= covered
    if rest.intersection(_DELIMITERS):
        rest -= _OPERATORS | _DESCRIPTION | {"FOR", "CONSTRAINEDBY", "EXTENDS", "IF"}
    if "END" in rest:
        rest -= _DESCRIPTION
    if len(rest & _OPERATORS) > _FEW_OPERATORS:
        rest -= _OPERATORS
        phrases.append("an operator")
    order = {name: place for place, name in enumerate(_DELIMITERS)}
    for name in sorted(rest, key=lambda name: (order.get(name, len(order)), name)):
        phrases += [f"'{_TEXT[name]}'" if name in _TEXT else name.lower().replace("_", " ")]
    return tuple(phrases)


def joined(phrases: tuple[str, ...]) -> str:
    """`a, b or c`."""
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1]
