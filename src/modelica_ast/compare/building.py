"""How the children of a thing are put together from the nodes of a tree, each with the comments that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from modelica_ast.compare.things import ATOM, LIST, Key, Thing
from modelica_ast.edit.surgery import prefix_of, with_prefix
from modelica_ast.edit.trivia import Prefix, is_blank
from modelica_ast.green import Green
from modelica_ast.lexer import token_text

Expander = Callable[[Thing], list[Thing]]


class Builder:
    """Takes the parts of a thing in source order and makes children of them."""

    def __init__(self, thing: Thing) -> None:
        self.children: list[Thing] = []
        self._open: list[tuple[Thing, list[Thing]]] = [(thing, self.children)]
        self._offset = thing.start + len(thing.pre)
        self._previous: Thing | None = None  # the last one that has text of its own
        self._lines: tuple[Thing, list[Thing]] | None = None  # the list of items on lines that `_previous` stands in

    # ------------------------------------------------------------ slots

    def slot(
        self, key: Key, what: str, *greens: Green, shape: str = ATOM, expand: Expander | None = None, line: bool = False
    ) -> Thing:
        """A named part of a record. `line` is for words that start a line: comments above it are set off from it."""
        thing = Thing(what, key, shape, greens)
        thing.expand = expand
        self._place(thing, on_line=line)
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

    def item(self, thing: Thing) -> None:
        """An item of the list that is open, with its semicolon."""
        self._place(thing, on_line=True, floats_into=self._open[-1])
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
            self._offset += len(thing.text)
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

    def _place(self, thing: Thing, *, on_line: bool, floats_into: tuple[Thing, list[Thing]] | None = None) -> None:
        pre = self._stripped(thing)
        prefix = Prefix.of(pre)
        if not on_line or self._previous is None or not prefix.starts_line:
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
        self._offset += len(thing.text)
        self._previous = thing

    @staticmethod
    def _stripped(thing: Thing) -> str:
        """Take the blanks and comments off a thing's first token."""
        first, *others = thing.greens
        pre = prefix_of(first)
        if pre:
            thing.greens = (with_prefix(first, ""), *others)
        return pre
