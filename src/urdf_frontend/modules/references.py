"""Names of links and joints inside of elements, those that URDF does not know included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen
from lxml import etree

from urdf_frontend.modules.xml_files import attributes_of, is_element, tag_of

_LINK_WORDS: Final = ("link", "body", "frame", "parent", "child", "reference", "member")


@frozen
class References:
    """Rewrites names, each by what it stands for.

    In elements of URDF that is known. Elsewhere (Gazebo, ros2_control, SRDF) the word tells: a text or attribute
    called `…joint…` names a joint, one called `…link…`, `body`, `frame`, `reference` and so on a link, or else a
    joint. Only a text that is such a name as a whole is changed.
    """

    links: Mapping[str, str]
    joints: Mapping[str, str]

    def rewrite(self, element: etree._Element) -> None:
        """All inside of an element, and its own attributes."""
        for node in element.iter():
            if not is_element(node):
                continue
            tag = _word(tag_of(node))
            for attribute, value in attributes_of(node).items():
                word = tag if attribute == "name" else _word(attribute)
                new = self._new(word, value)
                if new is not None and new != value:
                    node.set(attribute, new)
            text = (node.text or "").strip()
            if text and not len(node):
                new = self._new(tag, text)
                if new is not None and node.text is not None:
                    node.text = node.text.replace(text, new)

    def _new(self, word: str, name: str) -> str | None:
        if "joint" in word:
            return self.joints.get(name)
        if any(part in word for part in _LINK_WORDS):
            return self.links.get(name, self.joints.get(name))
        return None


def _word(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2].lower()
