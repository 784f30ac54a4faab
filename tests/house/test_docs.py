"""The documentation is true: its pages can be played, its verbs do what it shows, its links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from conftest import ROOT
from modelica_ast.edit import Document
from modelica_ast.edit.patch import VERBS, parameters
from pages import Block, Player, blocks, fits, run_python, steps

DOCS = ROOT / "docs"
VERBS_PAGE = DOCS / "verbs.md"
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md"]
PLAYED = [page for page in PAGES if page != VERBS_PAGE]  # its sections are examples of their own, below

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


# ---------------------------------------------------------------- pages


def play(page: Path, folder: Path, *, is_slow: bool) -> None:
    for name in ("work", "home"):
        (folder / name).mkdir()
    Player(page.name, page.read_text(encoding="utf-8"), folder / "work", folder / "home", is_slow).play()


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path) -> None:
    play(page, tmp_path, is_slow=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PLAYED if "<!-- slow: " in page.read_text(encoding="utf-8")], ids=lambda page: page.name
)
def test_page_with_what_is_slow(page: Path, tmp_path: Path) -> None:
    play(page, tmp_path, is_slow=True)


def test_the_guides_have_examples() -> None:
    for name in ("guide.md", "transforms.md"):
        found = blocks((DOCS / name).read_text(encoding="utf-8"))
        assert sum(block.language == "python" for block in found) > 3
        assert any(block.is_output for block in found)


def test_a_wrong_output_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for text in (
        "```python\nprint(1)\n```\n\n```text\n2\n```\n",
        "```python\nprint(1)\n```\n",
        "```console\n$ echo 1\n2\n```\n",
        "```console\n$ false\n```\n",
        "```console\n$ modelica-patch get nothing\n[exit 3]\n```\n",
        "```yaml\na: 1\n```\n",
        "<!-- file: a.txt -->\n\n```text\n1\n```\n",
        "`a.txt`:\n\n<!-- file: a.txt -->\n```text\n1\n```\n<!-- shows: a.txt -->\n```text\n2\n```\n",
    ):
        page.write_text(text, encoding="utf-8")
        folder = tmp_path / str(abs(hash(text)))
        folder.mkdir()
        with pytest.raises(AssertionError):
            play(page, folder, is_slow=False)


def test_what_a_page_may_leave_open() -> None:
    assert fits("1\n2\n3\n", "1\n…\n3")
    assert fits("1\n3\n", "1\n…\n3")
    assert fits("took 0.5 s\n", "took … s")
    assert not fits("1\n2\n", "1\n…\n3")
    (block,) = blocks("```console\n$ a \\\n    b\nc\n[exit 3]\n$ d   # exit code 1\n```\n")
    assert [(step.command, step.output, step.code) for step in steps(block)] == [
        ("a \\\n    b", "c", 3),
        ("d   # exit code 1", None, 1),
    ]


# ---------------------------------------------------------------- verbs


@attrs.frozen
class Section:
    """A verb as the page shows it."""

    verb: str
    prose: str
    blocks: list[Block]


def sections() -> Iterator[Section]:
    text = VERBS_PAGE.read_text(encoding="utf-8")
    _, *parts = re.split(r"^### (\w+)$", text, flags=re.MULTILINE)
    for verb, part in zip(parts[::2], parts[1::2], strict=True):
        own = re.split(r"^## ", part, maxsplit=1, flags=re.MULTILINE)[0]
        yield Section(verb, own.partition("```")[0], blocks(own))


SECTIONS = {section.verb: section for section in sections()}


def test_every_verb_has_a_section() -> None:
    assert set(SECTIONS) == set(VERBS)


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS.keys())
def test_verb_does_what_its_section_shows(section: Section) -> None:
    assert [block.language for block in section.blocks] == ["modelica", "json", "modelica", "python"]
    before, operation, after, code = (block.text for block in section.blocks)
    as_data = json.loads(operation)
    assert as_data["op"] == section.verb
    assert before != after

    patched = Document(before)
    inverse = patched.apply([as_data])
    assert patched.text == after
    patched.apply(inverse)
    assert patched.text == before

    edited = Document(before)
    assert run_python(code, {"document": edited}, section.verb, 1) == ""
    assert edited.text == after


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS.keys())
def test_section_lists_the_keys_of_its_verb(section: Section) -> None:
    listed = re.search(r"^Keys: ([^.]*)\.(?: Optional: ([^.]*)\.)?$", section.prose, re.MULTILINE)
    assert listed, "a line 'Keys: `class`, …. Optional: `path`, ….'"
    required, optional = (re.findall(r"`(\w+)`", group or "") for group in listed.groups())
    found = parameters(VERBS[section.verb])
    assert required == [parameter.key for parameter in found if parameter.required]
    assert optional == [parameter.key for parameter in found if not parameter.required]


# ---------------------------------------------------------------- links and the reference


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub names them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 1
        while name in found:
            name = f"{name.removesuffix(f'-{number - 1}')}-{number}"
            number += 1
        found.add(name)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"\w+://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def builder(name: str) -> ModuleType:
    """A script of docs, without what only the site needs."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_promise_of_safety_has_its_test() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`", (DOCS / "safety.md").read_text(encoding="utf-8"))
    assert len(set(named)) > 8
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_reference_has_every_public_name() -> None:
    reference = builder("build_reference")
    pages = reference.pages()  # which raises for a public name without a docstring
    for name in reference.MODULES:
        for public in importlib.import_module(name).__all__:
            assert f"\n## {public}\n" in pages[f"{name}.md"]
    # What a class has from a base without an entry, and what a view's descriptor stands for.
    component = pages["modelica_ast.tree.md"].split("\n## Component\n")[1].split("\n## ")[0]
    assert "- `binding: Expression | Token | None`. What follows the `=`." in component
    assert "- `condition: ConditionAttribute | None`" in component


def test_there_is_a_page_for_every_command() -> None:
    pages = builder("build_commands").pages()  # which raises for a command without an example
    assert {"index.md", "help-addresses.md", "set.md", "urdf-build.md", "fmi-ros-params.md"} <= set(pages)
    assert all("examples:\n" in text for name, text in pages.items() if not name.startswith(("index", "help-")))
    listed = set(_LINK.findall(pages["index.md"]))
    assert listed == set(pages) - {"index.md"}
