"""Shells around models: what they are, that a second run changes nothing, and that it keeps what the user has written.

`fixtures/fmi/shell/Drives.mo` is the library of a user, and `expected/` has the shells of its models.
"""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import FIXTURES, ROOT, Expected
from modelica_ast.cli import main
from modelica_ast.edit import Document
from modelica_ast.library import instance, open_with_uses
from modelica_ast.rules import check_libraries
from modelica_ast.simulation import Simulator
from package.test_build import MODELICA_TEXT, built_strings
from urdf_frontend.fmi import (
    GAZEBO_ACTUATOR,
    GAZEBO_FLUID,
    PROFILES,
    ROS2,
    FmiError,
    interface_of,
    open_model,
    profile_of,
)

FOLDER = FIXTURES / "fmi" / "shell"
FLUID = ["--profile", "gazebo-fluid", "--velocity", "v", "--force", "F"]
TANK = ["--profile", "tank.yaml", "--map", "pump=inflow", "--map", "height=h", "--map", "overflow=full"]
SHELLS = {
    "Motor": ["--flange", "shaft.flange_b"],
    "Servo": ["--flange", "flange", "--input", "v", "--hold", "limit=5"],
    "Slide": [],
    "Hull": [*FLUID, "--moment", "M"],
    "Keel": FLUID,
    "Level": TANK,
}


PARTS = (
    "package.mo Icons.mo Units.mo Constants.mo Blocks Mechanics/package.mo Mechanics/Rotational Mechanics/Translational"
)


# A block that a user puts between the controller and the motor.
FILTER = """\
  Modelica.Blocks.Continuous.FirstOrder filter(T=0.1);
equation
  connect(actuatorInput, filter.u);
  connect(jointPosition"""


class Said(NamedTuple):
    code: int
    out: str
    err: str


Shell = Callable[..., Said]


