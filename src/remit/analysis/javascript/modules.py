"""Import and export statements, and what TypeScript adds that leaves something behind at run time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from remit.analysis.domain import SOME_NUM, Num, Text, lit
from remit.analysis.ir import Attr, Evaluate, Export, Import, Known, Mapping, SetAttr, SetItem, Term, Var
from remit.analysis.javascript.calls import module_term
from remit.analysis.javascript.classes import declare_class
from remit.analysis.javascript.functions import Form, make_function, named
from remit.analysis.javascript.hoisting import declare_lexical, declare_vars, pattern_names
from remit.analysis.javascript.literals import constant_key, number_text, unescape
from remit.analysis.javascript.lowerer import Scope
from remit.analysis.javascript.patterns import attribute, key_term
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer


_DECLARATION = lazy_pattern(rb"(?:async\s+)?function\b|class\b")
_DECLARATIONS = frozenset({"function_expression", "generator_function", "class"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})


def import_statement(lo: Lowerer, node: Node) -> None:
    """`import …`; `import type` leaves nothing behind."""
    words = {child.type for child in node.children if not child.is_named}
    if "type" in words or "typeof" in words:
        return
    clauses = [child for child in node.named_children if child.type in {"import_clause", "import_require_clause"}]
    for clause in clauses:
        if clause.type == "import_require_clause":
            _import_require(lo, clause)
            continue
        source = lo.expr(node.child_by_field_name("source"))
        for local, member in _specifiers(clause):
            _bind(lo, local, _member(lo, source, member, lo.line(local)))
    if not clauses:
        lo.facts.append(Evaluate(module_term(lo.expr(node.child_by_field_name("source")), lo.line(node))))


def _import_require(lo: Lowerer, clause: Node) -> None:
    local = next((child for child in clause.named_children if child.type == "identifier"), None)
    if local is not None:
        term = module_term(lo.expr(clause.child_by_field_name("source")), lo.line(clause))
        _bind(lo, local, term)


def _specifiers(clause: Node) -> Iterator[tuple[Node, Node | str | None]]:
    """Local names and the member that each stands for (None: the module itself)."""
    for part in clause.named_children:
        if part.type == "identifier":
            yield part, "default"
        elif part.type == "namespace_import":
            yield from ((child, None) for child in part.named_children if child.type == "identifier")
        elif part.type == "named_imports":
            for specifier in part.named_children:
                name = specifier.child_by_field_name("name")
                if name is None or any(child.type in {"type", "typeof"} for child in specifier.children):
                    continue
                yield specifier.child_by_field_name("alias") or name, name


def _member(lo: Lowerer, source: Term, member: Node | str | None, line: int) -> Term:
    name = member if member is None or isinstance(member, str) else module_name(lo, member)
    module = module_term(source, line)
    if isinstance(module, Import):
        module.member = name
        return module
    return module if member is None or isinstance(member, str) else attribute(lo, module, member)


def module_name(lo: Lowerer, node: Node) -> str:
    """The name of an import or export, which may be written as a string."""
    if node.type != "string":
        return lo.name(node)
    return unescape(lo.raw(node)[1:-1])


def _bind(lo: Lowerer, local: Node, term: Term) -> None:
    found = lo.scope.find(lo.name(local))
    if found is not None:
        lo.bind(found, term)
    else:
        lo.drop(term)


def export_statement(lo: Lowerer, node: Node) -> None:
    """`export …` in all its forms."""
    for name, term, line in exports_of(lo, node):
        lo.facts.append(Export(name, term, line))


def exports_of(lo: Lowerer, node: Node) -> Iterator[tuple[str | None, Term, int]]:
    """Lower what an export statement declares, and say what it exports under which name (None: the whole module)."""
    words = {child.type for child in node.children if not child.is_named}
    declared, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    default, line = "default" in words, lo.line(node)
    if declared is not None:
        marks = tuple(node.children_by_field_name("decorator"))
        for name, term in _declared(lo, declared, marks):
            yield ("default" if default else name), term, line
    elif value is not None:
        if value.type not in _DECLARATIONS and _DECLARATION.match(lo.source, value.start_byte):
            lo.opaque("a declaration ends before this operator, but the parser reads on", value)
        yield "default", named(lo, value, "default"), line
    elif "=" in words:
        yield None, lo.expr(next(iter(node.named_children), None)), line
    elif "type" in words and "*" not in words and node.child_by_field_name("source") is None:
        return
    elif "type" not in words and "namespace" not in words:
        yield from _lists(lo, node, words)


def _declared(lo: Lowerer, node: Node, decorators: tuple[Node, ...]) -> Iterator[tuple[str, Term]]:
    kind = node.type
    name_node = node.child_by_field_name("name")
    if kind in _CLASSES:
        variable = declare_class(lo, node, decorators)
        yield (lo.name(name_node) if name_node is not None else "default"), variable
    elif kind in _FUNCTIONS and name_node is None:
        yield "default", make_function(lo, node, Form("default"))
    else:
        lo.stmt(node)
        for name in _names(lo, node):
            found = lo.scope.find(name)
            if found is not None:
                yield name, found


def _names(lo: Lowerer, node: Node) -> Iterator[str]:
    name_node = node.child_by_field_name("name")
    while name_node is not None and name_node.type == "nested_identifier":
        name_node = name_node.named_child(0)
    if node.type == "ambient_declaration":
        return
    if name_node is not None and node.type not in {
        "interface_declaration",
        "type_alias_declaration",
        "function_signature",
    }:
        yield lo.name(name_node)
    elif node.type == "import_alias":
        first = node.named_child(0)
        if first is not None:
            yield lo.name(first)
    else:
        for declarator in node.named_children:
            if declarator.type == "variable_declarator":
                yield from pattern_names(lo, declarator.child_by_field_name("name"))


def _lists(lo: Lowerer, node: Node, words: set[str]) -> Iterator[tuple[str | None, Term, int]]:
    """`export {a as b}`, `export {a} from "m"`, `export * from "m"`, `export * as n from "m"`."""
    source_node, line = node.child_by_field_name("source"), lo.line(node)
    source = lo.expr(source_node) if source_node is not None else None
    for part in node.named_children:
        if part.type == "namespace_export" and source is not None:
            exported = part.named_child(0)
            if exported is not None:
                yield module_name(lo, exported), module_term(source, line), line
        elif part.type == "export_clause":
            yield from _clause(lo, part, source)
    if "*" in words and source is not None:
        yield None, module_term(source, line), line  # what the other module exports is exported here


def _clause(lo: Lowerer, clause: Node, source: Term | None) -> Iterator[tuple[str | None, Term, int]]:
    for specifier in clause.named_children:
        name = specifier.child_by_field_name("name")
        if name is None or any(child.type in {"type", "typeof"} for child in specifier.children):
            continue
        line = lo.line(specifier)
        exported = module_name(lo, specifier.child_by_field_name("alias") or name)
        yield exported, (lo.expr(name) if source is None else _member(lo, source, name, line)), line


MODULES: dict[str, Callable[[Lowerer, Node], None]] = {
    "import_statement": import_statement,
    "export_statement": export_statement,
}


def enum_declaration(lo: Lowerer, node: Node) -> None:
    """An enum: an object from names to values, and from numbers back to names; members see each other by name."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    variable = lo.scope.find(lo.name(name_node)) if name_node is not None else None
    if variable is None or body is None:
        return
    outer, line = lo.scope, lo.line(node)
    lo.scope = Scope(lo.body, outer)
    lo.bind(variable, Mapping((), line))
    following: int | None = 0
    for member in body.named_children:
        if member.type == "comment":
            continue
        name_of = member.child_by_field_name("name") if member.type == "enum_assignment" else member
        value_node = member.child_by_field_name("value") if member.type == "enum_assignment" else None
        key = key_term(lo, name_of)
        value: Term = lo.expr(value_node) if value_node is not None else _numbered(following)
        following = _after(value)
        _enum_member(lo, variable, key, value, lo.line(member))
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


def _enum_member(lo: Lowerer, variable: Var, key: Term, value: Term, line: int) -> None:
    value = lo.stable(value)
    name = constant_key(key)
    if name is None:
        lo.facts.append(SetItem(variable, key, value, line))
        return
    lo.facts.append(SetAttr(variable, name, value, line))
    local = lo.scope.declare(name)
    lo.bind(local, value)
    if isinstance(value, Known) and all(isinstance(atom, Text) for atom in value.value):
        return  # only numbers lead back to their names
    back = constant_key(value)
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
    lo.bind(holder, Mapping((), line))
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
    lo.bind(found, term)


TYPESCRIPT: dict[str, Callable[[Lowerer, Node], None]] = {
    "enum_declaration": enum_declaration,
    "internal_module": namespace,
    "module": namespace,
    "import_alias": import_alias,
}
