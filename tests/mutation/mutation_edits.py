"""What can be changed at a node: each change is one small mistake, named by its kind."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mutation_walk import FUNCTIONS, Spot

if TYPE_CHECKING:
    from collections.abc import Iterator

DELETED = "check deleted"
OPERAND = "operand dropped"
PERMISSIVE = "call made permissive"
EXIT = "exit dropped"
FIXED = "condition fixed"
FILTER = "filter dropped"
NEGATED = "condition negated"
COMPARISON = "comparison changed"
SWAPPED = "and/or swapped"
FLIPPED = "boolean flipped"
NOT = "not dropped"
NUMBER = "number off by one"
MEMBER = "member dropped"

# how likely a mutant of a kind is drawn: what takes a check away first
WEIGHTS = {
    DELETED: 6, OPERAND: 5, PERMISSIVE: 5, EXIT: 4, FIXED: 3, FILTER: 3,
    NEGATED: 1, COMPARISON: 2, SWAPPED: 1, FLIPPED: 1, NOT: 1, NUMBER: 1, MEMBER: 1,
}  # fmt: skip

LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
OTHER_COMPARISON = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ANSWERS = {"all": True, "any": False, "compare_digest": True}  # what a call says when there is nothing to object to
CHECKING = ("check", "verify", "require", "refuse", "ensure", "must", "allow_only")
BINDING = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def variants(spot: Spot, checkers: frozenset[str]) -> Iterator[tuple[str, ast.AST]]:  # noqa: C901, PLR0912  one case for each kind of edit
    """Kinds, and what stands there instead. `checkers`: functions of the module that only raise or pass."""
    node = spot.node
    match node:
        case ast.If():
            yield from _branches(node)
        case ast.match_case(guard=ast.expr()):
            yield DELETED, _with(node, guard=None)
            yield FIXED, _with(node, guard=ast.Constant(value=False))
        case ast.IfExp():
            yield FIXED, node.body
            yield FIXED, node.orelse
        case ast.BoolOp():
            yield from _operands(node)
        case ast.Compare():
            for at, op in enumerate(node.ops):
                other = OTHER_COMPARISON[type(op)]()
                yield COMPARISON, _with(node, ops=[*node.ops[:at], other, *node.ops[at + 1 :]])
        case ast.UnaryOp(op=ast.Not()):
            yield NOT, node.operand
        case ast.comprehension():
            for at in range(len(node.ifs)):
                yield FILTER, _with(node, ifs=[*node.ifs[:at], *node.ifs[at + 1 :]])
        case ast.Constant(value=bool() as value):
            yield FLIPPED, ast.Constant(value=not value)
        case ast.Constant(value=int() as value):
            yield NUMBER, ast.Constant(value=value + 1)
        case ast.Expr(value=ast.Call() as call) if _name(call) in checkers or _name(call).lstrip("_").startswith(
            CHECKING
        ):
            yield PERMISSIVE, ast.Pass()
        case ast.Call() if _name(node) in ANSWERS:
            yield PERMISSIVE, ast.Constant(value=ANSWERS[_name(node)])
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break() if _leaves_early(spot):
            yield EXIT, ast.Pass()
        case ast.Set() | ast.Dict() | ast.Tuple() | ast.List():
            yield from _members(spot)


def checkers(tree: ast.Module) -> frozenset[str]:
    """Functions that raise and give nothing: who leaves out their call has deleted their checks."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and isinstance(node.returns, ast.Constant) and node.returns.value is None:
            inside = [type(one) for one in ast.walk(node)]
            if ast.Raise in inside and ast.Yield not in inside:
                found.add(node.name)
    return frozenset(found)


def _with(node: ast.AST, **changes: object) -> ast.AST:
    kept = {field: getattr(node, field, None) for field in node._fields}
    return ast.copy_location(type(node)(**{**kept, **changes}), node)


def _never(test: ast.expr) -> ast.expr:
    """A condition that does not hold; names that it binds are bound still."""
    no = ast.Constant(value=False)
    if any(isinstance(one, BINDING) for one in ast.walk(test)):
        return ast.BoolOp(op=ast.And(), values=[test, no])
    return no


def _branches(node: ast.If) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.body[-1], LEAVING):
        yield DELETED, _with(node, test=_never(node.test))
    else:
        yield FIXED, _with(node, test=_never(node.test))
    if not isinstance(node.test, ast.UnaryOp):  # a `not` is dropped elsewhere
        yield NEGATED, _with(node, test=ast.UnaryOp(op=ast.Not(), operand=node.test))


def _operands(node: ast.BoolOp) -> Iterator[tuple[str, ast.AST]]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield SWAPPED, _with(node, op=other)
    for at in range(len(node.values)):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        yield OPERAND, rest[0] if len(rest) == 1 else _with(node, values=rest)


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _leaves_early(spot: Spot) -> bool:
    """Not the last word of a function, and not all that an `if` does: that is a deleted check."""
    if isinstance(spot.parent, FUNCTIONS):
        return False
    return not (isinstance(spot.parent, ast.If) and spot.field == "body" and len(spot.parent.body) == 1)


def _members(spot: Spot) -> Iterator[tuple[str, ast.AST]]:
    node = spot.node
    if isinstance(node, ast.Dict):
        if len(node.keys) > 1 and all(isinstance(key, ast.Constant) for key in node.keys):
            for at in range(len(node.keys)):
                keys, values = [*node.keys], [*node.values]
                del keys[at], values[at]
                yield MEMBER, _with(node, keys=keys, values=values)
        return
    assert isinstance(node, ast.Set | ast.Tuple | ast.List)
    sought = isinstance(spot.parent, ast.Compare) or (
        isinstance(spot.parent, ast.Call) and _name(spot.parent) == "isinstance"
    )
    if (isinstance(node, ast.Set) or sought) and len(node.elts) > 1:
        for at in range(len(node.elts)):
            yield MEMBER, _with(node, elts=[*node.elts[:at], *node.elts[at + 1 :]])
