"""Modifiers, values and annotations as things: each modifier is known by its name, so paths lead to values.

`body(m=1)`, `body = Body(m=1)` and the inside of an annotation are the same kind of thing, lists of named arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from modelica_ast.compare.building import Builder
from modelica_ast.compare.nodes import is_annotation, is_constructor, is_description, kind_of_node, token_is
from modelica_ast.compare.things import ATOM, Thing
from modelica_ast.edit.index import class_name
from modelica_ast.edit.modifiers import argument_name
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Green, Node, child_at, child_leaf, child_node, children_of, tokens
from modelica_ast.lexer import token_text
from modelica_ast.reading import open_annotation
from modelica_ast.source import Source

_WORDS: Final = frozenset({"redeclare", "each", "final", "replaceable"})


def add_end(builder: Builder, parts: list[Green]) -> None:
    """What may stand at the end of most things: description, annotation, constraint, semicolon."""
    for part in parts:
        if is_annotation(part):
            add_annotation(builder, part)
        elif is_description(part):
            builder.slot("description", "description", part)
        elif kind_of_node(part) == "constraining_clause":
            builder.slot("constraint", "constraint", part, shape="constraint", expand=_constraint)
        else:
            builder.slot(("token", "".join(tokens(part))), "token", part)


# ---------------------------------------------------------------- annotations


def add_annotation(builder: Builder, green: Green, *, line: bool = False) -> None:
    """A slot for an annotation, which may stand on a line by itself."""
    thing = builder.slot("annotation", "annotation", green, shape="annotation", expand=_annotation, line=line)
    thing.name = "annotation"


def _annotation(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    (green,) = thing.greens
    if isinstance(green, str):
        try:
            green = open_annotation(green, lambda leaf=green: (Source(leaf), 0))  # type: ignore[misc]
        except ModelicaSyntaxError:
            # It is not Modelica inside, so it is compared as the text that it is.
            builder.slot("unread", "annotation", green)
            return builder.children
    builder.slot("word", "token", child_at(green, 1))
    add_arguments(builder, child_node(green, 2))
    return builder.children


# ---------------------------------------------------------------- arguments


def add_arguments(builder: Builder, node: Node) -> None:
    """A slot for arguments in parentheses."""
    builder.slot("arguments", "modifier", node, shape="arguments", expand=_arguments)


def _arguments(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    (node,) = thing.greens
    assert isinstance(node, tuple)
    builder.slot("(", "token", child_at(node, 1))
    builder.comma_list("items", children_of(node, 2, -1), _argument, ordered=False)
    builder.closing(")", "token", child_at(node, -1))
    return builder.children


def _argument(node: Green) -> Thing:
    kind = kind_of_node(node)
    if kind == "inheritance_modification":
        text = "".join(tokens(node))
        return Thing("modifier", ("break", text), ATOM, (node,), name=text)
    if kind == "named_argument":
        assert isinstance(node, tuple)
        name, shape, expand = token_text(child_leaf(node, 1)), "modifier", _named_argument
    else:
        name = ".".join(argument_name(node))
        shape, expand = ("modifier", _modifier) if kind == "element_modification" else ("redeclaration", _redeclaration)
    thing = Thing("modifier", ("modifier", name), shape, (node,), name=name)
    thing.expand = expand
    return thing


def _modifier(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    parts = _parts(thing)
    words = [part for part in parts if isinstance(part, str) and token_text(part) in ("each", "final")]
    add_words(builder, words)
    name, *rest = parts[len(words) :]
    builder.slot("name", "name", name)
    for part in rest:
        if kind_of_node(part) == "modification":
            add_modification(builder, part, "modifier")
        else:
            add_end(builder, [part])
    return builder.children


def _named_argument(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    name, equals, value = _parts(thing)
    builder.slot("name", "name", name)
    _add_binding(builder, equals, value, "modifier")
    return builder.children


def add_words(builder: Builder, words: Sequence[Green]) -> None:
    """A slot for the words before something, if there are any."""
    if words:
        builder.slot("prefixes", "prefix", *words)


def add_modification(builder: Builder, node: Any, what: str) -> None:
    """Slots for arguments and value."""
    parts = list(node[1:])
    if kind_of_node(parts[0]) == "class_modification":
        add_arguments(builder, parts.pop(0))
    if parts:
        _add_binding(builder, parts[0], parts[1], what)


def _parts(thing: Thing) -> list[Any]:
    (node,) = thing.greens
    return list(node[1:])


# ---------------------------------------------------------------- values


def _add_binding(builder: Builder, equals: Green, value: Green, what: str) -> None:
    thing = builder.slot("binding", what, equals, value, shape="binding", expand=_binding)
    thing.kind = "binding"


def _binding(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    equals, value = thing.greens
    builder.slot("=", "token", equals)
    shape, expand = _shape_of_value(value)
    builder.slot("value", thing.what, value, shape=shape, expand=expand)
    return builder.children


def _shape_of_value(value: Green) -> tuple[str, Any]:
    """Constructors with named arguments and lists of calls can be looked into; other values are atoms."""
    if is_constructor(value):
        return "constructor", _constructor
    if kind_of_node(value) == "array" and any(kind_of_node(part) == "function_call" for part in value[1:]):
        return "array", _array
    return ATOM, None


def _constructor(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    (node,) = thing.greens
    assert isinstance(node, tuple)
    builder.slot("function", "value", child_at(node, 1))
    add_arguments(builder, child_node(node, 2))
    return builder.children


def _array(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    (node,) = thing.greens
    assert isinstance(node, tuple)
    builder.slot("{", "token", child_at(node, 1))
    builder.comma_list("items", children_of(node, 2, -1), _array_item, ordered=True)
    builder.closing("}", "token", child_at(node, -1))
    return builder.children


def _array_item(node: Green) -> Thing:
    shape, expand = ("constructor", _constructor) if is_constructor(node) else (ATOM, None)
    text = "".join(tokens(child_at(node, 1))) if shape != ATOM and isinstance(node, tuple) else ""
    thing = Thing("value", None, shape, (node,), name=text)
    thing.expand = expand
    thing.kind = f"item {text}"
    return thing


# ---------------------------------------------------------------- redeclarations and constraints


def _redeclaration(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    parts = _parts(thing)
    words = [part for part in parts if isinstance(part, str) and token_text(part) in _WORDS]
    add_words(builder, words)
    declared, *rest = parts[len(words) :]
    if kind_of_node(declared) == "component_clause1":
        add_type(builder, list(declared[1:-1]))
        add_declaration(builder, declared[-1])
    elif kind_of_node(declared[-1]) == "long_class_specifier":
        builder.slot("class", "class", declared).name = class_name(declared)
    else:
        builder.slot("kind", "kind", declared[1])
        add_short_class(builder, declared[-1])
    add_end(builder, rest)
    return builder.children


def add_type(builder: Builder, parts: list[Green]) -> None:
    """Slots for what stands before the declared name: `flow`, type, dimensions."""
    for part in parts:
        kind = kind_of_node(part)
        is_word = isinstance(part, str) and token_text(part) in _TYPE_PREFIXES
        if kind == "type_prefix" or is_word:
            builder.slot("type prefix", "prefix", part)
        elif kind == "array_subscripts":
            builder.slot("type dimensions", "dimensions", part)
        else:
            builder.slot("type", "type", part)


_TYPE_PREFIXES: Final = frozenset({"flow", "stream", "discrete", "parameter", "constant", "input", "output"})


def add_declaration(builder: Builder, node: Any) -> None:
    """Slots of a declared name with what stands behind it."""
    builder.slot("name", "name", node[1])
    for part in node[2:]:
        match kind_of_node(part):
            case "array_subscripts":
                builder.slot("dimensions", "dimensions", part)
            case "modification":
                add_modification(builder, part, "value")
            case "condition_attribute":
                builder.slot("condition", "condition", part)
            case _:
                add_end(builder, [part])


def add_short_class(builder: Builder, specifier: Any) -> None:
    """Slots of `Name = …`."""
    kind = kind_of_node(specifier)
    builder.slot("name", "name", specifier[1])
    builder.slot("=", "token", specifier[2])
    rest = list(specifier[3:])
    if kind == "enumeration_class_specifier":
        builder.slot("enumeration", "kind", *rest[:2])
        parts = list(rest[2][1:]) if kind_of_node(rest[2]) == "enum_list" else []
        literals = parts or ([] if token_text(rest[2]) == ")" else [rest[2]])
        builder.comma_list("literals", literals, _literal, ordered=True)
        closing = next(i for i, part in enumerate(rest) if token_is(part, ")"))
        builder.closing(")", "token", rest[closing])
        add_end(builder, rest[closing + 1 :])
    elif kind == "der_class_specifier":
        closing = next(i for i, part in enumerate(rest) if token_is(part, ")"))
        builder.slot("der", "type", *rest[: closing + 1])
        add_end(builder, rest[closing + 1 :])
    else:
        for part in _short_parts(builder, rest):
            add_end(builder, [part])


def _short_parts(builder: Builder, rest: list[Green]) -> Iterator[Green]:
    has_type = False
    for part in rest:
        match kind_of_node(part):
            case "base_prefix":
                builder.slot("type prefix", "prefix", part)
            case "array_subscripts":
                builder.slot("dimensions", "dimensions", part)
            case "class_modification":
                add_arguments(builder, part)  # type: ignore[arg-type]
            case _ if not has_type:
                builder.slot("type", "type", part)
                has_type = True
            case _:
                yield part


def _literal(node: Green) -> Thing:
    if isinstance(node, str):  # `:`, or a literal without description
        return Thing("literal", ("literal", token_text(node)), ATOM, (node,), name=token_text(node))
    name = token_text(child_leaf(node, 1))
    thing = Thing("literal", ("literal", name), "literal", (node,), name=name)
    thing.expand = _expanded_literal
    return thing


def _expanded_literal(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    name, *rest = _parts(thing)
    builder.slot("name", "name", name)
    add_end(builder, rest)
    return builder.children


def add_base(builder: Builder, node: Any) -> None:
    """Slots of `extends Type(…)` and `constrainedby Type(…)`."""
    builder.slot("word", "token", node[1])
    builder.slot("type", "type", node[2])
    for part in node[3:]:
        if kind_of_node(part) == "class_modification":
            add_arguments(builder, part)
        else:
            add_end(builder, [part])


def _constraint(thing: Thing) -> list[Thing]:
    builder = Builder(thing)
    add_base(builder, thing.greens[0])
    return builder.children
