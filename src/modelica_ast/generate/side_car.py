"""The side-car of a generated package: what an update must know of the last generation, as JSON.

It lies with the package and comes from wherever that comes from: everything in it is checked when it is read. Keys are
sorted and each fact has a line of its own, so two branches that changed different things merge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from attrs import field, frozen

from modelica_ast.foundation import read_regular
from modelica_ast.generate.outcome import NewerBaseError, NoBaseError

FORMAT: Final = "generated Modelica package"
VERSION: Final = 1
_ABOUT: Final = "What was generated last. An update reads this file and writes it anew: keep it with the package."
_TEXTS: Final = frozenset({".mo", ".order", ".svg", ".json"})
_CONFLICT: Final = ("file", "what", "path", "user", "data")
_TEXT_TABLES: Final = ("sources", "options", "resources", "files", "before")


def is_modelica(path: str) -> bool:
    """Is this a file that is merged as Modelica, or a package.order?"""
    return PurePosixPath(path).suffix in {".mo", ".order"}


def digest(path: str, data: bytes) -> str:
    """The SHA-256 of a file; of a text, whatever git has made of its line ends on the way."""
    return text_digest(data) if PurePosixPath(path).suffix in _TEXTS else hashlib.sha256(data).hexdigest()


def text_digest(data: bytes) -> str:
    """The SHA-256 of a text. How its lines end does not count."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def same_content(path: str, one: bytes | None, other: bytes | None) -> bool:
    """Are these the same file, whatever git has made of its line ends?"""
    return one == other or (one is not None and other is not None and digest(path, one) == digest(path, other))


def templates_digest(folder: Path) -> str:
    """What tells the templates in a folder from others: of all files, with their names in the library."""
    found = hashlib.sha256()
    for file in template_files(folder):
        found.update(f"{file.relative_to(folder).as_posix()}\n".encode())
        found.update(hashlib.sha256(read_regular(file)).digest())
    return found.hexdigest()


def template_files(folder: Path) -> list[Path]:
    """The files of a library of templates, which may be one file."""
    return sorted(folder.rglob("*.mo")) if folder.is_dir() else [folder]


@frozen
class RememberedConflict:
    """A value that both sides changed, and that was left as the user had it."""

    file: str
    what: str
    path: tuple[str, ...]
    user: str | None
    data: str | None

    def as_json(self) -> dict[str, Any]:
        """The fields by their names."""
        values = {"user": self.user, "data": self.data}
        return {"file": self.file, "what": self.what, "path": list(self.path), **values}


@frozen
class KeptPart:
    """A part that the data have no more, whose classes stayed; `classes` are the files that they were generated in."""

    what: str
    name: str
    classes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The fields by their names."""
        return {"what": self.what, "name": self.name, "classes": list(self.classes)}


@frozen(kw_only=True)
class SideCar:
    """The facts.

    `package` is the full name that the package was generated for. `sources` has digests of the data that are kept
    beside the side-car, by their names; `files` has one of each generated file, and `before` what those had in the
    generation before that the last one has changed, '' for those that it has added. `texts` are generated texts that
    can't be generated again. `names` is what the generator wants to know again, in plain values.
    """

    generator: str
    package: str
    sources: Mapping[str, str]
    options: Mapping[str, str]
    files: Mapping[str, str]
    names: Mapping[str, Any] = field(factory=dict)
    resources: Mapping[str, str] = field(factory=dict)  # from what the data call a file to what Modelica calls it
    templates: str | None = None
    before: Mapping[str, str] = field(factory=dict)
    texts: Mapping[str, str] = field(factory=dict)
    conflicts: tuple[RememberedConflict, ...] = ()
    kept: tuple[KeptPart, ...] = ()

    @property
    def text(self) -> str:
        """The file."""
        conflicts = {json.dumps(each.as_json(), sort_keys=True): each.as_json() for each in self.conflicts}
        data = {
            "about": _ABOUT,
            "format": FORMAT,
            "version": VERSION,
            "generator": self.generator,
            "package": self.package,
            "templates": self.templates,
            "names": self.names,
            **{table: dict(getattr(self, table)) for table in _TEXT_TABLES},
            "texts": {path: text.split("\n") for path, text in self.texts.items()},
            "conflicts": [conflicts[key] for key in sorted(conflicts)],
            "kept": [part.as_json() for part in self.kept],
        }
        return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def read_side_car(text: str, file: str) -> SideCar:
    """Read what `SideCar.text` has written; NoBaseError says what is wrong."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        place = f":{wrong.lineno}" if isinstance(wrong, json.JSONDecodeError) else ""
        raise NoBaseError(f"{file}{place} is not a side-car of a package: it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NoBaseError(f"{file} is not a side-car of a package: its 'format' is not '{FORMAT}'")
    if isinstance(data.get("version"), int) and data["version"] > VERSION:
        raise NewerBaseError(
            f"{file}: it is of version {data['version']!r:.20}, and "
            f"this tool knows version {VERSION}: use the newer version of the tool that wrote it"
        )
    if data.get("version") != VERSION:
        raise NoBaseError(
            f"{file}: it is of version {data.get('version')!r:.20}, and this tool knows version {VERSION}"
        )
    return _Reading(data, file).side_car()


@frozen
class _Reading:
    """Takes what is as it must be, and says where something is not."""

    data: Mapping[str, Any]
    file: str

    def side_car(self) -> SideCar:
        tables = {table: self._table(table) for table in _TEXT_TABLES}
        names = self.data.get("names", {})
        if not isinstance(names, dict):
            raise self._wrong("names")
        return SideCar(
            generator=self._text("generator"),
            package=self._text("package"),
            templates=None if self.data.get("templates") is None else self._text("templates"),
            names=names,
            texts=self._texts(),
            conflicts=tuple(map(self._conflict, self._list("conflicts"))),
            kept=tuple(map(self._kept, self._list("kept"))),
            **tables,
        )

    def _wrong(self, key: str) -> NoBaseError:
        return NoBaseError(f"{self.file}: '{key}' is missing or not valid")

    def _text(self, key: str) -> str:
        found = self.data.get(key)
        if not isinstance(found, str):
            raise self._wrong(key)
        return found

    def _table(self, key: str) -> dict[str, str]:
        found = self.data.get(key, {})
        if not isinstance(found, dict) or not _are_texts([*found, *found.values()]):
            raise self._wrong(key)
        return found

    def _texts(self) -> dict[str, str]:
        """Each is a list of its lines."""
        found = self.data.get("texts", {})
        every = found.values() if isinstance(found, dict) else [None]
        if not all(isinstance(lines, list) and _are_texts(lines) for lines in every):
            raise self._wrong("texts")
        return {path: "\n".join(lines) for path, lines in found.items()}

    def _list(self, key: str) -> list[Mapping[str, Any]]:
        found = self.data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self._wrong(key)
        return found

    def _conflict(self, data: Mapping[str, Any]) -> RememberedConflict:
        file, what, path, user, new = (data.get(key) for key in _CONFLICT)
        if not _are_texts([file, what]) or not isinstance(path, list) or not _are_texts(path):
            raise self._wrong("conflicts")
        if not all(each is None or isinstance(each, str) for each in (user, new)):
            raise self._wrong("conflicts")
        return RememberedConflict(str(file), str(what), tuple(path), user, new)

    def _kept(self, data: Mapping[str, Any]) -> KeptPart:
        what, name, classes = data.get("what"), data.get("name"), data.get("classes")
        if not _are_texts([what, name]) or not isinstance(classes, list) or not _are_texts(classes):
            raise self._wrong("kept")
        return KeptPart(str(what), str(name), tuple(classes))


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)
