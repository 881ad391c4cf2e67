"""Functions, arrows and methods: parameters, `this`, and bodies that wait in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import ANY, PERHAPS
from remit.analysis.ir import (
    Attr,
    Bind,
    Call,
    Choice,
    Evaluate,
    Function,
    Global,
    Item,
    Known,
    MakeFunction,
    Mapping,
    Param,
    Return,
    Sequence,
    SetAttr,
    Term,
    Var,
)
from remit.analysis.javascript.hoisting import declare_vars, lower_statements, pattern_names
from remit.analysis.javascript.lowerer import Body, Scope
from remit.analysis.javascript.patterns import assign

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

# Methods that the language itself calls, with receivers and arguments that no call in the file shows.
IMPLICIT = frozenset({
    "toString", "valueOf", "toJSON", "toLocaleString", "then", "next", "return", "throw", "inspect", "__iter__",
    "@@hasInstance", "@@toPrimitive", "@@toStringTag", "@@dispose", "@@species", "__proto__", "handleEvent",
})  # fmt: skip
_FUNCTION_DEPTH = 200  # functions inside functions: each one looks through those around it
_RESOLVED_EARLY = (Known, Global, Var)


class Form(NamedTuple):
    """How a function is written."""

    name: str
    arrow: bool = False
    class_index: int | None = None
    binding: str = "instance"
    decorated: bool = False


class Modifiers(NamedTuple):
    """The words before a function's or member's name."""

    is_async: bool = False
    generator: bool = False
    static: bool = False
    accessor: str = ""  # `get` or `set`


def modifiers(node: Node) -> Modifiers:
    """The anonymous tokens that stand before the parameters."""
    found = {child.type for child in node.children if not child.is_named}
    return Modifiers(
        "async" in found,
        "*" in found or node.type.startswith("generator_"),
        "static" in found,
        "get" if "get" in found else "set" if "set" in found else "",
    )


def make_function(lo: Lowerer, node: Node, form: Form) -> MakeFunction:
    """A function whose body will be lowered in the current scope, later."""
    words = modifiers(node)
    function = new_function(lo, form, lo.line(node))
    function.is_async, function.generator = words.is_async, words.generator
    if form.name in IMPLICIT:
        function.decorated = True
    body = Body(function, lo.body, lo.source, lo.first_line, arrow=form.arrow)
    if form.class_index is not None:
        body.strict, body.class_index = True, form.class_index
    body.level = lo.body.level + 1
    if body.level > _FUNCTION_DEPTH:
        lo.opaque("the code is nested too deeply", node)
        return MakeFunction(function.index)
    scope = Scope(body, lo.scope)
    lo.queue.append((body, scope, lambda: _lower(lo, node, scope)))
    return MakeFunction(function.index)


def new_function(lo: Lowerer, form: Form, line: int) -> Function:
    """An empty function nested in the current one."""
    function = Function(
        len(lo.program.functions), form.name, line, lo.body.function.index,
        takes_this=not form.arrow, class_index=form.class_index, binding=form.binding, decorated=form.decorated,
    )  # fmt: skip
    if function.takes_this:
        function.params.append(Param("this"))
    lo.program.functions.append(function)
    return function


def _lower(lo: Lowerer, node: Node, scope: Scope) -> None:
    single = node.child_by_field_name("parameter")
    listed = node.child_by_field_name("parameters")
    patterns = [single] if single is not None else [] if listed is None else listed.named_children
    body = node.child_by_field_name("body")
    lo.body.strict = lo.body.strict or (body is not None and _uses_strict(lo, body))
    parameters(lo, scope, patterns)
    if body is None:
        return
    if body.type != "statement_block":
        lo.facts.append(Return(lo.expr(body)))
        return
    inner = Scope(lo.body, scope)
    lo.scope = inner
    statements = body.named_children
    declare_vars(lo, inner, scope, body)
    lower_statements(lo, inner, statements)
    if _may_end(statements) and any(isinstance(fact, Return) and not fact.yields for fact in lo.facts):
        lo.facts.append(Return(Known(PERHAPS)))


def _may_end(statements: list[Node]) -> bool:
    """Whether a body may come to its end without a return; where that is not plain, it may."""
    last = next((node for node in reversed(statements) if node.type != "comment"), None)
    if last is None:
        return True
    if last.type == "statement_block":
        return _may_end(last.named_children)
    if last.type == "if_statement":
        ways = (last.child_by_field_name("consequence"), last.child_by_field_name("alternative"))
        return any(way is None or _may_end([way]) for way in ways)
    if last.type == "else_clause":
        return _may_end(last.named_children)
    if last.type == "try_statement":
        ways = (last.child_by_field_name("body"), last.child_by_field_name("handler"))
        return any(way is not None and _may_end([way]) for way in ways)
    if last.type == "catch_clause":
        body = last.child_by_field_name("body")
        return body is None or _may_end([body])
    return last.type not in {"return_statement", "throw_statement"}


def _uses_strict(lo: Lowerer, body: Node) -> bool:
    return lo.source.find(b"use strict", body.start_byte, body.end_byte) >= 0 and has_directive(lo, body.named_children)


def has_directive(lo: Lowerer, statements: list[Node]) -> bool:
    """Whether the strings that open a body hold `use strict`, unescaped."""
    for statement in statements:
        if statement.type in {"comment", "hash_bang_line"}:
            continue
        first = statement.named_child(0) if statement.type == "expression_statement" else None
        if first is None or first.type != "string":
            return False
        if lo.raw(first)[1:-1] == "use strict":
            return True
    return False


def parameters(lo: Lowerer, scope: Scope, patterns: list[Node]) -> None:
    """Declare the parameters, then bind what their patterns and defaults say."""
    function = lo.body.function
    found = [part for part in (_parameter(node) for node in patterns) if part is not None]
    for part in found:
        for name in pattern_names(lo, part.pattern):
            scope.declare(name)
    plain: list[Param] = []
    for part in found:
        variable = scope.names.get(lo.name(part.pattern)) if part.pattern.type == "identifier" else None
        plain.append(Param((variable or lo.body.temporary()).name, "rest" if part.rest else "positional"))
    function.params.extend(plain)
    for part, param in zip(found, plain, strict=True):
        _bind_parameter(lo, function, part, param)


class _Parameter(NamedTuple):
    pattern: Node
    default: Node | None
    rest: bool
    node: Node
    is_property: bool


def _parameter(node: Node) -> _Parameter | None:
    pattern: Node | None = node
    default: Node | None = None
    is_property = False
    if node.type in {"required_parameter", "optional_parameter"}:
        pattern, default = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        is_property = any(
            child.type in {"accessibility_modifier", "override_modifier", "readonly"} for child in node.children
        )
    if pattern is not None and pattern.type == "assignment_pattern":
        default, pattern = pattern.child_by_field_name("right"), pattern.child_by_field_name("left")
    rest = pattern is not None and pattern.type == "rest_pattern"
    if rest and pattern is not None:
        pattern = pattern.named_child(0)
    if pattern is None or pattern.type in {"this", "comment"}:
        return None
    return _Parameter(pattern, default, rest, node, is_property)


def _bind_parameter(lo: Lowerer, function: Function, part: _Parameter, param: Param) -> None:
    variable = Var(function.index, param.name)
    if part.default is not None:
        default = lo.expr(part.default)
        if _evaluates_outside(default, function.index):
            param.default = default
        else:
            lo.facts.append(Bind(function.index, param.name, default))
    if part.pattern.type != "identifier":
        assign(lo, part.pattern, variable)
    if part.is_property:
        lo.facts.append(SetAttr(lo.body.this, lo.name(part.pattern), variable, lo.line(part.node)))
    for decorator in part.node.children_by_field_name("decorator"):
        args = (Known(ANY), Known(ANY), Known(ANY))
        lo.facts.append(Evaluate(Call(lo.expr(decorator.named_child(0)), args, (), lo.line(decorator))))


def _evaluates_outside(term: Term, function: int) -> bool:
    """Whether a default means the same in the enclosing function: it makes no closure and reads no parameter."""
    if isinstance(term, _RESOLVED_EARLY):
        return not (isinstance(term, Var) and term.owner == function)
    if isinstance(term, Attr):
        return _evaluates_outside(term.base, function)
    if isinstance(term, Item):
        return _evaluates_outside(term.base, function) and _evaluates_outside(term.key, function)
    if isinstance(term, Call):
        return all(_evaluates_outside(part, function) for part in (term.callee, *term.args))
    if isinstance(term, Choice):
        return all(_evaluates_outside(part, function) for part in term.options)
    if isinstance(term, Sequence):
        return all(_evaluates_outside(part, function) for part in term.items)
    if isinstance(term, Mapping):
        return all(key is not None and _evaluates_outside(value, function) for key, value in term.pairs)
    return False


def function_expression(lo: Lowerer, node: Node) -> Term:
    """`function name() {}` as a value: the name is known inside only."""
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return make_function(lo, node, Form("<function>"))
    name = lo.name(name_node)
    if lo.source.count(name.encode(), node.start_byte, node.end_byte) == 1 and b"\\u" not in lo.source:
        return make_function(lo, node, Form(name))
    with lo.inner_scope() as scope:
        variable = scope.declare(name)
        lo.bind(variable, make_function(lo, node, Form(name)))
    return variable


def named(lo: Lowerer, node: Node | None, name: str | None) -> Term:
    """An expression that is given a name: an anonymous function takes it."""
    if name is not None and node is not None and takes_name(node):
        return make_function(lo, node, Form(name, arrow=node.type == "arrow_function"))
    return lo.expr(node)


def takes_name(node: Node) -> bool:
    """Whether an expression is a function without a name of its own."""
    own = node.child_by_field_name("name")
    return node.type == "arrow_function" or (node.type == "function_expression" and own is None)


def arrow_function(lo: Lowerer, node: Node) -> Term:
    """`x => …`: `this`, `arguments` and `super` are those of the enclosing function."""
    return make_function(lo, node, Form("<arrow>", arrow=True))


def function_declaration(lo: Lowerer, node: Node) -> None:
    """A function statement; overloads and `declare` have no body and are another node type."""
    name_node = node.child_by_field_name("name")
    name = lo.name(name_node) if name_node is not None else "<function>"
    made = make_function(lo, node, Form(name))
    targets = {(found.owner, found.name) for found in (lo.scope.find(name), _hoisted(lo, name)) if found is not None}
    for owner, variable in sorted(targets):
        lo.facts.append(Bind(owner, variable, made))


def _hoisted(lo: Lowerer, name: str) -> Var | None:
    """In sloppy code a function of a nested block is also a variable of the function around it."""
    if lo.body.strict:
        return None
    scope = lo.scope
    while scope.parent is not None and scope.parent.body is lo.body:
        scope = scope.parent
        found = scope.names.get(name)
        if found is not None:
            return found
    return None
