"""Pieces of a replacement: trees whose leaves remember where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import Any, Final

from attrs import evolve, frozen

from modelica_ast.edit import argument_name, prefix_of
from modelica_ast.patterns.search import Found
from modelica_ast.patterns.stretches import (
    ELEMENT_WORDS,
    OPTIONAL_PARTS,
    WORD_GROUPS,
    WORD_NODES,
    Note,
    Stretch,
    import_run,
    is_comma,
)
from modelica_ast.patterns.trees import PatternError, Tree
from modelica_ast.syntax import (
    KINDS,
    Green,
    find_production,
    is_blank,
    leaves,
    make_node,
    place_of,
    render,
    split_leaf,
    symbol,
    token_text,
    tokens,
    with_prefix,
)

# ---------------------------------------------------------------- pairing
# Which part of a replacement stands for which part of the pattern, so that what the pattern left open stays there.


class Pairs:
    """Nodes of a pattern and of its replacement that are the same thing, by their identity."""

    def __init__(self, pattern: Tree, replacement: Tree) -> None:
        self._pattern, self._replacement = pattern, replacement
        self._of_pattern: dict[int, Any] = {}
        self._of_replacement: dict[int, Any] = {}
        self.around: dict[int, Any] = {}  # a node of the pattern -> the node around it
        self._note_parents(pattern.green)
        root = pattern.green
        partners = [green for green in replacement.greens if symbol(green) == symbol(root)]
        if replacement.greens:
            self._pair(root, (partners or list(replacement.greens))[0])

    def pattern_of(self, node: Any) -> Any:
        """The node of the pattern that a node of the replacement stands for, or None."""
        return self._of_replacement.get(id(node))

    def is_paired(self, pattern: Any) -> bool:
        """Has a node of the pattern a partner?"""
        return id(pattern) in self._of_pattern

    def _note_parents(self, root: Any) -> None:
        todo = [root]
        while todo:
            node = todo.pop()
            if type(node) is tuple:
                for part in node[1:]:
                    if type(part) is tuple:
                        self.around[id(part)] = node
                        todo.append(part)

    def _pair(self, one: Any, other: Any) -> None:
        todo = [(one, other)]
        while todo:
            mine, its = todo.pop()
            self._of_pattern[id(mine)] = its
            self._of_replacement[id(its)] = mine
            if type(mine) is not tuple or type(its) is not tuple:
                continue
            if KINDS[mine[0]] == KINDS[its[0]]:
                pair = self._arguments if KINDS[mine[0]] == "class_modification" else _children
                todo += pair(mine, its)

    def _arguments(self, mine: Any, its: Any) -> list[tuple[Any, Any]]:
        """Arguments are the same by their name, or by what stands for their value."""
        left = [green for green in mine[2:-1] if not is_comma(green)]
        found = []
        new = [green for green in its[2:-1] if not is_comma(green)]
        for key in (self._name, self._metavariables):
            for green in list(new):
                partner = next((one for one in left if key(one, self._pattern) == key(green, self._replacement)), None)
                if partner is not None and key(green, self._replacement):
                    found.append((partner, green))
                    left.remove(partner)
                    new.remove(green)
        return found

    @staticmethod
    def _name(green: Any, tree: Tree) -> tuple[str, ...]:
        names = argument_name(green)
        return tuple(tree.metavariables[name].text if name in tree.metavariables else name for name in names)

    @staticmethod
    def _metavariables(green: Any, tree: Tree) -> tuple[str, ...]:
        words = (token_text(leaf) for leaf in leaves(green))
        return tuple(sorted({tree.metavariables[word].text for word in words if word in tree.metavariables}))


def _children(mine: Any, its: Any) -> list[tuple[Any, Any]]:
    """Of two nodes of one kind the children of one kind, in order."""
    left = [part for part in mine[1:] if type(part) is tuple]
    found = []
    for part in its[1:]:
        if type(part) is tuple:
            partner = next((one for one in left if KINDS[one[0]] == KINDS[part[0]]), None)
            if partner is not None:
                found.append((partner, part))
                del left[: left.index(partner) + 1]
    return found


def notes_by_pattern(notes: list[Note]) -> dict[int, list[Note]]:
    """What was noted about each node of the pattern."""
    found: dict[int, list[Note]] = {}
    for note in notes:
        found.setdefault(id(note.pattern), []).append(note)
    return found


# ---------------------------------------------------------------- precedence
# Which expressions need parentheses where they are put: `$a * 2` with `x + 1` for `$a` is `(x + 1) * 2`.

_SUM: Final = 6
_PRIMARY: Final = 9
_BINARY: Final = {
    "or": 2,
    "and": 3,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "<>"), 5),
    **dict.fromkeys(("+", "-", ".+", ".-"), _SUM),
    **dict.fromkeys(("*", "/", ".*", "./"), 7),
    **dict.fromkeys(("^", ".^"), 8),
}
_NOT_ASSOCIATIVE: Final = frozenset({5, 8})


def level(green: Any) -> int:
    """How tightly an expression binds; what needs no parentheses anywhere is highest."""
    if type(green) is str:
        return _PRIMARY
    kind = KINDS[green[0]]
    if kind == "binary":
        return _BINARY[token_text(green[2])]
    if kind == "unary":
        return 4 if token_text(green[1]) == "not" else _SUM
    return {"if_expression": 0, "range": 1}.get(kind, _PRIMARY)


def needed_level(kind: str, children: Sequence[Any], index: int) -> int:
    """How tightly the operand at an index (from 0) of a node must bind; 0 where anything can be."""
    if kind == "binary":
        own = _BINARY[token_text(children[1])]
        return own + 1 if index == len(children) - 1 or own in _NOT_ASSOCIATIVE else own
    if kind == "unary":
        return 5 if token_text(children[0]) == "not" else _SUM + 1
    if kind == "range":
        return 2
    return 1 if kind == "simple_equation" and index == 0 else 0


def in_parentheses(green: Green) -> Green:
    """An expression in parentheses, with no blanks inside them of its own."""
    return make_node("parenthesized", "(", make_node("output_expression_list", green), ")")


# ---------------------------------------------------------------- pieces

NAME_KINDS: Final = ("type_specifier", "name", "component_reference")


@frozen
class LeafSource:
    """Where a leaf of the new text comes from."""

    origin: int | None  # its number among the leaves of the match; None for the replacement's own leaves
    layout: str | None  # blanks and comments that the replacement has before it; None: as it was
    group: int | None = None  # leaves of one capture move together


@frozen(eq=False)
class Piece:
    """A subtree and the sources of its leaves, in order."""

    green: Any
    sources: tuple[LeafSource, ...]
    is_capture: bool = False

    @property
    def symbol(self) -> str:
        """The grammar's name for it."""
        return symbol(self.green)

    def with_layout(self, layout: str) -> Piece:
        """The same with other blanks of the replacement before it."""
        if not self.sources:
            return self
        return evolve(self, sources=(evolve(self.sources[0], layout=layout), *self.sources[1:]))

    @property
    def layout(self) -> str:
        """The blanks of the replacement before it."""
        return (self.sources[0].layout or "") if self.sources else ""


