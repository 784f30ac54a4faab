"""What a generator makes: files in memory, for a package of a full name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from modelica_ast.generate.packages import PACKAGE_FILE
from modelica_ast.generate.side_car import is_modelica
from modelica_ast.identifiers import split_name


@frozen
class Generated:
    """The files by their paths in the package's folder, with `/`.

    `resources` says what files of the data are called in Modelica, `left_out` in sentences what the data have that the
    package does not show. `as_before` are files that are as they were generated last, with their digests; what is in
    `files` for them is what the user has there.
    """

    files: Mapping[str, bytes] = field(repr=False)
    resources: Mapping[str, str] = field(factory=dict)
    left_out: tuple[str, ...] = ()
    as_before: Mapping[str, str] = field(factory=dict)


_FIRST: Final = re.compile(rb"^(package|end) ", re.MULTILINE)


def relocated(files: Mapping[str, bytes], old: str, new: str) -> dict[str, bytes]:
    """Generated files for a package that its user has renamed or moved: its new name in `within` and in links.

    Its models keep their own names.
    """
    if old == new:
        return dict(files)
    name = re.escape(old).encode()
    within = re.compile(rb"\Awithin " + name + rb"(?=[.;])")
    link = re.compile(rb"modelica://" + name + rb"(?!\w)")
    moved = new.encode().replace(b"\\", b"\\\\")
    found = {
        path: link.sub(b"modelica://" + moved, within.sub(b"within " + moved, data)) if is_modelica(path) else data
        for path, data in files.items()
    }
    # Its first and its last line have the name of the package itself.
    names = [split_name(each)[-1].encode() for each in (old, new)]
    lines = re.compile(_FIRST.pattern + re.escape(names[0]) + rb"(?=[ ;\n])", re.MULTILINE)
    if PACKAGE_FILE in found:
        found[PACKAGE_FILE] = lines.sub(lambda line: line[1] + b" " + names[1], found[PACKAGE_FILE])
    return found
