"""A Python file as bytes, text and tree, and where its statements stand in the text."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from typing import Final

from attrs import define, field

from urdf_frontend.typed_modules.errors import UnreadableModuleError

# The line ends that Python knows; `str.splitlines` knows more.
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@define
class PythonText:
    """A file as it was read. Its encoding, its BOM and its line ends are those of what is written back."""

    file: str
    text: str
    encoding: str
    tree: ast.Module
    _lines: list[str] = field(init=False)
    _starts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._lines = _LINE.findall(self.text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    @classmethod
    def read(cls, data: bytes, file: str) -> PythonText:
        """Read a file; UnreadableModuleError says what is wrong with it, and in which line."""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            text = data.decode(encoding)
            return cls(file, text, encoding, ast.parse(text))
        except SyntaxError as wrong:
            place = file if wrong.lineno is None else f"{file}:{wrong.lineno}"
            version = ".".join(map(str, sys.version_info[:2]))
            raise UnreadableModuleError(f"{place}: Python {version} can't read this: {wrong.msg}") from None
        except (ValueError, RecursionError, MemoryError) as wrong:
            raise UnreadableModuleError(f"{file} can't be read: {wrong or 'it is nested too deep'}") from None

    @property
    def line_end(self) -> str:
        """The line end that the file has most often."""
        windows = self.text.count("\r\n")
        return "\r\n" if windows * 2 > self.text.count("\n") else "\n"

    def encode(self, text: str) -> bytes:
        """A text in the encoding of the file; UnreadableModuleError if that has no character for all of it."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as wrong:
            missing = text[wrong.start : wrong.end]
            raise UnreadableModuleError(
                f"{self.file} is in {self.encoding}, which has no {missing!r}: write it in UTF-8"
            ) from None

    def span(self, node: ast.stmt) -> tuple[int, int]:
        """Where a statement starts and ends in the text."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def line_after(self, offset: int) -> int:
        """Where the line that an offset stands in ends, before its line end."""
        found = re.compile(r"[\r\n]|\Z").search(self.text, offset)
        assert found is not None
        return found.start()

    def _offset(self, line: int, column: int) -> int:
        # Columns of `ast` count bytes of UTF-8.
        before = self._lines[line - 1].encode("utf-8")[:column].decode("utf-8")
        return self._starts[line - 1] + len(before)


def name_of(node: ast.stmt) -> str | None:
    """The name that a statement gives to something; None if it gives none, or several."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    target = getattr(node, "name", None)  # `type X = …`, whose node Python 3.11 does not know
    return target.id if isinstance(target, ast.Name) else None
