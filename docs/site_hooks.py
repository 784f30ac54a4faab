"""What mkdocs asks of us while it builds the site: pages that are not files of docs, and links that lead out of docs.

README.md is the first page. Whatever a page links to in the repository is part of the site.
"""

# ruff: noqa: INP001  (the folder of the documentation is not a package)

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
sys.path.insert(0, str(DOCS))  # mkdocs imports hooks by their paths

import build_commands  # noqa: E402
import build_reference  # noqa: E402

_LINK: Final = re.compile(r"(?<=\]\()(?!\w+:)([^)\s#]+)")
_FENCE: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SAVED: Final = re.compile(r"^<!-- file: (\S+) -->\n+```(\w+)$", re.MULTILINE)
_GUIDES: Final = {
    "Modelica": (
        "guide verbs libraries transforms patterns recipes checks diff-and-merge formatting drawing simulation "
        "generated-packages safety"
    ),
    "Robots": (
        "robots urdf updates records typed-robots animation verification modular-robots templates constraints fmi"
    ),
}
_ABOUT: Final = ("CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benchmarks/README.md", "grammar/README.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation: guides, a page for each command, a page for each public module."""
    config.nav = [
        {"modelica-ast": "index.md"},
        *({title: [f"{name}.md" for name in names.split()]} for title, names in _GUIDES.items()),
        {"Commands": [f"commands/{name}" for name in build_commands.pages()]},
        {"API": [f"reference/{name}" for name in build_reference.pages()]},
        {"About": list(_ABOUT)},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are generated, and the files of the repository that pages link to."""
    made = {"index.md": (ROOT / "README.md").read_text(encoding="utf-8")}
    for folder, pages in {"commands": build_commands.pages(), "reference": build_reference.pages()}.items():
        made |= {f"{folder}/{name}": text for name, text in pages.items()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    waiting = [*_ABOUT, *(link for file in files.documentation_pages() for link in _outside(file))]
    while waiting:
        path = waiting.pop()
        if files.get_file_from_path(path) is None and (ROOT / path).is_file():
            file = File.generated(config, path, abs_src_path=str(ROOT / path))
            files.append(file)
            waiting += _outside(file) if path.endswith(".md") else []
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that lead through the repository lead through the site; files to save show their names."""
    here = posixpath.dirname(page.file.src_uri)
    return _SAVED.sub(
        r'```\2 title="\1"',
        _LINK.sub(lambda link: posixpath.relpath(_in_site(link[1], page.file), here or "."), markdown)
        if _is_of_repository(page.file)
        else markdown,
    )


def _is_of_repository(file: File) -> bool:
    """Whether its links are those of the repository, as generated pages are not."""
    return not file.src_uri.startswith(("commands/", "reference/"))


def _in_site(link: str, file: File) -> str:
    """Where the target of a link of the repository is in the site."""
    if file.src_uri == "index.md":
        folder = ""
    elif (DOCS / file.src_uri).is_file():
        folder = "docs"
    else:
        folder = posixpath.dirname(file.src_uri)
    path = posixpath.normpath(posixpath.join(folder, link))
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def _outside(file: File) -> list[str]:
    """What a page links to in the repository."""
    if not _is_of_repository(file):
        return []
    return [_in_site(link, file) for link in _LINK.findall(_FENCE.sub("", file.content_string))]
