"""What the project answers about names, held against `slow_lookup`: one line for each difference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path as FilePath
from typing import cast

from modelica_ast.foundation import NotFoundError
from modelica_ast.library import Libraries, instance, references
from modelica_ast.rules import Finding, check_document, check_libraries
from modelica_ast.tree import ClassDefinition, View
from semantics.slow_lookup import Builtin, Found, Lookup, Scope
from semantics.slow_meanings import Meaning, Meanings
from semantics.slow_reading import Class, Declaration, Files, Path, offset_of

# Rules about a name that leads to nothing.
MISSING_NAMES = (
    "unknown-type unknown-base unknown-import unknown-function unknown-reference unknown-modifier unknown-argument "
    "connect-no-component"
).split()
ILLEGAL = "component-as-type"  # nothing else is said about a type that goes through a component
CLOSED = "library-not-open"  # said once for all names that start with what may be a library


class Comparison:
    """Libraries as both sides see them. `chosen` are the files whose identifiers are compared, all without."""

    def __init__(self, *libraries: FilePath, chosen: Collection[Path] | None = None) -> None:
        self.files = Files(*(library.resolve() for library in libraries))
        self.by_path = {path: name for name, path in self.files.paths.items()}
        self.lookup = Lookup(self.files)
        self.libraries = Libraries(libraries) if chosen is None else Libraries([], read_only=libraries)
        self.chosen = list(self.files if chosen is None else chosen)
        self.meanings: dict[Path, dict[int, Meaning]] = {}

    def meanings_in(self, file: Path) -> dict[int, Meaning]:
        """The identifiers of a file."""
        if file not in self.meanings:
            self.meanings[file] = Meanings(self.lookup).file(file)
        return self.meanings[file]

    def at(self, file: Path, offset: int) -> str:
        """`Arm.mo:3:7 x`, where an identifier is."""
        position = self.files[file].source.position(offset)
        return f"{self.files.paths[file].name}:{position.line}:{position.column} {self.meanings_in(file)[offset].text}"

    def declarations(self) -> Iterator[Declaration]:
        """What is declared in the chosen files; a redeclaration is not a declaration of its own."""
        found = [
            meaning.what
            for file in self.chosen
            for offset, meaning in sorted(self.meanings_in(file).items())
            if meaning.role == "declaration" and isinstance(meaning.what, Declaration)
            if (meaning.what.file, meaning.what.offset) == (file, offset)
        ]
        often = Counter(declaration.full_name for declaration in found)
        return (declaration for declaration in found if often[declaration.full_name] == 1)

    # ------------------------------------------------------------------ references

    def references(self, only: Collection[str] | None = None) -> list[str]:
        """`references` of each declaration, and the identifiers that stand for it."""
        differences: list[str] = []
        uses = self._uses(self.chosen)
        for declaration in self.declarations():
            if only is not None and declaration.full_name not in only:
                continue
            try:
                found = references(self.libraries, declaration.full_name)
            except NotFoundError as error:
                differences.append(f"{self.at(declaration.file, declaration.offset)}: the project says: {error}")
                continue
            places = {(self.by_path[use.file.resolve()], use.line, use.column) for use in found}
            theirs = {
                (file, offset)
                for file, line, column in places
                if file in self.chosen
                for offset in self._offset(file, line, column)
            }
            mine = uses[declaration]
            for file, offset in sorted(mine - theirs):
                if self.meanings_in(file)[offset].errors:
                    continue
                differences.append(
                    f"{self.at(file, offset)}: is {self.meanings_in(file)[offset]}; not so for `references`"
                )
            for file, offset in sorted(theirs - mine):
                meaning = self.meanings_in(file)[offset]
                if meaning.what != "unknown" and not meaning.errors:
                    differences.append(
                        f"{self.at(file, offset)}: is {meaning}; for `references` {declaration.full_name}"
                    )
        return differences

    def _uses(self, files: Collection[Path]) -> dict[Declaration, set[tuple[Path, int]]]:
        """The identifiers that stand for a declaration and have its name; an alias has a name of its own."""
        uses: dict[Declaration, set[tuple[Path, int]]] = defaultdict(set)
        for file in files:
            for offset, meaning in self.meanings_in(file).items():
                what = meaning.what
                if not isinstance(what, Declaration) or meaning.text != what.name or meaning.role == "alias":
                    continue
                if (file, offset) == (what.file, what.offset) or self._is_end(file, meaning, what, offset):
                    continue
                uses[what].add((file, offset))
        return uses

    def _is_end(self, file: Path, meaning: Meaning, what: Declaration, offset: int) -> bool:
        """Is it the name after the `end` of the declaration itself?"""
        if meaning.role != "end" or file != what.file:
            return False
        nodes = list(self.lookup.classes_of(file))
        while nodes:
            node = nodes.pop()
            if node.declaration is what:
                return offset_of([one for one in node.view.specifier.children if one.kind == "IDENT"][-1]) == offset
            nodes += [own.node for own in node.elements if own.node is not None]
        return False

    def _offset(self, file: Path, line: int, column: int) -> Iterator[int]:
        """The offset of an identifier outside annotations."""
        for offset in self.meanings_in(file):
            position = self.files[file].source.position(offset)
            if (position.line, position.column) == (line, column):
                yield offset

    # ------------------------------------------------------------------ check

    def check(self) -> list[str]:
        """`check` of the files, and the names that are missing. Where something is in doubt it may do as it likes."""
        differences = []
        findings = self._findings([*MISSING_NAMES, ILLEGAL, CLOSED])
        closed = [one.message for one in findings if one.code == CLOSED]
        for file in self.chosen:
            # An output is found, and can't be given anyway.
            told = [one for one in findings if " is an output of " not in one.message]
            here = [one for one in told if one.path is not None and self.by_path[one.path.resolve()] == file]
            for offset, meaning in sorted(self.meanings_in(file).items()):
                if meaning.what == "missing" and not meaning.doubts and not meaning.errors:
                    is_library = any(f"'{meaning.text}'" in message for message in closed)
                    if not is_library and not any(one.offset <= offset < one.end for one in here):
                        differences.append(f"{self.at(file, offset)}: is missing; `check` does not say so")
                elif meaning.what not in {"missing", "unknown"} and not meaning.errors:
                    differences += [
                        f"{self.at(file, offset)}: is {meaning}; `check` says: {one.message} [{one.code}]"
                        for one in here
                        if one.offset == offset and self._is_about(one, file, meaning)
                    ]
        return differences

    def _findings(self, rules: list[str]) -> list[Finding]:
        """What the project finds; of libraries that are read only, in the chosen files by themselves."""
        if len(self.chosen) == len(self.files):
            return check_libraries(self.libraries, rules=rules)
        entries = [self.libraries.entry_of(".".join(file))[1] for file in self.chosen]
        documents = [self.libraries.document(entry) for entry in entries]
        return [
            one for document in documents for one in check_document(document, libraries=self.libraries, rules=rules)
        ]

    def _is_about(self, finding: Finding, file: Path, meaning: Meaning) -> bool:
        """Does it say that this name is missing, not a later part of the whole, nor that a class can't be connected?"""
        if finding.code in (CLOSED, ILLEGAL) or (finding.code == "connect-no-component" and _is_class(meaning)):
            return False
        return not self._has_missing_part(file, finding.offset, finding.end)

    def _has_missing_part(self, file: Path, start: int, end: int) -> bool:
        found = [meaning for offset, meaning in self.meanings_in(file).items() if start <= offset < end]
        return any(meaning.what in {"missing", "unknown"} or meaning.doubts or meaning.errors for meaning in found)

    # ------------------------------------------------------------------ instance

    def instances(self) -> list[str]:
        """The components of each class by `instance`: where they are declared, and of which type they are."""
        differences: list[str] = []
        for file in self.chosen:
            nodes = list(self.lookup.classes_of(file))
            while nodes:
                node = nodes.pop()
                nodes += [own.node for own in node.elements if own.node is not None and not own.is_redeclare]
                differences += self._instance(node)
        return differences

    def _instance(self, node: Class) -> Iterator[str]:
        scope = self.lookup.place(node)
        self.lookup.errors.clear()
        mine = {name: self.lookup.member(scope, name) for name in self._component_names(scope, ())}
        if self.lookup.errors or node.is_enumeration or "function" in node.kind:
            return
        full_name = ".".join(node.path)
        named = self.lookup.path(None, node.path, is_global=True)[-1]
        if not isinstance(named, Found) or named.element.node is not node or self.lookup.errors:
            return  # something else has its name
        theirs = instance(self.libraries, full_name).components
        for name in sorted(mine.keys() ^ theirs.keys()):
            if self._is_repeated(scope, name):
                continue
            yield f"{full_name}.{name}: is {'a' if name in mine else 'not a'} component; not so for `instance`"
        for name in sorted(mine.keys() & theirs.keys()):
            answer = mine[name]
            if not isinstance(answer, Found) or self._is_repeated(scope, name):
                continue
            component = theirs[name]
            place = self._place(component.first_declaration)
            if place != (answer.declaration.file, answer.declaration.offset):
                mine_in = answer.declaration.full_name
                yield f"{full_name}.{name}: is {mine_in}; `instance` has it from {component.declared_in}"
            self.lookup.errors.clear()
            expected = self.type_name(self.lookup.class_of(answer))
            if expected != component.type_name and not self.lookup.errors:
                yield f"{full_name}.{name}: is of {expected}; for `instance` of {component.type_name}"

    def _is_repeated(self, scope: Scope, name: str) -> bool:
        """7.1: is it declared twice among what is inherited? Both have to be the same, so either may be kept."""
        found: set[Declaration] = set()
        stack: list[tuple[Scope, tuple[Class, ...]]] = [(scope, ())]
        while stack:
            one, chain = stack.pop()
            found |= {own.declaration for own in one.node.elements if own.name == name and not own.is_redeclare}
            bases = [base for base in self.lookup.bases(one) if isinstance(base, Scope)]
            stack += [(base, (*chain, one.node)) for base in bases if base.node not in chain]
        return len(found) > 1

    def _component_names(self, scope: Scope, chain: tuple[Class, ...]) -> set[str]:
        if scope.node in chain:
            self.lookup.errors.append("a class inherits from itself")
            return set()
        names = {own.name for own in scope.node.elements if own.type is not None}
        for base in self.lookup.bases(scope):
            if isinstance(base, Scope):
                names |= self._component_names(base, (*chain, scope.node))
        return names - scope.removed

    def _place(self, target: tuple[object, tuple[int, ...]]) -> tuple[Path, int]:
        """Where the identifier of a declaration is."""
        file = self.by_path[cast("FilePath", target[0]).resolve()]
        view: View = self.files[file]
        for index in target[1]:
            view = view.children[index - 1]
        return file, offset_of(next((one for one in view.children if one.kind == "IDENT"), view))

    def type_name(self, found: object) -> str | None:
        """The full name of a class. One that is in a modifier has none, so it is called by what it is short for."""
        seen: list[Class] = []
        while isinstance(found, Scope) and not isinstance(found.node.view, ClassDefinition):
            if found.node in seen:
                self.lookup.errors.append("it is short for itself")
                return None
            seen.append(found.node)
            found = next(iter(self.lookup.bases(found)), None)
        if isinstance(found, Scope):
            return ".".join(found.node.path)
        return found.name if isinstance(found, Builtin) else None


def _is_class(meaning: Meaning) -> bool:
    """Is it found, and yet not a component?"""
    return isinstance(meaning.what, Declaration) and meaning.what.kind == "class"
