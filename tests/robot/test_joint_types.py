"""Tables by the type of a joint have all types: what a new one lacks is said here, and is no KeyError elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from conftest import ROOT
from urdf_frontend.robot.mechanism import JointType

# Other tables are about what only some types have.
COMPLETE = ("package/builder/part_models.py", "robot/tree_picture.py", "typed_modules/statements.py")


def tables() -> Iterator[tuple[str, frozenset[str]]]:
    for path in sorted((ROOT / "src" / "urdf_frontend").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys = [
                    key for key in node.keys if isinstance(key, ast.Attribute) and ast.unparse(key.value) == "JointType"
                ]
                if keys:
                    name = path.relative_to(ROOT / "src" / "urdf_frontend").as_posix()
                    yield name, frozenset(key.attr for key in keys)


def test_tables_have_every_type_of_joint() -> None:
    found = {name: types for name, types in tables() if name in COMPLETE}
    assert set(found) == set(COMPLETE)
    known = {each.name for each in JointType} - {JointType.UNKNOWN.name}
    assert [name for name, types in found.items() if known - types] == []
