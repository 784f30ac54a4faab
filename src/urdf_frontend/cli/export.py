"""`modelica-patch urdf export`: the URDF file with the values of a package."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from modelica_ast.cli import EXIT_FOUND, EXIT_OK, CommandError, complain, count, tell, write_json, write_result
from modelica_ast.foundation import shown
from modelica_ast.generate import NewerBaseError, NoBaseError
from urdf_frontend.cli.arguments import add_package_argument, package_folder
from urdf_frontend.cli.reports import no_base
from urdf_frontend.package import MODULAR, STYLE, Exported, export, read_memory

DESCRIPTION: Final = """
Write the values of a robot's package back into URDF: masses, inertias, origins, axes, limits, shapes and colours as
they are in its parameter records now. The result is the exact text that the package was built or updated from, with
these numbers in it and every other byte as it was.

What URDF can't express, such as an expression in place of a number, is listed, and the exit code is then 1. Of a robot
that was described in xacro this is the expanded file. Of a robot of modules these are the module files, and -o names a
folder for them: that of the assembly, to change them there.
"""
EXAMPLES: Final = """
  modelica-patch urdf export --package Robots.Arm                 to standard output
  modelica-patch urdf export --package Robots.Arm -o arm.urdf     into a file
  modelica-patch urdf export --package Plant/arm -o modules       the files of modules
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_package_argument(parser)
    parser.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file; of a robot of modules, into this folder"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="what can't be written, and nothing else")
    parser.add_argument("--json", action="store_true", help="what changed, as JSON on standard output; needs -o")


def run(options: argparse.Namespace) -> int:
    """Export it."""
    if options.json and options.output is None:
        raise CommandError("--json needs -o: the URDF text and JSON can't both go to standard output")
    folder = package_folder(options.package)
    templates = None if options.templates is None else Path(options.templates)
    if _is_of_modules(folder):
        return _export_modules(folder, templates, options)
    try:
        result = export(folder, templates=templates)
    except NoBaseError as error:
        raise no_base(error, "FILE", options.package) from None
    if options.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(result.data)
    else:
        write_result(options.output, result.data)
    _tell([result], options)
    return EXIT_FOUND if result.problems else EXIT_OK


def _is_of_modules(folder: Path) -> bool:
    """Is it? A package without a side-car is not, and whoever reads it says what is wrong with it."""
    try:
        return read_memory(folder).options.get(STYLE) == MODULAR
    except NoBaseError:
        return False


def _export_modules(folder: Path, templates: Path | None, options: argparse.Namespace) -> int:
    """The module files of a robot of modules, all or none."""
    from modelica_ast.edit import Workspace  # noqa: PLC0415  (PERF: most robots are of one file)
    from urdf_frontend.cli.assemble import lost_base  # noqa: PLC0415
    from urdf_frontend.modules import export_modular  # noqa: PLC0415

    if options.output is None:
        raise CommandError(f"{options.package} is of modules, a file for each: say with -o FOLDER where these go")
    try:
        modules = export_modular(folder, templates=templates)
    except NewerBaseError:
        raise
    except NoBaseError as error:
        raise lost_base(error) from None
    target = Path(options.output).resolve()
    existing = next(path for path in (target, *target.parents) if path.is_dir())
    workspace = Workspace(existing)
    for module in modules:
        place = target / _file_of(PurePosixPath(module.use), options.output)
        there = workspace.others.read(place)
        if there is not None and there not in (module.source, module.exported.data):
            raise CommandError(
                f"{shown(place)} is there, and is not what the package was made from: update the package first, or "
                "name another folder"
            )
        workspace.others.write(place, module.exported.data)
    workspace.save()
    results = [module.exported for module in modules]
    _tell(results, options)
    return EXIT_FOUND if any(result.problems for result in results) else EXIT_OK


def _file_of(use: PurePosixPath, folder: str) -> PurePosixPath:
    """Where a module file goes in the folder; xacro is expanded, so its file gets another name."""
    if use.is_absolute() or ".." in use.parts:
        raise CommandError(f"the module file {use} is not below its assembly, so it has no place in {folder}")
    if use.suffix != ".xacro":
        return use
    return use.with_suffix("") if use.with_suffix("").suffix == ".urdf" else use.with_suffix(".urdf")


def _tell(results: Sequence[Exported], options: argparse.Namespace) -> None:
    written = [each for result in results for each in result.written]
    problems = list(dict.fromkeys(problem for result in results for problem in result.problems))
    if options.json:
        values = [
            {"file": each.file, "path": each.path, "line": each.line, "old": each.old, "new": each.new}
            for each in written
        ]
        write_json({"written": values, "problems": problems})
    for each in written:
        tell(f"  {each}", quiet=options.quiet or options.json)
    for problem in problems:
        complain(f"not written: {problem}")
    tell(f"{count(len(written), 'value')} written back", quiet=options.quiet)
