"""`modelica-patch urdf types`: a Python module with typed names for a robot's links and joints."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from modelica_ast.cli import (
    EXIT_FOUND,
    EXIT_OK,
    EXIT_UNREADABLE,
    Change,
    CommandError,
    cannot_read,
    count,
    printable,
    styled_diff,
    tell,
    write_json,
    write_line,
)
from modelica_ast.edit import Workspace
from modelica_ast.foundation import read_regular, shown
from urdf_frontend.cli.arguments import PACKAGE_HELP, add_reading_options, is_package, package_folder, xacro_arguments
from urdf_frontend.cli.output import add_writing_options
from urdf_frontend.cli.reports import robot_errors
from urdf_frontend.robot import Robot
from urdf_frontend.typed import Source
from urdf_frontend.typed_modules import (
    PYTHONS,
    Difference,
    ExistingModule,
    MadeModule,
    ModuleOptions,
    RegistryEntry,
    differences,
    make_module,
    module_as_seen_from,
    read_module,
    updated_registry,
)
from urdf_frontend.urdf import ALLOWABLE, Packages, UrdfError, read

DESCRIPTION: Final = """
Make a Python module of a robot: an enumeration of its links and one of its joints, all that the URDF file says of
them, and with --package where they are in Modelica. Type checkers then find misspelled names, names of another robot,
and limits of a joint that has none. Places in Modelica are looked up in the package, so renamed components are found.

If the module already exists, what was generated is replaced, and all else that is in the file stays. It remembers what
it was made from, so `urdf types -o panda.py` makes it again, and `urdf types --check panda.py` says whether the URDF
file, the module and the package still agree: exit code 1 if not.
"""
EXAMPLES: Final = """
  modelica-patch urdf types panda.urdf -o panda.py                         the module of a robot
  modelica-patch urdf types panda.urdf -o panda.py --package Robots.Panda  with its names in Modelica
  modelica-patch urdf types -o panda.py                                    make it again
  modelica-patch urdf types --check panda.py                               do all three agree?
  modelica-patch urdf types panda.urdf -o robots/panda.py --registry robots/__init__.py
                                                                           and list it in a registry of yours
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a .urdf or .xacro file; a module remembers its own")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", metavar="MODULE", help="the Python file; without it, standard output")
    where.add_argument("--check", metavar="MODULE", help="write nothing, and say what does not agree")
    parser.add_argument("--package", metavar="ADDRESS", help=PACKAGE_HELP)
    parser.add_argument("--model", metavar="CLASS", help="the class to simulate; without it, the package's run model")
    parser.add_argument("--prefix", help="what the classes start with; without it, the name of the robot")
    parser.add_argument("--python", choices=PYTHONS, help="the oldest Python that should read it (3.11)")
    parser.add_argument(
        "--registry", metavar="FILE", help="a Python file that lists robots; it is created if it does not exist"
    )
    add_reading_options(parser)
    parser.add_argument(
        "--allow", action="append", default=[], metavar="CODE", help="in spite of errors with this code"
    )
    add_writing_options(parser)


def writes(options: argparse.Namespace) -> bool:
    """Does this call write files?"""
    return options.check is None and options.output is not None and not options.dry_run


def run(options: argparse.Namespace) -> int:
    """Make the module, or check it."""
    try:
        return _check(options) if options.check is not None else _make(options)
    except UrdfError as error:
        raise robot_errors(error, " in the URDF file; nothing was written") from None


@frozen
class _Sources:
    """The robot and what its module is made with; `old` is the module as it is there."""

    robot: Robot
    options: ModuleOptions
    old: ExistingModule | None
    data: bytes | None


def _make(options: argparse.Namespace) -> int:
    output = None if options.output is None else Path(options.output)
    if output is None and (options.registry or options.json or options.diff):
        raise CommandError("--registry, --json and --diff need -o: without it the module goes to standard output")
    sources = _sources(options, output)
    made = make_module(sources.robot, sources.options, sources.old)
    for note in made.notes:
        tell(f"  {note}", quiet=options.quiet)
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made.data)
        return EXIT_OK
    changes = [Change(output, sources.data, made.data)]
    if options.registry is not None:
        changes.append(_registry_change(Path(options.registry), output, made))
    changes = [change for change in changes if change.old != change.new]
    if not options.dry_run:
        _save(changes)
    _show(changes, made, options)
    return EXIT_OK


def _check(options: argparse.Namespace) -> int:
    module = Path(options.check)
    sources = _sources(options, module)
    if sources.old is None:
        raise CommandError(f"{options.check} is not a module of `modelica-patch urdf types`: it is empty")
    found = differences(sources.old, sources.robot, sources.options)
    if options.json:
        data = [{"kind": each.kind, "line": each.line, "message": each.message} for each in found]
        write_json({"module": shown(module), "differences": data})
    else:
        _tell_differences(module, found, has_no_package=sources.options.package is None, quiet=options.quiet)
    return EXIT_FOUND if found else EXIT_OK


