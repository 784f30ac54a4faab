"""The side-car of a package: what an update must know of the last one, a fact on each line.

    urdf-base 1
    generator urdf_frontend 0.1.0
    templates 2c26b46b…
    package "Robots.Arm"
    urdf 5891b5b5…
    option collisions true
    resource "meshes/hand.stl" "modelica://Robots.Arm/Resources/Meshes/hand.stl"
    file 9f86d081… Links/base.mo
    conflict {"file": "Links/baseParams.mo", …}

The lines of a kind are sorted, so two branches that changed different things merge without a conflict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from urdf_frontend.update.errors import NoBaseError

_HEAD: Final = (
    "# What was generated last: an update reads this file and writes it anew. Keep it with the package.",
    "# If it is lost or damaged, `modelica-patch urdf adopt` makes it again.",
)
_VERSION: Final = "urdf-base 1"
_KEYS_OF_CONFLICT: Final = ("file", "what", "path", "user", "urdf")


@frozen
class RememberedConflict:
    """A value that both sides changed, and that was left as the user had it."""

    file: str
    what: str
    path: tuple[str, ...]
    user: str | None
    urdf: str | None

    def as_json(self) -> dict[str, Any]:
        """The fields by their names."""
        texts = {"user": self.user, "urdf": self.urdf}
        return {"file": self.file, "what": self.what, "path": list(self.path), **texts}


@frozen
class BaseFile:
    """The facts. `package` is the full name that the package had, `files` has a digest of each generated file.

    `templates` is a digest of the template library; older files have none.
    """

    generator: str
    package: str
    urdf: str  # the digest of the stored URDF file
    options: Mapping[str, str]
    resources: Mapping[str, str]  # from what the URDF calls a file to what Modelica calls it
    files: Mapping[str, str]
    conflicts: tuple[RememberedConflict, ...] = ()
    templates: str | None = None

    @property
    def text(self) -> str:
        """The file."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from _HEAD
        yield _VERSION
        yield f"generator {self.generator}"
        if self.templates is not None:
            yield f"templates {self.templates}"
        yield f"package {json.dumps(self.package)}"
        yield f"urdf {self.urdf}"
        for option, value in sorted(self.options.items()):
            yield f"option {option} {value}"
        for name, place in sorted(self.resources.items()):
            yield f"resource {json.dumps(name)} {json.dumps(place)}"
        for path, found in sorted(self.files.items()):
            # The digest stands first: a path may have blanks in it.
            yield f"file {found} {path}"
        yield from sorted({f"conflict {json.dumps(each.as_json())}" for each in self.conflicts})


def read_base_file(text: str, file: str) -> BaseFile:
    """Read what `BaseFile.text` has written; NoBaseError names the line that is wrong."""
    single: dict[str, str] = {}
    tables: dict[str, dict[str, str]] = {"option": {}, "resource": {}, "file": {}}
    conflicts: list[RememberedConflict] = []
    lines = [(number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1)]
    facts = [(number, line) for number, line in lines if line.strip() and not line.startswith("#")]
    if not facts or facts[0][1] != _VERSION:
        found = facts[0][1][:60] if facts else ""
        raise NoBaseError(f"{file}: expected '{_VERSION}', found '{found}'")
    for number, line in facts[1:]:
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "generator" | "urdf" | "templates":
                    single[word] = rest
                case "package":
                    single[word] = _string(json.loads(rest))
                case "option":
                    name, value = rest.split(" ", 1)
                    tables[word][name] = value
                case "file":
                    found, path = rest.split(" ", 1)
                    tables[word][path] = found
                case "resource":
                    name, end = json.JSONDecoder().raw_decode(rest)
                    tables[word][_string(name)] = _string(json.loads(rest[end:]))
                case "conflict":
                    conflicts.append(_conflict(json.loads(rest)))
                case _:
                    raise ValueError(word)  # noqa: TRY301  (the sentence for all wrong lines is below)
        except (ValueError, KeyError, TypeError, RecursionError):  # the last: brackets, where JSON is
            raise NoBaseError(f"{file}:{number}: '{line[:60]}' is no line of such a file") from None
    missing = [word for word in ("generator", "package", "urdf") if word not in single]
    if missing:
        raise NoBaseError(f"{file}: there is no line '{missing[0]}'")
    return BaseFile(
        single["generator"],
        single["package"],
        single["urdf"],
        tables["option"],
        tables["resource"],
        tables["file"],
        tuple(conflicts),
        single.get("templates"),
    )


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _conflict(data: dict[str, Any]) -> RememberedConflict:
    file, what, path, user, urdf = (data[key] for key in _KEYS_OF_CONFLICT)
    return RememberedConflict(_string(file), _string(what), tuple(map(_string, path)), user, urdf)
