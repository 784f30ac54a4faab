"""All that is shipped and generated, in OpenModelica: it compiles, and it moves as in rumoca.

These need `omc` on the PATH; `make test-corpus` runs them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import FIXTURES
from modelica_ast.library import find_library
from modelica_ast.simulation import Result, Simulator
from urdf_frontend import BuildOptions, build, read, write
from urdf_frontend.package.builder.options import TEMPLATES
from urdf_frontend.robot import NameStyle

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        shutil.which("omc") is None, reason="OpenModelica is not installed: there is no omc on the PATH"
    ),
    pytest.mark.usefixtures("msl"),
]
LIBRARIES = TEMPLATES.parent
NEEDED = ("Complex", "ModelicaServices", "Modelica")
# DLR's library of shapes can't be had everywhere.
WITHOUT_THEIR_LIBRARY = {"UrdfRobots.Links.LinkVisualization2", "UrdfRobots.Links.SphereVisualization2"}
EXAMPLES = {
    "UrdfRobots.Examples.Arm.ArmRun": 2,
    "UrdfRobots.Examples.Arm.ArmTest": 5,
    "UrdfRobots.Examples.RollingWheel": 0.5,
    "UrdfRobots.Examples.GenericArm.ByEquations": 1,
    "DynamicConstraints.Examples.FallingObject": 1.5,
    "DynamicConstraints.Examples.SpringBorne": 3,
    "DynamicConstraints.Examples.ToolChange": 25,
    "DynamicConstraints.Examples.Connected.SpringBorne": 3,
    "DynamicConstraints.Examples.Planar.SpringBorne": 3,
    "DynamicConstraints.Examples.Planar.ToolChange": 25,
    "FmiExamples.Examples.DirectDrive": 10,
    "FmiExamples.Examples.ElectricalDrive": 10,
    "FmiExamples.Examples.DampedPendulum": 10,
    "FmiExamples.Examples.PendulumWithDamperOutside": 10,
    "FmiExamples.Examples.PathAfterStandstill": 5,
}


def run_script(lines: list[str], folder: Path) -> str:
    """The output of a script after the loading of the Standard Library."""
    loaded = []
    for name in NEEDED:
        found = find_library(name)
        assert found is not None, name
        loaded.append(f'loadFile("{found if found.is_file() else found / "package.mo"}", uses=false);')
    script = folder / "script.mos"
    script.write_text("\n".join([*loaded, "getErrorString();", *lines]) + "\n", encoding="utf-8")
    done = subprocess.run(["omc", script.name], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.stdout


@pytest.mark.parametrize("library", ["UrdfRobots", "DynamicConstraints", "FmiExamples"])
def test_every_class_of_the_libraries_is_taken(library: str, tmp_path: Path) -> None:
    output = run_script(
        [
            *(f'loadFile("{LIBRARIES / each}/package.mo", uses=false);' for each in ("UrdfRobots", library)),
            f"checkAllModelsRecursive({library}, checkProtected=true);",
        ],
        tmp_path,
    )
    results = re.findall(r"^Checking: \w+ (\S+?)\.\.\. .*?-> (\w+)", output, re.MULTILINE)
    assert len(results) >= 20
    assert {name for name, result in results if result != "OK"} <= WITHOUT_THEIR_LIBRARY
    counts = re.findall(rf"Class ({library}\.Examples\.\S+) has (\d+) equation\(s\) and (\d+) variable", output)
    whole = [each for each in counts if ".Utilities." not in each[0] and not each[0].endswith(".Part")]
    assert whole
    assert [each for each in whole if each[1] != each[2]] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_ends_where_rumoca_has_it(name: str) -> None:
    pytest.importorskip("rumoca", reason="rumoca is not installed: pip install 'modelica-ast[sim]'")
    ends: dict[str, Result] = {}
    states: list[str] = []
    for backend in ("omc", "rumoca"):
        with Simulator([], backend=backend, timeout=600) as simulator:
            model = simulator.compile(name)
            ends[backend] = model.run(stop=EXAMPLES[name], step=EXAMPLES[name] / 500)
            states = [each for each in model.state_names if each in ends["omc"]]
    assert states
    for state in states:
        assert ends["omc"].last(state) == pytest.approx(ends["rumoca"].last(state), abs=2e-5), state


def test_a_record_moves_by_parts_as_by_equations() -> None:
    """The parts are connected by indices from the record, which rumoca can't do."""
    names = {"ByEquations": "robot.q[{}]", "ByParts": "robot.revolute[{}].revolute.phi"}
    ends: dict[str, list[float]] = {}
    with Simulator([], backend="omc", timeout=600) as simulator:
        for model, name in names.items():
            result = simulator.compile(f"UrdfRobots.Examples.GenericArm.{model}").run(stop=1, tolerance=1e-9)
            ends[model] = [result.last(name.format(i)) for i in (1, 2)]
    assert ends["ByParts"] == pytest.approx(ends["ByEquations"], abs=1e-5)
    assert all(abs(each) > 0.01 for each in ends["ByParts"])


@pytest.mark.parametrize("style", [NameStyle.AS_IS, NameStyle.QUOTED])
def test_the_models_of_packages_are_balanced(style: NameStyle, tmp_path: Path) -> None:
    lines = [f'loadFile("{TEMPLATES}/package.mo", uses=false);']
    paths = sorted((FIXTURES / "robots").glob("**/*.urdf"))
    for number, path in enumerate(path for path in paths if read(path).is_usable):
        name = f"Robot{number}"
        options = BuildOptions(name=name, into=tmp_path, urdf=path, name_style=style, copy_meshes=False)
        write(build(read(path).usable_robot(), options), tmp_path)
        lines.append(f'loadFile("{tmp_path / name}/package.mo", uses=false);')
        lines += [f"checkModel({name}.{name}{kind});" for kind in ("Run", "Test")]
    output = run_script(lines, tmp_path)
    counts = re.findall(r"Class (\S+) has (\d+) equation\(s\) and (\d+) variable", output)
    assert len(counts) == sum(line.startswith("checkModel") for line in lines)
    assert [each for each in counts if each[1] != each[2]] == []
