"""Parameters for ROS 2: names, files that ROS reads as floats, and the way back into the model."""

from __future__ import annotations

import ast
import runpy
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from modelica_ast.cli import main
from modelica_ast.library import Libraries
from urdf_frontend.fmi.interface import interface_of
from urdf_frontend.fmi.parameter_files import (
    checked_node,
    chosen_node,
    nodes_of,
    read_entries,
    yaml_comment,
    yaml_float,
    yaml_key,
    yaml_text,
)
from urdf_frontend.fmi.parameter_output import DiffersError, Wanted, launch_text, new_text, updated_text
from urdf_frontend.fmi.profiles import FmiError
from urdf_frontend.fmi.ros_parameters import ApplyReport, apply_parameters, collisions, ros_parameters, rosify

FOLDER = Path(__file__).parents[2] / "fixtures" / "fmi" / "check"
MODEL = "Drives.Motor"
NODE = "fmi_adapter_node"


# ------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("name", "ros"),
    [
        ("a", "a"),
        ("der(a,2)", "der_a_2_"),
        ("revolute1.phi", "revolute1_phi"),
        ("_x", "x"),
        ("__x_", "x_"),
        ("u[1]", "u_1_"),
        ("'2nd axis'", "2nd_axis_"),
        ("_1", "1"),
        ("9", "9"),
        ("Größe", "Gr____e"),
        ("€", ""),
        ("___", ""),
        ("", ""),
        ("a b\tc", "a_b_c"),
        ("A.B_c[3].d", "A_B_c_3__d"),
    ],
)
def test_names_in_ros(name: str, ros: str) -> None:
    assert rosify(name) == ros


def test_names_that_become_one() -> None:
    assert collisions(["a.b", "c", "a_b", "_c", "a.b"]) == {"a_b": ["a.b", "a_b"], "c": ["c", "_c"]}


@given(st.text())
def test_a_name_in_ros_stays_what_it_is(name: str) -> None:
    ros = rosify(name)
    assert rosify(ros) == ros
    assert ros.isascii()
    assert not ros.startswith("_")


# ------------------------------------------------------------ texts of YAML


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.0"), (1e-05, "1.0e-05"), (1e22, "1.0e+22"), (-2.5e-300, "-2.5e-300"), (0.1, "0.1"), (-0.0, "-0.0")],
)
def test_floats(value: float, text: str) -> None:
    assert yaml_float(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back_as_one(value: float) -> None:
    read = yaml.safe_load(yaml_float(value))
    assert isinstance(read, float)
    assert read == value
    (entry,) = read_entries(f"k: {yaml_float(value)}\n", "p.yaml")
    assert entry.number == value
    assert not entry.is_integer


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_texts_and_keys_and_comments_are_read_back(text: str) -> None:
    assert yaml.safe_load(f"k: 1 # {yaml_comment(text)}\n") == {"k": 1}
    if text.isprintable():
        assert yaml.safe_load(yaml_text(text)) == text
    key = rosify(text)
    if key:
        assert yaml.safe_load(f"{yaml_key(key)}: 1") == {key: 1}


@pytest.mark.parametrize(
    ("text", "number", "is_integer"),
    [
        ("1.0", 1.0, False),
        ("1", 1.0, True),
        ("-3", -3.0, True),
        ("1e-05", 1e-05, False),
        ("'1.0'", None, False),
        (".inf", None, False),
        (".nan", None, False),
        ("1e999", None, False),
        ("true", None, False),
        ("1_0", None, False),
        ("!!str 1.0", None, False),
        ("", None, False),
        ("[1.0]", None, False),
    ],
)
def test_numbers_as_ros_reads_them(text: str, number: float | None, is_integer: bool) -> None:  # noqa: FBT001  (data)
    (entry,) = read_entries(f"k: {text}\n", "p.yaml")
    assert (entry.number, entry.is_integer) == (number, is_integer)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "p.yaml:1:5: this is not YAML"),
        ("a: 1\n---\nb: 2\n", "p.yaml:2:1: there is a second document"),
        ("[1, 2]: 3\n", "this key is not a name"),
        ("a: " + "[" * 5000 + "]" * 5000, "p.yaml:1:104: this is not YAML: it is nested more than 100 levels deep"),
        ("a: \x07", "this is not YAML"),
        ("a: *b", "this is not YAML|has no parameters"),
        ("a: 1\n", "has no parameters of a node"),
        ("n:\n  ros__parameters:\n    k: 1.0\n    k: 2.0\n", "p.yaml:4: 'k' appears twice"),
        ("n:\n  ros__parameters: {}\nm:\n  ros__parameters: {}\n", "has 2 nodes: name one with --node"),
    ],
)
def test_one_clear_error_for_bad_yaml(text: str, message: str) -> None:
    with pytest.raises(FmiError, match=message) as caught:
        chosen_node(nodes_of(text, "p.yaml"), None, "p.yaml")
    assert "\n" not in str(caught.value)


