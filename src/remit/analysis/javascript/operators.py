"""Operators, assignments among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import FALSE, SOME_BOOL, SOME_NUM, Num, Text, lit
from remit.analysis.ir import Attr, Binary, Choice, Concat, Delete, Global, Known, SetAttr, Term
from remit.analysis.javascript.expressions import join
from remit.analysis.javascript.functions import named
from remit.analysis.javascript.literals import UNDEFINED
from remit.analysis.javascript.patterns import assign, get_member, set_member

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

_COMPARISONS = frozenset({"==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_IDENTITY = frozenset({"==", "!=", "===", "!==", "instanceof"})
_ARITHMETIC = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "**": "**", "&": "&", "|": "|", "^": "^", "<<": "<<",
    ">>": ">>", ">>>": ">>",
}  # fmt: skip
_TESTED = frozenset({"module", "module.parent", "require.main"})
_BOOLEAN_NODES = frozenset({"true", "false"})
# What `a && b` is when it is not `b`: the empty text counts, because a path made of it is another path.
_FALSY = Known(UNDEFINED | {FALSE, Text(())})
_FALSE = Known(frozenset({FALSE}))
_TYPE_NAMES = Known(
    frozenset[Text]().union(
        *(lit(name) for name in ("undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"))
    )
)
_REFERENCES = frozenset({"identifier", "member_expression", "this", "undefined", "meta_property", "super"})


def binary(lo: Lowerer, node: Node) -> Term:
    """A binary operator; the left spine of a long chain is walked in a loop."""
    spine: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        spine.append(current)
        current = current.child_by_field_name("left")
    if current is not None and current.type == "arrow_function":
        lo.opaque("an arrow function ends before this operator, but the parser reads on", spine[-1])
    bare = _operator(spine[-1]) in _IDENTITY and is_only_tested(lo, current)
    term = _FALSE if bare else lo.expr(current)
    boolean = current is not None and current.type in _BOOLEAN_NODES
    for link in reversed(spine):
        operator = _operator(link)
        term, boolean = _apply(lo, link, operator, term, boolean=boolean), operator in _COMPARISONS
    return term


def _operator(node: Node) -> str:
    token = node.child_by_field_name("operator")
    return token.type if token is not None else "?"


def _apply(lo: Lowerer, node: Node, operator: str, left: Term, *, boolean: bool) -> Term:
    line = lo.line(node)
    right_node = node.child_by_field_name("right")
    if operator in _IDENTITY and is_only_tested(lo, right_node):
        lo.drop(left)
        return Known(SOME_BOOL)
    right = lo.expr(right_node)
    if operator in _COMPARISONS:
        return Binary("cmp", left, right, line)
    if operator == "&&":
        lo.drop(left)
        return Choice((_FALSE if boolean else _FALSY, right))
    if operator in {"||", "??"}:
        options = left.options if isinstance(left, Choice) else (left,)
        return Choice((*options, right), fallback=True)
    return add(left, right, line) if operator == "+" else _arithmetic(lo, operator, left, right, line)


def _arithmetic(lo: Lowerer, operator: str, left: Term, right: Term, line: int) -> Term:
    known = _ARITHMETIC.get(operator)
    if known is None:
        lo.drop(left)
        lo.drop(right)
        return Known(SOME_NUM)
    return Binary(known, left, right, line)


def add(left: Term, right: Term, line: int) -> Term:
    """`+`: joining texts as soon as one side is known to be one."""
    if isinstance(left, Concat):
        return join([*left.parts, right], line)
    if _is_text(left) or _is_text(right):
        return join([left, *(right.parts if isinstance(right, Concat) else (right,))], line)
    return Binary("+", left, right, line)


def _is_text(term: Term) -> bool:
    if isinstance(term, Concat):
        return True
    return isinstance(term, Known) and bool(term.value) and all(isinstance(atom, Text) for atom in term.value)


def is_only_tested(lo: Lowerer, node: Node | None) -> bool:
    """`require.main === module`, `!module.parent`: only what they are is asked, and nothing is done with them."""
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_child(0)
    if node is None or node.type not in {"identifier", "member_expression"}:
        return False
    name = lo.raw(node)
    return name in _TESTED and lo.scope.find(name.partition(".")[0]) is None


def unary(lo: Lowerer, node: Node) -> Term:
    """Prefix operators; `typeof` and `delete` do not read their operand."""
    operator = _operator(node)
    argument = node.child_by_field_name("argument")
    if operator == "typeof":
        if argument is not None and argument.type not in _REFERENCES:
            lo.drop(lo.expr(argument))
        return _TYPE_NAMES
    if operator == "delete":
        _delete(lo, argument)
        return Known(SOME_BOOL)
    if operator == "!" and is_only_tested(lo, argument):
        return Known(SOME_BOOL)
    term = lo.expr(argument)
    if operator == "-" and isinstance(term, Known):
        return Known(frozenset({_negative(atom) if isinstance(atom, Num) else Num() for atom in term.value}))
    lo.drop(term)
    return Known({"!": SOME_BOOL, "void": UNDEFINED}.get(operator, SOME_NUM))


def _negative(number: Num) -> Num:
    low, high = number.low, number.high
    return Num(None if high is None else -high, None if low is None else -low)


def _delete(lo: Lowerer, node: Node | None) -> None:
    while node is not None and node.type in {"parenthesized_expression", "non_null_expression"}:
        node = node.named_child(0)
    if node is None:
        return
    if node.type == "member_expression":
        name = node.child_by_field_name("property")
        key: Term = lo.text(lo.name(name), lo.line(node)) if name is not None else lo.expr(None)
        lo.facts.append(Delete(lo.expr(node.child_by_field_name("object")), key, lo.line(node)))
    elif node.type == "subscript_expression":
        base = lo.expr(node.child_by_field_name("object"))
        lo.facts.append(Delete(base, lo.expr(node.child_by_field_name("index")), lo.line(node)))
    else:
        lo.drop(lo.expr(node))


def update(lo: Lowerer, node: Node) -> Term:
    """`x++`: a number, whatever it was."""
    assign(lo, node.child_by_field_name("argument"), Known(SOME_NUM))
    return Known(SOME_NUM)


def assignment(lo: Lowerer, node: Node) -> Term:
    """`target = value`; the value of the expression is what was assigned."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "identifier":
        property_node = left.child_by_field_name("property") if left is not None else None
        term = lo.stable(named(lo, right, lo.name(property_node)) if property_node is not None else lo.expr(right))
        assign(lo, left, term)
        return term
    name = lo.name(left)
    term = named(lo, right, name)
    assign(lo, left, term)
    found = lo.scope.find(name)
    return found if found is not None else term if isinstance(term, Known) else Global(name, lo.line(node))


