"""What names mean: one look-up after chapter 5 of the specification, and what follows from it.

Start reading in `environments`: an `Environment` is a class in one use, and names are looked up in it. Beside it stand
`definitions` (what a class declares, facts of the text alone), `modifiers` on their way to what they modify,
`evaluation` of values, and `instances`, the tree of all components of a class. `lookup` and `occurrences` ask by places
in trees: what does the identifier at this place stand for?

It works on trees and on `Files`, which know the class of a name: a library, or a lone document (`lone`). A name is
found, surely missing, or unknown for a reason (`Absence`); nothing is guessed. What is absent on purpose: documents,
edits, the disk.
"""
