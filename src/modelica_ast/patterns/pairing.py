"""Which part of a replacement stands for which part of the pattern, so that what the pattern left open stays there."""

from __future__ import annotations

from typing import Any

from modelica_ast.edit.modifiers import argument_name
from modelica_ast.green import leaves, symbol
from modelica_ast.lexer import token_text
from modelica_ast.patterns.captures import Note
from modelica_ast.patterns.reading import Tree
from modelica_ast.patterns.stretches import is_comma
from modelica_ast.tables import KINDS


class Pairs:
    """Nodes of a pattern and of its replacement that are the same thing, by their identity."""

    def __init__(self, pattern: Tree, replacement: Tree) -> None:
        self._pattern, self._replacement = pattern, replacement
        self._of_pattern: dict[int, Any] = {}
        self._of_replacement: dict[int, Any] = {}
        self.around: dict[int, Any] = {}  # a node of the pattern -> the node around it
        self._note_parents(pattern.green)
        root = pattern.green
        partners = [green for green in replacement.greens if symbol(green) == symbol(root)]
        if replacement.greens:
            self._pair(root, (partners or list(replacement.greens))[0])

    def pattern_of(self, node: Any) -> Any:
        """The node of the pattern that a node of the replacement stands for, or None."""
        return self._of_replacement.get(id(node))

    def is_paired(self, pattern: Any) -> bool:
        """Has a node of the pattern a partner?"""
        return id(pattern) in self._of_pattern

    def _note_parents(self, root: Any) -> None:
        todo = [root]
        while todo:
            node = todo.pop()
            if type(node) is tuple:
                for part in node[1:]:
                    if type(part) is tuple:
                        self.around[id(part)] = node
                        todo.append(part)

    def _pair(self, one: Any, other: Any) -> None:
        todo = [(one, other)]
        while todo:
            mine, its = todo.pop()
            self._of_pattern[id(mine)] = its
            self._of_replacement[id(its)] = mine
            if type(mine) is not tuple or type(its) is not tuple:
                continue
            if KINDS[mine[0]] == KINDS[its[0]]:
                pair = self._arguments if KINDS[mine[0]] == "class_modification" else _children
                todo += pair(mine, its)

    def _arguments(self, mine: Any, its: Any) -> list[tuple[Any, Any]]:
        """Arguments are the same by their name, or by what stands for their value."""
        left = [green for green in mine[2:-1] if not is_comma(green)]
        found = []
        new = [green for green in its[2:-1] if not is_comma(green)]
        for key in (self._name, self._metavariables):
            for green in list(new):
                partner = next((one for one in left if key(one, self._pattern) == key(green, self._replacement)), None)
                if partner is not None and key(green, self._replacement):
                    found.append((partner, green))
                    left.remove(partner)
                    new.remove(green)
        return found

    @staticmethod
    def _name(green: Any, tree: Tree) -> tuple[str, ...]:
        names = argument_name(green)
        return tuple(tree.metavariables[name].text if name in tree.metavariables else name for name in names)

    @staticmethod
    def _metavariables(green: Any, tree: Tree) -> tuple[str, ...]:
        words = (token_text(leaf) for leaf in leaves(green))
        return tuple(sorted({tree.metavariables[word].text for word in words if word in tree.metavariables}))


def _children(mine: Any, its: Any) -> list[tuple[Any, Any]]:
    """Of two nodes of one kind the children of one kind, in order."""
    left = [part for part in mine[1:] if type(part) is tuple]
    found = []
    for part in its[1:]:
        if type(part) is tuple:
            partner = next((one for one in left if KINDS[one[0]] == KINDS[part[0]]), None)
            if partner is not None:
                found.append((partner, part))
                del left[: left.index(partner) + 1]
    return found


def notes_by_pattern(notes: list[Note]) -> dict[int, list[Note]]:
    """What was noted about each node of the pattern."""
    found: dict[int, list[Note]] = {}
    for note in notes:
        found.setdefault(id(note.pattern), []).append(note)
    return found
