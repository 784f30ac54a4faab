"""YAML that nests deep: every reader refuses it with its line, as soon as it is too deep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from modelica_ast.foundation import load_yaml, read_yaml
from modelica_ast.foundation.yaml import DEEPEST, BoundedLoader
from modelica_ast.recipes import RecipeError
from urdf_frontend.constraints.cells import CellError
from urdf_frontend.fmi.parameter_files import read_entries
from urdf_frontend.fmi.profiles import FmiError, read_profile
from urdf_frontend.modules.assembly import parse_assembly
from urdf_frontend.modules.module_file import UnreadableAssemblyError


def profile(text: str, name: str) -> object:
    Path(name).write_text(text, encoding="utf-8")
    return read_profile(Path(name))


READERS: dict[str, tuple[Callable[[str, str], object], type[Exception]]] = {
    "recipe": (lambda text, file: load_yaml(text, file, RecipeError), RecipeError),
    "cell": (lambda text, file: read_yaml(text, file, CellError), CellError),
    "assembly": (parse_assembly, UnreadableAssemblyError),
    "profile": (profile, FmiError),
    "parameters": (read_entries, FmiError),
}
DEEP = {
    "lists": "\n" + "[" * 20_000,
    "mappings": "\n" + "{a: " * 20_000,
    "both": "\n" + "[{a: " * 10_000,
    "dashes": "\n" + "- " * 20_000,
    "keys": "\n" + "? " * 20_000,
    "indents": "\na:" + "".join("\n" + " " * level + "a:" for level in range(1, 1_000)),
}


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("reader", READERS)
def test_deep_yaml_is_refused_at_once(reader: str, deep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fetched = 0
    fetch = yaml.SafeLoader.fetch_more_tokens

    def counted(self: yaml.SafeLoader) -> None:
        nonlocal fetched
        fetched += 1
        fetch(self)

    monkeypatch.setattr(yaml.SafeLoader, "fetch_more_tokens", counted)
    read, error = READERS[reader]
    with pytest.raises(error, match=r"d\.yaml") as refused:
        read(DEEP[deep], "d.yaml")
    message = str(refused.value)
    # A reader of parameters, which are not lists of lists, has sentences of its own for what comes to it.
    assert f"it is nested more than {DEEPEST} levels deep" in message or reader == "parameters"
    line = DEEPEST + 2 if deep == "indents" else 2
    assert f":{line}:" in message
    assert 0 < fetched <= 5 * DEEPEST


def test_what_nests_less_is_read() -> None:
    depth = DEEPEST - 1  # what is outermost counts as one
    assert yaml.load("[" * depth + "]" * depth, Loader=BoundedLoader)  # noqa: S506  (it is a SafeLoader)
