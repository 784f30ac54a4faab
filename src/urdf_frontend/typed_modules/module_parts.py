"""What of a module is generated: statements by their roles, which stay the same if the robot gets another prefix."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from attrs import frozen

from urdf_frontend.model import JointType
from urdf_frontend.typed import Source
from urdf_frontend.typed_modules.errors import TypesError
from urdf_frontend.typed_modules.member_names import constant_prefix
from urdf_frontend.typed_modules.python_text import PythonText, name_of
from urdf_frontend.typed_modules.statements import SOURCE, Statement

_KINDS = "|".join(kind.value.capitalize() for kind in JointType)
_CLASS_ROLES = re.compile(rf"LinkId|JointId|Skeleton|Axis|{_KINDS}|(Link|{_KINDS})Parameters\d*")
_CONSTANT_ROLES = re.compile(r"|_LINKAGE|_ARTICULATION")


@frozen
class ExistingModule:
    """A module that was generated earlier: what it was made from, and its generated statements by their roles."""

    python: PythonText
    source: Source
    statements: dict[str, ast.stmt]

    @property
    def link_members(self) -> dict[str, str]:
        """The members of the links, by their names in URDF; the user may have renamed them."""
        return members_of(self.statements.get("LinkId"))

    @property
    def joint_members(self) -> dict[str, str]:
        """The members of the joints, by their names in URDF."""
        return members_of(self.statements.get("JointId"))


def read_module(data: bytes, file: str) -> ExistingModule | None:
    """A module that was generated earlier; None if the file has no code. TypesError if it is something else."""
    python = PythonText.read(data, file)
    if not python.tree.body:
        return None
    by_name = {name_of(node): node for node in reversed(python.tree.body)}
    if SOURCE not in by_name:
        raise TypesError(f"{file} is no module of `modelica-patch urdf types`: it has no {SOURCE}; choose another file")
    source = _source_of(by_name[SOURCE], file)
    statements: dict[str, ast.stmt] = {}
    for node in python.tree.body:
        name = name_of(node)
        role = None if name is None else role_of(name, source.prefix)
        if role is not None:
            statements.setdefault(role, node)
    return ExistingModule(python, source, statements)


def with_roles(statements: Iterable[Statement], prefix: str) -> list[tuple[str, Statement]]:
    """Statements with their roles."""
    found = []
    for statement in statements:
        role = role_of(statement.name, prefix)
        assert role is not None, statement.name
        found.append((role, statement))
    return found


def role_of(name: str, prefix: str) -> str | None:
    """What a generated statement is for; None for the name of something else."""
    if name == SOURCE:
        return name
    if name.startswith(prefix) and _CLASS_ROLES.fullmatch(name[len(prefix) :]):
        return name[len(prefix) :]
    constant = constant_prefix(prefix)
    if name.startswith(constant) and _CONSTANT_ROLES.fullmatch(name[len(constant) :]):
        return f"CONSTANT{name[len(constant) :]}"
    return None


def members_of(node: ast.stmt | None) -> dict[str, str]:
    """The members of an enumeration, by their values."""
    found: dict[str, str] = {}
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        match each:
            case ast.Assign(targets=[ast.Name(id=member)], value=ast.Constant(value=str(value))):
                found.setdefault(value, member)
    return found


def _source_of(node: ast.stmt, file: str) -> Source:
    match node:
        case (
            ast.AnnAssign(value=ast.Call(args=[], keywords=keywords))
            | ast.Assign(value=ast.Call(args=[], keywords=keywords))
        ):
            try:
                source = Source(**{each.arg or "": ast.literal_eval(each.value) for each in keywords})
            except (ValueError, TypeError):
                source = None
            if source is not None and _has_texts(source):
                return source
    raise TypesError(f"{file}:{node.lineno}: {SOURCE} is damaged: take the file away, and make it anew")


def _has_texts(source: Source) -> bool:
    required = (source.urdf, source.prefix, source.python)
    optional = (source.package, source.folder, source.model)
    return (
        all(isinstance(each, str) for each in required)
        and all(isinstance(each, str | None) for each in optional)
        and isinstance(source.arguments, tuple)
        and all(isinstance(each, str) for each in source.arguments)
    )
