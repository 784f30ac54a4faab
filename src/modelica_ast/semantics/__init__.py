"""What names mean: one look-up after chapter 5 of the specification, and what follows from it.

Start reading in `environments`: an `Environment` is a class in one use, and names are looked up in it. Beside it are
`definitions` (what a class declares, facts of the text alone), `modifiers` on their way to what they modify,
`evaluation` of values, and `instances`, the tree of all components of a class. `lookup` and `occurrences` ask by places
in trees: what does the identifier at this place stand for?

It works on trees and on `ClassFiles`, which know the class of a name: a library, or a document (`lookup.LoneFile`). A
name is found, surely missing, or unknown for a reason (`Absence`); nothing is guessed. What is absent on purpose:
documents, edits, the disk.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.semantics.definitions import (
        AMBIGUOUS as AMBIGUOUS,
        BUILTIN_FUNCTIONS as BUILTIN_FUNCTIONS,
        ENUMERATION_ATTRIBUTES as ENUMERATION_ATTRIBUTES,
        MISSING as MISSING,
        NOT_OPEN as NOT_OPEN,
        PREDEFINED as PREDEFINED,
        UNKNOWN as UNKNOWN,
        Absence as Absence,
        Definition as Definition,
        FullName as FullName,
        Outside as Outside,
        Target as Target,
        component_name as component_name,
        definitions_of as definitions_of,
        file_of as file_of,
        import_words as import_words,
        imported_names as imported_names,
        is_redeclaration as is_redeclaration,
        place_of as place_of,
        type_parts as type_parts,
        with_inner as with_inner,
        within_parts as within_parts,
    )
    from modelica_ast.semantics.environments import (
        Base as Base,
        Classes as Classes,
        ClassFiles as ClassFiles,
        Environment as Environment,
        Member as Member,
        identity_of as identity_of,
    )
    from modelica_ast.semantics.evaluation import Evaluation as Evaluation, subscripts_of as subscripts_of
    from modelica_ast.semantics.instances import (
        Bound as Bound,
        ComponentInstance as ComponentInstance,
        Connection as Connection,
        Dimension as Dimension,
        Instance as Instance,
        Node as Node,
        connections_of as connections_of,
    )
    from modelica_ast.semantics.lookup import (
        Found as Found,
        LoneFile as LoneFile,
        Lookup as Lookup,
        is_called_by_language as is_called_by_language,
        lookup_in as lookup_in,
        lookup_in_root as lookup_in_root,
    )
    from modelica_ast.semantics.meanings import (
        Builtin as Builtin,
        Meaning as Meaning,
        Meanings as Meanings,
        Symbol as Symbol,
        ancestry as ancestry,
        attributes_of as attributes_of,
        is_replaceable as is_replaceable,
        is_replaceable_still as is_replaceable_still,
    )
    from modelica_ast.semantics.modifiers import Modifier as Modifier
    from modelica_ast.semantics.occurrences import LOCAL as LOCAL, Occurrence as Occurrence

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "definitions": (
                "AMBIGUOUS Absence BUILTIN_FUNCTIONS Definition ENUMERATION_ATTRIBUTES FullName "
                "MISSING NOT_OPEN Outside PREDEFINED Target UNKNOWN component_name definitions_of "
                "file_of import_words imported_names is_redeclaration place_of type_parts with_inner "
                "within_parts"
            ),
            "environments": "Base Classes Environment ClassFiles Member identity_of",
            "evaluation": "Evaluation subscripts_of",
            "instances": "Bound ComponentInstance Connection Dimension Instance Node connections_of",
            "lookup": "Found LoneFile Lookup is_called_by_language lookup_in lookup_in_root",
            "meanings": "Builtin Meaning Meanings Symbol ancestry attributes_of is_replaceable is_replaceable_still",
            "modifiers": "Modifier",
            "occurrences": "LOCAL Occurrence",
        },
    )
