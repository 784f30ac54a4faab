"""What is to be done in one file: edits, and what the report says about them.

Every place is decided on the tree as it was. The edits are made at the end, so no decision sees another one's work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from modelica_ast.edit import Opened, Path as TreePath, at, first_leaf_path, node_of, prefix_of, replaced
from modelica_ast.foundation import Record, Source
from modelica_ast.refactor.conversion.rules import ConvertMessage, Meaning, Names, Rule, Verdict
from modelica_ast.semantics import LOCAL, FullName, Occurrence, Target, type_parts
from modelica_ast.syntax import Green, Node, child_at, make_node, read, render, symbol, token_text, with_prefix
from modelica_ast.tree import StoredDefinition, View

# ---------------------------------------------------------------- report
# What a conversion did, and what it leaves to a person.


class Change(Record):
    """A place that was converted. The line is that of the text before."""

    file: Path
    line: int
    rule: str
    rule_line: int  # in the script; 0 for a rule of an annotation, or for what no rule says
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"


class Note(Record):
    """A place that a person has to look at."""

    file: Path
    line: int
    rule: str  # '' if no rule is behind it
    class_name: str  # the class of the old library that it is about, or ''
    text: str

    def __str__(self) -> str:
        about = f"{self.class_name}: " if self.class_name else ""
        return f"{self.file}:{self.line}: {about}{self.text}"


class Report(Record):
    """All changes and all notes of a conversion, in the order of files and lines."""

    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()

    def __add__(self, other: Report) -> Report:
        return Report(self.changes + other.changes, self.notes + other.notes)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as JSON has it."""
        found: dict[str, Any] = {
            "changes": [_plain(change) for change in self.changes],
            "notes": [_plain(note) for note in self.notes],
        }
        return found

    def json_text(self) -> str:
        """The same as text."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"

    def __str__(self) -> str:
        lines = [f"{len(self.changes)} converted", *(f"  {change}" for change in self.changes)]
        if self.notes:
            lines += [f"{len(self.notes)} for a person", *(f"  {note}" for note in self.notes)]
        return "\n".join(lines) + "\n"


def _plain(record: Record) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in vars(record).items()}


# ---------------------------------------------------------------- writing
# Dotted names with other parts: what stays of them keeps its blanks, comments and subscripts.


class Part(NamedTuple):
    """One part of a dotted name: the leaf of the dot before it, its own leaf, its subscripts."""

    dot: str
    leaf: str
    subscripts: tuple[Green, ...] = ()

    @property
    def name(self) -> str:
        """The identifier."""
        return token_text(self.leaf)

    def renamed(self, name: str) -> Part:
        """The same in another name."""
        return Part(self.dot, prefix_of(self.leaf) + name, self.subscripts)


def parts_of(green: Any) -> list[Part]:
    """A name or a reference in its parts."""
    parts: list[Part] = []
    dot = "."
    for child in [green] if type(green) is str else green[1:]:
        if type(child) is tuple:
            parts[-1] = parts[-1]._replace(subscripts=(child,))
        elif token_text(child) == ".":
            dot = child
        else:
            parts.append(Part(dot, child))
            dot = "."
    return parts


def names_of(green: Any) -> list[str]:
    """The identifiers of a name or a reference, without dots and subscripts."""
    return [part.name for part in parts_of(green)]


def is_global(green: Any) -> bool:
    """Does it start with a dot?"""
    return type(green) is tuple and type(green[1]) is str and token_text(green[1]) == "."


def rewritten(green: Any, kind: str, names: Sequence[str], *, from_root: bool = False) -> Green | None:
    """The name with other parts; None if subscripts would have no place. `from_root` puts a dot before it."""
    old = parts_of(green)
    old[0] = old[0]._replace(leaf=old[0].name)  # the blanks before the name are put before the new one
    same = 0  # parts at the front that stay
    while same < min(len(old), len(names)) and old[same].name == names[same]:
        same += 1
    paired = min(len(old), len(names)) - same  # parts at the back that have a counterpart
    if any(part.subscripts for part in old[same : len(old) - paired]):
        return None
    middle = [Part(".", name) for name in names[same : len(names) - paired]]
    back = [
        part.renamed(name) for part, name in zip(old[len(old) - paired :], names[len(names) - paired :], strict=True)
    ]
    children: list[Green] = []
    for part in old[:same] + middle + back:
        children += [part.dot, part.leaf, *part.subscripts]
    if not from_root:
        del children[0]
    children[0] = with_prefix(children[0], prefix_of(green))
    return children[0] if len(children) == 1 else make_node(kind, *children)


# ---------------------------------------------------------------- file work

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
            # The subscripts may have changed meanwhile, so the name is made again from what is there then.
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
        self.note(visit, f"'{'.'.join(parts)}' may have another name now: it is not known what '{unknown}' is")

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
