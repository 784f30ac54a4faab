"""Names of the old library wherever they are written: types, references, members, links, texts of icons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from modelica_ast.edit import Path as TreePath, at, insert_after, node_of, prefix_of, replaced
from modelica_ast.foundation import split_name
from modelica_ast.refactor import imports
from modelica_ast.refactor.conversion.rules import ConvertMessage, Meaning, Rule, Rules, Verdict
from modelica_ast.refactor.conversion.work import Around, FileWork, Visit, is_global, names_of, one_line, rewritten
from modelica_ast.semantics import FullName, Outside, Target
from modelica_ast.syntax import Node, Prefix, child, children_of, make_node, token_text, with_prefix
from modelica_ast.tree import ElementModification, Name, NamedArgument, Token

# ---------------------------------------------------------------- imported names
# Import clauses of one file: classes have other names, what is imported keeps its name in the importing class.


def convert_import(work: FileWork, visit: Visit) -> None:
    """`import A.B`, `import A.*`, `import A.{b, c}`; the name in `import B = A.C` is one like any other."""
    clause = node_of(visit.view)
    if imports.is_renaming(clause):
        return
    full = imports.imported(clause)
    if child(clause, "import_list") is not None:
        _convert_list(work, visit, full)
        return
    verdict = work.rules.convert(full)
    if isinstance(verdict.rule, ConvertMessage):
        work.message(visit, verdict.rule)
    elif verdict.rule is not None:
        is_open = any(type(part) is str and token_text(part) in (".*", "*") for part in children_of(clause, 3))
        work.need(visit, verdict.new[0])
        work.replace(visit, imports.with_imported(clause, verdict.new, keeps_name=not is_open), verdict.rule)


def _convert_list(work: FileWork, visit: Visit, package: FullName) -> None:
    base = work.rules.convert(package).new
    stay: list[tuple[str, str] | None] = []
    go: list[tuple[str, FullName]] = []
    used: Rule | None = None
    for name, there in imports.listed(node_of(visit.view)):
        verdict = work.rules.convert((*package, there))
        if isinstance(verdict.rule, ConvertMessage):
            work.message(visit, verdict.rule)
        else:
            used = used or verdict.rule
        if verdict.new[:-1] == base:
            stay.append((name, verdict.new[-1]))
        else:
            stay.append(None)
            go.append((name, verdict.new))
    if used is None:
        return
    clause = imports.with_list(node_of(visit.view), base, stay)
    if clause is None:  # nothing stays in the list: the first of the others takes its place
        clause = with_prefix(imports.new_import(*go.pop(0)), prefix_of(visit.view.green))
    added = [make_node("element", imports.new_import(name, full), ";") for name, full in go]
    after = " ".join([f"{one_line(clause)};", *map(one_line, added)])
    work.change(visit, used, f"{one_line(visit.view.green)};", after)
    work.edit(visit.view.path, _ReplaceImport(clause, added))


class _ReplaceImport:
    """An import of a list becomes another one, with imports after it for what is no longer in one package."""

    def __init__(self, clause: Node, added: Sequence[Node]) -> None:
        self._clause = clause
        self._added = added

    def __call__(self, root: Node, path: TreePath) -> Node:
        element = path[:-1]
        line_start = Prefix.of(prefix_of(at(root, element))).line_start
        for new in reversed(self._added):
            root = insert_after(root, element, new, line_start)
        return replaced(root, path, self._clause)


# ---------------------------------------------------------------- links
# `modelica://` links to classes that have other names now.

_IDENT: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*|'[^'\"]+')"
_LINK: Final = re.compile(rf"(?P<scheme>modelica://)(?P<name>{_IDENT}(?:\.{_IDENT})*)(?P<folder>/?)", re.IGNORECASE)


class Link(NamedTuple):
    """A link that a rule speaks of."""

    offset: int
    old: str
    new: str
    rule: Rule
    is_resource: bool  # a file of the old library: where that is now, no rule says


def converted_links(text: str, rules: Rules) -> tuple[str, list[Link]]:
    """A text with its links converted, and those that a rule speaks of."""
    found: list[Link] = []

    def convert(match: re.Match[str]) -> str:
        verdict = rules.convert(tuple(split_name(match["name"])))
        if verdict.rule is None or isinstance(verdict.rule, ConvertMessage):
            return match[0]
        new = match["scheme"] + ".".join(verdict.new)
        found.append(Link(match.start(), match["scheme"] + match["name"], new, verdict.rule, bool(match["folder"])))
        return match[0] if match["folder"] else new

    return _LINK.sub(convert, text), found


# ---------------------------------------------------------------- written names

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

    def reference(self, visit: Visit, kind: str) -> None:
        """A type or a component reference."""
        written = names_of(visit.view.green)
        from_root = is_global(visit.view.green)
        first = self._names.top(written[0]) if from_root else self._names.first(visit.around, written[0])
        is_reference = kind == "component_reference"
        if first is None:
            if is_reference and self._may_be_renamed(written[1:]) and not self._work.is_local(visit):
                self._work.undecided(visit, written, written[0])
        elif isinstance(first, Target):
            member = self._member(first, written[1:], visit)
            if member is not None:
                self._write(visit, kind, member.verdict, written[: member.kept + 1], member.anchor)
        else:
            full = (*first.name, *written[1:])
            verdict = self._work.fates.get(visit.view.path) or self._rules.convert(full)
            if verdict.rule is None or (is_reference and self._work.is_local(visit)):
                self._check(visit, full)
            elif isinstance(verdict.rule, ConvertMessage):
                self._work.message(visit, verdict.rule)
            else:
                self._write(visit, kind, verdict, written[:1] if first.is_alias else [], first.anchor)

    def full_name(self, visit: Visit) -> None:
        """The name after `import A =`."""
        full = tuple(names_of(visit.view.green))
        verdict = self._rules.convert(full)
        if isinstance(verdict.rule, ConvertMessage):
            self._work.message(visit, verdict.rule)
        elif verdict.rule is not None:
            self._write(visit, "name", verdict, [], ())
        else:
            self._check(visit, full)

    def _check(self, visit: Visit, full: FullName) -> None:
        """A package of which only the classes have other names may be gone; the new library tells, if it is there."""
        if self._rules.know(full) and self._names.is_gone(full):
            self._work.note(visit, f"'{'.'.join(full)}' is not in the new library, and no rule says what became of it")

    def _write(self, visit: Visit, kind: str, verdict: Verdict, kept: Sequence[str], anchor: FullName) -> None:
        """Let a written name be the new one: what is kept, and after it what the new anchor lacks."""
        assert verdict.rule is not None
        base, new, old = self._rules.convert(anchor).new, verdict.new, names_of(visit.view.green)
        goes_on = new[: len(base)] == base and (kept or len(new) > len(base))
        names = [*kept, *new[len(base) :]] if goes_on else list(new)
        is_full = not goes_on or not (kept or anchor)
        if names == old:
            return
        if is_full and kept and self._is_component(visit, kept):
            self._work.undecided(visit, old, kept[-1])
            return
        if not is_full and not kept and self._means_another(visit, names[0], new[: len(base) + 1]):
            text = f"'{'.'.join(old)}' becomes '{'.'.join(names)}', a name that means something else here"
            self._work.note(visit, text, verdict.rule)
            return
        from_root = is_full and kind != "name" and (is_global(visit.view.green) or self._is_hidden(visit, names[0]))
        green = rewritten(visit.view.green, kind, names, from_root=from_root)
        if green is None:
            text = f"'{one_line(visit.view.green)}' becomes '{'.'.join(names)}'; there is no place for its subscripts"
            self._work.note(visit, text, verdict.rule)
            return
        if is_full:
            self._work.need(visit, names[0])
        self._work.replace(visit, green, verdict.rule)

    def _means_another(self, visit: Visit, name: str, new: FullName) -> bool:
        """Does a simple name stand for something else than it should?"""
        meaning = self._names.first(visit.around, name)
        return meaning is not None and not (
            isinstance(meaning, Outside) and self._rules.convert(meaning.name).new == new
        )

    def _is_component(self, visit: Visit, kept: Sequence[str]) -> bool:
        meaning = self._names.resolve(visit.around, kept)[-1]
        return isinstance(meaning, Target) and self._names.lookup.kind(meaning) != "class_definition"

    def _is_hidden(self, visit: Visit, root: str) -> bool:
        """Does something of the user have the name of the library that a full name starts with?"""
        meaning = self._names.first(visit.around, root)
        return (
            isinstance(meaning, Target) and meaning != self._names.lookup.resolve_places((), [root], is_global=True)[0]
        )

    # ------------------------------------------------------------ members

    def _member(self, meaning: Meaning, parts: Sequence[str], visit: Visit) -> Member | None:
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
                        self._work.message(visit, verdict.rule)
                elif verdict.new != self._rules.convert(base).new + rest:
                    return Member(kept, base, verdict)
            if bases and self._may_be_renamed(parts[kept + 1 :]):
                self._work.undecided(visit, parts, part)
            return None
        return None

    def _may_be_renamed(self, parts: Sequence[str]) -> bool:
        return not self._rules.element_names.isdisjoint(parts)

    def modifier_name(self, visit: Visit) -> None:
        """The name of a modifier is that of a member of what it modifies."""
        if visit.view.path[:-1] not in self._work.spent:
            self._write_member(visit, names_of(visit.view.green))

    def member_token(self, visit: Visit) -> None:
        """A lone identifier that names a member: of a call, of a redeclaration."""
        self._write_member(visit, [visit.view.text])

    def inherited_name(self, token: Token, around: Around) -> None:
        """The name of a declaration that replaces an inherited one."""
        for base in self._names.outside_of(around[-1]) if around else ():
            if self._rules.know((*base, token.text)):
                self.member_token(Visit(token, around, Outside(base)))
                return

    def _write_member(self, visit: Visit, names: Sequence[str]) -> None:
        member = self._member(visit.owner, names, visit) if visit.owner is not None else None
        if member is None:
            return
        base, new = self._rules.convert(member.anchor).new, member.verdict.new
        written = [*names[: member.kept], *new[len(base) :]]
        is_modifier = isinstance(visit.view.parent, ElementModification | Name)
        assert member.verdict.rule is not None
        if new[: len(base)] != base or (len(written) > 1 and not is_modifier):
            text = f"'{'.'.join(names)}' becomes '{'.'.join(new)}', which can't be written here"
            self._work.note(visit, text, member.verdict.rule)
            return
        green = rewritten(visit.view.green, "name", written)
        assert green is not None  # a name has no subscripts
        self._work.replace(visit, green, member.verdict.rule)

    # ------------------------------------------------------------ links

    def link(self, visit: Visit) -> None:
        """A text with `modelica://` in it."""
        prefix, token = visit.view.leading, visit.view.text
        text, links = converted_links(token, self._rules)
        for link in links:
            if link.is_resource:
                about = f"'{link.old}/…' is a file of the old library, and no rule says where it is now"
                self._work.note(visit, about, link.rule, further=link.offset)
            else:
                self._work.change(visit, link.rule, link.old, link.new, further=link.offset)
        if text != token:
            self._work.edit(visit.view.path, lambda root, path: replaced(root, path, prefix + text))

    def macros(self, visit: Visit) -> None:
        """A text of an icon: `%name` shows the value of a parameter of the class."""
        argument, leaf = visit.view.parent, visit.view.green
        assert isinstance(leaf, str)
        if not isinstance(argument, NamedArgument) or argument.name not in ("textString", "string"):
            return
        found: list[Verdict] = []

        def convert(match: re.Match[str]) -> str:
            member = self._member(visit.around[-1], [match["name"]], visit)
            if member is None or len(member.verdict.new) != len(self._rules.convert(member.anchor).new) + 1:
                return match[0]
            found.append(member.verdict)
            return match["mark"] + member.verdict.new[-1]

        text = _MACRO.sub(convert, leaf) if visit.around else leaf
        for verdict in found[:1]:
            assert verdict.rule is not None
            self._work.change(visit, verdict.rule, visit.view.text, token_text(text))
            self._work.edit(visit.view.path, lambda root, path: replaced(root, path, text))