def test_aliases_do_not_take_the_memory() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    entries = read_entries("\n".join(lines), "p.yaml")
    assert len(entries) == 30


def test_nodes_by_name() -> None:
    text = "arm:\n  motor:\n    ros__parameters:\n      k: 1.0\n/**:\n  ros__parameters:\n    k: 2.0\n"
    nodes = nodes_of(text, "p.yaml")
    assert list(nodes) == ["arm/motor", "/**"]
    assert chosen_node(nodes, "/arm/motor".removeprefix("/"), "p.yaml").by_name["k"].line == 4
    with pytest.raises(FmiError, match="has no node 'motor'"):
        chosen_node(nodes, "motor", "p.yaml")
    for bad in ("", "a b", "1a", "a//b", "a/", "ünode"):
        with pytest.raises(FmiError, match="is not the name of a node"):
            checked_node(bad)


# ------------------------------------------------------------ to ROS


@pytest.fixture
def drives(tmp_path: Path) -> Libraries:
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    return Libraries([tmp_path / "Drives.mo"])


def wanted_of(libraries: Libraries, model: str = MODEL, *, nested: bool = True) -> Wanted:
    interface = interface_of(libraries, model, depth=None if nested else 0)
    return Wanted(model, NODE, ros_parameters(interface), "Motor.fmu", 0.001)


def floats_in(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text)[NODE]["ros__parameters"]
    return found


def test_what_is_written_is_floats_only(drives: Libraries) -> None:
    values = floats_in(new_text(wanted_of(drives)))
    assert values.pop("fmu_path") == "Motor.fmu"
    assert all(type(value) is float for value in values.values())
    assert values == {
        "step_size": 0.001,
        "ratio": 50.0,
        "limit": 48.0,
        "gains_1_": 0.5,
        "gains_2_": 0.25,
        "winding_R": 2.5,
        "winding_L": 0.001,
    }


def test_what_can_not_be_set_is_named(drives: Libraries) -> None:
    text = new_text(wanted_of(drives, nested=False))
    assert "    limit: 48.0  # largest voltage [V]\n" in text
    assert "winding" not in text
    for name, reason in (
        ("poles", "of type Integer, and fmi_adapter sets Real only"),
        ("double", "an expression, 2*limit"),
        ("fixedValue", "final"),
        ("hidden", "protected"),
    ):
        assert f"    # {name}: {reason}\n" in text


def libraries_of(tmp_path: Path, text: str) -> Libraries:
    (tmp_path / "M.mo").write_text(text, encoding="utf-8")
    return Libraries([tmp_path / "M.mo"])


def test_odd_parameters(tmp_path: Path) -> None:
    text = """model M
  parameter Real on = -1 "a # and\n    a second line";
  parameter Real tiny = 1e-05;
  parameter Real a_b = 1;
  record R
    Real b = 2;
  end R;
  parameter R a;
  parameter Real started(start=3);
  parameter Real nothing;
  parameter Real step_size = 4;
  parameter Real many[:] = {{1, 2}, {3, 4}};
  parameter Real pi2 = 2*3.14;
end M;
"""
    libraries = libraries_of(tmp_path, text)
    wanted = Wanted("M", NODE, ros_parameters(interface_of(libraries, "M")))
    assert floats_in(new_text(wanted)) == {"on": -1.0, "tiny": 1e-05, "started": 3.0}
    reasons = {each.name: each.reason for each in wanted.parameters.left_out}
    assert reasons["a_b"] == "'a_b' in ROS, and so is a.b"
    assert reasons["a.b"] == "'a_b' in ROS, and so is a_b"
    assert reasons["nothing"] == "without a value"
    assert reasons["step_size"] == "'step_size' in ROS, which is a parameter of the node"
    assert reasons["pi2"] == "an expression, 2*3.14"
    assert reasons["many"].startswith("an array whose")


