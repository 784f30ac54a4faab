"""Where a name is written in a document, and what it stands for in each place."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Any, Final

from modelica_ast.edit.clauses import import_words, type_parts
from modelica_ast.edit.modifiers import argument_name
from modelica_ast.edit.scopes import Scopes, Target
from modelica_ast.edit.surgery import Path, at, replaced
from modelica_ast.green import Node, render, tokens, width
from modelica_ast.lexer import token_text, trivia_length
from modelica_ast.reading import open_annotation, read
from modelica_ast.shape import accepted, leaf_rule, place_code, symbols_at
from modelica_ast.source import Source
from modelica_ast.tables import KINDS

_DOTTED: Final = frozenset({"name", "type_specifier", "component_reference"})
# Kinds that bring names for what is inside them, with the place of their indices.
_LOOPS: Final = frozenset({"for_equation", "for_statement", "array_comprehension", "reduction_args"})
_IDENT: Final = "IDENT"
LOCAL: Final = Target(None, (-1,))  # what a loop's index stands for


class Opened:
    """A tree in which the annotations that matter are read: paths lead into them."""

    def __init__(self, root: Node, names: frozenset[str]) -> None:
        self.annotations: list[Path] = []
        self.root = self._open(root, names)

    def _open(self, root: Node, names: frozenset[str]) -> Node:
        word = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, sorted(names)))})(?![A-Za-z0-9_])")
        leaves = [(path, leaf) for path, leaf in leaf_paths(root) if leaf.endswith(")") and "annotation" in leaf]
        found = [(path, leaf) for path, leaf in leaves if word.search(leaf)]
        for path, leaf in found:
            root = replaced(root, path, open_annotation(leaf, lambda leaf=leaf: (Source(leaf), 0)))  # type: ignore[misc]
            self.annotations.append(path)
        return root

    def closed(self, root: Any) -> Any:
        """A tree of the same shape with these annotations in the form that a parse gives."""
        for path in self.annotations:
            root = replaced(root, path, read(Source(render(at(root, path))), start="annotation_clause").green[1])
        return root


def leaf_paths(root: Any) -> Iterator[tuple[Path, str]]:
    """Every leaf with its path."""
    stack: list[tuple[Path, Any]] = [((), root)]
    while stack:
        path, node = stack.pop()
        for index in range(len(node) - 1, 0, -1):
            part = node[index]
            if type(part) is tuple:
                stack.append(((*path, index), part))
            else:
                yield (*path, index), part


def occurrences(scopes: Scopes, tree: Hashable, names: frozenset[str]) -> dict[Path, Target | None]:
    """Every place of a tree where one of the names is written as an identifier, with what it stands for there."""
    found: dict[Path, Target | None] = {}
    endings = tuple(names)
    for path, leaf in leaf_paths(scopes.trees.root(tree)):
        if leaf.endswith(endings) and token_text(leaf) in names:
            found[path] = Meaning(scopes, Target(tree, path)).target()
    return found


class Meaning:
    """One identifier in its place."""

    def __init__(self, scopes: Scopes, place: Target) -> None:
        self.scopes = scopes
        self.tree, self.path = place
        self.root = scopes.trees.root(self.tree)
        self.name = token_text(at(self.root, self.path))
        self.nodes: list[Any] = [self.root]  # from the root to the parent of the leaf
        for index in self.path[:-1]:
            self.nodes.append(self.nodes[-1][index])

    def target(self) -> Target | None:
        """What it stands for; None if that is not in the file, or if it stands for nothing (an annotation's name)."""
        parent, index = self.nodes[-1], self.path[-1]
        kind = KINDS[parent[0]]
        if kind in _DOTTED:
            return self._dotted(kind, len(self.path) - 1)
        rule = self.rule(parent, index)
        if rule in _DOTTED:
            return self._dotted(rule, len(self.path))
        return self._token(kind, index)

    @staticmethod
    def rule(parent: Node, index: int) -> str:
        """The rule that a lone leaf stands for, or '' for a mere token."""
        places = symbols_at(parent[0], place_code(parent[0], index, len(parent)))
        rules = {leaf_rule(name, _IDENT) for name in places if _IDENT in accepted(name)}
        return next(iter(rules - {""}), "")

    # ------------------------------------------------------------ references

    def _dotted(self, rule: str, depth: int) -> Target | None:
        """A name, a type or a reference; its node is at `path[:depth]`, or the leaf itself."""
        where = self.path[:depth]
        whole = at(self.root, where)
        before, is_global = self._parts_before(whole, self.path[depth] if depth < len(self.path) else None)
        parts = [*before, self.name]
        if rule == "name" and KINDS[self.nodes[depth - 1][0]] == "element_modification":
            return self._modifier(where, parts)
        if rule == "component_reference" and not is_global and self._is_local(parts[0], where):
            return LOCAL
        if rule == "name":  # of an import or of `within`
            is_global = True
        return self.scopes.resolve(self._classes_around(), parts, is_global=is_global)[-1]

    @staticmethod
    def _parts_before(whole: Any, index: int | None) -> tuple[list[str], bool]:
        if index is None:
            return [], False
        words = [token_text(part) for part in whole[1:index] if type(part) is str]
        return [word for word in words if word != "."], words[:1] == ["."]

    def _classes_around(self) -> list[Target]:
        return self.scopes.classes_around(Target(self.tree, self.path))

    def _here(self, path: Path) -> Target:
        return Target(self.tree, path)

    def _is_local(self, name: str, where: Path) -> bool:
        """Is it the index of a loop around this place?"""
        return any(_binds(self.nodes[depth], name, where[depth]) for depth in range(len(where)))

    # ------------------------------------------------------------ mere tokens

    def _token(self, kind: str, index: int) -> Target | None:
        if kind == "component_declaration":
            return self._declared(self._here(self.path[:-1]))
        if kind == "component_declaration1":
            return self._redeclared(len(self.path) - 3)
        if kind == "enumeration_literal":
            return self._here(self.path[:-1])
        if kind in ("long_class_specifier", "short_class_specifier", "enumeration_class_specifier"):
            return self._class_name()
        if kind == "der_class_specifier":
            return self._class_name() if index == 1 else self._member_of_type(self.nodes[-1])
        if kind == "named_argument":
            return self._argument()
        if kind in ("import_clause", "import_alias", "import_list"):
            return self._import(kind, index)
        if kind == "inheritance_modification":
            owner = self._owner(self.path[:-1])
            return None if owner is None else self.scopes.member_of(owner, self.name)
        return None

    def _declared(self, declaration: Target) -> Target | None:
        """A declaration stands for itself; a redeclaration for what it redeclares."""
        if not self.scopes.is_redeclared(declaration):
            return declaration
        around = self.scopes.classes_around(declaration)
        return (self.scopes.member_of(around[-1], self.name) if around else None) or declaration

    def _class_name(self) -> Target | None:
        """The name of a class in its definition, and behind its `end`."""
        definition = self._here(self.path[:-2])
        holder = self.nodes[-2]
        if KINDS[holder[0]] == "short_class_definition":
            return self._redeclared(len(self.path) - 3)
        specifier = self.nodes[-1]
        if token_text(specifier[1]) == "extends":
            around = self.scopes.classes_around(definition)
            return (self.scopes.member_of(around[-1], self.name) if around else None) or definition
        return self._declared(definition)

    def _redeclared(self, depth: int) -> Target | None:
        """What an argument `redeclare T x` or `redeclare model M = N` redeclares; `depth` is the argument's."""
        owner = self._owner(self.path[:depth])
        return None if owner is None else self.scopes.member_of(owner, self.name)

    def _argument(self) -> Target | None:
        """`f(x = 1)`: an input of a function, or a member of a record."""
        for depth in range(len(self.nodes) - 2, 0, -1):
            node = self.nodes[depth]
            kind = KINDS[node[0]]
            if kind == "function_partial_application":
                return self._member_of_type(node)
            if kind == "function_call":
                words = tokens(node[1])
                parts = [word for word in words if word != "."]
                if "[" in parts or parts[0] in ("der", "initial", "pure"):
                    return None
                found = self.scopes.resolve(self._classes_around(), parts, is_global=words[0] == ".")[-1]
                return None if found is None else self.scopes.member_of(found, self.name)
        return None

    def _member_of_type(self, node: Node) -> Target | None:
        parts, is_global = type_parts(node)
        found = self.scopes.resolve(self._classes_around(), parts, is_global=is_global)[-1]
        return None if found is None else self.scopes.member_of(found, self.name)

    def _import(self, kind: str, index: int) -> Target | None:
        """Names in an import are full names; an alias is a new name."""
        clause = next(node for node in reversed(self.nodes) if KINDS[node[0]] == "import_clause")
        is_alias = (kind == "import_clause" and len(clause) > 3 and token_text(clause[3]) == "=") or (  # noqa: PLR2004
            kind == "import_alias" and index == 1
        )
        if is_alias:
            return None
        words = [token_text(part) for part in clause[2:index]] if kind == "import_clause" else import_words(clause)
        before = [word for word in words if word not in (".", "{", "}")]
        return self.scopes.resolve((), [*before, self.name], is_global=True)[-1]

    # ------------------------------------------------------------ modifiers

    def _modifier(self, where: Path, parts: list[str]) -> Target | None:
        """The name of a modifier: a member of what is modified."""
        owner = self._owner(where[:-1])
        target: Target | None = owner
        for part in parts:
            target = self.scopes.member_of(target, part) if target is not None else None
        return target

    def _owner(self, argument: Path) -> Target | None:
        """What an argument modifies: a class or a component; None in annotations and outside the file."""
        depth = len(argument) - 1  # of the class_modification
        holder = at(self.root, argument[: depth - 1])
        kind = KINDS[holder[0]]
        if kind == "modification":
            return self._modified(argument[: depth - 2])
        if kind in ("extends_clause", "constraining_clause", "short_class_specifier"):
            parts, is_global = type_parts(holder)
            return self.scopes.resolve(self._classes_around(), parts, is_global=is_global)[-1]
        return None

    def _modified(self, where: Path) -> Target | None:
        node = at(self.root, where)
        kind = KINDS[node[0]]
        if kind == "component_declaration":
            return self._here(where)
        if kind == "component_declaration1":
            parts, is_global = type_parts(at(self.root, where[:-1]))
            return self.scopes.resolve(self._classes_around(), parts, is_global=is_global)[-1]
        if kind == "element_modification":
            return self._modifier_target(where)
        return None

    def _modifier_target(self, where: Path) -> Target | None:
        target = self._owner(where)
        for part in argument_name(at(self.root, where)):
            target = self.scopes.member_of(target, part) if target is not None else None
        return target


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
    return token_text(index[1])


def text_around(root: Any, path: Path) -> str:
    """The text around a place, short: the smallest element, equation or statement."""
    shown = 80
    for length in range(len(path) - 1, -1, -1):
        node = at(root, path[:length])
        if KINDS[node[0]].endswith(("element", "equation", "statement", "assignment", "clause")):
            text = " ".join(render(node).split())
            return text if len(text) <= shown else text[: shown - 1] + "…"
    return " ".join(render(at(root, path[:-1])).split())[:shown]


def offset_of(root: Any, path: Path) -> int:
    """How much text stands before the token at a path."""
    offset = 0
    for index in path:
        offset += sum(width(part) for part in root[1:index])
        root = root[index]
    return offset + trivia_length(root)
