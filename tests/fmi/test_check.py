"""A model against profiles and against descriptions of its FMU: each thing that drifts apart is found."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path

import pytest

from modelica_ast.cli import main
from modelica_ast.library import Libraries
from urdf_frontend.fmi.check import check_model
from urdf_frontend.fmi.drift import CODES, Difference
from urdf_frontend.fmi.interface import interface_of
from urdf_frontend.fmi.model_description import (
    LARGEST_DESCRIPTION,
    ModelDescription,
    description_of,
    read_description,
    read_fmu,
)
from urdf_frontend.fmi.profiles import GAZEBO_ACTUATOR, GAZEBO_FLUID, ROS2, FmiError, read_profile

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures" / "fmi" / "check"
MODEL = "Drives.Motor"


@pytest.fixture(scope="module")
def drives() -> Libraries:
    return Libraries([FOLDER / "Drives.mo"])


def description(text: str) -> ModelDescription:
    return description_of(text.encode(), "modelDescription.xml")


def told(found: list[Difference]) -> list[tuple[str, str]]:
    return [(each.code, each.variable) for each in found]


def model_of(tmp_path: Path, text: str) -> Libraries:
    (tmp_path / "M.mo").write_text(text, encoding="utf-8")
    return Libraries([tmp_path / "M.mo"])


# ------------------------------------------------------------ against a description


@pytest.mark.parametrize("version", ["2", "3"])
def test_what_belongs_together_differs_in_nothing(drives: Libraries, version: str) -> None:
    assert check_model(drives, MODEL, description=read_description(FOLDER / f"motor{version}.xml")) == []


# What is replaced in which description, and what must be found then: (versions, old, new, code, variable).
MUTATIONS = [
    ("23", 'name="v"', 'name="voltage"', [("fmi-missing", "v"), ("fmi-extra", "voltage")]),
    ("23", 'name="limit"', 'name="Limit"', [("fmi-missing", "limit"), ("fmi-extra-parameter", "Limit")]),
    ("23", 'causality="input"', 'causality="output"', [("fmi-causality", "v")]),
    ("23", 'causality="output"', 'causality="local"', [("fmi-causality", "tau")]),
    ("23", 'valueReference="12"', 'valueReference="12" causality="output"', [("fmi-causality", "i")]),
    ("23", 'valueReference="3" causality="parameter"', 'valueReference="3"', [("fmi-causality", "limit")]),
    ("23", "calculatedParameter", "parameter", [("fmi-causality", "double")]),
    ("2", 'valueReference="10" causality="parameter"', 'valueReference="10"', [("fmi-evaluated", "winding.R")]),
    ("2", 'name="v" v', 'name="v" variability="discrete" v', [("fmi-variability", "v")]),
    ("3", 'name="v" v', 'name="v" variability="discrete" v', [("fmi-variability", "v")]),
    ("23", 'variability="tunable"', 'variability="continuous"', [("fmi-variability", "limit")]),
    ("2", '<Integer start="4"/>', '<Real start="4"/>', [("fmi-type", "poles")]),
    ("3", '<Int32 name="poles"', '<Float64 name="poles"', [("fmi-type", "poles")]),
    ("23", 'start="48"', 'start="48.5"', [("fmi-start", "limit")]),
    ("23", 'start="0.5"', 'start="0"', [("fmi-start", "v")]),
    ("23", 'start="50"', 'start="100"', [("fmi-start", "ratio")]),
    ("23", 'start="4"', 'start="6"', [("fmi-start", "poles")]),
    ("23", 'start="false"', 'start="true"', [("fmi-start", "brake")]),
    ("2", 'start="left"', 'start="right"', [("fmi-start", "label")]),
    ("3", 'value="left"', 'value="right"', [("fmi-start", "label")]),
    ("23", 'start="2.5"', 'start="1"', [("fmi-start", "winding.R")]),
    ("2", 'start="0.25"', 'start="0.5"', [("fmi-start", "gains[2]")]),
    ("3", 'start="0.5 0.25"', 'start="0.5 0.5"', [("fmi-start", "gains")]),
    ("23", ' start="48"', "", [("fmi-start", "limit")]),
    ("23", 'unit="V" start', 'unit="mV" start', [("fmi-unit", "v")]),
    ("23", 'quantity="ElectricPotential" unit="V"', 'unit="kV"', [("fmi-unit", "limit")]),
    ("23", ' unit="N.m"', "", [("fmi-unit-missing", "tau")]),
    ("23", 'description="gear ratio"', 'description="ratio"', [("fmi-description", "ratio")]),
    ("23", ' description="current"', "", [("fmi-description", "i")]),
    ("2", 'name="gains[2]"', 'name="gains[3]"', [("fmi-missing", "gains[2]"), ("fmi-extra-parameter", "gains[3]")]),
    ("3", '<Dimension start="2"/>', '<Dimension start="3"/>', [("fmi-size", "gains")]),
    ("3", '<Dimension start="2"/>', "", [("fmi-size", "gains")]),
]


@pytest.mark.parametrize(("versions", "old", "new", "expected"), MUTATIONS)
def test_each_mutation_is_found(
    drives: Libraries, versions: str, old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    for version in versions:
        text = (FOLDER / f"motor{version}.xml").read_text(encoding="utf-8")
        assert old in text
        found = check_model(drives, MODEL, description=description(text.replace(old, new, 1)))
        assert told(found) == expected


def test_a_name_that_is_there_twice(drives: Libraries) -> None:
    text = (FOLDER / "motor2.xml").read_text(encoding="utf-8").replace('name="i"', 'name="tau"')
    assert ("fmi-twice", "tau") in told(check_model(drives, MODEL, description=description(text)))


def test_a_difference_names_both_places(drives: Libraries) -> None:
    text = (FOLDER / "motor2.xml").read_text(encoding="utf-8").replace('start="48"', 'start="12"')
    (found,) = check_model(drives, MODEL, description=description(text))
    assert found.severity == "error"
    assert Path(found.file).name == "Drives.mo"
    assert found.line == 20
    assert found.message == "'limit' is 48.0 here, and 12.0 in the FMU"
    assert found.hint == "there: modelDescription.xml:18"


def test_a_final_parameter_that_can_be_set_is_told_why(drives: Libraries) -> None:
    text = (FOLDER / "motor3.xml").read_text(encoding="utf-8")
    text = text.replace('name="i" valueReference="12"', 'name="fixedValue" valueReference="12" causality="parameter"')
    found = check_model(drives, MODEL, description=description(text))
    assert ("fmi-causality", "fixedValue") in told(found)
    assert "(it is final)" in found[0].message


def test_a_parameter_of_a_component_may_be_missing_or_evaluated(drives: Libraries) -> None:
    text = (FOLDER / "motor3.xml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if 'name="winding.L"' not in line]
    assert check_model(drives, MODEL, description=description("\n".join(lines))) == []
    local = text.replace('valueReference="11" causality="parameter"', 'valueReference="11" variability="fixed"')
    (found,) = check_model(drives, MODEL, description=description(local))
    assert (found.code, found.severity) == ("fmi-evaluated", "warning")


ARRAYS = """
model M
  input Real u[2] "u";
  parameter Real R[2,2] = [1, 2; 3, 4] "R";
  block Axis
    parameter Real k = 1 "k";
  end Axis;
  Axis axes[2](k={5, 6}) "axes";
