"""Equations and statements as their author wrote them, found by their text."""

from __future__ import annotations

from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
from modelica_ast.edit.moving import lift, put_comments
from modelica_ast.edit.placing import put_beside, take_out
from modelica_ast.edit.sections import is_initial, items_of, put_item
from modelica_ast.edit.surgery import Path, at
from modelica_ast.edit.values import parsed
from modelica_ast.edit.working import Working
from modelica_ast.green import Green, render, tokens
from modelica_ast.identifiers import nearest

_START = {"equation": "_equation", "algorithm": "_statement"}
_WHAT = {"equation": "equation", "algorithm": "statement"}
_SHOWN = 60


def list_items(work: Working, class_: str, keyword: str, *, initial: bool | None = None) -> list[str]:
    """The text of every equation or statement, those inside others too; only initial ones, or none of them."""
    body = work.body_path(class_)
    paths = items_of(work, class_, keyword)
    found = [path for path in paths if initial is None or is_initial(work, body, path) is initial]
    return [render(at(work.root, path)).strip() for path in found]


def add_equation(
    work: Working,
    class_: str,
    equation: str,
    *,
    initial: bool = False,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add an equation, given as Modelica with or without its semicolon: `x = 2*y`."""
    _add(work, class_, "equation", equation, before, after, initial=initial)


def remove_equation(work: Working, class_: str, equation: str) -> None:
    """Remove an equation, found by its tokens: blanks, comments, description and annotation don't matter."""
    _remove(work, class_, "equation", equation)


def move_equation(
    work: Working, class_: str, equation: str, *, before: str | None = None, after: str | None = None
) -> None:
    """Move an equation before or behind another."""
    _move(work, class_, "equation", equation, before, after)


def add_statement(
    work: Working,
    class_: str,
    statement: str,
    *,
    initial: bool = False,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add a statement to the algorithm, given as Modelica with or without its semicolon: `x := 2*y`."""
    _add(work, class_, "algorithm", statement, before, after, initial=initial)


def remove_statement(work: Working, class_: str, statement: str) -> None:
    """Remove a statement, found by its tokens."""
    _remove(work, class_, "algorithm", statement)


def move_statement(
    work: Working, class_: str, statement: str, *, before: str | None = None, after: str | None = None
) -> None:
    """Move a statement before or behind another."""
    _move(work, class_, "algorithm", statement, before, after)


def _add(
    work: Working, class_: str, keyword: str, text: str, before: str | None, after: str | None, *, initial: bool
) -> None:
    new = _parsed(text, keyword)
    beside = _beside(before, after)
    if beside is None:
        put_item(work, class_, keyword, new, initial=initial)
        return
    if initial:
        raise EditError("'before' and 'after' say the section already; leave out 'initial'")
    put_beside(work, item_path(work, class_, keyword, beside), new, before=before is not None)


def _remove(work: Working, class_: str, keyword: str, text: str) -> None:
    take_out(work, item_path(work, class_, keyword, text))


def _move(work: Working, class_: str, keyword: str, text: str, before: str | None, after: str | None) -> None:
    beside = _beside(before, after)
    if beside is None:
        raise EditError("say where to move it: 'before' or 'after' another")
    path = item_path(work, class_, keyword, text)
    if path == item_path(work, class_, keyword, beside)[: len(path)]:
        raise EditError(f"'{_short(text)}' can't stand beside itself")
    lifted = lift(work, path)
    new = put_beside(work, item_path(work, class_, keyword, beside), lifted.node, before=before is not None)
    put_comments(work, new, lifted)


def _beside(before: str | None, after: str | None) -> str | None:
    if before is not None and after is not None:
        raise EditError("give 'before' or 'after', not both")
    return before if before is not None else after


def item_path(work: Working, class_: str, keyword: str, text: str) -> Path:
    """The equation or statement with these tokens, also inside `for`, `if` and `when`."""
    wanted = tokens(_parsed(text, keyword))[:-1]
    every = [(path, tokens(at(work.root, path))) for path in items_of(work, class_, keyword)]
    # Behind it may stand its description and its annotation.
    found = [path for path, has in every if has[: len(wanted)] == wanted and has[len(wanted)][:1] in (";", '"', "a")]
    if not found:
        near = nearest(_short(text), [_short(render(at(work.root, path))) for path, _ in every])
        raise NotFoundError(f"no {_WHAT[keyword]} '{_short(text)}' in '{class_}'{near}")
    if len(found) > 1:
        places = "; ".join(_short(render(at(work.root, path))) for path in found)
        raise AmbiguousError(f"'{_short(text)}' stands {len(found)} times in '{class_}': {places}")
    return found[0]


def _parsed(text: str, keyword: str) -> Green:
    what = "an equation" if keyword == "equation" else "a statement"
    return parsed(text if text.rstrip().endswith(";") else text + ";", _START[keyword], what)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
