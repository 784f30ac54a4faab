"""Rooms have doors, and an order: ARCHITECTURE.md lists them, the lowest first."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import modelica_ast
from conftest import FIXTURES, ROOT
from modelica_ast import tree
from modelica_ast.cli import main

SOURCES = ROOT / "src"
PACKAGES = ("modelica_ast", "urdf_frontend")
# Modules beside the rooms: their docstrings say why they are there.
AT_THE_TOP = {"urdf_frontend.aliases", "modelica_ast._grammar"}
# Functions of rooms above that are called by their names: an equation is named by a pattern, and handles of libraries
# have the verbs that change other files too.
CALLED_BY_NAME = {("modelica_ast.edit", "modelica_ast.patterns"), ("modelica_ast.library", "modelica_ast.refactor")}


class Import(NamedTuple):
    module: str
    imported: str
    at_start: bool  # when the module is imported, and not later in a function
    by_name: bool = False  # as a text that a function imports, or calls into


def listed_rooms() -> list[str]:
    """The rooms as the block in ARCHITECTURE.md lists them, the lowest first."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(r"```rooms\n(.*?)```", text, re.DOTALL)
    assert block, "ARCHITECTURE.md has no ```rooms block"
    return [name for line in block[1].splitlines() for name in line.split("#")[0].split()]


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def sources() -> dict[str, Path]:
    return {module_name(path): path for path in SOURCES.rglob("*.py")}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(sources()[module].read_text(encoding="utf-8"))


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


@cache
def imports() -> tuple[Import, ...]:
    """All imports of modules of this project, but those that only type checkers see."""
    return tuple(each for module in sources() for each in imports_of(module))


def imports_of(module: str) -> Iterator[Import]:
    body = [node for node in tree_of(module).body if not is_for_types(node)]
    nodes = [node for outer in body for node in ast.walk(outer)]
    late = {id(node) for each in nodes if isinstance(each, ast.FunctionDef) for node in ast.walk(each)}
    for node in nodes:
        at_start = id(node) not in late
        if isinstance(node, ast.Import):
            yield from (Import(module, each.name, at_start) for each in node.names if each.name in sources())
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: relative import"
            for each in node.names:
                full = f"{node.module}.{each.name}"
                found = full if full in sources() else node.module
                if found in sources():
                    yield Import(module, found, at_start)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) != "Command":  # commands are found by their names
            texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
            named = [text for text in texts if text in sources() and text not in PACKAGES]
            yield from (Import(module, text, at_start=False, by_name=True) for text in named)


def between_rooms() -> list[Import]:
    return [each for each in imports() if "." in each.module and room_of(each.module) != room_of(each.imported)]


def test_all_rooms_are_listed() -> None:
    rooms = {room_of(module) for module in sources() if module not in PACKAGES}
    assert set(listed_rooms()) == rooms - AT_THE_TOP


@pytest.mark.parametrize("package", PACKAGES)
def test_everything_is_in_a_room(package: str) -> None:
    files = {module_name(path) for path in (SOURCES / package).glob("*.py")}
    assert files - {package} <= AT_THE_TOP


def test_nobody_goes_past_a_door() -> None:
    past = [each for each in between_rooms() if each.imported not in {room_of(each.imported), *PACKAGES}]
    assert past == []


def test_no_arrow_points_up() -> None:
    number = {room: number for number, room in enumerate(listed_rooms())}
    up = [
        each
        for each in between_rooms()
        if each.imported not in PACKAGES and room_of(each.module) not in AT_THE_TOP
        if number[room_of(each.imported)] > number[room_of(each.module)]
    ]
    assert [each for each in up if not each.by_name] == []
    assert {(room_of(each.module), room_of(each.imported)) for each in up} == CALLED_BY_NAME


def test_rooms_of_modelica_ast_do_not_import_the_front_door() -> None:
    own = [each for each in between_rooms() if each.module.startswith("modelica_ast")]
    assert [each for each in own if each.imported == "modelica_ast"] == []


def test_modules_do_not_import_each_other_in_circles() -> None:
    doors = {module: names_at(module) for module, path in sources().items() if path.name == "__init__.py"}
    graph: dict[str, set[str]] = defaultdict(set)
    for module in sources().keys() - doors.keys():
        for node in tree_of(module).body:
            if isinstance(node, ast.ImportFrom) and node.module in sources():
                for each in node.names:
                    home = doors.get(node.module, {}).get(each.name, node.module)
                    graph[module].add(home)
    assert circle_in(graph) is None


def names_at(door: str) -> dict[str, str]:
    """Where the names of a door come from."""
    found: dict[str, str] = {}
    for node in ast.walk(tree_of(door)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: node.module for each in node.names}
    return found


def circle_in(graph: dict[str, set[str]]) -> list[str] | None:
    """Modules that import each other in a circle, or None."""
    done: set[str] = set()
    for start, imported in graph.items():
        way, todo = [start], [iter(imported)]
        if start in done:
            continue
        while todo:
            for module in todo[-1]:
                if module in way:
                    return [*way[way.index(module) :], module]
                if module not in done and module in graph:
                    way.append(module)
                    todo.append(iter(graph[module]))
                    break
            else:
                done.add(way.pop())
                todo.pop()
    return None


