"""Names that lead to a thing, and what a change of it is about."""

from __future__ import annotations

from modelica_ast.compare.things import Thing


def path_of(thing: Thing) -> tuple[tuple[str, ...], str]:
    """The names that lead to a thing, and how many of them name classes, as `Change.class_name` has it."""
    names: list[str] = []
    classes: list[str] = []
    inner: Thing | None = None
    for each in (thing, *thing.around):
        is_clause_around = each.shape == "clause" and inner is not None and inner.key == "components"
        if each.name and not is_clause_around:
            names.append(each.name)
            if each.what == "class" and each.shape == "class":
                classes.append(each.name)
        inner = each
    return tuple(reversed(names)), "\0".join(reversed(classes))


def subject(thing: Thing) -> str:
    """What a change is about: everything inside an annotation is about that."""
    if thing.what != "comment" and any(each.what == "annotation" for each in thing.around):
        return "annotation"
    return thing.what