end M;
"""


def scalar(name: str, causality: str, start: float, text: str) -> str:
    variability = ' variability="fixed"' if causality == "parameter" else ""
    return (
        f'<ScalarVariable name="{name}" valueReference="0" causality="{causality}"{variability} description="{text}">'
        f'<Real start="{start}"/></ScalarVariable>'
    )


def old_description(variables: list[str], naming: str) -> str:
    head = f'<fmiModelDescription fmiVersion="2.0" modelName="M" guid="g" variableNamingConvention="{naming}">'
    return f"{head}<CoSimulation/><ModelVariables>{''.join(variables)}</ModelVariables></fmiModelDescription>"


STRUCTURED = ["u[1]", "u[2]", "R[1,1]", "R[1,2]", "R[2,1]", "R[2,2]", "axes[1].k", "axes[2].k"]
STARTS = [0, 0, 1, 2, 3, 4, 5, 6]


def array_variables(names: list[str]) -> list[str]:
    return [
        scalar(name, "input" if name[0] == "u" else "parameter", start, "k" if name[-1] == "k" else name[0])
        for name, start in zip(names, STARTS, strict=True)
    ]


def test_arrays_are_compared_element_by_element(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, ARRAYS)
    variables = array_variables(STRUCTURED)
    assert check_model(libraries, "M", description=description(old_description(variables, "structured"))) == []
    variables[4] = scalar("R[2,1]", "parameter", 9, "R")
    variables[7] = scalar("axes[2].k", "parameter", 9, "k")
    found = check_model(libraries, "M", description=description(old_description(variables, "structured")))
    assert told(found) == [("fmi-start", "R[2,1]"), ("fmi-start", "axes[2].k")]


def test_flat_names_are_found_and_told(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, ARRAYS)
    flat = ["u_1", "u_2", "R_1_1", "R_1_2", "R_2_1", "R_2_2", "axes_1_k", "axes_2_k"]
    text = old_description(array_variables(flat), "flat")
    assert told(check_model(libraries, "M", description=description(text))) == [("fmi-flat", name) for name in flat]
    structured = old_description(array_variables(flat), "structured")
    codes = {code for code, _ in told(check_model(libraries, "M", description=description(structured)))}
    assert codes == {"fmi-missing", "fmi-extra", "fmi-extra-parameter"}


def test_an_array_of_unknown_size_is_found_by_its_name(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, 'model M\n  parameter Integer n;\n  input Real u[n] "u";\nend M;\n')
    variables = [scalar("u[1]", "input", 0, "u"), scalar("u[2]", "output", 0, "u")]
    number = '<ScalarVariable name="n" causality="parameter" variability="fixed"><Integer start="2"/></ScalarVariable>'
    text = old_description([number, *variables], "structured")
    assert told(check_model(libraries, "M", description=description(text))) == [("fmi-causality", "u[2]")]


# ------------------------------------------------------------ against a profile

ACTUATOR = """
model M
  connector In = input Real;
  connector Out = output Real;
  In actuatorInput;
  In jointPosition(unit="rad");
  In jointVelocity(unit="rad/s");
  In jointAcceleration;
  Out jointTorque(unit="N.m");
