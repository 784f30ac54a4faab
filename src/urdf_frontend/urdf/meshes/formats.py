"""What a file is by its content: a mesh, an image, or neither. Names say nothing, for a stranger has written them."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import BinaryIO, Final

from modelica_ast.drawing import image_format
from modelica_ast.foundation import open_regular

LARGEST_MESH: Final = 200_000_000  # bytes of a mesh or texture; larger ones are neither copied nor looked into
HEAD: Final = 65_536  # bytes that tell what a file is
_STL_HEADER: Final = 84
_STL_FACET: Final = 50
_STL_LINE: Final = re.compile(rb"^[ \t]*+(?:facet[ \t]|endsolid\b)", re.IGNORECASE | re.MULTILINE)
_POINT: Final = 4  # `v`, x, y, z
_OBJ_WORDS: Final = frozenset(
    b"v vt vn vp f fo l p o g s mg mtllib usemtl maplib usemap cstype deg bmat step curv curv2 surf parm trim hole "
    b"scrv sp end con bevel c_interp d_interp lod shadow_obj trace_obj ctech stech call csh".split()
)


def open_mesh(path: Path) -> BinaryIO:
    """An ordinary file that is not too large, open for reading; OSError, without waiting, for any other."""
    file = os.fdopen(open_regular(path), "rb")
    if os.fstat(file.fileno()).st_size > LARGEST_MESH:
        file.close()
        raise OSError(errno.EFBIG, f"has more than {LARGEST_MESH // 1_000_000} MB", str(path))
    return file


def mesh_format(head: bytes, size: int) -> str | None:
    """`binary STL`, `ASCII STL`, `OBJ` or `DAE` by the first bytes of a file and its size; None for all else."""
    if _is_binary_stl(head, size):
        return "binary STL"
    if _has_collada(head):
        return "DAE"
    if b"\0" in head:
        return None
    if head.lstrip()[:5].lower() == b"solid" and _STL_LINE.search(head):
        return "ASCII STL"
    return "OBJ" if _is_obj(head, size) else None


def is_image(head: bytes, size: int) -> bool:
    """Can the file be a texture?"""
    return image_format(head, size) is not None


def _is_binary_stl(head: bytes, size: int) -> bool:
    """Does the size fit the number of facets? Some programs write a few bytes after the last one."""
    count = int.from_bytes(head[80:_STL_HEADER], "little")
    surplus = size - _STL_HEADER - count * _STL_FACET
    return surplus == 0 or (count > 0 and 0 < surplus < _STL_FACET)


def _has_collada(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", errors="replace").encode()
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<COLLADA" in head


def _is_obj(head: bytes, size: int) -> bool:
    """Is each line a statement of OBJ, and is one of them a point?"""
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(head) < size:
        lines = lines[:-1]  # it is cut off
    has_point = goes_on = False
    for line in lines:
        words = line.partition(b"#")[0].split()
        if words and not goes_on:
            if words[0] not in _OBJ_WORDS:
                return False
            has_point = has_point or (words[0] == b"v" and _are_numbers(words[1:_POINT]))
        goes_on = line.rstrip().endswith(b"\\")
    return has_point


def _are_numbers(words: list[bytes]) -> bool:
    try:
        return len([float(word) for word in words]) == _POINT - 1
    except ValueError:
        return False
