"""What kind of image a file is, by its content."""

from __future__ import annotations

import re
from typing import Final

_STARTS: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"II*\0": "image/tiff",
    b"MM\0*": "image/tiff",
}
_SVG: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<![^>\[]*+>\s*+)*+<svg[\s>]", re.DOTALL
)
_SEEN_OF_SVG: Final = 4096
_BMP_HEADERS: Final = frozenset({12, 40, 52, 56, 64, 108, 124})  # the sizes of the headers of all its versions
_TGA_HEADER: Final = 18
_TGA_PLAIN: Final = (1, 2, 3)
_TGA_PACKED: Final = (9, 10, 11)
_TGA_BITS: Final = frozenset({8, 15, 16, 24, 32})


def image_format(start: bytes, size: int) -> str | None:
    """The media type of an image by its first bytes, some thousand of them, and its size; None for anything else."""
    for mark, kind in _STARTS.items():
        if start.startswith(mark):
            return kind
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "image/webp"
    if start.startswith(b"BM") and start[6:10] == bytes(4) and int.from_bytes(start[14:18], "little") in _BMP_HEADERS:
        return "image/bmp"
    if _SVG.match(start[:_SEEN_OF_SVG]):
        return "image/svg+xml"
    return "image/x-tga" if _is_tga(start, size) else None


def _is_tga(start: bytes, size: int) -> bool:
    """TGA has no mark, so all of its header has to make sense, and pixels that are not packed have to be there."""
    if len(start) < _TGA_HEADER or start[1] > 1 or start[16] not in _TGA_BITS or start[17] & 0xC0:
        return False
    width, height = int.from_bytes(start[12:14], "little"), int.from_bytes(start[14:16], "little")
    # Colours of a map make sense if there is one, and else have to be zero.
    if not width or not height or (start[2] in (1, 9)) != bool(start[1]) or (not start[1] and any(start[3:8])):
        return False
    pixels = width * height * ((start[16] + 7) // 8)
    if start[2] in _TGA_PLAIN:
        return size >= _TGA_HEADER + start[0] + pixels
    return start[2] in _TGA_PACKED
