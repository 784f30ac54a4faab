"""Generated texts for a package that its user has renamed or moved since it was built."""

from __future__ import annotations

import re
from collections.abc import Mapping

from urdf_frontend.update.digests import is_modelica


def relocated(files: Mapping[str, bytes], old: str, new: str) -> dict[str, bytes]:
    """The files with the package's new full name in `within` and in links; its models keep their own names."""
    if old == new:
        return dict(files)
    name = re.escape(old).encode()
    within = re.compile(rb"\Awithin " + name + rb"(?=[.;])")
    link = re.compile(rb"modelica://" + name + rb"(?=[./])")
    moved = new.encode().replace(b"\\", b"\\\\")
    return {
        path: link.sub(b"modelica://" + moved, within.sub(b"within " + moved, data)) if is_modelica(path) else data
        for path, data in files.items()
    }
