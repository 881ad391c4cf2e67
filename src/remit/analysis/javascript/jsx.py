"""JSX: a component is called with its attributes; what other elements are given may be called by anyone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, SOME_TEXT, UNKNOWN, Data, lit
from remit.analysis.ir import Call, Evaluate, Known, Mapping, Sequence, SetAttr, Term

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer

_TEXT = Known(SOME_TEXT)
_ELEMENT = Known(frozenset({Data(UNKNOWN)}))
_INERT = frozenset({"jsx_text", "html_character_reference", "comment", "jsx_closing_element", "type_arguments"})


def element(lo: Lowerer, node: Node) -> Term:
    """`<Tag a={b}>children</Tag>`, `<Tag/>` or a fragment."""
    opening = node.child_by_field_name("open_tag") or node
    name = opening.child_by_field_name("name")
    pairs = _attributes(lo, opening)
    children = tuple(_child(lo, part) for part in node.named_children if _is_child(part, opening))
    if children and node.type == "jsx_element":
        pairs.append((Known(lit("children")), Sequence("list", children, lo.line(node))))
    if name is None or _is_intrinsic(lo, name):
        for _key, term in pairs:
            if not isinstance(term, Known):
                lo.facts.append(SetAttr(Known(ANY), "props", term, lo.line(node)))
    else:
        props = Mapping(tuple(pairs), lo.line(node))
        lo.facts.append(Evaluate(Call(lo.expr(name), (props,), (), lo.line(name))))
    return _ELEMENT


def _is_child(part: Node, opening: Node) -> bool:
    return part.id != opening.id and part.type not in _INERT and part.type != "jsx_attribute"


def _is_intrinsic(lo: Lowerer, name: Node) -> bool:
    return name.type == "jsx_namespace_name" or (name.type == "identifier" and not lo.raw(name)[:1].isupper())


def _attributes(lo: Lowerer, opening: Node) -> list[tuple[Term | None, Term]]:
    pairs: list[tuple[Term | None, Term]] = []
    for part in opening.children_by_field_name("attribute"):
        if part.type == "jsx_expression":
            pairs.append((None, _spread(lo, part)))
            continue
        parts = part.named_children
        if not parts:
            continue
        value = _child(lo, parts[1]) if len(parts) > 1 else Known(ANY)
        pairs.append((Known(lit(lo.raw(parts[0]))), value))
    return pairs


def _spread(lo: Lowerer, node: Node) -> Term:
    inner = next((child for child in node.named_children if child.type != "comment"), None)
    return lo.expr(inner.named_child(0) if inner is not None and inner.type == "spread_element" else inner)


def _child(lo: Lowerer, node: Node) -> Term:
    if node.type == "string":
        body = lo.raw(node)[1:-1]
        return _TEXT if "&" in body else lo.text(body, lo.line(node))
    if node.type == "jsx_expression":
        inner = next((child for child in node.named_children if child.type != "comment"), None)
        if inner is None:
            return _TEXT
        return lo.expr(inner.named_child(0) if inner.type == "spread_element" else inner)
    return lo.expr(node)


JSX: dict[str, Callable[[Lowerer, Node], Term]] = {
    "jsx_element": element,
    "jsx_self_closing_element": element,
    "jsx_fragment": element,
    "jsx_expression": _spread,
    "jsx_text": lambda _lo, _node: _TEXT,
}
