"""A robot as one record: its structure and all its values, and the generic robots that take them from there."""

from urdf_frontend.record.assembly import build_record
from urdf_frontend.record.options import RecordOptions

__all__ = ["RecordOptions", "build_record"]
