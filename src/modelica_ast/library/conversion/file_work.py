"""What is to be done in one file: edits, and what the report says about them.

Every place is decided on the tree as it was. The edits are made at the end, so no decision sees another one's work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from modelica_ast.edit.occurrences import Opened
from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import at, first_leaf_path, node_of, replaced, with_prefix
from modelica_ast.green import Green, Node, child_at, render, symbol
from modelica_ast.library.conversion.names import Meaning, Names
from modelica_ast.library.conversion.report import Change, Note
from modelica_ast.library.conversion.rules import ConvertMessage, Rule, Verdict
from modelica_ast.library.conversion.writing import is_global, names_of, rewritten
from modelica_ast.reading import read
from modelica_ast.semantics.clauses import type_parts
from modelica_ast.semantics.definitions import FullName, Target
from modelica_ast.semantics.occurrences import LOCAL, Occurrence
from modelica_ast.source import Source
from modelica_ast.views.base import View
from modelica_ast.views.files import StoredDefinition

DOTTED: Final = frozenset({"name", "type_specifier", "component_reference"})
Around = tuple[Target, ...]
Edit = Callable[[Node, TreePath], Node]  # (root, path) -> root


class Visit(NamedTuple):
    """What a view shows, the classes around it, and what the modifiers in it modify."""

    view: View
    around: Around
    owner: Meaning = None


class FileWork:
    """The edits of one file."""

    def __init__(self, names: Names, file: Path, opened: Opened) -> None:
        self.names = names
        self.rules = names.rules
        self.file = file
        self.tree = StoredDefinition.over(opened.root, file=file)
        self.fates: dict[TreePath, Verdict] = {}  # of types whose class depends on the value of a modifier
        self.spent: set[TreePath] = set()  # modifiers that a rule replaces: their names are not converted
        self.new_roots: dict[str, int] = {}  # other libraries that are needed now, with the line where first
        self._edits: list[tuple[TreePath, Edit]] = [(path, _close) for path in opened.annotations]
        self._changes: list[tuple[int, Change]] = []
        self._notes: list[tuple[int, Note]] = []

    def target(self, path: TreePath) -> Target:
        """A place of this file."""
        return Target(self.file, path)

    def type_of(self, node: Any, around: Around) -> Meaning:
        """What the type that a clause names stands for."""
        parts, from_root = type_parts(node)
        return self.names.resolve(around, parts, is_global=from_root)[-1]

    def is_local(self, visit: Visit) -> bool:
        """Is a reference the index of a loop?"""
        leaf = first_leaf_path(visit.view.green)
        assert leaf is not None
        if is_global(visit.view.green):
            return False
        where = self.target(visit.view.path + leaf)
        return Occurrence(self.names.lookup, node_of(self.tree), where).target() == LOCAL

    # ------------------------------------------------------------ edits

    def edit(self, path: TreePath, edit: Edit) -> None:
        """Change something, later."""
        self._edits.append((path, edit))

    def replace(self, visit: Visit, green: Green, rule: Rule) -> None:
        """Put something else in a visit, later."""
        self.change(visit, rule, one_line(visit.view.green), one_line(green))
        if type(visit.view.green) is str or symbol(green) not in (*DOTTED, "IDENT"):
            self.edit(visit.view.path, lambda root, path: replaced(root, path, green))
            return
        names, kind, from_root = names_of(green), visit.view.kind, is_global(green)

        def edit(root: Node, path: TreePath) -> Node:
            # The subscripts may have changed meanwhile, so the name is made anew from what is there then.
            new = rewritten(at(root, path), kind, names, from_root=from_root)
            assert new is not None
            return replaced(root, path, new)

        self.edit(visit.view.path, edit)

    def converted(self) -> Node:
        """The tree with all edits made: the last in the text first, and what is inside before what is around."""
        root = node_of(self.tree)
        for path, edit in sorted(self._edits, key=lambda each: each[0], reverse=True):
            root = edit(root, path)
        return root

    # ------------------------------------------------------------ the report

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was changed, in the order of the text; complete when the edits are made."""
        return tuple(change for _, change in sorted(self._changes, key=lambda each: each[0]))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a person has to look at, likewise."""
        return tuple(dict.fromkeys(note for _, note in sorted(self._notes, key=lambda each: each[0])))

    def change(self, visit: Visit, rule: Rule, before: str, after: str, *, further: int = 0) -> None:
        """Report a change; `further` is how far behind the start of its place it is."""
        offset = visit.view.position.offset + further
        line = self.tree.source.position(offset).line
        self._changes.append((offset, Change(self.file, line, str(rule), rule.line, before, after)))

    def note(
        self, visit: Visit, text: str, rule: Rule | None = None, class_: FullName = (), *, further: int = 0
    ) -> None:
        """Report something for a person; `further` as in `change`."""
        offset = visit.view.position.offset + further
        line = self.tree.source.position(offset).line
        name = ".".join(class_)
        self._notes.append((offset, Note(self.file, line, "" if rule is None else str(rule), name, text)))

    def message(self, visit: Visit, rule: ConvertMessage) -> None:
        """Report what a rule has to say."""
        self.note(visit, rule.message, rule, rule.class_ + rule.element)

    def undecided(self, visit: Visit, parts: Sequence[str], unknown: str) -> None:
        """Report a name that a rule may speak of."""
        self.note(visit, f"'{'.'.join(parts)}' may have another name now: what '{unknown}' is, is not known")

    def need(self, visit: Visit, root: str) -> None:
        """Report that a name of another library is written."""
        if root not in self.rules.roots:
            self.new_roots.setdefault(root, self.tree.source.position(visit.view.position.offset).line)


def one_line(green: Green) -> str:
    """The text of something without the blanks and comments before it, in one line."""
    return " ".join(render(with_prefix(green, "")).split())


def _close(root: Node, path: TreePath) -> Node:
    """An annotation that was read, in the form that a parse gives."""
    return replaced(root, path, child_at(read(Source(render(at(root, path))), start="annotation_clause").green, 1))
