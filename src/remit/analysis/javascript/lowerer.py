"""The state of one lowering: scopes, and the dispatch from syntax nodes to the functions that lower them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from remit.analysis.domain import ANY, CWD, SKILL, Hole, Part, Text, Value, lit, text
from remit.analysis.ir import (
    Attr,
    Bind,
    Concat,
    Element,
    Evaluate,
    Export,
    Fact,
    Function,
    Global,
    Import,
    Known,
    Mapping,
    Param,
    Program,
    Sequence,
    Star,
    Term,
    Unknown,
    Var,
)
from remit.analysis.javascript.literals import name_text, parts_of

if TYPE_CHECKING:
    from tree_sitter import Node


class Body:
    """A function while it is lowered, and where its source text lies."""

    __slots__ = (
        "_has_arguments",
        "_used",
        "arrow",
        "class_index",
        "facts",
        "first_line",
        "function",
        "level",
        "parent",
        "source",
        "strict",
        "this",
    )

    def __init__(
        self, function: Function, parent: Body | None, source: bytes, first_line: int, *, arrow: bool = False
    ) -> None:
        self.function = function
        self.facts: list[Fact] = function.facts
        self.parent = parent
        self.level = 0  # functions around this one
        self.source = source
        self.first_line = first_line
        self.arrow = arrow
        self.strict: bool = parent.strict if parent else False
        self.class_index: int | None = parent.class_index if parent and arrow else None
        self.this: Term = parent.this if parent and arrow else Var(function.index, "this")
        self._used: dict[str, int] = {"this": 1, "arguments": 1}
        self._has_arguments = False

    def fresh(self, name: str) -> Var:
        """A variable of this function that no other scope of it uses."""
        count = self._used.get(name, 0) + 1
        self._used[name] = count
        return Var(self.function.index, name if count == 1 else f"{name}%{count}")

    def temporary(self) -> Var:
        """A variable that no source can name."""
        return self.fresh("%")

    def arguments(self) -> Var | None:
        """The variable that holds `arguments` here; None at the top level, where there is none.

        Calls may pass more than the parameters name, so the function gets a rest parameter if it has none.
        """
        body: Body = self
        while body.arrow and body.parent is not None:
            body = body.parent
        function = body.function
        if function.owner is None or function.is_class_body:
            return None
        variable = Var(function.index, "arguments")
        if not body._has_arguments:  # noqa: SLF001 - the same class
            body._has_arguments = True  # noqa: SLF001
            if not function.params or function.params[-1].kind != "rest":
                function.params.append(Param("%arguments", "rest"))
            named = function.params[1 if function.takes_this else 0 :]
            variables = [(Var(function.index, param.name), param.kind == "rest") for param in named]
            items = tuple(Star(found) if rest else found for found, rest in variables)
            body.facts.append(Bind(function.index, "arguments", Sequence("list", items, function.line)))
            if not body.strict:  # the parameters are other names of its elements
                body.facts.extend(
                    Bind(function.index, found.name, Element(variable, position, function.line))
                    for position, (found, rest) in enumerate(variables)
                    if not rest
                )
        return variable


class Scope:
    """The names of one block, parameter list or function body."""

    __slots__ = ("body", "names", "parent")

    def __init__(self, body: Body, parent: Scope | None) -> None:
        self.body = body
        self.parent = parent
        self.names: dict[str, Var] = {}

    def declare(self, name: str) -> Var:
        """The variable of this scope with that name, made if it is new."""
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = self.body.fresh(name)
        return found

    def find(self, name: str) -> Var | None:
        """The variable that a name denotes here; None if no scope of the file binds it."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None


# Deeper than this an expression or block is not followed: Python's own stack is finite, and so is the evaluator's.
DEPTH_LIMIT = 160
NOT_CODE = frozenset({"comment", "html_comment"})
# Terms that may be evaluated twice without allocating or calling twice, and that do nothing when dropped.
STABLE = (Var, Known, Global, Import)

Expression: TypeAlias = "Callable[[Lowerer, Node], Term]"
Statement: TypeAlias = "Callable[[Lowerer, Node], None]"


def only(node: Node) -> Node | None:
    """The first child that is no comment."""
    return next((child for child in node.named_children if child.type != "comment"), None)


