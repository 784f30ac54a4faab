"""The tree while it is edited: finding by name, and the proof that what was written reads back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any, Final, Protocol

from modelica_ast.edit.surgery import Index, Path, Scope, at, leaf_at, next_leaf_path
from modelica_ast.foundation import (
    AmbiguousError,
    EditError,
    ModelicaSyntaxError,
    NotFoundError,
    Source,
    nearest,
    quoted,
    split_name,
)
from modelica_ast.semantics import ClassFiles, Lookup
from modelica_ast.syntax import (
    KINDS,
    Green,
    Node,
    child_at,
    equal,
    read,
    render,
    run_together,
    split_leaf,
    symbol,
    token_text,
)
from modelica_ast.tree import ClassDefinition, Component, Composition, StoredDefinition, view_at

# ---------------------------------------------------------------- steps
# Steps that can be taken back: a transaction over one owner of a state or over many.


class Owner(Protocol):
    """Something whose state is one immutable value."""

    @property
    def state(self) -> Any:
        """What it is now."""

    def restore(self, state: Any) -> None:
        """Be what it was."""


_States = dict[Owner, Any]


class Changes:
    """How often something may have changed; what was found out before the last time is out of date."""

    count = 0


class Steps:
    """What was done and what was undone. A document has its own; the documents of a workspace share one."""

    def __init__(self) -> None:
        self.changes = Changes()
        self._undo: list[_States] = []  # the states before each step, of those it changed
        self._redo: list[_States] = []
        self._open: list[_States] = []  # the states before each transaction that is going on, the outermost first

    @contextmanager
    def transaction(self, owner: Owner) -> Iterator[None]:
        """All changes of this owner, and of those that join while it lasts, as one step; none if it fails."""
        before: _States = {owner: owner.state}
        self._open.append(before)
        try:
            yield
        except BaseException:
            for changed, state in before.items():
                changed.restore(state)
            raise
        finally:
            self._open.pop()
            self.changes.count += 1
        changes = {changed: state for changed, state in before.items() if changed.state is not state}
        if self._open:
            self._open[-1].update(
                {changed: state for changed, state in changes.items() if changed not in self._open[-1]}
            )
        elif changes:
            self._undo.append(changes)
            self._redo.clear()

    def undo(self) -> None:
        """Take the last step back."""
        self._step(self._undo, self._redo, "undo")

    def redo(self) -> None:
        """Do again what was undone last."""
        self._step(self._redo, self._undo, "redo")

    def _step(self, source: list[_States], target: list[_States], what: str) -> None:
        if self._open:
            raise EditError(f"there is no {what} inside a transaction: leave it with an exception to take it back")
        if not source:
            raise EditError(f"there is nothing to {what}")
        states = source.pop()
        target.append({owner: owner.state for owner in states})
        self.changes.count += 1
        for owner, state in states.items():
            owner.restore(state)


# ---------------------------------------------------------------- working

_SHOWN: Final = 200  # characters of a chunk that a message shows
# What is parsed on its own when something inside it has changed, the smallest first.
_CHUNKS: Final = {
    "element": "_element",
    "stored_class": "stored_class",
    "equation_section": "equation_section",
    "algorithm_section": "algorithm_section",
    **{f"{kind}_equation": "_equation" for kind in ("simple", "call", "if", "for", "connect", "when")},
}


class Working:
    """A root that changes from edit to edit, and the index over it."""

    def __init__(
        self,
        root: Node,
        index: Index,
        *,
        file: FilePath | None = None,
        encoding: str = "utf-8",
        is_broken: bool = False,
    ) -> None:
        self.root = root
        self.index = index
        self.file = file
        self.encoding = encoding
        self.is_broken = is_broken  # was there something that did not parse?
        self._proves = True  # or are there many edits going on, which are proved when all of them are done?
        self.changes = Changes()
        self.kept: set[tuple[str, str]] = set()  # sections that were empty, by class and keyword: so they may again
        self.lookup: Callable[[], Lookup] | None = None  # of the libraries that the document is part of
        self.beside: Callable[[], ClassFiles | None] = lambda: None  # in which other classes are looked up

    @property
    def tree(self) -> StoredDefinition:
        """The tree as it is now."""
        return StoredDefinition.over(self.root, file=self.file, encoding=self.encoding)

    # ------------------------------------------------------------ finding

    def own_name(self, name: str) -> str:
        """The name of a class in the file, without the file's `within`."""
        within = self.tree.within
        return name.removeprefix(f"{within}.") if within else name

    def find_class(self, name: str) -> ClassDefinition:
        """The class of a dotted name, with or without the file's `within` before it."""
        found: ClassDefinition | None = None
        around: StoredDefinition | Composition = self.tree
        where = "the file"
        for part in split_name(self.own_name(name)):
            if found is not None:
                body = found.composition
                if body is None:
                    raise NotFoundError(f"no class inside {where}: it has no body")
                around = body
            scope = self.scope(around)
            definition = view_at(around, one(scope.classes, part, "class", where, scope.components))
            assert isinstance(definition, ClassDefinition)
            found, where = definition, f"'{part}'"
        assert found is not None, "a name has at least one part"
        return found

    def find_component(self, owner: ClassDefinition, name: str) -> Component:
        """The component of a name that a class declares."""
        body = body_of(owner)
        scope = self.scope(body)
        found = view_at(body, one(scope.components, name, "component", f"'{owner.name_in_file}'", scope.classes))
        assert isinstance(found, Component)
        return found

    def scope(self, around: StoredDefinition | Composition) -> Scope:
        """What the body of a class declares, or a file."""
        assert isinstance(around.green, tuple)
        return self.index.scope(around.green)

    # ------------------------------------------------------------ proving

    @contextmanager
    def proving(self, proves: bool) -> Iterator[None]:  # noqa: FBT001  (all that it is about)
        """Say whether the changes from here on are proved."""
        before, self._proves = self._proves, proves and self._proves
        try:
            yield
        finally:
            self._proves = before

    def changed(self, root: Node, path: Path) -> None:
        """Take a new root, if the smallest chunk around `path` reads back as it was built."""
        if self._proves:
            self.prove(root, path)
        if not equal(root, self.root):  # what changes nothing is not a step
            self.root = root
            self.changes.count += 1

    def prove(self, root: Node, path: Path) -> None:
        """EditError unless the smallest chunk around `path` reads back as it was built."""
        chunk, where, node, is_initial = root, path, root, False
        for depth, index in enumerate(path, 1):
            inner = child_at(node, index)
            if isinstance(inner, str):  # a token, or an annotation that is one leaf
                break
            around, node = node, inner
            kind = KINDS[node[0]]
            # A new section on its own may read well and still take away what goes on after an annotation.
            is_new_section = kind.endswith("_section") and depth == len(path) and any(map(_is_resumed, around[1:]))
            is_initial = is_initial or (kind == "equation_section" and symbol(child_at(node, 1)) == "INITIAL")
            if kind == "connect_equation" and is_initial:
                continue  # it can't be there, which it does not say by itself
            if kind in _CHUNKS and not is_new_section and not (self.is_broken and _has_unparsed(node)):
                chunk, where = node, path[:depth]
        if chunk is root:
            prove(root, "stored_definition", recover=self.is_broken)
        else:
            prove(chunk, _CHUNKS[KINDS[chunk[0]]])
            _prove_apart(root, where)


