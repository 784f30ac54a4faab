"""The three versions that are merged, each with its tree."""

from __future__ import annotations

from modelica_ast.compare.building import Memo
from modelica_ast.compare.model import file_thing
from modelica_ast.compare.things import Thing
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Node
from modelica_ast.merge.result import MergeError
from modelica_ast.parse import parse
from modelica_ast.record import Record


class Version(Record):
    """A text and its tree."""

    text: str
    green: Node

    def thing(self, memo: Memo) -> Thing:
        """The file as a thing; whoever compares it may change it, so each gets one of its own."""
        return file_thing(self.green, memo, self.text)


def read_version(text: str, label: str, *, strict: bool = False) -> Version:
    """Parse a text; MergeError with its place if it is not Modelica."""
    try:
        tree = parse(text, path=label, strict=strict)
    except ModelicaSyntaxError as error:
        raise MergeError(f"{error.headline}; only files that are Modelica can be merged as Modelica") from error
    assert isinstance(tree.green, tuple)
    return Version(text, tree.green)


def with_text(version: Version, text: str) -> Version:
    """The version with another text, which was made from its own."""
    return version if text == version.text else read_version(text, "text")
