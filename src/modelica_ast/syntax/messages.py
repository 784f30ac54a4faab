"""A refused token as a sentence with a hint: what was expected, what was found, which slip it looks like."""

from __future__ import annotations

from typing import Any, Final

from modelica_ast.foundation import ModelicaSyntaxError, Record, Source, closest, suggestion
from modelica_ast.syntax.green import first_leaf, width
from modelica_ast.syntax.lalr import Machine, State
from modelica_ast.syntax.lexer import ILLEGAL, split_leaf, token_text
from modelica_ast.syntax.tables import EOF, KEYWORDS, KINDS, LITERALS, NUMBER, SYMBOLS, TERMINALS, production, state

# ---------------------------------------------------------------- expected
# What could be where the parse loop stopped, in a modeller's words.

_TEXT: Final = {name: text for text, name in LITERALS.items()} | {"END": "end", "INITIAL_SECTION": "initial"}
# Supplied by the lexer and the loop; nobody writes them.
_UNWRITTEN: Final = frozenset(
    {"UNPARSED", "RESUMED_EQUATIONS", "RESUMED_STATEMENTS", "RESUMED_ELEMENTS", "LAZY_ANNOTATION", "BOM"}
)

_OPERATORS: Final = frozenset(
    "AND OR NOT LESS LESS_EQUAL GREATER GREATER_EQUAL EQUAL NOT_EQUAL PLUS MINUS DOT_PLUS DOT_MINUS STAR SLASH "
    "DOT_STAR DOT_SLASH POWER DOT_POWER DOT LSQB LPAR COLON".split()
)
_EXPRESSION: Final = frozenset(
    "UNSIGNED_NUMBER STRING TRUE FALSE END_SUBSCRIPT IDENT DOT DER INITIAL PURE LPAR LSQB LBRACE IF NOT PLUS MINUS "
    "DOT_PLUS DOT_MINUS FUNCTION BREAK".split()
)
_CLASS: Final = frozenset(
    "ENCAPSULATED PARTIAL CLASS MODEL RECORD BLOCK CONNECTOR TYPE PACKAGE FUNCTION OPERATOR EXPANDABLE PURE "
    "IMPURE".split()
)
_TYPE_PREFIX: Final = frozenset("FLOW STREAM DISCRETE PARAMETER CONSTANT INPUT OUTPUT".split())
_DECLARATION: Final = (
    _CLASS | _TYPE_PREFIX | frozenset("IMPORT EXTENDS REDECLARE FINAL INNER OUTER REPLACEABLE IDENT DOT".split())
)
_EQUATION: Final = _EXPRESSION | {"CONNECT", "FOR", "WHEN"}
_STATEMENT: Final = frozenset("IDENT DOT LPAR DER BREAK RETURN IF FOR WHILE WHEN".split())
_SECTION: Final = frozenset("PUBLIC PROTECTED EQUATION ALGORITHM INITIAL_SECTION EXTERNAL".split())
_DESCRIPTION: Final = frozenset({"STRING", "ANNOTATION"})
_ARGUMENT: Final = frozenset("EACH FINAL REDECLARE REPLACEABLE BREAK IDENT".split())
# Where one of these can follow, an operator or a description could too, and naming those helps nobody.
_DELIMITERS: Final = ("SEMICOLON", "COMMA", "RPAR", "RSQB", "RBRACE", "EQUALS", "ASSIGN", "THEN", "LOOP")
_FEW_OPERATORS: Final = 6

# (terminal that gives it away, words, terminals that the words stand for), tried in this order.
_WORDS: Final = (
    ("IMPORT", "a declaration", _DECLARATION),
    ("RETURN", "a statement", _STATEMENT),
    ("CONNECT", "an equation", _EQUATION),
    ("EACH", "a modifier", _ARGUMENT),
    ("UNSIGNED_NUMBER", "an expression", _EXPRESSION),
    ("MODEL", "a class", _CLASS),
    ("PUBLIC", "a section", _SECTION),
    ("IDENT", "a name", _TYPE_PREFIX | _CLASS | {"IDENT", "DOT", "LSQB"}),
    ("$END", "the end of the text", frozenset({"$END"})),
)


