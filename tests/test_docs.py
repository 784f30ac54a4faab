"""The documentation is true: its examples run, its verbs do what it shows, its links lead somewhere.

A block right behind a ```python block is what that prints. A comment `<!-- file: Arm.mo -->` before a block makes it a
file that the examples find.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest

from conftest import FIXTURES, ROOT
from modelica_ast.edit import Document
from modelica_ast.edit.patch import VERBS, parameters

DOCS = ROOT / "docs"
VERBS_PAGE = DOCS / "verbs.md"
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md"]

_FILE = re.compile(r"<!-- file: (\S+) -->")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")

# The file that the README's examples open; it shows only what they do with it.
README_FILE = """\
within Robots;
model Arm
  parameter Modelica.Units.SI.Mass m = 1.50;
  Modelica.Mechanics.MultiBody.Parts.Body body(m = m);
end Arm;
"""


@attrs.frozen
class Block:
    language: str
    text: str
    line: int
    file: str | None  # the file that it stands for
    is_output: bool  # of the Python block right before it


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    before = ""  # the last line that is not blank, since the last block
    lines = enumerate(page.splitlines(keepends=True), 1)
    for number, line in lines:
        if not line.startswith("```"):
            before = line.strip() or before
            continue
        body = "".join(text for _, text in itertools.takewhile(lambda each: each[1] != "```\n", lines))
        file = _FILE.fullmatch(before)
        follows = bool(found) and found[-1].language == "python" and not before
        found.append(Block(line[3:].strip(), body, number + 1, file and file[1], follows))
        before = ""
    return found


def run(code: str, names: dict[str, Any], where: str, line: int) -> str:
    """Run an example, its lines numbered as in its page; what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + code, where, "exec"), names)  # noqa: S102
    return printed.getvalue()


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize("page", [page for page in PAGES if page != VERBS_PAGE], ids=lambda page: page.name)
def test_examples_run_and_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    is_readme = page.name == "README.md"
    if is_readme:
        (tmp_path / "Arm.mo").write_text(README_FILE, encoding="utf-8", newline="")
        shutil.copytree(FIXTURES / "libraries" / "Arms", tmp_path / "Arms")
    names: dict[str, Any] = {"__name__": page.stem}
    found = blocks(page.read_text(encoding="utf-8"))
    for block, following in itertools.zip_longest(found, found[1:]):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8", newline="")
        if block.language == "python":
            printed = run(block.text, names, page.name, block.line)
            expected = following.text if following is not None and following.is_output else ""
            # Blank lines at the end are noise in a page.
            assert is_readme or printed.rstrip("\n") == expected.rstrip("\n"), f"{page.name}:{block.line}"


def test_the_guides_have_examples() -> None:
    for name in ("guide.md", "transforms.md"):
        found = blocks((DOCS / name).read_text(encoding="utf-8"))
        assert sum(block.language == "python" for block in found) > 3
        assert any(block.is_output for block in found)


def test_a_wrong_output_would_be_seen() -> None:
    first, second = blocks("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    assert second.is_output
    assert run(first.text, {}, "page", first.line) != second.text


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
    assert run(code, {"document": edited}, section.verb, 1) == ""
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


def build_reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_reference", DOCS / "build_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_promise_of_safety_has_its_test() -> None:
    named = re.findall(r"`(tests/\w+\.py)`", (DOCS / "safety.md").read_text(encoding="utf-8"))
    assert len(set(named)) > 8
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_reference_says_when_it_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = build_reference()
    monkeypatch.setattr(builder, "REFERENCE", tmp_path / "reference.md")
    monkeypatch.setattr("sys.argv", ["build_reference.py", "--check"])
    assert builder.main() == 1
    assert "run make docs" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["build_reference.py"])
    assert builder.main() == 0
    monkeypatch.setattr("sys.argv", ["build_reference.py", "--check"])
    assert builder.main() == 0


def test_reference_has_every_public_name() -> None:
    builder = build_reference()
    text = builder.build_reference()
    for name in builder.MODULES:
        for public in importlib.import_module(name).__all__:
            assert f"\n### {public}\n" in text
    # What a class has from a base without an entry, and what a view's descriptor stands for.
    component = text.split("\n### Component\n")[1].split("\n### ")[0]
    assert "- `binding: Expression | Token | None`. What stands behind the `=`." in component
    assert "- `condition: ConditionAttribute | None`" in component
