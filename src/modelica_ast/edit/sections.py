"""Equation and algorithm sections: what stands in them, and where something new goes."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.placing import end_of_sections, line_starts, put_in_body
from modelica_ast.edit.surgery import Path, at, insert_after, prefix_of, with_prefix
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, tokens
from modelica_ast.shape import accepted, make_node
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix

# What stands in a section, by the section's keyword.
ITEMS: Final = {"equation": accepted("_equation"), "algorithm": accepted("_statement")}
_ON_THE_WAY: Final = {
    "equation": frozenset({"equation_section", "class_annotation", "elseif_equation", "else_equation"})
    | {"elsewhen_equation"},
    "algorithm": frozenset({"algorithm_section", "class_annotation", "elseif_statement", "else_statement"})
    | {"elsewhen_statement"},
}


def items_of(work: Working, class_: str, keyword: str) -> list[Path]:
    """Every equation or statement of a class in source order, initial ones and those inside others too."""
    body = work.body_path(class_)
    composition = at(work.root, body)
    found: list[Path] = []
    todo: list[tuple[Any, Path]] = [(composition[i], (*body, i)) for i in range(len(composition) - 1, 0, -1)]
    while todo:
        node, path = todo.pop()
        kind = KINDS[node[0]]
        if kind in ITEMS[keyword]:
            found.append(path)
        if kind in ITEMS[keyword] or kind in _ON_THE_WAY[keyword]:
            todo += [(node[i], (*path, i)) for i in range(len(node) - 1, 0, -1) if isinstance(node[i], tuple)]
    return found


def is_initial(work: Working, body: Path, item: Path) -> bool:
    """Does an equation or statement stand in an initial section?"""
    return tokens(at(work.root, item[: len(body) + 1]))[:1] == ["initial"]


def put_item(work: Working, class_: str, keyword: str, item: Green, *, initial: bool) -> None:
    """Put an equation or statement behind the last of its kind, in a section that is made if there is none."""
    body = work.body_path(class_)
    composition = at(work.root, body)
    sections = [
        i
        for i in range(1, len(composition))
        if KINDS[composition[i][0]] == f"{keyword}_section" and (tokens(composition[i])[:1] == ["initial"]) is initial
    ]
    if not sections:
        _put_section(work, body, keyword, item, initial=initial)
        return
    section = composition[sections[-1]]
    last = (*body, sections[-1], len(section) - 1)
    keyword_alone = isinstance(at(work.root, last), str)
    start = line_starts(work.root, body)[1] if keyword_alone else Prefix.of(prefix_of(at(work.root, last))).line_start
    work.changed(insert_after(work.root, last, item, start), (*last[:-1], last[-1] + 1))


def _put_section(work: Working, body: Path, keyword: str, item: Green, *, initial: bool) -> None:
    """A new section stands behind the last element or section, before the class annotation and `external`."""
    outer, inner = line_starts(work.root, body)
    words = ["initial", f" {keyword}"] if initial else [keyword]
    section = make_node(f"{keyword}_section", *words, with_prefix(item, inner or " "))
    composition = at(work.root, body)
    index = end_of_sections(composition)
    if initial:  # before the sections that it starts
        index = next((i for i in range(1, index) if KINDS[composition[i][0]] in _WITH_ITEMS), index)
    put_in_body(work, body, index, section, outer)


_WITH_ITEMS: Final = frozenset({"equation_section", "algorithm_section"})
