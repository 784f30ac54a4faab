"""Literals of enumerations."""

from __future__ import annotations

from modelica_ast.edit.components import describe
from modelica_ast.edit.errors import EditError, NotFoundError
from modelica_ast.edit.exact import ExactEditor
from modelica_ast.edit.placing import Insertion, class_of
from modelica_ast.edit.removals import Comments
from modelica_ast.edit.renaming import rename_thing
from modelica_ast.edit.values import identifier
from modelica_ast.identifiers import nearest, quoted
from modelica_ast.strings import quote
from modelica_ast.views.classes import ClassDefinition, EnumerationClassSpecifier, EnumerationLiteral, EnumList
from modelica_ast.views.modifications import Description


def literals_of(owner: ClassDefinition) -> list[EnumerationLiteral]:
    """The literals of an enumeration; EditError if a class is none, or an open one."""
    specifier = owner.specifier
    if not isinstance(specifier, EnumerationClassSpecifier):
        raise EditError(f"'{owner.name_in_file}' is not an enumeration")
    if specifier.colon is not None:
        raise EditError(f"'{owner.name_in_file}' is an open enumeration, 'enumeration(:)': it has no literals")
    return specifier.enum_list.items if specifier.enum_list is not None else []


def find_literal(owner: ClassDefinition, name: str) -> EnumerationLiteral:
    """The literal of a name; NotFoundError names the nearest."""
    known = {each.name: each for each in literals_of(owner)}
    found = known.get(name) or known.get(quoted(name))
    if found is None:
        raise NotFoundError(f"no literal '{name}' in '{owner.name_in_file}'{nearest(name, known)}")
    return found


def add_literal(
    edit: ExactEditor,
    owner: ClassDefinition,
    name: str,
    *,
    description: str | None = None,
    before: str | None = None,
    after: str | None = None,
    place: str | None = None,
) -> str:
    """Add a literal to an enumeration: last, unless `before`, `after` or `place` (first, last) say where."""
    there, where = literals_of(owner), Insertion(before, after, place)
    if where.place == "sorted":
        raise EditError("literals have an order of their own: the place of a new one is 'first' or 'last'")
    _refuse_known(owner, name)
    text = None if description is None else Description(text=quote(description))
    new = EnumerationLiteral(identifier=identifier(name), description=text)
    if not there:
        edit.change(owner.specifier, enum_list=EnumList(items=[new]))
    elif where.before is not None or where.place == "first":
        edit.insert_before(there[0] if where.before is None else find_literal(owner, where.before), new)
    else:
        edit.insert_after(there[-1] if where.after is None else find_literal(owner, where.after), new)
    return name


def _refuse_known(owner: ClassDefinition, name: str) -> None:
    if any(each.name == identifier(name) for each in literals_of(owner)):
        raise EditError(f"'{name}' is a literal of '{owner.name_in_file}' already")


def remove_literal(edit: ExactEditor, literal: EnumerationLiteral, *, comments: Comments = "drop") -> None:
    """Remove a literal of an enumeration; its uses elsewhere stay."""
    edit.remove(literal, comments=comments)


def rename_literal(edit: ExactEditor, literal: EnumerationLiteral, name: str) -> str:
    """Rename a literal and all its uses in the document; refused where the meaning of a name would change."""
    literal = edit.now(literal)
    if identifier(name) != literal.name:
        _refuse_known(class_of(literal), name)
        rename_thing(edit, literal, literal.name, identifier(name))
    return name


def set_literal_description(edit: ExactEditor, literal: EnumerationLiteral, text: str | None) -> None:
    """Set or (None) remove the description of a literal."""
    describe(edit, literal, literal.description, text)
