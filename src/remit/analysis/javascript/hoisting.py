"""What a scope declares, found before its statements are lowered: uses may stand before declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from remit.analysis.domain import PERHAPS
from remit.analysis.ir import Global, Known
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node

    from remit.analysis.javascript.lowerer import Lowerer, Scope

_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
_NAMED = frozenset({"class_declaration", "abstract_class_declaration", "enum_declaration"})
_LEXICAL = frozenset({"lexical_declaration", "using_declaration"})
_NAMESPACES = frozenset({"internal_module", "module"})
# Statements that may hold `var` or a function of a nested block.
_NESTING = frozenset({
    "statement_block", "if_statement", "else_clause", "for_statement", "for_in_statement", "while_statement",
    "do_statement", "try_statement", "catch_clause", "finally_clause", "switch_statement", "switch_body", "switch_case",
    "switch_default", "labeled_statement", "with_statement", "export_statement", "ERROR",
})  # fmt: skip
_INERT = _FUNCTIONS | _NAMED | {"import_statement", "comment", "hash_bang_line"}
_MADE = frozenset({"function_expression", "arrow_function", "generator_function", "class"})
_LOADING = lazy_pattern(rb"\brequire\(")
_CALLING = lazy_pattern(rb"[(`]|\bnew\b")
# Names that a sloppy reading would hide behind a function of a nested block while a module would not.
_EFFECTFUL_GLOBALS = frozenset({
    "eval", "fetch", "require", "process", "Function", "WebSocket", "XMLHttpRequest", "EventSource", "Deno", "Bun",
    "globalThis", "global", "Worker", "module", "setTimeout", "setInterval", "importScripts", "navigator", "window",
})  # fmt: skip


def pattern_names(lo: Lowerer, pattern: Node | None) -> Iterator[str]:
    """The names that a declaration's pattern binds."""
    pending = [pattern] if pattern is not None else []
    while pending:
        node = pending.pop()
        kind = node.type
        if kind in {"identifier", "shorthand_property_identifier_pattern", "undefined"}:
            yield lo.name(node)
        elif kind in {"assignment_pattern", "object_assignment_pattern"}:
            left = node.child_by_field_name("left")
            if left is not None:
                pending.append(left)
        elif kind == "pair_pattern":
            value = node.child_by_field_name("value")
            if value is not None:
                pending.append(value)
        elif kind in {"object_pattern", "array_pattern", "rest_pattern"}:
            pending.extend(node.named_children)


def declare_lexical(lo: Lowerer, scope: Scope, statements: Iterable[Node]) -> None:
    """Declare what stands directly in a block."""
    for statement in statements:
        node, kind = statement, statement.type
        if kind == "export_statement":
            declared = node.child_by_field_name("declaration") or node.child_by_field_name("value")
            if declared is None:
                continue
            node, kind = declared, declared.type
        elif kind == "expression_statement":  # a namespace stands in one
            first = node.named_child(0)
            if first is None or first.type != "internal_module":
                continue
            node, kind = first, first.type
        elif kind == "labeled_statement":
            body = node.child_by_field_name("body")
            if body is None:
                continue
            node, kind = body, body.type
        _declare(lo, scope, node, kind)


def lower_statements(lo: Lowerer, scope: Scope, statements: list[Node]) -> None:
    """Declare what stands directly in a block, and lower it."""
    declare_lexical(lo, scope, statements)
    for statement in statements:
        lo.stmt(statement)


def _declare(lo: Lowerer, scope: Scope, node: Node, kind: str) -> None:  # noqa: C901, PLR0912  one case for each form of the grammar
    if kind in _LEXICAL:
        for declarator in node.named_children:
            if declarator.type == "variable_declarator":
                for name in pattern_names(lo, declarator.child_by_field_name("name")):
                    scope.declare(name)
    elif kind in _FUNCTIONS or kind in _NAMED:
        name_node = node.child_by_field_name("name")
        if name_node is not None:
            scope.declare(lo.name(name_node))
    elif kind in _NAMESPACES:
        name_node = node.child_by_field_name("name")
        while name_node is not None and name_node.type == "nested_identifier":
            name_node = name_node.named_child(0)
        if name_node is not None and name_node.type == "identifier":
            scope.declare(lo.name(name_node))
    elif kind == "import_statement":
        for name in imported_names(lo, node):
            scope.declare(name)
    elif kind == "import_alias":
        first = node.named_child(0)
        if first is not None:
            scope.declare(lo.name(first))


