"""Targets: what declarations, assignments, parameters, loops and catch clauses bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import lit
from remit.analysis.ir import Attr, Bind, Choice, Element, Global, Item, Known, Rest, SetAttr, SetItem, Term
from remit.analysis.javascript.literals import array_index, constant_key
from remit.analysis.javascript.lowerer import DEPTH_LIMIT, Lowerer

if TYPE_CHECKING:
    from tree_sitter import Node


_NAMES = frozenset({
    "identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier", "undefined", "property_identifier",
})  # fmt: skip
_WRAPPERS = frozenset({
    "parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression", "required_parameter",
    "optional_parameter",
})  # fmt: skip


def assign(lo: Lowerer, target: Node | None, term: Term) -> None:
    """Bind what `target` names to `term`. Declared names were hoisted, so declaring and assigning are one."""
    if target is None:
        lo.drop(term)
        return
    lo.depth += 1
    if lo.depth > DEPTH_LIMIT:
        lo.opaque("the code is nested too deeply", target)
    else:
        _assign(lo, target, term)
    lo.depth -= 1


def _assign(lo: Lowerer, target: Node, term: Term) -> None:
    kind = target.type
    if kind in _NAMES:
        assign_name(lo, lo.name(target), term, target)
    elif kind == "member_expression":
        _member(lo, target, term)
    elif kind == "subscript_expression":
        base = lo.expr(target.child_by_field_name("object"))
        set_member(lo, base, lo.expr(target.child_by_field_name("index")), term, lo.line(target))
    elif kind in {"object_pattern", "object"}:
        _object(lo, target, lo.stable(term))
    elif kind in {"array_pattern", "array"}:
        _array(lo, target, lo.stable(term))
    elif kind in {"assignment_pattern", "object_assignment_pattern", "assignment_expression"}:
        default = lo.expr(target.child_by_field_name("right"))
        assign(lo, target.child_by_field_name("left"), Choice((term, default), fallback=True))
    elif kind in _WRAPPERS:
        assign(lo, target.child_by_field_name("pattern") or target.named_child(0), term)
    elif kind == "type_assertion":
        assign(lo, target.named_child(target.named_child_count - 1), term)
    else:
        lo.drop(term)
        lo.drop(lo.expr(target))


def assign_name(lo: Lowerer, name: str, term: Term, node: Node) -> None:
    """`name = term`: a variable, a name of the module wrapper, or a new global."""
    found = lo.scope.find(name)
    if found is None and name == "exports":
        found = lo.exports
    if found is not None:
        lo.bind(found, term)
    elif lo.holds_hole(name):
        lo.opaque("a placeholder is assigned to", node)
        lo.drop(term)
    else:
        line = lo.line(node)
        lo.facts.append(SetAttr(Global("globalThis", line), name, term, line))


def _member(lo: Lowerer, target: Node, term: Term) -> None:
    base_node = target.child_by_field_name("object")
    name_node = target.child_by_field_name("property")
    line = lo.line(target)
    if base_node is None or name_node is None:
        lo.drop(term)
        return
    name = lo.name(name_node)
    if (
        name == "exports"
        and base_node.type == "identifier"
        and lo.name(base_node) == "module"
        and not lo.scope.find("module")
    ):
        lo.facts.append(Bind(0, lo.exports.name, term))
    else:
        lo.facts.append(SetAttr(lo.expr(base_node), name, term, line))


def set_member(lo: Lowerer, base: Term, key: Term, term: Term, line: int) -> None:
    """`base[key] = term`; a constant key is a member's name."""
    name = constant_key(key)
    if name is not None and array_index(name) is None:
        lo.facts.append(SetAttr(base, name, term, line))
        return
    lo.facts.append(SetItem(base, key, term, line))
    arguments = lo.body.arguments() if getattr(base, "name", None) == "arguments" else None
    if arguments is not None and arguments == base:
        # In sloppy functions `arguments` and the parameters are one.
        for param in lo.program.functions[arguments.owner].params:
            if param.kind == "positional" and param.name != "this":
                lo.facts.append(Bind(arguments.owner, param.name, term))


def get_member(base: Term, key: Term, line: int) -> Term:
    """`base[key]`; a constant key is a member's name."""
    name = constant_key(key)
    return Attr(base, name, line) if name is not None and array_index(name) is None else Item(base, key, line)


def attribute(lo: Lowerer, base: Term, node: Node) -> Term:
    """`base.name`; a placeholder for the name makes it a computed member."""
    name, line = lo.name(node), lo.line(node)
    return Item(base, lo.text(name, line), line) if lo.holds_hole(name) else Attr(base, name, line)


def key_term(lo: Lowerer, node: Node | None) -> Term:
    """The key of a property, as a term."""
    if node is None:
        return lo.expr(None)
    if node.type in {"property_identifier", "private_property_identifier", "shorthand_property_identifier_pattern"}:
        name = lo.name(node)
        return lo.text(name, lo.line(node)) if lo.holes else Known(lit(name))
    if node.type == "computed_property_name":
        return symbol_key(lo, node.named_child(0))
    return lo.expr(node)


# Well-known symbols by the special method that means the same in the evaluator.
_SYMBOLS = {
    "Symbol.iterator": "__iter__", "Symbol.asyncIterator": "__iter__", "Symbol.hasInstance": "@@hasInstance",
    "Symbol.toPrimitive": "@@toPrimitive", "Symbol.toStringTag": "@@toStringTag", "Symbol.dispose": "@@dispose",
    "Symbol.asyncDispose": "@@dispose", "Symbol.species": "@@species",
}  # fmt: skip


def symbol_key(lo: Lowerer, node: Node | None) -> Term:
    """A computed key; a well-known symbol is a fixed name that no string equals by accident."""
    if node is not None and node.type == "member_expression":
        fixed = _SYMBOLS.get(lo.raw(node))
        if fixed is not None and lo.scope.find("Symbol") is None:
            return Known(lit(fixed))
    return lo.expr(node)


def _object(lo: Lowerer, pattern: Node, term: Term) -> None:
    for part in pattern.named_children:
        kind, line = part.type, lo.line(part)
        if kind in {"shorthand_property_identifier_pattern", "shorthand_property_identifier"}:
            assign(lo, part, attribute(lo, term, part))
        elif kind in {"pair_pattern", "pair"}:
            key = key_term(lo, part.child_by_field_name("key"))
            assign(lo, part.child_by_field_name("value"), get_member(term, key, line))
        elif kind in {"object_assignment_pattern", "assignment_pattern"}:
            left = part.child_by_field_name("left")
            if left is not None:
                assign(lo, part, attribute(lo, term, left))
        elif kind in {"rest_pattern", "spread_element"}:
            assign(lo, part.named_child(0), Rest(term, 0, line))
        elif kind != "comment":
            lo.drop(lo.expr(part))


def _array(lo: Lowerer, pattern: Node, term: Term) -> None:
    position = 0
    for part in pattern.children:
        kind = part.type
        if kind == ",":
            position += 1
        elif kind in {"rest_pattern", "spread_element"}:
            assign(lo, part.named_child(0), Rest(term, position, lo.line(part)))
        elif part.is_named and kind != "comment":
            assign(lo, part, Element(term, position, lo.line(part)))