class Lowerer:
    """Lowers one file. Function bodies wait in a queue, so depth is counted within one function only."""

    def __init__(
        self,
        program: Program,
        source: bytes,
        holes: Map[str, Value],
        expressions: Map[str, Expression],
        statements: Map[str, Statement],
    ) -> None:
        self.program = program
        self.holes = holes
        self.expressions = expressions
        self.statements = statements
        module = Function(0, "<module>", 1, None)
        program.functions.append(module)
        self.module = Body(module, None, source, 1)
        self.depth = 0
        self.nested_evals = 0
        self.queue: deque[tuple[Body, Scope, Callable[[], None]]] = deque()
        self.namespaces: dict[tuple[int, str], Scope] = {}
        self.requires: set[tuple[int, str]] = set()  # variables that hold what `createRequire` made
        self.helpers: dict[str, int] = {}  # interop helpers of the compiler → the statement that declares each
        self._exports: Var | None = None
        self._module_object: Var | None = None
        self.enter(self.module, Scope(self.module, None))

    # --- where we are

    def enter(self, body: Body, scope: Scope) -> None:
        """Continue in this function and scope."""
        self.body = body
        self.scope = scope
        self.source = body.source
        self.first_line = body.first_line
        self.facts: list[Fact] = body.facts

    def drain(self) -> None:
        """Lower the function bodies that were met, and those that they meet."""
        while self.queue:
            body, scope, lower = self.queue.popleft()
            self.depth = 0
            self.enter(body, scope)
            lower()

    def line(self, node: Node) -> int:
        """The line of a node, counted from 1 in the file."""
        return node.start_point[0] + self.first_line

    def opaque(self, reason: str, node: Node) -> None:
        """Note a place that is not understood."""
        entry = (reason, self.line(node))
        if entry not in self.program.opaque:
            self.program.opaque.append(entry)

    # --- text

    def raw(self, node: Node) -> str:
        """The source text of a node; bytes that are not UTF-8 read as an engine reads them."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def name(self, node: Node) -> str:
        """The identifier that a node writes."""
        return name_text(self.source[node.start_byte : node.end_byte].decode("utf-8", "replace"))

    def text(self, decoded: str, line: int) -> Term:
        """A decoded text, with placeholders as the values that they stand for."""
        if not self.holes or not any(mark in decoded for mark in self.holes):
            parts = parts_of(decoded)
            return Known(frozenset({Text(parts)}))
        pieces: list[Term] = []
        start = 0
        for at, char in enumerate(decoded):
            if char in self.holes:
                if at > start:
                    pieces.append(Known(lit(decoded[start:at])))
                pieces.append(Known(self.holes[char]))
                start = at + 1
        if start < len(decoded):
            pieces.append(Known(lit(decoded[start:])))
        return pieces[0] if len(pieces) == 1 else Concat(tuple(pieces), line)

    def holds_hole(self, name: str) -> bool:
        """Whether a placeholder is part of this name."""
        return bool(self.holes) and any(mark in name for mark in self.holes)

    # --- dispatch

    def expr(self, node: Node | None) -> Term:
        """The term of an expression; what a broken parse left out can be anything."""
        if node is None:
            return Known(ANY)
        lower = self.expressions.get(node.type)
        if lower is None:
            return self._no_expression(node)
        if self.depth >= DEPTH_LIMIT:
            return self._too_deep(node)
        self.depth += 1
        term = lower(self, node)
        self.depth -= 1
        return term

    def stmt(self, node: Node) -> None:
        """Add the facts of a statement."""
        lower = self.statements.get(node.type)
        if lower is None:
            self.drop(self.expr(node))
            return
        if self.depth >= DEPTH_LIMIT:
            self._too_deep(node)
            return
        self.depth += 1
        lower(self, node)
        self.depth -= 1

    def _too_deep(self, node: Node) -> Term:
        self.opaque("the code is nested too deeply", node)
        return Known(ANY)

    def _no_expression(self, node: Node) -> Term:
        """Broken source leaves statements and tokens where expressions belong; what is in them still counts."""
        if node.type in self.statements and node.type not in NOT_CODE:
            self.stmt(node)
            return Known(ANY)
        if node.is_error or node.is_missing or not node.is_named:
            for child in node.named_children:
                self.stmt(child)
            return Known(ANY)
        return Unknown(f"`{node.type}` is not understood", self.line(node))

    def drop(self, term: Term) -> None:
        """An expression whose value is not used."""
        if not isinstance(term, STABLE) or isinstance(term, Import):
            self.facts.append(Evaluate(term))

    def stable(self, term: Term) -> Term:
        """The same value as a term that may be used several times."""
        if isinstance(term, STABLE):
            return term
        variable = self.body.temporary()
        self.bind(variable, term)
        return variable

    def bind(self, variable: Var, term: Term) -> None:
        """A variable gets a value."""
        self.facts.append(Bind(variable.owner, variable.name, term))

    @contextmanager
    def inner_scope(self) -> Iterator[Scope]:
        """Continue in a scope inside the current one, for a while."""
        outer = self.scope
        self.scope = Scope(self.body, outer)
        yield self.scope
        self.scope = outer

    # --- what the module wrapper provides

    @property
    def exports(self) -> Var:
        """`module.exports`, `exports` and `this` at the top level: one variable that joins all that they ever hold."""
        if self._exports is None:
            self._exports = self.module.fresh("exports")
            facts = self.module.facts
            facts.append(Bind(0, self._exports.name, Mapping((), 1)))
            facts.append(Export(None, self._exports, 1))
        return self._exports

    @property
    def module_object(self) -> Var:
        """`module` where it is used other than by its members: an object that carries the exports."""
        if self._module_object is None:
            variable = self._module_object = self.module.fresh("module")
            unknown = Unknown("the modules around this one are reached through `module`", 1)
            pairs: list[tuple[Term | None, Term]] = [
                (Known(lit("exports")), self.exports),
                (Known(lit("require")), Global("require", 1)),
                (Known(lit("filename")), Known(self.path())),
                (Known(lit("path")), Known(self.path(folder=True))),
                (Known(lit("parent")), unknown),
                (Known(lit("children")), unknown),
            ]
            self.module.facts.append(Bind(0, variable.name, Mapping(tuple(pairs), 1)))
            self.module.facts.append(Export(None, Attr(variable, "exports", 1), 1))
        return self._module_object

    def path(self, *, folder: bool = False) -> Value:
        """Where this file lies when it runs; text that became code lies in the current folder."""
        file = self.program.file
        if not file:
            return frozenset({text(Hole(CWD))})
        if folder:
            file = file.rpartition("/")[0]
        parts: list[Part] = [Hole(SKILL)]
        if file:
            parts.append("/" + file)
        return frozenset({text(*parts)})
