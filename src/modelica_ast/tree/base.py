"""Views: typed, read-only windows on the green tree, made where somebody looks.

A view is three words: the green subtree, the view around it and its place in there. Its fields are found by
their place in the grammar, so a view class is a list of names.

A view can be made from its fields, too: `ForIndex(identifier="i", range=parse_expression("1:3"))`. The grammar chooses
the production, and `dataclass_transform` lets type checkers know the fields of every class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Generic,
    NoReturn,
    Protocol,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    overload,
)

from modelica_ast.foundation import ModelicaSyntaxError, Position, Source, Span
from modelica_ast.syntax import (
    KINDS,
    SYMBOLS,
    TOKEN_TEXTS,
    Green,
    Node,
    Offsets,
    accepted,
    can_be,
    first_leaf,
    fixed_places,
    is_terminal,
    kind_of,
    leaf_rule,
    list_places,
    place_of,
    range_of,
    render,
    split_leaf,
    symbols_at,
    trivia_length,
    width,
)

if TYPE_CHECKING:
    from pathlib import Path

T_co = TypeVar("T_co", covariant=True)


class _FieldPlaces(dict[int, "int | None"]):
    """Production -> the place of a field in it; None where it has none."""

    __slots__ = ("name", "nth")

    def __init__(self, name: str, nth: int) -> None:
        super().__init__()
        self.name = name
        self.nth = nth

    def __missing__(self, number: int) -> int | None:
        self[number] = found = place_of(number, self.name, self.nth)
        return found


class Field(Generic[T_co]):
    """One child by its name in the grammar; the descriptor's type says whether it can be missing."""

    __slots__ = ("_places", "is_given", "name", "nth")

    def __init__(
        self,
        name: str,
        nth: int = 0,
        *,
        default: None = None,  # noqa: ARG002  (for type checkers)
        init: bool = True,
    ) -> None:
        self.name = name
        self.nth = nth
        self.is_given = init  # or does it follow from the rest of a new view?
        self._places = _FieldPlaces(name, nth)

    def __set__(self, view: View, value: T_co) -> NoReturn:  # type: ignore[misc]  # it takes what it gives
        raise _read_only(view)

    @overload
    def __get__(self, view: None, owner: type) -> Field[T_co]: ...
    @overload
    def __get__(self, view: View, owner: type) -> T_co: ...
    def __get__(self, view: View | None, owner: type) -> Any:
        if view is None:
            return self
        node = view.green
        if type(node) is not tuple:  # PERF: `node` is a property, and matters for what is a leaf only
            node = view.node
        if isinstance(node, str):
            return None
        place = self._places[node[0]]
        if place is None:
            return None
        if place < 0:
            place += len(node)
        green = node[place]
        if type(green) is tuple:
            return NODE_CLASSES[green[0]](green, view, place)
        return child_view(view, node, place)


@cache
def _numbers_of(name: str) -> tuple[frozenset[int], frozenset[int]]:
    """The productions and the terminals that can be where the grammar says `name`."""
    wanted = accepted(name)
    nodes = frozenset(number for number, kind in enumerate(KINDS) if can_be(kind, wanted))
    return nodes, frozenset(number for number, symbol in enumerate(SYMBOLS) if can_be(symbol, wanted))


