"""`modelica-patch fmi check`: a model against what Gazebo or ROS asks of it, and against its FMU."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, CommandError, Finding, add_format_option, reading, write_findings
from modelica_ast.foundation import shown
from urdf_frontend.fmi.check import check_model
from urdf_frontend.fmi.cli.arguments import add_model_arguments, given_model, pairs_of
from urdf_frontend.fmi.drift import CODES, Difference
from urdf_frontend.fmi.model_description import ModelDescription, read_description, read_fmu
from urdf_frontend.fmi.profiles import FmiError, profile_of

DESCRIPTION: Final = """
Check a model before any compiler runs, and its FMU before any simulator loads it.

With --profile: are the variables there that the program asks for, with their causality, type and unit? For ros2 also:
names that fmi_adapter makes one of several variables, that start with a digit, and inputs and outputs that are not
Real. With --fmu or --xml (FMI 2.0 and 3.0): what differs between the model and the description of the FMU: variables
that are missing or new, causality, variability, type, start values, units, descriptions. docs/fmi.md explains each
code.

The exit code is 1 if there are errors; with --strict also for warnings.
"""
EXAMPLES: Final = """
  modelica-patch fmi check MotorFMU.mo --profile gazebo-actuator      what the actuator plugin would miss
  modelica-patch fmi check Lib/::Lib.Motor --profile ros2             a model of a library
  modelica-patch fmi check Motor.mo --fmu Motor.fmu                   is the FMU of this very model?
  modelica-patch fmi check Motor.mo --xml modelDescription.xml        the same with an unpacked FMU
  modelica-patch fmi check Motor.mo --profile gazebo-actuator --variable-name jointTorque=tau
                                                                      if SDF maps the name
  modelica-patch fmi check Motor.mo --profile my-plugin.yaml --format sarif
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_model_arguments(parser)
    parser.add_argument(
        "--profile", metavar="NAME", help="gazebo-actuator, gazebo-fluid, ros2, or a .yaml or .json file of your own"
    )
    fmu = parser.add_mutually_exclusive_group()
    fmu.add_argument("--fmu", metavar="FILE.fmu", help="the FMU that was made of the model")
    fmu.add_argument("--xml", metavar="FILE.xml", help="its modelDescription.xml")
    parser.add_argument(
        "--variable-name",
        action="append",
        default=[],
        metavar="NAME=OTHER",
        help="the model's name of a variable of the profile, as <variable_names> says it in SDF; repeatable",
    )
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors: exit code 1")
    add_format_option(parser)


def run(options: argparse.Namespace) -> int:
    """Check it; the exit code."""
    if options.profile is None and options.fmu is None and options.xml is None:
        raise CommandError("there is nothing to check against: add --profile, --fmu or --xml")
    renamed = pairs_of(options.variable_name, "--variable-name")
    if renamed and options.profile is None:
        raise CommandError("--variable-name maps names of a profile: add --profile")
    profile = None if options.profile is None else profile_of(options.profile)
    description = _description(options)
    opened = given_model(options)
    found = check_model(opened.libraries, opened.name, profile=profile, description=description, variable_names=renamed)
    rules = {code: about.meaning for code, about in CODES.items()}
    files = 1 + (description is not None)
    write_findings([_finding(each) for each in found], options.format, files=files, rules=rules, model=opened.name)
    counted = {"error", "warning"} if options.strict else {"error"}
    return EXIT_FOUND if any(each.severity in counted for each in found) else EXIT_OK


def _description(options: argparse.Namespace) -> ModelDescription | None:
    with reading(FmiError):
        if options.fmu is not None:
            return read_fmu(Path(options.fmu))
        return None if options.xml is None else read_description(Path(options.xml))


def _finding(found: Difference) -> Finding:
    return Finding(
        found.severity,
        shown(Path(found.file)),
        found.line,
        found.column,
        found.message,
        found.code,
        found.hint or None,
        more={"variable": found.variable},
    )