def accepts(machine: Machine, top: int, token: int) -> bool:
    """Would the loop shift this token with its stacks cut to `top`, after the reductions that it brings?"""
    stack, pushed = machine.stack, list[State]()  # the machine's stack stays as it is
    here: State = stack[top]
    while (action := here.get(token)) is not None:
        if type(action) is not tuple:
            return True
        length, symbol = action[:2]
        kept = max(len(pushed) - length, 0)
        top -= length - (len(pushed) - kept)
        del pushed[kept:]
        here = state((pushed[-1] if pushed else stack[top])[symbol].target)
        pushed.append(here)
    return token == EOF and here is machine.end_state


def expected_terminals(machine: Machine) -> frozenset[str]:
    """The terminals that could be where the machine is, `$END` among them."""
    names = SYMBOLS[: TERMINALS + 1]
    return frozenset(name for name in names if name not in _UNWRITTEN and accepts(machine, machine.top, NUMBER[name]))


def in_words(expected: frozenset[str]) -> tuple[str, ...]:
    """As few words as tell a modeller what could be there: `an expression`, `';'`."""
    rest = set(expected)
    phrases: list[str] = []
    for sign, words, covered in _WORDS:
        if sign in rest:
            phrases.append(words)
            rest -= covered
    if rest.intersection(_DELIMITERS):
        rest -= _OPERATORS | _DESCRIPTION | {"FOR", "CONSTRAINEDBY", "EXTENDS", "IF"}
    if "END" in rest:
        rest -= _DESCRIPTION
    if len(rest & _OPERATORS) > _FEW_OPERATORS:
        rest -= _OPERATORS
        phrases.append("an operator")
    order = {name: place for place, name in enumerate(_DELIMITERS)}
    for name in sorted(rest, key=lambda name: (order.get(name, len(order)), name)):
        phrases += [f"'{_TEXT[name]}'" if name in _TEXT else name.lower().replace("_", " ")]
    return tuple(phrases)


def joined(phrases: tuple[str, ...]) -> str:
    """`a, b or c`."""
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1]


# ---------------------------------------------------------------- explain

_CLOSER: Final = {"(": ")", "[": "]", "{": "}"}
_PREDEFINED_TYPES: Final = frozenset({"Real", "Integer", "Boolean", "String"})
_BLOCKS: Final = frozenset({"if", "for", "when", "while"})
_QUOTED_LENGTH: Final = 40
# After these a sign looks natural, and is not allowed.
_SIGNABLE: Final = frozenset("+ - * / ^ .+ .- .* ./ .^".split())
# Words that can't be inside brackets: one must be open before them.
_AFTER_BRACKETS: Final = frozenset({"end", "equation", "algorithm", "public", "protected", "external", "annotation"})
_PREFIXES: Final = (
    "parameter constant discrete input output flow stream inner outer final replaceable redeclare partial encapsulated "
    "model package function record block connector class type".split()
)
_UTF16_MARKS: Final = ("\xff\xfe", "\xfe\xff")  # as they look in a file that is read as Latin-1
# Characters of other languages, and those that word processors put in place of plain ones.
_INSTEAD: Final = {
    "!": "'not' for a negation, '<>' for 'not equal'",
    "&": "'and'",
    "|": "'or'",
    "%": "mod(a, b) or rem(a, b) for a remainder, '//' for a comment",
    "#": "'//' for a comment",
    "\u201c": 'straight quotes: "',
    "\u201d": 'straight quotes: "',
    "\u2019": "straight quotes: '",
    "\u2013": "'-'",
    "\u2212": "'-'",
    "\u00d7": "'*'",
    "\u00b7": "'*'",
}


