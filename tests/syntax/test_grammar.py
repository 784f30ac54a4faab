"""One grammar: strict LALR(1), the shipped table is its table, and the fast tree is Lark's tree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree

from conftest import MODELICA_FIXTURES, ROOT
from modelica_ast import parse
from modelica_ast._grammar.build_table import STARTS, build_table, stock_lark
from modelica_ast.foundation.source import Source
from modelica_ast.syntax import lexer, tables
from modelica_ast.syntax.green import iter_leaves
from modelica_ast.syntax.lalr import Green
from modelica_ast.syntax.lexer import token_text

# The parse loop resumes a section after a class annotation, and takes back an `end` that closes nothing; Lark's
# own loop does neither.
ONLY_OURS = {"OldSyntax.mo", "EndAsIndex.mo"}


@pytest.fixture(scope="module")
def stock() -> Lark:
    parser = stock_lark(start="stored_definition")
    assert isinstance(parser, Lark)
    return parser


def test_the_grammar_is_strict_lalr() -> None:
    # strict=True: no shift/reduce conflict is resolved silently, no two terminals collide.
    assert stock_lark(strict=True)


def test_the_shipped_table_is_the_grammars_table() -> None:
    assert build_table() == (ROOT / "src/modelica_ast/syntax/_table.py").read_text(encoding="utf-8"), "run make table"


def test_the_table_does_not_depend_on_the_hash_seed() -> None:
    code = "import sys; sys.path.insert(0, 'grammar'); import build_table, zlib; "
    code += "print(zlib.crc32(build_table.build_table().encode()))"
    sums = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(sums) == 1


def lark_shape(root: Tree[Token] | Token) -> Any:
    """(kind, children…) with tokens as their text, for comparison; iterative, like everything on trees."""
    done: dict[int, Any] = {}
    todo: list[Any] = [root]
    while todo:
        item = todo[-1]
        if isinstance(item, Token):
            done[id(item)] = str(item)
            todo.pop()
        elif all(id(child) in done for child in item.children):
            done[id(item)] = (str(item.data), *(done[id(child)] for child in item.children))
            todo.pop()
        else:
            todo += [child for child in item.children if id(child) not in done]
    return done[id(root)]


def our_shape(root: Green) -> Any:
    if isinstance(root, str):
        return token_text(root)
    done: dict[int, Any] = {}
    todo: list[Any] = [root]
    while todo:
        node = todo[-1]
        waiting = [child for child in node[1:] if isinstance(child, tuple) and id(child) not in done]
        if waiting:
            todo += waiting
            continue
        children = (token_text(c) if isinstance(c, str) else done[id(c)] for c in node[1:])
        done[id(node)] = (tables.KINDS[node[0]], *children)
        todo.pop()
    return done[id(root)]


def without_tail(shape: Any) -> Any:
    return shape[:-1]


@pytest.mark.parametrize("path", [p for p in MODELICA_FIXTURES if p.name not in ONLY_OURS], ids=lambda p: p.name)
def test_the_fast_tree_is_larks_tree(path: Path, stock: Lark) -> None:
    text = Source.read(path).text
    assert without_tail(our_shape(parse(text, strict=True).green)) == lark_shape(stock.parse(text))


def test_the_fast_tree_is_larks_tree_on_the_standard_library(msl: Path, stock: Lark) -> None:
    files = sorted(msl.rglob("*.mo"))[::60]
    assert len(files) > 20
    for path in files:
        text = Source.read(path).text
        assert without_tail(our_shape(parse(text, strict=True).green)) == lark_shape(stock.parse(text)), path


def test_every_start_rule_has_a_start_state() -> None:
    assert all(tables.start_states(start) for start in STARTS)


TOKEN_SAMPLES = [
    *tables.LITERALS,
    *("x", "_a1", "'quoted'", r"'it\'s'", "'ü'", '"string"', r'"a \" b \\"', '"two\nlines"', '""'),
    *("1", "1.", ".5", "1e3", "1.5E-3", "0.1e+2", "1e", "1.5.2", "''", "'a\nb'", '"open', "é", "/", "//", "/*", "a b"),
]


@pytest.mark.parametrize("text", TOKEN_SAMPLES)
def test_the_token_expression_accepts_what_the_grammars_terminals_accept(text: str) -> None:
    by_grammar = text in tables.LITERALS or any(
        re.fullmatch(pattern, text) for name, pattern in tables.PATTERNS.items() if name not in ("BLANKS", "COMMENT")
    )
    assert bool(re.fullmatch(lexer.TOKEN, text)) == by_grammar


@pytest.mark.parametrize(
    "text", ["", " ", "\t\r\n\f\v\u00a0", "// x\n", "/* x */", "/***/ /**/ // /*\n", "/* x", "x", "\u2003", "/*/"]
)
def test_trivia_is_what_the_grammar_ignores(text: str) -> None:
    ignored = f"(?:{tables.PATTERNS['BLANKS']}|{tables.PATTERNS['COMMENT']})*"
    assert bool(re.fullmatch(lexer.TRIVIA, text)) == bool(re.fullmatch(ignored, text))


def test_every_production_is_in_a_fixture() -> None:
    """What no fixture contains, no test has looked at. Two kinds come only from elsewhere."""
    seen: set[str] = set()
    for path in MODELICA_FIXTURES:
        todo: list[Any] = [parse(Source.read(path).text, strict=True).green]
        while todo:
            node = todo.pop()
            seen.add(tables.KINDS[node[0]])
            todo += [child for child in node[1:] if isinstance(child, tuple)]
    assert set(tables.KINDS) - seen == {"fragment", "unparsed"}


def test_lark_is_imported_by_the_table_builder_alone() -> None:
    code = "import sys, modelica_ast; modelica_ast.parse('model M end M;'); print('lark' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout.strip() == "False"


def test_leaves_are_the_text() -> None:
    text = "  model /* a */ M // b\n end M ; // tail"
    assert "".join(iter_leaves(parse(text).green)) == text
