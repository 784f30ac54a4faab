"""Names of the old library wherever they are written: types, references, members, links, texts of icons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.edit.surgery import leaf_at, node_at, replaced
from modelica_ast.green import child_leaf
from modelica_ast.lexer import split_leaf, token_text
from modelica_ast.library.conversion.file_work import Around, FileWork, Place, one_line
from modelica_ast.library.conversion.links import converted_links
from modelica_ast.library.conversion.names import Meaning
from modelica_ast.library.conversion.rules import ConvertMessage, Verdict
from modelica_ast.library.conversion.writing import is_global, names_of, rewritten
from modelica_ast.semantics.definitions import FullName, Outside, Target
from modelica_ast.tables import KINDS

_MACRO: Final = re.compile(r"(?P<mark>%\{?)(?P<name>[A-Za-z_][A-Za-z_0-9]*)")


class Member(NamedTuple):
    """A member that has another name now: how many parts before it stay, whose it is, what becomes of it."""

    kept: int
    anchor: FullName
    verdict: Verdict


class WrittenNames:
    """The names of one file."""

    def __init__(self, work: FileWork) -> None:
        self._work = work
        self._names = work.names
        self._rules = work.rules

    # ------------------------------------------------------------ types and references

    def reference(self, place: Place, kind: str) -> None:
        """A type or a component reference."""
        written = names_of(place.green)
        first = self._names.top(written[0]) if is_global(place.green) else self._names.first(place.around, written[0])
        is_reference = kind == "component_reference"
        if first is None:
            if is_reference and self._may_be_renamed(written[1:]) and not self._work.is_local(place):
                self._work.undecided(place, written, written[0])
        elif isinstance(first, Target):
            member = self._member(first, written[1:], place)
            if member is not None:
                self._write(place, kind, member.verdict, written[: member.kept + 1], member.anchor)
        else:
            full = (*first.name, *written[1:])
            verdict = self._work.fates.get(place.path) or self._rules.convert(full)
            if verdict.rule is None or (is_reference and self._work.is_local(place)):
                self._check(place, full)
            elif isinstance(verdict.rule, ConvertMessage):
                self._work.message(place, verdict.rule)
            else:
                self._write(place, kind, verdict, written[:1] if first.is_alias else [], first.anchor)

    def full_name(self, place: Place) -> None:
        """The name behind `import A =`."""
        full = tuple(names_of(place.green))
        verdict = self._rules.convert(full)
        if isinstance(verdict.rule, ConvertMessage):
            self._work.message(place, verdict.rule)
        elif verdict.rule is not None:
            self._write(place, "name", verdict, [], ())
        else:
            self._check(place, full)

    def _check(self, place: Place, full: FullName) -> None:
        """A package of which only the classes have other names may be gone; the new library tells, if it is there."""
        if self._rules.know(full) and self._names.is_gone(full):
            self._work.note(place, f"'{'.'.join(full)}' is not in the new library, and no rule says what became of it")

    def _write(self, place: Place, kind: str, verdict: Verdict, kept: Sequence[str], anchor: FullName) -> None:
        """Let a written name be the new one: what is kept, and behind it what the new anchor lacks."""
        assert verdict.rule is not None
        base, new, old = self._rules.convert(anchor).new, verdict.new, names_of(place.green)
        goes_on = new[: len(base)] == base and (kept or len(new) > len(base))
        names = [*kept, *new[len(base) :]] if goes_on else list(new)
        is_full = not goes_on or not (kept or anchor)
        if names == old:
            return
        if is_full and kept and self._is_component(place, kept):
            self._work.undecided(place, old, kept[-1])
            return
        if not is_full and not kept and self._means_another(place, names[0], new[: len(base) + 1]):
            text = f"'{'.'.join(old)}' becomes '{'.'.join(names)}', a name that means something else here"
            self._work.note(place, text, verdict.rule)
            return
        from_root = is_full and kind != "name" and (is_global(place.green) or self._is_hidden(place, names[0]))
        green = rewritten(place.green, kind, names, from_root=from_root)
        if green is None:
            text = f"'{one_line(place.green)}' becomes '{'.'.join(names)}'; its subscripts have no place there"
            self._work.note(place, text, verdict.rule)
            return
        if is_full:
            self._work.need(place, names[0])
        self._work.replace(place, green, verdict.rule)

    def _means_another(self, place: Place, name: str, new: FullName) -> bool:
        """Does a simple name stand for something else than it shall?"""
        meaning = self._names.first(place.around, name)
        return meaning is not None and not (
            isinstance(meaning, Outside) and self._rules.convert(meaning.name).new == new
        )

    def _is_component(self, place: Place, kept: Sequence[str]) -> bool:
        meaning = self._names.resolve(place.around, kept)[-1]
        return isinstance(meaning, Target) and self._names.lookup.kind(meaning) != "class_definition"

    def _is_hidden(self, place: Place, root: str) -> bool:
        """Does something of the user have the name of the library that a full name starts with?"""
        meaning = self._names.first(place.around, root)
        return (
            isinstance(meaning, Target) and meaning != self._names.lookup.resolve_places((), [root], is_global=True)[0]
        )

    # ------------------------------------------------------------ members

    def _member(self, meaning: Meaning, parts: Sequence[str], place: Place) -> Member | None:
        """The first of some parts, each a member of the one before, that has another name now."""
        for kept, part in enumerate(parts):
            if isinstance(meaning, Target):
                member = self._names.member(meaning, part)
                if member is not None:
                    meaning = member
                    continue
            rest = tuple(parts[kept:])
            bases = self._names.outside_of(meaning)
            for base in bases:
                verdict = self._rules.convert(base + rest)
                if isinstance(verdict.rule, ConvertMessage):
                    if len(verdict.rule.class_ + verdict.rule.element) > len(base):
                        self._work.message(place, verdict.rule)
                elif verdict.new != self._rules.convert(base).new + rest:
                    return Member(kept, base, verdict)
            if bases and self._may_be_renamed(parts[kept + 1 :]):
                self._work.undecided(place, parts, part)
            return None
        return None

    def _may_be_renamed(self, parts: Sequence[str]) -> bool:
        return not self._rules.element_names.isdisjoint(parts)

    def modifier_name(self, place: Place) -> None:
        """The name of a modifier is that of a member of what it modifies."""
        if place.path[:-1] not in self._work.spent:
            self._write_member(place, names_of(place.green))

    def member_token(self, path: TreePath, owner: Meaning, around: Around) -> None:
        """A lone identifier that names a member: of a call, of a redeclaration."""
        leaf = leaf_at(self._work.root, path)
        self._write_member(Place(path, leaf, around, owner), [token_text(leaf)])

    def inherited_name(self, path: TreePath, around: Around) -> None:
        """The name of a declaration that replaces an inherited one."""
        name = token_text(leaf_at(self._work.root, path))
        for base in self._names.outside_of(around[-1]) if around else ():
            if self._rules.know((*base, name)):
                self.member_token(path, Outside(base), around)
                return

    def _write_member(self, place: Place, names: Sequence[str]) -> None:
        member = self._member(place.owner, names, place) if place.owner is not None else None
        if member is None:
            return
        base, new = self._rules.convert(member.anchor).new, member.verdict.new
        written = [*names[: member.kept], *new[len(base) :]]
        is_modifier = KINDS[node_at(self._work.root, place.path[:-1])[0]] in ("element_modification", "name")
        assert member.verdict.rule is not None
        if new[: len(base)] != base or (len(written) > 1 and not is_modifier):
            text = f"'{'.'.join(names)}' becomes '{'.'.join(new)}', which can't be written here"
            self._work.note(place, text, member.verdict.rule)
            return
        green = rewritten(place.green, "name", written)
        assert green is not None  # a name has no subscripts
        self._work.replace(place, green, member.verdict.rule)

    # ------------------------------------------------------------ links

    def link(self, place: Place) -> None:
        """A text with `modelica://` in it."""
        prefix, token = split_leaf(place.green)
        text, links = converted_links(token, self._rules)
        for link in links:
            if link.is_resource:
                about = f"'{link.old}/…' is a file of the old library: where it is now, no rule says"
                self._work.note(place, about, link.rule, further=link.offset)
            else:
                self._work.change(place, link.rule, link.old, link.new, further=link.offset)
        if text != token:
            self._work.edit(place.path, lambda root, path: replaced(root, path, prefix + text))

    def macros(self, place: Place) -> None:
        """A text of an icon: `%name` shows the value of a parameter of the class."""
        parent = node_at(self._work.root, place.path[:-1])
        if KINDS[parent[0]] != "named_argument" or token_text(child_leaf(parent, 1)) not in ("textString", "string"):
            return
        found: list[Verdict] = []

        def convert(match: re.Match[str]) -> str:
            member = self._member(place.around[-1], [match["name"]], place)
            if member is None or len(member.verdict.new) != len(self._rules.convert(member.anchor).new) + 1:
                return match[0]
            found.append(member.verdict)
            return match["mark"] + member.verdict.new[-1]

        text = _MACRO.sub(convert, place.green) if place.around else place.green
        for verdict in found[:1]:
            assert verdict.rule is not None
            self._work.change(place, verdict.rule, token_text(place.green), token_text(text))
            self._work.edit(place.path, lambda root, path: replaced(root, path, text))
