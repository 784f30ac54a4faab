"""Static name lookup: what a name stands for where it is written.

As chapter 5 of the specification has it: members, inherited members, imports, enclosing classes, `encapsulated`,
full names. Over one document, or over all files of some libraries; what leads out of these is unknown (None) and
never guessed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from modelica_ast.edit.clauses import brings_all_names, clauses_of, imported_name, type_parts, within_parts
from modelica_ast.edit.index import Index, Scope, composition_path
from modelica_ast.edit.surgery import Path, at
from modelica_ast.green import Node
from modelica_ast.lexer import token_text
from modelica_ast.tables import KINDS

_DEEPEST: Final = 30  # questions that wait for each other on Python's stack

T = TypeVar("T")


class Target(NamedTuple):
    """What a name stands for, by its tree and the path in it.

    A class_definition, a component_declaration, or an enumeration_literal.
    """

    tree: Hashable
    path: Path


class Trees(Protocol):
    """The trees that names are looked up in."""

    def root(self, tree: Hashable) -> Node:
        """A tree."""

    def scope(self, tree: Hashable, node: Node) -> Scope:
        """What a body or a file declares."""

    def package_of(self, tree: Hashable) -> Target | None:
        """The package that the classes of a file are in, if that is in another file."""

    def classes_in(self, package: Target) -> Mapping[str, Target]:
        """The classes of a package that stand in other files."""

    def top_level(self, name: str) -> Target | None:
        """The class of a simple name that no class is around."""

    def resolve_full(self, parts: Sequence[str]) -> tuple[int, Target | None]:
        """(how many parts of a full name lead to a class in these trees, that class)."""


class OneDocument:
    """A single document. Names that start with its `within` lead to its own classes."""

    def __init__(self, root: Node, index: Index) -> None:
        self._root = root
        self._index = index
        self._within = within_parts(root)

    def root(self, tree: Hashable) -> Node:
        """The document."""
        del tree
        return self._root

    def scope(self, tree: Hashable, node: Node) -> Scope:
        """What a body or the file declares."""
        del tree
        return self._index.scope(node)

    def package_of(self, tree: Hashable) -> Target | None:
        """Nothing is known around it."""
        del tree
        return None

    def classes_in(self, package: Target) -> Mapping[str, Target]:
        """Nothing is known beside it."""
        del package
        return {}

    def top_level(self, name: str) -> Target | None:
        """A class of the file."""
        found = self._index.scope(self._root).classes.get(name)
        return Target(None, found[0]) if found else None

    def resolve_full(self, parts: Sequence[str]) -> tuple[int, Target | None]:
        """Behind the file's `within` stand the file's classes."""
        known = len(self._within)
        if list(parts[:known]) != self._within or len(parts) <= known:
            return len(parts), None
        return known + 1, self.top_level(parts[known])


class _Step:
    """A class on the way to an inherited member."""

    __slots__ = ("bases", "definition", "is_cut", "own")

    def __init__(self, definition: Target, bases: Iterator[Target], own: Target | None) -> None:
        self.definition = definition
        self.bases = bases
        self.own = own  # a redeclaration, which counts if nothing is inherited
        self.is_cut = False  # something that it inherits from was on the way, or left, already


class _TooDeep(Exception):  # noqa: N818  (it says what to find out first)
    def __init__(self, chain: _Chain[Any], target: Target) -> None:
        super().__init__(target)
        self.chain = chain
        self.target = target


class _Depth:
    """How many questions wait for the answer of another one; shared by all chains of a lookup."""

    value = 0


class _Chain(Generic[T]):
    """A fact about targets that may need the same fact about others first, which may need more: each found once.

    Python's stack holds few of them. Where too many wait for each other, all but the outermost question give up, the
    deepest is answered first, and then they are asked again. Who asks for what is being found out gets `meanwhile`:
    a class does not inherit from itself.
    """

    def __init__(self, find: Callable[[Target], T], meanwhile: T, depth: _Depth) -> None:
        self._find = find
        self._meanwhile = meanwhile
        self._depth = depth
        self._known: dict[Target, T] = {}
        self._open: set[Target] = set()

    def is_open(self, target: Target) -> bool:
        """Is it being found out?"""
        return target in self._open

    def get(self, target: Target) -> T:
        """The fact about a target."""
        if target in self._known:
            return self._known[target]
        if target in self._open:
            return self._meanwhile
        if self._depth.value >= _DEEPEST:
            raise _TooDeep(self, target)
        if self._depth.value:
            self._answer(target)
        else:
            self._answer_all(target)
        return self._known[target]

    def _answer_all(self, target: Target) -> None:
        waiting: list[tuple[_Chain[Any], Target]] = [(self, target)]
        try:
            while waiting:
                chain, one = waiting[-1]
                try:
                    chain._answer(one)  # noqa: SLF001  (of its own class)
                    waiting.pop()
                except _TooDeep as deeper:
                    chain._open.add(one)  # noqa: SLF001
                    waiting.append((deeper.chain, deeper.target))
        finally:
            for chain, one in waiting:
                chain._open.discard(one)  # noqa: SLF001

    def _answer(self, target: Target) -> None:
        self._open.add(target)
        self._depth.value += 1
        try:
            self._known[target] = self._find(target)
        finally:
            self._depth.value -= 1
            self._open.discard(target)


class Scopes:
    """Lookup in some trees."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        depth = _Depth()
        self._bases = _Chain(self._find_bases, list[Target](), depth)
        self._types = _Chain[Target | None](self._find_type, None, depth)
        self._members: dict[tuple[Target, str], Target | None] = {}
        self._named_literals: dict[tuple[Target, str], Target | None] = {}

    def node(self, target: Target) -> Any:
        """The green node of a target."""
        return at(self.trees.root(target.tree), target.path)

    def classes_around(self, target: Target) -> list[Target]:
        """The classes that a place is in, the innermost last."""
        package = self.trees.package_of(target.tree)
        found = [*self.classes_around(package), package] if package is not None else []
        node: Any = self.trees.root(target.tree)
        for depth, index in enumerate(target.path):
            if depth and KINDS[node[0]] == "class_definition":
                found.append(Target(target.tree, target.path[:depth]))
            node = node[index]
        return found

    # ------------------------------------------------------------ names

    def resolve(
        self, around: Sequence[Target], parts: Sequence[str], *, is_global: bool = False
    ) -> list[Target | None]:
        """What each part of a dotted name stands for, written inside the classes `around`."""
        first = None if is_global else self.lookup(around, parts[0])
        if first is not None:
            return [first, *self._members_along(first, parts[1:])]
        if not is_global and any(map(self._is_encapsulated, around)):
            return [None] * len(parts)  # other libraries are known there by imports and a leading dot only
        known, target = self.trees.resolve_full(parts)
        return [*[None] * (known - 1), target, *self._members_along(target, parts[known:])]

    def _members_along(self, target: Target | None, parts: Sequence[str]) -> list[Target | None]:
        found = []
        for part in parts:
            if target is not None:
                target = self.member_of(target, part) or self.literal_of(target, part)
            found.append(target)
        return found

    def lookup(self, around: Sequence[Target], name: str) -> Target | None:
        """What a simple name stands for, from the innermost class outwards."""
        for definition in reversed(around):
            found = self.member_of(definition, name) or self._imported(definition, name)
            if found is not None:
                return found
            if self._is_encapsulated(definition):
                return None
        return self.trees.top_level(name)

    def _is_encapsulated(self, definition: Target) -> bool:
        first = self.node(definition)[1]
        return type(first) is str and token_text(first) == "encapsulated"

    # ------------------------------------------------------------ members

    def member_of(self, target: Target, name: str) -> Target | None:
        """A member of a class, or of the class that a component is of; inherited ones too."""
        definition = self.class_of(target)
        return None if definition is None else self._member(definition, name)

    def _member(self, definition: Target, name: str) -> Target | None:
        return self._inherited(definition, name, self._own_member, self._members)

    def _inherited(
        self,
        definition: Target,
        name: str,
        own: Callable[[Target, str], Target | None],
        known: dict[tuple[Target, str], Target | None],
    ) -> Target | None:
        """What a class has of its own or inherits, depth first: the first base that has it counts.

        `known` has what was found for the classes on the way, so that a chain of classes is gone through once and not
        once for each of them. What is found while base classes are being looked up is not kept.
        """
        way: list[_Step] = []
        seen: set[Target] = set()
        found: Target | None = None
        is_final = True
        todo: Target | None = definition
        while todo is not None and found is None:
            if (todo, name) in known:
                found = known[todo, name]
            elif todo in seen:
                way[-1].is_cut = True
            else:
                seen.add(todo)
                mine = own(todo, name)
                if mine is not None and not self.is_redeclared(mine):
                    found = mine
                    way.append(_Step(todo, iter(()), mine))
                else:
                    way.append(_Step(todo, iter(self.bases_of(todo)), mine))
                    is_final = is_final and not self._bases.is_open(todo)
            todo = None
            while way and found is None and todo is None:
                step = way[-1]
                todo = next(step.bases, None)
                if todo is None:
                    found = step.own  # nothing is inherited: a redeclaration stands for itself
                    if found is None:
                        way.pop()
                        if is_final and not step.is_cut:
                            known[step.definition, name] = None
                        elif way:
                            way[-1].is_cut |= step.is_cut
        if is_final:
            passed = seen if found is None else [step.definition for step in way]
            known.update(dict.fromkeys([(one, name) for one in passed], found))
        return found

    def _own_member(self, definition: Target, name: str) -> Target | None:
        body = composition_path(self.trees.root(definition.tree), definition.path)
        if body is None:
            return None
        scope = self.trees.scope(definition.tree, at(self.trees.root(definition.tree), body))
        found = scope.components.get(name) or scope.classes.get(name)
        if found:
            return Target(definition.tree, body + found[0])
        return self.trees.classes_in(definition).get(name)

    def literal_of(self, target: Target, name: str) -> Target | None:
        """The literal of an enumeration, or of a class that is one by inheritance.

        It is no member: a component has none of them, and no modifier leads to one.
        """
        if self._kind(target) != "class_definition":
            return None
        return self._inherited(target, name, self._own_literal, self._named_literals)

    def _own_literal(self, definition: Target, name: str) -> Target | None:
        literals = self._literals(definition)
        return next((literal for literal in literals if token_text(self.node(literal)[1]) == name), None)

    def _literals(self, definition: Target) -> list[Target]:
        specifier = self.node(definition)[-1]
        path = (*definition.path, len(self.node(definition)) - 1)
        return [
            Target(definition.tree, (*path, index, inner))
            for index, listed in enumerate(specifier)
            if type(listed) is tuple and KINDS[listed[0]] == "enum_list"
            for inner, literal in enumerate(listed)
            if type(literal) is tuple
        ]

    def _ancestry(self, definition: Target) -> list[Target]:
        """A class and all that it inherits from, each once."""
        found: dict[Target, None] = {}
        todo = deque([definition])
        while todo:
            current = todo.popleft()
            if current not in found:
                found[current] = None
                todo += self.bases_of(current)
        return list(found)

    def _kind(self, target: Target) -> str:
        kind: str = KINDS[self.node(target)[0]]
        return kind

    def member_names(self, target: Target) -> list[str]:
        """The names of all members of a class, inherited ones too, and of the literals of an enumeration."""
        found: dict[str, None] = {}
        definition = self.class_of(target)
        for current in self._ancestry(definition) if definition is not None else []:
            composition = self._composition(current)
            if composition is not None:
                scope = self.trees.scope(current.tree, composition)
                found |= dict.fromkeys([*scope.components, *scope.classes, *self.trees.classes_in(current)])
            if self._kind(target) == "class_definition":
                found |= dict.fromkeys(token_text(self.node(literal)[1]) for literal in self._literals(current))
        return list(found)

    def is_redeclared(self, target: Target) -> bool:
        """Does its element start with `redeclare`?"""
        root = self.trees.root(target.tree)
        for length in range(len(target.path), 0, -1):
            node = at(root, target.path[:length])
            if KINDS[node[0]] == "element":
                return any(type(part) is str and token_text(part) == "redeclare" for part in node[1:-1])
        return False

    def bases_of(self, definition: Target) -> list[Target]:
        """The classes that a class extends, or that a short class is."""
        return self._bases.get(definition)

    def _find_bases(self, definition: Target) -> list[Target]:
        around = [*self.classes_around(definition), definition]
        found = []
        for parts, is_global in self._base_names(definition):
            target = self.resolve(around, parts, is_global=is_global)[-1]
            base = self.class_of(target) if target is not None else None
            if base is not None and base != definition:
                found.append(base)
        return [*self._extended(definition, around[:-1]), *found]

    def _extended(self, definition: Target, around: Sequence[Target]) -> list[Target]:
        """The inherited class of the same name that `model extends M` adds to."""
        specifier = self.node(definition)[-1]
        if not around or type(specifier[1]) is not str or token_text(specifier[1]) != "extends":
            return []
        name = token_text(specifier[2])
        found = [self._member(base, name) for base in self.bases_of(around[-1])]
        return [target for target in found if target is not None and target != definition][:1]

    def _base_names(self, definition: Target) -> list[tuple[list[str], bool]]:
        specifier = self.node(definition)[-1]
        if KINDS[specifier[0]] == "short_class_specifier":
            return [type_parts(specifier)]
        composition = self._composition(definition)
        return [] if composition is None else [type_parts(c) for c in clauses_of(composition, "extends_clause")]

    def _composition(self, definition: Target) -> Any:
        root = self.trees.root(definition.tree)
        body = composition_path(root, definition.path)
        return None if body is None else at(root, body)

    def class_of(self, target: Target) -> Target | None:
        """The class itself, or the class that a component is of; None for a literal, which has no members."""
        if self._kind(target) == "class_definition":
            return target
        return None if self._kind(target) == "enumeration_literal" else self._types.get(target)

    def _find_type(self, target: Target) -> Target | None:
        parts, is_global = type_parts(self.node(Target(target.tree, target.path[:-1])))
        found = self.resolve(self.classes_around(target), parts, is_global=is_global)[-1]
        return None if found is None or self._kind(found) != "class_definition" else found

    # ------------------------------------------------------------ names from elsewhere

    def _imported(self, definition: Target, name: str) -> Target | None:
        composition = self._composition(definition)
        if composition is None:
            return None
        for clause in sorted(clauses_of(composition, "import_clause"), key=brings_all_names):
            parts = imported_name(clause, name)
            if parts is not None:
                found = self.resolve((), parts, is_global=True)[-1]
                if found is not None:
                    return found
        return None
