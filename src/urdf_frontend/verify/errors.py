"""What can stop a comparison before there is anything to compare."""

from __future__ import annotations


class VerifyError(Exception):
    """A robot and a package that can't be compared; the sentence says why and what to do."""
