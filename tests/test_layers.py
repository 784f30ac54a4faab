"""Arrows point down the layers that ARCHITECTURE.md lists, and never up."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import modelica_ast
from conftest import ROOT
from modelica_ast import views

SOURCES = ROOT / "src"
# All but what docs/guide.md calls public, and the contract of a command of modelica-patch.
PUBLIC = "views|drawing|simulation|testing|edit|files|graphics|library|formatting|compare|merge|rules|patterns|recipes"
PUBLIC += r"|generate|late_names|yaml_loader|library\.conversion"
PRIVATE = rf"modelica_ast\.(?!({PUBLIC})$|cli\.)"


def listed_layers() -> dict[str, int]:
    """module -> number of its layer, from the block in ARCHITECTURE.md; the first line is the lowest."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(r"```layers\n(.*?)```", text, re.DOTALL)
    assert block, "ARCHITECTURE.md has no ```layers block"
    layers: dict[str, int] = {}
    for number, line in enumerate(block[1].splitlines()):
        for name in line.split("#")[0].split():
            assert name not in layers, f"{name} is listed twice"
            layers[name] = number
    return layers


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def sources() -> tuple[Path, ...]:
    return tuple(SOURCES.rglob("*.py"))


@cache
def modules() -> frozenset[str]:
    return frozenset(map(module_name, sources()))


@cache
def imports_of(path: Path) -> set[str]:
    """All modules of this project that a file imports, also inside functions.

    Views name each other in their fields' types, for a class holds components and these hold classes; so what
    stands under `if TYPE_CHECKING` in a view does not count. Nowhere else is it needed.
    """
    found: set[str] = set()
    body = tree_of(path).body
    if "views" in path.parts:
        body = [node for node in body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node))]
    for node in (inner for outer in body for inner in ast.walk(outer)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path.name}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found & modules()


def test_every_module_has_a_layer() -> None:
    assert set(listed_layers()) == modules()


def test_no_arrow_points_up() -> None:
    layers = listed_layers()
    wrong = []
    for path in sources():
        module = module_name(path)
        for imported in imports_of(path):
            package = imported + "."
            # `from modelica_ast.views.base import View` names modelica_ast and modelica_ast.views as well; the
            # package is imported only if one of its own names is.
            if module.startswith(package) or any(other.startswith(package) for other in imports_of(path)):
                continue
            if imported != module and layers[imported] >= layers[module]:
                wrong.append(f"{module} imports {imported}")
    assert wrong == []


def test_the_test_would_see_an_arrow_up() -> None:
    layers = listed_layers()
    assert (
        layers["modelica_ast.lexer"]
        < layers["modelica_ast.parse"]
        < layers["modelica_ast"]
        < layers["modelica_ast.cli"]
    )


def test_urdf_frontend_uses_public_names_only() -> None:
    for path in (SOURCES / "urdf_frontend").rglob("*.py"):
        private = {name for name in imports_of(path) if re.match(PRIVATE, name)}
        assert private == set(), path


def test_modelica_ast_does_not_know_urdf() -> None:
    for path in (SOURCES / "modelica_ast").rglob("*.py"):
        assert not {name for name in imports_of(path) if name.startswith("urdf")}, path


def test_only_the_table_builder_imports_lark() -> None:
    for path in sources():
        assert not re.search(r"^\s*(import|from) lark", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_only_the_command_line_prints() -> None:
    for path in sources():
        # A worker is a process of its own, and its standard output is how it answers.
        if "cli" not in path.parts and not path.stem.endswith("worker"):
            nodes = [node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.Name, ast.Attribute))]
            names = {ast.unparse(node) for node in nodes}
            assert not names & {"print", "sys.stdout", "sys.stderr"}, path


def test_a_parse_imports_only_what_it_needs() -> None:
    # Each of these would add a fifth or more to the start of a short script.
    probe = "import sys, modelica_ast; modelica_ast.parse('model M Real x; end M;'); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "modelica_ast.views.files" in loaded
    assert not loaded & {"attr", "difflib", "modelica_ast.views.classes", "modelica_ast.literals", "modelica_ast.edit"}


def test_what_is_imported_late_is_there() -> None:
    for module in (modelica_ast, views):
        assert all(hasattr(module, name) for name in module.__all__)
        assert set(module.__all__) <= set(dir(module))
        assert not hasattr(module, "no_such_name")
