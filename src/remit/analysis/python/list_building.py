"""Lists that a function builds step by step: which steps are taken once and in order, and where the list is handed out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from remit.analysis.ir import Block, Building
from remit.analysis.python.trees import children

STEPS = frozenset({"append", "extend"})
_REPEATED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def building_of(statements: list[ast.stmt], names: set[str]) -> Building:
    """How a body builds the lists that these names hold."""
    blocks = tuple(_blocks(statements))
    loose: set[int] = set()
    exits: set[int] = set()
    aliased = False
    steps: set[ast.Name] = set()
    handed: set[ast.Name] = set()
    loads: list[ast.Name] = []
    for node, maybe, inner in _walk(statements):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            loads.append(node)
            aliased = aliased or inner
        elif isinstance(node, ast.Call):
            target = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr in STEPS else None
            if isinstance(target, ast.Name):
                steps.add(target)
                if maybe:
                    loose.add(node.lineno)
            handed.update(arg for arg in node.args if isinstance(arg, ast.Name))
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            handed.add(node.value)
    for load in loads:
        if load in handed:
            exits.add(load.lineno)
        elif load not in steps:
            aliased = True
    return Building(blocks, frozenset(loose), tuple(sorted(exits)), aliased)


def _walk(statements: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Every node, whether it may be skipped or repeated inside its statement, and whether a nested function holds it."""
    todo = [(node, False, False) for node in statements]
    while todo:
        node, maybe, inner = todo.pop()
        yield node, maybe, inner
        inner = inner or isinstance(node, _INNER)
        if isinstance(node, ast.stmt):
            maybe = False
        maybe = maybe or inner or isinstance(node, (*_REPEATED, ast.IfExp, ast.BoolOp, ast.NamedExpr))
        todo.extend((child, maybe, inner) for child in children(node))


def _blocks(statements: list[ast.stmt]) -> Iterator[Block]:
    """The blocks inside a body, outer ones first."""
    for node in statements:
        if isinstance(node, ast.While):
            yield Block(node.lineno, node.end_lineno or node.lineno, loop=True)
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if inner and not isinstance(node, _INNER):
                yield from _block(inner, loop=name == "body" and isinstance(node, (ast.For, ast.AsyncFor)))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            yield from _block(part.body, loop=False)


def _block(statements: list[ast.stmt], *, loop: bool) -> Iterator[Block]:
    yield Block(statements[0].lineno, statements[-1].end_lineno or statements[-1].lineno, loop)
    yield from _blocks(statements)
