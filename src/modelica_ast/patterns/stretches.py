"""Stretches of the tree that is searched: what a pattern sees as one thing, node of the tree or not."""

from __future__ import annotations

from typing import Any, Final

from attrs import field, frozen

from modelica_ast.edit.lists import item_places
from modelica_ast.edit.surgery import Path
from modelica_ast.green import Green, leaves, tokens
from modelica_ast.lexer import kind_of
from modelica_ast.shape import make_node
from modelica_ast.tables import KINDS, NUMBER

_COMMA: Final = NUMBER["COMMA"]


@frozen(eq=False)
class Stretch:
    """A subtree with its path from the root; or a run of children that is read as one subtree.

    The run is `first` to `last` (not included) of the children of the node at `parent`. For a whole subtree that is
    one child. What a pattern sees need not be one node of the tree: the name of an import clause has none of its own,
    and one of `Real a, b;` is seen as if it stood alone.
    """

    green: Any
    _parent: Path | Stretch  # PERF: paths are as long as the tree is deep, so they are put together when asked for
    first: int
    last: int
    _children: tuple[Stretch, ...] | None = field(default=None, repr=False)

    @property
    def parent(self) -> Path:
        """The path of the node around it."""
        return self.path[:-1]

    @property
    def path(self) -> Path:
        """The path of a subtree that is one node of the tree, or of the first node of a run."""
        indices = [self.first]
        around = self._parent
        while isinstance(around, Stretch):
            indices.append(around.first)
            around = around._parent  # noqa: SLF001  (its own)
        return (*around, *reversed(indices))

    def child(self, index: int) -> Stretch:
        """The child of an index as green nodes count them, from 1."""
        if self._children is not None:
            return self._children[index - 1]
        return Stretch(self.green[index], self, index, index + 1)

    @property
    def children(self) -> list[Stretch]:
        """All children of a node."""
        return [self.child(index) for index in range(1, len(self.green))] if type(self.green) is tuple else []

    @property
    def start(self) -> Path:
        """The path of the node that its text starts with."""
        place = self
        while place._children:
            place = place._children[0]
        return place.path

    def leaf_number(self, start: Path) -> int:
        """How many of its leaves stand before the node at a path inside it."""
        number = 0
        place = self
        while place._children is not None:
            for child in place._children:
                if child.holds(start):
                    place = child
                    break
                number += len(leaves(child.green))
        node = place.green
        for index in start[len(place.path) :]:
            number += sum(len(leaves(child)) for child in node[1:index])
            node = node[index]
        return number

    def holds(self, start: Path) -> bool:
        """Is the node at a path in it, or is it that node?"""
        if self._children is not None:
            return any(child.holds(start) for child in self._children)
        return start[: len(self.path)] == self.path


def is_comma(green: Green) -> bool:
    """Is it a comma between two items?"""
    return type(green) is str and kind_of(green) == _COMMA


def name_of_run(kind: str, greens: tuple[Green, ...]) -> Green:
    """Identifiers, dots and subscripts as one name; a lone identifier is a leaf."""
    return greens[0] if len(greens) == 1 else make_node(kind, *greens)


def import_run(clause: Any) -> tuple[int, int] | None:
    """Where the imported name of `import A.B.C` or `import A.B.*` stands in its clause; None in `import C = A.B`."""
    if KINDS[clause[0]] != "import_clause" or (clause[3:4] and tokens(clause[3]) == ["="]):
        return None
    last = 3
    while last + 1 < len(clause) and tokens(clause[last]) == ["."] and _is_name(clause[last + 1]):
        last += 2
    return 2, last


def _is_name(green: Any) -> bool:
    return type(green) is str and kind_of(green) == NUMBER["IDENT"]


def with_name_grouped(place: Stretch) -> Stretch:
    """An import clause with its name as one child, as other clauses have it."""
    run = import_run(place.green)
    if run is None:
        return place
    name = imported_name_at(place, run)
    children = place.children
    grouped = (*children[: run[0] - 1], name, *children[run[1] - 1 :])
    # The production is of no use any more; its kind is.
    green = (place.green[0], *(child.green for child in grouped))
    return Stretch(green, place.parent, place.first, place.last, grouped)


def imported_name_at(place: Stretch, run: tuple[int, int]) -> Stretch:
    """The imported name of a clause as a place of its own."""
    parts = tuple(place.child(index) for index in range(*run))
    green = name_of_run("type_specifier", tuple(part.green for part in parts))
    children = parts if type(green) is tuple else None
    return Stretch(green, place.path, *run, children)


def declarations_alone(element: Stretch) -> list[Stretch]:
    """Each of `Real a, b;` as if it were declared alone; none if there is only one."""
    index = next((i for i in range(1, len(element.green)) if type(element.green[i]) is tuple), 0)
    if not index or KINDS[element.green[index][0]] != "component_clause":
        return []
    clause = element.child(index)
    items = item_places(clause.green)
    if len(items) == 1:
        return []
    found = []
    for item in items:
        parts = (*(clause.child(i) for i in range(1, items[0])), clause.child(item))
        alone = Stretch(
            make_node("component_clause", *(p.green for p in parts)), clause.parent, index, index + 1, parts
        )
        around = (*element.children[: index - 1], alone, *element.children[index:])
        whole = make_node("element", *(part.green for part in around))
        found.append(Stretch(whole, element.parent, element.first, element.last, around))
    return found