def explain(source: Source, machine: Machine, behind: int) -> ModelicaSyntaxError:
    """Why the machine stands still at `machine.at`; the token before it ends at the offset `behind`."""
    leaf, kind = machine.tokens[machine.at]
    if kind == ILLEGAL:
        return illegal(source, behind, leaf)
    blanks, found = split_leaf(leaf)
    here = behind + len(blanks)
    values = machine.values[1 : machine.top + 1]
    return _Refusal(source, machine, values, behind, here, found, blanks, expected_terminals(machine)).error()


def illegal(source: Source, offset: int, leaf: str) -> ModelicaSyntaxError:
    """Why the leaf at `offset` is not a token."""
    blanks, found = split_leaf(leaf)
    # Recovery takes the text character by character, and one alone does not tell what the file is.
    start = source.text[:2] if offset + len(blanks) == 0 else ""
    message, hint = _illegal(start if start in _UTF16_MARKS else found)
    return ModelicaSyntaxError(message, source, offset + len(blanks), hint=hint)


class _Refusal(Record):
    """The refused token, what comes before it, and what could have was in its place."""

    source: Source
    machine: Machine
    values: list[Any]  # what the machine has built and not put together yet
    behind: int  # offset after the token before
    here: int  # offset of the refused token
    found: str  # its text, '' at the end
    blanks: str  # what is between
    expected: frozenset[str]

    def error(self) -> ModelicaSyntaxError:
        return (
            self._wrong_sign()
            or self._wrong_operator()
            or self._wrong_place()
            or self._wrong_end()
            or self._unfinished()
            or self._missing_semicolon()
            or self._anything_else()
        )

    def _error(self, message: str, hint: str = "", *, offset: int | None = None) -> ModelicaSyntaxError:
        at = self.here if offset is None else offset
        return ModelicaSyntaxError(message, self.source, at, hint=hint, expected=in_words(self.expected))

    @property
    def _found(self) -> str:
        return quoted(self.found) if self.found else "the end of the text"

    def _wrong_sign(self) -> ModelicaSyntaxError | None:
        """`=`, `:=` and `==` mixed up, and semicolons."""
        found, expected = self.found, self.expected
        if found == "=" and "ASSIGN" in expected:
            return self._error("expected ':=', found '='", "an algorithm assigns with ':='; equations use '='")
        if found == ":=" and "EQUALS" in expected:
            return self._error("expected '=', found ':='", "':=' is for algorithms; equations use '='")
        if found == "==" and "EQUALS" in expected:
            return self._error("expected '=', found '=='", "'==' compares two values; use '=' here")
        if found == "=" and "IN" in expected:
            return self._error("expected 'in', found '='", "a loop is written: for i in 1:3 loop")
        if found == "=" and "EQUAL" in expected and "EQUALS" not in expected and self._open_text() != "[":
            return self._error("unexpected '='", "one '=' is enough; to compare two values, write '=='")
        if found == ";" and "EQUALS" in expected and "SEMICOLON" not in expected and self._open_bracket() is None:
            hint = "an equation is 'left = right;' or a call of a function"
            if self._compares():
                hint = "'==' compares two values; an equation is written with '='"
            return self._error("expected '=', found ';'", hint)
        if found == ";" and self.machine.at and token_text(self.machine.tokens[self.machine.at - 1][0]) == ";":
            return self._error("unexpected ';'", "remove it: there is already one before it")
        return None

    def _wrong_operator(self) -> ModelicaSyntaxError | None:
        """Signs after operators, and operators of other languages."""
        previous = self._previous
        if self.found == "*" and previous == "*":
            return self._error("unexpected '*'", "a power is written with '^'")
        if self.found in ("+", "-") and previous in _SIGNABLE and "UNSIGNED_NUMBER" in self.expected:
            hint = f"put parentheses around a sign that follows an operator: a {previous} ({self.found}b)"
            return self._error(f"expected an operand, found {self._found}", hint)
        if previous == "," and self.found[:1].isdigit() and "UNSIGNED_NUMBER" not in self.expected:
            return self._error(f"expected a name, found {self._found}", "the decimal sign is a point: 1.5")
        return None

    @property
    def _previous(self) -> str:
        """The token before."""
        return token_text(self.machine.tokens[self.machine.at - 1][0]) if self.machine.at else ""

    def _wrong_place(self) -> ModelicaSyntaxError | None:
        """Something that is right elsewhere."""
        found, expected = self.found, self.expected
        if NUMBER["RESUMED_EQUATIONS"] in self.machine.stack[self.machine.top] and found not in ("", "end"):
            message = f"only 'end' can follow the class annotation, found {self._found}"
            return self._error(message, "the annotation of a class comes last, before its 'end'")
        if found == "else" and "ELSEWHEN" in expected:
            return self._error("unexpected 'else'", "a 'when' has 'elsewhen', but no 'else'")
        if self._is_behind_external():
            return self._error(f"{self._found} can't follow 'external …;'", "'external' comes last in a function")
        if "IMPORT" in expected and (found in _BLOCKS or found == "connect"):
            message = f"expected a declaration, found {self._found}"
            return self._error(message, "write equations after the keyword 'equation'")
        return self._wrong_section()

    def _wrong_section(self) -> ModelicaSyntaxError | None:
        """Equations among declarations, statements among equations."""
        found, expected = self.found, self.expected
        among_declarations = (
            "IDENT" in expected and not expected & {"EQUALS", "ASSIGN"} and self._open_bracket() is None
        )
        if found in ("=", ":=") and among_declarations and self._previous not in _PREDEFINED_TYPES:
            behind = "write equations after the keyword 'equation'"
            if found == ":=":
                behind = "write statements after the keyword 'algorithm'"
            return self._error(f"unexpected '{found}' among the declarations", behind)
        if found in ("while", "return", "break") and {"CONNECT", "WHEN"} <= expected:
            return self._error(f"expected an equation, found '{found}'", f"'{found}' is for algorithms")
        if found == "connect" and "RETURN" in expected:
            return self._error("expected a statement, found 'connect'", "write connections after 'equation'")
        return None

    def _is_behind_external(self) -> bool:
        last = self.values[-5:]
        return (
            bool(self.found)
            and _is_word(last[-1] if last else None, ";")
            and any(_is_word(v, "external") for v in last)
        )

    def _compares(self) -> bool:
        return any(token_text(leaf) == "==" for leaf, _ in self.machine.tokens[self.machine.at - 2 : self.machine.at])

    def _wrong_end(self) -> ModelicaSyntaxError | None:
        """`end if` for a `for`, `end A` with an `if` still open, `end;` without a name."""
        values = self.values
        if self.found == "end" and "END" in self.expected and self._open_name():
            what = "block" if self._open_name() in _BLOCKS else "class"
            return self._error(f"expected 'end {self._open_name()};'", f"write the name of the {what} after 'end'")
        blocks = [word for word in sorted(_BLOCKS) if word.upper() in self.expected]
        if not (len(blocks) == 1 and "IDENT" not in self.expected and values and _is_word(values[-1], "end")):
            return None
        word = blocks[0]
        return self._error(f"expected 'end {word}', found 'end {self.found}'", self._still_open(word))

    def _still_open(self, word: str) -> str:
        """Where an open block started; `else if` opens one that its author did not mean to open."""
        values = self.values
        place = self._last_word(word)
        if place is None:
            return ""
        for later in range(place, len(values)) if word == "if" else ():
            if _is_else_if(values[later]):
                return f"write 'elseif' at {self._place(later)}: 'else if' opens another 'if', with its own 'end if'"
        if word == "if" and place and _is_word(values[place - 1], "else"):
            return f"write 'elseif' at {self._place(place - 1)}: 'else if' opens another 'if', with its own 'end if'"
        return f"the '{word}' at {self._place(place)} is still open"

    def _unfinished(self) -> ModelicaSyntaxError | None:
        """The text ends inside a class or a block."""
        if self.found or "END" not in self.expected:
            return None
        name = self._open_name()
        if name in _BLOCKS:
            return self._error(f"the text ends before 'end {name};'", self._still_open(name))
        place = self._last_word(name)
        hint = f"class '{name}' opens at {self._place(place)}" if place is not None else ""
        return self._error(f"the text ends before 'end {name};'", hint)

    def _missing_semicolon(self) -> ModelicaSyntaxError | None:
        if "SEMICOLON" not in self.expected or not self.machine.at or self._open_bracket() is not None:
            return None
        # The place that lacks it is where the last token ends, not where the next line starts.
        offset = self.behind if "\n" in self.blanks or not self.found else self.here
        message = f"expected ';' after {self._what_ended()}, found {self._found}"
        return self._error(message, self._misspelt_prefix() or self._quote_in_string(), offset=offset)

    def _misspelt_prefix(self) -> str:
        """`paramter Real x`: three names in a row, the first is nearly a keyword."""
        last = [token_text(v) if type(v) is str else "" for v in self.values[-2:]]
        if len(last) < 2 or not all(last) or last[0] in KEYWORDS:  # noqa: PLR2004
            return ""
        close = closest(last[0], _PREFIXES, 0.75)
        return f"'{last[0]}' is not a keyword; {suggestion(close)}" if close else ""

    def _quote_in_string(self) -> str:
        """A quote inside a string ends it, and what follows makes no sense."""
        if self._previous[-1:] == '"' and "\n" not in self.blanks and self.found not in KEYWORDS:
            return 'a quote inside a string is written \\"'
        return ""

    def _anything_else(self) -> ModelicaSyntaxError:
        hint = ""
        opened = self._open_bracket()
        phrases = in_words(self.expected)
        ends_it = self.found in ("", ";") or self.found in _AFTER_BRACKETS or self.found + self._open_text() == "=["
        if opened is not None and ends_it:
            hint = f"the {quoted(token_text(self.values[opened]))} at {self._place(opened)} is not closed"
        elif self.found not in KEYWORDS and self.found.lower() in KEYWORDS and "MODEL" in self.expected:
            hint = f"keywords are written in lower case: {self.found.lower()}"
        elif {"a name", "a modifier"} & set(phrases) and self.found in KEYWORDS:
            hint = f"'{self.found}' is a keyword; as a name it needs quotes: '{self.found}'"
        message = f"expected {joined(phrases)}, found {self._found}" if phrases else f"unexpected {self._found}"
        # What a line lacks at its end is shown there, not where the next line starts.
        missing = "\n" in self.blanks and (
            {"'then'", "'loop'"} & set(phrases) or (phrases == ("an expression",) and self.found in KEYWORDS)
        )
        return self._error(message, hint or self._quote_in_string(), offset=self.behind if missing else None)

    def _open_bracket(self) -> int | None:
        """Place on the value stack of the innermost bracket that is still open."""
        closed: list[str] = []
        for place in range(len(self.values) - 1, -1, -1):
            value = self.values[place]
            text = token_text(value) if type(value) is str else ""
            if text in _CLOSER.values():
                closed.append(text)
            elif text in _CLOSER:
                if not closed:
                    return place
                closed.pop()
            elif self._is_body_around(place):
                break  # no bracket is open around a class with a body
        return None

    def _is_body_around(self, place: int) -> bool:
        """Is it the start of a class, with something of its body after it?"""
        value = self.values[place]
        if type(value) is not tuple or KINDS[value[0]] != "class_prefixes":
            return False
        return place + 2 < len(self.values) and type(self.values[place + 2]) is not str

    def _open_text(self) -> str:
        """The innermost bracket that is still open, or ''."""
        place = self._open_bracket()
        return "" if place is None else token_text(self.values[place])

    def _open_name(self) -> str:
        """What the innermost open class or block is called in its `end …`."""
        values = self.values
        for place in range(len(values) - 1, -1, -1):
            text = token_text(values[place]) if type(values[place]) is str else ""
            if text in _BLOCKS:
                return text
            before = values[place - 1] if place else ""
            if text and type(before) is tuple and KINDS[before[0]] == "class_prefixes":
                return token_text(values[place + 1]) if text == "extends" else text
        return ""

    def _what_ended(self) -> str:
        """What is complete before the missing semicolon, as its author would call it."""
        semicolon = NUMBER["SEMICOLON"]
        stack, values = self.machine.stack[: self.machine.top + 1], list(self.values)
        named = ""
        while type(action := stack[-1].get(semicolon)) is tuple:
            length, symbol, _mode, number = action[:4]
            taken = values[len(values) - length :]
            if number >= 0:
                named = _name_of(production(number).kind, taken) or named
            if length:
                del stack[-length:], values[-length:]
            values.append("")
            stack.append(state(stack[-1][symbol].target))
        return named or quoted(token_text(self.machine.tokens[self.machine.at - 1][0]))

    def _last_word(self, word: str) -> int | None:
        """Where on the value stack the last open `word` is."""
        values = self.values
        return next((place for place in range(len(values) - 1, -1, -1) if _is_word(values[place], word)), None)

    def _place(self, place: int) -> str:
        """Line and column of a leaf on the value stack."""
        # Counted from the refused token: what comes before the place may be the whole file.
        later = sum(sum(map(width, v)) if type(v) is list else width(v) for v in self.values[place:])
        position = self.source.position(self.behind - later + len(split_leaf(first_leaf(self.values[place]))[0]))
        return f"line {position.line}, column {position.column}"