def own_piece(green: Green) -> Piece:
    """A subtree of the replacement."""
    return Piece(green, tuple(LeafSource(None, split_leaf(leaf)[0]) for leaf in leaves(green)))


def taken_piece(match: Stretch, place: Stretch, group: int | None = None) -> Piece:
    """A subtree of a match, as it is."""
    first = match.leaf_number(place.start)
    numbers = range(first, first + len(leaves(place.green)))
    return Piece(place.green, tuple(LeafSource(number, None, group) for number in numbers), is_capture=True)


def assembled(kind: str, pieces: Sequence[Piece]) -> Piece:
    """A node of pieces. Names take the form of their place, and operands the parentheses that they need."""
    fitted = [_as_operand(kind, pieces, index) for index in range(len(pieces))]
    sources = tuple(chain.from_iterable(piece.sources for piece in fitted))
    for form in (None, *NAME_KINDS, ""):
        greens: list[Green] = []
        for piece in fitted:
            if not piece.is_capture or piece.symbol not in NAME_KINDS or form is None:
                greens.append(piece.green)
            elif form:
                greens.append(make_node(form, *piece.green[1:]) if _can_be(form, piece.green) else piece.green)
            else:  # its parts are parts of this node
                greens += piece.green[1:]
        number = find_production(kind, tuple(symbol(green) for green in greens))
        if number is not None:
            return Piece((number, *greens), sources)
    texts = " ".join(word for piece in pieces for word in tokens(piece.green))
    raise PatternError(f"'{texts}' would not be a valid {kind.replace('_', ' ')}")


