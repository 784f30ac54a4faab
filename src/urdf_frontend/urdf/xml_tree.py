"""The elements of an XML text: what lxml reads, and where each is in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from attrs import define, field, frozen
from lxml import etree

from urdf_frontend.robot import Place, Span
from urdf_frontend.urdf.diagnostics import Findings, quoted
from urdf_frontend.urdf.document import (
    AttributeMark,
    CommentMark,
    Document,
    EndTag,
    StartTag,
    markup_of,
    plain_xml,
)


@frozen
class Attribute:
    """An attribute: what it means, and where the text between its quotes is."""

    name: str  # as written, with its prefix
    value: str
    span: Span


@define(eq=False)
class Element:
    """An element with its attributes by name, in order. Names have their prefixes, as they are written."""

    tag: str
    attributes: dict[str, Attribute]
    parent: Element | None
    text: str  # all text directly inside, without that of the elements inside
    span: Span  # of the start tag, and of the whole element once its end is known
    children: list[Element] = field(factory=list)
    # The XPath, and the last steps of those of the children, made when one is asked for.
    known_xpath: str = ""
    steps: dict[int, str] | None = None

    @property
    def is_prefixed(self) -> bool:
        """Is it from another vocabulary than URDF: `xacro:…`, `drake:…`?"""
        return ":" in self.tag

    @property
    def xpath(self) -> str:
        """The way from the root, by names where these are unique, else by numbers."""
        way: list[Element] = []
        element: Element | None = self
        while element is not None and not element.known_xpath:
            way.append(element)
            element = element.parent
        for each in reversed(way):
            above = each.parent
            each.known_xpath = f"/{each.tag}" if above is None else f"{above.known_xpath}/{above.step_to(each)}"
        return self.known_xpath

    def step_to(self, child: Element) -> str:
        """The last step of a child's XPath."""
        if self.steps is None:
            self.steps = _steps(self.children)
        return self.steps[id(child)]


def _steps(children: list[Element]) -> dict[int, str]:
    tags = Counter([child.tag for child in children])
    if len(tags) == len(children):  # PERF: so it is nearly everywhere below links and joints
        return {id(child): child.tag + _by_name(_name_of(child)) for child in children}
    names = Counter([(child.tag, _name_of(child)) for child in children])
    seen: Counter[str] = Counter()
    steps: dict[int, str] = {}
    for child in children:
        seen[child.tag] += 1
        name = _name_of(child)
        by_name = _by_name(name) if names[child.tag, name] == 1 else ""
        by_number = f"[{seen[child.tag]}]" if tags[child.tag] > 1 else ""
        steps[id(child)] = child.tag + (by_name or by_number)
    return steps


def _name_of(element: Element) -> str:
    return element.attributes["name"].value if "name" in element.attributes else ""


def _by_name(name: str) -> str:
    """`[@name='base']`, if the name can be written there: XPath has no escapes."""
    if not name or ("'" in name and '"' in name):
        return ""
    return f'[@name="{name}"]' if "'" in name else f"[@name='{name}']"


@frozen
class FoundComment:
    """A comment, the element around it and the element that follows it in there."""

    mark: CommentMark
    inside: Element | None
    before: Element | None


@frozen
class XmlTree:
    """A text, its root element, and its comments in order."""

    document: Document
    root: Element
    comments: tuple[FoundComment, ...]
    has_default_namespace: bool  # declared by the root element

    def place(self, element: Element) -> Place:
        """Where an element is."""
        return self.document.place(element.span, element.xpath)

    def place_of(self, element: Element, attribute: Attribute) -> Place:
        """Where an attribute's value is."""
        return self.document.place(attribute.span, f"{element.xpath}/@{attribute.name}")

    def text_of(self, element: Element) -> str:
        """An element with all that is inside, exactly as it is written."""
        return element.span.of(self.document.text)


def parse_xml(document: Document, findings: Findings) -> XmlTree | None:
    """Read the XML of a document; None if it is not well-formed, and the findings say where."""
    text = plain_xml(document, findings)
    if text is None:
        return None
    root, errors = _parse(text)
    if root is None and all(error.type_name == _UNBOUND for error in errors):
        # That is not a reason to stop: lxml gets a text in which the prefixes are declared.
        prefixes = {error.message.removeprefix(_PREFIX).split(" ", 1)[0]: error for error in reversed(errors)}
        root, errors = _parse(_with_prefixes(text, prefixes))
        if root is not None:
            for prefix, error in sorted(prefixes.items()):
                start = document.offset_of_line(error.line)
                message = f"the prefix {quoted(f'{prefix}:')} is not declared; it is kept as it is"
                hint = f'add xmlns:{prefix}="…" to the root element'
                findings.report("urdf-prefix", document.place(Span(start, start)), message, hint)
    if root is None:
        _report(errors, document, findings)
        return None
    return _with_places(document, text, root)


