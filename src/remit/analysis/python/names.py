"""Which names a Python scope binds: the compiler's rules, without the compiler."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

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