def _illegal(found: str) -> tuple[str, str]:
    """Message and hint for a text that starts no token."""
    first = found[0]
    if first == '"':
        return "this string is never closed", "add the closing '\"'; a quote inside a string is written \\\""
    if first == "'":
        return "this quoted name is never closed", 'add the closing "\'" on the same line'
    if found.startswith("/*"):
        return "this comment is never closed", "add '*/'; comments don't nest"
    if found.startswith(_UTF16_MARKS):
        return "the file is UTF-16; Modelica files are UTF-8", "convert it: iconv -f UTF-16 -t UTF-8"
    if first == "\0":
        return "a NUL character is not allowed", "is this a binary file?"
    if first in _INSTEAD:
        return f"the character {quoted(first)} is not allowed here", f"write {_INSTEAD[first]}"
    if first.isalpha():
        hint = "names have the letters a to z, digits and '_'; any other name needs quotes: 'höhe'"
        return f"the character {quoted(first)} is not allowed here", hint
    shown = quoted(first) if first.isprintable() else f"U+{ord(first):04X}"
    return f"the character {shown} is not allowed here", ""


def _name_of(kind: str, taken: list[Any]) -> str:
    if kind in ("component_declaration", "component_declaration1"):
        return f"component '{token_text(taken[0])}'"
    if kind.endswith("_class_specifier"):
        name = token_text(taken[0])
        return f"class '{token_text(taken[1]) if name == 'extends' else name}'"
    if kind in ("extends_clause", "import_clause"):
        return f"this '{kind.partition('_')[0]}'"
    return ""


def _is_word(value: Any, word: str) -> bool:
    return type(value) is str and token_text(value) == word


def _is_else_if(value: Any) -> bool:
    """Is it an `else` with an `if` on the same line after it?"""
    if not (type(value) is tuple and KINDS[value[0]] in ("else_equation", "else_statement") and len(value) > 2):  # noqa: PLR2004
        return False
    inner = value[2]
    return KINDS[inner[0]] in ("if_equation", "if_statement") and "\n" not in split_leaf(first_leaf(inner))[0]


def quoted(text: str) -> str:
    """A token in quotes, shortened, and safe to print."""
    short = text if len(text) <= _QUOTED_LENGTH else text[: _QUOTED_LENGTH - 1] + "…"
    return "'" + "".join(c if c.isprintable() else "\ufffd" for c in short) + "'"