_NO_NAMES: Final[Mapping[str, list[Path]]] = {}


def one(
    names: Mapping[str, list[Path]], name: str, what: str, where: str, others: Mapping[str, list[Path]] = _NO_NAMES
) -> Path:
    """The one place of a name; NotFoundError with the nearest, AmbiguousError with their number.

    `others` are the names of classes, where a component is looked for, or of components.
    """
    found = names.get(name) or names.get(quoted(name), [])
    if not found:
        other = "class" if what == "component" else "component"
        hint = f": it is a {other}" if name in others or quoted(name) in others else nearest(name, names)
        raise NotFoundError(f"no {what} '{name}' in {where}{hint}")
    if len(found) > 1:
        raise AmbiguousError(f"{what} '{name}' is declared {len(found)} times in {where}")
    return found[0]


def body_of(owner: ClassDefinition) -> Composition:
    """The body of a class; EditError if it has none."""
    body = owner.composition
    if body is None:
        raise EditError(f"'{owner.name_in_file}' is a short class: it has no body")
    return body


def _is_resumed(section: Green) -> bool:
    """Is it the annotation of a class after which equations go on, as in old files?"""
    return isinstance(section, tuple) and KINDS[section[0]] == "class_annotation" and len(section) > 3  # noqa: PLR2004


def _prove_apart(root: Node, path: Path) -> None:
    """EditError if something that reads well on its own would run together with what follows it."""
    following = next_leaf_path(root, path)
    if following is None:
        return
    before, leaf = _last_leaf(at(root, path)), leaf_at(root, following)
    prefix, token = split_leaf(leaf)
    is_swallowed = not token and following != (len(root) - 1,)  # by a comment to the end of the line
    if is_swallowed or (not prefix and run_together(token_text(before), token)):
        raise EditError(f"the edit would not be Modelica: '{token_text(before)}' and '{leaf}' run together")


def _last_leaf(green: Green) -> str:
    """The last leaf of a tree that ends with one."""
    while isinstance(green, tuple):
        green = child_at(green, -1) if len(green) > 1 else ""
    return green


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


def as_read(annotation: Node) -> Green:
    """An annotation in the form that a parse gives: one leaf, unless it nests too deep; EditError if it is not one."""
    prove(annotation, "annotation_clause", lazy=False)
    return child_at(read(Source(render(annotation)), start="annotation_clause").green, 1)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


# ---------------------------------------------------------------- errors
# Why an edit was refused.

__all__ = ["AmbiguousError", "EditError", "NotFoundError"]
