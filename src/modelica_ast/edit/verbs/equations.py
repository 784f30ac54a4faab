"""Equations and statements as their author wrote them, found by their text; connections, found by their ends.

The sections that they are in are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, cast

from modelica_ast.edit.draft import body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import end_of_sections
from modelica_ast.edit.methods import LateFunction
from modelica_ast.edit.placement import class_of, line_starts, put_in_body
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.surgery import Path, node_of, prefix_of
from modelica_ast.edit.values import parsed, written
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError, nearest
from modelica_ast.syntax import KINDS, Green, Node, children_of, is_blank, make_node, tokens, with_prefix
from modelica_ast.tree import (
    AlgorithmSection,
    ClassAnnotation,
    ClassDefinition,
    Component,
    ComponentReference,
    ConnectEquation,
    ElseEquation,
    ElseifEquation,
    ElseifStatement,
    ElseStatement,
    ElsewhenEquation,
    ElsewhenStatement,
    Equation,
    EquationSection,
    Statement,
    Token,
    View,
    first_connection,
)

Keyword = Literal["equation", "algorithm"]
_Item = Equation | Statement
_Beside = tuple[str, bool] | None  # what to be beside, and before it?

_SHOWN: Final = 60
# What is in a section, by the section's keyword; what lies on the way to it; and what it is called.
_ITEMS: Final[dict[Keyword, type[Equation | Statement]]] = {"equation": Equation, "algorithm": Statement}
_SECTIONS: Final = {"equation": EquationSection, "algorithm": AlgorithmSection}
_BRANCHES: Final = {
    "equation": (ClassAnnotation, ElseifEquation, ElseEquation, ElsewhenEquation),
    "algorithm": (ClassAnnotation, ElseifStatement, ElseStatement, ElsewhenStatement),
}
_ENDINGS: Final = ("_equation", "_statement", "assignment")
_RULES: Final = {"equation": ("_equation", "an equation"), "algorithm": ("_statement", "a statement")}
_WHAT: Final = {"equation": "equation", "algorithm": "statement"}

# Patterns are made of edits, and are looked for by those that name them alone.
_paths_like = cast("Callable[[View, str, str], set[Path]]", LateFunction("modelica_ast.patterns", "paths_like"))

# ---------------------------------------------------------------- what there is


def items_of(owner: ClassDefinition, keyword: Keyword, *, initial: bool | None = None) -> Iterator[_Item]:
    """Every equation or statement in source order, those inside others too; only initial ones, or none of them."""
    item, section = _ITEMS[keyword], _SECTIONS[keyword]
    inside = (item, *_BRANCHES[keyword])
    for start in body_of(owner).sections:
        if not isinstance(start, section | ClassAnnotation):
            continue
        if initial is not None and (getattr(start, "initial", None) is not None) is not initial:
            continue
        todo: list[View] = [start]
        while todo:
            view = todo.pop()
            if isinstance(view, item):
                yield view
            # PERF: most equations have none inside, and neither have tokens, expressions and annotations.
            if any(type(part) is tuple and KINDS[part[0]].endswith(_ENDINGS) for part in node_of(view)):
                todo += [each for each in reversed(view.children) if isinstance(each, inside)]


def list_items(owner: ClassDefinition, keyword: Keyword, *, initial: bool | None = None) -> list[str]:
    """The text of every equation or statement, those inside others too; only initial ones, or none of them."""
    return [each.text for each in items_of(owner, keyword, initial=initial)]


def find_item(owner: ClassDefinition, keyword: Keyword, text: str) -> _Item:
    """The equation or statement with these tokens, or like this pattern, also inside `for`, `if` and `when`."""
    every, name = list(items_of(owner, keyword)), owner.name_in_file
    if "$" in text:
        there = _paths_like(owner.root, text, _WHAT[keyword])
        found = [each for each in every if each.path in there]
    else:
        wanted = tokens(_written(text, keyword).green)[:-1]
        # Its description and its annotation may follow.
        ends = (";", '"', "a")
        has = [(each, tokens(each.green)) for each in every]
        found = [each for each, own in has if own[: len(wanted)] == wanted and own[len(wanted)][:1] in ends]
    if not found:
        near = nearest(_short(text), [_short(each.text) for each in every])
        raise NotFoundError(f"no {_WHAT[keyword]} '{_short(text)}' in '{name}'{near}")
    if len(found) > 1:
        places = "; ".join(_short(each.text) for each in found)
        raise AmbiguousError(f"'{_short(text)}' appears {len(found)} times in '{name}': {places}")
    return found[0]


def _written(text: str, keyword: Keyword) -> View:
    return written(text, *_RULES[keyword])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


# ---------------------------------------------------------------- putting in


def put_item(
    edit: ExactEditor,
    owner: ClassDefinition,
    keyword: Keyword,
    item: Green,
    *,
    initial: bool,
    comments: View | None = None,
) -> View:
    """Put an equation or statement after the last of its kind, in a section that is made if there is none."""
    body = body_of(owner)
    outer, inner = line_starts(body)
    sections = body.sections
    like = [each for each in sections if isinstance(each, EquationSection | AlgorithmSection)]
    same = [each for each in like if isinstance(each, _SECTIONS[keyword]) and (each.initial is not None) is initial]
    if same:
        edit.keep(same[-1])
        last = same[-1].children[-1]
    else:
        # After the last element or section, before the class annotation and `external`; an initial one starts them.
        words = ["initial", f" {keyword}"] if initial else [keyword]
        number = like[0].index if initial and like else end_of_sections(node_of(body))
        if comments is None:  # PERF: in one step
            section = make_node(f"{keyword}_section", *words, with_prefix(item, inner or " "))
            return put_in_body(edit, body, number, section, outer).children[-1]
        last = put_in_body(edit, body, number, make_node(f"{keyword}_section", *words), outer).children[-1]
    return edit.put_line(last, item, start=inner if isinstance(last, Token) else None, comments=comments)


def _add(
    edit: ExactEditor,
    owner: ClassDefinition,
    keyword: Keyword,
    text: str,
    beside: _Beside,
    *,
    initial: bool,
) -> None:
    new = _written(text, keyword)
    if beside is None:
        with edit.all_or_none():
            put_item(edit, owner, keyword, new.green, initial=initial, comments=new)
        return
    if initial:
        raise EditError("'before' and 'after' already say the section; leave out 'initial'")
    name, before = beside
    edit.put_line(find_item(owner, keyword, name), new.green, before=before, comments=new)


def _move(edit: ExactEditor, owner: ClassDefinition, keyword: Keyword, text: str, beside: _Beside) -> None:
    if beside is None:
        raise EditError("say where to move it: 'before' or 'after' another")
    name, before = beside
    item, other = find_item(owner, keyword, text), find_item(owner, keyword, name)
    if item in (other, *other.ancestors):
        raise EditError(f"'{_short(text)}' can't be placed beside itself")
    with edit.all_or_none():
        edit.put_line(other, item.green, before=before, comments=item)
        edit.remove(item)


def _replace(edit: ExactEditor, owner: ClassDefinition, keyword: Keyword, text: str, new: str) -> None:
    old = find_item(owner, keyword, text)
    item = _ITEMS[keyword]
    made = _written(new, keyword)
    assert isinstance(made, item)
    kept = {name: getattr(old, name) for name in ("description", "annotation") if getattr(made, name) is None}
    edit.replace(old, made.with_changes(**{name: value for name, value in kept.items() if value is not None}))


def _beside(before: str | None, after: str | None) -> _Beside:
    if before is not None and after is not None:
        raise EditError("give 'before' or 'after', not both")
    if before is not None:
        return before, True
    return None if after is None else (after, False)


# ---------------------------------------------------------------- the verbs


def add_equation(
    edit: ExactEditor,
    owner: ClassDefinition,
    equation: str,
    *,
    initial: bool = False,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add an equation, given as Modelica with or without its semicolon, `x = 2*y`; beside another, or last."""
    _add(edit, owner, "equation", equation, _beside(before, after), initial=initial)


