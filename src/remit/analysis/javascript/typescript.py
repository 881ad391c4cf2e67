"""What TypeScript adds that leaves something behind at run time: enums, namespaces, import aliases."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_NUM, Num, Text, lit
from remit.analysis.ir import Attr, Bind, Known, Mapping, SetAttr, SetItem, Term, Var
from remit.analysis.javascript.hoisting import declare_lexical, declare_vars
from remit.analysis.javascript.literals import number_text, property_key
from remit.analysis.javascript.modules import exports_of
from remit.analysis.javascript.patterns import key_term
from remit.analysis.javascript.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer


def enum_declaration(lo: Lowerer, node: Node) -> None:
    """An enum: an object from names to values, and from numbers back to names; members see each other by name."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    variable = lo.scope.find(lo.name(name_node)) if name_node is not None else None
    if variable is None or body is None:
        return
    outer, line = lo.scope, lo.line(node)
    lo.scope = Scope(lo.body, outer)
    lo.facts.append(Bind(variable.owner, variable.name, Mapping((), line)))
    following: int | None = 0
    for member in body.named_children:
        if member.type == "comment":
            continue
        name_of = member.child_by_field_name("name") if member.type == "enum_assignment" else member
        value_node = member.child_by_field_name("value") if member.type == "enum_assignment" else None
        key = key_term(lo, name_of)
        value: Term = lo.expr(value_node) if value_node is not None else _numbered(following)
        following = _after(value)
        _member(lo, variable, key, value, lo.line(member))
    lo.scope = outer


def _numbered(number: int | None) -> Known:
    return Known(SOME_NUM if number is None else frozenset({Num(number, number)}))


def _after(value: Term) -> int | None:
    """The number that the next member gets by itself."""
    if isinstance(value, Known) and len(value.value) == 1:
        (atom,) = value.value
        if isinstance(atom, Num) and atom.low is not None and atom.low == atom.high:
            return int(atom.low) + 1
    return None


def _member(lo: Lowerer, variable: Var, key: Term, value: Term, line: int) -> None:
    value = lo.stable(value)
    name = property_key(key.value) if isinstance(key, Known) else None
    if name is None:
        lo.facts.append(SetItem(variable, key, value, line))
        return
    lo.facts.append(SetAttr(variable, name, value, line))
    local = lo.scope.declare(name)
    lo.facts.append(Bind(local.owner, local.name, value))
    if isinstance(value, Known) and all(isinstance(atom, Text) for atom in value.value):
        return  # only numbers lead back to their names
    back = property_key(value.value) if isinstance(value, Known) else None
    number: Term = Known(lit(number_text(float(back)))) if back is not None else Known(SOME_NUM)
    lo.facts.append(SetItem(variable, number, key, line))


def namespace(lo: Lowerer, node: Node) -> None:
    """`namespace A.B { … }`: an object, whose exported names all its blocks share."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or body is None or name_node.type == "string":
        return
    names = [part for part in lo.raw(name_node).replace(" ", "").split(".") if part]
    holder: Term | None = lo.scope.find(names[0]) if names else None
    if holder is None:
        return
    line, outer = lo.line(node), lo.scope
    assert isinstance(holder, Var)
    lo.facts.append(Bind(holder.owner, holder.name, Mapping((), line)))
    for name in names[1:]:
        inner: Term = Attr(holder, name, line)
        lo.facts.append(SetAttr(holder, name, Mapping((), line), line))
        holder = inner
    key = (outer.body.function.index, ".".join(names))
    shared = lo.namespaces.get(key)
    if shared is None:
        shared = lo.namespaces[key] = Scope(lo.body, outer)
    _namespace_body(lo, body, shared, holder)
    lo.scope = outer


def _namespace_body(lo: Lowerer, body: Node, scope: Scope, holder: Term) -> None:
    lo.scope = scope
    statements = body.named_children
    declare_vars(lo, scope, None, body)
    declare_lexical(lo, scope, statements)
    for statement in statements:
        if statement.type == "export_statement":
            for name, term, line in exports_of(lo, statement):
                if name is not None:
                    lo.facts.append(SetAttr(holder, name, term, line))
        else:
            lo.stmt(statement)


def import_alias(lo: Lowerer, node: Node) -> None:
    """`import A = N.M`."""
    local = node.named_child(0)
    target = node.named_child(node.named_child_count - 1)
    if local is None or target is None:
        return
    first, *members = lo.raw(target).replace(" ", "").split(".")
    term: Term | None = lo.scope.find(first)
    found = lo.scope.find(lo.name(local))
    if term is None or found is None:
        return  # an alias of a type, or of a declaration without a body
    for member in members:
        term = Attr(term, member, lo.line(node))
    lo.facts.append(Bind(found.owner, found.name, term))


TYPESCRIPT: dict[str, Callable[[Lowerer, Node], None]] = {
    "enum_declaration": enum_declaration,
    "internal_module": namespace,
    "module": namespace,
    "import_alias": import_alias,
}
