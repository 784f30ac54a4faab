"""Equations, statements and what they stand in, as things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from modelica_ast.compare.building import Builder
from modelica_ast.compare.modifications import add_end
from modelica_ast.compare.nodes import is_annotation, is_description, kind_of_node, token_is
from modelica_ast.compare.normal import normal_of
from modelica_ast.compare.things import Thing
from modelica_ast.green import Green, Node, child_at, tokens
from modelica_ast.lexer import token_text
from modelica_ast.shape import accepted

EQUATIONS: Final = accepted("_equation")
STATEMENTS: Final = accepted("_statement")
_BRANCHES: Final = frozenset(
    f"{word}_{what}" for word in ("elseif", "else", "elsewhen") for what in ("equation", "statement")
)
# Where what stands on the left says which one it is.
_WITH_LEFT: Final = frozenset({"simple_equation", "assignment", "der_assignment", "multiple_assignment"})
_SHOWN: Final = 60


def item_thing(node: Node) -> Thing:
    """An equation or statement with its semicolon."""
    kind = kind_of_node(node)
    what = "equation" if kind in EQUATIONS else "statement"
    if kind == "connect_equation":
        ends = sorted("".join(normal_of([child_at(node, place)])) for place in (3, 5))
        shown = f"connect({''.join(tokens(child_at(node, 3)))}, {''.join(tokens(child_at(node, 5)))})"
        thing = Thing("connection", ("connect", *ends), "connection", (node,), name=shown)
        thing.expand = _connection
        return thing
    thing = Thing(what, None, kind, (node,), name=_shown(node))
    thing.expand = _block if _is_block(kind) else _simple
    if kind in _WITH_LEFT:
        thing.weak_key = (kind, normal_of(_left(node)))
    elif _is_block(kind):
        thing.weak_key = (kind, normal_of(_head(node)))
    elif isinstance(first := child_at(node, 1), tuple):
        thing.weak_key = (kind, normal_of([first]))
    return thing


def _is_block(kind: str) -> bool:
    return kind.startswith(("if_", "for_", "when_", "while_"))


def _left(node: Any) -> list[Green]:
    """All before the `=` or `:=`."""
    found: list[Green] = []
    for part in node[1:]:
        if isinstance(part, str) and token_text(part) in ("=", ":="):
            break
        found.append(part)
    return found


def _head(node: Any) -> list[Green]:
    """The words before the first item of a block: `if c then`."""
    found: list[Green] = []
    for part in node[1:]:
        found.append(part)
        if isinstance(part, str) and token_text(part) in ("then", "loop", "else"):
            break
    return found


def _shown(node: Any) -> str:
    """How a path names it: its first words."""
    parts = _head(node) if _is_block(kind_of_node(node)) else node[1:-1]
    words = [token for part in parts if not is_annotation(part) and not is_description(part) for token in tokens(part)]
    text = _spaced(words)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _spaced(words: list[str]) -> str:
    """Tokens with a blank between words, and around `=`, `:=` and `in`."""
    text = ""
    for word in words:
        glued = not text or not (text[-1].isalnum() and (word[0].isalnum() or word[0] == "_"))
        text += word if glued and word not in ("=", ":=") else f" {word}"
        text += " " if word in ("=", ":=", ",") else ""
    return text


def _connection(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    builder.slot("connect", "token", node[1], node[2])
    builder.slot("ends", "connection", node[3], node[4], node[5]).kind = "ends"
    builder.slot(")", "token", node[6])
    add_end(builder, list(node[7:]))
    return builder.children


def _simple(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    stop = next(i for i in range(1, len(node)) if is_annotation(node[i]) or _is_end(node, i) or token_is(node[i], ";"))
    if stop > 1:
        builder.slot("body", thing.what, *node[1:stop])
    add_end(builder, list(node[stop:]))
    return builder.children


def _is_end(node: Any, index: int) -> bool:
    """Is it the description? A string can be the right side, too, but then an `=` stands before it."""
    before = node[index - 1] if index > 1 else "="
    return is_description(node[index]) and not (isinstance(before, str) and token_text(before) in ("=", ":="))


def _block(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    stop = next(i for i in range(1, len(node)) if token_is(node[i], "end"))
    with builder.items("branches", is_ordered=True):
        own = [part for part in node[1:stop] if kind_of_node(part) not in _BRANCHES]
        _add_branch(builder, own, ("branch", 0))
        others = [part for part in node[1:stop] if kind_of_node(part) in _BRANCHES]
        for number, branch in enumerate(others, 1):
            is_else = kind_of_node(branch).startswith("else_")
            _add_branch(builder, list(branch[1:]), ("else", 0) if is_else else ("branch", number))
    builder.slot("end", "token", node[stop], node[stop + 1], line=True)
    add_end(builder, list(node[stop + 2 :]))
    return builder.children


def _add_branch(builder: Builder, parts: list[Green], key: tuple[str, int]) -> None:
    head = _head((0, *parts))
    what = "statement" if any(kind_of_node(part) in STATEMENTS for part in parts) else "equation"
    with builder.record(Thing("branch", key, "branch", ())):
        builder.slot("head", what, *head, line=key != ("branch", 0))
        add_items(builder, parts[len(head) :], item_thing)


def add_items(builder: Builder, parts: list[Any], make: Callable[[Node], Thing]) -> None:
    """The items of a section or branch."""
    is_ordered = any(kind_of_node(part) in STATEMENTS for part in parts)
    with builder.items("items", is_ordered=is_ordered):
        for part in parts:
            builder.item(part, make)
