"""The page: one HTML file that needs nothing else, on a screen, in the dark and on paper.

Everything is built as a tree, so no name and no message can become markup. The page has no script, and its policy
lets it load nothing.
"""

from __future__ import annotations

from typing import Final

from lxml import html
from lxml.html import HtmlElement
from lxml.html.builder import BODY, H1, HEAD, HEADER, HTML, LI, MAIN, META, NAV, STYLE, TITLE, UL, A, P

from urdf_frontend.report.contents import ReportContents
from urdf_frontend.report.pictures import modelica_section, tree_section
from urdf_frontend.report.sections import diagnostics_section, summary_section, verification_section
from urdf_frontend.report.tables import clean, values_section

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CSS: Final = """
:root { color-scheme: light dark; --text: #1c2330; --page: #ffffff; --soft: #f3f5f8; --line: #d5dae2;
  --quiet: #5b6678; --error: #b3261e; --warning: #8a5a00; --good: #1b6e3c; --mark: #fff2c4; --link: #1b5fa8; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ef; --page: #14181f; --soft: #1d232d; --line: #384150;
  --quiet: #9aa6b8; --error: #ff8a80; --warning: #ffc766; --good: #7ddc9f; --mark: #4d3f10; --link: #8ab8f0; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
header, nav, main { max-width: 1200px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 28px; } h1 { margin: 0; font-size: 28px; overflow-wrap: anywhere; }
h2 { margin: 36px 0 12px; padding-top: 12px; border-top: 1px solid var(--line); font-size: 20px; }
h3 { margin: 20px 0 8px; font-size: 16px; } p { margin: 6px 0; } a { color: var(--link); }
.quiet { color: var(--quiet); } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; list-style: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 10px; margin: 0; }
.facts div { padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); }
.facts dt { color: var(--quiet); font-size: 13px; } .facts dd { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { background: var(--soft); } td.number { text-align: right; white-space: nowrap; }
td.vector { white-space: nowrap; } td.words { overflow-wrap: break-word; min-width: 90px; max-width: 640px; }
.differs { background: var(--mark); } .differs del { color: var(--quiet); }
.error { color: var(--error); font-weight: 600; } .warning { color: var(--warning); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.picture { overflow: auto; max-height: 90vh; padding: 8px; border: 1px solid var(--line); border-radius: 8px;
  background: #ffffff; } .picture svg, .picture img { display: block; height: auto; } .icon { max-width: 360px; }
@media print { .picture, .scroll { overflow: visible; max-height: none; } .picture svg, .picture img { max-width: 100%;
  width: auto !important; } nav { display: none; } tr, .picture { break-inside: avoid; } h2 { break-after: avoid; } }
"""


def page(contents: ReportContents) -> bytes:
    """The whole page, in UTF-8."""
    sections = [
        summary_section(contents),
        diagnostics_section(contents),
        tree_section(contents),
        modelica_section(contents),
        values_section(contents),
        verification_section(contents),
    ]
    shown = [section for section in sections if section is not None]
    document = HTML(
        HEAD(
            META(charset="utf-8"),
            META(**{"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            META(name="viewport", content="width=device-width, initial-scale=1"),
            TITLE(clean(f"{contents.title}: robot report")),
            STYLE(_CSS),
        ),
        BODY(
            HEADER(
                H1(clean(contents.title)),
                P("A robot from ", html.builder.CODE(clean(contents.file)), {"class": "quiet"}),
            ),
            NAV(UL(*(LI(A(section[0].text or "", href=f"#{section.get('id')}")) for section in shown))),
            MAIN(*shown),
        ),
        lang="en",
    )
    return _bytes(document)


def _bytes(document: HtmlElement) -> bytes:
    text: bytes = html.tostring(document, doctype="<!DOCTYPE html>", encoding="utf-8")
    return text + b"\n"
