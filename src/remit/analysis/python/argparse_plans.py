"""Parsers that a Python program builds in plain sight: which arguments they declare, in order, before they read any word."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from remit.analysis.python.trees import bound_names, children, walk

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
            for name in bound_names(node):
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
                for name in bound_names(node):
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
        bound = [node for node in walk(self.tree) for found in bound_names(node) if found == name]
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


# Only what stands in one block, one statement after the other, counts: a parser that is made there, told of each argument there (or by a
# function of the same file that does nothing else with it) and then reads the command line. Whatever else happens to it makes it unclear.


_IGNORED = frozenset(
    "description epilog usage prog help metavar title formatter_class default const type choices version deprecated".split()
)  # none of these says which word an argument gets
_KEPT = {
    "parser": {"add_help", "allow_abbrev", "exit_on_error"},
    "sub": {"add_help", "allow_abbrev", "exit_on_error", "aliases"},
    "subparsers": {"dest", "required"},
    "group": set(),
    "exclusive": {"required"},
    "argument": {"nargs", "action", "dest", "required"},
}
_NARGS = {"OPTIONAL": "?", "ZERO_OR_MORE": "*", "ONE_OR_MORE": "+"}
_BOOLEAN = "BooleanOptionalAction"
_PARSING = frozenset({"parse_args", "parse_known_args"})
_SAYING = frozenset({"print_help", "print_usage", "format_help", "format_usage", "error", "exit"})
_GROUPS = {"add_argument_group": "group", "add_mutually_exclusive_group": "exclusive"}
_MAX_DEPTH = 4  # functions that hand a parser on


class Op(NamedTuple):
    """One step: a parser, group or argument is added to another (`owner`, by number; -1: it stands alone)."""

    kind: str  # parser, sub, subparsers, group, exclusive, argument
    owner: int
    line: int
    names: tuple[str, ...] = ()
    settings: tuple[tuple[str, object], ...] = ()


class Plan(NamedTuple):
    """All steps of one parser; the number of a parser or group is that of its step. `partial`: it may leave words alone."""

    ops: tuple[Op, ...]
    reads: frozenset[int]  # lines on which it reads the command line
    partial: bool


def plans_of(source: bytes) -> tuple[Plan, ...]:
    """The parsers of a program; none if one of them is unclear."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return tuple(_Reader(Names(tree)).plans())
    except (UnclearError, SyntaxError, ValueError, RecursionError):
        return ()


class _Building:
    """A parser while its steps are read."""

    def __init__(self, ops: list[Op] | None = None) -> None:
        self.ops: list[Op] = ops or []
        self.reads: set[int] = set()
        self.partial = False
        self.closed = False  # it was read with, or handed out: from here on no step may follow

    def add(self, op: Op) -> int:
        if self.closed:
            raise UnclearError
        self.ops.append(op)
        return len(self.ops) - 1

    def plan(self) -> Plan:
        return Plan(tuple(self.ops), frozenset(self.reads), self.partial)


