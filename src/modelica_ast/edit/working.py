"""The tree while it is edited: finding by name, and the proof that what was written reads back."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.edit.errors import AmbiguousError, EditError, NotFoundError
from modelica_ast.edit.index import Index, Scope, composition_path
from modelica_ast.edit.surgery import Path, at
from modelica_ast.errors import ModelicaSyntaxError
from modelica_ast.green import Node, child_at, equal, render, tokens
from modelica_ast.identifiers import nearest, quoted, split_name
from modelica_ast.reading import read
from modelica_ast.source import Source
from modelica_ast.tables import KINDS

_SHOWN: Final = 200  # characters of a chunk that a message shows
# What is parsed by itself when something inside it has changed, the smallest first.
_CHUNKS = {
    "element": "_element",
    "stored_class": "stored_class",
    "equation_section": "equation_section",
    "algorithm_section": "algorithm_section",
}
for _kind in ("simple", "call", "if", "for", "connect", "when"):
    _CHUNKS[f"{_kind}_equation"] = "_equation"


class Working:
    """A root that changes from edit to edit, and the index over it."""

    def __init__(self, root: Node, index: Index, *, is_broken: bool = False) -> None:
        self.root = root
        self.index = index
        self.is_broken = is_broken  # was there something that did not parse?

    # ------------------------------------------------------------ finding

    def within(self) -> str:
        """The package that the file says it is in, or ''."""
        for child in self.root[1:]:
            if isinstance(child, tuple) and KINDS[child[0]] == "within_clause":
                return "".join(tokens(child)[1:-1])
        return ""

    def class_path(self, name: str) -> Path:
        """The class of a dotted name, with or without the file's `within` before it."""
        within = self.within()
        if within and name.startswith(within + "."):
            name = name[len(within) + 1 :]
        scope_path: Path = ()
        path: Path = ()
        where = "the file"
        for part in split_name(name):
            scope = self.index.scope(at(self.root, scope_path))
            path = scope_path + self.one(scope.classes, part, "class", where)
            body = composition_path(self.root, path)
            scope_path = body if body is not None else ()
            where = f"'{part}'"
            if body is None and part != split_name(name)[-1]:
                raise NotFoundError(f"no class inside {where}: it has no body")
        return path

    def body_path(self, class_: str) -> Path:
        """The composition of a class."""
        path = composition_path(self.root, self.class_path(class_))
        if path is None:
            raise EditError(f"'{class_}' is a short class: it has no body")
        return path

    def scope_around(self, definition: Path) -> Scope:
        """What the class around a class declares, or the file."""
        for length in range(len(definition) - 1, 0, -1):
            if KINDS[at(self.root, definition[:length])[0]] == "composition":
                return self.index.scope(at(self.root, definition[:length]))
        return self.index.scope(self.root)

    def component_path(self, class_: str, name: str) -> Path:
        """The component_declaration of a component."""
        body = self.body_path(class_)
        scope = self.index.scope(at(self.root, body))
        return body + self.one(scope.components, name, "component", f"'{class_}'")

    def element_path(self, inner: Path) -> Path:
        """The element around something declared in it."""
        for length in range(len(inner), 0, -1):
            if KINDS[at(self.root, inner[:length])[0]] == "element":
                return inner[:length]
        raise EditError("it stands in no element")

    def one(self, names: dict[str, list[Path]], name: str, what: str, where: str) -> Path:
        """The one place of a name; NotFoundError with the nearest, AmbiguousError with their number."""
        found = names.get(name) or names.get(quoted(name), [])
        if not found:
            raise NotFoundError(f"no {what} '{name}' in {where}{nearest(name, names)}")
        if len(found) > 1:
            raise AmbiguousError(f"{what} '{name}' is declared {len(found)} times in {where}")
        return found[0]

    # ------------------------------------------------------------ proving

    def changed(self, root: Any, path: Path) -> None:
        """Take a new root, if the smallest chunk around `path` reads back as it was built."""
        for length in range(len(path), -1, -1):
            node = at(root, path[:length])
            kind = KINDS[node[0]] if isinstance(node, tuple) else ""
            if kind in _CHUNKS and not (self.is_broken and _has_unparsed(node)):
                prove(node, _CHUNKS[kind])
                break
        else:
            prove(root, "stored_definition", recover=self.is_broken)
        if not equal(root, self.root):  # what changes nothing is no step
            self.root = root


class Unproved(Working):
    """The tree in the midst of many edits: what they have made is proved when all of them are done."""

    def changed(self, root: Any, path: Path) -> None:  # noqa: ARG002  (nothing is proved around it yet)
        """Take a new root as it is."""
        self.root = root


def _has_unparsed(root: Node) -> bool:
    """Is there something in it that did not parse when it was read?"""
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        if KINDS[node[0]] == "unparsed":
            return True
        todo += [child for child in node[1:] if type(child) is tuple]
    return False


def prove(green: Node, start: str, *, lazy: bool = True, recover: bool = False) -> None:
    """EditError unless the text of a subtree parses, and parses to that subtree."""
    text = render(green)
    try:
        reading = read(Source(text), start=start, lazy=lazy, recover=recover)
    except ModelicaSyntaxError as error:
        raise EditError(f"the edit would not be Modelica: {error.message} in '{_shortened(text)}'") from None
    found = reading.green if start == "stored_definition" else child_at(reading.green, 1)
    if not equal(found, green):
        raise EditError(f"the edit would read back differently: '{_shortened(text)}'")


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
