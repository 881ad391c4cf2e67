"""Ways around the types on which the Permit rests, where a type checker has no objection.

mypy refuses to pass anything but a Permit where one is wanted, unless it is told not to look, or the value comes through `Any`.
So what is looked for: comments and casts that silence it, functions with a Permit that are used as values (whoever takes a
function may call it with anything), calls whose first argument is not spelled out, and users of names that are no doors.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import TypeAlias

from self_analysis.permits import PERMIT, Key, permit_functions
from self_analysis.source import Source, in_room, nodes

Place: TypeAlias = "tuple[str, int, str]"  # file, line, what is wrong
Nodes: TypeAlias = "tuple[ast.AST, ...]"  # of one file
_SILENCES = re.compile(r"#\s*(type:\s*ignore|mypy:)")


def loose(source: Source, room: str, key: Key = PERMIT) -> Iterator[Place]:
    """In a room and in all who use it."""
    doors = permit_functions(source, room, key)
    functions = {item.name for item in doors if not item.method}
    methods = {item.name for item in doors if item.method}
    named = re.compile(rf"\b(?:{key.name}|{room})\b")  # as a user does
    for path, text in source.items():
        inside = in_room(path, room)
        if not (inside or ((key.name in text or room in text) and named.search(text))):
            continue
        tree = nodes(source, path)
        imports = _Imports(tree, room)
        yield from ((path, *place) for place in _casts(tree, key))
        if inside or imports.any:
            yield from ((path, *place) for place in _silenced(text))
            names = {bound for bound, name in imports.names.items() if name in functions}
            names |= {item.name for item in doors if item.file == path and not item.method}
            yield from ((path, *place) for place in _uses(tree, names, functions | methods, key))
        if not inside:
            yield from ((path, *place) for place in imports.private)


class _Imports:
    """What a module takes from a room."""

    def __init__(self, tree: Nodes, room: str) -> None:
        self.names: dict[str, str] = {}  # bound here → its name there
        self.private: list[tuple[int, str]] = []
        modules: set[str] = set()
        package = f"remit.{room}"
        for node in tree:
            if isinstance(node, ast.ImportFrom) and node.module and _below(node.module, package):
                for alias in node.names:
                    self.names[alias.asname or alias.name] = alias.name
                    modules.add(alias.asname or alias.name)
                    self._judge(alias.name, node.lineno)
            elif isinstance(node, ast.ImportFrom) and node.module == "remit":
                modules.update(alias.asname or alias.name for alias in node.names if alias.name == room)
            elif isinstance(node, ast.Import):
                modules.update(alias.asname or "remit" for alias in node.names if _below(alias.name, package))
        for node in tree:
            if isinstance(node, ast.Attribute) and _root(node.value) in modules:
                self._judge(node.attr, node.lineno)
        self.any = bool(modules)

    def _judge(self, name: str, line: int) -> None:
        if name.startswith("_") and not name.endswith("__"):
            self.private.append((line, f"`{name}` is no door of the room"))


def _below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _casts(tree: Nodes, key: Key) -> Iterator[tuple[int, str]]:
    for node in tree:
        called = node.func if isinstance(node, ast.Call) else None
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        if (
            isinstance(node, ast.Call)
            and name == "cast"
            and node.args
            and re.search(rf"\b{key.name}\b", ast.unparse(node))
        ):
            yield node.lineno, f"a value is declared to be a{key.article}"


def _silenced(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.type == tokenize.COMMENT and _SILENCES.search(token.string)
        if comment or (token.type == tokenize.NAME and token.string == "no_type_check"):
            yield token.start[0], "the type checker is told not to look"


def _uses(tree: Nodes, names: set[str], attributes: set[str], key: Key) -> Iterator[tuple[int, str]]:
    """Functions with a Permit that are not simply called with one."""
    called = {id(node.func): node for node in tree if isinstance(node, ast.Call)}
    for node in tree:
        if isinstance(node, ast.Name):
            wanted = isinstance(node.ctx, ast.Load) and node.id in names
        else:
            wanted = isinstance(node, ast.Attribute) and node.attr in attributes and not _foreign(node, tree)
        if not wanted or not isinstance(node, ast.Name | ast.Attribute):
            continue
        call = called.get(id(node))
        name = node.id if isinstance(node, ast.Name) else node.attr
        if call is None:
            yield node.lineno, f"`{name}` wants a{key.article} and is used as a value"
        elif _unsaid(call):
            yield node.lineno, f"`{name}` wants a{key.article} and is called without one in the first place"


def _unsaid(call: ast.Call) -> bool:
    """Whether the first argument is one of which mypy knows nothing, or nothing at all."""
    if call.args:
        return isinstance(call.args[0], ast.Starred | ast.Constant | ast.Lambda)
    return any(word.arg is None or isinstance(word.value, ast.Constant) for word in call.keywords)


def _foreign(node: ast.Attribute, tree: Nodes) -> bool:
    """Whether an attribute is that of a module of a library (`subprocess.run`)."""
    root = _root(node.value)
    return any(
        isinstance(item, ast.Import)
        and any(
            (alias.asname or alias.name.partition(".")[0]) == root and not _below(alias.name, "remit")
            for alias in item.names
        )
        for item in tree
    )
