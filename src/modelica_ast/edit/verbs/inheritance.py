"""Extends clauses and imports: what a class takes from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from modelica_ast.edit.draft import body_of
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.grafts import grafted
from modelica_ast.edit.placement import Insertion, class_of, line_starts, put_in_body
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.values import Given, identifier, names, parsed, value_green
from modelica_ast.edit.verbs.modifiers import Names, with_value
from modelica_ast.edit.verbs.renames import refuse_captures
from modelica_ast.foundation import AmbiguousError, EditError, NotFoundError, nearest
from modelica_ast.semantics import imported_names
from modelica_ast.syntax import Green, Node, leaves, make_node, tokens, with_prefix
from modelica_ast.tree import ClassDefinition, Element, ExtendsClause, ImportClause, Name, Token, View

_Clause = TypeVar("_Clause", ExtendsClause, ImportClause)

# ---------------------------------------------------------------- extends


def find_extends(owner: ClassDefinition, base: str) -> ExtendsClause:
    """The extends clause of a base class, named as it is written."""
    found = [clause for clause in owner.extends if str(clause.type) == base]
    name = owner.name_in_file
    if not found:
        known = [str(clause.type) for clause in owner.extends]
        raise NotFoundError(f"'{name}' does not extend '{base}'{nearest(base, known)}")
    if len(found) > 1:
        raise AmbiguousError(f"'{name}' extends '{base}' {len(found)} times")
    return found[0]


def _refuse_base(owner: ClassDefinition, base: str) -> None:
    if any(str(clause.type) == base for clause in owner.extends):
        raise EditError(f"'{owner.name_in_file}' extends '{base}' already")


def add_extends(
    edit: ExactEditor, owner: ClassDefinition, base: str, modifiers: Mapping[str, Given] | None = None
) -> None:
    """Add an extends clause: after the last one, else before the first component."""
    type_ = parsed(base, "type_specifier", "a class")
    _refuse_base(owner, "".join(tokens(type_)))
    near, start = (body_of(owner).green,), line_starts(body_of(owner))[1]
    clause = make_node("extends_clause", "extends", with_prefix(type_, " "))
    for path, value in (modifiers or {}).items():
        clause = grafted(*with_value(ExtendsClause.of(clause), names(path), value_green(value, near, start), near))
    _put(edit, owner, clause, owner.extends)


def remove_extends(edit: ExactEditor, clause: ExtendsClause, *, comments: Comments = "drop") -> None:
    """Remove the extends clause of a base class, named as it is written."""
    edit.remove(clause, comments=comments)


def set_extends_base(edit: ExactEditor, clause: ExtendsClause, new: str) -> None:
    """Let an extends clause lead to another base class; its modifiers and its annotation stay."""
    type_ = Name.of(parsed(new, "type_specifier", "a class"))
    owner = class_of(clause)
    if str(type_) != str(clause.type):
        _refuse_base(owner, str(type_))
        edit.replace(clause.type, type_)


# ---------------------------------------------------------------- import clauses


def imports(owner: ClassDefinition) -> list[str]:
    """What a class imports, as it is written: `A.B`, `C=A.B`, `A.B.{C,D}`, `A.B.*`."""
    return [_written(clause) for clause in owner.imports]


def add_import(
    edit: ExactEditor,
    owner: ClassDefinition,
    name: str,
    *,
    alias: str | None = None,
    members: list[str] | None = None,
    wildcard: bool = False,
) -> None:
    """Add an import: `A.B`; with an alias `C = A.B`; with members `A.B.{C, D}`; as a wildcard `A.B.*`."""
    clause = _import(name, alias, members, wildcard=wildcard)
    text = _written(ImportClause.of(clause))
    if text in imports(owner):
        raise EditError(f"'{owner.name_in_file}' imports '{text}' already")
    new = {local: parts for local, parts in imported_names(ImportClause.of(clause)) if local}
    _refuse_clashes(edit, owner, new)
    refuse_captures(edit, owner, _all_of(edit, owner, names(name)) if wildcard else new)
    _put(edit, owner, clause, owner.imports)


def _refuse_clashes(edit: ExactEditor, owner: ClassDefinition, new: Mapping[str, Names]) -> None:
    """EditError if a class declares or imports something of a name that an import would bring."""
    scope = edit.scope(body_of(owner))
    for local in new:
        if local in scope.components or local in scope.classes:
            raise EditError(f"'{local}' is declared in '{owner.name_in_file}': import it under another name")
    for other in owner.imports:
        for local, _ in imported_names(other):
            if local in new:
                raise EditError(f"'import {_written(other)}' brings '{local}' already: import it under another name")


def _all_of(edit: ExactEditor, owner: ClassDefinition, package: Names) -> dict[str, Names]:
    """What an import of all names of a package brings; imports of single names go before it."""
    lookup = edit.lookup()
    found = lookup.resolve(None, package, is_global=True)[-1]
    named = {local for clause in owner.imports for local, _ in imported_names(clause)}
    return {} if found is None else {each: (*package, each) for each in lookup.names_in(found) if each not in named}


def remove_import(
    edit: ExactEditor,
    owner: ClassDefinition,
    name: str,
    *,
    alias: str | None = None,
    members: list[str] | None = None,
    wildcard: bool = False,
    comments: Comments = "drop",
) -> None:
    """Remove an import, named as for `add_import`; its description and annotation don't matter."""
    text = _written(ImportClause.of(_import(name, alias, members, wildcard=wildcard)))
    found = next((clause for clause in owner.imports if _written(clause) == text), None)
    if found is None:
        raise NotFoundError(f"'{owner.name_in_file}' does not import '{text}'{nearest(text, imports(owner))}")
    edit.remove(found, comments=comments)