def _report(errors: list[etree._LogEntry], document: Document, findings: Findings) -> None:
    """Only the first: what libxml2 says after it is mostly a consequence."""
    assert errors, "libxml2 logs what it refuses a text for"
    first = min(errors, key=lambda error: error.type_name == _UNBOUND)
    at = min(document.offset_of_line(first.line) + max(first.column - 1, 0), len(document.text))
    message = f"this is not well-formed XML: {_sentence(first.message.strip())}"
    findings.report("urdf-xml", document.place(Span(at, at)), message, xml_hint(first.message))


def xml_hint(message: str) -> str:
    """What to do about a text that is not XML, by what a parser says of it."""
    known = (hint for words, hint in _XML_HINTS.items() if any(word in message.lower() for word in words))
    return next(known, "each tag that is opened is closed, in order, and '<' and '&' are written as &lt; and &amp;")


_XML_HINTS: Final = {
    ("redefined", "duplicate attribute"): "give each attribute once",
    ("empty", "start tag expected", "no element found"): "the file ends too early, or is no URDF file",
    ("extra content", "junk after"): "there is one root element, and nothing after it",
    ("char 0x", "invalid character", "invalid token"): "take the character out, or save the file as UTF-8",
}


_UNBOUND: Final = "NS_ERR_UNDEFINED_NAMESPACE"
_PREFIX: Final = "Namespace prefix "


def _parse(text: str) -> tuple[etree._Element | None, list[etree._LogEntry]]:
    """The root element; or None and why. Without entities, DTDs, the network, and limits set aside."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        # Lone surrogates can't be encoded; lxml then says that the character is not allowed.
        return etree.fromstring(text.encode("utf-8", errors="surrogatepass"), parser), []
    except etree.XMLSyntaxError:
        return None, list(parser.error_log)


def _with_prefixes(text: str, prefixes: Iterable[str]) -> str:
    root = next((mark for mark in markup_of(text) if isinstance(mark, StartTag)), None)
    if root is None:
        return text
    at = root.span.start + 1 + len(root.name)
    declared = "".join(f' xmlns:{prefix}="urn:not-declared"' for prefix in prefixes)
    return text[:at] + declared + text[at:]


def _sentence(message: str) -> str:
    message = message.replace(", use XML_PARSE_HUGE option", "").replace(", try XML_PARSE_HUGE", "")
    return message[:1].lower() + message[1:200]


def _with_places(document: Document, text: str, root: etree._Element) -> XmlTree:
    """Walk lxml's elements and the tags of the text side by side."""
    nodes = root.iter(etree.Element)
    top: Element | None = None
    has_default_namespace = False
    around: list[Element] = []
    comments: list[FoundComment] = []
    waiting: list[CommentMark] = []  # comments that nothing has followed yet
    for mark in markup_of(text):
        if isinstance(mark, CommentMark):
            waiting.append(mark)
            continue
        inside = around[-1] if around else None
        if isinstance(mark, EndTag):
            closed = around.pop()
            closed.span = Span(closed.span.start, mark.span.end)
            comments += [FoundComment(comment, closed, None) for comment in waiting]
        else:
            element = _element(mark, next(nodes), inside)
            if top is None:
                top = element
                has_default_namespace = any(attribute.name == "xmlns" for attribute in mark.attributes)
            if inside is not None:
                inside.children.append(element)
            if not mark.is_empty:
                around.append(element)
            comments += [FoundComment(comment, inside, element) for comment in waiting]
        waiting = []
    comments += [FoundComment(comment, None, None) for comment in waiting]
    assert top is not None, "lxml has found a root element"
    return XmlTree(document, top, tuple(comments), has_default_namespace)


_VALUES: Final = etree.XPath("@*", smart_strings=False)


def attribute_values(node: etree._Element) -> list[str]:
    """The values of all attributes in their order, without declarations of name spaces.

    PERF: `attrib.values()` and `attrib.items()` look each of them up by its name, which takes seconds for an element
    with 50,000; `attrib.keys()` does not.
    """
    values: list[str] = _VALUES(node)
    return values


def _element(mark: StartTag, node: etree._Element, parent: Element | None) -> Element:
    written = [found for found in mark.attributes if not _declares_namespace(found)]
    attributes = {
        found.name: Attribute(found.name, str(value), found.span)
        for found, value in zip(written, attribute_values(node), strict=True)
    }
    text = "".join(piece for piece in (node.text, *(child.tail for child in node)) if piece)
    return Element(mark.name, attributes, parent, text, mark.span)


def _declares_namespace(attribute: AttributeMark) -> bool:
    return attribute.name == "xmlns" or attribute.name.startswith("xmlns:")
