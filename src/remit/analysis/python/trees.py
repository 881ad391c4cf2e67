"""Walks syntax trees in a fraction of the time of `ast.walk`: without the nodes that only say which operator or context another has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from remit.core.patterns import lazy_pattern

_PART = lazy_pattern(r"(\w+)([*?]?) (\w+)")
_NO_NODES = frozenset("identifier int string constant expr_context boolop operator unaryop cmpop type_ignore".split())


class _Parts(dict[type, tuple[tuple[str, bool], ...]]):
    """For each kind of node the fields that hold nodes, and whether each holds several, from the grammar in its documentation."""

    def __missing__(self, kind: type) -> tuple[tuple[str, bool], ...]:
        parts = _PART.findall(kind.__doc__ or "")
        found = self[kind] = tuple((name, sign == "*") for of, sign, name in parts if of not in _NO_NODES)
        return found


_PARTS = _Parts({type(None): ()})  # the key of `**x` in a display, a keyword without a default


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one."""
    found: list[ast.AST] = []
    for name, several in _PARTS[type(node)]:
        if several:
            found += getattr(node, name)
        else:
            found.append(getattr(node, name))
    return [part for part in found if part is not None] if None in found else found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, outer ones first."""
    found = [node]
    for outer in found:
        for name, several in _PARTS[type(outer)]:
            if several:
                found += getattr(outer, name)
            else:
                found.append(getattr(outer, name))
    return [part for part in found if part is not None] if None in found else found


def bound_names(node: ast.AST) -> Iterator[str]:
    """The names that a node itself binds, wherever they belong."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname or one.name).partition(".")[0] for one in names)