# ------------------------------------------------------------ a file that is there


def test_a_second_time_changes_nothing(drives: Libraries) -> None:
    wanted = wanted_of(drives)
    text = new_text(wanted)
    assert updated_text(text, wanted, "p.yaml").text == text
    windows = text.replace("\n", "\r\n")
    assert updated_text(windows, wanted, "p.yaml").text == windows


OWN = """\
# mine
/**:
  ros__parameters: {use_sim_time: true}
fmi_adapter_node:   # the motor
    ros__parameters:
        # do not touch
        limit: 48      # an integer, which the node does not take
        'winding_R':   2.50
        qos: [a,
              b]  # last
other:
    ros__parameters:
        limit: 1.0
"""


def test_comments_and_keys_of_the_user_stay(drives: Libraries) -> None:
    written = updated_text(OWN, wanted_of(drives), "p.yaml")
    added = """\
        fmu_path: 'Motor.fmu'
        step_size: 0.001  # s
        ratio: 50.0  # gear ratio [1]
        gains_1_: 0.5  # gains of the controller (gains[1])
        gains_2_: 0.25  # gains of the controller (gains[2])
        winding_L: 0.001  # inductance [H] (winding.L)
"""
    expected = OWN.replace("limit: 48      #", "limit: 48.0      #").replace("# last\n", "# last\n" + added)
    assert written.text == expected
    assert [entry.path[-1] for entry in written.unknown] == ["qos"]
    assert written.replaced == ()


def test_a_value_that_differs_is_never_replaced_by_itself(drives: Libraries) -> None:
    wanted = wanted_of(drives)
    text = new_text(wanted).replace("limit: 48.0  #", "limit:  12.5  # tuned,").replace("Motor.fmu", "Other.fmu")
    with pytest.raises(DiffersError) as caught:
        updated_text(text, wanted, "p.yaml")
    assert [str(each) for each in caught.value.differences] == [
        "'fmu_path' is Other.fmu there, and 'Motor.fmu' here",
        "'limit' is 12.5 there, and 48.0 here",
    ]
    assert "p.yaml:7: 'limit'" in str(caught.value)
    forced = updated_text(text, wanted, "p.yaml", force=True)
    assert forced.text == text.replace("12.5", "48.0").replace("Other.fmu", "Motor.fmu")


@pytest.mark.parametrize(
    "before",
    ["", "# nothing\n", "other:\n  ros__parameters:\n    k: 1.0\n", "other:\n  ros__parameters:\n    k: 1.0  # no end"],
)
def test_a_node_is_added_to_a_file(drives: Libraries, before: str) -> None:
    text = updated_text(before, wanted_of(drives), "p.yaml").text
    assert text.startswith(before)
    assert floats_in(text)["limit"] == 48.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{n: 1}\n", "is not a parameter file"),
        ("fmi_adapter_node: {ros__parameters: {limit: 48.0}}\n", "a mapping on lines of its own"),
        ("fmi_adapter_node:\n  ros__parameters:\n", "a mapping on lines of its own"),
        ("fmi_adapter_node:\n  ros__parameters:\n    limit: [1]\n", "p.yaml:3: the value of 'limit' is a sequence"),
        ("x: &a 1.0\nfmi_adapter_node:\n  ros__parameters:\n    limit: *a\n", "the value of 'limit' is an alias"),
        ("{other: {ros__parameters: {k: 1.0}}}\n", "a mapping on lines of its own"),
    ],
)
def test_what_can_not_be_updated_is_refused(drives: Libraries, text: str, message: str) -> None:
    with pytest.raises(FmiError, match=message):
        updated_text(text, wanted_of(drives), "p.yaml", force=True)


# ------------------------------------------------------------ back into the model


def applied(libraries: Libraries, text: str, model: str = MODEL) -> ApplyReport:
    return apply_parameters(libraries, model, chosen_node(nodes_of(text, "p.yaml"), None, "p.yaml"))


