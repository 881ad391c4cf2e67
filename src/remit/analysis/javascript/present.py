"""Members that are surely there: set where an object is made, before anybody else can look at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

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
