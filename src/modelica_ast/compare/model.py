"""A file, its classes and their elements as things."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Final

from modelica_ast.compare.parts import (
    Builder,
    Memo,
    add_annotation,
    add_arguments,
    add_base,
    add_declaration,
    add_end,
    add_short_class,
    add_type,
    add_words,
)
from modelica_ast.compare.things import ATOM, Thing, is_annotation, is_description, kind_of_node, normal_of, token_is
from modelica_ast.edit import Path, at, class_name, common_length, replaced
from modelica_ast.foundation import ModelicaSyntaxError, Source
from modelica_ast.syntax import Green, Node, Offsets, accepted, child_at, read, render, symbol, token_text, tokens

# ---------------------------------------------------------------- bodies
# Equations, statements and what they are in, as things.

EQUATIONS: Final = accepted("_equation")
STATEMENTS: Final = accepted("_statement")
_BRANCHES: Final = frozenset(
    f"{word}_{what}" for word in ("elseif", "else", "elsewhen") for what in ("equation", "statement")
)
# Where what is on the left says which one it is.
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
    """Is it the description? A string can be the right side, too, but then an `=` comes before it."""
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


# ---------------------------------------------------------------- model

# In these the order of the declarations is the order of positional arguments.
_POSITIONAL: Final = frozenset({"function", "record"})


def file_thing(root: Node, memo: Memo | None = None, text: str | None = None) -> Thing:
    """The thing that a file is. Versions of one file are made with one memo, which each of them adds to."""
    thing = Thing("file", "file", "file", (root,))
    thing.memo = Memo() if memo is None else memo
    thing.put_core(render(root) if text is None else text)
    thing.expand = _file
    return thing


def _file(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    root: Any = thing.greens[0]
    *parts, tail = root[1:]
    classes = [part for part in parts if kind_of_node(part) in ("stored_class", "unparsed")]
    number = 0
    for part in parts[: len(parts) - len(classes)]:
        if isinstance(part, str):
            builder.slot("byte order mark", "layout", part)
        else:
            builder.slot(("within", number), "within", part, line=True)
            number += 1
    with builder.items("classes"):
        for part in classes:
            builder.item(part, _element)
    builder.slot("end of file", "comment", tail, line=True)
    return builder.children


# ---------------------------------------------------------------- elements


def _element(node: Any) -> Thing:
    """An element of a class, or a class of the file."""
    kind = kind_of_node(node)
    if kind == "unparsed":
        return Thing("text", None, ATOM, (node,))
    declared = next(part for part in node[1:] if isinstance(part, tuple))
    match kind_of_node(declared):
        case "class_definition":
            name = class_name(declared)
            thing = Thing("class", ("class", name), "class", (node,), name=name)
            thing.expand = _class
        case "component_clause":
            names = component_names(node)
            thing = Thing("component", ("component", names[0]), "clause", (node,), name=names[0])
            thing.declares = tuple(names)
            thing.expand = _clause
        case "extends_clause":
            base = "".join(tokens(declared[2]))
            thing = Thing("extends", ("extends", base), "extends", (node,), name=f"extends {base}")
            thing.weak_key = ("extends", base.rpartition(".")[2])
            thing.expand = _extends
        case _:
            name = _import_name(declared).partition("=")[0].partition("{")[0]
            thing = Thing("import", ("import", name), "import", (node,), name=f"import {name}")
            thing.expand = _import
    return thing


def component_names(element: Any) -> list[str]:
    """The components that an element declares."""
    clause = next(part for part in element[1:] if isinstance(part, tuple))
    return [token_text(part[1]) for part in clause[1:] if kind_of_node(part) == "component_declaration"]


def _import_name(clause: Any) -> str:
    parts = [part for part in clause[2:] if not is_annotation(part) and not is_description(part)]
    return "".join(token for part in parts for token in tokens(part))


def _import(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    clause = node[1]
    stop = next((i for i in range(1, len(clause)) if is_annotation(clause[i]) or is_description(clause[i])), None)
    builder.slot("body", "import", *clause[1:stop])
    add_end(builder, [*(clause[stop:] if stop else ()), *node[2:]])
    return builder.children


def _extends(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    add_base(builder, node[1])
    add_end(builder, list(node[2:]))
    return builder.children


def _clause(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    words, clause, rest = _around_declared(node)
    add_words(builder, words)
    first = next(i for i in range(1, len(clause)) if kind_of_node(clause[i]) == "component_declaration")
    add_type(builder, list(clause[1:first]))
    builder.comma_list("components", clause[first:], _component, ordered=False)
    add_end(builder, rest)
    return builder.children


def _around_declared(node: Any) -> tuple[list[Green], Any, list[Green]]:
    at = next(i for i in range(1, len(node)) if isinstance(node[i], tuple))
    return list(node[1:at]), node[at], list(node[at + 1 :])


def _component(node: Any) -> Thing:
    name = token_text(node[1])
    thing = Thing("component", ("component", name), "component", (node,), name=name)
    thing.expand = _declaration
    return thing


def _declaration(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    add_declaration(builder, thing.greens[0])
    return builder.children


# ---------------------------------------------------------------- classes


def _class(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    node: Any = thing.greens[0]
    words, definition, rest = _around_declared(node)
    *front, specifier = definition[1:]
    kinds = list(front[-1][1:])
    words += front[:-1]
    if token_is(kinds[0], "partial"):
        words.append(kinds.pop(0))
    add_words(builder, words)
    builder.slot("kind", "kind", *kinds)
    if kind_of_node(specifier) != "long_class_specifier":
        add_short_class(builder, specifier)
        add_end(builder, rest)
        return builder.children
    parts = list(specifier[1:])
    if token_is(parts[0], "extends") and kind_of_node(parts[1]) != "composition":
        builder.slot("extends", "prefix", parts.pop(0))
    builder.slot("name", "name", parts.pop(0))
    for part in parts[:-3]:
        if kind_of_node(part) == "class_modification":
            add_arguments(builder, part)
        else:
            add_end(builder, [part])
    is_ordered = bool(_POSITIONAL & {token_text(word) for word in kinds if isinstance(word, str)})
    _add_body(builder, parts[-3], is_ordered=is_ordered)
    builder.slot("end", "token", parts[-2], line=True)
    builder.slot("end name", "name", parts[-1])
    add_end(builder, rest)
    return builder.children


def _add_body(builder: Builder, composition: Any, *, is_ordered: bool) -> None:
    parts = list(composition[1:])
    elements = [part for part in parts if kind_of_node(part) in ("element", "unparsed")]
    with builder.items("elements", is_ordered=is_ordered):
        for part in elements:
            builder.item(part, _element)
    counts: dict[str, int] = {}
    with builder.items("sections"):
        for part in parts[len(elements) :]:
            name = _section_name(part)
            counts[name] = counts.get(name, -1) + 1
            with builder.record(Thing("section", (name, counts[name]), f"section {name}", ())):
                _add_section(builder, part, is_ordered=is_ordered)


def _section_name(section: Any) -> str:
    kind = kind_of_node(section)
    if kind in ("equation_section", "algorithm_section") and token_is(section[1], "initial"):
        return f"initial {kind.removesuffix('_section')}"
    return kind.removesuffix("_section")


def _add_section(builder: Builder, section: Any, *, is_ordered: bool) -> None:
    parts = list(section[1:])
    match kind_of_node(section):
        case "class_annotation":
            add_annotation_line(builder, parts)
        case "external_clause":
            stop = next(i for i, part in enumerate(parts) if is_annotation(part) or token_is(part, ";"))
            builder.slot("external", "external", *parts[:stop], line=True)
            add_end(builder, parts[stop:])
        case _:
            words = [part for part in parts if isinstance(part, str)]
            builder.slot("word", "section", *words, line=True)
            _add_members(builder, parts[len(words) :], is_ordered=is_ordered)


def add_annotation_line(builder: Builder, parts: list[Any]) -> None:
    """The annotation of a class. What old files have after it continues the section before it."""
    add_annotation(builder, parts[0], line=True)
    builder.slot(";", "token", parts[1])
    if len(parts) > 2:  # noqa: PLR2004
        builder.slot("resumed", "token", parts[2])
        _add_members(builder, parts[3:], is_ordered=False)


def _add_members(builder: Builder, parts: list[Any], *, is_ordered: bool) -> None:
    kinds = {kind_of_node(part) for part in parts}
    if kinds & (EQUATIONS | STATEMENTS):
        add_items(builder, parts, item_thing)
        return
    with builder.items("items", is_ordered=is_ordered):
        for part in parts:
            builder.item(part, _element)


# ---------------------------------------------------------------- reading
# A version that has most of its text in common with one that was parsed.

# What is parsed on its own when something inside it has changed.
_CHUNKS: Final = {"element": "_element", "stored_class": "stored_class"}


def root_beside(text: str, other: str, root: Node, offsets: Offsets, *, strict: bool = False) -> Node | None:
    """The tree of a text, made from that of another one; None if all of it must be parsed to know.

    PERF: the smallest element around all that differs is parsed, and put into the tree of the other. It starts and ends
    with characters that both have, so the tokens around it are the same; and as there is but one tree for a text, what
    reads as an element on its own is that element. With `strict` all annotations in it are read as well.
    """
    if text == other:
        return root
    first = common_length(other, text)
    rest = common_length(other[first:][::-1], text[first:][::-1])
    found = _chunk_around(root, first, len(other) - rest, offsets)
    if found is None:
        return None
    path, start, stop = found
    old = at(root, path)
    piece = Source(text[start : len(text) - len(other) + stop])
    try:
        new, tail = read(piece, start=_CHUNKS[symbol(old)]).green[1:]
        if strict:
            read(piece, start=_CHUNKS[symbol(old)], lazy=False)
    except ModelicaSyntaxError:
        return None
    return None if tail or symbol(new) != symbol(old) else replaced(root, path, new)


def _chunk_around(root: Node, first: int, stop: int, offsets: Offsets) -> tuple[Path, int, int] | None:
    """The smallest element that has more on both sides than the characters from `first` to `stop`; where it is."""
    found: tuple[Path, int, int] | None = None
    path: list[int] = []
    node: Green = root
    start = 0
    while isinstance(node, tuple):
        ends = [offsets.before(node, index + 1) for index in range(1, len(node))]
        index = bisect_left(ends, stop - start) + 1
        if index == len(node) or start + offsets.before(node, index) > first:
            break
        start += offsets.before(node, index)
        node = child_at(node, index)
        path.append(index)
        end = start + offsets.width(node)
        if symbol(node) in _CHUNKS and start + 1 < first and stop < end:
            found = tuple(path), start, end
    return found
