"""Text to a green tree of tuples and strings, and back: the grammar's table, the lexer, the parse loop.

Start with `lalr.run`, one loop over dicts. Lark has turned the grammar into an LALR table once;
`grammar/build_table.py` wrote it to `_table`, which ships. Chains of unit rules are walked once for each (state,
symbol, next token) and remembered; states are unpacked when first visited. Where the table has no action, the loop
asks what else the token may mean: an `end` inside brackets is an index, `initial` is a section or a function as the
word after it tells.

From one state and before one next token, a dotted name always becomes the same kind of node, so the loop takes a name
that it has seen there in one step (`lexer`, phrases); equal names of a library are one object. Where that does not
work out, the text is read again token by token, which alone decides and makes the messages.

A node's number is its grammar *production*: `shape` says where a symbol is in it, and which production has given
children. The grammar is wider than the language in places, because a sentence about a slip helps more than
"unexpected token": `checks` refuses these nodes on the way. After a refusal the loop runs once more up to that token
without reductions, tries every terminal, and `messages` puts it in words. `recovery` finds classes by `class Name`
and `end Name` alone, makes the broken one an opaque token and goes on after it, in linear time.

`trivia` decides who owns blanks and comments: up to the first line end they belong to what comes before; the comment
lines directly above a token belong to it. Absent on purpose: views, offsets in trees, files.
"""

from typing import TYPE_CHECKING

from modelica_ast.foundation import late_names

if TYPE_CHECKING:
    from modelica_ast.syntax._table import PRODUCTIONS as PRODUCTIONS, RULES as RULES
    from modelica_ast.syntax.green import (
        TOKEN_TEXTS as TOKEN_TEXTS,
        Offsets as Offsets,
        child_at as child_at,
        child_leaf as child_leaf,
        child_node as child_node,
        children_of as children_of,
        equal as equal,
        first_leaf as first_leaf,
        iter_leaves as iter_leaves,
        leaves as leaves,
        render as render,
        symbol as symbol,
        tokens as tokens,
        width as width,
        with_prefix as with_prefix,
    )
    from modelica_ast.syntax.lalr import Green as Green, Node as Node
    from modelica_ast.syntax.lexer import (
        BLANK_CHARACTERS as BLANK_CHARACTERS,
        BLOCK_COMMENT as BLOCK_COMMENT,
        ILLEGAL as ILLEGAL,
        LINE_COMMENT as LINE_COMMENT,
        STRING as STRING,
        TOKEN as TOKEN,
        TRIVIA as TRIVIA,
        kind_of as kind_of,
        lex as lex,
        quote as quote,
        split_leaf as split_leaf,
        token_text as token_text,
        trivia_length as trivia_length,
        unknown_escapes as unknown_escapes,
        unquote as unquote,
    )
    from modelica_ast.syntax.reader import (
        REST as REST,
        Reading as Reading,
        open_annotation as open_annotation,
        read as read,
    )
    from modelica_ast.syntax.shape import (
        LISTS as LISTS,
        accepted as accepted,
        can_be as can_be,
        child as child,
        find_production as find_production,
        fixed_places as fixed_places,
        is_terminal as is_terminal,
        leaf_rule as leaf_rule,
        list_items as list_items,
        list_places as list_places,
        make_node as make_node,
        place_code as place_code,
        place_of as place_of,
        productions_of as productions_of,
        range_of as range_of,
        separators_of as separators_of,
        symbols_at as symbols_at,
    )
    from modelica_ast.syntax.tables import (
        EOF as EOF,
        FRAGMENTS as FRAGMENTS,
        KINDS as KINDS,
        LITERALS as LITERALS,
        NUMBER as NUMBER,
        SYMBOLS as SYMBOLS,
        TEXTS as TEXTS,
        production as production,
    )
    from modelica_ast.syntax.trivia import (
        Blanks as Blanks,
        Owned as Owned,
        Prefix as Prefix,
        after_removal as after_removal,
        around_insertion_after as around_insertion_after,
        around_insertion_before as around_insertion_before,
        blanks_around as blanks_around,
        comments_in as comments_in,
        ended_like as ended_like,
        ends_line as ends_line,
        is_blank as is_blank,
        run_together as run_together,
        with_comments as with_comments,
    )

if not TYPE_CHECKING:  # or else no misspelled name would be found
    __getattr__, __dir__ = late_names(
        __name__,
        {
            "_table": "PRODUCTIONS RULES",
            "reader": "REST Reading open_annotation read",
            "green": (
                "Offsets TOKEN_TEXTS child_at child_leaf child_node children_of equal first_leaf iter_leaves leaves "
                "render symbol tokens width with_prefix"
            ),
            "lalr": "Green Node",
            "lexer": (
                "BLANK_CHARACTERS BLOCK_COMMENT ILLEGAL LINE_COMMENT STRING TOKEN TRIVIA kind_of lex quote split_leaf "
                "token_text trivia_length unknown_escapes unquote"
            ),
            "shape": (
                "LISTS accepted can_be child find_production fixed_places is_terminal leaf_rule list_items "
                "list_places make_node place_code place_of productions_of range_of separators_of symbols_at"
            ),
            "tables": "EOF FRAGMENTS KINDS LITERALS NUMBER SYMBOLS TEXTS production",
            "trivia": (
                "Blanks Owned Prefix after_removal around_insertion_after around_insertion_before blanks_around "
                "comments_in ended_like ends_line is_blank run_together with_comments"
            ),
        },
    )
