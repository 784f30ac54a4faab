"""Verbs as methods of handles: parameters, docstrings and help come from the verb's own signature."""

from __future__ import annotations

import inspect

import pytest

from modelica_ast.cli.program import main
from modelica_ast.edit import ClassHandle, ComponentHandle, Document
from modelica_ast.edit.handles import methods_of
from modelica_ast.edit.methods import Method
from modelica_ast.edit.patch import VERBS, parameters

TEXT = """\
model M
  extends Base(k=1);
  A a(x=1);
end M;
"""
# Verbs of a file as a whole: a document has them, or `apply`; `rewrite` is a function of the patterns.
OF_FILES = {"set_within", "replace_text", "rewrite"}
METHODS = [
    (cls, name, value)
    for cls in (ClassHandle, ComponentHandle)
    for name, value in vars(cls).items()
    if isinstance(value, Method)
]


@pytest.mark.parametrize(("cls", "name", "method"), METHODS)
def test_a_method_is_its_verb(cls: type, name: str, method: Method[ClassHandle, object, object, object]) -> None:
    verb = inspect.unwrap(method)
    assert getattr(cls, name).__doc__ == verb.__doc__
    own = list(inspect.signature(method).parameters)
    assert own[0] == "self"
    of_verb = list(inspect.signature(verb).parameters)[2:]
    assert own[1:] in (of_verb, ["base", *of_verb], ["literal", *of_verb])


def test_every_verb_is_a_method() -> None:
    assert {name for name, verb in VERBS.items() if not methods_of(verb)} == OF_FILES


def test_the_signature_says_what_comes_back() -> None:
    assert inspect.signature(ClassHandle.add_component).return_annotation == "ComponentHandle"
    assert inspect.signature(ClassHandle.rename).return_annotation == "None"
    document = Document(TEXT)
    new = document.find_class("M").add_component("Real", name="y", modifiers={"start": 1})
    assert isinstance(new, ComponentHandle)
    assert str(inspect.signature(new.set)).startswith("(path: 'str', value: 'Given', *, each")


def test_arguments_can_be_given_by_their_names() -> None:
    handle = Document(TEXT).find_class("M")
    handle.set_extends_modifier(base="Base", path="k", value=2)  # type: ignore[call-arg]  # checkers want it first
    assert "extends Base(k=2);" in handle.view.text
    with pytest.raises(TypeError, match="colour"):
        handle.set_kind("block", colour=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", VERBS)
def test_help_says_what_an_operation_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", name]) == 0
    told = capsys.readouterr().out
    assert f'"op": "{name}"' in told
    for parameter in parameters(VERBS[name]):
        assert f"  {parameter.key} " in told


def test_help_lists_the_operations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "operations"]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name} " in told for name in VERBS)
    assert main(["help", "set_modifer"]) != 0
    assert "did you mean 'set_modifier'" in capsys.readouterr().err
