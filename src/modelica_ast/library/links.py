"""What names a class outside of Modelica's own names: `modelica://` links, and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from modelica_ast.edit.occurrences import leaf_paths
from modelica_ast.edit.surgery import replaced
from modelica_ast.edit.working import Working
from modelica_ast.lexer import split_leaf
from modelica_ast.library.libraries import Libraries

# Scripts that lead old names to new ones: there a name is history.
_CONVERSION: Final = re.compile(r"\bconvert(?:Class|ClassIf|Element|Modifiers)\s*\(")


def rename_links(libraries: Libraries, old: str, new: str) -> None:
    """Let every `modelica://` link and every script follow a class to its new full name."""
    link = re.compile(rf"(?i:modelica)://{re.escape(old)}(?![A-Za-z0-9_])")
    for library, entry in libraries.files():
        if not library.read_only and link.search(libraries.text_of(entry)):
            libraries.document(entry).edit(_replace_links, link, f"modelica://{new}")
    name = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(old)}(?![A-Za-z0-9_])")
    workspace = libraries.workspace
    assert workspace is not None
    for path in scripts(libraries):
        data = workspace.others.read(path)
        text = None if data is None else data.decode("latin-1")  # only the name changes, whatever the encoding
        if text is not None and name.search(text) and not _CONVERSION.search(text):
            workspace.others.write(path, name.sub(new, text).encode("latin-1"))


def scripts(libraries: Libraries) -> Iterator[Path]:
    """The scripts of the libraries that may be written, in their Resources."""
    for library in libraries:
        folder = library.root.folder
        if not library.read_only and folder is not None and (folder / "Resources").is_dir():
            found = (folder / "Resources").rglob("*.mos")
            yield from sorted(path for path in found if path.is_file())


def _replace_links(work: Working, link: re.Pattern[str], new: str) -> None:
    root: Any = work.root
    for path, leaf in leaf_paths(work.root):
        if "odelica://" in leaf:
            prefix, token = split_leaf(leaf)
            text = link.sub(new, token)
            if text != token:
                root = replaced(root, path, prefix + text)
    work.changed(root, ())
