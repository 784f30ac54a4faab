"""What a build gives: files, and in words what they are and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from urdf_frontend.names import NameTable


@frozen
class Summary:
    """What was built, and what the URDF file has that the package does not show."""

    package: str  # its full name
    links: int
    joints: int
    driven: int  # joints with flanges
    followers: int  # joints that mimic others
    left_out: tuple[str, ...]  # a sentence each
    notes: tuple[str, ...]  # what else a user should know

    def as_json(self) -> dict[str, Any]:
        """The fields by their names, for `json`."""
        return {
            "package": self.package,
            "links": self.links,
            "joints": self.joints,
            "driven": self.driven,
            "followers": self.followers,
            "left_out": list(self.left_out),
            "notes": list(self.notes),
        }


@frozen
class BuiltPackage:
    """The files by their paths, relative to the folder that the package's folder is in.

    `changed` are files that are there already, the parent's package.order for one, with what was in them when they
    were read.
    """

    name: str
    folder: Path  # of the package, relative as well
    files: Mapping[Path, bytes]
    changed: Mapping[Path, bytes]
    names: NameTable
    summary: Summary

    def text(self, path: str | Path) -> str:
        """The text of a file that is no binary."""
        return self.files[Path(path)].decode("utf-8")
