"""How the children of a thing are put together from the nodes of a tree, each with the comments that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from modelica_ast.compare.normal import Normal
from modelica_ast.compare.things import ATOM, LIST, Key, Thing
from modelica_ast.edit.surgery import prefix_of, with_prefix
from modelica_ast.green import Green, Node, Offsets, render
from modelica_ast.lexer import token_text
from modelica_ast.trivia import Prefix, is_blank

Expander = Callable[[Thing], list[Thing]]


class KnownItem:
    """What the text of an item says of it: the item without a place, and what stands before it."""

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
        self.width: Final = Offsets().width

    def known(self, node: Node, make: Callable[[Node], Thing]) -> KnownItem:
        """What the text of an item says; `make` is asked if nobody has seen it."""
        seen = self._by_node.get(id(node))
        if seen is not None:
            return seen[1]
        text = render(node)
        found = self._by_text.get((node[0], text))
        if found is None:
            found = self._by_text[node[0], text] = KnownItem(make(node), text)
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
        self._lines: tuple[Thing, list[Thing]] | None = None  # the list of items on lines that `_previous` stands in

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
        # Not where it was opened: the first inside may have left the start of its line to what stands before.
        thing.start = inside[0].start if inside else self._offset
        thing.put_children(inside)

    # ------------------------------------------------------------ items

    def item(self, node: Node, make: Callable[[Node], Thing]) -> None:
        """An item of the list that is open, with its semicolon."""
        known = self._memo.known(node, make)
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
        """The bracket behind a list with commas: a comment on the line of the last item belongs to that."""
        thing = Thing(what, key, ATOM, (green,))
        pre = self._stripped(thing)
        if self._previous is not None and self._open[-1][1][-1].children:
            prefix = Prefix.of(pre)
            if not is_blank(prefix.head):
                pre = self._behind_comma(self._previous, pre)
        self._append(thing, pre)

    def _behind_comma(self, last: Thing, pre: str) -> str:
        """What is left of a prefix when the item before has taken what stands on its line."""
        prefix = Prefix.of(pre)
        if not prefix.starts_line:
            return pre
        last.after = prefix.head
        self._offset += len(prefix.head)
        return prefix.below

    # ------------------------------------------------------------ blanks and comments

    def _stripped(self, thing: Thing) -> str:
        """Take what stands before a thing off it, and give it its text.

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
        """Append a thing with what stands before it; `prefix` has that in parts if the thing starts a line."""
        if prefix is None or self._previous is None or not prefix.starts_line:
            self._append(thing, pre)
            return
        self._previous.tail += prefix.head
        self._offset += len(prefix.head)
        into = floats_into if floats_into is not None else self._lines
        if into is None or is_blank(prefix.kept):
            self._append(thing, prefix.below)
            return
        # A comment that a blank line sets off belongs to nobody: it is an item by itself.
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
