"""How the children of a thing are put together from the nodes of a tree, each with the comments that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from modelica_ast.compare.things import (
    ATOM,
    LIST,
    Key,
    Normal,
    Thing,
    is_annotation,
    is_constructor,
    is_description,
    kind_of_node,
    token_is,
)
from modelica_ast.edit import argument_name, class_name, prefix_of
from modelica_ast.foundation import ModelicaSyntaxError, Source
from modelica_ast.syntax import (
    Green,
    Node,
    Offsets,
    Prefix,
    child_at,
    child_leaf,
    child_node,
    children_of,
    is_blank,
    open_annotation,
    token_text,
    tokens,
    with_prefix,
)

Expander = Callable[[Thing], list[Thing]]


class KnownItem:
    """What the text of an item says of it: the item without a place, and what comes before it."""

    __slots__ = ("core", "digests", "item", "pre", "prefix")

    def __init__(self, item: Thing, text: str) -> None:
        self.pre = stripped(item)
        self.prefix = Prefix.of(self.pre)
        self.core = text[len(self.pre) :]
        item.put_core(self.core)
        self.item = item
        self.digests: dict[Normal, str] = {}

    def once_more(self) -> Thing:
        """A thing for another place, or another version."""
        known = self.item
        thing = Thing(known.what, known.key, known.shape, known.greens, name=known.name)
        thing.weak_key, thing.declares, thing.expand = known.weak_key, known.declares, known.expand
        thing.digests = self.digests
        thing.put_core(self.core)
        return thing


class Memo:
    """The items of all versions that are looked at together.

    PERF: versions share most of their items, and each version is looked at several times. An item is looked at once:
    its text and its production say what it is, and a node that was seen is known by its identity.
    """

    def __init__(self) -> None:
        self._by_text: dict[tuple[int, str], KnownItem] = {}
        self._by_node: dict[int, tuple[Node, KnownItem]] = {}  # with the node, so that its identity stays its own
        self.offsets: Final = Offsets()
        self.width: Final = self.offsets.width

    def known(self, node: Node, make: Callable[[Node], Thing], text: Callable[[], str]) -> KnownItem:
        """What the text of an item says; `make` is asked if nobody has seen it."""
        seen = self._by_node.get(id(node))
        if seen is not None:
            return seen[1]
        own = text()
        found = self._by_text.get((node[0], own))
        if found is None:
            found = self._by_text[node[0], own] = KnownItem(make(node), own)
        self._by_node[id(node)] = (node, found)
        return found


class Builder:
    """Takes the parts of a thing in source order and makes children of them."""

    def __init__(self, thing: Thing) -> None:
        self.children: list[Thing] = []
        self._open: list[tuple[Thing, list[Thing]]] = [(thing, self.children)]
        self._memo: Memo = thing.memo if thing.memo is not None else Memo()
        self._text = thing.core
        self._start = self._offset = thing.start + len(thing.pre)
        self._previous: Thing | None = None  # the last one that has text of its own
        self._lines: tuple[Thing, list[Thing]] | None = None  # the list of items on lines that `_previous` is in

    # ------------------------------------------------------------ slots

    def slot(
        self, key: Key, what: str, *greens: Green, shape: str = ATOM, expand: Expander | None = None, line: bool = False
    ) -> Thing:
        """A named part of a record. `line` is for words that start a line: comments above it are set off from it."""
        thing = Thing(what, key, shape, greens)
        thing.expand = expand
        pre = self._stripped(thing)
        self._place(thing, pre, Prefix.of(pre) if line else None)
        self._lines = None
        return thing

    @contextmanager
    def record(self, thing: Thing) -> Iterator[None]:
        """A record inside, whose slots follow: a section, a branch."""
        yield from self._container(thing)

    @contextmanager
    def items(self, key: Key, *, is_ordered: bool = False) -> Iterator[None]:
        """A list inside, whose items follow, each on its lines."""
        thing = Thing("list", key, LIST, ())
        thing.is_ordered = is_ordered
        yield from self._container(thing)

    def _container(self, thing: Thing) -> Iterator[None]:
        inside: list[Thing] = []
        self._open[-1][1].append(thing)
        self._open.append((thing, inside))
        yield
        self._open.pop()
        # Not where it was opened: the first inside may have left the start of its line to what comes before.
        thing.start = inside[0].start if inside else self._offset
        thing.put_children(inside)

    # ------------------------------------------------------------ items

    def item(self, node: Node, make: Callable[[Node], Thing]) -> None:
        """An item of the list that is open, with its semicolon."""
        at = self._offset - self._start
        known = self._memo.known(node, make, lambda: self._text[at : at + self._memo.width(node)])
        thing = known.once_more()
        thing.memo = self._memo
        self._place(thing, known.pre, known.prefix, floats_into=self._open[-1])
        self._lines = self._open[-1]

    def comma_list(self, key: Key, parts: Sequence[Green], make: Callable[[Green], Thing], *, ordered: bool) -> None:
        """Items with commas between them."""
        whole = Thing("list", key, LIST, ())
        whole.is_ordered = ordered
        whole.start = self._offset
        whole.kind = "commas"
        found: list[Thing] = []
        for part in parts:
            if isinstance(part, str) and token_text(part) == "," and found and not found[-1].comma:
                last = found[-1]
                last.tail = prefix_of(part)
                last.comma = True
                self._offset += len(part)
                continue
            thing = make(part)
            pre = self._stripped(thing)
            if found:
                pre = self._behind_comma(found[-1], pre)
            thing.start = self._offset
            thing.pre = pre
            self._offset += thing.length
            found.append(thing)
        self._open[-1][1].append(whole)
        whole.put_children(found)
        self._previous = found[-1] if found else self._previous

    def closing(self, key: Key, what: str, green: Green) -> None:
        """The bracket after a list with commas: a comment on the line of the last item belongs to that."""
        thing = Thing(what, key, ATOM, (green,))
        pre = self._stripped(thing)
        if self._previous is not None and self._open[-1][1][-1].children:
            prefix = Prefix.of(pre)
            if not is_blank(prefix.head):
                pre = self._behind_comma(self._previous, pre)
        self._append(thing, pre)

    def _behind_comma(self, last: Thing, pre: str) -> str:
        """What is left of a prefix when the item before has taken what is on its line."""
        prefix = Prefix.of(pre)
        if not prefix.starts_line:
            return pre
        last.after = prefix.head
        self._offset += len(prefix.head)
        return prefix.below

    # ------------------------------------------------------------ blanks and comments

    def _stripped(self, thing: Thing) -> str:
        """Take what comes before a thing off it, and give it its text.

        PERF: a piece of the text around it. Rendering what nests a thousand deep at each of its depths takes seconds.
        """
        at = self._offset - self._start
        width = sum(map(self._memo.width, thing.greens))
        pre = stripped(thing)
        thing.put_core(self._text[at + len(pre) : at + width])
        thing.memo = self._memo
        return pre

    def _place(
        self, thing: Thing, pre: str, prefix: Prefix | None, floats_into: tuple[Thing, list[Thing]] | None = None
    ) -> None:
        """Append a thing with what comes before it; `prefix` has that in parts if the thing starts a line."""
        if prefix is None or self._previous is None or not prefix.starts_line:
            self._append(thing, pre)
            return
        self._previous.tail += prefix.head
        self._offset += len(prefix.head)
        into = floats_into if floats_into is not None else self._lines
        if into is None or is_blank(prefix.kept):
            self._append(thing, prefix.below)
            return
        # A comment that a blank line sets off belongs to nobody: it is an item of its own.
        lone = Thing("comment", None, ATOM, ())
        lone.pre = prefix.kept
        lone.start = self._offset
        self._offset += len(prefix.kept)
        lone.parent = into[0]
        into[1].append(lone)
        self._append(thing, prefix.owned)

    def _append(self, thing: Thing, pre: str) -> None:
        thing.pre = pre
        thing.start = self._offset
        self._open[-1][1].append(thing)
        self._offset += thing.length
        self._previous = thing


def stripped(thing: Thing) -> str:
    """Take the blanks and comments off a thing's first token."""
    first, *others = thing.greens
    pre = prefix_of(first)
    if pre:
        thing.greens = (with_prefix(first, ""), *others)
    return pre


# ---------------------------------------------------------------- modifications
# Modifiers, values and annotations as things: each modifier is known by its name, so paths lead to values.
#
# `body(m=1)`, `body = Body(m=1)` and the inside of an annotation are the same kind of thing, lists of named
# arguments.

_WORDS: Final = frozenset({"redeclare", "each", "final", "replaceable"})


def add_end(builder: Builder, parts: list[Green]) -> None:
    """What may be at the end of most things: description, annotation, constraint, semicolon."""
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
    """A slot for an annotation, which may be on a line of its own."""
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
    """Slots for what comes before the declared name: `flow`, type, dimensions."""
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
    """Slots of a declared name with what follows it."""
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
