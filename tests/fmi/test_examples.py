"""The library FmiExamples, and FMUs that really run.

An FMU of the electrical actuator's equations is built with PythonFMU and runs in FMPy, in the loop that gazebo-fmi has:
`fixtures/fmi/shell/closed_loop.py`. The same loops are models of the library, which a compiler runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.edit import ClassHandle
from modelica_ast.library import Libraries, instance, open_with_uses
from modelica_ast.rules import check_libraries
from modelica_ast.simulation import FmuModel, Simulator
from urdf_frontend.fmi import GAZEBO_ACTUATOR, GAZEBO_FLUID, Profile, interface_of

LIBRARY = ROOT / "src" / "urdf_frontend" / "library" / "FmiExamples"
FOLDER = FIXTURES / "fmi" / "shell"
EXAMPLES = "FmiExamples.Examples"
TARGET = 1.0
STEP = 0.002
STOP = 10.0


class Row(NamedTuple):
    """Gains and motor, and what a stiff solver found for them: the highest angle, and from when on it is within 5 %."""

    k: float | None  # None for no actuator
    P: float
    D: float
    peak: float
    settled: float | None  # None for not at all


# The reference: Radau with a tolerance of 1e-9.
TABLE = [
    Row(None, 10, 3, 1.171, 1.67),
    Row(0.1, 10, 3, 1.229, None),
    Row(0.1, 109, 60, 1.113, 3.40),
    Row(0.001, 10, 3, 1.861, None),
    Row(0.001, 109, 60, 1.263, 5.02),
]


def settled(angles: list[float], step: float) -> float | None:
    """From when on the angle stays within 5 % of the target."""
    outside = [index for index, angle in enumerate(angles) if abs(angle - TARGET) > 0.05 * TARGET]
    return None if outside[-1] + 1 == len(angles) else (outside[-1] + 1) * step


def check(row: Row, angles: list[float], step: float) -> None:
    assert max(angles) == pytest.approx(row.peak, rel=0.02)
    assert settled(angles, step) == (None if row.settled is None else pytest.approx(row.settled, rel=0.02))


# ---------------------------------------------------------------- as it stands


@pytest.fixture(scope="module")
def opened(msl: Path) -> Libraries:
    return open_with_uses([LIBRARY], also=[msl])


def classes(libraries: Libraries) -> Iterator[tuple[str, ClassHandle]]:
    for name in libraries["FmiExamples"].classes():
        yield name, libraries.find_class(name)


def test_nothing_is_wrong_with_it(opened: Libraries) -> None:
    assert [finding.message for finding in check_libraries(opened)] == []


def test_every_class_and_component_says_what_it_is(opened: Libraries) -> None:
    for name, handle in classes(opened):
        assert handle.description, name
        assert handle.get_annotation("Documentation.info") is not None, name
        for component in handle.components:
            assert component.description, (name, component.name)


def test_diagrams_are_drawn(opened: Libraries) -> None:
    for name, handle in classes(opened):
        for one, other in handle.connections:
            assert handle.get_line(one, other) is not None, (name, one, other)
        placed = {component.name for component in handle.components if component.placement is not None}
        ends = {end.partition(".")[0] for pair in handle.connections for end in pair}
        assert ends <= placed, name


@pytest.mark.parametrize(
    ("template", "profile"),
    [
        ("RotationalActuator", GAZEBO_ACTUATOR),
        ("TranslationalActuator", GAZEBO_ACTUATOR),
        ("FluidDynamics", GAZEBO_FLUID),
    ],
)
def test_templates_have_the_variables_of_their_profiles(opened: Libraries, template: str, profile: Profile) -> None:
    found = interface_of(opened, f"FmiExamples.Templates.{template}")
    linear = template == "TranslationalActuator"
    assert [(each.name, each.causality, each.unit) for each in found.variables] == [
        (var.name, var.causality, (linear and var.linear_unit) or var.unit) for var in profile.required
    ]


def test_the_path_filter_fits_ros(opened: Libraries) -> None:
    found = interface_of(opened, "FmiExamples.Controllers.PathFilter")
    assert {variable.type for variable in (*found.inputs, *found.outputs)} == {"Real"}
    assert all(variable.unit for variable in (*found.inputs, *found.outputs))


# ---------------------------------------------------------------- a real FMU


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("fmpy")
    builder = pytest.importorskip("pythonfmu").FmuBuilder
    folder = tmp_path_factory.mktemp("fmu")
    found = builder.build_FMU(FOLDER / "electrical_actuator.py", dest=folder)
    return Path(found)


def test_a_locked_joint(fmu: Path) -> None:
    """10 V: the speed at which the torque of the damper is that of the motor, k (v - k w)/R = d w/ratio²."""
    w = 0.1 * 10 / (0.1**2 + 0.25 / 100**2)
    run = FmuModel(fmu).run(stop=0.5, step=0.01, parameters={"actuatorInput": 10.0}, variables=["jointTorque"])
    assert run.last("jointTorque") == pytest.approx(0.25 * w / 100, rel=1e-6)
    assert run.last("jointTorque") == pytest.approx(0.24938, abs=1e-5)


def angles_with_fmu(fmu: Path, opened: Libraries, rows: list[Row]) -> list[list[float]]:
    """The FMU gets its parameters from the Modelica model, but for the one that the rows differ in."""
    actuator = interface_of(opened, "FmiExamples.Actuators.ElectricalActuator")
    values = {each.name: float(each.start) for each in actuator.parameters}
    arm = instance(opened, "FmiExamples.Plants.Arm")
    inertia = arm.find("m").value * arm.find("l").value ** 2 + arm.find("I").value
    request = {
        "step": STEP,
        "stop": STOP,
        "arm": {"inertia": float(inertia), "d": float(arm.find("d").value)},
        "rows": [
            {"P": row.P, "D": row.D, "parameters": None if row.k is None else {**values, "k": row.k}} for row in rows
        ],
    }
    command = [sys.executable, str(FOLDER / "closed_loop.py"), str(fmu), json.dumps(request)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    found: list[list[float]] = json.loads(done.stdout)
    return found


def test_the_closed_loop_with_an_fmu(fmu: Path, opened: Libraries) -> None:
    for row, angles in zip(TABLE, angles_with_fmu(fmu, opened, TABLE), strict=True):
        check(row, angles, STEP)


# ---------------------------------------------------------------- the same in a compiler


@pytest.fixture(scope="module")
def simulator(msl: Path) -> Iterator[Simulator]:
    assert msl
    pytest.importorskip("rumoca")
    with Simulator([], timeout=300) as found:
        yield found


@pytest.mark.corpus
def test_the_closed_loop_in_modelica_is_that_of_the_fmu(simulator: Simulator, fmu: Path, opened: Libraries) -> None:
    electrical = simulator.compile(f"{EXAMPLES}.ElectricalDrive")
    direct = simulator.compile(f"{EXAMPLES}.DirectDrive")
    for row, other in zip(TABLE, angles_with_fmu(fmu, opened, TABLE), strict=True):
        model = direct if row.k is None else electrical
        gains = {"P": row.P, "D": row.D} | ({} if row.k is None else {"k": row.k})
        angles = model.run(stop=STOP, step=STEP, parameters=gains, variables=["arm.phi"])["arm.phi"]
        check(row, angles, STEP)
        # The FMU is asked every 2 ms, and a controller that waits is a little late.
        assert max(abs(one - two) for one, two in zip(angles, other, strict=True)) < 5e-3, row


@pytest.mark.corpus
def test_a_damper_behind_the_variables_of_an_fmu_is_a_damper(simulator: Simulator) -> None:
    inside = simulator.compile(f"{EXAMPLES}.DampedPendulum")
    outside = simulator.compile(f"{EXAMPLES}.PendulumWithDamperOutside")
    for damping in (0.1, 1.0):
        runs = [
            model.run(stop=5.0, parameters={"d": damping}, tolerance=1e-9, variables=["pendulum.phi"])["pendulum.phi"]
            for model in (inside, outside)
        ]
        assert max(abs(one - two) for one, two in zip(*runs, strict=True)) < 1e-6
    # Without a damper it swings on, so the comparison above says something.
    free = inside.run(stop=5.0, parameters={"d": 0.0}, variables=["pendulum.phi"])["pendulum.phi"]
    assert min(free) == pytest.approx(-1.5, abs=1e-2)
    assert min(runs[0]) > -1.2


@pytest.mark.corpus
def test_the_path_filter_begins_where_the_caster_points(simulator: Simulator) -> None:
    names = ["caster", "filter.phi_fil", "filter.k", "filter.velDesFil_linear_x", "filter.velDesFil_angular_z"]
    run = simulator.compile(f"{EXAMPLES}.PathAfterStandstill").run(stop=5.0, variables=names)
    first = {name: run[name][0] for name in names}
    assert first["filter.k"] == 0
    assert first["filter.phi_fil"] == first["caster"] == 1.2
    assert run.last("filter.k") == 1
    assert run.last("filter.velDesFil_linear_x") == pytest.approx(0.5, abs=1e-6)
    assert run.last("filter.velDesFil_angular_z") == pytest.approx(0.0, abs=1e-6)
    assert all(0 <= k <= 1 for k in run["filter.k"])