class _Reader:
    """Reads a file; every use of a parser has to be one that is understood."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.seen: set[ast.Name] = set()  # uses that were understood
        self.handed: set[str] = set()  # functions that were gone through
        self.lines: dict[int, set[ast.Call]] = {}  # where words are asked for: one call on each line
        self.plans_found: list[Plan] = []

    def plans(self) -> list[Plan]:
        """Every parser of the file."""
        for call in calls_of(self.names.tree):
            if self.names.is_parser_class(call.func):
                self._begin(call, _Building(), 0)
        for name in self.handed:
            if any(use not in self.seen for use in self.names.everywhere(name)):
                raise UnclearError
        if any(len(calls) > 1 for calls in self.lines.values()):
            raise UnclearError
        return self.plans_found

    def _begin(self, call: ast.Call, building: _Building, depth: int) -> None:
        """What happens to the value of a call that makes a parser."""
        if depth > _MAX_DEPTH:
            raise UnclearError
        root = self.names.is_parser_class(call.func)
        if root:
            if len(call.args) > 1:
                raise UnclearError
            building.add(Op("parser", -1, call.lineno, (), _settings_of(call, "parser")))
        parent = self.names.parent(call)
        if isinstance(parent, ast.Attribute):
            self._direct(parent, building)
            self.plans_found.append(building.plan())
            return
        statement = parent
        if isinstance(statement, ast.Return):
            self._returned(statement, building, depth)
            return
        if not (
            (isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is call)
            or (isinstance(statement, ast.AnnAssign) and statement.value is call)
        ):
            raise UnclearError
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Name):
            raise UnclearError
        self._follow(statement, target, building, depth)

    def _direct(self, attribute: ast.Attribute, building: _Building) -> None:
        """`build().parse_args()`."""
        call = self.names.parent(attribute)
        if not (isinstance(call, ast.Call) and call.func is attribute and attribute.attr in _PARSING):
            raise UnclearError
        self._reads(call, attribute.attr, building)

    def _follow(self, statement: ast.stmt, target: ast.Name, building: _Building, depth: int) -> None:
        """The statements after the one that gives a parser its name."""
        block, at = self.names.block(statement)
        held = {target.id: 0}
        first = self.names.sole(target)
        returned: ast.Return | None = None
        for later in block[at + 1 :]:
            if isinstance(later, ast.Return) and isinstance(later.value, ast.Name) and later.value.id == target.id:
                building.closed = True
                self.seen.add(later.value)
                returned = later
            else:
                self._statement(later, held, building, depth)
        self._nowhere_else(first, held)
        if returned is not None:
            self._returned(returned, building, depth)
        else:
            self.plans_found.append(building.plan())

    def _nowhere_else(self, scope: ast.AST, held: dict[str, int]) -> None:
        """Every use of a parser was understood."""
        for name in held:
            if any(use not in self.seen and isinstance(use.ctx, ast.Load) for use in self.names.uses(scope, name)):
                raise UnclearError

    def _returned(self, statement: ast.Return, building: _Building, depth: int) -> None:
        """Whoever calls the function gets the parser."""
        function = self.names.function_of(statement)
        self.handed.add(function)
        for use in self.names.everywhere(function):
            call = self.names.parent(use)
            if not (isinstance(call, ast.Call) and call.func is use):
                raise UnclearError
            self.seen.add(use)
            self._begin(call, _Building(list(building.ops)), depth + 1)

    # ── one statement ──

    def _statement(self, statement: ast.stmt, held: dict[str, int], building: _Building, depth: int) -> None:
        call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if isinstance(call, ast.Call):
            made = self._step(call, held, building, depth)
            if made is not None:
                self._keep(statement, made, held)
                return
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id in held and not self.names.in_inner_function(node, statement):
                self._use(node, building)

    def _keep(self, statement: ast.stmt, made: int, held: dict[str, int]) -> None:
        """What a step gives is thrown away, or gets a name."""
        if isinstance(statement, ast.Expr):
            return
        assert isinstance(statement, ast.Assign)
        target = statement.targets[0]
        if len(statement.targets) != 1 or not isinstance(target, ast.Name) or made < 0 or target.id in held:
            raise UnclearError
        self.names.sole(target)
        held[target.id] = made

    def _use(self, use: ast.Name, building: _Building) -> None:
        """A use in any other statement: it reads, or says something."""
        attribute = self.names.parent(use)
        call = self.names.parent(attribute)
        if not (isinstance(attribute, ast.Attribute) and isinstance(call, ast.Call) and call.func is attribute):
            raise UnclearError
        if attribute.attr in _PARSING:
            self._reads(call, attribute.attr, building)
        elif attribute.attr not in _SAYING:
            raise UnclearError
        self.seen.add(use)

    def _reads(self, call: ast.Call, method: str, building: _Building) -> None:
        building.closed = True
        building.partial = building.partial or method == "parse_known_args"
        building.reads.add(call.lineno)

    # ── steps ──

    def _step(self, call: ast.Call, held: dict[str, int], building: _Building, depth: int) -> int | None:
        """The number of what a call adds (-1: an argument, which is no owner); None if it is no step."""
        if isinstance(call.func, ast.Name) and call.func.id not in held:
            return self._handed_on(call, held, building, depth)
        if not isinstance(call.func, ast.Attribute):
            return None
        base, method = call.func.value, call.func.attr
        if isinstance(base, ast.Name) and base.id in held:
            owner: int | None = held[base.id]
            if method in _PARSING or method in _SAYING:
                return None
            self.seen.add(base)
        elif isinstance(base, ast.Call):
            owner = self._step(base, held, building, depth)
            if owner == -1:
                raise UnclearError
        else:
            return None
        if owner is None:
            return None
        self._no_parsers_in(call, held)
        return self._added(method, owner, call, building)

    def _no_parsers_in(self, call: ast.Call, held: dict[str, int]) -> None:
        for part in (*call.args, *(word.value for word in call.keywords)):
            if any(isinstance(node, ast.Name) and node.id in held for node in walk(part)):
                raise UnclearError

    def _added(self, method: str, owner: int, call: ast.Call, building: _Building) -> int:
        kind = building.ops[owner].kind
        if method == "set_defaults":  # says what is there without a word
            return -1
        if method == "add_argument" and kind != "subparsers":
            names = tuple(map(_text_of, call.args))
            self.lines.setdefault(call.lineno, set()).add(call)
            building.add(Op("argument", owner, call.lineno, names, _settings_of(call, "argument")))
            return -1
        if method in _GROUPS and kind != "subparsers":
            return building.add(Op(_GROUPS[method], owner, call.lineno, (), _settings_of(call, _GROUPS[method])))
        if method == "add_subparsers" and kind in {"parser", "sub"} and not call.args:
            self.lines.setdefault(call.lineno, set()).add(call)
            return building.add(Op("subparsers", owner, call.lineno, (), _settings_of(call, "subparsers")))
        if method == "add_parser" and kind == "subparsers" and len(call.args) == 1:
            return building.add(Op("sub", owner, call.lineno, (_text_of(call.args[0]),), _settings_of(call, "sub")))
        raise UnclearError

    def _handed_on(self, call: ast.Call, held: dict[str, int], building: _Building, depth: int) -> int | None:
        """A function of the file that gets a parser to add to."""
        assert isinstance(call.func, ast.Name)
        given = [i for i, arg in enumerate(call.args) if isinstance(arg, ast.Name) and arg.id in held]
        if not given:
            return None
        if len(given) != 1 or depth >= _MAX_DEPTH or any(isinstance(arg, ast.Starred) for arg in call.args):
            raise UnclearError
        function = self.names.plain_function(call.func.id)
        arg = call.args[given[0]]
        assert isinstance(arg, ast.Name)
        self.seen.update((call.func, arg))
        self.handed.add(call.func.id)
        parameter = self.names.parameter(function, given[0])
        inner = {parameter: held[arg.id]}
        closed = building.closed
        for statement in function.body:
            self._statement(statement, inner, building, depth + 1)
        if building.closed != closed or any(isinstance(node, (ast.Return, ast.Raise)) for node in walk(function)):
            raise UnclearError  # it reads in there, or does not always add everything
        self._nowhere_else(function, inner)
        return -1


def _settings_of(call: ast.Call, kind: str) -> tuple[tuple[str, object], ...]:
    """The settings that decide which words go where; they have to be written out."""
    out: list[tuple[str, object]] = []
    for word in call.keywords:
        if word.arg in _KEPT[kind]:
            out.append((word.arg or "", _plain(word.value)))
        elif word.arg not in _IGNORED:
            raise UnclearError
    return tuple(sorted(out, key=lambda item: item[0]))


def _plain(node: ast.expr) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in {*_NARGS, _BOOLEAN}:
        return _NARGS.get(node.attr, node.attr)
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(map(_plain, node.elts))
    raise UnclearError


def _text_of(node: ast.expr) -> str:
    """A text that is written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise UnclearError
