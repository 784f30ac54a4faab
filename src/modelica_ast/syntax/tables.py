"""The grammar at run time: symbols, productions, and the LALR states, each unpacked when first used."""

from __future__ import annotations

from functools import cache
from typing import Final

from modelica_ast.foundation import Record
from modelica_ast.syntax import _table
from modelica_ast.syntax.lalr import Goto, Mode, Phrase, Reduction, Shift, Special, State, last_reduction

SYMBOLS: Final = tuple(_table.SYMBOLS.split())
NUMBER: Final = {name: number for number, name in enumerate(SYMBOLS)}
TERMINALS: Final = _table.TERMINALS  # symbols below this number are terminals; the next is $END
LITERALS: Final = _table.LITERALS
# Terminal -> its text, for those that have one.
TEXTS: Final = {name: text for text, name in LITERALS.items()} | {"INITIAL_SECTION": "initial", "END": "end"}
PATTERNS: Final = _table.PATTERNS
KEYWORDS: Final = frozenset(text for text in LITERALS if text.isalpha())
EOF: Final = NUMBER["$END"]
# Kinds that the lexer gives and the grammar does not know: `initial`, which is a function or opens a section, as the
# word after it tells, and the phrases: a dotted name and an array of numbers, each as one leaf.
INITIAL_WORD: Final = len(SYMBOLS)
DOTTED_NAME: Final = len(SYMBOLS) + 1
NUMBER_ARRAY: Final = len(SYMBOLS) + 2

_PRODUCTIONS: Final = _table.PRODUCTIONS.splitlines()
_REDUCTIONS: Final = _table.REDUCTIONS.splitlines()
_STATES: Final = _table.STATES.splitlines()

# Production number -> node kind. The last ones are not the grammar's: for each start rule, what was parsed by
# itself and what follows it.
KINDS: Final = (*(line.partition(" ")[0] for line in _PRODUCTIONS), *("fragment" for _ in _table.STARTS))
FRAGMENTS: Final = {start: len(_PRODUCTIONS) + number for number, start in enumerate(_table.STARTS)}
SPECIAL: Final = Special(
    eof=EOF,
    end=NUMBER["END"],
    end_subscript=NUMBER["END_SUBSCRIPT"],
    initial=NUMBER["INITIAL"],
    initial_section=NUMBER["INITIAL_SECTION"],
    initial_word=INITIAL_WORD,
    first_phrase=DOTTED_NAME,
    sections=frozenset({NUMBER["EQUATION"], NUMBER["ALGORITHM"]}),
    resumed_equations=NUMBER["RESUMED_EQUATIONS"],
    resumed_statements=NUMBER["RESUMED_STATEMENTS"],
    resumed_elements=NUMBER["RESUMED_ELEMENTS"],
)


def _numbers(terminals: str) -> tuple[int, ...]:
    return tuple(NUMBER[name] for name in terminals.split())


# Kind of a phrase, a sample of it, and the reductions after which its node can be made without the loop.
_PHRASES: Final = (
    (DOTTED_NAME, _numbers("IDENT DOT IDENT"), frozenset({Mode.NODE_WITH_LIST, Mode.APPEND2, Mode.EXTEND})),
    (NUMBER_ARRAY, _numbers("LBRACE UNSIGNED_NUMBER RBRACE"), frozenset({Mode.NODE3})),
)
_states: dict[int, State] = {}


def state(number: int) -> State:
    """The state, unpacked from its row on first use: a small file visits a fraction of all 1,200."""
    found = _states.get(number)
    if found is None:
        found = {}
        row = list(map(int, _STATES[number].split()))
        for symbol, action in zip(row[::2], row[1::2], strict=True):
            if action < 0:
                found[symbol] = _reduction(-1 - action)
            else:
                goto = Shift() if symbol < TERMINALS else Goto()
                goto.origin, goto.target, goto.states = found, action, state
                found[symbol] = goto
        for phrase, kinds, modes in _PHRASES:
            first = found.get(kinds[0])
            if first is not None:
                found[phrase] = Phrase(found, kinds, modes) if type(first) is Shift else first
        # Another thread may have been here as well; both must go on with the same object.
        found = _states.setdefault(number, found)
    return found


@cache
def _reduction(rule: int) -> Reduction:
    length, symbol, mode, production_number, place = _REDUCTIONS[rule].split()
    return (int(length), int(symbol), int(Mode[mode]), int(production_number), int(place))


def start_states(rule: str) -> tuple[State, State]:
    """First and last state for a start rule."""
    first, last = _table.STARTS[rule]
    return state(first), state(last)


def expression_production(terminals: str) -> int:
    """The production of the node that these terminals are as an expression: `MINUS UNSIGNED_NUMBER`."""
    found = last_reduction(start_states("expression")[0], _numbers(terminals), EOF)
    assert found is not None
    return found[0][3]


class Production(Record):
    """One way to write a node: its kind and the grammar symbols of its children."""

    kind: str
    symbols: tuple[str, ...]


@cache
def production(number: int) -> Production:
    """The production after a node's first item."""
    if number >= len(_PRODUCTIONS):
        return Production("fragment", (list(FRAGMENTS)[number - len(_PRODUCTIONS)], "$END"))
    kind, *symbols = _PRODUCTIONS[number].split()
    # The tail of a file (blanks and comments after the last token) is a child of its root.
    tail = ("$END",) if kind == "stored_definition" else ()
    return Production(kind, (*symbols, *tail))