class _ItemRanges(dict[int, tuple[int, int, frozenset[int], frozenset[int]]]):
    """Production -> (start, stop) of the children among which the items are, and what these can be."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __missing__(self, number: int) -> tuple[int, int, frozenset[int], frozenset[int]]:
        self[number] = found = (*range_of(number, self.name), *_numbers_of(self.name))
        return found


class Items(Generic[T_co]):
    """All children that the grammar calls by a name, without the punctuation between them."""

    __slots__ = ("_ranges", "name")

    def __init__(self, name: str, *, default: tuple[()] = ()) -> None:  # noqa: ARG002  (for type checkers)
        self.name = name
        self._ranges = _ItemRanges(name)

    def __set__(self, view: View, value: Sequence[T_co]) -> NoReturn:
        raise _read_only(view)

    @overload
    def __get__(self, view: None, owner: type) -> Items[T_co]: ...
    @overload
    def __get__(self, view: View, owner: type) -> list[T_co]: ...
    def __get__(self, view: View | None, owner: type) -> Any:
        if view is None:
            return self
        node = view.node
        if isinstance(node, str):
            return []
        start, stop, nodes, terminals = self._ranges[node[0]]
        found = []
        for index in range(start, len(node) + stop):
            green = node[index]
            if type(green) is tuple:
                if green[0] in nodes:
                    found.append(NODE_CLASSES[green[0]](green, view, index))
            elif kind_of(green) in terminals:  # type: ignore[arg-type]  # what is not a node is a leaf
                found.append(child_view(view, node, index))
        return found


class Child(Generic[T_co]):
    """A child by its number, for productions that only differ in the names of their symbols."""

    __slots__ = ("number", "of")

    def __init__(self, number: int, *, of: int = 0, default: None = None) -> None:  # noqa: ARG002  (as above)
        self.number = number
        self.of = of  # how many children there are where it is one of them; 0 if it always is

    def __set__(self, view: View, value: T_co) -> NoReturn:  # type: ignore[misc]  # it takes what it gives
        raise _read_only(view)

    @overload
    def __get__(self, view: None, owner: type) -> Child[T_co]: ...
    @overload
    def __get__(self, view: View, owner: type) -> T_co: ...
    def __get__(self, view: View | None, owner: type) -> Any:
        if view is None:
            return self
        node = view.node
        assert type(node) is tuple
        if self.of and len(node) != self.of + 1:
            return None
        return child_view(view, node, self.number if self.number > 0 else len(node) + self.number)


class Word(Field["Token"]):
    """A token that must be there; a new one may be given by its text."""

    __slots__ = ()

    def __set__(self, view: View, value: Token | str) -> NoReturn:
        raise _read_only(view)


class MaybeWord(Field["Token | None"]):
    """A token that may be there; a new one may be given by its text."""

    __slots__ = ()

    def __set__(self, view: View, value: Token | str | None) -> NoReturn:
        raise _read_only(view)


class Flag(Field["Token | None"]):
    """A keyword that may be there; for a new one, True says so."""

    __slots__ = ()

    def __set__(self, view: View, value: Token | bool | None) -> NoReturn:  # noqa: FBT001  (a descriptor)
        raise _read_only(view)


class Words(Items["Token"]):
    """Keywords; new ones may be given by their texts."""

    __slots__ = ()

    def __set__(self, view: View, value: Sequence[Token | str]) -> NoReturn:
        raise _read_only(view)


class Operator(Child["Token"]):
    """An operator; a new one may be given by its text."""

    __slots__ = ()

    def __set__(self, view: View, value: Token | str) -> NoReturn:
        raise _read_only(view)


class Written:
    """The text of what has no fields: a name, a literal. A new one is made from it."""

    __slots__ = ()

    @overload
    def __get__(self, view: None, owner: type) -> Written: ...
    @overload
    def __get__(self, view: View, owner: type) -> str: ...
    def __get__(self, view: View | None, owner: type) -> Written | str:
        return self if view is None else View.text.__get__(view)

    def __set__(self, view: View, value: str) -> NoReturn:
        raise _read_only(view)


def _read_only(view: View) -> AttributeError:
    return AttributeError(f"a {type(view).__name__} is read-only: with_changes() gives one that differs")


@dataclass_transform(
    kw_only_default=True,
    eq_default=False,
    field_specifiers=(Field, Items, Child, Word, MaybeWord, Flag, Words, Operator, Written),
)
class View:
    """A place in a tree: the green subtree there, the view around it, its index in there."""

    __slots__ = ("__weakref__", "green", "index", "parent")
    __match_args__ = ("green", "parent", "index")

    # The kinds of nodes, and (rule, terminal) of lone leaves, that a subclass is the view of.
    kinds: ClassVar[tuple[str, ...]] = ()
    leaf_rules: ClassVar[tuple[str, ...]] = ()
    leaf_terminals: ClassVar[tuple[str, ...]] = ()

    def __init__(self, green: Green = "", parent: View | None = None, index: int = 0, /, **fields: Any) -> None:
        self.green = green
        self.parent = parent
        self.index = index
        if not green and parent is None:
            self._make(fields)

    @classmethod
    def of(cls, green: Green, parent: View | None = None, index: int = 0) -> Self:
        """The view of a green subtree; the constructor of a class with fields is for new ones."""
        return cls(green, parent, index)

    def _make(self, fields: dict[str, Any]) -> None:

        self.green = maker().made(type(self), fields)

    def with_changes(self, **fields: Any) -> Self:
        """A view like this one with some of its fields changed, on its own; None takes an optional one out.

        What stays, stays with its blanks and comments, and the new view starts as this one does.
        """
        return type(self).of(maker().changed(self, fields))

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for kind in cls.__dict__.get("kinds", ()):
            VIEW_OF_KIND[kind] = cls
        terminals = cls.__dict__.get("leaf_terminals", ("",))
        for rule in cls.__dict__.get("leaf_rules", ()):
            for terminal in terminals:
                VIEW_OF_LEAF[rule, terminal] = cls

    @property
    def node(self) -> Green:
        """The green subtree with an unread annotation opened; the same as `green` for everything else."""
        return self.green

    @property
    def kind(self) -> str:
        """The grammar's name of the node, or of the terminal."""
        return KINDS[self.green[0]] if type(self.green) is tuple else SYMBOLS[kind_of(cast("str", self.green))]

    @property
    def text(self) -> str:
        """The source text, without the blanks and comments before it."""
        text = render(self.green)
        return text[trivia_length(text) :]

    @property
    def leading(self) -> str:
        """The blanks and comments before the first token."""
        leaf = first_leaf(self.green)
        return leaf[: trivia_length(leaf)]

    @property
    def root(self) -> Root:
        """The outermost view: of the file, or of the fragment that was parsed."""
        view: View = self
        while view.parent is not None:
            view = view.parent
        return cast("Root", view)

    @property
    def path(self) -> tuple[int, ...]:
        """The indices that lead from the root to here."""
        steps = []
        view: View = self
        while view.parent is not None:
            steps.append(view.index)
            view = view.parent
        return tuple(reversed(steps))

    @property
    def ancestors(self) -> Iterator[View]:
        """The views around this one, the nearest first."""
        view = self.parent
        while view is not None:
            yield view
            view = view.parent

    @property
    def children(self) -> list[View]:
        """All children in source order, punctuation included: their texts are this view's text."""
        node = self.node
        if isinstance(node, str):
            return []
        # PERF: `child_view`, written out.
        size = len(node)
        leaves = LEAF_PLACES[node[0]]
        front, back, classes = leaves.front, leaves.back, leaves.classes
        found: list[View] = []
        for index in range(1, size):
            green = node[index]
            if type(green) is tuple:
                found.append(NODE_CLASSES[green[0]](green, self, index))
                continue
            at_place = classes[index if index <= front else index - size if size - index <= back else 0]
            # What is not a node is a leaf.
            found.append((Token if at_place is None else at_place[kind_of(green)])(green, self, index))  # type: ignore[arg-type]
        return found

    @property
    def span(self) -> Span:
        """From the first token to after the last."""
        root = self.root
        end = root.offset_of(self) + width(self.green)
        return Span(self.position, root.source.position(end))

    @property
    def position(self) -> Position:
        """Line, column and offset of the first token."""
        root = self.root
        return root.source.position(root.offset_of(self) + len(self.leading))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.green is other.green and self.path == other.path and self.root.green is other.root.green

    def __hash__(self) -> int:
        return hash((id(self.green), self.index))

    def __repr__(self) -> str:
        text = " ".join(self.text.split())
        return f"<{type(self).__name__} {text if len(text) <= 60 else text[:57] + '...'}>"  # noqa: PLR2004