def remove_equation(edit: ExactEditor, owner: ClassDefinition, equation: str, *, comments: Comments = "drop") -> None:
    """Remove an equation, found by its tokens: blanks, comments, description and annotation don't matter.

    With metavariables the text is a pattern, `der($x) = $_`, that one equation must fit; so it is for the other verbs.
    """
    edit.remove(find_item(owner, "equation", equation), comments=comments)


def replace_equation(edit: ExactEditor, owner: ClassDefinition, equation: str, new: str) -> None:
    """Put another equation in place of one; its comments stay, and so do its description and its annotation."""
    _replace(edit, owner, "equation", equation, new)


def move_equation(
    edit: ExactEditor, owner: ClassDefinition, equation: str, *, before: str | None = None, after: str | None = None
) -> None:
    """Move an equation with its comments before or after another."""
    _move(edit, owner, "equation", equation, _beside(before, after))


def add_statement(
    edit: ExactEditor,
    owner: ClassDefinition,
    statement: str,
    *,
    initial: bool = False,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add a statement to the algorithm, given as Modelica with or without its semicolon: `x := 2*y`."""
    _add(edit, owner, "algorithm", statement, _beside(before, after), initial=initial)


def remove_statement(edit: ExactEditor, owner: ClassDefinition, statement: str, *, comments: Comments = "drop") -> None:
    """Remove a statement, found by its tokens."""
    edit.remove(find_item(owner, "algorithm", statement), comments=comments)


def replace_statement(edit: ExactEditor, owner: ClassDefinition, statement: str, new: str) -> None:
    """Put another statement in place of one; its comments stay, and so do its description and its annotation."""
    _replace(edit, owner, "algorithm", statement, new)


def move_statement(
    edit: ExactEditor, owner: ClassDefinition, statement: str, *, before: str | None = None, after: str | None = None
) -> None:
    """Move a statement with its comments before or after another."""
    _move(edit, owner, "algorithm", statement, _beside(before, after))


# ---------------------------------------------------------------- connections
# Connections, found by their ends in either order, wherever they are; and components that go with theirs.


def connections_of(owner: ClassDefinition) -> list[ConnectEquation]:
    """Every connect equation of a class, also inside `for`, `if` and `when`."""
    return [each for each in items_of(owner, "equation") if isinstance(each, ConnectEquation)]


def ends(connection: ConnectEquation) -> tuple[str, str]:
    """The two ends of a connect equation, without blanks."""
    return str(connection.left), str(connection.right)


def _end(text: str) -> str:
    return "".join(tokens(parsed(text, "component_reference", "a reference")))


def find_connection(owner: ClassDefinition, one: str, other: str) -> ConnectEquation:
    """The connect equation between two ends."""
    wanted = {_end(one), _end(other)}
    every = connections_of(owner)
    found = [each for each in every if set(ends(each)) == wanted]
    name = owner.name_in_file
    if len(found) > 1:
        raise AmbiguousError(f"connect({one}, {other}) appears {len(found)} times in '{name}'")
    if not found:
        written = [f"connect({left}, {right})" for left, right in map(ends, every)]
        raise NotFoundError(f"no connect({one}, {other}) in '{name}'{nearest(f'connect({one}, {other})', written)}")
    return found[0]


def add_connection(edit: ExactEditor, owner: ClassDefinition, one: str, other: str) -> ConnectEquation:
    """Connect two connectors: after the last equation, in a section that is made if there is none."""
    wanted = {_end(one), _end(other)}
    if any(set(ends(each)) == wanted for each in connections_of(owner)):
        raise EditError(f"connect({one}, {other}) is already in '{owner.name_in_file}'")
    new = put_item(edit, owner, "equation", connection_node(one, other, connection_like(owner)), initial=False)
    assert isinstance(new, ConnectEquation)
    return new


def connection_like(owner: ClassDefinition) -> list[str]:
    """The blanks between the tokens of a new connect equation: like the last of the class, or the first of the file."""
    near = [each.green for each in connections_of(owner)[-1:]]
    found = first_connection(*near, owner.root.green)
    between = [] if found is None else [prefix_of(part) for part in children_of(found, 2, 7)]
    is_on_line = bool(between) and all(is_blank(each) and "\n" not in each for each in between)
    return between if is_on_line else ["", "", "", " ", ""]


def connection_node(one: str, other: str, like: Sequence[str]) -> Node:
    """`connect(one, other);`, with blanks like those of another."""
    left, right = (parsed(end, "component_reference", "a reference") for end in (one, other))
    parts = zip(("(", left, ",", right, ")"), like, strict=True)
    return make_node("connect_equation", "connect", *(with_prefix(part, blanks) for part, blanks in parts), ";")


def reconnect(edit: ExactEditor, owner: ClassDefinition, kept: str, old: str, new: str) -> None:
    """Lead a connection elsewhere: from `kept` to `new` instead of `old`; its line and comments stay."""
    found = find_connection(owner, kept, old)
    end = found.left if str(found.left) == _end(old) else found.right
    edit.replace(end, ComponentReference.of(parsed(new, "component_reference", "a reference")))


def remove_component(
    edit: ExactEditor, component: Component, *, connections: bool = False, comments: Comments = "drop"
) -> None:
    """Remove one component; the others of its clause stay, and so do its uses elsewhere.

    With `connections` its connect equations in the class go too.
    """
    every = connections_of(class_of(component)) if connections else []
    own = [each for each in every if component.name in (each.left.parts[0], each.right.parts[0])]
    edit.remove(*sorted([component, *own], key=lambda view: view.path, reverse=True), comments=comments)


def remove_connection(
    edit: ExactEditor, owner: ClassDefinition, one: str, other: str, *, comments: Comments = "drop"
) -> None:
    """Remove the connect equation between two ends, given in either order."""
    edit.remove(find_connection(owner, one, other), comments=comments)
