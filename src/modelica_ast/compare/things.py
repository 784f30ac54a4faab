"""The things that a file is made of, as a reviewer sees them, with all of its text.

A thing is an atom (a type, a value, a word), a record of named slots (a component: its type, its name, its modifiers,
its description) or a list of items (the elements of a class, the arguments in parentheses). Every character of a file
is in exactly one atom: the texts of a thing's children, in order, are its text. Things differ from the nodes of the
tree in two ways. They have an identity that lasts from one version of a file to the next, and the comments after
something and above it belong to it, as `trivia.py` says.

Children are made when somebody looks: two versions of a file share most of their text, and there nobody does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import Any, Final

from modelica_ast.syntax import KINDS, Green, child_at, children_of, leaves, lex, render, split_leaf, token_text

# ---------------------------------------------------------------- nodes
# What a node of the tree is, as far as things depend on it.

_ANNOTATION: Final = "annotation_clause"


def kind_of_node(green: Green) -> str:
    """The kind of a node, '' for a leaf."""
    return KINDS[green[0]] if isinstance(green, tuple) else ""


def is_annotation(green: Green) -> bool:
    """Is it an annotation, read or not?"""
    if isinstance(green, tuple):
        return KINDS[green[0]] == _ANNOTATION
    return green.endswith(")") and token_text(green).startswith("annotation")


def is_description(green: Green) -> bool:
    """Is it a string, or several that are joined?"""
    return kind_of_node(green) == "description_string" or (isinstance(green, str) and token_text(green)[:1] == '"')


def token_is(green: Green, text: str) -> bool:
    """Is it this token?"""
    return isinstance(green, str) and token_text(green) == text


def is_constructor(value: Any) -> bool:
    """Is it a call with named arguments alone, as records are made?"""
    if kind_of_node(value) != "function_call" or kind_of_node(value[2]) != "function_call_args":
        return False
    items = [part for part in value[2][2:-1] if not token_is(part, ",")]
    return bool(items) and all(kind_of_node(item) == "named_argument" for item in items)


# ---------------------------------------------------------------- normal
# What a text means, apart from what tools do to it: blanks, line ends, how a number is written.
#
# The normal form of a piece of Modelica is a tuple of texts, one for each token and comment. Two pieces with the same
# normal form differ in noise alone.

Normal = tuple[str, ...]

_COMMENT: Final = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_NUMBER: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")
_LONGEST_EXPONENT: Final = 20  # digits; Python refuses to read numbers of thousands of digits


def comments_of(trivia: str) -> Normal:
    """The comments in a stretch of blanks and comments; how their lines are indented does not count."""
    if "/" not in trivia:
        return ()
    return tuple("\n".join(line.strip() for line in each.splitlines()) for each in _COMMENT.findall(trivia))


def normal_of(greens: Iterable[Green]) -> Normal:
    """The normal form of subtrees that stand side by side; comments count, but not those before the first token."""
    found: list[str] = []
    is_first = True
    for green in greens:
        for leaf in leaves(green):
            trivia, token = split_leaf(leaf)
            if not is_first and trivia:
                found += comments_of(trivia)
            if token:
                found += _normal_token(token)
            is_first = False
    return tuple(found)


def _normal_token(token: str) -> Normal:
    first = token[0]
    if first in "0123456789" or (first == "." and len(token) > 1 and token[1] in "0123456789"):
        return (normal_number(token),)
    if first == "a" and token[-1] == ")":  # an annotation that nobody has read
        return _normal_annotation(token)
    return (token.replace("\r\n", "\n"),) if first == '"' else (token,)


@lru_cache(maxsize=256)
def _normal_annotation(token: str) -> Normal:
    return normal_of(leaf for leaf, _ in lex(token, lazy=False))


@lru_cache(maxsize=4096)
def normal_number(text: str) -> str:
    """One text for all ways to write a number: `1.50`, `1.5` and `15e-1` are one; so are `1` and `1.0`."""
    match = _NUMBER.fullmatch(text)
    if match is None or len(match[3] or "") > _LONGEST_EXPONENT:
        return text
    fraction = match[2] or ""
    digits = (match[1] + fraction).lstrip("0")
    exponent = int(match[3] or "0") - len(fraction)
    stripped = digits.rstrip("0")
    if not stripped:
        return "0"
    return f"{stripped}e{exponent + len(digits) - len(stripped)}"


# ---------------------------------------------------------------- things

ATOM: Final = "atom"
LIST: Final = "list"
Key = Hashable
Memo = Any  # `building.Memo`, which is made of things
_SEPARATOR: Final = "\x1f"
_WITHOUT_PLACE: Final = frozenset({"class", "import", "extends", "comment", "section"})


class Thing:
    """Something in one version of a file: `text` is `pre`, the thing itself, `tail`, and `after` after its comma."""

    __slots__ = (
        "_children",
        "_digest",
        "_text",
        "after",
        "comma",
        "declares",
        "digests",
        "expand",
        "greens",
        "is_ordered",
        "key",
        "kind",
        "memo",
        "name",
        "parent",
        "pre",
        "shape",
        "start",
        "tail",
        "weak_key",
        "what",
    )

    def __init__(self, what: str, key: Key, shape: str, greens: tuple[Green, ...], *, name: str = "") -> None:
        self.what = what
        self.key = key  # its identity among its siblings; None for what is known by its content alone
        self.weak_key: Key = None  # what else tells it from its siblings, if its content has changed
        self.shape = shape  # things of different shapes are compared as a whole
        self.kind = shape  # what else must agree for a pairing by place
        self.greens = greens  # without the blanks and comments before the first token
        self.name = name  # how a path names it, '' for what no path names
        self.declares: tuple[str, ...] = ()  # the components of a clause
        self.pre = ""
        self.tail = ""
        self.after = ""  # in a list with commas: what follows the comma on its line
        self.comma = False  # does a comma follow?
        self.is_ordered = False  # does the order of the items mean something?
        self.start = 0  # offset of `pre` in the text
        self.parent: Thing | None = None
        self.expand: Callable[[Thing], list[Thing]] | None = None
        self.memo: Memo = None  # what is known of items by their text
        self.digests: dict[Normal, str] | None = None  # by comments; one for all items that have its text
        self._children: list[Thing] | None = None
        self._text: str | None = None
        self._digest: str | None = None

    def __repr__(self) -> str:
        return f"<Thing {self.what} {self.name or self.key!r}>"

    # ------------------------------------------------------------ children

    @property
    def children(self) -> list[Thing]:
        """The slots of a record or the items of a list; none for an atom."""
        if self._children is None:
            self._children = self.expand(self) if self.expand is not None else []
            for child in self._children:
                child.parent = self
        return self._children

    def put_children(self, children: list[Thing]) -> None:
        """Give it other children; all that was computed of it, and of what is around it, is forgotten."""
        self._children = children
        for child in children:
            child.parent = self
        thing: Thing | None = self
        while thing is not None:
            thing._text = thing._digest = None  # noqa: SLF001  (its own class)
            thing.digests = None
            thing.greens = ()
            thing = thing.parent

    def put_core(self, text: str) -> None:
        """Say what its text is, where somebody has it anyway."""
        self._text = text

    @property
    def is_composed(self) -> bool:
        """Is it a record or a list?"""
        return self.shape != ATOM

    @property
    def is_string(self) -> bool:
        """Is it one string, in quotes?"""
        return len(self.greens) == 1 and isinstance(self.greens[0], str) and token_text(self.greens[0])[:1] == '"'

    @property
    def has_place(self) -> bool:
        """Does its place count in a list with an order? That of a class among the inputs of a function does not."""
        return self.what not in _WITHOUT_PLACE

    def slot(self, key: Key) -> Thing | None:
        """The child of this key, or None."""
        return next((child for child in self.children if child.key == key), None)

    @property
    def around(self) -> Iterator[Thing]:
        """The things around it, the nearest first."""
        thing = self.parent
        while thing is not None:
            yield thing
            thing = thing.parent

    # ------------------------------------------------------------ text

    @property
    def core(self) -> str:
        """The text without the blanks and comments around it."""
        if self._text is None:
            # What was put together has no text of its own. Children come first, without recursion.
            for thing in below(self, lambda thing: thing._text is None):  # noqa: SLF001
                own = thing.greens or thing.shape == ATOM
                parts = map(render, thing.greens) if own else (child.text for child in thing.children)
                thing._text = "".join(parts)  # noqa: SLF001
        return self._text or ""

    @property
    def text(self) -> str:
        """All of its text."""
        return self.pre + self.core + self.tail + ("," if self.comma else "") + self.after

    @property
    def length(self) -> int:
        """The length of its text."""
        return len(self.pre) + len(self.core) + len(self.tail) + self.comma + len(self.after)

    def has_text_of(self, other: Thing) -> bool:
        """Are the texts equal? PERF: equal items share one string, so there is nothing to read."""
        mine = self.core, self.pre, self.tail, self.after, self.comma
        return mine == (other.core, other.pre, other.tail, other.after, other.comma)

    @property
    def first(self) -> int:
        """Where the thing itself starts, after the blanks and comments before it."""
        lead = 0
        thing = self
        while True:
            lead += len(thing.pre)
            if not (thing.is_composed and not thing.greens and thing.children):
                return self.start + lead
            thing = thing.children[0]

    @property
    def stop(self) -> int:
        """Where it ends, without the comment after it."""
        end = self.start + len(self.text) - len(self.after) - self.comma - len(self.tail)
        thing = self
        while thing.is_composed and not thing.greens and thing.children:
            thing = thing.children[-1]
            end -= len(thing.tail)
        return end

    # ------------------------------------------------------------ meaning

    @property
    def comments(self) -> Normal:
        """The comments that belong to it: above it and after it."""
        return comments_of(self.pre) + comments_of(self.tail) + comments_of(self.after)

    @property
    def digest(self) -> str:
        """Equal for things that mean the same and have the same comments, apart from noise."""
        if self._digest is None:
            for thing in below(self, Thing._lacks_digest, through_greens=True):
                thing._digest = thing._computed_digest()  # noqa: SLF001
                if thing.digests is not None:
                    thing.digests[thing.comments] = thing._digest  # noqa: SLF001
        return self._digest or ""

    def _lacks_digest(self) -> bool:
        if self._digest is None and self.digests:
            self._digest = self.digests.get(self.comments)
        return self._digest is None

    def _computed_digest(self) -> str:
        if self.shape == ATOM:
            inside = (*self._normal_atom(),)
        else:
            # What is there for its layout alone has no digest.
            parts = [(child.has_place, child.digest) for child in self.children if child.digest]
            if self.shape == LIST:
                free = sorted(digest for has_place, digest in parts if not (has_place and self.is_ordered))
                inside = (*free, *(digest for has_place, digest in parts if has_place and self.is_ordered))
            else:
                inside = tuple(digest for _, digest in parts)
        if not inside and not self.comments:
            return ""
        whole = (str(self.key) if self.shape == ATOM else "", *inside, "", *self.comments)
        return blake2b(_SEPARATOR.join(whole).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _normal_atom(self) -> Normal:
        found = normal_of(self.greens)
        if self.kind == "ends":  # a connection has no direction
            comma = found.index(",") if "," in found else len(found)
            ends = sorted([found[:comma], found[comma + 1 :]])
            return (*ends[0], ",", *ends[1])
        points = self.greens[0] if self.key == "value" and self.greens else None
        if isinstance(points, tuple) and kind_of_node(points) == "array" and self._is_of_turned_connection():
            turned = [child_at(points, 1), *reversed(children_of(points, 2, -1)), child_at(points, -1)]
            return normal_of(turned)
        return () if found == ("\ufeff",) else found

    def _is_of_turned_connection(self) -> bool:
        """Are these the points of the line of a connection that is turned around?"""
        around = [*islice(self.around, 2)]
        is_line = len(around) == 2 and around[1].name == "points"  # noqa: PLR2004
        return is_line and any(each.is_turned for each in self.around if each.shape == "connection")

    @property
    def is_turned(self) -> bool:
        """Is it a connection with its ends in the other order than that of their names?"""
        ends = self.slot("ends")
        return ends is not None and normal_of(ends.greens) != ends.meaning

    @property
    def meaning(self) -> Normal:
        """The normal form of an atom, without comments around it."""
        return self._normal_atom()


def below(root: Thing, wanted: Callable[[Thing], bool], *, through_greens: bool = False) -> list[Thing]:
    """The thing and all below it for which `wanted` holds, children before what is around them.

    Things that nobody has looked into yet are expanded only if asked for.
    """
    found: list[Thing] = []
    todo = [root]
    while todo:
        thing = todo.pop()
        if wanted(thing):
            found.append(thing)
            if not thing.greens or through_greens:
                todo += thing.children
    return found[::-1]


# ---------------------------------------------------------------- paths
# Names that lead to a thing, and what a change of it is about.


def path_of(thing: Thing) -> tuple[tuple[str, ...], str]:
    """The names that lead to a thing, and how many of them name classes, as `Change.class_name` has it."""
    names: list[str] = []
    classes: list[str] = []
    inner: Thing | None = None
    for each in (thing, *thing.around):
        is_clause_around = each.shape == "clause" and inner is not None and inner.key == "components"
        if each.name and not is_clause_around:
            names.append(each.name)
            if each.what == "class" and each.shape == "class":
                classes.append(each.name)
        inner = each
    return tuple(reversed(names)), "\0".join(reversed(classes))


def subject(thing: Thing) -> str:
    """What a change is about: everything inside an annotation is about that."""
    if thing.what != "comment" and any(each.what == "annotation" for each in thing.around):
        return "annotation"
    return thing.what