def test_a_circle_would_be_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle_in({"a": {"b", "c"}, "b": {"c"}}) is None


def test_what_a_door_shows_is_there() -> None:
    for module, path in sources().items():
        if path.name != "__init__.py" or "__getattr__" not in path.read_text(encoding="utf-8"):
            continue
        door = importlib.import_module(module)
        assert [name for name in dir(door) if not hasattr(door, name)] == [], module


def test_modelica_ast_does_not_know_urdf() -> None:
    assert [each for each in imports() if each.module.startswith("modelica") and each.imported.startswith("urdf")] == []


def test_generated_packages_know_no_robot() -> None:
    for module in (each for each in sources() if each.startswith("modelica_ast.generate")):
        assert not re.search(r"urdf|robot", sources()[module].read_text(encoding="utf-8"), re.IGNORECASE), module


def test_only_the_table_builder_imports_lark() -> None:
    for module, path in sources().items():
        assert not re.search(r"^\s*(import|from) lark", path.read_text(encoding="utf-8"), re.MULTILINE), module


def test_only_the_command_line_prints() -> None:
    for module, path in sources().items():
        # A worker is a process of its own, and its standard output is how it answers.
        if "cli" not in path.parts and not path.stem.endswith("worker"):
            nodes = [node for node in ast.walk(tree_of(module)) if isinstance(node, (ast.Name, ast.Attribute))]
            names = {ast.unparse(node) for node in nodes}
            assert not names & {"print", "sys.stdout", "sys.stderr"}, path


def test_a_parse_imports_only_what_it_needs() -> None:
    # Each of these would add a fifth or more to the start of a short script.
    probe = "import sys, modelica_ast; modelica_ast.parse('model M Real x; end M;'); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "modelica_ast.tree.roots" in loaded
    late = {"modelica_ast.tree.classes", "modelica_ast.tree.literals", "modelica_ast.edit"}
    assert not loaded & {"attr", "difflib", *late}


def test_an_update_with_nothing_new_imports_only_what_it_needs(tmp_path: Path) -> None:
    urdf, package = str(FIXTURES / "robots" / "gripper.urdf"), str(tmp_path / "Arm")
    assert main(["urdf", "build", urdf, "--name", "Arm", "--into", str(tmp_path), "-q"]) == 0
    probe = "import sys; from modelica_ast.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    words = ["urdf", "update", urdf, "--package", package, "-q"]
    ran = subprocess.run([sys.executable, "-c", probe, *words], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "urdf_frontend.package.updates.options" in loaded
    # Each of these would add a tenth or more to it.
    rooms = (
        "edit.document",
        "edit.workspace",
        "library.libraries",
        "semantics",
        "compare",
        "generate.templates",
    )
    assert not loaded & {"importlib.metadata", "xml", *(f"modelica_ast.{room}" for room in rooms)}


def test_what_is_imported_late_is_there() -> None:
    for module in (modelica_ast, tree):
        assert all(hasattr(module, name) for name in module.__all__)
        assert set(module.__all__) <= set(dir(module))
        assert not hasattr(module, "no_such_name")


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_that_have_moved_are_found_by_their_old_names(package: str) -> None:
    probe = f"""
import importlib, warnings
from {"modelica_ast.foundation" if package == "modelica_ast" else "urdf_frontend.aliases"} import MOVED
import {package}
for old, new in MOVED.items():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        module = importlib.import_module(old)
    told = [str(each.message) for each in said if each.category is DeprecationWarning]
    assert told == [f"{{old}} is {{new}} now"], told
    there = importlib.import_module(new)
    assert all(getattr(module, name) is getattr(there, name) for name in getattr(there, "__all__", ()))
"""
    subprocess.run([sys.executable, "-c", probe], check=True)


# They never reach a user (what catches them says the same in other words), or their module must import nothing.
OTHER_ERRORS = {
    *("CommandError", "DeadError", "NoImageError", "BrokenMeshError", "RefusedFileError", "LayoutError"),
    *("_UnreadableError", "_NotShownError", "_TooManyStepsError", "RobotNotFoundError"),
}


def test_all_errors_have_one_base() -> None:
    classes = [node for module in sources() for node in ast.walk(tree_of(module)) if isinstance(node, ast.ClassDef)]
    builtin = {"Exception", "ValueError", "LookupError", "AssertionError", "OSError", "RuntimeError"}
    own = {
        node.name
        for node in classes
        if node.name.endswith("Error") and {ast.unparse(base) for base in node.bases} <= builtin
    }
    assert own == {"ModelicaError", *OTHER_ERRORS}


TRANSLATION = r"raise CommandError\(str\(\w+\), EXIT_(USAGE|UNREADABLE)\) from None"


def test_only_one_module_knows_the_exit_codes_of_errors() -> None:
    for module, path in sources().items():
        if "cli" in path.parts and path.name != "exits.py":
            caught = [node for node in ast.walk(tree_of(module)) if isinstance(node, ast.ExceptHandler)]
            raised = [ast.unparse(statement) for node in caught for statement in node.body]
            assert [each for each in raised if re.fullmatch(TRANSLATION, each)] == [], path
