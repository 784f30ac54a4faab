"""A file, its classes and their elements as things."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.compare.bodies import EQUATIONS, STATEMENTS, add_items, item_thing
from modelica_ast.compare.building import Builder, Memo
from modelica_ast.compare.modifications import (
    add_annotation,
    add_arguments,
    add_base,
    add_declaration,
    add_end,
    add_short_class,
    add_type,
    add_words,
)
from modelica_ast.compare.nodes import is_annotation, is_description, kind_of_node, token_is
from modelica_ast.compare.things import ATOM, Thing
from modelica_ast.edit.index import class_name
from modelica_ast.green import Green, Node, render, tokens
from modelica_ast.lexer import token_text

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
    """The annotation of a class. What old files have behind it continues the section before it."""
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
