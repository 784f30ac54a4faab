"""The needed parts of libraries, laid out in a folder for a compiler.

What is not needed is blanked out, line ends kept, so a line of the copy is the same line of the original. A folder is
named by what is in it: the same parts are the same folder in every process, which is also what the compiler's own cache
goes by. It is made under another name and moved into place whole, so processes do not disturb each other.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from modelica_ast.edit.surgery import Path as TreePath
from modelica_ast.green import Node, render, width
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.library import Library
from modelica_ast.simulation.closure import Closure
from modelica_ast.tables import KINDS

_KEPT_FOR: Final = 30 * 24 * 3600.0  # seconds since a folder was used last
_WITHOUT_CLASSES: Final = frozenset("component_clause extends_clause import_clause equation_section".split())
_MARK: Final = "parts-"  # only folders of this name are ever removed


class Stage:
    """Folders that a compiler takes as roots, and the way from a file there to the file that it was made from."""

    def __init__(self, roots: list[Path], originals: Mapping[Path, Path]) -> None:
        self.roots = roots
        self.originals = originals

    def original(self, path: Path) -> Path:
        """The file that a staged file was made from, or the file itself."""
        return self.originals.get(path, path)


def cache_folder() -> Path:
    """Where the parts of libraries are kept for the next run."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    around = Path(named) if named and Path(named).is_absolute() else Path.home() / ".cache"
    return around / "modelica-ast" / "simulation"


def stage(libraries: Libraries, closure: Closure, kept: Collection[str], own: Path, cache: Path | None) -> Stage:
    """Lay out what a closure needs: the libraries `kept` in the cache, if there is one, others in the folder `own`."""
    parts: dict[str, dict[str, tuple[Path, str]]] = {}  # by library and place in its folder: the file, the text
    for entry, root, paths in closure.files():
        library = libraries.library_of(entry.full_name)
        parts.setdefault(library.name, {})[_place(library, entry.path)] = (entry.path, reduced(root, paths))
    roots: dict[Path, None] = {}
    originals: dict[Path, Path] = {}
    for name, files in parts.items():
        texts = {place: text for place, (_, text) in files.items()}
        folder = _kept(name, texts, cache if name in kept and cache is not None else own)
        roots[folder] = None
        originals.update({(folder / place).resolve(): path for place, (path, _) in files.items()})
    return Stage(list(roots), originals)


def reduced(root: Node, needed: set[TreePath]) -> str:
    """The text of a file without the classes that are not needed; all others stay in their lines."""
    text = render(root)
    if not _has_unneeded(root, needed):
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _spans(root, needed):
        pieces += [text[done:start], "\n" * text.count("\n", start, end)]
        done = end
    return "".join([*pieces, text[done:]])


def _has_unneeded(root: Node, needed: set[TreePath]) -> bool:
    """PERF: most files have one class, and offsets in a tree are computed from the widths of all before."""
    stack: list[tuple[Node, TreePath]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        if KINDS[node[0]] == "element" and _is_unneeded(node, path, needed):
            return True
        stack += [
            (part, (*path, index))
            for index, part in enumerate(node)
            if type(part) is tuple and KINDS[part[0]] not in _WITHOUT_CLASSES
        ]
    return False


def _spans(root: Node, needed: set[TreePath]) -> list[tuple[int, int]]:
    """Where elements stand that are classes nobody needs."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[Node, TreePath, int]] = [(root, (), 0)]
    while stack:
        node, path, offset = stack.pop()
        if KINDS[node[0]] == "element" and _is_unneeded(node, path, needed):
            found.append((offset, offset + width(node)))
            continue
        for index, part in enumerate(node[1:], 1):
            if type(part) is tuple and KINDS[part[0]] not in _WITHOUT_CLASSES:
                stack.append((part, (*path, index), offset))
            offset += width(part)
    return sorted(found)


def _is_unneeded(element: Node, path: TreePath, needed: set[TreePath]) -> bool:
    return any(
        type(part) is tuple and KINDS[part[0]] == "class_definition" and (*path, index) not in needed
        for index, part in enumerate(element)
    )


def _place(library: Library, path: Path) -> str:
    if library.path.is_dir():
        return str(Path(library.name, path.relative_to(library.path)))
    return f"{library.name}.mo"


def _write(texts: Mapping[str, str], folder: Path) -> None:
    for place, text in texts.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


# ---------------------------------------------------------------- the cache


def _kept(name: str, texts: Mapping[str, str], cache: Path) -> Path:
    """The folder with these parts, written if no run has written it before."""
    digest = hashlib.sha256()
    for place, text in sorted(texts.items()):
        for piece in (place, text):
            data = piece.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
    folder = cache / f"{_MARK}{name}-{digest.hexdigest()[:32]}"
    if folder.is_dir():
        os.utime(folder)
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    _remove_old(cache)
    made = Path(tempfile.mkdtemp(prefix=f"{_MARK}new-", dir=cache))
    try:
        _write(texts, made)
        made.rename(folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not folder.is_dir():  # else another process was faster, with the same parts
            raise
    return folder


def _remove_old(cache: Path) -> None:
    """Forget what was not used for a long time."""
    for folder in cache.glob(f"{_MARK}*"):
        try:
            is_old = time.time() - folder.stat().st_mtime > _KEPT_FOR
        except OSError:  # another process has removed it
            continue
        if is_old:
            shutil.rmtree(folder, ignore_errors=True)


def stage_whole(libraries: Libraries, but: Path | None, folder: Path) -> Stage:
    """All files of all libraries, but those of one folder."""
    originals: dict[Path, Path] = {}
    for library, entry in libraries.files():
        if but is not None and entry.path.is_relative_to(but):
            continue
        path = folder / _place(library, entry.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(entry.path, path)
        originals[path.resolve()] = entry.path
    return Stage([folder], originals)
