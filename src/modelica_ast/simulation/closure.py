"""The classes that a model needs: those that its names lead to, and theirs in turn.

A compiler that reads these instead of whole libraries starts in a second. Too many of them do no harm, so wherever it
is not certain what a name stands for, all that it may stand for is taken.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit import Path as TreePath, opened_at
from modelica_ast.foundation import ModelicaSyntaxError, NotFoundError
from modelica_ast.library import FileEntry, Libraries, Library, LibraryError, instance, lookup_of
from modelica_ast.semantics import Target, import_words
from modelica_ast.syntax import KINDS, NUMBER, Node, child, children_of, kind_of, render, token_text, tokens, width

_DOTTED: Final = frozenset({"name", "type_specifier", "component_reference"})
_TYPED: Final = frozenset(
    "component_clause component_clause1 extends_clause short_class_specifier constraining_clause".split()
)
# The identifiers of these are new names, and lead nowhere.
_DECLARING: Final = frozenset("component_declaration long_class_specifier enumeration_literal".split())
_IDENT: Final = NUMBER["IDENT"]
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|'(?:[^'\\]|\\.)*'")
# Functions are named in these annotations, and some compilers want to find them.
_NAMING_ANNOTATION: Final = re.compile(r"\b(?:derivative|inverse)\b")


class Closure:
    """The classes that are needed, as paths in the trees of the files of libraries."""

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries
        self._lookup = lookup_of(libraries)
        self.needed: dict[Path, set[TreePath]] = {}
        self.unresolved: dict[str, Target] = {}  # names that lead nowhere, and a class that each is written in
        self._whole: set[Target] = set()
        self._todo: list[Target] = []
        self._seen: set[tuple[Target | None, tuple[str, ...], bool, bool]] = set()

    def add(self, name: str) -> None:
        """A class by its full name, with all that it needs. The name must be that of a class."""
        found = self._lookup.resolve_places((), name.split(".") if "'" not in name else _split(name), is_global=True)[
            -1
        ]
        assert found is not None, name
        self._need(found)
        self._finish()

    def add_reference(self, parts: Sequence[str]) -> None:
        """What a full name leads to, a class or a constant; nothing if it leads nowhere."""
        self._take((), tuple(parts), is_global=True)
        self._finish()

    def _finish(self) -> None:
        while self._todo:
            self._look_into(self._todo.pop())

    def files(self) -> Iterator[tuple[FileEntry, Node, set[TreePath]]]:
        """Each file with its tree and the paths of the classes in it that are needed."""
        for tree, paths in self.needed.items():
            entry = self._libraries.entry_at(tree)
            assert entry is not None
            yield entry, self._lookup.classes.files.root(tree), paths

    def full_name_of(self, file: Path) -> str:
        """The full name of the class that a file is named after."""
        entry = self._libraries.entry_at(file)
        assert entry is not None
        return entry.full_name

    def name_of(self, tree: Path, path: TreePath) -> str:
        """The simple name of a needed class."""
        specifier = self._lookup.node(Target(tree, path))[-1]
        words = [token_text(part) for part in specifier[1:3] if type(part) is str]
        return words[1] if words[0] == "extends" else words[0]

    # ------------------------------------------------------------ classes

    def _need(self, target: Target, *, whole: bool = False) -> None:
        """A class, with the classes around it; with `whole` all classes inside it too."""
        todo = [(target, whole)]
        while todo:
            current, is_whole = todo.pop()
            if self._kind(current) != "class_definition":
                continue
            assert isinstance(current.tree, Path)
            known = self.needed.setdefault(current.tree, set())
            if current.path not in known:
                known.add(current.path)
                self._todo.append(current)
                todo += [(around, False) for around in self._lookup.classes_around(current)]
            if is_whole and current not in self._whole:
                self._whole.add(current)
                found = self._lookup.declared_at(current)
                names = self._lookup.names_in(found) if found is not None else ()
                members = [self._lookup.member_place(current, name) for name in names]
                todo += [(member, True) for member in members if member is not None]

    def _look_into(self, target: Target) -> None:
        """Everything that is named in a class, in the classes inside it only if they are needed too."""
        definition = self._lookup.node(target)
        around = [*self._lookup.classes_around(target), target]
        words = tokens(definition[1]) if type(definition[1]) is tuple else [token_text(definition[1])]
        is_package = "package" in words
        if "operator" in words:  # what `+` calls is not named
            self._need(target, whole=True)
        stack: list[tuple[Node, TreePath]] = [(definition, target.path)]
        while stack:
            node, path = stack.pop()
            kind = KINDS[node[0]]
            if kind == "class_definition" and path != target.path:
                if not is_package:  # few, and modifiers can lead to them
                    self._need(Target(target.tree, path))
                continue
            if kind == "import_clause":
                self._take_import(node)
                continue
            if kind in _DOTTED:
                written = [token_text(part) for part in node[1:] if type(part) is str]
                parts = tuple(word for word in written if word != ".")
                self._take(around, parts, is_global=written[0] == ".", is_type=kind != "component_reference")
            elif kind == "element" and self._is_redeclaration(node):
                self._need_redeclared(node, path, target.tree)
            for index, part in enumerate(node[1:], 1):
                if isinstance(part, tuple):
                    stack.append((part, (*path, index)))
                elif kind not in _DOTTED:
                    self._take_leaf(part, kind, around, (*path, index))

    @staticmethod
    def _is_redeclaration(element: Node) -> bool:
        return any(type(part) is str and token_text(part) == "redeclare" for part in children_of(element, 1, -1))

    def _need_redeclared(self, element: Node, path: TreePath, tree: Hashable) -> None:
        """A class that takes the place of an inherited one is used by what names the inherited one."""
        for index, part in enumerate(element):
            if type(part) is tuple and KINDS[part[0]] == "class_definition":
                self._need(Target(tree, (*path, index)))

    # ------------------------------------------------------------ names

    def _take_leaf(self, leaf: str, kind: str, around: Sequence[Target], path: TreePath) -> None:
        text = token_text(leaf)
        if kind_of(leaf) == _IDENT:
            if kind not in _DECLARING:
                self._take(around, (text,), is_type=kind in _TYPED)
        elif text.startswith("annotation") and _NAMING_ANNOTATION.search(text):
            tree = around[-1].tree
            assert isinstance(tree, Path)
            for node in _naming_arguments(opened_at(self._lookup.classes.files.root(tree), path, tree)):
                for parts in _dotted_names(node):
                    self._take(around, parts)

    def _take_import(self, clause: Node) -> None:
        renamed = child(clause, "name")
        words = tokens(renamed[1]) if renamed is not None else import_words(clause)
        dotted = [word for word in words if _IDENTIFIER.fullmatch(word)]
        listed = child(clause, "import_list")
        if listed is None:
            self._take((), tuple(dotted), is_global=True)
            return
        for item in listed[1][1:]:
            name = token_text(item[-1]) if type(item) is tuple else token_text(item)
            if _IDENTIFIER.fullmatch(name):
                self._take((), (*dotted, name), is_global=True)

    def _take(
        self, around: Sequence[Target], parts: tuple[str, ...], *, is_global: bool = False, is_type: bool = False
    ) -> None:
        """All classes that a name leads through."""
        key = (around[-1] if around else None, parts, is_global, is_type)
        if key in self._seen:
            return
        self._seen.add(key)
        found = self._lookup.resolve_places(around, parts, is_global=is_global)
        if found[-1] is None and around:
            self.unresolved.setdefault(".".join(parts), around[-1])
        for index, target in enumerate(found):
            if target is None:
                continue
            if self._kind(target) != "class_definition":
                owners = self._lookup.classes_around(target)
                target = owners[-1] if owners else target  # noqa: PLW2901  (a constant is found by its package)
                self._need(target)
            else:
                # A package that is used as such, `redeclare package Medium = …`, is used in ways that nobody sees here.
                is_last = index == len(found) - 1
                self._need(target, whole=is_last and is_type and self._is_package(target))

    def _is_package(self, target: Target) -> bool:
        prefixes = self._lookup.node(target)[1]
        return "package" in (tokens(prefixes) if type(prefixes) is tuple else [token_text(prefixes)])

    def _kind(self, target: Target) -> str:
        return self._lookup.kind(target)


def _naming_arguments(annotation: Node) -> Iterator[Node]:
    """The arguments of an annotation that name functions."""
    stack: list[Any] = [annotation]
    while stack:
        node = stack.pop()
        for part in node[1:]:
            if type(part) is not tuple:
                continue
            if KINDS[part[0]] == "element_modification" and _NAMING_ANNOTATION.match(tokens(part)[0]):
                yield part
            elif KINDS[part[0]] != "element_modification":  # deeper ones are about something else
                stack.append(part)


def _dotted_names(node: Node) -> Iterator[tuple[str, ...]]:
    """Every name inside a node."""
    words = [*tokens(node), ""]
    parts: list[str] = []
    for word in words:
        if _IDENTIFIER.fullmatch(word):
            if parts and parts[-1] != ".":
                yield tuple(part for part in parts if part != ".")
                parts = []
            parts.append(word)
        elif word == "." and parts:
            parts.append(word)
        elif parts:
            yield tuple(part for part in parts if part != ".")
            parts = []


def _split(name: str) -> list[str]:
    return _IDENTIFIER.findall(name)


# ---------------------------------------------------------------- staging
# The needed parts of libraries, laid out in a folder for a compiler.
#
# What is not needed is blanked out, line ends kept, so a line of the copy is the same line of the original.

_WITHOUT_CLASSES: Final = frozenset("component_clause extends_clause import_clause equation_section".split())


class Stage:
    """Folders that a compiler takes as roots, and the way from a file there to the file that it was made from."""

    def __init__(self, roots: list[Path], originals: Mapping[Path, Path]) -> None:
        self.roots = roots
        self.originals = originals

    def original(self, path: Path) -> Path:
        """The file that a staged file was made from, or the file itself."""
        return self.originals.get(path, path)


def parts_of(libraries: Libraries, closure: Closure) -> dict[str, tuple[Path, str]]:
    """What a closure needs, by its places in the folder of a compiler: the file, and the text that is left of it."""
    parts: dict[str, tuple[Path, str]] = {}
    for entry, root, paths in closure.files():
        library = libraries.library_of(entry.full_name)
        parts[f"{library.name}/{_place(library, entry.path)}"] = entry.path, reduced(root, paths)
    return parts


def stage(libraries: Libraries, closure: Closure, around: Path) -> Stage:
    """Lay out what a closure needs in a new folder of another one."""
    around.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="parts-", dir=around))
    roots: dict[Path, None] = {}
    originals: dict[Path, Path] = {}
    for place, (original, text) in parts_of(libraries, closure).items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        roots[folder / place.partition("/")[0]] = None
        originals[path.resolve()] = original
    return Stage(list(roots), originals)


def reduced(root: Node, needed: set[TreePath]) -> str:
    """The text of a file without the classes that are not needed; all others stay in their lines."""
    text = render(root)
    if not _has_unneeded(root, needed):
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _spans(root, needed):
        pieces += [text[done:start], "\n" * text.count("\n", start, end)]
        done = end
    return "".join([*pieces, text[done:]])


def _has_unneeded(root: Node, needed: set[TreePath]) -> bool:
    """PERF: most files have one class, and offsets in a tree are computed from the widths of all before."""
    stack: list[tuple[Node, TreePath]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        if KINDS[node[0]] == "element" and _is_unneeded(node, path, needed):
            return True
        stack += [
            (part, (*path, index))
            for index, part in enumerate(node)
            if type(part) is tuple and KINDS[part[0]] not in _WITHOUT_CLASSES
        ]
    return False


def _spans(root: Node, needed: set[TreePath]) -> list[tuple[int, int]]:
    """Where elements are that are classes nobody needs."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[Node, TreePath, int]] = [(root, (), 0)]
    while stack:
        node, path, offset = stack.pop()
        if KINDS[node[0]] == "element" and _is_unneeded(node, path, needed):
            found.append((offset, offset + width(node)))
            continue
        for index, part in enumerate(node[1:], 1):
            if type(part) is tuple and KINDS[part[0]] not in _WITHOUT_CLASSES:
                stack.append((part, (*path, index), offset))
            offset += width(part)
    return sorted(found)


