"""Walks through a module's tree, and says of each node in which function and in which block it stands.

The covering run marks the beginning of each block; a mutant is tried with the tests that enter its block.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BODIES = ("body", "orelse", "finalbody")
# texts for people say nothing about what is decided, and nothing of a type is there when the code runs
TEXTS = (ast.JoinedStr, ast.Assert)
SHOWN = frozenset({"__repr__", "__str__"})
UNSEEN = frozenset({"annotation", "returns", "decorator_list"})


class Spot(NamedTuple):
    """A node, the place that holds it, and where that is."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None  # in a list
    scope: str  # qualified name; `` is the module
    outer: ast.FunctionDef | ast.AsyncFunctionDef | None  # the outermost function around it
    block: str

    def put(self, new: ast.AST) -> None:
        """Let another node stand there."""
        if self.index is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.index] = new


class Block(NamedTuple):
    """Statements that are entered together."""

    key: str
    body: list[ast.stmt]


def walk(tree: ast.Module) -> Iterator[Spot | Block]:
    """All spots and blocks in one order, which is the same for the same text."""
    yield from _Walker().inside(tree, "", None, "")


class _Walker:
    def __init__(self) -> None:
        self.blocks: Counter[str] = Counter()

    def inside(self, parent: ast.AST, scope: str, outer: Any, block: str) -> Iterator[Spot | Block]:
        for field, value in ast.iter_fields(parent):
            if field in UNSEEN:
                continue
            here = block
            if field in BODIES and isinstance(value, list) and value:
                here = f"{scope}#{self.blocks[scope]}"
                self.blocks[scope] += 1
                yield Block(here, value)
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.AST) and not _left_out(node):
                    yield Spot(node, parent, field, index, scope, outer, here)
                    yield from self.inside(node, *_entered(node, scope, outer), here)


def _entered(node: ast.AST, scope: str, outer: Any) -> tuple[str, Any]:
    """Scope and outermost function inside a node."""
    inner = f"{scope}.<locals>" if scope and outer else scope
    if isinstance(node, FUNCTIONS):
        return f"{inner}.{node.name}".lstrip("."), outer or node
    if isinstance(node, ast.ClassDef):
        return f"{inner}.{node.name}".lstrip("."), outer
    return scope, outer


def _left_out(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Expr(value=ast.Constant()):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
    return isinstance(node, TEXTS) or (isinstance(node, FUNCTIONS) and node.name in SHOWN)
