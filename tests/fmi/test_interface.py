"""The interface of a model as the tree has it: what is inherited, modified, written as a literal, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from modelica_ast.library import Libraries, LibraryError
from urdf_frontend.fmi import FmiError, Interface, interface_of, open_model

TEXT = """\
package Lib
  type Voltage = Real(unit="V", displayUnit="kV");
  type Kind = enumeration(dc, ac);
  connector RealIn = input Real;
  connector Bus
    input Real asked(unit="N");
    output Integer state;
  end Bus;
  record Data
    parameter Real a = 1 "first";
    Real b = 2;
  end Data;
  partial model Base "what others are made of"
    parameter Real J(unit="kg.m2") = 1e-5 "inertia";
    RealIn v(unit="V", start=1) "voltage";
    final parameter Real fixed_one = 3;
  protected
    parameter Real hidden = 4;
    output Real hidden_y = 5;
  end Base;
  model Motor
    extends Base(J=2.50e-5, v(start=4));
    constant Real c = 2;
    parameter Real twice = 2*J;
    parameter Real by_constant = 2*c;
    parameter Voltage u_max = 48;
    parameter Voltage u_open(start=12);
    parameter Kind kind = Kind.ac;
    parameter Data data(a=7);
    parameter Boolean on = false;
    parameter String label = "m";
    parameter Integer n = 3;
    input Real gate if on;
    output Boolean moving;
    output Real y[n];
    discrete Real sampled;
    Bus bus;
    Missing.Part part;
    Inner inner_part(k=J);
    input Real given = 2;
  end Motor;
  model Inner
    parameter Real k = 1;
    RealIn u;
    Inner again;
  end Inner;
