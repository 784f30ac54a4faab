"""`modelica-patch fmi shell`, `check` and `migrate`: models made ready for export, and checked."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from modelica_ast.cli import (
    EXIT_FOUND,
    EXIT_OK,
    CommandError,
    Finding,
    add_format_option,
    add_library_option,
    add_write_options,
    complain,
    convert_places,
    prepare,
    reading,
    styled_diff,
    tell,
    write_findings,
    write_json,
)
from modelica_ast.foundation import shown
from urdf_frontend.fmi.check import check_model
from urdf_frontend.fmi.cli.arguments import add_model_arguments, given_model, pairs_of
from urdf_frontend.fmi.drift import CODES, Difference
from urdf_frontend.fmi.model_description import ModelDescription, read_description, read_fmu
from urdf_frontend.fmi.profiles import FmiError, profile_of

if TYPE_CHECKING:
    from urdf_frontend.fmi.interface import OpenModel
    from urdf_frontend.fmi.shell import ShellFile
    from urdf_frontend.fmi.shell_request import ShellRequest


class Check:
    """`modelica-patch fmi check`: a model against a profile, and against its FMU."""

    DESCRIPTION: Final = """
Check a model before any compiler runs, and its FMU before any simulator loads it.

With --profile: are the variables there that the program asks for, with their causality, type and unit? For ros2 also:
several variables that get the same name from fmi_adapter, names that start with a digit, and inputs and outputs that
are not Real. With --fmu or --xml (FMI 2.0 and 3.0): what differs between the model and the description of the FMU:
variables that are missing or new, causality, variability, type, start values, units, descriptions. docs/fmi.md
explains each code.

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

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        add_model_arguments(parser)
        parser.add_argument(
            "--profile",
            metavar="NAME",
            help="gazebo-actuator, gazebo-fluid, ros2, or a .yaml or .json file of your own",
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

    @staticmethod
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
        found = check_model(
            opened.libraries, opened.name, profile=profile, description=description, variable_names=renamed
        )
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


class Shell:
    """`modelica-patch fmi shell`: a model with the variables of a profile around another one."""

    DESCRIPTION = """
Put a shell around a model: a model with exactly the variables that Gazebo, or whoever runs its FMU, asks for. Your
model stays as it is. For an actuator, name the flange that drives the joint (--flange) and the input that the
controller sets (--input); an adaptor for rotation or translation, as the flange is, and the right sign come with it.
For the forces of a fluid name --velocity, --force and --moment: an array of three, or three names with commas between
them. For a profile of your own say with --map what each of its variables is in the model.

-o writes the shell; without it you see the shell, and nothing is written. Run it again when your model has changed:
what the shell lacks is added, and what you wrote into it stays. With --own there is no shell: your own model gets what
it lacks. You see the diff, and --in-place writes it.
"""

    EXAMPLES = """
  modelica-patch fmi shell Lib.mo::Lib.Motor --flange shaft.flange_b --input v -o MotorFMU.mo
  modelica-patch fmi shell Lib.mo::Lib.Hull --profile gazebo-fluid --velocity v --force F --moment M -o HullFMU.mo
  modelica-patch fmi shell Lib.mo::Lib.Motor --flange shaft.flange_b --own            the model itself: see the diff
  modelica-patch fmi shell Lib.mo::Lib.Motor --flange shaft.flange_b --own -i         change it
  modelica-patch fmi shell Lib.mo::Lib.Pump --profile mine.yaml --map flow=source.y   a profile of your own
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what `fmi shell` takes."""
        add_model_arguments(parser)
        parser.add_argument(
            "--profile",
            default="gazebo-actuator",
            help="gazebo-actuator (default), gazebo-fluid, or a .yaml or .json file",
        )
        parser.add_argument("--flange", metavar="PATH", help="the flange that drives the joint")
        parser.add_argument("--input", metavar="PATH", help="the input that the controller sets")
        parser.add_argument("--velocity", metavar="PATH", help="the velocity of a body in a fluid")
        parser.add_argument("--force", metavar="PATH", help="the force of a fluid")
        parser.add_argument("--moment", metavar="PATH", help="the moment of a fluid; zero if not given")
        parser.add_argument(
            "--map", action="append", default=[], metavar="NAME=PATH", help="a variable of the profile; repeatable"
        )
        parser.add_argument(
            "--hold", action="append", default=[], metavar="NAME=VALUE", help="an input that nothing drives; repeatable"
        )
        parser.add_argument(
            "--name", help="the name of the shell (that of its file, or of the model with FMU after it)"
        )
        parser.add_argument("-o", "--output", metavar="FILE", help="the file of the shell, existing or new")
        parser.add_argument("--own", action="store_true", help="give your own model what it lacks, without a shell")
        parser.add_argument("-i", "--in-place", action="store_true", help="with --own: write the model")
        parser.add_argument("-n", "--dry-run", action="store_true", help="show what would change and write nothing")
        parser.add_argument("-d", "--diff", action="store_true", help="show the diff when writing, too")
        parser.add_argument("-q", "--quiet", action="store_true", help="errors only")
        parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")

    @staticmethod
    def writes(options: argparse.Namespace) -> bool:
        """Does this call write files?"""
        if options.own:
            return options.in_place and not options.dry_run
        return (options.in_place or options.output is not None) and not options.dry_run

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Make the shell or bring it up to date; the exit code."""
        from urdf_frontend.fmi.shell import (  # noqa: PLC0415  (PERF: not for --help)
            new_shell,
            own_shell,
            shell_in_file,
        )

        if (options.own or options.in_place) and (options.output is not None or options.name is not None):
            raise CommandError("--own makes no shell: leave out --output and --name")
        if options.in_place and not options.own:
            complain("warning: --in-place without --own is deprecated: write --own --in-place for what it does")
            options.own = True
        if options.own and options.hold:
            raise CommandError("--own holds no inputs: they stay inputs of the model, so omit --hold")
        if options.output is not None:
            prepare([Path(options.output)])  # it need not be there, and the library around it is written too
        opened = given_model(options)
        request = _request(options, opened)
        if options.own:
            return _finish(own_shell(opened, request), request, options)
        if options.output is not None:
            return _finish(shell_in_file(opened, request, Path(options.output), options.name), request, options)
        name = options.name or f"{request.model.rpartition('.')[2]}FMU"
        shell = new_shell(opened, request, name)
        if options.json:
            write_json({"shell": name, "written": False, "text": shell.document.text, "notes": list(shell.notes)})
        else:
            sys.stdout.write(shell.document.text)
            _say_notes(shell.notes, options)
            tell(
                f"{name} for {request.profile.name}: nothing was written: add -o {name}.mo to write",
                quiet=options.quiet,
            )
        return EXIT_OK


def _request(options: argparse.Namespace, opened: OpenModel) -> ShellRequest:
    from urdf_frontend.fmi.interface import interface_of  # noqa: PLC0415  (PERF: see run)
    from urdf_frontend.fmi.profiles import GAZEBO_FLUID, profile_of  # noqa: PLC0415
    from urdf_frontend.fmi.shell_request import ACTUATOR_INPUT, ShellRequest, axis_signals  # noqa: PLC0415

    profile = profile_of(options.profile)
    signals = dict(_pairs(options.map, "--map"))
    if options.input is not None:
        if profile.get(ACTUATOR_INPUT) is None:
            raise CommandError(f"the profile {profile.name} has no {ACTUATOR_INPUT}: take --map instead of --input")
        signals[ACTUATOR_INPUT] = options.input
    axes = {
        "relativeVelocity": options.velocity,
        "fluidDynamicForce": options.force,
        "fluidDynamicMoment": options.moment,
    }
    given = {name: written for name, written in axes.items() if written is not None}
    if given:
        if profile.name != GAZEBO_FLUID.name:
            raise CommandError(f"--velocity, --force and --moment are of {GAZEBO_FLUID.name}, not of {profile.name}")
        interface = interface_of(opened.libraries, opened.name, depth=1)
        interface.refuse_missing_bases()
        for name, written in given.items():
            signals.update(axis_signals(name, written, interface))
    return ShellRequest(opened.name, profile, options.flange, signals, dict(_held(options.hold)))


def _pairs(written: list[str], option: str) -> list[tuple[str, str]]:
    found = []
    for each in written:
        name, equals, value = each.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CommandError(f"{option} takes NAME=VALUE, not '{each}'")
        found.append((name.strip(), value.strip()))
    return found


def _held(written: list[str]) -> list[tuple[str, float]]:
    found = []
    for name, value in _pairs(written, "--hold"):
        try:
            found.append((name, float(value)))
        except ValueError:
            raise CommandError(f"--hold takes a number: '{value}' is not one") from None
    return found


def _finish(made: ShellFile, request: ShellRequest, options: argparse.Namespace) -> int:
    """Show or write what has changed; the exit code."""
    written = made.is_changed and Shell.writes(options)
    if written:
        made.save()
    shell = made.shell
    if options.json:
        write_json(
            {
                "shell": shell.name,
                "file": None if made.path is None else str(made.path),
                "written": written,
                "changed": made.is_changed,
                "diff": made.diff,
                "notes": list(shell.notes),
                "variable_names": shell.variable_names,
            }
        )
        return EXIT_OK
    if made.is_changed and (options.diff or not written):
        sys.stdout.writelines(styled_diff(made.diff, sys.stdout))
    _say_notes([*shell.notes, *_renamed(shell.variable_names, request)], options)
    why = "this is a dry run" if options.dry_run else "add --in-place to write"
    tell(_summary(made, request, why, written=written), quiet=options.quiet)
    return EXIT_OK


def _renamed(names: dict[str, str], request: ShellRequest) -> list[str]:
    """What is to be done about variables that have other names."""
    if not names:
        return []
    if not request.is_actuator:
        return [f"'{own}' is called '{other}': rename it (modelica-patch rename)" for own, other in names.items()]
    inside = "".join(f'<{own} name="{other}"/>' for own, other in names.items())
    advice = f"or rename {' and '.join(names.values())} (modelica-patch rename)"
    return [f"the plugin in the SDF file needs <variable_names>{inside}</variable_names>, {advice}"]


def _say_notes(notes: tuple[str, ...] | list[str], options: argparse.Namespace) -> None:
    if not options.quiet:
        for note in notes:
            complain(f"note: {note}")


def _summary(made: ShellFile, request: ShellRequest, why: str, *, written: bool) -> str:
    from modelica_ast.foundation import shown  # noqa: PLC0415  (PERF: see run)

    where = "" if made.path is None else f"{shown(made.path)}: "
    what = f"{where}{made.shell.name} for {request.profile.name}"
    if not made.is_changed:
        return f"{what}: nothing to change"
    if not written:
        return f"{what}: nothing was written: {why}"
    return f"{what}: {'made' if made.is_new else 'brought up to date'}"


class Migrate:
    """`modelica-patch fmi migrate`: another word for `modelica-patch convert` with the Standard Library."""

    DESCRIPTION: Final = """
Bring models to a newer Standard Library, so that today's tools export them: another word for 'modelica-patch convert
FILE --uses Modelica --version VERSION', for several files at once.
"""
    EXAMPLES: Final = """
  modelica-patch fmi migrate --msl 4.0.0 SimpleElectricalActuator.mo       see what would change
  modelica-patch fmi migrate --msl 4.0.0 *.mo -i                           change them, all or none
  modelica-patch fmi migrate MyLib/ -i                                     to the newest that is installed
"""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of the command."""
        parser.add_argument("places", nargs="+", metavar="FILE", help="a .mo file, or the folder of a library")
        parser.add_argument(
            "--msl", metavar="VERSION", help="of the Standard Library; the newest that is installed if not given"
        )
        add_library_option(parser)
        add_write_options(parser)

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Convert the files; the exit code."""
        options.uses, options.version = "Modelica", options.msl
        return convert_places(options.places, options)
