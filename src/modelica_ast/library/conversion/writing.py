"""Dotted names with other parts: what stays of them keeps its blanks, comments and subscripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from modelica_ast.edit.surgery import prefix_of, with_prefix
from modelica_ast.green import Green
from modelica_ast.lexer import token_text
from modelica_ast.shape import make_node


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
