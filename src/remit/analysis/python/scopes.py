"""Scopes while lowering: which variable a name means."""

from __future__ import annotations

from dataclasses import dataclass, field

from remit.analysis.ir import Choice, Function, Global, Term, Var
from remit.analysis.python.names import BUILTIN_NAMES, Bindings, unmangled
from remit.analysis.python.versions import Flow, shared


@dataclass(slots=True)
class Scope:
    """A body being lowered. `renames` are the targets of enclosing comprehensions, innermost last."""

    function: Function
    bindings: Bindings
    parent: Scope | None
    class_name: str = ""
    class_index: int | None = None
    renames: list[dict[str, str]] = field(default_factory=list)
    narrowed: dict[str, str] = field(default_factory=dict)  # those of which a test holds, for code that runs at once
    built: set[str] = field(default_factory=set)  # names that something is appended to
    flow: Flow | None = None  # the versions of its variables, in a function that assigns some more than once

    def variable(self, name: str, *, own: bool) -> Var:
        """The variable of this function that a reference means, from its own code or from a function inside it."""
        if self.flow is not None and name in self.flow.names:
            return Var(self.function.index, self.flow.read(name) if own else shared(name))
        return Var(self.function.index, name)

    def owner_of(self, name: str) -> tuple[int, str]:
        """The function and variable that an assignment to `name` changes."""
        name = unmangled(name)
        if name in self.bindings.globals:
            return 0, name
        if name in self.bindings.nonlocals:
            scope = self.parent
            while scope is not None:
                if name in scope.bindings.bound and not scope.function.is_class_body:
                    return scope.function.index, name
                scope = scope.parent
            return 0, name
        return self.function.index, name


def resolve(scope: Scope, name: str, line: int, known: dict[str, Term]) -> Term:
    """The term that a reference to `name` means."""
    name = unmangled(name)
    at: Scope | None = scope
    own = True
    class_member: Term | None = None
    while at is not None:
        if own and name in at.narrowed:
            return Var(at.function.index, at.narrowed[name])
        for renamed in reversed(at.renames):
            if name in renamed:
                return Var(at.function.index, renamed[name])
        if own and name in at.bindings.globals:
            return _module_level(_root(at), name, line, known)
        if name in at.bindings.bound and at.parent is not None:
            found = at.variable(name, own=own)
            if not at.function.is_class_body:
                return found if class_member is None else Choice((class_member, found))
            if own:
                class_member = found
        own = False
        if at.parent is None:
            outer = _module_level(at, name, line, known)
            return outer if class_member is None else Choice((class_member, outer))
        at = at.parent
    raise AssertionError("the module scope ends the search")


def _root(scope: Scope) -> Scope:
    while scope.parent is not None:
        scope = scope.parent
    return scope


def _module_level(module: Scope, name: str, line: int, known: dict[str, Term]) -> Term:
    """A module variable; where a builtin has the same name, a lookup may find either."""
    bound = name in module.bindings.bound or name in module.bindings.globals
    if bound and name in BUILTIN_NAMES:
        return Choice((Var(0, name), Global(name, line)))
    if bound:
        return Choice((Var(0, name), known[name])) if name in known else Var(0, name)
    return known.get(name) or Global(name, line)
