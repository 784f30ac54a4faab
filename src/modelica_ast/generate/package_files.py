"""The package.mo and package.order of generated packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from modelica_ast.edit import Document


def package_document(
    name: str, description: str, *, within: str | None, info: str | None = None, uses: Mapping[str, str] | None = None
) -> Document:
    """The package.mo of a package; `uses` are versions by library, for a library of its own."""
    document = Document("")
    document.set_within(within)
    package = document.add_class(name, "package", description=description)
    package.add_extends("Modelica.Icons.Package")
    for library, version in (uses or {}).items():
        package.set_annotation(f"uses.{library}.version", version)
    if info is not None:
        package.set_annotation("preferredView", "info")
        package.set_annotation("Documentation.info", info)
    return document


def order_file(names: Iterable[str]) -> bytes:
    """A package.order."""
    return "".join(f"{name}\n" for name in names).encode()