end M;
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("  In jointPosition", "  In position", [("fmi-missing", "jointPosition"), ("fmi-no-start", "position")]),
        ("  In jointPosition(", "  Out jointPosition(", [("fmi-causality", "jointPosition")]),
        ("  Out jointTorque", "  output Integer jointTorque", [("fmi-type", "jointTorque")]),
        ("jointPosition(", "jointPosition[3](each ", [("fmi-size", "jointPosition")]),
        ('unit="N.m"', 'unit="mN.m"', [("fmi-unit", "jointTorque")]),
        ("end M", "  In more;\nend M", [("fmi-no-start", "more")]),
        ("end M", "  In more(start=1);\nend M", []),
        ("end M", "  output Boolean hot;\nend M", [("fmi-type", "hot")]),
        ('"rad"', '"m"', [("fmi-unit", "jointPosition")]),
    ],
)
def test_the_actuator_of_gazebo(tmp_path: Path, old: str, new: str, expected: list[tuple[str, str]]) -> None:
    libraries = model_of(tmp_path, ACTUATOR.replace(old, new, 1))
    assert told(check_model(libraries, "M", profile=GAZEBO_ACTUATOR)) == expected


def test_an_actuator_may_slide(tmp_path: Path) -> None:
    text = ACTUATOR.replace('"rad"', '"m"').replace('"rad/s"', '"m/s"').replace('"N.m"', '"N"')
    assert check_model(model_of(tmp_path, text), "M", profile=GAZEBO_ACTUATOR) == []


def test_names_that_sdf_maps(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, ACTUATOR.replace("jointTorque", "tau"))
    assert told(check_model(libraries, "M", profile=GAZEBO_ACTUATOR)) == [("fmi-missing", "jointTorque")]
    assert check_model(libraries, "M", profile=GAZEBO_ACTUATOR, variable_names={"jointTorque": "tau"}) == []
    with pytest.raises(FmiError, match="asks for no 'torque'; did you mean 'jointTorque'"):
        check_model(libraries, "M", profile=GAZEBO_ACTUATOR, variable_names={"torque": "tau"})


def test_the_fluid_of_gazebo_and_a_profile_of_ones_own(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, "model M\n  input Real speed;\nend M;\n")
    missing = check_model(libraries, "M", profile=GAZEBO_FLUID)
    assert [code for code, _ in told(missing)] == ["fmi-missing"] * 9 + ["fmi-no-start"]
    own = tmp_path / "own.yaml"
    own.write_text("required:\n- {name: speed, causality: input, unit: m/s}\n- {name: f, causality: output}\n")
    assert told(check_model(libraries, "M", profile=read_profile(own))) == [("fmi-missing", "f")]


def test_what_ros_can_not_take(tmp_path: Path) -> None:
    text = """model M
  record Pair
    Real b;
  end Pair;
  input Real a_b;
  output Pair a;
  input Real '1st';
  output Boolean ready;
  input Real ok;
  parameter Integer n = 1;
end M;
"""
    found = check_model(model_of(tmp_path, text), "M", profile=ROS2)
    assert told(found) == [("ros-type", "ready"), ("ros-collision", "a.b"), ("ros-name", "'1st'")]
    assert found[1].message.startswith("'a.b' is 'a_b' in ROS, and so is 'a_b' (")


def test_names_of_the_fmu_that_ros_can_not_tell_apart(drives: Libraries) -> None:
    text = (FOLDER / "motor2.xml").read_text(encoding="utf-8")
    more = '<ScalarVariable name="winding_R" valueReference="90"><Real/></ScalarVariable></ModelVariables>'
    text = text.replace("</ModelVariables>", more)
    found = check_model(drives, MODEL, profile=ROS2, description=description(text))
    assert ("ros-collision", "winding_R") in told(found)


