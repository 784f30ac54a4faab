"""What a generated module was made from, so that it can be made anew and checked without asking again."""

from __future__ import annotations

from urdf_frontend.typed.values import Value


class Source(Value):
    """Paths are as seen from the folder of the module; what was not given is None."""

    urdf: str
    prefix: str
    python: str
    arguments: tuple[str, ...] = ()  # of xacro, NAME=VALUE
    package: str | None = None  # by its full name
    folder: str | None = None  # of that package
    model: str | None = None