def assignment_statement(lo: Lowerer, node: Node) -> None:
    """An assignment whose value nobody uses."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    name_node = left
    if left is not None and left.type != "identifier":
        name_node = left.child_by_field_name("property")
    assign(lo, left, named(lo, right, lo.name(name_node)) if name_node is not None else lo.expr(right))


def augmented(lo: Lowerer, node: Node) -> Term:
    """`target op= value`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator, line = _operator(node).removesuffix("="), lo.line(node)
    while left is not None and left.type in {"parenthesized_expression", "non_null_expression"}:
        left = left.named_child(0)
    if left is not None and left.type == "member_expression" and lo.raw(left) != "module.exports":
        return _augmented_member(lo, left, operator, lo.expr(right))
    if left is not None and left.type == "subscript_expression":
        base = lo.stable(lo.expr(left.child_by_field_name("object")))
        key = lo.stable(lo.expr(left.child_by_field_name("index")))
        term = lo.stable(_combine(lo, operator, get_member(base, key, line), lo.expr(right), line))
        set_member(lo, base, key, term, line)
        return term
    current = lo.expr(left)
    assign(lo, left, _combine(lo, operator, current, lo.expr(right), line))
    return current


def _augmented_member(lo: Lowerer, target: Node, operator: str, right: Term) -> Term:
    base, line = lo.stable(lo.expr(target.child_by_field_name("object"))), lo.line(target)
    property_node = target.child_by_field_name("property")
    name = lo.name(property_node) if property_node is not None else ""
    term = lo.stable(_combine(lo, operator, Attr(base, name, line), right, line))
    lo.facts.append(SetAttr(base, name, term, line))
    return term


def _combine(lo: Lowerer, operator: str, left: Term, right: Term, line: int) -> Term:
    if operator in {"&&", "||", "??"}:
        return Choice((left, right), fallback=operator != "&&")
    return add(left, right, line) if operator == "+" else _arithmetic(lo, operator, left, right, line)


OPERATORS: dict[str, Callable[[Lowerer, Node], Term]] = {
    "binary_expression": binary, "unary_expression": unary, "update_expression": update,
    "assignment_expression": assignment, "augmented_assignment_expression": augmented,
}  # fmt: skip
