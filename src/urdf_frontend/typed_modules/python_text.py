"""A Python file as bytes, text and tree, and where its statements are in the text."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from urdf_frontend.robot import JointType
from urdf_frontend.typed import Source
from urdf_frontend.typed_modules.blueprint import TypesError, UnreadableModuleError, constant_prefix
from urdf_frontend.typed_modules.layout import is_same, text_of
from urdf_frontend.typed_modules.statements import SOURCE, Statement

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
        """Where the line that an offset is in ends, before its line end."""
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


# ---------------------------------------------------------------- splicing
# New statements in place of old ones: every byte outside of them stays.

_REST_OF_LINE: Final = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_BLANK_LINES: Final = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")


@frozen
class _Edit:
    start: int
    end: int
    text: str


def spliced(
    python: PythonText, old: Mapping[str, ast.stmt], new: Sequence[tuple[str, Statement]], imports: Sequence[ast.stmt]
) -> str:
    """The text with the new statements; both are known by their roles.

    A statement that says what the new one says stays as it is laid out. One that is new comes after the one before
    it, one that is gone goes with its line.
    """
    edits: list[_Edit] = []
    first = min((python.span(node)[0] for node in old.values()), default=len(python.text))
    there = [node for node in python.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    missing = [node for node in imports if not any(is_same(node, each) for each in there)]
    if missing:
        edits.append(_Edit(first, first, "".join(f"{text_of(node)}\n" for node in missing) + "\n"))
    place, before = first, ""
    for role, statement in new:
        text = text_of(statement.node)
        if role in old:
            start, end = python.span(old[role])
            if not is_same(old[role], statement.node):
                edits.append(_Edit(start, end, text))
            place = python.line_after(end)
        else:
            edits.append(_Edit(place, place, _gap(before, text) + text))
        before = text
    wanted = {role for role, _ in new}
    edits += [_removal(python, node) for role, node in old.items() if role not in wanted]
    return _applied(python, edits)


def _gap(before: str, text: str) -> str:
    is_large = any(each.startswith(("class ", "def ", "@")) for each in (before, text))
    return "\n\n\n" if is_large else "\n\n"


def _removal(python: PythonText, node: ast.stmt) -> _Edit:
    """The statement; with its line, and the blank lines after it, if nothing else is there."""
    start, end = python.span(node)
    is_first = start == 0 or python.text[start - 1] in "\r\n"
    rest = _REST_OF_LINE.match(python.text, end)
    if not is_first or rest is None:
        return _Edit(start, end, "")
    blank = _BLANK_LINES.match(python.text, rest.end())
    assert blank is not None, "it matches nothing too"
    return _Edit(start, blank.end(), "")


def _applied(python: PythonText, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    done = 0
    # Sorting is stable: what is inserted at one place stays in its order.
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [python.text[done : edit.start], edit.text.replace("\n", python.line_end)]
        done = edit.end
    return "".join([*pieces, python.text[done:]])


# ---------------------------------------------------------------- module parts
# What of a module is generated: statements by their roles, which stay the same if the robot gets another prefix.

_KINDS = "|".join(kind.value.capitalize() for kind in JointType)
_CLASS_ROLES = re.compile(rf"LinkId|JointId|Skeleton|Axis|{_KINDS}|(Link|{_KINDS})Parameters\d*")
_CONSTANT_ROLES = re.compile(r"|_LINKAGE|_ARTICULATION")


@frozen
class ExistingModule:
    """A module that was generated earlier: what it was made from, and its generated statements by their roles."""

    python: PythonText
    source: Source
    statements: dict[str, ast.stmt]

    @property
    def link_members(self) -> dict[str, str]:
        """The members of the links, by their names in URDF; the user may have renamed them."""
        return members_of(self.statements.get("LinkId"))

    @property
    def joint_members(self) -> dict[str, str]:
        """The members of the joints, by their names in URDF."""
        return members_of(self.statements.get("JointId"))


def read_module(data: bytes, file: str) -> ExistingModule | None:
    """A module that was generated earlier; None if the file has no code. TypesError if it is something else."""
    python = PythonText.read(data, file)
    if not python.tree.body:
        return None
    by_name = {name_of(node): node for node in reversed(python.tree.body)}
    if SOURCE not in by_name:
        raise TypesError(
            f"{file} is not a module of `modelica-patch urdf types`: it has no {SOURCE}; choose another file"
        )
    source = _source_of(by_name[SOURCE], file)
    statements: dict[str, ast.stmt] = {}
    for node in python.tree.body:
        name = name_of(node)
        role = None if name is None else role_of(name, source.prefix)
        if role is not None:
            statements.setdefault(role, node)
    return ExistingModule(python, source, statements)


def with_roles(statements: Iterable[Statement], prefix: str) -> list[tuple[str, Statement]]:
    """Statements with their roles."""
    found = []
    for statement in statements:
        role = role_of(statement.name, prefix)
        assert role is not None, statement.name
        found.append((role, statement))
    return found


def role_of(name: str, prefix: str) -> str | None:
    """What a generated statement is for; None for the name of something else."""
    if name == SOURCE:
        return name
    if name.startswith(prefix) and _CLASS_ROLES.fullmatch(name[len(prefix) :]):
        return name[len(prefix) :]
    constant = constant_prefix(prefix)
    if name.startswith(constant) and _CONSTANT_ROLES.fullmatch(name[len(constant) :]):
        return f"CONSTANT{name[len(constant) :]}"
    return None


def members_of(node: ast.stmt | None) -> dict[str, str]:
    """The members of an enumeration, by their values."""
    found: dict[str, str] = {}
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        match each:
            case ast.Assign(targets=[ast.Name(id=member)], value=ast.Constant(value=str(value))):
                found.setdefault(value, member)
    return found


def _source_of(node: ast.stmt, file: str) -> Source:
    match node:
        case (
            ast.AnnAssign(value=ast.Call(args=[], keywords=keywords))
            | ast.Assign(value=ast.Call(args=[], keywords=keywords))
        ):
            try:
                source = Source(**{each.arg or "": ast.literal_eval(each.value) for each in keywords})
            except (ValueError, TypeError):
                source = None
            if source is not None and _has_texts(source):
                return source
    raise TypesError(f"{file}:{node.lineno}: {SOURCE} is damaged: take the file away, and make it again")


def _has_texts(source: Source) -> bool:
    required = (source.urdf, source.prefix, source.python)
    optional = (source.package, source.folder, source.model)
    return (
        all(isinstance(each, str) for each in required)
        and all(isinstance(each, str | None) for each in optional)
        and isinstance(source.arguments, tuple)
        and all(isinstance(each, str) for each in source.arguments)
    )