def _tell_differences(module: Path, found: list[Difference], *, has_no_package: bool, quiet: bool) -> None:
    """The first difference of each kind, and how many more there are."""
    for kind in dict.fromkeys(each.kind for each in found):
        alike = [each for each in found if each.kind == kind]
        place = shown(module) if alike[0].line is None else f"{shown(module)}:{alike[0].line}"
        more = f" (and {len(alike) - 1} more: {kind})" if len(alike) > 1 else ""
        write_line(f"{place}: {alike[0].message}{more}")
    three = "the URDF file and the module" if has_no_package else "the URDF file, the module and the package"
    what = count(len(found), "difference") if found else f"{three} agree"
    tell(f"{shown(module)}: {what}", quiet=quiet)


def _sources(options: argparse.Namespace, module: Path | None) -> _Sources:
    """What the call says goes before what the module remembers."""
    refused = sorted(set(options.allow) - ALLOWABLE)
    if refused:
        raise CommandError(f"'{refused[0]}' can't be allowed; what can be: {', '.join(sorted(ALLOWABLE))}")
    data = _read(module, is_needed=options.check is not None)
    old = None if data is None else read_module(data, str(module))
    known = None if old is None else old.source
    if options.file is None and (known is None or module is None):
        raise CommandError("name the URDF file: there is no module yet that remembers it")
    urdf = Path(options.file) if options.file is not None else _beside(module, known.urdf if known is not None else "")
    arguments = tuple(options.arg) or (known.arguments if known is not None else ())
    packages = Packages(options.package_dir, near=urdf)
    result = read(urdf, packages=packages, xacro_arguments=xacro_arguments(arguments))
    wanted = ModuleOptions(
        urdf,
        module,
        options.prefix or (known.prefix if known is not None else None),
        options.python or (known.python if known is not None else None),
        _package(options.package, known, module),
        options.model or (known.model if known is not None else None),
        arguments,
    )
    return _Sources(result.usable_robot(allowed=options.allow), wanted, old, data)


def _read(module: Path | None, *, is_needed: bool) -> bytes | None:
    try:
        return None if module is None else read_regular(module)
    except FileNotFoundError as error:
        if is_needed:
            raise cannot_read(module, error) from None
        return None
    except OSError as error:
        raise cannot_read(module, error) from None


def _beside(module: Path | None, path: str) -> Path:
    return Path(path) if module is None else module.parent / path


def _package(asked: str | None, known: Source | None, module: Path | None) -> Path | None:
    """The folder of the Modelica package: the one that is asked for, or where it was, or where its name leads."""
    if asked is not None:
        return package_folder(asked)
    if known is None or known.package is None:
        return None
    folder = None if known.folder is None else _beside(module, known.folder)
    return folder if folder is not None and is_package(folder) else package_folder(known.package)


def _registry_change(registry: Path, output: Path, made: MadeModule) -> Change:
    old = _read(registry, is_needed=False)
    plan = made.plan
    entry = RegistryEntry(output.stem, module_as_seen_from(registry, output), plan.constant, f"{plan.prefix}Skeleton")
    return Change(registry, old, updated_registry(old, entry, str(registry)))


def _save(changes: list[Change]) -> None:
    for change in changes:
        if not change.path.parent.is_dir():
            raise CommandError(f"there is no folder {change.path.parent}", EXIT_UNREADABLE)
    if changes:
        workspace = Workspace(os.path.commonpath([change.path.absolute().parent for change in changes]))
        for change in changes:
            workspace.others.write(change.path.absolute(), change.new)
        workspace.save()


def _show(changes: list[Change], made: MadeModule, options: argparse.Namespace) -> None:
    plan = made.plan
    if options.json:
        data: dict[str, Any] = {
            "robot": plan.robot.name,
            "constant": plan.constant,
            "written": bool(changes) and not options.dry_run,
            "files": [{"path": change.shown_path, "status": change.status} for change in changes],
            "notes": list(made.notes),
        }
        write_json(data)
        return
    if options.diff:
        for change in changes:
            sys.stdout.writelines(styled_diff(change.diff, sys.stdout))
    elif options.dry_run:
        sys.stdout.writelines(printable(f"{change.status} {change.shown_path}") + "\n" for change in changes)
    axes = "" if plan.modelica is None else f", {len(plan.modelica.axes)} with an angle or a distance in Modelica"
    summary = f"{plan.constant}: {count(len(plan.links), 'link')}, {count(len(plan.joints), 'joint')}{axes}"
    what = "would be written" if options.dry_run else "written"
    tell(f"{summary}; {count(len(changes), 'file')} {what}", quiet=options.quiet)