def imported_names(lo: Lowerer, node: Node) -> Iterator[str]:
    """The local names of an import statement. Names of types are declared too: nothing binds them, nothing uses them."""
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            yield from (lo.name(child) for child in clause.named_children if child.type == "identifier")
        elif clause.type == "import_clause":
            for part in clause.named_children:
                if part.type == "identifier":
                    yield lo.name(part)
                elif part.type == "namespace_import":
                    yield from (lo.name(child) for child in part.named_children if child.type == "identifier")
                elif part.type == "named_imports":
                    for specifier in part.named_children:
                        local = specifier.child_by_field_name("alias") or specifier.child_by_field_name("name")
                        if local is not None and specifier.type == "import_specifier":
                            yield lo.name(local)


def declare_vars(lo: Lowerer, scope: Scope, parameters: Scope | None, root: Node) -> None:
    """Declare the `var` names below `root`, and in sloppy code the functions of nested blocks, in the function's scope."""
    start, end = root.start_byte, root.end_byte
    sloppy = not lo.body.strict
    if lo.source.find(b"var", start, end) < 0 and not (sloppy and lo.source.find(b"function", start, end) >= 0):
        return
    pending = list(_before_calls(lo, root.named_children))
    while pending:
        node, direct = pending.pop()
        kind = node.type
        if kind == "variable_declaration":
            for declarator in node.named_children:
                if declarator.type == "variable_declarator":
                    _declare_var(lo, scope, parameters, declarator.child_by_field_name("name"), perhaps=not direct)
        elif kind in _FUNCTIONS:
            if sloppy and not direct:
                _declare_block_function(lo, scope, parameters, node)
        elif kind in _NESTING:
            if kind == "for_in_statement":
                token = node.child_by_field_name("kind")
                if token is not None and token.type == "var":
                    _declare_var(lo, scope, parameters, node.child_by_field_name("left"), perhaps=True)
            first = node.child_by_field_name("initializer") if kind == "for_statement" else None
            if first is not None:
                pending.append((first, direct))
            direct = direct and kind == "export_statement"
            pending.extend((child, direct) for child in node.named_children if child != first)


def _before_calls(lo: Lowerer, statements: Iterable[Node]) -> Iterator[tuple[Node, bool]]:
    """Statements, and whether each comes before any call: later a function may already have looked at what it declares."""
    first = True
    for statement in statements:
        yield statement, first or statement.type in _FUNCTIONS
        first = first and not _calls(lo, statement)


def _calls(lo: Lowerer, statement: Node) -> bool:
    """Whether a statement of a body may call a function that stands in it; loading a module does not, nor does making a function."""
    if statement.type in _INERT:
        return False
    if statement.type != "variable_declaration" and statement.type not in _LEXICAL:
        return _CALLING.search(lo.source, statement.start_byte, statement.end_byte) is not None
    values = [part.child_by_field_name("value") for part in statement.named_children]
    return any(
        value is not None
        and value.type not in _MADE
        and _CALLING.search(_LOADING.sub(b"", lo.source[value.start_byte : value.end_byte]))
        for value in values
    )


def _declare_var(
    lo: Lowerer, scope: Scope, parameters: Scope | None, pattern: Node | None, *, perhaps: bool = False
) -> None:
    """`perhaps`: the statement may not be reached, and the variable is there without a value."""
    for name in pattern_names(lo, pattern):
        known = parameters.names.get(name) if parameters is not None else None
        if known is not None:
            scope.names[name] = known
        else:
            made = scope.declare(name)
            if perhaps:
                lo.bind(made, Known(PERHAPS))


def _declare_block_function(lo: Lowerer, scope: Scope, parameters: Scope | None, node: Node) -> None:
    """Outside its block the name may mean the function (scripts) or what encloses it (modules): it joins both."""
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    name = lo.name(name_node)
    if name in scope.names or (parameters is not None and name in parameters.names):
        return
    outer = scope.find(name)
    made = scope.declare(name)
    if outer is not None:
        lo.bind(made, outer)
    elif name in _EFFECTFUL_GLOBALS:
        lo.bind(made, Global(name, lo.line(node)))