def _can_be(kind: str, green: Any) -> bool:
    return find_production(kind, tuple(symbol(part) for part in green[1:])) is not None


def _as_operand(kind: str, pieces: Sequence[Piece], index: int) -> Piece:
    piece = pieces[index]
    if not piece.is_capture:
        return piece
    return in_place(piece, needed_level(kind, [one.green for one in pieces], index))


def in_place(piece: Piece, needed: int) -> Piece:
    """The piece, in parentheses if its place wants something that binds more tightly."""
    if type(piece.green) is str or level(piece.green) >= needed:
        return piece
    green = in_parentheses(with_prefix(piece.green, ""))
    inner = (evolve(piece.sources[0], layout=""), *piece.sources[1:])
    return Piece(green, (LeafSource(None, piece.layout), *inner, LeafSource(None, "")), is_capture=True)


def spliced(piece: Piece) -> list[Piece]:
    """The parts of a captured name, each as a piece."""
    if type(piece.green) is str:
        return [piece]
    found = []
    at = 0
    for part in piece.green[1:]:
        count = len(leaves(part))
        found.append(Piece(part, piece.sources[at : at + count]))
        at += count
    return found


# ---------------------------------------------------------------- building
# The replacement of one match as pieces: the replacement's tree with captures grafted and what was left open kept.

_DEEPEST: Final = 100
_COMMA: Final = Piece(",", (LeafSource(None, ""),))
# Lists that go with their brackets when nothing is left in them.
_EXCHANGED: Final = frozenset(
    """component_clause component_declaration extends_clause import_clause class_definition long_class_specifier
    short_class_specifier enumeration_class_specifier der_class_specifier""".split()
)
_VANISHING: Final = frozenset({"class_modification", "array_subscripts"})


