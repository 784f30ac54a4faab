"""A class out of the lists of imports, `import A.{B, C}`: what has its own import can follow the class alone."""

from __future__ import annotations

import re
from typing import Any

from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import insert_after, node_at, prefix_of, replaced
from modelica_ast.green import child_at, children_of
from modelica_ast.identifiers import split_name
from modelica_ast.lexer import token_text
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.import_clauses import imported, listed, new_import, with_list
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.progress import Tally
from modelica_ast.library.references import Uses, target_of
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix

_LISTS = ("import_list", "import_alias")


def take_out_of_lists(libraries: Libraries, name: str, tally: Tally) -> None:
    """Give a class an import of its own wherever a list names it; inside a transaction."""
    own = split_name(name)[-1]
    # PERF: few libraries have such lists at all, and what the name stands for everywhere takes long to find out.
    in_braces = re.compile(rf"\bimport\b[^;]*\{{[^}}]*(?<![A-Za-z0-9_]){re.escape(own)}(?![A-Za-z0-9_])")
    if not any(in_braces.search(libraries.text_of(entry)) for _, entry in libraries.files()):
        return
    target = target_of(libraries, name)
    uses = Uses(libraries, [own], tally)
    roots = uses.roots()
    for file, places in uses.meanings(roots).items():
        root = roots[file]
        found = {
            _clause_around(root, path)
            for path, meant in places.items()
            if meant == target and KINDS[node_at(root, path[:-1])[0]] in _LISTS
        }
        if found:
            if libraries.library_of(uses.entry(file).full_name).read_only:
                raise LibraryError(f"'{name}' is used in a read-only library: {file}")
            # No annotation is around an import, so the paths are those of the document too.
            libraries.document_at(file).edit(_unlisted, sorted(found, reverse=True), own)


def _clause_around(root: Any, path: TreePath) -> TreePath:
    depths = range(len(path) - 1, 0, -1)
    return path[: next(depth for depth in depths if KINDS[node_at(root, path[:depth])[0]] == "import_clause")]


def _unlisted(edit: ExactEditor, clauses: list[TreePath], own: str) -> None:
    root: Any = edit.tree.green
    for path in clauses:  # from the back, so that the paths before stay right
        clause = node_at(root, path)
        package, items = imported(clause), listed(clause)
        added = [new_import(name, (*package, there)) for name, there in items if there == own]
        rest = with_list(clause, package, [None if there == own else (name, there) for name, there in items])
        if rest is None:  # the import of the class takes the place of the list, before its description
            brace = next(i for i, part in enumerate(clause) if type(part) is str and token_text(part) == "}")
            own_parts = children_of(added.pop(0), 2)
            rest = make_node("import_clause", child_at(clause, 1), *own_parts, *children_of(clause, brace + 1))
        line_start = Prefix.of(prefix_of(node_at(root, path[:-1]))).line_start
        for new in reversed(added):
            root = insert_after(root, path[:-1], make_node("element", new, ";"), line_start)
        root = replaced(root, path, rest)
    edit.take(root)
