"""What the commands share that compare a URDF file with a package: both, and where meshes and templates are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from modelica_ast.cli import EXIT_UNREADABLE, CommandError, prepare
from modelica_ast.foundation import open_regular
from urdf_frontend.urdf import Packages, ReadResult, read

# ---------------------------------------------------------------- reading arguments
# How the file of a robot is read, and where the files are that it names, as the options of a command have it.


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """How the robot's file is read."""
    parser.add_argument(
        "--package-dir", action="append", default=[], metavar="DIR", help="a ROS package, or a folder of them"
    )
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument for xacro")


def add_mesh_options(parser: argparse.ArgumentParser) -> None:
    """Which of the files that the robot names are read."""
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="take meshes and textures from anywhere, not only from the folders of the robot and its packages",
    )


def add_compiler_options(parser: argparse.ArgumentParser) -> None:
    """What compiles and runs a model, and whether what was done before is done again."""
    parser.add_argument(
        "--backend", choices=["rumoca", "omc"], default="rumoca", help="the compiler: rumoca (default) or OpenModelica"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="use nothing of earlier runs, and keep nothing of this one"
    )


def packages_of(options: argparse.Namespace, file: Path) -> Packages:
    """What finds the files that a robot names, as the options of a command have it."""
    return Packages(options.package_dir, near=file, allow_outside=getattr(options, "allow_outside", False))


def xacro_arguments(words: Sequence[str]) -> dict[str, str] | None:
    """The words NAME=VALUE of `--arg`; None if there are none."""
    pairs = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError(f"--arg takes NAME=VALUE, not '{word}'")
        pairs[name] = value
    return pairs or None


# ---------------------------------------------------------------- robot arguments

_PACKAGE_FILE: Final = "package.mo"
PACKAGE_HELP: Final = "the robot's package: its folder, FOLDER::Lib.Arm, or its full name"


def add_robot_arguments(parser: argparse.ArgumentParser) -> None:
    """The URDF file, the package, and where to look for what they need."""
    parser.add_argument("file", metavar="FILE", help="a .urdf or .xacro file, or the .yaml of an assembly")
    add_package_argument(parser)
    parser.add_argument("--templates", metavar="DIR", help="the library of templates, if it is one of your own")
    add_reading_options(parser)
    add_mesh_options(parser)


def add_package_argument(parser: argparse.ArgumentParser) -> None:
    """The package that was built from a URDF file."""
    parser.add_argument("--package", required=True, metavar="ADDRESS", help=PACKAGE_HELP)


def read_robot(options: argparse.Namespace) -> tuple[ReadResult, Packages]:
    """The URDF file, and what finds its meshes."""
    packages = packages_of(options, Path(options.file))
    return read(Path(options.file), packages=packages, xacro_arguments=xacro_arguments(options.arg)), packages


def is_assembly(file: str) -> bool:
    """Does a command that takes a robot get an assembly?"""
    return Path(file).suffix.lower() in (".yaml", ".yml")


def package_folder(text: str) -> Path:
    """The folder of a package, by its address; locked and in order if the call writes."""
    folder = Path(text)
    folder = folder.parent if folder.name == _PACKAGE_FILE else folder
    if is_package(folder):
        return folder
    if folder.exists():
        raise CommandError(f"{text} is not a package: it has no {_PACKAGE_FILE}", EXIT_UNREADABLE)
    if len(folder.parts) > 1 and "::" not in text:
        raise CommandError(f"there is no folder {text}", EXIT_UNREADABLE)  # and what is around it is not meant
    dotted = Path(*text.split("."))
    if is_package(dotted) and not is_package(Path(dotted.parts[0])):
        raise CommandError(f"a package in a folder that is not a package is named by its folder: write {dotted}")
    from modelica_ast.cli import Session  # noqa: PLC0415  (PERF: most packages are named by their folder)

    return Session().package_folder(text)


def is_package(folder: Path) -> bool:
    """Is this the folder of a package? It need not be a word of the command line, so it is put in order first."""
    if not folder.is_dir():
        return False
    prepare([folder])
    try:
        os.close(open_regular(folder / _PACKAGE_FILE))  # who only looks may find it waiting for its place
    except OSError as wrong:
        return isinstance(wrong, PermissionError)  # who reads it says so
    return True
