"""Where the files are that a robot names, as the options of a command have it."""

from __future__ import annotations

import argparse
from pathlib import Path

from urdf_frontend.meshes import Packages


def add_mesh_options(parser: argparse.ArgumentParser) -> None:
    """Which of the files that the robot names are read."""
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="take meshes and textures from anywhere, not only from the folders of the robot and its packages",
    )


def packages_of(options: argparse.Namespace, file: Path) -> Packages:
    """What finds the files that a robot names, as the options of a command have it."""
    return Packages(options.package_dir, near=file, allow_outside=getattr(options, "allow_outside", False))