def text_in(libraries: Libraries, name: str = "Drives.mo") -> str:
    (library,) = libraries
    assert library.root.path.name == name
    return libraries.document_at(library.root.path).text


def test_a_round_trip_changes_nothing(drives: Libraries) -> None:
    report = applied(drives, new_text(wanted_of(drives)))
    assert (report.applied, report.not_applied, report.unchanged) == ((), (), 6)
    assert drives.diff() == ""


def test_each_value_is_one_number_in_the_model(drives: Libraries) -> None:
    before = text_in(drives)
    text = new_text(wanted_of(drives))
    for old, new in (("48.0", "24.5"), ("50.0", "1.0e-05"), ("0.25 ", "-0.75 "), ("2.5 ", "3.5 ")):
        assert text.count(f": {old}") == 1
        text = text.replace(f": {old}", f": {new}")
    report = applied(drives, text)
    assert [(each.name, each.old, each.new) for each in report.applied] == [
        ("ratio", 50.0, 1e-05),
        ("limit", 48.0, 24.5),
        ("gains[2]", 0.25, -0.75),
        ("winding.R", 2.5, 3.5),
    ]
    expected = before
    for old, new in (
        ("Drive(ratio=50)", "Drive(ratio=1e-05)"),
        ("limit = 48 ", "limit = 24.5 "),
        ("{0.5, 0.25}", "{0.5, -0.75}"),
        ("(R=2.5)", "(R=3.5)"),
    ):
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert text_in(drives) == expected
    again = applied(drives, text)
    assert again.applied == ()
    assert floats_in(new_text(wanted_of(drives))) == floats_in(text)


def test_classes_that_others_use_are_not_changed(drives: Libraries) -> None:
    text = f"{NODE}:\n  ros__parameters:\n    winding_L: 0.5\n    v: 0.25\n"
    before = text_in(drives)
    assert [each.name for each in applied(drives, text).applied] == ["winding.L", "v"]
    expected = before.replace("(R=2.5)", "(R=2.5, L=0.5)").replace("Drive(ratio=50)", "Drive(ratio=50, v(start=0.25))")
    assert text_in(drives) == expected


