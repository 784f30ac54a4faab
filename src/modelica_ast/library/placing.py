"""Files that follow their classes: renamed, moved, and named in package.order."""

from __future__ import annotations

from modelica_ast.identifiers import split_name
from modelica_ast.library.errors import LibraryError
from modelica_ast.library.layout import ORDER_FILE, FileEntry
from modelica_ast.library.libraries import Libraries
from modelica_ast.library.package_files import other_files


def move_files(libraries: Libraries, old: FileEntry, new: FileEntry) -> None:
    """Give a class and all inside it the files that go with its name; `new` is the entry under that name.

    The class itself is renamed already; it stays in its package.
    """
    library = libraries.library_of(old.full_name)
    placed = new.moved(old.path.parent if old.folder is None else old.folder.parent)
    move_tree(libraries, old, placed)
    library.restore(library.root.replaced(split_name(old.full_name)[1:], placed))
    parent = library.file_of(old.parent_name)
    if parent is not None and parent.order is not None and old.name in parent.order:
        libraries.set_order(parent, [new.name if name == old.name else name for name in parent.order])


def move_tree(libraries: Libraries, old: FileEntry, new: FileEntry) -> None:
    """Move the files of a class and of all classes inside it."""
    if old.path == new.path:
        return
    link = old.path if old.folder is None else old.folder
    if link.is_symlink():
        raise LibraryError(f"{link} is a link, and what it leads to is not moved: remove it and link it anew")
    workspace = libraries.workspace
    assert workspace is not None
    for child in old.children.values():
        move_tree(libraries, child, new.children[child.name])
    is_taken = libraries.disk.exists(new.path) and not libraries.disk.is_same_file(old.path, new.path)
    if is_taken and new.path.resolve() not in workspace.deleted:
        raise LibraryError(f"{new.path} is there already")
    content = workspace.open(old.path).copy()
    workspace.delete(old.path)
    workspace.create(new.path, content, like=old.path)
    if old.folder is not None and new.folder is not None:
        order = old.folder / ORDER_FILE
        for path in (*other_files(libraries, old), *([order] if workspace.others.is_there(order) else [])):
            data = workspace.others.read(path)
            workspace.others.write(path, None)
            workspace.others.write(new.folder / path.relative_to(old.folder), data, like=path)
