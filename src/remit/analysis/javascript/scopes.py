"""Scopes: every `let`, `const`, class and function of a block becomes a uniquely named variable of its function."""

from __future__ import annotations

from remit.analysis.ir import Bind, Fact, Function, Param, Sequence, Star, Term, Var


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