def test_what_can_not_be_brought_back_has_its_line(drives: Libraries) -> None:
    text = f"""{NODE}:
  ros__parameters:
    fmu_path: x.fmu
    use_sim_time: true
    limt: 1.0
    double: 1.0
    fixedValue: 1.0
    poles: 1.0
    limit: fast
    gains: [1.0, 2.0]
    i: 1.0
    hidden: 2.0
    nested:
      k: 1.0
    ratio: 51.0
"""
    report = applied(drives, text)
    assert [each.name for each in report.applied] == ["ratio"]
    place = "Drives.mo:"
    reasons = {each.line: (each.name, each.reason) for each in report.not_applied}
    assert sorted(reasons) == [5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert reasons[5] == ("limt", "the model has no such variable; did you mean 'limit'?")
    assert "is an expression, 2*limit" in reasons[6][1]
    assert "is final" in reasons[7][1]
    assert place in reasons[7][1]
    assert "of type Integer" in reasons[8][1]
    assert reasons[9][1] == "its value is not a finite number"
    assert reasons[10][1].startswith("the model has no such variable")
    assert "has no value" in reasons[11][1]
    assert "is protected" in reasons[12][1]


def test_odd_names_and_lines(tmp_path: Path) -> None:
    axis = "  model Axis\n    parameter Real k = 1;\n  end Axis;\n"
    text = f"model M\n{axis}  Axis 'a.b';\n  parameter Real c = 2, d = 3;\nend M;\n"
    libraries = libraries_of(tmp_path, text)
    line = "{n: {ros__parameters: {a_b__k: 5.0, c: 6.0, final: 1.0, d: 3.0}}}"
    report = applied(libraries, line, "M")
    assert [each.name for each in report.applied] == ["'a.b'.k", "c"]
    assert [each.name for each in report.not_applied] == ["final"]
    assert text_in(libraries, "M.mo") == text.replace("Axis 'a.b'", "Axis 'a.b'(k=5.0)").replace("c = 2", "c = 6.0")


def test_arrays_that_stand_elsewhere(tmp_path: Path) -> None:
    text = """model M
  model Axis
    parameter Real k[2] = {1, 2};
    parameter Real g = 1;
  end Axis;
  Axis one;
  Axis two[2](g={3, 4});
  Axis three[2](each g=5);
  parameter Real R[2,2] = [1, 2;
                           3, -4]; // rows
end M;
"""
    libraries = libraries_of(tmp_path, text)
    lines = ["one_k_1_: 9.0", "two_2__g: 9.0", "three_1__g: 9.0", "one_g: 8.0", "R_2_2_: 9.0"]
    report = applied(libraries, "\n    ".join([f"{NODE}:\n  ros__parameters:", *lines]), "M")
    assert [each.name for each in report.applied] == ["two[2].g", "one.g", "R[2,2]"]
    assert [each.name for each in report.not_applied] == ["one_k_1_", "three_1__g"]
    assert all("write the array there first" in each.reason for each in report.not_applied)
    assert text_in(libraries, "M.mo") == text.replace("{3, 4}", "{3, 9.0}").replace("-4]", "9.0]").replace(
        "Axis one;", "Axis one(g=8.0);"
    )


# ------------------------------------------------------------ launch files


class Recorded:
    """Stands for a class of ROS: remembers what it was called with."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.arguments = arguments
        self.named = named


def test_a_launch_file_starts_configures_and_activates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ROS: its modules are stood in for by ones that remember the calls."""
    text = launch_text(MODEL, "arm/motor", "config/params.yaml")
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ImportFrom) and statement.module != "pathlib":
            module = ModuleType(str(statement.module))
            for name in statement.names:
                setattr(module, name.name, type(name.name, (Recorded,), {}))
            if statement.module == "lifecycle_msgs.msg":
                module.Transition = type("T", (), {"TRANSITION_CONFIGURE": 1, "TRANSITION_ACTIVATE": 3})  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, str(statement.module), module)
            for end in range(1, statement.module.count(".") + 1 if statement.module else 1):
                parent = ".".join(str(statement.module).split(".")[:end])
                if parent not in sys.modules:
                    monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    path = tmp_path / "motor.launch.py"
    path.write_text(text, encoding="utf-8")
    made = runpy.run_path(str(path))["generate_launch_description"]()
    handler, node, configure = made.arguments[0]
    assert node.named["package"] == "fmi_adapter"
    assert node.named["executable"] == "fmi_adapter_node"
    assert (node.named["name"], node.named["namespace"]) == ("motor", "arm")
    assert node.named["parameters"] == [str(tmp_path / "config" / "params.yaml")]
    assert configure.named["event"].named["transition_id"] == 1
    assert configure.named["event"].named["lifecycle_node_matcher"].arguments == (node,)
    change = handler.arguments[0]
    assert change.named["goal_state"] == "inactive"
    assert change.named["target_lifecycle_node"] is node
    assert change.named["entities"][0].named["event"].named["transition_id"] == 3


# ------------------------------------------------------------ the command


@pytest.mark.slow
def test_from_the_model_to_ros_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    monkeypatch.chdir(tmp_path)
    before = Path("Drives.mo").read_bytes()
    words = ["fmi", "ros-params", "Drives.mo::Drives.Motor"]
    assert main([*words, "--fmu", "M.fmu", "-o", "p.yaml", "--launch", "m.launch.py"]) == 0
    assert main([*words, "--apply", "p.yaml", "-i"]) == 0
    assert Path("Drives.mo").read_bytes() == before
    tuned = Path("p.yaml").read_text(encoding="utf-8").replace("limit: 48.0", "limit: 36.0")
    Path("p.yaml").write_text(tuned, encoding="utf-8")
    assert main([*words, "--fmu", "M.fmu", "-o", "p.yaml"]) == 2
    assert main([*words, "--apply", "p.yaml"]) == 0
    assert Path("Drives.mo").read_bytes() == before
    assert main([*words, "--apply", "p.yaml", "-i"]) == 0
    assert Path("Drives.mo").read_bytes() == before.replace(b"limit = 48 ", b"limit = 36.0 ")
    assert main([*words, "--fmu", "M.fmu", "-o", "p.yaml", "--launch", "m.launch.py"]) == 0
    assert Path("p.yaml").read_text(encoding="utf-8") == tuned
    assert "Traceback" not in capsys.readouterr().err
