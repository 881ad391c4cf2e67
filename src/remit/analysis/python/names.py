"""Names of a Python program: which ones a scope binds (the compiler's rules, without the compiler), and which variable a reference means."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from typing import TypeAlias

from remit.analysis.ir import Bind, Choice, Fact, Function, Global, Term, Var
from remit.analysis.python.trees import children, walk

BUILTIN_NAMES = frozenset(dir(builtins)) | {"WindowsError", "unicode", "basestring", "raw_input", "xrange", "reload"}

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


# The parts of a statement that can bind a name, or hold statements that can.
_BINDING_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Expr: (), ast.Return: (), ast.Raise: (), ast.Assert: (), ast.Delete: ("targets",), ast.Pass: (), ast.Break: (), ast.Continue: (),
    ast.Import: (), ast.ImportFrom: (), ast.Global: (), ast.Nonlocal: (),
    ast.Assign: ("targets",), ast.AugAssign: ("target",), ast.AnnAssign: ("target",),
    ast.If: ("body", "orelse"), ast.While: ("body", "orelse"),
    ast.For: ("target", "body", "orelse"), ast.AsyncFor: ("target", "body", "orelse"),
    ast.With: ("items", "body"), ast.AsyncWith: ("items", "body"), ast.withitem: ("optional_vars",),
    ast.Try: ("body", "handlers", "orelse", "finalbody"), ast.TryStar: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("body",), ast.Attribute: (), ast.Subscript: (), ast.Tuple: ("elts",), ast.List: ("elts",), ast.Starred: ("value",),
}  # fmt: skip


@dataclass(slots=True)
class Bindings:
    """The names that a body binds, and those it declares to be someone else's."""

    bound: set[str] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)  # those that are bound at several places
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def bind(self, name: str) -> None:
        """A place that binds a name."""
        if name[0] == "_":
            name = unmangled(name)
        (self.repeated if name in self.bound else self.bound).add(name)


def unmangled(name: str) -> str:
    """A name without its mangling: `_Class__x` outside of a class and `__x` inside are the same.

    Undoing the mangling instead of repeating it joins the private names of different classes, which only ever adds.
    """
    if name.startswith("_") and not name.endswith("__"):
        at = name.find("__", 1)
        if at > 0 and not name.startswith("__"):
            return name[at:]
    return name


def global_names(tree: ast.AST) -> set[str]:
    """The names that some function of a module declares global: the module binds them, though its own body may not."""
    return {unmangled(name) for node in walk(tree) if isinstance(node, ast.Global) for name in node.names}


def nonlocal_names(tree: ast.AST) -> frozenset[str]:
    """The names that some function shares with the one around it."""
    return frozenset(unmangled(name) for node in walk(tree) if isinstance(node, ast.Nonlocal) for name in node.names)


def bindings_of(body: list[ast.stmt], params: list[str], *, walrus: bool = True) -> Bindings:
    """The bindings of a function, class or module body: nested scopes left out, walrus in comprehensions included.

    Expressions bind names only through `:=`; without one in the file (`walrus` False) they need not be looked at.
    """
    out = Bindings(bound=set(params))
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is ast.Name:
            if not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                out.bind(node.id)  # type: ignore[attr-defined]
        elif kind in _SCOPES:
            _outer_parts(node, out, todo)
        elif kind in _COMPREHENSIONS:
            todo.extend(_walrus_targets(node))
        elif not walrus and kind in _BINDING_FIELDS:
            _statement(node, out)
            for name in _BINDING_FIELDS[kind]:
                part = getattr(node, name)
                if isinstance(part, list):
                    todo.extend(part)
                elif part is not None:
                    todo.append(part)
        else:
            _statement(node, out)
            todo.extend(children(node))
    out.bound -= out.globals | out.nonlocals
    out.repeated &= out.bound
    return out


def _outer_parts(node: ast.AST, out: Bindings, todo: list[ast.AST]) -> None:
    """A definition binds its name; its decorators, defaults and bases are evaluated outside of it."""
    if isinstance(node, ast.Lambda):
        todo.extend(node.args.defaults)
        todo.extend(item for item in node.args.kw_defaults if item)
        return
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    out.bind(node.name)
    todo.extend(node.decorator_list)
    if isinstance(node, ast.ClassDef):
        todo.extend(node.bases)
        todo.extend(item.value for item in node.keywords)
    else:
        todo.extend(node.args.defaults)
        todo.extend(item for item in node.args.kw_defaults if item)


def _walrus_targets(node: ast.AST) -> list[ast.AST]:
    return [inner.target for inner in walk(node) if isinstance(inner, ast.NamedExpr)]


