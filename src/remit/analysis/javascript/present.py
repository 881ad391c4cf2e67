"""Members that are surely there: set where an object is made, before anybody else can look at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

_NAMES = frozenset({"property_identifier", "private_property_identifier"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
# A use of `this` that may hand the object on or call a method of it; what is left reads or sets a member.
_SHOWN = re.compile(rb"\bthis\b(?!\.#?[A-Za-z_$][\w$]*\s*(?:[;,)\]}+\-*/|&:<>=]|$))")
_RETURN = re.compile(rb"\breturn\b")


def set_after(lo: Lowerer, declaration: Node, name: str) -> frozenset[str]:
    """`const o = {}; o.a = 1; o.b = x;`: the members that the statements after a declaration set, none of which calls anything."""
    if declaration.named_child_count != 1:
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
    """What the field initialisers and the constructor of a class that extends nothing set before they show the object."""
    out: set[str] = set()
    members = body.named_children if body is not None else []
    fields = [member for member in members if member.type in {"field_definition", "public_field_definition"}]
    for field in fields:
        if any(child.type in {"static", "declare", "abstract"} for child in field.children):
            continue
        if _SHOWN.search(_bytes(field)):
            return frozenset(out)
        key = field.child_by_field_name("property") or field.child_by_field_name("name")
        if key is not None and key.type in _NAMES:
            out.add(lo.name(key))
    for member in members:
        key = member.child_by_field_name("name") if member.type == "method_definition" else None
        if key is not None and _bytes(key) == b"constructor":
            out.update(lo.name(name) for name in _set_by_constructor(member))
    return frozenset(out)


def _set_by_constructor(constructor: Node) -> Iterator[Node]:
    parameters, body = constructor.child_by_field_name("parameters"), constructor.child_by_field_name("body")
    if parameters is None or body is None or b"this" in _bytes(parameters):
        return
    for parameter in parameters.named_children:  # TypeScript: `constructor(private readonly x: string)`
        pattern = parameter.child_by_field_name("pattern")
        modified = any(child.type in {"accessibility_modifier", "readonly"} for child in parameter.children)
        if modified and pattern is not None and pattern.type == "identifier":
            yield pattern
    for statement in body.named_children:
        source = _bytes(statement)
        if _SHOWN.search(source) or _RETURN.search(source):
            return
        member, _ = _assigned(statement, b"this")
        if member is not None:
            yield member


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


def _bytes(node: Node) -> bytes:
    return node.text or b""
