"""Names, literals, arrays, objects, JSX and the other expressions that are no operator, call or function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    FALSE,
    NONE,
    SOME_NUM,
    SOME_TEXT,
    TRUE,
    UNKNOWN,
    Const,
    Data,
    Text,
    Value,
    concat,
    lit,
)
from remit.analysis.ir import (
    Await,
    Call,
    Choice,
    Concat,
    DynamicImport,
    Evaluate,
    Global,
    Import,
    Iterate,
    Known,
    Mapping,
    Return,
    Sequence,
    SetAttr,
    Star,
    Term,
    Var,
)
from remit.analysis.javascript.functions import Form, arrow_function, make_function, modifiers, named, takes_name
from remit.analysis.javascript.literals import UNDEFINED, constant_key, number_value, unescape
from remit.analysis.javascript.lowerer import only
from remit.analysis.javascript.patterns import key_term

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer


_UNDEFINED = Known(UNDEFINED)
_NULL, _TRUE, _FALSE = Known(frozenset({NONE})), Known(frozenset({TRUE})), Known(frozenset({FALSE}))
_ANYTHING = Known(ANY)


def constant(value: Term) -> Callable[[Lowerer, Node], Term]:
    """A node type that always means the same."""
    return lambda _lo, _node: value


def identifier(lo: Lowerer, node: Node) -> Term:
    """A name: a variable of the file, a name of the module wrapper, or a global."""
    name = lo.name(node)
    found = lo.scope.find(name)
    if found is not None:
        return found
    special = _WRAPPER.get(name)
    if special is not None:
        return special(lo, node)
    if lo.holds_hole(name):
        if name in lo.holes:
            return Known(lo.holes[name])
        lo.opaque("a placeholder is part of a name", node)
        return _ANYTHING
    return Global(name, lo.line(node))


def _arguments(lo: Lowerer, node: Node) -> Term:
    return lo.body.arguments() or Global("arguments", lo.line(node))


_WRAPPER: dict[str, Callable[[Lowerer, Node], Term]] = {
    "undefined": constant(_UNDEFINED),
    "NaN": constant(Known(SOME_NUM)),
    "Infinity": constant(Known(SOME_NUM)),
    "arguments": _arguments,
    "exports": lambda lo, _: lo.exports,
    "module": lambda lo, _: lo.module_object,
    "__dirname": lambda lo, _: Known(lo.path(folder=True)),
    "__filename": lambda lo, _: Known(lo.path()),
}


def this(lo: Lowerer, _node: Node) -> Term:
    """The receiver; at the top level of a module the exports."""
    term = lo.body.this
    return lo.exports if isinstance(term, Var) and term.owner == 0 and term.name == "this" else term


def string(lo: Lowerer, node: Node) -> Term:
    """A string literal."""
    return lo.text(unescape(lo.raw(node)[1:-1]), lo.line(node))


def number(lo: Lowerer, node: Node) -> Term:
    """A numeric literal."""
    return Known(number_value(lo.raw(node)))


def regex(lo: Lowerer, node: Node) -> Term:
    """`/pattern/flags`, as the construction that it abbreviates."""
    line = lo.line(node)
    pattern, flags = node.child_by_field_name("pattern"), node.child_by_field_name("flags")
    parts = (lo.text(lo.raw(pattern) if pattern else "", line), lo.text(lo.raw(flags) if flags else "", line))
    return Call(Global("RegExp", line), parts, (), line, new=True)


def template(lo: Lowerer, node: Node) -> Term:
    """A template literal without a tag."""
    line = lo.line(node)
    return join(
        [
            lo.text(unescape(part), line) if isinstance(part, str) else lo.expr(only(part))
            for part in template_parts(lo, node)
        ],
        line,
    )


def template_parts(lo: Lowerer, node: Node) -> list[str | Node]:
    """The raw texts and the substitutions of a template, in order; texts first and last, as a tag receives them."""
    out: list[str | Node] = []
    start = node.start_byte + 1
    for child in node.named_children:
        if child.type == "template_substitution":
            out.extend((_raw_template(lo, start, child.start_byte), child))
            start = child.end_byte
    out.append(_raw_template(lo, start, node.end_byte - 1))
    return out


def _raw_template(lo: Lowerer, start: int, end: int) -> str:
    return lo.source[start:end].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def join(terms: list[Term], line: int) -> Term:
    """Texts one after the other; what is constant is joined here."""
    out: list[Term] = []
    for term in terms:
        if isinstance(term, Known) and out and isinstance(out[-1], Known):
            left, right = _single(out[-1].value), _single(term.value)
            if left is not None and right is not None:
                out[-1] = Known(frozenset({concat(left, right)}))
                continue
        if isinstance(term, Known) and _single(term.value) == Text(()) and len(terms) > 1:
            continue
        out.append(term)
    if not out:
        return Known(frozenset({Text(())}))
    return out[0] if len(out) == 1 and isinstance(out[0], Known) and _single(out[0].value) else Concat(tuple(out), line)


def _single(value: Value) -> Text | None:
    if len(value) != 1:
        return None
    (atom,) = value
    return atom if isinstance(atom, Text) else None


def array(lo: Lowerer, node: Node) -> Term:
    """An array literal; an elision is undefined."""
    items: list[Term] = []
    pending = True
    for child in node.children:
        kind = child.type
        if kind == ",":
            if pending:
                items.append(_UNDEFINED)
            pending = True
        elif child.is_named and kind != "comment":
            items.append(lo.expr(child))
            pending = False
    return Sequence("list", tuple(items), lo.line(node))


def spread(lo: Lowerer, node: Node) -> Term:
    """`...x` among elements or arguments."""
    return Star(lo.expr(only(node)))


def object_literal(lo: Lowerer, node: Node) -> Term:
    """An object literal."""
    pairs: list[tuple[Term | None, Term]] = []
    for part in node.named_children:
        kind = part.type
        if kind == "pair":
            pairs.append(_pair(lo, part))
        elif kind == "shorthand_property_identifier":
            pairs.append((lo.text(lo.name(part), lo.line(part)), identifier(lo, part)))
        elif kind == "spread_element":
            pairs.append((None, lo.expr(only(part))))
        elif kind == "method_definition":
            pairs.append(_method(lo, part))
        elif kind != "comment":
            lo.drop(lo.expr(part))
    return Mapping(tuple(pairs), lo.line(node))


def _pair(lo: Lowerer, node: Node) -> tuple[Term | None, Term]:
    key_node, value_node = node.child_by_field_name("key"), node.child_by_field_name("value")
    key = key_term(lo, key_node)
    name = constant_key(key)
    value = named(lo, value_node, name or None)
    # `__proto__: x` lets every member of x be found; a copy of them says as much.
    inherits = name == "__proto__" and key_node is not None and key_node.type != "computed_property_name"
    inherits = inherits and (value_node is None or not takes_name(value_node))
    return (None if inherits else key), value


def _method(lo: Lowerer, node: Node) -> tuple[Term, Term]:
    key = key_term(lo, node.child_by_field_name("name"))
    name = constant_key(key)
    accessor = modifiers(node).accessor
    made = make_function(lo, node, Form(name or "<method>", decorated=bool(accessor) or name is None))
    if accessor == "set":
        return Known(frozenset({Const("setter")})), made
    if accessor == "get":
        return key, Call(made, (), (), lo.line(node))
    return key, made


def parenthesized(lo: Lowerer, node: Node) -> Term:
    """`(x)`, `x as T`, `x!`, `x satisfies T`: the first child counts, the rest are types or comments."""
    return lo.expr(only(node))


def type_assertion(lo: Lowerer, node: Node) -> Term:
    """`<T>x`."""
    return lo.expr(node.named_child(node.named_child_count - 1))


def sequence(lo: Lowerer, node: Node) -> Term:
    """`a, b`: all are evaluated, the last is the value."""
    parts = [child for child in node.named_children if child.type != "comment"]
    for part in parts[:-1]:
        lo.drop(lo.expr(part))
    return lo.expr(parts[-1] if parts else None)


def ternary(lo: Lowerer, node: Node) -> Term:
    """`a ? b : c ? d : e`; chains are read in a loop, since they get long."""
    options: list[Term] = []
    current: Node | None = node
    while current is not None and current.type == "ternary_expression":
        lo.drop(lo.expr(current.child_by_field_name("condition")))
        options.append(lo.expr(current.child_by_field_name("consequence")))
        current = current.child_by_field_name("alternative")
    options.append(lo.expr(current))
    return Choice(tuple(options))


def await_expression(lo: Lowerer, node: Node) -> Term:
    """`await x`; an import is the module at once."""
    term = lo.expr(only(node))
    return term if isinstance(term, (Import, DynamicImport)) else Await(term, lo.line(node))


def yield_expression(lo: Lowerer, node: Node) -> Term:
    """`yield x` and `yield* xs`; what comes back is whatever the consumer sends. Elsewhere `yield` is a name."""
    value = only(node)
    term: Term = lo.expr(value) if value is not None else _UNDEFINED
    if not lo.body.function.generator:
        line = lo.line(node)
        return Call(lo.scope.find("yield") or Global("yield", line), (term,), (), line)
    if any(child.type == "*" for child in node.children):
        term = Iterate(term, lo.line(node))
    lo.facts.append(Return(term, yields=True))
    return _ANYTHING


def decorator(lo: Lowerer, node: Node) -> Term:
    """A decorator where no declaration takes it: its expression is still evaluated."""
    lo.facts.append(Evaluate(lo.expr(only(node))))
    return _ANYTHING


EXPRESSIONS: dict[str, Callable[[Lowerer, Node], Term]] = {
    "identifier": identifier, "undefined": identifier, "property_identifier": identifier,
    "private_property_identifier": lambda lo, node: lo.text(lo.name(node), lo.line(node)),
    "shorthand_property_identifier": identifier, "shorthand_property_identifier_pattern": identifier,
    "nested_identifier": identifier, "this": this, "string": string, "number": number, "regex": regex,
    "template_string": template, "array": array, "object": object_literal, "spread_element": spread,
    "true": constant(_TRUE), "false": constant(_FALSE), "null": constant(_NULL), "parenthesized_expression": parenthesized,
    "as_expression": parenthesized, "satisfies_expression": parenthesized, "non_null_expression": parenthesized,
    "instantiation_expression": parenthesized, "type_assertion": type_assertion, "sequence_expression": sequence,
    "ternary_expression": ternary, "await_expression": await_expression, "yield_expression": yield_expression,
    "decorator": decorator, "arrow_function": arrow_function, "computed_property_name": parenthesized,
}  # fmt: skip


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
    inner = only(node)
    return lo.expr(inner.named_child(0) if inner is not None and inner.type == "spread_element" else inner)


def _child(lo: Lowerer, node: Node) -> Term:
    if node.type == "string":
        body = lo.raw(node)[1:-1]
        return _TEXT if "&" in body else lo.text(body, lo.line(node))
    if node.type == "jsx_expression":
        return _TEXT if only(node) is None else _spread(lo, node)
    return lo.expr(node)


JSX: dict[str, Callable[[Lowerer, Node], Term]] = {
    "jsx_element": element,
    "jsx_self_closing_element": element,
    "jsx_fragment": element,
    "jsx_expression": _spread,
    "jsx_text": lambda _lo, _node: _TEXT,
}
