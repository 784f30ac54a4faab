"""Import clauses of one file: classes have other names, what is imported keeps its name in the importing class."""

from __future__ import annotations

from collections.abc import Sequence

from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, insert_after, node_of, prefix_of, replaced, with_prefix
from modelica_ast.green import Node, children_of
from modelica_ast.lexer import token_text
from modelica_ast.library import import_clauses
from modelica_ast.library.conversion.file_work import FileWork, Visit, one_line
from modelica_ast.library.conversion.rules import ConvertMessage, Rule
from modelica_ast.semantics.definitions import FullName
from modelica_ast.shape import child, make_node
from modelica_ast.trivia import Prefix


def convert_import(work: FileWork, visit: Visit) -> None:
    """`import A.B`, `import A.*`, `import A.{b, c}`; the name in `import B = A.C` is one like any other."""
    clause = node_of(visit.view)
    if import_clauses.is_renaming(clause):
        return
    full = import_clauses.imported(clause)
    if child(clause, "import_list") is not None:
        _convert_list(work, visit, full)
        return
    verdict = work.rules.convert(full)
    if isinstance(verdict.rule, ConvertMessage):
        work.message(visit, verdict.rule)
    elif verdict.rule is not None:
        is_open = any(type(part) is str and token_text(part) in (".*", "*") for part in children_of(clause, 3))
        work.need(visit, verdict.new[0])
        work.replace(visit, import_clauses.with_imported(clause, verdict.new, keeps_name=not is_open), verdict.rule)


def _convert_list(work: FileWork, visit: Visit, package: FullName) -> None:
    base = work.rules.convert(package).new
    stay: list[tuple[str, str] | None] = []
    go: list[tuple[str, FullName]] = []
    used: Rule | None = None
    for name, there in import_clauses.listed(node_of(visit.view)):
        verdict = work.rules.convert((*package, there))
        if isinstance(verdict.rule, ConvertMessage):
            work.message(visit, verdict.rule)
        else:
            used = used or verdict.rule
        if verdict.new[:-1] == base:
            stay.append((name, verdict.new[-1]))
        else:
            stay.append(None)
            go.append((name, verdict.new))
    if used is None:
        return
    clause = import_clauses.with_list(node_of(visit.view), base, stay)
    if clause is None:  # nothing stays in the list: the first of the others takes its place
        clause = with_prefix(import_clauses.new_import(*go.pop(0)), prefix_of(visit.view.green))
    added = [make_node("element", import_clauses.new_import(name, full), ";") for name, full in go]
    after = " ".join([f"{one_line(clause)};", *map(one_line, added)])
    work.change(visit, used, f"{one_line(visit.view.green)};", after)
    work.edit(visit.view.path, _ReplaceImport(clause, added))


class _ReplaceImport:
    """An import of a list becomes another one, with imports behind it for what is no longer in one package."""

    def __init__(self, clause: Node, added: Sequence[Node]) -> None:
        self._clause = clause
        self._added = added

    def __call__(self, root: Node, path: TreePath) -> Node:
        element = path[:-1]
        line_start = Prefix.of(prefix_of(at(root, element))).line_start
        for new in reversed(self._added):
            root = insert_after(root, element, new, line_start)
        return replaced(root, path, self._clause)
