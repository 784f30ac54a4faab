"""`modelica-patch show`: what is in a file?"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modelica_ast import find_all, parse_file, walk
from modelica_ast.cli.terminal import EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, complain, styled
from modelica_ast.views import ClassDefinition, Component, ConnectEquation, StoredDefinition

_DESCRIPTION = """\
Show the outline of a Modelica file: classes, what they extend and import, components with types and values,
connections. FILE::Package.Class shows one class of it.
"""


def add_command(commands: Any) -> None:
    """Add `show` to the command line."""
    parser = commands.add_parser("show", help="the outline of a file or a class", description=_DESCRIPTION)
    parser.add_argument("target", metavar="FILE[::CLASS]", help="a .mo file, with `::` and a class in it if you like")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show the target; the exit code."""
    file, _, name = str(options.target).partition("::")
    try:
        tree = parse_file(Path(file), recover=True)
    except OSError as error:
        complain(f"{file}: {error.strerror or error}")
        return EXIT_USAGE
    classes = tree.classes
    if name:
        found = _find_class(tree, name)
        if isinstance(found, str):
            complain(f"{file}: {found}")
            return EXIT_USAGE
        classes = [found]
    if options.json:
        json.dump({"within": tree.within, "classes": [_class_data(c) for c in classes]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        for definition in classes:
            for line in _outline(definition, ""):
                sys.stdout.write(line + "\n")
    for broken in tree.errors:
        sys.stderr.write(f"{broken}\n")
    return EXIT_PROBLEMS if tree.errors else EXIT_OK


def _find_class(tree: StoredDefinition, name: str) -> ClassDefinition | str:
    """The class of a dotted name, with or without `within` before it; else a sentence."""
    if tree.within and name.startswith(tree.within + "."):
        name = name[len(tree.within) + 1 :]
    around, scope = "the file", tree.classes
    found: ClassDefinition | None = None
    for part in name.split("."):
        found = next((c for c in scope if c.name == part), None)
        if found is None:
            near = difflib.get_close_matches(part, [c.name for c in scope], 1)
            return f"no class '{part}' in {around}" + (f"; did you mean '{near[0]}'?" if near else "")
        around, scope = f"'{found.name}'", found.classes
    assert found is not None  # a name has one part at least
    return found


def _outline(definition: ClassDefinition, indent: str) -> Iterator[str]:
    prefix = "partial " if definition.is_partial else ""
    name = styled(definition.name, "name", sys.stdout)
    yield f"{indent}{prefix}{definition.class_kind} {name}{_quoted(definition)}"
    inner = indent + "  "
    specifier = definition.specifier
    if definition.composition is None:
        text = " ".join(specifier.text.partition("=")[2].split())
        yield f"{inner}= {text if len(text) <= 100 else text[:97] + '...'}"  # noqa: PLR2004
    for clause in definition.extends:
        yield f"{inner}extends {clause.type}{_flat(clause.arguments)}"
    for imported in definition.imports:
        yield f"{inner}{' '.join(imported.text.split())}"
    for component in definition.components:
        yield inner + _component_line(component)
    for connect in find_all(definition, ConnectEquation, lambda c: _owner(c) == definition):
        yield f"{inner}connect({connect.left}, {connect.right})"
    for nested in definition.classes:
        yield from _outline(nested, inner)


def _component_line(component: Component) -> str:
    words = [*component.prefixes, str(component.type) + _flat(component.clause.subscripts)]
    text = " ".join([*words, component.name]) + _flat(component.subscripts) + _flat(component.modification)
    if component.condition is not None:
        text += f" if {' '.join(component.condition.expression.text.split())}"
    protected = styled("protected ", "dim", sys.stdout) if component.is_protected else ""
    return protected + text + _quoted(component)


def _owner(connect: ConnectEquation) -> ClassDefinition | None:
    return next((view for view in connect.ancestors if isinstance(view, ClassDefinition)), None)


def _flat(view: Any) -> str:
    """On one line, without comments, shortened; a modification that binds gets blanks around its `=`."""
    if view is None:
        return ""
    leaves = [token for token in walk(view, tokens=True) if not token.children]
    text = "".join((" " if token.leading else "") + token.text for token in leaves).strip().replace("( ", "(")
    text = f" = {text[1:].strip()}" if text.startswith("=") else text
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004


def _quoted(view: ClassDefinition | Component) -> str:
    if view.description is None:
        return ""
    text = " ".join(view.description.value.split())
    return f'  "{text if len(text) <= 80 else text[:77] + "..."}"'  # noqa: PLR2004


def _class_data(definition: ClassDefinition) -> dict[str, Any]:
    position = definition.position
    return {
        "name": definition.full_name,
        "kind": definition.class_kind,
        "partial": definition.is_partial,
        "description": definition.description.value if definition.description else None,
        "line": position.line,
        "extends": [str(clause.type) for clause in definition.extends],
        "imports": [" ".join(clause.text.split()) for clause in definition.imports],
        "components": [_component_data(component) for component in definition.components],
        "connections": [
            [str(c.left), str(c.right)]
            for c in find_all(definition, ConnectEquation, lambda c: _owner(c) == definition)
        ],
        "classes": [_class_data(nested) for nested in definition.classes],
    }


def _component_data(component: Component) -> dict[str, Any]:
    return {
        "name": component.name,
        "type": str(component.type),
        "prefixes": list(component.prefixes),
        "protected": component.is_protected,
        "dimensions": [str(s) for s in (component.clause.subscripts, component.subscripts) if s is not None],
        "modification": component.modification.text if component.modification else None,
        "condition": component.condition.expression.text if component.condition else None,
        "description": component.description.value if component.description else None,
        "line": component.position.line,
    }