VIEW_OF_KIND: dict[str, type[View]] = {}
VIEW_OF_LEAF: dict[tuple[str, str], type[View]] = {}


class Token(View):
    """One token. `str(token)` is its text."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The token without the blanks and comments before it."""
        return TOKEN_TEXTS[cast("str", self.green)]

    @property
    def leading(self) -> str:
        """The blanks and comments before the token."""
        return split_leaf(cast("str", self.green))[0]

    def __str__(self) -> str:
        return self.text


class Expression(View):
    """Base of all views of expressions."""

    __slots__ = ()


class Equation(View):
    """Base of all views of equations."""

    __slots__ = ()


class Statement(View):
    """Base of all views of statements."""

    __slots__ = ()


class Section(View):
    """Base of all views of sections of a class."""

    __slots__ = ()


class Specifier(View):
    """Base of the four ways to write a class: long, short, enumeration, der."""

    __slots__ = ()
    identifier: Word = Word("IDENT")


class Argument(View):
    """Base of all views of arguments of a modification."""

    __slots__ = ()


class Root(View):
    """The outermost view: it knows where the text came from, and where everything is in it."""

    __slots__ = ("_offsets", "_source", "encoding", "errors", "file")

    @classmethod
    def over(
        cls,
        green: Green,
        *,
        file: Path | None = None,
        encoding: str = "utf-8",
        errors: tuple[ModelicaSyntaxError, ...] = (),
    ) -> Self:
        """The view of a whole tree, with where its text came from."""
        root = cls.of(green)
        root._came_from(file, encoding, errors)  # noqa: SLF001  (its own)
        return root

    def _came_from(self, file: Path | None, encoding: str, errors: tuple[ModelicaSyntaxError, ...]) -> None:
        self.file = file
        self.encoding = encoding
        self.errors = errors
        self._offsets: Offsets | None = None
        self._source: Source | None = None

    @property
    def source(self) -> Source:
        """The text of this tree with its lines. It is rendered when asked for: the tree is its text."""
        if self._source is None:
            self._source = Source(render(self.green), self.file, self.encoding)
        return self._source

    def offset_of(self, view: View) -> int:
        """Where a view's text starts, its blanks and comments included."""
        if self._offsets is None:
            self._offsets = Offsets()
        offsets = self._offsets
        total = 0
        while view.parent is not None:
            total += offsets.before(view.parent.node, view.index)
            view = view.parent
        return total


