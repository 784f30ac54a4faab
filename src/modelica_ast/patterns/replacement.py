"""One match replaced in its tree."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Final

from attrs import frozen

from modelica_ast.edit import (
    Path,
    at,
    change_prefix,
    item_places,
    next_leaf_path,
    node_at,
    prefix_of,
    remade,
    remove,
    remove_bracketed,
    replaced,
)
from modelica_ast.patterns.pieces import NAME_KINDS, Builder, LeafSource, Piece, assembled, in_place, needed_level
from modelica_ast.patterns.search import Found
from modelica_ast.patterns.stretches import Stretch
from modelica_ast.patterns.trees import ITEM_KINDS, PatternError, Tree
from modelica_ast.syntax import KINDS, Prefix, children_of, is_blank, leaves, render, split_leaf, symbol, token_text

# ---------------------------------------------------------------- laying out
# Blanks and comments of a replacement: what it shares with the old text keeps its bytes, and no comment is lost.
#
# Captures are anchors that both texts have. Between two of them equal tokens are the same tokens, with what is
# before them. What is new has the replacement's blanks, its lines indented like the line that they replace.

_BRACKETS: Final = frozenset({"(", "{", "["})
_OPENING: Final = frozenset({"=", ":=", *_BRACKETS})  # what follows these has the blanks of what was there
_CLOSING: Final = frozenset({")", "}", "]"})
_SEPARATORS: Final = frozenset({",", ";"})
_LINE_END: Final = re.compile(r"\r?\n(?=(\r?\n)?)")


@frozen
class Setting:
    """Where a replacement is: the blanks before it, and line end and indentation of its line."""

    prefix: str
    line_start: str

    def indented(self, layout: str) -> str:
        """Blanks of the replacement with the indentation of this place."""
        end = "\r\n" if "\r\n" in self.line_start else "\n"
        indent = self.line_start.lstrip("\r\n")
        return _LINE_END.sub(lambda found: end if found[1] else end + indent, layout)


def laid_out(
    tokens: Sequence[str], sources: Sequence[LeafSource], old: Sequence[str], setting: Setting
) -> tuple[list[str], str]:
    """The leaves of the new text, and the comments of the old one that must come after it."""
    aligned, anchors = _aligned(tokens, sources, old)
    before = [split_leaf(leaf)[0] if number else "" for number, leaf in enumerate(old)]
    stands_for = _stand_ins(tokens, aligned, old)
    prefixes: list[str] = []
    for number, source in enumerate(sources):
        own = stands_for[number]
        was = "" if own is None else before[own]
        layout = setting.indented(source.layout if source.layout is not None else " ")
        last = stands_for[number - 1] if number else None
        if number == 0:
            own_comments = "" if source.layout is None or is_blank(source.layout) else layout.lstrip()
            prefix = setting.prefix + own_comments + _comments_first(was, setting)
        elif own and (last == own - 1 or (number in anchors and "\n" in was)):
            prefix = was  # as it was, also where a line starts
        elif not is_blank(was):
            is_own_line = was.lstrip(" \t").startswith(("\n", "\r\n"))  # comments that are on lines of their own
            prefix = was if number in anchors or source.layout is None or is_own_line else layout + was.lstrip()
        elif own and source.layout is None:
            prefix = was
        else:
            prefix = layout
            if last is not None and last + 1 < len(before) and tokens[number - 1] in _OPENING and is_blank(layout):
                prefix = before[last + 1] if is_blank(before[last + 1]) else layout
        are_neighbours = bool(own) and last is not None and last + 1 == own  # they have been so
        if number and not prefix and not are_neighbours and _glues(tokens[number - 1], tokens[number]):
            prefix = " "
        prefixes.append(prefix)
    _shift_lines(prefixes, sources, aligned, before)
    used = {own: number for number, own in enumerate(stands_for) if own is not None}
    _leave_in_place(prefixes, tokens, used, before)
    behind = _keep_comments(prefixes, tokens, used, before, setting)
    return [prefix + token for prefix, token in zip(prefixes, tokens, strict=True)], behind


def _comments_first(was: str, setting: Setting) -> str:
    """Comments before what has become the first token of a match; their lines are indented like the match."""
    if is_blank(was):
        return ""
    parts = Prefix.of(was)
    if not parts.starts_line:
        return was.lstrip()
    old, new = parts.line_start.lstrip("\r\n"), setting.line_start.lstrip("\r\n")
    return (parts.head + "".join(_moved_line(line, old, new) for line in parts.lines)).lstrip()


def _aligned(
    tokens: Sequence[str], sources: Sequence[LeafSource], old: Sequence[str]
) -> tuple[list[int | None], frozenset[int]]:
    """For each new leaf the old leaf that it is, if it is one; and the new leaves that are anchors."""
    aligned = [source.origin for source in sources]
    taken = {own for own in aligned if own is not None}
    anchors = [-1, *_longest_rise(aligned), len(aligned)]
    for one, other in pairwise(anchors):
        first = -1 if one < 0 else _known(aligned[one])
        last = len(old) if other == len(aligned) else _known(aligned[other])
        mine = [number for number in range(one + 1, other) if sources[number].origin is None]
        its = [number for number in range(first + 1, last) if number not in taken]
        matcher = SequenceMatcher(
            None, [tokens[number] for number in mine], [token_text(old[number]) for number in its], autojunk=False
        )
        for block in matcher.get_matching_blocks():
            for step in range(block.size):
                aligned[mine[block.a + step]] = its[block.b + step]
    return aligned, frozenset(anchors)


def _known(number: int | None) -> int:
    assert number is not None
    return number


def _longest_rise(numbers: Sequence[int | None]) -> list[int]:
    """The indices of a longest rising subsequence: captures that are in the order that they had."""
    tails: list[int] = []
    ends: list[int] = []  # the index whose number ends the best run of each length
    previous: dict[int, int] = {}
    for index, number in enumerate(numbers):
        if number is None:
            continue
        place = bisect_left(tails, number)
        if place:
            previous[index] = ends[place - 1]
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [index]
    found: list[int] = []
    current = ends[-1] if ends else None
    while current is not None:
        found.append(current)
        current = previous.get(current)
    return found[::-1]


def _stand_ins(tokens: Sequence[str], aligned: Sequence[int | None], old: Sequence[str]) -> list[int | None]:
    """The old leaves in whose places the new ones are: `Length` in that of `Real` in `final Real x`."""
    found = list(aligned)
    taken = {own for own in aligned if own is not None}
    for number, own in enumerate(aligned):
        before = found[number - 1] if number else -1
        if own is not None or before is None or before + 1 >= len(old) or before + 1 in taken:
            continue
        gone = token_text(old[before + 1])
        if _is_word(gone[:1]) and _is_word(tokens[number][:1]):
            found[number] = before + 1
    return found


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "'")


def _glues(one: str, other: str) -> bool:
    """Would two tokens read as one without a blank between them?"""
    return (_is_word(one[-1:]) and _is_word(other[:1])) or (one[-1:] == "." and other[:1] in "*/^+-.")


def _shift_lines(
    prefixes: list[str], sources: Sequence[LeafSource], aligned: Sequence[int | None], before: Sequence[str]
) -> None:
    """Captures that moved to another indentation take their further lines along."""
    starts: dict[int, tuple[str, str]] = {}  # group -> (indentation before, indentation now)
    for number, source in enumerate(sources):
        own = aligned[number]
        if source.group is None or own is None:
            continue
        if source.group not in starts:
            was, now = Prefix.of(before[own]), Prefix.of(prefixes[number])
            old = was.line_start.lstrip("\r\n")
            starts[source.group] = (old, now.line_start.lstrip("\r\n") if was.lines and now.lines else old)
            continue
        old, new = starts[source.group]
        if old != new:
            parts = Prefix.of(prefixes[number])
            prefixes[number] = parts.head + "".join(_moved_line(line, old, new) for line in parts.lines)


def _moved_line(line: str, old: str, new: str) -> str:
    """A line with its line end before it; an empty one stays empty."""
    text = line.lstrip("\r\n")
    return line[: len(line) - len(text)] + new + text[len(old) :] if text.startswith(old) and text else line


def _leave_in_place(prefixes: list[str], tokens: Sequence[str], used: dict[int, int], before: Sequence[str]) -> None:
    """Comments after an item stay there when more items follow it now: `a=1, // a` and `b=2` below it."""
    for old, new in used.items():
        item = used.get(old - 1, new)  # the last token of what a comment in the prefix of `old` may be about
        behind = Prefix.of(before[old])
        if item + 1 >= new or is_blank(behind.head):
            continue
        starts_line = behind.starts_line
        has_comma = tokens[item] in _SEPARATORS
        if has_comma and starts_line:
            place = item + 1
        elif tokens[item + 1] == "," and not has_comma and item + 2 < new:
            place = item + 2 if starts_line else item + 1  # what ends with its line goes after the comma
        else:
            continue
        moved = behind.head
        if starts_line and not Prefix.of(prefixes[place]).starts_line:
            is_before_item = tokens[item] == ","
            moved += _line_start_of_item(prefixes, tokens, item) or behind.line_start + "  " * (not is_before_item)
        elif starts_line or tokens[place] == ",":
            moved = moved.rstrip() + prefixes[place]
        prefixes[place] = moved
        prefixes[new] = behind.below


def _line_start_of_item(prefixes: Sequence[str], tokens: Sequence[str], last: int) -> str:
    """Line end and indentation of the last line that starts outside of brackets before the end of an item; or ''."""
    depth = 0
    for number in range(last, 0, -1):
        depth += (tokens[number] in _CLOSING) - (tokens[number] in _BRACKETS)
        if depth < 0:
            return ""
        prefix = Prefix.of(prefixes[number])
        if depth == 0 and prefix.starts_line:
            return prefix.line_start
    return ""


def _keep_comments(
    prefixes: list[str], tokens: Sequence[str], used: dict[int, int], before: Sequence[str], setting: Setting
) -> str:
    """Comments before tokens that are gone go to the next token that stays; what has none goes after the match."""
    pending = ""
    for number, old in enumerate(before):
        if number in used:
            new = used[number]
            if pending and new:
                prefix = prefixes[new] or (" " if _is_word(tokens[new][:1]) else "")
                prefixes[new] = behind_match(pending, prefix, setting)
                pending = ""
        elif not is_blank(old):
            comment = old.strip()
            pending += (_new_line(setting) if _needs_line(pending) else " ") + comment
    return pending


def _needs_line(comment: str) -> bool:
    """Does a comment end with its line?"""
    return "//" in comment.rpartition("\n")[2] and not comment.endswith("*/")


def _new_line(setting: Setting) -> str:
    return setting.line_start or "\n"


def behind_match(comments: str, prefix: str, setting: Setting) -> str:
    """The blanks before a token with comments put before them; those that end with their line end it."""
    if not comments:
        return prefix
    if _needs_line(comments) and not Prefix.of(prefix).starts_line:
        return comments + _new_line(setting) + prefix.lstrip(" \t")
    return comments + prefix


# ---------------------------------------------------------------- replacing


@frozen(eq=False)
class NewText:
    """What is in place of a match: nothing, or some trees, and comments that go after them."""

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