def add_import_member(
    edit: ExactEditor,
    owner: ClassDefinition,
    name: str,
    member: str,
    *,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Add one name to the list of an import: `D` to `import A.B.{C}`; last, unless `before` or `after` say where."""
    there, where = _import_list(owner, name), Insertion(before, after)
    if identifier(member) in there:
        raise EditError(f"'{owner.name_in_file}' imports '{member}' of '{name}' already")
    beside = [*there.values()][-1] if where.neighbour is None else _member(there, name, where.neighbour)
    brought = {identifier(member): (*names(name), identifier(member))}
    _refuse_clashes(edit, owner, brought)
    refuse_captures(edit, owner, brought)
    (edit.insert_after if where.before is None else edit.insert_before)(beside, Token.of(identifier(member)))


def remove_import_member(
    edit: ExactEditor, owner: ClassDefinition, name: str, member: str, *, comments: Comments = "drop"
) -> None:
    """Take one name out of the list of an import; the import of the last one goes."""
    there = _import_list(owner, name)
    found = _member(there, name, member)
    clause = next(each for each in found.ancestors if isinstance(each, ImportClause))
    edit.remove(clause if len(clause.imported) == 1 else found, comments=comments)


def _member(there: Mapping[str, View], name: str, member: str) -> View:
    found = there.get(identifier(member))
    if found is None:
        raise NotFoundError(f"'{member}' is not in the list of the import of '{name}'{nearest(member, there)}")
    return found


def _import_list(owner: ClassDefinition, name: str) -> dict[str, View]:
    """The names in the lists of all imports of a package."""
    written = "".join(tokens(parsed(name, "name", "a name")))
    lists = [(each.name, each.members) for each in owner.imports if each.members is not None]
    found = [members for package, members in lists if package == written]
    if not found:
        known = nearest(written, [package for package, _ in lists])
        raise NotFoundError(f"'{owner.name_in_file}' has no import '{written}.{{…}}'{known}")
    return {there: each for one in found for (_, there), each in zip(one.names, one.items, strict=True)}


def _import(name: str, alias: str | None, members: list[str] | None, *, wildcard: bool) -> Node:
    if sum([alias is not None, members is not None, wildcard]) > 1:
        raise EditError("an import has an alias, members or a wildcard, not several of them")
    if members == []:
        raise EditError("a list of members has at least one: 'A.B.{C}'")
    green = with_prefix(parsed(name, "name", "a name"), " ")
    if alias is not None:
        return make_node("import_clause", "import", " " + identifier(alias), " =", green)
    parts: list[Green] = ["import", *leaves(green)]
    if wildcard:
        parts.append(".*")
    elif members is not None:
        items: list[Green] = []
        for member in members:
            items += [",", " " + identifier(member)] if items else [identifier(member)]
        parts += [".", "{", make_node("import_list", *items), "}"]
    return make_node("import_clause", *parts)


def _written(clause: ImportClause) -> str:
    """An import without its keyword, description and annotation. (`A.*` may be one token or two.)"""
    skipped = (clause.description, clause.annotation)
    _, *parts = clause.children
    return "".join("".join(tokens(part.green)) for part in parts if part not in skipped)


def _put(edit: ExactEditor, owner: ClassDefinition, clause: Node, like: list[_Clause]) -> None:
    """After the last clause of its kind, else before the first element."""
    element = make_node("element", clause, ";")
    if like and like[-1].element is not None:
        edit.put_line(like[-1].element, element)
        return
    body = body_of(owner)
    first = body.children[:1]
    if first and isinstance(first[0], Element):
        edit.put_line(first[0], element, before=True)
    else:
        put_in_body(edit, body, 1, element, line_starts(body)[1])
