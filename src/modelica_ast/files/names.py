"""Names that a file can have on every system that a library may be copied to."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 255  # bytes in the name of a file or folder, on all common file systems
_NEVER: Final = frozenset('<>:"/\\|?*')
_HERE_AND_ABOVE: Final = frozenset({".", ".."})
# Windows takes these for devices in every folder, whatever the case, and whatever stands after a dot.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)
# Controls, and the ends of lines and paragraphs. Surrogates stand for bytes of a file's name that are not UTF-8.
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def fault_of_file_name(name: str) -> str | None:
    """Why no file should be called so: a phrase about 'it'; None if one can, on every system."""
    if not name:
        return "it is empty"
    if name in _HERE_AND_ABOVE:
        return "it stands for a folder that is there already"
    bad = next((each for each in name if each in _NEVER), None)
    if bad is not None:
        return f"it has a '{bad}'"
    hidden = unprintable_in(name)
    if hidden is not None:
        return f"it has the character U+{ord(hidden):04X}"
    if name[-1] in ". ":  # Windows drops these
        return "it ends in a dot" if name[-1] == "." else "it ends in a blank"
    if _DEVICE.fullmatch(name):
        return "Windows has a device of this name"
    if unicodedata.normalize("NFC", name) != name:
        return "some systems would store it as other characters"
    if len(name.encode()) > LONGEST:
        return f"it has more than {LONGEST} bytes"
    return None


def unprintable_in(name: str) -> str | None:
    """The first character of a name that can't stand in a line of text, or None."""
    # PERF: a scan asks for every file of a library, and nearly all names are plain.
    if name.isascii() and name.isprintable():
        return None
    return next((each for each in name if unicodedata.category(each) in _UNPRINTABLE), None)


def folded(name: str) -> str:
    """A name as the most forgetful file system sees it: names that are equal here may be one file."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