class Builder:
    """Builds the replacement of one match."""

    def __init__(self, found: Found, replacement: Tree) -> None:
        self._found = found
        self._replacement = replacement
        self._pairs = Pairs(found.tree, replacement)
        self._groups = count()
        self._notes = notes_by_pattern(found.state.all_notes())
        self._adopt_unpaired()

    def pieces(self) -> list[Piece]:
        """What is in place of the match."""
        built = []
        for green in self._replacement.greens:
            built += self._expanded(green)
        return built

    def _adopt_unpaired(self) -> None:
        """What was beside a part that the replacement leaves out is beside the part around it."""
        for notes in list(self._notes.values()):
            pattern = notes[0].pattern
            kept = [note for note in notes if note.what == "kept"]
            around = self._pairs.around.get(id(pattern))
            if not kept or self._pairs.is_paired(pattern) or around is None or not self._replacement.greens:
                continue
            is_adopted = KINDS[pattern[0]] in OPTIONAL_PARTS.get(KINDS[around[0]], ())
            if is_adopted and self._pairs.is_paired(around):
                places = tuple(place for note in kept for place in note.places)
                note = Note(around, "kept", KINDS[pattern[0]] + " of", places)
                self._notes.setdefault(id(around), []).append(note)
            elif self._is_exchanged(pattern):
                raise no_place_for(" ".join(tokens(kept[0].places[0].green)))

    def _is_exchanged(self, pattern: Any) -> bool:
        """Is it in something that the replacement has something else for? An item that it leaves out may go."""
        around = self._pairs.around.get(id(pattern))
        while around is not None and not self._pairs.is_paired(around):
            pattern, around = around, self._pairs.around.get(id(around))
        return KINDS[pattern[0]] in _EXCHANGED

    # ------------------------------------------------------------ the tree of the replacement

    def _expanded(self, green: Any, depth: int = 0) -> list[Piece]:
        """A subtree of the replacement; a metavariable becomes what it stands for."""
        if depth > _DEEPEST:
            raise PatternError(f"the replacement is nested deeper than {_DEEPEST} levels")
        metavariable = self._replacement.metavariable(green)
        is_declared = type(green) is tuple and KINDS[green[0]].startswith("component_declaration")
        if metavariable is not None and not (is_declared and not metavariable.is_list):
            return self._captured(metavariable.name, prefix_of(green), commas=not metavariable.is_item)
        if type(green) is str:
            return [own_piece(green)]
        return [piece] if (piece := self._node(green, depth)) is not None else []

    def _captured(self, name: str, layout: str, *, commas: bool) -> list[Piece]:
        bound = self._found.state.bound[name]
        group = next(self._groups)
        pieces: list[Piece] = []
        for place in bound.places:
            if pieces and commas:
                pieces.append(_COMMA)
            piece = taken_piece(self._found.place, place, group)
            pieces.append(piece if pieces else piece.with_layout(layout))
        return pieces

    def _node(self, node: Any, depth: int) -> Piece | None:
        kind = KINDS[node[0]]
        pattern = self._pairs.pattern_of(node)
        notes = self._notes.get(id(pattern), []) if pattern is not None else []
        if kind in NAME_KINDS:
            return self._name(node, kind, depth)
        if kind == "class_modification":
            pieces = self._arguments(node, depth)
        else:
            pieces = _without_gaps([self._expanded(part, depth + 1) for part in node[1:]])
        if kind == "import_clause" and import_run(node) is not None:
            # The parts of an imported name are parts of the clause.
            pieces = [part for piece in pieces for part in (spliced(piece) if piece.is_capture else [piece])]
        is_emptied = kind in _VANISHING and len(pieces) == len("()") < len(node) - 1
        if is_emptied and not any(note.what == "empty" for note in notes):
            return None
        if kind == "connect_equation" and any(note.what == "swapped" for note in notes):
            one, other = pieces[2], pieces[4]
            pieces[2], pieces[4] = other.with_layout(one.layout), one.with_layout(other.layout)
        for note in notes:
            if note.what == "kept":
                pieces = self._with_kept(kind, pieces, note)
        if (kind == "modification" and not pieces) or (kind == "annotation_clause" and len(pieces) == 1):
            return None
        return assembled(kind, pieces)

    def _name(self, node: Any, kind: str, depth: int) -> Piece:
        """A dotted name; what stands for its first parts brings all of its own."""
        pieces: list[Piece] = []
        for part in node[1:]:
            new = self._expanded(part, depth + 1)
            if len(new) == 1 and new[0].is_capture:
                if type(new[0].green) is tuple and KINDS[new[0].green[0]] not in NAME_KINDS:
                    raise PatternError(f"'{' '.join(tokens(new[0].green))}' can't be part of a name")
                new = spliced(new[0])
            pieces += new
        return assembled(kind, pieces)

    # ------------------------------------------------------------ arguments

    def _arguments(self, node: Any, depth: int) -> list[Piece]:
        """Arguments keep the order that they have in the file; new ones follow those before them."""
        groups: list[tuple[int | None, list[Piece]]] = []
        for green in node[2:-1]:
            if is_comma(green):
                continue
            metavariable = self._replacement.metavariable(green)
            if metavariable is not None:
                bound = self._found.state.bound[metavariable.name]
                pieces = self._captured(metavariable.name, prefix_of(green), commas=False)
                groups += [(place.first, [piece]) for place, piece in zip(bound.places, pieces, strict=True)]
            else:
                groups.append((self._place_of_argument(green), self._expanded(green, depth + 1)))
        items = [piece for _, pieces in _in_order_of_file(groups) for piece in pieces]
        commas = [own_piece(green) for green in node[2:-1] if is_comma(green)]
        found = [own_piece(node[1])]
        for number, item in enumerate(items):
            if number:
                found.append(commas[min(number, len(commas)) - 1] if commas else _COMMA)
                if not item.is_capture and not item.layout:
                    item = item.with_layout(_blank_like(node))  # noqa: PLW2901
            elif is_blank(item.layout):
                item = item.with_layout(prefix_of(node[2]))  # noqa: PLW2901  (whatever comes first)
            found.append(item)
        return [*found, own_piece(node[-1])]

    def _place_of_argument(self, green: Any) -> int | None:
        pattern = self._pairs.pattern_of(green)
        notes = self._notes.get(id(pattern), []) if pattern is not None else []
        return next((note.places[0].first for note in notes if note.what == "at"), None)

    # ------------------------------------------------------------ what the pattern left open

    def _with_kept(self, kind: str, pieces: list[Piece], note: Note) -> list[Piece]:
        taken = [taken_piece(self._found.place, place) for place in note.places]
        if note.slot == "words":
            return _with_words(kind, pieces, taken)
        if note.slot == "value":
            has_value = any(type(p.green) is str and token_text(p.green) in ("=", ":=") for p in pieces)
            return pieces if has_value else [*pieces, *taken]
        slot = note.slot
        part = taken[0]
        own = next((index for index, piece in enumerate(pieces) if piece.symbol == slot), None)
        if slot in WORD_NODES and own is not None:
            pieces[own] = assembled(slot, _with_words(slot, spliced(pieces[own]), spliced(part)))
            return pieces
        if slot.endswith(" of"):
            slot = slot.removesuffix(" of")
            part = assembled(slot, taken)
        return _with_part(kind, pieces, slot, part)