end Lib;
"""


@pytest.fixture
def motor(tmp_path: Path) -> Interface:
    (tmp_path / "Lib.mo").write_text(TEXT, encoding="utf-8")
    return interface_of(Libraries([tmp_path / "Lib.mo"]), "Lib.Motor")


EXPECTED = {
    # name: causality, variability, type, start, is_literal
    "J": ("parameter", "fixed", "Real", 2.5e-5, True),
    "v": ("input", "continuous", "Real", 4, False),
    "fixed_one": ("local", "fixed", "Real", 3, True),
    "hidden": ("local", "fixed", "Real", 4, True),
    "hidden_y": ("local", "continuous", "Real", None, True),
    "c": ("local", "constant", "Real", 2, True),
    "twice": ("calculatedParameter", "fixed", "Real", 5e-5, False),
    "by_constant": ("parameter", "fixed", "Real", 4, False),
    "u_max": ("parameter", "fixed", "Real", 48, True),
    "u_open": ("parameter", "fixed", "Real", 12, False),
    "kind": ("parameter", "fixed", "Enumeration", None, True),
    "data.a": ("parameter", "fixed", "Real", 7, True),
    "data.b": ("parameter", "fixed", "Real", 2, True),
    "on": ("parameter", "fixed", "Boolean", False, True),
    "label": ("parameter", "fixed", "String", "m", True),
    "n": ("parameter", "fixed", "Integer", 3, True),
    "moving": ("output", "discrete", "Boolean", None, False),
    "y": ("output", "continuous", "Real", None, False),
    "sampled": ("local", "discrete", "Real", None, False),
    "bus.asked": ("input", "continuous", "Real", None, False),
    "bus.state": ("output", "discrete", "Integer", None, False),
    "given": ("input", "continuous", "Real", 2, True),
}


def test_all_variables(motor: Interface) -> None:
    assert [variable.name for variable in motor.variables] == list(EXPECTED)
    for name, expected in EXPECTED.items():
        found = motor.find(name)
        start = None if found.type == "Enumeration" else found.start
        assert (found.causality, found.variability, found.type, start, found.is_literal) == expected, name


def test_units_come_through_types(motor: Interface) -> None:
    assert (motor.find("u_max").unit, motor.find("u_max").display_unit) == ("V", "kV")
    assert (motor.find("J").unit, motor.find("v").unit, motor.find("twice").unit) == ("kg.m2", "V", None)


def test_places_are_those_of_the_declarations(motor: Interface) -> None:
    lines = TEXT.splitlines()
    for variable in motor.variables:
        assert variable.name.rpartition(".")[2] in lines[variable.line - 1], variable.name
    assert lines[motor.line - 1] == "  model Motor"
    assert motor.find("J").description == "inertia"


def test_what_is_protected_final_or_an_array(motor: Interface) -> None:
    assert [each.name for each in motor.variables if each.is_protected] == ["hidden", "hidden_y"]
    assert [each.name for each in motor.variables if each.is_final] == ["fixed_one"]
    assert motor.find("y").dimensions == (3,)
    assert str(motor.find("kind").start) == "Lib.Kind.ac"


def test_what_is_not_found_is_said(motor: Interface) -> None:
    (sentence,) = motor.unresolved
    assert sentence.endswith("Lib.mo:38: the type 'Missing.Part' of 'part' is not found")


def test_the_nearest_name_is_offered(motor: Interface) -> None:
    assert motor.get("moveing") is None
    with pytest.raises(FmiError, match=r"Lib\.Motor has no variable 'moveing'; did you mean 'moving'"):
        motor.find("moveing")


def test_components_are_looked_into_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "Lib.mo").write_text(TEXT, encoding="utf-8")
    found = interface_of(Libraries([tmp_path / "Lib.mo"]), "Lib.Motor", depth=1)
    assert (found.find("inner_part.k").causality, found.find("inner_part.k").start) == ("calculatedParameter", 2.5e-5)
    assert found.find("inner_part.u").causality == "local"


def test_a_model_that_has_itself_inside_comes_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "Lib.mo").write_text(TEXT, encoding="utf-8")
    found = interface_of(Libraries([tmp_path / "Lib.mo"]), "Lib.Motor", depth=None)
    assert found.get("inner_part.k") is not None


def test_signals_are_known_without_the_standard_library(tmp_path: Path) -> None:
    text = "model M\n  Modelica.Blocks.Interfaces.RealInput u;\n  parameter Modelica.Units.SI.Mass m = 2;\nend M;\n"
    (tmp_path / "M.mo").write_text(text, encoding="utf-8")
    found = interface_of(Libraries([tmp_path / "M.mo"]), "M")
    assert [(each.name, each.causality, each.type) for each in found.variables] == [
        ("u", "input", "Real"),
        ("m", "parameter", "Real"),
    ]


@pytest.mark.parametrize(
    ("files", "place", "model", "message"),
    [
        ({}, "Lib.mo", None, "no such file or folder"),
        (
            {"Other.mo": "model M\nend M;\n"},
            "Other.mo",
            "M",
            "defines M: a file that is not in a library has one class",
        ),
        ({"Two.mo": "model Two\nend Two;\nmodel B\nend B;\n"}, "Two.mo", "B", "defines Two, B: a file"),
        ({"E.mo": ""}, "E.mo", "E", "defines no class"),
        ({"folder/note.txt": ""}, "folder", "E", "is not a Modelica library"),
        ({"Lib.mo": TEXT}, "Lib.mo", "Lib.Motr", "did you mean 'Motor'"),
        ({"Lib.mo": TEXT}, "Lib.mo", "Motor", "no class 'Motor' in .*; did you mean 'Lib.Motor'"),
    ],
)
def test_what_can_not_be_opened(
    tmp_path: Path, files: dict[str, str], place: str, model: str | None, message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises((FmiError, LibraryError), match=message):
        open_model(tmp_path / place, model)


def test_names_start_with_the_class_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "Lib.mo").write_text(TEXT, encoding="utf-8")
    for name, full in (("Lib.Motor", "Lib.Motor"), (None, "Lib")):
        assert open_model(tmp_path / "Lib.mo", name).name == full