@pytest.fixture(scope="module", autouse=True)
def small_library(msl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The parts of the Standard Library that the shells need: to look through all of it takes each call a second."""
    folder = tmp_path_factory.mktemp("libraries")
    small = folder / msl.name
    for part in PARTS.split():
        (small / part).parent.mkdir(parents=True, exist_ok=True)
        if (msl / part).is_dir():
            shutil.copytree(msl / part, small / part, ignore=shutil.ignore_patterns("Examples"))
        else:
            shutil.copy(msl / part, small / part)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODELICAPATH", str(folder))
        yield small


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Shell]:
    """`modelica-patch fmi shell Drives.mo::Drives.MODEL …` in a folder with the user's files."""
    for name in ("Drives.mo", "tank.yaml"):
        shutil.copy(FOLDER / name, tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(model: str, *words: str) -> Said:
        code = main(["fmi", "shell", f"Drives.mo::Drives.{model}", *words])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    yield run
    assert Path("Drives.mo").read_bytes() == (FOLDER / "Drives.mo").read_bytes()


def read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


def edit(name: str, *pairs: tuple[str, str]) -> str:
    """Change a file as a user does; what it is now."""
    text = read(name)
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    Path(name).write_text(text, encoding="utf-8")
    return text


# ---------------------------------------------------------------- new shells


@pytest.mark.parametrize("model", SHELLS)
def test_a_shell_is_what_is_expected_and_a_second_run_changes_nothing(
    shell: Shell, model: str, expected: Expected
) -> None:
    file = f"{model}FMU.mo"
    assert shell(model, *SHELLS[model], "-o", file).code == 0
    expected.file(FOLDER / "expected" / file, read(file))
    again = shell(model, *SHELLS[model], "-o", file)
    assert "nothing to change" in again.err
    assert read(file) == (FOLDER / "expected" / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("model", SHELLS)
def test_a_shell_has_the_variables_of_its_profile_and_no_others(model: str, small_library: Path) -> None:
    opened = open_model(FOLDER / "Drives.mo", f"Drives.{model}")
    libraries = open_with_uses([FOLDER / "expected" / f"{model}FMU.mo"], also=[FOLDER / "Drives.mo", small_library])
    profile = profile_of(str(FOLDER / "tank.yaml")) if model == "Level" else GAZEBO_ACTUATOR
    profile = GAZEBO_FLUID if model in ("Hull", "Keel") else profile
    found = interface_of(libraries, f"{model}FMU")
    assert [(each.name, each.causality, each.type) for each in found.variables] == [
        (var.name, var.causality, var.type) for var in profile.required
    ]
    is_linear = model == "Slide"
    for var in profile.required:
        unit = found.find(var.name).unit
        assert unit == ((is_linear and var.linear_unit) or var.unit), var.name
    assert opened.name == f"Drives.{model}"


def test_nothing_is_wrong_with_the_expected_shells(small_library: Path) -> None:
    for file in sorted((FOLDER / "expected").glob("*.mo")):
        findings = check_libraries(open_with_uses([file], also=[FOLDER / "Drives.mo", small_library]))
        assert [finding.message for finding in findings] == []


def test_adaptor_and_sign_follow_the_flange(small_library: Path) -> None:
    adaptors = {
        "Motor": ("Rotational.Components.AngleToTorqueAdaptor", {"use_w": True, "use_a": True}),
        "Slide": ("Translational.Components.GeneralPositionToForceAdaptor", {"use_pder": True, "use_pder2": True}),
    }
    for model, (type_, values) in adaptors.items():
        libraries = open_with_uses([FOLDER / "expected" / f"{model}FMU.mo"], also=[FOLDER / "Drives.mo", small_library])
        found = instance(libraries, f"{model}FMU")
        assert found.find("adaptor").type_name == f"Modelica.Mechanics.{type_}"
        assert {name: found.find(f"adaptor.{name}").value for name in values} == values
        assert found.find("reaction.k").value == -1
        pairs = {frozenset((each.left, each.right)) for each in found.connections}
        assert frozenset(("reaction.y", "jointTorque")) in pairs
        for component in Document.open(FOLDER / "expected" / f"{model}FMU.mo").find_class(f"{model}FMU").components:
            assert component.placement is not None, component.name


def test_without_a_file_the_shell_is_shown(shell: Shell) -> None:
    said = shell("Slide", "--name", "SlideFMU")
    assert said.out == (FOLDER / "expected" / "SlideFMU.mo").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["Drives.mo", "tank.yaml"]


def test_json(shell: Shell) -> None:
    told = json.loads(shell("Keel", *FLUID, "-o", "KeelFMU.mo", "--json").out)
    assert (told["written"], told["changed"], told["shell"]) == (True, True, "KeelFMU")
    assert told["notes"] == ["the fluid exerts no moment (name one with --moment)"]
    assert json.loads(shell("Keel", *FLUID, "-o", "KeelFMU.mo", "--json").out)["written"] is False


def test_a_dry_run_writes_nothing(shell: Shell) -> None:
    assert "model SlideFMU" in shell("Slide", "-o", "SlideFMU.mo", "-n").out
    assert not Path("SlideFMU.mo").exists()


def test_a_shell_in_a_library(shell: Shell) -> None:
    folder = Path("Robot")
    folder.mkdir()
    (folder / "package.mo").write_text('package Robot\n  annotation (uses(Modelica(version="4.1.0")));\nend Robot;\n')
    (folder / "package.order").write_text("Arm\n")
    (folder / "Arm.mo").write_text("within Robot;\nmodel Arm\nend Arm;\n")
    assert shell("Slide", "-o", "Robot/SlideFMU.mo").code == 0
    assert (folder / "SlideFMU.mo").read_text().startswith('within Robot;\nmodel SlideFMU "Slide for gazebo-actuator"')
    assert (folder / "package.order").read_text() == "Arm\nSlideFMU\n"
    assert "nothing to change" in shell("Slide", "-o", "Robot/SlideFMU.mo").err


@pytest.mark.parametrize("name", ["CON", "arm", "my shell", "'a:b'", "..", "model"])
def test_a_shell_in_a_library_has_a_file_that_all_tools_find(shell: Shell, name: str) -> None:
    folder = Path("Robot")
    folder.mkdir()
    (folder / "package.mo").write_text('package Robot\n  annotation (uses(Modelica(version="4.1.0")));\nend Robot;\n')
    (folder / "Arm.mo").write_text("within Robot;\nmodel Arm\nend Arm;\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    said = shell("Slide", "-o", f"Robot/{name}.mo")
    assert said.code == 2
    assert said.err.startswith("modelica-patch: ")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


# ---------------------------------------------------------------- what the user has changed stays


@pytest.mark.parametrize(
    "edits",
    [
        [("shaft.flange_b, flange_b);", "shaft.flange_b, flange_b); // checked")],
        [('MotorWithFlange motor "', 'MotorWithFlange motor(J=0.5) "')],
        [("reaction(k=-1)", "reaction(k=-0.9)")],
        [("Gain reaction(k=-1)", "Gain sign(k=-1)"), ("tau, reaction.u", "tau, sign.u"), ("(reaction.y", "(sign.y")],
        [
            ('MotorWithFlange motor "', 'MotorWithFlange drive "'),
            ("motor.flange_b, ", "drive.flange_b, "),
            (", motor.v)", ", drive.v)"),
        ],
        [
            ("(actuatorInput, motor.v)", "(filter.y, motor.v)"),
            ("equation\n  connect(jointPosition", FILTER),
        ],
        [('RealInput actuatorInput "What', 'RealInput actuatorInput(unit="V", start=1) "What')],
        [("k=-1", "k=-2"), ("uses(", 'version="7", uses(')],
    ],
    ids=["comment", "modifier", "value", "renamed gain", "renamed model", "filter", "attribute", "annotation"],
)
def test_a_second_run_keeps_edits(shell: Shell, edits: list[tuple[str, str]]) -> None:
    shutil.copy(FOLDER / "expected" / "MotorFMU.mo", "MotorFMU.mo")
    text = edit("MotorFMU.mo", *edits)
    said = shell("Motor", *SHELLS["Motor"], "-o", "MotorFMU.mo")
    assert "nothing to change" in said.err
    assert read("MotorFMU.mo") == text


def test_what_is_gone_comes_back_and_the_rest_stays(shell: Shell) -> None:
    shutil.copy(FOLDER / "expected" / "MotorFMU.mo", "MotorFMU.mo")
    text = read("MotorFMU.mo")
    document = Document(text)
    handle = document.find_class("MotorFMU")
    handle.disconnect("adaptor.tau", "reaction.u")
    handle.find_component("jointVelocity").remove()
    handle.disconnect("jointVelocity", "adaptor.w")
    handle.find_component("motor").set("J", 0.7)
    Path("MotorFMU.mo").write_text(document.text, encoding="utf-8")
    assert "brought up to date" in shell("Motor", *SHELLS["Motor"], "-o", "MotorFMU.mo").err
    now = Document(read("MotorFMU.mo")).find_class("MotorFMU")
    assert sorted(map(sorted, now.connections)) == sorted(
        map(sorted, Document(text).find_class("MotorFMU").connections)
    )
    assert now.find_component("motor").get("J") is not None
    assert now.find_component("jointVelocity").placement is not None


def test_another_flange_is_said_and_not_taken(shell: Shell) -> None:
    shutil.copy(FOLDER / "expected" / "MotorFMU.mo", "MotorFMU.mo")
    said = shell("Motor", "--flange", "shaft.flange_a", "-o", "MotorFMU.mo")
    assert "adaptor.flange stays connected to motor.flange_b, although motor.flange_a is asked for" in said.err


def test_a_shell_with_a_wrong_variable_is_refused_with_its_place(shell: Shell) -> None:
    shutil.copy(FOLDER / "expected" / "SlideFMU.mo", "SlideFMU.mo")
    edit("SlideFMU.mo", ('RealInput jointPosition(unit="m")', 'RealOutput jointPosition(unit="m")'))
    said = shell("Slide", "-o", "SlideFMU.mo")
    assert said.code == 2
    assert "SlideFMU.mo:4: 'jointPosition' is an output of type Real, and gazebo-actuator asks for an input" in said.err


# ---------------------------------------------------------------- in the model itself


def drives_in_place(folder: Path, model: str, *words: str) -> int:
    return main(["fmi", "shell", f"{folder / 'Drives.mo'}::Drives.{model}", *words, "--own", "--in-place"])


def test_in_place_adds_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    before = (tmp_path / "Drives.mo").read_text().splitlines()
    assert drives_in_place(tmp_path, "Half", "--flange", "shaft.flange_b") == 0
    assert '<variable_names><actuatorInput name="v"/></variable_names>, or rename v' in capsys.readouterr().err
    after = (tmp_path / "Drives.mo").read_text()
    lines = iter(after.splitlines())
    assert all(line in lines for line in before)  # each is still there, in the same order
    opened = open_model(tmp_path / "Drives.mo", "Drives.Half")
    found = interface_of(opened.libraries, opened.name)
    assert [each.name for each in found.inputs] == ["v", "jointPosition", "jointVelocity", "jointAcceleration"]
    assert [each.name for each in found.outputs] == ["jointTorque"]
    assert found.find("jointPosition").description == "measured"
    assert drives_in_place(tmp_path, "Half", "--flange", "shaft.flange_b") == 0
    assert (tmp_path / "Drives.mo").read_text() == after


def test_a_model_that_has_everything_needs_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model as those of gazebo-fmi are: its own adaptor and gain, whatever they are called."""
    monkeypatch.chdir(tmp_path)
    text = (FOLDER / "expected" / "SlideFMU.mo").read_text().replace("adaptor", "moved").replace("reaction", "minus")
    Path("SlideFMU.mo").write_text(text)
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    assert main(["fmi", "shell", "SlideFMU.mo", "--own", "--in-place"]) == 0
    assert "nothing to change" in capsys.readouterr().err
    assert main(["fmi", "shell", "SlideFMU.mo", "-o", "Another.mo"]) == 2
    assert "SlideFMU.mo:10: SlideFMU has 'jointTorque' and needs no shell" in capsys.readouterr().err
    broken = text.replace("  connect(minus.y, jointTorque)\n", "  connect(minus.y, elsewhere)\n")
    Path("SlideFMU.mo").write_text(broken)
    assert main(["fmi", "shell", "SlideFMU.mo", "--own", "--in-place"]) == 2
    assert "name the flange that drives the joint" in capsys.readouterr().err


def test_in_place_with_a_wrong_variable_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    assert drives_in_place(Path(), "Wrong", "--flange", "shaft.flange_b") == 2
    assert "Drives.mo:45: 'jointVelocity' is an output of type Real" in capsys.readouterr().err
    assert (tmp_path / "Drives.mo").read_bytes() == (FOLDER / "Drives.mo").read_bytes()


def test_in_place_outputs_are_what_they_are_in_the_model(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    words = ["--profile", str(FOLDER / "tank.yaml"), *TANK[2:]]
    assert drives_in_place(tmp_path, "Level", *words) == 0
    level = Document.open(tmp_path / "Drives.mo").find_class("Drives.Level")
    value = level.find_component("height").get()
    assert value is not None
    assert value.text == "h"
    assert level.get_component("pump") is None  # it is there as `inflow`, and what to do is said


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("model", "words", "message"),
    [
        ("Motor", [], "name the flange that drives the joint with --flange; there is torque.flange, shaft.flange_a,"),
        ("Motor", ["--flange", "shaft.flange_c"], "no component 'flange_c' in 'shaft'; did you mean 'flange_b'?"),
        ("Motor", ["--flange", "v"], "Drives.mo:4: 'v' is a Modelica.Blocks.Interfaces.RealInput, not a flange"),
        ("Motor", ["--flange", "shaft.flange_b", "--input", "J"], "Drives.mo:3: 'J' is a parameter of type Real"),
        ("Motor", ["--flange", "shaft.flange_b", "--input", "w"], "Drives.Motor has no variable 'w'"),
        ("Motor", ["--flange", "shaft.flange_b", "--name", "a b"], "'a b' can't be the name of a model"),
        ("Motor", ["--flange", "shaft.flange_b", "--name", "model"], "'model' is a keyword of Modelica"),
        ("Motor", ["--flange", "shaft.flange_b", "-o", "Drives.mo"], "is the file of the model itself"),
        ("Motor", ["--flange", "shaft.flange_b", "--map", "speed=v"], "gazebo-actuator has no variable 'speed'"),
        ("Motor", ["--flange", "shaft.flange_b", "--hold", "x=1"], "'x' can't be held, because it is not an input"),
        ("Motor", ["--flange", "shaft.flange_b", "--hold", "x=a"], "--hold takes a number: 'a' is not one"),
        ("Motor", ["--flange", "shaft.flange_b", "--map", "v"], "--map takes NAME=VALUE, not 'v'"),
        ("Deep", ["--flange", "motor.shaft.flange_b"], "Drives.mo:54: 'motor.shaft.flange_b' is too deep inside"),
        ("Servo", ["--flange", "flange"], "say which input the controller drives with --input: v, limit, brake"),
        ("Servo", ["--flange", "flange", "--input", "v"], "Drives.mo:15: nothing drives the input 'limit'"),
        ("Slide", ["--profile", "gazebo-fluid", "--velocity", "f"], "'f' is not an array of three"),
        ("Slide", ["--velocity", "f"], "--velocity, --force and --moment are of gazebo-fluid"),
        ("Hull", ["--profile", "gazebo-fluid", "--velocity", "v"], "--map fluidDynamicForce_x=NAME"),
        ("Hull", ["--profile", "gazebo-fluid", "--flange", "v"], "nothing that drives a joint"),
        ("Hull", ["--profile", "ros2"], "the profile ros2 asks for no variables"),
        ("Hull", ["--profile", "gazebo-fluids"], "did you mean 'gazebo-fluid'?"),
        ("Hull", ["--profile", "none.yaml"], "none.yaml can't be read: No such file"),
        (
            "Level",
            ["--profile", "tank.yaml", "--map", "pump=full"],
            "'full' is an output of type Boolean; 'pump' of tank",
        ),
        ("Motr", [], "no class 'Motr' in 'Drives'; did you mean 'Motor'?"),
    ],
)
def test_what_is_refused(shell: Shell, model: str, words: list[str], message: str) -> None:
    said = shell(model, *words)
    assert said.code == 2
    assert message in said.err
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


def test_inputs_of_the_model_itself_are_not_driven_from_inside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FOLDER / "Drives.mo", tmp_path)
    assert drives_in_place(tmp_path, "Hull", *FLUID) == 2
    assert "'v[1]' is an input of the model itself" in capsys.readouterr().err


def test_a_standard_library_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FOLDER / "Drives.mo").read_text(encoding="utf-8").replace("4.0.0", "1.6")
    (tmp_path / "Old.mo").write_text(text.replace("Drives", "Old"), encoding="utf-8")
    words = ["fmi", "shell", f"{tmp_path / 'Old.mo'}::Old.Motor", "--flange", "shaft.flange_b", "--input", "v"]
    assert main(words) == 0
    assert (
        capsys.readouterr().err.count(
            "note: Modelica 1.6 is required by a uses annotation but not installed; there is "
        )
        == 1
    )
    monkeypatch.setenv("MODELICAPATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(words) == 2
    assert "is its library installed, in the version that `uses` asks for" in capsys.readouterr().err


# ---------------------------------------------------------------- profiles


def test_profiles() -> None:
    assert [var.name for var in GAZEBO_ACTUATOR.required] == [
        "actuatorInput",
        "jointPosition",
        "jointVelocity",
        "jointAcceleration",
        "jointTorque",
    ]
    assert [var.causality for var in GAZEBO_FLUID.required] == ["input"] * 3 + ["output"] * 6
    assert (ROS2.required, ROS2.types) == ((), ("Real",))
    assert all(profile_of(name) is profile for name, profile in PROFILES.items())


def test_a_profile_from_a_file(tmp_path: Path) -> None:
    found = profile_of(str(FOLDER / "tank.yaml"))
    assert [(var.name, var.causality, var.type, var.unit) for var in found.required] == [
        ("pump", "input", "Real", "m3/s"),
        ("height", "output", "Real", "m"),
        ("overflow", "output", "Boolean", None),
    ]
    (tmp_path / "tank.json").write_text(json.dumps({"required": [{"name": "x", "causality": "input"}]}))
    assert [var.name for var in profile_of(str(tmp_path / "tank.json")).required] == ["x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1", "the profile is a mapping"),
        ("{", r"wrong\.yaml:1:2: this is not YAML"),
        ("nam: x", "the profile has no 'nam'; did you mean 'name'?"),
        ("name: 3", "'name' of the profile must be a string"),
        ("required: 3", "'required' must be a list"),
        ("required: [{causality: input}]", "variable 1 has no name"),
        ("required: [{name: a, causality: in}]", "the causality of 'a' must be one of"),
        ("required: [{name: a, causality: input, type: Reel}]", "the type of 'a' must be one of"),
        ("required: [{name: a, causality: input}, {name: a, causality: input}]", "'a' is required twice"),
        ("types: [Complex]", "'types' must be a list with some of"),
    ],
)
def test_wrong_profiles(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FmiError, match=message.replace("?", r"\?")):
        profile_of(str(path))


# ---------------------------------------------------------------- how it is made


def test_no_modelica_is_made_as_text() -> None:
    room = ROOT / "src" / "urdf_frontend" / "fmi"
    files = [*room.glob("shell*.py"), room / "wrapped_model.py"]
    assert len(files) > 3
    for path in files:
        for line, text in built_strings(ast.parse(path.read_text(encoding="utf-8"))):
            assert not MODELICA_TEXT.search(text), f"{path.name}:{line}: {text!r}"


@pytest.mark.corpus
def test_a_compiler_lists_the_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MODELICAPATH")
    wanted = {"Motor": GAZEBO_ACTUATOR, "Slide": GAZEBO_ACTUATOR, "Servo": GAZEBO_ACTUATOR, "Keel": GAZEBO_FLUID}
    with Simulator([FOLDER / "expected", FOLDER], timeout=300) as simulator:
        for model, profile in wanted.items():
            compiled = simulator.compile(f"{model}FMU")
            inputs = [var.name for var in profile.required if var.causality == "input"]
            assert list(compiled.description.inputs) == inputs, model
            assert sorted(compiled.description.outputs) == sorted({var.name for var in profile.required} - set(inputs))
            assert compiled.is_balanced, model


# A joint in Gazebo: it moves by the torque of the shell, and tells the shell how it moves.
JOINT = """
model Joint
  {actuator} shell;
  parameter Real inertia = 0.1;
  Real position(start=0, fixed=true);
  Real velocity(start=0, fixed=true);
equation
  der(position) = velocity;
  inertia*der(velocity) = shell.jointTorque;
  shell.jointPosition = position;
  shell.jointVelocity = velocity;
  shell.jointAcceleration = der(velocity);
  shell.actuatorInput = 1;
end Joint;
"""


@pytest.mark.parametrize(("name", "own"), [("Motor", 1e-3), ("Slide", 0.0)])
def test_a_joint_moves_the_way_that_it_is_driven(name: str, own: float, msl: Path) -> None:
    """With OpenModelica: rumoca can't simulate the adaptor. The motor's own inertia counts, with the right sign."""
    assert msl.is_dir()
    if shutil.which("omc") is None:
        pytest.skip("OpenModelica is not installed: there is no omc on the PATH")
    shell = (FOLDER / "expected" / f"{name}FMU.mo").read_text(encoding="utf-8")
    text = shell + JOINT.format(actuator=f"{name}FMU")
    with Simulator([FOLDER / "Drives.mo"], backend="omc", timeout=300) as simulator:
        result = simulator.compile_text(text, "Joint").run(stop=0.5)
    assert result.last("velocity") == pytest.approx(0.5 / (0.1 + own), rel=1e-5)
