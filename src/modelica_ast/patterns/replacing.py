"""One match replaced in its tree."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from modelica_ast.edit.lists import item_places, remove_bracketed
from modelica_ast.edit.surgery import (
    Path,
    at,
    change_prefix,
    next_leaf_path,
    node_at,
    prefix_of,
    remade,
    remove,
    replaced,
)
from modelica_ast.green import children_of, leaves, render, symbol
from modelica_ast.lexer import token_text
from modelica_ast.patterns.building import Builder
from modelica_ast.patterns.errors import PatternError
from modelica_ast.patterns.laying_out import Setting, behind_match, laid_out
from modelica_ast.patterns.pieces import NAME_KINDS, Piece, assembled, in_place
from modelica_ast.patterns.precedence import needed_level
from modelica_ast.patterns.reading import ITEM_KINDS, Tree
from modelica_ast.patterns.searching import Found
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.tables import KINDS
from modelica_ast.trivia import Prefix, is_blank


@frozen(eq=False)
class NewText:
    """What stands in the place of a match: nothing, or some trees, and comments that go behind them."""

    found: Found
    greens: tuple[Any, ...]
    behind: str
    setting: Setting

    @property
    def is_change(self) -> bool:
        """Does the text differ from that of the match?"""
        return bool(self.behind) or "".join(map(render, self.greens)) != render(self.found.place.green)

    def put_into(self, root: Any) -> Any:
        """The tree with it."""
        if not self.greens:
            return without(root, self.found)
        place = self.found.place
        following = next_leaf_path(root, (*place.parent, place.last - 1))
        root = change_prefix(root, following, lambda prefix: behind_match(self.behind, prefix, self.setting))
        return _put(root, place, self.greens)


def new_text(root: Any, found: Found, replacement: Tree, text: str, start: int) -> NewText:
    """The replacement of a match; `text` is the text of the tree, and the match starts at an offset of it."""
    place = found.place
    setting = Setting(prefix_of(place.green), _line_start(text, start))
    pieces = Builder(found, replacement).pieces() if replacement.greens else []
    if found.tree.kind == "expression":
        parent = node_at(root, place.parent)
        level = needed_level(KINDS[parent[0]], children_of(parent), place.first - 1)
        pieces = [in_place(piece, level) for piece in pieces]
    if not pieces:
        return NewText(found, (), "", setting)
    pieces = [pieces[0], *(_on_line(piece, setting) for piece in pieces[1:])]
    sources = [source for piece in pieces for source in piece.sources]
    tokens = [token_text(leaf) for piece in pieces for leaf in leaves(piece.green)]
    new_leaves, behind = laid_out(tokens, sources, leaves(place.green), setting)
    tail = replacement.tail.strip()
    greens = []
    for piece in pieces:
        size = len(piece.sources)
        greens.append(_with_leaves(piece.green, new_leaves[:size]))
        del new_leaves[:size]
    return NewText(found, tuple(greens), behind + (" " + tail if tail else ""), setting)


def _line_start(text: str, offset: int) -> str:
    """Line end and indentation of the line in which a match starts."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    end = "\r\n" if "\r\n" in text else "\n"
    return end + line[: len(line) - len(line.lstrip(" \t"))]


def _on_line(piece: Piece, setting: Setting) -> Piece:
    """A further equation or element starts a line if the first one does."""
    starts_line = Prefix.of(setting.prefix).starts_line
    is_own = piece.sources[0].origin is None
    if starts_line and is_own and "\n" not in piece.layout:
        return piece.with_layout("\n" if is_blank(piece.layout) else piece.layout)
    return piece


def _with_leaves(green: Any, new: list[str]) -> Any:
    """A tree of the same shape with other leaves; without recursion."""
    if type(green) is str:
        return new[0]
    taken = iter(new)
    stack: list[tuple[list[Any], Any]] = [([green[0]], iter(green[1:]))]
    while True:
        done, rest = stack[-1]
        for child in rest:
            if type(child) is tuple:
                stack.append(([child[0]], iter(child[1:])))
                break
            done.append(next(taken))
        else:
            stack.pop()
            node = tuple(done)
            if not stack:
                return node
            stack[-1][0].append(node)


def _put(root: Any, place: Stretch, greens: tuple[Any, ...]) -> Any:
    parent = node_at(root, place.parent)
    pieces = [
        *(Piece(child, ()) for child in children_of(parent, 1, place.first)),
        *(Piece(green, (), is_capture=symbol(green) in NAME_KINDS) for green in greens),
        *(Piece(child, ()) for child in children_of(parent, place.last)),
    ]
    return replaced(root, place.parent, assembled(KINDS[parent[0]], pieces).green)


# ---------------------------------------------------------------- nothing in its place


def without(root: Any, found: Found) -> Any:
    """The tree without a match: as the verbs that remove things do it."""
    place, kind = found.place, found.tree.kind
    if kind in ITEM_KINDS:
        return remove(root, place.parent if kind == "class" else place.path)
    if kind == "argument":
        return _without_argument(root, place.path)
    if kind == "annotation":
        return _without_annotation(root, place.path)
    raise PatternError(f"an {kind} can't be replaced by nothing")


def _without_argument(root: Any, path: Path) -> Any:
    around = node_at(root, path[:-1])
    left = remove_bracketed(around, item_places(around).index(path[-1]))
    root = replaced(root, path[:-1], left)
    is_empty = len(left) == 3 and is_blank(prefix_of(left[2]))  # noqa: PLR2004
    return _without_empty(root, path[:-1]) if is_empty and KINDS[left[0]] == "class_modification" else root


def _without_empty(root: Any, path: Path) -> Any:
    """Parentheses with nothing in them go, and what consists of nothing else."""
    parent = node_at(root, path[:-1])
    if KINDS[parent[0]] == "annotation_clause":
        return _without_annotation(root, path[:-1])
    if KINDS[parent[0]] == "modification" and len(parent) == 2:  # noqa: PLR2004
        return _without_empty(root, path[:-1])
    children = [*children_of(parent, 1, path[-1]), *children_of(parent, path[-1] + 1)]
    return replaced(root, path[:-1], remade(parent, children))


def _without_annotation(root: Any, path: Path) -> Any:
    parent = node_at(root, path[:-1])
    if KINDS[parent[0]] == "class_annotation":
        return remove(root, path[:-1])
    prefix = prefix_of(at(root, path))
    root = change_prefix(
        root, next_leaf_path(root, path), lambda old: ("" if is_blank(prefix) else prefix.rstrip()) + old
    )
    parent = node_at(root, path[:-1])
    children = [*children_of(parent, 1, path[-1]), *children_of(parent, path[-1] + 1)]
    return replaced(root, path[:-1], remade(parent, children))
