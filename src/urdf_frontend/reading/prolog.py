"""What stands before the root element, made harmless for lxml: BOM, blank lines, declaration, DOCTYPE.

The text that lxml gets has blanks in their place, so lines and columns are the same in both.
"""

from __future__ import annotations

import re
from typing import Final

from urdf_frontend.diagnostics import Findings, quoted
from urdf_frontend.model.places import Span
from urdf_frontend.reading.document import BOM, Document

_DECLARATION: Final = re.compile(r"<\?xml\s(?:[^?]++|\?(?!>))*+\?>")
_VERSION: Final = re.compile(r"""\bversion\s*+=\s*+["']([^"']*+)["']""")
_MISC: Final = re.compile(r"(?:\s++|<!--(?:[^-]++|-(?!->))*+-->|<\?(?:[^?]++|\?(?!>))*+\?>)*+")
# An internal subset ends at the first `]` outside of quotes and comments; entities are all that matters in it.
_SUBSET: Final = r"\[(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--(?:[^-]++|-(?!->))*+-->|<)*+\]"
_DOCTYPE: Final = re.compile(rf"<!DOCTYPE\b(?:[^\[>\"']++|\"[^\"]*+\"|'[^']*+')*+(?:{_SUBSET}\s*+)?+>")


def without_prolog(document: Document, findings: Findings) -> str | None:
    """The text for lxml; None if it declares entities: a few lines of those can stand for gigabytes."""
    text = document.text
    at = 0
    if text.startswith(BOM):
        at = 1
        if document.encoding == "utf-8":  # the others need it
            message = "the file starts with a byte order mark; it is skipped"
            findings.report("urdf-bom", document.place(Span(0, 1)), message)
    start = at + len(text[at:]) - len(text[at:].lstrip())
    declaration = _DECLARATION.match(text, start)
    if declaration:
        if start > at:
            message = "there are blanks before the XML declaration, which must come first; they are skipped"
            findings.report("urdf-leading-blank", document.place(Span(start, declaration.end())), message)
        version = _VERSION.search(declaration[0])
        if version is not None and version[1] not in {"1.0", "1.1"}:
            place = document.place(Span(start + version.start(1), start + version.end(1)))
            findings.report("urdf-xml-version", place, f"there is no XML version {quoted(version[1])}; 1.0 is assumed")
        start = declaration.end()
    misc = _MISC.match(text, start)
    at = misc.end() if misc else start
    if not text.startswith("<!DOCTYPE", at):
        return _blank(text[:start]) + text[start:]
    doctype = _DOCTYPE.match(text, at)
    # What can't be told apart here is refused too, so that lxml never sees a DOCTYPE.
    if doctype is None or "<!ENTITY" in doctype[0]:
        place = document.place(Span(at, at + len("<!DOCTYPE") if doctype is None else doctype.end()))
        message = "the file declares entities, and these are not expanded: a few of them can stand for gigabytes"
        if doctype is None:
            message = "the DOCTYPE has no end, or is too odd to be skipped; it may declare entities"
        findings.report("urdf-entity", place, message, "write what they stand for where they are used")
        return None
    findings.report(
        "urdf-doctype", document.place(Span(at, doctype.end())), "a DOCTYPE means nothing in URDF; it is skipped"
    )
    return _blank(text[:start]) + text[start:at] + _blank(doctype[0]) + text[doctype.end() :]


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
