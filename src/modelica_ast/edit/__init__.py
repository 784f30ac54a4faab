"""The verbs: change a document, and only what you meant to change.

Start with `document`: it holds a root and replaces it, one step at a time; undo is the old root. Every edit goes
through an editor, and a place that is edited is a view. `editor` changes whatever a view shows: it asks the grammar
for the production that has the new children, lays the new thing out like its neighbours (`grafts`, `removals`,
`lists`), and lets `draft` render, parse and compare the smallest element around the change, and look whether it
runs into what follows: if it does not read back equal, the edit is refused.

A verb is a function of an editor, of the view that it edits, and of the rest (`verbs/`). That signature is all there
is to it: `methods` makes the method of a handle from it, `patch` the JSON form, `patch_files` the JSON Schema, the
command line its help. A handle (`handles`) is a name, looked up again at each use, so it never goes stale. What two
trees differ in is found by walking both past what they share; the inverse of a patch, the edits for editors and the
diff of a save come from there. Absent on purpose: text as an edit.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.edit.diffs import (
        TextEdit as TextEdit,
        common_length as common_length,
        equal_lines as equal_lines,
        quoted_name as quoted_name,
        text_edits as text_edits,
        unified_diff as unified_diff,
    )
    from modelica_ast.edit.document import Document as Document, OtherFiles as OtherFiles, Parse as Parse
    from modelica_ast.edit.draft import (
        Changes as Changes,
        Owner as Owner,
        Steps as Steps,
        Working as Working,
        prove as prove,
    )
    from modelica_ast.edit.editor import Editor as Editor, Visitor as Visitor
    from modelica_ast.edit.exact import ExactEditor as ExactEditor
    from modelica_ast.edit.grafts import grafted as grafted, owned_by as owned_by
    from modelica_ast.edit.handles import (
        ClassHandle as ClassHandle,
        ComponentHandle as ComponentHandle,
        methods_of as methods_of,
    )
    from modelica_ast.edit.lists import (
        Items as Items,
        item_places as item_places,
        remove_bracketed as remove_bracketed,
        with_item as with_item,
    )
    from modelica_ast.edit.methods import Editable as Editable, LateFunction as LateFunction, LateModule as LateModule
    from modelica_ast.edit.patch import (
        VERBS as VERBS,
        checked as checked,
        described as described,
        parameters as parameters,
    )
    from modelica_ast.edit.patch_files import (
        load_patch as load_patch,
        load_patches as load_patches,
        patch_schema as patch_schema,
        read_json as read_json,
        save_patch as save_patch,
        save_patches as save_patches,
    )
    from modelica_ast.edit.placement import Insertion as Insertion, Where as Where
    from modelica_ast.edit.removals import Comments as Comments
    from modelica_ast.edit.surgery import (
        Index as Index,
        Path as Path,
        at as at,
        change_prefix as change_prefix,
        class_name as class_name,
        first_leaf_path as first_leaf_path,
        insert_after as insert_after,
        leaf_at as leaf_at,
        next_leaf_path as next_leaf_path,
        node_at as node_at,
        node_of as node_of,
        prefix_of as prefix_of,
        remade as remade,
        remove as remove,
        replaced as replaced,
        with_child as with_child,
        word_of as word_of,
    )
    from modelica_ast.edit.values import Given as Given, identifier as identifier, parsed as parsed
    from modelica_ast.edit.verbs.classes import (
        find_literal as find_literal,
        get_class_prefixes as get_class_prefixes,
        name_of as name_of,
        put_class as put_class,
    )
    from modelica_ast.edit.verbs.components import split_declaration as split_declaration
    from modelica_ast.edit.verbs.diagram import LeftAlone as LeftAlone
    from modelica_ast.edit.verbs.equations import (
        Keyword as Keyword,
        connections_of as connections_of,
        find_connection as find_connection,
        find_item as find_item,
    )
    from modelica_ast.edit.verbs.groups import (
        ComponentCopy as ComponentCopy,
        NewComponent as NewComponent,
        NewConnection as NewConnection,
    )
    from modelica_ast.edit.verbs.modifiers import (
        argument_name as argument_name,
        get_value as get_value,
        reach as reach,
        with_argument as with_argument,
        with_value as with_value,
        without as without,
    )
    from modelica_ast.edit.verbs.renames import (
        Opened as Opened,
        leaf_paths as leaf_paths,
        occurrences as occurrences,
        offset_of as offset_of,
        opened_at as opened_at,
        text_around as text_around,
        uses_of as uses_of,
        with_macros as with_macros,
    )
    from modelica_ast.edit.workspace import Workspace as Workspace, workspace_edit as workspace_edit
    from modelica_ast.files import Recovery as Recovery, recover as recover
    from modelica_ast.foundation import (
        AmbiguousError as AmbiguousError,
        EditError as EditError,
        NotFoundError as NotFoundError,
    )

__all__ = [
    "AmbiguousError",
    "ClassHandle",
    "ComponentCopy",
    "ComponentHandle",
    "Document",
    "EditError",
    "Editor",
    "LeftAlone",
    "NewComponent",
    "NewConnection",
    "NotFoundError",
    "Recovery",
    "TextEdit",
    "Visitor",
    "Workspace",
    "load_patch",
    "load_patches",
    "recover",
    "save_patch",
    "save_patches",
    "workspace_edit",
]

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "diffs": "TextEdit common_length equal_lines quoted_name text_edits unified_diff",
            "document": "Document OtherFiles Parse",
            "editor": "Editor Visitor",
            "exact": "ExactEditor",
            "grafts": "grafted owned_by",
            "handles": "ClassHandle ComponentHandle methods_of",
            "lists": "Items item_places remove_bracketed with_item",
            "methods": "Editable LateFunction LateModule",
            "modelica_ast.edit.verbs.classes": "find_literal get_class_prefixes name_of put_class",
            "modelica_ast.edit.verbs.components": "split_declaration",
            "modelica_ast.edit.verbs.diagram": "LeftAlone",
            "modelica_ast.edit.verbs.equations": "Keyword connections_of find_connection find_item",
            "modelica_ast.edit.verbs.groups": "ComponentCopy NewComponent NewConnection",
            "modelica_ast.edit.verbs.modifiers": "argument_name get_value reach with_argument with_value without",
            "modelica_ast.edit.verbs.renames": (
                "Opened leaf_paths occurrences offset_of opened_at text_around uses_of with_macros"
            ),
            "modelica_ast.files": "Recovery recover",
            "modelica_ast.foundation": "AmbiguousError EditError NotFoundError",
            "patch": "VERBS checked described parameters",
            "patch_files": "load_patch load_patches patch_schema read_json save_patch save_patches",
            "placement": "Insertion Where",
            "removals": "Comments",
            "surgery": (
                "Index Path at change_prefix class_name first_leaf_path insert_after leaf_at "
                "next_leaf_path node_at node_of prefix_of remade remove replaced with_child word_of"
            ),
            "values": "Given identifier parsed",
            "draft": "Changes Owner Steps Working prove",
            "workspace": "Workspace workspace_edit",
        },
    )
