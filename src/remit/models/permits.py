"""Functions that take a Permit, and our source without their bodies.

Such a body is entered only with a Permit, if types hold (`loose` looks for the ways around them). What the source can still do
when these bodies are gone, it can do without a Permit.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.models.source import in_room, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.models.source import Source

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
HOMES = ("remit.policy", "remit.policy.permit")  # where `Permit` is imported from
PERMIT = "Permit"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CUT = "raise AssertionError"  # only a Permit leads past this line


class PermitFunction(NamedTuple):
    """A function whose first parameter is a Permit."""

    file: str
    line: int
    name: str
    method: bool


def permit_functions(source: Source, room: str) -> tuple[PermitFunction, ...]:
    """Those of a room."""
    return tuple(
        PermitFunction(path, node.lineno, node.name, method)
        for path in source
        if in_room(path, room)
        for node, method in _guarded(parsed(source, path))
    )


def without_permits(source: Source, room: str) -> Source:
    """The source in which no function of a room that takes a Permit does anything; lines keep their numbers."""
    return {path: _cut(text) if in_room(path, room) else text for path, text in source.items()}


def _cut(text: str) -> str:
    return with_bodies(text, [node for node, _ in _guarded(ast.parse(text))], _CUT)


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


def _guarded(tree: ast.Module) -> Iterator[tuple[Function, bool]]:
    """Functions with a Permit, outermost first; what stands inside of one is not looked at: it goes with its body."""
    if _names_the_permit(tree):
        yield from _below(tree, in_class=False)


def _below(node: ast.AST, *, in_class: bool) -> Iterator[tuple[Function, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and takes_permit(child, method=in_class):
            yield child, in_class
        else:
            inside = isinstance(child, ast.ClassDef) or (in_class and not isinstance(child, _FUNCTIONS))
            yield from _below(child, in_class=inside)


def takes_permit(node: Function, *, method: bool) -> bool:
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
        return bool(wanted.value == PERMIT)
    return isinstance(wanted, ast.Name) and wanted.id == PERMIT


def _names_the_permit(tree: ast.Module) -> bool:
    """Whether `Permit` means the one of the policy in this file, and nothing else anywhere in it."""
    bindings = list(_bindings_of_permit(tree))
    return bool(bindings) and all(
        isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in HOMES for node in bindings
    )


def _bindings_of_permit(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == PERMIT:
                    yield node if alias.name == PERMIT else alias
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
            if node.name == PERMIT:
                yield node
        elif (isinstance(node, ast.Name) and node.id == PERMIT and not isinstance(node.ctx, ast.Load)) or (
            isinstance(node, ast.arg) and node.arg == PERMIT
        ):
            yield node
