"""A registry of robots in the user's own package: a file with an entry for each module, which is kept up to date."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from urdf_frontend.typed_modules.blueprint import TypesError, member_names
from urdf_frontend.typed_modules.layout import (
    ELLIPSIS,
    RUNTIME,
    annotated,
    assignment,
    class_of,
    function,
    joined_texts,
    literal,
    mapping,
    name,
    runtime,
    subscript,
    text_line,
    text_of,
    union,
)
from urdf_frontend.typed_modules.python_text import PythonText, members_of, name_of, spliced
from urdf_frontend.typed_modules.statements import Statement

_IDS: Final = "RobotId"
_CLASS: Final = "Robots"
_CONSTANT: Final = "ROBOTS"
_FUNCTION: Final = "get_robot"
_IMPORTS: Final = "imports"  # what checkers import, which has no name of its own
_CHECKING: Final = "typing.TYPE_CHECKING"
_SKELETON: Final = "Skeleton"


@frozen
class RegistryEntry:
    """A robot: what it is asked for by, its module as the registry imports it, its constant and its class there."""

    id: str
    module: str
    constant: str
    skeleton: str

    @property
    def place(self) -> str:
        """Where it is: `module:NAME`."""
        return f"{self.module}:{self.constant}"


def module_as_seen_from(registry: Path, module: Path) -> str:
    """What a registry calls a module in its own folder, or in a folder below: `.panda` if both are in a package."""
    try:
        inside = module.absolute().relative_to(registry.absolute().parent).with_suffix("")
    except ValueError:
        raise TypesError(
            f"{module} must be in the folder of {registry}, or below: a registry is of one package"
        ) from None
    wrong = [part for part in inside.parts if not part.isidentifier()]
    if wrong:
        raise TypesError(f"'{wrong[0]}' can't be the name of a module: choose another one for {module}")
    start = "." if (registry.parent / "__init__.py").exists() or registry.name == "__init__.py" else ""
    return start + ".".join(inside.parts)


def updated_registry(old: bytes | None, entry: RegistryEntry, file: str) -> bytes:
    """The registry with an entry, in place of one with the same id; all else stays, byte for byte."""
    python = PythonText.read(old or b"", file)
    statements = _statements_of(python)
    if python.tree.body and _CONSTANT not in statements:
        raise TypesError(f"{file} is not a registry of `modelica-patch urdf types`: it has no {_CONSTANT}")
    members = members_of(statements.get(_IDS))
    kept = [each for each in _entries(statements, members) if each.id != entry.id]
    others = [each.id for each in kept if each.skeleton == entry.skeleton]
    if others:
        raise TypesError(f"{file}: '{others[0]}' has a {entry.skeleton} too: choose another --prefix for one of them")
    entries = sorted([*kept, entry], key=lambda each: each.id)
    new = _new_statements(entries, member_names("robot", (each.id for each in entries), members))
    imports: list[ast.stmt] = [
        ast.Import([ast.alias("typing")]),
        ast.ImportFrom("urdf_frontend", [ast.alias(RUNTIME)], 0),
    ]
    if python.tree.body:
        return python.encode(spliced(python, statements, new, imports))
    description = (
        "The robots of this package.\n\n"
        "Kept by `modelica-patch urdf types --registry`, which leaves alone what else you write here.\n"
    )
    texts = [text_of(node) for node in (text_line(description), *imports, *(each.node for _, each in new))]
    return joined_texts(texts).encode()


def _statements_of(python: PythonText) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in python.tree.body:
        title = _IMPORTS if _is_import_block(node) else name_of(node)
        if title in {_IMPORTS, _IDS, _CLASS, _CONSTANT, _FUNCTION}:
            found.setdefault(title, node)
    return found


def _is_import_block(node: ast.stmt) -> bool:
    """Imports of robots' classes for checkers, and nothing else."""
    return (
        isinstance(node, ast.If)
        and ast.unparse(node.test) == _CHECKING
        and all(
            isinstance(each, ast.ImportFrom) and all(alias.name.endswith(_SKELETON) for alias in each.names)
            for each in node.body
        )
    )


def _entries(statements: dict[str, ast.stmt], members: dict[str, str]) -> list[RegistryEntry]:
    classes: dict[str, str] = {}
    block = statements.get(_IMPORTS)
    for node in block.body if isinstance(block, ast.If) else ():
        if isinstance(node, ast.ImportFrom):
            classes["." * node.level + (node.module or "")] = node.names[0].name
    call = getattr(statements.get(_CONSTANT), "value", None)
    places = call.args[0] if isinstance(call, ast.Call) and call.args else None
    by_member = {member: value for value, member in members.items()}
    found: list[RegistryEntry] = []
    for key, value in zip(places.keys, places.values, strict=True) if isinstance(places, ast.Dict) else ():
        match key, value:
            case ast.Attribute(attr=member), ast.Constant(value=str(place)) if member in by_member:
                module, _, constant = place.partition(":")
                if module in classes:
                    found.append(RegistryEntry(by_member[member], module, constant, classes[module]))
    return found


def _new_statements(entries: Sequence[RegistryEntry], members: dict[str, str]) -> list[tuple[str, Statement]]:
    ids = {each.id: name(f"{_IDS}.{members[each.id]}") for each in entries}
    imports: list[ast.stmt] = [_class_import(each) for each in entries]
    block = ast.fix_missing_locations(ast.If(name(_CHECKING), imports, []))
    body: list[ast.stmt] = [text_line("The robots of this package.")]
    body += [assignment(members[each.id], literal(each.id)) for each in entries]
    places = mapping((ids[each.id], literal(each.place)) for each in entries)
    constant = ast.Call(name(_CLASS), [places, name("__package__")], [])
    nodes = {
        _IMPORTS: block,
        _IDS: class_of(_IDS, runtime("RobotId"), body),
        _CLASS: _registry_class(entries, ids),
        _CONSTANT: annotated(_CONSTANT, name("typing.Final"), constant),
        _FUNCTION: assignment(_FUNCTION, name(f"{_CONSTANT}.__getitem__")),
    }
    return [(title, Statement(title, node)) for title, node in nodes.items()]


def _class_import(entry: RegistryEntry) -> ast.stmt:
    bare = entry.module.lstrip(".")
    return ast.ImportFrom(bare, [ast.alias(entry.skeleton)], len(entry.module) - len(bare))


def _registry_class(entries: Sequence[RegistryEntry], ids: dict[str, ast.expr]) -> ast.stmt:
    """Overloads that say of which class each robot is, for its id and for its text."""
    overload = [name("typing.overload")]
    anything = runtime("AnySkeleton")
    methods: list[ast.stmt] = [
        function(
            "__getitem__",
            {"self": None, "robot": subscript(name("typing.Literal"), ids[each.id], literal(each.id))},
            literal(each.skeleton),
            [ELLIPSIS],
            overload,
        )
        for each in entries
    ]
    methods.append(function("__getitem__", {"self": None, "robot": name(_IDS)}, anything, [ELLIPSIS], overload))
    loaded = ast.Return(ast.Call(name("self.load"), [name("robot")], []))
    every = union(name(_IDS), name("str"))
    methods.append(function("__getitem__", {"self": None, "robot": every}, anything, [loaded]))
    body = [text_line("Each robot by its id."), *methods]
    return class_of(_CLASS, subscript(runtime("Registry"), name(_IDS)), body)
