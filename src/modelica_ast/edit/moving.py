"""Move an element with the comments that belong to it."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.placing import Place, elements_of_section, named_element, put_element
from modelica_ast.edit.surgery import Path, at, change_prefix, first_leaf_path, next_leaf_path, prefix_of, remove
from modelica_ast.edit.working import Working
from modelica_ast.record import Record
from modelica_ast.trivia import Prefix, is_blank


class Lifted(Record):
    """Something taken out of a tree, with the comments that belong to it."""

    node: Any
    above: str  # the comment lines above it
    beside: str  # the comment behind it, on its last line


def lift(work: Working, where: Path) -> Lifted:
    """Take out an element, equation or statement."""
    node = at(work.root, where)
    prefix = Prefix.of(prefix_of(node))
    following = next_leaf_path(work.root, where)
    assert following is not None  # a class has its `end`
    behind = Prefix.of(prefix_of(at(work.root, following)))
    above = "".join(prefix.lines[prefix.own_from : -1]) if prefix.starts_line else ""
    beside = behind.head if prefix.starts_line and behind.starts_line and not is_blank(behind.head) else ""
    work.changed(remove(work.root, where), where[:-1])
    return Lifted(node, above, beside)


def put_comments(work: Working, where: Path, lifted: Lifted) -> None:
    """Give something that was put back the comments that it was taken out with."""
    root = work.root
    if lifted.above:
        first = first_leaf_path(at(root, where))
        assert first is not None
        root = change_prefix(root, (*where, *first), lambda old: _with_lines_above(old, lifted.above))
    if lifted.beside:
        root = change_prefix(root, next_leaf_path(root, where), lambda old: lifted.beside + old)
    work.changed(root, where[:-1])


def move_element(work: Working, class_: str, where: Path, target: Place) -> None:
    """Take an element out and put it at its new place."""
    if _stands_there(work, class_, where, target):
        return
    lifted = lift(work, where)
    put_comments(work, put_element(work, class_, lifted.node, target), lifted)


def _with_lines_above(prefix: str, above: str) -> str:
    found = Prefix.of(prefix)
    if not found.starts_line:
        return prefix
    return found.head + "".join(found.lines[:-1]) + above + found.lines[-1]


def _stands_there(work: Working, class_: str, where: Path, target: Place) -> bool:
    """Is it where it should go already?"""
    if target.neighbour is not None:
        beside = named_element(work, class_, target.neighbour)
        step = 1 if target.before is not None else -1
        return beside == (*where[:-1], where[-1] + step)
    if target.place == "sorted":
        return False
    found = elements_of_section(work, work.body_path(class_), target.section)
    return bool(found) and target.place != "first" and found[-1] == where