def _is_unneeded(element: Node, path: TreePath, needed: set[TreePath]) -> bool:
    return any(
        type(part) is tuple and KINDS[part[0]] == "class_definition" and (*path, index) not in needed
        for index, part in enumerate(element)
    )


def _place(library: Library, path: Path) -> str:
    if library.path.is_dir():
        return str(Path(library.name, path.relative_to(library.path)))
    return f"{library.name}.mo"


def stage_whole(libraries: Libraries, but: Path | None, folder: Path) -> Stage:
    """All files of all libraries, but those of one folder."""
    originals: dict[Path, Path] = {}
    for library, entry in libraries.files():
        if but is not None and entry.path.is_relative_to(but):
            continue
        path = folder / _place(library, entry.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(entry.path, path)
        originals[path.resolve()] = entry.path
    return Stage([folder], originals)


# ---------------------------------------------------------------- units
# The units of variables, by the declarations in the sources.


def units_of(libraries: Libraries, model: str, names: Iterable[str]) -> dict[str, str]:
    """Name -> unit of the variables of a model whose declarations have one."""
    found: dict[str, str] = {}
    try:
        root = instance(libraries, model)
        for name in names:
            component = root.get(".".join(part.partition("[")[0] for part in name.split(".")))
            unit = component.attribute("unit") if component is not None else None
            if isinstance(unit, str) and unit:
                found[name] = unit
    except (LibraryError, NotFoundError, ModelicaSyntaxError):
        return found  # a class that a compiler takes and our lookup does not: labels without units
    return found
