"""The XML of modules as lxml has it, comments and unknown elements included."""

from __future__ import annotations

from lxml import etree

from urdf_frontend.diagnostics import Findings
from urdf_frontend.modules.errors import ModuleError
from urdf_frontend.reading.document import Document
from urdf_frontend.reading.prolog import without_prolog


def parse_robot(document: Document) -> etree._Element:
    """The root element of a text that `read` has accepted.

    Prefixes that nobody declared stay part of the tags. What is in the default name space of the file is plain URDF
    here: the name space of one module would be unknown to the elements of the others.
    """
    text = without_prolog(document, Findings(document.name))
    if text is None:
        raise ModuleError(f"{document.name}: it declares entities, which are not expanded")
    data = text.encode("utf-8", errors="surrogatepass")
    try:
        root = etree.fromstring(data, _parser(recover=False))
    except etree.XMLSyntaxError:
        root = etree.fromstring(data, _parser(recover=True))
    default = root.nsmap.get(None)
    if default is not None:
        for element in root.iter(etree.Element):
            if tag_of(element).startswith(f"{{{default}}}"):
                element.tag = etree.QName(element).localname
        etree.cleanup_namespaces(root)
    return root


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover
    )


def tag_of(element: etree._Element) -> str:
    """The tag of an element; lxml gives texts, whatever else it takes."""
    return str(element.tag)


def is_element(node: etree._Element) -> bool:
    """Is it an element, and no comment or processing instruction?"""
    return isinstance(node.tag, str)


def nodes_with_leads(root: etree._Element) -> list[tuple[str, etree._Element]]:
    """What is directly inside of a robot, each with the blanks before it; comments before the robot come first."""
    found = [("\n  ", node) for node in reversed(list(root.itersiblings(preceding=True)))]
    lead = root.text
    for node in root:
        found.append((_blanks(lead), node))
        lead = node.tail
    found += [("\n  ", node) for node in root.itersiblings()]
    return found


def _blanks(text: str | None) -> str:
    """The blanks before an element; stray text means nothing in URDF and is left out."""
    return "".join(letter for letter in text or "" if letter.isspace()) or "\n  "


def fill(root: etree._Element, nodes: list[tuple[str, etree._Element]]) -> None:
    """Put nodes into an element, each behind its blanks."""
    last: etree._Element | None = None
    for lead, node in nodes:
        if last is None:
            root.text = lead
        else:
            last.tail = lead
        root.append(node)
        last = node
    if last is not None:
        last.tail = "\n"


def write_xml(root: etree._Element, *, comment: str = "") -> bytes:
    """A file with this root element, and a comment before it."""
    head = f"<!-- {comment} -->\n" if comment else ""
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}'.encode() + etree.tostring(root, encoding="utf-8") + b"\n"
