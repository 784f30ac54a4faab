"""Generated texts for a package that its user has renamed or moved since it was built."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from urdf_frontend.update.digests import is_modelica
from urdf_frontend.update.generating import split_last_name

_PACKAGE_FILE: Final = "package.mo"


def relocated(files: Mapping[str, bytes], old: str, new: str) -> dict[str, bytes]:
    """The files with the package's new full name in `within` and in links; its models keep their own names."""
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
    names = [split_last_name(each)[1].encode() for each in (old, new)]
    lines = re.compile(rb"^(package|end) " + re.escape(names[0]) + rb"(?=[ ;\n])", re.MULTILINE)
    found[_PACKAGE_FILE] = lines.sub(lambda line: line[1] + b" " + names[1], found[_PACKAGE_FILE])
    return found
