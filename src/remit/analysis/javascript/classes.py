"""Classes: a body whose variables are the members, and a method `<fields>` that sets what construction sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

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
from remit.analysis.javascript.functions import Form, Modifiers, make_function, modifiers, named, new_function
from remit.analysis.javascript.hoisting import declare_vars, lower_statements
from remit.analysis.javascript.literals import UNDEFINED, constant_key
from remit.analysis.javascript.lowerer import Body, Scope
from remit.analysis.javascript.patterns import key_term, set_member
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer


_NAMES = frozenset({"property_identifier", "private_property_identifier"})
_FIELDS = frozenset({"field_definition", "public_field_definition"})
_NOT_SET = frozenset({"static", "declare", "abstract"})
_ACCESSORS = frozenset({"get", "set", "accessor"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_MEMBER = lazy_pattern(rb"\bthis\.(#?[A-Za-z_$][\w$]*)")
# A use of `this` that may hand the object on or call a method of it; what is left reads or sets a member.
_SHOWN = lazy_pattern(rb"\bthis\b(?!\.#?[A-Za-z_$][\w$]*\s*(?:[;,)\]}+\-*/|&:<>=]|$))")
_LATER = lazy_pattern(rb"=>|\bfunction\b")  # code that reads the object when it is called
_LEAVES = lazy_pattern(rb"\b(?:return|eval)\b")


class _Step(NamedTuple):
    """A thing that construction does: it sets a member, or none that is plain, to what the source says."""

    member: Node | None
    source: bytes


def set_after(lo: Lowerer, declaration: Node, name: str) -> frozenset[str]:
    """`const o = {}; o.a = 1; o.b = x;`: the members that the statements after a declaration set, none of which calls anything."""
    source = _bytes(declaration)
    if declaration.named_child_count != 1 or b"set " in source or b"get " in source:
        return frozenset()
    out: set[str] = set()
    node = declaration.next_named_sibling
    while node is not None:
        if node.type != "comment":
            member, value = _assigned(node, name.encode())
            if member is None or value is None or not (value.type in _FUNCTIONS or _is_plain(_bytes(value), name)):
                break
            out.add(lo.name(member))
        node = node.next_named_sibling
    return frozenset(out)


def _is_plain(source: bytes, name: str) -> bool:
    """Whether an expression calls nothing, and does not name the object."""
    return not (b"(" in source or b"`" in source or b"new" in source or name.encode() in source)


def set_by_construction(lo: Lowerer, body: Node | None) -> frozenset[str]:
    """What the fields and the constructor of a class that extends nothing set before it is read, and before they show the object."""
    members = body.named_children if body is not None else []
    if any(child.type in _ACCESSORS for member in members for child in member.children):
        return frozenset()  # setting or reading a member runs code
    first: dict[str, bool] = {}  # member → whether the first thing done to it is to set it
    for step in _steps(members):
        source = step.source
        if _LEAVES.search(source) or (b"this" in source and (_SHOWN.search(source) or _LATER.search(source))):
            break
        for name in _MEMBER.findall(source):
            first.setdefault(name.decode("utf-8", "replace"), False)
        if step.member is not None:
            first.setdefault(lo.name(step.member), True)
    return frozenset(name for name, is_set in first.items() if is_set)


def _steps(members: list[Node]) -> Iterator[_Step]:
    for field in members:
        if field.type in _FIELDS and not any(child.type in _NOT_SET for child in field.children):
            key, value = (field.child_by_field_name("property"), field.child_by_field_name("value"))
            key = key or field.child_by_field_name("name")
            yield _Step(key if key is not None and key.type in _NAMES else None, _bytes(value))
    for member in members:
        key = member.child_by_field_name("name") if member.type == "method_definition" else None
        if key is not None and _bytes(key) == b"constructor":
            yield from _constructor_steps(member.child_by_field_name("parameters"), member.child_by_field_name("body"))


def _constructor_steps(parameters: Node | None, body: Node | None) -> Iterator[_Step]:
    for parameter in parameters.named_children if parameters is not None else ():
        yield _Step(None, _bytes(parameter))
        if any(child.type in {"accessibility_modifier", "readonly"} for child in parameter.children):
            pattern = parameter.child_by_field_name("pattern")  # TypeScript: `constructor(private readonly x: string)`
            yield _Step(pattern if pattern is not None and pattern.type == "identifier" else None, b"")
    for statement in body.named_children if body is not None else ():
        member, value = _assigned(statement, b"this")
        yield _Step(member, _bytes(value)) if member is not None else _Step(None, _bytes(statement))


def _assigned(statement: Node, holder: bytes) -> tuple[Node | None, Node | None]:
    """The member and the value of `holder.member = value`."""
    first = statement.named_child(0) if statement.type == "expression_statement" else None
    left = first.child_by_field_name("left") if first is not None and first.type == "assignment_expression" else None
    base = left.child_by_field_name("object") if left is not None and left.type == "member_expression" else None
    if first is None or left is None or base is None or _bytes(base) != holder:
        return None, None
    member = left.child_by_field_name("property")
    named = member is not None and member.type in _NAMES
    return (member if named else None), first.child_by_field_name("right")


def _bytes(node: Node | None) -> bytes:
    return (node.text if node is not None else None) or b""


class _Class:
    """A class while its members are lowered."""

    def __init__(self, info: ClassInfo, body: Body, variable: Var, fields: Body | None = None) -> None:
        self.info = info
        self.body = body
        self.variable = variable
        self.fields = fields


def class_expression(lo: Lowerer, node: Node) -> Term:
    """A class as a value; its own name, if it has one, is known inside only."""
    name_node = node.child_by_field_name("name")
    with lo.inner_scope() as scope:
        variable = scope.declare(lo.name(name_node)) if name_node is not None else lo.body.temporary()
        _lower(lo, node, variable, lo.name(name_node) if name_node is not None else "<class>", ())
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
    lo.bind(variable, MakeClass(info.index))
    body = Body(function, lo.body, lo.source, lo.first_line)
    body.strict, body.class_index, body.this = True, info.index, variable
    _members(lo, node.child_by_field_name("body"), _Class(info, body, variable))
    for mark in (*decorators, *node.children_by_field_name("decorator")):
        made = Call(lo.expr(mark.named_child(0)), (variable, Known(ANY)), (), lo.line(mark))
        lo.bind(variable, made)


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
    name = constant_key(key)
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
    name = constant_key(key)
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
    lower_statements(lo, scope, block.named_children)


CLASSES: dict[str, Callable[[Lowerer, Node], Term]] = {"class": class_expression}
