"""Changes as one HTML page: a tree of classes on the left, old and new text side by side on the right.

The page is built as a tree of elements, so no text of a file can become markup. It needs nothing from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from modelica_ast.compare.changes import Change, LineChange
from modelica_ast.edit import common_length
from modelica_ast.foundation import Record

# ---------------------------------------------------------------- lines
# Changes as lines for people, grouped by class. Each piece of a line has a style; colour is the caller's business.

_SHOWN: Final = 72  # characters of a text in a line
_BEFORE: Final = 20  # characters of it that are shown before the first that differs
_MARKS: Final = {"added": "+", "removed": "-", "changed": "~", "moved": ">", "renamed": ">", "reordered": "%"}


class Styled(Record):
    """A piece of a line: style is heading, added, removed, changed, moved, renamed, reordered or plain."""

    text: str
    style: str = "plain"


Line = tuple[Styled, ...]


def lines_of(changes: Iterable[Change]) -> Iterator[Line]:
    """A heading for each class, and a line for each change in it."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(_group(change), []).append(change)
    for name, members in groups.items():
        yield (Styled(name or "(file)", "heading"),)
        for change in members:
            yield (Styled("  "), Styled(_MARKS[change.kind], change.kind), Styled(" "), Styled(sentence(change)))
            for line in _shown_lines(change):
                mark = Styled(_MARKS[line.kind], line.kind)
                yield (Styled("      "), mark, Styled(f" {line.text}".rstrip(), line.kind))


def text_of(changes: Iterable[Change]) -> str:
    """The lines as plain text."""
    return "".join("".join(piece.text for piece in line) + "\n" for line in lines_of(changes))


def _group(change: Change) -> str:
    """A class that came or went is listed with the class around it."""
    if change.what == "class" and change.kind in ("added", "removed", "moved", "renamed"):
        return change.class_path.rpartition(".")[0]
    return change.class_path


def sentence(change: Change) -> str:
    """What happened, in a few words."""
    old, new = shortened(change.old), shortened(change.new)
    subject = f"{change.what} {change.name}" if change.name and change.what != "class" else change.what
    if change.what == "class":
        subject = f"class {change.path[-1]}"
    elif change.what in ("component", "connection", "equation", "statement", "extends", "import", "external"):
        subject = change.what
    match change.kind:
        case "added" | "removed":
            text = new if change.kind == "added" else old
            return subject if change.what == "class" else f"{subject}: {text}"
        case "moved" | "renamed":
            return f"{change.what} {change.path[-1]}: {change.kind} from {old}"
        case "reordered":
            return f"order: {new}"
        case _:
            where = f"{change.what} {change.name}".strip() if change.name else change.what
            if _shown_lines(change):
                return f"{where}:"
            old, new = _around_difference(change.old or "", change.new or "")
            return f"{where}: {old} -> {new}"


def shortened(text: str | None) -> str:
    """A text on one line, not too long."""
    line = " ".join((text or "").split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _shown_lines(change: Change) -> tuple[LineChange, ...]:
    """The lines that differ, where the whole texts are too long for a line."""
    is_long = any(len(" ".join((text or "").split())) > _SHOWN for text in (change.old, change.new))
    return change.lines if is_long else ()


def _around_difference(*texts: str) -> tuple[str, str]:
    """Two texts on a line each; of what both start with the end alone, where the difference would not be seen else."""
    old, new = (" ".join(text.split()) for text in texts)
    same = common_length(old, new)
    if max(len(old), len(new)) <= _SHOWN or same < _SHOWN - _BEFORE:
        return shortened(old), shortened(new)
    start = old.rfind(" ", 0, same - _BEFORE) + 1
    return shortened("…" + old[start:]), shortened("…" + new[start:])


# ---------------------------------------------------------------- page

_OF_SIDE: Final = {"old": "removed", "new": "added"}
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_STYLE: Final = """
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: flex; color: #1f2328; background: #fff; }
nav { width: 18rem; flex: none; height: 100vh; overflow: auto; position: sticky; top: 0; background: #f6f8fa;
  padding: 1rem; box-sizing: border-box; border-right: 1px solid #d1d9e0; }
nav a { display: block; color: #0969da; text-decoration: none; overflow-wrap: anywhere; }
main { flex: 1; padding: 1rem 2rem; min-width: 0; }
h2 { border-bottom: 1px solid #d1d9e0; font-size: 1.1rem; margin-top: 2rem; }
h3 { font-size: .95rem; font-weight: 600; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
pre { margin: 0; padding: .5rem; overflow: auto; font: 13px/1.45 ui-monospace, monospace; border-radius: 4px; }
pre.old { background: #ffebe9; } pre.new { background: #dafbe1; } pre.none { background: #f6f8fa; }
.place { color: #59636e; font-weight: 400; }
@media (prefers-color-scheme: dark) {
  body { color: #f0f6fc; background: #0d1117; } nav { background: #151b23; border-color: #3d444d; }
  nav a { color: #4493f8; } pre.old { background: #3c1618; } pre.new { background: #12261e; }
  pre.none { background: #151b23; } .place { color: #9198a1; } h2 { border-color: #3d444d; }
}
"""


def html_page(changes: Iterable[Change], *, title: str = "Changes", noise: Iterable[Change] = ()) -> str:
    """A page that shows all changes, and the noise in a part of its own."""
    page = Element("html", lang="en")
    head = SubElement(page, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = title
    SubElement(head, "style").text = _STYLE
    body = SubElement(page, "body")
    tree, main = SubElement(body, "nav"), SubElement(body, "main")
    SubElement(main, "h1").text = title
    number = 0
    for heading, members in (*_groups(changes), *(("Noise: " + name, each) for name, each in _groups(noise))):
        number += 1
        SubElement(tree, "a", href=f"#c{number}").text = f"{heading} ({len(members)})"
        section = SubElement(main, "section", id=f"c{number}")
        SubElement(section, "h2").text = heading
        for change in members:
            _add_change(section, change)
    if not number:
        SubElement(main, "p").text = "There is no difference in meaning."
    return "<!DOCTYPE html>\n" + tostring(page, encoding="unicode", method="html") + "\n"


def _groups(changes: Iterable[Change]) -> list[tuple[str, list[Change]]]:
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.class_path or "(file)", []).append(change)
    return list(found.items())


def _add_change(section: Element, change: Change) -> None:
    headline = SubElement(section, "h3")
    headline.text = f"{change.kind}: {sentence(change)} "
    lines = _shown_lines(change)
    span = change.new_span or change.old_span
    if span is not None:
        place = lines[0].line if lines else span.start.line
        SubElement(headline, "span", {"class": "place"}).text = f"line {place}"
    pair = SubElement(section, "div", {"class": "pair"})
    for style, text in (("old", change.old), ("new", change.new)):
        shown = text
        if lines:
            shown = _with_gaps([line for line in lines if line.kind == _OF_SIDE[style]])
        SubElement(pair, "pre", {"class": style if shown else "none"}).text = _printable(shown or "")


def _with_gaps(lines: Sequence[LineChange]) -> str:
    """Lines of a text, with a sign where some are left out."""
    found: list[str] = []
    for line, before in zip(lines, [None, *lines], strict=False):
        found += ["⋯"] if before is not None and line.line > before.line + 1 else []
        found.append(line.text)
    return "\n".join(found)


def _printable(text: str) -> str:
    """Control characters have no place in a page."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))
