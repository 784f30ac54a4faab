"""Trees kept on disk by the text they were made from, so that no text is parsed twice."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import re
import secrets
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, cast

from modelica_ast.foundation import VERSION, Source
from modelica_ast.syntax import REST, Node
from modelica_ast.tree import StoredDefinition, parse_source

# What decides which tree a text becomes, and whether it becomes one.
_MAKERS: Final = tuple(
    f"modelica_ast.{name}" for name in ("_table", "tables", "lexer", "lalr", "green", "checks", "reading")
)
_CHECKSUM: Final = 32  # bytes of SHA-256 at the start of an entry
# Only files of this name are ever removed: somebody may give a folder that holds other things.
_OURS: Final = re.compile(r"[0-9a-f]{64}\.tree(\.[0-9a-f]{12}\.tmp)?")


class ParseCache:
    """Parses texts, and keeps their trees in a folder for the next process that parses the same text.

    Any number of threads and processes may share a folder. It only saves time: where it can't be read or written, or
    an entry is damaged, the text is parsed. `limit` is in bytes; what was not used for the longest time goes first.
    Trust in the folder is trust in its trees, so it is made for its user alone.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, limit: int = 500_000_000) -> None:
        self.folder: Path | None = user_cache_folder() if folder is None else Path(folder).absolute()
        self.limit = limit
        self._room = 0  # bytes that may be written before the folder is looked through again

    def parse(self, text: str, path: str | os.PathLike[str] | None = None) -> StoredDefinition:
        """As `modelica_ast.parse(text, path=path)`, errors included; annotations stay unread."""
        return self.parse_source(Source.of_text(text, path))

    def parse_source(self, source: Source) -> StoredDefinition:
        """As `parse`, for a text that knows its file and its encoding."""
        name = _entry_name(source.text)
        green = self._load(name)
        if green is None:
            tree = parse_source(source)
            self._keep(name, cast("Node", tree.green))
            return tree
        return StoredDefinition.over(
            green, file=source.path, encoding=source.encoding
        )  # a text with errors is not here

    def _load(self, name: str) -> Node | None:
        """The tree of an entry; None if there is none, or one that is damaged."""
        if self.folder is None:
            return None
        file = self.folder / name
        try:
            data = file.read_bytes()
        except OSError:
            return None
        payload = data[_CHECKSUM:]
        # marshal may crash on what it has not written itself, so nothing damaged gets there.
        if data[:_CHECKSUM] != _checksum(name, payload):
            return None
        with suppress(OSError):  # the folder may be for reading only
            os.utime(file)
        return _load_tree(payload)

    def _keep(self, name: str, green: Node) -> None:
        try:
            payload = marshal.dumps(green)
        except ValueError:  # nested deeper than marshal goes, which no author has written
            return
        data = _checksum(name, payload) + payload
        if self.folder is None or len(data) > self.limit // 8:
            return
        with suppress(OSError):  # without the entry the next one parses
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(self.folder, len(data))
            _replace(self.folder / name, data)

    def _make_room(self, folder: Path, size: int) -> None:
        """Keep below the limit, without looking through the folder at each write.

        Threads share the count without a lock: at worst one looks once more, or an entry too many stays for a while.
        Several processes may exceed the limit by an eighth each.
        """
        if size > self._room:
            _remove_oldest(folder, self.limit - self.limit // 8)
            self._room = self.limit // 8
        self._room -= size


def user_cache_folder() -> Path | None:
    """Where this user's programs keep what they can make again; None if there is no such place."""
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA", "")
        below_home = Path("AppData", "Local")
    elif sys.platform == "darwin":
        given = ""
        below_home = Path("Library", "Caches")
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        below_home = Path(".cache")
    if Path(given).is_absolute():  # the XDG specification: a relative one is to be ignored
        return Path(given, "modelica_ast")
    try:
        return Path.home() / below_home / "modelica_ast"
    except RuntimeError:  # a user without a home
        return None


# ---------------------------------------------------------------- entries


def _entry_name(text: str) -> str:
    """The text and all that its tree depends on, as the name of a file."""
    # A text may hold half a surrogate pair, in a comment for example.
    content = hashlib.sha256(fingerprint())
    content.update(text.encode("utf-8", "surrogatepass"))
    return f"{content.hexdigest()}.tree"


@cache
def fingerprint() -> bytes:
    """A digest of what makes trees: the table and the modules around it, and how Python writes them.

    Modules count by their source, so that an entry is never older than the last change of the parser, whether or not
    the version has changed. An installation without sources counts by its version.
    """
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {sys.hexversion} {marshal.version}".encode())
    for name in _MAKERS:
        digest.update(hashlib.sha256(_source_of(name).encode()).digest())
    return digest.digest()


def _source_of(module: str) -> str:
    spec = importlib.util.find_spec(module)
    get_source = getattr(spec.loader, "get_source", None) if spec is not None else None
    source: str | None = get_source(module) if get_source is not None else None
    if source is not None:
        return source
    return VERSION


def _checksum(name: str, payload: bytes) -> bytes:
    """With the name, so that an entry under the name of another is found out."""
    digest = hashlib.sha256(name.encode())
    digest.update(payload)
    return digest.digest()


def _load_tree(payload: bytes) -> Node:
    with REST:
        return cast("Node", marshal.loads(payload))  # noqa: S302  (its checksum is right)


# ---------------------------------------------------------------- the folder


def _replace(file: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all."""
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(6)}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _remove_oldest(folder: Path, limit: int) -> None:
    """Remove entries until the rest is below the limit; what a killed process left half written counts as one."""
    found: list[tuple[float, int, str]] = []
    with os.scandir(folder) as items:
        for item in items:
            if _OURS.fullmatch(item.name):
                with suppress(FileNotFoundError):  # another process removes as well
                    status = item.stat()
                    found.append((status.st_mtime, status.st_size, item.path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= limit:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108  (a path of scandir)
        total -= size
