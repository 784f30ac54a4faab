"""The table of docs/urdf.md is the table in the code, and its examples are pieces of the cases that they name."""

from __future__ import annotations

import re

import pytest

from conftest import FIXTURES, ROOT
from urdf_frontend import CODES, read

ROW = re.compile(r"^\| `(urdf-[a-z0-9-]+)` \| (\w+) \| (.*?) \| (.*) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "urdf.md").read_text(encoding="utf-8"))
EXAMPLE = re.compile(r"^(?:`(?P<piece>[^`]+)`|.*) \(\[whole\]\(\.\./fixtures/urdf/(?P<case>\w+)\.urdf\)\)$")


def test_the_page_lists_every_code() -> None:
    listed = [(code, severity, meaning.replace("&lt;", "<")) for code, severity, meaning, _ in ROWS]
    assert listed == [(code, about.severity.value, about.meaning) for code, about in CODES.items()]


@pytest.mark.parametrize(("code", "example"), [(row[0], row[3]) for row in ROWS if "[whole]" in row[3]])
def test_an_example_shows_its_code(code: str, example: str) -> None:
    match = EXAMPLE.match(example)
    assert match is not None
    path = FIXTURES / "urdf" / f"{match['case']}.urdf"
    assert code in {found.code for found in read(path).diagnostics}
    if match["piece"] is not None:
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        assert match["piece"] in text


def test_every_code_has_an_example() -> None:
    assert all(row[3].strip() for row in ROWS)
    assert sum("[whole]" in row[3] for row in ROWS) > 70
