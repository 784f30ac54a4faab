"""How a robot moves: animated in a browser, plotted, reported, and verified against another engine.

All of it reads results of `modelica_ast.simulation` by the names that `RobotPackage` knows. `animation` and
`report_page` make one HTML file each that needs nothing else; `plots` draws joints with the limits of the URDF file;
`verification/` compares a package, as a whole or part by part, with Pinocchio.

`viewer/` is the page of an animation: 1,900 lines of JavaScript, 70 kB. three.js with the loaders for STL, OBJ and
Collada was tried in its place: 667 kB after minification in each page (the WebGL renderer alone 560 kB), a bundle to
commit or npm to install from, and mesh files of strangers read in the browser a second time. It would bring textures
and materials of Collada files; it would not bring joints, limits, picking by joint, or a picture without WebGL.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from urdf_frontend.motion.animation import (
        Actor as Actor,
        Prop as Prop,
        animation_page as animation_page,
        stage_page as stage_page,
    )
    from urdf_frontend.motion.motions import (
        AnimationError as AnimationError,
        Motion as Motion,
        sweep as sweep,
    )
    from urdf_frontend.motion.plots import (
        Curve as Curve,
        JointSeries as JointSeries,
        MissingPlotsError as MissingPlotsError,
        Quantity as Quantity,
        Violation as Violation,
        check_plots as check_plots,
        draw_plots as draw_plots,
        find_violations as find_violations,
        joint_series as joint_series,
    )
    from urdf_frontend.motion.recordings import (
        MOST_FRAMES as MOST_FRAMES,
        Recording as Recording,
        RecordingError as RecordingError,
        RobotRecording as RobotRecording,
        RunOptions as RunOptions,
        find_robot as find_robot,
        frame_poses as frame_poses,
        recorded_motion as recorded_motion,
        robot_variables as robot_variables,
        simulate_model as simulate_model,
        simulate_robot as simulate_robot,
        usual_names as usual_names,
    )
    from urdf_frontend.motion.report_contents import (
        PackageView as PackageView,
        ReportContents as ReportContents,
        Value as Value,
        gather as gather,
        view_built as view_built,
        view_package as view_package,
    )
    from urdf_frontend.motion.report_page import page as page
    from urdf_frontend.motion.verification.differences import (
        Difference as Difference,
        Kind as Kind,
        Verification as Verification,
    )
    from urdf_frontend.motion.verification.freedoms import (
        CONFIGURATIONS as CONFIGURATIONS,
        LINKS_AT_ONCE as LINKS_AT_ONCE,
        VerifyError as VerifyError,
        VerifyOptions as VerifyOptions,
    )
    from urdf_frontend.motion.verification.packages import verify as verify

__all__ = [
    "LINKS_AT_ONCE",
    "AnimationError",
    "Curve",
    "Difference",
    "JointSeries",
    "Kind",
    "MissingPlotsError",
    "Motion",
    "PackageView",
    "Quantity",
    "Recording",
    "RecordingError",
    "ReportContents",
    "RobotRecording",
    "RunOptions",
    "Value",
    "Verification",
    "VerifyError",
    "VerifyOptions",
    "Violation",
    "animation_page",
    "check_plots",
    "draw_plots",
    "find_robot",
    "find_violations",
    "gather",
    "joint_series",
    "page",
    "recorded_motion",
    "simulate_robot",
    "sweep",
    "usual_names",
    "verify",
    "view_built",
    "view_package",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "motions": "AnimationError Motion sweep",
            "animation": "Actor Prop animation_page stage_page",
            "recordings": (
                "MOST_FRAMES Recording RecordingError RobotRecording RunOptions find_robot frame_poses "
                "recorded_motion robot_variables simulate_model simulate_robot usual_names"
            ),
            "plots": (
                "Curve JointSeries MissingPlotsError Quantity Violation check_plots draw_plots find_violations "
                "joint_series"
            ),
            "report_contents": "PackageView ReportContents Value gather view_built view_package",
            "report_page": "page",
            "urdf_frontend.motion.verification.freedoms": "CONFIGURATIONS LINKS_AT_ONCE VerifyError VerifyOptions",
            "urdf_frontend.motion.verification.packages": "verify",
            "urdf_frontend.motion.verification.differences": "Difference Kind Verification",
        },
    )
