"""What phrases save: texts read with dotted names and arrays of numbers as one leaf each, and token by token.

Both ways run in one process and take turns, after a round that is not timed. Only the lexer and the loop are measured,
as these are all that differs. The ratio says how many times as long the way token by token takes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

# Started as a script; its parts are `benchmarks.…` for type checkers.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.corpus import find_library
from benchmarks.timing import Contender, Method, Progress, race

from modelica_ast import parse
from modelica_ast.syntax.green import leaves
from modelica_ast.syntax.lalr import Green, Refused, run
from modelica_ast.syntax.lexer import kind_of, lex
from modelica_ast.syntax.reader import new_machine
from modelica_ast.syntax.tables import NUMBER

_ROUNDS = 4
_ANNOTATIONS = 20_000


def _read(text: str, *, start: str = "stored_definition", lazy: bool = False) -> Green:
    """As `modelica_ast.syntax.reader` does it: what the fast way refuses is read once more."""
    try:
        return run(new_machine(start, lex(text, lazy=lazy, phrases=True)))
    except Refused:
        return _read_slowly(text, start=start, lazy=lazy)


def _read_slowly(text: str, *, start: str = "stored_definition", lazy: bool = False) -> Green:
    return run(new_machine(start, lex(text, lazy=lazy)))


def _annotations(texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for text in texts:
        found += [leaf for leaf in leaves(parse(text).green) if kind_of(leaf) == NUMBER["LAZY_ANNOTATION"]]
        if len(found) >= _ANNOTATIONS:
            break
    return found


def main() -> None:
    """Print a table: one line for each way of parsing."""
    _, files = find_library()
    texts = [file.text() for file in files]
    method = Method(_ROUNDS, collecting=False, tell=Progress(shown=False))
    cases: tuple[tuple[str, Sequence[str], Callable[[Callable[..., Green]], Callable[[str], Green]]], ...] = (
        ("strict", texts, lambda read: read),
        ("lazy", texts, lambda read: partial(read, lazy=True)),
        ("opened annotations", _annotations(texts), lambda read: partial(read, start="annotation_clause")),
    )
    print(f"{'parse':20}{'phrases, s':>12}{'tokens, s':>12}{'ratio':>8}   ratios of single rounds")
    for name, parsed, reading_of in cases:
        contenders = [Contender("phrases", reading_of(_read)), Contender("tokens", reading_of(_read_slowly))]
        timings = race(parsed, contenders, method)
        fast, slow = timings["phrases"], timings["tokens"]
        ratios = [sum(two) / sum(one) for one, two in zip(fast.rounds, slow.rounds, strict=True)]
        row = f"{name:20}{fast.seconds():12.2f}{slow.seconds():12.2f}{slow.seconds() / fast.seconds():8.2f}"
        print(f"{row}   {' '.join(f'{ratio:.2f}' for ratio in ratios)}", flush=True)


if __name__ == "__main__":
    main()
