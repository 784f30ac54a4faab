"""The bytes of a modelDescription.xml, by itself or in an FMU. Neither can take more memory than any real one does."""

from __future__ import annotations

import os
import zipfile
import zlib
from pathlib import Path
from typing import Final

from modelica_ast.files import open_regular, read_regular
from urdf_frontend.diagnostics import reason_of
from urdf_frontend.fmi.errors import FmiError
from urdf_frontend.fmi.model_description import ModelDescription
from urdf_frontend.fmi.model_description_reading import description_of

ENTRY: Final = "modelDescription.xml"
LARGEST_DESCRIPTION: Final = 64_000_000  # bytes; 100 000 variables take a quarter of it
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_description(path: Path) -> ModelDescription:
    """The description in a modelDescription.xml; FmiError says what is wrong with it."""
    try:
        data = read_regular(path, limit=LARGEST_DESCRIPTION)
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {reason_of(wrong)}") from None
    return description_of(data, str(path))


def read_fmu(path: Path) -> ModelDescription:
    """The description of an FMU; FmiError says what is wrong with it. Nothing is unpacked to the disk, nothing runs."""
    name = f"{path}/{ENTRY}"
    try:
        with os.fdopen(open_regular(path), "rb") as whole, zipfile.ZipFile(whole) as archive:
            found = [info for info in archive.infolist() if info.filename == ENTRY]
            if len(found) != 1:
                what = f"it has no {ENTRY}" if not found else f"it has {ENTRY} {len(found)} times"
                raise FmiError(f"{path} is no FMU: {what}")
            with archive.open(found[0]) as file:
                data = file.read(LARGEST_DESCRIPTION + 1)  # the size that the archive states may be a lie
    except OSError as wrong:
        raise FmiError(f"{path} can't be read: {reason_of(wrong)}") from None
    except _BROKEN as wrong:
        reason = str(wrong) or type(wrong).__name__
        raise FmiError(f"{path} is no FMU, which is a ZIP archive: {reason[:1].lower()}{reason[1:]}") from None
    return description_of(_not_too_large(data, name), name)


def _not_too_large(data: bytes, name: str) -> bytes:
    if len(data) > LARGEST_DESCRIPTION:
        raise FmiError(f"{name} has more than {LARGEST_DESCRIPTION // 1_000_000} MB, which no FMU needs")
    return data
