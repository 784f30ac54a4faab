"""Import clauses of one file: classes have other names, what is imported keeps its name in the importing class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, insert_after, prefix_of, replaced, with_prefix
from modelica_ast.green import Node
from modelica_ast.lexer import token_text
from modelica_ast.library import import_clauses
from modelica_ast.library.conversion.file_work import FileWork, Place, one_line
from modelica_ast.library.conversion.rules import ConvertMessage, Rule
from modelica_ast.semantics.definitions import FullName
from modelica_ast.shape import child, make_node
from modelica_ast.trivia import Prefix


def convert_import(work: FileWork, place: Place) -> None:
    """`import A.B`, `import A.*`, `import A.{b, c}`; the name in `import B = A.C` is one like any other."""
    clause = place.green
    if import_clauses.is_renaming(clause):
        return
    full = import_clauses.imported(clause)
    if child(clause, "import_list") is not None:
        _convert_list(work, place, full)
        return
    verdict = work.rules.convert(full)
    if isinstance(verdict.rule, ConvertMessage):
        work.message(place, verdict.rule)
    elif verdict.rule is not None:
        is_open = any(type(part) is str and token_text(part) in (".*", "*") for part in clause[3:])
        work.need(place, verdict.new[0])
        work.replace(place, import_clauses.with_imported(clause, verdict.new, keeps_name=not is_open), verdict.rule)


def _convert_list(work: FileWork, place: Place, package: FullName) -> None:
    base = work.rules.convert(package).new
    stay: list[tuple[str, str] | None] = []
    go: list[tuple[str, FullName]] = []
    used: Rule | None = None
    for name, there in import_clauses.listed(place.green):
        verdict = work.rules.convert((*package, there))
        if isinstance(verdict.rule, ConvertMessage):
            work.message(place, verdict.rule)
        else:
            used = used or verdict.rule
        if verdict.new[:-1] == base:
            stay.append((name, verdict.new[-1]))
        else:
            stay.append(None)
            go.append((name, verdict.new))
    if used is None:
        return
    clause = import_clauses.with_list(place.green, base, stay)
    if clause is None:  # nothing stays in the list: the first of the others takes its place
        clause = with_prefix(import_clauses.new_import(*go.pop(0)), prefix_of(place.green))
    added = [make_node("element", import_clauses.new_import(name, full), ";") for name, full in go]
    after = " ".join([f"{one_line(clause)};", *map(one_line, added)])
    work.change(place, used, f"{one_line(place.green)};", after)
    work.edit(place.path, _ReplaceImport(clause, added))


class _ReplaceImport:
    """An import of a list becomes another one, with imports behind it for what is no longer in one package."""

    def __init__(self, clause: Node, added: Sequence[Node]) -> None:
        self._clause = clause
        self._added = added

    def __call__(self, root: Any, path: TreePath) -> Any:
        element = path[:-1]
        line_start = Prefix.of(prefix_of(at(root, element))).line_start
        for new in reversed(self._added):
            root = insert_after(root, element, new, line_start)
        return replaced(root, path, self._clause)
