"""What edits break: a modifier, an end of a connection or an annotation that is not there, connectors that do not fit.

Only what is new is judged. So an edit is not blamed for what was wrong before, and only those names are looked up that
it has written.
"""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.library import Surroundings
from modelica_ast.rules.annotations import check_annotations
from modelica_ast.rules.class_text import builtin_names
from modelica_ast.rules.connections import check_connections
from modelica_ast.rules.context import ClassCheck, Findings, Known
from modelica_ast.rules.modifiers import check_modifiers
from modelica_ast.rules.table import EDITED, Finding
from modelica_ast.semantics import Classes, Definition, LoneFile, Meanings, definitions_of, with_inner
from modelica_ast.syntax import KINDS, Green
from modelica_ast.tree import StoredDefinition, View

_ABOUT_ANNOTATIONS: Final = frozenset({"misspelt-annotation", "graphics"})


def check_edits(surroundings: Surroundings, before: StoredDefinition) -> list[Finding]:
    """What edits of a document have named that is not there, in the order of the text.

    `before` is the tree that the document had; what both trees share is not judged. The codes are those of
    `rules.table.EDITED`. Where it is not certain that something is not there, nothing is said.
    """
    old = {_path(each): each for each in with_inner(definitions_of(before.classes))}
    unchanged = {id(each.view.green) for each in old.values()}
    findings = _NewFindings()
    known = _known(surroundings.classes, findings)
    for definition in with_inner(surroundings.tops):
        if id(definition.view.green) not in unchanged:
            former = old.get(_path(definition))
            findings.old = _nodes_of(former)
            _check_class(ClassCheck(definition, known), findings.old)
            if former is not None and _ABOUT_ANNOTATIONS.intersection(each.code for each in findings.found):
                findings.forget(_wrong_annotations(former, before))
    found = [finding for finding in findings.found if finding.code in EDITED]
    return sorted(found, key=lambda finding: finding.offset)


def _wrong_annotations(definition: Definition, tree: StoredDefinition) -> list[Finding]:
    """What was wrong with the annotations of a class already. One that is changed is a new tree as a whole."""
    findings = Findings()
    check_annotations(ClassCheck(definition, _known(Classes(LoneFile(tree)), findings)))
    return findings.found


def _known(classes: Classes, findings: Findings) -> Known:
    """What is around a class: nobody says that all libraries are open."""
    return Known(
        Meanings(classes, builtin_names(())),
        findings,
        is_root_complete=False,
        are_libraries_open=False,
        is_expected=lambda _: True,
        is_extended=lambda _: True,
    )


class _NewFindings(Findings):
    """Collects what is found in new nodes."""

    old: frozenset[int] = frozenset()

    def forget(self, former: list[Finding]) -> None:
        """Leave out what was found before."""
        known = {(each.code, each.message) for each in former}
        self.found = [each for each in self.found if (each.code, each.message) not in known]

    def add(self, code: str, view: View, message: str, hint: str = "", **more: Any) -> None:
        """Something that a rule found."""
        holder = view.parent if isinstance(view.green, str) and view.parent is not None else view
        if id(holder.green) not in self.old:
            super().add(code, view, message, hint, **more)


def _check_class(check: ClassCheck, old: frozenset[int]) -> None:
    text = check.text
    text.arguments = [each for each in text.arguments if id(each.green) not in old]
    text.connections = [each for each in text.connections if id(each.green) not in old]
    text.annotations = [each for each in text.annotations if id(each.green) not in old]
    check_modifiers(check)
    check_connections(check)
    check_annotations(check)


def _path(definition: Definition) -> tuple[str, ...]:
    names = [definition.name]
    while definition.parent is not None:
        definition = definition.parent
        names.append(definition.name)
    return tuple(names)


def _nodes_of(definition: Definition | None) -> frozenset[int]:
    """All nodes and leaves of a class, without those of classes inside it, which are looked at separately."""
    found: set[int] = set()
    todo: list[Green] = [] if definition is None else [definition.view.green]
    while todo:
        green = todo.pop()
        if id(green) in found or (found and type(green) is tuple and KINDS[green[0]] == "class_definition"):
            continue
        found.add(id(green))
        if type(green) is tuple:
            todo += green[1:]
    return frozenset(found)
