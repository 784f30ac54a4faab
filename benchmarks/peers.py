"""Other parsers of Modelica for Python, each as a function that takes the text of a file and fails if it can't.

Each is called in the cheapest way it has to parse a whole file, with the settings it has by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import metadata

import attrs
from benchmarks.corpus import SourceFile, total_size
from benchmarks.timing import Contender, Method, Timing, race

import modelica_ast

Parse = Callable[[str], object]
_OUR_REPEATS = 3


@attrs.frozen
class Peer:
    """A parser to compare with. `load` imports it, in the process that measures it."""

    name: str
    package: str
    load: Callable[[], Parse]
    remark: str
    variant: str = ""
    has_bar: bool = False

    def label(self) -> str:
        """What the tables call it."""
        return f"{self.name} {self.version()}{self.variant}"

    def version(self) -> str | None:
        """The installed version, or None."""
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None


@attrs.frozen
class Comparison:
    """A peer and ourselves, all on exactly the files that the peer can parse."""

    peer: str
    has_bar: bool
    remark: str
    files: int
    failed: int
    first_failure: str
    size: int
    seconds: float
    lazy_seconds: float
    eager_seconds: float
    spread: float

    @property
    def lazy_ratio(self) -> float:
        """How many times faster we are, annotations unread."""
        return self.seconds / self.lazy_seconds

    @property
    def eager_ratio(self) -> float:
        """How many times faster we are, everything read."""
        return self.seconds / self.eager_seconds


def compare(peer: Peer, files: Sequence[SourceFile], method: Method) -> Comparison:
    """Measure one peer. To be called in a fresh process."""
    contenders = [
        Contender("lazy", modelica_ast.parse, repeats=_OUR_REPEATS),
        Contender(peer.label(), peer.load()),
        Contender("eager", lambda text: modelica_ast.parse(text, strict=True), repeats=_OUR_REPEATS),
    ]
    timings = race([file.text() for file in files], contenders, method)
    lazy, theirs, eager = timings.values()
    _require_no_failure(files, lazy, eager)
    failed = theirs.failures
    return Comparison(
        peer=peer.label(),
        has_bar=peer.has_bar,
        remark=peer.remark,
        files=len(files) - len(failed),
        failed=len(failed),
        first_failure=next((f"{files[at].path.name}: {why.strip()}" for at, why in failed.items()), ""),
        size=total_size(files) - sum(files[at].size for at in failed),
        seconds=theirs.seconds(without=failed),
        lazy_seconds=lazy.seconds(without=failed),
        eager_seconds=eager.seconds(without=failed),
        spread=max(theirs.spread(), lazy.spread()),
    )


def _require_no_failure(files: Sequence[SourceFile], *ours: Timing) -> None:
    for timing in ours:
        for at, why in timing.failures.items():
            raise RuntimeError(f"modelica_ast can't parse {files[at].path}: {why}")


class NotParsedError(Exception):
    """A peer that reports errors by other means than exceptions did not parse a file."""


def _lark(lexer: str) -> Parse:
    from modelica_ast._grammar.build_table import stock_lark  # noqa: PLC0415

    parse: Parse = stock_lark(start="stored_definition", lexer=lexer).parse
    return parse


def _lark_basic() -> Parse:
    return _lark("basic")


def _lark_contextual() -> Parse:
    return _lark("contextual")


def _rumoca() -> Parse:
    import rumoca  # noqa: PLC0415

    # Typed where rumoca is installed, and Any where it is not.
    parse: Parse = rumoca.format
    return parse


def _modelica_builder() -> Parse:
    from antlr4 import CommonTokenStream, InputStream, Token  # noqa: PLC0415
    from modelica_builder.modelica_parser import modelicaLexer, modelicaParser  # noqa: PLC0415

    def parse(text: str) -> object:
        # What `modelica_builder.modelica_parser.parse` does, but for reading the file (as ASCII, and so not
        # every file) and printing errors.
        lexer = modelicaLexer(InputStream(text))
        lexer.removeErrorListeners()
        tokens = CommonTokenStream(lexer)
        parser = modelicaParser(tokens)
        parser.removeErrorListeners()
        tree: object = parser.stored_definition()
        if parser.getNumberOfSyntaxErrors():
            raise NotParsedError(f"{parser.getNumberOfSyntaxErrors()} syntax errors")
        if tokens.LA(1) != Token.EOF:
            raise NotParsedError(f"the rest from line {tokens.LT(1).line} was ignored")
        return tree

    return parse


def _pymoca() -> Parse:
    import pymoca.parser  # noqa: PLC0415

    def parse(text: str) -> object:
        # Without its cache on disk, which would answer from the second round on.
        tree: object = pymoca.parser.parse(text, bypass_cache=True)
        return tree

    return parse


_SAME_GRAMMAR = "our grammar, Lark's own parser"
PEERS = (
    Peer("Lark", "lark", _lark_contextual, _SAME_GRAMMAR, ", contextual lexer", has_bar=True),
    Peer("Lark", "lark", _lark_basic, _SAME_GRAMMAR, ", basic lexer"),
    Peer("rumoca", "rumoca", _rumoca, "native; rumoca.format, more than a parse: nothing cheaper is offered"),
    Peer("modelica-builder", "modelica-builder", _modelica_builder, "ANTLR in Python", has_bar=True),
    Peer("pymoca", "pymoca", _pymoca, "ANTLR in Python, and its own tree from ANTLR's"),
)
