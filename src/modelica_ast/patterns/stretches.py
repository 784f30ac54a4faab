"""Stretches of the tree that is searched: what a pattern sees as one thing, node of the tree or not."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any, Final

from attrs import evolve, field, frozen

from modelica_ast.edit import Path, item_places, leaf_paths, opened_at, replaced
from modelica_ast.foundation import Source
from modelica_ast.patterns.trees import ANONYMOUS, Metavariable
from modelica_ast.syntax import (
    KINDS,
    NUMBER,
    Green,
    Node,
    accepted,
    child,
    child_at,
    kind_of,
    leaves,
    make_node,
    read,
    render,
    symbol,
    token_text,
    tokens,
)

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
        """How many of its leaves come before the node at a path inside it."""
        number = 0
        place = self
        while place._children is not None:
            for inside in place._children:
                if inside.holds(start):
                    place = inside
                    break
                number += len(leaves(inside.green))
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
    """Where the imported name of `import A.B.C` or `import A.B.*` is in its clause; None in `import C = A.B`."""
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


# ---------------------------------------------------------------- optional parts
# What may be beside what a pattern says.
#
# A pattern of a declaration, a modifier, an equation or a class says what must be there. What Modelica allows beside
# it (prefixes, dimensions, modifiers, a value, a condition, a description, an annotation) may be there as well, and
# stays when the rest is rewritten. Expressions have no such parts: they match as they are.

_DESCRIBED: Final = ("description_string", "annotation_clause")
_MODIFIED: Final = ("class_modification", *_DESCRIBED)
_DECLARED: Final = ("array_subscripts", "modification", *_DESCRIBED)

# Node kind -> the children that may be there without being asked for, by their names in the grammar.
OPTIONAL_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "element": ("constraining_clause",),
    "component_clause": ("type_prefix", "array_subscripts"),
    "component_clause1": ("type_prefix", "array_subscripts"),
    "component_declaration": (*_DECLARED, "condition_attribute"),
    "component_declaration1": _DECLARED,
    "modification": ("class_modification",),
    "element_modification": ("EACH", "FINAL", "modification", "description_string"),
    "element_redeclaration": ("EACH", "FINAL", "REPLACEABLE", "constraining_clause"),
    "element_replaceable": ("EACH", "FINAL", "constraining_clause"),
    "constraining_clause": _MODIFIED,
    "extends_clause": _MODIFIED,
    "import_clause": _DESCRIBED,
    "class_definition": ("ENCAPSULATED",),
    "long_class_specifier": ("class_modification", "description_string"),
    "short_class_specifier": ("base_prefix", "array_subscripts", *_MODIFIED),
    "enumeration_class_specifier": _DESCRIBED,
    "der_class_specifier": _DESCRIBED,
    "enumeration_literal": _DESCRIBED,
    "external_clause": ("annotation_clause",),
    **{kind: _DESCRIBED for name in ("_equation", "_statement") for kind in accepted(name)},
}
# Nodes that are nothing but words in some order, and those of their words that may be there without being asked for.
_TYPE_WORDS: Final = frozenset("flow stream discrete parameter constant input output".split())
WORD_NODES: Final[dict[str, frozenset[str]]] = {
    "type_prefix": _TYPE_WORDS,
    "base_prefix": _TYPE_WORDS,
    "class_prefixes": frozenset({"partial", "expandable", "pure", "impure"}),
}
ELEMENT_WORDS: Final = frozenset("redeclare final inner outer replaceable".split())
# Of each group one word can be in a declaration.
WORD_GROUPS: Final = (
    ("flow", "stream"),
    ("discrete", "parameter", "constant"),
    ("input", "output"),
    ("pure", "impure"),
)


def part_of(kind: str, node: Any, name: str) -> int | None:
    """The index of an optional part of a node, or None."""
    if kind == "import_clause":
        # Its production does not fit once its name is grouped: what is behind the name is told by its look.
        return next((i for i in range(3, len(node)) if _looks_like(node[i], name)), None)
    found = child(node, name)
    return None if found is None else found[0]


def _looks_like(green: Green, name: str) -> bool:
    return symbol(green) in accepted(name)


# ---------------------------------------------------------------- annotations
# Annotations are one leaf until somebody reads them: those that a pattern may be about are read, and closed again.

_LAZY: Final = NUMBER["LAZY_ANNOTATION"]


def opened(root: Node, words: frozenset[str], file: FilePath | None) -> Any:
    """The tree with those annotations read that contain all words; the same text. `file` is for messages."""
    found = [
        path
        for path, leaf in leaf_paths(root)
        if leaf.endswith(")") and kind_of(leaf) == _LAZY and all(word in leaf for word in words)
    ]
    new: Any = root
    for path in found:
        new = replaced(new, path, opened_at(root, path, file))
    return new


def closed(root: Any) -> Any:
    """The tree with its annotations as a parse has them: one leaf each, unless they nest too deep."""
    found: list[tuple[Path, Any]] = []
    stack: list[tuple[Path, Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        for index in range(1, len(node)):
            part = node[index]
            if type(part) is tuple:
                here = (*path, index)
                if KINDS[part[0]] == "annotation_clause":
                    found.append((here, part))
                else:
                    stack.append((here, part))
    for path, clause in found:
        root = replaced(root, path, child_at(read(Source(render(clause)), start="annotation_clause").green, 1))
    return root


# ---------------------------------------------------------------- fingerprints
# Which subtrees have the same tokens, found out without looking at all of both each time.

_PRIME: Final = (1 << 61) - 1
_BASE: Final = 1_000_003
# How many tokens, their hash, and the base to the power of their number: two of them in a row make a third.
_Fingerprint = tuple[int, int, int]
_NOTHING: Final = (0, 0, 1)


class Fingerprints:
    """A memo of one search.

    `$a + $a` asks at each sum whether both sides are the same. In a sum of 2,000 terms the left side is all terms
    before, so each node is read once and its fingerprint is put together from those of its children.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, _Fingerprint]] = {}  # with the node, or its id would be given to another

    def are_same(self, one: Green, other: Green) -> bool:
        """Have both the same tokens? Blanks and comments do not count."""
        if type(one) is str and type(other) is str:
            return token_text(one) == token_text(other)
        # Equal fingerprints hardly ever lie, but they may; only then all tokens are compared.
        return self._of(one) == self._of(other) and tokens(one) == tokens(other)

    def _of(self, green: Any) -> _Fingerprint:
        known = self._known
        todo = [green] if type(green) is tuple else []
        while todo:
            node = todo[-1]
            missing = [child for child in node[1:] if type(child) is tuple and id(child) not in known]
            if missing and id(node) not in known:
                todo += missing
                continue
            todo.pop()
            if id(node) not in known:
                known[id(node)] = (node, self._in_a_row(node))
        return self._part(green)

    def _in_a_row(self, node: Any) -> _Fingerprint:
        count, mixed, power = _NOTHING
        for part in node[1:]:
            more, its, its_power = self._part(part)
            count, mixed, power = count + more, (mixed * its_power + its) % _PRIME, power * its_power % _PRIME
        return count, mixed, power

    def _part(self, green: Any) -> _Fingerprint:
        if type(green) is tuple:
            return self._known[id(green)][1]
        text = token_text(green)
        return (1, hash(text) % _PRIME, _BASE) if text else _NOTHING


