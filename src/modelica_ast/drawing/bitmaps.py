"""Images on the canvas. They are put into the drawing, so that it is one file and opens anywhere."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from modelica_ast.drawing.canvas import Canvas
from modelica_ast.drawing.image_formats import image_format
from modelica_ast.drawing.outlines import number
from modelica_ast.drawing.planes import Affine, Box
from modelica_ast.drawing.values import Plain
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.links import linked_files

_LARGEST: Final = 20_000_000  # bytes of an image
_SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/bmp", "image/svg+xml"})  # by every browser


class NoImageError(Exception):
    """Why there is nothing to draw."""


def draw_bitmap(canvas: Canvas, bitmap: Plain, data: bytes, map_: Affine) -> None:
    """An image in the middle of its extent, as large as it fits; NoImageError if the data is no image."""
    box = Box.of(bitmap.extent)
    flip_x = -1.0 if bitmap.extent.second.x < bitmap.extent.first.x else 1.0
    flip_y = -1.0 if bitmap.extent.second.y < bitmap.extent.first.y else 1.0
    # In an image y points downwards, as in SVG: from there to Modelica's axes, and back at the end.
    center = Affine.shift(*box.center)
    whole = Affine(flip_x, 0.0, 0.0, -flip_y).then(center).then(map_).then(Affine(d=-1.0))
    attributes = {
        "x": number(-box.width / 2),
        "y": number(-box.height / 2),
        "width": number(box.width),
        "height": number(box.height),
        "transform": f"matrix({' '.join(f'{value:.6g}' for value in whole)})",
        "href": f"data:{_kind(data)};base64,{base64.b64encode(data).decode()}",
    }
    canvas.add("image", attributes, Box.around(map_.all_at(box.corners)))


def image_data(bitmap: Plain, near: Path, libraries: Libraries) -> bytes:
    """The bytes of an image; NoImageError says why there are none."""
    if bitmap.imageSource:
        try:
            return base64.b64decode("".join(bitmap.imageSource.split()), validate=True)
        except (binascii.Error, ValueError):
            raise NoImageError("its imageSource is not Base64") from None
    if not bitmap.fileName:
        raise NoImageError("it has neither a fileName nor an imageSource")
    path = _path(bitmap.fileName, near, libraries)
    try:
        path = path.resolve()
        is_own = any(path.is_relative_to(folder) for folder in _folders(near, libraries))
        data = libraries.disk.read(path, limit=_LARGEST) if is_own else b""
    except (OSError, ValueError, RuntimeError) as error:  # a NUL in the name; a link that leads back to itself
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        reason = f"it {reason}" if reason.startswith(("is ", "has ")) else reason.lower()
        raise NoImageError(f"'{bitmap.fileName}' can't be read: {reason}") from None
    if not is_own:
        raise NoImageError(f"'{bitmap.fileName}' is outside of the folder of its library")
    return data


def _folders(near: Path, libraries: Libraries) -> Iterator[Path]:
    """Where images may be: a file that somebody else wrote must not put just any file of the disk into a drawing.

    These are the folders of the open libraries, and that of a file that belongs to none. Where links lead to is what
    counts.
    """
    for library in libraries:
        folder = library.root.folder
        yield library.root.path.resolve().parent if folder is None else folder.resolve()
    if not any(near.is_relative_to(library.root.folder or library.root.path) for library in libraries):
        yield near.resolve().parent


def _path(name: str, near: Path, libraries: Libraries) -> Path:
    if name.lower().startswith("modelica://"):
        found = next(iter(linked_files(libraries, name)), None)
        if found is None:
            raise NoImageError(f"'{name}' leads into a library that is not open")
        return found
    if name.lower().startswith("file:"):
        return Path(unquote(urlsplit(name).path))
    return near.parent / name


def _kind(data: bytes) -> str:
    """The media type by what the data starts with, so that nothing but images gets into a drawing."""
    kind = image_format(data, len(data))
    if kind is None or kind not in _SHOWN:
        raise NoImageError("it is no PNG, JPEG, GIF, BMP or SVG image")
    return kind