def _import_all_views() -> None:
    """A class can be chosen only if all of them are known, and a tree is parsed before anybody looks at it."""
    import_all()


class LeafClasses(dict[int, "type[View]"]):
    """Terminal -> the view of a lone leaf at one place of a production: Token, or that of a rule."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self.names = names

    def __missing__(self, terminal_number: int) -> type[View]:
        terminal = SYMBOLS[terminal_number]
        cls: type[View] = Token
        _import_all_views()
        for name in self.names:
            rule = leaf_rule(name, terminal)
            if rule:
                cls = VIEW_OF_LEAF.get((rule, "")) or VIEW_OF_LEAF[rule, terminal]
        self[terminal_number] = cls
        return cls


class LeafPlaces:
    """Which views the leaves of a production have, by their place as `shape.place_code` counts it."""

    __slots__ = ("back", "classes", "front")

    def __init__(self, front: int, back: int, classes: dict[int, LeafClasses | None]) -> None:
        self.front = front
        self.back = back
        # PERF: None where nothing but tokens can be, punctuation and names; that is most leaves.
        self.classes = classes


class _LeafPlacesByNumber(dict[int, LeafPlaces]):
    """Production -> its places."""

    __slots__ = ()

    def __missing__(self, number: int) -> LeafPlaces:
        front, back = fixed_places(number)
        places = [*range(1, front + 1), *range(-back, 0), *([0] if list_places(number) else [])]
        classes = {place: _leaf_classes(symbols_at(number, place)) for place in places}
        self[number] = found = LeafPlaces(front, back, classes)
        return found


# PERF: this and the memos below are dictionaries that fill themselves, which beats a call of a cached function. They
# hold pure facts about the grammar; concurrent threads can at worst find one twice.
LEAF_PLACES: Final = _LeafPlacesByNumber()


def _leaf_classes(names: tuple[str, ...]) -> LeafClasses | None:
    for name in names:
        if any(leaf_rule(name, terminal) for terminal in accepted(name) if is_terminal(terminal)):
            return LeafClasses(names)
    return None


class _NodeClasses(dict[int, "type[View]"]):
    """Production -> the view of its nodes."""

    __slots__ = ()

    def __missing__(self, number: int) -> type[View]:
        _import_all_views()
        self[number] = found = VIEW_OF_KIND[KINDS[number]]
        return found


NODE_CLASSES: Final = _NodeClasses()


def child_view(parent: View, node: Node, index: int) -> View:
    """The view of a child: its class follows from its kind or, for a lone leaf, from its place."""
    green = node[index]
    if type(green) is tuple:
        return NODE_CLASSES[green[0]](green, parent, index)
    leaves, size = LEAF_PLACES[node[0]], len(node)
    # The place as `shape.place_code` counts it.
    classes = leaves.classes[index if index <= leaves.front else index - size if size - index <= leaves.back else 0]
    # What is not a node is a leaf.
    return Token(green, parent, index) if classes is None else classes[kind_of(green)](green, parent, index)  # type: ignore[arg-type]


@cache
def import_all() -> None:
    """Import every view, so that each of them is known by its kind: a parse needs none but the root's."""
    from modelica_ast.tree import (  # noqa: F401, PLC0415  (start-up time)
        classes,
        components,
        equations,
        expressions,
        modifications,
        roots,
    )


class _Maker(Protocol):
    """What makes views from fields."""

    def made(self, cls: type[View], fields: Mapping[str, object]) -> Green:
        """The green tree of a new view."""

    def changed(self, view: View, fields: Mapping[str, object]) -> Green:
        """The green tree of a view with some fields changed."""


def maker() -> _Maker:
    """The module that makes views from fields; few programs need it."""
    from modelica_ast.tree import construction  # noqa: PLC0415  (start-up time: see above)

    import_all()
    return construction