# ---------------------------------------------------------------- captures
# What metavariables stand for in a match, and what a match remembers for a rewrite.


@frozen(eq=False)
class Bound:
    """The subtrees that a metavariable stands for: one, or any number for `$$`."""

    is_list: bool
    places: tuple[Stretch, ...]

    def is_same(self, other: Bound, prints: Fingerprints) -> bool:
        """Are the tokens equal? They must be when the metavariable is written twice."""
        if len(self.places) != len(other.places):
            return False
        pairs = zip(self.places, other.places, strict=True)
        return all(prints.are_same(mine.green, its.green) for mine, its in pairs)


@frozen(eq=False)
class Note:
    """Something that a match found out about a node of the pattern, for the replacement that looks like it."""

    pattern: Any
    what: str  # kept, at, swapped, empty or named
    slot: str = ""
    places: tuple[Stretch, ...] = ()


# Notes as a linked list: most of them belong to ways that lead nowhere, and are dropped with these.
_Notes = tuple[Note, Any] | None


@frozen(eq=False)
class State:
    """How far a match has come: what is bound, and what was noted."""

    bound: dict[str, Bound]
    prints: Fingerprints
    notes: _Notes = None

    def bind(self, metavariable: Metavariable, *places: Stretch) -> State | None:
        """One more metavariable; None if it stands for something else already."""
        if metavariable.name == ANONYMOUS:
            return self
        new = Bound(metavariable.is_list, places)
        old = self.bound.get(metavariable.name)
        if old is not None:
            return self if old.is_same(new, self.prints) else None
        return evolve(self, bound={**self.bound, metavariable.name: new})

    def named(self, pattern: Any, place: Stretch) -> State:
        """A name that is to be that of a class, which the search finds out at last."""
        return self.noted(Note(pattern, "named", "", (place,)))

    def noted(self, note: Note) -> State:
        """One more note."""
        return State(self.bound, self.prints, (note, self.notes))

    def all_notes(self) -> list[Note]:
        """The notes, the first one first."""
        found = []
        notes = self.notes
        while notes is not None:
            found.append(notes[0])
            notes = notes[1]
        return found[::-1]
