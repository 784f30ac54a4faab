"""The XML of modules as lxml has it, comments and unknown elements included."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Final
from xml.sax.saxutils import quoteattr

from lxml import etree

from urdf_frontend.modules.instances import ModuleError
from urdf_frontend.urdf import Document, Findings, attribute_values, without_prolog

MARK: Final = "Assembled by modelica-patch urdf assemble"
_XML_NAMESPACE: Final = "http://www.w3.org/XML/1998/namespace"


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


def attributes_of(element: etree._Element) -> dict[str, str]:
    """The attributes of an element, by their names as lxml has them: `{name space}name`."""
    return dict(zip(map(str, element.attrib.keys()), attribute_values(element), strict=True))


def new_element(tag: str, attributes: Mapping[str, str], namespaces: Mapping[str, str]) -> etree._Element:
    """An element with attributes by their names as lxml has them, and name spaces by their prefixes.

    PERF: it is parsed, because `set` looks through all attributes for each: four seconds for 20,000. And `set` takes no
    prefix that nobody has declared, which `parse_robot` keeps.
    """
    prefixes = {_XML_NAMESPACE: "xml"}
    for prefix, uri in namespaces.items():
        prefixes.setdefault(uri, prefix)
    declared = dict(namespaces)
    for uri in dict.fromkeys(name[1:].partition("}")[0] for name in attributes if name.startswith("{")):
        if uri not in prefixes:
            prefixes[uri] = next(name for name in map("ns{}".format, count()) if name not in declared)
            declared[prefixes[uri]] = uri
    words = [f"xmlns:{prefix}={quoteattr(uri)}" for prefix, uri in declared.items()]
    for name, value in attributes.items():
        uri, closing, local = name[1:].partition("}")
        words.append(f"{f'{prefixes[uri]}:{local}' if closing else name}={quoteattr(value)}")
    return etree.fromstring(f"<{' '.join([tag, *words])}/>".encode(), _parser(recover=True))


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
