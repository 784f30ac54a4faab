"""pip install from a checkout, from the sdist and in editable mode: each parses a file on its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from conftest import ROOT, mostly_slow

PROBE = """
import pathlib, sys, modelica_ast
path = pathlib.Path(sys.argv[1])
tree = modelica_ast.parse_file(path)
assert modelica_ast.render_bytes(tree) == path.read_bytes()
import importlib, importlib.util, pkgutil, urdf_frontend
grammar = pathlib.Path(importlib.util.find_spec("modelica_ast._grammar.build_table").origin).with_name("modelica.lark")
assert "stored_definition" in grammar.read_text(encoding="utf-8")
assert importlib.util.find_spec("lark") is None  # it builds the table, which ships
for module in pkgutil.walk_packages(modelica_ast.__path__, "modelica_ast."):
    if "testing" not in module.name and not module.name.endswith("build_table"):  # they need extras
        importlib.import_module(module.name)
typed = pathlib.Path(modelica_ast.__file__).with_name("py.typed")
assert typed.is_file()
shells = {path.name for path in typed.parent.glob("cli/commands/shells/*")}
assert shells == {"complete.bash", "complete.fish", "complete.zsh"}
print(tree.classes[0].name, modelica_ast.__file__)
"""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    ran = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The project as git has it, plus what is not committed yet; no build leftovers."""
    copy = tmp_path / "checkout"
    if (ROOT / ".git").exists():
        listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
        for name in listed:
            if (ROOT / name).is_file() and not name.startswith("fixtures/"):  # thousands, and none is installed
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
    else:
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", "build", "dist", "*.egg-info"))
    return copy


@pytest.mark.parametrize("way", mostly_slow(["checkout", "sdist", "editable"], "checkout"))
def test_install(way: str, checkout: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv")  # PERF: without pip of its own, which takes seconds to be put there
    python = tmp_path / "venv" / "bin" / "python"
    target = [str(checkout)]
    if way == "sdist":
        run(sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path / "dist", cwd=checkout)
        (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
        target = [str(sdist)]
    elif way == "editable":
        target = ["--editable", str(checkout)]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", *target, cwd=tmp_path)
    fixture = ROOT / "fixtures" / "modelica" / "Classes.mo"
    name, where = run(python, "-c", PROBE, fixture, cwd=tmp_path).split()
    assert name == "Classes"
    assert (str(checkout) in where) == (way == "editable")
    shown = run(tmp_path / "venv" / "bin" / "modelica-patch", "check", "--select", "syntax", fixture, cwd=tmp_path)
    assert shown == "1 file, 0 errors, 0 warnings\n"
    # Type checkers do not run the hooks by which an editable installation can be found.
    (tmp_path / "typed.py").write_text("import modelica_ast\nmodelica_ast.parse(3)\n")
    words = ["-m", "mypy", "--python-executable", str(python), "--no-incremental", "typed.py"]
    checked = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'Argument 1 to "parse" has incompatible type "int"' in checked.stdout, checked.stdout + checked.stderr


def test_every_package_is_installed() -> None:
    """Setuptools takes a list; a package that is not on it is missing for everybody but its author."""
    found = {
        str(path.parent.relative_to(ROOT / "src")).replace(os.sep, ".") for path in (ROOT / "src").rglob("__init__.py")
    }
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"])
    assert listed == found
