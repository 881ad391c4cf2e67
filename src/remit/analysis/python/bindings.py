"""Names of a Python file: where each is bound and used, so that a value can be followed by its name alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from remit.analysis.python.trees import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody")


class UnclearError(Exception):
    """A name may mean something else."""


class Names:
    """The names of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._parents = {child: node for node in walk(tree) for child in children(node)}
        self._bound: dict[ast.AST, dict[str, int]] = {}
        self._outer = {
            name for node in walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        }
        self._modules, self._classes = self._imported()

    def _imported(self) -> tuple[set[str], set[str]]:
        """The names that mean `argparse` and its parser, and nothing else anywhere in the file."""
        modules: set[str] = set()
        classes: set[str] = set()
        for node in walk(self.tree):
            if isinstance(node, ast.Import):
                modules |= {alias.asname or alias.name for alias in node.names if alias.name == "argparse"}
            elif isinstance(node, ast.ImportFrom) and node.module == "argparse" and not node.level:
                classes |= {alias.asname or alias.name for alias in node.names if alias.name == "ArgumentParser"}
        ours = modules | classes
        if modules & classes or ours & self._outer:
            raise UnclearError
        for node in walk(self.tree):
            for name in _binds(node):
                if name in ours and not _is_ours(node, name, modules):
                    raise UnclearError
        return modules, classes

    def is_parser_class(self, node: ast.expr) -> bool:
        """Whether an expression is `argparse.ArgumentParser`."""
        if isinstance(node, ast.Name):
            return node.id in self._classes
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "ArgumentParser"
            and isinstance(node.value, ast.Name)
            and node.value.id in self._modules
        )

    # ── where a node stands ──

    def parent(self, node: ast.AST | None) -> ast.AST | None:
        """The node around a node."""
        return None if node is None else self._parents.get(node)

    def block(self, statement: ast.stmt) -> tuple[list[ast.stmt], int]:
        """The statements among which one stands, and its place."""
        parent = self._parents[statement]
        for field in _BLOCKS:
            held = getattr(parent, field, None)
            if isinstance(held, list) and statement in held:
                return held, held.index(statement)
        raise UnclearError

    def scope(self, node: ast.AST) -> ast.AST:
        """The function, class or module whose names a node sees first."""
        around = self._parents.get(node)
        while around is not None and not isinstance(around, (*_SCOPES, ast.Module)):
            around = self._parents.get(around)
        return around or self.tree

    def in_inner_function(self, node: ast.AST, statement: ast.stmt) -> bool:
        """Whether a node of a statement runs only when a function is called that the statement defines."""
        around: ast.AST | None = node
        while around is not None and around is not statement:
            if isinstance(around, _FUNCTIONS):
                return True
            around = self._parents.get(around)
        return isinstance(statement, _FUNCTIONS)

    # ── what a name means ──

    def sole(self, target: ast.Name) -> ast.AST:
        """The function or module in which a name is bound, here and nowhere else."""
        scope = self.scope(target)
        if isinstance(scope, (ast.ClassDef, ast.Lambda)) or target.id in self._outer:
            raise UnclearError
        if self._bindings(scope).get(target.id) != 1:
            raise UnclearError
        return scope

    def _bindings(self, scope: ast.AST) -> dict[str, int]:
        if scope not in self._bound:
            counts: dict[str, int] = {}
            for node in _own(scope):
                for name in _binds(node):
                    counts[name] = counts.get(name, 0) + 1
            arguments = scope.args if isinstance(scope, _FUNCTIONS) else None
            for arg in _parameters(arguments) if arguments else ():
                counts[arg] = counts.get(arg, 0) + 1
            self._bound[scope] = counts
        return self._bound[scope]

    def uses(self, scope: ast.AST, name: str) -> list[ast.Name]:
        """Where a name of a scope is used, in functions inside of it as well."""
        out: list[ast.Name] = []
        todo = children(scope)
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name) and node.id == name:
                out.append(node)
            if isinstance(node, _FUNCTIONS) and name in self._bindings(node):
                todo.extend(_around(node))
            else:
                todo.extend(children(node))
        return out

    def everywhere(self, function: str) -> list[ast.Name]:
        """The uses of a function of the file, whose name is bound once."""
        self.plain_function(function)
        return [node for node in walk(self.tree) if isinstance(node, ast.Name) and node.id == function]

    def plain_function(self, name: str) -> ast.FunctionDef:
        """A function of the module that is called as it stands, and the only thing of its name."""
        bound = [node for node in walk(self.tree) for found in _binds(node) if found == name]
        given = [arg for node in walk(self.tree) if isinstance(node, _FUNCTIONS) for arg in _parameters(node.args)]
        function = bound[0] if len(bound) == 1 else None
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or name in given:
            raise UnclearError
        if function not in self.tree.body or any(
            isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function)
        ):
            raise UnclearError
        return function

    def function_of(self, statement: ast.stmt) -> str:
        """The function that a statement returns from."""
        scope = self.scope(statement)
        if not isinstance(scope, ast.FunctionDef):
            raise UnclearError
        return self.plain_function(scope.name).name

    def parameter(self, function: ast.FunctionDef, place: int) -> str:
        """The parameter that gets the argument of a place, if nothing else gives it a value."""
        arguments = [*function.args.posonlyargs, *function.args.args]
        if place >= len(arguments) or self._bindings(function).get(arguments[place].arg) != 1:
            raise UnclearError
        return arguments[place].arg


def calls_of(node: ast.AST) -> Iterator[ast.Call]:
    """Every call in a node."""
    return (found for found in walk(node) if isinstance(found, ast.Call))


def _binds(node: ast.AST) -> Iterator[str]:
    """The names that a node itself binds, wherever they belong."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    elif isinstance(node, ast.arg):
        yield node.arg


def _is_ours(node: ast.AST, name: str, modules: set[str]) -> bool:
    """Whether an import binds a name to `argparse` (or its parser) and to nothing else."""
    if isinstance(node, ast.Import) and name in modules:
        return all(alias.name == "argparse" for alias in node.names if _first(alias) == name)
    if isinstance(node, ast.ImportFrom) and name not in modules:
        return (
            node.module == "argparse"
            and not node.level
            and all(alias.name == "ArgumentParser" for alias in node.names if _first(alias) == name)
        )
    return False


def _first(alias: ast.alias) -> str:
    return (alias.asname or alias.name).partition(".")[0]


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of scopes inside of it; a name in a comprehension is never only its own."""
    todo = children(scope)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.arguments, ast.arg)):
            continue
        yield node
        if isinstance(node, _SCOPES):
            todo.extend(child for child in _around(node) if not isinstance(child, ast.arguments))
        else:
            todo.extend(children(node))


def _around(node: ast.AST) -> list[ast.AST]:
    """What of a function or class runs where it is defined: decorators, defaults, bases."""
    out: list[ast.AST] = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
    out += [word.value for word in getattr(node, "keywords", ())]
    arguments = getattr(node, "args", None)
    if isinstance(arguments, ast.arguments):
        out += [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]
    return out


def _parameters(arguments: ast.arguments) -> list[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return [arg.arg for arg in every if arg is not None]
