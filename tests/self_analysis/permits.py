"""Functions that take a Permit, or whatever opens the doors of their room, and our source without their bodies.

Such a body is entered only with a Permit, if types hold (`loose` looks for the ways around them). What the source can still do
when these bodies are gone, it can do without a Permit.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from self_analysis.source import Source, in_room, parsed

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CUT = "raise AssertionError"  # only a Permit leads past this line


class Key(NamedTuple):
    """What opens the doors of a room: a sealed class, and the modules it is imported from."""

    name: str
    homes: tuple[str, ...]

    @property
    def article(self) -> str:
        """` Permit`, after an `a`: `an Accepted`."""
        return f"n {self.name}" if self.name[0] in "AEIOU" else f" {self.name}"


def key_named(text: str) -> Key:
    """`remit.policy.permit.Permit` is the class of that module, and of its room."""
    home, _, name = text.rpartition(".")
    return Key(name, (".".join(home.split(".")[:2]), home))


PERMIT = key_named("remit.policy.permit.Permit")


class PermitFunction(NamedTuple):
    """A function whose first parameter is a Permit."""

    file: str
    line: int
    name: str
    method: bool


def permit_functions(source: Source, room: str, key: Key = PERMIT) -> tuple[PermitFunction, ...]:
    """Those of a room."""
    return tuple(
        PermitFunction(path, node.lineno, node.name, method)
        for path in source
        if in_room(path, room)
        for node, method in _guarded(parsed(source, path), key)
    )


def without_permits(source: Source, room: str, key: Key = PERMIT) -> Source:
    """The source in which no function of a room that takes a Permit does anything; lines keep their numbers."""
    return {path: _cut(text, key) if in_room(path, room) else text for path, text in source.items()}


def _cut(text: str, key: Key) -> str:
    return with_bodies(text, [node for node, _ in _guarded(ast.parse(text), key)], _CUT)


def with_bodies(text: str, functions: list[Function], body: str) -> str:
    """The text with one statement as the body of each of these functions."""
    lines = text.encode().split(b"\n")
    for node in functions:
        first, last = node.body[0], node.body[-1]
        assert last.end_lineno is not None
        begin = lines[first.lineno - 1][: first.col_offset]
        if first.lineno == last.end_lineno and not begin.isspace():
            begin = begin or b" "  # `def f(permit: Permit): …` on one line
        lines[first.lineno - 1] = begin + body.encode()
        for number in range(first.lineno, last.end_lineno):
            lines[number] = b""
    return b"\n".join(lines).decode()


def _guarded(tree: ast.Module, key: Key) -> Iterator[tuple[Function, bool]]:
    """Functions with a Permit, outermost first; what stands inside of one is not looked at: it goes with its body."""
    if _names_the_key(tree, key):
        yield from _below(tree, key, in_class=False)


def _below(node: ast.AST, key: Key, *, in_class: bool) -> Iterator[tuple[Function, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and takes_permit(child, key, method=in_class):
            yield child, in_class
        else:
            inside = isinstance(child, ast.ClassDef) or (in_class and not isinstance(child, _FUNCTIONS))
            yield from _below(child, key, in_class=inside)


def takes_permit(node: Function, key: Key, *, method: bool) -> bool:
    """Whether the first parameter is a Permit and nothing else, and has to be given.

    A special method is none: the language and libraries call it, whatever its types say.
    """
    if node.name.startswith("__") and node.name.endswith("__"):
        return False
    args = [*node.args.posonlyargs, *node.args.args]
    static = any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in node.decorator_list)
    first = 1 if method and not static else 0
    if len(args) <= first or len(args) - len(node.args.defaults) <= first:
        return False
    wanted = args[first].annotation
    if isinstance(wanted, ast.Constant):
        return bool(wanted.value == key.name)
    return isinstance(wanted, ast.Name) and wanted.id == key.name


def _names_the_key(tree: ast.Module, key: Key) -> bool:
    """Whether its name means the sealed class in this file, and nothing else anywhere in it."""
    bindings = list(_bindings(tree, key.name))
    return bool(bindings) and all(
        isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in key.homes for node in bindings
    )


def _bindings(tree: ast.Module, name: str) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    yield node if alias.name == name else alias
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
            if node.name == name:
                yield node
        elif (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)) or (
            isinstance(node, ast.arg) and node.arg == name
        ):
            yield node