def _in_order_of_file(groups: Sequence[tuple[int | None, list[Piece]]]) -> list[tuple[int, list[Piece]]]:
    """Those that were in the file in its order; each new one after the one that it follows in the replacement."""
    ordered: list[tuple[int, int, list[Piece]]] = []
    last = -1
    for number, (place, pieces) in enumerate(groups):
        last = last if place is None else place
        ordered.append((last, number, pieces))
    # PERF: no key on the pieces, which have no order.
    ordered.sort(key=lambda one: (one[0], one[1]))
    return [(place, pieces) for place, _, pieces in ordered]


def _blank_like(node: Any) -> str:
    """The blanks after a comma of a list."""
    for index in range(2, len(node) - 1):
        if is_comma(node[index]):
            return prefix_of(node[index + 1])
    return " "


def _without_gaps(children: Sequence[list[Piece]]) -> list[Piece]:
    """Children in a row; where one stands for nothing, a comma beside it goes too, and the blanks after that."""
    pieces: list[Piece] = []
    skip = closes_up = False
    for number, new in enumerate(children):
        if skip:
            skip = False
            continue
        if new:
            first = new[0]
            pieces += [first.with_layout("") if closes_up and is_blank(first.layout) else first, *new[1:]]
            closes_up = False
            continue
        following = children[number + 1] if number + 1 < len(children) else []
        if len(following) == 1 and is_comma(following[0].green):
            skip = True
            closes_up = bool(pieces) and not is_comma(pieces[-1].green)
        elif pieces and is_comma(pieces[-1].green):
            pieces.pop()
    return pieces


def _with_words(kind: str, pieces: list[Piece], taken: list[Piece]) -> list[Piece]:
    """Prefixes that were there stay, unless a word of the replacement excludes them."""
    known = ELEMENT_WORDS if kind == "element" else None
    own = {
        token_text(p.green) for p in pieces if type(p.green) is str and (known is None or token_text(p.green) in known)
    }
    excluded = {word for group in WORD_GROUPS if own & set(group) for word in group}
    stay = [piece for piece in taken if token_text(piece.green) not in own | excluded]
    if kind in WORD_NODES and kind != "class_prefixes":
        order = ("flow", "stream", "discrete", "parameter", "constant", "input", "output")
        return sorted([*stay, *pieces], key=lambda piece: order.index(token_text(piece.green)))
    return [*stay, *pieces]


def _with_part(kind: str, pieces: list[Piece], slot: str, part: Piece) -> list[Piece]:
    """An optional part in its place, unless the replacement has one of its own."""
    symbols = [piece.symbol for piece in pieces]
    number = find_production(kind, tuple(symbols))
    if number is not None and place_of(number, slot, 0) is not None:
        return pieces
    for index in range(len(pieces) + 1):
        number = find_production(kind, (*symbols[:index], part.symbol, *symbols[index:]))
        if number is not None and place_of(number, slot, 0) is not None:
            return [*pieces[:index], part, *pieces[index:]]
    raise no_place_for(render(part.green).strip())


def no_place_for(text: str) -> PatternError:
    """The refusal to lose something that nobody spoke of."""
    return PatternError(
        f"the replacement has no place for '{text}', which the match has and the pattern does not mention"
    )
