"""What an identifier stands for in its place: a reference, a type, a modifier, an argument, a declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from modelica_ast.semantics.definitions import (
    BUILTIN_FUNCTIONS,
    Absence,
    Target,
    import_words,
    modifier_parts,
    type_parts,
)
from modelica_ast.semantics.environments import Environment, Member
from modelica_ast.semantics.lookup import Found, Lookup, node_at
from modelica_ast.syntax import (
    KINDS,
    Node,
    accepted,
    child_leaf,
    child_node,
    leaf_rule,
    place_code,
    symbols_at,
    token_text,
    tokens,
)

Path = tuple[int, ...]
_DOTTED: Final = frozenset({"name", "type_specifier", "component_reference"})
# Kinds that bring names for what is inside them, with the place of their indices.
_LOOPS: Final = frozenset({"for_equation", "for_statement", "array_comprehension", "reduction_args"})
_IDENT: Final = "IDENT"
LOCAL: Final = Target(None, (-1,))  # what a loop's index stands for


class Occurrence:
    """One identifier in its place. The tree may have annotations read that are not read in the file's."""

    def __init__(self, lookup: Lookup, root: Any, place: Target) -> None:
        self.lookup = lookup
        self.tree, self.path = place
        self.root = root
        self.nodes: list[Any] = [root]  # from the root to the parent of the leaf
        for index in self.path[:-1]:
            self.nodes.append(self.nodes[-1][index])
        self.name = token_text(self.nodes[-1][self.path[-1]])

    def target(self) -> Target | None:
        """Where what it stands for is declared; None if it is not known, or stands for nothing (in annotations)."""
        found = self.found()
        return found if isinstance(found, Target) else self.lookup.place(found)

    def found(self) -> Found | Target | None:
        """What it stands for; LOCAL for the index of a loop."""
        parent, index = self.nodes[-1], self.path[-1]
        kind = KINDS[parent[0]]
        if kind in _DOTTED:
            return self._dotted(kind, len(self.path) - 1)
        rule = self.rule(parent, index)
        if rule in _DOTTED:
            return self._dotted(rule, len(self.path))
        return self._token(kind, index)

    def is_alias(self) -> bool:
        """Is it the local name of an import, `C` of `import C = A.B`? Then it is not what that is called."""
        kind = KINDS[self.nodes[-1][0]]
        if not self._is_looked_up():
            return kind in ("import_clause", "import_alias") and self._is_new_in_import(kind, self.path[-1])
        for scope in self._scopes():
            if scope.member(self.name) is not None:
                return False
            imports = scope.written.imports if scope.written is not None else None
            if imports is not None and self.name in imports.named:
                return self.name in imports.aliases
        return False

    def is_captured_in(self, place: Target, full_name: Sequence[str] = ()) -> bool:
        """Would it stand for something new of its name in the class at a place, and does it mean something else now?

        An import of a full name brings what that stands for. What means nothing that is known may well mean the new.
        """
        if not self._is_looked_up() or self._is_local(self.name, self.path):
            return False
        scopes = list(self._scopes())
        places = [None if scope.written is None else scope.written.place for scope in scopes]
        own = places.index(place) if place in places else len(places)
        inner, around = scopes[:own], scopes[own:]
        if any(self._is_given_by(scope) for scope in inner) or not around or around[0].member(self.name) is not None:
            return False
        found = around[0].look(self.name)
        if isinstance(found, Absence):
            # Of an import that leads into a library that is not open, the full name is known.
            imports = [scope.written.imports for scope in around if scope.written is not None]
            named = [each.named[self.name] for each in imports if each is not None and self.name in each.named]
            if named:
                return named[0] != tuple(full_name)
            # What classes are inside of is the top of a library that nobody has opened; `time` and `sin` are anywhere.
            return not full_name and (self._is_root() or self.name == "time" or self.name in BUILTIN_FUNCTIONS)
        new = self.lookup.resolve(None, full_name, is_global=True)[-1] if full_name else None
        return new is None or self.lookup.place(new) != self.lookup.place(found)

    def _is_root(self) -> bool:
        """Is it the first part of the dotted name of a type, or of a function that is called?"""
        parent, place = self.nodes[-1], self.path[-1]
        following = parent[place + 1] if place + 1 < len(parent) else None
        is_called = KINDS[self.nodes[-2][0]] == "function_call" and KINDS[parent[0]] == "component_reference"
        is_class = is_called or KINDS[parent[0]] == "type_specifier"
        return is_class and isinstance(following, str) and token_text(following) == "."

    def _is_looked_up(self) -> bool:
        """Is it a type, a reference or the first part of one, which is looked for from its class outwards?"""
        kind = KINDS[self.nodes[-1][0]]
        depth = len(self.path) - 1 if kind in _DOTTED else len(self.path)
        rule = kind if kind in _DOTTED else self.rule(self.nodes[-1], self.path[-1])
        if rule not in ("type_specifier", "component_reference"):
            return False
        before, is_global = self._parts_before(node_at(self.root, self.path[:depth]), self._index_in(depth))
        return not before and not is_global

    def _scopes(self) -> Iterator[Environment]:
        """The class that it is in and those around it, as far as names are looked for there."""
        current = self._scope()
        while current is not None:
            yield current
            current = None if current.written is None or current.written.is_encapsulated else current.around

    def _is_given_by(self, scope: Environment) -> bool:
        """Has a class its name, or does it import it?"""
        if scope.member(self.name) is not None:
            return True
        imports = None if scope.written is None else scope.written.imports
        return imports is not None and (
            self.name in imports.named or not isinstance(scope.imported(self.name), Absence)
        )

    @staticmethod
    def rule(parent: Node, index: int) -> str:
        """The rule that a lone leaf stands for, or '' for a mere token."""
        places = symbols_at(parent[0], place_code(parent[0], index, len(parent)))
        rules = {leaf_rule(name, _IDENT) for name in places if _IDENT in accepted(name)}
        return next(iter(rules - {""}), "")

    # ------------------------------------------------------------ references

    def _index_in(self, depth: int) -> int | None:
        return self.path[depth] if depth < len(self.path) else None

    def _dotted(self, rule: str, depth: int) -> Found | Target | None:
        """A name, a type or a reference; its node is at `path[:depth]`, or the leaf itself."""
        where = self.path[:depth]
        before, is_global = self._parts_before(node_at(self.root, where), self._index_in(depth))
        parts = [*before, self.name]
        holder = KINDS[self.nodes[depth - 1][0]]
        if rule == "name" and holder == "element_modification":
            return self._members(self._owner(where[:-1]) or self._inverted(where[:-1]), parts)
        if rule == "component_reference" and not is_global and self._is_local(parts[0], where):
            return LOCAL
        if rule == "name":  # of an import or of `within`
            is_global = True
        if rule == "type_specifier" and not is_global and holder in ("extends_clause", "der_class_specifier"):
            return self._of_base(parts)
        return self.lookup.resolve(self._scope(), parts, is_global=is_global)[-1]

    @staticmethod
    def _parts_before(whole: Any, index: int | None) -> tuple[list[str], bool]:
        if index is None:
            return [], False
        words = [token_text(part) for part in whole[1:index] if type(part) is str]
        return [word for word in words if word != "."], words[:1] == ["."]

    def _scope(self) -> Environment | None:
        """The class in whose text it is, or around for a short class."""
        found = self._class()
        return None if found is None else found.scope

    def _class(self) -> Environment | None:
        return self.lookup.environment_at(Target(self.tree, self.path))

    def _of_base(self, parts: Sequence[str]) -> Found | None:
        """What follows `extends`: it is looked up before anything is inherited."""
        around = self._class()
        if around is None:
            return None
        first = around.look_for_base(parts[0])
        found: Found | None = None if isinstance(first, Absence) else first
        for part in parts[1:]:
            found = self.lookup.inside(found, part)
        return found

    def _members(self, owner: Found | None, parts: Sequence[str]) -> Found | None:
        for part in parts:
            owner = self.lookup.member(owner, part)
        return owner

    def _is_local(self, name: str, where: Path) -> bool:
        """Is it the index of a loop around this place?"""
        return any(_binds(self.nodes[depth], name, where[depth]) for depth in range(len(where)))

    # ------------------------------------------------------------ mere tokens

    def _token(self, kind: str, index: int) -> Found | Target | None:
        match kind:
            case "component_declaration" | "enumeration_literal":
                return self._declared(self.path[:-1])
            case "component_declaration1":
                return self._members(self._owner(self.path[:-3]), [self.name])
            case "long_class_specifier" | "short_class_specifier" | "enumeration_class_specifier":
                return self._class_name()
            case "der_class_specifier":
                return self._class_name() if index == 1 else self._members(self._base_of(self.nodes[-1]), [self.name])
            case "named_argument":
                return self._argument()
            case "import_clause" | "import_alias" | "import_list":
                return self._import(kind, index)
            case "inheritance_modification":  # `break c`: what is not inherited
                owner = self._owner(self.path[:-1])
                return owner.plain_member(self.name) if isinstance(owner, Environment) else None
            case _:
                return None

    def _declared(self, path: Path) -> Found | Target:
        """A declaration stands for itself; a redeclaration for what it redeclares."""
        place = Target(self.tree, path)
        found = self.lookup.declared_at(place)
        if isinstance(found, Member):
            # A redeclaration: the member of this name is what was declared first.
            return found.owner.member(self.name) or found
        return found or place

    def _class_name(self) -> Found | Target | None:
        """The name of a class in its definition, and after its `end`."""
        if KINDS[self.nodes[-2][0]] == "short_class_definition":
            return self._members(self._owner(self.path[:-3]), [self.name])
        return self._declared(self.path[:-2])

    def _argument(self) -> Found | None:
        """`f(x = 1)`: an input of a function, or a member of a record."""
        for depth in range(len(self.nodes) - 2, 0, -1):
            node = self.nodes[depth]
            kind = KINDS[node[0]]
            if kind == "function_partial_application":
                return self._members(self._type_of(node), [self.name])
            if kind == "function_call":
                words = tokens(node[1])
                parts = [word for word in words if word != "."]
                if "[" in parts or parts[0] in ("der", "initial", "pure"):
                    return None
                found = self.lookup.resolve(self._scope(), parts, is_global=words[0] == ".")[-1]
                constructors = self.lookup.member(found, "'constructor'")
                if isinstance(constructors, Member):
                    return self._argument_of_constructor(constructors, node)
                return self._members(found, [self.name])
        return None

    def _argument_of_constructor(self, constructors: Member, call: Node) -> Found | None:
        """`Complex(re=1)`: an input of the one function of an operator record's constructors that has all these."""
        inside = constructors.environment
        functions = [member for member in inside.members() if member.is_class] if inside is not None else []
        named = [part for part in child_node(call, 2)[1:] if type(part) is tuple and KINDS[part[0]] == "named_argument"]
        names = [token_text(child_leaf(part, 1)) for part in named]
        fitting = [each for each in functions if all(self.lookup.member(each, name) is not None for name in names)]
        return self.lookup.member(fitting[0], self.name) if len(fitting) == 1 else None

    def _type_of(self, node: Node) -> Found | None:
        """What the type that a clause names stands for."""
        parts, is_global = type_parts(node)
        return self.lookup.resolve(self._scope(), parts, is_global=is_global)[-1]

    def _base_of(self, node: Node) -> Found | None:
        parts, is_global = type_parts(node)
        return self.lookup.resolve(None, parts, is_global=True)[-1] if is_global else self._of_base(parts)

    def _is_new_in_import(self, kind: str, index: int) -> bool:
        clause = next(node for node in reversed(self.nodes) if KINDS[node[0]] == "import_clause")
        if kind == "import_alias":
            return index == 1
        return kind == "import_clause" and index == 2 and len(clause) > 3 and token_text(clause[3]) == "="  # noqa: PLR2004

    def _import(self, kind: str, index: int) -> Found | None:
        """Names in an import are full names; an alias is a new name."""
        if self._is_new_in_import(kind, index):
            return None
        clause = next(node for node in reversed(self.nodes) if KINDS[node[0]] == "import_clause")
        words = [token_text(part) for part in clause[2:index]] if kind == "import_clause" else import_words(clause)
        if "=" in words:
            words = words[2:]
        before = [word for word in words if word not in (".", "{", "}")]
        return self.lookup.resolve(None, [*before, self.name], is_global=True)[-1]

    # ------------------------------------------------------------ modifiers

    def _owner(self, argument: Path) -> Found | None:
        """What an argument modifies: a class or a component; None in annotations and outside the file."""
        depth = len(argument) - 1  # of the class_modification
        where = argument[: depth - 1]
        holder = self.nodes[len(where)]
        kind = KINDS[holder[0]]
        if kind == "modification":
            return self._modified(where[:-1])
        if kind == "extends_clause":
            return self._base_at(where) or self._base_of(holder)
        if kind == "long_class_specifier":  # `redeclare model extends M(a=1)`
            extending = self._class()
            return extending.bases[0].environment if extending is not None and extending.bases else None
        if kind in ("constraining_clause", "short_class_specifier"):
            return self._type_of(holder)
        return None

    def _inverted(self, argument: Path) -> Found | None:
        """`annotation(inverse(x = g(y)))`: an input of the function that has the annotation."""
        around = self.nodes[: len(argument)][-5:-2]  # annotation, its arguments, `inverse`
        kinds = [KINDS[node[0]] for node in around]
        is_it = kinds == ["annotation_clause", "class_modification", "element_modification"]
        return self._class() if is_it and tokens(around[-1])[0] == "inverse" else None

    def _base_at(self, where: Path) -> Environment | None:
        """The class that an extends clause leads to, with the modifiers that it has."""
        around = self._class()
        if around is None or around.written is None:
            return None
        clauses = [clause.path for clause in around.written.extends]
        number = clauses.index(where) + int(around.written.is_class_extends) if where in clauses else -1
        return around.bases[number].environment if 0 <= number < len(around.bases) else None

    def _modified(self, where: Path) -> Found | None:
        node = self.nodes[len(where)]
        kind = KINDS[node[0]]
        if kind == "component_declaration":
            found = self.lookup.declared_at(Target(self.tree, where))
            if isinstance(found, Member):
                return found.owner.member(found.name) or found
            return found
        if kind == "component_declaration1":
            return self._type_of(self.nodes[len(where) - 1])
        if kind == "element_modification":
            return self._members(self._owner(where), modifier_parts(node))
        return None


def _binds(node: Any, name: str, index: int) -> bool:
    """Does a node bring this name, as a loop's index, for its child number `index`?"""
    if type(node) is not tuple:
        return False
    kind = KINDS[node[0]]
    if kind == "for_indices":  # later indices see earlier ones
        return any(_index_name(part) == name for part in node[1:index] if type(part) is tuple)
    if kind not in _LOOPS:
        return False
    place = next(i for i, part in enumerate(node) if type(part) is tuple and KINDS[part[0]] == "for_indices")
    return index != place and any(_index_name(part) == name for part in node[place][1:] if type(part) is tuple)


def _index_name(index: Node) -> str:
    return token_text(child_leaf(index, 1))
