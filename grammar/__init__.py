"""The grammar and what builds the parse table from it; installed as `modelica_ast._grammar`."""
