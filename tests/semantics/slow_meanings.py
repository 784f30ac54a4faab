"""Every identifier of a text outside annotations, with what it stands for by `slow_lookup`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from modelica_ast import walk
from modelica_ast.tree import (
    Annotation,
    Arguments,
    ArrayComprehension,
    Call,
    CallMember,
    ClassDefinition,
    ComponentClause1,
    ComponentReference,
    ConstrainingClause,
    DerClassSpecifier,
    ElementModification,
    ElementRedeclaration,
    ElementReplaceable,
    EnumerationClassSpecifier,
    ExternalFunctionCall,
    ForEquation,
    ForIndices,
    ForStatement,
    ImportClause,
    ImportList,
    InheritanceModification,
    LongClassSpecifier,
    Name,
    NamedArgument,
    Parenthesized,
    PartialApplication,
    ReductionArguments,
    Section,
    ShortClassDefinition,
    ShortClassSpecifier,
    Subscripts,
    Token,
    View,
)
from semantics.slow_lookup import Answer, Builtin, Found, Lookup, Scope, Unknown
from semantics.slow_reading import Class, Declaration, Element, Path, offset_of, redeclared

Locals = frozenset[str]


@dataclass(frozen=True)
class Meaning:
    """What an identifier stands for: a declaration, or a word for something else."""

    text: str
    what: Declaration | str  # `builtin`, `local`, `external`, `missing` or `unknown`
    role: str  # `declaration`, `end`, `alias` (the local name of an import), or `use`
    doubts: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    def __str__(self) -> str:
        what = self.what if isinstance(self.what, str) else f"{self.what.full_name} ({'.'.join(self.what.file)})"
        return what + "".join(f", but {why}" for why in self.doubts + self.errors)


@dataclass
class Meanings:
    """The identifiers of one file by their offsets."""

    lookup: Lookup
    found: dict[int, Meaning] = field(default_factory=dict)

    # ------------------------------------------------------------------ taking down

    def ask(self) -> None:
        """Begin a new question: doubts about the last one do not concern this one."""
        self.lookup.doubts.clear()
        self.lookup.errors.clear()

    def note(self, token: View, answer: Answer | str, role: str = "use") -> None:
        """What an identifier stands for."""
        doubts, errors = dict.fromkeys(self.lookup.doubts), dict.fromkeys(self.lookup.errors)
        what: Declaration | str
        match answer:
            case str():
                what = answer
            case Found(declaration=declaration):
                what = declaration
            case Builtin():
                what = "builtin"
            case Unknown(why=why):
                what, doubts = "unknown", {why: None} | doubts
            case None:
                what = "missing"
        self.found[offset_of(token)] = Meaning(token.text, what, role, tuple(doubts), tuple(errors))

    def name(
        self,
        name: Name | ComponentReference,
        scope: Scope | None,
        known: Locals = frozenset(),
        *,
        inherited: bool = True,
    ) -> Answer:
        """A composite name, part by part; the answer is that of the last one."""
        self.ask()
        answer: Answer = None
        tokens = identifiers(name)
        for number, token in enumerate(tokens):
            if number:
                answer = self.lookup.part(answer, token.text)
            elif name.is_global:
                answer = self.lookup.top(token.text)
            elif token.text in known:
                self.note(token, "local")
                answer = Unknown("it is part of a loop variable")
                continue
            else:
                answer = self.lookup.simple(scope, token.text, inherited=inherited)
            self.note(token, answer)
        return answer

    # ------------------------------------------------------------------ files and classes

    def file(self, file: Path) -> dict[int, Meaning]:
        """All identifiers of a file."""
        root = self.lookup.files[file]
        for clause in root.within_clauses:
            if clause.name is not None:
                self.full_name(identifiers(clause.name))
        stack = list(self.lookup.classes_of(file))
        while stack:
            node = stack.pop()
            self.class_(node, self.lookup.place(node))
            stack += [own.node for own in node.elements if own.node is not None]
        for view in walk(root, tokens=True, annotations=False):
            if view.kind == "IDENT" and offset_of(view) not in self.found:
                self.note(view, Unknown("no rule is about it"))
        return self.found

    def full_name(self, tokens: list[View]) -> Answer:
        """A name that starts at the top: after `within` and `import`."""
        self.ask()
        answer = self.lookup.top(tokens[0].text)
        self.note(tokens[0], answer)
        for token in tokens[1:]:
            answer = self.lookup.part(answer, token.text)
            self.note(token, answer)
        return answer

    def class_(self, node: Class, scope: Scope) -> None:
        """The text of a class without the classes in it."""
        specifier = node.view.specifier
        tokens = [child for child in specifier.children if isinstance(child, Token) and child.kind == "IDENT"]
        self.ask()
        own = Found(node.declaration, Element(node.name, node.declaration, node=node), scope.around)
        answer = self.lookup.member(scope.around, node.name) if scope.around else own
        self.note(tokens[0], answer, "declaration")
        match specifier:
            case ShortClassSpecifier():
                self.short(specifier, Scope(node, scope.around))
            case DerClassSpecifier():
                function = self.name(specifier.function, scope.around)
                for token in tokens[1:]:
                    self.note(token, self.lookup.part(function, token.text))
            case EnumerationClassSpecifier():
                for literal in specifier.literals:
                    self.ask()
                    self.note(literal.identifier, self.lookup.member(scope, literal.name), "declaration")
            case LongClassSpecifier():
                self.note(tokens[-1], answer, "end")
                if specifier.arguments:
                    self.ask()
                    extended = next(iter(self.lookup.bases(scope)), None)
                    self.arguments(specifier.arguments, extended, scope)
                if isinstance(node.view, ClassDefinition):
                    self.body(node.view, scope)

    def short(self, specifier: ShortClassSpecifier, scope: Scope) -> None:
        """`Name = Base[n](x=1)`: all that it names is looked up around it."""
        with self.lookup.flattening(scope.node):
            answer = self.name(specifier.type, scope.around)
        if isinstance(answer, Found) and answer.element.node is scope.node:
            self.lookup.errors.append("it is short for itself")
            self.note(identifiers(specifier.type)[-1], answer)
        self.expressions(specifier.subscripts, scope.around)
        if specifier.arguments:
            self.ask()
            self.arguments(specifier.arguments, next(iter(self.lookup.bases(scope)), None), scope.around)

    def body(self, view: ClassDefinition, scope: Scope) -> None:
        """The elements and sections of a class."""
        bases = 0
        for element in view.elements:
            if element.import_clause:
                self.import_(element.import_clause)
            elif element.extends_clause:
                clause = element.extends_clause
                with self.lookup.flattening(scope.node):
                    self.name(clause.type, scope, inherited=False)
                if clause.arguments:
                    self.arguments(clause.arguments, self.base(scope, bases), scope)
                bases += 1
            elif element.component_clause:
                self.name(element.component_clause.type, scope)
                self.expressions(element.component_clause.subscripts, scope)
                for component in element.component_clause.declarations:
                    self.ask()
                    answer = self.lookup.member(scope, component.name)
                    self.note(component.identifier, answer, "declaration")
                    self.expressions(component.subscripts, scope)
                    if component.arguments:
                        self.arguments(component.arguments, self.own_class(scope, component.identifier, answer), scope)
                    self.expressions(component.binding, scope)
                    self.expressions(component.condition, scope)
            self.constraint(element.constraint, scope)
        for section in view.sections:
            self.section(section, scope)

    def own_class(self, scope: Scope, identifier: View, answer: Answer) -> Scope | Builtin | Unknown | None:
        """The class of a component as its own declaration has it, whatever declares the name first."""
        self.ask()
        own = next(own for own in scope.node.elements if own.declaration.offset == offset_of(identifier))
        declaration = answer.declaration if isinstance(answer, Found) else own.declaration
        return self.lookup.class_of(Found(declaration, own, scope))

    def base(self, scope: Scope, number: int) -> Scope | Builtin | None:
        """The class after one of the `extends`, with what is redeclared in it."""
        self.ask()
        clause = scope.node.extends[number]
        alone = Class(**{**vars(scope.node), "extends": [clause], "is_class_extends": False})
        found = next(iter(self.lookup.bases(Scope(alone, scope.around, scope.changes))), None)
        return Scope(found.node, found.around, found.changes) if isinstance(found, Scope) else found

    def section(self, section: Section, scope: Scope) -> None:
        """Equations, statements, an external function; elements have been seen."""
        self.expressions(section, scope)

    def import_(self, clause: ImportClause) -> None:
        """All forms of import."""
        if clause.alias is not None:
            name = next(child for child in clause.children[2:] if isinstance(child, Name))
            answer = self.full_name(identifiers(name))
            self.note(clause.children[1], answer, "alias")
            return
        package = self.full_name([child for child in clause.children if child.kind == "IDENT"])
        for child in clause.children:
            for item in child.items if isinstance(child, ImportList) else ():
                tokens = [item] if isinstance(item, Token) else [one for one in item.children if one.kind == "IDENT"]
                self.ask()
                answer = self.lookup.part(package, tokens[-1].text)
                self.note(tokens[-1], answer)
                if len(tokens) > 1:
                    self.note(tokens[0], answer, "alias")

    # ------------------------------------------------------------------ 7.2: modifiers

    def constraint(self, clause: ConstrainingClause | None, scope: Scope | None) -> None:
        """`constrainedby Base(x=1)`."""
        if clause is not None:
            within = self.lookup.class_of(self.name(clause.type, scope))
            self.arguments(clause.arguments, within, scope)

    def arguments(
        self, arguments: Arguments | None, within: Scope | Builtin | Unknown | None, scope: Scope | None
    ) -> None:
        """A list of modifiers of a class. Their names are elements of it, their values are written in a scope."""
        doubts, errors = tuple(self.lookup.doubts), tuple(self.lookup.errors)
        for argument in arguments.items if arguments else ():
            # What is in doubt about the class is in doubt about its elements.
            self.lookup.doubts[:], self.lookup.errors[:] = doubts, errors
            if isinstance(argument, ElementModification):
                answer = self.modified(identifiers(argument.name), within)
                if argument.arguments:
                    self.arguments(argument.arguments, self.lookup.class_of(answer), scope)
                self.expressions(argument.value, scope)
            elif isinstance(argument, ElementRedeclaration | ElementReplaceable):
                self.redeclaration(argument, within, scope)
            elif isinstance(argument, InheritanceModification):
                if argument.identifier is not None:
                    self.modified([argument.identifier], within)
                for reference in (argument.left, argument.right):
                    if reference is not None and isinstance(within, Scope):
                        self.name(reference, within)

    def modified(self, tokens: list[View], within: Scope | Builtin | Unknown | None) -> Answer:
        """The element that a modifier names."""
        answer: Answer
        if isinstance(within, Scope):
            answer = self.lookup.member(within, tokens[0].text)
            if isinstance(answer, Found) and answer.element.is_literal:  # 4.9.5: it has attributes to modify
                answer = self.lookup.part(Builtin("enumeration"), tokens[0].text, attributes=True)
        elif isinstance(within, Builtin):
            answer = self.lookup.part(within, tokens[0].text, attributes=True)
        else:
            answer = within or Unknown("its type is missing")
        self.note(tokens[0], answer)
        for token in tokens[1:]:
            answer = self.lookup.part(answer, token.text, attributes=True)
            self.note(token, answer)
        return answer

    def redeclaration(
        self,
        argument: ElementRedeclaration | ElementReplaceable,
        within: Scope | Builtin | Unknown | None,
        scope: Scope | None,
    ) -> None:
        """`redeclare model M = N(x=1)`, `redeclare N m(x=1)`: M and m are what they redeclare."""
        declared = argument.declared
        node = scope.node if scope is not None else None
        if isinstance(declared, ComponentClause1):
            one = declared.declaration
            self.modified([one.identifier], within)
            self.name(declared.type, scope)
            self.expressions(declared.subscripts, scope)
            self.expressions(one.subscripts, scope)
            if one.arguments and node is not None:
                self.ask()
                by = redeclared(argument, node)
                self.arguments(one.arguments, self.lookup.class_of(Found(by.declaration, by, scope)), scope)
            self.expressions(one.binding, scope)
        elif isinstance(declared, ShortClassDefinition):
            tokens = [child for child in declared.specifier.children if child.kind == "IDENT"]
            self.modified([tokens[0]], within)
            if isinstance(declared.specifier, ShortClassSpecifier) and node is not None:
                inner = redeclared(argument, node).node
                assert inner is not None
                self.short(declared.specifier, Scope(inner, scope))
        self.constraint(argument.constraint, scope)

    # ------------------------------------------------------------------ expressions, equations, statements

    def expressions(self, view: View | None, scope: Scope | None) -> None:
        """All names in an expression or in a section."""
        stack: list[tuple[View, Locals]] = [(view, frozenset())] if view is not None else []
        while stack:
            current, known = stack.pop()
            match current:
                case Annotation():
                    continue
                case ComponentReference():
                    self.name(current, scope, known)
                    stack += [(child, known) for child in current.children if isinstance(child, Subscripts)]
                    continue
                case Call() if isinstance(current.function, ComponentReference):
                    stack.append((current.function, known))
                    self.named_arguments(current.arguments, self.name(current.function, scope, known))
                    stack.append((current.arguments, known))
                    continue
                case PartialApplication():
                    self.named_arguments(current, self.name(current.function, scope))
                    stack += [(one.value, known) for one in current.arguments]
                    continue
                case NamedArgument():
                    stack.append((current.value, known))
                    continue
                case CallMember() | Parenthesized():
                    self.members(current, scope)
                case ForEquation() | ForStatement() | ArrayComprehension() | ReductionArguments():
                    inner = self.indices(current.indices, scope, known)
                    inside = [child for child in current.children if not isinstance(child, ForIndices)]
                    stack += [(child, inner) for child in inside]
                    self.index_ranges(current.indices, known, stack)
                    continue
                case ExternalFunctionCall():
                    self.ask()
                    self.note(current.identifier, "external")
                case ClassDefinition():
                    continue
            if current.kind == "element":  # a section of elements: they have been seen
                continue
            stack += [(child, known) for child in current.children]

    def indices(self, indices: ForIndices, _scope: Scope | None, known: Locals) -> Locals:
        """11.2.2: the variables of a loop."""
        for index in indices.items:
            self.ask()
            self.note(index.identifier, "local")
        return known | {index.name for index in indices.items}

    def index_ranges(self, indices: ForIndices, known: Locals, stack: list[tuple[View, Locals]]) -> None:
        """Each range sees the variables before it."""
        for index in indices.items:
            if index.range is not None:
                stack.append((index.range, known))
            known |= {index.name}

    def named_arguments(self, call: View, function: Answer) -> None:
        """12.4.1: inputs of a function, or elements of a record whose constructor is called."""
        for token in _argument_names(call):
            self.ask()
            self.note(token, self.argument(function, token.text))

    def argument(self, function: Answer, name: str) -> Answer:
        """The input that a named argument is for."""
        if isinstance(function, Builtin):
            return function
        within = self.lookup.class_of(function)
        if not isinstance(within, Scope):
            return within or Unknown("the function is missing")
        constructor = self.lookup.member(within, "'constructor'") or self.lookup.member(within, "constructor")
        if isinstance(constructor, Found) and constructor.element.node is not None:
            if constructor.element.node.kind != "operator":
                return self.lookup.part(constructor, name)
            functions = [one.name for one in constructor.element.node.elements]
            inputs = [self.lookup.part(self.lookup.part(constructor, one), name) for one in functions]
            inputs = [one for one in inputs if isinstance(one, Found)]
            own = self.lookup.member(within, name)
            return (inputs[0] if inputs else own) if not inputs or not own else Unknown("several constructors")
        return self.lookup.part(function, name)

    def members(self, view: CallMember | Parenthesized, _scope: Scope | None) -> None:
        """`f(x).y` and `(a).b`: the type of an expression is not a matter of names."""
        for child in view.children:
            if child.kind == "IDENT":
                self.ask()
                self.note(child, Unknown("it is part of an expression"))


def identifiers(name: View) -> list[View]:
    """The identifiers of a name, without dots and subscripts."""
    return [child for child in name.children if child.kind == "IDENT"] if name.children else [name]


def _argument_names(call: View) -> Iterator[View]:
    for child in call.children:
        if isinstance(child, NamedArgument):
            yield child.identifier
