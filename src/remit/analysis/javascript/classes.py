"""Classes: a body whose variables are the members, and a method `<fields>` that sets what construction sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, lit
from remit.analysis.ir import (
    Attr,
    Bind,
    Call,
    ClassInfo,
    Evaluate,
    Function,
    Known,
    MakeClass,
    MakeFunction,
    Mapping,
    SetAttr,
    SetItem,
    Term,
    Var,
)
from remit.analysis.javascript.functions import Form, Modifiers, make_function, modifiers, new_function
from remit.analysis.javascript.hoisting import declare_lexical, declare_vars
from remit.analysis.javascript.literals import UNDEFINED, property_key
from remit.analysis.javascript.operators import named
from remit.analysis.javascript.patterns import key_term, set_member
from remit.analysis.javascript.present import set_by_construction
from remit.analysis.javascript.scopes import Body, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

_FIELDS = frozenset({"field_definition", "public_field_definition"})


class _Class:
    """A class while its members are lowered."""

    def __init__(self, info: ClassInfo, body: Body, variable: Var, fields: Body | None = None) -> None:
        self.info = info
        self.body = body
        self.variable = variable
        self.fields = fields


def class_expression(lo: Lowerer, node: Node) -> Term:
    """A class as a value; its own name, if it has one, is known inside only."""
    outer = lo.scope
    lo.scope = Scope(lo.body, outer)
    name_node = node.child_by_field_name("name")
    variable = lo.scope.declare(lo.name(name_node)) if name_node is not None else lo.body.temporary()
    _lower(lo, node, variable, lo.name(name_node) if name_node is not None else "<class>", ())
    lo.scope = outer
    return variable


def class_declaration(lo: Lowerer, node: Node) -> None:
    """A class statement."""
    declare_class(lo, node, ())


def declare_class(lo: Lowerer, node: Node, decorators: tuple[Node, ...]) -> Var:
    """Lower a class statement and say which variable holds it; `decorators` stand before an `export`."""
    name_node = node.child_by_field_name("name")
    name = lo.name(name_node) if name_node is not None else "<class>"
    variable = (lo.scope.find(name) if name_node is not None else None) or lo.body.temporary()
    _lower(lo, node, variable, name, decorators)
    return variable


def _lower(lo: Lowerer, node: Node, variable: Var, name: str, decorators: tuple[Node, ...]) -> None:
    line = lo.line(node)
    bases = _bases(lo, node)
    function = Function(len(lo.program.functions), name, line, lo.body.function.index, is_class_body=True)
    lo.program.functions.append(function)
    info = ClassInfo(len(lo.program.classes), name, line, function.index, bases)
    if not bases:
        info.present = set_by_construction(lo, node.child_by_field_name("body"))
    lo.program.classes.append(info)
    lo.facts.append(Bind(variable.owner, variable.name, MakeClass(info.index)))
    body = Body(function, lo.body, lo.source, lo.first_line)
    body.strict, body.class_index, body.this = True, info.index, variable
    _members(lo, node.child_by_field_name("body"), _Class(info, body, variable))
    for mark in (*decorators, *node.children_by_field_name("decorator")):
        made = Call(lo.expr(mark.named_child(0)), (variable, Known(ANY)), (), lo.line(mark))
        lo.facts.append(Bind(variable.owner, variable.name, made))


def _bases(lo: Lowerer, node: Node) -> tuple[Term, ...]:
    heritage = next((child for child in node.named_children if child.type == "class_heritage"), None)
    if heritage is None:
        return ()
    for part in heritage.named_children:
        if part.type == "extends_clause":
            return (lo.expr(part.child_by_field_name("value")),)
        if part.type not in {"implements_clause", "comment"}:
            return (lo.expr(part),)
    return ()


def _members(lo: Lowerer, node: Node | None, made: _Class) -> None:
    outer_body, outer_scope = lo.body, lo.scope
    marks: list[Node] = []
    for member in node.named_children if node is not None else ():
        kind = member.type
        if kind == "decorator":
            marks.append(member)
            continue
        _inside(lo, made.body, outer_scope)
        if kind == "method_definition":
            _method(lo, member, made, marks)
        elif kind in _FIELDS:
            _field(lo, member, made, marks)
        elif kind == "class_static_block":
            _static_block(lo, member, made)
        elif kind not in _NO_EFFECT:
            lo.stmt(member)
        marks = []
    lo.body, lo.scope, lo.facts = outer_body, outer_scope, outer_body.facts


_NO_EFFECT = frozenset({"comment", "method_signature", "abstract_method_signature", "index_signature"})


def _inside(lo: Lowerer, body: Body, scope: Scope) -> None:
    """Continue in a body of the class; the text stays that of the class, and names resolve as around it."""
    lo.body, lo.facts = body, body.facts
    lo.scope = Scope(body, scope)


def _method(lo: Lowerer, node: Node, made: _Class, marks: list[Node]) -> None:
    key = key_term(lo, node.child_by_field_name("name"))
    name = property_key(key.value) if isinstance(key, Known) else None
    words = modifiers(node)
    marks = [*marks, *node.children_by_field_name("decorator")]
    if node.child_by_field_name("body") is None:
        return
    plain_accessor = bool(words.accessor) and not words.static
    form = Form(
        name or "<method>",
        class_index=made.info.index,
        binding="property" if plain_accessor else "class" if words.static else "instance",
        decorated=bool(words.accessor or marks) or name is None,
    )
    function = make_function(lo, node, form)
    _bind_method(lo, made, (key, name), words, function)
    if marks:
        _decorate(lo, marks, (made.variable, key, Mapping(((Known(lit("value")), function),), lo.line(node)), function))


def _bind_method(
    lo: Lowerer, made: _Class, key: tuple[Term, str | None], words: Modifiers, function: MakeFunction
) -> None:
    term, name = key
    line = made.info.line
    if words.accessor == "set":
        return  # not a value of the member: its body is live with any argument
    value: Term = Call(function, (), (), line) if words.static and words.accessor else function
    if name is not None:
        lo.facts.append(Bind(made.body.function.index, name, value))
        return
    holder: Term = made.variable if words.static else Attr(made.variable, "prototype", line)
    lo.facts.append(SetItem(holder, term, value, line))


def _decorate(lo: Lowerer, marks: list[Node], args: tuple[Term, ...]) -> None:
    """Old decorators get (class, key, descriptor), new ones (member, context): both see the member."""
    for mark in marks:
        lo.facts.append(Evaluate(Call(lo.expr(mark.named_child(0)), args, (), lo.line(mark))))


def _field(lo: Lowerer, node: Node, made: _Class, marks: list[Node]) -> None:
    words = {child.type for child in node.children if not child.is_named}
    if words & {"declare", "abstract"}:
        return
    key_node = node.child_by_field_name("property") or node.child_by_field_name("name")
    key = key_term(lo, key_node)
    name = property_key(key.value) if isinstance(key, Known) else None
    value_node, line = node.child_by_field_name("value"), lo.line(node)
    marks = [*marks, *node.children_by_field_name("decorator")]
    if marks:
        _decorate(lo, marks, (made.variable, key, Known(ANY)))
    static = "static" in words
    body = made.body if static else _fields(lo, made)
    scope = lo.scope
    lo.body, lo.facts = body, body.facts
    lo.scope = Scope(body, scope.parent)
    value = named(lo, value_node, name or "<field>") if value_node is not None else Known(UNDEFINED)
    if static and name is not None:
        lo.facts.append(Bind(body.function.index, name, value))
    elif name is not None:
        lo.facts.append(SetAttr(body.this, name, value, line))
    else:
        set_member(lo, made.variable if static else body.this, key, value, line)


def _fields(lo: Lowerer, made: _Class) -> Body:
    if made.fields is None:
        function = new_function(lo, Form("<fields>", class_index=made.info.index), made.info.line)
        made.fields = Body(function, made.body, lo.source, lo.first_line)
        made.fields.strict, made.fields.class_index = True, made.info.index
        made.body.facts.append(Bind(made.body.function.index, "<fields>", MakeFunction(function.index)))
    return made.fields


def _static_block(lo: Lowerer, node: Node, made: _Class) -> None:
    """A static block runs once, with the class as `this`: a function that the class body calls."""
    block = node.child_by_field_name("body")
    if block is None:
        return
    function = new_function(
        lo, Form("<static>", arrow=True, class_index=made.info.index, binding="static"), lo.line(node)
    )
    lo.facts.append(Evaluate(Call(MakeFunction(function.index), (), (), lo.line(node))))
    body = Body(function, made.body, lo.source, lo.first_line, arrow=True)
    scope = Scope(body, lo.scope.parent)
    lo.queue.append((body, scope, lambda: _block_body(lo, block, scope)))


def _block_body(lo: Lowerer, block: Node, scope: Scope) -> None:
    declare_vars(lo, scope, None, block)
    declare_lexical(lo, scope, block.named_children)
    for statement in block.named_children:
        lo.stmt(statement)


CLASSES: dict[str, Callable[[Lowerer, Node], Term]] = {"class": class_expression}
