"""Statements. There is no control flow: every branch, loop body and handler holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM
from remit.analysis.ir import (
    Await,
    Bind,
    Call,
    Catch,
    Choice,
    Global,
    Iterate,
    Keys,
    Known,
    Mapping,
    Return,
    Term,
    Throw,
    Var,
)
from remit.analysis.javascript.calls import made_require
from remit.analysis.javascript.classes import class_declaration, set_after
from remit.analysis.javascript.functions import function_declaration, named
from remit.analysis.javascript.hoisting import declare_lexical, lower_statements, pattern_names
from remit.analysis.javascript.literals import UNDEFINED
from remit.analysis.javascript.lowerer import Scope, only
from remit.analysis.javascript.operators import assignment_statement, is_only_tested
from remit.analysis.javascript.patterns import assign

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

# Variables of the module body that hold what any `throw` of the file throws.
_THROWN = "%thrown"
_BRACE = ord("{")


def expression_statement(lo: Lowerer, node: Node) -> None:
    """An expression for its effects; no such statement begins with a brace or a lone `let`."""
    first = node.named_child(0)
    if first is not None and lo.source[first.start_byte] == _BRACE and first.type != "object":
        lo.opaque("a block ends before this operator, but the parser reads on", node)
    elif first is not None and first.type == "identifier" and lo.raw(first) == "let":
        lo.opaque("a declaration is read as an expression", node)
    for child in node.named_children:
        if not lo.program.file and lo.body is lo.module and child.type != "comment":
            lo.facts.append(Return(lo.expr(child)))  # text that became code is worth its expressions
        elif child.type == "assignment_expression":
            assignment_statement(lo, child)
        elif child.type != "comment":
            lo.stmt(child)


def declaration(lo: Lowerer, node: Node) -> None:
    """`var`, `let`, `const`, `using`."""
    if lo.helpers and node.id in lo.helpers.values():
        return
    for declarator in node.named_children:
        if declarator.type != "variable_declarator":
            if declarator.type != "comment":
                lo.stmt(declarator)
            continue
        target, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if target is None:
            lo.drop(lo.expr(value))
        elif target.type != "identifier":
            assign(lo, target, lo.expr(value))
        elif value is not None:
            name = lo.name(target)
            term = named(lo, value, name)
            found = lo.scope.find(name)
            if found is not None and isinstance(term, Call):
                made_require(lo, found, term)
            if isinstance(term, Mapping):
                term.soon = set_after(lo, node, name)
            assign(lo, target, term)
        else:
            assign(lo, target, Known(UNDEFINED))


def block(lo: Lowerer, node: Node) -> None:
    """`{ … }`."""
    in_scope(lo, node.named_children)


def in_scope(lo: Lowerer, statements: list[Node]) -> None:
    """Statements with names of their own."""
    with lo.inner_scope() as scope:
        lower_statements(lo, scope, statements)


def if_statement(lo: Lowerer, node: Node) -> None:
    """`if … else if … else`; the chain is read in a loop, since it gets long."""
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        condition = current.child_by_field_name("condition")
        if not is_only_tested(lo, condition):
            lo.drop(lo.expr(condition))
        _one(lo, current.child_by_field_name("consequence"))
        otherwise = current.child_by_field_name("alternative")
        current = only(otherwise) if otherwise is not None else None
    _one(lo, current)


def _one(lo: Lowerer, node: Node | None) -> None:
    """The body of a statement, which may declare a function of its own (`if (x) function f() {}`)."""
    if node is None:
        return
    if node.type in {"function_declaration", "generator_function_declaration"}:
        in_scope(lo, [node])
    else:
        lo.stmt(node)


def conditional_loop(lo: Lowerer, node: Node) -> None:
    """`while`, `do`."""
    lo.drop(lo.expr(node.child_by_field_name("condition")))
    _one(lo, node.child_by_field_name("body"))


def for_statement(lo: Lowerer, node: Node) -> None:
    """`for (a; b; c)`."""
    parts = [node.child_by_field_name(field) for field in ("initializer", "condition", "increment")]
    with lo.inner_scope() as scope:
        declare_lexical(lo, scope, [part for part in parts[:1] if part is not None])
        for part in parts:
            if part is not None:
                lo.stmt(part)
        _one(lo, node.child_by_field_name("body"))


def for_in_statement(lo: Lowerer, node: Node) -> None:
    """`for (x of y)`, `for await`, `for (k in o)`."""
    outer, line = lo.scope, lo.line(node)
    source = lo.expr(node.child_by_field_name("right"))
    scope = lo.scope = Scope(lo.body, outer)
    target, kind = node.child_by_field_name("left"), node.child_by_field_name("kind")
    if kind is not None and kind.type != "var" and target is not None:
        for name in pattern_names(lo, target):
            scope.declare(name)
    operator = node.child_by_field_name("operator")
    element: Term = Keys(source, line) if operator is not None and operator.type == "in" else Iterate(source, line)
    if any(child.type in {"await", "using"} for child in node.children):
        element = Await(element, line)
    if node.child_by_field_name("value") is not None:  # for (var x = 1 in o)
        assign(lo, target, lo.expr(node.child_by_field_name("value")))
    assign(lo, target, element)
    _one(lo, node.child_by_field_name("body"))
    lo.scope = outer


def switch_statement(lo: Lowerer, node: Node) -> None:
    """All cases share one scope."""
    lo.drop(lo.expr(node.child_by_field_name("value")))
    body = node.child_by_field_name("body")
    cases = body.named_children if body is not None else []
    with lo.inner_scope() as scope:
        for case in cases:
            declare_lexical(lo, scope, case.named_children)
        for case in cases:
            value = case.child_by_field_name("value")
            for part in case.named_children:
                if value is not None and part.id == value.id:
                    lo.drop(lo.expr(part))
                else:
                    lo.stmt(part)


def try_statement(lo: Lowerer, node: Node) -> None:
    """`try … catch (e) … finally`: what is caught can be anything, and what this file throws is known."""
    for part in node.named_children:
        if part.type != "catch_clause":
            _one(lo, part.child_by_field_name("body") if part.type == "finally_clause" else part)
            continue
        parameter = part.child_by_field_name("parameter")
        with lo.inner_scope() as scope:
            if parameter is not None:
                for name in pattern_names(lo, parameter):
                    scope.declare(name)
                caught = Catch(Known(BOTTOM), lo.line(part))  # the data of what is thrown; its value is another
                assign(lo, parameter, Choice((Known(ANY), caught, Var(0, _THROWN))))
            _one(lo, part.child_by_field_name("body"))


def throw_statement(lo: Lowerer, node: Node) -> None:
    """Errors of the language are inert; anything else reaches the handlers of the file."""
    term = lo.expr(only(node))
    if isinstance(term, Call) and term.new and isinstance(term.callee, Global) and term.callee.name.endswith("Error"):
        term = Throw(term, lo.line(node))
    lo.facts.append(Bind(0, _THROWN, term))


def return_statement(lo: Lowerer, node: Node) -> None:
    """`return x`."""
    value = only(node)
    term = lo.expr(value) if value is not None else Known(UNDEFINED)
    if value is not None and value.type == "this" and not lo.body.strict and lo.body.class_index is None:
        term = Choice((term, Global("globalThis", lo.line(node))))  # what a plain call has as `this`
    lo.facts.append(Return(term))


def labeled_statement(lo: Lowerer, node: Node) -> None:
    """`label: statement`."""
    _one(lo, node.child_by_field_name("body"))


def with_statement(lo: Lowerer, node: Node) -> None:
    """`with (o)` makes any name of its body a member of `o`."""
    lo.opaque("`with` changes what names mean", node)
    lo.drop(lo.expr(node.child_by_field_name("object")))
    _one(lo, node.child_by_field_name("body"))


def nothing(_lo: Lowerer, _node: Node) -> None:
    """Comments, types, and jumps that carry no value."""


def broken(lo: Lowerer, node: Node) -> None:
    """Where the parse failed the place is opaque already; what could be read in it counts all the same."""
    for child in node.named_children:
        lo.stmt(child)


STATEMENTS: dict[str, Callable[[Lowerer, Node], None]] = {
    "expression_statement": expression_statement, "lexical_declaration": declaration, "variable_declaration": declaration,
    "using_declaration": declaration, "statement_block": block, "if_statement": if_statement,
    "while_statement": conditional_loop, "do_statement": conditional_loop, "for_statement": for_statement,
    "for_in_statement": for_in_statement, "switch_statement": switch_statement, "try_statement": try_statement,
    "throw_statement": throw_statement, "return_statement": return_statement, "labeled_statement": labeled_statement,
    "with_statement": with_statement, "function_declaration": function_declaration,
    "generator_function_declaration": function_declaration, "class_declaration": class_declaration,
    "abstract_class_declaration": class_declaration, "ERROR": broken, "program": broken,
}  # fmt: skip
STATEMENTS |= dict.fromkeys(
    (
        "comment", "html_comment", "hash_bang_line", "empty_statement", "break_statement", "continue_statement",
        "debugger_statement", "statement_identifier", "function_signature", "interface_declaration",
        "type_alias_declaration", "ambient_declaration", "type_annotation", "type_arguments", "type_parameters",
        "optional_chain", "accessibility_modifier", "override_modifier",
    ),
    nothing,
)  # fmt: skip
