"""Trees kept on disk by the text they were made from, so that no text is parsed twice."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import sys
from functools import cache
from pathlib import Path
from typing import Final, cast

from modelica_ast.files import CACHE_LIMIT, Kept
from modelica_ast.foundation import VERSION, Source
from modelica_ast.syntax import REST, Node
from modelica_ast.tree import StoredDefinition, parse_source

# What decides which tree a text becomes, and whether it becomes one.
_MAKERS: Final = tuple(
    f"modelica_ast.syntax.{name}" for name in ("_table", "tables", "lexer", "lalr", "green", "checks", "reader")
)


class ParseCache:
    """Parses texts, and keeps their trees in a folder for the next process that parses the same text.

    Any number of threads and processes may share a folder. It only saves time: where it can't be read or written, or
    an entry is damaged or not the user's own, the text is parsed. `limit` is in bytes; what was not used for the
    longest time goes first. The folder is made for its user alone.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, limit: int = CACHE_LIMIT) -> None:
        self._kept = Kept(folder, limit=limit)

    @property
    def folder(self) -> Path | None:
        """Where the trees are; None if there is no such place."""
        return self._kept.folder

    @property
    def limit(self) -> int:
        """How many bytes may be there."""
        return self._kept.limit

    def parse(self, text: str, path: str | os.PathLike[str] | None = None) -> StoredDefinition:
        """As `modelica_ast.parse(text, path=path)`, errors included; annotations stay unread."""
        return self.parse_source(Source.of_text(text, path))

    def parse_source(self, source: Source) -> StoredDefinition:
        """As `parse`, for a text that knows its file and its encoding."""
        name = _entry_name(source.text)
        # marshal may crash on what it has not written itself: only what is whole and the user's own gets there.
        payload = self._kept.get(name)
        if payload is None:
            tree = parse_source(source)
            self._keep(name, cast("Node", tree.green))
            return tree
        # A text with errors is not here.
        return StoredDefinition.over(_load_tree(payload), file=source.path, encoding=source.encoding)

    def _keep(self, name: str, green: Node) -> None:
        try:
            payload = marshal.dumps(green)
        except ValueError:  # nested deeper than marshal goes, which no author has written
            return
        self._kept.put(name, payload)


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


def _load_tree(payload: bytes) -> Node:
    with REST:
        return cast("Node", marshal.loads(payload))  # noqa: S302  (its checksum is right)