def _statement(node: ast.AST, out: Bindings) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            out.bind(alias.asname or alias.name.partition(".")[0])
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if alias.name != "*":
                out.bind(alias.asname or alias.name)
    elif isinstance(node, ast.Global):
        out.globals.update(map(unmangled, node.names))
    elif isinstance(node, ast.Nonlocal):
        out.nonlocals.update(map(unmangled, node.names))
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        if node.name:
            out.bind(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        out.bind(node.rest)


def parameter_names(args: ast.arguments) -> list[str]:
    """All names that a parameter list binds."""
    names = [unmangled(arg.arg) for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names.extend(unmangled(arg.arg) for arg in (args.vararg, args.kwarg) if arg)
    return names


# Facts have no order, so a variable that is assigned several times would be the join of all its values, and `cmd = ["nice"] + cmd`
# would feed itself. Each assignment therefore makes a variable of its own, and where ways meet a new one joins them. Only
# locals that are assigned more than once have versions; what nested functions see is the join of all, under a name of its own.


State: TypeAlias = (
    "tuple[dict[str, str], bool]"  # the version of each variable, and whether this point is never reached
)


def shared(name: str) -> str:
    """The variable that holds whatever a local with versions ever is, for those who look from elsewhere."""
    return f"{name}*"


@dataclass(slots=True)
class Loop:
    """A loop that is being lowered: what the variables are where it is left or begun again."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


class Flow:
    """The versions while a function is lowered from top to bottom."""

    def __init__(self, owner: int, names: frozenset[str], facts: list[Fact]) -> None:
        self.owner = owner
        self.names = names
        self.facts = facts
        self.current: dict[str, str] = {}
        self.dead = False
        self.made: list[tuple[str, str]] = []
        self.loops: list[Loop] = []
        self.lazy = 0  # inside a generator expression, which runs later

    def read(self, name: str) -> str:
        """The variable that a reference means here."""
        return shared(name) if self.lazy else self.current.get(name, name)

    def bind(self, name: str, value: Term, *, surely: bool = True) -> None:
        """An assignment; if it may not happen, the old value may remain."""
        old = self.current.get(name, name)
        version = self._make(name)
        self.facts.append(Bind(self.owner, version, value if surely else Choice((value, Var(self.owner, old)))))

    def _make(self, name: str) -> str:
        version = f"{name}@{len(self.made)}"
        self.made.append((name, version))
        self.current[name] = version
        return version

    # ── states ──

    def state(self) -> State:
        """Here."""
        return dict(self.current), self.dead

    def resume(self, state: State) -> None:
        """Go on from there."""
        self.current, self.dead = dict(state[0]), state[1]

    def end(self) -> None:
        """What follows in this block is never reached."""
        self.dead = True

    def join(self, states: list[State]) -> None:
        """Ways meet."""
        live = [current for current, dead in states if not dead]
        self.resume((states[0][0], not live))
        for name in self.names:
            versions = list(dict.fromkeys(current.get(name, name) for current in live))
            if len(versions) == 1:
                self.current[name] = versions[0]
            elif versions:
                self._merge(name, versions)

    def _merge(self, name: str, versions: list[str]) -> None:
        joined = self._make(name)
        self.facts.append(Bind(self.owner, joined, Choice(tuple(Var(self.owner, version) for version in versions))))

    def anywhere(self, start: State, mark: int) -> State:
        """What the variables may be at some point between `start`, when `mark` versions were made, and here."""
        before = self.state()
        self.resume((start[0], False))
        for name in self.names:
            versions = [start[0].get(name, name), *(version for other, version in self.made[mark:] if other == name)]
            if len(versions) > 1:
                self._merge(name, list(dict.fromkeys(versions)))
        found = self.state()
        self.resume(before)
        return found

    # ── loops ──

    def enter_loop(self) -> dict[str, str]:
        """The variables at the head of a loop: as before, or as the last round left them."""
        self.loops.append(Loop())
        for name in self.names:
            self._merge(name, [self.current.get(name, name)])
        return dict(self.current)

    def close_loop(self, head: dict[str, str]) -> Loop:
        """The body is done: its ends lead back to the head, from where the loop is left."""
        loop = self.loops.pop()
        for current, dead in [self.state(), *loop.continues]:
            for name in self.names if not dead else ():
                if current.get(name, name) != head[name]:
                    self.facts.append(Bind(self.owner, head[name], Var(self.owner, current.get(name, name))))
        self.resume((head, False))
        return loop

    def leave(self, *, again: bool) -> None:
        """`break` or `continue`."""
        if self.loops:
            (self.loops[-1].continues if again else self.loops[-1].breaks).append(self.state())
        self.end()

    def finish(self) -> None:
        """The function is done: what others see of its variables."""
        for name in self.names:
            self.facts.append(Bind(self.owner, shared(name), Var(self.owner, name)))
        for name, version in self.made:
            self.facts.append(Bind(self.owner, shared(name), Var(self.owner, version)))


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
