"""`modelica-patch urdf assemble --into`: a robot from modules as a Modelica package, new or brought up to date."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from modelica_ast.cli import (
    EXIT_CONFLICTS,
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    Change,
    CommandError,
    count,
    prepare,
    tell,
    write_json,
)
from modelica_ast.generate import Decide, NewerBaseError, NoBaseError, Update
from urdf_frontend.cli.output import show_result
from urdf_frontend.cli.reports import robot_errors, tell_attention, tell_report, write_changes
from urdf_frontend.modules import (
    Assembly,
    Reassembly,
    ReassemblyOptions,
    assemble_again,
    assemble_into,
    is_modular,
    modular_name,
)
from urdf_frontend.package import TEMPLATES, BuildOptions, BuiltPackage, write
from urdf_frontend.urdf import UrdfError

_NEEDS_INTO: Final = ("name", "style", "reroute", "prefer", "prune", "mobile", "templates")


def add_modelica_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the Modelica side."""
    modelica = parser.add_argument_group("Modelica")
    modelica.add_argument(
        "--into", metavar="DIR", help="make a package in this folder or library, or bring it up to date"
    )
    modelica.add_argument("--name", metavar="NAME", help="the package; without it, the robot's name")
    modelica.add_argument(
        "--style",
        choices=["modular", "flat"],
        help="a model for each module (the default), or links and joints as `urdf build` has them",
    )
    modelica.add_argument(
        "--reroute",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="lead your connections to a module that is gone to another one",
    )
    modelica.add_argument("--prefer", choices=["user", "urdf"], help="who wins where both changed the same value")
    modelica.add_argument(
        "--prune", action="store_true", help="let go of classes that stayed although their module is gone"
    )
    modelica.add_argument("--mobile", action="store_true", help="the robot moves about")
    modelica.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")


def refuse_without_into(options: argparse.Namespace) -> None:
    """CommandError for options of the Modelica side without `--into`, and for both sides at once."""
    if options.into is None:
        given = next((name for name in _NEEDS_INTO if getattr(options, name)), None)
        if given is not None:
            raise CommandError(f"--{given} is about the Modelica package: say where that is with --into")
    elif options.output is not None:
        raise CommandError("-o makes a ROS package and --into a Modelica package: do one after the other")


def assemble_modelica(assembly: Assembly, options: argparse.Namespace) -> int:
    """Work the package out, write it unless the user only wants to look, and say what happened."""
    into = Path(options.into)
    templates = None if options.templates is None else Path(options.templates)
    try:
        prepare([into / modular_name(assembly, options.name)])
        found = assemble_into(
            assembly,
            into,
            style=options.style,
            build_options=BuildOptions(
                name=options.name, stationary=not options.mobile, templates=templates or TEMPLATES
            ),
            options=ReassemblyOptions(
                prefer=options.prefer,
                reroutes=dict(map(_route, options.reroute)),
                prune=options.prune,
                templates=templates,
            ),
        )
        if found.new is not None:
            return _show_new(found.new, into, options)
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    assert found.again is not None, "it is new, or it was there"
    return _show_again(found.again, options)


def _show_new(built: BuiltPackage, into: Path, options: argparse.Namespace) -> int:
    if not options.check:
        write(built, into)
    options.dry_run = options.check
    show_result(built, into, (), options, written=not options.check)
    return EXIT_FOUND if options.check else EXIT_OK


def _show_again(found: Reassembly, options: argparse.Namespace) -> int:
    update = found.update
    if not options.check:
        update.save()
    if options.json:
        _write_json(found, written=bool(update.files) and not options.check)
    else:
        write_changes(update, options, written=not options.check)
    tell_attention(update)
    for sentence in found.rerouted:
        tell(f"  rerouted: {sentence}", quiet=options.quiet)
    tell_report(update, quiet=options.quiet)
    what = "would be written" if options.check else "written"
    tell(f"{update.report.package}: {count(len(update.files), 'file')} {what}", quiet=options.quiet)
    if update.report.needs_user:
        return EXIT_CONFLICTS
    return EXIT_FOUND if options.check and update.files else EXIT_OK


def _write_json(found: Reassembly, *, written: bool) -> None:
    changes = [Change(file.path, file.old, file.new) for file in found.update.files]
    data: dict[str, Any] = {
        **found.update.report.as_json(),
        "rerouted": list(found.rerouted),
        "written": written,
        "files": [{"path": change.shown_path, "status": change.status} for change in changes],
    }
    write_json(data)


# ---------------------------------------------------------------- an assembly in place of a URDF file
# `urdf update`, `status` and `export` of packages that were assembled.


def is_assembly(file: str) -> bool:
    """Does a command that takes a robot get an assembly?"""
    return Path(file).suffix.lower() in (".yaml", ".yml")


def assembled_again(folder: Path, options: argparse.Namespace, *, decide: Decide | None = None) -> Update:
    """What the assembly means for a package; CommandError in place of errors that need advice."""
    if getattr(options, "rename", None) or getattr(options, "no_rename", False):
        raise CommandError(
            "--rename is for links and joints of a URDF file; in an assembly 'as:' keeps a module's name"
        )
    if options.arg:
        raise CommandError("--arg is for xacro files, and this is an assembly")
    wanted = ReassemblyOptions(
        prefer=getattr(options, "prefer", None),
        decide=decide,
        prune=getattr(options, "prune", False),
        templates=None if options.templates is None else Path(options.templates),
    )
    try:
        assembly = Assembly.load(
            options.file, package_folders=tuple(options.package_dir), allow_outside=options.allow_outside
        )
        return assemble_again(folder, assembly, wanted).update
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    except UrdfError as error:
        raise robot_errors(error, "; nothing was changed", file=options.file) from None


def lost_base(error: NoBaseError) -> CommandError:
    """What to do about a package of modules that has lost what it was made from."""
    advice = "  take the package away and assemble it anew, or bring back the folder Resources/urdf from before"
    return CommandError(f"{error}\n{advice}", EXIT_UNREADABLE)


def is_package_of_modules(folder: Path) -> bool:
    """Is it one? A package without a side-car is none, and whoever asks says what is wrong with it."""
    try:
        return is_modular(folder)
    except NoBaseError:
        return False


def _route(word: str) -> tuple[str, str]:
    old, equals, new = word.partition("=")
    if not (equals and old and new):
        raise CommandError(f"--reroute takes OLD=NEW, not '{word}'")
    return old, new