def test_kinds_of_fmus_that_nobody_runs(drives: Libraries) -> None:
    new = read_description(FOLDER / "motor3.xml")
    assert told(check_model(drives, MODEL, profile=ROS2, description=new)) == [("fmi-kind", "")]
    text = (FOLDER / "motor2.xml").read_text(encoding="utf-8").replace("<CoSimulation", "<ModelExchange")
    (found,) = check_model(drives, MODEL, profile=ROS2, description=description(text))
    assert "needs CoSimulation" in found.message


def test_what_is_not_found_is_told(tmp_path: Path) -> None:
    libraries = model_of(tmp_path, "model M\n  extends Nowhere.Base;\n  Else.Where x;\nend M;\n")
    assert [code for code, _ in told(check_model(libraries, "M", profile=ROS2))] == [
        "fmi-base",
        "fmi-unresolved",
    ]
    with pytest.raises(FmiError, match=r"M\.mo:2: the base class 'Nowhere\.Base' of M is not found; put its library"):
        interface_of(libraries, "M").refuse_missing_bases()


# ------------------------------------------------------------ hostile input


def with_variables(version: str, variables: str) -> bytes:
    head = f'<fmiModelDescription fmiVersion="{version}"><ModelVariables>'
    return f"{head}{variables}</ModelVariables></fmiModelDescription>".encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not well-formed XML"),
        (b"<a>", "not well-formed XML"),
        (b"\x00\x01\x02", "not well-formed XML"),
        (b"<robot/>", "its root is <robot>"),
        (b'<fmiModelDescription fmiVersion="1.0"/>', "FMI 1.0; FMI 2.0 and 3.0 can be read"),
        (b"<fmiModelDescription/>", "without a version"),
        (
            b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><fmiModelDescription fmiVersion="&b;"/>',
            "declares entities",
        ),
        (b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', "declares entities"),
        (b"<a>" * 5000 + b"</a>" * 5000, "not well-formed XML"),
        (with_variables("2.0", '<ScalarVariable name="x"/>'), "m.xml:1:55: the variable has no type"),
        (with_variables("3.0", '<Float64 name="x" start="one"/>'), "the start value 'one' is not of type Real"),
        (with_variables("3.0", "<Float64/>"), "<Float64> has no 'name'"),
    ],
)
def test_one_clear_error_for_bad_xml(data: bytes, message: str) -> None:
    with pytest.raises(FmiError) as caught:
        description_of(data, "m.xml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_fmu_is_read_without_unpacking(tmp_path: Path) -> None:
    fmu = tmp_path / "Motor.fmu"
    with zipfile.ZipFile(fmu, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(FOLDER / "motor2.xml", "modelDescription.xml")
        archive.writestr("../outside.txt", "never written")
    assert read_fmu(fmu).variables == read_description(FOLDER / "motor2.xml").variables
    assert read_fmu(fmu).file == f"{fmu}/modelDescription.xml"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Motor.fmu"]


def lying_archive(path: Path) -> None:
    """An archive whose description takes more bytes than its directory says."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", b" " * (LARGEST_DESCRIPTION + 10))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = struct.pack("<I", 100)
    path.write_bytes(bytes(data))


def test_hostile_archives(tmp_path: Path) -> None:
    fmu = tmp_path / "x.fmu"
    with pytest.raises(FmiError, match="no such file"):
        read_fmu(fmu)
    fmu.write_bytes(b"no archive")
    with pytest.raises(FmiError, match=r"is not an FMU, which is a ZIP archive: file is not a zip file"):
        read_fmu(fmu)
    with zipfile.ZipFile(fmu, "w") as archive:
        archive.writestr("other.xml", "")
    with pytest.raises(FmiError, match=r"it has no modelDescription\.xml"):
        read_fmu(fmu)
    with zipfile.ZipFile(fmu, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", b" " * (LARGEST_DESCRIPTION + 10))
    assert fmu.stat().st_size < 200_000
    with pytest.raises(FmiError, match="more than 64 MB"):
        read_fmu(fmu)
    lying_archive(fmu)
    with pytest.raises(FmiError):
        read_fmu(fmu)
    fmu.write_bytes(fmu.read_bytes()[:-30])
    with pytest.raises(FmiError, match="is not an FMU"):
        read_fmu(fmu)


# ------------------------------------------------------------ the command


def test_findings_as_sarif(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    words = ["Drives.mo::Drives.Motor", "--profile", "gazebo-actuator", "--format", "sarif"]
    assert main(["fmi", "check", *words]) == 1
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["fmi-missing"] * 5
    place = results[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "Drives.mo"
    assert place["region"]["startLine"] == 18


def test_every_code_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "fmi.md").read_text(encoding="utf-8")
    for code, about in CODES.items():
        assert f"| `{code}` | {about.severity} |" in page
