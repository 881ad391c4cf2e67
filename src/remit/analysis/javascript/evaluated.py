"""Direct `eval`: its text runs among the variables around it, so a constant text is lowered in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY
from remit.analysis.ir import Call, Global, Known, Term
from remit.analysis.javascript.grammar import TOO_LONG, misread, parse
from remit.analysis.javascript.hoisting import declare_lexical
from remit.analysis.javascript.literals import property_key
from remit.analysis.javascript.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

_DECLARES = frozenset({"variable_declaration", "function_declaration", "generator_function_declaration"})
_NESTING_LIMIT = 4


def direct_eval(lo: Lowerer, call: Node, given: tuple[Term, ...]) -> Term:
    """`eval(text)` under its own name."""
    line = lo.line(call)
    for extra in given[1:]:
        lo.drop(extra)
    code = given[0] if given else Known(ANY)
    constant = property_key(code.value) if isinstance(code, Known) else None
    if constant is None or lo.nested_evals >= _NESTING_LIMIT:
        lo.opaque("`eval` can change the variables around it", call)
        return Call(Global("eval", line), (code,), (), line)
    lo.nested_evals += 1
    value = _inline(lo, call, constant.encode("utf-8", "replace"))
    lo.nested_evals -= 1
    return value


def _inline(lo: Lowerer, call: Node, source: bytes) -> Term:
    tree = parse(source, "js")
    if tree is None:
        lo.opaque(TOO_LONG, call)
        return Known(ANY)
    for reason, _row in misread(source, tree):
        lo.opaque(reason, call)
    statements = tree.root_node.named_children
    if b"var" in source or any(statement.type in _DECLARES for statement in statements):
        lo.opaque("`eval` can declare variables around it", call)
    outer = lo.scope, lo.source, lo.first_line
    scope = Scope(lo.body, lo.scope)
    lo.scope, lo.first_line, lo.source = scope, lo.line(call), source
    declare_lexical(lo, scope, statements)
    value: Term = Known(ANY)
    for statement in statements:
        if statement.type == "expression_statement":
            value = lo.stable(lo.expr(statement.named_child(0)))
        else:
            lo.stmt(statement)
            value = Known(ANY)
    lo.scope, lo.source, lo.first_line = outer
    return value
