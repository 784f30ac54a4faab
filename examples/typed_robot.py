"""Simulate a robot and plot three of its joints by typed names: `python examples/typed_robot.py [OUT.png]`.

The module of the robot is in fixtures/typed and was made by

    modelica-patch urdf types arm.urdf -o desk_arm.py --package DeskArm

No name is written as a text here: a type checker knows which joints there are, which of them have an angle or a
distance, and which parameters each of them has. Needs the Standard Library and `pip install 'modelica-ast[sim,plot]'`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from modelica_ast.simulation import Result, Simulator
from urdf_frontend import typed

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
sys.path.insert(0, str(FIXTURES / "typed"))

from desk_arm import DESK_ARM, DeskArmAxis, DeskArmJointId, DeskArmLinkId  # noqa: E402  (a module of fixtures)

JOINTS: list[DeskArmAxis] = [DeskArmJointId.SHOULDER, DeskArmJointId.ELBOW, DeskArmJointId.WRIST]


def simulate() -> Result:
    """Let it fall from where its elbow is bent, with a heavier forearm and a wrist that has already moved."""
    parameters = (
        DESK_ARM.parameters(DeskArmJointId.ELBOW, {"q_start": 0.8, "jointParams.dynamics.damping": 1.0})
        | DESK_ARM.parameters(DeskArmJointId.SHOULDER, {"qd_start": 2.0})
        | DESK_ARM.parameters(DeskArmJointId.WRIST, {"q_start": 0.02})
        | DESK_ARM.parameters(DeskArmLinkId.FORE_ARM, {"linkParams.inertial.mass": 2.5})
    )
    names = [DESK_ARM.q(joint) for joint in JOINTS]
    with Simulator([FIXTURES / "robots" / "packages"]) as simulator:
        return simulator.compile(DESK_ARM.model).run(stop=0.3, parameters=parameters, variables=names)


def plot(result: Result, path: Path) -> None:
    """Each joint over time, with its limits where it has some."""
    import matplotlib as mpl  # noqa: PLC0415  (only who wants a picture needs it)

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415  (likewise)

    figure, rows = plt.subplots(len(JOINTS), 1, sharex=True, figsize=(8, 6), layout="constrained")
    for axes, joint in zip(rows, JOINTS, strict=True):
        axes.plot(result.times, result[DESK_ARM.q(joint)])
        axes.set_ylabel(joint.value)
        part = DESK_ARM[joint]
        if isinstance(part, typed.BoundedJoint):  # the shoulder has no end; a checker would not let us ask for it
            axes.axhspan(part.lower, part.upper, alpha=0.1)
    rows[-1].set_xlabel("time in s")
    figure.savefig(path)


def main() -> None:
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "typed_robot.png")
    print(f"{DESK_ARM.name}: {DESK_ARM.linkage.mass:g} kg; simulating {DESK_ARM.model}", flush=True)
    result = simulate()
    for joint in JOINTS:
        values = result[DESK_ARM.q(joint)]
        print(f"  {joint.value:<8} from {values[0]:+.3f} to {values[-1]:+.3f}")
    plot(result, picture)
    print(f"written: {picture}")


if __name__ == "__main__":
    main()
