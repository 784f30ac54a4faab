"""Dynamically constrained objects: unique IDs, counts and wiring of models that use the library DynamicConstraints."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urdf_frontend.constraints.adding import NewObject, add
    from urdf_frontend.constraints.checking import CODES, check
    from urdf_frontend.constraints.errors import ConstraintError
    from urdf_frontend.constraints.opening import open_libraries
    from urdf_frontend.constraints.report import Assignment, Finding, NetworkCount, Report
    from urdf_frontend.constraints.syncing import Style, count_networks, sync

__all__ = [
    "CODES",
    "Assignment",
    "ConstraintError",
    "Finding",
    "NetworkCount",
    "NewObject",
    "Report",
    "Style",
    "add",
    "check",
    "count_networks",
    "open_libraries",
    "sync",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    _MODULES = {
        "CODES": "checking",
        "ConstraintError": "errors",
        "Finding": "report",
        "NetworkCount": "report",
        "NewObject": "adding",
        "Report": "report",
        "Assignment": "report",
        "Style": "syncing",
        "add": "adding",
        "check": "checking",
        "count_networks": "syncing",
        "open_libraries": "opening",
        "sync": "syncing",
    }

    def __getattr__(name: str) -> Any:
        """Import what is asked for: the command line pays for each module in every run."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib  # noqa: PLC0415  (start-up time)

        value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return [*globals(), *__all__]
